"""The pictures that pages show: JPEGs by the hash of their content, so that a browser may keep them for ever."""

from __future__ import annotations

import hashlib
from typing import TYPE_CHECKING

import numpy as np

from webui.look import Look

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

PICTURE_WIDTH_PX = 1280
THUMB_WIDTH_PX = 240


class Pictures:
    """Keeps JPEGs and gives each a key."""

    def __init__(self) -> None:
        self._jpegs: dict[str, bytes] = {}

    def add(self, seen: Look) -> tuple[str | None, str | None]:
        """The keys of the look's picture and of its thumbnail; `webui.sight` draws over it what was recognised."""
        image = seen.image_bgr
        if image is None:
            return None, None
        return self.keep(image, PICTURE_WIDTH_PX, 86), self.keep(image, THUMB_WIDTH_PX, 80)

    def get(self, key: str) -> bytes | None:
        return self._jpegs.get(key)

    def drop(self, *keys: str | None) -> None:
        """Keep these pictures no longer."""
        for key in keys:
            self._jpegs.pop(key or "", None)

    def keep(self, image: NDArray[uint8], width_px: int, quality: int) -> str:
        """The key of the image, BGR, made at most so wide and compressed at that JPEG quality."""
        import cv2

        height, width = image.shape[:2]
        if width > width_px:
            size_px = (width_px, round(height * width_px / width))
            image = np.asarray(cv2.resize(image, size_px, interpolation=cv2.INTER_AREA))
        jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        key = hashlib.sha256(jpeg).hexdigest()[:24]
        self._jpegs[key] = jpeg
        return key
