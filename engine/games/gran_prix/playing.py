"""The clerk: what a move does to the race, legal or not. Judges nothing.

Moves are reckoned: one car length on, one side over. What a car meets on its way follows from the footprints, unless
the move says otherwise: whether cars touched is for the table to tell. A spin's pose is read from the table.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.games.gran_prix.geometry import footprint, middle, moved, overlap_mm, overlaps, tip, turned, with_tip
from engine.games.gran_prix.notation import ADJUST, START, WAIT, Adjust, Drive, Obstacles, Roll, Spin, Turn
from engine.games.gran_prix.state import (
    ADJUSTING,
    FULL_CONTROL,
    PHASES,
    SEVEN,
    STOPPED,
    Car,
    Crashed,
    Owed,
    Spinning,
    State,
    adjusting,
    at,
    but,
    closed,
    gear_of,
    ready,
    with_car,
)
from engine.rules import Line
from engine.table import Pose, Size

REACH_MM = 50.0  # between the middles of cars that touch: none is longer than 47 mm
UNHEARD_WAIT = 2  # phases that a crashed car waits when nobody told the roll: the least that two dice give


def taken_back(state: State, line: Line) -> State:
    """The state itself: dice that were thrown count, whatever was done with them."""
    return state


def play(state: State, move: Any) -> State:
    """The state after the move. Where a car moves on, turns not taken and adjustments not made lapse."""
    match move:
        case Drive(car=name) if name in state.by_name:
            return _driven(setting(state, move), move)
        case Turn(car=name) if name in state.by_name:
            return _turned(state, move)
        case Spin(car=name) if name in state.by_name:
            return _spun(state, move)
        case Roll(car=name) if name in state.by_name:
            return _rolled(_without_words(setting(state, move), move), move)
        case Adjust(car=name) if name in state.by_name:
            return _adjusted(_without_words(setting(state, move), move), move)
    return state


def setting(state: State, move: Any) -> State:
    """The stage in which a move is judged and done: the present one, or a later one that it begins.

    A car that begins the next round out of order is judged in the last phase of this one: it moves once too often.
    """
    if state.owed or state.due:
        return state
    if isinstance(move, Adjust) or (isinstance(move, Roll) and move.purpose in (ADJUST, START)):
        return adjusting(state)
    if isinstance(move, Drive):
        later = ready(state)
        is_in_order = move.car in later.awaited or later.round_number == state.round_number
        if is_in_order or state.stage == ADJUSTING:
            return later
        while state.stage < PHASES[-1]:
            state = closed(state)
    return state


# Moving and turning.


def reckoned(car: Car, move: Drive | Turn) -> Pose:
    """Where the car lies after the move."""
    if isinstance(move, Turn):
        return turned(car.pose, car.size, move.side)
    return move.laid or moved(car.pose, car.size)


def _driven(state: State, move: Drive) -> State:
    car = state.by_name[move.car]
    state = but(state, acted=(*state.acted, car.name), turning=car.name, check=None)
    return _arrived(state, _over_the_line(state, car, reckoned(car, move)), move)


def _turned(state: State, move: Turn) -> State:
    """A car whose back swings over the finish line has not crossed it, and does not by moving on (P-11)."""
    car = state.by_name[move.car]
    goes = at(state.track, car, reckoned(car, move))
    was_over = _touches_line(state, car)
    goes = replace(goes, is_counted=_touches_line(state, goes) and (car.is_counted or not was_over))
    return _arrived(but(state, turning=None, check=None), goes, move)


def _arrived(state: State, car: Car, move: Drive | Turn) -> State:
    """The car lies where it goes, and what it met has its effect; a winner ends the race at once."""
    met = obstacles(state, car.name, car.pose) if move.met is None else move.met
    was_off, car = car.is_off, replace(car, is_off=met.off or (car.is_off and not _is_back(state, car)))
    state = with_car(state, car)
    if has_won(state, car):
        return but(state, winner=car.name, turning=None)
    hit = [other for other in met.cars if other in state.by_name]
    owed: list[Owed] = []
    for other in hit:
        owed += [Spinning(other), *([Crashed(other)] if state.by_name[other].waiting else [])]
    spins = met.wall or (met.off and not was_off) or any(state.by_name[other].waiting for other in hit)
    owed += [Spinning(car.name)] if spins else []
    owed += [Crashed(car.name)] if met.wall else []
    return _owing(state, tuple(owed))


def obstacles(state: State, name: str, pose: Pose) -> Obstacles:
    """What a car meets in a place, by the footprints: cars in its way, a wall, and the end of the track."""
    car = state.by_name[name]
    corners = footprint(pose, car.size)
    x_mm, y_mm = pose.x_mm, pose.y_mm
    cars = tuple(
        other.name
        for other in state.cars
        if abs(other.pose.x_mm - x_mm) < REACH_MM
        and abs(other.pose.y_mm - y_mm) < REACH_MM
        and other.name != name
        and overlaps(corners, other.footprint)
    )
    wall = bool(state.track.walls) and state.track.wall_depth_mm(corners) > 0
    return Obstacles(cars, wall, not car.is_off and not state.track.is_on(middle(pose, car.size)))


def _is_back(state: State, car: Car) -> bool:
    return state.track.is_on(middle(car.pose, car.size))


def _owing(state: State, owed: tuple[Owed, ...]) -> State:
    """What is owed is added; a car that spins turns no more in this phase."""
    if not owed:
        return state
    spinning = {one.car for one in owed if isinstance(one, Spinning)}
    cars = tuple(replace(car, step=STOPPED) if car.name in spinning else car for car in state.cars)
    turning = None if state.turning in spinning else state.turning
    new = tuple(one for one in owed if one not in state.owed)
    return but(state, cars=cars, turning=turning, owed=(*state.owed, *new))


# The finish line.


def _over_the_line(state: State, car: Car, pose: Pose) -> Car:
    """The car in its new place, with a lap less if any part of it crosses the finish line on the way."""
    goes = at(state.track, car, pose)
    is_over = _touches_line(state, goes)
    crosses = not car.is_counted and (is_over or _touches_line(state, car))
    goes = replace(goes, is_counted=is_over and (crosses or car.is_counted))
    return _crossed(state, car, goes) if crosses else goes


def _touches_line(state: State, car: Car) -> bool:
    return overlap_mm(car.footprint, state.track.finish) >= 0


def _crossed(state: State, car: Car, goes: Car) -> Car:
    if state.options.first_crossing_is_free and not car.has_crossed:
        return replace(goes, has_crossed=True)
    is_backwards = goes.driven_mm < car.driven_mm
    if is_backwards and state.options.backwards_gives_lap_back:
        return replace(goes, laps=car.laps + 1, has_crossed=True)
    return replace(goes, laps=car.laps - 1, has_crossed=True)


def has_won(state: State, car: Car) -> bool:
    """Whether the lap that the car has just completed was lap 0."""
    return car.laps <= 0 if state.options.first_crossing_is_free else car.laps < 0


# Spin outs, crashes and dice.


def _spun(state: State, spin: Spin) -> State:
    """The car and those it hit lie where the table shows them; these spin too if that brought them off the track."""
    car = at(state.track, state.by_name[spin.car], spin.pose)
    if state.options.back_on_track and not _is_back(state, car):
        car = _put_back(state, car)
    control = car.control or FULL_CONTROL
    spun = replace(car, step=STOPPED, control=control, is_off=not _is_back(state, car), is_counted=_keeps(state, car))
    owed = tuple(one for one in state.owed if one != Spinning(spin.car))
    state = with_car(but(state, owed=owed, unsure=state.unsure - {spin.car}), spun)
    came_off: list[Owed] = []
    for name, pose in spin.jumbled:
        if name not in state.by_name:
            continue
        other = at(state.track, state.by_name[name], pose)
        is_off = not _is_back(state, other)
        came_off += [Spinning(name)] if is_off and not other.is_off else []
        state = with_car(state, replace(other, is_off=is_off, is_counted=_keeps(state, other)))
    return _owing(state, tuple(came_off))


def _keeps(state: State, car: Car) -> bool:
    """Whether a crossing that was counted is still the one the car lies in."""
    return car.is_counted and _touches_line(state, car)


def _put_back(state: State, car: Car) -> Car:
    """On the nearest edge of the track, with the same heading."""
    spot = state.track.nearest_on_track(middle(car.pose, car.size))
    here = middle(car.pose, car.size)
    pose = replace(car.pose, x_mm=car.pose.x_mm + spot[0] - here[0], y_mm=car.pose.y_mm + spot[1] - here[1])
    return at(state.track, car, pose)


def succeeds(roll: Roll) -> bool:
    """Whether a driver check is passed; dice nobody told are taken to have allowed what was done."""
    return roll.dice is None or sum(roll.dice) >= SEVEN


def _rolled(state: State, roll: Roll) -> State:
    car = state.by_name[roll.car]
    if roll.purpose == WAIT:
        return _waiting(state, car, UNHEARD_WAIT if roll.dice is None else sum(roll.dice), roll.dice is None)
    if roll.purpose == START:
        started = replace(car, has_started=car.has_started or succeeds(roll))
        return with_car(but(state, acted=(*state.acted, car.name)), started)
    state = _noted(state, roll)
    return state if succeeds(roll) else _less_control(state, car)


def _noted(state: State, roll: Roll) -> State:
    if roll.purpose == ADJUST:
        return but(state, checked=(*state.checked, (roll.car, succeeds(roll))))
    return but(state, turning=roll.car, check=succeeds(roll))


def _waiting(state: State, car: Car, phases: int, is_unheard: bool) -> State:
    """The crash's own phase does not count (P-20): it is still to be closed."""
    owed = tuple(one for one in state.owed if one != Crashed(car.name))
    unsure = state.unsure | {car.name} if is_unheard else state.unsure
    here = 1 if state.stage in PHASES else 0
    return with_car(but(state, owed=owed, unsure=unsure), replace(car, step=STOPPED, waiting=phases + here))


