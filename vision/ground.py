"""The plain ground between the corner cards: a whiteboard, paper or table on which a track is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.chessboard import LAYOUT
from calibration.locate import LocateError
from calibration.opencv import sampled
from calibration.optics import Camera, LocatedSheet, LocatedTable
from calibration.sheets import load_sheets
from vision.ink import Ink, grown, ink_of
from vision.paper import LightField, Plain, Plan, linear, nearest_srgb, seen_on

CARDS = ("corner-sw", "corner-se", "corner-nw", "corner-ne")


@dataclass(frozen=True)
class GroundSettings:
    """Scales of looking at the ground."""

    sample_mm: float = 20.0  # its colour is the median over a grid so fine
    px_per_mm: float = 2.0  # a fine pen's line is then three pixels wide; no finer than the photo
    most_px: int = 2400  # of the longer side: of large boards less is seen
    card_rim_mm: float = 5.0  # around a card: its shadow and its edge


SETTINGS = GroundSettings()


class NoGround(LocateError):  # noqa: N818  named as what players are told
    """The picture shows no corner cards, so nobody knows where the ground is."""


@dataclass(frozen=True)
class Ground:
    """Table points, mm, between the outermost edges of the cards: the lower left corner and the upper right one."""

    low_mm: tuple[float, float]
    high_mm: tuple[float, float]

    def holds(self, x_mm: float, y_mm: float) -> bool:
        return self.low_mm[0] <= x_mm <= self.high_mm[0] and self.low_mm[1] <= y_mm <= self.high_mm[1]

    @property
    def outline_mm(self) -> NDArray[np.float64]:
        """Shape (4, 2), counter-clockwise."""
        (x0, y0), (x1, y1) = self.low_mm, self.high_mm
        return np.array([[x0, y0], [x1, y0], [x1, y1], [x0, y1]])

    def colour(self, image_bgr: NDArray[np.uint8], camera: Camera, field: LightField) -> tuple[int, int, int]:
        """Under white light, BGR: the median of the ground, which pieces and lines hardly cover."""
        columns = np.arange(self.low_mm[0] + SETTINGS.sample_mm, self.high_mm[0], SETTINGS.sample_mm)
        rows = np.arange(self.low_mm[1] + SETTINGS.sample_mm, self.high_mm[1], SETTINGS.sample_mm)
        points = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
        pixels = camera.project(np.column_stack([points, np.zeros(len(points))]))[None].astype(np.float32)
        seen = linear(sampled(image_bgr, pixels, outside=0.0)[0]) / field.at(points)
        return nearest_srgb(np.median(seen, axis=0))

    def plain(self, image_bgr: NDArray[np.uint8], table: LocatedTable, field: LightField) -> Plain:
        """The ground as a sheet would be printed: its colour, and what is drawn on it."""
        plan, ink = drawn_on(image_bgr, table)
        return Plain(self.outline_mm, self.colour(image_bgr, table.camera, field), plan, ink.strokes)


def ground_of(table: LocatedTable) -> Ground:
    """The ground between the cards that are seen. Raises NoGround."""
    if table.layout != LAYOUT:
        raise NoGround("This picture shows other sheets than the four corner cards, between which a track is drawn.")
    outlines = [sheet.pose.to_table(np.array(load_sheets()[sheet.sheet].outline_mm)) for sheet in table.sheets]
    corners = np.concatenate(outlines)
    low, high = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return Ground((low[0], low[1]), (high[0], high[1]))


def first_card(table: LocatedTable) -> LocatedSheet:
    """The card in whose frame everything on the ground is told: the first that is seen, in the order of CARDS."""
    return min(table.sheets, key=lambda card: CARDS.index(card.sheet) if card.sheet in CARDS else len(CARDS))


def drawn_on(image_bgr: NDArray[np.uint8], table: LocatedTable) -> tuple[Plan, Ink]:
    """The ink on the ground between the cards, on a plan from the one's outer edge to the other's. Raises NoGround."""
    ground = ground_of(table)
    low, high = np.array(ground.low_mm), np.array(ground.high_mm)
    seen_px_per_mm = table.camera.px_per_mm_at(*((low + high) / 2).tolist())
    px_per_mm = min(SETTINGS.px_per_mm, seen_px_per_mm, SETTINGS.most_px / float((high - low).max()))
    width, height = np.ceil((high - low) * px_per_mm).astype(int)
    plan = Plan((float(low[0]), float(high[1])), px_per_mm, (int(width), int(height)))
    covered = np.zeros((height, width), np.uint8)
    for sheet in table.sheets:
        outline = sheet.pose.to_table(np.array(load_sheets()[sheet.sheet].outline_mm))
        cv2.fillPoly(covered, [np.round(plan.to_plan(outline)).astype(np.int32)], 1)
    seen = seen_on(plan, image_bgr, table.camera)
    is_ground = (grown(covered, SETTINGS.card_rim_mm * px_per_mm) == 0) & (seen.max(axis=2) > 0)
    return plan, ink_of(seen, px_per_mm, is_ground)
