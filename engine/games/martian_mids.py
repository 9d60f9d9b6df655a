"""Martian Mids: giant robots, stacks of upright pyramids, on a chessboard.

So far the umpire rules on initiative, turn order and moves. Shooting, attacking and everything that a missile does is
recognised as such and left to the players: `explain` says that it is beyond it. Rule sections are the fifth draft's.
Squares are written as on a chessboard: a1 bottom left, h8 top right. Directions go by the compass, north up the board.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from itertools import pairwise, permutations
from typing import Any

from engine.errors import InvalidNotation, InvalidSetup
from engine.game import Explanation, Touch
from engine.games.squares import BOARD, is_square
from engine.games.squares import COMPASS as COMPASS
from engine.games.squares import Square as Square
from engine.rules import Ending, Outcome, Rule, RuleViolation
from engine.table import Colour, Pyramid, Reading, Scene, Stack

# ---------------------------------------------------------------------------------------------------------- Rules

TURN_ORDER = Rule("turn-order", "In each round every player acts once, in the order of initiative.", "V.1, V.2")
A_MID_ACTS = Rule("a-mid-acts", "Only a Mid on the board can move.", "V.2")
STRAIGHT = Rule("straight-line", "A Mid moves in one straight line, along a rank, a file or a diagonal.", "V.2.B")
DISTANCE = Rule("move-distance", "A Mid moves at most as many squares as it has pyramids.", "V.2.B")
NOT_ZERO = Rule("not-zero", "A move goes at least one square.", "V.2.B")
ON_THE_BOARD = Rule("stay-on-board", "A Mid cannot move off the board.", "V.2.B")
NOT_THROUGH = Rule(
    "not-through-mids", "A moving Mid stops before another Mid: it neither enters nor jumps it.", "house ruling"
)
HANDS_OFF = Rule("hands-off", "Only what an action names may change on the board.", "house ruling")

RULES = (TURN_ORDER, A_MID_ACTS, STRAIGHT, DISTANCE, NOT_ZERO, ON_THE_BOARD, NOT_THROUGH, HANDS_OFF)

# ------------------------------------------------------------------------------- Position, State, Move, Options

COLOURS = frozenset({Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW})  # of pyramids: II.2
FOREIGN_BELOW = 0.1  # share of a stack's readings in the game's colours under which it is none of the game's
FULL_ARMY_PIPS = 30
REACH_OF_A_SHOVE = 2
AS_LIKELY_AS_NOT, MAY_WELL_BE = 0.45, 0.1  # shares of a stack's readings; first guesses
NUDGE_MM = 10.0  # a quarter of a square: over its border, but no move of one square is as short


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


@dataclass(frozen=True)
class Move:
    """A Mid goes from one square to another; `target` None is off the board."""

    origin: Square
    target: Square | None

    def __str__(self) -> str:
        return f"move {self.origin}-{self.target or 'off'}"


@dataclass(frozen=True)
class Setup:
    """What is agreed before the first photo: the players and, if it was declared, the first round's initiative."""

    players: tuple[Player, ...]
    initiative: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)

    @classmethod
    def from_json(cls, doc: dict[str, Any]) -> Setup:
        """The set-up that a game.json describes. Raises InvalidSetup, naming the field."""
        players = doc.get("players")
        if not isinstance(players, list) or not players:
            raise InvalidSetup("players", "a list of players", players)
        found = tuple(_player(n, player) for n, player in enumerate(players))
        for what in ("name", "stand"):
            values = [getattr(player, what) for player in found]
            if len(set(values)) < len(values):
                raise InvalidSetup("players", f"a different {what} for each player", [str(value) for value in values])
        return cls(found, _initiative(doc.get("initiative", []), found))


def _player(n: int, player: Any) -> Player:
    if not isinstance(player, dict) or not isinstance(player.get("name"), str) or not player["name"].strip():
        raise InvalidSetup(f"players[{n}].name", "a name", player)
    try:
        return Player(player["name"], Colour(player.get("stand")))
    except ValueError:
        raise InvalidSetup(f"players[{n}].stand", "the colour of the player's stands", player.get("stand")) from None


def _initiative(names: Any, players: tuple[Player, ...]) -> tuple[str, ...]:
    known = {player.name for player in players}
    if not isinstance(names, list) or not all(name in known for name in names) or len(set(names)) < len(names):
        raise InvalidSetup("initiative", f"names among {', '.join(sorted(known))}, each once", names)
    return tuple(names)


