"""One look at one photo: what it shows, or in words why it cannot be read.

The command line, a review and the page all look through here, so that they say the same of the same photo.
OpenCV is loaded with the first look: a missing system library is then a sentence and not a traceback.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

    from vision.camera import Frame
    from vision.observe import Observation

log = logging.getLogger("umpire")

LensFor = Callable[["Frame"], Any]


@dataclass(frozen=True, eq=False)
class Look:
    """`observation` and `error`: one of them is there. `image_bgr` is None when the file is no picture."""

    photo: str
    observation: Observation | None = None
    error: str | None = None
    image_bgr: NDArray[uint8] | None = None


class EyesMissingError(Exception):
    """The picture library cannot be loaded on this machine; the message says what to install."""


def look(path: Path, lens_for: LensFor | None = None, square_mm: float | None = None, name: str = "") -> Look:
    """Read and observe the photo at `path`; `square_mm` as for `vision.observe.observe`.

    `name` is what people call the photo; without one it is called as its file.

    Raises EyesMissingError only; a bad photo is a Look with an error.
    """
    ready_eyes()
    from vision.camera import read_photo

    name = name or path.name
    return _looked(lambda: read_photo(path, name), name, lens_for, square_mm)


def look_into(content: bytes, name: str, square_mm: float | None = None) -> Look:
    """Read and observe the photo in the bytes of a file called `name`, of whatever camera. Raises as `look` does."""
    ready_eyes()
    from vision.camera import photo_from

    return _looked(lambda: photo_from(content, name), name, None, square_mm)


def _looked(read: Callable[[], Frame], name: str, lens_for: LensFor | None, square_mm: float | None) -> Look:
    from vision.camera import PhotoError

    try:
        frame = read()
    except PhotoError as fault:
        return Look(name, error=str(fault))
    except Exception as fault:
        return _failed(name, fault)
    return look_at(frame, lens_for, square_mm)


def look_at(frame: Frame, lens_for: LensFor | None = None, square_mm: float | None = None) -> Look:
    """Observe a picture; one that shows no table is a Look with an error."""
    from calibration.locate import LocateError
    from vision.observe import observe

    began = time.monotonic()
    try:
        seen = observe(frame, None if lens_for is None else lens_for(frame), square_mm)
    except LocateError as fault:
        return Look(frame.name, error=str(fault), image_bgr=frame.image_bgr)
    except Exception as fault:  # a fault of ours in one photo must not keep the others from being read
        return replace(_failed(frame.name, fault), image_bgr=frame.image_bgr)
    log.info("%s: %d stacks in %.2f s", frame.name, len(seen.scene.stacks), time.monotonic() - began)
    return Look(frame.name, observation=seen, image_bgr=frame.image_bgr)


def _failed(photo: str, fault: Exception) -> Look:
    log.exception("unexpected fault in %s", photo)
    words = f"The umpire failed on this photo ({type(fault).__name__}): a fault of the program, not of the photo."
    return Look(photo, error=words)


def ready_eyes() -> None:
    """Load the picture library. Raises EyesMissingError in words."""
    try:
        import cv2  # noqa: F401
    except ImportError as fault:
        raise EyesMissingError(
            f"OpenCV, which reads the pictures, cannot be loaded ({fault}). "
            "On Debian or Ubuntu this helps: apt-get install libgl1 libglib2.0-0"
        ) from None


def overlay(seen: Look) -> NDArray[uint8] | None:
    """The picture with what was recognised drawn on it; the picture alone when nothing was; None without one."""
    if seen.image_bgr is None or seen.observation is None:
        return seen.image_bgr
    from vision.overlay import draw

    return draw(seen.image_bgr, seen.observation)
