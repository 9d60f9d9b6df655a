"""The judge: which moves could be said now, and which rules a move breaks."""

from __future__ import annotations

from typing import Any

from engine.game import Touch
from engine.games.martian_mids import preparing_judging
from engine.games.martian_mids.notation import Action, Attack, Fly, Move, Shoot, Split, Strike
from engine.games.martian_mids.playing import (
    answers,
    choosers,
    find_missile,
    first_in_order,
    flight_of,
    most_at_once,
    next_to_strike,
)
from engine.games.martian_mids.preparing import Preparation
from engine.games.martian_mids.preparing_notation import PlayCard, Roll
from engine.games.martian_mids.rules import (
    A_MID_ACTS,
    ATTACK_A_MID,
    ATTACK_ADJACENT,
    CARD_IN_HAND,
    CARD_TURN,
    CARDS_THREE,
    DISTANCE,
    FLIGHT_ONCE,
    FLIGHT_ORDER,
    FLIGHT_TIME,
    FLIGHT_WAY,
    GAME_OVER,
    HANDS_OFF,
    NOT_THROUGH,
    NOT_ZERO,
    ON_THE_BOARD,
    PREPARE_IN_ORDER,
    SETTLE_FIRST,
    SHOOT_ADJACENT,
    SHOOT_TOP,
    SPLIT_ADJACENT,
    SPLIT_COUNT,
    SPLIT_FREE,
    SPLIT_OWED,
    STOP_AT_MISSILE,
    STRAIGHT,
    STRIKE_ORDER,
    TURN_ORDER,
)
from engine.games.martian_mids.state import Mid, Splitting, State, Striking
from engine.games.squares import COMPASS, GRID, Square
from engine.rules import Rule, RuleViolation

# Candidates.


def candidates(state: State | Preparation) -> tuple[Any, ...]:
    """What may be said now: answers to what is owed, else actions of those awaited, else flights of missiles.

    Every legal move but dice and cards is among them, and moves that go too far or through others.
    """
    if isinstance(state, Preparation):
        return preparing_judging.candidates(state)
    if state.owed:
        return answers(state)
    if state.awaited:
        return tuple(action for square in actors(state) for action in actions_of(state, square))
    return flights(state)


def actors(state: State) -> tuple[Square, ...]:
    """Where Mids of those awaited stand; a Mid whose stand nobody saw may be theirs."""
    awaited = {*state.awaited, None}
    return tuple(square for square, mid in state.position.mids if state.controller_of(mid) in awaited)


def actions_of(state: State, square: Square) -> tuple[Action, ...]:
    """Every action of the Mid on a square but moves along no line and shots at no square next to it."""
    top = state.position.by_square[square].top
    moves = (Move(square, target) for ray in RAYS[square] for target in ray)
    shots = (Shoot(square, top, near, way) for near in square.neighbours() for way in COMPASS)
    attacks = (Attack(square, near) for near in square.neighbours() if near in state.position.by_square)
    return (*moves, *shots, *attacks)


def flights(state: State) -> tuple[Fly, ...]:
    """The flights of the missiles that move next; none before the round's last turn is over."""
    if not state.missiles_are_due:
        return ()
    return tuple(dict.fromkeys(flight_of(state, *pair) for pair in first_in_order(state, state.to_fly)))


def _ray(square: Square, way: str) -> tuple[Square, ...]:
    reached = (square.along(way, count) for count in range(1, 8))
    return tuple(target for target in reached if target is not None)


RAYS = {square: tuple(_ray(square, way) for way in COMPASS) for square in GRID}

# Violations.


def violations(state: State | Preparation, move: Any) -> tuple[RuleViolation, ...]:
    """The rules that the move breaks, each with its reason. A card that names rules lifts them for its player."""
    if isinstance(state, Preparation):
        return preparing_judging.violations(state, move)
    found = _violations(state, move)
    if not found or not state.cards:
        return found
    lifted = {rule for card in cards_for(state, move) for rule in card.lifts}
    return tuple(violation for violation in found if violation.rule.id not in lifted)


def cards_for(state: State, move: Any) -> tuple[PlayCard, ...]:
    """The cards of this turn that may allow the move: those of who acts, or all, where that is not known."""
    mid = state.position.mid_at(move.origin) if isinstance(move, Move | Shoot | Attack) else None
    actor = state.controller_of(mid) if mid else None
    return tuple(card for card in state.cards if actor in (None, card.player))


