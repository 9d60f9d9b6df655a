"""The judge and the clerk: which moves there are, which rules one breaks, and what it does to the board."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.games.martian_mids.notation import Move
from engine.games.martian_mids.rules import (
    A_MID_ACTS,
    DISTANCE,
    HANDS_OFF,
    NOT_THROUGH,
    NOT_ZERO,
    ON_THE_BOARD,
    STRAIGHT,
    TURN_ORDER,
)
from engine.games.martian_mids.state import Mid, Position, State, turn_over
from engine.games.squares import BOARD
from engine.rules import RuleViolation
from engine.table import Colour


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
