"""Building a battery in secret by tapping: what is in the silos so far, what may still go in, what is wrong.

    view = building(options, [["black", "white", "blue"], ["red"]], {"president": 3}, players=3)
    view.stock          every pyramid of the stockpile: how many are used and left of the four alike that are allowed
    view.place          the silo and the size that are filled next; None when all eight are full
    view.faults         what is wrong, in sentences for this player only
    view.battery        what game.json takes under `batteries`, once it is whole; None before

What a rule forbids is the engine's to say. Nothing of a view may reach another player.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from markupsafe import Markup

from engine.games.missile_command import Battery, Options, Silo
from engine.games.missile_command.building import MOST_ALIKE, faults, known_missiles, stockpile_of
from engine.table import COLOURS, Colour, Pyramid, Size
from webui.hands import battery_svg

SILOS = 8
SIZES = (Size.LARGE, Size.MEDIUM, Size.SMALL)  # outermost first
EXECUTIVES = ("president", "vice_president")


@dataclass(frozen=True)
class Stock:
    """One kind of pyramid: how many are in the silos, and how many more may be."""

    pyramid: Pyramid
    used: int
    left: int


@dataclass(frozen=True)
class Building:
    """A battery that is being built. `silos` are always eight of three places, None where nothing is yet."""

    silos: tuple[tuple[Colour | None, Colour | None, Colour | None], ...]
    executives: tuple[int | None, int | None]
    stock: tuple[Stock, ...]
    place: tuple[int, Size] | None
    faults: tuple[str, ...]
    drawing: Markup

    @property
    def is_whole(self) -> bool:
        return self.place is None and None not in self.executives and not self.faults

    @property
    def battery(self) -> list[list[dict[str, str]]] | None:
        if not self.is_whole:
            return None
        return [[{"colour": str(colour)} for colour in silo] for silo in self.silos]

    @property
    def executive_silos(self) -> dict[str, int] | None:
        """What game.json takes under `executives`, once the battery is whole."""
        if not self.is_whole:
            return None
        return {name: silo for name, silo in zip(EXECUTIVES, self.executives, strict=True) if silo is not None}


def building(
    options: Options,
    silos: Any,
    executives: Any = None,
    *,
    players: int = 2,
    taken: tuple[Pyramid, ...] | None = None,
) -> Building:
    """The battery so far. `silos` are lists of colours' names, outermost first, "" or None where nothing is yet.

    `players` is how many play: two have no red and yellow. `taken` is what the player has from a shared stockpile.
    """
    odd: list[str] = []
    filled = _silos(silos, odd)
    seats = _executives(executives, odd)
    built = known_missiles(Battery(silos=tuple(Silo(one) for one in filled)))
    colours, pool = stockpile_of(options, players), None if taken is None else Counter(taken)
    wrong = tuple(dict.fromkeys((*odd, *(detail for _, detail in faults(built, colours, pool)))))
    stock = tuple(
        _stock(Pyramid(colour, size), built, pool) for size in SIZES for colour in COLOURS if colour in colours
    )
    empty = (
        (n, size) for n, silo in enumerate(filled, 1) for size, one in zip(SIZES, silo, strict=True) if one is None
    )
    return Building(filled, seats, stock, next(empty, None), wrong, battery_svg(filled, seats))


def _stock(piece: Pyramid, built: Counter[Pyramid], pool: Counter[Pyramid] | None) -> Stock:
    most = MOST_ALIKE if pool is None else min(MOST_ALIKE, pool[piece])
    return Stock(piece, built[piece], max(most - built[piece], 0))


def _silos(doc: Any, odd: list[str]) -> tuple[tuple[Colour | None, Colour | None, Colour | None], ...]:
    given = doc if isinstance(doc, list | tuple) else []
    if given is not doc or len(given) > SILOS or any(not isinstance(silo, list | tuple) for silo in given):
        odd.append("a battery has eight silos")
    found = []
    for silo in (*(one for one in given if isinstance(one, list | tuple)), *[()] * SILOS)[:SILOS]:
        first, second, third = (_colour(name, odd) for name in (*silo, None, None, None)[:3])
        if len(silo) > len(SIZES):
            odd.append("a silo holds three missiles")
        found.append((first, second, third))
    return tuple(found)


def _colour(name: Any, odd: list[str]) -> Colour | None:
    if name is None or name == "":
        return None
    found = next((colour for colour in COLOURS if colour.value == name), None)
    if found is None:
        odd.append("a missile has one of the ten colours")
    return found


def _executives(doc: Any, odd: list[str]) -> tuple[int | None, int | None]:
    given = doc if isinstance(doc, dict) else {}
    found = []
    for name in EXECUTIVES:
        silo = given.get(name)
        fine = silo is None or (type(silo) is int and 1 <= silo <= SILOS)
        if not fine:
            odd.append(f"the {name.replace('_', ' ')} stands under a silo from 1 to {SILOS}")
        found.append(silo if fine else None)
    return found[0], found[1]
