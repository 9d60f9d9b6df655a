"""How ways are told: what the table is then, and what is left to ask; or that the umpire found none.

What nothing explains, or what the evidence is too thin for, is beyond the umpire: it says so, and goes on from the
table as it lies.
"""

from __future__ import annotations

from dataclasses import replace

from engine.game import Explanation
from engine.games.missile_command.notation import Intercept, Launch, Place, Reveal
from engine.games.missile_command.playing import play, settled
from engine.games.missile_command.reading import Seen, is_swap, look_of
from engine.games.missile_command.searching import Way
from engine.games.missile_command.settling import concluded
from engine.games.missile_command.state import Exposing, Probing, State
from engine.games.missile_command.wording import in_words
from engine.rules import Line
from engine.table import Colour

TURNS = 2  # that may lie between two settled tables: this one and the next
MOST_ENDS = 8  # states that may be the case
_GOING_ON = "I go on from the table as it lies"


def explained(state: State, seen: Seen, ways: tuple[Way, ...]) -> tuple[Explanation, ...]:
    """One explanation for each table that may be the case; other lines to the same table are asked about."""
    lines: dict[State, list[Line]] = {}
    for way in ways:
        after = way.after if _turns(way.line) < TURNS else replace(way.after, turns_are_sure=False)
        lines.setdefault(after, []).append(way.line)
    return tuple(
        _swapped(state, seen, Explanation(same[0], after, questions=_questions(state, seen, after, same)))
        for after, same in list(lines.items())[:MOST_ENDS]
    )


def _turns(line: Line) -> int:
    return sum(isinstance(move, Launch) for move in line)


def _questions(state: State, seen: Seen, after: State, lines: list[Line]) -> tuple[str, ...]:
    lines_asked = tuple(f"It may also have been: {'; '.join(map(str, line))}. Which was it?" for line in lines[1:3])
    asked = []
    for owed in after.owed:
        if isinstance(owed, Probing) and (owed.target is None or owed.target.silo is None):
            whom = f"{after.name_of(owed.target.number)}'s silos" if owed.target else "silos"
            asked.append(f"Which of {whom} was the drone aimed at, and what was reported?")
        elif isinstance(owed, Exposing):
            asked.append(f"Does an executive stand exposed in silo {owed.place}, which is empty now?")
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
    return (*lines_asked, *(in_words(state.options, text) for text in asked))


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


def odd_looks(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """Of a table that is as it was, but for pieces that look like others: a misreading; nothing, if none does."""
    if not seen.odd:
        return ()
    where = " and ".join(map(str, seen.odd))
    reason = f"what is in silo {where} looks different now, but pieces do not change where they stand: I may misread it"
    return (Explanation((), state, in_words(state.options, reason)),)


def changed_silos(state: State, seen: Seen) -> tuple[Place, ...]:
    """The silos that are not as they were."""
    return tuple(
        Place(number, n)
        for number in state.in_game
        for n, silo in enumerate(state.battery(number).silos, 1)
        if seen.look(number).left[n - 1] != silo.left or (n in seen.look(number).damaged) != silo.is_damaged
    )


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


def unexplained(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """Nothing allowed, and no fault that is sure."""
    words = _difference(state, seen)
    found = beyond(state, seen, f"{words}, and I find nothing that brings that about")
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


def beyond(state: State, seen: Seen, reason: str, line: Line = ()) -> tuple[Explanation, ...]:
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
