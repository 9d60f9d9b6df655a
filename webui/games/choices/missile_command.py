"""Missile Command: what a launch asks of somebody, and what the table does not show, as buttons.

A report is offered on the owner's own device only where the battery is sealed: what is refused there would tell.
"""

from __future__ import annotations

from typing import Any, cast

from engine.game import Game
from engine.games import missile_command
from engine.games.missile_command import (
    Aim,
    Allow,
    Deflect,
    Expose,
    Intercept,
    Launch,
    Oppose,
    Pass,
    Pick,
    Place,
    Report,
    Reveal,
    State,
    Strike,
    Take,
    candidates,
    chooser,
    in_words,
)
from webui.games.choices import MOST, ahead, legal, of_action, sentence
from webui.games.tabletop import Choice

_GAME = cast(Game, missile_command)
_ASKED = (Intercept, Allow, Deflect, Take, Oppose, Report, Aim, Reveal, Expose, Pick, Strike, Pass)
_RULES = {
    **{Intercept: "intercept-with-abm", Allow: "intercept-with-abm", Deflect: "deflect-to-another"},
    **{Take: "take-your-own", Oppose: "oppose-units", Report: "report-truly", Aim: "target-exposed"},
    **{Reveal: "as-sealed", Expose: "expose-truly", Pick: "pick-from-pool", Strike: "strike-due"},
    **{Pass: "must-launch", Launch: "detect-one-player"},
}


def choices(state: State, player: str | None) -> tuple[Choice, ...]:
    """See `webui.games.tabletop.Tabletop`."""
    now: State = ahead(_GAME, state)
    if now.is_over:
        return ()
    moves = [move for move in _moves(now, player) if not isinstance(move, Reveal | Expose) or _is_asked(state, move)]
    found = (_choice(now, move) for move in _few(now, moves))
    return tuple(one for one in found if player in (None, one.player) or not one.player)


def _moves(state: State, player: str | None) -> list[Any]:
    """Those that are asked for; in Launch Detect also at whom a missile is launched, which nothing shows."""
    kinds = (*_ASKED, Launch) if state.options.launch_detect else _ASKED
    moves = [move for move in legal(_GAME, state, candidates(state)) if isinstance(move, kinds)]
    return [move for move in moves if not (isinstance(move, Report) and _is_sealed(state, move) and player is None)]


def _is_asked(state: State, move: Reveal | Expose) -> bool:
    """Whether the umpire does not know it: what only this screen may not see comes to light by itself."""
    return any(getattr(one, "place", None) == move.place for one in state.owed)


def _is_sealed(state: State, report: Report) -> bool:
    return state.battery(report.number).seal is not None


def _few(state: State, moves: list[Any]) -> list[Any]:
    """No more than there is room for: a drone's player comes before its silo; of a sortie's answers those that differ
    on the silos; what the table shows by itself is left to it."""
    aims = [move for move in moves if isinstance(move, Aim)]
    numbers = dict.fromkeys(aim.target.number for aim in aims)
    if len(numbers) > 1:
        moves = [*(move for move in moves if not isinstance(move, Aim)), *(Aim(Place(n, None)) for n in numbers)]
    if len(moves) > MOST:
        moves = list({_met(move): move for move in moves}.values())
    if len(moves) > MOST:
        moves = [move for move in moves if not isinstance(move, Launch)]
    return moves[:MOST]


def _met(move: Any) -> Any:
    """Which attackers are met; by what units, the air wing will show."""
    return frozenset(place for _, place in move.units) if isinstance(move, Oppose) else move


def _choice(state: State, move: Any) -> Choice:
    words, heading = _words(state, move)
    who = _who(state, move)
    return of_action(
        sentence(in_words(state.options, words)),
        move,
        player=state.name_of(who) if who is not None else None,
        rule=_RULES[type(move)],
        group=in_words(state.options, heading),
    )


def _who(state: State, move: Any) -> int | None:
    match move:
        case Launch(origin=origin):
            return origin.number
        case Aim():
            return next((one.prober for one in state.owed if hasattr(one, "prober")), None)
        case Report(number=number) | Strike(number=number) | Pass(number=number) | Pick(number=number):
            return number
    return chooser(state)


def _words(state: State, move: Any) -> tuple[str, str]:
    """The button and the heading over it."""
    name = state.name_of(_who(state, move) or 0)
    match move:
        case Intercept():
            return f"the ABM of silo {move.origin.silo} meets it", f"{name}: a missile is on its way"
        case Allow():
            return "let it through", f"{name}: a missile is on its way"
        case Deflect():
            return f"to {state.name_of(move.to)}", f"{name} deflects the missile"
        case Take():
            silos = " and ".join(str(place.silo) for place in move.places)
            return f"silo{'s' if len(move.places) > 1 else ''} {silos}", f"{name} is struck: where?"
        case Oppose():
            met = " and ".join(f"the {size} unit meets the one at silo {place.silo}" for size, place in move.units)
            return met or "meet none of them", f"{name}: a sortie attacks"
        case Report():
            return "no report" if move.level is None else f"DEFCON {move.level}", f"{name} answers the drone"
        case Aim():
            whom = state.name_of(move.target.number)
            words = f"at {whom}" if move.target.silo is None else f"silo {move.target.silo}"
            return words, f"{name}'s drone was aimed at" + ("" if move.target.silo is None else f" {whom}'s")
        case Reveal():
            return str(move.colour), f"what shows on {name}'s silo {move.place.silo}?"
        case Expose():
            who = " and ".join(f"the {one}" for one in move.who) or "nobody"
            return who, f"who stands exposed at {name}'s silo {move.place.silo}?"
        case Launch():
            heading = f"{name} launches the {move.colour} missile of silo {move.origin.silo}"
            return f"at {state.name_of(move.target.number if move.target else 0)}", heading
        case Strike():
            whose = state.name_of(move.target.number)
            return f"{whose}'s silo {move.target.silo}", f"{name}'s missile on its way strikes"
        case Pick():
            return str(move.pyramid), f"{name} takes a pyramid"
    return "launch nothing", f"{name} cannot launch"
