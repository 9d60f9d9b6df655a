"""A hand beside an event: something allowed happened, and other pieces were taken, brought or shifted.

Only what is plain to see is held against anybody: a Mid or a missile that lies elsewhere, a Mid that is surely lower
than it was, a stack that has come on a player's stand. What is seen nowhere any more may be there all the same, and a
single piece too many may be none.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import chain, combinations, product

from engine.game import Plays, Touch
from engine.games.martian_mids.faulting import PUSHED_MM
from engine.games.martian_mids.reading import Seen, distance_mm
from engine.games.martian_mids.searching import Way, ways_to
from engine.games.martian_mids.state import Mid, Missile, Position, State, but, contents, missiles_of
from engine.games.squares import BOARD, Square
from engine.table import Pyramid

MOST_HANDS = 2  # changes beside an event; with more, it was rather several turns that no photo shows
MOST_CHANGES = 5  # that are looked at; with more, nobody knows what happened

Pieces = tuple[tuple[Square, Mid | Missile], ...]


@dataclass(frozen=True)
class _Change:
    """What a hand did: pieces that were there, and what is there instead."""

    gone: Pieces
    come: Pieces

    @property
    def squares(self) -> frozenset[Square]:
        return frozenset(square for square, _ in (*self.gone, *self.come))


def touched_ways(state: State, seen: Seen, shown: Position, plays: Plays) -> Iterator[Way]:
    """Legal lines of one turn, with the fewest touches beside them, that explain the whole table.

    `shown` is the table as it looks, before anything is put down to our eye.
    """
    if seen.odd:
        return
    changes = tuple(_changes(state, seen, shown))
    if len(changes) > MOST_CHANGES or _has_one_too_many(state, seen, plays):
        return
    for count in range(1, MOST_HANDS + 1):
        found = False
        for hands in combinations(changes, count):
            if any(one.squares & other.squares for one, other in combinations(hands, 2)):
                continue
            target = seen.position
            for hand in hands:
                target = _exchanged(target, hand.come, hand.gone)
            for way in ways_to(state, target, 1, plays).found:
                found = True
                yield _touched(way, hands)
        if found:
            return


def _has_one_too_many(state: State, seen: Seen, plays: Plays) -> bool:
    """Whether all is in order but for one lying piece: it may be none, or one that left the game."""
    return any(
        ways_to(state, _exchanged(seen.position, ((square, missile),), ()), 1, plays).found
        for square, missile in _come_missiles(state, seen)
    )


def _touched(way: Way, hands: tuple[_Change, ...]) -> Way:
    before = after = way.after.position
    for hand in hands:
        after = _exchanged(after, hand.gone, hand.come)
    squares = frozenset(chain.from_iterable(hand.squares for hand in hands))
    touches = (Touch(str(one), contents(before, one), contents(after, one)) for one in BOARD if one in squares)
    return Way((*way.line, *touches), but(way.after, position=after))


def _exchanged(position: Position, out: Pieces, back: Pieces) -> Position:
    """The position without some pieces and with others."""
    mids, missiles = dict(position.by_square), list(position.missiles)
    for square, piece in out:
        if isinstance(piece, Mid):
            mids.pop(square, None)
        elif (square, piece) in missiles:
            missiles.remove((square, piece))
    for square, piece in back:
        if isinstance(piece, Mid):
            mids[square] = piece
        else:
            missiles.append((square, piece))
    return Position.of(mids, missiles)


# What is plain to see.


def _changes(state: State, seen: Seen, shown: Position) -> Iterator[_Change]:
    yield from _shifted_mids(state, seen)
    yield from _lowered_mids(state, seen)
    yield from _shifted_missiles(state, seen)
    yield from _brought_mids(state, seen, shown)


def _shifted_mids(state: State, seen: Seen) -> Iterator[_Change]:
    for origin, target in product(seen.gone, seen.come):
        was, now = state.position.by_square[origin], seen.position.by_square[target]
        if was.pyramids == now.pyramids and distance_mm(was, now) > PUSHED_MM and _may_be_same(state, was, now):
            yield _Change(((origin, was),), ((target, now),))


def _may_be_same(state: State, was: Mid, now: Mid) -> bool:
    return state.owner_of(now) in (None, state.owner_of(was))


def _lowered_mids(state: State, seen: Seen) -> Iterator[_Change]:
    """Mids that lost their tops; a single one may lie there as a missile that has come."""
    for square in seen.lost:
        was, now = state.position.by_square[square], seen.position.by_square[square]
        if now.greatest_count >= len(was.pyramids):
            continue
        yield _Change(((square, was),), ((square, now),))
        taken = was.pyramids[len(now.pyramids) :]
        for where, missile in _come_missiles(state, seen):
            if taken == (missile.pyramid,):
                yield _Change(((square, was),), ((square, now), (where, missile)))


def _shifted_missiles(state: State, seen: Seen) -> Iterator[_Change]:
    before = Counter(_pieces(state.position)) - Counter(_pieces(seen.position))
    for square, missile in state.position.missiles:
        for where, lies in _come_missiles(state, seen):
            if (square, missile.pyramid) in before and lies.pyramid == missile.pyramid and where != square:
                yield _Change(((square, missile),), ((where, lies),))


def _come_missiles(state: State, seen: Seen) -> Iterator[tuple[Square, Missile]]:
    come = Counter(_pieces(seen.position)) - Counter(_pieces(state.position))
    yield from ((square, missile) for square, missile in seen.position.missiles if (square, missile.pyramid) in come)


def _pieces(position: Position) -> tuple[tuple[Square, Pyramid], ...]:
    return tuple((square, pyramid) for square, pyramid, _ in missiles_of(position))


def _brought_mids(state: State, seen: Seen, shown: Position) -> Iterator[_Change]:
    """Mids that nothing left, of more than one pyramid and on a stand that is seen to be a player's."""
    left = [state.position.by_square[square].pyramids for square in seen.gone]
    for square in seen.come:
        mid = shown.mid_at(square)
        if mid is not None and mid.stand is not None and len(mid.pyramids) > 1 and mid.pyramids not in left:
            yield _Change((), ((square, mid),))
