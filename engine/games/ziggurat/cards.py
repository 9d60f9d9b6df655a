"""The Decktet: 36 cards of six suits, 45 with the extended deck, each known by its rank and suits.

Notation: A, 2 to 9, C (Crown), P (Pawn), T (Court), then the suits' letters: M S W L Y K for Moons, Suns, Waves,
Leaves, Wyrms and Knots. The Excuse, which has neither, is X.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

from engine.errors import InvalidNotation
from engine.table import Colour


class Suit(Enum):
    """The six suits, in the order of the deck; the value is the letter in notation."""

    MOONS = "M"
    SUNS = "S"
    WAVES = "W"
    LEAVES = "L"
    WYRMS = "Y"
    KNOTS = "K"

    def __str__(self) -> str:
        return self.name.capitalize()

    @property
    def target(self) -> Colour:
        """The colour of the towers that cards of this suit attack."""
        return TARGETS[self]


TARGETS = {
    Suit.MOONS: Colour.BLACK,
    Suit.SUNS: Colour.RED,
    Suit.WAVES: Colour.BLUE,
    Suit.LEAVES: Colour.RED,
    Suit.WYRMS: Colour.GREEN,
    Suit.KNOTS: Colour.YELLOW,
}

ACE, CROWN, PAWN, COURT, EXCUSE = "A", "C", "P", "T", "X"
RANKS = (ACE, *map(str, range(2, 10)), CROWN, PAWN, COURT, EXCUSE)
RANK_WORDS = {ACE: "Ace", CROWN: "Crown", PAWN: "Pawn", COURT: "Court", EXCUSE: "Excuse"}
TEN = 10  # what Crowns count, and what a defence against a Pawn or a Court adds up to
STRENGTHS = {1: (ACE, "2", "3", "4", "5", PAWN), 2: ("6", "7", "8", "9", COURT), 3: (CROWN,)}
REQUIRED = {1: Colour.RED, 2: Colour.BLUE, 3: Colour.YELLOW}  # the tower that an attack so strong needs


@dataclass(frozen=True)
class Card:
    """One card. `str()` is its notation.

    >>> str(Card.parse("7ML")), Card.parse("7ML").words
    ('7ML', '7 of Moons and Leaves')
    >>> Card.parse("CK").strength, Card.parse("CK").name
    (3, 'Windfall')
    """

    rank: str
    suits: tuple[Suit, ...] = ()

    def __str__(self) -> str:
        return self.rank + "".join(suit.value for suit in self.suits)

    @classmethod
    def parse(cls, text: str) -> Card:
        """The card of that notation, its suits in any order. Raises InvalidNotation where the deck has none."""
        rank, letters = text.strip().upper()[:1], text.strip().upper()[1:]
        card = next((one for one in EXTENDED if one.rank == rank and set(letters) == set(str(one)[1:])), None)
        if card is None or len(letters) != len(card.suits):
            raise InvalidNotation(text, "a card of the Decktet such as 7ML, AS, CK or X")
        return card

    @classmethod
    def from_json(cls, doc: Any) -> Card:
        """The card that {"rank": "7", "suits": ["Moons", "Leaves"]} or notation says. Raises InvalidNotation."""
        if isinstance(doc, str):
            return cls.parse(doc)
        if isinstance(doc, dict) and isinstance(doc.get("suits", []), list):
            rank = str(doc.get("rank", "")).strip().capitalize()
            short = next((one for one in RANKS if rank in (one, RANK_WORDS.get(one))), None)
            letters = {str(suit): suit.value for suit in Suit}
            suits = [letters.get(str(suit).strip().capitalize()) for suit in doc.get("suits", [])]
            if short is not None and None not in suits:
                return cls.parse(short + "".join(letter for letter in suits if letter))
        raise InvalidNotation(str(doc), "a card's rank and suits")

    @property
    def words(self) -> str:
        rank = RANK_WORDS.get(self.rank, self.rank)
        if not self.suits:
            return rank
        *before, last = map(str, self.suits)
        return f"{rank} of {', '.join(before)} and {last}" if before else f"{rank} of {last}"

    @property
    def name(self) -> str:
        """What the deck calls the card; Aces and the Excuse have no other name."""
        return NAMES.get(str(self), self.words)

    @property
    def value(self) -> int:
        """What the card counts in a sum; of a Pawn or Court, what a sum against it has to be."""
        return {ACE: 1, EXCUSE: 1, CROWN: TEN, PAWN: TEN, COURT: TEN}.get(self.rank) or int(self.rank)

    @property
    def strength(self) -> int | None:
        """How many pips an attack with it takes; None for the Excuse, which attacks nobody."""
        return next((pips for pips, ranks in STRENGTHS.items() if self.rank in ranks), None)

    @property
    def targets(self) -> frozenset[Colour]:
        """The colours of the towers that it attacks."""
        return frozenset(suit.target for suit in self.suits)

    @property
    def can_defend(self) -> bool:
        return self.rank not in (PAWN, COURT)


_NUMBERED = """
2MK Author, 2SY Desert, 2WL Origin, 3MW Journey, 3SK Painter, 3LY Savage, 4MS Mountain, 4WL Sailor, 4YK Battle,
5ML Forest, 5SW Discovery, 5YK Soldier, 6MW Lunatic, 6SY Penitent, 6LK Market, 7ML Chance Meeting, 7SK Castle, 7WY Cave,
8MS Diplomat, 8WL Mill, 8YK Betrayal, 9MS Pact, 9WY Darkness, 9LK Merchant,
CM Huntress, CS Bard, CW Sea, CL End, CY Calamity, CK Windfall
"""
_ADDED = """
PMSL Harvest, PMYK Watchman, PSWK Light Keeper, PWLY Borderland, TMWK Consul, TMLY Rite, TSWY Island, TSLK Window
"""


def _named(text: str) -> dict[str, str]:
    pairs = (entry.split(maxsplit=1) for entry in text.replace("\n", " ").split(",") if entry.strip())
    return {short: name.strip() for short, name in pairs}


NAMES = _named(_NUMBERED) | _named(_ADDED)


def _cards(shorts: list[str]) -> tuple[Card, ...]:
    return tuple(Card(short[0], tuple(map(Suit, short[1:]))) for short in shorts)


BASIC = _cards([ACE + suit.value for suit in Suit] + list(_named(_NUMBERED)))
EXTENDED = BASIC + _cards([*_named(_ADDED), EXCUSE])
THE_EXCUSE = EXTENDED[-1]


def suits_at_each_rank(cards: tuple[Card, ...]) -> dict[str, str]:
    """The deck's checksum: at every rank from Ace to Crown each suit stands on exactly one card."""
    ranks = dict.fromkeys(card.rank for card in cards)
    return {
        rank: "".join(sorted(suit.value for card in cards if card.rank == rank for suit in card.suits))
        for rank in ranks
    }
