"""A marker's corners to a few hundredths of a pixel: a line is fitted to each side, neighbours are intersected.

OpenCV's own corners are off by up to a pixel, and its subpixel search hardly helps where a tag's modules are only
3 to 5 pixels wide (VISION_NOTES: an RMS of 0.55 px became 0.06 px this way). A side's line goes through the edge
crossings of many normals to it; a crossing is the gradient's middle, in linear light. Whatever lies across a side
spoils some normals only, and those are dropped. Pixels are (x, y) with pixel centres at whole numbers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import opencv

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class CornerSettings:
    """Thresholds of the corner search."""

    normals: int = 24  # a side; more do not lower the error
    ends: float = 0.08  # part of a side left out at each end: there the other side's edge shows
    reach_modules: tuple[float, ...] = (0.62, 0.45)  # how far a normal reaches, by round; the rim is 1 module wide
    least_reach_px: float = 1.8  # an edge is blurred over about this much
    step_px: float = 0.25
    faint: float = 0.45  # a normal with less than this part of its tag's usual contrast is dropped
    least_normals: int = 8  # a side with fewer is no side
    fit_rounds: int = 5
    least_spread_px: float = 0.05  # crossings closer than this to the line are all as good
    furthest_modules: float = 0.7  # a corner that moves further was not this tag's


SETTINGS = CornerSettings()


@dataclass(frozen=True, eq=False)
class Corners:
    """Refined corners of n tags, shape (n, 4, 2), pixels; the error to expect, shape (n,), infinite where it failed."""

    pixels: Floats
    error_px: Floats


def refined(grey: NDArray[np.uint8], quads: Floats) -> Corners:
    """The corners of tags found roughly at `quads`, shape (n, 4, 2), clockwise as seen, pixels."""
    if len(quads) == 0:
        return Corners(quads, np.zeros(0))
    light = opencv.linear(grey)
    module = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2).mean(axis=1) / opencv.MARKER_MODULES
    found, error = quads, np.zeros(len(quads))
    for reach in SETTINGS.reach_modules:
        found, error = _one_round(light, found, np.maximum(reach * module, SETTINGS.least_reach_px))
    moved = np.linalg.norm(found - quads, axis=2).max(axis=1)
    lost = ~np.isfinite(error) | (moved > np.maximum(SETTINGS.furthest_modules * module, 1.5))
    return Corners(np.where(lost[:, None, None], quads, found), np.where(lost, np.inf, error))


def _one_round(light: NDArray[np.float32], quads: Floats, reach_px: Floats) -> tuple[Floats, Floats]:
    """Corners, shape (n, 4, 2), and their standard error, shape (n,), searched within `reach_px`, shape (n,)."""
    start, along = quads, np.roll(quads, -1, axis=1) - quads
    outward = np.stack([along[..., 1], -along[..., 0]], axis=-1)
    outward /= np.maximum(np.linalg.norm(outward, axis=-1, keepdims=True), 1e-9)
    s = np.linspace(SETTINGS.ends, 1 - SETTINGS.ends, SETTINGS.normals)
    crossing, usable = _crossings(light, start, along, outward, s, reach_px)
    offset, slope, error = _fitted(s - 0.5, crossing, usable)
    middle = start + 0.5 * along + offset[..., None] * outward
    corners = _meeting(middle, along + slope[..., None] * outward)
    return corners, error.max(axis=1)


def _crossings(
    light: NDArray[np.float32], start: Floats, along: Floats, outward: Floats, s: Floats, reach_px: Floats
) -> tuple[Floats, NDArray[np.bool_]]:
    """How far outwards of the side the edge crosses each normal, px, and whether it does: shapes (n, 4, normals)."""
    count = int(np.ceil(reach_px.max() / SETTINGS.step_px)) * 2 + 1
    unit = np.linspace(-1, 1, min(count, 41))
    t = unit[None, :] * reach_px[:, None]
    base = start[:, :, None] + s[:, None] * along[:, :, None]
    points = base[:, :, :, None] + t[:, None, None, :, None] * outward[:, :, None, None]
    tags, sides, normals, steps = points.shape[:4]
    values = opencv.sampled(light, points.reshape(-1, steps, 2)).reshape(tags, sides, normals, steps).astype(np.float64)
    rise = np.maximum(np.diff(values, axis=-1), 0.0)  # from the black rim out to the white paper
    rise = np.maximum(rise - 0.12 * rise.max(axis=-1, keepdims=True), 0.0)  # noise pulls towards the middle
    total = rise.sum(axis=-1)
    between = (t[:, 1:] + t[:, :-1]) / 2
    crossing = (rise * between[:, None, None, :]).sum(axis=-1) / np.maximum(total, 1e-9)
    usual = np.median(total.reshape(tags, -1), axis=1)
    return crossing, total > SETTINGS.faint * usual[:, None, None]


def _fitted(s: Floats, t: Floats, usable: NDArray[np.bool_]) -> tuple[Floats, Floats, Floats]:
    """Robust lines ``t = offset + slope * s``: offset, slope and the standard error of an end, shapes (n, 4).

    `s` is (normals,), `t` and `usable` are (n, 4, normals). The error is infinite where too few normals agree.
    """
    weight = usable.astype(np.float64)
    offset = _weighted_median(t, usable)
    slope = np.zeros_like(offset)
    spread = np.zeros_like(offset)
    for _ in range(SETTINGS.fit_rounds):
        miss = np.abs(t - offset[..., None] - slope[..., None] * s)
        spread = np.maximum(1.48 * _weighted_median(miss, usable), SETTINGS.least_spread_px)
        weight = usable / (1 + (miss / (2 * spread[..., None])) ** 2) ** 2
        total = np.maximum(weight.sum(axis=-1), 1e-9)
        mean_s, mean_t = (weight * s).sum(axis=-1) / total, (weight * t).sum(axis=-1) / total
        away = s - mean_s[..., None]
        slope = (weight * away * (t - mean_t[..., None])).sum(axis=-1) / np.maximum(
            (weight * away**2).sum(axis=-1), 1e-9
        )
        offset = mean_t - slope * mean_s
    agreeing = weight.sum(axis=-1)
    error = spread * np.sqrt((1 + 3) / np.maximum(agreeing, 1.0))  # at an end: the middle's and the slope's share
    return offset, slope, np.where(agreeing >= SETTINGS.least_normals, error, np.inf)


def _weighted_median(values: Floats, usable: NDArray[np.bool_]) -> Floats:
    """The median of the usable ones along the last axis; 0 where none is."""
    ordered = np.sort(np.where(usable, values, np.inf), axis=-1)
    middle = np.maximum(usable.sum(axis=-1) - 1, 0) // 2
    found = np.take_along_axis(ordered, middle[..., None], axis=-1)[..., 0]
    return np.where(np.isfinite(found), found, 0.0)


def _meeting(points: Floats, along: Floats) -> Floats:
    """Where each side's line, through `points` with direction `along`, shapes (n, 4, 2), meets the one before it."""
    before, before_along = np.roll(points, 1, axis=1), np.roll(along, 1, axis=1)
    cross = before_along[..., 0] * along[..., 1] - before_along[..., 1] * along[..., 0]
    gap = points - before
    cross = np.where(np.abs(cross) < 1e-9, 1e-9, cross)
    part = (gap[..., 0] * along[..., 1] - gap[..., 1] * along[..., 0]) / cross
    return np.asarray(before + part[..., None] * before_along)
