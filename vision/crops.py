"""Looking straight at one foot: the view the reader gets of each stack.

A crop is what a camera in the real camera's place would see when turned towards the foot, so that perspective and
lens are gone and only the angle of view and the piece's own turn are left. Its up direction is where upright things
point; it shows `SETTINGS.left_mm` to either side, a little below the foot and a stack's height above it.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.opencv import sampled
from calibration.optics import Camera
from vision.paper import LightField, Picture, Plan, encoded, linear


@dataclass(frozen=True)
class CropSettings:
    """The window, in mm across the line of sight, and its scale."""

    px_per_mm: float = 1.2
    left_mm: float = 25.0
    below_mm: float = 25.0
    above_mm: float = 75.0

    @property
    def size_px(self) -> tuple[int, int]:
        """Width, height."""
        return (round(2 * self.left_mm * self.px_per_mm), round((self.below_mm + self.above_mm) * self.px_per_mm))


SETTINGS = CropSettings()
LAYERS = 8  # BGR, printed, two for the angle of view, two for the place in the window


@dataclass(frozen=True)
class View:
    """The turned camera's axes at a foot, unit vectors in the table's frame.

    `outward_deg` is the direction on the table, counter-clockwise from x, that leads away from the camera's foot.
    """

    foot_mm: tuple[float, float]
    right: tuple[float, float, float]
    up: tuple[float, float, float]
    slant_deg: float  # the line of sight's angle from straight down
    outward_deg: float


def view_of(camera: Camera, x_mm: float, y_mm: float) -> View:
    """How the camera sees the foot at (x, y)."""
    eye = camera.eye_mm
    sight = np.array([x_mm, y_mm, 0.0]) - eye
    sight /= np.linalg.norm(sight)
    outward = np.array([x_mm - eye[0], y_mm - eye[1]])
    away = float(np.hypot(*outward))
    outward = outward / away if away > 1e-6 else np.array([0.0, 1.0])
    right = np.array([outward[1], -outward[0], 0.0])
    up = np.cross(right, sight)
    slant = float(np.degrees(np.arccos(np.clip(-sight[2], -1, 1))))
    return View((x_mm, y_mm), _triple(right), _triple(up), slant, float(np.degrees(np.arctan2(outward[1], outward[0]))))


def _triple(vector: NDArray[np.float64]) -> tuple[float, float, float]:
    return float(vector[0]), float(vector[1]), float(vector[2])


def _window() -> NDArray[np.float64]:
    """Offsets (right, up) in mm of the crop's pixels, shape (height, width, 2)."""
    width, height = SETTINGS.size_px
    across = (np.arange(width) + 0.5) / SETTINGS.px_per_mm - SETTINGS.left_mm
    along = SETTINGS.above_mm - (np.arange(height) + 0.5) / SETTINGS.px_per_mm
    return np.stack(np.meshgrid(across, along), axis=-1)


_OFFSETS = _window()


def crop(
    view: View, image_bgr: NDArray[np.uint8], camera: Camera, printed: tuple[Plan, Picture], field: LightField
) -> Picture:
    """The reader's input for one foot, shape (LAYERS, height, width).

    `printed` is a plan and the encoded drawing on it, shape (rows, columns).
    """
    space = (
        np.array([*view.foot_mm, 0.0])
        + _OFFSETS[..., :1] * np.array(view.right)
        + _OFFSETS[..., 1:] * np.array(view.up)
    )
    height, width = space.shape[:2]
    flat = space.reshape(-1, 3)
    pixels = camera.project(flat).astype(np.float32).reshape(height, width, 2)
    seen = sampled(image_bgr, pixels, outside=0.0)
    light = field.at(np.array([view.foot_mm]))[0]
    eye = camera.eye_mm
    along = eye[2] / np.maximum(eye[2] - flat[:, 2], 1.0)
    ground = eye[:2] + (flat[:, :2] - eye[:2]) * along[:, None]
    plan, drawing = printed
    under = plan.to_plan(ground).astype(np.float32).reshape(height, width, 2)
    paper = sampled(drawing, under, outside=-1.2)
    layers = np.empty((LAYERS, height, width), np.float32)
    layers[:3] = encoded(linear(seen) / light).transpose(2, 0, 1)
    layers[3] = paper
    layers[4] = 2 * np.sin(np.radians(view.slant_deg)) - 0.5
    layers[5] = 4 * np.cos(np.radians(view.slant_deg)) - 3.5
    layers[6:] = (_OFFSETS / 25.0).transpose(2, 0, 1)
    return layers
