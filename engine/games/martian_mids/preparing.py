"""Before the first round: cards and pyramids are drafted, Mids are built in secret and placed (II to IV, VII).

A `Preparation` is the state until the last Mid is placed; then play goes on from a `State`. Nothing here judges.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import combinations
from typing import Any, TypeVar

from engine.errors import InvalidSetup
from engine.games.martian_mids.pieces import KINDS, Pyramids, pips_of
from engine.games.martian_mids.preparing_notation import Build, Choose, Discard, Pick, Place, Roll, Take, Trade
from engine.games.martian_mids.state import (
    Mid,
    Options,
    Player,
    Position,
    State,
    after_roll,
    but,
    initiative,
    without_hands,
)
from engine.games.martian_mids.state import outcome as outcome_of_rounds
from engine.games.squares import BOARD
from engine.rules import Outcome
from engine.table import Pyramid

ARMY_PIPS = 30  # II
STASH = 5  # of each size and colour: four players' thirty pips are just the set of sixty
DRAFTS = ("full", "partial", "none")
CARD_DRAFTS = ("full", "random", "none")
Value = TypeVar("Value")


@dataclass(frozen=True)
class Preparation:
    """Who has what, and what is still to come. Values of players stand in the order of seats.

    `pool` is what lies there to be drafted. `built` are a player's Mids that are not on the board yet, None until
    they are built. `order` is the order of placing, as in `State`; `placed` are those who have placed in this turn of
    it. `turn` is whose pick it is in a draft.
    """

    players: tuple[Player, ...]
    draft: str
    first: str
    options: Options = field(default_factory=Options)
    card_draft: str | None = None
    hands: tuple[tuple[str, ...], ...] = ()
    pool: Pyramids = ()
    collections: tuple[Pyramids, ...] = ()
    turn: str | None = None
    built: tuple[tuple[Pyramids, ...] | None, ...] = ()
    order: tuple[tuple[str, ...], ...] = ()
    placed: tuple[str, ...] = ()
    rolls: tuple[tuple[str, int], ...] = ()
    position: Position = field(default_factory=Position)

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(player.name for player in self.players)

    @cached_property
    def phase(self) -> str:
        """What is being done: 'cards', 'draft', 'assembly' or 'placing'."""
        if self.card_draft and any(len(hand) < self.options.cards_each for hand in self.hands):
            return "cards"
        if any(not self.is_done(name) for name in self.names):
            return "draft"
        return "assembly" if None in self.built else "placing"

    def of(self, values: tuple[Value, ...], name: str) -> Value:
        return values[self.names.index(name)]

    def has(self, name: str) -> Pyramids:
        """The pyramids that a player has drafted."""
        return self.of(self.collections, name)

    def waiting(self, name: str) -> tuple[Pyramids, ...]:
        """A player's Mids that are not on the board yet."""
        return self.of(self.built, name) or ()

    def fitting(self, name: str) -> Pyramids:
        """What a player may take without exceeding 30 pips, each kind once."""
        room = ARMY_PIPS - pips_of(self.has(name))
        return tuple(kind for kind in dict.fromkeys(self.pool) if kind.size <= room)

    def is_done(self, name: str) -> bool:
        """Whether a player has drafted all: 30 pips, or as many as can be reached (MM-28)."""
        if pips_of(self.has(name)) == ARMY_PIPS:
            return True
        return self.draft != "none" and not self.fitting(name) and not changes_for(self, name)

    @cached_property
    def awaited(self) -> tuple[str, ...]:
        """Who may do something now. In a tie whoever places first decides it, where no die does."""
        match self.phase:
            case "cards" | "draft" if self.turn is not None:
                return (self.turn,)
            case "cards" | "draft":
                return tuple(name for name in self.names if not _has_picked(self, name))
            case "assembly":
                return tuple(name for name, mids in zip(self.names, self.built, strict=True) if mids is None)
        for group in self.order:
            waiting = tuple(name for name in group if name not in self.placed and self.waiting(name))
            if waiting:
                return waiting
        return ()


