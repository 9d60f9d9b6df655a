"""From a scene to a position, and what a position shows once the state is remembered."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.game import Touch
from engine.games.martian_mids.preparing import Preparation
from engine.games.martian_mids.state import Mid, Missile, Player, Position, State, contents, missiles_of
from engine.games.squares import BOARD, COMPASS, Square, is_square
from engine.table import Colour, Reading, Scene, Size, Stack

COLOURS = frozenset({Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW})  # of pyramids: II.2
FOREIGN_BELOW = 0.1  # share of a stack's readings in the game's colours under which it is none of the game's
AS_LIKELY_AS_NOT, MAY_WELL_BE = 0.45, 0.1  # shares of a stack's readings; first guesses
NUDGE_MM = 10.0  # a quarter of a square: over its border, but no move of one square is as short


def read(scene: Scene) -> Position:
    """The board of a scene: upright stacks are Mids, lying pieces missiles; what lies in no square is left out.

    Of two Mids in one square the surer one counts.
    """
    mids: dict[Square, Mid] = {}
    missiles = []
    for stack in sorted(scene.stacks, key=lambda one: one.confidence):
        square = _square_of(stack)
        if square is None:
            continue
        if stack.pose.heading_deg is None:
            foot = (stack.sheet, stack.pose.x_mm, stack.pose.y_mm)
            mids[square] = Mid(stack.pyramids, stack.stand, foot, _counts(stack))
        else:
            missiles.append((square, Missile(stack.pyramids[0], _direction(stack.pose.heading_deg), stack.stand)))
    return Position.of(mids, missiles)


def _square_of(stack: Stack) -> Square | None:
    return Square.parse(stack.zone) if stack.zone is not None and is_square(stack.zone) else None


def _direction(heading_deg: float) -> str:
    return COMPASS[math.floor(heading_deg / 45 + 0.5) % 8]


def _counts(stack: Stack) -> tuple[int, int, int] | None:
    """How many pyramids the stack may well have at least, has as likely as not, and may well have at most."""
    upright = [(len(one.pyramids), one.probability) for one in stack.readings if not one.is_lying]
    whole = sum(probability for _, probability in upright)
    if not whole:
        return None
    higher = {count: sum(p for n, p in upright if n >= count) / whole for count, _ in upright}
    lower = {count: sum(p for n, p in upright if n <= count) / whole for count, _ in upright}
    return (
        min(count for count in lower if lower[count] >= MAY_WELL_BE),
        max((count for count in higher if higher[count] >= AS_LIKELY_AS_NOT), default=0),
        max((count for count in higher if higher[count] >= MAY_WELL_BE), default=0),
    )


def sift(state: State, scene: Scene) -> Scene:
    """The scene without readings that this game's pieces cannot be: see `of_this_game`."""
    return of_this_game(state.players, scene)


def of_this_game(players: tuple[Player, ...], scene: Scene) -> Scene:
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
        before, after = contents(one, square), contents(other, square)
        if before != after:
            found.append(Touch(str(square), before, after))
    return tuple(found)


def is_as_before(state: State, stack: Stack) -> bool:
    """Whether the stack is what the state has in its square, its stand aside."""
    square = _square_of(stack)
    if square is None:
        return True
    if stack.pose.heading_deg is not None:
        return (square, stack.pyramids[0], _direction(stack.pose.heading_deg)) in missiles_of(state.position)
    before = state.position.mid_at(square)
    return before is not None and before.pyramids == stack.pyramids


def is_possible(state: State, stack: Stack) -> bool:
    """Whether something that happens on a board lets the stack lie so: it came from elsewhere, or what it was lost.

    Pieces of a Mid that was split count as unlikely: they are few, and misread stacks look like them. Where another
    Mid stood, one comes only if it is shoved there, along a line.
    """
    mids = dict(state.position.mids)
    if stack.pose.is_lying:
        lying = {missile.pyramid for _, missile in state.position.missiles} | {mid.top for mid in mids.values()}
        return stack.pyramids[0] in lying
    square = _square_of(stack)
    here = mids.get(square) if square is not None else None
    if here is not None and here.pyramids[: len(stack.pyramids)] == stack.pyramids:
        return True
    alike = [where for where, mid in mids.items() if mid.pyramids == stack.pyramids]
    return any(here is None or square is None or _may_be_shoved(where, square) for where in alike)


