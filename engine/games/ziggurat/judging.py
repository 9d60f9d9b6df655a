"""The judge: which rules a move breaks, and which moves could be said. Every rule is coded here, once.

A card that was not told breaks a rule only if every card that it may have been does.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from engine.game import Touch
from engine.games.ziggurat.cards import ACE, EXCUSE, REQUIRED, STRENGTHS, THE_EXCUSE, Card
from engine.games.ziggurat.dealing import HAND
from engine.games.ziggurat.notation import Allow, Attack, Cards, Change, Defend, Draw, Place, Remodel, Suffer
from engine.games.ziggurat.playing import answers, is_place, known_hand
from engine.games.ziggurat.rules import (
    ATTACK_CARD,
    ATTACK_OTHER,
    ATTACK_TOWER,
    ATTRITION_OWED,
    ATTRITION_OWN,
    BOOST,
    CARD_IN_HAND,
    CARD_OF_DECK,
    CARD_ONCE,
    CHANGE_MADE,
    CHANGE_OWED,
    CHANGE_SCRAP,
    CHANGE_SIZE,
    DAMAGE,
    DEFEND_CARDS,
    DEFEND_NEVER,
    DEFEND_OWED,
    DEFEND_TOWER,
    DRAW_SHORT,
    FIVE_CARDS,
    GAME_OVER,
    GREEN_LACKING,
    GREEN_OWN,
    HANDS_OFF,
    IN_THE_GAME,
    REMODEL_OWN,
    REMODEL_SCRAP,
    REMODEL_SIZE,
    REMODEL_THREE,
    SETTLE_FIRST,
    TARGET_SUIT,
    TARGET_THERE,
    TURN_ORDER,
    UNBLOCKABLE,
)
from engine.games.ziggurat.state import Changing, Defending, State, Suffering
from engine.games.ziggurat.towers import colour_of, in_words
from engine.rules import Rule, RuleViolation
from engine.table import Colour, Pyramid

Violations = tuple[RuleViolation, ...]


def violations(state: State, move: Any) -> Violations:
    """The rules that the move breaks. Total: any move in any state gets an answer."""
    family = state.options.colours
    return tuple(replace(one, detail=in_words(family, one.detail)) for one in _violations(state, move))


def _violations(state: State, move: Any) -> Violations:
    match move:
        case Attack():
            return (*_turn_violations(state, move.number), *_attack_violations(state, move))
        case Draw():
            return (*_turn_violations(state, move.number), *_draw_violations(state, move))
        case Remodel():
            return (*_turn_violations(state, move.place.number), *_remodel_violations(state, move))
        case Defend():
            return _defence_violations(state, move)
        case Allow():
            return _allow_violations(state, move)
        case Change():
            return _change_violations(state, move)
        case Suffer():
            return _attrition_violations(state, move)
        case Touch():
            return (_touch_violation(state, move),)
    return (RuleViolation(HANDS_OFF, f"{move} is no move of this game"),)


def _broken(*found: tuple[bool, Rule, str]) -> Violations:
    return tuple(RuleViolation(rule, detail) for is_broken, rule, detail in found if is_broken)


def _turn_violations(state: State, number: int) -> Violations:
    name = state.name_of(number)
    if state.owed:
        return (RuleViolation(SETTLE_FIRST, owed_words(state)),)
    if state.is_over:
        return (RuleViolation(GAME_OVER, "the battle is over"),)
    if number not in state.in_game:
        return (RuleViolation(IN_THE_GAME, f"{name} has no tower left"),)
    return _broken((number != state.turn, TURN_ORDER, f"it is {state.name_of(state.turn)}'s turn, and not {name}'s"))


def owed_words(state: State) -> str:
    """Who has to choose what before anything else."""
    match state.owed[0]:
        case Defending(attack=attack):
            return f"{state.name_of(attack.target.number)} has to defend tower {attack.target}, or not, first"
        case Changing() as owed:
            return f"{state.name_of(owed.chooser)} has to put a {owed.size} piece on tower {owed.place} first"
        case Suffering(number=number):
            return f"{state.name_of(number)} has to take attrition first"
    return "the deck is being shuffled"


# Cards.


def _card_violations(state: State, number: int, cards: Cards) -> Violations:
    """Whether the player can have these cards."""
    told = [card for card in cards if card is not None]
    name, hand = state.name_of(number), known_hand(state, number) if number in state.numbers else None
    foreign = [card for card in told if card not in state.options.cards]
    twice = [card for card, count in Counter(told).items() if count > 1]
    again = [card for card in told if card in state.discards]
    lacking = [card for card in told if hand is not None and card not in hand]
    most = state.played[number - 1] + len(cards) if number in state.numbers else 0
    is_short = (len(cards) > len(hand)) if hand is not None else most > HAND
    is_counted = state.deck is not None or state.turns_are_sure
    return _broken(
        *((True, CARD_OF_DECK, f"the {card.words} is in no deck that is played with") for card in foreign),
        *((True, CARD_ONCE, f"the {card.words} is played twice") for card in twice),
        *((is_counted, CARD_ONCE, f"the {card.words} lies in the discard pile") for card in again),
        *((True, CARD_IN_HAND, f"{name} does not hold the {card.words}") for card in lacking),
        (is_short and is_counted, FIVE_CARDS, f"{name} has fewer cards left than that"),
    )


def possible_cards(state: State, attack: Attack) -> tuple[Card, ...]:
    """What an attack card that was not told may be, by the cards that lie open: of its strength, and for its target."""
    colour = colour_of(state.position.at(attack.target))
    left = [card for card in state.options.cards if card not in state.discards]
    return tuple(card for card in left if card.strength == attack.pips and colour in card.targets)


# Attacks.


def _attack_violations(state: State, attack: Attack) -> Violations:
    cards: Cards = (attack.card, THE_EXCUSE) if attack.with_excuse else (attack.card,)
    number, strength = attack.number, attack.strength
    if strength is None:
        words = f"the {attack.card.words} has no rank" if attack.card else "its card has not been told yet"
        return (*_card_violations(state, number, cards), *_broken((True, ATTACK_CARD, words)))
    return (
        *_card_violations(state, number, cards),
        *_broken((attack.with_excuse and not state.options.extended_deck, BOOST, "there is no Excuse in this deck")),
        *_tower_violations(state, attack, strength),
        *_target_violations(state, attack),
    )


def _tower_violations(state: State, attack: Attack, strength: int) -> Violations:
    name, needed = state.name_of(attack.number), REQUIRED[strength]
    has_it = state.has_colour(attack.number, needed)
    pips = "one pip" if strength == 1 else f"{strength} pips"
    words = f"an attack of {pips} needs a {needed} tower, and {name} has none"
    if attack.using is not None:
        return (*_green_violations(state, attack.number, attack.using), *_lacking(has_it, name, needed))
    green = " (a green one can stand in, and takes a pip)" if state.green_of(attack.number) else ""
    return _broken((not has_it, ATTACK_TOWER, words + green))


def _green_violations(state: State, number: int, using: Place) -> Violations:
    is_green = colour_of(state.position.at(using)) is Colour.GREEN
    return _broken(
        (using.number != number, GREEN_OWN, f"tower {using} is not {state.name_of(number)}'s"),
        (not is_green, GREEN_OWN, f"tower {using} is not green"),
    )


def _lacking(has_it: bool, name: str, needed: Colour) -> Violations:
    return _broken((has_it, GREEN_LACKING, f"{name} has a {needed} tower"))


def _target_violations(state: State, attack: Attack) -> Violations:
    place, colour = attack.target, colour_of(state.position.at(attack.target))
    if place.number == attack.number:
        return (RuleViolation(ATTACK_OTHER, f"tower {place} is {state.name_of(attack.number)}'s own"),)
    if colour is None:
        return (RuleViolation(TARGET_THERE, f"no tower stands on {place}"),)
    if attack.card is not None:
        suits = f"the {attack.card.words} attacks {_colours_words(attack.card)} towers, and tower {place} is {colour}"
        return _broken((colour not in attack.card.targets, TARGET_SUIT, suits))
    words = f"no card that is left makes an attack of {attack.pips} on a {colour} tower"
    return _broken((not possible_cards(state, attack) and state.turns_are_sure, TARGET_SUIT, words))


def _colours_words(card: Card) -> str:
    return " and ".join(sorted(colour.value for colour in card.targets)) or "no"


# Defence.


def _answer_violations(state: State, number: int) -> Violations:
    """Whether this player is to answer an attack now."""
    match state.owed[0] if state.owed else None:
        case Defending(attack=attack):
            wrong = f"{state.name_of(attack.target.number)} is being attacked, not {state.name_of(number)}"
            return _broken((attack.target.number != number, DEFEND_OWED, wrong))
        case None:
            return (RuleViolation(DEFEND_OWED, "nobody is being attacked"),)
    return (RuleViolation(SETTLE_FIRST, owed_words(state)),)


def _allow_violations(state: State, allow: Allow) -> Violations:
    return _answer_violations(state, allow.number)


def _defence_violations(state: State, defence: Defend) -> Violations:
    found = _answer_violations(state, defence.number)
    if found or not isinstance(owed := state.owed[0], Defending):
        return found
    name = state.name_of(defence.number)
    has_black = state.has_colour(defence.number, Colour.BLACK)
    if defence.using is not None:
        tower = (
            *_green_violations(state, defence.number, defence.using),
            *_lacking(has_black, name, Colour.BLACK),
        )
    else:
        tower = _broken((not has_black, DEFEND_TOWER, f"a defence needs a black tower, and {name} has none"))
    return (
        *_card_violations(state, defence.number, defence.cards),
        *tower,
        *_broken((owed.attack.with_excuse, UNBLOCKABLE, "the attack came with the Excuse")),
        *_sum_violations(owed, defence),
    )


def _sum_violations(owed: Defending, defence: Defend) -> Violations:
    never = [card for card in defence.cards if card is not None and not card.can_defend]
    if never:
        return (RuleViolation(DEFEND_NEVER, f"the {never[0].words} is not played in defence"),)
    if None in defence.cards or (owed.attack.card is None and defence.cards):
        return ()
    told, attack = [card for card in defence.cards if card is not None], owed.attack.card
    if attack is None or is_defence(tuple(told), attack, owed.colour):
        return ()
    total = sum(card.value for card in told)
    words = " and ".join(card.words for card in told) or "no card"
    detail = f"{words} adds up to {total}, and the {attack.words} counts {attack.value}"
    return (RuleViolation(DEFEND_CARDS, detail),)


def is_defence(cards: tuple[Card, ...], attack: Card, colour: Colour | None) -> bool:
    """Whether the cards nullify the attack: an Ace of the tower's colour, the Excuse, or an exact sum."""
    if not cards or not all(card.can_defend for card in cards):
        return False
    if len(cards) == 1 and (cards[0].rank == EXCUSE or (cards[0].rank == ACE and colour in cards[0].targets)):
        return True
    return sum(card.value for card in cards) == attack.value


