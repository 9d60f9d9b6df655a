"""Pictures on disk, JPEGs named by the hash of their content: `pictures/ab/abcd….jpg`.

A file is there whole or not at all, whenever the program ends: it is written beside its place first.
"""

from __future__ import annotations

import hashlib
import os
import re
import tempfile
from pathlib import Path

KEY = re.compile(r"[0-9a-f]{64}")
WRITING = ".writing-"


def key_of(jpeg: bytes) -> str:
    """The name of a picture with that content."""
    return hashlib.sha256(jpeg).hexdigest()


class PictureFiles:
    """The pictures under a folder. Raises OSError where it cannot be written."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, jpeg: bytes) -> str:
        """Keep the picture, and tell its key; when this returns it is on disk."""
        key = key_of(jpeg)
        path = self._path(key)
        if self.read(key) == jpeg:
            return key
        if not path.parent.is_dir():
            self.folder.mkdir(exist_ok=True)  # and none above it: a folder that was moved away is not made anew
            path.parent.mkdir(exist_ok=True)
            _settle(self.folder)
            _settle(self.folder.parent)
        _put(path, jpeg)
        return key

    def read(self, key: str) -> bytes | None:
        """The picture; None when there is none of that key, or none that can be read."""
        if not KEY.fullmatch(key):
            return None
        try:
            return self._path(key).read_bytes()
        except OSError:
            return None

    def remove(self, key: str) -> bool:
        """Whether it is gone now."""
        try:
            self._path(key).unlink(missing_ok=True)
        except OSError:
            return False
        return True

    def sweep(self) -> None:
        """Remove what a program that was killed left half written."""
        for path in self.folder.glob(f"??/{WRITING}*"):
            path.unlink(missing_ok=True)

    def _path(self, key: str) -> Path:
        return self.folder / key[:2] / f"{key}.jpg"


def _put(path: Path, content: bytes) -> None:
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=WRITING)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
        _settle(path.parent)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _settle(folder: Path) -> None:
    """Names, too, are on disk only once their folder is."""
    if os.name == "nt":  # folders cannot be opened there, and need not be
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
