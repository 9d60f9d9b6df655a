"""The sheets on paper: which ones were asked for, and a PDF of them in true millimetres, or a picture of one.

The PDF has a contents page with pictures of how the sheets lie, then a page for each sheet or tile of one. Page
coordinates are those of `calibration.tiling`.
"""

from __future__ import annotations

import io
import math
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from fpdf import FPDF
from numpy.typing import NDArray
from PIL import Image

from calibration.optics import SheetPose
from calibration.pen import BLACK, WHITE, Pen, rectangle
from calibration.sheets import (
    FINE_PX_PER_MM,
    Fill,
    Label,
    Layout,
    Line,
    Point,
    Sheet,
    draw,
    load_layouts,
    load_sheets,
    paint,
)
from calibration.tiling import FOOT_MM, PRINTER_MARGIN_MM, Box, Paper, Tile, tiles_of

RULER_MM, RULER_STEP_MM, RULER_START_MM = 100.0, 10.0, 3.0  # it starts a little in, clear of the marks to cut along
HAIR_MM = 0.2
SMALL_MM, BODY_MM, TITLE_MM = 1.5, 1.8, 4.0  # heights of capitals
CUT_MARK_MM, CUT_MARK_GAP_MM = 2.5, 0.5
FLAP_SRGB, PALE_SRGB, MARK_SRGB, SEAM_SRGB = (228, 228, 228), (190, 190, 190), (110, 110, 110), (200, 30, 30)
TAG_SHARE = 0.7  # of a miniature's width that its name may take
HEAD_MM = 36.0  # title and introduction of the contents
LIST_COLUMNS, LIST_ROW_MM = 2, 3.6
PICTURE_COLUMNS, PICTURE_MM, CAPTION_MM = 3, 48.0, 6.0  # height of a layout's picture, and of the words under it
PICTURE_GAP_MM = 5.0
INTRODUCTION = (
    'Print every page at 100 % ("actual size"), with no scaling, on {paper} paper. Thick, matt paper is best.',
    "Measure the line at the foot of a page: if it is not 100 mm long, the printer has scaled the page; print it anew.",
    "Cut along the marks at the corners where sheets meet. Lay the sheets flat, as in the pictures; a few millimetres",
    "of gap or turn do no harm. Only the tiles of a large sheet must meet exactly: glue them on the grey flaps.",
)


class UnknownSheetError(Exception):
    """No sheet is what was asked for; the message says what there is."""


# --- choosing --------------------------------------------------------------------------------------------------------


def chosen(names: Sequence[str], player: int | None = None) -> tuple[Sheet, ...]:
    """The sheets by names of sheets, layouts (`silos-4p`) or families (`silos`); all of them when none is named.

    With a player only the sheets that are that player's own. Raises UnknownSheetError.

    >>> [sheet.id for sheet in chosen(["silos", "board"], player=3)]
    ['silos-3']
    """
    ids = dict.fromkeys(id for name in names for id in _ids_of(name)) if names else _in_order(load_sheets())
    sheets = tuple(load_sheets()[id] for id in ids)
    return sheets if player is None else _of_player(sheets, player)


def _ids_of(name: str) -> tuple[str, ...]:
    if name in load_sheets():
        return (name,)
    if name in load_layouts():
        return load_layouts()[name].sheets
    family = _in_order(id for id in load_sheets() if id.startswith(f"{name}-"))
    if not family:
        known = ", ".join(dict.fromkeys((*_families(), *load_layouts())))
        raise UnknownSheetError(f"There is no sheet, layout or family of sheets {name!r}. There are: {known}.")
    return family


def _in_order(ids: Iterable[str]) -> tuple[str, ...]:
    """By name, numbers by size: `silos-10` comes last."""
    return tuple(sorted(ids, key=lambda id: [int(part) if part.isdigit() else part for part in re.split(r"(\d+)", id)]))


def _families() -> dict[str, None]:
    """The sheets by what is before the last dash where several share it."""
    stems = [id.rsplit("-", 1)[0] for id in load_sheets()]
    return dict.fromkeys(stem if stems.count(stem) > 1 else id for stem, id in zip(stems, load_sheets(), strict=True))


