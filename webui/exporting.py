"""A kept match as a file for people or for another machine: a record in notation, JSON, or a zip with the pictures.

While a game goes on, a file that leaves this machine tells nothing that is sealed or in somebody's hand, unless that
is asked for: what a set-up says beyond `PUBLIC`, and what players said on their own devices, is left out. A file with
something left out cannot be taken up again, and says so.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import IO, Any

from webui.games import gran_prix
from webui.picture_files import PictureFiles, key_of
from webui.store import Input, Json, KeptMatch
from webui.whole_files import write_whole

FORMAT, VERSION = "pyramid-umpire match", 1
MATCH_NAME = "match.json"
LEFT_OUT = "left out"

PUBLIC = frozenset(
    ("game", "players", "initiative", "options", "first", "first_picker", "pool", "laps", "start", "pylon", "pole")
    + ("direction", "track", "gaps", "square_mm", "camera")
)
PUBLIC_OF_PLAYERS = frozenset(("name", "stand", "sheet", "colour", "gear", "speed"))
SEALING = frozenset(("battery", "batteries", "executives", "salt", "salts", "hand", "hands", "deck", "seed"))
OPEN_GAMES = frozenset({gran_prix.NAME})  # in which no player has a secret; the umpire has, of its own dice


@dataclass(frozen=True)
class Export:
    """What is to be written: the match, its inputs, and how many of which things were left out."""

    match: KeptMatch
    inputs: tuple[Input, ...]
    withheld: tuple[str, ...] = ()


def whole(match: KeptMatch, inputs: Iterable[Input]) -> Export:
    """All that is kept of the match, with its secrets."""
    return Export(match, tuple(inputs))


def without_secrets(match: KeptMatch, inputs: Iterable[Input]) -> Export:
    """What everybody may know of the match now; everything when it is over."""
    if match.is_over:
        return whole(match, inputs)
    if match.game in OPEN_GAMES:
        hidden = tuple(name for name in match.setup if name in SEALING)
        public = {name: value for name, value in match.setup.items() if name not in SEALING}
        return Export(replace(match, setup=public), tuple(inputs), hidden)
    setup, fields = _public_setup(match.setup)
    told = [_public_input(each) for each in inputs]
    untold = sum(1 for each in told if each.said.get("declare") == LEFT_OUT)
    said = (f"{untold} things that players said in secret",) if untold else ()
    return Export(replace(match, setup=setup), tuple(told), (*fields, *said))


def _public_setup(setup: Json) -> tuple[Json, tuple[str, ...]]:
    fields = [name for name in setup if name not in PUBLIC]
    hidden = {f"players.{key}" for player in setup["players"] for key in player if key not in PUBLIC_OF_PLAYERS}
    players = [{key: value for key, value in one.items() if key in PUBLIC_OF_PLAYERS} for one in setup["players"]]
    public = {name: value for name, value in setup.items() if name in PUBLIC} | {"players": players}
    return public, (*fields, *sorted(hidden))


def _public_input(kept: Input) -> Input:
    """What the table heard stays, unless it seals something."""
    declared = kept.said.get("declare")
    is_sealing = isinstance(declared, dict) and not SEALING.isdisjoint(declared)
    if kept.kind != "declare" or (kept.said.get("by") is None and not is_sealing):
        return kept
    return replace(kept, said=kept.said | {"declare": LEFT_OUT})


# The record, for people.


def record_text(export: Export) -> str:
    """The match in notation, a line for each thing that was seen or said; times are those of this machine."""
    match = export.match
    lines = [
        match.title,
        ", ".join(match.players),
        f"{day(match.started)} {clock(match.started)} to {clock(match.updated)}, umpire {match.program}",
        "The game is over." if match.is_over else "The game goes on.",
        *([f"Left out: {', '.join(export.withheld)}."] if export.withheld else []),
        f"game.json: {json.dumps(match.setup, ensure_ascii=True)}",
        "",
    ]
    told = [each for each in export.inputs if each.ruling != "none" or each.kind in ("undo", "redo")]
    lines += [f"{number:4}  {clock(each.at)}  {_record_line(each)}" for number, each in enumerate(told, 1)]
    return "\n".join(lines) + "\n"


def _record_line(kept: Input) -> str:
    if kept.kind in ("undo", "redo"):
        return f"{kept.kind}: from here on as after: {kept.line or kept.text}"
    what = kept.line or kept.text
    if kept.ruling == "legal":
        return what
    return f"{kept.ruling}: {what}" + (f"  ({kept.text})" if kept.line else "")


def day(at: str) -> str:
    return f"{_local(at):%Y-%m-%d}"


def clock(at: str) -> str:
    return f"{_local(at):%H:%M:%S}"


def _local(at: str) -> datetime:
    return datetime.fromisoformat(at).astimezone()


# JSON and zip, for machines.


def match_json(export: Export) -> Json:
    """The match as `webui.importing` takes it."""
    match = export.match
    fields = ("game", "title", "started", "updated", "program", "is_new", "is_over", "setup")
    return {
        "format": FORMAT,
        "version": VERSION,
        "withheld": list(export.withheld),
        **{name: getattr(match, name) for name in fields},
        "inputs": [input_json(each) for each in export.inputs],
    }


def input_json(kept: Input) -> Json:
    names = ("number", "said", "ruling", "line", "text", "picture", "thumb", "at")
    return {name: getattr(kept, name) for name in names}


def write(export: Export, pictures: PictureFiles, path: Path) -> int:
    """Write the file that its ending asks for, .txt, .json or .zip, whole or not at all, and tell how many pictures
    should be in it and are missing or spoilt. Raises OSError."""
    missing: set[str] = set()
    write_whole(path, lambda file: missing.update(WRITERS[path.suffix.lower()](export, pictures, file)))
    return len(missing)


def _without(export: Export, bad: set[str]) -> Export:
    """The export that does not name these pictures; whoever imports it checks those that are named."""

    def named(key: str | None) -> str | None:
        return None if key in bad else key

    inputs = tuple(replace(each, picture=named(each.picture), thumb=named(each.thumb)) for each in export.inputs)
    return replace(export, inputs=inputs)


def _write_text(export: Export, _: PictureFiles, file: IO[bytes]) -> set[str]:
    file.write(record_text(export).encode("utf-8", "replace"))
    return set()


def _write_json(export: Export, _: PictureFiles, file: IO[bytes]) -> set[str]:
    file.write(_json_bytes(export))
    return set()


def _write_zip(export: Export, pictures: PictureFiles, file: IO[bytes]) -> set[str]:
    """Pictures that are not what they were are neither in it nor named in it."""
    bad: set[str] = set()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive:
        for key in picture_keys(export.inputs):
            jpeg = pictures.read(key)
            if jpeg is None or key_of(jpeg) != key:
                bad.add(key)
            else:
                archive.writestr(picture_name(key), jpeg, zipfile.ZIP_STORED)
        archive.writestr(MATCH_NAME, _json_bytes(_without(export, bad)))
    return bad


def picture_keys(inputs: Iterable[Input]) -> Iterator[str]:
    """The keys of all pictures, each once."""
    keys = [key for each in inputs for key in (each.picture, each.thumb) if key is not None]
    yield from dict.fromkeys(keys)


def picture_name(key: str) -> str:
    return f"pictures/{key}.jpg"


def _json_bytes(export: Export) -> bytes:
    return json.dumps(match_json(export), separators=(",", ":"), allow_nan=False).encode("ascii") + b"\n"


WRITERS: dict[str, Any] = {".txt": _write_text, ".json": _write_json, ".zip": _write_zip}
