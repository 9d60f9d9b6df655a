"""The judge: which moves could be said now, and which rules a move breaks."""

from __future__ import annotations

from typing import Any

from engine.games.gran_prix.geometry import between_deg, footprint, middle, moved, overlap_mm
from engine.games.gran_prix.notation import (
    ADJUST,
    PURPOSES,
    START,
    STEPS,
    TURN,
    WAIT,
    Adjust,
    Drive,
    Obstacles,
    Roll,
    Spin,
    Turn,
    rounded,
)
from engine.games.gran_prix.playing import reckoned, setting
from engine.games.gran_prix.rules import (
    A_CAR,
    ADJUST_ONCE,
    ADJUST_STEPS,
    BUMPED,
    CHECK_FOR_NEED,
    CRASH_WAIT,
    DICE,
    HANDS_OFF,
    INTO_WALL,
    LEFT_TRACK,
    MOVE_BY_SPEED,
    MOVE_ONCE,
    MOVE_ORDER,
    MUST_MOVE,
    ONE_LENGTH,
    RACE_OVER,
    SETTLE_FIRST,
    SPIN_OWED,
    START_CHECK,
    TURN_AFTER_MOVE,
    TURN_BY_GEAR,
    TURN_ONCE,
)
from engine.games.gran_prix.state import (
    ADJUSTING,
    STOPPED,
    Car,
    Crashed,
    Spinning,
    State,
    adjusting,
    distance_mm,
    moves_in,
    ready,
    turns_in,
)
from engine.rules import Rule, RuleViolation
from engine.table import Pose

THROWS = tuple((first, second) for first in range(1, 7) for second in range(first, 7))  # two dice, order aside
_PHASES = {0: "no phase", 1: "phase 1 only", 2: "phases 1 and 2 only", 3: "all three phases, once in each"}
_GEARS = {1: "first", 2: "second", 3: "third"}

# Candidates.


def candidates(state: State) -> tuple[Any, ...]:
    """What may be said now: every legal move, a car spun on the spot standing for all its spins."""
    if state.winner is not None:
        return ()
    if state.owed:
        return tuple(move for owed in state.owed for move in _answers(state, owed))
    found: list[Any] = []
    if state.turning is not None:
        found += [Turn(state.turning, side) for side in ("left", "right")]
        found += [Roll(state.turning, throw, TURN) for throw in THROWS]
    found += [Drive(name) for name in ready(state).awaited]
    for name in adjusting(state).may_adjust:
        found += [Adjust(name, step) for step in range(len(STEPS))]
        found += [Roll(name, throw, purpose) for throw in THROWS for purpose in (ADJUST, START)]
    return tuple(found)


def _answers(state: State, owed: Spinning | Crashed) -> tuple[Any, ...]:
    if isinstance(owed, Spinning):
        return (Spin(owed.car, rounded(state.by_name[owed.car].pose)),)
    return tuple(Roll(owed.car, throw, WAIT) for throw in THROWS)


# Violations.


def violations(state: State, move: Any) -> tuple[RuleViolation, ...]:
    """The rules that the move breaks, each with its reason."""
    if not isinstance(move, Drive | Turn | Spin | Roll | Adjust):
        return (RuleViolation(HANDS_OFF, "nothing that happens in a race does that"),)
    missing = [name for name in _names(move) if name not in state.by_name]
    if missing:
        return (RuleViolation(A_CAR, f"no car of this race is called {missing[0]}"),)
    if state.winner is not None:
        return (RuleViolation(RACE_OVER, f"{state.winner} has won, and the race is over"),)
    match move:
        case Spin():
            return _spin_violations(state, move)
        case Roll(purpose=purpose) if purpose == WAIT:
            return (*_dice_violations(move), *_wait_violations(state, move))
    if state.owed:
        return (RuleViolation(SETTLE_FIRST, owed_words(state)),)
    state = setting(state, move)
    car = state.by_name[move.car]
    match move:
        case Drive():
            return (*_turn_to_move_violations(state, car), *_way_violations(state, car, move))
        case Turn():
            return (*_turning_violations(state, car), *_met_violations(state, car, move))
        case Roll():
            return (*_dice_violations(move), *_roll_violations(state, car, move))
    return _adjust_violations(state, car, move)


