"""The board as SVG: eight by eight squares, every Mid from the side as chess diagrams show pieces, missiles from above.

Each square is 100 units wide, y runs down the page. Nothing is said by colour alone: every level of a stack has its
colour's letter and weave (see webui.ink), and its size as width and as pips. Every square is a place that can be
pointed at.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from engine.table import Colour, Pyramid, Size
from webui.ink import BASE_WIDTH, LETTERS, face, place, side, signs, stack_words, text

SIDE = 8
FILES = "abcdefgh"
SQUARE = 100
MARGIN = 40
EXTENT = SIDE * SQUARE + 2 * MARGIN

LYING_LENGTH = {Size.SMALL: 56, Size.MEDIUM: 72, Size.LARGE: 88}
LEVEL_HEIGHT = 30.0  # of a level below the top, where there is room
TOP_HEIGHT = 1.7  # the top piece shows its whole height: so many levels
ROOM = 83.0  # from the stand to the square's upper edge


@dataclass(frozen=True)
class Piece:
    """A stack to draw: pyramids bottom first; with a heading it is a missile.

    `beads` lie on its stand: the colour of the stands of whose they are, and how many.
    """

    square: str
    pyramids: tuple[Pyramid, ...]
    stand: Colour | None = None
    heading_deg: float | None = None
    beads: tuple[Colour | None, int] | None = None


@dataclass(frozen=True)
class Marked:
    """Squares to point at, and how: 'legal', 'illegal' or 'unclear'."""

    squares: frozenset[str] = frozenset()
    manner: str = "legal"


def changed_squares(before: Iterable[Piece], after: Iterable[Piece]) -> frozenset[str]:
    """The squares that do not look the same on both boards. Headings count in eighths of a turn."""
    one, other = _looks(before), _looks(after)
    return frozenset(square for square in one.keys() | other.keys() if one.get(square) != other.get(square))


def board_svg(pieces: Iterable[Piece], marked: Marked | None = None) -> Markup:
    """The whole drawing."""
    ordered = sorted(pieces, key=lambda piece: (piece.square, piece.heading_deg is not None))
    whole = f"{-MARGIN} {-MARGIN} {EXTENT} {EXTENT}"
    parts = [
        f'<svg class="board" viewBox="{whole}" role="img" aria-label="The board as the umpire has it">',
        _rect("frame", -MARGIN, -MARGIN, EXTENT, 18),
        *_squares(),
        *_labels(),
        *_marks(marked or Marked()),
    ]
    occupied = {square: tuple(together) for square, together in groupby(ordered, key=lambda piece: piece.square)}
    for square in (f"{file}{rank}" for rank in range(SIDE, 0, -1) for file in FILES):
        parts += _place(square, occupied.get(square, ()))
    return Markup("".join((*parts, "</svg>")))  # numbers and fixed words only; names are escaped


def piece_svg(piece: Piece) -> Markup:
    """One stack or missile by itself, for a list; whoever shows it says in words what it is."""
    drawn = _mid(piece) if piece.heading_deg is None else _missile(piece, 0, 1)
    return Markup("".join(('<svg class="little" viewBox="0 0 100 100" aria-hidden="true">', *drawn, "</svg>")))


def _looks(pieces: Iterable[Piece]) -> dict[str, frozenset[object]]:
    squares: dict[str, set[object]] = {}
    for piece in pieces:
        eighth = None if piece.heading_deg is None else round(piece.heading_deg / 45) % 8
        squares.setdefault(piece.square, set()).add((piece.pyramids, piece.stand, eighth, piece.beads))
    return {square: frozenset(looks) for square, looks in squares.items()}


def _corner(square: str) -> tuple[int, int]:
    """The square's upper left corner."""
    return FILES.index(square[0]) * SQUARE, (SIDE - int(square[1])) * SQUARE


def _squares() -> list[str]:
    places = ((column, row) for row in range(SIDE) for column in range(SIDE))
    return [_rect(("light", "shaded")[(x + y) % 2], x * SQUARE, y * SQUARE, SQUARE) for x, y in places]


def _labels() -> list[str]:
    middle, outside = SQUARE / 2, MARGIN / 2
    texts = []
    for number, file in enumerate(FILES):
        x, y = number * SQUARE + middle, (SIDE - 1 - number) * SQUARE + middle
        texts += [text("label", x, SIDE * SQUARE + outside, file), text("label", -outside, y, str(number + 1))]
    return texts


def _marks(marked: Marked) -> list[str]:
    marks = []
    for square in sorted(marked.squares):
        x, y = _corner(square)
        marks.append(_rect(f"mark {marked.manner}", x + 4, y + 4, SQUARE - 8, 10))
    return marks