def _may_be_shoved(origin: Square, target: Square) -> bool:
    step = origin.step_to(target)
    return step is not None and step[2] <= max(Size)


@dataclass(frozen=True)
class Seen:
    """A position as the state lets us understand it, and where it differs from the state's.

    `gone` and `come` are squares that a Mid left or reached, `lost` squares where one has fewer pyramids than before.
    On `odd` squares pieces look changed in ways that no action of one Mid brings about: that may be our eye, so the
    position has them as they were; `plain` has them as they look.
    """

    position: Position
    plain: Position
    gone: tuple[Square, ...]
    come: tuple[Square, ...]
    lost: tuple[Square, ...]
    odd: tuple[Square, ...]

    @property
    def mids(self) -> dict[Square, Mid]:
        return dict(self.position.mids)


def recognised(state: State, position: Position) -> Seen:
    """Nudges are forgiven, owners remembered, and what no action can have done is put down to our eye."""
    position, toppled = _upright_as_before(state, _without_nudges(state, position))
    position = _with_owners(state, position)
    missiles = _known_missiles(state, position, _number)
    plain = Position.of(position.by_square, _known_missiles(state, position, _piece))
    mids, before = dict(position.mids), state.position.by_square
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
    return Seen(Position.of(mids, missiles), plain, gone, come, tuple(lost), tuple(odd))


def _without_nudges(state: State, position: Position) -> Position:
    """A Mid that was pushed a few millimetres over its square's border still stands on it."""
    before, mids = dict(state.position.mids), dict(position.mids)
    for square, mid in position.mids:
        for near in square.neighbours():
            stayed = near in before and near not in mids and square not in before
            if stayed and distance_mm(before[near], mid) <= NUDGE_MM:
                mids[near] = mids.pop(square)
                break
    return Position.of(mids, position.missiles)


def distance_mm(one: Mid, other: Mid) -> float:
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
    """The position with what the state remembers of Mids' stands: whose they are, and the beads on them."""
    before, mids = state.position.by_square, dict(position.mids)
    gone = [mid for square, mid in before.items() if square not in mids]
    parted = {square: was for square, was in before.items() if square in mids and _is_lower(mids[square], was)}
    for square, mid in mids.items():
        if square in before:
            mids[square] = replace(mid, stand=before[square].stand or mid.stand, beads=before[square].beads)
            continue
        alike = [old for old in gone if old.pyramids == mid.pyramids]
        parts = [was for near, was in parted.items() if near in square.neighbours() and _is_part(mid, was)]
        came_from = alike or parts or gone
        owners, beads = {old.stand for old in came_from}, {old.beads for old in came_from if old not in parts}
        stand = mid.stand or (owners.pop() if len(owners) == 1 else None)
        mids[square] = replace(mid, stand=stand, beads=beads.pop() if len(beads) == 1 else None)
    return Position.of(mids, position.missiles)


def _is_lower(now: Mid, was: Mid) -> bool:
    return len(now.pyramids) < len(was.pyramids) and was.pyramids[: len(now.pyramids)] == now.pyramids


def _is_part(part: Mid, was: Mid) -> bool:
    """Whether these pyramids stood in this order in the Mid: a split leaves all parts to its owner (V.2.A.ii)."""
    count = len(part.pyramids)
    return any(was.pyramids[n : n + count] == part.pyramids for n in range(len(was.pyramids)))


def _known_missiles(state: State, position: Position, key: Callable[[Missile], Any]) -> list[tuple[Square, Missile]]:
    """Missiles do not turn where they lie: where those that lie are as those that lay, they are the same."""
    found: list[tuple[Square, Missile]] = []
    for square in dict.fromkeys(square for square, _ in position.missiles):
        known, lying = state.position.missiles_at(square), position.missiles_at(square)
        are_same = Counter(map(key, known)) == Counter(map(key, lying))
        found += [(square, missile) for missile in (known if are_same else lying)]
    return found


def _piece(missile: Missile) -> Any:
    return missile.pyramid


def _number(missile: Missile) -> Any:
    return None


def refreshed(state: State | Preparation, position: Position) -> State | Preparation:
    """The state with what a table that is like it shows better: where Mids stand, and stands not seen before.

    Before the first round the board is as it was said, not as it is seen.
    """
    if isinstance(state, Preparation):
        return state
    return replace(state, position=recognised(state, position).position)
