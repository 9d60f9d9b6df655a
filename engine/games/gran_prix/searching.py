"""Legal ways from a state to a table: lines of moves after which every car lies where it is seen.

Cars move in a known order and each goes one length on, so a line is searched car by car; only turns, what is met, and
what was said leave a choice.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from engine.game import Plays
from engine.games.gran_prix.geometry import LENGTH_MM, SIDES, moved, turned
from engine.games.gran_prix.judging import Depths, violations
from engine.games.gran_prix.notation import (
    ADJUST,
    START,
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
from engine.games.gran_prix.playing import obstacles, play, reckoned
from engine.games.gran_prix.reading import Seen, is_like
from engine.games.gran_prix.state import (
    FASTEST,
    STOPPED,
    Car,
    Piece,
    Spinning,
    State,
    adjusting,
    distance_mm,
    gear_of,
    ready,
    turns_in,
)
from engine.rules import Line
from engine.table import Pose

MOVES_EACH = 2  # of one car between two tables
SPUN_MM = 150.0  # how far a spin may take a car: 'an inch or two or even more'
JUMBLED_MM = 90.0  # how near to the spin's way a car lies that it may have hit


@dataclass(frozen=True)
class Way:
    """A line and the state it leads to."""

    line: Line
    after: State

    def then(self, move: object, after: State) -> Way:
        return Way((*self.line, move), after)

    @property
    def as_reckoned(self) -> bool:
        """Whether cars met what the reckoning says, and nothing else."""
        return all(move.met is None for move in self.line if isinstance(move, Drive | Turn))

    @property
    def unheard(self) -> tuple[Roll, ...]:
        """Rolls that the line needs and that nobody told the umpire."""
        return tuple(move for move in self.line if isinstance(move, Roll) and move.dice is None)


class Search:
    """Ways to what is seen, as far as the plays go.

    Cars `aside` may lie anywhere. Of cars `regeared` the piece has to have the size that is seen too. `with_faults`
    takes adjustments that were told even where they break rules.
    """

    def __init__(
        self,
        seen: Seen,
        plays: Plays,
        aside: frozenset[str] = frozenset(),
        regeared: frozenset[str] = frozenset(),
        *,
        with_faults: bool = False,
    ) -> None:
        self._seen, self._pieces, self._aside, self._regeared = seen, dict(seen.pieces), aside, regeared
        self._plays, self._with_faults = plays, with_faults
        self._met: set[State] = set()

    def ways(self, way: Way) -> Iterator[Way]:
        """The ways that go on from one and end as seen, the shortest of each branch."""
        if all(self._lies(way.after, name) for name in self._pieces):
            yield way
            return
        for further in self._further(way):
            if not self._plays.spend():
                return
            if further.after not in self._met:
                self._met.add(further.after)
                yield from self.ways(further)

    def _lies(self, state: State, name: str) -> bool:
        """Whether the car lies where it is seen, or may lie anywhere."""
        car, piece = state.by_name[name], self._pieces[name]
        is_same = name not in self._regeared or piece.pyramid.size == car.size
        return name in self._aside or (is_same and is_like(car.pose, piece.pose, state.tolerance))

    def _further(self, way: Way) -> Iterator[Way]:
        """One step on, of those that can lead to what is seen."""
        state = way.after
        if state.winner is not None:
            return
        if state.owed:
            yield from self._settled(way)
            return
        yield from self._turned(way)
        yield from self._adjusted(way)
        later = ready(state)
        if later.round_number > state.round_number and told_adjustments(adjusting(state)):
            return
        for name in later.awaited:
            if not self._lies(later, name) and _count(way.line, name) < MOVES_EACH:
                for move in drives(later, name):
                    further = way.then(move, play(state, move))
                    if self._leads(further, name):
                        yield further

    def _leads(self, way: Way, name: str) -> bool:
        """Whether a car that has moved or turned can come to lie where it is seen.

        A spin leads nearly anywhere, so it is taken only after one move as reckoned, and after no unheard roll.
        """
        car, moves = way.after.by_name[name], _count(way.line, name)
        if any(isinstance(one, Spinning) and one.car == name for one in way.after.owed):
            return moves <= 1 and way.as_reckoned and not way.unheard
        return can_come_to(way.after, car, self._pieces[name].pose, MOVES_EACH - moves)

    def _settled(self, way: Way) -> Iterator[Way]:
        """What is owed: a spin as the table shows it, or the roll that was told, or that nobody told."""
        state, owed = way.after, way.after.owed[0]
        if isinstance(owed, Spinning):
            for spin in spins_seen(state, self._seen, owed.car):
                yield way.then(spin, play(state, spin))
            return
        for roll in told_rolls(state, owed.car, WAIT)[:1] or (Roll(owed.car, None, WAIT),):
            yield way.then(roll, play(state, roll))

    def _turned(self, way: Way) -> Iterator[Way]:
        """The car that has moved rolls for a turn, if that was told or nothing else explains it, and turns."""
        state, name = way.after, way.after.turning
        if name is None:
            return
        entitled = way if turns_in(state.by_name[name], state.stage) or state.check else None
        if entitled is None and state.check is None:
            for roll in told_rolls(state, name, TURN)[:1]:
                yield way.then(roll, play(state, roll))
                return
            roll = Roll(name, None, TURN)
            entitled = way.then(roll, play(state, roll))
        if entitled is not None and not self._lies(state, name):
            for move in (move for side in SIDES for move in turns(entitled.after, name, side)):
                further = entitled.then(move, play(entitled.after, move))
                if self._leads(further, name):
                    yield further

    def _adjusted(self, way: Way) -> Iterator[Way]:
        """The next adjustment that was told, or that a changed piece shows."""
        state = adjusting(way.after)
        told = told_adjustments(state)
        legal = [one for one in told if not violations(way.after, one)]
        moves: list[Adjust | Roll] = [*legal, *(told if self._with_faults else ())]
        moves += [move for name in state.may_adjust for move in shown_adjustments(state, name, self._pieces)]
        for move in moves[:1]:
            yield way.then(move, play(way.after, move))


def _count(line: Line, name: str) -> int:
    return sum(isinstance(move, Drive) and move.car == name for move in line)


def told_adjustments(state: State) -> tuple[Adjust | Roll, ...]:
    """Adjustments, and rolls for them, that were told and are in time."""
    return tuple(
        one
        for one in state.said
        if one.car in state.may_adjust and (isinstance(one, Adjust) or one.purpose in (ADJUST, START))
    )


def told_rolls(state: State, name: str, purpose: str) -> tuple[Roll, ...]:
    """Rolls that were told and that nothing has used yet, for this driver and purpose."""
    return tuple(one for one in state.said if isinstance(one, Roll) and (one.car, one.purpose) == (name, purpose))


def shown_adjustments(state: State, name: str, pieces: dict[str, Piece]) -> Iterator[Adjust]:
    """The step of a gear up or down that explains why another size lies there now."""
    car = state.by_name[name]
    if name not in pieces or pieces[name].pyramid.size == car.size or not car.can_adjust:
        return
    for step in (car.step + 1, car.step - 1):
        if STOPPED < step <= FASTEST and gear_of(step) == pieces[name].pyramid.size:
            yield Adjust(name, step)


# What cars meet: where it is too close to call, the table decides.


def drives(state: State, name: str) -> tuple[Drive, ...]:
    """A car's move as reckoned, and with what it may as well have met or not."""
    plain = Drive(name)
    car = state.by_name[name]
    return (plain, *(Drive(name, met) for met in _close_calls(state, car, reckoned(car, plain))))


