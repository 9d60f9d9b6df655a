"""The solid pieces: their measures, and every stack that can stand.

Measures from looneypyramids.wiki, "Piece" (RULES.md 2.2): a base edge of 9/16, 25/32 and 1 inch, a height of 1, 1 3/8
and 1 3/4 inch, and a cavity 3/8 inch lower than the piece, so that each piece of a stack raises its tip by that step.
"""

from __future__ import annotations

import itertools

_INCH_MM = 25.4
BASE_MM = {1: 9 / 16 * _INCH_MM, 2: 25 / 32 * _INCH_MM, 3: _INCH_MM}
HEIGHT_MM = {1: _INCH_MM, 2: 1.375 * _INCH_MM, 3: 1.75 * _INCH_MM}
STEP_MM = 0.375 * _INCH_MM
STAND_MM = 2.0  # half way between the tops of a card (0.8) and a chip (3.3)
LEVELS = 6


def sequences() -> tuple[tuple[int, ...], ...]:
    """Sizes by pips, bottom first: no piece on a smaller one, at most six (83 of them)."""
    found = [s for n in range(1, LEVELS + 1) for s in itertools.product((3, 2, 1), repeat=n)]
    return tuple(s for s in found if all(a >= b for a, b in itertools.pairwise(s)))


SEQUENCES = sequences()
