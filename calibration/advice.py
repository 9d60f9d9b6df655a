"""What to change about the light, the markers and the camera's place, in words, from one picture of the mat.

Grey values are 0 to 255. A marker's own frame: millimetres from its middle, x right and y up on its sheet.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from enum import Enum

import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.appearance import Floats
from calibration.locate import LensHint, LocateError, absence_words, locate
from calibration.optics import LocatedSheet, LocatedTable
from calibration.sheets import QUIET_MM, Marker, Sheet, load_layouts, load_sheets

Point = tuple[float, float]


@dataclass(frozen=True)
class AdviceSettings:
    """Thresholds of the advice."""

    dark_below: float = 100.0  # grey value of white paper; colours drown in noise below
    burnt_above: float = 250.0
    burnt_part: float = 0.2  # of the markers' white borders
    soft_above_mm: float = 1.75  # an edge's width on the paper; sharp photos have 0.7 to 1.5
    glare_part: float = 0.25  # of a marker's black rim that shines
    small_below_px_per_mm: float = 1.3  # on the paper: modules of a marker are then 3 px
    blind_part: float = 0.01  # of the mat that may lie there
    blind: float = 0.15  # distance from the foot point over height; within, one count in five fails (VISION_NOTES 8)
    steep_deg: float = 40.0  # beyond, pieces hide each other
    grid_mm: float = 10.0


SETTINGS = AdviceSettings()
STAND_BESIDE = "Stand the camera beside the mat, looking in at 15-30 degrees."


class Sight(Enum):
    """How one marker fares in the picture."""

    SEEN = "seen"
    COVERED = "covered"
    GLARE = "glare"
    OUTSIDE = "outside"


@dataclass(frozen=True)
class MarkerPlace:
    """A marker by its number, and its four corners in the picture, px, whether it is seen there or only should be."""

    id: int
    sheet: str
    corners_px: tuple[Point, ...]
    sight: Sight


@dataclass(frozen=True)
class Advice:
    """What was found of one picture; `table` is None when no mat was, and `mat` then says why.

    What to change: `light` about brightness, blur and glare, `mat` about markers and sheets, `place` about where the
    camera stands. `remarks` are good to know.
    """

    table: LocatedTable | None
    markers: tuple[MarkerPlace, ...]
    light: tuple[str, ...]
    mat: tuple[str, ...]
    place: tuple[str, ...]
    remarks: tuple[str, ...]

    @property
    def changes(self) -> tuple[str, ...]:
        """All that should change."""
        return (*self.light, *self.mat, *self.place)


def advise(image_bgr: NDArray[np.uint8], hint: LensHint | None = None) -> Advice:
    """Advice on a picture, shape (height, width, 3); what is known of its lens helps to place the camera."""
    try:
        table = locate(image_bgr, hint)
    except LocateError as fault:
        return Advice(None, (), (), (str(fault),), (), ())
    grey = opencv.grey_of(image_bgr)
    looks = [_MarkerLook.of(grey, table, located, marker) for located, marker in _printed(table)]
    markers = _judged(looks)
    light = (*_light(looks), *_sharpness(grey, looks), *_told(markers, Sight.GLARE))
    absent, warnings = _absent(table)
    mat = (*_told(markers, Sight.COVERED), *_told(markers, Sight.OUTSIDE), *warnings)
    place, remarks = _standing(table)
    return Advice(table, markers, light, mat, (*_nearness(looks), *place), (*absent, *remarks))


def _absent(table: LocatedTable) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """A remark on the layout's sheets that are not seen, for one sheet is enough for a camera; other warnings."""
    layout, seen = load_layouts().get(table.layout), [located.sheet for located in table.sheets]
    absent = [sheet for sheet in layout.sheets if sheet not in seen] if layout else []
    if not absent:
        return (), table.warnings
    said = [absence_words(sheet, table.layout) for sheet in absent]
    words = f"Of the layout {table.layout} the picture does not show {', '.join(absent)}: lay them out before a game."
    return (words,), tuple(warning for warning in table.warnings if warning not in said)


def drawn(image_bgr: NDArray[np.uint8], advice: Advice) -> NDArray[np.uint8]:
    """A copy of the picture, BGR, with seen markers outlined in green and the others in red with their numbers."""
    picture = image_bgr.copy()
    width = max(2, round(max(picture.shape) / 500))
    for marker in advice.markers:
        colour = (60, 190, 40) if marker.sight is Sight.SEEN else (40, 40, 230)
        corners = np.array(marker.corners_px)
        opencv.draw_polyline(picture, corners, colour, width, True)
        if marker.sight is not Sight.SEEN:
            x, y = corners.mean(axis=0).tolist()
            opencv.draw_text(picture, str(marker.id), (x, y), width / 3, colour)
    return picture