def start(setup: Setup, scene: Scene) -> State:
    """The first round, from the table as the first scene shows it."""
    position = read(_of_this_game(setup.players, scene))
    state = State(setup.players, position, 1, (), options=setup.options)
    state = replace(state, order=initiative(state))
    return declare(state, {"initiative": list(setup.initiative)}) if setup.initiative else state


def start_warnings(state: State) -> tuple[str, ...]:
    """How the board differs from one on which a game can begin, in sentences."""
    found = []
    for player in state.players:
        pips = sum(int(p.size) for square in state.mids_of(player.name) for p in _mid(state, square).pyramids)
        if pips != FULL_ARMY_PIPS:
            found.append(f"{player.name}'s Mids add up to {pips} pips; a new game starts with {FULL_ARMY_PIPS}.")
    for square, mid in state.position.mids:
        if state.owner_of(mid) is None:
            found.append(f"The Mid on {square} stands on no player's stand, as far as can be seen.")
        if any(upper.size > lower.size for lower, upper in pairwise(mid.pyramids)):
            found.append(f"In the Mid on {square} a pyramid stands on a smaller one.")
    if state.position.missiles:
        places = ", ".join(sorted({str(square) for square, _ in state.position.missiles}))
        found.append(f"Missiles lie on {places}; a new game starts without any.")
    return tuple(found)


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


# ------------------------------------------------------------------------------------------------ read, changes


def read(scene: Scene) -> Position:
    """The board of a scene: upright stacks are Mids, lying pieces missiles; what lies in no square is left out.

    Of two Mids in one square the surer one counts.
    """
    mids: dict[Square, Mid] = {}
    missiles = []
    for stack in sorted(scene.stacks, key=lambda one: one.confidence):
        if stack.zone is None or not is_square(stack.zone):
            continue
        square = Square.parse(stack.zone)
        if stack.pose.heading_deg is None:
            foot = (stack.sheet, stack.pose.x_mm, stack.pose.y_mm)
            mids[square] = Mid(stack.pyramids, stack.stand, foot, _counts(stack))
        else:
            direction = COMPASS[math.floor(stack.pose.heading_deg / 45 + 0.5) % 8]
            missiles.append((square, Missile(stack.pyramids[0], direction, stack.stand)))
    return Position.of(mids, missiles)


def _counts(stack: Stack) -> tuple[int, int] | None:
    """How many pyramids the stack has as likely as not, and how many it may well have."""
    upright = [(len(one.pyramids), one.probability) for one in stack.readings if not one.is_lying]
    whole = sum(probability for _, probability in upright)
    if not whole:
        return None
    share = {count: sum(p for n, p in upright if n >= count) / whole for count, _ in upright}
    return (
        max((count for count in share if share[count] >= AS_LIKELY_AS_NOT), default=0),
        max((count for count in share if share[count] >= MAY_WELL_BE), default=0),
    )


def sift(state: State, scene: Scene) -> Scene:
    """The scene without readings that this game's pieces cannot be: see `_of_this_game`."""
    return _of_this_game(state.players, scene)


def _of_this_game(players: tuple[Player, ...], scene: Scene) -> Scene:
    """Only readings in the game's four colours, on no stand but the players'.

    A stack that is probably none of the game's is left out: beads and strangers' pieces lie on tables too.
    """
    stands = {player.stand for player in players}
    kept = []
    for stack in scene.stacks:
        ranked = stack.readings or (Reading(stack.pyramids, stack.pose.heading_deg, stack.stand, 1.0),)
        fitting = tuple(one for one in ranked if all(pyramid.colour in COLOURS for pyramid in one.pyramids))
        if sum(one.probability for one in fitting) >= FOREIGN_BELOW * sum(one.probability for one in ranked):
            kept.append(
                _read_as(
                    stack, tuple(replace(one, stand=one.stand if one.stand in stands else None) for one in fitting)
                )
            )
    return Scene.of(kept, scene.empty_stands)


def _read_as(stack: Stack, ranked: tuple[Reading, ...]) -> Stack:
    first = ranked[0]
    pose = replace(stack.pose, heading_deg=first.heading_deg)
    return replace(stack, pose=pose, pyramids=first.pyramids, stand=first.stand, readings=ranked)


