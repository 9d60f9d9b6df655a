"""A running camera: one thread holds its newest picture and how old that is, and says in words what is wrong.

A camera is a number (0 is the first), its path under /dev, the address of a stream, or a video file, which stands in
for a camera: it starts again when it ends, or stays at its last picture. Pictures are BGR, 8 bit. Opening may take
minutes: it happens in the thread.
"""

from __future__ import annotations

import os
import threading
import time
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, cast
from urllib.parse import urlsplit

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ending import ends_first

os.environ.setdefault("OPENCV_FFMPEG_LOGLEVEL", "-8")  # what is wrong with a stream is told in our words

ADDRESSES = ("http://", "https://", "rtsp://", "rtsps://")
STALE_S = 2.0  # a picture older than this is no live picture
FROZEN_S = 2.5  # of exactly the same picture: no sensor is so free of noise
REOPEN_S = 10.0  # a camera frozen for so long is let go and opened again
SLOW_S = 0.5  # between pictures: too few to see a hand pass
SAMPLED = 16  # every so many pixels are looked at to tell black, blocked and frozen pictures
BLACK_LEVEL, PLAIN_LEVELS = 24.0, 6.0  # of 255: the brightest of a black picture, the spread of a covered lens's
CAMERAS = 10  # numbers that are tried to list the cameras there are
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
    """The newest picture, counted from 1, and its age; without one `words` says why.

    With a picture, `words` says what is wrong with the camera, if anything is.
    """

    number: int = 0
    image_bgr: NDArray[np.uint8] | None = None
    age_s: float = 0.0
    words: str = ""


def check_source(source: str) -> None:
    """Raises CameraError when this cannot be a camera."""
    if source.isascii() and source.isdigit() and len(source) < 4:
        return
    if _is_address(source) or (source.startswith("/dev/") and os.path.exists(source) and Path(source).is_char_device()):
        return
    if not os.path.isfile(source):  # which minds no name, however long
        raise CameraError(
            f"{source!r} is no camera: give its number (0 is the first), the address of a stream (http:// or rtsp://), "
            "or a video file."
        )


def _is_address(source: str) -> bool:
    try:
        return source.lower().startswith(ADDRESSES) and bool(urlsplit(source).hostname)
    except ValueError:
        return False


def opened(source: str) -> Capture:
    """The camera, opened; it may turn out not to be. Blocks for as long as that takes."""
    if Path(source).is_file():
        return Paced(source)
    if source.lower().startswith(ADDRESSES):
        return cast(Capture, cv2.VideoCapture(source))
    capture = cv2.VideoCapture(int(source) if source.isdigit() else source)
    width, height = LARGE_PX
    capture.set(cv2.CAP_PROP_FRAME_WIDTH, width)
    capture.set(cv2.CAP_PROP_FRAME_HEIGHT, height)
    return cast(Capture, capture)


def opened_once(source: str) -> Capture:
    """The camera, opened as by `opened`; but a video file stays at its last picture."""
    return Paced(source, again=False) if Path(source).is_file() else opened(source)


def cameras() -> tuple[str, ...]:
    """The cameras of this computer that can be opened now, as 'number: width x height'. Takes some seconds."""
    level = cv2.utils.logging.getLogLevel()
    cv2.utils.logging.setLogLevel(
        cv2.utils.logging.LOG_LEVEL_SILENT
    )  # that there is no camera of a number is nothing to complain of
    try:
        return tuple(said for number in range(CAMERAS) if (said := _size_of(number)))
    finally:
        cv2.utils.logging.setLogLevel(level)


def _size_of(number: int) -> str:
    capture = opened(str(number))
    there, image = capture.read() if capture.isOpened() else (False, None)
    capture.release()
    return f"{number}: {image.shape[1]} x {image.shape[0]} pixels" if there and image is not None else ""


class Paced:
    """A video file that takes its time; at its end it starts again, or stays at its last picture."""

    def __init__(self, path: str, again: bool = True) -> None:
        self._again, self._last, self.is_over = again, cast("NDArray[np.uint8] | None", None), False
        self._capture = cv2.VideoCapture(path)
        rate = self._capture.get(cv2.CAP_PROP_FPS)
        self._pause_s = 1 / (rate if LEAST_FPS <= rate <= MOST_FPS else USUAL_FPS)

    def isOpened(self) -> bool:  # noqa: N802
        return bool(self._capture.isOpened())

    def read(self) -> tuple[bool, NDArray[np.uint8] | None]:
        time.sleep(self._pause_s)
        there, image = self._capture.read()
        if not there and not self._again:
            self.is_over = self._last is not None
            return self.is_over, self._last
        if not there:
            self._capture.set(cv2.CAP_PROP_POS_FRAMES, 0)
            there, image = self._capture.read()
        self._last = None if image is None else np.asarray(image, dtype=np.uint8)
        return bool(there), self._last

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
        self._number, self._taken_s, self._changed_s = 0, clock(), clock()
        self._image: NDArray[np.uint8] | None = None
        self._sample: NDArray[np.uint8] | None = None
        self._times_s: deque[float] = deque(maxlen=3)
        self._is_over = False
        self._words = f"Opening camera {source} …"
        thread = threading.Thread(target=self._run, name="grabber", daemon=True)
        ends_first(thread, self.stop)
        thread.start()

    def newest(self) -> Grabbed:
        """What the camera shows now."""
        with self._changed:
            age_s = self._clock() - self._taken_s
            if self._image is None:
                return Grabbed(words=self._words)
            if age_s > STALE_S:
                silent = f"Camera {self.source} has sent no picture for {age_s:.0f} seconds. Check its cable."
                return Grabbed(self._number, None, age_s, self._words or silent)
            return Grabbed(self._number, self._image, age_s, self._remark())

    def _remark(self) -> str:
        """What is wrong with the pictures that come, in words; nothing is ''."""
        now_s = self._clock()
        if self._is_over:
            return "The video has come to its end."
        if now_s - self._changed_s > FROZEN_S:
            return f"Camera {self.source} is frozen: it sends the same picture again and again. Plug it in anew."
        if self._sample is not None and np.percentile(self._sample, 99) < BLACK_LEVEL:
            return f"Camera {self.source} shows only black. Is its cap on, or the light off?"
        if self._sample is not None and float(self._sample.mean(axis=2).std()) < PLAIN_LEVELS:
            return f"Camera {self.source} is blocked: it shows one plain shade. What is in front of it?"
        if len(self._times_s) == self._times_s.maxlen and now_s - self._times_s[0] > 2 * SLOW_S:
            return f"Camera {self.source} is slow: it sends a picture only now and then. Choose a smaller picture size."
        return ""

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
            self._times_s.clear()
            self._say(f"Camera {self.source} gives no picture. Is it plugged in, and does no other program use it?")
            self._stopping.wait(AGAIN_S)

    def _grab(self, capture: Capture) -> None:
        """Until the camera fails or nobody wants it any more."""
        while not self._stopping.is_set():
            there, image = capture.read()
            if not there or image is None:
                return
            sample = image[::SAMPLED, ::SAMPLED].copy()
            with self._changed:
                self._number, self._image, self._taken_s, self._words = self._number + 1, image, self._clock(), ""
                self._times_s.append(self._taken_s)
                if self._sample is None or not np.array_equal(sample, self._sample):
                    self._sample, self._changed_s = sample, self._taken_s
                self._is_over = getattr(capture, "is_over", False)
                self._changed.notify_all()
                frozen_s = self._taken_s - self._changed_s
            if frozen_s > REOPEN_S and not Path(self.source).is_file():
                return

    def _say(self, words: str) -> None:
        with self._changed:
            self._words = words
