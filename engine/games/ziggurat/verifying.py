"""After the battle: whether the umpire's deck was the one that it had committed to, and every card came from it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from engine.games.ziggurat.cards import Card
from engine.games.ziggurat.dealing import commitment, dealt
from engine.games.ziggurat.judging import violations
from engine.games.ziggurat.playing import play
from engine.games.ziggurat.rules import CARD_IN_HAND, CARD_OF_DECK, CARD_ONCE, FIVE_CARDS
from engine.games.ziggurat.setup import Setup, new_game

_OF_THE_DECK = (CARD_IN_HAND, CARD_OF_DECK, CARD_ONCE, FIVE_CARDS)
_CHANGED = "The seed is not the one that was committed to: another deck was dealt."


def differences(setup: Setup, committed: str, moves: Iterable[Any] = ()) -> tuple[str, ...]:
    """How a battle differs from the deck that was committed to, in sentences; none if everything agrees.

    `moves` are all of the battle, in order. Every card that was played must have been in its player's hand then.
    """
    if setup.seed is None or commitment(setup.seed) != committed:
        return (_CHANGED,)
    found, state = [], new_game(setup)
    for move in moves:
        broken = (one for one in violations(state, move) if one.rule in _OF_THE_DECK)
        found += [f"'{move}': {one.detail}." for one in broken]
        state = play(state, move)
    return tuple(found)


def first_deal(setup: Setup) -> tuple[tuple[str, tuple[Card, ...]], ...]:
    """Each player's first hand, and what lay in the pile, the next card first; nothing without a seed."""
    if setup.seed is None:
        return ()
    deck = dealt(setup.options.cards, len(setup.players), setup.seed)
    hands = zip((player.name for player in setup.players), deck.hands, strict=True)
    told = [(name, tuple(card for card in hand if card is not None)) for name, hand in hands]
    return (*told, ("the pile", tuple(card for card in reversed(deck.pile) if card is not None)))
