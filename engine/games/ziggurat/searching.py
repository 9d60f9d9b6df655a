"""Legal ways from a state to a table: what was said first, what nobody said after it, one step at a time.

Cards leave no trace on the table, so a draw that nobody mentioned may lie between two tables wherever the group plays
with cards of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine.game import Plays
from engine.games.ziggurat.cards import REQUIRED, STRENGTHS
from engine.games.ziggurat.judging import violations
from engine.games.ziggurat.notation import (
    Allow,
    Attack,
    Change,
    Defend,
    Draw,
    Place,
    Remodel,
    Suffer,
    is_announced,
)
from engine.games.ziggurat.offering import unknown_attacks
from engine.games.ziggurat.playing import answers, is_as_said, play
from engine.games.ziggurat.reading import Seen
from engine.games.ziggurat.state import Changing, Defending, State, Suffering
from engine.games.ziggurat.towers import Tower, damaged, sizes_of
from engine.rules import Line

THREE_UNKNOWN = (None, None, None)


@dataclass(frozen=True)
class Way:
    """A line, where it leads, and how many actions that nobody announced it may still hold. `is_idle` while it ends
    with a draw that nobody mentioned: that explains nothing by itself."""

    line: Line
    after: State
    unsaid: int = 0
    is_idle: bool = True


@dataclass(frozen=True)
class Ways:
    """What was found, shortest first; complete unless the plays ended before."""

    found: tuple[Way, ...]
    is_complete: bool = True


def ways_to(state: State, seen: Seen, unsaid: int, plays: Plays, *, is_strict: bool = True) -> Ways:
    """Lines that lead to the table that is seen. Where it is not strict, what was said may break rules."""
    found, waiting = [], [Way((), state, unsaid)]
    while waiting:
        way = waiting.pop(0)
        if not way.is_idle and not way.after.owed and way.after.position.towers == seen.towers.towers:
            found.append(way)
            continue
        for move in _next_moves(state, way, seen):
            if not plays.spend():
                return Ways(tuple(found), is_complete=False)
            is_said = bool(way.after.said) and is_as_said(way.after.said[0], move)
            may_break = not is_strict and (is_said or isinstance(move, Change))
            if may_break or not violations(way.after, move):
                waiting.append(_gone(way, move, is_said))
    return Ways(tuple(found))


def _gone(way: Way, move: Any, is_said: bool) -> Way:
    now = replace(way.after, said=way.after.said[1:]) if is_said else way.after
    is_event = not is_said and isinstance(move, Attack | Remodel | Draw) and not _is_silent(move)
    is_idle = not is_said and _is_silent(move)
    return Way((*way.line, move), play(now, move), way.unsaid - is_event, is_idle)


def _is_silent(move: Any) -> bool:
    return isinstance(move, Draw) and not move.exhausts


def _next_moves(start: State, way: Way, seen: Seen) -> Iterator[Any]:
    state = way.after
    if state.owed:
        yield from _answers(way, seen)
        return
    if state.is_over:
        return
    if state.said:
        yield from _as_said(state, seen)
    if way.unsaid:
        yield from _unsaid(start, state, seen)
    if state.deck is None and _may_be_silent(way):
        yield Draw(state.turn)


def _may_be_silent(way: Way) -> bool:
    """Each of the others may have drawn; after the last thing that is seen it does not matter."""
    silent = 0
    for move in reversed(way.line):
        if not _is_silent(move):
            break
        silent += 1
    return silent < len(way.after.in_game) - 1 and bool(way.unsaid or way.after.said)


def _as_said(state: State, seen: Seen) -> Iterator[Any]:
    said = state.said[0]
    if isinstance(said, Attack) and is_announced(said):
        yield from unknown_attacks(state, said.number, said.target)
        return
    if isinstance(said, Remodel) and is_announced(said):
        said = replace(said, cards=THREE_UNKNOWN)
    if isinstance(said, Remodel) and said.pyramid is None:
        tower = seen.at(said.place)
        if tower and tower != state.position.at(said.place):
            yield replace(said, pyramid=tower[-1])
        return
    yield said


def _answers(way: Way, seen: Seen) -> Iterator[Any]:
    state, owed = way.after, way.after.owed[0]
    said = state.said[0] if state.said else None
    match owed:
        case Defending(attack=attack):
            if isinstance(said, Defend | Allow):
                yield said
                return
            yield Allow(attack.target.number)
            greens = [green for green in state.green_of(attack.target.number) if _differs(state, seen, green)]
            yield from (Defend(attack.target.number, (None,), green) for green in greens)
            if attack.using is not None:
                yield Defend(attack.target.number, (None,))
        case Changing():
            yield from _changes(way, owed, seen)
        case Suffering(number=number):
            if isinstance(said, Suffer):
                yield said
                return
            yield from (Suffer(place) for place in state.towers_of(number) if _differs(state, seen, place))


def _changes(way: Way, owed: Changing, seen: Seen) -> Iterator[Change]:
    """The piece that is seen there; if the tower is lower by now, or its top was to be exchanged, any that may have
    been there in between.

    A tower that looks as it did before has not been damaged yet.
    """
    if owed.place not in seen.differing:
        return
    below, shown, said = way.after.position.at(owed.place), seen.at(owed.place), way.after.said
    is_shown = len(shown) > len(below) and shown[: len(below)] == below
    if is_shown:
        yield Change(owed.place, shown[len(below)])
        if not any(isinstance(move, Remodel) and move.place == owed.place for move in said):
            return
    others = [one for one in answers(way.after) if not is_shown or one.pyramid != shown[len(below)]]
    if way.unsaid or said or owed.may_refuse:
        yield from (one for one in others if way.unsaid or said or one.pyramid is None)


def _differs(state: State, seen: Seen, place: Place) -> bool:
    return state.position.at(place) != seen.at(place)


# What nobody said.


def _unsaid(start: State, state: State, seen: Seen) -> Iterator[Any]:
    """Actions of the player whose turn it is, as far as a tower that still differs lets expect them."""
    announced = places_of(start.said)
    differing = [place for place in seen.differing if _differs(state, seen, place) and place not in announced]
    number = state.turn
    for place in differing:
        now, then = state.position.at(place), seen.at(place)
        if place.number != number and now:
            yield from unknown_attacks(state, number, place)
        if place.number == number and now and sizes_of(now) == sizes_of(then):
            yield Remodel(place, then[-1], THREE_UNKNOWN)
    yield from _nullified(state, [place for place in differing if place in state.green_of(number)])
    if state.deck is None and {place.number for place in differing} >= set(state.in_game):
        yield Draw(number, exhausts=True)


def _nullified(state: State, greens: list[Place]) -> Iterator[Attack]:
    """Attacks of which nothing is seen but the pip of the green tower that stood in."""
    number = state.turn
    for green in greens:
        for pips in STRENGTHS:
            if state.has_colour(number, REQUIRED[pips]):
                continue
            for other in state.in_game:
                targets = state.towers_of(other) if other != number else ()
                yield from (Attack(number, None, place, green, pips=pips) for place in targets)


def places_of(said: Line) -> frozenset[Place]:
    """The towers that announced actions are about."""
    places: list[Place | None] = []
    for move in said:
        match move:
            case Attack(target=target, using=using):
                places += [target, using]
            case Defend(using=using):
                places.append(using)
            case Remodel(place=place) | Suffer(place=place):
                places.append(place)
    return frozenset(place for place in places if place is not None)


def is_on_the_way(before: Tower, now: Tower, pips: int) -> bool:
    """Whether so much damage is being dealt: some pieces have been taken, and no more than it takes."""
    left, _, _ = damaged(before, pips)
    return len(left) <= len(now) < len(before) and before[: len(now)] == now
