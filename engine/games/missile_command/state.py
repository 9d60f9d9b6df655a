"""What must be remembered: what is still owed, whose turn it is, and what that lets players do."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from engine.games.missile_command.batteries import Battery, Fate, Options, Player, Position, Silo, side_of
from engine.games.missile_command.notation import Place, Units
from engine.rules import Ending, Outcome
from engine.table import Colour, Pyramid

DEFCON_REPORTED = 5  # the highest level that is announced
NEVER_LAUNCHED = frozenset({Colour.CYAN, Colour.ORANGE})  # scrambled and, at need, discarded instead
NO_FLIGHT_STOPS = frozenset({Colour.PURPLE, Colour.CYAN})  # may not be intercepted


# What is still to be settled.


@dataclass(frozen=True)
class Flight:
    """A missile that has been launched. `is_side`: one of the further strikes of a MIRV or neutron bomb, which nobody
    deflects. `is_deflected`: it comes from an SBAM, which the struck player may use again."""

    missile: Pyramid
    attacker: int
    is_side: bool = False
    is_deflected: bool = False


@dataclass(frozen=True)
class Intercepting:
    """A player with an ABM may meet the missile before it strikes `targets`; empty where nobody could see them."""

    number: int
    flight: Flight
    targets: tuple[Place, ...]


@dataclass(frozen=True)
class Deflecting:
    """A player whose SBAM was hit is to send the missile on."""

    number: int
    flight: Flight


@dataclass(frozen=True)
class Taking:
    """A player is to name the silo to be struck: one beside `beside`, if that is given."""

    number: int
    flight: Flight
    beside: int | None = None


@dataclass(frozen=True)
class Opposing:
    """A player may meet the units of a sortie with those of the own air wing."""

    number: int
    units: Units


@dataclass(frozen=True)
class Probing:
    """A player is to answer a drone. The target, or its silo, is None where nobody could see it."""

    prober: int
    target: Place | None


@dataclass(frozen=True)
class Revealing:
    """Nobody has said what is exposed now in a silo."""

    place: Place


@dataclass(frozen=True)
class Exposing:
    """Nobody has said whether an executive stands exposed in an empty silo."""

    place: Place


Owed = Intercepting | Deflecting | Taking | Opposing | Probing | Revealing | Exposing


@dataclass(frozen=True)
class Hit:
    """A missile about to land on a silo."""

    place: Place
    missile: Pyramid
    is_direct: bool = False


@dataclass(frozen=True)
class Heard:
    """An answer to a drone, and how many missiles each silo had then: what is exposed later must agree with it."""

    number: int
    target: int
    level: int | None
    left: tuple[int, ...]


@dataclass(frozen=True)
class Draft:
    """Shared stockpile: what is left of the pool, what each player, in seating order, has taken, and the number of
    who has the first strike once all have 24 pyramids."""

    pool: tuple[Pyramid, ...]
    taken: tuple[tuple[Pyramid, ...], ...]
    first_strike: int


@dataclass(frozen=True)
class State:
    """The batteries and what must be remembered.

    `turn` is the number of the player whose turn it is. `has_launched`: that turn ends once everything is settled.
    `has_sortied`, `has_struck` (Launch Detect): done in this turn. `owed` is what is still to be settled, first one
    first; `hits` land together when nothing is left to be chosen. `discarded` are pieces out of play. `said` are
    declared moves that no table has shown yet. `turns_are_sure` ends with the first event that could not be ruled on.
    """

    players: tuple[Player, ...]
    batteries: tuple[Battery, ...]
    turn: int
    options: Options = field(default_factory=Options)
    has_launched: bool = False
    has_sortied: bool = False
    has_struck: bool = False
    owed: tuple[Owed, ...] = ()
    hits: tuple[Hit, ...] = ()
    discarded: tuple[Pyramid, ...] = ()
    heard: tuple[Heard, ...] = ()
    draft: Draft | None = None
    said: tuple[Any, ...] = ()
    turns_are_sure: bool = True

    @cached_property
    def numbers(self) -> tuple[int, ...]:
        """The players' numbers in seating order."""
        return tuple(player.number for player in self.players)

    @property
    def is_for_two(self) -> bool:
        return len(self.players) == 2

    def has_player(self, number: int) -> bool:
        return number in self.numbers

    def name_of(self, number: int) -> str:
        return next((player.name for player in self.players if player.number == number), f"player {number}")

    def battery(self, number: int) -> Battery:
        """The player's battery. Raises ValueError for a number that no player has."""
        return self.batteries[self.numbers.index(number)]

    def silo(self, place: Place) -> Silo:
        return self.battery(place.number).silos[(place.silo or 1) - 1]

    @cached_property
    def in_game(self) -> tuple[int, ...]:
        """Who is still in the game, in seating order."""
        return tuple(n for n, one in zip(self.numbers, self.batteries, strict=True) if not one.is_out)

    @cached_property
    def blocking(self) -> tuple[Owed, ...]:
        """What must be settled before anything else is done: an unanswered drone is no hindrance."""
        return tuple(owed for owed in self.owed if not isinstance(owed, Probing))

    @property
    def is_drafting(self) -> bool:
        return self.draft is not None and any(len(taken) < 24 for taken in self.draft.taken)

    @cached_property
    def is_over(self) -> bool:
        return outcome(self) is not None

    @property
    def position(self) -> Position:
        """What should be seen on the table."""
        return Position(tuple((n, side_of(one)) for n, one in zip(self.numbers, self.batteries, strict=True)))

    def after_seat(self, number: int) -> tuple[int, ...]:
        """The other players' numbers, clockwise from that one."""
        at = self.numbers.index(number)
        return (*self.numbers[at + 1 :], *self.numbers[:at])

    def with_battery(self, number: int, battery: Battery) -> State:
        at = self.numbers.index(number)
        return replace(self, batteries=(*self.batteries[:at], battery, *self.batteries[at + 1 :]))

    def with_silo(self, place: Place, silo: Silo) -> State:
        return self.with_battery(place.number, self.battery(place.number).with_silo(place.silo or 1, silo))


