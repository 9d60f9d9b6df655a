"""Photos of whiteboards with tracks drawn on them, by cameras that are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np
import pytest

from calibration.optics import Camera, Lens, SheetPose
from calibration.sheets import draw, load_sheets

PX_PER_MM = 2.5
PENS = {"black": (45, 40, 40), "red": (50, 45, 205), "blue": (180, 80, 40), "green": (70, 140, 40), "white": (235,) * 3}
LENS = Lens(1160.0, (639.5, 479.5), (-0.08, 0.01, 0.0, 0.0), (1280, 960))


def oval(middle: tuple[float, float], half: float, radius: float, wobble_mm: float = 0.0) -> np.ndarray:
    """A closed line of two straights and two half circles, drawn by an unsteady hand."""
    points = []
    for side, first in ((half, -90.0), (-half, 90.0)):
        for degree in np.linspace(first, first + 180, 40):
            points.append(
                (
                    middle[0] + side + radius * math.cos(math.radians(degree)),
                    middle[1] + radius * math.sin(math.radians(degree)),
                )
            )
    line = np.array(points)
    dense = [
        a + (b - a) * t for a, b in zip(line, np.roll(line, -1, axis=0), strict=True) for t in np.linspace(0, 1, 9)[:-1]
    ]
    line = np.array(dense)
    turns = np.linspace(0, 2 * math.pi, len(line), endpoint=False)
    away = wobble_mm * (np.sin(7 * turns) + 0.6 * np.sin(17 * turns + 1))
    out = line - np.array(middle)
    return line + out / np.linalg.norm(out, axis=1, keepdims=True) * away[:, None]


@dataclass
class Whiteboard:
    """A board of that size with cards at its corners, on which lines are drawn, in mm from its bottom left corner."""

    size_mm: tuple[float, float] = (700.0, 500.0)
    ground: tuple[int, int, int] = (232, 236, 234)
    cards: tuple[str, ...] = ("corner-sw", "corner-se", "corner-nw", "corner-ne")
    turn_deg: float = 0.4  # of each card, this way and that
    picture: np.ndarray = field(init=False)

    def __post_init__(self) -> None:
        wide, high = (round(side * PX_PER_MM) for side in self.size_mm)
        self.picture = np.full((high, wide, 3), self.ground, np.uint8)

    def pixels(self, points: Sequence[tuple[float, float]] | np.ndarray) -> np.ndarray:
        points = np.asarray(points, dtype=np.float64)
        return np.round(np.stack([points[:, 0], self.size_mm[1] - points[:, 1]], axis=1) * PX_PER_MM).astype(np.int32)

    def line(self, points: np.ndarray, pen: str = "black", width_mm: float = 4.0, is_closed: bool = True) -> Whiteboard:
        width = max(1, round(width_mm * PX_PER_MM))
        cv2.polylines(self.picture, [self.pixels(points).reshape(-1, 1, 2)], is_closed, PENS[pen], width, cv2.LINE_AA)
        return self

    def piece(
        self, x_mm: float, y_mm: float, heading_deg: float, bgr: tuple[int, int, int] = (180, 90, 30)
    ) -> Whiteboard:
        """Something as large and as dark as a lying pyramid, with two faces."""
        along = np.array([math.cos(math.radians(heading_deg)), math.sin(math.radians(heading_deg))])
        aside, at = np.array([-along[1], along[0]]), np.array([x_mm, y_mm])
        corners = [at + 23 * along, at - 23 * along + 13 * aside, at - 23 * along - 13 * aside]
        cv2.fillPoly(self.picture, [self.pixels(np.array(corners))], bgr, cv2.LINE_AA)
        shade = tuple(round(0.6 * value) for value in bgr)
        cv2.fillPoly(
            self.picture, [self.pixels(np.array([corners[0], corners[2], at - 23 * along]))], shade, cv2.LINE_AA
        )
        return self

    def wipe(self, x_mm: float, y_mm: float, radius_mm: float) -> Whiteboard:
        cv2.circle(self.picture, self.pixels([(x_mm, y_mm)])[0].tolist(), round(radius_mm * PX_PER_MM), self.ground, -1)
        return self

    def track(self, **more: object) -> Whiteboard:
        """An oval with its finish line; keywords as for `line`, and `wobble_mm`."""
        wobble = float(more.pop("wobble_mm", 0.0))  # type: ignore[arg-type]
        self.line(self.outer_mm(wobble), **more).line(self.inner_mm(wobble), **more)  # type: ignore[arg-type]
        return self.line(np.array([(350.0, 70.0), (350.0, 170.0)]), **{"width_mm": 3.0, **more, "is_closed": False})  # type: ignore[arg-type]

    @staticmethod
    def outer_mm(wobble_mm: float = 0.0) -> np.ndarray:
        return oval((350.0, 250.0), 90.0, 180.0, wobble_mm)

    @staticmethod
    def inner_mm(wobble_mm: float = 0.0) -> np.ndarray:
        return oval((350.0, 250.0), 90.0, 80.0, -wobble_mm)

    def poses(self) -> dict[str, SheetPose]:
        wide, high = self.size_mm
        found = {}
        for n, name in enumerate(self.cards):
            turn = self.turn_deg * (-1) ** n
            x, y = (0.0 if "w" in name[-1] else wide - 114.0), (0.0 if "s" in name[-2] else high - 114.0)
            found[name] = SheetPose(x + 2, y + 2, turn) if n else SheetPose(x, y, turn)
        return found

    def photo(
        self,
        camera: Camera,
        light: Callable[[np.ndarray, np.ndarray], np.ndarray] | None = None,
        noise: float = 2.0,
        blur_px: float = 0.7,
        white: tuple[float, float, float] = (0.9, 0.95, 1.0),
        glare: tuple[float, float, float] | None = None,
    ) -> np.ndarray:
        """The photo, BGR; `light` says how bright it is at x, y (mm), `glare` is a white blot: x, y, radius."""
        canvas = self.picture.copy()
        for name, pose in self.poses().items():
            _lay(canvas, name, pose, self)
        wide_px, high_px = camera.lens.image_size_px
        columns, rows = np.meshgrid(np.arange(wide_px), np.arange(high_px))
        step = 8
        coarse = np.stack(np.meshgrid(np.arange(0, wide_px + step, step), np.arange(0, high_px + step, step)), axis=-1)
        points = camera.to_plane(coarse.reshape(-1, 2).astype(float)).reshape(*coarse.shape).astype(np.float32)
        table = cv2.remap(
            points, (columns / step).astype(np.float32), (rows / step).astype(np.float32), cv2.INTER_LINEAR
        )
        across = table[..., 0] * PX_PER_MM
        down = (self.size_mm[1] - table[..., 1]) * PX_PER_MM
        seen = cv2.remap(
            cv2.GaussianBlur(canvas, (0, 0), 0.8),
            across,
            down,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=(60, 75, 95),
        ).astype(np.float64)
        if light is not None:
            seen *= light(table[..., 0], table[..., 1])[..., None]
        seen *= np.array(white)
        if glare is not None:
            away = np.hypot(table[..., 0] - glare[0], table[..., 1] - glare[1])
            seen += 255 * np.clip(1.6 - away / glare[2], 0, 1)[..., None]
        seen = cv2.GaussianBlur(seen, (0, 0), blur_px) + np.random.default_rng(1).normal(0, noise, seen.shape)
        coded = cv2.imencode(".jpg", np.clip(seen, 0, 255).astype(np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
        return cv2.imdecode(coded, cv2.IMREAD_COLOR)


def _lay(canvas: np.ndarray, name: str, pose: SheetPose, board: Whiteboard) -> None:
    sheet = load_sheets()[name]
    drawn = draw(sheet, 4.0)
    w, h = sheet.size_mm
    target = board.pixels(pose.to_table(np.array([[0, h], [w, h], [0, 0]]))).astype(np.float32)
    source = np.array([[0, 0], [drawn.shape[1], 0], [0, drawn.shape[0]]], np.float32)
    size = (canvas.shape[1], canvas.shape[0])
    laid = cv2.warpAffine(drawn, cv2.getAffineTransform(source, target), size, flags=cv2.INTER_AREA)
    paper = np.zeros(canvas.shape[:2], np.uint8)
    cv2.fillPoly(paper, [board.pixels(pose.to_table(np.array(sheet.outline_mm)))], 1)
    canvas[paper > 0] = laid[paper > 0]


@pytest.fixture
def whiteboard() -> type[Whiteboard]:
    return Whiteboard


@pytest.fixture
def board_camera(over: Callable[..., Camera]) -> Camera:
    return over((350.0, 250.0), 760.0, 14.0, LENS)
