"""The table as its paper: the mat seen straight from above, what is printed there, and how it is lit.

A `Plan` is a raster of the table plane: pixel (column, row) shows the table point
``origin + (column, -row) / px_per_mm``, so x runs right and y up. Values called *reflectance* are linear light divided
by the light that falls on white paper, so paper is about 1 under any lamp; `encoded` brings them to about -1.2 .. 1.3
for the networks. Colours are BGR.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.chessboard import SIDE, Chessboard
from calibration.locate import LocateError
from calibration.opencv import LINEAR_OF_BYTE, sampled
from calibration.optics import Camera, LocatedTable
from calibration.sheets import draw, load_sheets

Picture = NDArray[np.float32]


@dataclass(frozen=True)
class PaperSettings:
    """Thresholds of this room."""

    margin_mm: float = 24.0  # beyond the sheets: pieces on the edge lean outwards by about this much
    field_px_per_mm: float = 0.25  # the light field is smooth: one sample every 4 mm is plenty
    plain_above: float = 0.55  # linear: drawn cells brighter than this are plain or shaded paper
    fit_rounds: int = 8
    first_tolerance: float = 5.0  # times both tolerances below, in the first round; 1 in the last
    first_level: float = 0.7  # quantile of the samples from which the fit starts: what stands there is mostly darker
    least_samples: int = 60  # with fewer than ten for each of the six terms the field of the round before stays
    flatness: float = 0.002  # of the samples' weight: a faint pull that keeps corners sane where hardly any paper shows
    shadow_tolerance: float = 0.10  # log units a paper sample may fall below the field in the last round
    glare_tolerance: float = 0.14  # log units it may lie above it
    dark_pen: float = 60.0  # sRGB values of pens on ground that is light, and on ground darker than that
    light_pen: float = 225.0
    dark_ground: float = 110.0
    square_inset: float = 0.12  # of a square's size: far enough from its edge to be sure of its colour
    colour_step_px: int = 4  # every so many pixels are looked at to tell whether there are colours at all
    grey_below: float = 4.0  # of 255, between channels: 99 % of a grey picture's pixels; photos' reach 34 and more


SETTINGS = PaperSettings()


class NoColour(LocateError):  # noqa: N818  named as what players are told
    """The picture or its light has no colours, so pieces cannot be told apart; the message says what to do."""


def check_colours(image_bgr: NDArray[np.uint8]) -> None:
    """Raises NoColour for a picture, shape (height, width, 3), of nothing but greys."""
    few = image_bgr[:: SETTINGS.colour_step_px, :: SETTINGS.colour_step_px]
    if float(np.quantile(np.ptp(few, axis=2), 0.99)) < SETTINGS.grey_below:
        raise NoColour(
            "The picture is black and white, and pyramids are told apart by their colours. Turn off the camera's night "
            "or black-and-white mode, or send the photo in colour."
        )


def linear(image_bgr: NDArray[Any]) -> Picture:
    """Linear light, 0..1, of sRGB bytes, in an array of any shape."""
    return np.asarray(LINEAR_OF_BYTE[image_bgr])


def encoded(reflectance: Picture) -> Picture:
    """Network input of reflectances: a perceptual curve, centred on mid grey."""
    return np.asarray(
        (np.power(np.clip(reflectance, 0.0, 1.8), 1 / 2.2, dtype=np.float32) - 0.6) * 2.0, dtype=np.float32
    )


@dataclass(frozen=True)
class Plan:
    """A raster of the table plane."""

    origin_mm: tuple[float, float]  # the table point under the centre of pixel (0, 0), the top left one
    px_per_mm: float
    size_px: tuple[int, int]  # width, height

    def points_mm(self) -> NDArray[np.float64]:
        """Table points of all pixels, row by row: shape (height * width, 2)."""
        width, height = self.size_px
        columns, rows = np.meshgrid(np.arange(width), np.arange(height))
        return self.to_table(np.stack([columns.ravel(), rows.ravel()], axis=1).astype(np.float64))

    def to_table(self, pixels: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray(np.array(self.origin_mm) + pixels * (1, -1) / self.px_per_mm)

    def to_plan(self, points_mm: NDArray[np.float64]) -> NDArray[np.float64]:
        return np.asarray((points_mm - np.array(self.origin_mm)) * (1, -1) * self.px_per_mm)


def plan_of(table: LocatedTable, px_per_mm: float, multiple_px: int = 1) -> Plan:
    """The raster that holds every sheet and a margin; its sides are multiples of `multiple_px`."""
    sheets = load_sheets()
    corners = []
    for located in table.sheets:
        w, h = sheets[located.sheet].size_mm
        corners.append(located.pose.to_table(np.array([[0, 0], [w, 0], [w, h], [0, h]], dtype=np.float64)))
    points = np.concatenate(corners)
    low, high = points.min(axis=0) - SETTINGS.margin_mm, points.max(axis=0) + SETTINGS.margin_mm
    size = np.ceil((high - low) * px_per_mm / multiple_px).astype(int) * multiple_px
    return Plan((float(low[0]), float(high[1])), px_per_mm, (int(size[0]), int(size[1])))


def seen_on(plan: Plan, image_bgr: NDArray[np.uint8], camera: Camera) -> NDArray[np.uint8]:
    """The picture laid onto the plan (grey 0 where the camera does not look).

    Distortion is smooth, so the map is computed on a coarse grid and enlarged.
    """
    step = 8
    width, height = plan.size_px
    columns = np.arange(0, width + step, step, dtype=np.float64)
    rows = np.arange(0, height + step, step, dtype=np.float64)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    points = np.concatenate([plan.to_table(grid), np.zeros((len(grid), 1))], axis=1)
    coarse = camera.project(points).astype(np.float32).reshape(len(rows), len(columns), 2)
    take_x = (np.arange(width, dtype=np.float32) / step)[None, :].repeat(height, axis=0)
    take_y = (np.arange(height, dtype=np.float32) / step)[:, None].repeat(width, axis=1)
    fine = sampled(coarse, np.stack([take_x, take_y], axis=-1), outside=0.0)
    return sampled(image_bgr, fine, outside=0.0)


@dataclass(frozen=True)
class Squares:
    """A chessboard of the players' own: where its squares are, and their colours under white light, BGR."""

    board: Chessboard
    dark_bgr: tuple[int, int, int]
    light_bgr: tuple[int, int, int]


