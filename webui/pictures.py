"""The pictures that pages show: JPEGs by the hash of their content, so that a browser may keep them for ever."""

from __future__ import annotations

import threading
from contextlib import suppress
from typing import TYPE_CHECKING

import numpy as np

from webui.look import Look
from webui.picture_files import PictureFiles, key_of

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

PICTURE_WIDTH_PX = 1280
THUMB_WIDTH_PX = 240


MOST_BYTES = 24_000_000  # in memory, where others are on disk


class Pictures:
    """Gives JPEGs their keys and keeps them: the newest and those that are looked at in memory, the rest in files.

    Without files everything stays in memory. Any thread may use it.
    """

    def __init__(self, files: PictureFiles | None = None, most_bytes: int = MOST_BYTES) -> None:
        self._files, self._most_bytes = files, most_bytes
        self._jpegs: dict[str, bytes] = {}  # used last comes last
        self._bytes = 0
        self._lock = threading.Lock()

    def add(self, seen: Look) -> tuple[str | None, str | None]:
        """The keys of the look's picture and of its thumbnail; `webui.sight` draws over it what was recognised."""
        image = seen.image_bgr
        if image is None:
            return None, None
        return self.keep(image, PICTURE_WIDTH_PX, 86), self.keep(image, THUMB_WIDTH_PX, 80)

    def get(self, key: str) -> bytes | None:
        with self._lock:
            jpeg = self._taken(key)
            if jpeg is None and self._files is not None:
                jpeg = self._files.read(key)
            if jpeg is not None:
                self._put(key, jpeg)
            return jpeg

    def drop(self, *keys: str | None) -> None:
        """Keep these pictures in memory no longer."""
        with self._lock:
            for key in keys:
                self._taken(key)

    def settle(self, *keys: str | None) -> None:
        """These pictures are on disk when this returns, if there is one. Raises OSError."""
        with self._lock:
            for key in keys:
                if self._files is not None and key in self._jpegs:
                    self._files.write(self._jpegs[key])

    def keep(self, image: NDArray[uint8], width_px: int, quality: int) -> str:
        """The key of the image, BGR, made at most so wide and compressed at that JPEG quality."""
        import cv2

        height, width = image.shape[:2]
        if width > width_px:
            size_px = (width_px, round(height * width_px / width))
            image = np.asarray(cv2.resize(image, size_px, interpolation=cv2.INTER_AREA))
        jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        key = key_of(jpeg)
        with self._lock:
            self._taken(key)
            self._put(key, jpeg)
        return key

    def _taken(self, key: str | None) -> bytes | None:
        jpeg = self._jpegs.pop(key or "", None)
        self._bytes -= len(jpeg or b"")
        return jpeg

    def _put(self, key: str, jpeg: bytes) -> None:
        self._jpegs[key] = jpeg
        self._bytes += len(jpeg)
        while self._files is not None and self._bytes > self._most_bytes and len(self._jpegs) > 1:
            oldest = next(iter(self._jpegs))
            with suppress(OSError):  # no match names it, or it would be there: without it the page shows no picture
                self._files.write(self._jpegs[oldest])
            self._taken(oldest)