def changes(one: Position, other: Position) -> tuple[Touch, ...]:
    """Squares whose contents differ. A stand that cannot be seen is no change."""
    found = []
    for square in BOARD:
        before, after = _contents(one, square), _contents(other, square)
        if before != after:
            found.append(Touch(str(square), before, after))
    return tuple(found)


def is_as_before(state: State, stack: Stack) -> bool:
    """Whether the stack is what the state has in its square, its stand aside."""
    position = read(Scene.of([stack]))
    for square, mid in position.mids:
        before = state.position.mid_at(square)
        return before is not None and before.pyramids == mid.pyramids
    return set(_missiles(position)) <= set(_missiles(state.position))


def is_possible(state: State, stack: Stack) -> bool:
    """Whether something that happens on a board lets the stack lie so: it came from elsewhere, or what it was lost.

    Pieces of a Mid that was split count as unlikely: they are few, and misread stacks look like them.
    """
    mids = dict(state.position.mids)
    if stack.pose.is_lying:
        lying = {missile.pyramid for _, missile in state.position.missiles} | {mid.top for mid in mids.values()}
        return stack.pyramids[0] in lying
    here = mids.get(Square.parse(stack.zone)) if is_square(stack.zone) and stack.zone else None
    if here is not None and here.pyramids[: len(stack.pyramids)] == stack.pyramids:
        return True
    return any(mid.pyramids == stack.pyramids for mid in mids.values())


def _missiles(position: Position) -> tuple[tuple[Square, Pyramid, str], ...]:
    return tuple((square, missile.pyramid, missile.direction) for square, missile in position.missiles)


def _contents(position: Position, square: Square) -> str:
    mid = position.mid_at(square)
    lying = [str(missile) for where, missile in position.missiles if where == square]
    return ", ".join(([str(mid)] if mid else []) + lying) or "empty"


def _mid(state: State, square: Square) -> Mid:
    mid = state.position.mid_at(square)
    if mid is None:
        raise KeyError(str(square))
    return mid


# ------------------------------------------------------- explain, candidates, violations, play, declare, outcome


@dataclass(frozen=True)
class _Seen:
    """A position as the state lets us understand it, and where it differs from the state's.

    `gone` and `come` are squares that a Mid left or reached, `lost` squares where one has fewer pyramids than before.
    On `odd` squares pieces look changed in ways that no action brings about: that is our eye, so the position has
    them as they were.
    """

    position: Position
    gone: tuple[Square, ...]
    come: tuple[Square, ...]
    lost: tuple[Square, ...]
    odd: tuple[Square, ...]

    @property
    def mids(self) -> dict[Square, Mid]:
        return dict(self.position.mids)


def _recognised(state: State, position: Position) -> _Seen:
    """Nudges are forgiven, owners remembered, and what no action can have done is put down to our eye."""
    position, toppled = _upright_as_before(state, _without_nudges(state, position))
    mids, before = dict(_with_owners(state, position).mids), dict(state.position.mids)
    gone = tuple(square for square in before if square not in mids)
    lost, odd = [], list(toppled)
    for square, was in before.items():
        now = mids.get(square, was)
        if now.pyramids == was.pyramids or any(now.pyramids == before[left].pyramids for left in gone):
            continue
        if len(now.pyramids) < len(was.pyramids):
            lost.append(square)
            mids[square] = replace(now, pyramids=was.pyramids[: len(now.pyramids)])
        else:
            odd.append(square)
            mids[square] = replace(was, foot=now.foot, counts=now.counts)
    come = tuple(square for square in mids if square not in before)
    return _Seen(Position.of(mids, _known_missiles(state, position)), gone, come, tuple(lost), tuple(odd))


def _without_nudges(state: State, position: Position) -> Position:
    """A Mid that was pushed a few millimetres over its square's border still stands on it."""
    before, mids = dict(state.position.mids), dict(position.mids)
    for square, mid in position.mids:
        for near in square.neighbours():
            stayed = near in before and near not in mids and square not in before
            if stayed and _distance_mm(before[near], mid) <= NUDGE_MM:
                mids[near] = mids.pop(square)
                break
    return Position.of(mids, position.missiles)


def _distance_mm(one: Mid, other: Mid) -> float:
    """How far apart two feet are; infinite where they cannot be compared."""
    if one.foot is None or other.foot is None or one.foot[0] != other.foot[0]:
        return math.inf
    return math.dist(one.foot[1:], other.foot[1:])


