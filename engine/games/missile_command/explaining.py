"""The detective: what may have happened between two settled tables.

Legal ways are looked for first (`searching`). Where there are none, a single fault that explains the whole table is
put to the judge: a launch that breaks a rule, or a legal one beside which other pieces were taken. What neither
explains, or what the evidence is too thin for, is beyond the umpire: it says so, and goes on from the table as it lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import product

from engine.game import Explanation, Plays, Touch
from engine.games.missile_command.batteries import Position
from engine.games.missile_command.building import stockpile_of
from engine.games.missile_command.judging import violations
from engine.games.missile_command.notation import Discard, Intercept, Launch, Place, Reveal, Scramble
from engine.games.missile_command.playing import play, settled
from engine.games.missile_command.reading import (
    Seen,
    contents,
    is_swap,
    look_of,
    looks_alike,
    recognised,
    with_vanished,
    without_travellers,
)
from engine.games.missile_command.rules import TURN_ORDER
from engine.games.missile_command.searching import Way, acted_from, further, is_near, launches, may_rest, ways_to
from engine.games.missile_command.settling import concluded
from engine.games.missile_command.state import Exposing, Probing, State
from engine.games.missile_command.wording import in_words
from engine.gaps import sure_pairs
from engine.rules import Line
from engine.table import Colour, Pyramid, Size

TURNS = 2  # that may lie between two settled tables: this one and the next
MOST_ENDS = 8  # states that may be the case
MOST_TOUCHES = 2  # beside a launch; more of them rather look like turns that no photo shows
_GOING_ON = "I go on from the table as it lies"


def explain(state: State, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    """What may have happened between the state's table and this one; nothing, if they are alike."""
    if state.is_drafting:
        return ()
    seen = recognised(state, position)
    said = _as_said(state, seen, plays)
    if said:
        return said
    if looks_alike(state, seen):
        return _odd_looks(state, seen)
    found = _legal_ways(state, seen, plays)
    if state.options.launch_detect and not found.explanations:
        seen = without_travellers(state, seen)
        if looks_alike(state, seen):
            return _odd_looks(state, seen)
        found = _legal_ways(state, seen, plays)
    if found.explanations and state.options.gaps and all(len(_acts(one.line)) > 1 for one in found.apart):
        sure = sure_pairs(found.apart, _lone(state, seen, plays), _acts)
        return found.explanations if sure == found.apart else sure
    if found.explanations or found.is_under_way:
        return found.explanations
    if not found.is_complete:
        return _beyond(state, seen, "there are too many ways in which this may have come about")
    kept = with_vanished(state, seen)
    if looks_alike(state, kept):
        where = " and ".join(str(place) for place in seen.vanished)
        reason = f"I do not see what was left in silo {where} any more, and it may be there"
        return (Explanation((), state, in_words(state.options, reason)),)
    return (
        _if_misread(state, kept, plays)
        or _faults(state, kept, plays, is_sure=not seen.vanished)
        or _unexplained(state, seen)
    )


def taken_back(state: State, line: Line) -> State:
    """The state without what was said of a line that was undone."""
    return replace(state, said=tuple(move for move in state.said if move not in line)) if state.said else state


# Legal ways.


@dataclass(frozen=True)
class _Found:
    """Legal explanations, fewest turns first; whether the table is on the way of one; whether all were looked at.

    `apart` has one for each line, also where several end alike.
    """

    explanations: tuple[Explanation, ...] = ()
    apart: tuple[Explanation, ...] = ()
    is_under_way: bool = False
    is_complete: bool = True


def _legal_ways(state: State, seen: Seen, plays: Plays) -> _Found:
    """The legal ways with fewest turns: if what vanished is gone, and if it was only missed."""
    found: list[tuple[int, Explanation]] = []
    apart: list[Explanation] = []
    under_way, complete = False, True
    for look in dict.fromkeys((seen, with_vanished(state, seen))):
        for turns in range(1, TURNS + 1):
            ways = ways_to(state, look, turns, plays)
            under_way, complete = under_way or ways.is_under_way, complete and ways.is_complete
            if ways.found:
                found += [(turns, one) for one in _explained(state, look, ways.found)]
                apart += [_explained(state, look, (way,))[0] for way in ways.found if state.options.gaps]
                break
    ranked = sorted(found, key=lambda pair: (_still_lying(state, seen, pair[1].after), pair[0]))
    return _Found(tuple(one for _, one in ranked)[:MOST_ENDS], tuple(apart), under_way, complete)


def _still_lying(state: State, seen: Seen, after: State) -> int:
    """How many players would be out of the game while their pieces are still to be seen."""
    out = [number for number in state.in_game if number not in after.in_game and number not in seen.gone]
    return sum(any(seen.look(number).left) for number in out)