def turns(state: State, name: str, side: str) -> tuple[Turn, ...]:
    plain = Turn(name, side)
    car = state.by_name[name]
    return (plain, *(Turn(name, side, met) for met in _close_calls(state, car, reckoned(car, plain))))


def _close_calls(state: State, car: Car, pose: Pose) -> tuple[Obstacles, ...]:
    """Other things that a car may have met, each in one respect different from the reckoning."""
    here, doubt = obstacles(state, car.name, pose), state.tolerance.doubt_mm
    depths = Depths.of(state, car, pose)
    found = [_other_car(here, name) for name, depth in depths.cars if abs(depth) <= doubt]
    if abs(depths.wall) <= doubt:
        found.append(Obstacles(here.cars, not here.wall, here.off))
    if abs(depths.off) <= doubt and not car.is_off:
        found.append(Obstacles(here.cars, here.wall, not here.off))
    return tuple(found)


def _other_car(met: Obstacles, name: str) -> Obstacles:
    cars = tuple(one for one in met.cars if one != name) if name in met.cars else (*met.cars, name)
    return Obstacles(cars, met.wall, met.off)


# Spins.


def spins_seen(state: State, seen: Seen, name: str) -> tuple[Spin, ...]:
    """The spins that the table may show: where the car lies now, and which cars near it lie elsewhere too.

    Cars that lie where a move takes them have rather moved. None where the car lies as it did, so that nobody has spun
    it yet, or too far away for a spin.
    """
    car, pose = state.by_name[name], seen.of(name).pose
    if is_like(car.pose, pose, state.tolerance) or distance_mm(car.pose, pose) > SPUN_MM:
        return ()
    shifted = [
        other for other in state.cars if other.name != name and _is_jumbled(state, other, seen, (car.pose, pose))
    ]
    odd = [other for other in shifted if not can_come_to(state, other, seen.of(other.name).pose, 1)]
    return tuple(
        Spin(name, rounded(pose), tuple((other.name, rounded(seen.of(other.name).pose)) for other in others))
        for others in ((odd, shifted) if odd != shifted else (odd,))
    )


def can_come_to(state: State, car: Car, pose: Pose, moves: int) -> bool:
    """Whether a turn and then so many moves, each with a turn or without, can take a car there."""
    starts = [car.pose, *(turned(car.pose, car.size, side) for side in SIDES)]
    if any(is_like(start, pose, state.tolerance) for start in starts):
        return True
    if not moves or distance_mm(car.pose, pose) > (moves + 1) * LENGTH_MM[car.size]:
        return False
    ahead = (replace(car, pose=moved(start, car.size)) for start in starts)
    return any(can_come_to(state, one, pose, moves - 1) for one in ahead)


def _is_jumbled(state: State, other: Car, seen: Seen, spun: tuple[Pose, Pose]) -> bool:
    now = seen.of(other.name).pose
    if is_like(other.pose, now, state.tolerance) or Spinning(other.name) in state.owed:
        return False
    was_near = min(distance_mm(other.pose, pose) for pose in spun) <= JUMBLED_MM
    return was_near and distance_mm(other.pose, now) <= JUMBLED_MM