def _of_player(sheets: tuple[Sheet, ...], player: int) -> tuple[Sheet, ...]:
    players = sorted({sheet.player for sheet in sheets if sheet.player is not None})
    if not players:
        raise UnknownSheetError(f"None of these sheets is a player's own: {', '.join(sheet.id for sheet in sheets)}.")
    if player not in players:
        raise UnknownSheetError(f"There is no sheet for player {player}: players are {players[0]} to {players[-1]}.")
    return tuple(sheet for sheet in sheets if sheet.player == player)


# --- the whole -------------------------------------------------------------------------------------------------------


def png_of(sheet: Sheet) -> bytes:
    """A PNG picture of the sheet that knows its true size: 8 pixels a millimetre."""
    buffer = io.BytesIO()
    dots_per_inch = FINE_PX_PER_MM * 25.4
    Image.fromarray(draw(sheet, FINE_PX_PER_MM)[..., ::-1]).save(buffer, "PNG", dpi=(dots_per_inch, dots_per_inch))
    return buffer.getvalue()


def pdf_of(sheets: Sequence[Sheet], paper: Paper) -> bytes:
    """The contents and all sheets for this paper. Raises TilingError."""
    tiles = tuple(tile for sheet in sheets for tile in tiles_of(sheet, paper))
    book = _book(sheets, tiles, paper)
    pdf = FPDF(unit="mm")
    pdf.set_auto_page_break(False)
    pdf.set_title("Pyramid Umpire: mats")
    for number in range(1, len(book.pictures) + 1):
        _add_page(pdf, (paper.width_mm, paper.height_mm))
        _draw_contents(pdf, book, number)
    for tile in tiles:
        _add_page(pdf, tile.page_mm)
        _draw_tile(pdf, book, tile)
    return bytes(pdf.output())


Place = tuple[str, int, int]  # a tile by its sheet, row and column


@dataclass(frozen=True)
class _Book:
    """What is on which page."""

    paper: Paper
    tiles: tuple[Tile, ...]
    pictures: tuple[tuple[Layout, ...], ...]  # on each contents page

    @property
    def pages(self) -> int:
        return len(self.pictures) + len(self.tiles)

    def page_of(self, place: Place) -> int:
        """Counted from 1, the contents included."""
        return len(self.pictures) + 1 + [_place(tile) for tile in self.tiles].index(place)

    def tiles_of(self, sheet: str) -> tuple[Tile, ...]:
        return tuple(tile for tile in self.tiles if tile.sheet.id == sheet)

    def pages_of(self, sheet: str) -> str:
        """Such as `page 4` or `pages 4 to 7`; empty when the sheet is not printed."""
        numbers = [self.page_of(_place(tile)) for tile in self.tiles_of(sheet)]
        if len(numbers) > 1:
            return f"pages {numbers[0]} to {numbers[-1]}"
        return f"page {numbers[0]}" if numbers else ""


def _place(tile: Tile) -> Place:
    return tile.sheet.id, tile.row, tile.column


def _book(sheets: Sequence[Sheet], tiles: tuple[Tile, ...], paper: Paper) -> _Book:
    layouts = _layouts_for(sheets, tiles)
    first = PICTURE_COLUMNS * _rows_of_pictures(paper, _list_depth(len(sheets)))
    later = PICTURE_COLUMNS * _rows_of_pictures(paper, PRINTER_MARGIN_MM)
    starts = (0, *range(first, len(layouts), later), max(first, len(layouts)))
    return _Book(paper, tiles, tuple(layouts[start:end] for start, end in pairwise(starts)))


def _layouts_for(sheets: Sequence[Sheet], tiles: tuple[Tile, ...]) -> tuple[Layout, ...]:
    """Those that the sheets complete, and for a sheet in none of them the smallest that has it.

    A layout of a single page needs no picture.
    """
    ids = [sheet.id for sheet in sheets]
    complete = [layout for layout in load_layouts().values() if set(layout.sheets) <= set(ids)]
    held = {id for layout in complete for id in layout.sheets}
    for id in ids:
        having = [layout for layout in load_layouts().values() if id in layout.sheets]
        if id not in held and having:
            complete.append(min(having, key=lambda layout: len(layout.sheets)))
            held.update(complete[-1].sheets)
    pages = [tile.sheet.id for tile in tiles]
    return tuple(lay for lay in complete if len(lay.sheets) > 1 or pages.count(lay.sheets[0]) > 1)


