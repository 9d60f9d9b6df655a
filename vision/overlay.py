"""Draws what was seen onto the photo; returns a new picture, BGR.

Every stack gets the outline of its foot in the colour of its bottom piece, lying pieces an arrow to the tip, and all
of them the names of their levels, top one on top, in letters that stay legible on any background.
"""

from __future__ import annotations

import math
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.optics import LocatedTable, SheetPose
from engine.table import Colour, Pose, Size, Stack
from vision.observe import Observation
from vision.pieces import BASE_MM, HEIGHT_MM

SLANT_MM = {size: math.hypot(height, BASE_MM[size] / 2) for size, height in HEIGHT_MM.items()}

INK_BGR = {
    Colour.RED: (60, 50, 235),
    Colour.YELLOW: (60, 225, 255),
    Colour.GREEN: (90, 200, 70),
    Colour.BLUE: (245, 130, 60),
    Colour.CYAN: (245, 220, 90),
    Colour.ORANGE: (40, 150, 255),
    Colour.PURPLE: (220, 90, 170),
    Colour.BLACK: (90, 90, 90),
    Colour.WHITE: (255, 255, 255),
    Colour.CLEAR: (220, 220, 190),
    Colour.PINK: (190, 150, 255),
    Colour.GREY: (150, 150, 150),
}


def draw(image_bgr: NDArray[np.uint8], observation: Observation) -> NDArray[np.uint8]:
    """The photo with every stack of the observation drawn on it."""
    picture = image_bgr.copy()
    table = observation.table
    poses = {located.sheet: located.pose for located in table.sheets}
    for located in table.sheets:
        _draw_sheet_error(picture, table, located.sheet)
    for stack in observation.scene.stacks:
        _draw_outline(picture, table, poses[stack.sheet], stack)
    for stack in observation.scene.stacks:
        _draw_names(picture, table, poses[stack.sheet], stack)
    return picture


def lying_mm(pose: Pose, size: Size) -> NDArray[np.float64]:
    """A lying pyramid's corners, shape (5, 3), sheet mm and height: tip, the base's two on the paper, the upper two.

    The base rises from the paper at the angle between base and face, so its upper edge is a little further ahead.
    """
    base, slant = BASE_MM[size], SLANT_MM[size]
    along = math.radians(pose.heading_deg or 0.0)
    ahead, aside = np.array([math.cos(along), math.sin(along)]), np.array([-math.sin(along), math.cos(along)])
    back = np.array([pose.x_mm, pose.y_mm]) - ahead * slant / 2
    top = back + ahead * base * base / (2 * slant)
    height = base * HEIGHT_MM[size] / slant
    flat = [back + ahead * slant, back + aside * base / 2, back - aside * base / 2]
    flat += [top + aside * base / 2, top - aside * base / 2]
    return np.column_stack([flat, [0.0, 0.0, 0.0, height, height]])


def _unit(picture: NDArray[np.uint8]) -> float:
    """Line and letter scale: 1 on a picture 1000 pixels wide."""
    return float(max(picture.shape[:2])) / 1000


def _pixels(
    table: LocatedTable, pose: SheetPose, points_mm: list[tuple[float, float]], height_mm: float = 0.0
) -> NDArray[np.int32]:
    flat = pose.to_table(np.array(points_mm, dtype=np.float64))
    space = np.concatenate([flat, np.full((len(flat), 1), height_mm)], axis=1)
    return np.round(np.nan_to_num(table.camera.project(space), nan=-1e4)).astype(np.int32)


def _outline_mm(stack: Stack) -> list[tuple[float, float]]:
    """The foot's outline on the sheet: a lying piece's contact triangle, else a ring as wide as the base."""
    x, y = stack.pose.x_mm, stack.pose.y_mm
    size = stack.pyramids[0].size
    if stack.pose.heading_deg is None:
        angles = np.linspace(0, 2 * np.pi, 25)
        radius = BASE_MM[size] * 0.62
        return [(x + radius * float(np.cos(a)), y + radius * float(np.sin(a))) for a in angles]
    along = np.radians(stack.pose.heading_deg)
    ahead, aside = np.array([np.cos(along), np.sin(along)]), np.array([-np.sin(along), np.cos(along)])
    half, base = SLANT_MM[size] / 2, BASE_MM[size] / 2
    corners = [ahead * half, -ahead * half + aside * base, -ahead * half - aside * base, ahead * half]
    return [(x + float(c[0]), y + float(c[1])) for c in corners]


def _draw_outline(picture: NDArray[np.uint8], table: LocatedTable, pose: SheetPose, stack: Stack) -> None:
    unit = _unit(picture)
    outline = _pixels(table, pose, _outline_mm(stack))
    for colour, width in (((20, 20, 20), 4.5), (INK_BGR[stack.pyramids[0].colour], 2.2)):
        thick = max(1, round(width * unit))
        for a, b in pairwise(outline.tolist()):
            cv2.line(picture, a, b, colour, thick, cv2.LINE_AA)
        if stack.pose.heading_deg is not None:
            along = np.radians(stack.pose.heading_deg)
            reach = SLANT_MM[stack.pyramids[0].size] / 2 + 8
            to = (stack.pose.x_mm + reach * float(np.cos(along)), stack.pose.y_mm + reach * float(np.sin(along)))
            start, end = _pixels(table, pose, [(stack.pose.x_mm, stack.pose.y_mm), to]).tolist()
            cv2.arrowedLine(picture, start, end, colour, thick, cv2.LINE_AA, tipLength=0.25)
    if stack.stand is not None:
        x, y = stack.pose.x_mm, stack.pose.y_mm
        ring = [(x + 20 * float(np.cos(a)), y + 20 * float(np.sin(a))) for a in np.linspace(0, 2 * np.pi, 33)]
        cv2.polylines(
            picture, [_pixels(table, pose, ring)], True, INK_BGR[stack.stand], max(1, round(1.2 * unit)), cv2.LINE_AA
        )


def _draw_names(picture: NDArray[np.uint8], table: LocatedTable, pose: SheetPose, stack: Stack) -> None:
    unit = _unit(picture)
    x, y = _pixels(table, pose, [(stack.pose.x_mm, stack.pose.y_mm)])[0].tolist()
    names = [f"{str(p.size)[0].upper()} {p.colour}" for p in reversed(stack.pyramids)]
    if stack.confidence < 0.8:
        names[0] += " ?"
    for line, name in enumerate(names):
        at = (int(x + 9 * unit), int(y + (11 * line + 4) * unit))
        for ink, width in (((15, 15, 15), 3.2), (INK_BGR[stack.pyramids[-1 - line].colour], 1.1)):
            cv2.putText(
                picture, name, at, cv2.FONT_HERSHEY_SIMPLEX, 0.36 * unit, ink, max(1, round(width * unit)), cv2.LINE_AA
            )


def _draw_sheet_error(picture: NDArray[np.uint8], table: LocatedTable, sheet: str) -> None:
    """Names the sheet's expected error at its corner, so that a bad fit shows."""
    located = next(one for one in table.sheets if one.sheet == sheet)
    at = _pixels(table, located.pose, [(2.0, 2.0)])[0].tolist()
    unit = _unit(picture)
    text = f"{sheet} +-{located.error_mm:.1f} mm"
    for ink, width in (((15, 15, 15), 3.0), ((235, 235, 235), 1.0)):
        cv2.putText(
            picture, text, at, cv2.FONT_HERSHEY_SIMPLEX, 0.36 * unit, ink, max(1, round(width * unit)), cv2.LINE_AA
        )
