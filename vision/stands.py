"""Whose stand a piece is on: a small network over the paper round the foot, seen straight from above.

Black, orange and purple stands show their colour; a white one shows only its edge, and what it hides of the printing.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.opencv import sampled
from calibration.optics import Camera
from engine.table import Colour
from vision.network import answer, log_softmax
from vision.paper import LightField, Picture, Plan, encoded, linear
from vision.pieces import STAND_MM

STANDS = (None, Colour.BLACK, Colour.WHITE, Colour.ORANGE, Colour.PURPLE)
PATCH_PX = 72
PX_PER_MM = 1.4  # 51 mm: stands are 37 to 39 mm wide and not always under the middle of their piece
PATCH_LAYERS = 4  # BGR, printed


def _window() -> NDArray[np.float64]:
    """Offsets (x, y) in mm of the patch's pixels from its foot, row by row: shape (PATCH_PX ** 2, 2)."""
    along = (np.arange(PATCH_PX) - (PATCH_PX - 1) / 2) / PX_PER_MM
    return np.stack(np.meshgrid(along, -along), axis=-1).reshape(-1, 2)


_OFFSETS_MM = _window()


def patches(
    feet_mm: NDArray[np.float64],
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    printed: tuple[Plan, Picture],
    field: LightField,
) -> Picture:
    """What lies round each foot, shape (n, PATCH_LAYERS, PATCH_PX, PATCH_PX); `feet_mm`: (n, 2) in the table's frame.

    `printed` is a plan and the encoded drawing on it. The picture's scale should be near 2 px/mm.
    """
    places = (feet_mm[:, None] + _OFFSETS_MM).reshape(-1, 2)
    shape = (len(feet_mm), PATCH_PX, PATCH_PX)
    raised = np.concatenate([places, np.full((len(places), 1), STAND_MM)], axis=1)
    rows = (shape[0] * PATCH_PX, PATCH_PX)
    seen = sampled(image_bgr, camera.project(raised).astype(np.float32).reshape(*rows, 2), outside=0.0)
    light = field.at(feet_mm)[:, None, None]
    plan, drawing = printed
    paper = sampled(drawing, plan.to_plan(places).astype(np.float32).reshape(*rows, 2), outside=-1.2)
    layers = np.empty((len(feet_mm), PATCH_LAYERS, PATCH_PX, PATCH_PX), np.float32)
    layers[:, :3] = encoded(linear(seen).reshape(*shape, 3) / light).transpose(0, 3, 1, 2)
    layers[:, 3] = paper.reshape(shape)
    return layers


def stands(
    feet_mm: NDArray[np.float64],
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    printed: tuple[Plan, Picture],
    field: LightField,
) -> Picture:
    """The log-probability of each of STANDS under each foot, shape (n, 5)."""
    if len(feet_mm) == 0:
        return np.zeros((0, len(STANDS)), np.float32)
    return log_softmax(answer("stands", patches(feet_mm, image_bgr, camera, printed, field)))
