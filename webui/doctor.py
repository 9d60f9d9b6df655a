"""`umpire doctor`: looks at everything the umpire needs on this computer, and says what to do about what is amiss.

Each check makes findings and raises nothing; what brings a whole process down (a broken OpenCV) is tried in another
one. The command is in `doctor_command`.
"""

from __future__ import annotations

import importlib.util
import os
import platform
import re
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from enum import Enum
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

DISTRIBUTION = "pyramid-umpire"
LEAST_PYTHON = (3, 11)
SYSTEM_LIBRARIES = "sudo apt-get install libgl1 libglib2.0-0"
AGAIN = "install the umpire again: pip install --force-reinstall pyramid-umpire"
NETWORKS = ("faces", "finder", "levels", "reader", "stands")
KNOWN_TABLE = {"b2": "large red", "c5": "large green", "d3": "medium blue", "e6": "medium yellow", "f2": "large yellow"}
"""What stands lowest where on the first photo of the bundled game."""
FEW_BYTES, TOO_FEW_BYTES = 1_000_000_000, 50_000_000  # free in a folder: an evening's pictures; not even a game's
USUAL_PORT = 8000
PATIENCE_S = 90


class Verdict(Enum):
    """`WELL`; `NOTE`: good to know, and the umpire works; `AMISS`: something does not work."""

    WELL = "well"
    NOTE = "note"
    AMISS = "amiss"


@dataclass(frozen=True)
class Finding:
    """One thing that was looked at; `advice` says what to do where not all is well."""

    what: str
    verdict: Verdict
    words: str
    advice: str = ""

    def to_json(self) -> dict[str, str]:
        return asdict(self) | {"verdict": self.verdict.value}

    def __str__(self) -> str:
        marks = {Verdict.WELL: "ok   ", Verdict.NOTE: "note ", Verdict.AMISS: "AMISS"}
        told = f"{marks[self.verdict]}  {self.what}: {self.words}"
        return f"{told}\n         {self.advice}" if self.advice else told


Findings = Iterator[Finding]


def examined(port: int, log_file: Path) -> tuple[Finding, ...]:
    """All findings. Raises nothing: a check that fails is a finding, too."""
    checks: tuple[tuple[str, Callable[[], Findings]], ...] = (
        ("Python", _python),
        ("Libraries", _libraries),
        ("OpenCV", _opencv),
        ("Recognition", _recognition),
        ("Printing", _printing),
        ("Cameras", _cameras),
        ("Folders", lambda: _folders(log_file)),
        ("Port", lambda: _port(port)),
        ("Calibrations", _calibrations),
        ("Matches", _matches),
    )
    return tuple(finding for what, check in checks for finding in _checked(what, check))


def _checked(what: str, check: Callable[[], Findings]) -> tuple[Finding, ...]:
    try:
        return tuple(check())
    except Exception as fault:
        words = f"could not be looked at ({type(fault).__name__})"
        return (Finding(what, Verdict.AMISS, words, f"Report this, please; and {AGAIN}."),)


# Python and its libraries.


def _python() -> Findings:
    words = f"{platform.python_version()} on {platform.platform(terse=True)}, pyramid-umpire {program()}"
    if sys.version_info < LEAST_PYTHON:
        yield Finding("Python", Verdict.AMISS, words, "Install Python 3.11 or newer, and the umpire into that.")
    else:
        yield Finding("Python", Verdict.WELL, words)


def program() -> str:
    return version_of(DISTRIBUTION) or "not installed"


def _libraries() -> Findings:
    if version_of(DISTRIBUTION) is None:
        advice = "In the umpire's folder, run: pip install -e ."
        yield Finding("Libraries", Verdict.AMISS, "the umpire is not installed, so nobody knows what it needs", advice)
        return
    amiss = [finding for name, limits in requirements() if (finding := _library(name, limits)) is not None]
    yield from amiss
    if not amiss:
        yield Finding("Libraries", Verdict.WELL, f"all {len(requirements())} are there, of fitting versions")


def _library(name: str, limits: str) -> Finding | None:
    """What is wrong with the library, if something is."""
    there, advice = version_of(name), f'Run: pip install "{name}{limits}"'
    if there is None:
        return Finding("Libraries", Verdict.AMISS, f"{name} is missing", advice)
    if not is_within(there, limits):
        return Finding("Libraries", Verdict.AMISS, f"{name} is {there}, and {limits} is needed", advice)
    return None


def requirements() -> tuple[tuple[str, str], ...]:
    """The libraries that the installed umpire needs, each with its limits, such as ('click', '<9,>=8.1')."""
    try:
        wanted = [each for each in requires(DISTRIBUTION) or () if "extra ==" not in each]
    except PackageNotFoundError:
        return ()
    found = [re.match(r"([\w.-]+)\s*([^;]*)", each) for each in wanted]
    return tuple((each[1], each[2].strip()) for each in found if each)


