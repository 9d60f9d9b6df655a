"""Legal ways from a state to a board: every line of this turn and at most the next that ends in what is seen.

The search tries moves only where they can help, and ends when the plays that it may try do.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine.game import Plays
from engine.games.martian_mids.judging import RAYS, actors, flights, violations
from engine.games.martian_mids.notation import Action, Attack, Move, Shoot
from engine.games.martian_mids.playing import answers, free_squares, play
from engine.games.martian_mids.reaching import open_to, open_to_actions, touched
from engine.games.martian_mids.state import Position, State
from engine.games.squares import COMPASS, Square
from engine.rules import Line
from engine.table import Colour, Pyramid


@dataclass(frozen=True)
class Way:
    """A legal line and the state it leads to."""

    line: Line
    after: State


@dataclass(frozen=True)
class Ways:
    """What a search found, and whether it came to its end."""

    found: tuple[Way, ...]
    is_complete: bool = True


def ways_to(state: State, position: Position, turns: int, plays: Plays) -> Ways:
    """The legal lines with fewest actions, at most `turns`, that make the board look like the position."""
    if not _has_pieces_for(state.position, position):
        return Ways(())
    level = [Way((), state)]
    for turn in range(turns + 1):
        found, ended = _settled(level, position, plays)
        if found:
            return Ways(_best(found, position), plays.left > 0)
        if turn == turns or plays.left <= 0:
            break
        level = []
        for way in ended:
            for after in _acted_further(way, position, turn + 1 == turns):
                level.append(after)
                if not plays.spend():
                    return Ways((), is_complete=False)
        level = list({way.after: way for way in reversed(level)}.values())[::-1]
    return Ways((), is_complete=plays.left > 0)


def _settled(level: list[Way], position: Position, plays: Plays) -> tuple[list[Way], list[Way]]:
    """What the ways come to by answers and flights alone: those that look like the position, and the others."""
    waiting, met = deque(level), {way.after for way in level}
    found: list[Way] = []
    ended: list[Way] = []
    while waiting and plays.left > 0:
        way = waiting.popleft()
        if way.line and looks_alike(way.after.position, position):
            found.append(way)
            continue
        ended.append(way)
        for after in _settled_further(way):
            plays.spend()
            if after.after not in met and _has_pieces_for(after.after.position, position):
                met.add(after.after)
                waiting.append(after)
    return found, ended


def flown_out(state: State) -> tuple[Way, ...]:
    """The ways in which the missiles that are due may all move, at most a hundred; the state itself if none are."""
    level, ended, met = [Way((), state)], [], {state}
    while level and len(met) < 100:
        way = level.pop(0)
        further = [after for after in _settled_further(way) if after.after not in met]
        met |= {after.after for after in further}
        level += further
        if not way.after.missiles_are_due and not way.after.owed:
            ended.append(way)
    return tuple(ended)


def silent_ways(state: State) -> tuple[Way, ...]:
    """Legal actions, with what they lead to, that leave the board as it is: control attacks above all."""
    if state.owed or not state.awaited:
        return ()
    found = _acted_further(Way((), state), state.position, is_last_turn=True)
    return tuple(way for way in found if looks_alike(way.after.position, state.position))


def looks_alike(one: Position, other: Position) -> bool:
    """Whether Mids are the same and missiles point nearly the same way, stands aside."""
    return _mids_alike(one, other) and _missiles_alike(one, other)


def differing(one: Position, other: Position) -> frozenset[Square]:
    """The squares that do not look the same; a missile's direction does not count."""
    mids = {
        square
        for square in one.by_square.keys() | other.by_square.keys()
        if _pyramids(one, square) != _pyramids(other, square)
    }
    if not one.missiles and not other.missiles:
        return frozenset(mids)
    lying, lie = _lying(one), _lying(other)
    return frozenset(mids | {square for square, _ in (lying - lie) + (lie - lying)})


def strangers(one: Position, other: Position) -> tuple[Square, ...]:
    """Squares where both know the Mid's stand, and not as the same player's."""
    known = ((square, mid.stand, other.by_square.get(square)) for square, mid in one.mids)
    return tuple(square for square, stand, mid in known if stand and mid and mid.stand and mid.stand is not stand)


