"""What a page says and draws of a race: who is next and where the next pyramid goes, and the status mat."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass

from engine.games.gran_prix.geometry import moved
from engine.games.gran_prix.notation import STEPS
from engine.games.gran_prix.state import (
    Spinning,
    State,
    adjusting,
    places,
    ready,
    turns_in,
)
from engine.table import Pose


@dataclass(frozen=True)
class Next:
    """Who acts next, in words; where a car moves from and to, and whether a turn then takes a driver check.

    `may_turn` is the car that has just moved and may still turn, `turn_takes_check` whether that takes a check.
    """

    headline: str
    detail: str
    cars: tuple[str, ...] = ()
    moves: tuple[tuple[str, Pose, Pose], ...] = ()
    may_turn: str | None = None
    turn_takes_check: bool = False


@dataclass(frozen=True)
class Row:
    """One car's markers. `mat` is the number of the status mat, for the second car of a colour the second.

    `is_shared` where other cars have its colour: that number then tells them apart.
    """

    car: str
    mat: int
    speed: str
    control: int
    laps: int
    waiting: int
    is_shared: bool = False


@dataclass(frozen=True)
class StatusMat:
    """The race status mats as a value: a row for each car, and the shared leader pylon, first place to last."""

    rows: tuple[Row, ...]
    pylon: tuple[str, ...]


def status_mat(state: State) -> StatusMat:
    """What the players' markers show."""
    met: Counter[str] = Counter()
    of_colour = Counter(str(car.colour) for car in state.cars)
    rows = []
    for car in state.cars:
        met[str(car.colour)] += 1
        mat, is_shared = met[str(car.colour)], of_colour[str(car.colour)] > 1
        rows.append(Row(car.name, mat, STEPS[car.step], car.control, car.laps, car.waiting, is_shared))
    order = places(state) if state.winner else tuple(name for group in state.pylon for name in group)
    return StatusMat(tuple(rows), order)


def next_up(state: State) -> Next:
    """What the umpire waits for."""
    if state.winner is not None:
        return Next(f"{state.winner} won", f"Round {state.round_number}")
    if state.owed:
        return _owed(state)
    turning, takes_check = state.turning, False
    if turning is not None:
        takes_check = not turns_in(state.by_name[turning], state.stage) and state.check is None
        turning = None if state.check is False else turning
    later = ready(state)
    round_ends = later.round_number > state.round_number or not later.due
    if round_ends and adjusting(state).may_adjust:
        names = adjusting(state).may_adjust
        detail = f"Round {state.round_number} · the three phases are over{_turn_words(turning, takes_check)}"
        return Next("Drivers adjust", detail, names, _moves(later), turning, takes_check)
    names = later.awaited
    detail = f"Round {later.round_number} · phase {later.stage}{_turn_words(turning, takes_check)}"
    if len(names) > 1:
        detail += " · too close to call: whoever moves first"
    return Next(f"{' or '.join(names) or 'Nobody'} to move", detail, names, _moves(later), turning, takes_check)


def _turn_words(turning: str | None, takes_check: bool) -> str:
    if turning is None:
        return ""
    return f" · {turning} may still turn" + (" by a driver check" if takes_check else "")


def _owed(state: State) -> Next:
    owed, where = state.owed[0], f"Round {state.round_number}"
    if isinstance(owed, Spinning):
        return Next(f"{owed.car} spins out", f"{where} · an opponent spins the car in place", (owed.car,))
    return Next(f"{owed.car} rolls", f"{where} · two dice: how many phases the crashed car waits", (owed.car,))


def _moves(state: State) -> tuple[tuple[str, Pose, Pose], ...]:
    """From where to where the cars move that may be next."""
    cars = (state.by_name[name] for name in state.awaited)
    return tuple((car.name, car.pose, moved(car.pose, car.size)) for car in cars)
