"""What lies on the track and what must be remembered: Car, Position, State; phases, rounds and the leader pylon."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from itertools import pairwise
from typing import Any

from engine.games.gran_prix.dice import Dice
from engine.games.gran_prix.geometry import Point, footprint, moved, overlap_mm, tip
from engine.games.gran_prix.notation import Adjust, Roll
from engine.games.gran_prix.tolerance import Tolerance
from engine.games.gran_prix.track import Track
from engine.rules import Ending, Outcome
from engine.table import Colour, Pose, Pyramid, Size

PHASES = (1, 2, 3)
ADJUSTING = 4  # the stage after the third phase
STOPPED, FASTEST = 0, 9  # on the ladder stopped, 1-1, 1-2, 1-3, 2-1 ... 3-3
FULL_CONTROL = 3
SEVEN = 7  # what a driver check needs
TURNING_GEAR = {1: 3, 2: 2, 3: 1}  # the highest gear that turns in a phase without a driver check
JUMP_MM, JUMP_TIMES = 30.0, 4.0  # a car's way along the centre line, by how far it came, is no longer
LEVEL_MM = 5.0  # cars whose places round the track differ by less are level with each other: a first guess


@dataclass(frozen=True)
class Piece:
    """A lying pyramid and where it lies, in the frame of the track."""

    pyramid: Pyramid
    pose: Pose


@dataclass(frozen=True)
class Position:
    """What can be seen on the track: lying pieces, in a fixed order. `error_mm` is the scene's."""

    pieces: tuple[Piece, ...] = ()
    error_mm: float = 0.0

    @classmethod
    def of(cls, pieces: list[Piece] | tuple[Piece, ...], error_mm: float = 0.0) -> Position:
        return cls(tuple(sorted(pieces, key=_piece_order)), error_mm)


def _piece_order(piece: Piece) -> tuple[str, int, float, float]:
    return piece.pyramid.colour.value, int(piece.pyramid.size), piece.pose.x_mm, piece.pose.y_mm


@dataclass(frozen=True)
class Car:
    """One car: what lies on the track, and its markers on the status mat.

    `step` is its place on the ladder of gears and speeds, 0 for stopped; `laps` what its marker shows; `waiting` the
    phases that it still has to wait after a crash. `driven_mm` is how far it has come along the centre line, past the
    finish line above zero. `is_counted` while it lies over the finish line and that crossing has been counted.
    """

    name: str
    colour: Colour
    size: Size
    pose: Pose
    step: int = STOPPED
    control: int = FULL_CONTROL
    laps: int = 0
    waiting: int = 0
    driven_mm: float = 0.0
    is_off: bool = False
    is_counted: bool = False
    has_crossed: bool = False
    has_started: bool = True  # not before a standing start's check has succeeded

    @property
    def gear(self) -> int:
        """1 to 3; 0 for no gear."""
        return gear_of(self.step)

    @property
    def speed(self) -> int:
        """1 to 3; 0 when stopped."""
        return 0 if self.step == STOPPED else (self.step - 1) % 3 + 1

    @cached_property
    def tip(self) -> Point:
        return tip(self.pose, self.size)

    @cached_property
    def footprint(self) -> tuple[Point, Point, Point]:
        return footprint(self.pose, self.size)

    @property
    def piece(self) -> Piece:
        return Piece(Pyramid(self.colour, self.size), self.pose)

    @property
    def can_adjust(self) -> bool:
        return self.has_started and not self.waiting


def gear_of(step: int) -> int:
    return (step + 2) // 3


@dataclass(frozen=True)
class Options:
    """Switches for rules that groups play differently; what is off is what the page says, as we read it.

    `first_crossing_is_free`: the crossing just after the start takes no lap off, and reaching lap 0 wins (P-10).
    `backwards_gives_lap_back`: crossing the finish line against the race adds a lap (P-10).
    `back_on_track`: a car that left the track is put on its nearest edge after the spin (P-1).
    `gaps`: photos may be missing, so that two events may lie between two tables.
    """

    first_crossing_is_free: bool = False
    backwards_gives_lap_back: bool = False
    back_on_track: bool = False
    gaps: bool = False


@dataclass(frozen=True)
class Spinning:
    """The car spins out: somebody has to spin it, and the table shows where it comes to lie."""

    car: str


@dataclass(frozen=True)
class Crashed:
    """After its spin a crashed car's driver rolls how many phases it stays."""

    car: str


Owed = Spinning | Crashed


