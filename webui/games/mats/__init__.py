"""The status mats that the page shows in place of the printed ones; one module a game.

HTML whose classes begin with `mat-`, styled by `static/mats.css`. Whatever colour says, letters, numbers and words say
too; markers that only repeat the words are hidden from screen readers.
"""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup

from engine.table import Colour
from webui.ink import LETTERS

_MAT = Markup('<section class="mat" aria-label="{}">{}</section>')
_PLAYER = Markup('<article class="mat-player{}" aria-label="{}"><h3>{}{}{}</h3><dl>{}</dl></article>')
_FACT = Markup('<div class="mat-fact"><dt>{}</dt><dd>{}</dd></div>')
_ORDER = Markup('<div class="mat-order"><h3>{}</h3><ol>{}</ol></div>')
_ITEM = Markup("<li{}>{}{}</li>")


def joined(parts: Iterable[Markup | str]) -> Markup:
    return Markup("").join(parts)


def the_mat(label: str, *parts: Markup) -> Markup:
    """The whole mat."""
    return _MAT.format(label, joined(parts))


def player(
    name: str, facts: Iterable[Markup], sign: Markup | str = "", remark: str = "", is_next: bool = False
) -> Markup:
    """One player's share of it. `remark` stands behind the name; `is_next`: the umpire waits for this one."""
    said = Markup(' <span class="mat-remark">{}</span>').format(remark) if remark else ""
    return _PLAYER.format(" mat-next" if is_next else "", name, sign, name, said, joined(facts))


def fact(what: str, value: Markup | str | int, marks: Markup | str = "", unseen: str = "") -> Markup:
    """A name and what it is: in words, and beside them as marks. `unseen` is said only to who hears the page."""
    more = Markup('<span class="mat-unseen">{}</span>').format(unseen) if unseen else ""
    return _FACT.format(what, joined([Markup('<span class="mat-words">{}</span>').format(value), more, marks]))


def order(heading: str, items: Iterable[tuple[Markup | str, str, bool]]) -> Markup:
    """A numbered list of (sign, words, whether the umpire waits for it)."""
    rows = (_ITEM.format(Markup(' class="mat-next"') if is_next else "", sign, words) for sign, words, is_next in items)
    return _ORDER.format(heading, joined(rows))


def disc(colour: Colour | None, shape: str = "mat-disc") -> Markup:
    """A player's colour with its letter."""
    if colour is None:
        return Markup("")
    return Markup('<i class="{0} mat-{1}" title="{1}">{2}</i>').format(shape, colour.value, LETTERS[colour])


def marks(full: int, of: int, shape: str = "mat-bead") -> Markup:
    """So many marks of so many."""
    one = Markup('<i class="{}{}"></i>')
    return Markup('<span class="mat-marks" aria-hidden="true">{}</span>').format(
        joined(one.format(shape, " mat-full" if n < full else "") for n in range(max(of, full)))
    )


def track(cells: Iterable[str], at: str) -> Markup:
    """A row of cells with a marker on one of them."""
    one = Markup('<i class="mat-cell{}">{}</i>')
    found = joined(one.format(" mat-full" if cell == at else "", cell) for cell in cells)
    return Markup('<span class="mat-track" aria-hidden="true">{}</span>').format(found)


def seal(words: str, commitment: str) -> Markup:
    """What was committed to before the game, after the words for it."""
    return Markup('<p class="mat-seal">{}: <code>{}</code></p>').format(words, commitment)


def seals(heading: str, *parts: Markup) -> Markup:
    """Seals and what belongs to them, to be unfolded; nothing where there are none."""
    found = joined(parts)
    return (
        Markup('<details class="mat-seals"><summary>{}</summary>{}</details>').format(heading, found)
        if found
        else found
    )