def squares_of(board: Chessboard, image_bgr: NDArray[np.uint8], camera: Camera, field: LightField) -> Squares:
    """The board's two colours as the picture shows them: medians over the squares' corners, where few pieces reach."""
    points = board.squares_mm(SETTINGS.square_inset)
    flat = points.reshape(-1, 2)
    pixels = camera.project(np.column_stack([flat, np.zeros(len(flat))]))[None].astype(np.float32)
    seen = linear(sampled(image_bgr, pixels, outside=0.0)[0]) / field.at(flat)
    seen = seen.reshape(*points.shape[:2], -1, 3)
    is_light = np.add.outer(np.arange(points.shape[0]), np.arange(points.shape[1])) % 2 == 1
    dark, light = (nearest_srgb(np.median(seen[which].reshape(-1, 3), axis=0)) for which in (~is_light, is_light))
    return Squares(board, dark, light)


def nearest_srgb(reflectance: NDArray[np.float32]) -> tuple[int, int, int]:
    """The bytes whose linear light is nearest."""
    blue, green, red = (int(np.abs(LINEAR_OF_BYTE - channel).argmin()) for channel in np.clip(reflectance, 0, 1))
    return blue, green, red


@dataclass(frozen=True, eq=False)
class Plain:
    """Ground of one colour between the cards and what a pen has drawn on it, as a sheet would be printed.

    `outline_mm` is on the table; `bgr` its colour under white light; `strokes` are 1 where ink is, on a plan.
    """

    outline_mm: NDArray[np.float64]
    bgr: tuple[int, int, int]
    plan: Plan
    strokes: NDArray[np.uint8]

    def painted(self, drawing: NDArray[np.uint8], plan: Plan, covered: NDArray[np.uint8]) -> None:
        """Paint the ground on a drawing wherever no sheet covers it, and cover it."""
        ground = np.zeros_like(covered)
        cv2.fillPoly(ground, [np.round(plan.to_plan(self.outline_mm)).astype(np.int32)], 1)
        scale = plan.px_per_mm / self.plan.px_per_mm
        shift = plan.to_plan(np.array([self.plan.origin_mm]))[0]
        to_plan = np.array([[scale, 0, shift[0]], [0, scale, shift[1]]])
        soft = cv2.GaussianBlur(self.strokes.astype(np.float32), (0, 0), max(0.4 / scale, 0.3))
        ink = cv2.warpAffine(soft, to_plan, plan.size_px)[..., None]
        pen = SETTINGS.light_pen if sum(self.bgr) < 3 * SETTINGS.dark_ground else SETTINGS.dark_pen
        bare = (ground > 0) & (covered == 0)
        drawing[bare] = ((1 - ink) * np.array(self.bgr) + ink * pen)[bare].astype(np.uint8)
        covered |= ground