def _upright_as_before(state: State, position: Position) -> tuple[Position, tuple[Square, ...]]:
    """A Mid seems to lie, or a missile to stand, in the very square where it was: seen from aside they look alike."""
    mids, missiles, odd = dict(position.mids), list(position.missiles), []
    lay = {square for square, _ in state.position.missiles}
    elsewhere = [mid.pyramids for square, mid in position.mids if state.position.mid_at(square) is None]
    for square, was in state.position.mids:
        lying = [pair for pair in missiles if pair[0] == square]
        if lying and square not in lay and square not in mids and was.pyramids not in elsewhere:
            missiles.remove(lying[0])
            mids[square] = was
            odd.append(square)
    for square, missile in state.position.missiles:
        standing = mids.get(square)
        if standing is None or state.position.mid_at(square) is not None or standing.pyramids != (missile.pyramid,):
            continue
        if all(mid.pyramids != standing.pyramids for left, mid in state.position.mids if left not in mids):
            del mids[square]
            missiles.append((square, missile))
            odd.append(square)
    return Position.of(mids, missiles), tuple(odd)


def _with_owners(state: State, position: Position) -> Position:
    """The position with the owners the state remembers: of Mids that stayed, and of Mids whose stand is not seen."""
    before, mids = dict(state.position.mids), dict(position.mids)
    gone = [mid for square, mid in before.items() if square not in mids]
    for square, mid in mids.items():
        if square in before and before[square].stand is not None:
            mids[square] = replace(mid, stand=before[square].stand)
        elif mid.stand is None:
            owners = {old.stand for old in gone if old.pyramids == mid.pyramids} or {old.stand for old in gone}
            mids[square] = replace(mid, stand=owners.pop()) if len(owners) == 1 else mid
    return Position.of(mids, position.missiles)


def _known_missiles(state: State, position: Position) -> tuple[tuple[Square, Missile], ...]:
    """Missiles neither turn nor change where they lie: where as many lie as did, they are the same."""
    found: list[tuple[Square, Missile]] = []
    for square in dict.fromkeys(square for square, _ in position.missiles):
        known = [pair for pair in state.position.missiles if pair[0] == square]
        lying = [pair for pair in position.missiles if pair[0] == square]
        found += known if len(known) == len(lying) else lying
    return tuple(found)


def refreshed(state: State, position: Position) -> State:
    """The state with what a table that is like it shows better: where Mids stand, and stands not seen before."""
    return replace(state, position=_recognised(state, position).position)


def explain(state: State, position: Position) -> tuple[Explanation, ...]:
    """What may have happened between the state's board and this one; nothing, if they are alike."""
    seen = _recognised(state, position)
    if _missiles(state.position) != _missiles(seen.position):
        return _missile_events(state, seen)
    if not (seen.gone or seen.come or seen.lost or changes(state.position, seen.position)):
        return _odd_looks(state, seen)
    if state.missiles_are_due:
        reason = "somebody acted before the missiles moved, and missiles are not ruled on yet"
        return _beyond(next_round(state), seen, reason, seen.gone)
    if seen.lost or not seen.gone or len(seen.gone) != len(seen.come):
        return _losses(state, seen)
    if len(seen.gone) > 2:
        return _beyond(state, seen, "more than two Mids are not where they were", ())
    return _moves(state, seen)


def _odd_looks(state: State, seen: _Seen) -> tuple[Explanation, ...]:
    if not seen.odd:
        return ()
    where = " and ".join(map(str, seen.odd))
    reason = f"what is on {where} looks different now, but pieces do not change where they stand: I may misread them"
    return (Explanation((), state, reason),)


def _moves(state: State, seen: _Seen) -> tuple[Explanation, ...]:
    """As many Mids came as went, one or two: they moved, unless an action beyond this version moved them."""
    pairings = [tuple(zip(seen.gone, targets, strict=True)) for targets in permutations(seen.come)]
    alike = [sum(_is_alike(state, seen, *pair) for pair in pairs) for pairs in pairings]
    best = [pairs for pairs, count in zip(pairings, alike, strict=True) if count == max(alike)]
    lines = [tuple(Move(*pair) for pair in ordered) for pairs in best for ordered in permutations(pairs)]
    return tuple(explanation for line in lines for explanation in _moved(state, seen, line))


