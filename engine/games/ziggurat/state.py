"""What stands on the table and what must be remembered: Position, State; points and how the battle ends."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from engine.games.ziggurat.cards import BASIC, EXTENDED, Card
from engine.games.ziggurat.dealing import Deck, as_seen_by
from engine.games.ziggurat.notation import Attack, Place, Remodel
from engine.games.ziggurat.towers import KINDS, Tower, colour_of, pips_of
from engine.rules import Ending, Outcome
from engine.table import Colour, Size

Towers = tuple[Tower, ...]  # a player's four, by their places; () where none stands


@dataclass(frozen=True)
class Position:
    """What can be seen: each player's towers, in seating order, and the pieces of the scrapyard in a fixed order."""

    towers: tuple[Towers, ...] = ()
    scrapyard: Tower = ()

    @classmethod
    def of(cls, towers: tuple[Towers, ...]) -> Position:
        """The position with these towers: all other pieces of the game are in the scrapyard."""
        standing = Counter(pyramid for mine in towers for tower in mine for pyramid in tower)
        return cls(towers, tuple(kind for kind in KINDS for _ in range(len(towers) - standing[kind])))

    @property
    def places(self) -> tuple[Place, ...]:
        return tuple(Place(n, k) for n, mine in enumerate(self.towers, 1) for k in range(1, len(mine) + 1))

    def at(self, place: Place) -> Tower:
        """The tower there; () where there is none, or no such place."""
        mine = self.towers[place.number - 1] if 0 < place.number <= len(self.towers) else ()
        return mine[place.tower - 1] if 0 < place.tower <= len(mine) else ()

    def but(self, place: Place, tower: Tower) -> Position:
        """The position with another tower there; the scrapyard takes and gives what that needs."""
        mine = self.towers[place.number - 1]
        changed = (*mine[: place.tower - 1], tower, *mine[place.tower :])
        return Position.of((*self.towers[: place.number - 1], changed, *self.towers[place.number :]))


@dataclass(frozen=True)
class Player:
    """A player's name and the sheet on which the player's towers stand."""

    name: str
    sheet: str


@dataclass(frozen=True)
class Options:
    """Switches for variants and for rules that groups play differently; as they are here is the page, as we read it.

    `extended_deck`: Pawns, Courts and the Excuse are in the deck. `colours`: rainbow, xeno (white, clear, orange,
    purple and blue or cyan) or xeno-clear-wild (clear stands for green). `fresh_change`: change is not a piece that
    was just removed (ZDT-2). `draw_only_when_short`: nobody draws with five cards in hand (ZDT-9).
    `exhausted_when_needed`: the pile runs out when a card is wanted and none is there, not with its last (ZDT-10).
    `gaps`: photos may be missing, so that more may have happened between two tables than was said.
    """

    extended_deck: bool = False
    colours: str = "rainbow"
    fresh_change: bool = False
    draw_only_when_short: bool = False
    exhausted_when_needed: bool = False
    gaps: bool = False

    @property
    def cards(self) -> tuple[Card, ...]:
        return EXTENDED if self.extended_deck else BASIC


@dataclass(frozen=True)
class Defending:
    """An attack waits for a defence, or for none."""

    attack: Attack
    colour: Colour | None  # of its target, when the attack was declared


@dataclass(frozen=True)
class Changing:
    """A piece of this size is to be put on a tower, as `chooser` likes; the owner of a green tower may refuse."""

    place: Place
    size: Size
    chooser: int
    removed: Tower
    may_refuse: bool = False


@dataclass(frozen=True)
class Suffering:
    """A player is to take a pip from an own tower."""

    number: int


@dataclass(frozen=True)
class Drawing:
    """After attrition the discards are shuffled, and this player goes on drawing."""

    number: int


Owed = Defending | Changing | Suffering | Drawing


@dataclass(frozen=True)
class Untold:
    """An attack whose card, or a remodelling whose cards, nobody has told; `colour` is that of the attacked tower."""

    move: Attack | Remodel
    colour: Colour | None = None

    @property
    def number(self) -> int:
        return self.move.number if isinstance(self.move, Attack) else self.move.place.number

    def fits(self, cards: tuple[Card, ...]) -> bool:
        """Whether it can have been made with these."""
        if isinstance(self.move, Remodel):
            return len(cards) == len(self.move.cards)
        is_one = len(cards) == 1 and cards[0].strength == self.move.pips
        return is_one and self.colour in cards[0].targets


@dataclass(frozen=True)
class Struck:
    """The damage done last: where, how much, and the tower before it."""

    place: Place
    pips: int
    before: Tower


