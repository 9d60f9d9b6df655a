"""What can be said: the moves, their notation, and `parse`, which undoes it.

launch black 1/3 at 2/5       player 1 launches the black missile of silo 3 at player 2's silo 5
scramble 1/5                  a SAC unit leaves its silo for the air wing
discard 1/6                   an ABM is thrown away, for want of anything to launch
sortie 1 large 2/3, small 2/5 units of the air wing attack
oppose 2 medium 2/3           a unit of player 2's air wing meets the one that attacks silo 3 ('oppose 2 nothing')
intercept 2/8, allow 2        an ABM meets the missile, or player 2 lets it through
deflect 2 to 3                player 2's SBAM sends the missile on to player 3
take 2/4                      the player struck names the silo ('take 2/4 2/5': two for a deflected MIRV)
report 2 5, report 2 none     the answer to a drone: DEFCON 5, or no report
aim 2/5                       what the drone was aimed at, where the table cannot show it (or aim 2/?)
reveal 2/3 blue               what is exposed now in silo 3, where nobody had declared it
expose 2/3 president          what stands exposed under an empty silo: president, vice-president, both, nothing
strike 1 at 2/3               Launch Detect: the missile on its way strikes
pass 1                        nothing can be launched
pick 1 large black            shared stockpile: a player takes a pyramid

A place is a player's number, a stroke and the silo: 2/5. `2/?` is a silo of player 2 that nobody could see; `?` a
player and a silo that nobody could see. In Launch Detect `2/?` is a launch at player 2, silo not chosen yet.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, NamedTuple

from engine.errors import InvalidNotation
from engine.game import Touch
from engine.table import COLOURS, Colour, Pyramid, Size

SILOS = range(1, 9)
PRESIDENT, VICE_PRESIDENT = "president", "vice-president"


class Place(NamedTuple):
    """A silo, 1 to 8, of the player with that number; silo None: one of them, not known which.

    >>> str(Place.parse("2/5")), str(Place.parse("10/?"))
    ('2/5', '10/?')
    """

    number: int
    silo: int | None

    def __str__(self) -> str:
        return f"{self.number}/{self.silo or '?'}"

    @classmethod
    def parse(cls, text: str) -> Place:
        found = re.fullmatch(r"([1-9]\d?)/([1-8?])", text)
        if not found:
            raise InvalidNotation(text, "a player's number and a silo such as 2/5")
        return cls(int(found[1]), None if found[2] == "?" else int(found[2]))


@dataclass(frozen=True)
class Launch:
    """The top missile of a silo is launched at a silo; target None: nobody could see at whom."""

    origin: Place
    colour: Colour
    target: Place | None

    def __str__(self) -> str:
        return f"launch {self.colour} {self.origin} at {self.target or '?'}"


@dataclass(frozen=True)
class Scramble:
    """The SAC unit on top of a silo joins the air wing."""

    origin: Place

    def __str__(self) -> str:
        return f"scramble {self.origin}"


@dataclass(frozen=True)
class Discard:
    """The ABM on top of a silo is thrown away."""

    origin: Place

    def __str__(self) -> str:
        return f"discard {self.origin}"


Units = tuple[tuple[Size, Place], ...]  # units of an air wing, each with the silo it attacks or defends


@dataclass(frozen=True)
class Sortie:
    """Units of a player's air wing attack, each the silo named with it."""

    number: int
    units: Units

    def __str__(self) -> str:
        return f"sortie {self.number} {_units_text(self.units)}"


@dataclass(frozen=True)
class Oppose:
    """The answer to a sortie: the defender's units, each with the silo whose attacker it meets."""

    number: int
    units: Units

    def __str__(self) -> str:
        return f"oppose {self.number} {_units_text(self.units)}"


@dataclass(frozen=True)
class Intercept:
    """The answer to a missile on its way: the ABM on top of this silo meets it."""

    origin: Place

    def __str__(self) -> str:
        return f"intercept {self.origin}"


@dataclass(frozen=True)
class Allow:
    """The answer to a missile on its way: the player does not intercept it."""

    number: int

    def __str__(self) -> str:
        return f"allow {self.number}"


@dataclass(frozen=True)
class Deflect:
    """A player whose SBAM was hit sends the missile on to another."""

    number: int
    to: int

    def __str__(self) -> str:
        return f"deflect {self.number} to {self.to}"


@dataclass(frozen=True)
class Take:
    """A player who is struck names the silo, or the two silos side by side."""

    places: tuple[Place, ...]

    def __str__(self) -> str:
        return f"take {' '.join(map(str, self.places))}"


@dataclass(frozen=True)
class Report:
    """The answer to a drone; level None: no report."""

    number: int
    level: int | None

    def __str__(self) -> str:
        return f"report {self.number} {'none' if self.level is None else self.level}"


@dataclass(frozen=True)
class Aim:
    """What a drone was aimed at."""

    target: Place

    def __str__(self) -> str:
        return f"aim {self.target}"


@dataclass(frozen=True)
class Reveal:
    """The missile that is on top of a silo now."""

    place: Place
    colour: Colour

    def __str__(self) -> str:
        return f"reveal {self.place} {self.colour}"


@dataclass(frozen=True)
class Expose:
    """The executives that stand exposed where a silo is empty: none, one or both."""

    place: Place
    who: tuple[str, ...]

    def __str__(self) -> str:
        words = {(): "nothing", (PRESIDENT, VICE_PRESIDENT): "both"}
        return f"expose {self.place} {words.get(self.who) or self.who[0]}"