def _less_control(state: State, car: Car) -> State:
    """A failed check; with no control left the driver spins out, and adjusts no more in this round."""
    left = max(car.control - 1, 0)
    state = with_car(state, replace(car, control=left))
    if left:
        return state
    acted = (*state.acted, car.name) if state.stage == ADJUSTING else state.acted
    return _owing(but(state, acted=acted), (Spinning(car.name),))


# Adjustments.


def _adjusted(state: State, move: Adjust) -> State:
    car = state.by_name[move.car]
    state = but(state, acted=(*state.acted, car.name), unsure=state.unsure - {car.name})
    return with_car(state, geared(state, car, move.step))


def geared(state: State, car: Car, step: int) -> Car:
    """The car at another place of the ladder; another gear's piece is laid with its tip where the tip was (P-13)."""
    size = Size(gear_of(step)) if gear_of(step) else car.size
    if size == car.size:
        return replace(car, step=step)
    pose = with_tip(tip(car.pose, car.size), car.pose.heading_deg or 0.0, size)
    return replace(at(state.track, car, pose, size), step=step)


def _without_words(state: State, move: Roll | Adjust) -> State:
    """What was said is done."""
    left = list(state.said)
    if move in left:
        left.remove(move)
    return but(state, said=tuple(left)) if len(left) < len(state.said) else state
