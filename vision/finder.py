"""Where on the paper something stands or lies: a small network over the plan of the table.

The network sees six layers at 1 px/mm: three of reflectance (BGR), the printed drawing, and two that say which way
and how far upright things lean there. It answers on a grid of 2 mm: how likely a piece's foot is in each cell, where
in its neighbourhood, in mm, and whether a hand or arm covers it.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.optics import Camera, LocatedTable
from vision.network import answer
from vision.paper import LightField, Picture, Plain, Plan, Squares, encoded, linear, plan_of, printed_on, seen_on


@dataclass(frozen=True)
class FinderSettings:
    """Scales and thresholds of the finder."""

    px_per_mm: float = 1.0
    cell_px: int = 2
    multiple_px: int = 16  # the network halves its input four times
    likely: float = 0.15  # a foot less likely than this is not looked at again: the reader may still refuse it
    apart_mm: float = 9.0  # two feet closer than this are one: the smallest pieces are 14 mm wide
    rim_mm: float = 8.0  # what lies beside the sheets is nobody's business, and may be taken for a sleeve
    most: int = 120  # feet looked at in one photo


SETTINGS = FinderSettings()


@dataclass(frozen=True)
class Foot:
    """A place on the table, in mm, where a stack or lying piece seems to be."""

    x_mm: float
    y_mm: float
    likelihood: float


def layers(
    plan: Plan,
    image_bgr: NDArray[np.uint8],
    table: LocatedTable,
    field: LightField,
    squares: Squares | Plain | None = None,
) -> tuple[Picture, NDArray[np.bool_]]:
    """The network's input, shape (6, height, width), and where the sheets are, shape (height, width)."""
    light = field_on(plan, field)
    seen = encoded(linear(seen_on(plan, image_bgr, table.camera)) / light)
    drawing, covered = printed_on(plan, table, squares)
    printed = encoded(linear(cv2.cvtColor(drawing, cv2.COLOR_BGR2GRAY)))
    printed[~covered] = -1.2
    whole = np.concatenate([seen.transpose(2, 0, 1), printed[None], lean(plan, table.camera)], axis=0)
    return whole, covered


def field_on(plan: Plan, field: LightField) -> Picture:
    """White paper's light on the plan, shape (height, width, 3): computed coarsely, since it is smooth."""
    width, height = plan.size_px
    coarse = Plan(plan.origin_mm, plan.px_per_mm / 8, (width // 8 + 2, height // 8 + 2))
    light = field.at(coarse.points_mm()).reshape(coarse.size_px[1], coarse.size_px[0], 3)
    to_coarse = np.array([[1 / 8, 0, 0], [0, 1 / 8, 0]], np.float32)
    flags = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return np.asarray(cv2.warpAffine(light, to_coarse, (width, height), flags=flags, borderMode=cv2.BORDER_REPLICATE))


def lean(plan: Plan, camera: Camera) -> Picture:
    """How far each mm of height shifts things, in mm right and down the plan: shape (2, height, width)."""
    width, height = plan.size_px
    fx, fy = plan.to_plan(camera.foot_mm[None])[0]
    scale = 1.0 / (plan.px_per_mm * camera.height_mm)
    right = ((np.arange(width) - fx) * scale).astype(np.float32)
    down = ((np.arange(height) - fy) * scale).astype(np.float32)
    return np.stack([np.broadcast_to(right, (height, width)), np.broadcast_to(down[:, None], (height, width))])


@dataclass(frozen=True)
class Finding:
    """Likely feet, likeliest first, and how much of the sheets a hand or arm covers."""

    feet: tuple[Foot, ...]
    hand_mm2: float


def find(
    image_bgr: NDArray[np.uint8], table: LocatedTable, field: LightField, squares: Squares | Plain | None = None
) -> Finding:
    """Look over the whole table. The picture's scale should be near 1 px/mm to avoid aliasing."""
    plan = plan_of(table, SETTINGS.px_per_mm, SETTINGS.multiple_px)
    seen, covered = layers(plan, image_bgr, table, field, squares)
    said = answer("finder", seen[None])[0]
    return Finding(feet(plan, said), _hand_mm2(said[3], covered))


def _hand_mm2(odds: Picture, covered: NDArray[np.bool_]) -> float:
    """The part of the sheets, without their rims, where a hand is likelier than not."""
    rim = round(SETTINGS.rim_mm * SETTINGS.px_per_mm)
    inside = cv2.erode(covered.astype(np.uint8), np.ones((2 * rim + 1,) * 2, np.uint8), borderValue=0)
    cell_mm = SETTINGS.cell_px / SETTINGS.px_per_mm
    hidden = (odds > 0) & (inside[:: SETTINGS.cell_px, :: SETTINGS.cell_px] > 0)
    return float(hidden.sum()) * cell_mm * cell_mm


def feet(plan: Plan, said: Picture) -> tuple[Foot, ...]:
    """Peaks of what the network said, shape (4, rows, columns): foot (log-odds), right and down (mm), hand."""
    odds = np.clip(said[0], -20, 20)
    likelihood = 1 / (1 + np.exp(-odds))
    peak = likelihood >= np.maximum(cv2.dilate(likelihood, np.ones((3, 3), np.uint8)), SETTINGS.likely)
    rows, columns = np.nonzero(peak)
    order = np.argsort(-likelihood[rows, columns])[: 4 * SETTINGS.most]
    found: list[Foot] = []
    for row, column in zip(rows[order], columns[order], strict=True):
        offset = said[1:3, row, column] * plan.px_per_mm
        pixel = np.array([[column, row]]) * SETTINGS.cell_px + (SETTINGS.cell_px - 1) / 2 + offset
        x, y = plan.to_table(pixel)[0]
        if all(np.hypot(x - f.x_mm, y - f.y_mm) > SETTINGS.apart_mm for f in found):
            found.append(Foot(float(x), float(y), float(likelihood[row, column])))
    return tuple(found[: SETTINGS.most])
