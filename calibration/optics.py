"""How millimetres above a table become pixels: lens, camera and the way sheets lie.

The table's frame is the nominal layout's: millimetres, x right, y up, z up towards the camera. The camera's
frame is OpenCV's: x right, y down, z forward. Pixels are (x, y) with pixel centres at whole numbers. Transforms
are named destination first. Distortion is OpenCV's (k1, k2, p1, p2).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Lens:
    """A pinhole with radial and tangential distortion.

    `centre_px` is where the optical axis meets the picture; `distortion` is (k1, k2, p1, p2).
    """

    focal_px: float
    centre_px: tuple[float, float]
    distortion: tuple[float, float, float, float]
    image_size_px: tuple[int, int]

    def scaled(self, factor: float) -> Lens:
        """The same lens on a picture resized by `factor` (pixel centres at whole numbers)."""
        cx, cy = ((c + 0.5) * factor - 0.5 for c in self.centre_px)
        width, height = self.image_size_px
        return Lens(self.focal_px * factor, (cx, cy), self.distortion, (round(width * factor), round(height * factor)))

    def turned(self) -> Lens:
        """The same lens on a picture turned by a quarter, counter-clockwise.

        >>> Lens(1000.0, (650.0, 470.0), (-0.1, 0.0, 0.001, 0.002), (1280, 960)).turned().centre_px
        (470.0, 629.0)
        """
        (cx, cy), (width, height), (k1, k2, p1, p2) = self.centre_px, self.image_size_px, self.distortion
        return Lens(self.focal_px, (cy, width - 1 - cx), (k1, k2, -p2, p1), (height, width))


@dataclass(frozen=True)
class Camera:
    """A lens and where it is: camera_from_table is (rotation, translation in mm), as nested tuples."""

    lens: Lens
    rotation: tuple[tuple[float, float, float], ...]
    translation_mm: tuple[float, float, float]

    @property
    def eye_mm(self) -> Points:
        """Shape (3,): the camera's centre in the table's frame; z is its height above the paper."""
        return np.asarray(-np.array(self.rotation).T @ np.array(self.translation_mm))

    @property
    def foot_mm(self) -> Points:
        """Shape (2,): the point of the table straight under the camera."""
        return self.eye_mm[:2]

    @property
    def height_mm(self) -> float:
        return float(self.eye_mm[2])

    def project(self, points_mm: Points) -> Points:
        """Pixels, shape (n, 2), of table points, shape (n, 3). Points behind the camera become NaN."""
        seen = np.asarray(points_mm, dtype=np.float64) @ np.array(self.rotation).T + np.array(self.translation_mm)
        depth = np.where(seen[:, 2] > 1e-6, seen[:, 2], np.nan)
        x, y = seen[:, 0] / depth, seen[:, 1] / depth
        k1, k2, p1, p2 = self.lens.distortion
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * k2)
        u = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        v = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        cx, cy = self.lens.centre_px
        return np.stack([self.lens.focal_px * u + cx, self.lens.focal_px * v + cy], axis=1)

    def px_per_mm_at(self, x_mm: float, y_mm: float) -> float:
        """The picture's scale on the paper at a table point, mean of both directions."""
        step = 10.0  # mm: near enough to be the scale there, far enough to be exact
        pixels = self.project(np.array([[x_mm, y_mm, 0.0], [x_mm + step, y_mm, 0.0], [x_mm, y_mm + step, 0.0]]))
        return float(np.mean(np.linalg.norm(pixels[1:] - pixels[0], axis=1)) / step)

    def rays(self, pixels: Points) -> Points:
        """Unit directions in the table's frame, shape (n, 3), seen at `pixels`, shape (n, 2)."""
        cx, cy = self.lens.centre_px
        target = (np.asarray(pixels, dtype=np.float64) - (cx, cy)) / self.lens.focal_px
        k1, k2, p1, p2 = self.lens.distortion
        at = target.copy()
        for _ in range(12):  # fixed-point inversion, as cv2.undistortPoints does
            x, y = at[:, 0], at[:, 1]
            r2 = x * x + y * y
            radial = 1 + r2 * (k1 + r2 * k2)
            at = np.stack(
                [
                    (target[:, 0] - 2 * p1 * x * y - p2 * (r2 + 2 * x * x)) / radial,
                    (target[:, 1] - p1 * (r2 + 2 * y * y) - 2 * p2 * x * y) / radial,
                ],
                axis=1,
            )
        rays = np.concatenate([at, np.ones((len(at), 1))], axis=1) @ np.array(self.rotation)
        return np.asarray(rays / np.linalg.norm(rays, axis=1, keepdims=True))

    def to_plane(self, pixels: Points, height_mm: float = 0.0) -> Points:
        """Where the rays through `pixels` meet the plane `height_mm` above the table: shape (n, 2), mm."""
        rays = self.rays(pixels)
        eye = self.eye_mm
        along = (height_mm - eye[2]) / rays[:, 2]
        return np.asarray(eye[:2] + along[:, None] * rays[:, :2])


@dataclass(frozen=True)
class SheetPose:
    """table_from_sheet: the sheet's bottom-left corner and its turn, counter-clockwise.

    `scale` is true millimetres per nominal one: a print's scale. Sheet points are nominal, table points true.
    """

    x_mm: float
    y_mm: float
    turn_deg: float
    scale: float = 1.0

    def to_table(self, points_mm: Points) -> Points:
        """Table points, shape (n, 2), of sheet points, shape (n, 2)."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        turned = np.asarray(points_mm, dtype=np.float64) @ np.array([[c, s], [-s, c]])
        return np.asarray(self.scale * turned + (self.x_mm, self.y_mm))

    def to_sheet(self, points_mm: Points) -> Points:
        """Sheet points, shape (n, 2), of table points, shape (n, 2)."""
        c, s = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        shifted = np.asarray(points_mm, dtype=np.float64) - (self.x_mm, self.y_mm)
        return np.asarray(shifted @ np.array([[c, -s], [s, c]]) / self.scale)


@dataclass(frozen=True)
class LocatedSheet:
    """One sheet as it lies: its pose, the error to expect on it, and which of its markers were not seen."""

    sheet: str
    pose: SheetPose
    error_mm: float
    missing_markers: tuple[int, ...]


@dataclass(frozen=True)
class LocatedTable:
    """A photo's table: which layout it is, the camera over it, and each sheet."""

    layout: str
    camera: Camera
    sheets: tuple[LocatedSheet, ...]
    warnings: tuple[str, ...] = ()
