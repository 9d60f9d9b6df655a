"""How a picture shows the sheets: what is needed to draw on it, and to tell what a finger on it points at.

Pixels are those of the picture as it was looked at, (x, y) with pixel centres at whole numbers; millimetres are the
sheets', see `calibration.optics`.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from markupsafe import Markup, escape

from calibration.optics import Camera, Lens, LocatedTable, SheetPose
from calibration.sheets import load_sheets
from engine.table import Pyramid, Scene, Stack
from vision.pieces import BASE_MM, HEIGHT_MM
from webui.ink import LETTERS, stack_words, text

Json = dict[str, Any]
Point = tuple[float, float]

SURE = 0.8  # a reading that is less likely is drawn as a doubt
RING = 0.62  # radius of the ring about an upright piece, in base edges
OUTSIDE_MM = 8.0  # a finger so far beside a sheet still means it

NOTHING = Markup()


@dataclass(frozen=True)
class Sight:
    """The camera that took the picture, and each sheet as it lies before it."""

    camera: Camera
    sheets: tuple[tuple[str, SheetPose], ...]

    @property
    def size_px(self) -> tuple[int, int]:
        return self.camera.lens.image_size_px

    def shown(self, sheet: str, points_mm: Iterable[Point]) -> list[Point]:
        """Where points of a sheet are in the picture; none where the sheet or a point is not in front of the camera."""
        pose = dict(self.sheets).get(sheet)
        if pose is None:
            return []
        flat = pose.to_table(np.array(list(points_mm), dtype=np.float64))
        pixels = self.camera.project(np.concatenate([flat, np.zeros((len(flat), 1))], axis=1))
        return [(float(x), float(y)) for x, y in pixels] if np.isfinite(pixels).all() else []

    def pointed_at(self, x_px: float, y_px: float) -> tuple[str, float, float] | None:
        """The sheet under a pixel and the place on it, mm; None beside all sheets."""
        at = self.camera.to_plane(np.array([[x_px, y_px]]))
        for sheet, pose in self.sheets:
            x_mm, y_mm = (float(each) for each in pose.to_sheet(at)[0])
            width, height = load_sheets()[sheet].size_mm
            if -OUTSIDE_MM <= x_mm <= width + OUTSIDE_MM and -OUTSIDE_MM <= y_mm <= height + OUTSIDE_MM:
                return sheet, x_mm, y_mm
        return None

    def to_json(self) -> Json:
        lens = self.camera.lens
        return {
            "focal_px": lens.focal_px,
            "centre_px": list(lens.centre_px),
            "distortion": list(lens.distortion),
            "size_px": list(lens.image_size_px),
            "rotation": [list(row) for row in self.camera.rotation],
            "translation_mm": list(self.camera.translation_mm),
            "sheets": {name: [pose.x_mm, pose.y_mm, pose.turn_deg, pose.scale] for name, pose in self.sheets},
        }

    @classmethod
    def from_json(cls, doc: Any) -> Sight:
        """What `to_json` wrote. Raises ValueError for anything else."""
        try:
            focal_px, *others = _numbers([doc["focal_px"], *doc["centre_px"], *doc["distortion"]], 7)
            width, height = (int(each) for each in _numbers(doc["size_px"], 2))
            lens = Lens(focal_px, (others[0], others[1]), (others[2], others[3], others[4], others[5]), (width, height))
            rows = [_numbers(row, 3) for row in doc["rotation"]]
            turn = tuple((row[0], row[1], row[2]) for row in rows)
            x, y, z = _numbers(doc["translation_mm"], 3)
            poses = {name: SheetPose(*_numbers(pose, 4)) for name, pose in doc["sheets"].items()}
        except (TypeError, KeyError, AttributeError, OverflowError) as fault:
            raise ValueError(f"this says not how a picture was taken ({type(fault).__name__})") from None
        if len(turn) != 3 or not set(poses) <= set(load_sheets()) or min(width, height, focal_px) <= 0:
            raise ValueError("this says not how a picture was taken")
        return cls(Camera(lens, turn, (x, y, z)), tuple(poses.items()))


def sight_of(table: LocatedTable) -> Sight:
    """How the photo of a located table shows it."""
    return Sight(_plain(table.camera), tuple((each.sheet, each.pose) for each in table.sheets))


def picture_svg(address: str, words: str, sight: Sight, scene: Scene, ahead: Markup = NOTHING) -> Markup:
    """The picture, so large that the mats fill it, and over it what was recognised: outlines and colours' letters.

    `ahead`: where to lay something next, drawn by `webui.next_place`.
    """
    width, height = sight.size_px
    unit = max(width, height) / 1000
    parts = [
        f'<svg class="layer" viewBox="{_box(sight)}" role="img" aria-label="{escape(words)}">'
        f'<image href="{escape(address)}" x="-0.5" y="-0.5" width="{width}" height="{height}"'
        ' preserveAspectRatio="none"/><g class="drawn">'
    ]
    parts.append(ahead)
    for stack in scene.stacks:
        parts += _outlined(sight, stack, unit)
    for stack in scene.stacks:
        parts += _named(sight, stack)
    return Markup("".join((*parts, "</g></svg>")))  # numbers and fixed words only; names are escaped


def _box(sight: Sight) -> str:
    """The part of the picture that holds the mats, with a rim, as an SVG viewBox."""
    width, height = sight.size_px
    corners = [at for sheet, _ in sight.sheets for at in sight.shown(sheet, _corners(sheet))]
    if not corners:
        return f"-0.5 -0.5 {width} {height}"
    xs, ys = zip(*corners, strict=True)
    rim = 0.03 * max(width, height)
    left, top = max(min(xs) - rim, 0.0), max(min(ys) - rim, 0.0)
    right, foot = min(max(xs) + rim, float(width)), min(max(ys) + rim, float(height))
    return f"{left:.0f} {top:.0f} {max(right - left, 1):.0f} {max(foot - top, 1):.0f}"


def _corners(sheet: str) -> list[Point]:
    width, height = load_sheets()[sheet].size_mm
    return [(0.0, 0.0), (width, 0.0), (width, height), (0.0, height)]


def outline_mm(stack: Stack) -> list[Point]:
    """The foot's outline on the sheet: a lying piece's contact triangle, else a ring about the base."""
    x, y, size = stack.pose.x_mm, stack.pose.y_mm, stack.pyramids[0].size
    if stack.pose.heading_deg is None:
        radius = BASE_MM[size] * RING
        turns = (2 * math.pi * n / 24 for n in range(24))
        return [(x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns]
    ahead = math.radians(stack.pose.heading_deg)
    reach, half = math.hypot(HEIGHT_MM[size], BASE_MM[size] / 2) / 2, BASE_MM[size] / 2
    c, s = math.cos(ahead), math.sin(ahead)
    corners = ((reach, 0.0), (-reach, half), (-reach, -half))
    return [(x + along * c - aside * s, y + along * s + aside * c) for along, aside in corners]


def _outlined(sight: Sight, stack: Stack, unit: float) -> list[str]:
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in sight.shown(stack.sheet, outline_mm(stack)))
    if not points:
        return []
    doubt = "" if stack.confidence >= SURE else f' stroke-dasharray="{5 * unit:.1f} {4 * unit:.1f}"'
    return [
        f'<polygon class="seen-rim" stroke-width="{5 * unit:.1f}" points="{points}"/>',
        f'<polygon class="seen-line s-{stack.pyramids[0].colour}" stroke-width="{2.6 * unit:.1f}"{doubt}'
        f' points="{points}"><title>{escape(stack_words(stack.pyramids))}</title></polygon>',
    ]


def _named(sight: Sight, stack: Stack) -> list[str]:
    """Below the outline each level's letter on its colour, the top one on top, with its size as pips."""
    ring = sight.shown(stack.sheet, outline_mm(stack))
    if not ring:
        return []
    xs, ys = zip(*ring, strict=True)
    middle, unit = sum(xs) / len(xs), (max(xs) - min(xs) + max(ys) - min(ys)) / 56
    parts = []
    for level, pyramid in enumerate(reversed(stack.pyramids)):
        parts += _tag(pyramid, middle, max(ys) + (2 + 15 * level) * unit, unit)
    if stack.confidence < SURE:
        parts.append(text("doubt", middle + 21 * unit, max(ys) + 9 * unit, "?", size=19 * unit))
    return parts


