"""Towers as SVG: a row of four for each player, the points, and below them what lies in the scrapyard.

A place is 100 units wide. Every level has its colour's letter and its size as width and as pips, so that nothing is
said by colour alone. Colours come from the page's style sheet by class name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

from engine.table import Pyramid
from webui.board import BASE_WIDTH, LETTERS

PLACE, GAP, MARGIN = 100, 16, 40
ROW = 188
ROW_WIDTH = 4 * PLACE + 3 * GAP
LEVEL, TIP = 30.0, 48.0  # of a level below the top, and of the top
KINDS_A_ROW = 8
SCRAP = 78  # of one kind of piece in the scrapyard


@dataclass(frozen=True)
class Row:
    """One player's towers, each bottom first, and a remark beside the name."""

    name: str
    towers: tuple[tuple[Pyramid, ...], ...] = ((),) * 4
    remark: str = ""


def changed_towers(before: Iterable[Row], after: Iterable[Row]) -> frozenset[tuple[int, int]]:
    """The (row, tower), both from 0, that do not look the same in both drawings."""
    return frozenset(
        (n, place)
        for n, (one, other) in enumerate(zip(before, after, strict=True))
        for place, (was, now) in enumerate(zip(one.towers, other.towers, strict=True))
        if was != now
    )


def towers_svg(
    rows: tuple[Row, ...], scrapyard: tuple[Pyramid, ...], marked: frozenset[tuple[int, int]], manner: str
) -> Markup:
    """The whole drawing: two players beside each other in a row."""
    columns = min(len(rows), 2)
    lines = (len(rows) + 1) // 2
    heap = sorted(Counter(scrapyard).items(), key=lambda pair: (pair[0].colour.value, pair[0].size))
    width = 2 * MARGIN + columns * ROW_WIDTH + (columns - 1) * 2 * MARGIN
    foot = lines * ROW + MARGIN
    height = foot + 40 + SCRAP * ((len(heap) + KINDS_A_ROW - 1) // KINDS_A_ROW) + 20
    parts = [
        f'<svg class="board" viewBox="{-MARGIN} 0 {width} {height}" role="img"'
        ' aria-label="The towers and the scrapyard as the umpire has them">',
        f'<rect class="frame" x="{-MARGIN}" y="0" width="{width}" height="{height}" rx="18"/>',
    ]
    for n, row in enumerate(rows):
        x, y = (n % 2) * (ROW_WIDTH + 2 * MARGIN), (n // 2) * ROW + 24
        places = frozenset(place for one, place in marked if one == n)
        parts += [f'<g transform="translate({x} {y})">', *_row(row, places, manner), "</g>"]
    parts += [f'<g transform="translate(0 {foot})">', *_scrapyard(heap, width - 2 * MARGIN), "</g>"]
    return Markup("".join((*parts, "</svg>")))  # numbers and fixed words only; names are escaped


def _row(row: Row, marked: frozenset[int], manner: str) -> list[str]:
    parts = [_words("label", 4, 12, row.name, "start")]
    parts += [_words("label", ROW_WIDTH - 4, 12, row.remark, "end")] if row.remark else []
    for place, tower in enumerate(row.towers):
        x = place * (PLACE + GAP)
        parts.append(f'<g transform="translate({x} 28)"><title>{_title(row.name, place, tower)}</title>')
        parts.append(f'<rect class="{("shaded", "light")[place % 2]}" x="0" y="0" width="{PLACE}" height="126"/>')
        if place in marked:
            parts.append(f'<rect class="mark {manner}" x="4" y="4" width="92" height="118" rx="10"/>')
        foot = 118.0
        for level, pyramid in enumerate(tower):
            is_top = level == len(tower) - 1
            parts += _side(pyramid, foot, is_top)
            foot -= LEVEL
        parts += [_words("label", PLACE / 2, 138, str(place + 1), "middle"), "</g>"]
    return parts


def _title(name: str, place: int, tower: tuple[Pyramid, ...]) -> Markup:
    pieces = " on ".join(map(str, reversed(tower))) or "no tower"
    return escape(f"{name}'s tower {place + 1}: {pieces}")


def _side(pyramid: Pyramid, foot: float, is_top: bool) -> list[str]:
    """A pyramid from the side; of one that has another on it, what is not covered."""
    half, top = BASE_WIDTH[pyramid.size] / 2, foot - (TIP if is_top else LEVEL)
    inner = 2.5 if is_top else half * 0.64
    left = f"{50 - half:.1f},{foot:.1f} {50 - inner:.1f},{top:.1f}"
    right = f"{50 + inner:.1f},{top:.1f} {50 + half:.1f},{foot:.1f}"
    return [
        f'<polygon class="piece c-{pyramid.colour}" points="{left} {right}"/>',
        f'<polygon class="shade" points="50,{foot:.1f} 50,{top:.1f} {right}"/>',
        *_signs(pyramid, foot - 14),
    ]


def _signs(pyramid: Pyramid, y: float) -> list[str]:
    ink = f"on-{pyramid.colour}"
    heights = [y + (level - (pyramid.size - 1) / 2) * 8 for level in range(pyramid.size)]
    pips = [f'<circle class="pip {ink}" cx="61" cy="{at:.1f}" r="2.9"/>' for at in heights]
    return [_words(f"letter {ink}", 46.5, y, LETTERS[pyramid.colour], "middle", 24), *pips]


def _scrapyard(heap: list[tuple[Pyramid, int]], width: float) -> list[str]:
    parts = [_words("label", 4, 12, "Scrapyard", "start")]
    step = width / KINDS_A_ROW
    for n, (pyramid, count) in enumerate(heap):
        x, y = (n % KINDS_A_ROW) * step, 30 + SCRAP * (n // KINDS_A_ROW)
        parts.append(f'<g transform="translate({x:.1f} {y}) scale(.62)"><title>{count} {escape(str(pyramid))}</title>')
        parts += [*_side(pyramid, 96, True), _words("label", 108, 80, str(count), "middle"), "</g>"]
    return parts


def _words(kind: str, x: float, y: float, words: str, anchor: str, size: float | None = None) -> str:
    measure = "" if size is None else f' font-size="{size}"'
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
    return f'<text class="{kind}" {place}{measure}>{escape(words)}</text>'
