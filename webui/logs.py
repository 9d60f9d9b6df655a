"""The log: what went on and where the program failed, and nothing that was said or sealed at the table.

A fault is told by its kind and its place in the program. Its own words are left out: they may quote a hand or a
battery. What a line says of this evening (names of files, mostly) stands between « and », and `without_names` takes it
out, so that the end of a log can be given away.
"""

from __future__ import annotations

import logging
import re
import traceback
from pathlib import Path
from types import TracebackType
from typing import Any

import click

log = logging.getLogger("umpire")

LINE = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} [A-Z]+ ")
FRAME = re.compile(r'  File "(?P<path>[^"]*)", line \d+, in [\w<>.]+$')
KIND = re.compile(r"[A-Za-z_][\w.]*(?: \[Errno \d+\])?$")
MARKS = re.compile(r"[«»\x00-\x1f\x7f-\x9f]")
LIBRARIES = ("waitress", "werkzeug", "webui")  # the last is Flask's: their words hold addresses, and those hold links
HEADS = frozenset({"Traceback (most recent call last):", "Because of:", "While handling:"})

Fault = tuple[type[BaseException], BaseException, TracebackType | None] | tuple[None, None, None]


def log_file() -> Path:
    """Where the log is on this computer."""
    return Path(click.get_app_dir("pyramid-umpire")) / "umpire.log"


class Discreet(logging.Formatter):
    """See the module."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(message)s")

    def format(self, record: logging.LogRecord) -> str:
        said = {"msg": record.msg, "args": _marked(record.args)}
        if record.name.partition(".")[0] in LIBRARIES:
            said = {"msg": f"{record.name}, {record.module}.{record.funcName}", "args": None}
        marked = logging.makeLogRecord(record.__dict__ | said | {"exc_text": None})
        try:
            return super().format(marked)
        except (TypeError, ValueError):  # a line that does not fit its own pattern is no reason to fail
            return super().format(logging.makeLogRecord(marked.__dict__ | {"args": None}))

    def formatException(self, ei: Fault) -> str:  # noqa: N802  logging's name
        fault = ei[1]
        return "\n".join(_story(fault)) if fault is not None else ""


def log_to(path: Path, verbose: bool) -> None:
    """Write into the file from now on; `verbose` says it on the error stream as well."""
    log.propagate = False
    log.setLevel(logging.INFO)
    logging.raiseExceptions = False  # a full disk takes no line, and a traceback for each would bury what matters
    if any(isinstance(kept, logging.FileHandler) for kept in log.handlers):
        return
    if verbose:
        _add(logging.StreamHandler())
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _add(logging.FileHandler(path, encoding="utf-8", errors="backslashreplace"))
    except OSError:  # a log that cannot be written is no reason to fail
        log.addHandler(logging.NullHandler())


def _add(keeper: logging.Handler) -> None:
    """Have the keeper take down what the umpire says, and what its libraries warn of."""
    keeper.setFormatter(Discreet())
    log.addHandler(keeper)
    for name in LIBRARIES:
        library = logging.getLogger(name)
        library.propagate = False
        library.addHandler(keeper)


def without_names(text: str) -> str:
    """The log's text with nothing in it but the program's own words; lines of another form are left out.

    >>> without_names("2026-11-30 20:15:00,123 INFO looked at «Ann's table.jpg» in 0.8 s")
    '2026-11-30 20:15:00,123 INFO looked at «…» in 0.8 s'
    """
    return "\n".join(kept for line in text.splitlines() if (kept := _kept(line)) is not None)


def _kept(line: str) -> str | None:
    if LINE.match(line):
        return re.sub("«[^»]*(»|$)", "«…»", line)
    if found := FRAME.match(line):
        return line.replace(found["path"], _within(found["path"]))
    return line if line in HEADS or KIND.match(line) else None


def _within(path: str) -> str:
    """The end of a path, from the package on: where somebody's home is is nobody's business."""
    parts = Path(path.replace("\\", "/")).parts
    starts = [n for n, part in enumerate(parts) if part in ("webui", "engine", "vision", "calibration")]
    known = starts or [n + 1 for n, part in enumerate(parts) if part == "site-packages"] or [len(parts) - 1]
    return "/".join(parts[known[-1] :])


def _marked(args: Any) -> Any:
    """What is put into a line's pattern: numbers as they are, everything else between marks and in one line."""
    if isinstance(args, dict):
        return {name: _mark(each) for name, each in args.items()}
    return tuple(_mark(each) for each in args) if args else args


def _mark(value: Any) -> Any:
    if isinstance(value, int | float):
        return value
    return f"«{MARKS.sub(' ', str(value))[:200]}»"


def _story(fault: BaseException) -> list[str]:
    """Where the fault came about and its kind, that of its cause first; without a word of its own."""
    before = fault.__cause__ or (None if fault.__suppress_context__ else fault.__context__)
    lines = [*_story(before), "Because of:" if fault.__cause__ else "While handling:"] if before is not None else []
    frames = traceback.extract_tb(fault.__traceback__)
    lines += ["Traceback (most recent call last):"]
    lines += [f'  File "{frame.filename}", line {frame.lineno}, in {frame.name}' for frame in frames]
    number = f" [Errno {fault.errno}]" if isinstance(fault, OSError) and fault.errno is not None else ""
    return [*lines, f"{type(fault).__module__}.{type(fault).__qualname__}{number}".removeprefix("builtins.")]
