"""The judge of answers: which rules an interception, a deflection, a report or another answer breaks."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.game import Touch
from engine.games.missile_command import rules as the
from engine.games.missile_command.batteries import Fate
from engine.games.missile_command.building import faults_of_colour
from engine.games.missile_command.notation import (
    SILOS,
    Aim,
    Allow,
    Deflect,
    Expose,
    Intercept,
    Oppose,
    Place,
    Report,
    Reveal,
    Take,
    Units,
)
from engine.games.missile_command.settling import answers, recipients, takeable
from engine.games.missile_command.state import (
    DEFCON_REPORTED,
    NO_FLIGHT_STOPS,
    Deflecting,
    Exposing,
    Heard,
    Intercepting,
    Opposing,
    Probing,
    State,
    Taking,
    levels,
)
from engine.rules import Rule
from engine.table import Colour

Found = Iterable[tuple[bool, Rule, str]]


def answer_breaches(state: State, move: Any) -> Found:
    head = state.blocking[0] if state.blocking else None
    match move:
        case Intercept() | Allow():
            return _interception(state, move, head)
        case Deflect():
            return _deflection(state, move, head)
        case Take():
            return _taking(state, move, head)
        case Oppose():
            return _opposition(state, move, head)
        case Report() | Aim():
            return _drone(state, move)
        case Reveal():
            return _revelation(state, move)
        case Expose():
            return _exposure(state, move)
    if isinstance(move, Touch):
        return [(True, the.HANDS_OFF, "no launch does that")]
    return [(True, the.HANDS_OFF, f"{move} is no move of this game")]


def _interception(state: State, move: Intercept | Allow, head: Any) -> Found:
    number = move.number if isinstance(move, Allow) else move.origin.number
    if not isinstance(head, Intercepting) or head.number != number:
        return [(True, the.INTERCEPT_WHAT, f"nothing is on its way that {state.name_of(number)} could meet")]
    if isinstance(move, Allow):
        nothing = not head.targets and head.flight.missile.colour is not Colour.CLEAR
        return [(nothing, the.TARGET_THERE, "the missile that was let through struck nothing")]
    return [
        (
            state.silo(move.origin).colour is not Colour.ORANGE,
            the.INTERCEPT_ABM,
            f"no ABM is exposed in silo {move.origin}",
        ),
        (move.origin in head.targets, the.INTERCEPT_OTHER, f"silo {move.origin} is the target itself"),
        (
            head.flight.missile.colour in NO_FLIGHT_STOPS,
            the.INTERCEPT_WHAT,
            f"{head.flight.missile} cannot be intercepted",
        ),
    ]


def _deflection(state: State, move: Deflect, head: Any) -> Found:
    if not isinstance(head, Deflecting) or head.number != move.number:
        return [(True, the.DEFLECT_OWED, f"{state.name_of(move.number)} has nothing to deflect")]
    fine = move.to in recipients(state, head)
    name = state.name_of(move.to)
    out = move.to == move.number or move.to not in state.in_game
    back = not head.flight.is_deflected and move.to == head.flight.attacker
    return [
        (not fine and out, the.DEFLECT_OTHER, f"the missile cannot be deflected to {name}"),
        (
            not fine and not out and state.battery(move.to).shield is not None,
            the.STAR_WARS,
            f"{name}'s defence system is up",
        ),
        (not fine and back, the.DEFLECT_BACK, f"{name} launched it"),
    ]


def _taking(state: State, move: Take, head: Any) -> Found:
    if not isinstance(head, Taking):
        return [(True, the.TAKE_OWED, "nobody is to name a silo now")]
    if move.places in takeable(state, head):
        return []
    words = " and ".join(map(str, move.places))
    apart = head.beside is not None and all(abs((place.silo or 0) - head.beside) != 1 for place in move.places)
    own = all(place.number == head.number for place in move.places)
    return [
        (own and apart, the.TAKE_BESIDE, f"silo {words} is not next to silo {Place(head.number, head.beside)}"),
        (not (own and apart), the.TAKE_OWN, f"{state.name_of(head.number)} cannot name silo {words}"),
    ]


def _opposition(state: State, move: Oppose, head: Any) -> Found:
    if not isinstance(head, Opposing) or head.number != move.number:
        return [(True, the.OPPOSE_UNITS, f"no sortie attacks {state.name_of(move.number)}")]
    attacked, met = [place for _, place in head.units], [place for _, place in move.units]
    twice = any(met.count(place) > attacked.count(place) for place in met)
    return [
        (
            not are_of(move.units, state.battery(move.number).air_wing),
            the.OPPOSE_UNITS,
            "the air wing has no such units",
        ),
        (twice, the.OPPOSE_UNITS, "a unit was met that is not there, or twice"),
    ]


def _drone(state: State, move: Report | Aim) -> Found:
    probing = next((one for one in state.owed if isinstance(one, Probing)), None)
    if probing is None:
        return [(True, the.REPORT_OWED, "no drone is waiting for an answer")]
    target = probing.target
    if isinstance(move, Aim):
        places = [one.target for one in answers(state) if isinstance(one, Aim)]
        wrong = move.target not in {*places, *(Place(place.number, None) for place in places)}
        known = target is not None and target.silo is not None
        return [(wrong or known, the.REPORT_OWED, f"the drone was not aimed at silo {move.target}")]
    if target is not None and target.number != move.number:
        return [(True, the.REPORT_OWED, f"{state.name_of(move.number)} was not probed")]
    known_levels = levels(state, target) if target is not None and target.silo is not None else None
    beyond = move.level is not None and not 1 <= move.level <= DEFCON_REPORTED
    untrue = known_levels is not None and move.level not in known_levels
    return [(beyond or untrue, the.REPORT_TRULY, "that is not a report that this battery gives")]


def _revelation(state: State, move: Reveal) -> Found:
    silo = state.silo(move.place)
    if not silo.left:
        return [(True, the.LAUNCH_TOP, f"silo {move.place} is empty")]
    if silo.colour is move.colour:
        return []
    if silo.colour is not None:
        sealed = state.battery(move.place.number).is_declared
        detail = (
            f"silo {move.place} shows {move.colour}, and another missile was {'sealed' if sealed else 'seen'} there"
        )
        return [(True, the.REVEAL_SEALED, detail)]
    return [(True, rule, detail) for rule, detail in faults_of_colour(state, move.place, move.colour)]


def _exposure(state: State, move: Expose) -> Found:
    if Exposing(move.place) not in state.owed:
        return [(True, the.EXPOSE_TRULY, f"nobody was asked what stands exposed in silo {move.place}")]
    battery = state.battery(move.place.number)
    unknown = [name for name, one in battery.executives if one.silo is None and one.fate is Fate.HIDDEN]
    stranger = any(name not in unknown for name in move.who)
    all_gone = all(not silo.left for silo in battery.silos) and len(move.who) < len(unknown)
    last = sum(1 for n in SILOS if not battery.silos[n - 1].is_searched) == 1 and all_gone
    false = not stranger and any(_belies(state, move, heard) for heard in state.heard)
    return [
        (stranger, the.EXPOSE_TRULY, "that executive is known to be elsewhere"),
        (last, the.EXPOSE_TRULY, "all silos are empty, so every executive stands exposed"),
        (false, the.REPORT_TRULY, f"then an earlier report to a drone at silo {move.place.number} was not true"),
    ]


def _belies(state: State, move: Expose, heard: Heard) -> bool:
    """Whether an executive here would have had to be reported when a drone heard of none."""
    if heard.number != move.place.number or heard.level is not None or not move.who or move.place.silo is None:
        return False
    left = heard.left[move.place.silo - 1]
    covered = Colour.CLEAR in state.silo(move.place).missiles[3 - left :]
    level = abs(move.place.silo - heard.target) + left
    return left > 0 and not covered and level <= DEFCON_REPORTED


def are_of(units: Units, wing: tuple[Any, ...]) -> bool:
    """Whether the air wing has these units."""
    sizes = [size for size, _ in units]
    return all(sizes.count(size) <= wing.count(size) for size in sizes)
