"""The detective: what may have happened between two settled tables.

Legal ways are looked for first (`searching`). Where there are none, a single fault that explains the whole table is
put to the judge (`faulting`). What neither explains is beyond the umpire (`telling`).
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from engine.game import Explanation, Plays
from engine.games.missile_command.batteries import Position
from engine.games.missile_command.building import stockpile_of
from engine.games.missile_command.faulting import faults, lone_faults
from engine.games.missile_command.judging import violations
from engine.games.missile_command.notation import Discard, Launch, Place, Scramble
from engine.games.missile_command.playing import play
from engine.games.missile_command.reading import Seen, looks_alike, recognised, with_vanished, without_travellers
from engine.games.missile_command.searching import Way, may_rest, ways_to
from engine.games.missile_command.state import State
from engine.games.missile_command.telling import (
    MOST_ENDS,
    TURNS,
    beyond,
    changed_silos,
    explained,
    odd_looks,
    unexplained,
)
from engine.games.missile_command.wording import in_words
from engine.gaps import sure_pairs
from engine.rules import Line


def explain(state: State, position: Position, plays: Plays) -> tuple[Explanation, ...]:
    """What may have happened between the state's table and this one; nothing, if they are alike."""
    if state.is_drafting:
        return ()
    seen = recognised(state, position)
    said = _as_said(state, seen, plays)
    if said:
        return said
    if looks_alike(state, seen):
        return odd_looks(state, seen)
    found = _legal_ways(state, seen, plays)
    if state.options.launch_detect and not found.explanations:
        seen = without_travellers(state, seen)
        if looks_alike(state, seen):
            return odd_looks(state, seen)
        found = _legal_ways(state, seen, plays)
    if found.explanations and state.options.gaps and all(len(_acts(one.line)) > 1 for one in found.apart):
        sure = sure_pairs(found.apart, lone_faults(state, seen, plays), _acts)
        return found.explanations if sure == found.apart else sure
    if found.explanations or found.is_under_way:
        return found.explanations
    if not found.is_complete:
        return beyond(state, seen, "there are too many ways in which this may have come about")
    kept = with_vanished(state, seen)
    if looks_alike(state, kept):
        where = " and ".join(str(place) for place in seen.vanished)
        reason = f"I do not see what was left in silo {where} any more, and it may be there"
        return (Explanation((), state, in_words(state.options, reason)),)
    return (
        _if_misread(state, kept, plays)
        or faults(state, kept, plays, is_sure=not seen.vanished)
        or unexplained(state, seen)
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
                found += [(turns, one) for one in explained(state, look, ways.found)]
                apart += [explained(state, look, (way,))[0] for way in ways.found if state.options.gaps]
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
        return explained(state, seen, (begun,))
    found = (Way((*begun.line, *way.line), way.after) for way in ways_to(begun.after, seen, TURNS - 1, plays).found)
    return explained(state, seen, tuple(_told(way) for way in found))


def _told(way: Way) -> Way:
    """The way, and on with what was said, as far as it is time for it."""
    for move in way.after.said:
        if violations(way.after, move):
            break
        way = Way((*way.line, move), play(way.after, move))
    return way


def _acts(line: Line) -> tuple[Place, ...]:
    """Which missiles were launched, one after another, whatever they were aimed at."""
    return tuple(move.origin for move in line if isinstance(move, Launch | Scramble | Discard))


def _if_misread(state: State, seen: Seen, plays: Plays) -> tuple[Explanation, ...]:
    """Legal ways if a missile that nobody had declared was taken for one of another colour when it came to light."""
    for place in changed_silos(state, seen):
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
                found = explained(before, seen, ways)
                return tuple(replace(one, before=before, questions=(*one.questions, asked)) for one in found)
    return ()
