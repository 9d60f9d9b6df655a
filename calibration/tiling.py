"""How a printable sheet comes onto paper: turned, set on its page, and cut into tiles where it is too large for one.

Sheet coordinates as in `calibration.sheets`. Page coordinates are millimetres, origin at the page's bottom-left
corner as it is read, x right, y up.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise, product
from types import MappingProxyType

from calibration.sheets import QUIET_MM, Point, Sheet

Box = tuple[float, float, float, float]  # left, bottom, right, top
Span = tuple[float, float]

PRINTER_MARGIN_MM = 5.0  # most printers leave 3 to 5 mm of a page's edge white
FOOT_MM = 8.0  # what is kept for the ruler line, below or beside the tile
FLAP_MM = 10.0  # paper left for the neighbouring tile to be glued on
CUT_MM = 1.0  # scissors may go astray by so much and still not touch a marker or a patch


class TilingError(Exception):
    """The sheet cannot be cut to fit the paper; the message names the sheet."""


@dataclass(frozen=True)
class Paper:
    """A size of paper, upright."""

    name: str
    width_mm: float
    height_mm: float


PAPERS = MappingProxyType({"a4": Paper("A4", 210.0, 297.0), "letter": Paper("Letter", 215.9, 279.4)})


@dataclass(frozen=True)
class Tile:
    """What of a sheet is on one page, and where."""

    sheet: Sheet
    row: int  # of the sheet's tiles, from the bottom
    column: int  # from the left
    box_mm: Box  # on the sheet
    flap_mm: Point  # right of and above the box: paper that the neighbours are glued on, 0 where there is none
    page_mm: Point  # width and height of the page
    at_mm: Point  # where on the page the box's bottom-left corner is
    foot_mm: Box  # on the page: for the ruler line; higher than wide when it is beside the tile

    def on_page(self, point_mm: Point) -> Point:
        """The page's point of a sheet's point."""
        return self.at_mm[0] + point_mm[0] - self.box_mm[0], self.at_mm[1] + point_mm[1] - self.box_mm[1]


def tiles_of(sheet: Sheet, paper: Paper) -> tuple[Tile, ...]:
    """The sheet on as few pages as possible, top row first; no seam cuts a marker or a patch. Raises TilingError."""
    cuts = [cut for page in _pages(paper) if (cut := _cut(sheet, page)) is not None]
    if not cuts:
        raise TilingError(f"Sheet {sheet.id} cannot be cut to fit {paper.name} paper without cutting a marker.")
    page, columns, rows = min(cuts, key=lambda cut: len(cut[1]) * len(cut[2]))
    return tuple(
        _tile(sheet, page, (row, column), (columns, rows))
        for row, column in product(reversed(range(len(rows))), range(len(columns)))
    )


@dataclass(frozen=True)
class _Page:
    """A page turned one way, with its foot in one place."""

    size_mm: Point
    room_mm: Box
    foot_mm: Box


def _pages(paper: Paper) -> Iterator[_Page]:
    """The ways to use the paper: upright first, the foot below first."""
    m = PRINTER_MARGIN_MM
    for width, height in ((paper.width_mm, paper.height_mm), (paper.height_mm, paper.width_mm)):
        right, top = width - m, height - m
        yield _Page((width, height), (m, m + FOOT_MM, right, top), (m, m, right, m + FOOT_MM))
        yield _Page((width, height), (m, m, right - FOOT_MM, top), (right - FOOT_MM, m, right, top))


def _cut(sheet: Sheet, page: _Page) -> tuple[_Page, tuple[Span, ...], tuple[Span, ...]] | None:
    """The page with the columns and rows of tiles; None when it cannot be done."""
    left, bottom, right, top = page.room_mm
    columns = _parts(sheet.size_mm[0], right - left, _whole(sheet, 0))
    rows = _parts(sheet.size_mm[1], top - bottom, _whole(sheet, 1))
    return None if columns is None or rows is None else (page, columns, rows)


def _whole(sheet: Sheet, axis: int) -> tuple[Span, ...]:
    """Where along the axis, 0 for x and 1 for y, no seam may be: what must stay whole is there."""
    half = sheet.marker_mm / 2 + QUIET_MM + CUT_MM
    markers = tuple((m.centre_mm[axis] - half, m.centre_mm[axis] + half) for m in sheet.markers)
    patches = tuple((p.rect_mm[axis] - CUT_MM, p.rect_mm[axis] + p.rect_mm[axis + 2] + CUT_MM) for p in sheet.patches)
    return markers + patches


def _parts(length: float, room: float, whole: tuple[Span, ...]) -> tuple[Span, ...] | None:
    """As few parts of the length as fit the room, as even as can be; all but the last with a flap.

    >>> _parts(372.0, 200.0, ((172.5, 199.5),))
    ((0.0, 172.5), (172.5, 372.0))
    """
    most = int(length // (room - FLAP_MM)) + 2
    for count in range(1, most + 1):
        seams = _seams(length, room, count, whole)
        if seams is not None:
            return tuple(pairwise((0.0, *seams, length)))
    return None


def _seams(length: float, room: float, count: int, whole: tuple[Span, ...]) -> tuple[float, ...] | None:
    """Where `count` parts meet, each near its even place; None when the parts would not fit the room."""
    seams: list[float] = []
    for k in range(1, count):
        least = length - room - (count - k - 1) * (room - FLAP_MM)
        most = (seams[-1] if seams else 0.0) + room - FLAP_MM
        even = length * k / count
        places = [min(max(even, least), most), *(end for span in whole for end in span)]
        free = [p for p in places if least <= p <= most and not any(a < p < b for a, b in whole)]
        if not free:
            return None
        seams.append(min(free, key=lambda p: abs(p - even)))
    return tuple(seams) if length - (seams[-1] if seams else 0.0) <= room else None


def _tile(sheet: Sheet, page: _Page, place: tuple[int, int], parts: tuple[tuple[Span, ...], tuple[Span, ...]]) -> Tile:
    """The tile in this row and column, in the middle of the page's room."""
    row, column = place
    columns, rows = parts
    (left, right), (bottom, top) = columns[column], rows[row]
    flap = (0.0 if column == len(columns) - 1 else FLAP_MM, 0.0 if row == len(rows) - 1 else FLAP_MM)
    room = page.room_mm
    at = (
        (room[0] + room[2] - (right - left + flap[0])) / 2,
        (room[1] + room[3] - (top - bottom + flap[1])) / 2,
    )
    return Tile(sheet, row, column, (left, bottom, right, top), flap, page.size_mm, at, page.foot_mm)
