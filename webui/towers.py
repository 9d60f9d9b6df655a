"""Towers as SVG: a row of four for each player, the points, and below them what lies in the scrapyard.

A place is 100 units wide. Every level has its colour's letter and weave (see webui.ink) and its size as width and as
pips, so that nothing is said by colour alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

from engine.games.ziggurat.towers import EQUIVALENTS
from engine.table import Colour, Pyramid
from webui.ink import BASE_WIDTH, place, side, signs, stack_words, text

PLACE, GAP, MARGIN = 100, 16, 30
TOWER = 126  # a tower's place is so high
ROW = 206  # a player's towers with the name above and the numbers below
ROW_WIDTH = 4 * PLACE + 3 * GAP
LEVEL, TIP = 30.0, 48.0  # of a level below the top, and of the top
KINDS_A_ROW, KIND_WIDTH, KIND_HEIGHT = 5, 92, 54  # in the scrapyard; five colours in three sizes are all there can be


@dataclass(frozen=True)
class Row:
    """One player's towers, each bottom first, a remark beside the name, and the printed sheet that they stand on."""

    name: str
    towers: tuple[tuple[Pyramid, ...], ...] = ((),) * 4
    remark: str = ""
    sheet: str = ""


def changed_towers(before: Iterable[Row], after: Iterable[Row]) -> frozenset[tuple[int, int]]:
    """The (row, tower), both from 0, that do not look the same in both drawings."""
    return frozenset(
        (n, place)
        for n, (one, other) in enumerate(zip(before, after, strict=True))
        for place, (was, now) in enumerate(zip(one.towers, other.towers, strict=True))
        if was != now
    )


def as_played_with(family: str, pieces: tuple[Pyramid, ...]) -> tuple[Pyramid, ...]:
    """The pieces in the colours of the pyramids that this group has."""
    real: dict[Colour, Colour] = {}
    for colour, meant in EQUIVALENTS[family].items():
        real.setdefault(meant, colour)
    return tuple(Pyramid(real[piece.colour], piece.size) for piece in pieces)


def towers_svg(
    rows: tuple[Row, ...], scrapyard: tuple[Pyramid, ...], marked: frozenset[tuple[int, int]], manner: str
) -> Markup:
    """The whole drawing: a picture for each player and one of the scrapyard, so that the page can set them beside or
    below each other."""
    players = (_row(row, frozenset(at for one, at in marked if one == n), manner) for n, row in enumerate(rows))
    drawn = "".join((*players, _scrapyard(scrapyard)))
    return Markup(f'<div class="drawing towers of-{len(rows) + 1}">{drawn}</div>')  # names are escaped


def _row(row: Row, marked: frozenset[int], manner: str) -> str:
    shown = f'role="img" aria-label="{escape(row.name)}\'s towers as the umpire has them"'
    parts = [
        f'<svg class="board" viewBox="{-MARGIN} 0 {ROW_WIDTH + 2 * MARGIN} {ROW}" {shown}>',
        text("label", 4, 22, row.name, "start"),
        *([text("label", ROW_WIDTH - 4, 22, row.remark, "end")] if row.remark else []),
    ]
    for n, tower in enumerate(row.towers):
        parts.append(f'<g transform="translate({n * (PLACE + GAP)} 40)">')
        parts.append(f'<rect class="{("shaded", "light")[n % 2]}" width="{PLACE}" height="{TOWER}"/>')
        words = f"{row.name}'s tower {n + 1}: {stack_words(tower) if tower else 'no tower'}"
        parts += place(f"{row.sheet}/tower-{n + 1}", words, _tower(tower), (2, 2, PLACE - 4, TOWER - 4))
        if n in marked:
            parts.append(f'<rect class="mark {manner}" x="4" y="4" width="92" height="{TOWER - 8}" rx="10"/>')
        parts += [text("label", PLACE / 2, TOWER + 18, str(n + 1)), "</g>"]
    return "".join((*parts, "</svg>"))


def _tower(tower: tuple[Pyramid, ...]) -> list[str]:
    parts, foot = [], TOWER - 8.0
    for level, pyramid in enumerate(tower):
        parts += _level(pyramid, foot, level == len(tower) - 1)
        foot -= LEVEL
    return parts


def _level(pyramid: Pyramid, foot: float, is_top: bool) -> list[str]:
    """A pyramid from the side; of one that has another on it, what is not covered."""
    inner = 2.5 if is_top else BASE_WIDTH[pyramid.size] / 2 * 0.64
    return side(pyramid, foot, foot - (TIP if is_top else LEVEL), inner) + signs(pyramid, foot - 14)


def _scrapyard(scrapyard: tuple[Pyramid, ...]) -> str:
    """What lies there, of each kind one piece with its number. All kinds have room, so that nothing grows."""
    heap = sorted(Counter(scrapyard).items(), key=lambda pair: (pair[0].colour.value, pair[0].size))
    words = f"Scrapyard: {', '.join(f'{count} {pyramid}' for pyramid, count in heap) or 'nothing'}"
    parts = [
        f'<svg class="board" viewBox="{-MARGIN} 0 {ROW_WIDTH + 2 * MARGIN} {ROW}" role="img"'
        f' aria-label="{escape(words)}">',
        text("label", 4, 22, "Scrapyard" if heap else "Scrapyard: empty", "start"),
    ]
    drawn = []
    for n, (pyramid, count) in enumerate(heap):
        x, y = (n % KINDS_A_ROW) * KIND_WIDTH, 40 + KIND_HEIGHT * (n // KINDS_A_ROW)
        drawn += [f'<g transform="translate({x} {y}) scale(.56)">', *_level(pyramid, 92, True), "</g>"]
        drawn += [text("label", x + 64, y + 40, str(count))]
    parts += place("scrapyard", words, drawn, (2, 38, ROW_WIDTH - 4, ROW - 44))
    return "".join((*parts, "</svg>"))
