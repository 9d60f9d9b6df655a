"""The clerk: what a move does to the board, legal or not. Judges nothing.

An effect runs on until somebody must choose: how to split, or which of several missiles hits next. Then it waits in
`State.owed`, where later effects go first: what hits a Mid on its way is settled before what else it had coming.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.games.martian_mids.notation import Action, Attack, Fly, Move, Shoot, Split, Strike
from engine.games.martian_mids.preparing import Preparation, played
from engine.games.martian_mids.preparing_notation import PlayCard, Roll
from engine.games.martian_mids.state import (
    Beads,
    Mid,
    Missile,
    Owed,
    Position,
    Splitting,
    State,
    Striking,
    after_roll,
    but,
    turn_over,
)
from engine.games.squares import STEPS, Square
from engine.table import Colour, Pyramid

WEAK, STRONG = 1, 2  # an attack by a Mid of as many pips as the victim or fewer, and of more (V.2.C)


def play(state: Any, move: Any) -> Any:
    """The state after the move.

    Who acts out of turn has used up that turn; whose turn it was is still awaited. A preparation goes on as one until
    the last Mid is placed.
    """
    if isinstance(state, Preparation):
        return played(state, move)
    match move:
        case Move() | Shoot() | Attack():
            return _acted(state, move)
        case Fly():
            return _flown(state, move)
        case Split():
            return _split(state, move)
        case Strike():
            return _chosen(state, move)
        case Roll():
            order, rolls = after_roll(state.order, state.rolls, state.acted, move)
            return but(state, order=order, rolls=rolls)
        case PlayCard():
            return _with_card(state, move)
    return state


def _with_card(state: State, card: PlayCard) -> State:
    """The card goes from its player's hand to the discards; it counts until another player acts."""
    hands = tuple((name, _less(hand, card.card) if name == card.player else hand) for name, hand in state.hands)
    return but(state, hands=hands, cards=(*state.cards, card), discards=(*state.discards, card))


def _less(hand: tuple[str, ...], card: str) -> tuple[str, ...]:
    place = hand.index(card) if card in hand else len(hand)
    return hand[:place] + hand[place + 1 :]


# Actions.


def _acted(state: State, action: Action) -> State:
    mid = state.position.mid_at(action.origin)
    if mid is None:
        return state
    if mid.stand is None and (stand := _stand_of_awaited(state)) is not None:
        mid = replace(mid, stand=stand)
        state = _with_mids(state, state.position.by_square | {action.origin: mid})
    actor = state.controller_of(mid) or next(iter(state.awaited), None)
    in_order = actor not in state.acted and any(actor in group for group in state.order)
    return settled(_done_by(_without_words(state, action), action, mid), actor if in_order else None)


def _without_words(state: State, action: Action) -> State:
    """What was said is done, and who acts wants to play on."""
    if not state.said and not state.for_stalemate:
        return state
    return but(state, for_stalemate=(), said=tuple(said for said in state.said if said != action))


def _done_by(state: State, action: Action, mid: Mid) -> State:
    match action:
        case Move():
            return _moved(state, action, mid)
        case Shoot():
            return _shot(state, action, mid)
    return _attacked(state, action, mid)


def _stand_of_awaited(state: State) -> Colour | None:
    """Whose stand a Mid that acts stands on, if nobody saw it: that of the only one who could act."""
    stands = [player.stand for player in state.players if state.awaited == (player.name,)]
    return stands[0] if stands else None


def _moved(state: State, move: Move, mid: Mid) -> State:
    mids = dict(state.position.mids)
    del mids[move.origin]
    if move.target is None:
        return _with_mids(state, mids)
    mids[move.target] = _somewhere(mid)
    return _entered(_with_mids(state, mids), (move.target,))


def _shot(state: State, shot: Shoot, mid: Mid) -> State:
    left = _without(mid.pyramids, shot.pyramid)
    missile = Missile(shot.pyramid, shot.direction, mid.stand)
    state = _with_mid(state, shot.origin, mid.with_left(left) if left else None)
    if state.position.mid_at(shot.target) is not None:
        return _hit(state, missile, shot.target)
    return _with_missiles(state, (*state.position.missiles, (shot.target, missile)))