def _tag(pyramid: Pyramid, middle: float, top: float, unit: float) -> list[str]:
    wide, at, ink = (12 + 5 * pyramid.size) * unit, top + 7 * unit, f"on-{pyramid.colour}"
    left = middle - wide / 2
    pips = [left + (15 + 5 * n) * unit for n in range(pyramid.size)]
    return [
        f'<rect class="tag c-{pyramid.colour}" x="{left:.1f}" y="{top:.1f}" width="{wide:.1f}"'
        f' height="{14 * unit:.1f}" rx="{3 * unit:.1f}" stroke-width="{unit:.1f}"/>',
        text(f"letter {ink}", left + 7 * unit, at, LETTERS[pyramid.colour], size=12.5 * unit),
        *(f'<circle class="pip {ink}" cx="{x:.1f}" cy="{at:.1f}" r="{1.7 * unit:.1f}"/>' for x in pips),
    ]


def _plain(camera: Camera) -> Camera:
    """The same camera in Python's own numbers, which JSON can hold."""
    lens = camera.lens
    cx, cy = (float(each) for each in lens.centre_px)
    k1, k2, p1, p2 = (float(each) for each in lens.distortion)
    width, height = (int(each) for each in lens.image_size_px)
    rows = ((float(a), float(b), float(c)) for a, b, c in camera.rotation)
    x, y, z = (float(each) for each in camera.translation_mm)
    return Camera(Lens(float(lens.focal_px), (cx, cy), (k1, k2, p1, p2), (width, height)), tuple(rows), (x, y, z))


def _numbers(values: Any, count: int) -> list[float]:
    """So many numbers that are finite. Raises ValueError or TypeError."""
    found = [float(each) for each in values if isinstance(each, int | float) and not isinstance(each, bool)]
    if len(found) != count or len(values) != count or not all(map(math.isfinite, found)):
        raise ValueError("this says not how a picture was taken")
    return found