def prepare(
    players: tuple[Player, ...], draft: str, first: str, options: Options, card_draft: str | None
) -> Preparation:
    """The beginning. `draft` is 'full', 'partial' or 'none'; `card_draft` 'full', 'random', 'none', or None where no
    cards are played with. `first` is who was drawn to draft first. Raises InvalidSetup."""
    names = [player.name for player in players]
    if not 2 <= len(players) <= 4:
        raise InvalidSetup("players", "two to four players", names)
    if draft not in DRAFTS:
        raise InvalidSetup("draft", " or ".join(DRAFTS), draft)
    if card_draft not in (None, *CARD_DRAFTS):
        raise InvalidSetup("card draft", " or ".join(CARD_DRAFTS), card_draft)
    if first not in names:
        raise InvalidSetup("first", f"one of {', '.join(names)}", first)
    mine = KINDS if draft == "partial" else ()
    pool = () if draft == "none" else KINDS * (STASH - (len(players) if mine else 0))
    each = len(players)
    begun = Preparation(players, draft, first, options, card_draft, ((),) * each, in_order(pool), (mine,) * each)
    return _with_turn(replace(begun, built=(None,) * each))


def in_order(pyramids: Iterable[Pyramid]) -> Pyramids:
    return tuple(sorted(pyramids, key=KINDS.index))


def changes_for(state: Preparation, name: str) -> tuple[Trade, ...]:
    """The change that a player may make: what makes 30 pips for one pyramid, else what comes closer (MM-28)."""
    mine, lack = state.has(name), ARMY_PIPS - pips_of(state.has(name))
    exact = [trade for trade in _trades(state, name, mine, 1) if _gain(trade) == lack]
    return tuple(exact or (trade for trade in _trades(state, name, mine, 2) if 0 < _gain(trade) <= lack))


def _trades(state: Preparation, name: str, mine: Pyramids, most: int) -> Iterable[Trade]:
    given = dict.fromkeys(in_order(some) for count in (1, 2) for some in combinations(mine, count))
    taken = dict.fromkeys(some for count in range(1, most + 1) for some in combinations(state.pool, count))
    return (Trade(name, ours, theirs) for ours in given for theirs in taken)


def _gain(trade: Trade) -> int:
    return pips_of(trade.taken) - pips_of(trade.given)


def fits_on_own(state: Preparation, name: str, mid: Pyramids) -> bool:
    """Whether the Mid may stand on one of its player's Mids on the board."""
    stand = state.of(state.players, name).stand
    return any(one.stand is stand and one.top.size >= mid[0].size for _, one in state.position.mids)


def is_full(state: Preparation) -> bool:
    return len(state.position.mids) == len(BOARD)


# The clerk.


def played(state: Preparation, move: Any) -> Preparation | State:
    """The state after the move, legal or not; the first round begins with the last Mid placed."""
    if getattr(move, "player", None) not in state.names:
        return state
    match move:
        case Pick():
            hand = (*state.of(state.hands, move.player), move.card)
            return _with_turn(_with(state, "hands", move.player, hand))
        case Take():
            return _with_turn(_exchanged(state, move.player, (), (move.pyramid,)))
        case Trade():
            return _with_turn(_exchanged(state, move.player, move.given, move.taken))
        case Choose():
            return _with(state, "collections", move.player, in_order(move.pyramids))
        case Build():
            return _ordered(_with(state, "built", move.player, move.mids))
        case Roll():
            order, rolls = after_roll(state.order, state.rolls, state.placed, move)
            return replace(state, order=order, rolls=rolls)
        case Place():
            return _placed(state, move)
        case Discard():
            return _gone(state, move.player, move.mid)
    return state