def _without(pyramids: tuple[Pyramid, ...], pyramid: Pyramid) -> tuple[Pyramid, ...]:
    """The pyramids without the topmost such one; without the top, where there is none."""
    place = max((n for n, one in enumerate(pyramids) if one == pyramid), default=len(pyramids) - 1)
    return pyramids[:place] + pyramids[place + 1 :]


def _attacked(state: State, attack: Attack, mid: Mid) -> State:
    victim = state.position.mid_at(attack.victim)
    step = attack.origin.step_to(attack.victim)
    if victim is None or step is None:
        return state
    count = STRONG if mid.pips > victim.pips else WEAK
    match mid.top.colour:
        case Colour.RED:
            return _smashed(state, attack.victim, count)
        case Colour.GREEN:
            return _cleaved(state, attack.victim, count, state.controller_of(mid))
        case Colour.BLUE:
            return _shoved(state, attack.victim, step[:2], count)
    return _controlled(state, attack.victim, count, state.owner_of(mid))


def _somewhere(mid: Mid) -> Mid:
    """The Mid, now that nobody has seen yet where in its square it stands."""
    return mid if mid.foot is None else replace(mid, foot=None)


# Missiles.


def _flown(state: State, flight: Fly) -> State:
    missile = find_missile(state, flight)
    if missile is None:
        return state
    lying = list(state.position.missiles)
    lying.remove((flight.origin, missile))
    gone = _with_missiles(state, tuple(lying))
    if flight.target is None:
        return settled(gone, None)
    if gone.position.mid_at(flight.target) is not None:
        return settled(_hit(gone, missile, flight.target), None)
    landed = (flight.target, missile)
    return settled(but(_with_missiles(gone, (*lying, landed)), flown=(*gone.flown, landed)), None)


def find_missile(state: State, flight: Fly) -> Missile | None:
    """The missile that flies; one that has not moved yet, if there is such a one."""
    alike = [
        missile
        for square, missile in (*state.to_fly, *state.position.missiles)
        if square == flight.origin and missile.pyramid == flight.pyramid and missile.direction == flight.direction
    ]
    return alike[0] if alike else None


def flight_of(state: State, square: Square, missile: Missile) -> Fly:
    """How a missile moves: its pips straight on, until it meets a Mid or leaves the board (V.3)."""
    target: Square | None = square
    for _ in range(missile.pyramid.size):
        target = target.along(missile.direction, 1) if target else None
        if target is None or state.position.mid_at(target) is not None:
            break
    return Fly(square, target, missile.pyramid, missile.direction)


def _hit(state: State, missile: Missile, square: Square) -> State:
    """A missile, no longer on the board, hits the Mid on the square (V.2.A.ii)."""
    pips = int(missile.pyramid.size)
    match missile.pyramid.colour:
        case Colour.RED:
            return _smashed(state, square, pips)
        case Colour.GREEN:
            return _cleaved(state, square, pips, state.owner_of(missile))
        case Colour.BLUE:
            return _shoved(state, square, STEPS[missile.direction], pips)
    return _controlled(state, square, pips, state.owner_of(missile))


# The four colours.


def _smashed(state: State, square: Square, count: int) -> State:
    mid = state.position.by_square[square]
    left = mid.pyramids[:-count]
    return _with_mid(state, square, mid.with_left(left) if left else None)


def _cleaved(state: State, square: Square, count: int, chooser: str | None) -> State:
    """Too small a Mid is destroyed; else it is split as often as there is room (MM-5)."""
    mid = state.position.by_square[square]
    room = len(free_squares(state, square))
    wanted = min(count, room) if state.options.cleave_room_first else count
    if len(mid.pyramids) < wanted + 1:
        return _with_mid(state, square, None)
    return _owing(state, Splitting(square, min(count, room), chooser))