def _place(square: str, pieces: tuple[Piece, ...]) -> list[str]:
    x, y = _corner(square)
    standing = [piece for piece in pieces if piece.heading_deg is None]
    missiles = [piece for piece in pieces if piece.heading_deg is not None]
    drawn = [part for piece in standing for part in _mid(piece)]
    for number, piece in enumerate(missiles):
        drawn += _missile(piece, number, len(missiles) + len(standing))
    words = f"{square}: {', '.join(map(_piece_words, pieces)) or 'empty'}"
    return [f'<g transform="translate({x} {y})">', *place(square, words, drawn, (2, 2, 96, 96)), "</g>"]


def _piece_words(piece: Piece) -> str:
    """Everything that is drawn of it: 'small red on large green on a black stand, 1 control bead of white'."""
    if piece.heading_deg is not None:
        return f"{piece.pyramids[0]} missile pointing {_compass(piece.heading_deg)}"
    stand = f" on a {piece.stand} stand" if piece.stand else ""
    return f"{stack_words(piece.pyramids)}{stand}{_bead_words(*piece.beads) if piece.beads else ''}"


def _compass(heading_deg: float) -> str:
    """The nearest of eight directions; north is up the board, headings count counter-clockwise from the east."""
    winds = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
    return winds[round(heading_deg / 45) % 8]


def _mid(piece: Piece) -> list[str]:
    parts = _stand(piece.stand)
    height = min(LEVEL_HEIGHT, ROOM / (len(piece.pyramids) - 1 + TOP_HEIGHT))
    foot = 89.0
    for pyramid in piece.pyramids[:-1]:
        parts += _level(pyramid, foot, height)
        foot -= height
    return parts + _top(piece.pyramids[-1], foot, height) + (_beads(*piece.beads) if piece.beads else [])


def _stand(owner: Colour | None) -> list[str]:
    if owner is None:
        return []
    return [
        f'<ellipse class="stand stand-{owner}" cx="50" cy="87" rx="46" ry="10.5"/>',
        text(f"owner on-{owner}", 90, 87.5, LETTERS[owner], size=10),
    ]


def _beads(owner: Colour | None, count: int) -> list[str]:
    """Control beads, side by side on the stand's edge, each with its colour's letter."""
    kind, ink = (f"bead stand stand-{owner}", f"letter on-{owner}") if owner else ("bead stand", "letter")
    places = [13 + 18 * n for n in range(count)]
    dots = [f'<circle class="{kind}" cx="{x}" cy="90" r="8"/>' for x in places]
    return dots + [text(ink, x, 90.5, LETTERS[owner] if owner else "?", size=10) for x in places]


def _bead_words(owner: Colour | None, count: int) -> str:
    beads = "1 control bead" if count == 1 else f"{count} control beads"
    return f", {beads} of {owner}" if owner else f", {beads}"


def _level(pyramid: Pyramid, foot: float, height: float) -> list[str]:
    inner = BASE_WIDTH[pyramid.size] / 2 * (1 - 0.36 * height / LEVEL_HEIGHT)
    return side(pyramid, foot, foot - height, inner) + signs(pyramid, foot - height * 0.47, height / LEVEL_HEIGHT)


def _top(pyramid: Pyramid, foot: float, height: float) -> list[str]:
    scale = height / LEVEL_HEIGHT
    return side(pyramid, foot, foot - height * TOP_HEIGHT) + signs(pyramid, foot - height * 0.47, scale)


def _missile(piece: Piece, number: int, together: int) -> list[str]:
    """Seen from above, tip first, with the marks of its flight behind it; several share the square side by side."""
    pyramid, heading = piece.pyramids[0], piece.heading_deg or 0.0
    scale = 1.0 if together == 1 else 0.68
    x = 50 if together == 1 else 28 + 44 * (number / max(together - 1, 1))
    y = 50 if together == 1 else 26 + 48 * (number % 2)
    length, half = LYING_LENGTH[pyramid.size], BASE_WIDTH[pyramid.size] / 2
    back, tip = -length * 0.42, length * 0.58
    turned = f'<g transform="translate({x:.1f} {y:.1f}) scale({scale}) rotate({-heading:.1f})">'
    trail = "".join(
        f'<line class="trail" x1="{back - 5:.1f}" y1="{at:.1f}" x2="{back - 15:.1f}" y2="{at:.1f}"/>'
        for at in (-half * 0.55, 0, half * 0.55)
    )
    outline = f"{back:.1f},{-half:.1f} {tip:.1f},-2.5 {tip:.1f},2.5 {back:.1f},{half:.1f}"
    faces = face(pyramid.colour, outline, f"{back:.1f},0 {tip:.1f},0 {tip:.1f},2.5 {back:.1f},{half:.1f}")
    upright = [
        f'<g transform="translate({x - 50 * scale:.1f} {y - 50 * scale:.1f}) scale({scale})">',
        *signs(pyramid, 50, 26 / LEVEL_HEIGHT),
        "</g>",
    ]
    return [turned, trail, *faces, "</g>", *upright]


def _rect(kind: str, x: float, y: float, side: float, corner: float = 0) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{side}" height="{side}" rx="{corner}"/>'
