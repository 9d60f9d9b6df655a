"""Batteries as SVG: a row of eight silos for each player, with what is exposed, what is damaged and what is in the air.

Each silo is 100 units wide. A silo shows its top missile from the side, with its colour's letter and its size as width
and as pips: the pips say how many missiles are left. Colours come from the page's style sheet by class name. Nothing
that is covered is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

from engine.table import Colour, Pyramid, Size
from webui.board import BASE_WIDTH, LETTERS

SILO = 100
MARGIN = 40
ROW = 215  # a battery with its name, the markers before it and its air wing
WING_SCALE = 0.5
HEIGHT = {Size.SMALL: 44, Size.MEDIUM: 56, Size.LARGE: 70}


@dataclass(frozen=True)
class Row:
    """One battery to draw: eight tops (None: empty), silos with a damage marker, the air wing, a remark.

    `unknown` are silos that are not empty and whose top nobody knows.
    """

    name: str
    tops: tuple[Pyramid | None, ...] = (None,) * 8
    damaged: frozenset[int] = frozenset()
    air_wing: tuple[Size, ...] = ()
    remark: str = ""
    unknown: frozenset[int] = frozenset()


def changed_silos(before: Iterable[Row], after: Iterable[Row]) -> frozenset[tuple[int, int]]:
    """The (row, silo), both from 0 and 1, that do not look the same in both drawings."""
    return frozenset(
        (n, silo)
        for n, (one, other) in enumerate(zip(before, after, strict=True))
        for silo in range(1, 9)
        if (one.tops[silo - 1], silo in one.damaged) != (other.tops[silo - 1], silo in other.damaged)
    )


def silos_svg(rows: tuple[Row, ...], marked: frozenset[tuple[int, int]], manner: str) -> Markup:
    """The whole drawing."""
    width, height = 8 * SILO + 2 * MARGIN, max(len(rows), 1) * ROW + MARGIN
    parts = [
        f'<svg class="board" viewBox="{-MARGIN} 0 {width} {height}" role="img"'
        ' aria-label="The batteries as the umpire has them">',
        f'<rect class="frame" x="{-MARGIN}" y="0" width="{width}" height="{height}" rx="18"/>',
    ]
    for n, row in enumerate(rows):
        silos = frozenset(silo for place, silo in marked if place == n)
        parts += [f'<g transform="translate(0 {n * ROW + 24})">', *_row(row, silos, manner), "</g>"]
    return Markup("".join((*parts, "</svg>")))  # numbers and fixed words only; names are escaped


def _row(row: Row, marked: frozenset[int], manner: str) -> list[str]:
    parts = [_words("label", 4, 22, row.name, "start")]
    parts += [_words("label", 8 * SILO - 4, 22, row.remark, "end")] if row.remark else []
    for silo, top in enumerate(row.tops, 1):
        x = (silo - 1) * SILO
        parts.append(f'<g transform="translate({x} 44)"><title>silo {silo}</title>')
        parts.append(f'<rect class="{("light", "shaded")[silo % 2]}" x="0" y="0" width="{SILO}" height="{SILO}"/>')
        parts += _standing(top) if top is not None else []
        parts += [_words("label", 50, 50, "?", "middle")] if silo in row.unknown else []
        parts += _marker() if silo in row.damaged else []
        if silo in marked:
            parts.append(f'<rect class="mark {manner}" x="4" y="4" width="{SILO - 8}" height="{SILO - 8}" rx="10"/>')
        parts += ["</g>", _words("label", x + SILO / 2, 162, str(silo), "middle")]
    for n, size in enumerate(row.air_wing):
        place = f'<g transform="translate({140 + 56 * n} -4) scale({WING_SCALE})"><title>in the air</title>'
        parts += [place, *_standing(Pyramid(Colour.CYAN, size)), "</g>"]
    return parts


def _standing(piece: Pyramid) -> list[str]:
    half, foot = BASE_WIDTH[piece.size] / 2, 90.0
    tip = foot - HEIGHT[piece.size]
    outline = f"{50 - half:.1f},{foot} 50,{tip:.1f} {50 + half:.1f},{foot}"
    shade = f"50,{foot} 50,{tip:.1f} {50 + half:.1f},{foot}"
    ink = f"on-{piece.colour}"
    pips = [f'<circle class="pip {ink}" cx="62" cy="{84 - 7 * n}" r="2.8"/>' for n in range(int(piece.size))]
    letter = _words(f"letter {ink}", 48, 77, LETTERS[piece.colour], "middle", 22)
    return [
        f'<polygon class="piece c-{piece.colour}" points="{outline}"/>',
        f'<polygon class="shade" points="{shade}"/>',
        letter,
        *pips,
    ]


def _marker() -> list[str]:
    """A lying piece, seen from above, that points at the silo: damaged."""
    return [
        '<polygon class="piece c-orange" points="8,6 30,6 19,34"/>',
        _words("letter on-orange", 19, 13, "!", "middle", 16),
    ]


def _words(kind: str, x: float, y: float, words: str, anchor: str, size: float | None = None) -> str:
    measure = "" if size is None else f' font-size="{size}"'
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
    return f'<text class="{kind}" {place}{measure}>{escape(words)}</text>'
