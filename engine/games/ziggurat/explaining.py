"""The detective: what may have happened between two settled tables.

What was said goes first, and the table has to show it. Where nothing was said, the table alone tells which actions
would fit. A single fault that explains the whole table is put to the judge if the scrapyard bears it out; what is left
is beyond the umpire, who then goes on from the table as it lies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from typing import Any

from engine.game import Explanation, Plays, Touch
from engine.games.ziggurat.battling import possible_cards
from engine.games.ziggurat.judging import violations
from engine.games.ziggurat.notation import Allow, Attack, Change, Defend, Draw, Place, Remodel
from engine.games.ziggurat.offering import unknown_attacks
from engine.games.ziggurat.playing import play
from engine.games.ziggurat.reading import Seen, is_borne_out, is_exchange_borne_out, is_whole, recognised
from engine.games.ziggurat.searching import Way, is_on_the_way, places_of, ways_to
from engine.games.ziggurat.state import Changing, Defending, Position, State, next_number
from engine.games.ziggurat.towers import in_words, pips_of, sizes_of, tower_words
from engine.gaps import sure_pairs
from engine.rules import Line

UNSAID = 2  # actions that may lie between two tables if nobody said what was done
MOST_CARDS = 12  # that are listed in a question
_TOO_MANY = "there are too many ways in which this may have come about"
_GOING_ON = "I go on from the table as it lies"


def explain(state: State, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    """What may have happened between the state's table and this one; nothing, if they are alike."""
    seen = recognised(state, position)
    return tuple(_in_words(state, one) for one in _found(state, seen, position, plays))


def _in_words(state: State, one: Explanation) -> Explanation:
    family = state.options.colours
    beyond = None if one.beyond is None else in_words(family, one.beyond)
    return replace(one, beyond=beyond, questions=tuple(in_words(family, question) for question in one.questions))


