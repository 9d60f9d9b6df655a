"""Batteries as SVG: a row of eight silos for each player, with what is exposed, what is damaged and what is in the air.

Each silo is 100 units wide. A silo shows its top missile from the side, with its colour's letter and weave (see
webui.ink) and its size as width and as pips: the pips say how many missiles are left. Nothing that is covered is drawn.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from markupsafe import Markup, escape

from engine.table import Colour, Pyramid, Size
from webui.ink import face, place, side, signs, text

SILO = 100
MARGIN = 30
ROW = 232  # a battery with its name, its air wing and the markers before it
SILO_TOP = 98  # the silos' upper edge
WING_SCALE = 0.5
HEIGHT = {Size.SMALL: 44, Size.MEDIUM: 56, Size.LARGE: 70}


@dataclass(frozen=True)
class Row:
    """One battery to draw: eight tops (None: empty), silos with a damage marker, the air wing, a remark.

    `unknown` are silos that are not empty and whose top nobody knows; `sheet` is the battery's printed sheet.
    """

    name: str
    tops: tuple[Pyramid | None, ...] = (None,) * 8
    damaged: frozenset[int] = frozenset()
    air_wing: tuple[Size, ...] = ()
    remark: str = ""
    unknown: frozenset[int] = frozenset()
    sheet: str = ""


def changed_silos(before: Iterable[Row], after: Iterable[Row]) -> frozenset[tuple[int, int]]:
    """The (row, silo), both from 0 and 1, that do not look the same in both drawings."""
    return frozenset(
        (n, silo)
        for n, (one, other) in enumerate(zip(before, after, strict=True))
        for silo in range(1, 9)
        if (one.tops[silo - 1], silo in one.damaged) != (other.tops[silo - 1], silo in other.damaged)
    )


def silos_svg(rows: tuple[Row, ...], marked: frozenset[tuple[int, int]], manner: str) -> Markup:
    """The whole drawing: a picture for each battery, so that the page can set them beside or below each other."""
    batteries = (
        _battery(row, frozenset(silo for place, silo in marked if place == n), manner) for n, row in enumerate(rows)
    )
    return Markup(f'<div class="drawing of-{len(rows)}">{"".join(batteries)}</div>')  # names are escaped


def _battery(row: Row, marked: frozenset[int], manner: str) -> str:
    shown = f'role="img" aria-label="{escape(row.name)}\'s battery as the umpire has it"'
    parts = [
        f'<svg class="board" viewBox="{-MARGIN} 0 {8 * SILO + 2 * MARGIN} {ROW}" {shown}>',
        text("label", 4, 30, row.name, "start"),
        *([text("label", 8 * SILO - 4, 30, row.remark, "end")] if row.remark else []),
        *_air_wing(row),
    ]
    for silo in range(1, 9):
        x = (silo - 1) * SILO
        parts.append(f'<g transform="translate({x} {SILO_TOP})">')
        parts.append(f'<rect class="{("light", "shaded")[silo % 2]}" width="{SILO}" height="{SILO}"/>')
        parts += _silo(row, silo)
        if silo in marked:
            parts.append(f'<rect class="mark {manner}" x="4" y="4" width="{SILO - 8}" height="{SILO - 8}" rx="10"/>')
        parts += [text("label", SILO / 2, SILO + 18, str(silo)), *_front(row, silo), "</g>"]
    return "".join((*parts, "</svg>"))


def _air_wing(row: Row) -> list[str]:
    drawn = []
    for n, size in enumerate(row.air_wing):
        drawn += [f'<g transform="translate({250 + 56 * n} 2) scale({WING_SCALE})">']
        drawn += [*_standing(Pyramid(Colour.CYAN, size)), "</g>"]
    words = " and ".join(f"a {size} unit" for size in row.air_wing) or "nobody"
    return place(f"{row.sheet}/air-wing", f"{row.name}'s air wing: {words}", drawn, (240, 2, 380, 54))


def _silo(row: Row, silo: int) -> list[str]:
    top = row.tops[silo - 1]
    drawn = _standing(top) if top is not None else []
    drawn += [text("label inked", 50, 52, "?")] if silo in row.unknown else []
    what = str(top) if top is not None else "nobody knows what" if silo in row.unknown else "empty"
    words = f"{row.name}'s silo {silo}: {what}{', damaged' if silo in row.damaged else ''}"
    return place(f"{row.sheet}/silo-{silo}", words, drawn, (2, 2, SILO - 4, SILO - 4))


def _front(row: Row, silo: int) -> list[str]:
    """Before the silo lies what points at it: damaged."""
    marker = face(Colour.ORANGE, "36,-2 64,-2 50,-34", "50,-2 50,-34 64,-2") if silo in row.damaged else []
    marker += [text("letter on-orange", 50, -10, "!", size=18)] if marker else []
    words = f"before {row.name}'s silo {silo}: {'a damage marker' if marker else 'nothing'}"
    return place(f"{row.sheet}/front-{silo}", words, marker, (2, -38, SILO - 4, 38))


def _standing(piece: Pyramid) -> list[str]:
    return [*side(piece, 90.0, 90.0 - HEIGHT[piece.size]), *signs(piece, 76)]
