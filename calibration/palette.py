"""What a camera saw of each colour under one light: taught by one pyramid on each cell of the colour card.

A look is what a piece's faces send to the camera, in linear light over the light of white paper beside it, as three
logarithms: brightness, red over blue, and green over both. So a brighter or yellower lamp changes it little, and of
what is printed only the neutral paper is trusted.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Look = tuple[float, float, float]

SPREAD: Look = (0.5, 0.35, 0.4)
"""Standard deviation between two pieces of one colour in one photo: 1.4 times that of a piece about its colour's mean,
over all upright pieces of the photos with truth (0.37, 0.25, 0.28)."""
TAIL = 4.0  # degrees of freedom: a shadow or a reflection may change a look beyond all spreads
USUAL_DISTANCE = 3.0  # squared, in spreads, of a piece from its own colour: what an untaught colour is given
FARTHEST = 100.0  # of a look from paper, logarithm: nothing on earth is so bright; whole numbers may have any size
ALIKE = 1.5  # spreads; two colours nearer than this cannot be told apart by their looks


@dataclass(frozen=True)
class Palette:
    """The taught looks by colour, and the day."""

    made_on: date
    looks: tuple[tuple[str, Look], ...]

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(colour for colour, _ in self.looks)

    def log_likelihoods(self, seen: Floats, colours: Sequence[str]) -> Floats:
        """How well each of the colours fits what was seen, shape (..., 3): logarithms, shape (..., colours).

        A colour that was not taught fits everything as well as a taught one usually fits its own pieces.
        """
        taught = dict(self.looks)
        squares = np.full((*seen.shape[:-1], len(colours)), USUAL_DISTANCE)
        for place, colour in enumerate(colours):
            if colour in taught:
                squares[..., place] = (((seen - taught[colour]) / SPREAD) ** 2).sum(axis=-1)
        return np.asarray(-(TAIL + 3) / 2 * np.log1p(squares / TAIL))

    def alike(self) -> tuple[tuple[str, str], ...]:
        """Pairs of colours that look nearly the same under this light."""
        pairs = [(a, b) for n, a in enumerate(self.looks) for b in self.looks[n + 1 :]]
        return tuple((a, b) for (a, one), (b, other) in pairs if _apart(one, other) < ALIKE)

    def to_json(self) -> dict[str, Any]:
        return {"made_on": self.made_on.isoformat(), "looks": {colour: list(look) for colour, look in self.looks}}


def _apart(one: Look, other: Look) -> float:
    return math.sqrt(sum(((a - b) / spread) ** 2 for a, b, spread in zip(one, other, SPREAD, strict=True)))


def palette_from_json(value: Any) -> Palette:
    """The palette of what JSON said. Raises ValueError that says what is expected."""
    if not isinstance(value, dict) or not isinstance(value.get("looks"), dict) or not value["looks"]:
        raise ValueError("an object with the day made_on and the looks by colour")
    try:
        made_on = date.fromisoformat(value.get("made_on", ""))
    except (TypeError, ValueError):
        raise ValueError("made on a day such as 2025-10-31") from None
    return Palette(made_on, tuple((str(colour), _look(look)) for colour, look in value["looks"].items()))


def _look(value: Any) -> Look:
    numbers = value if isinstance(value, list) else []
    fine = len(numbers) == 3 and all(isinstance(n, int | float) and not isinstance(n, bool) for n in numbers)
    if not fine or not all(abs(n) <= FARTHEST for n in numbers):
        raise ValueError("three numbers for each colour's look")
    return float(numbers[0]), float(numbers[1]), float(numbers[2])
