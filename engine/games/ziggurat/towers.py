"""Towers: what damage takes off them, and how colours are called where other pyramids are played with.

A tower is its pyramids, bottom first; () is none. Its colour is its top's.
"""

from __future__ import annotations

import re
from collections import Counter

from engine.table import Colour, Pyramid, Size

Tower = tuple[Pyramid, ...]

TOWERS = 4  # each player begins with: one of each colour that follows
STARTING = (Colour.RED, Colour.BLUE, Colour.YELLOW, Colour.BLACK)
COLOURS = (*STARTING, Colour.GREEN)
LETTERS = {"r": Colour.RED, "b": Colour.BLUE, "y": Colour.YELLOW, "k": Colour.BLACK, "g": Colour.GREEN}
REACHABLE = tuple(tuple(map(Size, sizes)) for sizes in ((3, 2, 1), (3, 2), (3, 1), (3,), (2,), (1,), ()))

# What is played with instead of red, yellow, green, blue and black, as the page's readers and its designer map it.
XENO = {
    Colour.WHITE: Colour.BLACK,
    Colour.CLEAR: Colour.YELLOW,
    Colour.ORANGE: Colour.RED,
    Colour.PURPLE: Colour.GREEN,
    Colour.BLUE: Colour.BLUE,
}
EQUIVALENTS = {
    "rainbow": {colour: colour for colour in COLOURS},
    "xeno": XENO | {Colour.CYAN: Colour.BLUE},
    "xeno-clear-wild": XENO | {Colour.CYAN: Colour.BLUE, Colour.CLEAR: Colour.GREEN, Colour.PURPLE: Colour.YELLOW},
}


def colour_of(tower: Tower) -> Colour | None:
    return tower[-1].colour if tower else None


def pips_of(tower: Tower) -> int:
    return sum(int(pyramid.size) for pyramid in tower)


def sizes_of(tower: Tower) -> tuple[Size, ...]:
    return tuple(pyramid.size for pyramid in tower)


def damaged(tower: Tower, pips: int) -> tuple[Tower, Tower, Size | None]:
    """What stays, what goes to the scrapyard, and the size of the piece that comes back as change, if any.

    >>> start = tuple(map(piece, ("r3", "r2", "r1")))
    >>> [(tower_text(left), change) for left, _, change in (damaged(start, pips) for pips in (1, 2, 3))]
    [('r3r2', None), ('r3', <Size.SMALL: 1>), ('r3', None)]
    """
    left, removed = list(tower), []
    while left and pips >= left[-1].size:
        pips -= left[-1].size
        removed.append(left.pop())
    if not left or not pips:
        return tuple(left), tuple(removed), None
    removed.append(left.pop())
    return tuple(left), tuple(removed), Size(removed[-1].size - pips)


def starting_towers() -> tuple[Tower, ...]:
    return tuple(tuple(Pyramid(colour, size) for size in sorted(Size, reverse=True)) for colour in STARTING)


def stash(players: int) -> Counter[Pyramid]:
    """All pyramids of the game: one of each size and colour for every player."""
    return Counter(dict.fromkeys(KINDS, players))


def in_order(pieces: Tower) -> Tower:
    return tuple(sorted(pieces, key=lambda one: (one.colour.value, one.size)))


KINDS = in_order(tuple(Pyramid(colour, size) for colour in COLOURS for size in Size))  # of pieces in the game


# Notation and words.


def piece_text(pyramid: Pyramid) -> str:
    """A letter and the pips; black is k.

    >>> piece_text(Pyramid(Colour.BLACK, Size.SMALL))
    'k1'
    """
    letter = next(letter for letter, colour in LETTERS.items() if colour is pyramid.colour)
    return f"{letter}{int(pyramid.size)}"


def piece(text: str) -> Pyramid:
    """The pyramid that `piece_text` wrote. Raises KeyError or ValueError for other text."""
    return Pyramid(LETTERS[text[:1].lower()], Size(int(text[1:])))


def tower_text(tower: Tower) -> str:
    return "".join(map(piece_text, tower)) or "-"


def tower(text: str) -> Tower:
    """The tower that `tower_text` wrote. Raises KeyError or ValueError for other text."""
    return tuple(piece(text[n : n + 2]) for n in range(0, len(text), 2)) if text != "-" else ()


def tower_words(tower: Tower) -> str:
    return " on ".join(map(str, reversed(tower))) or "nothing"


def in_words(family: str, words: str) -> str:
    """The words with the colours that this group's pyramids really have."""
    if family == "rainbow":
        return words
    called: dict[str, str] = {}
    for real, meant in EQUIVALENTS[family].items():
        called.setdefault(meant.value, real.value)
    return re.sub(r"\b(red|yellow|green|blue|black)\b", lambda found: called[found[0]], words)
