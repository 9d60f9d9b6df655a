"""The detective: what may have happened between two settled tables."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations

from engine.game import Explanation
from engine.games.martian_mids.judging import play, violations
from engine.games.martian_mids.notation import Move
from engine.games.martian_mids.reading import Seen, changes, recognised
from engine.games.martian_mids.rules import DISTANCE, TURN_ORDER
from engine.games.martian_mids.state import Position, State, mid_on, missiles_of, next_round, turn_over
from engine.games.squares import Square
from engine.table import Colour, Pyramid

REACH_OF_A_SHOVE = 2


def explain(state: State, position: Position) -> tuple[Explanation, ...]:
    """What may have happened between the state's board and this one; nothing, if they are alike."""
    seen = recognised(state, position)
    if missiles_of(state.position) != missiles_of(seen.position):
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


def _odd_looks(state: State, seen: Seen) -> tuple[Explanation, ...]:
    if not seen.odd:
        return ()
    where = " and ".join(map(str, seen.odd))
    reason = f"what is on {where} looks different now, but pieces do not change where they stand: I may misread them"
    return (Explanation((), state, reason),)


def _moves(state: State, seen: Seen) -> tuple[Explanation, ...]:
    """As many Mids came as went, one or two: they moved, unless an action beyond this version moved them."""
    pairings = [tuple(zip(seen.gone, targets, strict=True)) for targets in permutations(seen.come)]
    alike = [sum(_is_alike(state, seen, *pair) for pair in pairs) for pairs in pairings]
    best = [pairs for pairs, count in zip(pairings, alike, strict=True) if count == max(alike)]
    lines = [tuple(Move(*pair) for pair in ordered) for pairs in best for ordered in permutations(pairs)]
    return tuple(explanation for line in lines for explanation in _moved(state, seen, line))


def _is_alike(state: State, seen: Seen, origin: Square, target: Square) -> bool:
    """Pieces do not change: what came is what went if it looks the same and stands on no other player's stand."""
    was, now = mid_on(state, origin), seen.mids[target]
    return was.pyramids == now.pyramids and state.owner_of(now) in (None, state.owner_of(was))


def _moved(state: State, seen: Seen, line: tuple[Move, ...]) -> tuple[Explanation, ...]:
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
    mids = dict(state.position.mids) | {square: replace(mid_on(state, square), stand=stand)}
    return replace(state, position=Position.of(mids, state.position.missiles))


def _looks_different(square: Square) -> str:
    return f"What is on {square} looks different than before. I take it as unchanged: is it?"


def _refreshed_feet(state: State, seen: Seen) -> State:
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
    return rules == {DISTANCE} and step is not None and step[2] <= mid_on(state, move.origin).greatest_count


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


def _losses(state: State, seen: Seen) -> tuple[Explanation, ...]:
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


def _pairs(state: State, seen: Seen) -> tuple[tuple[Square, Square], ...]:
    """Mids that have gone and come as they are, each once."""
    found: dict[Square, Square] = {}
    for origin in seen.gone:
        alike = [come for come in seen.come if come not in found.values() and _is_alike(state, seen, origin, come)]
        if alike:
            found[origin] = alike[0]
    return tuple(found.items())


def _exchanged(state: State, seen: Seen) -> tuple[Square, ...]:
    before = dict(state.position.mids)
    return tuple(
        square
        for square, mid in seen.position.mids
        if square in before and square not in seen.lost and mid.pyramids != before[square].pyramids
    )


def _is_attack(state: State, seen: Seen) -> bool:
    """Pyramids have gone from a Mid that somebody awaited could reach: no trick of our eye."""
    return any(
        (attacker := state.position.mid_at(near)) is not None and state.owner_of(attacker) in state.awaited
        for square in seen.lost
        for near in square.neighbours()
    )


def _missile_events(state: State, seen: Seen) -> tuple[Explanation, ...]:
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


def _missile_words(state: State, seen: Seen) -> str:
    before, now = missiles_of(state.position), missiles_of(seen.position)
    came = [f"a {piece} missile came to {square}" for square, piece, _ in now if (square, piece, _) not in before]
    left = [f"the {piece} missile left {square}" for square, piece, _ in before if (square, piece, _) not in now]
    return " and ".join(left + came) or "the number of missiles changed"


def _shooters(state: State, seen: Seen) -> tuple[Square, ...]:
    """Squares of Mids that may have shot: those that changed."""
    return (*seen.lost, *seen.gone)


def _flights(state: State, seen: Seen) -> tuple[tuple[Square, Pyramid, str], ...]:
    """Missiles that were on the board and now lie further along, by as many squares as they have pips."""
    before, now = missiles_of(state.position), missiles_of(seen.position)
    return tuple(
        (target, piece, direction)
        for square, piece, direction in before
        if (square, piece, direction) not in now
        and (target := square.along(direction, int(piece.size))) is not None
        and (target, piece, direction) in now
    )


def _is_only_flight(state: State, seen: Seen) -> bool:
    """Whether the missiles moved and nothing else happened."""
    arrived = {one for one in missiles_of(seen.position) if one not in missiles_of(state.position)}
    return not (seen.lost or seen.gone or seen.come) and arrived <= set(_flights(state, seen))


_GOING_ON = "I go on from the table as it lies"


def _beyond(
    state: State, seen: Seen, reason: str, squares: tuple[Square, ...], line: tuple[Move, ...] = ()
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