def _violations(state: State, move: Any) -> tuple[RuleViolation, ...]:
    match move:
        case Move() | Shoot() | Attack():
            return _action_violations(state, move)
        case Fly():
            return _flight_violations(state, move)
        case Split():
            return _split_violations(state, move)
        case Strike():
            return _strike_violations(state, move)
        case Roll():
            return preparing_judging.roll_violations(state.order, state.rolls, state.acted, move)
        case PlayCard():
            return _card_violations(state, move)
        case Touch():
            return (RuleViolation(HANDS_OFF, "no action does that"),)
    return (RuleViolation(PREPARE_IN_ORDER, "the game has begun"),)


def _card_violations(state: State, played: PlayCard) -> tuple[RuleViolation, ...]:
    """Who acted last may still play one before the next player acts, and in a new round nobody knows who that was."""
    before = [card.card for card in state.discards if card.player == played.player]
    hand, each = dict(state.hands).get(played.player), state.options.cards_each
    is_round_new = state.round_number > 1 and not state.acted
    is_turn = is_round_new or played.player in (*state.awaited, *state.acted[-1:])
    has_it = hand is None or played.card in hand
    is_again = hand is None and played.card in before and not state.options.cards_may_be_alike
    return _broken(
        (not is_turn, CARD_TURN, f"it is {' or '.join(state.awaited)}'s turn, and not {played.player}'s"),
        (not has_it, CARD_IN_HAND, f"{played.player} does not hold {played.card!r}"),
        (is_again, CARD_IN_HAND, f"{played.player} has played {played.card!r} before"),
        (hand is None and len(before) >= each, CARDS_THREE, f"{played.player} has played {each} cards"),
    )


def _broken(*found: tuple[bool, Rule, str]) -> tuple[RuleViolation, ...]:
    return tuple(RuleViolation(rule, detail) for is_broken, rule, detail in found if is_broken)


def _action_violations(state: State, action: Action) -> tuple[RuleViolation, ...]:
    mid = state.position.mid_at(action.origin)
    if mid is None:
        return (RuleViolation(A_MID_ACTS, f"there is no Mid on {action.origin}"),)
    turn = _turn_violations(state, action.origin, mid)
    match action:
        case Move():
            return (*turn, *_way_violations(state, action, mid))
        case Shoot():
            return (*turn, *_shot_violations(action, mid))
    return (*turn, *_attack_violations(state, action))


def _turn_violations(state: State, square: Square, mid: Mid) -> tuple[RuleViolation, ...]:
    if state.owed:
        return (RuleViolation(SETTLE_FIRST, _owed_words(state)),)
    if state.is_over:
        return (RuleViolation(GAME_OVER, "the game is over"),)
    controller = state.controller_of(mid)
    if controller in state.awaited or (controller is None and state.awaited):  # a stand nobody saw may be theirs
        return ()
    whose = f"the Mid on {square} is {controller}'s" if controller else f"the Mid on {square} is somebody's"
    if mid.beads and controller != state.owner_of(mid):
        whose += " to control"
    turn = f"it is {' or '.join(state.awaited)}'s turn" if state.awaited else "the missiles are to move first"
    return (RuleViolation(TURN_ORDER, f"{turn}, and {whose}"),)


def _owed_words(state: State) -> str:
    who = " or ".join(choosers(state)) or "somebody"
    match state.owed[0]:
        case Splitting(square=square):
            return f"{who} has to split the Mid on {square} first"
    return f"{who} has to say first which missile hits next"


def _way_violations(state: State, move: Move, mid: Mid) -> tuple[RuleViolation, ...]:
    if move.target is None:
        return (RuleViolation(ON_THE_BOARD, f"the Mid on {move.origin} left the board"),)
    if move.target == move.origin:
        return (RuleViolation(NOT_ZERO, f"the Mid on {move.origin} did not move"),)
    step = move.origin.step_to(move.target)
    if step is None:
        return (RuleViolation(STRAIGHT, f"{move.origin}-{move.target} is no straight line"),)
    between = move.origin.between(move.target)
    found = []
    if step[2] > mid.likely_count:
        found.append(RuleViolation(DISTANCE, _too_far(move, mid.likely_count, step[2])))
    blocked = [square for square in (*between, move.target) if square in state.position.by_square]
    if blocked:
        found.append(RuleViolation(NOT_THROUGH, f"a Mid stands on {blocked[0]}, {_in_the_way(move)}"))
    lying = {where for where, _ in state.position.missiles}
    passed = [square for square in between if square in lying]
    if passed:
        found.append(RuleViolation(STOP_AT_MISSILE, f"a missile lies on {passed[0]}, {_in_the_way(move)}"))
    return tuple(found)


