"""The printable sheets and the layouts they form, as data: read, checked and drawn.

Sheet coordinates are millimetres, origin at the sheet's bottom-left corner, x right, y up. Colours of the data are
sRGB triples of 0..255; drawn pictures are BGR with row 0 at the top. Markers are AprilTags 36h11, printed upright.
A sheet without markers is no mat: nothing is located by it, and it has no zones and no place in a layout.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.optics import SheetPose

Point = tuple[float, float]
Colour = tuple[int, int, int]  # sRGB

DICTIONARY = "DICT_APRILTAG_36h11"
FOLDER = Path(__file__).parent / "sheets"  # unlike importlib.resources this also works for an editable install
LAYOUTS_FILE = "layouts.json"
SLACK_MM = 0.01  # rounding of the files' polygons
MOST_PLAYERS = 10  # who have a sheet each: one for each colour of pyramids
FINE_PX_PER_MM = 8  # drawings are made at least this fine and then averaged down: 0.25 mm lines keep their weight
LABEL_SRGB = (60, 60, 60)
PATCH_RIM_SRGB = (120, 120, 120)
PATCH_RIM_MM = 0.125
LETTER_PX = 22.0  # height of a capital of OpenCV's simplex letters at scale 1
QUIET_MM = 2.5  # white kept free around a marker: one of its modules


class SheetError(Exception):
    """A sheet or layout file is not as it should be; the message names the file and the field."""


@dataclass(frozen=True)
class Marker:
    """An AprilTag by its number, and where its middle is."""

    id: int
    centre_mm: Point


@dataclass(frozen=True)
class Patch:
    """A patch of known colour; `rect_mm` is left, bottom, width, height."""

    name: str
    srgb: Colour
    rect_mm: tuple[float, float, float, float]


@dataclass(frozen=True)
class Zone:
    """A named place; a finish line has two points, everything else encloses an area."""

    name: str
    kind: str
    polygon_mm: tuple[Point, ...]

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether the point is inside; of two zones that share an edge one holds it.

        >>> square = Zone("a1", "square", ((0, 0), (42, 0), (42, 42), (0, 42)))
        >>> square.holds(0, 20), square.holds(42, 20)
        (True, False)
        """
        inside = False
        for (x0, y0), (x1, y1) in pairwise((*self.polygon_mm, self.polygon_mm[0])):
            if (y0 > y_mm) != (y1 > y_mm) and x_mm < x0 + (y_mm - y0) * (x1 - x0) / (y1 - y0):
                inside = not inside
        return inside


@dataclass(frozen=True)
class Fill:
    """A printed area."""

    polygon_mm: tuple[Point, ...]
    srgb: Colour


@dataclass(frozen=True)
class Line:
    """A printed line."""

    points_mm: tuple[Point, ...]
    width_mm: float
    srgb: Colour
    closed: bool


@dataclass(frozen=True)
class Label:
    """Printed letters; `at_mm` is the middle of the text."""

    text: str
    at_mm: Point
    height_mm: float


