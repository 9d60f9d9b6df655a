"""What is said before the first round, and what dice and cards say in any: the moves, their notation, and `parse`.

pick Ann 'Gotta Split'        a Mid Card is drafted        build Ann r3g2 b1      her Mids, each bottom first
take Ann r3                   a pyramid is drafted         roll Ann 4             a die, to break a tie
trade Ann r1 b1 for g3        change is made               place Ann r3g2 d4      a Mid goes on the board
choose Ann r3 r3 g1           all at once, with no draft   discard Ann r3         a Mid finds no place
card Ann 'Far!' lifts move-distance      a Mid Card is played; it may name the rules that it lifts

Names and cards of several words are put in quotes.
"""

from __future__ import annotations

import re
import shlex
from dataclasses import dataclass

from engine.games.martian_mids.pieces import Pyramids, piece, stack_text
from engine.games.squares import Square, is_square
from engine.table import Pyramid


@dataclass(frozen=True)
class Pick:
    """A player drafts a Mid Card, or is dealt it."""

    player: str
    card: str

    def __str__(self) -> str:
        return f"pick {_word(self.player)} {_word(self.card)}"


@dataclass(frozen=True)
class Take:
    """A player drafts a pyramid."""

    player: str
    pyramid: Pyramid

    def __str__(self) -> str:
        return f"take {_word(self.player)} {stack_text((self.pyramid,))}"


@dataclass(frozen=True)
class Trade:
    """A player makes change: gives pyramids back and takes others."""

    player: str
    given: Pyramids
    taken: Pyramids

    def __str__(self) -> str:
        return f"trade {_word(self.player)} {_pieces_text(self.given)} for {_pieces_text(self.taken)}"


@dataclass(frozen=True)
class Choose:
    """With no draft, a player chooses all pyramids at once from an own stash."""

    player: str
    pyramids: Pyramids

    def __str__(self) -> str:
        return f"choose {_word(self.player)} {_pieces_text(self.pyramids)}"


@dataclass(frozen=True)
class Build:
    """A player's Mids, each bottom first: a secret until they are placed."""

    player: str
    mids: tuple[Pyramids, ...]

    def __str__(self) -> str:
        return f"build {_word(self.player)} {' '.join(map(stack_text, self.mids))}"


@dataclass(frozen=True)
class Roll:
    """A player's die, where several tie for a place in an order."""

    player: str
    pips: int

    def __str__(self) -> str:
        return f"roll {_word(self.player)} {self.pips}"


@dataclass(frozen=True)
class Place:
    """A player places a Mid on a square."""

    player: str
    mid: Pyramids
    square: Square

    def __str__(self) -> str:
        return f"place {_word(self.player)} {stack_text(self.mid)} {self.square}"


@dataclass(frozen=True)
class Discard:
    """A player's Mid finds no place on a full board and leaves the game."""

    player: str
    mid: Pyramids

    def __str__(self) -> str:
        return f"discard {_word(self.player)} {stack_text(self.mid)}"


@dataclass(frozen=True)
class PlayCard:
    """A player plays a Mid Card: its text, and the rules that it lifts until the turn ends, if that was said."""

    player: str
    card: str
    lifts: tuple[str, ...] = ()

    def __str__(self) -> str:
        lifted = f" lifts {' '.join(map(_word, self.lifts))}" if self.lifts else ""
        return f"card {_word(self.player)} {_word(self.card)}{lifted}"


Prepared = Pick | Take | Trade | Choose | Build | Place | Discard
SaidAloud = Prepared | Roll | PlayCard


def parse_said(text: str) -> SaidAloud | None:
    """The move that `str` wrote; None for other text."""
    try:
        verb, player, *rest = shlex.split(text)
    except ValueError:
        return None
    try:
        return _said(verb.lower(), player, rest)
    except (KeyError, ValueError):
        return None


def _said(verb: str, player: str, rest: list[str]) -> SaidAloud | None:
    match verb, rest:
        case "pick", [card]:
            return Pick(player, card)
        case "take", [pyramid]:
            return Take(player, piece(pyramid))
        case "trade", [*_] if "for" in rest:
            middle = rest.index("for")
            given, taken = _pieces(rest[:middle]), _pieces(rest[middle + 1 :])
            return Trade(player, given, taken) if given and taken else None
        case "choose", [_, *_]:
            return Choose(player, _pieces(rest))
        case "build", [_, *_]:
            return Build(player, tuple(map(_stack, rest)))
        case "roll", [pips] if pips.isdecimal():
            return Roll(player, int(pips))
        case "place", [mid, square] if is_square(square.lower()):
            return Place(player, _stack(mid), Square.parse(square.lower()))
        case "discard", [mid]:
            return Discard(player, _stack(mid))
        case "card", [card]:
            return PlayCard(player, card)
        case "card", [card, "lifts", _, *_]:
            return PlayCard(player, card, tuple(rest[2:]))
    return None


def _word(text: str) -> str:
    return shlex.quote(text)


def _pieces_text(pyramids: Pyramids) -> str:
    return " ".join(stack_text((pyramid,)) for pyramid in pyramids)


def _pieces(words: list[str]) -> Pyramids:
    return tuple(map(piece, words))


def _stack(word: str) -> Pyramids:
    if not re.fullmatch(r"([rgby][123])+", word.lower()):
        raise ValueError(word)
    return tuple(piece(word[n : n + 2]) for n in range(0, len(word), 2))
