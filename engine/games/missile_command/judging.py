"""The judge: which moves could be said now, and which rules a move breaks."""

from __future__ import annotations

from itertools import combinations
from typing import Any

from engine.games.missile_command import rules as the
from engine.games.missile_command.answering import Found, answer_breaches, are_of
from engine.games.missile_command.notation import (
    Discard,
    Launch,
    Pass,
    Pick,
    Place,
    Scramble,
    Sortie,
    Strike,
    numbers_in,
)
from engine.games.missile_command.settling import answers, chooser
from engine.games.missile_command.state import (
    Deflecting,
    Intercepting,
    Opposing,
    Revealing,
    State,
    Taking,
    can_launch,
    may_target,
    strike_targets,
    targets,
)
from engine.games.missile_command.wording import spoken
from engine.rules import RuleViolation
from engine.table import Colour

# Candidates.


def candidates(state: State) -> tuple[Any, ...]:
    """What may be said now: answers to what is owed, else what the player whose turn it is may do.

    Every legal move is among them, but for which of two units in the air meets which, which makes no difference.
    """
    if state.is_drafting and state.draft is not None:
        return tuple(Pick(state.turn, pyramid) for pyramid in dict.fromkeys(state.draft.pool))
    if state.is_over:
        return ()
    if state.blocking:
        return answers(state)
    return (*answers(state), *_acts(state))


def _acts(state: State) -> tuple[Any, ...]:
    number = state.turn
    battery = state.battery(number)
    strikes = tuple(Strike(number, target) for target in strike_targets(state, number))
    found: list[Any] = [*strikes, *sorties(state, number)]
    aims = _launch_targets(state, number)
    for n, silo in enumerate(battery.silos, 1):
        place = Place(number, n)
        if silo.colour is Colour.CYAN:
            found.append(Scramble(place))
        elif silo.colour is Colour.ORANGE:
            found.append(Discard(place))
        elif silo.colour is not None:
            found += [Launch(place, silo.colour, target) for target in aims]
    return (*found, Pass(number))


def _launch_targets(state: State, number: int) -> tuple[Place, ...]:
    if state.options.launch_detect:
        return tuple(Place(other, None) for other in state.in_game if other != number)
    others = (other for other in state.in_game if other != number)
    return tuple(Place(other, silo) for other in others for silo in state.battery(other).hittable)


def sorties(state: State, number: int) -> tuple[Sortie, ...]:
    """Every set of units and of targets; which unit of the set flies where makes no difference but to markers."""
    wing, found = state.battery(number).air_wing, []
    if state.has_sortied or state.has_struck:
        return ()
    for other in sorted({place.number for place in targets(state, number)}):
        places = [Place(other, silo) for silo in state.battery(other).hittable]
        for count in range(1, min(len(wing), len(places)) + 1):
            for sizes in dict.fromkeys(combinations(wing, count)):
                found += [
                    Sortie(number, tuple(zip(sizes, aimed, strict=True))) for aimed in combinations(places, count)
                ]
    return tuple(found)


# Violations.


def violations(state: State, move: Any) -> tuple[RuleViolation, ...]:
    """The rules that the move breaks, each with its reason, in the words that the players chose."""
    found = (RuleViolation(rule, detail) for is_broken, rule, detail in _breaches(state, move) if is_broken)
    return tuple(spoken(state.options, violation) for violation in dict.fromkeys(found))


def _breaches(state: State, move: Any) -> Found:
    strangers = [number for number in numbers_in(move) if not state.has_player(number)]
    if strangers:
        return [(True, the.IN_THE_GAME, f"there is no player {strangers[0]}")]
    match move:
        case Pick():
            return _pick(state, move)
        case Launch():
            return (*_turn(state, move.origin.number), *_launch(state, move))
        case Scramble():
            colour = state.silo(move.origin).colour
            detail = f"on top of silo {move.origin} is {_thing(colour)}, not a SAC unit"
            return (*_turn(state, move.origin.number), (colour is not Colour.CYAN, the.SCRAMBLE_SAC, detail))
        case Discard():
            return (*_turn(state, move.origin.number), *_discard(state, move))
        case Sortie():
            return (*_turn(state, move.number, is_launch=False), *_sortie(state, move))
        case Strike():
            return (*_turn(state, move.number, is_launch=False), *_strike(state, move))
        case Pass():
            able = can_launch(state, move.number) or bool(strike_targets(state, move.number))
            return (
                *_turn(state, move.number, is_launch=False),
                (able, the.MUST_LAUNCH, "there is something to launch"),
            )
    return answer_breaches(state, move)


def _thing(colour: Colour | None) -> str:
    return f"{colour}" if colour is not None else "nothing"


def _turn(state: State, number: int, is_launch: bool = True) -> Found:
    name, battery = state.name_of(number), state.battery(number)
    if state.blocking or state.is_drafting:
        return [(True, the.SETTLE_FIRST, _owed_words(state))]
    way = battery.on_its_way
    waiting = is_launch and way is not None and way.target is not None
    return [
        (state.is_over, the.GAME_OVER, "the game is over"),
        (battery.is_out, the.IN_THE_GAME, f"{name} is out of the game"),
        (
            number != state.turn and not state.is_over,
            the.TURN_ORDER,
            f"it is {state.name_of(state.turn)}'s turn, not {name}'s",
        ),
        (waiting, the.STRIKE_DUE, f"{name}'s missile on its way has to strike first"),
    ]


