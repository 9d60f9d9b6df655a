"""Pyramids in notation: a letter and the pips, r, g, b, y and 1, 2, 3."""

from __future__ import annotations

from engine.table import Colour, Pyramid, Size

LETTERS = {"r": Colour.RED, "g": Colour.GREEN, "b": Colour.BLUE, "y": Colour.YELLOW}
KINDS = tuple(Pyramid(colour, size) for colour in LETTERS.values() for size in Size)  # the twelve of the game (II.2)

Pyramids = tuple[Pyramid, ...]


def piece_text(pyramid: Pyramid) -> str:
    """A piece's letter and pips: g1.

    >>> piece_text(Pyramid(Colour.GREEN, Size.SMALL))
    'g1'
    """
    return f"{pyramid.colour.value[0]}{int(pyramid.size)}"


def stack_text(pyramids: Pyramids) -> str:
    """A stack, bottom first.

    >>> stack_text((piece("r3"), piece("g1")))
    'r3g1'
    """
    return "".join(map(piece_text, pyramids))


def piece(text: str) -> Pyramid:
    """The pyramid that `piece_text` wrote. Raises KeyError or ValueError for other text."""
    return Pyramid(LETTERS[text[:1].lower()], Size(int(text[1:])))


def pips_of(pyramids: Pyramids) -> int:
    return sum(int(pyramid.size) for pyramid in pyramids)