def _add_page(pdf: FPDF, size_mm: Point) -> None:
    width, height = size_mm
    pdf.add_page(
        orientation="landscape" if width > height else "portrait", format=(min(width, height), max(width, height))
    )


# --- a tile's page ---------------------------------------------------------------------------------------------------


def _draw_tile(pdf: FPDF, book: _Book, tile: Tile) -> None:
    """The tile, its flaps, the marks to cut along and the foot."""
    left, bottom, right, top = tile.box_mm
    pen = Pen(pdf, SheetPose(tile.at_mm[0] - left, tile.at_mm[1] - bottom, 0.0))
    _draw_flaps(pen, book, tile)
    with Pen(pdf).within(*tile.on_page((left, bottom)), *tile.on_page((right, top))):
        paint(_part_of(tile), pen)
    _draw_cut_marks(pen, tile)
    place = f"{tile.sheet.id}, page {book.page_of(_place(tile))} of {book.pages}, {book.paper.name}."
    _draw_foot(pdf, tile.foot_mm, (f"{tile.sheet.title}", f"{place} Cut along the marks at the corners."))


def _part_of(tile: Tile) -> Sheet:
    """The sheet with the tile's own markers only; the others would be drawn for nothing."""
    left, bottom, right, top = tile.box_mm
    own = (m for m in tile.sheet.markers if left < m.centre_mm[0] < right and bottom < m.centre_mm[1] < top)
    return replace(tile.sheet, markers=tuple(own))


def _draw_flaps(pen: Pen, book: _Book, tile: Tile) -> None:
    """Grey strips right of and above the tile, each with the page that is glued on it."""
    left, bottom, right, top = tile.box_mm
    beside, above = tile.flap_mm
    flaps = (
        ((right, bottom, right + beside, top + above), 90.0, (tile.sheet.id, tile.row, tile.column + 1)),
        ((left, top, right, top + above), 0.0, (tile.sheet.id, tile.row + 1, tile.column)),
    )
    for box, turn, neighbour in flaps:
        if box[2] > box[0] and box[3] > box[1]:
            pen.fill(Fill(rectangle(*box), FLAP_SRGB))
            middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
            words = f"Cut page {book.page_of(neighbour)} along its edge and glue it on this flap, edge on edge."
            _turned(pen, middle, turn).text(Label(words, (0.0, 0.0), BODY_MM), MARK_SRGB)


def _turned(pen: Pen, at_mm: Point, turn_deg: float) -> Pen:
    """The pen in a frame of its own, whose origin is at this point of the drawing."""
    x, y = pen.pose.to_table(np.array([at_mm]))[0].tolist()
    return replace(pen, pose=SheetPose(x, y, turn_deg))


def _draw_cut_marks(pen: Pen, tile: Tile) -> None:
    """Short lines outside of the corners of what is to be cut out, and lines where a seam is."""
    left, bottom, right, top = tile.box_mm
    right, top = right + tile.flap_mm[0], top + tile.flap_mm[1]
    near, far = CUT_MARK_GAP_MM, CUT_MARK_GAP_MM + CUT_MARK_MM
    for x, outwards in ((left, -1), (right, 1)):
        for y, upwards in ((bottom, -1), (top, 1)):
            _hair(pen, (x + near * outwards, y), (x + far * outwards, y))
            _hair(pen, (x, y + near * upwards), (x, y + far * upwards))
    if tile.column > 0:
        _hair(pen, (left, bottom), (left, top))
    if tile.row > 0:
        _hair(pen, (left, bottom), (right, bottom))


def _hair(pen: Pen, start_mm: Point, end_mm: Point) -> None:
    pen.line(Line((start_mm, end_mm), HAIR_MM, MARK_SRGB, closed=False))


def _draw_foot(pdf: FPDF, foot_mm: Box, words: tuple[str, str]) -> None:
    """The ruler line, how to print, and what page this is."""
    x0, y0, x1, y1 = foot_mm
    beside = y1 - y0 > x1 - x0
    pen = Pen(pdf, SheetPose(x1, y0, 90.0) if beside else SheetPose(x0, y0, 0.0))
    length = max(x1 - x0, y1 - y0)
    _draw_ruler(pen)
    how = f"Print at 100 %, no scaling. The line here must be {RULER_MM:g} mm long."
    left = RULER_START_MM + RULER_MM + 5.0
    for row, text in enumerate((how, *words)):
        _write(pen, text, (left, 5.6 - 2.7 * row), length - left)