def _shoved(state: State, square: Square, step: tuple[int, int], count: int) -> State:
    """One step at a time, with all the Mids in the way, until one of them meets a missile (MM-11)."""
    for _ in range(count):
        if state.position.mid_at(square) is None:
            break
        state, met = _pushed(state, square, step)
        if met:
            return _owing(state, Striking(tuple((place, place) for place in met)))
        beyond = square.beside(step)
        if beyond is None:
            break
        square = beyond
    return state


def _pushed(state: State, square: Square, step: tuple[int, int]) -> tuple[State, tuple[Square, ...]]:
    """The Mid and those before it go one step on; and the squares with missiles that they entered."""
    mids = dict(state.position.mids)
    row: list[Square] = []
    ahead: Square | None = square
    while ahead is not None and ahead in mids:
        row.append(ahead)
        ahead = ahead.beside(step)
    way = {origin: origin.beside(step) for origin in row}
    for origin in reversed(row):
        mid, target = mids.pop(origin), way[origin]
        if target is not None:
            mids[target] = _somewhere(mid)
    state = _relocated(_with_mids(state, mids), way)
    lying = {where for where, _ in state.position.missiles}
    return state, tuple(target for target in way.values() if target in lying)


def _controlled(state: State, square: Square, count: int, player: str | None) -> State:
    """The beads replace all others (MM-27)."""
    return _with_mid(state, square, replace(state.position.by_square[square], beads=Beads(player, count)))


# What is owed.


def settled(state: State, actor: str | None) -> State:
    """Effects run on until somebody must choose; with nothing owed any more, the actor's turn is over."""
    while state.owed:
        choices = answers(state)
        if len(choices) > 1:
            return state if state.acting == actor else but(state, acting=actor)
        state = _answered(state, choices[0]) if choices else _done(state)
    return turn_over(state if state.acting is None else but(state, acting=None), actor)


def answers(state: State) -> tuple[Split | Strike, ...]:
    """What may be said to settle what is owed first."""
    match state.owed[0] if state.owed else None:
        case Splitting() as splitting:
            return _ways_to_split(state, splitting)
        case Striking() as striking:
            found = (Strike(place, one.pyramid, one.direction) for place, one in next_to_strike(state, striking))
            return tuple(dict.fromkeys(found))
    return ()


def choosers(state: State) -> tuple[str, ...]:
    """Who settles what is owed first: none if nothing is, or nobody knows whose missile it is."""
    match state.owed[0] if state.owed else None:
        case Splitting(chooser=chooser):
            return (chooser,) if chooser else ()
        case Striking() as striking:
            owners = {state.owner_of(missile) for _, missile in next_to_strike(state, striking)}
            return tuple(sorted(name for name in owners if name))
    return ()


def next_to_strike(state: State, striking: Striking) -> tuple[tuple[Square, Missile], ...]:
    """The missiles that may hit next: those of the first in the order of initiative (V.2.A.ii)."""
    places = {place for place, _ in striking.pairs}
    return first_in_order(state, tuple(pair for pair in state.position.missiles if pair[0] in places))


def first_in_order(state: State, missiles: tuple[tuple[Square, Missile], ...]) -> tuple[tuple[Square, Missile], ...]:
    """Those of them whose owner comes first, and those whose owner nobody knows."""
    ranks = [state.rank(state.owner_of(missile)) for _, missile in missiles]
    first = min((rank for rank in ranks if rank >= 0), default=-1)
    return tuple(pair for pair, rank in zip(missiles, ranks, strict=True) if rank <= first)


def free_squares(state: State, square: Square) -> tuple[Square, ...]:
    return tuple(near for near in square.neighbours() if near not in state.position.by_square)


def most_at_once(state: State, splitting: Splitting) -> int:
    """How many pyramids a split may take so that enough stay for the splits after it."""
    mid = state.position.mid_at(splitting.square)
    return len(mid.pyramids) - splitting.left if mid else 0


def _ways_to_split(state: State, splitting: Splitting) -> tuple[Split, ...]:
    if not splitting.left:
        return ()
    counts = range(1, most_at_once(state, splitting) + 1)
    return tuple(Split(splitting.square, n, target) for target in free_squares(state, splitting.square) for n in counts)


