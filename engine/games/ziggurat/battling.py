"""The judge of a battle's cards: what an attack and a defence against it may be made with.

A card that was not told breaks a rule only if every card that it may have been does.
"""

from __future__ import annotations

from collections import Counter

from engine.games.ziggurat import rules as the
from engine.games.ziggurat.cards import ACE, EXCUSE, REQUIRED, THE_EXCUSE, Card
from engine.games.ziggurat.dealing import HAND
from engine.games.ziggurat.notation import Attack, Cards, Defend, Place
from engine.games.ziggurat.playing import known_hand
from engine.games.ziggurat.state import Changing, Defending, State, Suffering
from engine.games.ziggurat.towers import colour_of
from engine.rules import Rule, RuleViolation
from engine.table import Colour

Violations = tuple[RuleViolation, ...]


def broken(*found: tuple[bool, Rule, str]) -> Violations:
    return tuple(RuleViolation(rule, detail) for is_broken, rule, detail in found if is_broken)


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


def card_violations(state: State, number: int, cards: Cards) -> Violations:
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
    return broken(
        *((True, the.CARD_OF_DECK, f"the {card.words} is in no deck that is played with") for card in foreign),
        *((True, the.CARD_ONCE, f"the {card.words} is played twice") for card in twice),
        *((is_counted, the.CARD_ONCE, f"the {card.words} lies in the discard pile") for card in again),
        *((True, the.CARD_IN_HAND, f"{name} does not hold the {card.words}") for card in lacking),
        (is_short and is_counted, the.FIVE_CARDS, f"{name} has fewer cards left than that"),
    )


def possible_cards(state: State, attack: Attack) -> tuple[Card, ...]:
    """What an attack card that was not told may be, by the cards that lie open: of its strength, and for its target."""
    colour = colour_of(state.position.at(attack.target))
    left = [card for card in state.options.cards if card not in state.discards]
    return tuple(card for card in left if card.strength == attack.pips and colour in card.targets)


# Attacks.


def attack_violations(state: State, attack: Attack) -> Violations:
    cards: Cards = (attack.card, THE_EXCUSE) if attack.with_excuse else (attack.card,)
    number, strength = attack.number, attack.strength
    if strength is None:
        words = f"the {attack.card.words} has no rank" if attack.card else "its card has not been told yet"
        return (*card_violations(state, number, cards), *broken((True, the.ATTACK_CARD, words)))
    return (
        *card_violations(state, number, cards),
        *broken((attack.with_excuse and not state.options.extended_deck, the.BOOST, "there is no Excuse in this deck")),
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
    return broken((not has_it, the.ATTACK_TOWER, words + green))


def _green_violations(state: State, number: int, using: Place) -> Violations:
    is_green = colour_of(state.position.at(using)) is Colour.GREEN
    return broken(
        (using.number != number, the.GREEN_OWN, f"tower {using} is not {state.name_of(number)}'s"),
        (not is_green, the.GREEN_OWN, f"tower {using} is not green"),
    )


def _lacking(has_it: bool, name: str, needed: Colour) -> Violations:
    return broken((has_it, the.GREEN_LACKING, f"{name} has a {needed} tower"))


def _target_violations(state: State, attack: Attack) -> Violations:
    place, colour = attack.target, colour_of(state.position.at(attack.target))
    if place.number == attack.number:
        return (RuleViolation(the.ATTACK_OTHER, f"that tower is {state.name_of(attack.number)}'s own"),)
    if colour is None:
        return (RuleViolation(the.TARGET_THERE, f"tower {place} is gone"),)
    if attack.card is not None:
        suits = f"the {attack.card.words} attacks {_colours_words(attack.card)} towers, and tower {place} is {colour}"
        return broken((colour not in attack.card.targets, the.TARGET_SUIT, suits))
    words = f"no card that is left makes an attack of {attack.pips} on a {colour} tower"
    return broken((not possible_cards(state, attack) and state.turns_are_sure, the.TARGET_SUIT, words))


def _colours_words(card: Card) -> str:
    return " and ".join(sorted(colour.value for colour in card.targets)) or "no"


# Defence.


def answer_violations(state: State, number: int) -> Violations:
    """Whether this player is to answer an attack now."""
    match state.owed[0] if state.owed else None:
        case Defending(attack=attack):
            wrong = f"{state.name_of(attack.target.number)} is being attacked, not {state.name_of(number)}"
            return broken((attack.target.number != number, the.DEFEND_OWED, wrong))
        case None:
            return (RuleViolation(the.DEFEND_OWED, "nobody is being attacked"),)
    return (RuleViolation(the.SETTLE_FIRST, owed_words(state)),)


def defence_violations(state: State, defence: Defend) -> Violations:
    found = answer_violations(state, defence.number)
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
        tower = broken((not has_black, the.DEFEND_TOWER, f"a defence needs a black tower, and {name} has none"))
    return (
        *card_violations(state, defence.number, defence.cards),
        *tower,
        *broken((owed.attack.with_excuse, the.UNBLOCKABLE, "the attack came with the Excuse")),
        *_sum_violations(owed, defence),
    )


def _sum_violations(owed: Defending, defence: Defend) -> Violations:
    never = [card for card in defence.cards if card is not None and not card.can_defend]
    if never:
        return (RuleViolation(the.DEFEND_NEVER, f"the {never[0].words} is not played in defence"),)
    if None in defence.cards or (owed.attack.card is None and defence.cards):
        return ()
    told, attack = [card for card in defence.cards if card is not None], owed.attack.card
    if attack is None or is_defence(tuple(told), attack, owed.colour):
        return ()
    total = sum(card.value for card in told)
    words = " and ".join(card.words for card in told) or "no card"
    detail = f"{words} adds up to {total}, and the {attack.words} counts {attack.value}"
    return (RuleViolation(the.DEFEND_CARDS, detail),)


def is_defence(cards: tuple[Card, ...], attack: Card, colour: Colour | None) -> bool:
    """Whether the cards nullify the attack: an Ace of the tower's colour, the Excuse, or an exact sum."""
    if not cards or not all(card.can_defend for card in cards):
        return False
    if len(cards) == 1 and (cards[0].rank == EXCUSE or (cards[0].rank == ACE and colour in cards[0].targets)):
        return True
    return sum(card.value for card in cards) == attack.value
