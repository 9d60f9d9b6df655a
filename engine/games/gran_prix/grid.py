"""Pole positions and the starting grid: who starts where, and where those places are on a track."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import groupby

from engine.games.gran_prix.geometry import LENGTH_MM, with_tip
from engine.games.gran_prix.track import Track
from engine.table import Pose, Size

GAP_MM = 6.0  # between rows of cars
INSIDE, OUTSIDE = 0.82, 0.18  # of the way across the track, where the first and the last car of a row have their tips


@dataclass(frozen=True)
class Qualifying:
    """A driver's lap alone: the rounds it took, the phase in which it ended, and the place on the ladder then."""

    rounds: int
    phase: int
    step: int


def pole_by_dice(throws: dict[str, tuple[tuple[int, int], ...]]) -> tuple[tuple[str, ...], ...]:
    """The order by the highest roll; later throws break ties. Groups of several have to roll again.

    >>> pole_by_dice({"Ann": ((3, 4), (1, 1)), "Bob": ((5, 2), (6, 6)), "Cid": ((6, 6),)})
    (('Cid',), ('Bob',), ('Ann',))
    """
    sums = {name: tuple(-sum(throw) for throw in rolled) for name, rolled in throws.items()}
    return _grouped(sums)


def pole_by_laps(laps: dict[str, Qualifying]) -> tuple[tuple[str, ...], ...]:
    """The order by fewest rounds, then the earlier phase, then the faster speed over the line (P-17)."""
    return _grouped({name: (lap.rounds, lap.phase, -lap.step) for name, lap in laps.items()})


def _grouped(keys: dict[str, tuple[int, ...]]) -> tuple[tuple[str, ...], ...]:
    order = sorted(keys, key=lambda name: keys[name])
    return tuple(tuple(group) for _, group in groupby(order, key=lambda name: keys[name]))


def starting_grid(track: Track, order: tuple[str, ...], size: Size, abreast: int = 2) -> dict[str, Pose]:
    """Where cars start, two or three abreast: inside in the first row first, its tips just behind the line."""
    poses = {}
    for place, name in enumerate(order):
        row, column = divmod(place, abreast)
        share = INSIDE - (INSIDE - OUTSIDE) * column / max(abreast - 1, 1)
        front = track.point_at(-1.0 - (LENGTH_MM[size] + GAP_MM) * row, share)
        poses[name] = with_tip(front, track.heading_at(front), size)
    return poses