# --- markers ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, eq=False)
class _MarkerLook:
    """Grey values of a marker's surroundings: of the white around it, its black rim and its whole square."""

    marker: Marker
    sheet: str
    is_found: bool
    corners_px: Floats
    is_inside: bool
    white: Floats
    rim: Floats
    square: Floats

    @classmethod
    def of(cls, grey: NDArray[np.uint8], table: LocatedTable, located: LocatedSheet, marker: Marker) -> _MarkerLook:
        sheet = load_sheets()[located.sheet]
        half, module = sheet.marker_mm / 2, sheet.marker_mm / opencv.MARKER_MODULES

        def pixels(points_mm: Floats) -> Floats:
            flat = located.pose.to_table(np.array(marker.centre_mm) + points_mm)
            return table.camera.project(np.column_stack([flat, np.zeros(len(flat))]))

        def values(points_mm: Floats) -> Floats:
            return np.asarray(opencv.sampled(grey, pixels(points_mm)[None])[0], dtype=np.float64)

        corners = pixels(half * np.array([[-1.0, 1], [1, 1], [1, -1], [-1, -1]]))
        size = np.array(grey.shape[::-1])
        inside = bool(np.isfinite(corners).all() and (corners > 0).all() and (corners < size - 1).all())
        found = marker.id not in located.missing_markers
        rim, square = _ring(half - module / 2), np.concatenate([_ring(half - (n + 0.5) * module) for n in range(4)])
        white = _ring(half + QUIET_MM / 2)
        return cls(marker, sheet.id, found, corners, inside, values(white), values(rim), values(square))

    @property
    def px_per_mm(self) -> float:
        side_mm = load_sheets()[self.sheet].marker_mm
        sides = np.linalg.norm(np.roll(self.corners_px, -1, axis=0) - self.corners_px, axis=1)
        return float(sides.mean()) / side_mm


def _ring(half_mm: float) -> Floats:
    """Points along a square of this half side, shape (28, 2)."""
    along = np.linspace(-half_mm, half_mm, 7, endpoint=False)
    side = np.stack([along, np.full(7, -half_mm)], axis=1)
    turns = [np.array([[1.0, 0], [0, 1]]), np.array([[0.0, 1], [-1, 0]]), -np.eye(2), np.array([[0.0, -1], [1, 0]])]
    return np.concatenate([side @ turn for turn in turns])


def _printed(table: LocatedTable) -> list[tuple[LocatedSheet, Marker]]:
    return [(located, marker) for located in table.sheets for marker in load_sheets()[located.sheet].markers]


def _judged(looks: list[_MarkerLook]) -> tuple[MarkerPlace, ...]:
    found = [look for look in looks if look.is_found]
    white = float(np.median([np.median(look.white) for look in found]))
    black = float(np.median([np.median(look.rim) for look in found]))
    shines = black + 0.5 * (white - black)
    return tuple(
        MarkerPlace(
            look.marker.id, look.sheet, tuple((x, y) for x, y in look.corners_px.tolist()), _sight(look, shines)
        )
        for look in looks
    )


def _sight(look: _MarkerLook, shines: float) -> Sight:
    if not look.is_inside:
        return Sight.SEEN if look.is_found else Sight.OUTSIDE
    shining = float((look.rim > shines).mean()) > SETTINGS.glare_part
    if look.is_found:
        return Sight.GLARE if shining else Sight.SEEN
    burnt = float((look.square >= SETTINGS.burnt_above).mean()) > SETTINGS.glare_part
    return Sight.GLARE if shining and burnt else Sight.COVERED


TOLD = {
    Sight.GLARE: "There is glare on {}: move the lamp, or turn the mat.",
    Sight.COVERED: "The picture does not show {}: uncover the paper there, and lay it flat.",
    Sight.OUTSIDE: "The picture cuts off {}: move the camera back, or aim it anew.",
}


def _told(markers: tuple[MarkerPlace, ...], sight: Sight) -> list[str]:
    """The markers that fare so, by number."""
    numbers = [str(marker.id) for marker in markers if marker.sight is sight]
    named = f"marker{'s' if len(numbers) > 1 else ''} {', '.join(numbers)}"
    return [TOLD[sight].format(named)] if numbers else []


# --- light and sharpness ---------------------------------------------------------------------------------------------


def _light(looks: list[_MarkerLook]) -> list[str]:
    whites = np.concatenate([look.white for look in looks if look.is_found])
    paper = float(np.median(whites))
    if paper < SETTINGS.dark_below:
        return [
            f"The picture is dark: white paper comes out as {paper:.0f} of 255. Turn on a lamp or expose longer, until "
            "it is 180 to 240."
        ]
    burnt = float((whites >= SETTINGS.burnt_above).mean())
    if burnt > SETTINGS.burnt_part:
        return [
            f"The picture is too bright: {burnt:.0%} of the white paper is burnt out, and colours with it. Lower the "
            "exposure or dim the light."
        ]
    return []