def _is_alike(state: State, seen: _Seen, origin: Square, target: Square) -> bool:
    """Pieces do not change: what came is what went if it looks the same and stands on no other player's stand."""
    was, now = _mid(state, origin), seen.mids[target]
    return was.pyramids == now.pyramids and state.owner_of(now) in (None, state.owner_of(was))


def _moved(state: State, seen: _Seen, line: tuple[Move, ...]) -> tuple[Explanation, ...]:
    unknown = [move.origin for move in line if _owner_unknown(state, move)]
    if unknown and len(state.awaited) > 1:
        owned = [_owned(state, unknown[0], name) for name in state.awaited]
        return tuple(explanation for each in owned for explanation in _moved(each, seen, line))
    unlike = [move for move in line if move.target and not _is_alike(state, seen, move.origin, move.target)]
    after, doubt, broken = state, None, False
    for move in line:
        doubt = doubt or _doubt(after, move)
        broken = broken or bool(violations(after, move))
        after = play(after, move)
    if broken and unlike:
        doubt = doubt or f"what stands on {unlike[0].target} does not look like the Mid from {unlike[0].origin}"
    if broken and len(line) > 1:
        both = " and ".join(str(move.origin) for move in line)
        doubt = doubt or f"the Mids from {both} both moved, and no two turns allow that"
    if doubt is None:
        questions = tuple(_looks_different(move.target or move.origin) for move in unlike)
        questions += tuple(_looks_different(square) for square in seen.odd)
        return (Explanation(line, _refreshed_feet(after, seen), questions=questions),)
    return _beyond(state, seen, doubt, seen.gone, line)


def _owned(state: State, square: Square, name: str) -> State:
    """The state if the Mid on the square is that player's."""
    stand = next(player.stand for player in state.players if player.name == name)
    mids = dict(state.position.mids) | {square: replace(_mid(state, square), stand=stand)}
    return replace(state, position=Position.of(mids, state.position.missiles))


def _looks_different(square: Square) -> str:
    return f"What is on {square} looks different than before. I take it as unchanged: is it?"


def _refreshed_feet(state: State, seen: _Seen) -> State:
    """The state with each Mid's foot where it is seen now, and with its pyramids if they were too few to move so."""
    mids = {}
    for square, mid in state.position.mids:
        now = seen.mids.get(square, mid)
        better = now if len(mid.pyramids) < mid.likely_count <= len(now.pyramids) else mid
        mids[square] = replace(mid, foot=now.foot, pyramids=better.pyramids, counts=now.counts)
    return replace(state, position=Position.of(mids, state.position.missiles))


def _doubt(state: State, move: Move) -> str | None:
    """Why a Mid that went from one square to another need not have moved by its own action."""
    if move.target is None:
        return None
    for square in (*move.origin.between(move.target), move.target):
        if any(where == square for where, _ in state.position.missiles):
            return f"the Mid from {move.origin} met the missile on {square}; hits are not ruled on yet"
    if not violations(state, move):
        return None
    if not state.turns_are_sure and any(one.rule is TURN_ORDER for one in violations(state, move)):
        return "I cannot be sure whose turn it is, since not everything before could be ruled on"
    if _may_be_shoved(state, move):
        return f"the Mid from {move.origin} may have been shoved to {move.target}; attacks are not ruled on yet"
    if _count_in_doubt(state, move):
        return f"I cannot tell whether the Mid from {move.origin} has pyramids enough to go to {move.target}"
    if _owner_unknown(state, move):
        return f"I have not seen whose stand the Mid from {move.origin} stands on"
    if _may_be_controlled(state, move):
        return f"control beads may let another player move the Mid from {move.origin}; beads are not counted yet"
    return None


def _may_be_shoved(state: State, move: Move) -> bool:
    """A blue-topped Mid of somebody awaited stands right behind, and the way is as short as a shove."""
    step = move.target and move.origin.step_to(move.target)
    if not step or step[2] > REACH_OF_A_SHOVE:
        return False
    behind = Square(move.origin.file - step[0], move.origin.rank - step[1])
    attacker = state.position.mid_at(behind)
    return (
        attacker is not None
        and attacker.top.colour is Colour.BLUE
        and state.owner_of(attacker) in (*state.awaited, None)
    )


def _count_in_doubt(state: State, move: Move) -> bool:
    """Whether the move is too far only if the Mid has fewer pyramids than it may well have."""
    rules = {violation.rule for violation in violations(state, move)}
    step = move.origin.step_to(move.target) if move.target is not None else None
    return rules == {DISTANCE} and step is not None and step[2] <= _mid(state, move.origin).greatest_count


