"""What can be said: the moves, their notation, and `parse`, which undoes it.

move c4-e6          a Mid moves                    fly d4-d5 b1 n     a small blue missile moves, pointing north
shoot d3 g1 d4 n    the Mid on d3 makes a missile of its small green top on d4, pointing north
attack c5xb4        a Mid attacks another          split b4 2 a3      the top two pyramids become a Mid on a3
strike d5 b1 n      of several missiles on d5 this one hits next

Pieces are a letter and their pips: r, g, b, y and 1, 2, 3. `off` is off the board. What is said before the first round,
dice and cards: see `preparing_notation`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from engine.errors import InvalidNotation
from engine.game import Touch
from engine.games.martian_mids.pieces import piece, piece_text
from engine.games.martian_mids.preparing_notation import SaidAloud, parse_said
from engine.games.squares import Square
from engine.table import Pyramid


@dataclass(frozen=True)
class Move:
    """A Mid goes from one square to another; `target` None is off the board."""

    origin: Square
    target: Square | None

    def __str__(self) -> str:
        return f"move {self.origin}-{self.target or 'off'}"


@dataclass(frozen=True)
class Shoot:
    """The Mid on `origin` makes a missile of a pyramid and lays it on `target`."""

    origin: Square
    pyramid: Pyramid
    target: Square
    direction: str

    def __str__(self) -> str:
        return f"shoot {self.origin} {piece_text(self.pyramid)} {self.target} {self.direction}"


@dataclass(frozen=True)
class Attack:
    """The Mid on `origin` attacks the one on `victim`, in the manner of its top pyramid."""

    origin: Square
    victim: Square

    def __str__(self) -> str:
        return f"attack {self.origin}x{self.victim}"


@dataclass(frozen=True)
class Split:
    """The answer to a cleaver: the top `count` pyramids of the Mid on `origin` become a Mid on `target`."""

    origin: Square
    count: int
    target: Square

    def __str__(self) -> str:
        return f"split {self.origin} {self.count} {self.target}"


@dataclass(frozen=True)
class Strike:
    """The answer where several missiles lie in a square that a Mid entered: which one hits next."""

    place: Square
    pyramid: Pyramid
    direction: str

    def __str__(self) -> str:
        return f"strike {self.place} {piece_text(self.pyramid)} {self.direction}"


@dataclass(frozen=True)
class Fly:
    """A missile moves at the end of the round and lies on, hits the Mid on, or leaves the board for `target`."""

    origin: Square
    target: Square | None
    pyramid: Pyramid
    direction: str

    def __str__(self) -> str:
        return f"fly {self.origin}-{self.target or 'off'} {piece_text(self.pyramid)} {self.direction}"


Action = Move | Shoot | Attack
Said = Move | Shoot | Attack | Split | Strike | Fly | Touch | SaidAloud

_SQUARE, _PIECE, _WAY = "([a-h][1-8])", "([rgby][123])", "(ne|nw|se|sw|n|e|s|w)"
_MOVE = re.compile(rf"\s*move\s+{_SQUARE}\s*-\s*([a-h][1-8]|off)\s*")
_SHOOT = re.compile(rf"\s*shoot\s+{_SQUARE}\s+{_PIECE}\s+{_SQUARE}\s+{_WAY}\s*")
_ATTACK = re.compile(rf"\s*attack\s+{_SQUARE}\s*x\s*{_SQUARE}\s*")
_SPLIT = re.compile(rf"\s*split\s+{_SQUARE}\s+(\d+)\s+{_SQUARE}\s*")
_STRIKE = re.compile(rf"\s*strike\s+{_SQUARE}\s+{_PIECE}\s+{_WAY}\s*")
_FLY = re.compile(rf"\s*fly\s+{_SQUARE}\s*-\s*([a-h][1-8]|off)\s+{_PIECE}\s+{_WAY}\s*")


def parse(text: str) -> Said:
    """The move that `str` wrote. Raises InvalidNotation.

    >>> parse("move c4-e6")
    Move(origin=Square(file=2, rank=3), target=Square(file=4, rank=5))
    >>> str(parse("Shoot d3 G1 d4 n"))
    'shoot d3 g1 d4 n'
    """
    InvalidNotation.check_length(text)
    if touch := Touch.parse(text):
        return touch
    said = text.lower()
    if found := _MOVE.fullmatch(said):
        return Move(Square.parse(found[1]), _square_or_off(found[2]))
    if found := _SHOOT.fullmatch(said):
        return Shoot(Square.parse(found[1]), piece(found[2]), Square.parse(found[3]), found[4])
    if found := _ATTACK.fullmatch(said):
        return Attack(Square.parse(found[1]), Square.parse(found[2]))
    if found := _SPLIT.fullmatch(said):
        return Split(Square.parse(found[1]), int(found[2]), Square.parse(found[3]))
    if found := _STRIKE.fullmatch(said):
        return Strike(Square.parse(found[1]), piece(found[2]), found[3])
    if found := _FLY.fullmatch(said):
        return Fly(Square.parse(found[1]), _square_or_off(found[2]), piece(found[3]), found[4])
    if (aloud := parse_said(text)) is not None:
        return aloud
    raise InvalidNotation(text, "a move such as 'move c4-e6', 'shoot d3 g1 d4 n' or 'attack c5xb4'")


def _square_or_off(text: str) -> Square | None:
    return None if text == "off" else Square.parse(text)
