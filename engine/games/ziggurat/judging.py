"""The judge: which rules a move breaks. Every rule is coded once, here or in `battling`."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.game import Touch
from engine.games.ziggurat import rules as the
from engine.games.ziggurat.battling import (
    Violations,
    answer_violations,
    attack_violations,
    broken,
    card_violations,
    defence_violations,
    owed_words,
)
from engine.games.ziggurat.dealing import HAND
from engine.games.ziggurat.notation import Allow, Attack, Change, Defend, Draw, Remodel, Suffer, Tell
from engine.games.ziggurat.playing import counted_more, known_hand
from engine.games.ziggurat.state import Changing, State, Suffering
from engine.games.ziggurat.towers import in_words
from engine.rules import RuleViolation
from engine.table import Pyramid


def violations(state: State, move: Any) -> Violations:
    """The rules that the move breaks. Total: any move in any state gets an answer."""
    family = state.options.colours
    return tuple(replace(one, detail=in_words(family, one.detail)) for one in _violations(state, move))


def _violations(state: State, move: Any) -> Violations:
    match move:
        case Attack():
            return (*_turn_violations(state, move.number), *attack_violations(state, move))
        case Draw():
            return (*_turn_violations(state, move.number), *_draw_violations(state, move))
        case Remodel():
            return (*_turn_violations(state, move.place.number), *_remodel_violations(state, move))
        case Defend():
            return defence_violations(state, move)
        case Allow():
            return answer_violations(state, move.number)
        case Change():
            return _change_violations(state, move)
        case Tell():
            return _told_violations(state, move)
        case Suffer():
            return _attrition_violations(state, move)
        case Touch():
            return (_touch_violation(state, move),)
    return (RuleViolation(the.HANDS_OFF, f"{move} is no move of this game"),)


def _turn_violations(state: State, number: int) -> Violations:
    name = state.name_of(number)
    if state.owed:
        return (RuleViolation(the.SETTLE_FIRST, owed_words(state)),)
    if state.is_over:
        return (RuleViolation(the.GAME_OVER, "the battle is over"),)
    if number not in state.in_game:
        return (RuleViolation(the.IN_THE_GAME, f"{name} has no tower left"),)
    return broken((number != state.turn, the.TURN_ORDER, f"it is {state.name_of(state.turn)}'s turn, and not {name}'s"))


# Change, drawing, remodelling, attrition, touches.


def _change_violations(state: State, change: Change) -> Violations:
    match state.owed[0] if state.owed else None:
        case Changing(place=place) as owed if place == change.place:
            return _piece_violations(state, owed, change.pyramid)
        case None | Changing():
            return (RuleViolation(the.CHANGE_OWED, f"no change is to be put on tower {change.place}"),)
    return (RuleViolation(the.SETTLE_FIRST, owed_words(state)),)


def _piece_violations(state: State, owed: Changing, pyramid: Pyramid | None) -> Violations:
    lying = state.position.scrapyard
    if pyramid is None:
        is_there = any(one.size == owed.size for one in lying)
        words = f"tower {owed.place} gets a {owed.size} piece"
        return broken((is_there and not owed.may_refuse, the.CHANGE_MADE, words))
    fresh = lying.count(pyramid) - owed.removed.count(pyramid)
    return broken(
        (pyramid.size != owed.size, the.CHANGE_SIZE, f"tower {owed.place} gets a {owed.size} piece, not a {pyramid}"),
        (pyramid not in lying, the.CHANGE_SCRAP, f"there is no {pyramid} in the scrapyard"),
        (
            state.options.fresh_change and pyramid in lying and fresh < 1,
            the.CHANGE_SCRAP,
            f"the only {pyramid} was just removed",
        ),
    )


def _draw_violations(state: State, draw: Draw) -> Violations:
    hand = known_hand(state, draw.number) if draw.number in state.numbers else None
    is_full = hand is not None and len(hand) >= HAND
    return broken(
        (
            is_full and state.options.draw_only_when_short,
            the.DRAW_SHORT,
            f"{state.name_of(draw.number)} holds five cards",
        )
    )


def _remodel_violations(state: State, remodel: Remodel) -> Violations:
    place, tower = remodel.place, state.position.at(remodel.place)
    cards = card_violations(state, place.number, remodel.cards)
    count = len(remodel.cards)
    three = broken((count != 3, the.REMODEL_THREE, f"{count} cards were discarded"))
    if not tower:
        return (*cards, *three, RuleViolation(the.REMODEL_OWN, f"tower {place} is gone"))
    top, new = tower[-1], remodel.pyramid
    if new is None:
        return (*cards, *three)
    is_there = new in state.position.scrapyard
    return (
        *cards,
        *three,
        *broken(
            (new.size != top.size, the.REMODEL_SIZE, f"the top of tower {place} is {top.size}, not {new.size}"),
            (not is_there, the.REMODEL_SCRAP, f"there is no {new} in the scrapyard"),
        ),
    )


def _attrition_violations(state: State, suffer: Suffer) -> Violations:
    match state.owed[0] if state.owed else None:
        case Suffering(number=number):
            own = suffer.place.number == number and bool(state.position.at(suffer.place))
            return broken((not own, the.ATTRITION_OWN, f"{state.name_of(number)} takes attrition on an own tower"))
        case None:
            return (RuleViolation(the.ATTRITION_OWED, "the draw pile has not run out"),)
    return (RuleViolation(the.SETTLE_FIRST, owed_words(state)),)


def _told_violations(state: State, tell: Tell) -> Violations:
    """The cards were counted when they were played, so that a hand is not too short for them now."""
    if not any(one.number == tell.number and one.fits(tell.cards) for one in state.untold):
        words = " and ".join(card.words for card in tell.cards)
        return (RuleViolation(the.ATTACK_CARD, f"nothing that {state.name_of(tell.number)} did was with the {words}"),)
    counted = replace(state, played=counted_more(state, tell.number, -len(tell.cards)))
    return card_violations(counted, tell.number, tell.cards)


def _touch_violation(state: State, touch: Touch) -> RuleViolation:
    """A tower that was damaged and is not as that leaves it; or one that no action was about."""
    struck = state.struck
    if struck is None or touch.place != str(struck.place):
        return RuleViolation(the.HANDS_OFF, "no action does that")
    pips = "one pip" if struck.pips == 1 else f"{struck.pips} pips"
    return RuleViolation(the.DAMAGE, f"{pips} of damage leaves {touch.before}")
