"""Draws on the pages of a PDF in true millimetres, in any frame laid on the page: the vector twin of `sheets.draw`.

Page coordinates are millimetres from the page's bottom-left corner, y up; only this module knows that the PDF library
counts from the top. Colours are sRGB.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from fpdf import FPDF
from fpdf.drawing_primitives import DeviceRGB
from fpdf.enums import PathPaintRule

from calibration import opencv
from calibration.optics import SheetPose
from calibration.sheets import (
    LABEL_SRGB,
    PATCH_RIM_MM,
    PATCH_RIM_SRGB,
    Colour,
    Fill,
    Label,
    Line,
    Marker,
    Patch,
    Point,
)

WHITE, BLACK = (255, 255, 255), (0, 0, 0)
FONT = "Helvetica"  # one of the letters every PDF reader has: nothing is embedded
CAPITAL_EM = 0.718  # height of Helvetica's capitals, by its metrics
POINT_MM = 25.4 / 72
ON_THE_PAGE = SheetPose(0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False)
class Pen:
    """A `sheets.Surface`: what it is given is scaled, turned and put where `pose` says on the PDF's last page."""

    pdf: FPDF
    pose: SheetPose = ON_THE_PAGE  # page_from_drawing
    scale: float = 1.0

    def fill(self, fill: Fill) -> None:
        self.pdf.set_fill_color(*fill.srgb)
        self.pdf.polygon(self._from_top(fill.polygon_mm), style="F")

    def line(self, line: Line) -> None:
        self.pdf.set_draw_color(*line.srgb)
        self.pdf.set_line_width(line.width_mm * self.scale)
        self.pdf.polyline(self._from_top(line.points_mm), polygon=line.closed)

    def label(self, label: Label) -> None:
        self.text(label, LABEL_SRGB)

    def text(self, label: Label, srgb: Colour) -> None:
        """Letters around the label's middle, along the drawing's x axis."""
        (x, y), *_ = self._from_top([label.at_mm])
        self._choose_letters(label.height_mm)
        self.pdf.set_text_color(*srgb)
        with self.pdf.rotation(self.pose.turn_deg, x, y):
            across, up = self.pdf.get_string_width(label.text), label.height_mm * self.scale
            self.pdf.text(x - across / 2, y + up / 2, label.text)

    def text_width_mm(self, text: str, height_mm: float) -> float:
        """How wide the text becomes, in the drawing's millimetres."""
        self._choose_letters(height_mm)
        return float(self.pdf.get_string_width(text)) / self.scale

    def patch(self, patch: Patch) -> None:
        x, y, width, height = patch.rect_mm
        inset = PATCH_RIM_MM / 2
        rim = rectangle(x + inset, y + inset, x + width - inset, y + height - inset)
        self.fill(Fill(rectangle(x, y, x + width, y + height), patch.srgb))
        self.line(Line(rim, PATCH_RIM_MM, PATCH_RIM_SRGB, closed=True))

    def blank(self, centre_mm: Point, half_mm: float) -> None:
        self.fill(Fill(_square(centre_mm, half_mm), WHITE))

    def marker(self, marker: Marker, side_mm: float) -> None:
        """One path for the whole AprilTag, so that no hairlines show between its modules."""
        with self.pdf.new_path(paint_rule=PathPaintRule.FILL_EVENODD) as path:
            path.style.fill_color = DeviceRGB(0, 0, 0)
            path.style.stroke_color = None
            for outline in (_square(marker.centre_mm, side_mm / 2), *_white_runs(marker, side_mm)):
                first, *others = self._from_top(outline)
                path.move_to(*first)
                for point in others:
                    path.line_to(*point)
                path.close()

    @contextmanager
    def within(self, left_mm: float, bottom_mm: float, right_mm: float, top_mm: float) -> Iterator[None]:
        """Nothing is drawn outside of this box of the page."""
        with (
            self.pdf.local_context(),
            self.pdf.rect_clip(left_mm, self.pdf.h - top_mm, right_mm - left_mm, top_mm - bottom_mm),
        ):
            yield

    def _choose_letters(self, height_mm: float) -> None:
        self.pdf.set_font(FONT, size=height_mm * self.scale / CAPITAL_EM / POINT_MM)

    def _from_top(self, points_mm: Iterable[Point]) -> list[Point]:
        """The drawing's points in the PDF library's frame."""
        on_page = self.pose.to_table(np.array(list(points_mm), dtype=np.float64) * self.scale)
        return [(x, self.pdf.h - y) for x, y in on_page.tolist()]


def rectangle(left_mm: float, bottom_mm: float, right_mm: float, top_mm: float) -> tuple[Point, ...]:
    """The corners, counter-clockwise."""
    return (left_mm, bottom_mm), (right_mm, bottom_mm), (right_mm, top_mm), (left_mm, top_mm)


def _square(centre_mm: Point, half_mm: float) -> tuple[Point, ...]:
    x, y = centre_mm
    return rectangle(x - half_mm, y - half_mm, x + half_mm, y + half_mm)


def _white_runs(marker: Marker, side_mm: float) -> Iterator[tuple[Point, ...]]:
    """The outlines of the marker's white modules, neighbours in a row joined."""
    module = side_mm / opencv.MARKER_MODULES
    left, top = marker.centre_mm[0] - side_mm / 2, marker.centre_mm[1] + side_mm / 2
    for row, modules in enumerate(opencv.marker_picture(marker.id, opencv.MARKER_MODULES)):
        edges = np.flatnonzero(np.diff(modules > 0, prepend=False, append=False))
        for start, end in edges.reshape(-1, 2).tolist():
            yield rectangle(left + start * module, top - (row + 1) * module, left + end * module, top - row * module)
