"""What a deed can change at most: a table that differs elsewhere too need not be compared with what it leads to."""

from __future__ import annotations

from engine.games.martian_mids.judging import RAYS, actors
from engine.games.martian_mids.notation import Action, Attack, Fly, Move, Shoot
from engine.games.martian_mids.state import Missile, State
from engine.games.squares import COMPASS, GRID, STEPS, Square
from engine.table import Colour, Pyramid

_WAYS = {step: way for way, step in STEPS.items()}
_Lying = tuple[tuple[Square, Missile], ...]


def touched(state: State, deed: Action | Fly) -> frozenset[Square]:
    """The squares that a deed, legal or not, may change, with the flight of a missile that it lays.

    Not those that missiles change which lie there before: see `open_to`.
    """
    origin = deed.origin
    match deed:
        case Move(target=target):
            return frozenset({origin, target or origin})
        case Attack(victim=victim):
            mid, step = state.position.mid_at(origin), origin.step_to(victim)
            return _affected(mid.top, victim, _WAYS[step[:2]]) if mid and step else frozenset()
        case Shoot(target=target) if target not in state.position.by_square:
            laid = (target, Missile(deed.pyramid, deed.direction))
            return open_to((*state.position.missiles, laid)) | {origin}
    return _affected(deed.pyramid, deed.target or origin, deed.direction) | {origin}


def open_to(missiles: _Lying) -> frozenset[Square]:
    """The squares that missiles may change in a turn: where they lie, where they fly, and what they hit from there.

    One that shoves may carry what another is to hit some squares on; two may carry it anywhere.
    """
    shoves = [missile for _, missile in missiles if missile.pyramid.colour is Colour.BLUE]
    if len(shoves) > 1:
        return frozenset(GRID)
    met = [(place, missile) for square, missile in missiles for place in _way_of(square, missile)]
    met += [(far, one) for place, one in met for shove in shoves if one is not shove for far in _way_of(place, shove)]
    return frozenset().union(*(_affected(missile.pyramid, place, missile.direction) for place, missile in met))


def open_to_actions(state: State) -> frozenset[Square]:
    """The squares of Mids that some action now may destroy, shove or control, but for missiles that lie there."""
    mids = state.position.by_square
    hits = [(mids[square].top, near) for square in actors(state) for near in square.neighbours() if near in mids]
    return frozenset().union(*(_affected(top, near, way) for top, near in hits for way in COMPASS))


def _way_of(square: Square, missile: Missile) -> tuple[Square, ...]:
    return (square, *RAYS[square][COMPASS.index(missile.direction)][: missile.pyramid.size])


def _affected(pyramid: Pyramid, square: Square, direction: str) -> frozenset[Square]:
    """The squares that an attack with this top, or a hit by this missile, may change (V.2)."""
    match pyramid.colour:
        case Colour.GREEN:
            return frozenset({square, *square.neighbours()})
        case Colour.BLUE:
            return frozenset({square, *RAYS[square][COMPASS.index(direction)]})
    return frozenset({square})
