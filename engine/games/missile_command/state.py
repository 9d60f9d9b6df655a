"""What stands in the silos and what must be remembered: Silo, Executive, Battery, Position, State, Options.

A silo is the three missiles that it was built of, outermost first, and how many of them are left: the top is large
while three are left, medium while two are, small while one is. Whose colours nobody knows are None.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from typing import Any

from engine.games.missile_command.notation import PRESIDENT, VICE_PRESIDENT, Place, Units
from engine.rules import Ending, Outcome
from engine.table import Colour, Pyramid, Size

DEFCON_REPORTED = 5  # the highest level that is announced
NEVER_LAUNCHED = frozenset({Colour.CYAN, Colour.ORANGE})  # scrambled and, at need, discarded instead
NO_FLIGHT_STOPS = frozenset({Colour.PURPLE, Colour.CYAN})  # may not be intercepted
TWO_PLAYERS_LACK = frozenset({Colour.RED, Colour.YELLOW})
BASIC = frozenset({Colour.BLACK, Colour.WHITE, Colour.BLUE, Colour.GREEN, Colour.CLEAR})


@dataclass(frozen=True)
class Options:
    """Variants and switches for rules that groups read differently.

    `basic_game`: only black, white, blue, green and clear missiles. `shared_stockpile`: players take their pyramids in
    turn from one pool. `launch_detect`: what is launched in one round strikes in the next. `peace_love_dove`: the same
    rules in kinder words. `mirv_by_the_table`: the MIRV has no extra attack on drones and neutron bombs (MC-2).
    `abms_save_tokens`: an ABM may meet a missile that is aimed at an exposed executive (MC-12).
    """

    basic_game: bool = False
    shared_stockpile: bool = False
    launch_detect: bool = False
    peace_love_dove: bool = False
    mirv_by_the_table: bool = False
    abms_save_tokens: bool = False


@dataclass(frozen=True)
class Player:
    """A player's name and number: that of the sheet with the battery, silos-2 for player 2."""

    name: str
    number: int

    @property
    def sheet(self) -> str:
        return f"silos-{self.number}"


@dataclass(frozen=True)
class Silo:
    """The missiles it was built of, outermost first, how many are left, and whether the top one is damaged.

    `marker` is the piece that lies before a damaged top, if it is known which. `is_searched`: its owner has said what
    stands exposed, now that it is empty. `is_guess`: how many are left is only what a doubtful photo showed, so what
    would be on top then is nobody's business yet.
    """

    missiles: tuple[Colour | None, Colour | None, Colour | None] = (None, None, None)
    left: int = 3
    is_damaged: bool = False
    marker: Pyramid | None = None
    is_searched: bool = False
    is_guess: bool = False

    @property
    def colour(self) -> Colour | None:
        """The colour of the exposed missile; None if the silo is empty, or nobody knows."""
        return self.missiles[3 - self.left] if self.left else None

    @property
    def top(self) -> Pyramid | None:
        return Pyramid(self.colour, Size(self.left)) if self.colour is not None else None

    @property
    def standing(self) -> tuple[Colour | None, ...]:
        """The missiles that are left, outermost first."""
        return self.missiles[3 - self.left :] if self.left else ()

    def without_top(self) -> Silo:
        return replace(self, left=self.left - 1, is_damaged=False, marker=None, is_guess=False) if self.left else self

    def showing(self, colour: Colour) -> Silo:
        """The silo, now that its top is seen to have this colour."""
        missiles = list(self.missiles)
        missiles[3 - self.left] = colour
        return replace(self, missiles=(missiles[0], missiles[1], missiles[2]))


class Fate(Enum):
    """How it stands with an executive."""

    HIDDEN = "hidden"
    EXPOSED = "exposed"
    DESTROYED = "destroyed"


@dataclass(frozen=True)
class Executive:
    """A President or Vice President: under which silo, None if nobody has said, and how it stands."""

    silo: int | None = None
    fate: Fate = Fate.HIDDEN


@dataclass(frozen=True)
class Shield:
    """The Star Wars system: up until the turn of player `number` has ended so many times more."""

    number: int
    ends: int = 2


@dataclass(frozen=True)
class Seal:
    """A commitment that everybody may see, and the salt and text that open it; None: not to be seen yet."""

    commitment: str
    salt: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class OnItsWay:
    """Launch Detect: a missile that will strike in its owner's next turn, and the player it is launched at.

    `target` is None where nobody could see at whom: the strike will tell.
    """

    missile: Pyramid
    target: int | None


