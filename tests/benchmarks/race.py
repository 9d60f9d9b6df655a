"""How long a whole race takes the engine: 33 cars, 5 laps, every move judged before it is played.

    python tests/benchmarks/race.py [SEED]

Drivers look one move ahead: they keep to the direction of the track, away from its edges and from cars in their way.
Dice and spins are drawn from the seed.
"""

from __future__ import annotations

import math
import random
import sys
import time
from collections.abc import Iterator
from typing import Any

from engine.games import gran_prix
from engine.games.gran_prix import Adjust, Car, Drive, Player, Roll, Setup, Spin, State, Track, Turn
from engine.games.gran_prix.geometry import LENGTH_MM, TURN_DEG, ahead_of, between_deg, middle, moved, tip, turned
from engine.games.gran_prix.playing import obstacles
from engine.games.gran_prix.state import Spinning, adjusting, ready, turns_in
from engine.table import Colour, Pose, Size

MOST_MOVES = 60_000
SECONDS = 5.0  # what the benchmark may take


def oval(length_mm: float, radius_mm: float, width_mm: float) -> Track:
    """A track of two straights and two half circles, its finish line across the lower straight."""

    def line(radius: float) -> tuple[tuple[float, float], ...]:
        points = []
        for centre, first in ((length_mm / 2, -90), (-length_mm / 2, 90)):
            points += [ahead_of((centre, 0.0), first + 6.0 * n, radius) for n in range(31)]
        return tuple(points)

    outer, inner = line(radius_mm), line(radius_mm - width_mm)
    return Track(outer, inner, ((0.0, -radius_mm), (0.0, width_mm - radius_mm)))


def begin(track: Track, count: int, laps: int) -> State:
    colours = list(Colour)
    players = tuple(Player(f"Car{n + 1}", colours[n % len(colours)]) for n in range(count))
    pylon = tuple(player.name for player in players)
    places = gran_prix.starting_grid(track, pylon, Size.SMALL, abreast=3)
    return gran_prix.begun(Setup(players, track, pylon, laps), places)


def race(state: State, chance: random.Random) -> Iterator[tuple[State, Any, State]]:
    """The moves of a race, each with the states before and after it, until somebody has won."""
    for _ in range(MOST_MOVES):
        if state.winner is not None:
            return
        move = next_move(state, chance)
        after = gran_prix.play(state, move)
        yield state, move, after
        state = after


def next_move(state: State, chance: random.Random) -> Any:
    """What the drivers do next."""
    if state.owed:
        owed = state.owed[0]
        car = state.by_name[owed.car]
        return _spun(state, car, chance) if isinstance(owed, Spinning) else Roll(car.name, _dice(chance), "wait")
    if state.turning is not None:
        turn = _turn(state, state.by_name[state.turning], chance)
        if turn is not None:
            return turn
    drivers = () if state.due else adjusting(state).may_adjust
    if drivers:
        return _adjustment(state, state.by_name[drivers[0]])
    return Drive(ready(state).awaited[0])


def _dice(chance: random.Random) -> tuple[int, int]:
    return chance.randint(1, 6), chance.randint(1, 6)


def _spun(state: State, car: Car, chance: random.Random) -> Spin:
    x_mm, y_mm = car.pose.x_mm + chance.uniform(-30, 30), car.pose.y_mm + chance.uniform(-30, 30)
    return Spin(car.name, Pose(round(x_mm, 1), round(y_mm, 1), round(chance.uniform(0, 359), 1)))


def _turn(state: State, car: Car, chance: random.Random) -> Turn | Roll | None:
    """The turn after which the next move leads best, with a check where it takes one and straight on is bad."""
    straight = _badness(state, car, car.pose)
    if straight < TURN_DEG[car.size] / 2:
        return None
    worth = {side: _badness(state, car, turned(car.pose, car.size, side)) for side in ("left", "right")}
    side = min(worth, key=lambda one: worth[one])
    if worth[side] >= straight:
        return None
    if turns_in(car, state.stage) or state.check:
        return Turn(car.name, side)
    is_urgent = state.check is None and straight > 60
    return Roll(car.name, _dice(chance), "turn") if is_urgent else None


def _badness(state: State, car: Car, pose: Pose) -> float:
    """How bad it is to lie there and then to move on: degrees off the track's way, and more for what is met."""
    ahead = moved(pose, car.size)
    should = state.track.heading_at(tip(ahead, car.size))
    bad = between_deg(should, pose.heading_deg or 0.0)
    met = obstacles(state, car.name, pose), obstacles(state, car.name, ahead)
    bad += 400 * (met[0].off or bool(met[0].cars) or met[0].wall) + 120 * bool(met[1].cars)
    return bad + (200 if not state.track.is_on(middle(ahead, car.size)) else 0)


def _adjustment(state: State, car: Car) -> Adjust:
    """Faster while the way ahead is straight, slower before a bend."""
    far = ahead_of(car.tip, car.pose.heading_deg or 0.0, 3 * LENGTH_MM[car.size])
    is_straight = state.track.is_on(far)
    wanted = min(car.step + 1, 6) if is_straight else max(car.step - 1, 1)
    return Adjust(car.name, wanted if car.can_adjust else car.step)


def main() -> int:
    seed = int(sys.argv[1]) if len(sys.argv) > 1 else 1
    state = begin(oval(600.0, 300.0, 200.0), 33, 5)
    started, moves, broken = time.process_time(), 0, 0
    for before, move, after in race(state, random.Random(seed)):
        broken += bool(gran_prix.violations(before, move))
        moves, state = moves + 1, after
    seconds = time.process_time() - started
    print(f"33 cars, {state.round_number} rounds, {moves} moves, {broken} broke rules, {state.winner} won")
    print(
        f"{seconds:.2f} s of processor time, {1e6 * seconds / moves:.0f} microseconds a move; at most {SECONDS:.0f} s"
    )
    return 0 if state.winner is not None and not broken and seconds <= SECONDS else 1


if __name__ == "__main__":
    assert math.isclose(LENGTH_MM[Size.SMALL], 26.38, abs_tol=0.01)
    sys.exit(main())