# What may be done: asked by the clerk (whom to skip) and by the judge alike.


def may_target(state: State, number: int, target: int) -> bool:
    """Whether a player may aim at another's battery: an enemy in the game, the Star Wars system not up."""
    return target != number and target in state.in_game and state.battery(target).shield is None


def targets(state: State, number: int) -> tuple[Place, ...]:
    """Every silo that a player may aim at."""
    return tuple(
        Place(other, silo)
        for other in state.in_game
        if may_target(state, number, other)
        for silo in state.battery(other).hittable
    )


def can_launch(state: State, number: int) -> bool:
    """Whether a player can launch, scramble or, having only ABMs exposed, discard one (MC-6, MC-29)."""
    tops = state.battery(number).tops
    if not tops:
        return False
    if Colour.CYAN in tops or set(tops) == {Colour.ORANGE}:
        return True
    return bool(set(tops) - NEVER_LAUNCHED) and bool(targets(state, number))


def can_sortie(state: State, number: int) -> bool:
    return bool(state.battery(number).air_wing) and not state.has_sortied and bool(targets(state, number))


def strike_targets(state: State, number: int) -> tuple[Place, ...]:
    """Launch Detect: what the missile on its way may strike."""
    way = state.battery(number).on_its_way
    if way is None:
        return ()
    return tuple(place for place in targets(state, number) if way.target in (None, place.number))


def interceptors(state: State, number: int, but: tuple[Place, ...]) -> tuple[Place, ...]:
    """Silos of a player with an ABM exposed, but those that are targets themselves."""
    places = (Place(number, silo) for silo in range(1, 9))
    return tuple(place for place in places if place not in but and state.silo(place).colour is Colour.ORANGE)


def levels(state: State, target: Place) -> tuple[int | None, ...] | None:
    """The answers that a player may give to a drone aimed there; None among them is 'no report'.

    None instead of answers: that depends on what nobody has said.
    """
    battery, found = state.battery(target.number), set()
    for _, executive in battery.executives:
        if executive.fate is Fate.DESTROYED:
            continue
        if executive.silo is None:
            return None
        silo = battery.silos[executive.silo - 1]
        if None in silo.standing:
            return None
        level = abs(executive.silo - (target.silo or 0)) + silo.left
        if Colour.CLEAR not in silo.standing and level <= DEFCON_REPORTED:
            found.add(level)
    return tuple(sorted(found)) or (None,)


def outcome(state: State) -> Outcome | None:
    """One President left wins; with all that are left exposed, those players share a draw."""
    if state.blocking or state.hits or any(one.is_startled for one in state.batteries):
        return None
    left = state.in_game
    names = tuple(state.name_of(number) for number in left)
    if len(left) <= 1:
        return Outcome(Ending.WON, names) if names else Outcome(Ending.DRAWN)
    if all(state.battery(number).president.fate is Fate.EXPOSED for number in left):
        return Outcome(Ending.DRAWN, names)
    return None