def _answered(state: State, answer: Split | Strike) -> State:
    return _parted(state, answer) if isinstance(answer, Split) else _struck(state, answer)


def _done(state: State) -> State:
    """Nothing is left of what is owed first; Mids that a split laid on missiles are hit now (MM-8)."""
    done, state = state.owed[0], but(state, owed=state.owed[1:])
    return _entered(state, done.landed) if isinstance(done, Splitting) else state


def _split(state: State, split: Split) -> State:
    return settled(_parted(state, split), state.acting)


def _parted(state: State, split: Split) -> State:
    mid = state.position.mid_at(split.origin)
    if mid is None or not 0 < split.count < len(mid.pyramids):
        return state
    mids = dict(state.position.mids)
    mids[split.origin] = mid.with_left(mid.pyramids[: -split.count])
    mids[split.target] = Mid(mid.pyramids[-split.count :], mid.stand)
    state = _with_mids(state, mids)
    match state.owed[0] if state.owed else None:
        case Splitting(square=square, left=left) as head if square == split.origin and left:
            counted = replace(head, left=left - 1, landed=(*head.landed, split.target))
            return but(state, owed=(counted, *state.owed[1:]))
    return state


def _chosen(state: State, strike: Strike) -> State:
    return settled(_struck(state, strike), state.acting)


def _struck(state: State, strike: Strike) -> State:
    """One of the missiles that are to hit does so and is removed."""
    if not state.owed or not isinstance(state.owed[0], Striking):
        return state
    pairs = dict(state.owed[0].pairs)
    lying = [pair for pair in next_to_strike(state, state.owed[0]) if _is_meant(strike, *pair)]
    lying = lying or [pair for pair in state.position.missiles if pair[0] in pairs and _is_meant(strike, *pair)]
    if not lying:
        return state
    missiles = list(state.position.missiles)
    missiles.remove(lying[0])
    return _hit(_with_missiles(state, tuple(missiles)), lying[0][1], pairs[strike.place])


def _is_meant(strike: Strike, place: Square, missile: Missile) -> bool:
    return (place, missile.pyramid, missile.direction) == (strike.place, strike.pyramid, strike.direction)


def _entered(state: State, squares: tuple[Square, ...]) -> State:
    """Mids came to these squares: the missiles there hit them."""
    lying = {where for where, _ in state.position.missiles}
    met = tuple((square, square) for square in squares if square in lying)
    return _owing(state, Striking(met)) if met else state


def _owing(state: State, owed: Owed) -> State:
    return but(state, owed=(owed, *state.owed))


def _relocated(state: State, way: dict[Square, Square | None]) -> State:
    """What is owed to Mids that went elsewhere follows them; what is owed to destroyed ones is gone."""
    if not state.owed:
        return state
    return but(state, owed=tuple(_followed(state, owed, way) for owed in state.owed))


def _followed(state: State, owed: Owed, way: dict[Square, Square | None]) -> Owed:
    if isinstance(owed, Splitting):
        return owed
    pairs = ((place, way.get(victim, victim)) for place, victim in owed.pairs)
    kept = ((place, now) for place, now in pairs if now is not None)
    if state.options.missiles_spare_who_left:
        kept = ((place, now) for place, now in kept if place == now)
    return Striking(tuple(kept))


# The board.


def _with_mids(state: State, mids: dict[Square, Mid]) -> State:
    return but(state, position=Position.of(mids, state.position.missiles))


def _with_mid(state: State, square: Square, mid: Mid | None) -> State:
    """The state with another Mid, or none, on a square where one stands."""
    mids = dict(state.position.mids)
    if mid is not None:
        mids[square] = mid
        return _with_mids(state, mids)
    del mids[square]
    return _relocated(_with_mids(state, mids), {square: None})


def _with_missiles(state: State, missiles: tuple[tuple[Square, Missile], ...]) -> State:
    """The state with other missiles; of those that have moved, only what still lies there is remembered."""
    position = Position.of(dict(state.position.mids), missiles)
    flown = tuple(pair for pair in state.flown if pair in position.missiles) if state.flown else ()
    return but(state, position=position, flown=flown)
