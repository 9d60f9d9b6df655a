"""Legal ways from a state to a table: every line of this turn and at most the next that ends in what is seen.

Moves are tried only where something looks different; a target that leaves no trace is written `?`. The search ends
with the plays it is given.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, product
from typing import Any

from engine.game import Plays
from engine.games.missile_command.judging import violations
from engine.games.missile_command.notation import (
    Allow,
    Discard,
    Expose,
    Intercept,
    Launch,
    Oppose,
    Pass,
    Place,
    Reveal,
    Scramble,
    Sortie,
    Strike,
    Take,
)
from engine.games.missile_command.playing import play
from engine.games.missile_command.reading import Seen, look_of, looks_alike
from engine.games.missile_command.settling import answers
from engine.games.missile_command.state import Exposing, Revealing, State, interceptors, may_target, strike_targets
from engine.rules import Line
from engine.table import Colour


@dataclass(frozen=True)
class Way:
    """A line and the state it leads to."""

    line: Line
    after: State


@dataclass(frozen=True)
class Ways:
    """What a search found, whether it came to its end, and whether the table may be half way along a legal line."""

    found: tuple[Way, ...]
    is_complete: bool = True
    is_under_way: bool = False


def ways_to(state: State, seen: Seen, turns: int, plays: Plays) -> Ways:
    """The legal lines with fewest turns, at most `turns`, that make the table look as it is seen."""
    under_way = False
    level = [Way((), state)] if is_near(state, seen, turns) else []
    for turn in range(turns + 1):
        found: list[Way] = []
        ended: list[Way] = []
        met: set[State] = set()
        waiting = list(level)
        while waiting:
            way = waiting.pop(0)
            if way.line and may_rest(way.after) and looks_alike(way.after, seen):
                found.append(way)
                continue
            if way.after in met:
                continue
            met.add(way.after)
            under_way = under_way or (bool(way.line) and _is_half_way(way.after, seen))
            onward = [after for after in further(way, seen) if is_near(after.after, seen, turns - turn)]
            if not _spent(plays, onward):
                return Ways((), is_complete=False)
            waiting += onward
            if not way.after.blocking:
                ended.append(way)
        if found:
            return Ways(tuple(found))
        if turn == turns:
            break
        level = []
        for way in ended:
            acted = [after for after in acted_from(way, seen) if is_near(after.after, seen, turns - turn - 1)]
            level += [after for after in acted if turn + 1 < turns or _may_lead_to(after, seen)]
        if not _spent(plays, level):
            return Ways((), is_complete=False)
    return Ways((), is_under_way=under_way)


def is_near(state: State, seen: Seen, turns: int, spare: int = 0) -> bool:
    """Whether so many turns, and what is owed, can take all the missiles that are gone, but for some spare ones.

    A launch takes itself, its target and, of a MIRV, one more; what players deflect and a neutron bomb takes more where
    there are more of them. Every unit in the air takes one in a sortie.
    """
    units = sum(len(state.battery(number).air_wing) for number in state.in_game)
    each = (3 if len(state.players) == 2 else 2 * len(state.players) + 2) + units
    return _gone(state, seen) <= (turns + bool(state.blocking)) * each + units + spare


def _gone(state: State, seen: Seen) -> int:
    """How many missiles the silos are seen to lack."""
    return sum(
        max(silo.left - left, 0)
        for number in state.in_game
        for silo, left in zip(state.battery(number).silos, seen.look(number).left, strict=True)
    )


def _spent(plays: Plays, ways: list[Way]) -> bool:
    """Take a play for each of the ways; whether there were enough."""
    for _ in ways:
        plays.spend()
    return plays.left >= 0


def may_rest(state: State) -> bool:
    """Whether a table may be left so: what stands exposed, only its owner can say, and play goes on meanwhile."""
    return all(isinstance(owed, Exposing) for owed in state.blocking)


def _may_lead_to(way: Way, seen: Seen) -> bool:
    """In the last turn that is looked at, nothing may have gone that is still there to be seen."""
    return all(
        count >= seen_count
        for number in way.after.in_game
        for count, seen_count in zip(look_of(way.after.battery(number)).left, seen.look(number).left, strict=True)
    )


def _is_half_way(state: State, seen: Seen) -> bool:
    """Whether somebody has to choose and the table shows some of what has been settled before that."""
    if not state.blocking:
        return False
    struck = {hit.place for hit in state.hits}
    for number in state.in_game:
        expected, look = look_of(state.battery(number)), seen.look(number)
        if expected.units != look.units:
            return False
        for silo, (left, seen_left) in enumerate(zip(expected.left, look.left, strict=True), 1):
            if seen_left != left and not (Place(number, silo) in struck and seen_left == left - 1):
                return False
        if any(Place(number, silo) not in struck for silo in expected.damaged ^ look.damaged):
            return False
    return True


# Answers.


def further(way: Way, seen: Seen) -> Iterator[Way]:
    """The ways on through what is owed, and a sortie before the launch."""
    if way.after.blocking:
        moves: tuple[Any, ...] = tuple(
            answer for answer in answers(way.after) if _is_plausible(way.after, answer, seen)
        )
        if isinstance(way.after.blocking[0], Revealing):
            moves = _revelation(way.after, way.after.blocking[0].place, seen)
    else:
        moves = (*_sorties(way.after, seen), *_strikes(way.after, seen))
    for move in moves:
        if isinstance(move, Reveal) or not violations(way.after, move):
            yield Way((*way.line, move), play(way.after, move))


def _revelation(state: State, place: Place, seen: Seen) -> tuple[Reveal, ...]:
    """What shows is what was revealed, whether the battery may have it or not: that is for the judge."""
    look, n = seen.look(place.number), (place.silo or 1) - 1
    colour = look.tops[n]
    return (Reveal(place, colour),) if colour is not None and look.left[n] == state.silo(place).left else ()


def _is_plausible(state: State, answer: Any, seen: Seen) -> bool:
    match answer:
        case Intercept(origin=origin):
            return _is_less(state, origin, seen)
        case Take(places=places):
            met = any(_is_less(state, place, seen) for place in interceptors(state, places[0].number, places))
            return met or all(_is_changed(state, place, seen) for place in places)
        case Oppose(number=number, units=units):
            return len(state.battery(number).air_wing) - len(units) >= seen.look(number).units
        case Expose() | Allow():
            return True
    return True


def _is_less(state: State, place: Place, seen: Seen) -> bool:
    return seen.look(place.number).left[(place.silo or 1) - 1] < state.silo(place).left


def _is_changed(state: State, place: Place, seen: Seen) -> bool:
    """Whether the silo is not as it was; one with an executive exposed may have been struck all the same."""
    silo, look = state.silo(place), seen.look(place.number)
    return not silo.left or _is_less(state, place, seen) or (place.silo in look.damaged) != silo.is_damaged


# Acts.


def acted_from(way: Way, seen: Seen) -> Iterator[Way]:
    """The ways on by a legal launch, scramble, discard or pass of the player whose turn it is."""
    if way.after.is_over:
        return
    for move in launches(way.after, way.after.turn, seen):
        if not violations(way.after, move):
            yield Way((*way.line, move), play(way.after, move))
    idle = Pass(way.after.turn)
    if not violations(way.after, idle):
        yield Way((*way.line, idle), play(way.after, idle))


def launches(state: State, number: int, seen: Seen) -> Iterator[Any]:
    """What a player may have done with the top of a silo that shows less than before, legal or not."""
    battery = state.battery(number)
    for n, silo in enumerate(battery.silos, 1):
        place = Place(number, n)
        if silo.colour is None or not _is_less(state, place, seen):
            continue
        if silo.colour is Colour.CYAN and seen.look(number).units > len(battery.air_wing):
            yield Scramble(place)
        if silo.colour is Colour.ORANGE:
            yield Discard(place)
        for target in _targets(state, number, silo.colour, seen):
            if target != place:
                yield Launch(place, silo.colour, target)


def _targets(state: State, number: int, colour: Colour, seen: Seen) -> Iterator[Place | None]:
    if state.options.launch_detect:
        yield _only_enemy(state, number)
        return
    for other in state.in_game:
        changed = [Place(other, silo) for silo in range(1, 9) if _is_changed(state, Place(other, silo), seen)]
        yield from changed
        if other != number and any(_is_less(state, place, seen) for place in interceptors(state, other, ())):
            yield Place(other, None)
    if colour is Colour.CLEAR:
        yield _only_enemy(state, number)


def _only_enemy(state: State, number: int) -> Place | None:
    """The one player at whom a launch may be aimed that leaves no trace; None where there are several."""
    whom = [other for other in state.in_game if may_target(state, number, other)]
    return Place(whom[0], None) if len(whom) == 1 else None


def _strikes(state: State, seen: Seen) -> Iterator[Strike]:
    """Launch Detect: where the missile that was on its way may have struck. A probe's target is any: the first."""
    way = state.battery(state.turn).on_its_way
    if way is None:
        return
    places = strike_targets(state, state.turn)
    targeted = {place.number for place in places}
    unseen = way.missile.colour is Colour.CLEAR or any(interceptors(state, other, ()) for other in targeted)
    changed = [place for place in places if _is_changed(state, place, seen)]
    for place in dict.fromkeys((*changed, *(places if unseen else ()))):
        yield Strike(state.turn, place)