def _in_the_way(move: Move) -> str:
    return f"in the way from {move.origin} to {move.target}"


def _too_far(move: Move, count: int, went: int) -> str:
    squares = "one square" if count == 1 else f"{count} squares"
    pyramids = "one pyramid" if count == 1 else f"{count} pyramids"
    return f"a Mid of {pyramids} moves at most {squares}; {move.origin}-{move.target} is {went}"


def _shot_violations(shot: Shoot, mid: Mid) -> tuple[RuleViolation, ...]:
    found = []
    if shot.pyramid != mid.top:
        detail = f"the top of the Mid on {shot.origin} is {mid.top}, not {shot.pyramid}"
        found.append(RuleViolation(SHOOT_TOP, detail))
    if shot.target not in shot.origin.neighbours():
        found.append(RuleViolation(SHOOT_ADJACENT, f"{shot.target} is not next to {shot.origin}"))
    return tuple(found)


def _attack_violations(state: State, attack: Attack) -> tuple[RuleViolation, ...]:
    if attack.victim == attack.origin or state.position.mid_at(attack.victim) is None:
        return (RuleViolation(ATTACK_A_MID, f"there is no other Mid on {attack.victim}"),)
    if attack.victim not in attack.origin.neighbours():
        return (RuleViolation(ATTACK_ADJACENT, f"{attack.victim} is not next to {attack.origin}"),)
    return ()


def _flight_violations(state: State, flight: Fly) -> tuple[RuleViolation, ...]:
    missile = find_missile(state, flight)
    what = f"the {flight.pyramid} missile on {flight.origin}"
    if missile is None:
        return (RuleViolation(FLIGHT_ONCE, f"there is no such missile on {flight.origin}"),)
    if state.owed:
        return (RuleViolation(SETTLE_FIRST, _owed_words(state)),)
    should = flight_of(state, flight.origin, missile).target
    is_due = (flight.origin, missile) in state.to_fly
    in_order = (flight.origin, missile) in first_in_order(state, state.to_fly)
    return _broken(
        (state.is_over, GAME_OVER, "the game is over"),
        (bool(state.awaited), FLIGHT_TIME, f"{what} moved, and {' or '.join(state.awaited)} has still to act"),
        (not is_due, FLIGHT_ONCE, f"{what} has moved in this round"),
        (is_due and not in_order, FLIGHT_ORDER, f"{what} moved before those of players who come first"),
        (
            flight.target != should,
            FLIGHT_WAY,
            f"{what} goes to {should or 'off the board'}, not to {flight.target or 'off the board'}",
        ),
    )


def _split_violations(state: State, split: Split) -> tuple[RuleViolation, ...]:
    match state.owed[0] if state.owed else None:
        case Splitting(square=square, left=left) as splitting if square == split.origin and left:
            most = most_at_once(state, splitting)
        case Striking():
            return (RuleViolation(SETTLE_FIRST, _owed_words(state)),)
        case _:
            return (RuleViolation(SPLIT_OWED, f"the Mid on {split.origin} is not to be split"),)
    taken = state.position.mid_at(split.target) is not None
    return _broken(
        (
            not 1 <= split.count <= most,
            SPLIT_COUNT,
            f"this split takes 1 to {most} pyramids, not {split.count}",
        ),
        (
            split.target not in split.origin.neighbours(),
            SPLIT_ADJACENT,
            f"{split.target} is not next to {split.origin}",
        ),
        (taken, SPLIT_FREE, f"a Mid stands on {split.target}"),
    )


def _strike_violations(state: State, strike: Strike) -> tuple[RuleViolation, ...]:
    match state.owed[0] if state.owed else None:
        case Striking() as striking:
            due = next_to_strike(state, striking)
            if strike in {Strike(place, one.pyramid, one.direction) for place, one in due}:
                return ()
            return (RuleViolation(STRIKE_ORDER, f"the {strike.pyramid} missile on {strike.place} is not the next"),)
        case Splitting():
            return (RuleViolation(SETTLE_FIRST, _owed_words(state)),)
    return (RuleViolation(STRIKE_ORDER, f"no missile on {strike.place} is to hit now"),)
