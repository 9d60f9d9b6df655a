"""Faults: a launch that breaks a rule, or a legal one beside which other pieces were taken.

Only a single fault that explains the whole table is put to the judge, and only on good evidence.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from engine.game import Explanation, Plays, Touch
from engine.games.missile_command.judging import violations
from engine.games.missile_command.notation import Launch, Place
from engine.games.missile_command.playing import play
from engine.games.missile_command.reading import Seen, contents, look_of, looks_alike
from engine.games.missile_command.rules import TURN_ORDER
from engine.games.missile_command.searching import Way, acted_from, further, is_near, launches, may_rest, ways_to
from engine.games.missile_command.state import State
from engine.games.missile_command.telling import MOST_ENDS, as_it_lies, beyond, changed_silos, explained
from engine.rules import Line
from engine.table import Colour, Pyramid, Size

MOST_TOUCHES = 2  # beside a launch; more of them rather look like turns that no photo shows


def faults(state: State, seen: Seen, plays: Plays, is_sure: bool) -> tuple[Explanation, ...]:
    """Those of the player whose turn it is first; of several that fit, the others are asked about.

    `is_sure`: every piece that is gone left something smaller to see.
    """
    own = tuple(_wrong_launches(state, seen, (state.turn,), plays))
    others = tuple(_wrong_launches(state, seen, state.after_seat(state.turn), plays))
    found = (*own, *_with_touches(state, seen), *others)[:MOST_ENDS]
    charged = [_charged(state, seen, way, is_sure) for way in found]
    return tuple(
        replace(one, questions=(*one.questions, *_or_else(state, [way.line for way in found if way.line != one.line])))
        for one in charged
    )


def lone_faults(state: State, seen: Seen, plays: Plays) -> tuple[Explanation, ...]:
    """Single launches against the rules that explain the whole table."""
    return explained(state, seen, tuple(_wrong_launches(state, seen, tuple(state.in_game), plays)))


def _or_else(state: State, lines: list[Line]) -> tuple[str, ...]:
    texts = ("; ".join(map(str, line)) for line in lines[:2])
    return tuple(f"Or was it: {text}?" for text in texts)


def _charged(state: State, seen: Seen, way: Way, is_sure: bool) -> Explanation:
    doubt = None if is_sure else "a piece that I do not see any more may be there all the same"
    broken, now = set(), state
    for move in way.line:
        broken |= {violation.rule.id for violation in violations(now, move)}
        now = play(now, move)
    if not state.turns_are_sure and broken == {TURN_ORDER.id}:
        doubt = "I cannot be sure whose turn it is, since not everything before could be ruled on"
    changed = changed_silos(state, seen)
    if len(changed) == 1 and changed[0].number != state.turn:
        doubt = f"a launch at silo {changed[0]} may not be finished yet"
    if _may_be_turns(way.line):
        doubt = "pieces are gone from several batteries, and these may be turns that no photo shows"
    if seen.odd:
        doubt = f"what stands in silo {seen.odd[0]} looks different, and I may misread it"
    if state.blocking:
        doubt = "what was left to be chosen has not been seen"
    if doubt is not None:
        return beyond(state, seen, doubt, way.line)[0]
    return explained(state, seen, (way,))[0]


def _may_be_turns(line: Line) -> bool:
    """Whether what lies beside a launch is in several batteries: more launches than were looked for leave that."""
    return len({move.place.partition("/")[0] for move in line if isinstance(move, Touch)}) > 1


def _wrong_launches(state: State, seen: Seen, numbers: tuple[int, ...], plays: Plays) -> Iterator[Way]:
    """Single launches of these players that break a rule and explain the whole table."""
    for number in numbers:
        if number not in state.in_game:
            continue
        for move in launches(state, number, seen):
            if not violations(state, move):
                continue
            for way in _carried_out(Way((move,), play(state, move)), seen, plays):
                if looks_alike(way.after, seen):
                    yield way


def _carried_out(way: Way, seen: Seen, plays: Plays) -> Iterator[Way]:
    """The ways in which what a launch leaves owed is answered."""
    ways = ways_to(way.after, seen, 0, plays)
    if looks_alike(way.after, seen) and may_rest(way.after):
        yield way
    yield from (Way((*way.line, *further.line), further.after) for further in ways.found)


def _with_touches(state: State, seen: Seen) -> tuple[Way, ...]:
    """Legal launches beside which something else was taken: those that leave least to be explained."""
    best: list[tuple[int, Way]] = []
    for way in acted_from(Way((), state), seen):
        if not is_near(way.after, seen, 0, spare=MOST_TOUCHES):
            continue
        for answered in _settled_ways(way, seen):
            touches = _touches(answered.after, seen, _launched(state, way.line))
            if touches is not None:
                line = (*answered.line, *touches)
                best.append((len(touches), Way(line, as_it_lies(answered.after, seen))))
    fewest = min((count for count, _ in best), default=0)
    return tuple(way for count, way in best if count == fewest <= MOST_TOUCHES)


def _settled_ways(way: Way, seen: Seen) -> Iterator[Way]:
    """The launch with each way to answer it that the table leaves possible."""
    waiting = [way]
    while waiting:
        way = waiting.pop(0)
        if may_rest(way.after):
            yield way
        else:
            waiting += list(further(way, seen))


def _launched(state: State, line: Line) -> Pyramid | None:
    move = line[0]
    return Pyramid(move.colour, Size(state.silo(move.origin).left)) if isinstance(move, Launch) else None


def _touches(state: State, seen: Seen, launched: Pyramid | None) -> tuple[Touch, ...] | None:
    """What differs from the state's table, if it is nothing but pieces that were taken or markers that fit."""
    found, carried = [], _carried_markers(state, seen)
    for number in state.in_game:
        look, expected = seen.look(number), look_of(state.battery(number))
        more = look.units - expected.units
        if more and more != _units_taken(state, number, seen):
            return None
        if more:
            found.append(Touch(f"{number}/air-wing", f"{expected.units} in the air", f"{look.units} in the air"))
        for n in range(1, 9):
            left, was = look.left[n - 1], expected.left[n - 1]
            marked, was_marked = n in look.damaged, n in expected.damaged
            if (left, marked) == (was, was_marked):
                continue
            if Place(number, n) not in carried and not _is_evident(state, Place(number, n), seen, launched):
                return None
            before = contents(dict(state.position.sides)[number], n)
            found.append(Touch(str(Place(number, n)), before, _seen_words(seen, number, n)))
    return tuple(found)


