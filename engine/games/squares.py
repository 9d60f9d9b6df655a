"""The squares of a chessboard: a1 bottom left, h8 top right. Directions go by the compass, north up the board."""

from __future__ import annotations

from typing import NamedTuple

from engine.errors import InvalidNotation

FILES, RANKS = "abcdefgh", "12345678"
COMPASS = ("e", "ne", "n", "nw", "w", "sw", "s", "se")  # every 45 degrees, counter-clockwise from the x axis
STEPS = {way: (("e" in way) - ("w" in way), ("n" in way) - ("s" in way)) for way in COMPASS}


class Square(NamedTuple):
    """A square by its file and rank, 0..7. A tuple, because games look squares up more often than anything else.

    >>> str(Square.parse("c4"))
    'c4'
    """

    file: int
    rank: int

    def __str__(self) -> str:
        return f"{FILES[self.file]}{RANKS[self.rank]}"

    @classmethod
    def parse(cls, text: str) -> Square:
        if not is_square(text):
            raise InvalidNotation(text, "a square such as c4")
        return cls(FILES.index(text[0]), RANKS.index(text[1]))

    def step_to(self, other: Square) -> tuple[int, int, int] | None:
        """(file step, rank step, squares) of the straight way to `other`; None if there is none or it is here."""
        files, ranks = other.file - self.file, other.rank - self.rank
        count = max(abs(files), abs(ranks))
        if count == 0 or (files and ranks and abs(files) != abs(ranks)):
            return None
        return files // count, ranks // count, count

    def between(self, other: Square) -> tuple[Square, ...]:
        """The squares strictly between two in a straight line."""
        step = self.step_to(other)
        if step is None:
            return ()
        return tuple(Square(self.file + step[0] * n, self.rank + step[1] * n) for n in range(1, step[2]))

    def along(self, direction: str, count: int) -> Square | None:
        """The square that many steps away in a compass direction; None off the board."""
        files, ranks = STEPS[direction]
        return _on_the_board(self.file + files * count, self.rank + ranks * count)

    def beside(self, step: tuple[int, int]) -> Square | None:
        """The square one (file step, rank step) on; None off the board."""
        return _on_the_board(self.file + step[0], self.rank + step[1])

    def neighbours(self) -> tuple[Square, ...]:
        return NEIGHBOURS[self]


def is_square(text: str | None) -> bool:
    return text is not None and len(text) == 2 and text[0] in FILES and text[1] in RANKS


def _on_the_board(file: int, rank: int) -> Square | None:
    return GRID[8 * file + rank] if 0 <= file < 8 and 0 <= rank < 8 else None


GRID = tuple(Square(f, r) for f in range(8) for r in range(8))
BOARD = tuple(Square(f, r) for r in range(8) for f in range(8))
NEIGHBOURS = {
    square: tuple(
        near for f in (-1, 0, 1) for r in (-1, 0, 1) if (f or r) and (near := square.beside((f, r))) is not None
    )
    for square in GRID
}