@dataclass(frozen=True)
class Sheet:
    """One printable sheet."""

    id: str
    title: str
    size_mm: Point
    marker_mm: float  # side of a marker's black square
    markers: tuple[Marker, ...]
    patches: tuple[Patch, ...]
    zones: tuple[Zone, ...]
    fills: tuple[Fill, ...]
    lines: tuple[Line, ...]
    labels: tuple[Label, ...]
    player: int | None = None  # whose sheet it is, where each player has one; counted from 1
    cut_mm: tuple[Point, ...] = ()  # the outline of the paper that is left where a part is cut away

    @property
    def outline_mm(self) -> tuple[Point, ...]:
        """The paper's corners as it lies on the table."""
        width, height = self.size_mm
        return self.cut_mm or ((0.0, 0.0), (width, 0.0), (width, height), (0.0, height))

    @property
    def is_mat(self) -> bool:
        """Whether things lie on it and a table is located by it."""
        return len(self.markers) > 0

    def holds(self, x_mm: float, y_mm: float) -> bool:
        """Whether the point is on the paper."""
        return 0 <= x_mm <= self.size_mm[0] and 0 <= y_mm <= self.size_mm[1]

    def zone_at(self, x_mm: float, y_mm: float) -> str | None:
        """The zone's name; on a track sheet `track` or `off`; None beside the zones and beside the sheet."""
        if not self.holds(x_mm, y_mm):
            return None
        outer, inner = self._zone_of("track-outer"), self._zone_of("track-inner")
        if outer is not None:
            on_infield = inner is not None and inner.holds(x_mm, y_mm)
            return "track" if outer.holds(x_mm, y_mm) and not on_infield else "off"
        return next((zone.name for zone in self.zones if zone.holds(x_mm, y_mm)), None)

    def _zone_of(self, kind: str) -> Zone | None:
        return next((zone for zone in self.zones if zone.kind == kind), None)


@dataclass(frozen=True)
class Layout:
    """How sheets are meant to lie on the table: `places` are (sheet, table_from_sheet)."""

    name: str
    places: tuple[tuple[str, SheetPose], ...]

    @property
    def sheets(self) -> tuple[str, ...]:
        return tuple(sheet for sheet, _ in self.places)

    def pose_of(self, sheet: str) -> SheetPose | None:
        return dict(self.places).get(sheet)


# --- reading ---------------------------------------------------------------------------------------------------------


@cache
def load_sheets() -> Mapping[str, Sheet]:
    """The shipped sheets by id. Raises SheetError."""
    return sheets_from(FOLDER)


@cache
def load_layouts() -> Mapping[str, Layout]:
    """The shipped layouts by name. Raises SheetError."""
    return layouts_from(FOLDER, load_sheets())


def sheets_from(folder: Path) -> Mapping[str, Sheet]:
    """All sheets of a folder by id, in name order. Raises SheetError."""
    paths = sorted(
        (p for p in folder.iterdir() if p.name.endswith(".json") and p.name != LAYOUTS_FILE), key=lambda p: p.name
    )
    sheets = {}
    for path in paths:
        sheet = sheet_from_json(_parsed(path), path.name)
        _expect(sheet.id == path.name.removesuffix(".json"), path.name, "id", "the file's name without .json", sheet.id)
        sheets[sheet.id] = sheet
    _check_markers_differ(sheets.values())
    return MappingProxyType(sheets)


def layouts_from(folder: Path, sheets: Mapping[str, Sheet]) -> Mapping[str, Layout]:
    """All layouts of a folder's layouts.json by name. Raises SheetError."""
    read = _Field(_parsed(folder / LAYOUTS_FILE), LAYOUTS_FILE, "layouts")
    layouts = {}
    for name, field in read.entries():
        places = tuple((sheet, SheetPose(*place.numbers(3))) for sheet, place in field.entries())
        for sheet, _ in places:
            _expect(sheet in sheets, LAYOUTS_FILE, name, "made of known sheets", sheet)
            _expect(sheets[sheet].is_mat, LAYOUTS_FILE, name, "made of sheets with markers", sheet)
        _expect(len(places) > 0, LAYOUTS_FILE, name, "at least one sheet", field.value)
        layouts[name] = Layout(name, places)
    return MappingProxyType(layouts)


