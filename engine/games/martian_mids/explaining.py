"""The detective: what may have happened between two settled tables.

Legal ways are looked for first (`searching`). Where there are none, a single fault that explains the whole table is
put to the judge. What neither explains, or what a fault is not sure enough for, is beyond the umpire: it says so, and
goes on from the table as it lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from engine.game import Explanation, Plays
from engine.games.martian_mids.faulting import double_faults, doubt_of, single_faults
from engine.games.martian_mids.judging import violations
from engine.games.martian_mids.notation import Attack, Move, Shoot
from engine.games.martian_mids.playing import play
from engine.games.martian_mids.preparing import Preparation
from engine.games.martian_mids.reading import Seen, changes, recognised
from engine.games.martian_mids.searching import (
    Way,
    flown_out,
    looks_alike,
    silent_ways,
    strangers,
    ways_to,
)
from engine.games.martian_mids.state import Mid, Position, State, but, mid_on, missiles_of, next_round, turn_over
from engine.games.martian_mids.touching import touched_ways
from engine.games.squares import Square
from engine.gaps import sure_pairs
from engine.rules import Line
from engine.table import Pyramid

TURNS = 2  # that may lie between two settled tables: this one and the next
MOST_ENDS = 8  # states that may be the case; with more, nobody knows any more whose turn it is
_TOO_MANY = "there are too many ways in which this may have come about"
_GOING_ON = "I go on from the table as it lies"


def explain(state: State | Preparation, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    """What may have happened between the state's board and this one; nothing, if they are alike."""
    if isinstance(state, Preparation):
        return ()  # what is prepared is said, and judged as it is said
    found = _found(state, position, plays)
    return tuple(_asking_for_said(one) for one in found) if state.said else found


def taken_back(state: State | Preparation, line: Line) -> State | Preparation:
    """The state without what was said of a line that was undone."""
    if isinstance(state, Preparation) or not state.said:
        return state
    return but(state, said=tuple(move for move in state.said if move not in line))


def _asking_for_said(one: Explanation) -> Explanation:
    """What was said and is not among what happened waits on, and is asked about."""
    waiting = tuple(f"'{move}' was said, and I do not see it. Has it been done?" for move in one.after.said)
    return replace(one, questions=(*one.questions, *waiting))