def _found(state: State, seen: Seen, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    if state.said:
        found = _as_said(state, seen, plays)
        if found:
            return found
    if not seen.differing:
        return _odd_looks(state, seen, position)
    if plays.left <= 0:
        return _beyond(state, seen, _TOO_MANY)
    if places_of(state.said) & set(seen.differing):
        return _beyond(state, seen, f"{_said_words(state)} was said, and the table shows something else")
    return _unsaid(state, seen, position, plays)


# What was said.


def _as_said(state: State, seen: Seen, plays: Plays) -> tuple[Explanation, ...]:
    """What was said explains the table (where photos are missing, with an action more); or is under way; or is a fault.

    What was said first and shows nowhere may have been taken back: it is left out then, and asked about.
    """
    for start in _starts(state):
        for unsaid in (0, 1) if state.options.gaps else (0,):
            ways = ways_to(start, seen, unsaid, plays).found
            if ways:
                due = min(len(way.after.said) for way in ways)  # what was said is rather done than still to be done
                fitting = [way for way in ways if len(way.after.said) == due]
                found = (_explained(start, seen, way, _left_out(state, start)) for way in fitting)
                return tuple(one if start.turn == state.turn else replace(one, before=start) for one in found)
    under_way = _under_way(state, seen)
    if under_way is not None:
        return (under_way,)
    broken = ways_to(state, seen, 0, plays, is_strict=False).found
    if broken:
        idle = _exchanged_for_its_like(state, broken[0])
        if idle is not None:
            return _beyond(state, seen, f"'{idle}' was said, and that is what I took to be there", broken[0].line)
        return tuple(_explained(state, seen, way) for way in broken)
    return _not_as_said(state, seen) if seen.differing else ()


def _starts(state: State) -> Iterator[State]:
    """The state with all that was said, and without the first of it.

    What was to show on the table may have been done where it was not seen: then the turn has passed on, too.
    """
    yield state
    actions = [n for n, move in enumerate(state.said) if isinstance(move, Attack | Draw | Remodel)]
    for n in actions[1:]:
        start = replace(state, said=state.said[n:])
        yield start
        if all(map(_is_to_show, _actions(state.said[:n]))) and _actor(state.said[n]) != state.turn:
            yield replace(start, turn=_actor(state.said[n]), turns_are_sure=False)


def _actions(said: Line) -> Iterator[Line]:
    """Each action that was said, with its answers."""
    firsts = [n for n, move in enumerate(said) if isinstance(move, Attack | Draw | Remodel)]
    yield from (said[n:after] for n, after in pairwise((*firsts, len(said))))


def _is_to_show(action: Line) -> bool:
    """Whether the action changes a tower: a draw does not, nor an attack that is nullified."""
    is_nullified = any(isinstance(move, Defend) and move.using is None for move in action)
    return not isinstance(action[0], Draw) and not (is_nullified and getattr(action[0], "using", None) is None)


def _actor(action: Attack | Draw | Remodel) -> int:
    return action.place.number if isinstance(action, Remodel) else action.number


def _exchanged_for_its_like(state: State, way: Way) -> Remodel | None:
    """A remodelling for what lies on top already: nobody would, so that something before it was misread."""
    now = state
    for move in way.line:
        if isinstance(move, Remodel) and now.position.at(move.place)[-1:] == (move.pyramid,):
            return move
        now = play(now, move)
    return None


def _left_out(state: State, start: State) -> tuple[str, ...]:
    count = len(state.said) - len(start.said)
    asked = "Was it taken back?" if start.turn == state.turn else "Has it been done?"
    return tuple(f"'{move}' was said, and I do not see it. {asked}" for move in state.said[:count])


def _said_words(state: State) -> str:
    return " and ".join(f"'{move}'" for move in state.said)


def _done_as_said(state: State, seen: Seen) -> Way:
    """What was said first, as far as it goes, with change as the table shows it."""
    line: Line = ()
    now = replace(state, said=())
    for move in state.said:
        if line and isinstance(move, Attack | Draw | Remodel):
            break
        if isinstance(move, Remodel) and move.pyramid is None and seen.at(move.place):
            move = replace(move, pyramid=seen.at(move.place)[-1])
        line, now = (*line, move), play(now, move)
        while now.owed and isinstance(now.owed[0], Changing):
            below, shown = now.position.at(now.owed[0].place), seen.at(now.owed[0].place)
            if len(shown) <= len(below):
                break
            change = Change(now.owed[0].place, shown[len(below)])
            line, now = (*line, change), play(now, change)
    return Way(line, now)


def _under_way(state: State, seen: Seen) -> Explanation | None:
    """A tower has lost some of what it has to lose, and nothing else is different: change or pieces are still owed."""
    said = state.said[0]
    if not isinstance(said, Attack) or violations(state, said):
        return None
    costs = {said.using: 1} if said.using else {}
    damages = costs | ({} if any(isinstance(move, Defend) for move in state.said) else {said.target: said.strength})
    if not seen.differing or not set(seen.differing) <= set(damages):
        return None
    if not all(is_on_the_way(state.position.at(p), seen.at(p), damages[p] or 0) for p in seen.differing):
        return None
    line: Line = (said,)
    now = play(replace(state, said=()), said)
    allow = Allow(said.target.number)
    if isinstance(now.owed[0], Defending):
        allowed = play(now, allow)
        is_change_due = said.target in seen.differing and isinstance((*allowed.owed, None)[0], Changing)
        if state.said[1:2] == (allow,) or is_change_due:
            line, now = (*line, allow), allowed
    return Explanation(line, replace(now, position=seen.towers), is_pending=True)


def _not_as_said(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """The table differs from what was said: a fault if pieces were taken that the scrapyard shows, else a question."""
    done = _done_as_said(state, seen)
    touches = _touches(done.after, seen)
    taken = [place for place in seen.differing if pips_of(seen.at(place)) < pips_of(done.after.position.at(place))]
    others = [place for place in _differing(done.after, seen) if place not in taken]
    exchanged = [place for place in others if _is_exchanged(state, done, seen, place)]
    is_sure = bool(taken or exchanged) and all(
        seen.at(place) == state.position.at(place) for place in others if place not in exchanged
    )
    if is_sure and state.turns_are_sure and is_borne_out(state, seen) and not done.after.owed and not seen.odd:
        line = (*done.line, *touches)
        return (Explanation(line, _as_it_lies(done.after, seen)),)
    reason = f"{_said_words(state)} was said, and the table does not show that"
    return _beyond(state, seen, reason, (*done.line, *touches))


def _is_exchanged(state: State, done: Way, seen: Seen, place: Place) -> bool:
    """Whether a top that the line leaves alone was exchanged for another of its size, and the scrapyard shows both."""
    was, now = state.position.at(place), seen.at(place)
    if done.after.position.at(place) != was or not was or not now or sizes_of(was) != sizes_of(now):
        return False
    return is_exchange_borne_out(state, seen, place) and seen.lying[now[-1]] < state.position.scrapyard.count(now[-1])


def _differing(state: State, seen: Seen) -> tuple[Place, ...]:
    return tuple(place for place in state.position.places if state.position.at(place) != seen.at(place))


def _touches(state: State, seen: Seen) -> tuple[Touch, ...]:
    return tuple(
        Touch(str(place), tower_words(state.position.at(place)), tower_words(seen.at(place)))
        for place in _differing(state, seen)
    )


# What nobody said.


def _unsaid(state: State, seen: Seen, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    for unsaid in range(1, UNSAID + 1):
        ways = ways_to(replace(state, said=()), seen, unsaid, plays)
        if ways.found:
            found = tuple(_checked(state, seen, way) for way in ways.found)
            is_pair = unsaid > 1 and state.options.gaps
            return sure_pairs(found, _faults(state, seen), _events) if is_pair else found
        if not ways.is_complete:
            return _beyond(state, seen, _TOO_MANY)
    finished = _finished(state, position, plays)
    return finished or _faults(state, seen) or _beyond(state, seen, _unexplained_words(seen))


def _events(line: Line) -> frozenset[Any]:
    """What was done to towers, whoever was first: draws leave no trace, and may lie between."""
    return frozenset(move for move in line if not isinstance(move, Draw) or move.exhausts)


def _finished(state: State, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    """An attack that nobody announced was not over yet when it was seen: change has come since, or more was taken."""
    before = state.unfinished
    if before is None:
        return ()
    seen = recognised(before, position)
    ways = ways_to(before, seen, 1, plays).found
    return tuple(replace(_checked(before, seen, way), before=before) for way in ways)


def _checked(state: State, seen: Seen, way: Way) -> Explanation:
    """A top that changed its colour was exchanged only if the scrapyard shows it: colours are easily misread."""
    remodelled = [move.place for move in way.line if isinstance(move, Remodel)]
    doubtful = [place for place in remodelled if not is_exchange_borne_out(state, seen, place)]
    found = _explained(state, seen, way)
    if doubtful:
        reason = f"the top of tower {doubtful[0]} looks different, and I may misread it"
        return replace(_beyond(state, seen, reason, way.line)[0], questions=found.questions)
    is_open = len(way.line) == 2 and isinstance(way.line[0], Attack) and isinstance(way.line[1], Allow)
    before = replace(state, unfinished=None, said=()) if is_open else None
    return replace(found, after=replace(found.after, said=state.said, struck=None, unfinished=before))


def _explained(state: State, seen: Seen, way: Way, asked: tuple[str, ...] = ()) -> Explanation:
    """Where a tower was taken as unchanged it may not have been: what it shows later is held against nobody."""
    after = replace(way.after, turns_are_sure=False) if seen.odd else way.after
    return Explanation(way.line, after, questions=(*asked, *_questions(state, seen, way)))


def _questions(state: State, seen: Seen, way: Way) -> tuple[str, ...]:
    """What cards the table leaves open, what it does not show, and who may have drawn."""
    found, now = [], state
    for move in way.line:
        if isinstance(move, Attack) and move.card is None:
            cards = possible_cards(now, move)
            which = ", ".join(f"the {card.words}" for card in cards)
            listed = f" It may have been {which}." if len(cards) <= MOST_CARDS else ""
            found.append(f"Which card was played against tower {move.target}?{listed}")
        if isinstance(move, Draw) and move not in state.said:
            found.append(f"Did {state.name_of(move.number)} draw cards? Nobody said so.")
        now = play(now, move)
    found += [f"Tower {place} looks different. I take it as unchanged: is it?" for place in seen.odd]
    if not is_borne_out(state, seen):
        found.append("I do not see in the scrapyard all that should lie there. Is it there?")
    found += [f"'{move}' was said, and I do not see it. Has it been done?" for move in way.after.said]
    return tuple(found)


def _odd_looks(state: State, seen: Seen, position: Position) -> tuple[Explanation, ...]:
    if not seen.odd:
        return ()
    place = seen.odd[0]
    reason = f"the top of tower {place} looks like a piece that is not in the scrapyard: I may misread it"
    if not position.at(place):
        reason = f"I do not see tower {place} any more, nor its pieces in the scrapyard"
    return (Explanation((), state, reason),)


def _faults(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """Single attacks that break a rule and explain the whole table, if the scrapyard shows just what was taken."""
    if len(seen.differing) != 1 or seen.odd:
        return ()
    (place,) = seen.differing
    found = []
    for number in (state.turn, *(other for other in state.in_game if other != state.turn)):
        if number != place.number and state.position.at(place):
            found += [way for attack in unknown_attacks(state, number, place) for way in _attacked(state, attack, seen)]
    if not found:
        return ()
    if is_whole(seen) and (state.turns_are_sure or state.deck is None):
        return tuple(_explained(state, seen, way) for way in found)
    reason = "I see no allowed way to this table, but the scrapyard is not as it should be either"
    return _beyond(state, seen, reason, found[0].line)


def _attacked(state: State, attack: Attack, seen: Seen) -> Iterator[Way]:
    """The attack, not defended, with change as the table shows it, if that is the whole difference."""
    moves: Line = (attack, Allow(attack.target.number))
    now = play(play(replace(state, said=()), moves[0]), moves[1])
    below, shown = now.position.at(attack.target), seen.at(attack.target)
    if now.owed and len(shown) == len(below) + 1:
        change = Change(attack.target, shown[-1])
        moves, now = (*moves, change), play(now, change)
    if not now.owed and now.position.towers == seen.towers.towers:
        yield Way(moves, replace(now, said=state.said))


# Beyond the umpire.


def _as_it_lies(state: State, seen: Seen) -> State:
    return replace(state, position=seen.towers, owed=(), struck=None, said=(), unfinished=None)


def _beyond(state: State, seen: Seen, reason: str, line: Line = ()) -> tuple[Explanation, ...]:
    """The game goes on from the table as it is seen, and the turn is over; or nothing has happened at all."""
    lies = replace(_as_it_lies(state, seen), turns_are_sure=False)
    after = replace(lies, turn=next_number(lies, lies.turn))
    said = f"{reason}. {_GOING_ON}; {state.name_of(state.turn)}'s turn is over"
    asked = tuple(f"Tower {place} looks different. I take it as unchanged: is it?" for place in seen.odd)
    return (Explanation(line, after, said, asked), Explanation(line, state, said, asked))


def _unexplained_words(seen: Seen) -> str:
    where = " and ".join(map(str, seen.differing))
    towers = "tower" if len(seen.differing) == 1 else "towers"
    return f"{towers} {where} changed, and I find nothing that brings that about"