def _best(found: list[Way], position: Position) -> tuple[Way, ...]:
    """Those that fit directions and stands best, each end once."""
    ranks = [(len(strangers(way.after.position, position)), _turned(way.after.position, position)) for way in found]
    best = [way for way, rank in zip(found, ranks, strict=True) if rank == min(ranks)]
    return tuple({way.after: way for way in reversed(best)}.values())[::-1]


def _turned(one: Position, other: Position) -> int:
    return sum((Counter(_directed(one)) - Counter(_directed(other))).values())


def _directed(position: Position) -> list[tuple[Square, Pyramid, str]]:
    return [(square, missile.pyramid, missile.direction) for square, missile in position.missiles]


def _pyramids(position: Position, square: Square) -> tuple[Pyramid, ...]:
    mid = position.by_square.get(square)
    return mid.pyramids if mid else ()


def _lying(position: Position) -> Counter[tuple[Square, Pyramid]]:
    return Counter((square, missile.pyramid) for square, missile in position.missiles)


def _mids_alike(one: Position, other: Position) -> bool:
    return one.by_square.keys() == other.by_square.keys() and all(
        mid.pyramids == other.by_square[square].pyramids for square, mid in one.mids
    )


def _missiles_alike(one: Position, other: Position) -> bool:
    if _lying(one) != _lying(other):
        return False
    return all(
        any(
            where == square and lies.pyramid == missile.pyramid and are_near(lies.direction, missile.direction)
            for where, lies in other.missiles
        )
        for square, missile in one.missiles
    )


def are_near(one: str, other: str) -> bool:
    """Whether two directions are the same or neighbours."""
    return (COMPASS.index(one) - COMPASS.index(other)) % len(COMPASS) in (0, 1, len(COMPASS) - 1)


def _has_pieces_for(before: Position, after: Position) -> bool:
    """Pieces only ever leave the game."""
    return all(count <= before.pieces[pyramid] for pyramid, count in after.pieces.items())


# Steps.


def _settled_further(way: Way) -> Iterator[Way]:
    """Answers to what is owed and flights that are due."""
    for move in answers(way.after) if way.after.owed else flights(way.after):
        yield Way((*way.line, move), play(way.after, move))


def _acted_further(way: Way, position: Position, is_last_turn: bool) -> Iterator[Way]:
    """Legal actions that may help the board to look like the position."""
    state = way.after
    if state.owed or not state.awaited:
        return
    aim = _aim(state, position, is_last_turn)
    for square in actors(state):
        for action in _helpful(state, square, aim):
            if is_last_turn and not aim.fixed <= touched(state, action):
                continue
            for owned in _owners_known(state, action):
                if not violations(owned, action):
                    after = play(owned, action)
                    if all(_has_a_fate(after, missile, aim) for missile in _directed(after.position)):
                        yield Way((*way.line, action), after)


@dataclass(frozen=True)
class _Aim:
    """What the next action should help to bring about.

    `different` squares do not look like the position yet, and of the `missing` pieces it has fewer. With this action
    the line `ends`, but for missiles of it that may fly or what it leaves to be chosen; it may end the round, so that
    its missile `flies`. No missile that lies on the board changes the `fixed` ones of the different squares.
    """

    position: Position
    lying: frozenset[tuple[Square, Pyramid, str]]
    different: frozenset[Square]
    fixed: frozenset[Square]
    missing: frozenset[Pyramid]
    ends: bool
    flies: bool


def _aim(state: State, position: Position, is_last_turn: bool) -> _Aim:
    flies = _may_end_round(state)
    ends = is_last_turn and not (flies and Counter(_directed(state.position)) - Counter(_directed(position)))
    missing = frozenset(state.position.pieces - position.pieces)
    different = differing(state.position, position)
    return _Aim(
        position,
        frozenset(_directed(position)),
        different,
        different - open_to(state.position.missiles),
        missing,
        ends,
        flies,
    )