def sheet_from_json(value: Any, file: str) -> Sheet:
    """The checked sheet of what JSON said; `file` is named in errors. Raises SheetError."""
    top = _Field(value, file, "")
    _expect(top["dictionary"].value == DICTIONARY, file, "dictionary", DICTIONARY, top["dictionary"].value)
    drawing = top["drawing"]
    sheet = Sheet(
        id=top["id"].text(),
        title=top["title"].text(),
        size_mm=top["size_mm"].point(),
        marker_mm=top["marker_mm"].above_zero(),
        markers=tuple(
            Marker(f["id"].whole(0, opencv.MARKER_COUNT - 1), f["centre_mm"].point()) for f in top["markers"].items()
        ),
        patches=tuple(_patch(f) for f in top["patches"].items()),
        zones=tuple(_zone(f) for f in top["zones"].items()),
        fills=tuple(Fill(f["polygon_mm"].points(3), f["srgb"].colour()) for f in drawing["fills"].items()),
        lines=tuple(_line(f) for f in drawing["lines"].items()),
        labels=tuple(
            Label(f["text"].text(), f["at_mm"].point(), f["height_mm"].above_zero()) for f in drawing["labels"].items()
        ),
        player=top["player"].whole(1, MOST_PLAYERS) if "player" in value else None,
        cut_mm=top["outline_mm"].points(3) if "outline_mm" in value else (),
    )
    _check_sheet(sheet, file)
    return sheet


def _patch(field: _Field) -> Patch:
    x, y, width, height = field["rect_mm"].numbers(4)
    _expect(
        width > 0 and height > 0, field.file, field["rect_mm"].name, "wider and higher than 0", field["rect_mm"].value
    )
    return Patch(field["name"].text(), field["srgb"].colour(), (x, y, width, height))


def _zone(field: _Field) -> Zone:
    kind = field["kind"].text()
    return Zone(field["name"].text(), kind, field["polygon_mm"].points(2 if kind == "finish-line" else 3))


def _line(field: _Field) -> Line:
    closed = field["closed"].value
    _expect(isinstance(closed, bool), field.file, field["closed"].name, "true or false", closed)
    return Line(field["points_mm"].points(2), field["width_mm"].above_zero(), field["srgb"].colour(), closed)


@dataclass(frozen=True)
class _Field:
    """A value of a JSON file that knows where it stands, so that errors can name it."""

    value: Any
    file: str
    name: str

    def __getitem__(self, key: str) -> _Field:
        name = f"{self.name}.{key}" if self.name else key
        _expect(isinstance(self.value, dict), self.file, self.name or "the file", "an object", self.value)
        _expect(key in self.value, self.file, name, "there", "missing")
        return _Field(self.value[key], self.file, name)

    def entries(self) -> tuple[tuple[str, _Field], ...]:
        _expect(isinstance(self.value, dict), self.file, self.name, "an object", self.value)
        return tuple((key, _Field(value, self.file, f"{self.name}.{key}")) for key, value in self.value.items())

    def items(self) -> tuple[_Field, ...]:
        _expect(isinstance(self.value, list), self.file, self.name, "a list", self.value)
        return tuple(_Field(item, self.file, f"{self.name}[{n}]") for n, item in enumerate(self.value))

    def text(self) -> str:
        _expect(isinstance(self.value, str) and self.value != "", self.file, self.name, "a text", self.value)
        return str(self.value)

    def whole(self, least: int, most: int) -> int:
        fine = isinstance(self.value, int) and not isinstance(self.value, bool) and least <= self.value <= most
        _expect(fine, self.file, self.name, f"a whole number from {least} to {most}", self.value)
        return int(self.value)

    def number(self) -> float:
        fine = isinstance(self.value, int | float) and not isinstance(self.value, bool) and math.isfinite(self.value)
        _expect(fine, self.file, self.name, "a number", self.value)
        return float(self.value)

    def above_zero(self) -> float:
        _expect(self.number() > 0, self.file, self.name, "above 0", self.value)
        return float(self.value)

    def numbers(self, count: int) -> tuple[float, ...]:
        fine = isinstance(self.value, list) and len(self.value) == count
        _expect(fine, self.file, self.name, f"{count} numbers", self.value)
        return tuple(item.number() for item in self.items())

    def point(self) -> Point:
        x, y = self.numbers(2)
        return x, y

    def points(self, least: int) -> tuple[Point, ...]:
        points = tuple(item.point() for item in self.items())
        _expect(len(points) >= least, self.file, self.name, f"at least {least} points", self.value)
        return points

    def colour(self) -> Colour:
        _expect(
            isinstance(self.value, list) and len(self.value) == 3, self.file, self.name, "red, green, blue", self.value
        )
        red, green, blue = (item.whole(0, 255) for item in self.items())
        return red, green, blue


