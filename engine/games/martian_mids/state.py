"""What lies on the board and what must be remembered: Mid, Missile, Position, State; rounds and their order."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine.games.squares import Square
from engine.rules import Ending, Outcome
from engine.table import Colour, Pyramid


@dataclass(frozen=True)
class Mid:
    """A stack of upright pyramids, bottom first, and the colour of its stand, if it is known.

    `foot` is where it was last seen to stand: the sheet and millimetres on it. `counts` are the numbers of pyramids
    that it likely and at most has, where a photo leaves that in doubt. Neither makes two Mids different.
    """

    pyramids: tuple[Pyramid, ...]
    stand: Colour | None = None
    foot: tuple[str, float, float] | None = field(default=None, compare=False)
    counts: tuple[int, int] | None = field(default=None, compare=False)

    def __str__(self) -> str:
        return " under ".join(str(pyramid) for pyramid in self.pyramids)

    @property
    def likely_count(self) -> int:
        return max(len(self.pyramids), *(self.counts or (0,))[:1])

    @property
    def greatest_count(self) -> int:
        return max(len(self.pyramids), *(self.counts or (0,)))

    @property
    def top(self) -> Pyramid:
        return self.pyramids[-1]


@dataclass(frozen=True)
class Missile:
    """A lying pyramid and where it points."""

    pyramid: Pyramid
    direction: str
    stand: Colour | None = None

    def __str__(self) -> str:
        return f"{self.pyramid} pointing {self.direction}"


@dataclass(frozen=True)
class Position:
    """What can be seen on the board: at most one Mid a square, any number of missiles. Both in the board's order."""

    mids: tuple[tuple[Square, Mid], ...] = ()
    missiles: tuple[tuple[Square, Missile], ...] = ()

    @classmethod
    def of(cls, mids: dict[Square, Mid], missiles: Iterable[tuple[Square, Missile]] = ()) -> Position:
        ordered = sorted(missiles, key=lambda pair: (pair[0], pair[1].direction, str(pair[1])))
        return cls(tuple(sorted(mids.items(), key=lambda pair: pair[0])), tuple(ordered))

    def mid_at(self, square: Square) -> Mid | None:
        return dict(self.mids).get(square)


@dataclass(frozen=True)
class Player:
    """A player's name and the colour of their stands."""

    name: str
    stand: Colour


@dataclass(frozen=True)
class Options:
    """Switches for rules that groups play differently. None yet: moves have no disputed reading but the house's."""


@dataclass(frozen=True)
class State:
    """The board and what must be remembered.

    `order` is this round's initiative: groups of players, each of one player unless a tie has not been decided.
    `acted` are those whose turn of this round is over, in order. `turns_are_sure` ends with the first event that
    could not be ruled on: whose turn that was is a guess, so from then on nobody is accused of acting out of turn.
    """

    players: tuple[Player, ...]
    position: Position
    round_number: int
    order: tuple[tuple[str, ...], ...]
    acted: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    turns_are_sure: bool = True

    @property
    def awaited(self) -> tuple[str, ...]:
        """Who may act now: one player, or several whose tie the first to act decides. None: missiles are due.

        Who has lost all Mids since the round began is skipped (house ruling MM-16).
        """
        for group in self.order:
            waiting = tuple(name for name in group if name not in self.acted and self._may_own_a_mid(name))
            if waiting:
                return waiting
        return ()

    @property
    def missiles_are_due(self) -> bool:
        return not self.awaited and bool(self.position.missiles)

    def _may_own_a_mid(self, name: str) -> bool:
        return any(self.owner_of(mid) in (name, None) for _, mid in self.position.mids)

    def owner_of(self, mid: Mid) -> str | None:
        return next((player.name for player in self.players if player.stand is mid.stand), None)

    def mids_of(self, name: str) -> tuple[Square, ...]:
        return tuple(square for square, mid in self.position.mids if self.owner_of(mid) == name)


def mid_on(state: State, square: Square) -> Mid:
    mid = state.position.mid_at(square)
    if mid is None:
        raise KeyError(str(square))
    return mid


def missiles_of(position: Position) -> tuple[tuple[Square, Pyramid, str], ...]:
    return tuple((square, missile.pyramid, missile.direction) for square, missile in position.missiles)


def contents(position: Position, square: Square) -> str:
    mid = position.mid_at(square)
    lying = [str(missile) for where, missile in position.missiles if where == square]
    return ", ".join(([str(mid)] if mid else []) + lying) or "empty"


def initiative(state: State) -> tuple[tuple[str, ...], ...]:
    """Who owns most Mids acts first; equals share a group until a die, or the first to act, decides (V.1).

    Mids whose stand has not been seen may be anybody's: players they could tell apart share a group too.
    """
    count = {player.name: len(state.mids_of(player.name)) for player in state.players}
    unknown = sum(state.owner_of(mid) is None for _, mid in state.position.mids)
    groups: list[list[str]] = []
    for name in sorted((name for name in count if count[name] + unknown), key=lambda name: -count[name]):
        if groups and count[groups[-1][-1]] <= count[name] + unknown:
            groups[-1].append(name)
        else:
            groups.append([name])
    return tuple(tuple(group) for group in groups)


def turn_over(state: State, actor: str | None) -> State:
    """The actor's turn is done; after the last turn the round ends, at once if no missile is to move."""
    if actor is not None:
        state = replace(state, acted=(*state.acted, actor))
    if not state.awaited and not state.position.missiles:
        return next_round(state)
    return state


def next_round(state: State) -> State:
    begun = replace(state, round_number=state.round_number + 1, acted=(), order=())
    return replace(begun, order=initiative(begun))


def outcome(state: State) -> Outcome | None:
    """The last player who owns Mids wins; with no Mids left nobody does (VI)."""
    if any(state.owner_of(mid) is None for _, mid in state.position.mids):
        return None
    left = [player.name for player in state.players if state.mids_of(player.name)]
    if len(left) > 1:
        return None
    return Outcome(Ending.WON, tuple(left)) if left else Outcome(Ending.DRAWN)