def _owner_unknown(state: State, move: Move) -> bool:
    mid = state.position.mid_at(move.origin)
    return mid is not None and state.owner_of(mid) is None


def _may_be_controlled(state: State, move: Move) -> bool:
    """Somebody acted out of turn, or so it seems, and yellow pyramids leave beads and silent turns possible.

    A control attack changes no pyramid, so a yellow-topped Mid next to another may have used up a turn unseen.
    """
    mid = state.position.mid_at(move.origin)
    if mid is None or state.owner_of(mid) in state.awaited:
        return False
    return any(
        other.top.colour is Colour.YELLOW and any(state.position.mid_at(near) for near in square.neighbours())
        for square, other in state.position.mids
    )


def _losses(state: State, seen: _Seen) -> tuple[Explanation, ...]:
    """Mids have fewer pyramids, vanished or appeared: an attack, a photo that misses one, or hands."""
    pairs = _pairs(state, seen)
    line = tuple(Move(*pair) for pair in pairs)
    missing = tuple(square for square in seen.gone if square not in dict(pairs))
    new = tuple(square for square in seen.come if square not in dict(pairs).values())
    words = [f"the Mid on {square} has fewer pyramids than before" for square in seen.lost]
    words += [f"the Mid from {square} is gone" for square in missing] + [
        f"a Mid has come to {square}" for square in new
    ]
    words += [f"another Mid stands on {square}" for square in _exchanged(state, seen)]
    reason = f"{', '.join(words)}; attacks are not ruled on yet"
    found = _beyond(state, seen, reason, (*missing, *seen.lost, *seen.gone), line)
    if line:
        found += _two_turns(found)
    if _is_attack(state, seen):
        return found
    kept = state
    for move in line:
        kept = play(kept, move)
    return (*found, Explanation(line, kept, found[0].beyond))


def _pairs(state: State, seen: _Seen) -> tuple[tuple[Square, Square], ...]:
    """Mids that have gone and come as they are, each once."""
    found: dict[Square, Square] = {}
    for origin in seen.gone:
        alike = [come for come in seen.come if come not in found.values() and _is_alike(state, seen, origin, come)]
        if alike:
            found[origin] = alike[0]
    return tuple(found.items())


def _exchanged(state: State, seen: _Seen) -> tuple[Square, ...]:
    before = dict(state.position.mids)
    return tuple(
        square
        for square, mid in seen.position.mids
        if square in before and square not in seen.lost and mid.pyramids != before[square].pyramids
    )


def _is_attack(state: State, seen: _Seen) -> bool:
    """Pyramids have gone from a Mid that somebody awaited could reach: no trick of our eye."""
    return any(
        (attacker := state.position.mid_at(near)) is not None and state.owner_of(attacker) in state.awaited
        for square in seen.lost
        for near in square.neighbours()
    )


def _missile_events(state: State, seen: _Seen) -> tuple[Explanation, ...]:
    """A missile came, went or moved: a shot, a hit, the end of a round, or a trick of our eye."""
    what = _missile_words(state, seen)
    if state.missiles_are_due:
        begun = next_round(replace(state, position=seen.position))
        phase = f"the missiles moved at the end of the round ({what}); how they fly and hit is not ruled on yet"
        found: tuple[Explanation, ...] = (
            Explanation((), begun, f"{phase}. {_GOING_ON}; round {begun.round_number} begins"),
        )
        return found if _is_only_flight(state, seen) else found + _two_turns(found)
    found = _beyond(state, seen, f"{what}; shots and hits are not ruled on yet", _shooters(state, seen))
    if _flights(state, seen):
        ended = tuple(replace(one, after=next_round(one.after)) for one in found if one.after.missiles_are_due)
        return ended + found + (replace(found[0], after=next_round(replace(state, position=seen.position))),)
    if seen.lost or seen.gone or seen.come:
        return found
    return (*found, replace(found[0], after=state))


def _missile_words(state: State, seen: _Seen) -> str:
    before, now = _missiles(state.position), _missiles(seen.position)
    came = [f"a {piece} missile came to {square}" for square, piece, _ in now if (square, piece, _) not in before]
    left = [f"the {piece} missile left {square}" for square, piece, _ in before if (square, piece, _) not in now]
    return " and ".join(left + came) or "the number of missiles changed"