@dataclass(frozen=True)
class Battery:
    """Everything of one player: silos, executives, air wing.

    `is_startled`: an executive was exposed and the Star Wars system is not up yet.
    """

    silos: tuple[Silo, ...] = (Silo(),) * 8
    president: Executive = Executive()
    vice_president: Executive = Executive()
    air_wing: tuple[Size, ...] = ()
    shield: Shield | None = None
    is_startled: bool = False
    is_out: bool = False
    on_its_way: OnItsWay | None = None
    is_declared: bool = False
    seal: Seal | None = None

    @property
    def executives(self) -> tuple[tuple[str, Executive], ...]:
        return ((PRESIDENT, self.president), (VICE_PRESIDENT, self.vice_president))

    def exposed_in(self, silo: int) -> tuple[str, ...]:
        """Who stands exposed there."""
        return tuple(name for name, one in self.executives if one.silo == silo and one.fate is Fate.EXPOSED)

    def can_be_hit(self, silo: int) -> bool:
        """Whether a missile or an exposed executive is there."""
        return not self.is_out and (self.silos[silo - 1].left > 0 or bool(self.exposed_in(silo)))

    @property
    def hittable(self) -> tuple[int, ...]:
        return tuple(silo for silo in range(1, 9) if self.can_be_hit(silo))

    @property
    def tops(self) -> tuple[Colour, ...]:
        return tuple(silo.colour for silo in self.silos if silo.colour is not None)

    def with_silo(self, number: int, silo: Silo) -> Battery:
        return replace(self, silos=(*self.silos[: number - 1], silo, *self.silos[number:]))

    def with_executive(self, name: str, executive: Executive) -> Battery:
        if name == PRESIDENT:
            return replace(self, president=executive)
        return replace(self, vice_president=executive)


# What can be seen.


@dataclass(frozen=True)
class Side:
    """What can be seen of one battery: the top of each silo (None: empty, or nothing seen), the pieces that lie as
    damage markers with the silos they point at, and the units of the air wing, largest first."""

    tops: tuple[Pyramid | None, ...] = (None,) * 8
    markers: tuple[tuple[int, Pyramid | None], ...] = ()
    air_wing: tuple[Size, ...] = ()

    @property
    def damaged(self) -> frozenset[int]:
        return frozenset(silo for silo, _ in self.markers)


@dataclass(frozen=True)
class Position:
    """What can be seen: a Side for each player's number."""

    sides: tuple[tuple[int, Side], ...] = ()

    def side(self, number: int) -> Side:
        return dict(self.sides).get(number, Side())


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

    @property
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
    def is_settled(self) -> bool:
        return not self.blocking and not self.hits

    @property
    def is_drafting(self) -> bool:
        return self.draft is not None and any(len(taken) < 24 for taken in self.draft.taken)

    @cached_property
    def is_over(self) -> bool:
        return outcome(self) is not None

    @property
    def position(self) -> Position:
        """What should be seen on the table."""
        return Position(tuple((n, _side(one)) for n, one in zip(self.numbers, self.batteries, strict=True)))

    def after_seat(self, number: int) -> tuple[int, ...]:
        """The other players' numbers, clockwise from that one."""
        at = self.numbers.index(number)
        return (*self.numbers[at + 1 :], *self.numbers[:at])

    def with_battery(self, number: int, battery: Battery) -> State:
        at = self.numbers.index(number)
        return replace(self, batteries=(*self.batteries[:at], battery, *self.batteries[at + 1 :]))

    def with_silo(self, place: Place, silo: Silo) -> State:
        return self.with_battery(place.number, self.battery(place.number).with_silo(place.silo or 1, silo))


def _side(battery: Battery) -> Side:
    if battery.is_out:
        return Side()
    markers = tuple((n, silo.marker) for n, silo in enumerate(battery.silos, 1) if silo.is_damaged)
    return Side(tuple(silo.top for silo in battery.silos), markers, battery.air_wing)


def sorted_wing(sizes: tuple[Size, ...]) -> tuple[Size, ...]:
    return tuple(sorted(sizes, reverse=True))


def in_order(pieces: tuple[Pyramid, ...]) -> tuple[Pyramid, ...]:
    return tuple(sorted(pieces, key=lambda piece: (-piece.size, piece.colour.value)))


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


# Secrets.


def visible_to(state: State, player: str | None) -> State:
    """The state as a player may see it, or, for None, as everybody may: no sealed missile, executive or salt."""
    shown = tuple(
        one if who.name == player else _as_others_see(one)
        for who, one in zip(state.players, state.batteries, strict=True)
    )
    return replace(state, batteries=shown)


def _as_others_see(battery: Battery) -> Battery:
    silos = tuple(replace(silo, missiles=_as_exposed(silo)) for silo in battery.silos)
    hidden = {name: replace(one, silo=None) if one.fate is Fate.HIDDEN else one for name, one in battery.executives}
    seal = replace(battery.seal, salt=None, text=None) if battery.seal else None
    return replace(battery, silos=silos, president=hidden[PRESIDENT], vice_president=hidden[VICE_PRESIDENT], seal=seal)


def _as_exposed(silo: Silo) -> tuple[Colour | None, Colour | None, Colour | None]:
    """What has been on top so far."""
    shown = 3 - silo.left - silo.is_guess
    first, second, third = (colour if n <= shown else None for n, colour in enumerate(silo.missiles))
    return first, second, third