# Change, drawing, remodelling, attrition, touches.


def _change_violations(state: State, change: Change) -> Violations:
    match state.owed[0] if state.owed else None:
        case Changing(place=place) as owed if place == change.place:
            return _piece_violations(state, owed, change.pyramid)
        case None | Changing():
            return (RuleViolation(CHANGE_OWED, f"no change is to be put on tower {change.place}"),)
    return (RuleViolation(SETTLE_FIRST, owed_words(state)),)


def _piece_violations(state: State, owed: Changing, pyramid: Pyramid | None) -> Violations:
    lying = state.position.scrapyard
    if pyramid is None:
        is_there = any(one.size == owed.size for one in lying)
        words = f"tower {owed.place} gets a {owed.size} piece"
        return _broken((is_there and not owed.may_refuse, CHANGE_MADE, words))
    fresh = lying.count(pyramid) - owed.removed.count(pyramid)
    return _broken(
        (pyramid.size != owed.size, CHANGE_SIZE, f"tower {owed.place} gets a {owed.size} piece, not a {pyramid}"),
        (pyramid not in lying, CHANGE_SCRAP, f"there is no {pyramid} in the scrapyard"),
        (
            state.options.fresh_change and pyramid in lying and fresh < 1,
            CHANGE_SCRAP,
            f"the only {pyramid} was just removed",
        ),
    )