def _draw_ruler(pen: Pen) -> None:
    up = 5.0
    start, end = RULER_START_MM, RULER_START_MM + RULER_MM
    pen.line(Line(((start + HAIR_MM, up), (end - HAIR_MM, up)), 2 * HAIR_MM, BLACK, closed=False))  # its ends reach out
    for step in range(round(RULER_MM / RULER_STEP_MM) + 1):
        x = start + step * RULER_STEP_MM
        reach = 2.0 if x in (start, end) else 1.0
        pen.line(Line(((x, up - reach), (x, up + reach)), HAIR_MM, BLACK, closed=False))
    pen.text(Label(f"{RULER_MM:g} mm", ((start + end) / 2, 1.6), SMALL_MM), BLACK)


def _write(pen: Pen, text: str, at_mm: Point, room_mm: float, height_mm: float = SMALL_MM) -> None:
    """A line of text from `at_mm`, its bottom left, on; smaller when it would be wider than the room."""
    width = pen.text_width_mm(text, height_mm)
    fit = min(1.0, room_mm / width)
    middle = at_mm[0] + fit * width / 2, at_mm[1] + fit * height_mm / 2
    pen.text(Label(text, middle, fit * height_mm), BLACK)


# --- contents --------------------------------------------------------------------------------------------------------


def _list_depth(count: int) -> float:
    """How far below the page's top edge the list of so many sheets ends, mm."""
    return PRINTER_MARGIN_MM + HEAD_MM + math.ceil(count / LIST_COLUMNS) * LIST_ROW_MM


