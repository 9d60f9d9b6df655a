"""Rings of strokes: closed lines in a mask of ink, and the middle of the pen's way along them.

Pixels are (x, y) of the mask.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ink import Ink, Mask, grown, opened, shrunk

Floats = NDArray[np.float64]
SMOOTH_MM, EXACT_MM = 5.0, 0.7  # lines by hand are smoothed over so much; how far their points may leave out


@dataclass(frozen=True, eq=False)
class RingLine:
    """A closed line, shape (n, 2), and where something thick lies on it."""

    points: Floats
    covered: tuple[Floats, ...] = ()


def ring_of(ink: Ink, grown_px: float, least_px2: float, within: Mask | None = None) -> Mask | None:
    """What the largest closed line encloses, its ink included, when ink is grown by so much; None if there is none.

    `within` is what the outer line encloses: then the largest is looked for that lies inside of it without touching.
    """
    barrier = grown(ink.drawn, grown_px)
    if within is not None:
        return _inner_ring(ink, barrier, grown_px, least_px2, within)
    filled = 1 - _reached_from_rim(barrier)
    enclosed = _largest(filled & (1 - barrier), least_px2)
    if enclosed is None:
        return None
    return _taken_back(_largest(_opened(filled, ink), least_px2), grown_px, least_px2)


def _inner_ring(ink: Ink, barrier: Mask, grown_px: float, least_px2: float, within: Mask) -> Mask | None:
    """Open ground next to the outer line is track; the rest inside, without thin strokes, the inner line encloses."""
    inside = cv2.distanceTransform(within, cv2.DIST_L2, 5)
    next_to = (inside > 0) & (inside < 2 * ink.width_px + 2 * grown_px + 6)
    _, labels = cv2.connectedComponents((within & (1 - barrier)).astype(np.uint8), connectivity=4)
    is_track = np.zeros(int(labels.max()) + 1, bool)
    is_track[np.unique(labels[next_to])] = True
    is_track[0] = False
    left = (within > 0) & ~is_track[labels] & (inside > 1.5 * ink.width_px + 2 * grown_px + 3)
    ground = left & (barrier == 0)
    found = _largest(_opened(left.astype(np.uint8), ink), least_px2)
    if found is None or (found & ground).sum() < least_px2 / 2:
        return None
    return _taken_back(found, grown_px, least_px2)


def _opened(mask: Mask, ink: Ink) -> Mask:
    """Without what is no thicker than a few strokes: ends that stick out, a finish line."""
    return opened(mask, 1.6 * ink.width_px + 2)


def _taken_back(mask: Mask | None, grown_px: float, least_px2: float) -> Mask | None:
    return None if mask is None else _largest(shrunk(mask, grown_px), least_px2)


def _reached_from_rim(barrier: Mask) -> Mask:
    """Where one can get from the picture's rim without crossing the barrier."""
    around = np.pad(barrier, 1)
    flooded = np.zeros((around.shape[0] + 2, around.shape[1] + 2), np.uint8)
    flooded[1:-1, 1:-1] = around
    picture = around.copy()
    cv2.floodFill(picture, flooded, (0, 0), 2, flags=4)
    return np.asarray(picture[1:-1, 1:-1] == 2, dtype=np.uint8)


def _largest(mask: Mask, least_px2: float) -> Mask | None:
    """The largest part that hangs together; None when it is smaller than that."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=4)
    if count < 2:
        return None
    best = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
    return np.asarray(labels == best, dtype=np.uint8) if stats[best, cv2.CC_STAT_AREA] >= least_px2 else None


def middle_line(ring: Mask, ink: Ink, px_per_mm: float) -> RingLine:
    """The middle of the pen's way along the outside of what a ring encloses; straight on under what lies on it."""
    inside = cv2.distanceTransform(np.pad(ring, 1), cv2.DIST_L2, 5)[1:-1, 1:-1]
    outlines, _ = cv2.findContours(
        (inside > (ink.width_px + 1) / 2).astype(np.uint8), cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE
    )
    line = max(outlines, key=cv2.contourArea).reshape(-1, 2).astype(np.float64)
    near = grown(ink.thick, 2.0 * px_per_mm)
    is_covered = near[line[:, 1].astype(int), line[:, 0].astype(int)] > 0
    covered: list[Floats] = []
    if is_covered.any() and not is_covered.all():
        line, covered = _without(line, is_covered)
    return RingLine(_smooth(line, px_per_mm), tuple(covered))


def _without(line: Floats, is_covered: NDArray[np.bool_]) -> tuple[Floats, list[Floats]]:
    """The line with chords in place of its covered stretches, and the middle of each chord."""
    first = int(np.argmin(is_covered))
    line, is_covered = np.roll(line, -first, axis=0), np.roll(is_covered, -first)
    steps = np.flatnonzero(np.diff(np.concatenate([is_covered, [False]]).astype(int)))
    kept, places, at = [], [], 0
    for start, end in zip(steps[::2], steps[1::2], strict=True):
        a, b = line[start], line[(end + 1) % len(line)]
        count = max(2, round(float(np.linalg.norm(b - a))))
        kept += [line[at : start + 1], a + (b - a) * np.arange(1, count)[:, None] / count]
        places.append((a + b) / 2)
        at = end + 1
    return np.concatenate([*kept, line[at:]]), places


def _smooth(line: Floats, px_per_mm: float) -> Floats:
    """A closed line of neighbouring pixels without its steps, with as few points as say it exactly enough."""
    count = min(2 * round(SMOOTH_MM * px_per_mm / 2) + 1, len(line))
    ends = count // 2
    kernel = np.hanning(count + 2)[1:-1]
    around = np.concatenate([line[len(line) - ends :], line, line[:ends]])
    smooth = np.stack([np.convolve(around[:, n], kernel / kernel.sum(), mode="valid") for n in (0, 1)], axis=1)
    kept = cv2.approxPolyDP(smooth.astype(np.float32).reshape(-1, 1, 2), EXACT_MM * px_per_mm, True)
    return np.asarray(kept.reshape(-1, 2), dtype=np.float64)


def between(mask: NDArray[np.bool_]) -> Floats:
    """A stroke's way from its one end to its other, pixel by pixel and then smoothed: shape (n, 2)."""
    start = tuple(np.argwhere(mask)[0].tolist())
    one, _ = _farthest(mask, (start[0], start[1]))
    other, came_from = _farthest(mask, one)
    way = [other]
    while way[-1] != one:
        way.append(came_from[way[-1]])
    line = np.array(way, dtype=np.float64)[:, ::-1]
    count = min(9, len(line))
    around = np.pad(line, ((count // 2, count // 2), (0, 0)), mode="edge")
    return np.stack([np.convolve(around[:, n], np.ones(count) / count, mode="valid") for n in (0, 1)], axis=1)


Pixel = tuple[int, int]


def _farthest(mask: NDArray[np.bool_], start: Pixel) -> tuple[Pixel, dict[Pixel, Pixel]]:
    """The pixel (row, column) of the mask farthest from one by steps in it, and whence each was reached."""
    came_from, waiting, last = {start: start}, deque([start]), start
    height, width = mask.shape
    while waiting:
        last = row, column = waiting.popleft()
        for step in ((0, 1), (1, 0), (0, -1), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)):
            there = row + step[0], column + step[1]
            if 0 <= there[0] < height and 0 <= there[1] < width and mask[there] and there not in came_from:
                came_from[there] = last
                waiting.append(there)
    return last, came_from