def _sharpness(grey: NDArray[np.uint8], looks: list[_MarkerLook]) -> list[str]:
    widths = [_edge_mm(grey, look) for look in looks if look.is_found and look.is_inside]
    if not widths or float(np.median(widths)) <= SETTINGS.soft_above_mm:
        return []
    return [
        f"The picture is blurred: edges on the paper are {np.median(widths):.1f} mm wide. Focus on the mat, wipe the "
        "lens, and fix the camera so that it does not shake."
    ]


def _edge_mm(grey: NDArray[np.uint8], look: _MarkerLook) -> float:
    """Width of the edge from the rim to the white around it, by its steepest step."""
    corners = look.corners_px
    along = np.roll(corners, -1, axis=0) - corners
    outward = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1, keepdims=True)
    module_px = float(np.linalg.norm(along, axis=1).mean()) / opencv.MARKER_MODULES
    steps = np.linspace(-module_px, module_px, 41)
    starts = corners[:, None] + np.array([0.3, 0.5, 0.7])[:, None] * along[:, None]
    points = starts[:, :, None] + steps[:, None] * outward[:, None, None]
    profiles = opencv.sampled(grey, points.reshape(-1, len(steps), 2)).astype(np.float64)
    rise = np.diff(profiles, axis=1).max(axis=1) / (steps[1] - steps[0])
    contrast = profiles.max(axis=1) - profiles.min(axis=1)
    return float(np.median(contrast / np.maximum(rise, 1e-6))) / look.px_per_mm


# --- the camera's place ----------------------------------------------------------------------------------------------


def _nearness(looks: list[_MarkerLook]) -> list[str]:
    scale = float(np.median([look.px_per_mm for look in looks if look.is_found]))
    if scale >= SETTINGS.small_below_px_per_mm:
        return []
    return [
        f"The mat is small in the picture ({scale:.1f} pixels a millimetre): bring the camera nearer, zoom in, or take "
        "larger pictures."
    ]


def _standing(table: LocatedTable) -> tuple[list[str], tuple[str, ...]]:
    """What to change about where the camera stands, and where its foot point lies."""
    foot, height = table.camera.foot_mm, table.camera.height_mm
    points = np.concatenate([_grid_mm(load_sheets()[each.sheet], each) for each in table.sheets])
    away = np.linalg.norm(points - foot, axis=1)
    blind = float((away < SETTINGS.blind * height).mean())
    middle = points.mean(axis=0)
    slant_deg = math.degrees(math.atan2(float(np.linalg.norm(middle - foot)), height))
    where = f"The camera is {height:.0f} mm above the paper; the point straight under it lies {_where(table, foot)}."
    looking = f"It looks in at {slant_deg:.0f} degrees on the middle of the mat."
    if blind > SETTINGS.blind_part:
        reach = SETTINGS.blind * height
        problem = (
            f"Stacks within {reach:.0f} mm of that point ({blind:.0%} of the mat) are often miscounted from there."
        )
        return [f"{where} {problem} {STAND_BESIDE}"], (looking,)
    if slant_deg > SETTINGS.steep_deg:
        problem = f"It looks in too flatly, at {slant_deg:.0f} degrees, so pieces hide each other."
        return [f"{where} {problem} Raise it: beside the mat, looking in at 15-30 degrees."], ()
    return [], (f"{where} {looking} Stacks can be counted everywhere on the mat.",)


def _where(table: LocatedTable, point_mm: Floats) -> str:
    """A place on the table in words."""
    for located in table.sheets:
        sheet = load_sheets()[located.sheet]
        x, y = located.pose.to_sheet(point_mm[None])[0].tolist()
        if sheet.holds(x, y):
            zone = sheet.zone_at(x, y)
            return f"on sheet {sheet.id}" + (f", at {zone}" if zone else "")
    away = min(_distance_mm(located, point_mm) for located in table.sheets)
    return f"{away:.0f} mm beside the mat"


def _distance_mm(located: LocatedSheet, point_mm: Floats) -> float:
    """From a table point to the sheet's paper."""
    size = np.array(load_sheets()[located.sheet].size_mm)
    on_sheet = located.pose.to_sheet(point_mm[None])[0]
    return float(np.linalg.norm(on_sheet - np.clip(on_sheet, 0, size))) * located.pose.scale


def _grid_mm(sheet: Sheet, located: LocatedSheet) -> Floats:
    """Table points all over the sheet, shape (n, 2)."""
    axes = (np.arange(SETTINGS.grid_mm / 2, side, SETTINGS.grid_mm) for side in sheet.size_mm)
    return located.pose.to_table(np.stack(np.meshgrid(*axes), axis=-1).reshape(-1, 2))
