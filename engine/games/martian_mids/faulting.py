"""Faults that explain a whole table, and the doubts that turn an accusation into a question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import permutations
from typing import Any

from engine.game import Touch
from engine.games.martian_mids.judging import cards_for, violations
from engine.games.martian_mids.notation import Attack, Fly, Move, Shoot, Split, Strike
from engine.games.martian_mids.playing import answers, play
from engine.games.martian_mids.reaching import open_to, touched
from engine.games.martian_mids.reading import Seen, distance_mm
from engine.games.martian_mids.rules import DISTANCE, FLIGHT_ONCE, FLIGHT_ORDER, FLIGHT_TIME, TURN_ORDER
from engine.games.martian_mids.searching import Way, are_near, differing, looks_alike, silent_ways
from engine.games.martian_mids.state import Mid, Position, State, but, mid_on, missiles_of
from engine.games.squares import COMPASS, Square
from engine.rules import Line
from engine.table import Colour

TURNS_MATTER = {TURN_ORDER, FLIGHT_TIME, FLIGHT_ONCE, FLIGHT_ORDER}  # rules that need to know who has acted
PUSHED_MM = 25.0  # a Mid that came this far or less may have been knocked


def single_faults(state: State, seen: Seen) -> Iterator[Way]:
    """Single moves of any kind, and what they lead to, that make the board look as it is seen."""
    for target in dict.fromkeys((seen.position, seen.plain)):
        different = differing(state.position, target)
        fixed = different - open_to(state.position.missiles)
        for move in dict.fromkeys(_deeds(state, target, different)):
            if not fixed <= touched(state, move):
                continue
            for way in _carried_out(Way((move,), play(state, move))):
                if looks_alike(way.after.position, target):
                    yield way


def _carried_out(way: Way) -> Iterator[Way]:
    """The ways in which what a move leaves owed is answered."""
    waiting = [way]
    while waiting:
        way = waiting.pop()
        yield way
        waiting += [Way((*way.line, move), play(way.after, move)) for move in answers(way.after)]


def _deeds(state: State, target: Position, different: frozenset[Square]) -> Iterator[Move | Attack | Shoot | Fly]:
    """What somebody may have done, by the squares that look different."""
    here = state.position
    for origin in sorted(different & here.by_square.keys()):
        mid = here.by_square[origin]
        for square in sorted(different - {origin}):
            yield Move(origin, square)
            yield Attack(square, origin)
        for square, missile in target.missiles:
            if missile.pyramid in mid.pyramids and square in different:
                yield Shoot(origin, missile.pyramid, square, missile.direction)
        for near in origin.neighbours():
            yield Attack(near, origin)
            if near in different and near in here.by_square:
                yield from (Shoot(origin, mid.top, near, way) for way in COMPASS)
    for square, missile in here.missiles:
        if square in different:
            yield from (
                Fly(square, where, missile.pyramid, missile.direction)
                for where, lies in target.missiles
                if where in different
                and lies.pyramid == missile.pyramid
                and are_near(lies.direction, missile.direction)
            )


def double_faults(state: State, seen: Seen) -> Iterator[Way]:
    """Two Mids that moved, and an attack that took more or fewer pyramids than it may."""
    if missiles_of(state.position) != missiles_of(seen.position):
        return
    if not seen.lost and len(seen.gone) == len(seen.come) == 2:
        for targets in permutations(seen.come):
            pairs = tuple(zip(seen.gone, targets, strict=True))
            if all(_is_alike(state, seen, *pair) for pair in pairs):
                yield from (_played(state, tuple(Move(*pair) for pair in ordered)) for ordered in permutations(pairs))
    if len(seen.lost) == 1 and not seen.gone and not seen.come:
        yield from _wrong_smashes(state, seen, seen.lost[0])


def _wrong_smashes(state: State, seen: Seen, square: Square) -> Iterator[Way]:
    """Attacks in turn on a Mid that lost another number of pyramids."""
    for near in square.neighbours():
        attacker, attack = state.position.mid_at(near), Attack(near, square)
        if attacker is None or attacker.top.colour is not Colour.RED or violations(state, attack):
            continue
        after = play(state, attack)
        left, now = after.position.mid_at(square), seen.position.by_square[square]
        if left is None or len(now.pyramids) < len(left.pyramids):
            touch = Touch(str(square), str(left or "empty"), str(now))
            mids = after.position.by_square | {square: replace(mid_on(state, square), pyramids=now.pyramids)}
            lies = but(after, position=Position.of(mids, after.position.missiles))
            yield Way((attack, touch), lies)


def _played(state: State, line: Line) -> Way:
    after = state
    for move in line:
        after = play(after, move)
    return Way(line, after)


# Doubts, which turn an accusation into a question.


def doubt_of(state: State, seen: Seen, line: Line) -> str | None:
    """Why a fault need not be one; None where it is one."""
    return _unseen(seen, line) or _doubt(state, seen, line) or _doubt_about_hands(state, line)


def _unseen(seen: Seen, line: Line) -> str | None:
    """A Mid that is seen nowhere may be there all the same, unless it became the missile that is seen."""
    shot = {move.origin for move in line if isinstance(move, Shoot)}
    vanished = [square for square in seen.gone if square not in shot]
    if len(vanished) <= len(seen.come):
        return None
    return f"I do not see the Mid from {vanished[0]} any more, and nothing allowed has destroyed it"


def _doubt_about_hands(state: State, line: Line) -> str | None:
    """Why pieces that changed beside an event need no hand: turns that no photo shows."""
    events = [move for move in line if not isinstance(move, Touch)]
    if len(events) == len(line):
        return None
    if not state.turns_are_sure:
        return "I cannot be sure what was done before, since not everything could be ruled on"
    if silent_ways(_played(state, tuple(events)).after):
        return "more than one turn may have been taken, with one among them that nobody could see"
    return None


def _doubt(state: State, seen: Seen, line: Line) -> str | None:
    for move in line:
        found = _doubt_about(state, seen, move)
        if found:
            return found
        state = play(state, move)
    return None


def _doubt_about(state: State, seen: Seen, move: Any) -> str | None:
    broken = violations(state, move)
    if not broken:
        return None
    for card in cards_for(state, move):
        if not card.lifts:
            return f"the Mid Card {card.card!r} may allow it"
    if not state.turns_are_sure and {one.rule for one in broken} <= TURNS_MATTER:
        return "I cannot be sure whose turn it is, since not everything before could be ruled on"
    if isinstance(move, Touch | Fly | Split | Strike):
        return None
    mid = state.position.mid_at(move.origin)
    if mid is None:
        return f"I do not know which Mid acted from {move.origin}"
    if state.owed:
        return "what a hit left to be chosen has not been seen"
    if state.is_over:
        return "by what I have seen the game is over"
    if isinstance(move, Move):
        doubt = _doubt_about_move(state, seen, move, mid)
        if doubt:
            return doubt
    if not {one.rule for one in broken} <= TURNS_MATTER:
        return None  # whoever controls it
    if state.controller_of(mid) is None:
        return f"I have not seen whose stand the Mid on {move.origin} stands on"
    if _may_be_controlled(state, mid):
        return f"a control attack that nobody could see may explain that the Mid on {move.origin} acted"
    return None


def _doubt_about_move(state: State, seen: Seen, move: Move, mid: Mid) -> str | None:
    if move.target is None:
        return None
    if any(where == move.target for where, _ in seen.position.missiles):
        return f"the Mid from {move.origin} met the missile on {move.target}, and the hit is not to be seen yet"
    now = seen.position.mid_at(move.target)
    if now is not None and distance_mm(mid, now) <= PUSHED_MM:
        return f"the Mid from {move.origin} may only have been knocked over the border to {move.target}"
    if now is not None and not _is_alike(state, seen, move.origin, move.target):
        return f"what stands on {move.target} does not look like the Mid from {move.origin}"
    if _count_in_doubt(state, move, mid):
        return f"I cannot tell whether the Mid from {move.origin} has pyramids enough to go to {move.target}"
    return None


def _is_alike(state: State, seen: Seen, origin: Square, target: Square) -> bool:
    """Pieces do not change: what came is what went if it looks the same and stands on no other player's stand."""
    was, now = mid_on(state, origin), seen.position.by_square[target]
    return was.pyramids == now.pyramids and (None in (was.stand, now.stand) or was.stand is now.stand)


def _count_in_doubt(state: State, move: Move, mid: Mid) -> bool:
    """Whether the move is too far only if the Mid has fewer pyramids than it may well have."""
    rules = {violation.rule for violation in violations(state, move)}
    step = move.origin.step_to(move.target) if move.target is not None else None
    return rules == {DISTANCE} and step is not None and step[2] <= mid.greatest_count


def _may_be_controlled(state: State, mid: Mid) -> bool:
    """Somebody acted out of turn, or so it seems, and yellow pyramids leave beads and silent turns possible.

    A control attack changes no pyramid, so a yellow-topped Mid next to another may have used up a turn unseen.
    """
    if state.controller_of(mid) in state.awaited:
        return False
    return any(
        other.top.colour is Colour.YELLOW and any(state.position.mid_at(near) for near in square.neighbours())
        for square, other in state.position.mids
    )