def _draw_violations(state: State, draw: Draw) -> Violations:
    hand = known_hand(state, draw.number) if draw.number in state.numbers else None
    is_full = hand is not None and len(hand) >= HAND
    return _broken(
        (
            is_full and state.options.draw_only_when_short,
            DRAW_SHORT,
            f"{state.name_of(draw.number)} holds five cards",
        )
    )


def _remodel_violations(state: State, remodel: Remodel) -> Violations:
    place, tower = remodel.place, state.position.at(remodel.place)
    cards = _card_violations(state, place.number, remodel.cards)
    count = len(remodel.cards)
    three = _broken((count != 3, REMODEL_THREE, f"{count} cards were discarded"))
    if not tower:
        return (*cards, *three, RuleViolation(REMODEL_OWN, f"no tower stands on {place}"))
    top, new = tower[-1], remodel.pyramid
    if new is None:
        return (*cards, *three)
    is_there = new in state.position.scrapyard
    return (
        *cards,
        *three,
        *_broken(
            (new.size != top.size, REMODEL_SIZE, f"the top of tower {place} is {top.size}, not {new.size}"),
            (not is_there, REMODEL_SCRAP, f"there is no {new} in the scrapyard"),
        ),
    )


def _attrition_violations(state: State, suffer: Suffer) -> Violations:
    match state.owed[0] if state.owed else None:
        case Suffering(number=number):
            own = suffer.place.number == number and bool(state.position.at(suffer.place))
            return _broken((not own, ATTRITION_OWN, f"{state.name_of(number)} takes attrition on an own tower"))
        case None:
            return (RuleViolation(ATTRITION_OWED, "the draw pile has not run out"),)
    return (RuleViolation(SETTLE_FIRST, owed_words(state)),)