@dataclass(frozen=True)
class State:
    """The table and what must be remembered.

    `turn` is the number of the player to act. `deck` is None where the group plays with cards of its own; then `played`
    are the cards of each player since the last draw. `discards` are those that lie open, as far as they were told.
    `owed` is what is still to be settled, first one first. `lost` are the towers each player has lost, `points` those
    for towers destroyed; `first_out` those who ran out of towers first. `said` are declared moves that no table has
    shown yet, `untold` actions whose cards nobody has told. `struck` is the damage done last. `unfinished` is the state
    before an attack that nobody declared: it may not be over yet. `turns_are_sure` ends with the first event that could
    not be ruled on.
    """

    players: tuple[Player, ...]
    position: Position
    turn: int = 1
    options: Options = field(default_factory=Options)
    deck: Deck | None = None
    played: tuple[int, ...] = ()
    discards: tuple[Card, ...] = ()
    owed: tuple[Owed, ...] = ()
    lost: tuple[int, ...] = ()
    points: tuple[int, ...] = ()
    first_out: tuple[int, ...] = ()
    said: tuple[Any, ...] = ()
    untold: tuple[Untold, ...] = ()
    struck: Struck | None = None
    turns_are_sure: bool = True
    unfinished: State | None = None

    @property
    def numbers(self) -> range:
        return range(1, len(self.players) + 1)

    def name_of(self, number: int) -> str:
        return self.players[number - 1].name if number in self.numbers else f"player {number}"

    def towers_of(self, number: int) -> tuple[Place, ...]:
        """Where this player's towers stand."""
        mine = self.position.towers[number - 1] if number in range(1, len(self.position.towers) + 1) else ()
        return tuple(Place(number, k) for k, tower in enumerate(mine, 1) if tower)

    @cached_property
    def in_game(self) -> tuple[int, ...]:
        """Who has towers."""
        return tuple(number for number in self.numbers if self.towers_of(number))

    def has_colour(self, number: int, colour: Colour) -> bool:
        return any(colour_of(self.position.at(place)) is colour for place in self.towers_of(number))

    def green_of(self, number: int) -> tuple[Place, ...]:
        return tuple(place for place in self.towers_of(number) if colour_of(self.position.at(place)) is Colour.GREEN)

    @property
    def awaited(self) -> tuple[int, ...]:
        """Who has to choose or to act."""
        if self.owed:
            match self.owed[0]:
                case Defending(attack=attack):
                    return (attack.target.number,)
                case Changing(chooser=number) | Suffering(number=number) | Drawing(number=number):
                    return (number,)
        return () if self.is_over else (self.turn,)

    @property
    def is_over(self) -> bool:
        return len(self.in_game) <= 1 and not self.owed

    def score(self, number: int) -> int:
        """The points for towers destroyed and, once the battle is over, for the pips that its survivor has left."""
        pips = sum(pips_of(self.position.at(place)) for place in self.towers_of(number)) if self.is_over else 0
        return (self.points[number - 1] if self.points else 0) + pips


def begun(players: tuple[Player, ...], position: Position, turn: int = 1, options: Options | None = None) -> State:
    """The state before the first turn, with cards of the group's own."""
    nothing = (0,) * len(players)
    lost = tuple(sum(not tower for tower in mine) for mine in position.towers)
    return State(players, position, turn, options or Options(), played=nothing, lost=lost, points=nothing)


def next_number(state: State, number: int) -> int:
    """Who comes after this player, clockwise, of those who have towers; the same where nobody has."""
    order = [(number + n - 1) % len(state.players) + 1 for n in range(1, len(state.players) + 1)]
    return next((one for one in order if one in state.in_game), number)


def outcome(state: State) -> Outcome | None:
    """Most points win, and equals share it. The last player with towers scores their pips; there may be none."""
    if not state.is_over:
        return None
    best = max(state.score(number) for number in state.numbers)
    return Outcome(Ending.WON, tuple(state.name_of(n) for n in state.numbers if state.score(n) == best))


def visible_to(state: State, player: str | None) -> State:
    """The state without what that player may not see until the battle is over: others' hands, pile, seed."""
    before = visible_to(state.unfinished, player) if state.unfinished is not None else None
    if state.deck is None or state.is_over:
        return replace(state, unfinished=before)
    numbers = [n for n, one in enumerate(state.players, 1) if one.name == player]
    return replace(state, deck=as_seen_by(state.deck, numbers[0] if numbers else None), unfinished=before)