@dataclass(frozen=True)
class State:
    """The race and what must be remembered.

    `stage` is the phase, or ADJUSTING. `pylon` is this round's order: groups of one car each, unless it is too close
    to call. `acted` have moved in this phase (or adjusted in this round). `turning` is the car that moved last, while
    it may still turn; `check` what its driver check gave. `checked` are the drivers who rolled for adjustment and
    whether they succeeded. `owed` comes before anything else. `said` are declared moves that no table has shown yet.
    `is_sure` ends with the first event that could not be ruled on: from then on nobody is accused.
    `unsure` are cars whose speed may have been adjusted unheard. `dice` are the umpire's own, where a group asked it to
    roll.
    """

    track: Track
    cars: tuple[Car, ...]
    pylon: tuple[tuple[str, ...], ...]
    round_number: int = 1
    stage: int = 1
    acted: tuple[str, ...] = ()
    turning: str | None = None
    check: bool | None = None
    checked: tuple[tuple[str, bool], ...] = ()
    owed: tuple[Owed, ...] = ()
    said: tuple[Adjust | Roll, ...] = ()
    winner: str | None = None
    options: Options = field(default_factory=Options)
    tolerance: Tolerance = field(default_factory=Tolerance)
    is_sure: bool = True
    unsure: frozenset[str] = frozenset()
    dice: Dice | None = None

    @cached_property
    def by_name(self) -> dict[str, Car]:
        """The cars by their names; not to be written to."""
        return {car.name: car for car in self.cars}

    @cached_property
    def position(self) -> Position:
        return Position.of([car.piece for car in self.cars])

    @cached_property
    def due(self) -> tuple[tuple[str, ...], ...]:
        """The cars that must still move in this phase, in the pylon's order; none while drivers adjust."""
        if self.stage == ADJUSTING or self.winner is not None:
            return ()
        waiting = (tuple(name for name in group if self._is_due(name)) for group in self.pylon)
        return tuple(group for group in waiting if group)

    @property
    def awaited(self) -> tuple[str, ...]:
        """Who moves next in this phase: one car, or several that are too close to call."""
        return self.due[0] if self.due else ()

    def _is_due(self, name: str) -> bool:
        return name not in self.acted and moves_in(self.by_name[name], self.stage)

    @cached_property
    def ready(self) -> State:
        """See the function of that name."""
        found = self
        for _ in range(2 * ADJUSTING):
            if found.due or found.winner is not None:
                return found
            found = closed(found)
        return self

    @property
    def may_adjust(self) -> tuple[str, ...]:
        """Who has not said yet how they drive on, or rolled for a standing start; none in a phase."""
        if self.stage != ADJUSTING:
            return ()
        return tuple(car.name for car in self.cars if not car.waiting and car.name not in self.acted)


def moves_in(car: Car, stage: int) -> bool:
    """Whether a car has to move in a phase: see the rule `move-by-speed`."""
    return stage in PHASES and car.step != STOPPED and (stage == 1 or car.speed >= stage)


def turns_in(car: Car, stage: int) -> bool:
    """Whether a car may turn in a phase without a driver check."""
    return stage in PHASES and car.step != STOPPED and car.gear <= TURNING_GEAR[stage]


_REMEMBERED = tuple(each.name for each in fields(State))


def but(state: State, **changed: Any) -> State:
    """The state with some fields changed: `replace`, only quicker, since whole races are tried."""
    made = object.__new__(State)
    made.__dict__.update({name: state.__dict__[name] for name in _REMEMBERED})
    made.__dict__.update(changed)
    return made


def with_car(state: State, car: Car) -> State:
    return but(state, cars=tuple(car if one.name == car.name else one for one in state.cars))


def at(track: Track, car: Car, pose: Pose, size: Size | None = None) -> Car:
    """The car at another place: how far it has driven goes on from where it was.

    Far off the track the nearest place of the centre line may jump; what no car can have driven does not count.
    """
    size = car.size if size is None else size
    ahead = track.wrapped(track.progress_mm(tip(pose, size)) - car.driven_mm)
    is_jump = abs(ahead) > JUMP_MM + JUMP_TIMES * distance_mm(car.pose, pose)
    return replace(car, pose=pose, size=size, driven_mm=car.driven_mm + (0.0 if is_jump else ahead))


def placed(track: Track, car: Car, pose: Pose) -> Car:
    """The car in its place at the start."""
    return replace(car, pose=pose, driven_mm=track.progress_mm(tip(pose, car.size)))


# Rounds and phases.