def _carried_markers(state: State, seen: Seen) -> frozenset[Place]:
    """The silos from which and to which a hand carried a marker; one beside the next may only have been nudged."""
    gone, come = [], []
    for number in state.in_game:
        look, expected = seen.look(number), look_of(state.battery(number))
        gone += [(Place(number, n), state.silo(Place(number, n)).marker) for n in expected.damaged - look.damaged]
        come += [(Place(number, n), dict(look.markers).get(n)) for n in look.damaged - expected.damaged]
    return frozenset(
        place
        for (origin, was), (target, now) in product(gone, come)
        if was is not None and was == now and not _are_neighbours(origin, target)
        for place in (origin, target)
    )


def _are_neighbours(one: Place, other: Place) -> bool:
    return one.number == other.number and abs((one.silo or 0) - (other.silo or 0)) <= 1


def _units_taken(state: State, number: int, seen: Seen) -> int:
    """How many SAC units the player's silos lack besides."""
    pairs = zip(state.battery(number).silos, seen.look(number).left, strict=True)
    return sum(silo.colour is Colour.CYAN and left < silo.left for silo, left in pairs)


def _is_evident(state: State, place: Place, seen: Seen, launched: Pyramid | None) -> bool:
    """A smaller missile shows than should; or the one that should be gone stands there with the attacker before it."""
    look, n = seen.look(place.number), place.silo or 1
    left, was = look.left[n - 1], state.silo(place).left
    if 0 < left < was:
        return True
    return left == was + 1 and launched is not None and dict(look.markers).get(n) == launched


def _seen_words(seen: Seen, number: int, n: int) -> str:
    look = seen.look(number)
    size = {0: "", 1: "small ", 2: "medium ", 3: "large "}[look.left[n - 1]]
    damaged = "damaged " if n in look.damaged else ""
    colour = look.tops[n - 1]
    return f"{damaged}{size}{colour}" if look.left[n - 1] and colour is not None else "empty"