def _owed_words(state: State) -> str:
    if state.is_drafting:
        return "the stockpile has not been shared out yet"
    who = state.name_of(chooser(state) or 0)
    match state.blocking[0]:
        case Intercepting():
            return f"{who} has to say first whether an ABM meets the missile"
        case Deflecting():
            return f"{who} has to deflect the missile first"
        case Taking():
            return f"{who} has to name the silo that is struck first"
        case Opposing():
            return f"{who} has to answer the sortie first"
        case Revealing(place=place):
            return f"it has to be said first which missile is exposed in silo {place}"
    return f"{who} has to say first what stands exposed in silo {state.blocking[0].place}"  # type: ignore[union-attr]


def _launch(state: State, launch: Launch) -> Found:
    colour = state.silo(launch.origin).colour
    own = (
        (
            launch.colour is not colour,
            the.LAUNCH_TOP,
            f"on top of silo {launch.origin} is {_thing(colour)}, not {launch.colour}",
        ),
        (launch.colour is Colour.CYAN, the.NOT_LAUNCHED, f"the SAC unit of silo {launch.origin} was launched"),
        (launch.colour is Colour.ORANGE, the.ABM_NEVER, f"the ABM of silo {launch.origin} was launched"),
    )
    if state.options.launch_detect:
        return (*own, *_launch_at_player(state, launch))
    return (*own, *_aim(state, launch.origin.number, launch.target, launch.colour))


def _launch_at_player(state: State, launch: Launch) -> Found:
    if launch.target is None:
        return ()
    named = launch.target.silo is not None
    whom = launch.target.number
    return (
        *_against(state, launch.origin.number, whom),
        (named, the.DETECT_ONE_PLAYER, f"silo {launch.target} was named at the launch"),
    )


def _aim(state: State, number: int, target: Place | None, colour: Colour) -> Found:
    """A target that nobody could see breaks a rule only if every one would."""
    if target is None:
        none = not targets(state, number)
        return [(none, the.STAR_WARS, "there is nobody who may be targeted now")]
    against = _against(state, number, target.number)
    if target.silo is None:
        return against
    there = state.battery(target.number).can_be_hit(target.silo)
    return (*against, (not there, the.TARGET_THERE, f"nothing is exposed in silo {target}"))


def _against(state: State, number: int, other: int) -> Found:
    name = state.name_of(other)
    shield = other in state.in_game and other != number and not may_target(state, number, other)
    return [
        (other == number, the.NOT_OWN, f"{name} is aimed at by {name}"),
        (other not in state.in_game, the.IN_THE_GAME, f"{name} is out of the game"),
        (shield, the.STAR_WARS, f"{name}'s defence system is up"),
    ]


def _discard(state: State, discard: Discard) -> Found:
    colour, tops = state.silo(discard.origin).colour, set(state.battery(discard.origin.number).tops)
    return [
        (
            colour is not Colour.ORANGE,
            the.DISCARD_ABM,
            f"on top of silo {discard.origin} is {_thing(colour)}, not an ABM",
        ),
        (
            colour is Colour.ORANGE and tops != {Colour.ORANGE},
            the.DISCARD_ABM,
            "other missiles than ABMs are exposed",
        ),
    ]


def _strike(state: State, strike: Strike) -> Found:
    way = state.battery(strike.number).on_its_way
    if way is None:
        return [(True, the.STRIKE_DUE, f"no missile of {state.name_of(strike.number)} is on its way")]
    elsewhere = way.target not in (None, strike.target.number)
    return (
        (elsewhere, the.DETECT_ONE_PLAYER, f"the missile was launched at {state.name_of(way.target or 0)}"),
        *_aim(state, strike.number, strike.target, way.missile.colour),
    )


def _sortie(state: State, sortie: Sortie) -> Found:
    places = [place for _, place in sortie.units]
    known = [place for place in places if place.silo is not None]
    wing = state.battery(sortie.number).air_wing
    yield_ = [
        (not sortie.units, the.SORTIE_UNITS, "a sortie needs a unit"),
        (not are_of(sortie.units, wing), the.SORTIE_UNITS, "the air wing has no such units"),
        (state.has_sortied, the.SORTIE_FIRST, "there was a sortie in this turn already"),
        (state.has_struck, the.SORTIE_FIRST, "the missile on its way has struck already"),
        (len({place.number for place in places}) > 1, the.SORTIE_ONE_PLAYER, "more than one player was attacked"),
        (len(set(known)) < len(known), the.SORTIE_ONCE_EACH, "two units attacked one silo"),
    ]
    for place in dict.fromkeys(places):
        yield_ += _aim(state, sortie.number, place, Colour.CYAN)
    return yield_


def _pick(state: State, pick: Pick) -> Found:
    if state.draft is None or not state.is_drafting:
        return [(True, the.PICK_TURN, "there is nothing to share out")]
    taken = state.draft.taken[state.numbers.index(pick.number)]
    alike = sum(piece.size is pick.pyramid.size for piece in taken)
    return [
        (pick.number != state.turn, the.PICK_TURN, f"it is {state.name_of(state.turn)}'s turn to take a pyramid"),
        (pick.pyramid not in state.draft.pool, the.PICK_POOL, f"there is no {pick.pyramid} left"),
        (alike >= 8, the.PICK_EIGHT, f"{state.name_of(pick.number)} has eight {pick.pyramid.size} pyramids"),
    ]
