"""What every drawing says a pyramid's colour by: a letter, and a weave of its own over the plastic's colour.

The fills come from the page's style sheet by class name, so that light and dark need no second drawing. The weaves
are patterns that a page defines once, in weaves.html; a page without them shows the plain colours.
"""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import escape

from engine.table import Colour, Pyramid, Size

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


def face(colour: Colour, outline: str, shade: str) -> list[str]:
    """A pyramid's outline in its colour and weave; `shade` is the side away from the light. Both are SVG points."""
    return [
        f'<polygon class="piece c-{colour}" points="{outline}"/>',
        f'<polygon class="weave" fill="url(#weave-{colour})" points="{outline}"/>',
        f'<polygon class="shade" points="{shade}"/>',
    ]


def side(pyramid: Pyramid, foot: float, top: float, inner: float = 2.5) -> list[str]:
    """A pyramid from the side, its middle at 50: `foot` and `top` are heights down the page, `inner` half the width
    at the top."""
    half = BASE_WIDTH[pyramid.size] / 2
    left = f"{50 - half:.1f},{foot:.1f} {50 - inner:.1f},{top:.1f}"
    right = f"{50 + inner:.1f},{top:.1f} {50 + half:.1f},{foot:.1f}"
    return face(pyramid.colour, f"{left} {right}", f"50,{foot:.1f} 50,{top:.1f} {right}")


def signs(pyramid: Pyramid, y: float, scale: float = 1.0) -> list[str]:
    """The colour's letter with the pips to its right, centred together about 50."""
    ink = f"on-{pyramid.colour}"
    heights = [y + (level - (pyramid.size - 1) / 2) * 8 * scale for level in range(pyramid.size)]
    pips = [
        f'<circle class="pip {ink}" cx="{50 + 11 * scale:.1f}" cy="{at:.1f}" r="{2.9 * scale:.1f}"/>' for at in heights
    ]
    return [text(f"letter {ink}", 50 - 3.5 * scale, y, LETTERS[pyramid.colour], size=24 * scale), *pips]


def text(kind: str, x: float, y: float, words: str, anchor: str = "middle", size: float | None = None) -> str:
    """Words centred on their height; `size` where the style sheet does not say it."""
    measure = "" if size is None else f' font-size="{size:.1f}"'
    place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" dominant-baseline="central"'
    return f'<text class="{kind}" {place}{measure}>{escape(words)}</text>'


def place(name: str, words: str, within: Iterable[str], box: tuple[float, float, float, float]) -> list[str]:
    """A place that can be pointed at: `name` says which to the server, `words` what is there; `box` is left, top,
    width and height of what a finger hits."""
    x, y, width, height = box
    return [
        f'<g class="place" data-place="{escape(name)}"><title>{escape(words)}</title>',
        *within,
        f'<rect class="touch" x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{height:.1f}" rx="8"/>',
        "</g>",
    ]


def stack_words(pyramids: tuple[Pyramid, ...]) -> str:
    """The pieces from the top down: 'small red on large green'."""
    return " on ".join(map(str, reversed(pyramids))) or "nothing"
