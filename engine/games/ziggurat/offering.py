"""What could be said: candidates, among which every legal move is, and what an announced action may be made with."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations
from typing import Any

from engine.games.ziggurat.battling import is_defence
from engine.games.ziggurat.cards import REQUIRED, STRENGTHS, THE_EXCUSE, Card
from engine.games.ziggurat.dealing import HAND
from engine.games.ziggurat.notation import Attack, Cards, Defend, Draw, Place, Remodel, Tell
from engine.games.ziggurat.playing import answers, known_hand
from engine.games.ziggurat.state import Defending, State
from engine.games.ziggurat.towers import colour_of


def candidates(state: State) -> tuple[Any, ...]:
    """Moves that could be said now. Cards of hands that are not known are all that have not been played; the three
    cards of a remodelling are then not told apart."""
    if state.owed:
        return (*answers(state), *_defences(state), *_tellings(state))
    if state.is_over:
        return ()
    number = state.turn
    cards = _cards_of(state, number)
    return (*_attacks(state, number, cards), Draw(number), *_remodels(state, number), *_tellings(state))


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


def _tellings(state: State) -> Iterator[Tell]:
    """What may be told of actions that were seen and not announced."""
    for untold in state.untold:
        cards, count = _cards_of(state, untold.number), 1 if isinstance(untold.move, Attack) else len(untold.move.cards)
        if count == 1 or known_hand(state, untold.number) is not None:
            yield from (Tell(untold.number, told) for told in combinations(cards, count) if untold.fits(told))


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
