"""What lies on the board and what must be remembered: Mid, Missile, Position, State; rounds and their order."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from operator import itemgetter
from typing import Any

from engine.games.martian_mids.preparing_notation import PlayCard, Roll
from engine.games.squares import Square
from engine.rules import Ending, Outcome
from engine.table import Colour, Pyramid


@dataclass(frozen=True)
class Beads:
    """Control beads on a Mid's stand (V.2.A.ii): whose, how many, and whether they were placed in this round.

    `player` is None where nobody knows whose missile placed them.
    """

    player: str | None
    count: int
    are_fresh: bool = True


@dataclass(frozen=True)
class Mid:
    """A stack of upright pyramids, bottom first, the colour of its stand, if it is known, and the beads on that.

    `foot` is where it was last seen to stand: the sheet and millimetres on it. `counts` are the numbers of pyramids
    that it has at least, likely and at most, where a photo leaves that in doubt. Neither makes two Mids different.
    """

    pyramids: tuple[Pyramid, ...]
    stand: Colour | None = None
    foot: tuple[str, float, float] | None = field(default=None, compare=False)
    counts: tuple[int, int, int] | None = field(default=None, compare=False)
    beads: Beads | None = None

    def __str__(self) -> str:
        return " under ".join(str(pyramid) for pyramid in self.pyramids)

    @property
    def likely_count(self) -> int:
        return max(len(self.pyramids), self.counts[1]) if self.counts else len(self.pyramids)

    @property
    def least_count(self) -> int:
        return min(len(self.pyramids), self.counts[0]) if self.counts else len(self.pyramids)

    @property
    def greatest_count(self) -> int:
        return max(len(self.pyramids), self.counts[2]) if self.counts else len(self.pyramids)

    @property
    def top(self) -> Pyramid:
        return self.pyramids[-1]

    def with_left(self, pyramids: tuple[Pyramid, ...]) -> Mid:
        """The Mid with fewer pyramids; the doubt about how many there are stays the same."""
        gone = len(self.pyramids) - len(pyramids)
        if self.counts is None:
            return replace(self, pyramids=pyramids)
        least, likely, most = (max(count - gone, 0) for count in self.counts)
        return replace(self, pyramids=pyramids, counts=(least, likely, most))

    @property
    def pips(self) -> int:
        return sum(pyramid.size for pyramid in self.pyramids)


@dataclass(frozen=True)
class Missile:
    """A lying pyramid and where it points."""

    pyramid: Pyramid
    direction: str
    stand: Colour | None = None

    def __str__(self) -> str:
        return f"{self.pyramid} pointing {self.direction}"


_SQUARE = itemgetter(0)


def _missile_order(pair: tuple[Square, Missile]) -> tuple[Square, str, int, str, str]:
    square, missile = pair
    pyramid, stand = missile.pyramid, missile.stand
    return (square, missile.direction, pyramid.size, pyramid.colour.value, stand.value if stand else "")


@dataclass(frozen=True)
class Position:
    """What can be seen on the board: at most one Mid a square, any number of missiles. Both in the board's order."""

    mids: tuple[tuple[Square, Mid], ...] = ()
    missiles: tuple[tuple[Square, Missile], ...] = ()

    @classmethod
    def of(cls, mids: dict[Square, Mid], missiles: Iterable[tuple[Square, Missile]] = ()) -> Position:
        ordered = sorted(missiles, key=_missile_order)
        return cls(tuple(sorted(mids.items(), key=_SQUARE)), tuple(ordered))

    @cached_property
    def by_square(self) -> dict[Square, Mid]:
        """The Mids by where they stand; not to be written to."""
        return dict(self.mids)

    @cached_property
    def pieces(self) -> Counter[Pyramid]:
        """All that stand or lie; not to be written to."""
        standing = [pyramid for _, mid in self.mids for pyramid in mid.pyramids]
        return Counter(standing + [missile.pyramid for _, missile in self.missiles])

    def mid_at(self, square: Square) -> Mid | None:
        return self.by_square.get(square)

    def missiles_at(self, square: Square) -> tuple[Missile, ...]:
        return tuple(missile for where, missile in self.missiles if where == square)


@dataclass(frozen=True)
class Player:
    """A player's name and the colour of their stands."""

    name: str
    stand: Colour


@dataclass(frozen=True)
class Options:
    """Switches for rules that groups play differently; what is off is what the rules text says, as we read it.

    `cleave_room_first`: a cleaver counts the free squares before it asks whether the Mid has pyramids enough (MM-5).
    `missiles_spare_who_left`: further missiles in a square do not hit a Mid that the first ones pushed away (MM-4).
    `cards_each` and `cards_may_be_alike`: Mid Cards of a player, as all agreed (VII.3.A).
    `gaps`: photos may be missing, so that two events may lie between two tables.
    """

    cleave_room_first: bool = False
    missiles_spare_who_left: bool = False
    cards_each: int = 3
    cards_may_be_alike: bool = False
    gaps: bool = False


