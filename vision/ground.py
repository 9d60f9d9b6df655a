"""The plain ground between the corner cards: a whiteboard, paper or table on which a track is drawn."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.chessboard import LAYOUT
from calibration.locate import LocateError
from calibration.opencv import sampled
from calibration.optics import Camera, LocatedSheet, LocatedTable
from calibration.sheets import load_sheets
from vision.paper import LightField, linear, nearest_srgb

SAMPLE_MM = 20.0  # the ground's colour is the median over a grid so fine


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
        columns = np.arange(self.low_mm[0] + SAMPLE_MM, self.high_mm[0], SAMPLE_MM)
        rows = np.arange(self.low_mm[1] + SAMPLE_MM, self.high_mm[1], SAMPLE_MM)
        points = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
        pixels = camera.project(np.column_stack([points, np.zeros(len(points))]))[None].astype(np.float32)
        seen = linear(sampled(image_bgr, pixels, outside=0.0)[0]) / field.at(points)
        return nearest_srgb(np.median(seen, axis=0))


def ground_of(table: LocatedTable) -> Ground:
    """The ground between the cards that are seen. Raises NoGround."""
    if table.layout != LAYOUT:
        raise NoGround("This picture shows other sheets than the four corner cards, between which a track is drawn.")
    outlines = [sheet.pose.to_table(np.array(load_sheets()[sheet.sheet].outline_mm)) for sheet in table.sheets]
    corners = np.concatenate(outlines)
    low, high = corners.min(axis=0).tolist(), corners.max(axis=0).tolist()
    return Ground((low[0], low[1]), (high[0], high[1]))


def card_near(table: LocatedTable, x_mm: float, y_mm: float) -> LocatedSheet:
    """The card that is nearest to a table point: its frame says best where that is."""

    def away_mm(card: LocatedSheet) -> float:
        middle = card.pose.to_table(np.array([load_sheets()[card.sheet].size_mm]) / 2)[0]
        return float(np.hypot(*(middle - (x_mm, y_mm))))

    return min(table.sheets, key=away_mm)
