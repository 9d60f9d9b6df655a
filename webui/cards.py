"""Card faces as SVG, drawn for this program: rank, suits and name of a Decktet card, and a back.

Suit symbols are simple shapes on a field of 100 by 100, each unlike the others in outline, so that they can be told
apart without colour.
"""

from __future__ import annotations

from markupsafe import Markup, escape

from engine.games.ziggurat import Card, Suit

WIDTH, HEIGHT = 140, 200
INK = {
    Suit.MOONS: "#3f4658",
    Suit.SUNS: "#b8630f",
    Suit.WAVES: "#1f5fa8",
    Suit.LEAVES: "#7a4a24",
    Suit.WYRMS: "#1d7a45",
    Suit.KNOTS: "#9a7a00",
}
# What stands in the corner for a rank that is no number or letter, in a square of 100: crown, pawn, court, excuse.
SIGNS = {
    "C": '<path d="M8 24L28 50L50 12L72 50L92 24L84 84H16z"/>',
    "P": '<circle cx="50" cy="28" r="20"/><path d="M38 46H62L76 88H24z"/>',
    "T": '<path d="M16 12H34V26H42V12H58V26H66V12H84V44H74V74H86V90H14V74H26V44H16z"/>',
    "X": '<path d="M50 4L60 38L92 22L70 50L92 78L60 62L50 96L40 62L8 78L30 50L8 22L40 38z"/>',
}

PAPER, EDGE, BLACK, BACK = "#fbf8f0", "#4a4a4a", "#222", "#3a3f5c"
CUT = f'fill="none" stroke="{PAPER}" stroke-width="4"'
LINE = 'fill="none" stroke="currentColor" stroke-width="11"'
SYMBOLS = {
    Suit.MOONS: '<path d="M68 12a40 40 0 1 0 0 76a46 46 0 0 1 0-76z"/>',
    Suit.SUNS: '<circle cx="50" cy="50" r="20"/>'
    + "".join(f'<path d="M45 22L50 4L55 22z" transform="rotate({45 * n} 50 50)"/>' for n in range(8)),
    Suit.WAVES: "".join(
        f'<path d="M6 {y}q11-22 22 0t22 0t22 0t22 0v11q-11 22-22 0t-22 0t-22 0t-22 0z"/>' for y in (24, 50, 76)
    ),
    Suit.LEAVES: '<path d="M50 4C88 30 86 66 53 82L53 97L47 97L47 82C14 66 12 30 50 4z"/>'
    f'<path {CUT} d="M50 24V80M50 48L66 36M50 48L34 36M50 64L66 52M50 64L34 52"/>',
    Suit.WYRMS: '<path d="M20 90C2 62 30 54 50 50S78 38 62 22L50 30L54 8L84 14L74 22C96 48 70 60 52 64S30 76 38 90z"/>'
    f'<circle {CUT} cx="66" cy="16" r="2.5"/>',
    Suit.KNOTS: f'<g {LINE}><path d="M10 50h80"/>'
    '<path d="M30 30a20 20 0 1 1 40 0c0 30-40 10-40 40a20 20 0 1 0 40 0c0-30-40-10-40-40z"/></g>',
}


def symbol_svg(suit: Suit, x: float, y: float, side: float) -> str:
    """A suit's symbol in a square of that side, its upper left corner at x, y."""
    ink = INK[suit]
    place = f"translate({x:.1f} {y:.1f}) scale({side / 100:.3f})"
    return f'<g fill="{ink}" color="{ink}" transform="{place}"><title>{suit}</title>{SYMBOLS[suit]}</g>'


def card_svg(card: Card | None) -> Markup:
    """A card's face; None: its back, which is the same for all."""
    words = card.words if card is not None else "a card face down"
    parts = [
        f'<svg class="card" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" aria-label="{escape(_label(card, words))}">',
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="12" fill="{PAPER}" stroke="{EDGE}"'
        ' stroke-width="2"/>',
        *(_face(card) if card is not None else _back()),
    ]
    return Markup("".join((*parts, "</svg>")))  # numbers and fixed words only


def _label(card: Card | None, words: str) -> str:
    return words if card is None or card.name == words else f"{words}: {card.name}"


def _face(card: Card) -> list[str]:
    parts = [_sign(card.rank, 11, 12, 27)]
    parts += [symbol_svg(suit, 13, 48 + n * 28, 22.0) for n, suit in enumerate(card.suits)]
    side = {0: 0.0, 1: 74.0, 2: 56.0, 3: 42.0}[len(card.suits)]
    for n, suit in enumerate(card.suits):
        y = 88 - len(card.suits) * (side + 4) / 2 + n * (side + 4)
        parts.append(symbol_svg(suit, 88 - side / 2, y, side))
    if not card.suits:
        parts.append(_sign(card.rank, 34, 52, 72))
    return [*parts, _words(card.name, WIDTH / 2, HEIGHT - 14, 15 if len(card.name) < 15 else 12)]


def _sign(rank: str, x: float, y: float, side: float) -> str:
    """The rank in a square of that side: drawn, or written."""
    if rank in SIGNS:
        return f'<g fill="{BLACK}" transform="translate({x} {y}) scale({side / 100:.3f})">{SIGNS[rank]}</g>'
    return _words(rank, x + side / 2, y + side * 0.96, side * 1.2)


def _words(words: str, x: float, y: float, size: float) -> str:
    place = f'x="{x:.1f}" y="{y:.1f}" font-size="{size:.0f}" text-anchor="middle"'
    return f'<text {place} fill="{BLACK}" font-family="Georgia, serif">{escape(words)}</text>'


def _back() -> list[str]:
    steps = [(20 + 10 * n, 150 - 26 * n, 100 - 20 * n) for n in range(5)]
    return [
        f'<rect x="10" y="10" width="{WIDTH - 20}" height="{HEIGHT - 20}" rx="7" fill="{BACK}"/>',
        *(f'<rect fill="{PAPER}" x="{x}" y="{y}" width="{wide}" height="20"/>' for x, y, wide in steps),
    ]