def _found(state: State, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    seen = recognised(state, position)
    said = _ways_as_said(state, seen, plays)
    if said:
        return _explained(seen, said)
    if not _has_changed(state, seen) and missiles_of(seen.plain) == missiles_of(state.position):
        return _odd_looks(state, seen)
    for turns in range(1, TURNS + 1):
        for target in dict.fromkeys((seen.plain, seen.position)):
            ways = ways_to(state, target, turns, plays)
            if ways.found:
                found = _explained(seen, (*ways.found, *_after_silence(state, target, turns, plays)))
                return found if turns < TURNS or not state.options.gaps else sure_pairs(found, _lone(state, seen))
            if not ways.is_complete:
                return _beyond(state, seen, _TOO_MANY)
    allowed = _by_card(state, seen)
    if allowed or not plays.is_for_faults:
        return allowed or _unexplained(state, seen)
    misread = _if_misread(state, seen, plays)
    if not misread and plays.left <= 0:
        return _beyond(state, seen, _TOO_MANY)
    return misread or _faults(state, seen, position, plays) or _unexplained(state, seen)


def _lone(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """Single actions against the rules that explain the whole table."""
    return _explained(seen, tuple(way for way in single_faults(state, seen) if violations(state, way.line[0])))


def _by_card(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """A single action that breaks only rules which a card of this turn lifts."""
    if not any(card.lifts for card in state.cards):
        return ()
    ways = [way for way in single_faults(state, seen) if not violations(state, way.line[0])]
    return _explained(seen, tuple(ways))


def _if_misread(state: State, seen: Seen, plays: Plays) -> tuple[Explanation, ...]:
    """Legal ways if a photo, this one or one before, showed a Mid that acts otherwise than it is."""
    found = (*_if_one_moved(state, seen, plays), *_if_one_shot(state, seen, plays))
    return next((one for one in found if one), ())


def _if_one_moved(state: State, seen: Seen, plays: Plays) -> Iterator[tuple[Explanation, ...]]:
    """One Mid went and one came that looks like none: it may be the same, misread now or, if it is higher, before."""
    if len(seen.gone) != 1 or len(seen.come) != 1:
        return
    (origin,), (target,) = seen.gone, seen.come
    was, now = mid_on(state, origin), seen.position.by_square[target]
    if was.pyramids == now.pyramids:
        return
    guessed = seen.position.by_square | {target: replace(now, pyramids=was.pyramids)}
    asked = _looks_different(target)
    yield _asked(seen, ways_to(state, Position.of(guessed, seen.position.missiles), 1, plays).found, asked)
    if len(was.pyramids) < min(len(now.pyramids), was.greatest_count):
        higher = _with_pyramids(state, origin, now)
        yield _asked(seen, ways_to(higher, seen.position, 1, plays).found, asked, higher)


def _if_one_shot(state: State, seen: Seen, plays: Plays) -> Iterator[tuple[Explanation, ...]]:
    """A missile came, and a Mid next to it may have had a top that no photo showed, or showed as another piece."""
    for square, missile in seen.position.missiles:
        if (square, missile) in state.position.missiles:
            continue
        for near in square.neighbours():
            mid = state.position.mid_at(near)
            if mid is not None and len(mid.pyramids) < mid.greatest_count and mid.top.size >= missile.pyramid.size:
                higher = _with_pyramids(state, near, replace(mid, pyramids=(*mid.pyramids, missile.pyramid)))
                asked = f"I had not seen the {missile.pyramid} on {near} before. Was it there?"
                yield _asked(seen, ways_to(higher, seen.position, 1, plays).found, asked, higher)
            left = seen.position.mid_at(near)
            if mid is not None and left is not None and _may_have_been_above(missile.pyramid, mid, left):
                other = _with_pyramids(state, near, replace(mid, pyramids=(*left.pyramids, missile.pyramid)))
                was = " under ".join(map(str, mid.pyramids[len(left.pyramids) :]))
                asked = f"On {near} I had taken what is gone for {was}. Was it the {missile.pyramid} alone?"
                yield _asked(seen, ways_to(other, seen.position, 1, plays).found, asked, other)


def _may_have_been_above(pyramid: Pyramid, was: Mid, left: Mid) -> bool:
    """Whether all that is gone from a Mid may have been this one pyramid: pieces on top are hard to count and tell."""
    count = len(left.pyramids)
    gone = was.pyramids[count:]
    return (
        was.least_count <= count + 1 <= len(was.pyramids)
        and was.pyramids[:count] == left.pyramids
        and gone != (pyramid,)
        and left.top.size >= pyramid.size
    )


def _with_pyramids(state: State, square: Square, mid: Mid) -> State:
    mids = state.position.by_square | {square: replace(mid_on(state, square), pyramids=mid.pyramids)}
    return but(state, position=Position.of(mids, state.position.missiles))


def _asked(seen: Seen, ways: tuple[Way, ...], question: str, before: State | None = None) -> tuple[Explanation, ...]:
    explained = _explained(seen, ways)
    return tuple(replace(one, questions=(*one.questions, question), before=before) for one in explained)


def _has_changed(state: State, seen: Seen) -> bool:
    return bool(
        missiles_of(state.position) != missiles_of(seen.position)
        or seen.gone
        or seen.come
        or seen.lost
        or changes(state.position, seen.position)
    )


def _odd_looks(state: State, seen: Seen) -> tuple[Explanation, ...]:
    if not seen.odd:
        return ()
    where = " and ".join(map(str, seen.odd))
    reason = f"what is on {where} looks different now, but pieces do not change where they stand: I may misread them"
    return (Explanation((), state, reason),)


# Legal ways.


def _ways_as_said(state: State, seen: Seen, plays: Plays) -> tuple[Way, ...]:
    """The ways that begin with what was said, one thing after another, as far as it is time for it."""
    for move in state.said:
        if violations(state, move):
            continue
        after = play(state, move)
        begun = after if after.said != state.said else but(after, said=tuple(m for m in after.said if m != move))
        further = _ways_as_said(begun, seen, plays) or _ways_on(begun, seen, plays)
        if further:
            return tuple(Way((move, *way.line), way.after) for way in further)
    return ()


def _ways_on(state: State, seen: Seen, plays: Plays) -> tuple[Way, ...]:
    """From what was said to the table, with at most one action that was not."""
    for target in dict.fromkeys((seen.plain, seen.position)):
        if looks_alike(state.position, target):
            return (Way((), state),)
        ways = ways_to(state, target, TURNS - 1, plays)
        if ways.found:
            return ways.found
    return ()


def _after_silence(state: State, target: Position, turns: int, plays: Plays) -> tuple[Way, ...]:
    """Other ways to the same table, if the turn before was one that nobody could see."""
    if turns == TURNS or not state.turns_are_sure:
        return ()
    return tuple(
        Way((*silent.line, *way.line), way.after)
        for silent in silent_ways(state)
        for way in ways_to(silent.after, target, turns, plays).found
    )


def _explained(seen: Seen, ways: tuple[Way, ...]) -> tuple[Explanation, ...]:
    ways = tuple({way.after: way for way in reversed(ways)}.values())[::-1]
    sure = len(ways) <= MOST_ENDS and all(_turns(way.line) < TURNS for way in ways[:1])
    return tuple(
        Explanation(
            way.line,
            _as_seen(way.after if sure else but(way.after, turns_are_sure=False), seen),
            questions=_questions(way, seen),
            is_pending=bool(way.after.owed),
        )
        for way in ways[:MOST_ENDS]
    )


def _turns(line: Line) -> int:
    """How many turns a line takes: where a photo missed one, it may have missed more."""
    return sum(isinstance(move, Move | Shoot | Attack) for move in line)


def _questions(way: Way, seen: Seen) -> tuple[str, ...]:
    odd = [square for square in seen.odd if way.after.position.mid_at(square) == seen.position.mid_at(square)]
    other = strangers(way.after.position, seen.plain)
    asked = tuple(_looks_different(square) for square in odd)
    return (
        *asked,
        *(f"The stand on {square} looks like another player's. I take it as unchanged: is it?" for square in other),
    )


def _looks_different(square: Square) -> str:
    return f"What is on {square} looks different than before. I take it as unchanged: is it?"


def _as_seen(state: State, seen: Seen) -> State:
    """The state with each Mid's foot where it is seen now, and with its pyramids if they were too few to move so."""
    mids = {}
    for square, mid in state.position.mids:
        now = seen.position.mid_at(square) or mid
        better = now if len(mid.pyramids) < mid.likely_count <= len(now.pyramids) else mid
        stand = mid.stand or now.stand
        mids[square] = replace(mid, stand=stand, foot=now.foot, pyramids=better.pyramids, counts=now.counts)
    return but(state, position=Position.of(mids, state.position.missiles))


# Faults: one that explains the whole table, after the missiles that were due.


def _faults(state: State, seen: Seen, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    for way in dict.fromkeys((*flown_out(state), Way((), state))):
        here = recognised(way.after, position) if way.line else seen
        if way.line and not _flew_so(way.after, here):
            continue
        found = [fault for fault in single_faults(way.after, here) if violations(way.after, fault.line[0])]
        found = found or list(double_faults(way.after, here))
        if found:
            return tuple(_charged(state, seen, here, way, fault) for fault in found)
    touched = touched_ways(state, seen, position, plays)
    return tuple(_charged(state, seen, seen, Way((), state), way) for way in touched)[:MOST_ENDS]


def _flew_so(state: State, seen: Seen) -> bool:
    """Whether the missiles lie where they would after their flight, each of them."""
    return set(missiles_of(state.position)) <= set(missiles_of(seen.position))


def _charged(state: State, seen: Seen, here: Seen, before: Way, fault: Way) -> Explanation:
    """The fault after what was in order before it; beyond the umpire where it need not be one.

    `seen` is the table as compared with the state, `here` as compared with the state after what was in order.
    """
    line = (*before.line, *fault.line)
    doubt = doubt_of(before.after, here, fault.line)
    if doubt is not None:
        return _beyond(state, seen, doubt, line)[0]
    return _explained(here, (Way(line, fault.after),))[0]


# Beyond the umpire.


def _unexplained(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """Nothing allowed, and no fault that is sure: pieces that a photo misses, hands, or more turns than two."""
    line = tuple(Move(*pair) for pair in zip(seen.gone, seen.come, strict=True)) if _is_one_move(seen) else ()
    found = _beyond(state, seen, f"{_words(state, seen)}, and I find nothing that brings that about", line)
    found += tuple(replace(one, after=turn_over(one.after, name)) for one in found for name in one.after.awaited[:1])
    return (*found, replace(found[0], after=state))


def _is_one_move(seen: Seen) -> bool:
    return len(seen.gone) == len(seen.come) == 1 and not seen.lost


def _beyond(state: State, seen: Seen, reason: str, line: Line = ()) -> tuple[Explanation, ...]:
    """The game goes on from the table as seen, and the actor's turn is over; in a tie it may be anybody's.

    The likeliest actor owns a Mid that went or lost pyramids. If missiles were due, they have moved.
    """
    lies = but(state, position=seen.position, turns_are_sure=False, owed=(), acting=None)
    if state.missiles_are_due:
        begun = next_round(lies)
        return (Explanation(line, begun, f"{reason}. {_GOING_ON}; round {begun.round_number} begins"),)
    squares = (*seen.lost, *seen.gone)
    owners = [state.owner_of(mid) for square in squares if (mid := state.position.mid_at(square))]
    actors = dict.fromkeys([*(name for name in owners if name in state.awaited), *state.awaited])
    if not actors:
        return (Explanation(line, turn_over(lies, None), f"{reason}. {_GOING_ON}"),)
    said = f"{reason}. {_GOING_ON}; {next(iter(actors))}'s turn is over"
    return tuple(Explanation(line, turn_over(lies, actor), said) for actor in actors)


def _words(state: State, seen: Seen) -> str:
    """What looks different, in words."""
    before, now = missiles_of(state.position), missiles_of(seen.position)
    words = [f"the Mid on {square} has fewer pyramids than before" for square in seen.lost]
    words += [f"the Mid from {square} is gone" for square in seen.gone]
    words += [f"a Mid has come to {square}" for square in seen.come]
    words += [f"the {piece} missile left {square}" for square, piece, way in before if (square, piece, way) not in now]
    words += [f"a {piece} missile came to {square}" for square, piece, way in now if (square, piece, way) not in before]
    return " and ".join(words) or "the table looks different"