def closed(state: State) -> State:
    """The next stage: turns not taken lapse, crashed cars have waited a phase more, a round follows the adjustments."""
    if state.stage == ADJUSTING:
        return next_round(state)
    cars = tuple(replace(car, waiting=car.waiting - 1) if car.waiting else car for car in state.cars)
    state = but(state, cars=cars if cars != state.cars else state.cars)
    return but(state, stage=state.stage + 1, acted=(), turning=None, check=None, checked=())


def next_round(state: State) -> State:
    """The first phase of the next round, with the leader pylon set anew.

    Where no driver said anything about adjusting, any of them may have done so unheard.
    """
    unheard = frozenset(car.name for car in state.cars if car.can_adjust)
    unsure = state.unsure if state.acted or state.checked else state.unsure | unheard
    state = but(state, round_number=state.round_number + 1, stage=1, acted=(), turning=None, check=None, checked=())
    return but(state, pylon=leader_pylon(state), unsure=unsure)


def ready(state: State) -> State:
    """The stage in which the next car moves; the state itself where none can."""
    return state.ready


def adjusting(state: State) -> State:
    """The stage in which drivers adjust next, if no car has to move before; else the state itself."""
    found = state
    for _ in range(2 * ADJUSTING + FASTEST * ADJUSTING):  # a crash lasts at most four rounds
        if found.due or found.winner is not None or found.owed:
            return state
        if found.stage == ADJUSTING and found.may_adjust:
            return found
        found = closed(found)
    return state


# The leader pylon.


def leader_pylon(state: State) -> tuple[tuple[str, ...], ...]:
    """First place to last: by how far cars have come; level ones by who is inner, then by who blocks the other (P-12).

    Neighbours whose order hangs on less than the camera can tell share a group.
    """
    inner_mm = {car.name: state.track.to_inner_mm(car.tip) for car in state.cars}
    order = [car for level in _levels(state) for car in _inner_first(level, inner_mm)]
    groups: list[list[Car]] = []
    for car in order:
        if groups and _too_close(groups[-1][-1], car, inner_mm, 2 * state.tolerance.doubt_mm):
            groups[-1].append(car)
        else:
            groups.append([car])
    return tuple(tuple(car.name for car in group) for group in groups)


def _levels(state: State) -> list[list[Car]]:
    """The cars, first place to last, in groups that are level with the first of each."""
    levels: list[list[Car]] = []
    for car in sorted(state.cars, key=lambda one: -one.driven_mm):
        if levels and levels[-1][0].driven_mm - car.driven_mm <= LEVEL_MM:
            levels[-1].append(car)
        else:
            levels.append([car])
    return levels


def _inner_first(level: list[Car], inner_mm: dict[str, float]) -> list[Car]:
    """Level cars, the inner ones first; of two that are equal in that too, the one in the other's way."""
    order = sorted(level, key=lambda car: inner_mm[car.name])
    for n, (one, other) in enumerate(pairwise(order)):
        if inner_mm[other.name] - inner_mm[one.name] <= LEVEL_MM and _blocks(other, one):
            order[n], order[n + 1] = other, one
            break
    return order


def _blocks(one: Car, other: Car) -> bool:
    """Whether the other car would run into this one."""
    return overlap_mm(footprint(moved(other.pose, other.size), other.size), one.footprint) > 0


def _too_close(first: Car, second: Car, inner_mm: dict[str, float], doubt_mm: float) -> bool:
    """Whether the second may just as well be the leader of the two, as far as a camera can tell."""
    ahead_mm = first.driven_mm - second.driven_mm
    is_inner = inner_mm[second.name] - inner_mm[first.name] > doubt_mm
    return not (ahead_mm > LEVEL_MM + doubt_mm or (is_inner and ahead_mm >= min(doubt_mm - LEVEL_MM, 0.0)))


def visible_to(state: State, player: str | None) -> State:
    """What a player, or everybody at the table, may see: all but the seed of dice that are still to be thrown."""
    if state.dice is None or state.winner is not None:
        return state
    return but(state, dice=state.dice.hidden)


def outcome(state: State) -> Outcome | None:
    """Who completed lap 0 has won, and the race is over."""
    return None if state.winner is None else Outcome(Ending.WON, (state.winner,))


def places(state: State) -> tuple[str, ...]:
    """The race's order as it stands: the winner, then the leader pylon."""
    order = [name for group in leader_pylon(state) for name in group]
    return tuple(sorted(order, key=lambda name: name != state.winner))


def distance_mm(one: Pose, other: Pose) -> float:
    return math.hypot(one.x_mm - other.x_mm, one.y_mm - other.y_mm)