def _as_said(state: State, seen: Seen, plays: Plays) -> tuple[Explanation, ...]:
    """The ways that begin with what was said, as far as it is time for it."""
    begun = _told(Way((), state))
    if not begun.line:
        return ()
    if looks_alike(begun.after, seen) and may_rest(begun.after):
        return _explained(state, seen, (begun,))
    found = (Way((*begun.line, *way.line), way.after) for way in ways_to(begun.after, seen, TURNS - 1, plays).found)
    return _explained(state, seen, tuple(_told(way) for way in found))


def _told(way: Way) -> Way:
    """The way, and on with what was said, as far as it is time for it."""
    for move in way.after.said:
        if violations(way.after, move):
            break
        way = Way((*way.line, move), play(way.after, move))
    return way


def _explained(state: State, seen: Seen, ways: tuple[Way, ...]) -> tuple[Explanation, ...]:
    """One explanation for each table that may be the case; other lines to the same table are asked about."""
    lines: dict[State, list[Line]] = {}
    for way in ways:
        after = way.after if _turns(way.line) < TURNS else replace(way.after, turns_are_sure=False)
        lines.setdefault(after, []).append(way.line)
    return tuple(
        _swapped(state, seen, Explanation(same[0], after, questions=_questions(state, seen, after, same)))
        for after, same in list(lines.items())[:MOST_ENDS]
    )


def _acts(line: Line) -> tuple[Place, ...]:
    """Which missiles were launched, one after another, whatever they were aimed at."""
    return tuple(move.origin for move in line if isinstance(move, Launch | Scramble | Discard))


def _turns(line: Line) -> int:
    return sum(isinstance(move, Launch) for move in line)


def _questions(state: State, seen: Seen, after: State, lines: list[Line]) -> tuple[str, ...]:
    asked = [f"It may also have been: {'; '.join(map(str, line))}. Which was it?" for line in lines[1:3]]
    for owed in after.owed:
        if isinstance(owed, Probing) and (owed.target is None or owed.target.silo is None):
            whom = f"{after.name_of(owed.target.number)}'s silos" if owed.target else "silos"
            asked.append(f"Which of {whom} was the drone aimed at, and what was reported?")
        elif isinstance(owed, Exposing):
            whose = after.name_of(owed.place.number)
            asked.append(f"{whose}, silo {owed.place} is empty: does an executive stand exposed there?")
    unseen = any(isinstance(move, Intercept) for move in lines[0]) and any(
        isinstance(move, Launch) and (move.target is None or move.target.silo is None) for move in lines[0]
    )
    if state.options.launch_detect and any(isinstance(move, Launch) and move.target is None for move in lines[0]):
        asked.append("At whom was the missile launched?")
    asked += ["Which silo was the missile aimed at that was intercepted?"] if unseen else []
    asked += [_looks_different(place) for place in seen.odd]
    asked += [
        f"What shows in silo {place} does not look as it was sealed. Is it?"
        for place, colour in seen.strange
        if not is_swap(_sealed(state, place, seen), colour)
    ]
    return tuple(in_words(state.options, text) for text in asked)


def _looks_different(place: Place) -> str:
    return f"What stands in silo {place} looks different than before. I take it as unchanged: is it?"


def _sealed(state: State, place: Place, seen: Seen) -> Colour | None:
    silo = state.silo(place)
    return silo.missiles[3 - seen.look(place.number).left[(place.silo or 1) - 1]]


def _swapped(state: State, seen: Seen, explanation: Explanation) -> Explanation:
    """What came to light in a colour that nothing makes look like the sealed one is put to the judge."""
    line, after = explanation.line, explanation.after
    for place, colour in seen.strange:
        if is_swap(_sealed(state, place, seen), colour) and after.silo(place).left:
            line, after = (*line, Reveal(place, colour)), play(after, Reveal(place, colour))
    return replace(explanation, line=line, after=after)


def _odd_looks(state: State, seen: Seen) -> tuple[Explanation, ...]:
    if not seen.odd:
        return ()
    where = " and ".join(map(str, seen.odd))
    reason = f"what is in silo {where} looks different now, but pieces do not change where they stand: I may misread it"
    return (Explanation((), state, in_words(state.options, reason)),)


def _if_misread(state: State, seen: Seen, plays: Plays) -> tuple[Explanation, ...]:
    """Legal ways if a missile that nobody had declared was taken for one of another colour when it came to light."""
    for place in _changed(state, seen):
        silo, battery = state.silo(place), state.battery(place.number)
        if battery.is_declared or silo.colour is None:
            continue
        colours = stockpile_of(state.options, len(state.players)) - {silo.colour}
        for colour in sorted(colours, key=str):
            before = state.with_silo(place, silo.showing(colour))
            ways = ways_to(before, seen, 1, plays).found
            if ways:
                asked = in_words(
                    state.options, f"I took the missile of silo {place} for {silo.colour}: was it {colour}?"
                )
                found = _explained(before, seen, ways)
                return tuple(replace(one, before=before, questions=(*one.questions, asked)) for one in found)
    return ()


