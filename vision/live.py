"""A running camera: one thread holds its newest picture and how old that is, and says in words what is wrong.

A camera is a number (0 is the first), the address of a stream, or a video file, which stands in for a camera and
starts again when it ends. Pictures are BGR, 8 bit. Opening may take minutes: it happens in the thread.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast

import cv2
import numpy as np
from numpy.typing import NDArray

ADDRESSES = ("http://", "https://", "rtsp://", "rtsps://")
STALE_S = 2.0  # a picture older than this is no live picture
AGAIN_S = 2.0  # after a failure the camera is tried again so much later
LEAST_FPS, MOST_FPS, USUAL_FPS = 1.0, 60.0, 30.0  # of video files that say something odd
LARGE_PX = (1920, 1080)  # asked of webcams, whose own choice is often 640 by 480; they give what they can


class CameraError(Exception):
    """What was named is no camera; the message says what can be."""


class Capture(Protocol):
    """What OpenCV's VideoCapture can do."""

    def isOpened(self) -> bool: ...  # noqa: N802

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]: ...

    def release(self) -> None: ...


@dataclass(frozen=True, eq=False)
class Grabbed:
    """The newest picture, counted from 1, and its age; without one `words` says why."""

    number: int = 0
    image_bgr: NDArray[np.uint8] | None = None
    age_s: float = 0.0
    words: str = ""


def check_source(source: str) -> None:
    """Raises CameraError when this cannot be a camera."""
    if source.isascii() and source.isdigit() and len(source) < 4:
        return
    if source.lower().startswith(ADDRESSES):
        return
    if not source or not Path(source).is_file():
        raise CameraError(
            f"{source!r} is no camera: give its number (0 is the first), the address of a stream (http:// or rtsp://), "
            "or a video file."
        )


def opened(source: str) -> Capture:
    """The camera, opened; it may turn out not to be. Blocks for as long as that takes."""
    if not source.isdigit():
        return Paced(source) if Path(source).is_file() else cast(Capture, cv2.VideoCapture(source))
    capture = cv2.VideoCapture(int(source))
    width, height = LARGE_PX
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
    return cast(Capture, capture)


class Paced:
    """A video file that takes its time and starts again at its end."""

    def __init__(self, path: str) -> None:
        self._capture = cv2.VideoCapture(path)
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._pause_s = 1 / (rate if LEAST_FPS <= rate <= MOST_FPS else USUAL_FPS)

    def isOpened(self) -> bool:  # noqa: N802
        return bool(self._capture.isOpened())

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        time.sleep(self._pause_s)
        there, image = self._capture.read()
        if not there:
            self._capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
            there, image = self._capture.read()
        return bool(there), None if image is None else np.asarray(image, dtype=np.uint8)

    def release(self) -> None:
        self._capture.release()


class Grabber:
    """Holds the newest picture of one camera. Raises CameraError when there can be no such camera."""

    def __init__(
        self,
        source: str,
        open_camera: Callable[[str], Capture] = opened,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        check_source(source)
        self.source, self._open, self._clock = source, open_camera, clock
        self._changed = threading.Condition()
        self._stopping = threading.Event()
        self._number, self._taken_s = 0, clock()
        self._image: NDArray[np.uint8] | None = None
        self._words = f"Opening camera {source} …"
        threading.Thread(target=self._run, name="grabber", daemon=True).start()

    def newest(self) -> Grabbed:
        """What the camera shows now."""
        with self._changed:
            age_s = self._clock() - self._taken_s
            if self._image is None:
                return Grabbed(words=self._words)
            if age_s > STALE_S:
                silent = f"Camera {self.source} has sent no picture for {age_s:.0f} seconds. Check its cable."
                return Grabbed(self._number, None, age_s, self._words or silent)
            return Grabbed(self._number, self._image, age_s)

    def wait(self, number: int, timeout_s: float) -> Grabbed:
        """The first picture after that number, or what there is when the time is up."""
        with self._changed:
            self._changed.wait_for(lambda: self._number > number or self._stopping.is_set(), timeout_s)
        return self.newest()

    def stop(self) -> None:
        """Let go of the camera, soon."""
        self._stopping.set()
        with self._changed:
            self._changed.notify_all()

    def _run(self) -> None:
        while not self._stopping.is_set():
            capture = self._open(self.source)
            try:
                if capture.isOpened():
                    self._grab(capture)
            finally:
                capture.release()
            self._say(f"Camera {self.source} gives no picture. Is it plugged in, and does no other program use it?")
            self._stopping.wait(AGAIN_S)

    def _grab(self, capture: Capture) -> None:
        """Until the camera fails or nobody wants it any more."""
        while not self._stopping.is_set():
            there, image = capture.read()
            if not there or image is None:
                return
            with self._changed:
                self._number, self._image, self._taken_s, self._words = self._number + 1, image, self._clock(), ""
                self._changed.notify_all()

    def _say(self, words: str) -> None:
        with self._changed:
            self._words = words
