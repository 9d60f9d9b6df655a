"""The detective: what may have happened between two settled tables.

Legal ways are looked for first (`searching`). Where there are none, the fault of one car that explains the whole table
is put to the judge. What neither explains, or what a fault is not sure enough for, is beyond the umpire: it says so,
and goes on from the table as it lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from engine.game import Explanation, Plays
from engine.games.gran_prix.geometry import LENGTH_MM, SIDES, between_deg, moved
from engine.games.gran_prix.judging import owed_words, violations
from engine.games.gran_prix.notation import TURN, Adjust, Drive, Roll, Spin, Turn, rounded
from engine.games.gran_prix.playing import play
from engine.games.gran_prix.reading import Seen, as_exact_as, as_seen, is_like, recognised, touched
from engine.games.gran_prix.rules import ADJUST_STEPS, MOVE_BY_SPEED, MOVE_ORDER, TURN_BY_GEAR
from engine.games.gran_prix.searching import MOVES_EACH, Search, Way, can_come_to
from engine.games.gran_prix.state import STOPPED, Car, Position, State, at, but, distance_mm, with_car
from engine.gaps import sure_pairs
from engine.rules import Line

MOST_ENDS = 8  # states that may be the case
FEW_STEPS = 2  # that a driver may take from a standstill by a check, or by mistake
MOST_FAULTS = 3  # cars that lie elsewhere, with which a fault is still looked for
SPEED_MATTERS = {MOVE_BY_SPEED, TURN_BY_GEAR, ADJUST_STEPS}  # rules that need to know a car's gear and speed
_GOING_ON = "I go on from the table as it lies"


def explain(state: State, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    """What may have happened between the state's table and this one; nothing, if they are alike.

    Where the plays end before all legal ways have been tried, nobody is accused.
    """
    exact = as_exact_as(state, position)
    found = _explanations(exact, position, plays)
    return found if exact is state else tuple(replace(one, before=one.before or exact) for one in found)


def _explanations(state: State, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    """The same, from a state that knows how exact the photo is."""
    seen = recognised(state, position)
    if seen.missing or seen.spare:
        return _incomplete(state, seen)
    shifted = tuple(car.name for car in state.cars if not _stays(state, car, seen))
    regeared = frozenset(name for name, piece in seen.pieces if piece.pyramid.size != state.by_name[name].size)
    if not shifted and not regeared:
        return ()
    if shifted and state.tolerance.is_vague:
        return _vague(state, seen)
    for sizes in dict.fromkeys((regeared, frozenset[str]())):
        ways = _ways(state, seen, sizes, plays)
        if ways and ways[0].line:
            found = _explained(state, seen, ways)
            if not state.options.gaps or len(_events(ways[0].line)) < 2:
                return found
            faults = _faults(state, seen, shifted, plays) if len(shifted) == 1 else ()
            return sure_pairs(found, tuple(one for one in faults if len(_events(one.line)) == 1), _events)
        if ways:
            return _odd_sizes(state, seen)
    found = () if plays.left <= 0 else _told_faults(state, seen, plays) or _faults(state, seen, shifted, plays)
    if plays.left <= 0:
        return _unexplained(state, seen, shifted, "there are too many ways in which this may have come about")
    return found or _unexplained(state, seen, shifted)


def _stays(state: State, car: Car, seen: Seen) -> bool:
    return is_like(car.pose, seen.of(car.name).pose, state.tolerance)


# Legal ways.


def _ways(state: State, seen: Seen, regeared: frozenset[str], plays: Plays) -> tuple[Way, ...]:
    """The best ways: with the fewest unheard rolls, most of what was told used, and the fewest spins and moves.

    Several remain where it is too close to call what a car met: each leads to a state of its own.
    """
    found = list(Search(seen, plays, regeared=regeared).ways(Way((), state)))
    least = min(map(_cost, found), default=None)
    best = sorted((way for way in found if _cost(way) == least), key=lambda way: way.as_reckoned, reverse=True)
    return tuple(best[:MOST_ENDS])


def _cost(way: Way) -> tuple[int, int, int, int]:
    spins = sum(isinstance(move, Spin) for move in way.line)
    return len(way.unheard), len(way.after.said), spins, len(way.line)


def _explained(state: State, seen: Seen, ways: tuple[Way, ...]) -> tuple[Explanation, ...]:
    return tuple(
        Explanation(way.line, as_seen(way.after, seen), _unheard_words(state, way), _questions(way, seen))
        for way in ways
    )


def _unheard_words(state: State, way: Way) -> str | None:
    """Why a turn that needs a check nobody told is no clear case."""
    needed = [roll.car for roll in way.unheard if roll.purpose == TURN]
    if not needed:
        return None
    return f"{needed[0]} turned where that takes a driver check, and I have not been told of one: was 7 or more rolled?"


def _questions(way: Way, seen: Seen) -> tuple[str, ...]:
    """What the way leaves open: rolls after crashes, sizes, and a line that a tip just reaches."""
    asked = [f"{roll.car} crashed: what did the two dice show?" for roll in way.unheard if roll.purpose != TURN]
    asked += [
        f"{name}'s car looks {piece.pyramid.size}. I take it as {way.after.by_name[name].size}: is it?"
        for name, piece in seen.pieces
        if piece.pyramid.size != way.after.by_name[name].size
    ]
    return tuple(asked)


def _odd_sizes(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """Nothing moved, and a piece looks another size: that is our eye."""
    names = [name for name, piece in seen.pieces if piece.pyramid.size != state.by_name[name].size]
    reason = f"{' and '.join(names)} looks another size than before, but pieces do not change: I may misread it"
    return (Explanation((), as_seen(state, seen), reason),)


def _events(line: Line) -> tuple[object, ...]:
    """The moves of cars in order, whatever they met."""
    return tuple(move.car for move in line if isinstance(move, Drive))


# Faults.


def _told_faults(state: State, seen: Seen, plays: Plays) -> tuple[Explanation, ...]:
    """An adjustment that was told and breaks a rule, and then what is in order."""
    ways = [way for way in Search(seen, plays, with_faults=True).ways(Way((), state)) if way.line]
    return tuple(_charged(state, seen, way) for way in ways[:1])


def _faults(state: State, seen: Seen, shifted: tuple[str, ...], plays: Plays) -> tuple[Explanation, ...]:
    """What one car did wrong, after what the others did in order."""
    if len(shifted) > MOST_FAULTS:
        return ()
    for name in shifted:
        aside = frozenset({name})
        for before in Search(seen, plays, aside).ways(Way((), state)):
            found = [way for way in _deeds(before, name, seen) if violations_of(before.after, way.line)]
            if found:
                least = min(found, key=lambda way: len(violations_of(before.after, way.line)))
                return (_charged(state, seen, Way((*before.line, *least.line), least.after)),)
    return tuple(_charged(state, seen, way) for way in _beside(state, seen, shifted, plays))[:1]


def _beside(state: State, seen: Seen, shifted: tuple[str, ...], plays: Plays) -> Iterator[Way]:
    """What is in order, and beside it one car that a hand shifted: clearly, and to where no move takes it.

    What cars meet, and spins, shift others too, so that nobody is accused beside them; nor for a heading alone, which
    may be misread.
    """
    for name in shifted:
        for way in Search(seen, plays, frozenset({name})).ways(Way((), state)):
            car, pose = way.after.by_name[name], seen.of(name).pose
            has_met = not way.as_reckoned or any(isinstance(move, Spin) for move in way.line)
            if not way.line or way.unheard or has_met or distance_mm(car.pose, pose) <= state.tolerance.clear_mm:
                continue
            if not can_come_to(way.after, car, pose, MOVES_EACH):
                yield Way((*way.line, touched(car, pose)), with_car(way.after, at(state.track, car, pose)))


def violations_of(state: State, line: Line) -> tuple[Any, ...]:
    """The rules that a line breaks."""
    found: list[Any] = []
    for move in line:
        found += violations(state, move)
        state = play(state, move)
    return tuple(found)


def _deeds(before: Way, name: str, seen: Seen) -> Iterator[Way]:
    """What a car may have done that brings it to where it is seen: lines that start after what was in order."""
    state, pose = before.after, seen.of(name).pose
    drive, turns = Drive(name), tuple(Turn(name, side) for side in SIDES)
    failed = [one for one in state.said if isinstance(one, Roll) and (one.car, one.purpose) == (name, TURN)][:1]
    lines: list[Line] = [(drive, one, turn) for one in failed for turn in turns]
    lines += [(one, turn) for one in failed for turn in turns]
    lines += [(drive,), *((turn,) for turn in turns), *((drive, turn) for turn in turns)]
    lines += [*((drive, turn, turn) for turn in turns), (drive, drive), *((drive, drive, turn) for turn in turns)]
    for line in lines:
        after = _played(state, line)
        if is_like(after.by_name[name].pose, pose, state.tolerance):
            yield Way(line, after)
    yield from _laid_wrong(state, name, seen)


def _laid_wrong(state: State, name: str, seen: Seen) -> Iterator[Way]:
    """The car that is to move was laid straight on, but clearly too far or not far enough."""
    car, pose = state.by_name[name], seen.of(name).pose
    should = moved(car.pose, car.size)
    straight = between_deg(should.heading_deg or 0.0, pose.heading_deg or 0.0) <= state.tolerance.little_deg
    ahead = at(state.track, car, pose).driven_mm > car.driven_mm
    off = distance_mm(should, pose)
    if straight and ahead and state.tolerance.clear_mm < off <= 2 * LENGTH_MM[car.size]:
        move = Drive(name, None, rounded(pose))
        yield Way((move,), play(state, move))


def _played(state: State, line: Line) -> State:
    for move in line:
        state = play(state, move)
    return state


def _charged(state: State, seen: Seen, way: Way) -> Explanation:
    """The fault, or why it need not be one."""
    doubt = _doubt(state, way.line)
    if doubt is None:
        return Explanation(way.line, as_seen(way.after, seen), None, _questions(way, seen))
    return Explanation(way.line, _as_it_lies(way.after, seen), f"{doubt}. {_GOING_ON}")


def _doubt(state: State, line: Line) -> str | None:
    """Why a fault need not be one."""
    for move in line:
        broken = {one.rule for one in violations(state, move)}
        if broken:
            found = _doubt_about(state, move, broken)
            if found:
                return found
        state = play(state, move)
    return None


def _doubt_about(state: State, move: Any, broken: set[Any]) -> str | None:
    name = move.car if isinstance(move, Drive | Turn | Roll) else ""
    if state.winner is not None:
        return f"by what I have seen {state.winner} has won, and the race is over"
    if state.owed:
        return owed_words(state)
    if not state.is_sure:
        return "I cannot be sure how the race stands, since not everything before could be ruled on"
    if MOVE_ORDER in broken and any(state.by_name[one].is_off for one in (name, *state.awaited)):
        return "of cars off the track I cannot tell which one leads"
    if isinstance(move, Adjust) and state.by_name[move.car].step == STOPPED and move.step > FEW_STEPS:
        return f"by what I have seen {move.car} has spun out, and then nobody goes so fast"
    if name in state.unsure and broken & SPEED_MATTERS:
        return f"I have not been told whether {name} changed gear or speed"
    if TURN_BY_GEAR in broken and state.check is None:
        return f"{name} turned where that takes a driver check, and I have not been told of one"
    return None


# Beyond the umpire.


def _incomplete(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """A car that is not seen, or pieces too many: a move half done, a hand, or our eye."""
    if seen.missing:
        reason = f"I do not see {' or '.join(seen.missing)}'s car"
    else:
        first = seen.spare[0]
        where = f"{first.pose.x_mm:.0f}, {first.pose.y_mm:.0f} mm"
        reason = f"a {first.pyramid} too many lies on the track at {where}: is a move half done?"
    return (Explanation((), state, f"{reason}. I wait for the table to show all cars"),)


def _vague(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """The sheets are located too badly to follow cars by."""
    reason = (
        f"the track is only known to within {state.tolerance.sheet_mm:.0f} mm in this photo, too little to follow cars "
        "by: lay its sheets flat and uncover their markers"
    )
    return (Explanation((), but(_as_it_lies(state, seen), owed=()), reason), Explanation((), state, reason))


def _unexplained(state: State, seen: Seen, shifted: tuple[str, ...], why: str | None = None) -> tuple[Explanation, ...]:
    """Nothing allowed, and no fault that is sure. The next car may have moved, or nobody."""
    line = tuple(touched(state.by_name[name], seen.of(name).pose) for name in shifted)
    lies = "lies" if len(shifted) == 1 else "lie"
    what = f"{' and '.join(shifted)} {lies} elsewhere, and I find no move that brings that about"
    if state.owed:
        what = f"{owed_words(state)}, and the table shows something else"
    seen_so = _as_it_lies(state, seen)
    reason = f"{why or what}. {_GOING_ON}"
    found = [Explanation(line, but(seen_so, owed=()), reason)]
    moved_on = [name for name in shifted if any(name in group for group in state.due)]
    if moved_on:
        found.insert(0, Explanation(line, but(seen_so, owed=(), acted=(*state.acted, *moved_on)), reason))
    return (*found, replace(found[0], after=but(state, is_sure=False)))


def _as_it_lies(state: State, seen: Seen) -> State:
    """The state with every car where it is seen; from now on nobody is accused of acting out of turn."""
    for name, piece in seen.pieces:
        state = with_car(state, at(state.track, state.by_name[name], piece.pose))
    return but(state, is_sure=False)