@dataclass(frozen=True)
class Splitting:
    """The Mid on a square is to be split so many times more, as the chooser likes; parts have landed on squares."""

    square: Square
    left: int
    chooser: str | None
    landed: tuple[Square, ...] = ()


@dataclass(frozen=True)
class Striking:
    """Missiles are to hit: for each place with missiles that a Mid entered, where that Mid is now."""

    pairs: tuple[tuple[Square, Square], ...]


Owed = Splitting | Striking


@dataclass(frozen=True)
class State:
    """The board and what must be remembered.

    `order` is this round's initiative: groups of players, each of one player unless a tie has not been decided.
    `acted` are those whose turn of this round is over, in order. `turns_are_sure` ends with the first event that
    could not be ruled on: whose turn that was is a guess, so from then on nobody is accused of acting out of turn.
    `owed` is what is still to be settled, first one first, before the turn of `acting`, or the missile that is on its
    way, is done. `flown` are the missiles that have moved at the end of this round. `said` are declared moves that
    no table has shown yet, `for_stalemate` those who have agreed that nobody can win any more. `rolls` are the dice of
    players who tie, until all of them have rolled. `cards` are the Mid Cards played in this turn, which may allow what
    the rules do not (VII.2), `discards` all that were ever played, and `hands` what players hold, where that was told:
    a secret.
    """

    players: tuple[Player, ...]
    position: Position
    round_number: int
    order: tuple[tuple[str, ...], ...]
    acted: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    turns_are_sure: bool = True
    owed: tuple[Owed, ...] = ()
    acting: str | None = None
    flown: tuple[tuple[Square, Missile], ...] = ()
    said: tuple[Any, ...] = ()
    for_stalemate: tuple[str, ...] = ()
    rolls: tuple[tuple[str, int], ...] = ()
    cards: tuple[PlayCard, ...] = ()
    discards: tuple[PlayCard, ...] = ()
    hands: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @cached_property
    def awaited(self) -> tuple[str, ...]:
        """Who may act now: one player, or several whose tie the first to act decides. None: missiles are due.

        Who controls no Mid is skipped (house ruling MM-16).
        """
        if self.is_over:
            return ()
        controllers = self.controllers
        for group in self.order:
            waiting = tuple(name for name in group if name not in self.acted and controllers & {name, None})
            if waiting:
                return waiting
        return ()

    @property
    def missiles_are_due(self) -> bool:
        return not self.awaited and bool(self.to_fly) and not self.is_over

    @cached_property
    def to_fly(self) -> tuple[tuple[Square, Missile], ...]:
        """The missiles that have not moved yet at the end of this round."""
        if not self.flown:
            return self.position.missiles
        left = Counter(self.position.missiles)
        left.subtract(self.flown)
        return tuple(pair for pair, count in left.items() for _ in range(count))

    @cached_property
    def owners(self) -> frozenset[str | None]:
        """Who owns a Mid; None among them if nobody knows of one."""
        return frozenset(self._player_of(stand) for stand in {mid.stand for _, mid in self.position.mids})

    @cached_property
    def controllers(self) -> frozenset[str | None]:
        """Who controls a Mid; None among them if nobody knows of one."""
        if not self.has_beads:
            return self.owners
        return frozenset(self.controller_of(mid) for _, mid in self.position.mids)

    @cached_property
    def has_beads(self) -> bool:
        return any([mid.beads for _, mid in self.position.mids])  # noqa: C419  a list is quicker here

    @cached_property
    def is_over(self) -> bool:
        return outcome(self) is not None

    def rank(self, name: str | None) -> int:
        """The place in this round's initiative; who has none comes last, and whose a missile is nobody knows first."""
        if name is None:
            return -1
        for place, group in enumerate(self.order):
            if name in group:
                return len(self.players) * place + (self.acted.index(name) if name in self.acted else len(self.acted))
        return len(self.players) * (len(self.order) + 1)

    def owner_of(self, piece: Mid | Missile) -> str | None:
        """Whose stand it is on (of a missile: the owner of the Mid it came from, MM-1); None if that is not known."""
        return self._player_of(piece.stand)

    def _player_of(self, stand: Colour | None) -> str | None:
        for player in self.players:
            if player.stand is stand:
                return player.name
        return None

    def controller_of(self, mid: Mid) -> str | None:
        """Whose beads lie on its stand, else whose stand it is."""
        return mid.beads.player if mid.beads else self.owner_of(mid)

    def mids_of(self, name: str) -> tuple[Square, ...]:
        return tuple(square for square, mid in self.position.mids if self.owner_of(mid) == name)


