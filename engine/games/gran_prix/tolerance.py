"""How exact places are, and what follows for the judge: what is the same, what is elsewhere, what is doubt."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property

SMALL_MOVE_MM = 26.4  # a small car's length
SHEET_TIMES = 1.73  # 95 of 100 places of a plane are within so many times the root mean square error


@dataclass(frozen=True)
class Tolerance:
    """How far places may be off, from the error of the camera's readings: 95 of 100 are off by less, mm and degrees.

    The defaults are what poses of lying pieces differ by from the truth on rendered photos of the printed oval.
    `sheet_mm` is how exactly this photo's sheets are located, root mean square: see `engine.table.Scene`. Where a car
    should be follows from where it was seen and is compared with where it is seen, so two readings' errors count,
    and that of the heading along the way; hands lay pieces some 2 mm off.
    """

    error_mm: float = 1.9
    error_deg: float = 4.2
    sheet_mm: float = 0.0

    @cached_property
    def reading_mm(self) -> float:
        """What 95 of 100 places are off by at most, the sheets' own error included."""
        return math.hypot(self.error_mm, SHEET_TIMES * self.sheet_mm)

    @cached_property
    def is_vague(self) -> bool:
        """Whether places are so inexact that one move of a small car cannot be told from none."""
        return self._little_mm > SMALL_MOVE_MM

    @cached_property
    def little_mm(self) -> float:
        """A car that is off by no more is where it should be."""
        return min(self._little_mm, SMALL_MOVE_MM / 2)

    @cached_property
    def _little_mm(self) -> float:
        return 2.0 + 3.2 * self.reading_mm

    @cached_property
    def clear_mm(self) -> float:
        """A car that is off by more is elsewhere; between the two the umpire asks."""
        return 2 * self._little_mm - 2.0

    @cached_property
    def little_deg(self) -> float:
        """Half of a turn is 15 degrees; a heading that is off by no more is the same."""
        return min(15.0, 5.0 + 2 * self.error_deg)

    @cached_property
    def doubt_mm(self) -> float:
        """Whether cars touch, or a line is passed, cannot be told more finely."""
        return 1.0 + 1.6 * self.reading_mm