def _names(move: Drive | Turn | Spin | Roll | Adjust) -> tuple[str, ...]:
    """The cars that a move names."""
    match move:
        case Spin():
            return (move.car, *(name for name, _ in move.jumbled))
        case Drive(met=Obstacles() as met) | Turn(met=Obstacles() as met):
            return (move.car, *met.cars)
    return (move.car,)


def _broken(*found: tuple[bool, Rule, str]) -> tuple[RuleViolation, ...]:
    return tuple(RuleViolation(rule, detail) for is_broken, rule, detail in found if is_broken)


def owed_words(state: State) -> str:
    """What has to be settled first, in words."""
    first = state.owed[0]
    if isinstance(first, Spinning):
        return f"{first.car} spins out: an opponent has to spin the car first"
    return f"{first.car} crashed and has to roll two dice first"


def _turn_to_move_violations(state: State, car: Car) -> tuple[RuleViolation, ...]:
    """Whether it is the car's turn to move; the first reason that holds."""
    if car.name in state.awaited:
        return ()
    reason = _why_not_now(state, car)
    return (reason,) if reason else ()


def _why_not_now(state: State, car: Car) -> RuleViolation:
    phase = f"phase {state.stage}" if state.stage != ADJUSTING else "the driver adjustments"
    if car.waiting:
        return RuleViolation(CRASH_WAIT, f"{car.name} has crashed and waits")
    if not car.has_started:
        return RuleViolation(START_CHECK, f"{car.name} has not got going yet")
    if car.step == STOPPED:
        return RuleViolation(MOVE_BY_SPEED, f"{car.name} is stopped and does not move in {phase}")
    if not moves_in(car, state.stage):
        speed = f"{car.name} is at speed {car.speed} and moves in {_PHASES[car.speed]}"
        return RuleViolation(MOVE_BY_SPEED, f"{speed}; this is {phase}")
    if car.name in state.acted:
        return RuleViolation(MOVE_ONCE, f"{car.name} has moved in {phase} already")
    return RuleViolation(MOVE_ORDER, f"{' or '.join(state.awaited)} moves before {car.name} in {phase}")


def _way_violations(state: State, car: Car, move: Drive) -> tuple[RuleViolation, ...]:
    should, near = moved(car.pose, car.size), state.tolerance
    laid = move.laid or should
    off_mm, off_deg = distance_mm(should, laid), between_deg(should.heading_deg or 0.0, laid.heading_deg or 0.0)
    words = f"{car.name} lies {off_mm:.0f} mm and {off_deg:.0f} degrees from where one car length takes it"
    found = _broken((off_mm > near.little_mm or off_deg > near.little_deg, ONE_LENGTH, words))
    return (*found, *_met_violations(state, car, move))


def _turning_violations(state: State, car: Car) -> tuple[RuleViolation, ...]:
    if car.step == STOPPED:
        return (RuleViolation(TURN_AFTER_MOVE, f"{car.name} is stopped, so it may not turn"),)
    if state.turning != car.name:
        if state.acted[-1:] == (car.name,) and state.stage != ADJUSTING:
            return (RuleViolation(TURN_ONCE, f"{car.name} has turned in phase {state.stage} already"),)
        return (RuleViolation(TURN_AFTER_MOVE, f"{car.name} has not just moved, so it may not turn"),)
    if turns_in(car, state.stage) or state.check:
        return ()
    why = "needs a driver check to turn" if state.check is None else "failed the driver check and may not turn"
    gear = f"{car.name}, in {_GEARS[car.gear]} gear in phase {state.stage}, {why}"
    return (RuleViolation(TURN_BY_GEAR, gear),)


