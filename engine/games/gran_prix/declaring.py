"""What is told beside the track: dice, adjustments, and the order of the leader pylon."""

from __future__ import annotations

import re
from typing import Any

from engine.errors import InvalidNotation, InvalidSetup
from engine.games.gran_prix.notation import ADJUST, PURPOSES, START, TURN, WAIT, Adjust, Roll, parse
from engine.games.gran_prix.setup import UMPIRE, Player, names_in_order, step_of
from engine.games.gran_prix.state import ADJUSTING, Crashed, State, but, ready, turns_in


def declare(state: State, declaration: Any) -> State:
    """The state after something was said between two photos. Raises InvalidSetup.

    {"roll": [3, 4], "for": "turn", "player": "Red"}: two dice, for turn, adjust, wait (after a crash) or start; where
    only one driver can have rolled, the player may be left out. {"adjust": "Red", "gear": 1, "speed": 2}; speed 0 is
    stopped. {"action": "adjust Red 1-2"} says either in notation. {"pylon": [names]}: the order of this round.
    {"roll": "umpire", "for": "turn", "player": "Red"}: the umpire throws its dice, where the set-up asks it to.
    """
    match declaration:
        case {"pylon": names}:
            order = names_in_order(names, tuple(Player(car.name, car.colour) for car in state.cars), "pylon")
            return but(state, pylon=tuple((name,) for name in order), is_sure=True)
        case {"adjust": str(name)}:
            return _said(state, Adjust(_known(state, name, "adjust"), step_of(declaration, "adjust")))
        case {"roll": [int(first), int(second)]} if 1 <= first <= 6 and 1 <= second <= 6:
            purpose, name = _meaning(state, declaration)
            return _said(state, Roll(name, (first, second), purpose))
        case {"roll": "umpire"}:
            return _thrown(state, *_meaning(state, declaration))
        case {"action": str(text)}:
            return _said(state, _move(text))
    expected = (
        'an object such as {"roll": [3, 4], "for": "turn", "player": "Red"} or {"adjust": "Red", "gear": 1, "speed": 2}'
    )
    raise InvalidSetup("declared", expected, declaration)


def _said(state: State, move: Adjust | Roll) -> State:
    return but(state, said=(*state.said, move))


def _thrown(state: State, purpose: str, name: str) -> State:
    """The state after the umpire has rolled; a roll that nothing has used yet is not rolled again."""
    if state.dice is None or state.dice.seed is None:
        raise InvalidSetup("roll", 'two dice: "dice": "umpire" and a "seed" in the set-up let the umpire roll', UMPIRE)
    if any(isinstance(one, Roll) and (one.car, one.purpose) == (name, purpose) for one in state.said):
        raise InvalidSetup("roll", f"no second roll of {name} for {purpose} before the first is used", UMPIRE)
    dice = state.dice.rolled(name, purpose)
    return _said(but(state, dice=dice), dice.thrown[-1])


def _known(state: State, name: str, field_name: str) -> str:
    if name not in state.by_name:
        raise InvalidSetup(field_name, f"one of {', '.join(state.by_name)}", name)
    return name


def _move(text: str) -> Adjust | Roll:
    try:
        move = parse(text)
    except InvalidNotation as fault:
        raise InvalidSetup("action", "a move in notation", str(fault)) from None
    if not isinstance(move, Adjust | Roll):
        raise InvalidSetup("action", "a roll or an adjustment: the table shows everything else", text)
    return move


def _meaning(state: State, doc: dict[str, Any]) -> tuple[str, str]:
    """What the dice were rolled for and by whom; what is left out follows from who can have rolled for it now."""
    words = f"{doc.get('for', '')} {doc.get('player', '')}".lower()
    purpose = next((one for one in PURPOSES if one in words.split()), None)
    name = next((name for name in state.by_name if re.search(rf"\b{re.escape(name.lower())}\b", words)), None)
    if purpose is None and name is None and words.strip() not in ("", "check", "driver check"):
        raise InvalidSetup("for", f"one of {', '.join(PURPOSES)}, or a driver's name", doc.get("for"))
    purpose = purpose or _purpose_of(state, name)
    able = (name,) if name else _who_may_roll(state, purpose)
    if not able:
        raise InvalidSetup("player", f"who rolled for {purpose}: one of {', '.join(state.by_name)}", doc.get("player"))
    return purpose, able[-1]


def _purpose_of(state: State, name: str | None) -> str:
    if any(isinstance(one, Crashed) for one in state.owed):
        return WAIT
    if name is not None and not state.by_name[name].has_started:
        return START
    return ADJUST if state.stage == ADJUSTING else TURN


def _who_may_roll(state: State, purpose: str) -> tuple[str, ...]:
    """Drivers who can have rolled for that now, or after the next move."""
    if purpose == WAIT:
        return tuple(one.car for one in state.owed if isinstance(one, Crashed))
    if purpose == TURN:
        later = ready(state)
        able = [(state.turning, state.stage), *((name, later.stage) for name in later.awaited)]
        return tuple(name for name, stage in able if name and not turns_in(state.by_name[name], stage))
    if purpose == START:
        return tuple(car.name for car in state.cars if not car.has_started)
    return state.may_adjust