def _with(state: Preparation, what: str, name: str, value: Any) -> Preparation:
    values = list(getattr(state, what))
    values[state.names.index(name)] = value
    changed: dict[str, Any] = {what: tuple(values)}
    return replace(state, **changed)


def _exchanged(state: Preparation, name: str, given: Pyramids, taken: Pyramids) -> Preparation:
    mine = Counter(state.has(name)) - Counter(given) + Counter(taken)
    left = Counter(state.pool) + Counter(given) - Counter(taken)
    return replace(_with(state, "collections", name, in_order(mine.elements())), pool=in_order(left.elements()))


def _with_turn(state: Preparation) -> Preparation:
    """Whose pick it is: the next clockwise who is not done, at first the first; nobody's where all choose at once."""
    manner = {"cards": state.card_draft, "draft": state.draft}.get(state.phase)
    if manner not in ("full", "partial"):
        return replace(state, turn=None)
    begin = state.names.index(state.first) if state.turn is None else state.names.index(state.turn) + 1
    seats = [state.names[(begin + n) % len(state.names)] for n in range(len(state.names))]
    return replace(state, turn=next(name for name in seats if not _has_picked(state, name)))


def _has_picked(state: Preparation, name: str) -> bool:
    if state.phase == "cards":
        return len(state.of(state.hands, name)) >= state.options.cards_each
    return state.is_done(name)


def _ordered(state: Preparation) -> Preparation:
    """When all have built: who has most Mids places first; equals share a group (IV)."""
    if None in state.built:
        return state
    counts = {name: len(state.waiting(name)) for name in state.names}
    by_count = [tuple(name for name in counts if counts[name] == count) for count in sorted(set(counts.values()))]
    return replace(state, order=tuple(reversed(by_count)))


def _placed(state: Preparation, move: Place) -> Preparation | State:
    there = state.position.mid_at(move.square)
    stand = state.of(state.players, move.player).stand
    mid = replace(there, pyramids=(*there.pyramids, *move.mid)) if there else Mid(move.mid, stand)
    mids = state.position.by_square | {move.square: mid}
    return _gone(replace(state, position=Position.of(mids)), move.player, move.mid)


def _gone(state: Preparation, name: str, mid: Pyramids) -> Preparation | State:
    """The Mid waits no more; when all have placed one, those with Mids left go on in the same order."""
    left = list(state.waiting(name))
    if mid in left:
        left.remove(mid)
    state = replace(_with(state, "built", name, tuple(left)), placed=(*state.placed, name))
    if not any(state.built):
        return _begun(state)
    if state.awaited:
        return state
    decided = tuple((name,) for name in dict.fromkeys(state.placed))
    others = tuple((name,) for group in state.order for name in group if name not in state.placed)
    return replace(state, order=(*decided, *others), placed=())


def _begun(state: Preparation) -> State:
    hands = tuple(zip(state.names, state.hands, strict=True)) if state.card_draft else ()
    begun = State(state.players, state.position, 1, (), options=state.options, hands=hands)
    return but(begun, order=initiative(begun))


# What everybody asks of a state, before the first round and after.


def outcome(state: State | Preparation) -> Outcome | None:
    """How the game ended, if it did (VI)."""
    return None if isinstance(state, Preparation) else outcome_of_rounds(state)


def visible_to(state: State | Preparation, player: str | None) -> State | Preparation:
    """The state without others' cards, what they chose with no draft, and Mids that are not on the board yet."""
    if isinstance(state, State):
        return without_hands(state, player)
    for name in state.names:
        if name != player:
            state = _without_secrets(state, name)
    return state


def _without_secrets(state: Preparation, name: str) -> Preparation:
    built = state.of(state.built, name)
    state = _with(state, "hands", name, ("?",) * len(state.of(state.hands, name)))
    state = _with(state, "built", name, None if built is None else ((),) * len(built))
    return _with(state, "collections", name, ()) if state.draft == "none" else state
