"""What can be said: the moves, their notation, and `parse`, which undoes it."""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import InvalidNotation
from engine.game import Touch
from engine.games.squares import Square


@dataclass(frozen=True)
class Move:
    """A Mid goes from one square to another; `target` None is off the board."""

    origin: Square
    target: Square | None

    def __str__(self) -> str:
        return f"move {self.origin}-{self.target or 'off'}"


_MOVE = re.compile(r"\s*move\s+([a-h][1-8])\s*-\s*([a-h][1-8]|off)\s*", re.IGNORECASE)
_TOUCH = re.compile(r"touch (\S+) (.+) -> (.+)")


def parse(text: str) -> Move | Touch:
    """The move that `str` wrote.

    >>> parse("move c4-e6")
    Move(origin=Square(file=2, rank=3), target=Square(file=4, rank=5))
    """
    if found := _MOVE.fullmatch(text):
        origin, target = found[1].lower(), found[2].lower()
        return Move(Square.parse(origin), None if target == "off" else Square.parse(target))
    if found := _TOUCH.fullmatch(text):
        return Touch(found[1], found[2], found[3])
    raise InvalidNotation(text, "a move such as 'move c4-e6'")
