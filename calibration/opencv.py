"""The few OpenCV calls whose arrays differ between versions, behind one door; plain numpy goes in and out.

Pixels are (x, y) with pixel centres at whole numbers. OpenCV 4.12 hands marker ids out as (n, 1), 5.0 as (n,).
"""

from __future__ import annotations

from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

MARKER_COUNT = 587  # AprilTags in the family 36h11
SUBPIXEL_BITS = 4  # fixed-point places OpenCV draws with


@cache
def _dictionary() -> Any:
    return cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)


def marker_picture(marker: int, side_px: int) -> NDArray[np.uint8]:
    """The AprilTag with its black border and no quiet zone: grey, shape (side_px, side_px)."""
    return np.asarray(cv2.aruco.generateImageMarker(_dictionary(), marker, side_px), dtype=np.uint8)


def averaged_down(picture: NDArray[np.uint8], size_px: tuple[int, int]) -> NDArray[np.uint8]:
    """The picture at (width, height), each pixel the mean of what it covers."""
    if picture.shape[1::-1] == size_px:
        return picture
    return np.asarray(cv2.resize(picture, size_px, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _fixed(points: NDArray[np.float64]) -> NDArray[np.int32]:
    return np.round(points * (1 << SUBPIXEL_BITS)).astype(np.int32)


def fill_polygon(picture: NDArray[np.uint8], points: NDArray[np.float64], bgr: tuple[int, int, int]) -> None:
    """Paint the inside of `points`, shape (n, 2), pixels, into `picture`."""
    cv2.fillPoly(picture, [_fixed(points)], bgr, cv2.LINE_AA, SUBPIXEL_BITS)


def draw_polyline(
    picture: NDArray[np.uint8], points: NDArray[np.float64], bgr: tuple[int, int, int], width_px: int, closed: bool
) -> None:
    """Paint a line through `points`, shape (n, 2), pixels, into `picture`."""
    cv2.polylines(picture, [_fixed(points)], closed, bgr, width_px, cv2.LINE_AA, SUBPIXEL_BITS)


def draw_text(
    picture: NDArray[np.uint8], text: str, middle: tuple[float, float], scale: float, bgr: tuple[int, int, int]
) -> None:
    """Paint letters around `middle`, pixels, into `picture`."""
    thick = max(1, round(scale * 2))
    (width, height), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_SIMPLEX, scale, thick)
    at = (int(middle[0] - width / 2), int(middle[1] + height / 2))
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, scale, bgr, thick, cv2.LINE_AA)
