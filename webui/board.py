"""The board as SVG: eight by eight squares, every Mid from the side as chess diagrams show pieces, missiles from above.

Each square is 100 units wide, y runs down the page. Nothing is said by colour alone: every level of a stack has its
colour's letter and its size as width and as pips. Colours come from the page's style
sheet by class name, so that light and dark need no second drawing.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup, escape

from engine.table import Colour, Pyramid, Size

SIDE = 8
FILES = "abcdefgh"
SQUARE = 100
MARGIN = 40
EXTENT = SIDE * SQUARE + 2 * MARGIN

LETTERS = {
    Colour.RED: "R",
    Colour.YELLOW: "Y",
    Colour.GREEN: "G",
    Colour.BLUE: "B",
    Colour.CYAN: "C",
    Colour.ORANGE: "O",
    Colour.PURPLE: "P",
    Colour.BLACK: "K",
    Colour.WHITE: "W",
    Colour.CLEAR: "T",
    Colour.PINK: "I",
    Colour.GREY: "E",
}

BASE_WIDTH = {Size.SMALL: 46, Size.MEDIUM: 60, Size.LARGE: 76}
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
    for square, together in groupby(ordered, key=lambda piece: piece.square):
        parts += _occupied(square, tuple(together))
    return Markup("".join((*parts, "</svg>")))  # numbers and fixed words only; names are escaped


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
        texts += [_text("label", x, SIDE * SQUARE + outside, file), _text("label", -outside, y, str(number + 1))]
    return texts


def _marks(marked: Marked) -> list[str]:
    marks = []
    for square in sorted(marked.squares):
        x, y = _corner(square)
        marks.append(_rect(f"mark {marked.manner}", x + 4, y + 4, SQUARE - 8, 10))
    return marks


def _occupied(square: str, pieces: tuple[Piece, ...]) -> list[str]:
    x, y = _corner(square)
    standing = [piece for piece in pieces if piece.heading_deg is None]
    missiles = [piece for piece in pieces if piece.heading_deg is not None]
    words = "".join(_bead_words(*piece.beads) for piece in standing if piece.beads)
    parts = [f'<g transform="translate({x} {y})"><title>{escape(square)}{escape(words)}</title>']
    for piece in standing:
        parts += _mid(piece)
    for number, piece in enumerate(missiles):
        parts += _missile(piece, number, len(missiles) + len(standing))
    return [*parts, "</g>"]


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
    return [f'<ellipse class="stand stand-{owner}" cx="50" cy="87" rx="46" ry="10.5"/>']


def _beads(owner: Colour | None, count: int) -> list[str]:
    """Control beads, side by side on the stand's edge, each with its colour's letter."""
    kind, ink = (f"bead stand stand-{owner}", f"letter on-{owner}") if owner else ("bead stand", "letter")
    places = [13 + 18 * n for n in range(count)]
    dots = [f'<circle class="{kind}" cx="{x}" cy="90" r="8"/>' for x in places]
    return dots + [_text(ink, x, 90.5, LETTERS[owner] if owner else "?", 10) for x in places]


def _bead_words(owner: Colour | None, count: int) -> str:
    beads = "1 control bead" if count == 1 else f"{count} control beads"
    return f": {beads} of {owner}" if owner else f": {beads}"


def _level(pyramid: Pyramid, foot: float, height: float) -> list[str]:
    half = BASE_WIDTH[pyramid.size] / 2
    inner = half * (1 - 0.36 * height / LEVEL_HEIGHT)
    return _side(pyramid, half, inner, (foot, foot - height)) + _signs(pyramid, foot - height * 0.47, height)


def _top(pyramid: Pyramid, foot: float, height: float) -> list[str]:
    half, tip = BASE_WIDTH[pyramid.size] / 2, foot - height * TOP_HEIGHT
    return _side(pyramid, half, 2.5, (foot, tip)) + _signs(pyramid, foot - height * 0.47, height)


def _side(pyramid: Pyramid, half: float, inner: float, foot_and_top: tuple[float, float]) -> list[str]:
    """A pyramid from the side: `half` wide each way at the foot, `inner` where it ends or the next one begins."""
    foot, top = foot_and_top
    left, right = (
        f"{50 - half:.1f},{foot:.1f} {50 - inner:.1f},{top:.1f}",
        f"{50 + inner:.1f},{top:.1f} {50 + half:.1f},{foot:.1f}",
    )
    return _faces(pyramid.colour, f"{left} {right}", f"50,{foot:.1f} 50,{top:.1f} {right}")


def _faces(colour: Colour, outline: str, shade: str) -> list[str]:
    return [f'<polygon class="piece c-{colour}" points="{outline}"/>', f'<polygon class="shade" points="{shade}"/>']


def _signs(pyramid: Pyramid, y: float, height: float) -> list[str]:
    """The colour's letter with the pips to its right, centred together."""
    scale, ink = height / LEVEL_HEIGHT, f"on-{pyramid.colour}"
    x = 50 + 11 * scale
    heights = [y + (level - (pyramid.size - 1) / 2) * 8 * scale for level in range(pyramid.size)]
    pips = [f'<circle class="pip {ink}" cx="{x:.1f}" cy="{at:.1f}" r="{2.9 * scale:.1f}"/>' for at in heights]
    return [_text(f"letter {ink}", 50 - 3.5 * scale, y, LETTERS[pyramid.colour], 24 * scale), *pips]


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
    faces = _faces(pyramid.colour, outline, f"{back:.1f},0 {tip:.1f},0 {tip:.1f},2.5 {back:.1f},{half:.1f}")
    signs = [
        f'<g transform="translate({x - 50 * scale:.1f} {y - 50 * scale:.1f}) scale({scale})">',
        *_signs(pyramid, 50, 26),
        "</g>",
    ]
    return [turned, trail, *faces, "</g>", *signs]


def _text(kind: str, x: float, y: float, words: str, size: float | None = None) -> str:
    measure = "" if size is None else f' font-size="{size:.1f}"'
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="middle" dominant-baseline="central"'
    return f'<text class="{kind}" {place}{measure}>{escape(words)}</text>'


def _rect(kind: str, x: float, y: float, side: float, corner: float = 0) -> str:
    return f'<rect class="{kind}" x="{x}" y="{y}" width="{side}" height="{side}" rx="{corner}"/>'
