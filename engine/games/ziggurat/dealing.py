"""The deck that the umpire holds for a group without cards: shuffled from a seed, dealt in secret, and open at the end.

A card's place in a shuffle is the SHA-256 of seed, number of the shuffle and card: nobody who lacks the seed can tell
it, anybody who has it can check it. The commitment, the SHA-256 of the seed, is shown when the game starts, and the
seed when it is over. `visible_to` (see `state`) is the only way in which a deck gets to a page.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, replace

from engine.games.ziggurat.cards import Card

HAND = 5
SEED_LENGTH = 16

Hand = tuple[Card | None, ...]  # None: a card that this player may not see


@dataclass(frozen=True)
class Deck:
    """The draw pile, next card last, the players' hands in seating order, and the shuffles so far."""

    pile: Hand
    hands: tuple[Hand, ...]
    commitment: str
    seed: str | None
    shuffles: int = 1

    def hand(self, number: int) -> Hand:
        return self.hands[number - 1]

    def with_hand(self, number: int, hand: Hand) -> Deck:
        return replace(self, hands=(*self.hands[: number - 1], hand, *self.hands[number:]))

    def drawn(self, number: int) -> Deck:
        """One card goes from the pile to the hand."""
        return replace(self, pile=self.pile[:-1]).with_hand(number, (*self.hand(number), self.pile[-1]))


def commitment(seed: str) -> str:
    """What is shown at the start."""
    return hashlib.sha256(seed.encode()).hexdigest()


def shuffled(cards: tuple[Card, ...], seed: str, shuffle: int) -> tuple[Card, ...]:
    """The cards in the order of this shuffle, the next card to be drawn last."""
    return tuple(sorted(cards, key=lambda card: hashlib.sha256(f"{seed}/{shuffle}/{card}".encode()).digest()))


def dealt(cards: tuple[Card, ...], players: int, seed: str) -> Deck:
    """The first shuffle, five cards dealt to each player, one after the other.

    Raises ValueError for a seed that could be guessed.
    """
    if len(seed) < SEED_LENGTH:
        raise ValueError(f"a seed needs {SEED_LENGTH} characters or more")
    deck = Deck(shuffled(cards, seed, 1), ((),) * players, commitment(seed), seed)
    for _ in range(HAND):
        for number in range(1, players + 1):
            deck = deck.drawn(number)
    return deck


def reshuffled(deck: Deck, discards: tuple[Card, ...]) -> Deck:
    """The discards, shuffled, are the new draw pile. Only a deck whose seed is known can be."""
    shuffle = deck.shuffles + 1
    return replace(deck, pile=shuffled(discards, deck.seed or "", shuffle), shuffles=shuffle)


def as_seen_by(deck: Deck, number: int | None) -> Deck:
    """The deck as a player, or for None everybody, may see it: how many cards there are, and the own ones."""
    hands = tuple(hand if n == number else (None,) * len(hand) for n, hand in enumerate(deck.hands, 1))
    return replace(deck, pile=(None,) * len(deck.pile), hands=hands, seed=None)


def is_as_committed(deck: Deck) -> bool:
    """Whether a deck that is open was shuffled from the seed that was committed to."""
    return deck.seed is not None and commitment(deck.seed) == deck.commitment