def _shooters(state: State, seen: _Seen) -> tuple[Square, ...]:
    """Squares of Mids that may have shot: those that changed."""
    return (*seen.lost, *seen.gone)


def _flights(state: State, seen: _Seen) -> tuple[tuple[Square, Pyramid, str], ...]:
    """Missiles that were on the board and now lie further along, by as many squares as they have pips."""
    before, now = _missiles(state.position), _missiles(seen.position)
    return tuple(
        (target, piece, direction)
        for square, piece, direction in before
        if (square, piece, direction) not in now
        and (target := square.along(direction, int(piece.size))) is not None
        and (target, piece, direction) in now
    )


def _is_only_flight(state: State, seen: _Seen) -> bool:
    """Whether the missiles moved and nothing else happened."""
    arrived = {one for one in _missiles(seen.position) if one not in _missiles(state.position)}
    return not (seen.lost or seen.gone or seen.come) and arrived <= set(_flights(state, seen))


_GOING_ON = "I go on from the table as it lies"


def _beyond(
    state: State, seen: _Seen, reason: str, squares: tuple[Square, ...], line: tuple[Move, ...] = ()
) -> tuple[Explanation, ...]:
    """The game goes on from the table as seen, and the actor's turn is over; in a tie it may be anybody's.

    The likeliest actor owns a Mid on one of the squares.
    """
    owners = [state.owner_of(mid) for square in squares if (mid := state.position.mid_at(square))]
    actors = dict.fromkeys([*(name for name in owners if name in state.awaited), *state.awaited])
    lies = replace(state, position=seen.position, turns_are_sure=False)
    if not actors:
        return (Explanation(line, turn_over(lies, None), f"{reason}. {_GOING_ON}"),)
    first = next(iter(actors))
    said = f"{reason}. {_GOING_ON}; {first}'s turn is over"
    return tuple(Explanation(line, turn_over(lies, actor), said) for actor in actors)


def _two_turns(explanations: tuple[Explanation, ...]) -> tuple[Explanation, ...]:
    """The same, if one turn more was taken between the photos."""
    return tuple(
        replace(one, after=turn_over(one.after, name)) for one in explanations for name in one.after.awaited[:1]
    )


def candidates(state: State) -> tuple[Move, ...]:
    """Every move of every Mid to another square of the board."""
    return tuple(Move(origin, target) for origin, _ in state.position.mids for target in BOARD if target != origin)


def violations(state: State, move: Any) -> tuple[RuleViolation, ...]:
    """The rules that the move breaks, each with its reason."""
    if not isinstance(move, Move):
        return (RuleViolation(HANDS_OFF, f"{move}: no action does that"),)
    mid = state.position.mid_at(move.origin)
    if mid is None:
        return (RuleViolation(A_MID_ACTS, f"there is no Mid on {move.origin}"),)
    return (*_turn_violations(state, move, mid), *_way_violations(state, move, mid))


def _turn_violations(state: State, move: Move, mid: Mid) -> tuple[RuleViolation, ...]:
    owner = state.owner_of(mid)
    if owner in state.awaited or (owner is None and state.awaited):  # a stand nobody saw may be theirs
        return ()
    whose = f"the Mid on {move.origin} is {owner}'s" if owner else f"the Mid on {move.origin} is somebody's"
    turn = f"it is {' or '.join(state.awaited)}'s turn" if state.awaited else "the missiles are to move first"
    return (RuleViolation(TURN_ORDER, f"{turn}, and {whose}"),)


def _way_violations(state: State, move: Move, mid: Mid) -> tuple[RuleViolation, ...]:
    if move.target is None:
        return (RuleViolation(ON_THE_BOARD, f"the Mid on {move.origin} left the board"),)
    if move.target == move.origin:
        return (RuleViolation(NOT_ZERO, f"the Mid on {move.origin} did not move"),)
    step = move.origin.step_to(move.target)
    if step is None:
        return (RuleViolation(STRAIGHT, f"{move.origin}-{move.target} is no straight line"),)
    found = []
    count = mid.likely_count
    if step[2] > count:
        squares = "one square" if count == 1 else f"{count} squares"
        pyramids = "one pyramid" if count == 1 else f"{count} pyramids"
        detail = f"a Mid of {pyramids} moves at most {squares}; {move.origin}-{move.target} is {step[2]}"
        found.append(RuleViolation(DISTANCE, detail))
    blocked = [s for s in (*move.origin.between(move.target), move.target) if state.position.mid_at(s) is not None]
    if blocked:
        found.append(
            RuleViolation(NOT_THROUGH, f"a Mid stands on {blocked[0]}, in the way from {move.origin} to {move.target}")
        )
    return tuple(found)