def _has_a_fate(state: State, missile: tuple[Square, Pyramid, str], aim: _Aim) -> bool:
    """Whether a missile lies as it is seen, lies where it would fly to, or may have hit a Mid or left the board."""
    square, pyramid, direction = missile
    seen = aim.position
    if missile in aim.lying:
        return True
    way = [square.along(direction, count) for count in range(1, pyramid.size + 1)]
    if any(where == way[-1] and lies.pyramid == pyramid for where, lies in seen.missiles):
        return True
    if pyramid not in aim.missing:
        return False
    if square in aim.different and square in seen.by_square:
        return True
    return None in way or any(place in state.position.by_square or place in seen.by_square for place in way if place)


def _may_end_round(state: State) -> bool:
    """Whether the next action may be the round's last: then nobody else who waits has a Mid to act with (MM-16).

    The action may destroy their last Mids or bring them under its player's beads. A Mid whose stand nobody saw keeps
    everybody waiting, unless it acts itself.
    """
    waiting = {name for group in state.order for name in group} - {*state.acted}
    in_danger = open_to(state.position.missiles) | open_to_actions(state)
    safe = [state.controller_of(mid) for square, mid in state.position.mids if square not in in_danger]
    left = [waiting - {actor} for actor in state.awaited]
    return any(not others or (not others & {*safe} and safe.count(None) <= 1) for others in left)


def _helpful(state: State, square: Square, aim: _Aim) -> Iterator[Action]:
    """The actions of a Mid that change only squares that look different in the end, as far as that is plain."""
    yield from _helpful_moves(state, square, aim)
    if square in aim.different:
        for target in square.neighbours():
            yield from _helpful_shots(state, square, target, aim)
    for victim in square.neighbours():
        if victim in state.position.by_square and _attack_may_help(state, Attack(square, victim), aim):
            yield Attack(square, victim)


def _helpful_moves(state: State, square: Square, aim: _Aim) -> Iterator[Move]:
    lying = {where for where, _ in state.position.missiles}
    if square not in aim.different and not lying:
        return
    for ray in RAYS[square]:
        for target in ray[: state.position.by_square[square].likely_count]:
            if target in lying or (_comes_right(state, square, target, aim) if aim.ends else square in aim.different):
                yield Move(square, target)
            if target in lying or target in state.position.by_square:
                break


def _comes_right(state: State, square: Square, target: Square, aim: _Aim) -> bool:
    if aim.different != {square, target}:
        return False
    return _pyramids(aim.position, target) == _pyramids(state.position, square)


def _helpful_shots(state: State, square: Square, target: Square, aim: _Aim) -> Iterator[Shoot]:
    """A hit is seen by what it does; only a shover's direction matters. A missile is seen where it lies or flew to."""
    top = state.position.by_square[square].top
    if target in state.position.by_square:
        towards = COMPASS if top.colour is Colour.BLUE else (_direction(square, target),)
        yield from (Shoot(square, top, target, way) for way in towards)
        return
    if aim.ends and not aim.flies and aim.different != {square, target}:
        return
    for way in COMPASS:
        stays = (target, top, way) in aim.lying
        may_help = aim.different == {square, target} if stays else aim.flies
        if (may_help or not aim.ends) and _has_a_fate(state, (target, top, way), aim):
            yield Shoot(square, top, target, way)


def _direction(square: Square, near: Square) -> str:
    return next(way for way in COMPASS if square.along(way, 1) == near)


def _attack_may_help(state: State, attack: Attack, aim: _Aim) -> bool:
    match state.position.by_square[attack.origin].top.colour:
        case Colour.RED:
            return aim.different == {attack.victim} if aim.ends else attack.victim in aim.different
        case Colour.GREEN:
            return attack.victim in aim.different or not free_squares(state, attack.victim)
        case Colour.YELLOW:
            return not (aim.ends and aim.different)
    return True


def _owners_known(state: State, action: Any) -> Iterator[State]:
    """The state; where nobody saw whose Mid acts and several players may, once for each."""
    mid = state.position.by_square[action.origin]
    if state.controller_of(mid) is not None or len(state.awaited) < 2:
        yield state
        return
    for player in state.players:
        if player.name in state.awaited:
            mids = state.position.by_square | {action.origin: replace(mid, stand=player.stand)}
            yield replace(state, position=Position.of(mids, state.position.missiles))