def _met_violations(state: State, car: Car, move: Drive | Turn) -> tuple[RuleViolation, ...]:
    """Whether what is said to be in the car's way is, as far as the camera can tell."""
    if move.met is None:
        return ()
    depths, met, doubt = Depths.of(state, car, reckoned(car, move)), move.met, state.tolerance.doubt_mm
    found = [
        (BUMPED, name, depth, name in met.cars) for name, depth in depths.cars if name in met.cars or depth > doubt
    ]
    found += [(INTO_WALL, "a wall", depths.wall, met.wall)]
    found += [(LEFT_TRACK, "the end of the track", depths.off, met.off)] if not car.is_off else []
    return _broken(
        *(
            (is_met and depth < -doubt, rule, f"{car.name} does not reach {what}")
            for rule, what, depth, is_met in found
        ),
        *((not is_met and depth > doubt, rule, f"{car.name} runs into {what}") for rule, what, depth, is_met in found),
    )


class Depths:
    """How deep a place lies in other cars, walls and what is not track; below zero where it is that far from them."""

    def __init__(self, cars: tuple[tuple[str, float], ...], wall: float, off: float) -> None:
        self.cars, self.wall, self.off = cars, wall, off

    @classmethod
    def of(cls, state: State, car: Car, pose: Pose) -> Depths:
        corners = footprint(pose, car.size)
        others = (other for other in state.cars if other.name != car.name)
        cars = tuple((other.name, overlap_mm(corners, other.footprint)) for other in others)
        return cls(cars, state.track.wall_depth_mm(corners), state.track.depth_off_mm(middle(pose, car.size)))


def _spin_violations(state: State, spin: Spin) -> tuple[RuleViolation, ...]:
    is_owed = Spinning(spin.car) in state.owed
    return _broken((not is_owed, SPIN_OWED, f"nothing makes {spin.car} spin out"))


def _dice_violations(roll: Roll) -> tuple[RuleViolation, ...]:
    fine = roll.dice is None or all(1 <= die <= 6 for die in roll.dice)
    return _broken((not fine, DICE, f"{roll.dice} is no roll of two dice"))


def _wait_violations(state: State, roll: Roll) -> tuple[RuleViolation, ...]:
    is_owed = Crashed(roll.car) in state.owed
    return _broken((not is_owed, CHECK_FOR_NEED, f"{roll.car} has not crashed, so there is nothing to wait for"))


def _roll_violations(state: State, car: Car, roll: Roll) -> tuple[RuleViolation, ...]:
    if roll.purpose == TURN:
        needs = state.turning == car.name and not turns_in(car, state.stage)
        return _broken(
            (not needs, CHECK_FOR_NEED, f"{car.name} has no turn to make that needs a driver check"),
            (needs and state.check is not None, CHECK_FOR_NEED, f"{car.name} has rolled in this phase already"),
        )
    if roll.purpose not in PURPOSES:
        return (RuleViolation(CHECK_FOR_NEED, f"nothing is rolled for {roll.purpose!r}"),)
    if roll.purpose == START and car.has_started:
        return (RuleViolation(CHECK_FOR_NEED, f"{car.name} has got going already"),)
    if roll.purpose == ADJUST and car.name in dict(state.checked):
        return (RuleViolation(CHECK_FOR_NEED, f"{car.name} has rolled for this adjustment already"),)
    return _time_violations(state, car, is_start=roll.purpose == START)


def _time_violations(state: State, car: Car, *, is_start: bool = False) -> tuple[RuleViolation, ...]:
    """Whether the driver may adjust, or roll for a standing start, now."""
    if state.stage != ADJUSTING:
        words = f"{' or '.join(state.awaited) or 'a car'} has still to move in phase {state.stage}"
        return (RuleViolation(MUST_MOVE, words),)
    return _broken(
        (bool(car.waiting), CRASH_WAIT, f"{car.name} has crashed and waits"),
        (not car.has_started and not is_start, START_CHECK, f"{car.name} has not got going yet"),
        (car.name in state.acted, ADJUST_ONCE, f"{car.name} has adjusted in this round already"),
    )


def _adjust_violations(state: State, car: Car, move: Adjust) -> tuple[RuleViolation, ...]:
    found = _time_violations(state, car)
    steps = abs(move.step - car.step)
    allowed = 2 if dict(state.checked).get(car.name) else 1
    words = f"from {STEPS[car.step]} to {STEPS[move.step]} are {steps} steps"
    if steps == 2:
        words += ", which needs a driver check" if car.name not in dict(state.checked) else ", and the check failed"
    return (*found, *_broken((steps > allowed, ADJUST_STEPS, words)))