def version_of(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None


def is_within(there: str, limits: str) -> bool:
    """Whether a version keeps limits such as '<9,>=8.1'. Numbers only: what follows them is left out.

    >>> is_within("8.2.1", "<9,>=8.1"), is_within("9.0", "<9,>=8.1")
    (True, False)
    """
    for sign, number in re.findall(r"(<=|>=|<|>|==|!=|~=)\s*([\d.]+)", limits):
        one, other = _numbers(there), _numbers(number)
        holds = {"<": one < other, ">=": one >= other, "<=": one <= other, ">": one > other, "!=": one != other}
        if not holds.get(sign, one[: len(other)] == other):
            return False
    return True


def _numbers(text: str) -> tuple[int, ...]:
    found = [int(digits) for digits in re.findall(r"\d+", re.split(r"[a-z+]", text)[0])]
    while found and found[-1] == 0:  # 9 and 9.0 are the same
        found.pop()
    return tuple(found)


def _opencv() -> Findings:
    code = "import cv2; print(cv2.__version__); cv2.imencode('.jpg', __import__('numpy').zeros((9, 9, 3), 'uint8'))"
    ended = _in_another_process(code)
    if ended is None:
        yield Finding("OpenCV", Verdict.AMISS, f"did not load within {PATIENCE_S} seconds", f"Restart, or {AGAIN}.")
    elif ended.returncode == 0:
        yield Finding("OpenCV", Verdict.WELL, f"{ended.stdout.strip()} loads and writes pictures")
    else:
        yield Finding("OpenCV", Verdict.AMISS, *_opencv_fault(ended))


def _opencv_fault(ended: subprocess.CompletedProcess[str]) -> tuple[str, str]:
    last = (ended.stderr.strip().splitlines() or [f"it ended with status {ended.returncode}"])[-1]
    if "cannot open shared object" in last:
        return (
            f"cannot be loaded ({last})",
            f"A library of the system is missing. On Debian or Ubuntu: {SYSTEM_LIBRARIES}",
        )
    if "DLL load failed" in last:
        advice = (
            "Install Microsoft's Visual C++ redistributable; on an N edition of Windows its Media Feature Pack, too."
        )
        return f"cannot be loaded ({last})", advice
    if "No module named" in last:
        return "is missing", 'Run: pip install "opencv-python>=4.13,<6"'
    advice = (
        "Run: pip uninstall opencv-python opencv-python-headless, then: pip install --force-reinstall opencv-python"
    )
    return f"cannot be used ({last})", advice


def _in_another_process(code: str) -> subprocess.CompletedProcess[str] | None:
    """How the code ended; None when it did not."""
    command = [sys.executable, "-c", code]
    try:
        return subprocess.run(
            command, capture_output=True, text=True, errors="replace", timeout=PATIENCE_S, check=False
        )
    except subprocess.TimeoutExpired:
        return None


# What it is for.


def _recognition() -> Findings:
    folder = Path(str(importlib.util.find_spec("vision").submodule_search_locations[0])) / "weights"  # type: ignore
    missing = [name for name in NETWORKS if not (folder / f"{name}.onnx").is_file()]
    if missing:
        words = f"the weights of {', '.join(missing)} are missing"
        yield Finding("Recognition", Verdict.AMISS, words, f"The installation is incomplete: {AGAIN}.")
        return
    code = "import sys; from webui.doctor import lowest_on_known_table; print(*lowest_on_known_table(), sep=chr(10))"
    ended = _in_another_process(code)
    said = ended.stdout.splitlines() if ended is not None and ended.returncode == 0 else []
    wanted = [f"{place} {pyramid}" for place, pyramid in sorted(KNOWN_TABLE.items())]
    if said == wanted:
        yield Finding(
            "Recognition", Verdict.WELL, f"all {len(NETWORKS)} networks load, and read the bundled photo right"
        )
    elif said:
        words = f"the bundled photo is read wrongly ({len(set(said) & set(wanted))} of {len(wanted)} stacks right)"
        yield Finding("Recognition", Verdict.AMISS, words, f"The weights do not belong to this version: {AGAIN}.")
    else:
        words = "the bundled photo cannot be read"
        yield Finding("Recognition", Verdict.AMISS, words, f"See to OpenCV first, if it is amiss. Otherwise {AGAIN}.")


def lowest_on_known_table() -> list[str]:
    """The place of each stack on the bundled game's first photo with its lowest pyramid, as they are read."""
    from webui.look import look

    seen = look(Path(__file__).parent / "sample" / "mids-a" / "00.jpg").observation
    stacks = [] if seen is None else seen.scene.stacks
    return sorted(f"{stack.zone} {stack.pyramids[0]}" for stack in stacks)


def _printing() -> Findings:
    try:
        from calibration.print_mats import chosen, pdf_of
        from calibration.tiling import PAPERS
    except ImportError:  # OpenCV's finding says why
        return
    made = pdf_of(chosen(("colour-card",), None), PAPERS["a4"])
    if made.startswith(b"%PDF"):
        yield Finding("Printing", Verdict.WELL, "mats can be made")
    else:
        yield Finding("Printing", Verdict.AMISS, "mats come out as no PDF", f"To print, {AGAIN}.")


def _cameras() -> Findings:
    devices = sorted(Path("/dev").glob("video*")) if sys.platform == "linux" else []
    if sys.platform == "linux" and not devices:
        advice = "Plug one in to play live. Photos, videos and a phone's stream need none."
        yield Finding("Cameras", Verdict.NOTE, "this computer has none", advice)
        return
    shut = [device for device in devices if not os.access(device, os.R_OK | os.W_OK)]
    if shut:
        advice = 'Run: sudo usermod -aG video "$USER", then log out and in again.'
        yield Finding("Cameras", Verdict.AMISS, f"you may not use {', '.join(map(str, shut))}", advice)
        return
    ended = _in_another_process("from vision.live import cameras; print(*cameras(), sep='; ')")
    if ended is not None and ended.returncode == 0 and ended.stdout.strip():
        yield Finding("Cameras", Verdict.WELL, ended.stdout.strip())
        return
    advice = "Close other programs that use it. On macOS and Windows, allow your terminal the camera under Privacy."
    yield Finding("Cameras", Verdict.NOTE, "none gives a picture now", advice)


# Where it writes and answers.


def _folders(log_file: Path) -> Findings:
    from calibration import store
    from webui.store import data_folder

    for what, folder in (
        ("Folder of matches", data_folder()),
        ("Folder of calibrations", store.cameras_folder()),
        ("Folder of the log", log_file.parent),
        ("Folder for temporary files", Path(tempfile.gettempdir())),
    ):
        yield _folder(what, folder)


def _folder(what: str, folder: Path) -> Finding:
    """Whether it can be written into; where it is not there yet, whether it could be made."""
    there = next(each for each in (folder, *folder.parents) if os.path.exists(each))  # also where nobody may look
    try:
        with tempfile.TemporaryFile(dir=there):
            pass
        free = shutil.disk_usage(there).free
    except OSError as fault:
        advice = f"See whether {there} belongs to you, and whether its disk is full or write-protected."
        return Finding(what, Verdict.AMISS, f"{folder} cannot be written into: {fault.strerror}", advice)
    words = f"{folder}, {free / 1e9:.1f} GB free"
    if free < TOO_FEW_BYTES:
        return Finding(what, Verdict.AMISS, words, "The disk is full: make room.")
    if free < FEW_BYTES:
        return Finding(what, Verdict.NOTE, words, "That is little: make room.")
    return Finding(what, Verdict.WELL, words)


def _port(port: int) -> Findings:
    door = socket.socket()
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(("127.0.0.1", port))
        yield Finding("Port", Verdict.WELL, f"{port} is free")
    except OSError as fault:
        other = port % 65535 + 1
        advice = f"If that is another umpire, close it. Otherwise: umpire play --port {other}"
        yield Finding("Port", Verdict.NOTE, f"{port} cannot be used now: {fault.strerror}", advice)
    finally:
        door.close()


def _calibrations() -> Findings:
    from calibration import store

    kept, faults = store.load_all(store.cameras_folder())
    for fault in faults:
        yield Finding("Calibrations", Verdict.AMISS, fault, "Or remove that file.")
    bad = [each.camera for each in kept if each.verdict == "bad"]
    if bad:
        advice = "Calibrate again, with more views and more tilted ones."
        yield Finding("Calibrations", Verdict.NOTE, f"{', '.join(bad)}: too inexact to judge by", advice)
    if not faults:
        yield Finding("Calibrations", Verdict.WELL, f"{len(kept)} can be read" if kept else "none yet")


def _matches() -> Findings:
    from webui import store

    try:
        if not store.is_begun(store.data_folder()):
            yield Finding("Matches", Verdict.WELL, "none kept yet")
            return
        with store.read_store() as kept:
            count = len(kept.matches())
        yield Finding("Matches", Verdict.WELL, f"{count} can be read")
    except store.StoreError as fault:
        yield Finding("Matches", Verdict.AMISS, str(fault))