def printed_on(
    plan: Plan, table: LocatedTable, squares: Squares | Plain | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.bool_]]:
    """What is printed where (BGR, table colour unknown: 0 off the sheets) and where sheets, squares or ground lie."""
    width, height = plan.size_px
    drawing = np.zeros((height, width, 3), np.uint8)
    covered = np.zeros((height, width), np.uint8)
    sheets = load_sheets()
    for located in table.sheets:
        picture = _printed(located.sheet, plan.px_per_mm)
        w, h = sheets[located.sheet].size_mm
        corners = plan.to_plan(located.pose.to_table(np.array([[0, h], [w, h], [0, 0]], dtype=np.float64)))
        high, wide = picture.shape[:2]
        source = np.array([[-0.5, -0.5], [wide - 0.5, -0.5], [-0.5, high - 0.5]], np.float32)
        to_plan = cv2.getAffineTransform(source, corners.astype(np.float32))
        border = cv2.BORDER_TRANSPARENT
        cv2.warpAffine(picture, to_plan, (width, height), dst=drawing, flags=cv2.INTER_LINEAR, borderMode=border)
        outline = np.array(sheets[located.sheet].outline_mm)
        cv2.fillPoly(covered, [np.round(plan.to_plan(located.pose.to_table(outline))).astype(np.int32)], 1)
    drawing[covered == 0] = 0
    if isinstance(squares, Plain):
        squares.painted(drawing, plan, covered)
    elif squares is not None:
        for file, rank in np.ndindex(SIDE, SIDE):
            corners = np.round(plan.to_plan(squares.board.squares_mm()[file, rank])).astype(np.int32)
            colour = squares.light_bgr if (file + rank) % 2 else squares.dark_bgr
            cv2.fillConvexPoly(drawing, corners, colour)
            cv2.fillConvexPoly(covered, corners, 1)
    return drawing, covered.astype(bool)


_PRINTED: dict[tuple[str, float], NDArray[np.uint8]] = {}


def _printed(sheet: str, px_per_mm: float) -> NDArray[np.uint8]:
    """The sheet's drawing at this scale; drawn once a process, since drawing costs more than reading it."""
    key = (sheet, round(px_per_mm, 6))
    if key not in _PRINTED:
        _PRINTED[key] = draw(load_sheets()[sheet], px_per_mm)
    return _PRINTED[key]


@dataclass(frozen=True)
class LightField:
    """How much light white paper sends to the camera, by place: log-quadratic, one set of coefficients a channel."""

    centre_mm: tuple[float, float]
    span_mm: float
    coefficients: tuple[tuple[float, ...], ...]  # (3 channels BGR, 6 terms)
    spread: float  # log units: how far plain paper strays from the field

    def at(self, points_mm: NDArray[np.float64]) -> Picture:
        """Linear light of white paper, shape (n, 3), at table points, shape (n, 2)."""
        terms = _terms(points_mm, self.centre_mm, self.span_mm)
        return np.asarray(np.exp(terms @ np.array(self.coefficients).T), dtype=np.float32)


def _terms(points_mm: NDArray[np.float64], centre_mm: tuple[float, float], span_mm: float) -> NDArray[np.float64]:
    x, y = ((points_mm - np.array(centre_mm)) / span_mm).T
    return np.stack([np.ones_like(x), x, y, x * x, x * y, y * y], axis=1)


def light_field(image_bgr: NDArray[np.uint8], table: LocatedTable) -> LightField:
    """Fit the light on the paper, robustly: whatever stands on it is mostly darker, so outliers below go first.

    Raises NoColour when no paper is seen that reflects all three channels.
    """
    plan = plan_of(table, SETTINGS.field_px_per_mm)
    seen = linear(seen_on(plan, image_bgr, table.camera)).reshape(-1, 3)
    drawing, covered = printed_on(plan, table)
    paper = linear(drawing).reshape(-1, 3)
    plain = covered.ravel() & (paper.min(axis=1) > SETTINGS.plain_above) & (seen.min(axis=1) > 1e-4)
    if not plain.any():
        raise NoColour(
            "No paper is seen that looks white: the lamp or the picture has hardly more than one colour, so pyramids "
            "cannot be told apart. Light the table with white light."
        )
    points = plan.points_mm()[plain]
    logs = np.log(seen[plain] / paper[plain])
    centre = tuple(points.mean(axis=0))
    span = max(float(np.ptp(points, axis=0).max() / 2), 1.0)
    terms = _terms(points, (float(centre[0]), float(centre[1])), span)
    trusted = np.ones(len(points), bool)
    fit = np.zeros((6, 3))
    fit[0] = np.quantile(logs, SETTINGS.first_level, axis=0)
    for tightness in np.linspace(SETTINGS.first_tolerance, 1.0, SETTINGS.fit_rounds):
        residual = logs - terms @ fit
        worst_low, worst_high = residual.min(axis=1), residual.max(axis=1)
        trusted = worst_low > -SETTINGS.shadow_tolerance * tightness
        trusted &= worst_high < SETTINGS.glare_tolerance * tightness
        if trusted.sum() < SETTINGS.least_samples:
            break
        pull = np.diag([0, 1, 1, 4, 4, 4]) * SETTINGS.flatness * trusted.sum()  # towards a flat field
        fit = np.linalg.solve(terms[trusted].T @ terms[trusted] + pull, terms[trusted].T @ logs[trusted])
    spread = float(np.median(np.abs(logs[trusted] - terms[trusted] @ fit))) if trusted.any() else 1.0
    return LightField((float(centre[0]), float(centre[1])), span, tuple(tuple(map(float, c)) for c in fit.T), spread)
