"""What can be said: the moves, their notation, and `parse`, which undoes it.

attack 1 7ML 2/3            player 1 attacks player 2's third tower with the 7 of Moons and Leaves
attack 1 3MW 2/4 with 1/2   ... the own green tower 1/2 standing in for the colour that is missing
attack 1 7ML 2/3 excuse     ... with the Excuse beside it; attack 1 ?2 2/3: with an unknown card of two pips
attack 1 ? 2/3              ... is announced: the card is told next; so is remodel 1/2 r1
defend 2 3MW 4WL            the player who is attacked plays cards; defend 2 AM with 2/1: a green tower standing in
allow 2                     ... or none                     change 2/3 g1    the piece that is put on as change; -: none
draw 1                      cards; draw 1 exhausts: the pile ran out, in a deck that the umpire does not hold
remodel 1/2 r1 2SY 5ML 9WY  a new top for three cards       attrition 1/2    the own tower that takes a pip
tell 1 7ML                  the card, or the three, of an action that was seen and not announced

Cards: see `cards`; ? is one that was not told. Pieces are a letter and their pips: r, b, y, g, k (black) and 1, 2, 3.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any

from engine.errors import InvalidNotation
from engine.game import Touch
from engine.games.ziggurat.cards import Card
from engine.games.ziggurat.towers import TOWERS, piece, piece_text
from engine.table import Pyramid

Cards = tuple[Card | None, ...]


@dataclass(frozen=True, order=True)
class Place:
    """A tower's place: its player's number and its own, both counted from 1."""

    number: int
    tower: int

    def __str__(self) -> str:
        return f"{self.number}/{self.tower}"


@dataclass(frozen=True)
class Attack:
    """A player attacks a tower. Of a card that was not told, `pips` is its strength; None: only announced so far."""

    number: int
    card: Card | None
    target: Place
    using: Place | None = None
    with_excuse: bool = False
    pips: int | None = None

    def __str__(self) -> str:
        card = str(self.card) if self.card else f"?{self.pips or ''}"
        excuse = " excuse" if self.with_excuse else ""
        return f"attack {self.number} {card} {self.target}{_using_text(self.using)}{excuse}"

    @property
    def strength(self) -> int | None:
        return self.card.strength if self.card else self.pips


@dataclass(frozen=True)
class Defend:
    """Who is attacked plays cards that nullify the attack."""

    number: int
    cards: Cards
    using: Place | None = None

    def __str__(self) -> str:
        return f"defend {self.number} {_cards_text(self.cards)}{_using_text(self.using)}"


@dataclass(frozen=True)
class Allow:
    """Who is attacked does not defend."""

    number: int

    def __str__(self) -> str:
        return f"allow {self.number}"


@dataclass(frozen=True)
class Change:
    """A piece from the scrapyard is put on a tower as change; None: its owner goes without."""

    place: Place
    pyramid: Pyramid | None

    def __str__(self) -> str:
        return f"change {self.place} {piece_text(self.pyramid) if self.pyramid else '-'}"


@dataclass(frozen=True)
class Draw:
    """A player draws up to five cards. `exhausts`: the pile ran out, where the umpire does not hold the deck."""

    number: int
    exhausts: bool = False

    def __str__(self) -> str:
        return f"draw {self.number}{' exhausts' if self.exhausts else ''}"


@dataclass(frozen=True)
class Remodel:
    """The top of an own tower is exchanged for three cards. `pyramid` is the new one; None: the table shows it.

    Without cards it is only announced so far.
    """

    place: Place
    pyramid: Pyramid | None
    cards: Cards

    def __str__(self) -> str:
        new = piece_text(self.pyramid) if self.pyramid else "?"
        return f"remodel {self.place} {new} {_cards_text(self.cards)}".rstrip()


@dataclass(frozen=True)
class Suffer:
    """The answer to attrition: the own tower that loses a pip."""

    place: Place

    def __str__(self) -> str:
        return f"attrition {self.place}"


@dataclass(frozen=True)
class Tell:
    """The answer to which card, or which three, an action that nobody announced was made with."""

    number: int
    cards: tuple[Card, ...]

    def __str__(self) -> str:
        return f"tell {self.number} {_cards_text(self.cards)}"


def is_announced(move: Any) -> bool:
    """Whether it is not told yet which card an attack, or which three a remodelling, is made with."""
    match move:
        case Attack(card=None, pips=None) | Remodel(cards=()):
            return True
    return False


def completes(announced: Any, move: Any) -> bool:
    """Whether the move is what was announced, with its cards."""
    if not is_announced(announced) or is_announced(move):
        return False
    match announced, move:
        case Attack(), Attack():
            return (announced.number, announced.target) == (move.number, move.target)
        case Remodel(), Remodel():
            return announced.place == move.place and announced.pyramid in (None, move.pyramid)
    return False


def _using_text(using: Place | None) -> str:
    return f" with {using}" if using else ""


def _cards_text(cards: Cards) -> str:
    return " ".join(str(card) if card else "?" for card in cards)


_PLACE = rf"[1-9]/[1-{TOWERS}]"
_CARD = r"(?:[A2-9CPTacpt][MSWLYKmswlyk]{1,3}|[Xx])"


def place(text: str) -> Place:
    number, _, tower = text.partition("/")
    return Place(int(number), int(tower))


def _maybe(text: str | None) -> Place | None:
    return place(text) if text else None


def _card(text: str) -> Card | None:
    return None if text == "?" else Card.parse(text)


def _cards(text: str) -> Cards:
    return tuple(_card(word) for word in text.split())


def _attack(number: str, card: str, target: str, using: str | None, excuse: str | None) -> Attack:
    told, pips = (None, card[1:]) if card.startswith("?") else (Card.parse(card), "")
    return Attack(int(number), told, place(target), _maybe(using), excuse is not None, int(pips) if pips else None)


_READERS = (
    (re.compile(rf"attack (\d) ({_CARD}|\?[123]?) ({_PLACE})(?: with ({_PLACE}))?( excuse)?"), _attack),
    (
        re.compile(rf"defend (\d) ((?:(?:{_CARD}|\?) ?)+)(?:with ({_PLACE}))?"),
        lambda number, cards, using: Defend(int(number), _cards(cards), _maybe(using)),
    ),
    (re.compile(r"allow (\d)"), lambda number: Allow(int(number))),
    (
        re.compile(rf"change ({_PLACE}) ([rbygk][123]|-)"),
        lambda where, what: Change(place(where), None if what == "-" else piece(what)),
    ),
    (re.compile(r"draw (\d)( exhausts)?"), lambda number, exhausts: Draw(int(number), exhausts is not None)),
    (
        re.compile(rf"remodel ({_PLACE}) ([rbygk][123]|\?)((?: (?:{_CARD}|\?))*)"),
        lambda where, what, cards: Remodel(place(where), None if what == "?" else piece(what), _cards(cards)),
    ),
    (
        re.compile(rf"tell (\d)((?: {_CARD})+)"),
        lambda number, cards: Tell(int(number), tuple(Card.parse(word) for word in cards.split())),
    ),
    (re.compile(rf"attrition ({_PLACE})"), lambda where: Suffer(place(where))),
)


def parse(text: str) -> Any:
    """The move that `str` wrote. Raises InvalidNotation."""
    InvalidNotation.check_length(text)
    if touch := Touch.parse(text.strip()):
        return touch
    for pattern, made in _READERS:
        if found := pattern.fullmatch(text.strip()):
            return made(*found.groups())
    raise InvalidNotation(text, "a move such as 'attack 1 7ML 2/3', 'defend 2 3MW 4WL', 'draw 1' or 'change 2/3 g1'")