def _touch_violation(state: State, touch: Touch) -> RuleViolation:
    """A tower that was damaged and is not as that leaves it; or one that no action was about."""
    struck = state.struck
    if struck is None or touch.place != str(struck.place):
        return RuleViolation(HANDS_OFF, f"{touch}: no action does that")
    pips = "one pip" if struck.pips == 1 else f"{struck.pips} pips"
    detail = f"{pips} of damage leaves {touch.before} on tower {touch.place}, and {touch.after} is there"
    return RuleViolation(DAMAGE, detail)


# What could be said.


def candidates(state: State) -> tuple[Any, ...]:
    """Moves that could be said now. Cards of hands that are not known are all that have not been played; the three
    cards of a remodelling are then not told apart."""
    if state.owed:
        return (*answers(state), *_defences(state))
    if state.is_over:
        return ()
    number = state.turn
    cards = _cards_of(state, number)
    return (*_attacks(state, number, cards), Draw(number), *_remodels(state, number))


def _cards_of(state: State, number: int) -> tuple[Card, ...]:
    hand = known_hand(state, number)
    left = tuple(card for card in state.options.cards if card not in state.discards)
    return left if hand is None else hand


def _attacks(state: State, number: int, cards: tuple[Card, ...]) -> Iterator[Attack]:
    using = (None, *state.green_of(number))
    boosts = (False, True) if THE_EXCUSE in cards else (False,)
    targets = [place for other in state.in_game if other != number for place in state.towers_of(other)]
    for card in cards:
        for target in targets:
            if colour_of(state.position.at(target)) in card.targets:
                yield from (Attack(number, card, target, green, boost) for green in using for boost in boosts)


def _defences(state: State) -> Iterator[Defend]:
    if not isinstance(owed := state.owed[0], Defending) or owed.attack.card is None:
        return
    number, attack = owed.attack.target.number, owed.attack.card
    cards = tuple(card for card in _cards_of(state, number) if card.can_defend)
    aces = [(card,) for card in cards if card.value == 1 and is_defence((card,), attack, owed.colour)]
    for using in (None, *state.green_of(number)):
        for played in dict.fromkeys((*aces, *_sums(cards, attack.value))):
            yield Defend(number, played, using)


def _sums(cards: tuple[Card, ...], total: int, most: int = HAND) -> Iterator[tuple[Card, ...]]:
    """At most so many of the cards, that add up to exactly so much."""
    for n, card in enumerate(cards):
        if card.value == total:
            yield (card,)
        elif card.value < total and most > 1:
            yield from ((card, *rest) for rest in _sums(cards[n + 1 :], total - card.value, most - 1))


def _remodels(state: State, number: int) -> Iterator[Remodel]:
    hand = known_hand(state, number)
    threes: tuple[Cards, ...] = ((None, None, None),) if hand is None else tuple(combinations(hand, 3))
    for place in state.towers_of(number):
        top = state.position.at(place)[-1]
        for new in dict.fromkeys(one for one in state.position.scrapyard if one.size == top.size):
            yield from (Remodel(place, new, three) for three in threes)


def completions(state: State, announced: Attack | Remodel) -> tuple[Any, ...]:
    """The same with the cards that it may be made with."""
    if isinstance(announced, Attack):
        number = announced.number
        attacks = _attacks(state, number, _cards_of(state, number))
        return tuple(attack for attack in attacks if attack.target == announced.target)
    hand = known_hand(state, announced.place.number)
    threes: tuple[Cards, ...] = ((None, None, None),) if hand is None else tuple(combinations(hand, 3))
    return tuple(replace(announced, cards=three) for three in threes)


def unknown_attacks(state: State, number: int, target: Place) -> tuple[Attack, ...]:
    """Attacks on a tower with a card that was not told, of each strength, green towers standing in where they must."""
    found = []
    for pips in STRENGTHS:
        greens = () if state.has_colour(number, REQUIRED[pips]) else state.green_of(number)
        found += [Attack(number, None, target, green, pips=pips) for green in greens or (None,)]
    return tuple(found)


__all__ = ["candidates", "is_defence", "is_place", "possible_cards", "unknown_attacks", "violations"]