def _changed(state: State, seen: Seen) -> tuple[Place, ...]:
    """The silos that are not as they were."""
    return tuple(
        Place(number, n)
        for number in state.in_game
        for n, silo in enumerate(state.battery(number).silos, 1)
        if seen.look(number).left[n - 1] != silo.left or (n in seen.look(number).damaged) != silo.is_damaged
    )


# Faults.


def _faults(state: State, seen: Seen, plays: Plays, is_sure: bool) -> tuple[Explanation, ...]:
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


def _lone(state: State, seen: Seen, plays: Plays) -> tuple[Explanation, ...]:
    """Single launches against the rules that explain the whole table."""
    return _explained(state, seen, tuple(_wrong_launches(state, seen, tuple(state.in_game), plays)))


def _or_else(state: State, lines: list[Line]) -> tuple[str, ...]:
    texts = ("; ".join(map(str, line)) for line in lines[:2])
    return tuple(in_words(state.options, f"Or was it: {text}?") for text in texts)


def _charged(state: State, seen: Seen, way: Way, is_sure: bool) -> Explanation:
    doubt = None if is_sure else "a piece that I do not see any more may be there all the same"
    broken, now = set(), state
    for move in way.line:
        broken |= {violation.rule.id for violation in violations(now, move)}
        now = play(now, move)
    if not state.turns_are_sure and broken == {TURN_ORDER.id}:
        doubt = "I cannot be sure whose turn it is, since not everything before could be ruled on"
    changed = _changed(state, seen)
    if len(changed) == 1 and changed[0].number != state.turn:
        doubt = f"a launch at silo {changed[0]} may not be finished yet"
    if _may_be_turns(way.line):
        doubt = "pieces are gone from several batteries, and these may be turns that no photo shows"
    if seen.odd:
        doubt = f"what stands in silo {seen.odd[0]} looks different, and I may misread it"
    if state.blocking:
        doubt = "what was left to be chosen has not been seen"
    if doubt is not None:
        return _beyond(state, seen, doubt, way.line)[0]
    return _explained(state, seen, (way,))[0]


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


# Beyond the umpire.


def as_it_lies(state: State, seen: Seen) -> State:
    """The state with the silos, markers and air wings that are seen."""
    for number in state.in_game:
        look, battery = seen.look(number), state.battery(number)
        for n, silo in enumerate(battery.silos, 1):
            marker = dict(look.markers).get(n)
            lies = replace(silo, left=look.left[n - 1], is_damaged=n in look.damaged and look.left[n - 1] > 0)
            lies = replace(lies, marker=marker if lies.is_damaged else None)
            top = look.tops[n - 1]
            lies = lies.showing(top) if lies.left and lies.colour is None and top is not None else lies
            battery = battery.with_silo(n, lies)
        wing = look.wing if len(look.wing) != len(battery.air_wing) else battery.air_wing
        state = state.with_battery(number, replace(battery, air_wing=wing))
    return settled(state)


def _unexplained(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """Nothing allowed, and no fault that is sure."""
    words = _difference(state, seen)
    found = _beyond(state, seen, f"{words}, and I find nothing that brings that about")
    return (*found, replace(found[0], after=state))


def _difference(state: State, seen: Seen) -> str:
    words = [f"nothing of {state.name_of(number)}'s battery is to be seen any more" for number in seen.gone]
    for number in state.in_game:
        look, expected = seen.look(number), look_of(state.battery(number))
        words += [f"silo {number}/{n} shows less" for n in range(1, 9) if look.left[n - 1] < expected.left[n - 1]]
        words += [f"a piece lies before silo {number}/{n}" for n in sorted(look.damaged - expected.damaged)]
        words += [f"no piece lies before silo {number}/{n} any more" for n in sorted(expected.damaged - look.damaged)]
        if look.units != expected.units:
            words.append(f"{state.name_of(number)}'s air wing looks different")
    return " and ".join(words) or "the table looks different"


def _beyond(state: State, seen: Seen, reason: str, line: Line = ()) -> tuple[Explanation, ...]:
    """The game goes on from the table as it is seen, and the turn is over."""
    lies = replace(as_it_lies(_guessed(replace(state, owed=(), hits=()), seen), seen), turns_are_sure=False)
    name = state.name_of(state.turn)
    after = lies if lies.blocking else concluded(replace(lies, has_launched=lies.turn == state.turn))
    said = f"{reason}. {_GOING_ON}; {name}'s turn is over"
    return (Explanation(line, after, in_words(state.options, said)),)


def _guessed(state: State, seen: Seen) -> State:
    """Where fewer missiles are seen, that is a guess: it must not bring to light what is sealed there."""
    for number in state.in_game:
        for n, silo in enumerate(state.battery(number).silos, 1):
            if 0 < seen.look(number).left[n - 1] < silo.left:
                state = state.with_silo(Place(number, n), replace(silo, is_guess=True))
    return state
