"""Files that a player asks for: there as a whole, or as they were before."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO


def write_whole(path: Path, write_into: Callable[[IO[bytes]], None]) -> None:
    """The file as it is written, or as it was before. Raises OSError."""
    beside = path.with_name(f".{path.name[-100:]}.writing")
    try:
        with beside.open("wb") as file:
            write_into(file)
            file.flush()
            os.fsync(file.fileno())
        beside.replace(path)
    finally:
        beside.unlink(missing_ok=True)
