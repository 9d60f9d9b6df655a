"""Gates that stand on the table: upright pyramids in pairs, clear inside and red outside, become a track.

Cars lie, gates stand. How the gates follow each other is not told by their places alone: the shortest way round through
all of them is taken, and a gate that lies the wrong way round on it is named.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from engine.games.gran_prix.geometry import Point, area_mm2, closed, holds
from engine.games.gran_prix.track import CLOCKWISE, COUNTER_CLOCKWISE, SheetPlace, Track, TrackError
from engine.table import Colour, Scene, Stack

INSIDE, OUTSIDE = Colour.CLEAR, Colour.RED
WIDEST_MM = 450.0  # between the pyramids of a gate: what is farther apart is no pair
NARROWEST_MM = 50.8  # 'Custom Track Design': twice a large pyramid's base

Gate = tuple[Point, Point]  # the inner pyramid, the outer one


def track_of_gates(
    scene: Scene, places: Iterable[SheetPlace], direction: str = COUNTER_CLOCKWISE, finish: int | None = None
) -> tuple[Track, tuple[str, ...]]:
    """The track that the gates of a scene make, and what is odd about them, in sentences.

    `finish` is the number of the gate on the finish line, counted from 1 in the direction of the race from the one
    nearest to the origin; without it the gate nearest to a car. Raises TrackError, in words.
    """
    sheets = {place.sheet: place for place in places}
    inner, outer = (_standing(scene, sheets, colour) for colour in (INSIDE, OUTSIDE))
    gates, alone = _paired(inner, outer)
    if len(gates) < 3:
        raise TrackError(
            f"a gate track needs three pairs or more of upright pyramids, clear inside and red outside: {len(inner)} "
            f"clear and {len(outer)} red ones are seen, {len(gates)} of them in pairs"
        )
    gates = _in_order(gates, direction)
    wrong = [gate for gate in gates if _is_wrong_way(gate, gates)]
    if wrong:
        raise TrackError(f"the gate at {_place(_middle(wrong[0]))} has its clear pyramid outside: exchange the two")
    number = _finish(gates, scene, sheets) if finish is None else finish - 1
    track = Track.of_gates(gates, direction, number)
    narrow = [gate for gate in gates if math.dist(*gate) < NARROWEST_MM]
    odd = [f"The {colour} pyramid at {_place(point)} stands alone and is no gate." for colour, point in alone]
    odd += [f"The gate at {_place(_middle(gate))} is narrower than two large pyramids." for gate in narrow]
    return Track(track.outer, track.inner, track.finish, direction, (), tuple(sheets.values())), tuple(odd)


def _standing(scene: Scene, sheets: dict[str, SheetPlace], colour: Colour) -> list[Point]:
    """Where lone upright pyramids of a colour stand, in the frame of the track."""
    return [
        sheets[stack.sheet].laid((stack.pose.x_mm, stack.pose.y_mm))
        for stack in scene.stacks
        if stack.sheet in sheets and _is_post(stack, colour)
    ]


def _is_post(stack: Stack, colour: Colour) -> bool:
    return not stack.pose.is_lying and len(stack.pyramids) == 1 and stack.pyramids[0].colour is colour


def _paired(inner: list[Point], outer: list[Point]) -> tuple[tuple[Gate, ...], list[tuple[Colour, Point]]]:
    """Each clear pyramid with the nearest red one that is free, nearest pairs first; and those left over."""
    pairs = sorted((math.dist(a, b), n, m) for n, a in enumerate(inner) for m, b in enumerate(outer))
    taken: dict[int, int] = {}
    for far, n, m in pairs:
        if far <= WIDEST_MM and n not in taken and m not in taken.values():
            taken[n] = m
    alone = [(INSIDE, point) for n, point in enumerate(inner) if n not in taken]
    alone += [(OUTSIDE, point) for m, point in enumerate(outer) if m not in taken.values()]
    return tuple((inner[n], outer[m]) for n, m in taken.items()), alone


def _in_order(gates: Sequence[Gate], direction: str) -> tuple[Gate, ...]:
    """The shortest way round, in the direction of the race, from the gate nearest to the origin."""
    middles = [_middle(gate) for gate in gates]
    centre = sum(x for x, _ in middles) / len(middles), sum(y for _, y in middles) / len(middles)
    ring = sorted(gates, key=lambda gate: math.atan2(_middle(gate)[1] - centre[1], _middle(gate)[0] - centre[0]))
    ring = _shortened(ring)
    if (area_mm2([_middle(gate) for gate in ring]) < 0) != (direction == CLOCKWISE):
        ring = ring[::-1]
    first = min(range(len(ring)), key=lambda n: math.hypot(*_middle(ring[n])))
    return (*ring[first:], *ring[:first])


def _shortened(ring: list[Gate]) -> list[Gate]:
    """The ring with stretches turned round for as long as that makes it shorter: no way crosses itself then."""
    best, is_shorter = _length_mm(ring), True
    while is_shorter:
        is_shorter = False
        for start in range(len(ring) - 1):
            for end in range(start + 2, len(ring) + 1):
                other = [*ring[:start], *ring[start:end][::-1], *ring[end:]]
                length = _length_mm(other)
                if length < best - 1e-6:
                    ring, best, is_shorter = other, length, True
    return ring


def _length_mm(ring: Sequence[Gate]) -> float:
    return sum(math.dist(one, other) for one, other in pairwise(closed([_middle(gate) for gate in ring])))


def _is_wrong_way(gate: Gate, gates: Sequence[Gate]) -> bool:
    """Whether the inner pyramid is rather outside of the way round than the outer one."""
    ring = [_middle(one) for one in gates]
    x, y = _middle(gate)
    towards = [(x + 0.1 * (end[0] - x), y + 0.1 * (end[1] - y)) for end in gate]
    return not holds(ring, towards[0]) and holds(ring, towards[1])


def _finish(gates: Sequence[Gate], scene: Scene, sheets: dict[str, SheetPlace]) -> int:
    """The gate at which cars line up; the first where no car is seen."""
    cars = [
        sheets[stack.sheet].laid((stack.pose.x_mm, stack.pose.y_mm))
        for stack in scene.stacks
        if stack.sheet in sheets and stack.pose.is_lying
    ]
    away = [min((math.dist(_middle(gate), car) for car in cars), default=0.0) for gate in gates]
    return away.index(min(away))


def _middle(gate: Gate) -> Point:
    return (gate[0][0] + gate[1][0]) / 2, (gate[0][1] + gate[1][1]) / 2


def _place(point: Point) -> str:
    return f"{point[0]:.0f}, {point[1]:.0f} mm"