_REMEMBERED = tuple(each.name for each in fields(State))


def but(state: State, **changed: Any) -> State:
    """The state with some fields changed: `replace`, only quicker, since thousands of moves are tried for a photo."""
    made = object.__new__(State)
    made.__dict__.update({name: state.__dict__[name] for name in _REMEMBERED})
    made.__dict__.update(changed)
    return made


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
    count = Counter(state.owner_of(mid) for _, mid in state.position.mids)
    unknown, names = count[None], [player.name for player in state.players]
    acting = [name for name in names if count[name] + unknown or name in state.controllers]
    groups: list[list[str]] = []
    for name in sorted(acting, key=lambda name: -count[name]):
        if groups and count[groups[-1][-1]] <= count[name] + unknown:
            groups[-1].append(name)
        else:
            groups.append([name])
    return tuple(tuple(group) for group in groups)


Order = tuple[tuple[str, ...], ...]


def tied_with(order: Order, name: str, done: tuple[str, ...]) -> tuple[str, ...]:
    """Who shares a place with this player, that one included, and is not done; none where nobody does."""
    group = next((group for group in order if name in group), ())
    left = tuple(each for each in group if each not in done)
    return left if name in left and len(left) > 1 else ()


def after_roll(
    order: Order, rolls: tuple[tuple[str, int], ...], done: tuple[str, ...], roll: Roll
) -> tuple[Order, tuple[tuple[str, int], ...]]:
    """The order and the dice still lying, after another die. When all who tie have rolled, the higher come first."""
    tied, rolled = tied_with(order, roll.player, done), {**dict(rolls), roll.player: roll.pips}
    if not tied or any(name not in rolled for name in tied):
        return order, tuple(rolled.items())
    pips = sorted({rolled[name] for name in tied}, reverse=True)
    decided = tuple(tuple(name for name in tied if rolled[name] == each) for each in pips)
    place = next(n for n, group in enumerate(order) if roll.player in group)
    before = tuple(name for name in order[place] if name not in tied)
    groups = ((before,) if before else ()) + decided
    left = tuple((name, die) for name, die in rolled.items() if name not in tied)
    return (*order[:place], *groups, *order[place + 1 :]), left


def turn_over(state: State, actor: str | None) -> State:
    """The actor's turn is done; the round ends after its last turn and when every missile has moved."""
    if actor is not None:
        state = but(_with_beads_less(state, actor), acted=(*state.acted, actor), cards=_kept(state, actor))
    if not state.awaited and not state.to_fly and not state.is_over:
        return next_round(state)
    return state


def _kept(state: State, actor: str) -> tuple[PlayCard, ...]:
    """The cards of who acts: one may allow to act again. Other players' turns are over now."""
    return tuple(card for card in state.cards if card.player == actor) if state.cards else ()


def next_round(state: State) -> State:
    """The next round: the beads of this one have aged, and the order is set anew."""
    aged = _with_beads(state, lambda beads: replace(beads, are_fresh=False))
    begun = but(aged, round_number=state.round_number + 1, acted=(), order=(), flown=(), rolls=())
    return but(begun, order=initiative(begun))


def _with_beads_less(state: State, name: str) -> State:
    """At the end of a turn one of the player's beads goes from every stand, but none of this round's (V.2.D)."""
    return _with_beads(
        state,
        lambda beads: replace(beads, count=beads.count - 1) if beads.player == name and not beads.are_fresh else beads,
    )


def _with_beads(state: State, changed: Callable[[Beads], Beads]) -> State:
    """The state with other beads on every stand that has some; where none are left, there are none."""
    if not state.has_beads:
        return state
    mids = {}
    for square, mid in state.position.mids:
        beads = changed(mid.beads) if mid.beads else None
        mids[square] = replace(mid, beads=beads if beads and beads.count else None)
    return but(state, position=Position.of(mids, state.position.missiles))


def outcome(state: State) -> Outcome | None:
    """The last player who owns Mids wins; with no Mids left, or by agreement of all owners, nobody does (VI)."""
    owners = state.owners
    if None in owners:
        return None
    if owners <= set(state.for_stalemate):
        return Outcome(Ending.DRAWN)
    return Outcome(Ending.WON, tuple(name for name in owners if name)) if len(owners) == 1 else None


def without_hands(state: State, player: str | None) -> State:
    """The state without the cards in the hands of others; on the board nothing is secret."""
    hands = tuple((name, cards if name == player else ("?",) * len(cards)) for name, cards in state.hands)
    return but(state, hands=hands)
