"""The judge before the first round: what may be said, and which rules it breaks."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from engine.game import Touch
from engine.games.martian_mids.pieces import KINDS, Pyramids, pips_of, stack_text
from engine.games.martian_mids.preparing import (
    ARMY_PIPS,
    STASH,
    Preparation,
    changes_for,
    fits_on_own,
    in_order,
    is_full,
)
from engine.games.martian_mids.preparing_notation import Build, Choose, Discard, Pick, Place, Roll, Take, Trade
from engine.games.martian_mids.rules import (
    BUILD_ALL,
    CARDS_DIFFER,
    CARDS_THREE,
    CHANGE_FORCED,
    CHANGE_MADE,
    DIE_FOR_TIES,
    DRAFT_POOL,
    DRAFT_TURN,
    HANDS_OFF,
    NOT_ON_SMALLER,
    ONE_STASH,
    PLACE_BUILT,
    PLACE_FREE,
    PLACE_ON_OWN,
    PLACE_TURN,
    PREPARE_IN_ORDER,
    THIRTY_PIPS,
)
from engine.games.martian_mids.state import Order, tied_with
from engine.games.squares import BOARD
from engine.rules import Rule, RuleViolation

PHASES = {
    **{Pick: "cards", Take: "draft", Trade: "draft", Choose: "draft", Build: "assembly"},
    **{Roll: "placing", Place: "placing", Discard: "placing"},
}
DIE = range(1, 7)


def candidates(state: Preparation) -> tuple[Any, ...]:
    """What those awaited may do. Cards, armies and dice are free: of armies one stands for all, of the others none."""
    found: list[Any] = []
    for name in state.awaited:
        match state.phase:
            case "draft" if state.draft == "none":
                found.append(Choose(name, in_order((*KINDS, KINDS[0], KINDS[2], KINDS[1]))))
            case "draft":
                found += [Take(name, kind) for kind in dict.fromkeys(state.pool)]
                found += changes_for(state, name) if not state.fitting(name) else ()
            case "assembly":
                found.append(Build(name, tuple((pyramid,) for pyramid in state.has(name))))
            case "placing":
                mids = dict.fromkeys(state.waiting(name))
                found += [Place(name, mid, square) for mid in mids for square in BOARD]
                found += [Discard(name, mid) for mid in mids if is_full(state)]
    return tuple(found)


def violations(state: Preparation, move: Any) -> tuple[RuleViolation, ...]:
    """The rules that the move breaks, each with its reason."""
    if isinstance(move, Touch):
        return (RuleViolation(HANDS_OFF, "nothing that is prepared does that"),)
    phase = PHASES.get(type(move))
    if phase != state.phase:
        return (RuleViolation(PREPARE_IN_ORDER, f"this is the time of {_TIMES[state.phase]}"),)
    if move.player not in state.names:
        return (RuleViolation(PREPARE_IN_ORDER, f"{move.player} does not play"),)
    match move:
        case Take() | Trade() if state.draft == "none":
            return (RuleViolation(DRAFT_TURN, "there is no draft: all pyramids are chosen at once"),)
        case Pick():
            return _pick_violations(state, move)
        case Take():
            return _take_violations(state, move)
        case Trade():
            return _trade_violations(state, move)
        case Choose():
            return _choice_violations(state, move)
        case Build():
            return _build_violations(state, move)
        case Roll():
            return roll_violations(state.order, state.rolls, state.placed, move)
        case Place():
            return (*_turn_to_place(state, move), *_place_violations(state, move))
    return (*_turn_to_place(state, move), *_discard_violations(state, move))


_TIMES = {
    "cards": "drafting cards",
    "draft": "drafting pyramids",
    "assembly": "building Mids",
    "placing": "placing Mids",
}


def _broken(*found: tuple[bool, Rule, str]) -> tuple[RuleViolation, ...]:
    return tuple(RuleViolation(rule, detail) for is_broken, rule, detail in found if is_broken)


def _whose_turn(state: Preparation) -> str:
    return f"it is {' or '.join(state.awaited)}'s turn"


def _pick_violations(state: Preparation, pick: Pick) -> tuple[RuleViolation, ...]:
    hand, options = state.of(state.hands, pick.player), state.options
    is_full_hand = len(hand) >= options.cards_each
    return _broken(
        (state.turn not in (None, pick.player), DRAFT_TURN, _whose_turn(state)),
        (is_full_hand, CARDS_THREE, f"{pick.player} has {len(hand)} cards already"),
        (pick.card in hand and not options.cards_may_be_alike, CARDS_DIFFER, f"{pick.player} has that card already"),
    )


def _drafts(state: Preparation, player: str) -> tuple[RuleViolation, ...]:
    return _broken((state.turn != player, DRAFT_TURN, _whose_turn(state)))


def _take_violations(state: Preparation, take: Take) -> tuple[RuleViolation, ...]:
    too_much = pips_of(state.has(take.player)) + take.pyramid.size
    return (
        *_drafts(state, take.player),
        *_broken(
            (take.pyramid not in state.pool, DRAFT_POOL, f"no {take.pyramid} is left"),
            (too_much > ARMY_PIPS, THIRTY_PIPS, f"{take.player} would have {too_much} pips"),
        ),
    )


def _trade_violations(state: Preparation, trade: Trade) -> tuple[RuleViolation, ...]:
    fitting, mine = state.fitting(trade.player), state.has(trade.player)
    taken_anew = Counter(trade.taken) - Counter(state.pool)
    is_change = Trade(trade.player, in_order(trade.given), in_order(trade.taken)) in changes_for(state, trade.player)
    left = ", ".join(map(str, fitting[:3]))
    return (
        *_drafts(state, trade.player),
        *_broken(
            (bool(Counter(trade.given) - Counter(mine)), DRAFT_POOL, f"{trade.player} does not have what is given"),
            (bool(taken_anew), DRAFT_POOL, f"no {next(iter(taken_anew), '')} is left"),
            (bool(fitting), CHANGE_FORCED, f"{trade.player} can still take {left}"),
            (not is_change, CHANGE_MADE, f"that leaves {trade.player} with {_after(state, trade)} pips"),
        ),
    )


def _after(state: Preparation, trade: Trade) -> int:
    return pips_of(state.has(trade.player)) - pips_of(trade.given) + pips_of(trade.taken)


def _choice_violations(state: Preparation, choice: Choose) -> tuple[RuleViolation, ...]:
    if state.draft != "none":
        return (RuleViolation(DRAFT_TURN, "pyramids are drafted one by one"),)
    pips, most = pips_of(choice.pyramids), Counter(choice.pyramids).most_common(1)
    return _broken(
        (pips != ARMY_PIPS, THIRTY_PIPS, f"that makes {pips} pips"),
        (most[0][1] > STASH, ONE_STASH, f"that is {most[0][1]} times {most[0][0]}"),
    )


def _build_violations(state: Preparation, build: Build) -> tuple[RuleViolation, ...]:
    used = Counter(pyramid for mid in build.mids for pyramid in mid)
    is_wrong = not all(map(is_stack, build.mids))
    return _broken(
        (used != Counter(state.has(build.player)), BUILD_ALL, f"{build.player} has other pyramids than these"),
        (is_wrong, NOT_ON_SMALLER, "in one of them a pyramid stands on a smaller one"),
    )


def is_stack(pyramids: Pyramids) -> bool:
    return all(lower.size >= upper.size for lower, upper in pairwise(pyramids))


def roll_violations(
    order: Order, rolls: tuple[tuple[str, int], ...], done: tuple[str, ...], roll: Roll
) -> tuple[RuleViolation, ...]:
    is_tied = bool(tied_with(order, roll.player, done))
    return _broken(
        (not is_tied, DIE_FOR_TIES, f"{roll.player} ties with nobody"),
        (is_tied and roll.player in dict(rolls), DIE_FOR_TIES, f"{roll.player} has rolled"),
        (roll.pips not in DIE, DIE_FOR_TIES, f"a die shows 1 to 6, not {roll.pips}"),
    )


def _turn_to_place(state: Preparation, move: Place | Discard) -> tuple[RuleViolation, ...]:
    is_built = move.mid in state.waiting(move.player)
    return _broken(
        (move.player not in state.awaited, PLACE_TURN, _whose_turn(state)),
        (not is_built, PLACE_BUILT, f"{move.player} has no Mid {stack_text(move.mid)} to place"),
    )


def _place_violations(state: Preparation, place: Place) -> tuple[RuleViolation, ...]:
    there = state.position.mid_at(place.square)
    if there is None:
        return ()
    is_own = there.stand is state.of(state.players, place.player).stand
    return _broken(
        (not is_full(state), PLACE_FREE, f"a Mid stands on {place.square}, and other squares are free"),
        (is_full(state) and not is_own, PLACE_ON_OWN, f"the Mid on {place.square} is another player's"),
        (not is_stack((*there.pyramids, *place.mid)), NOT_ON_SMALLER, f"the Mid on {place.square} ends smaller"),
    )


def _discard_violations(state: Preparation, discard: Discard) -> tuple[RuleViolation, ...]:
    fits = not is_full(state) or fits_on_own(state, discard.player, discard.mid)
    return _broken((fits, PLACE_ON_OWN, f"there is still a place for {stack_text(discard.mid)}"))
