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
MARKER_MODULES = 8  # small squares along an AprilTag's side, its black border included
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


@cache
def _detector() -> Any:
    return cv2.aruco.ArucoDetector(_dictionary(), cv2.aruco.DetectorParameters())


def found_markers(grey: NDArray[np.uint8]) -> list[tuple[int, NDArray[np.float64]]]:
    """The AprilTags of a grey picture: number and corners, shape (4, 2), pixels.

    The corners are top left, top right, bottom right, bottom left of the tag as printed, to about a pixel.
    """
    corners, ids, _ = _detector().detectMarkers(grey)
    numbers = [] if ids is None else np.asarray(ids).reshape(-1).tolist()
    quads = [np.asarray(quad, dtype=np.float64).reshape(4, 2) for quad in corners]
    return [(int(number), quad) for number, quad in zip(numbers, quads, strict=True)]


def grey_of(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """Shape (height, width)."""
    return np.asarray(cv2.cvtColor(image_bgr, cv2.COLOR_BGR2GRAY), dtype=np.uint8)


def resized(picture: NDArray[np.uint8], factor: float) -> NDArray[np.uint8]:
    """The picture made larger or smaller; its borders stay the borders."""
    height, width = picture.shape[:2]
    size = (round(width * factor), round(height * factor))
    smooth = cv2.INTER_AREA if factor < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(picture, size, interpolation=smooth), dtype=np.uint8)


def _linear_of_bytes() -> NDArray[np.float32]:
    v = np.arange(256, dtype=np.float64) / 255
    return np.where(v <= 0.04045, v / 12.92, ((v + 0.055) / 1.055) ** 2.4).astype(np.float32)


LINEAR_OF_BYTE = _linear_of_bytes()  # shape (256,): linear light, 0..1, of sRGB's bytes, by IEC 61966-2-1


def linear(picture: NDArray[np.uint8]) -> NDArray[np.float32]:
    """Linear light, 0..1, of an sRGB picture, shape (height, width) or (height, width, 3)."""
    return np.asarray(cv2.LUT(picture, LINEAR_OF_BYTE), dtype=np.float32)


def sampled(picture: NDArray[Any], points: NDArray[Any], outside: float | None = None) -> NDArray[Any]:
    """Values at `points`, shape (rows, columns, 2), pixels, between pixels bilinear; shape (rows, columns, ...).

    Beyond the picture its edge goes on, or everything is `outside`.
    """
    at = points.astype(np.float32, copy=False)
    across, down = np.ascontiguousarray(at[..., 0]), np.ascontiguousarray(at[..., 1])
    border = cv2.BORDER_REPLICATE if outside is None else cv2.BORDER_CONSTANT
    value = [outside or 0.0] * 4
    return np.asarray(cv2.remap(picture, across, down, cv2.INTER_LINEAR, borderMode=border, borderValue=value))


def sharpness(grey: NDArray[np.uint8]) -> float:
    """The strongest steps of brightness between neighbours (99.5 % quantile), over the picture's contrast.

    A picture of hardly more than one grey is endlessly sharp: nothing in it is blurred.
    """
    slopes = np.abs(cv2.Laplacian(grey, cv2.CV_32F))
    contrast = float(np.quantile(grey, 0.98)) - float(np.quantile(grey, 0.02))
    return float(np.quantile(slopes, 0.995)) / contrast if contrast > 24 else float("inf")


def homography(source: NDArray[np.float64], target: NDArray[np.float64], reach: float) -> NDArray[np.float64] | None:
    """target_from_source, shape (3, 3), of points, shape (n, 2), by consensus within `reach`; None when there is none.

    The consensus search starts from a fixed seed, so that the same points give the same answer.
    """
    cv2.setRNGSeed(0)
    found, _ = cv2.findHomography(source, target, cv2.RANSAC, reach)
    return None if found is None or not np.isfinite(found).all() else np.asarray(found, dtype=np.float64)


def rotation_of(vector: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The rotation, shape (3, 3), of a rotation vector, shape (3,), and its derivatives by it, shape (3, 3, 3)."""
    rotation, slopes = cv2.Rodrigues(np.ascontiguousarray(vector, dtype=np.float64))
    return np.asarray(rotation, dtype=np.float64), np.asarray(slopes, dtype=np.float64).reshape(3, 3, 3)


def projected(
    points_mm: NDArray[np.float64],
    pose: tuple[NDArray[np.float64], NDArray[np.float64]],
    lens: NDArray[np.float64],
    centre_px: tuple[float, float],
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """Pixels of table points, and how they change with the camera's place and the lens.

    Parameters
    ----------
    points_mm
        Table points, shape (n, 3).
    pose
        camera_from_table: rotation, shape (3, 3), and translation in mm, shape (3,).
    lens
        Focal length in pixels, k1, k2, p1, p2; shape (5,).

    Returns
    -------
    Pixels, shape (n, 2); their derivatives by the point in the camera's frame (or the translation, which is the same),
    shape (n, 2, 3), and by lens, shape (n, 2, 5).
    """
    matrix = np.array([[lens[0], 0, centre_px[0]], [0, lens[0], centre_px[1]], [0, 0, 1]])
    vector, _ = cv2.Rodrigues(pose[0])
    pixels, by_all = cv2.projectPoints(points_mm, vector, pose[1].reshape(3, 1), matrix, lens[1:].copy())
    by_all = np.asarray(by_all, dtype=np.float64).reshape(len(points_mm), 2, -1)
    by_lens = np.concatenate([by_all[:, :, 6:8].sum(axis=2, keepdims=True), by_all[:, :, 10:14]], axis=2)
    return np.asarray(pixels, dtype=np.float64).reshape(-1, 2), by_all[:, :, 3:6], by_lens