def _sorties(state: State, seen: Seen) -> Iterator[Sortie]:
    """Sorties that the units gone from the air and the silos that look different leave possible."""
    battery = state.battery(state.turn)
    if not battery.air_wing or state.has_sortied or state.is_over:
        return
    for other in state.in_game:
        if other == state.turn:
            continue
        changed = [Place(other, silo) for silo in range(1, 9) if _is_changed(state, Place(other, silo), seen)]
        met = max(0, len(state.battery(other).air_wing) - seen.look(other).units)
        for unseen, count in product(range(met + 1), range(len(changed) + 1)):
            if not 0 < unseen + count <= len(battery.air_wing):
                continue
            sizes = _units_gone(state, seen, unseen + count)
            for places in combinations(changed, count):
                aimed = (*places, *((Place(other, None),) * unseen))
                yield Sortie(state.turn, tuple(zip(sizes, aimed, strict=True)))


def _units_gone(state: State, seen: Seen, count: int) -> tuple[Any, ...]:
    """The sizes that flew: those that the air wing lacks now come first."""
    here, gone = list(seen.look(state.turn).wing), []
    rest = list(state.battery(state.turn).air_wing)
    for size in tuple(rest):
        if size in here:
            here.remove(size)
        else:
            gone.append(size)
            rest.remove(size)
    return (*gone, *rest)[:count]