def _parsed(path: Path) -> Any:
    try:
        return json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise SheetError(f"{path.name} is missing.") from None
    except (OSError, ValueError) as fault:
        raise SheetError(f"{path.name} cannot be read as JSON: {fault}") from None


def _expect(holds: bool, file: str, field: str, expected: str, came: Any) -> None:
    if not holds:
        shown = repr(came)
        raise SheetError(
            f"{file}: {field} should be {expected}, but is {shown if len(shown) < 80 else shown[:76] + ' ...'}"
        )


def _check_sheet(sheet: Sheet, file: str) -> None:
    """What the fields must be together."""
    _expect(min(sheet.size_mm) > 0, file, "size_mm", "above 0", sheet.size_mm)
    _expect(sheet.is_mat or not sheet.zones, file, "markers", "at least one marker, as there are zones", sheet.markers)
    for n, marker in enumerate(sheet.markers):
        half = sheet.marker_mm / 2
        x, y = marker.centre_mm
        _expect_on_paper(sheet, ((x - half, y - half), (x + half, y + half)), file, f"markers[{n}].centre_mm")
    for n, patch in enumerate(sheet.patches):
        x, y, width, height = patch.rect_mm
        _expect_on_paper(sheet, ((x, y), (x + width, y + height)), file, f"patches[{n}].rect_mm")
    _expect_on_paper(sheet, sheet.cut_mm, file, "outline_mm")
    for n, zone in enumerate(sheet.zones):
        _expect_on_paper(sheet, zone.polygon_mm, file, f"zones[{n}].polygon_mm")
    names = [zone.name for zone in sheet.zones]
    for n, name in enumerate(names):
        _expect(name not in names[:n], file, f"zones[{n}].name", "another name than the zones before", name)


def _expect_on_paper(sheet: Sheet, points: Iterable[Point], file: str, field: str) -> None:
    width, height = sheet.size_mm
    for x, y in points:
        on_it = -SLACK_MM <= x <= width + SLACK_MM and -SLACK_MM <= y <= height + SLACK_MM
        _expect(on_it, file, field, f"on the sheet of {width:g} by {height:g} mm", (x, y))


def _check_markers_differ(sheets: Iterable[Sheet]) -> None:
    owner: dict[int, str] = {}
    for sheet in sheets:
        for n, marker in enumerate(sheet.markers):
            free = marker.id not in owner
            taken = f"used once, but {owner.get(marker.id)} has it too"
            _expect(free, f"{sheet.id}.json", f"markers[{n}].id", taken, marker.id)
            owner[marker.id] = sheet.id


# --- drawing ---------------------------------------------------------------------------------------------------------


class Surface(Protocol):
    """What a sheet can be put on; everything is given in sheet millimetres."""

    def fill(self, fill: Fill) -> None: ...

    def line(self, line: Line) -> None: ...

    def label(self, label: Label) -> None: ...

    def patch(self, patch: Patch) -> None: ...

    def blank(self, centre_mm: Point, half_mm: float) -> None:
        """White paper: a square around its middle."""

    def marker(self, marker: Marker, side_mm: float) -> None: ...


def paint(sheet: Sheet, surface: Surface) -> None:
    """Put all that the sheet shows on the surface, from the back to the front."""
    for fill in sheet.fills:
        surface.fill(fill)
    for line in sheet.lines:
        surface.line(line)
    for label in sheet.labels:
        surface.label(label)
    for patch in sheet.patches:
        surface.patch(patch)
    for marker in sheet.markers:
        surface.blank(marker.centre_mm, sheet.marker_mm / 2 + QUIET_MM)
    for marker in sheet.markers:
        surface.marker(marker, sheet.marker_mm)