@dataclass(frozen=True)
class Strike:
    """Launch Detect: the missile that was on its way strikes."""

    number: int
    target: Place

    def __str__(self) -> str:
        return f"strike {self.number} at {self.target}"


@dataclass(frozen=True)
class Pass:
    """A player whose launch nothing allows."""

    number: int

    def __str__(self) -> str:
        return f"pass {self.number}"


@dataclass(frozen=True)
class Pick:
    """Shared stockpile: a player takes a pyramid from it."""

    number: int
    pyramid: Pyramid

    def __str__(self) -> str:
        return f"pick {self.number} {self.pyramid}"


Answer = Oppose | Intercept | Allow | Deflect | Take | Report | Aim | Reveal | Expose
Said = Launch | Scramble | Discard | Sortie | Strike | Pass | Pick | Answer | Touch


def numbers_in(move: Any) -> tuple[int, ...]:
    """The players' numbers that a move names; none for a Touch."""
    if isinstance(move, Touch):
        return ()
    named = (getattr(move, name, None) for name in ("origin", "target", "place"))
    places = (*named, *getattr(move, "places", ()), *(place for _, place in getattr(move, "units", ())))
    numbers = (getattr(move, "number", None), getattr(move, "to", None), *(place.number for place in places if place))
    return tuple(number for number in numbers if number is not None)


_ANY_COLOUR, _ANY_SIZE = "|".join(colour.value for colour in COLOURS), "|".join(str(size) for size in Size)
_NUMBER, _SILO, _COLOUR = r"([1-9]\d?)", r"([1-9]\d?/[1-8])", f"({_ANY_COLOUR})"
_UNIT = rf"(?:{_ANY_SIZE}) [1-9]\d?/[1-8?]"
_UNITS = f"(nothing|{_UNIT}(?:, {_UNIT})*)"
_EXPOSED = {
    **{"nothing": (), "both": (PRESIDENT, VICE_PRESIDENT)},
    **{PRESIDENT: (PRESIDENT,), VICE_PRESIDENT: (VICE_PRESIDENT,)},
}


def parse(text: str) -> Said:
    """The move that `str` wrote. Raises InvalidNotation.

    >>> parse("launch black 1/3 at 2/5")
    Launch(origin=Place(number=1, silo=3), colour=<Colour.BLACK: 'black'>, target=Place(number=2, silo=5))
    >>> str(parse("Sortie 1 large 2/3, small 2/5"))
    'sortie 1 large 2/3, small 2/5'
    """
    InvalidNotation.check_length(text)
    if touch := Touch.parse(text):
        return touch
    said = " ".join(text.lower().split())
    for pattern, made in _READERS:
        if match := pattern.fullmatch(said):
            return made(*match.groups())
    raise InvalidNotation(text, "a move such as 'launch black 1/3 at 2/5', 'scramble 1/5' or 'take 2/4'")


def _units_text(units: Units) -> str:
    return ", ".join(f"{size} {place}" for size, place in units) or "nothing"


def _units(text: str) -> Units:
    if text == "nothing":
        return ()
    words = (part.split() for part in text.split(", "))
    return tuple((Size[size.upper()], Place.parse(place)) for size, place in words)


def _places(text: str) -> tuple[Place, ...]:
    return tuple(Place.parse(word) for word in text.split())


def _target(text: str) -> Place | None:
    return None if text == "?" else Place.parse(text)


_READERS = (
    (
        re.compile(rf"launch {_COLOUR} {_SILO} at (\?|[1-9]\d?/[1-8?])"),
        lambda colour, origin, target: Launch(Place.parse(origin), Colour(colour), _target(target)),
    ),
    (re.compile(rf"scramble {_SILO}"), lambda origin: Scramble(Place.parse(origin))),
    (re.compile(rf"discard {_SILO}"), lambda origin: Discard(Place.parse(origin))),
    (re.compile(rf"sortie {_NUMBER} {_UNITS}"), lambda number, units: Sortie(int(number), _units(units))),
    (re.compile(rf"oppose {_NUMBER} {_UNITS}"), lambda number, units: Oppose(int(number), _units(units))),
    (re.compile(rf"intercept {_SILO}"), lambda origin: Intercept(Place.parse(origin))),
    (re.compile(rf"allow {_NUMBER}"), lambda number: Allow(int(number))),
    (re.compile(rf"deflect {_NUMBER} to {_NUMBER}"), lambda number, to: Deflect(int(number), int(to))),
    (re.compile(r"take ([1-9]\d?/[1-8](?: [1-9]\d?/[1-8])?)"), lambda places: Take(_places(places))),
    (
        re.compile(rf"report {_NUMBER} (none|\d\d?)"),
        lambda number, level: Report(int(number), None if level == "none" else int(level)),
    ),
    (re.compile(r"aim ([1-9]\d?/[1-8?])"), lambda target: Aim(Place.parse(target))),
    (re.compile(rf"reveal {_SILO} {_COLOUR}"), lambda place, colour: Reveal(Place.parse(place), Colour(colour))),
    (
        re.compile(rf"expose {_SILO} ({'|'.join(_EXPOSED)})"),
        lambda place, who: Expose(Place.parse(place), _EXPOSED[who]),
    ),
    (
        re.compile(rf"strike {_NUMBER} at {_SILO}"),
        lambda number, target: Strike(int(number), Place.parse(target)),
    ),
    (re.compile(rf"pass {_NUMBER}"), lambda number: Pass(int(number))),
    (
        re.compile(rf"pick {_NUMBER} ((?:{_ANY_SIZE}) (?:{_ANY_COLOUR}))"),
        lambda number, pyramid: Pick(int(number), Pyramid.parse(pyramid)),
    ),
)