def play(state: State, move: Any) -> State:
    """The state after the move, legal or not: the Mid stands on the target and its owner's turn is over.

    Who acts out of turn has used up that turn; whose turn it was is still awaited.
    """
    if not isinstance(move, Move):
        return state
    mids = dict(state.position.mids)
    mid = mids.pop(move.origin, None)
    if mid is not None and move.target is not None:
        mids[move.target] = replace(mid, foot=None, stand=mid.stand or _stand_of_awaited(state))
    moved = replace(state, position=Position.of(mids, state.position.missiles))
    if mid is None:
        return moved
    owner = state.owner_of(mid) or next(iter(state.awaited), None)
    in_order = any(owner in group for group in state.order)
    return turn_over(moved, owner if in_order and owner not in state.acted else None)


def _stand_of_awaited(state: State) -> Colour | None:
    """Whose stand a Mid that acts stands on, if nobody saw it: that of the only one who could act."""
    stands = [player.stand for player in state.players if state.awaited == (player.name,)]
    return stands[0] if stands else None


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


def declare(state: State, declaration: Any) -> State:
    """The state after a declared initiative: {"initiative": [names in order]}. Ties are settled by it.

    If it contradicts the number of Mids, one of the two is wrong and nobody can be blamed: all share a group.
    Raises InvalidSetup.
    """
    if not isinstance(declaration, dict) or "initiative" not in declaration:
        raise InvalidSetup("declared", 'an object such as {"initiative": ["Ann", "Bob"]}', declaration)
    names = _initiative(declaration["initiative"], state.players)
    if _contradicts(names, state.order):
        return replace(state, order=(tuple(name for group in state.order for name in group),))
    rank = {name: n for n, name in enumerate(names)}
    order: list[tuple[str, ...]] = []
    for group in state.order:
        order += [(name,) for name in sorted((n for n in group if n in rank), key=lambda n: rank[n])]
        undecided = tuple(name for name in group if name not in rank)
        order += [undecided] if undecided else []
    return replace(state, order=tuple(order))


def _contradicts(names: tuple[str, ...], order: tuple[tuple[str, ...], ...]) -> bool:
    """Whether the names come in another order than the groups do."""
    place = {name: n for n, group in enumerate(order) for name in group}
    places = [place[name] for name in names if name in place]
    return places != sorted(places)


def declared_warnings(state: State, names: tuple[str, ...]) -> tuple[str, ...]:
    """A declared order that contradicts the number of Mids, in a sentence."""
    order = initiative(state)
    if not _contradicts(names, order):
        return ()
    flat = ", ".join(name for group in order for name in group)
    said = ", ".join(names)
    return (f"The declared initiative is {said}; by the Mids on the board it is {flat}. I take it as undecided.",)


def outcome(state: State) -> Outcome | None:
    """The last player who owns Mids wins; with no Mids left nobody does (VI)."""
    if any(state.owner_of(mid) is None for _, mid in state.position.mids):
        return None
    left = [player.name for player in state.players if state.mids_of(player.name)]
    if len(left) > 1:
        return None
    return Outcome(Ending.WON, tuple(left)) if left else Outcome(Ending.DRAWN)


# ---------------------------------------------------------------------------------------------------------- parse

_MOVE = re.compile(r"\s*move\s+([a-h][1-8])\s*-\s*([a-h][1-8]|off)\s*", re.IGNORECASE)
_TOUCH = re.compile(r"touch (\S+) (.+) -> (.+)")


def parse(text: str) -> Move | Touch:
    """The move that `str` wrote.

    >>> parse("move c4-e6")
    Move(origin=Square(file=2, rank=3), target=Square(file=4, rank=5))
    """
    if found := _MOVE.fullmatch(text):
        origin, target = found[1].lower(), found[2].lower()
        return Move(Square.parse(origin), None if target == "off" else Square.parse(target))
    if found := _TOUCH.fullmatch(text):
        return Touch(found[1], found[2], found[3])
    raise InvalidNotation(text, "a move such as 'move c4-e6'")