def _rows_of_pictures(paper: Paper, depth_mm: float) -> int:
    """How many rows of pictures have room below this depth."""
    free = paper.height_mm - depth_mm - PRINTER_MARGIN_MM - FOOT_MM
    return max(0, int(free // (PICTURE_MM + CAPTION_MM)))


def _draw_contents(pdf: FPDF, book: _Book, number: int) -> None:
    """The contents page of this number, counted from 1; the first also has the introduction and the list."""
    paper = book.paper
    sheets = tuple(dict.fromkeys(tile.sheet for tile in book.tiles))
    depth = PRINTER_MARGIN_MM
    if number == 1:
        _draw_introduction(Pen(pdf), paper)
        _draw_list(Pen(pdf), book, sheets)
        depth = _list_depth(len(sheets))
    width = (paper.width_mm - 2 * PRINTER_MARGIN_MM) / PICTURE_COLUMNS
    for n, layout in enumerate(book.pictures[number - 1]):
        row, column = divmod(n, PICTURE_COLUMNS)
        left = PRINTER_MARGIN_MM + column * width
        top = paper.height_mm - depth - row * (PICTURE_MM + CAPTION_MM)
        _draw_layout(pdf, book, layout, (left, top - PICTURE_MM - CAPTION_MM, left + width, top))
    foot = (PRINTER_MARGIN_MM, PRINTER_MARGIN_MM, paper.width_mm - PRINTER_MARGIN_MM, PRINTER_MARGIN_MM + FOOT_MM)
    _draw_foot(pdf, foot, ("How the sheets lie", f"Contents, page {number} of {book.pages}, {paper.name}."))


def _draw_introduction(pen: Pen, paper: Paper) -> None:
    top, room = paper.height_mm - PRINTER_MARGIN_MM, paper.width_mm - 2 * PRINTER_MARGIN_MM
    _write(pen, "Pyramid Umpire: mats to print", (PRINTER_MARGIN_MM, top - 8.0), room, TITLE_MM)
    for row, text in enumerate(INTRODUCTION):
        _write(pen, text.format(paper=paper.name), (PRINTER_MARGIN_MM, top - 15.0 - 4.2 * row), room, BODY_MM)


def _draw_list(pen: Pen, book: _Book, sheets: tuple[Sheet, ...]) -> None:
    """Each sheet's pages, name and title, column after column."""
    rows = math.ceil(len(sheets) / LIST_COLUMNS)
    width = (book.paper.width_mm - 2 * PRINTER_MARGIN_MM) / LIST_COLUMNS
    top = book.paper.height_mm - PRINTER_MARGIN_MM - HEAD_MM
    for n, sheet in enumerate(sheets):
        column, row = divmod(n, rows)
        left, y = PRINTER_MARGIN_MM + column * width, top - row * LIST_ROW_MM
        _write(pen, book.pages_of(sheet.id), (left, y), 20.0)
        _write(pen, f"{sheet.id}: {sheet.title}", (left + 21.0, y), width - 23.0)


def _draw_layout(pdf: FPDF, book: _Book, layout: Layout, cell_mm: Box) -> None:
    """A small picture of how the layout's sheets lie, and its name."""
    left, bottom, right, _ = cell_mm
    low, high = _extent(layout)
    room = np.array([right - left, PICTURE_MM]) - PICTURE_GAP_MM
    scale = float((room / (high - low)).min())
    middle = np.array([(left + right) / 2, bottom + CAPTION_MM + PICTURE_MM / 2])
    corner = middle - scale * (low + high) / 2
    for sheet, pose in layout.places:
        x, y = (corner + scale * np.array([pose.x_mm, pose.y_mm])).tolist()
        _draw_miniature(Pen(pdf, SheetPose(x, y, pose.turn_deg), scale), book, load_sheets()[sheet])
    width, height = (high - low).tolist()
    caption = f"{layout.name}: {width:.0f} by {height:.0f} mm"
    below = float(middle[1]) - scale * height / 2 - 2 * BODY_MM
    Pen(pdf).text(Label(caption, (float(middle[0]), below), BODY_MM), BLACK)


def _extent(layout: Layout) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """The layout's lowest and highest x and y, shape (2,) each, table mm."""
    sheets = load_sheets()
    corners = np.concatenate(
        [pose.to_table(np.array(rectangle(0.0, 0.0, *sheets[id].size_mm))) for id, pose in layout.places]
    )
    return corners.min(axis=0), corners.max(axis=0)


def _draw_miniature(pen: Pen, book: _Book, sheet: Sheet) -> None:
    """The sheet with what can be told at this size; only its outline when it is not printed."""
    width, height = sheet.size_mm
    tiles = book.tiles_of(sheet.id)
    if tiles:
        for fill in sheet.fills:
            pen.fill(fill)
        for line in sheet.lines:
            pen.line(line)
        for marker in sheet.markers:
            x, y = marker.centre_mm
            half = sheet.marker_mm / 2
            pen.fill(Fill(rectangle(x - half, y - half, x + half, y + half), BLACK))
    ink = MARK_SRGB if tiles else PALE_SRGB
    pen.line(Line(rectangle(0.0, 0.0, width, height), HAIR_MM / pen.scale, ink, closed=True))
    for tile in tiles if len(tiles) > 1 else ():
        pen.line(Line(rectangle(*tile.box_mm), HAIR_MM / pen.scale, SEAM_SRGB, closed=True))
        left, bottom, right, top = tile.box_mm
        _tag(pen, f"page {book.page_of(_place(tile))}", ((left + right) / 2, (bottom + top) / 2), right - left)
    if len(tiles) < 2:
        x, y = _free_middle(sheet)
        apart = 0.8 * SMALL_MM / pen.scale
        _tag(pen, sheet.id, (x, y + apart), width)
        _tag(pen, book.pages_of(sheet.id) or "not printed", (x, y - apart), width)


def _free_middle(sheet: Sheet) -> Point:
    """The sheet's middle, moved away from its markers."""
    x, y = np.mean([marker.centre_mm for marker in sheet.markers], axis=0).tolist()
    return sheet.size_mm[0] - x, sheet.size_mm[1] - y


def _tag(pen: Pen, text: str, middle_mm: Point, room_mm: float) -> None:
    """Small letters on white in the middle of a miniature."""
    height = SMALL_MM / pen.scale
    width = pen.text_width_mm(text, height)
    fit = min(1.0, TAG_SHARE * room_mm / width)
    x, y = middle_mm
    across, up = fit * width / 2, fit * height
    pen.fill(Fill(rectangle(x - across - up / 3, y - 0.8 * up, x + across + up / 3, y + 0.8 * up), WHITE))
    pen.text(Label(text, middle_mm, fit * height), BLACK)