def draw(sheet: Sheet, px_per_mm: float) -> NDArray[np.uint8]:
    """The sheet as a printer would put it on white paper.

    Parameters
    ----------
    px_per_mm
        Scale of the result; it is drawn at `FINE_PX_PER_MM` or finer and averaged down.

    Returns
    -------
    BGR picture, shape (height, width, 3); its borders are the paper's edges, row 0 the top one.
    """
    if not px_per_mm > 0:
        raise ValueError(f"px_per_mm should be above 0, but is {px_per_mm}")
    scale = FINE_PX_PER_MM * math.ceil(px_per_mm / FINE_PX_PER_MM)
    width, height = sheet.size_mm
    canvas = _Canvas(np.full((round(height * scale), round(width * scale), 3), 255, np.uint8), height, scale)
    paint(sheet, canvas)
    return opencv.averaged_down(canvas.picture, (round(width * px_per_mm), round(height * px_per_mm)))


def _bgr(srgb: Colour) -> Colour:
    return srgb[2], srgb[1], srgb[0]


@dataclass(frozen=True, eq=False)
class _Canvas:
    """The picture being drawn; the only place that turns sheet millimetres into its pixels."""

    picture: NDArray[np.uint8]
    height_mm: float
    scale: int

    def pixels(self, points_mm: Iterable[Point]) -> NDArray[np.float64]:
        """Shape (n, 2), pixel centres at whole numbers."""
        points = np.array(list(points_mm), dtype=np.float64)
        return np.asarray(np.stack([points[:, 0], self.height_mm - points[:, 1]], axis=1) * self.scale - 0.5)

    def box(self, centre_mm: Point, half_mm: float) -> tuple[slice, slice]:
        """Rows and columns of a square."""
        x, y = centre_mm
        return self.rows(y + half_mm, y - half_mm), self.columns(x - half_mm, x + half_mm)

    def rows(self, top_mm: float, bottom_mm: float) -> slice:
        return slice(
            max(0, round((self.height_mm - top_mm) * self.scale)), round((self.height_mm - bottom_mm) * self.scale)
        )

    def columns(self, left_mm: float, right_mm: float) -> slice:
        return slice(max(0, round(left_mm * self.scale)), round(right_mm * self.scale))

    def fill(self, fill: Fill) -> None:
        opencv.fill_polygon(self.picture, self.pixels(fill.polygon_mm), _bgr(fill.srgb))

    def line(self, line: Line) -> None:
        width = max(1, round(line.width_mm * self.scale))
        opencv.draw_polyline(self.picture, self.pixels(line.points_mm), _bgr(line.srgb), width, line.closed)

    def label(self, label: Label) -> None:
        x, y = self.pixels([label.at_mm])[0]
        opencv.draw_text(self.picture, label.text, (x, y), label.height_mm * self.scale / LETTER_PX, _bgr(LABEL_SRGB))

    def patch(self, patch: Patch) -> None:
        x, y, width, height = patch.rect_mm
        outer = self.rows(y + height, y), self.columns(x, x + width)
        self.picture[outer] = _bgr(PATCH_RIM_SRGB)
        rim = round(PATCH_RIM_MM * self.scale)
        inner = tuple(slice(s.start + rim, s.stop - rim) for s in outer)
        self.picture[inner] = _bgr(patch.srgb)

    def blank(self, centre_mm: Point, half_mm: float) -> None:
        self.picture[self.box(centre_mm, half_mm)] = 255

    def marker(self, marker: Marker, side_mm: float) -> None:
        box = self.box(marker.centre_mm, side_mm / 2)
        self.picture[box] = opencv.marker_picture(marker.id, box[1].stop - box[1].start)[..., None]
