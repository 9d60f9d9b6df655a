"""One least-squares problem for lens, camera and sheets: what makes the markers' corners appear where they do.

Levenberg-Marquardt over the unknowns of `calibration.appearance`. Markers that disagree lose weight from round to
round, and a sheet's corner may curl up as far as the round before found it to: flat ones are so held flat.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import numpy as np
from numpy.typing import NDArray

from calibration.appearance import (
    BIAS,
    DISTORTION,
    FOCAL,
    POWERS,
    REACH,
    USUAL_REACH_MM,
    Floats,
    Frame,
    Spots,
    camera_of,
    growth_of,
    lens_of,
    lifts_at,
    projected,
    sheet_poses,
)


@dataclass(frozen=True)
class SolveSettings:
    """Bounds and thresholds of the search."""

    rounds: int = 6  # of weighting
    steps: int = 12  # a round at most
    settled: float = 1e-6  # relative gain below which a round ends
    first_spread_px: float = 0.6
    least_spread_px: float = 0.03  # no picture is better than this
    bias_sd_px: float = 1.0
    first_lift_mm: float = 2.0  # how far a sheet's corner may curl up before anything was seen of it
    least_lift_mm: float = 0.1
    reach_spread: float = 0.35  # relative, of how far a corner's lift is felt
    disagrees: float = 3.0  # spreads at which a marker has lost half its weight
    outlier: float = 7.0  # spreads at which it is rejected
    anywhere_mm: float = 1000.0  # how far off a sheet may be of whose markers none is believed


SETTINGS = SolveSettings()


@dataclass(frozen=True, eq=False)
class Sightings:
    """The markers seen, one row each: their corners on the sheets and in the picture, shape (n, 4, 2), px."""

    ids: NDArray[np.int64]
    spots: Spots
    corners_px: Floats
    error_px: Floats


@dataclass(frozen=True)
class LensPrior:
    """What is known of the lens before looking: means and standard deviations."""

    focal_px: float
    focal_spread: float  # relative
    distortion: tuple[float, float, float, float]
    distortion_spread: tuple[float, float, float, float]
    centre_px: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Problem:
    """What is to be solved; `lift_mm` is how far each corner of each sheet may curl up, shape (4 * sheets,)."""

    seen: Sightings
    prior: LensPrior
    frame: Frame
    lift_mm: Floats


@dataclass(frozen=True, eq=False)
class Solution:
    """The unknowns, how sure they are, and how far each marker, shape (n,), is believed: 0 for outliers."""

    frame: Frame
    prior: LensPrior
    unknowns: Floats
    covariance: Floats
    spread_px: float  # of a marker's corner, robust
    weights: Floats

    @property
    def lens(self) -> Floats:
        """Focal length in px, k1, k2, p1, p2."""
        return lens_of(self.frame, self.unknowns)

    @property
    def camera(self) -> tuple[Floats, Floats]:
        """camera_from_table: rotation, shape (3, 3), and translation in mm, shape (3,)."""
        return camera_of(self.frame, self.unknowns)

    @property
    def sheets(self) -> Floats:
        """x, y in mm and turn in radians of each sheet, shape (sheets, 3)."""
        return sheet_poses(self.frame, self.unknowns)

    @property
    def lifts_mm(self) -> Floats:
        """How far the corners of each sheet curl up, shape (sheets, 4), from its origin counter-clockwise."""
        return self.unknowns[lifts_at(self.unknowns) :].reshape(-1, 4)

    @property
    def focal_spread(self) -> float:
        """Standard deviation of the focal length over the focal length."""
        return float(np.sqrt(self.covariance[FOCAL, FOCAL]))

    @property
    def focal_surprise(self) -> float:
        """How far what is seen and the prior disagree on the focal length, in standard deviations of both."""
        apart = abs(float(self.unknowns[FOCAL] - np.log(self.prior.focal_px)))
        told = self.prior.focal_spread**2 - float(self.covariance[FOCAL, FOCAL])  # what seeing added
        return apart / float(np.sqrt(max(told, (0.01 * self.prior.focal_spread) ** 2)))


def solve(seen: Sightings, prior: LensPrior, frame: Frame, start: Floats) -> Solution:
    """The best unknowns from `start` on."""
    unknowns, spread, weights = start, SETTINGS.first_spread_px, np.ones(len(seen.ids))
    lift_mm = np.full(len(start) - lifts_at(start), SETTINGS.first_lift_mm)
    problem = Problem(seen, prior, frame, lift_mm)
    for _ in range(SETTINGS.rounds):
        equations = partial(_normal_equations, problem, factor_of(weights, spread, seen))
        unknowns = descended(equations, unknowns, SETTINGS.steps, SETTINGS.settled)
        misses, _ = expected(problem, unknowns)
        spread = spread_of(misses, weights)
        weights = weights_of(misses, np.sqrt(spread**2 + seen.error_px**2))
        problem = Problem(seen, prior, frame, believable_lifts(unknowns))
    _, _, information = _normal_equations(problem, factor_of(weights, spread, seen), unknowns)
    return Solution(frame, prior, unknowns, covariance_of(information), spread, weights)


def covariance_of(information: Floats) -> Floats:
    """The covariance of the unknowns: huge for the place of a sheet of which no marker is believed."""
    untold = np.diag(information) == 0
    return np.asarray(np.linalg.inv(information + np.diag(np.where(untold, SETTINGS.anywhere_mm**-2, 0.0))))


def believable_lifts(unknowns: Floats) -> Floats:
    """How far each corner of each sheet may curl up after it was found to do so: shape (4 * sheets,), mm."""
    lifted = np.maximum(unknowns[lifts_at(unknowns) :], 0.0)  # paper does not sink into the table
    return np.minimum(np.hypot(lifted, SETTINGS.least_lift_mm), 4 * SETTINGS.first_lift_mm)


def expected(problem: Problem, unknowns: Floats) -> tuple[Floats, Floats]:
    """Expected minus seen corners, shape (n, 4, 2), px, and the derivatives by the unknowns, (n, 4, 2, unknowns)."""
    pixels, slopes = projected(problem.frame, problem.seen.spots, unknowns)
    outwards = _outwards(problem.seen.corners_px)
    slopes[..., BIAS] = outwards
    return pixels + unknowns[BIAS] * outwards - problem.seen.corners_px, slopes


def _outwards(corners_px: Floats) -> Floats:
    """How the corners, shape (n, 4, 2), move when each side of a tag moves outwards by one pixel."""
    along = np.roll(corners_px, -1, axis=1) - corners_px
    along /= np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-9)
    before = np.roll(along, 1, axis=1)
    sine = before[..., 0] * along[..., 1] - before[..., 1] * along[..., 0]
    return np.asarray((before - along) / np.where(np.abs(sine) < 0.05, 0.05, sine)[..., None])


def prior_rows(problem: Problem, unknowns: Floats) -> tuple[Floats, Floats]:
    """Misses against what is known beforehand, in standard deviations, shape (m,), and derivatives (m, unknowns)."""
    prior, lifts = problem.prior, lifts_at(unknowns)
    growth = growth_of(problem.frame, unknowns) ** POWERS
    bent, spread = unknowns[DISTORTION:BIAS] * growth, np.array(prior.distortion_spread)
    focal = (unknowns[FOCAL] - np.log(prior.focal_px)) / prior.focal_spread
    bias = unknowns[BIAS] / SETTINGS.bias_sd_px
    reach = (unknowns[REACH] - np.log(USUAL_REACH_MM)) / SETTINGS.reach_spread
    lifted = unknowns[lifts:] / problem.lift_mm
    miss = np.array([focal, *((bent - prior.distortion) / spread), bias, reach, *lifted])
    slopes = np.zeros((len(miss), len(unknowns)))
    slopes[0, FOCAL] = 1 / prior.focal_spread
    slopes[1:5, FOCAL] = POWERS * bent / spread
    slopes[1:5, DISTORTION:BIAS] = np.diag(growth / spread)
    slopes[5, BIAS] = 1 / SETTINGS.bias_sd_px
    slopes[6, REACH] = 1 / SETTINGS.reach_spread
    slopes[7:, lifts:] = np.diag(1 / problem.lift_mm)
    return miss, slopes


def descended(
    normal_equations: Callable[[Floats], tuple[float, Floats, Floats]], unknowns: Floats, steps: int, settled: float
) -> Floats:
    """Levenberg-Marquardt from `unknowns`, for equations that give cost, gradient and information at a place.

    It ends after so many steps, or when one gains less than the share `settled` of the cost.
    """
    damping = 1e-4
    cost, gradient, information = normal_equations(unknowns)
    for _ in range(steps):
        scale = damping * np.maximum(np.diag(information), 1e-12)
        tried = unknowns - np.linalg.solve(information + np.diag(scale), gradient)
        there = normal_equations(tried)
        if not there[0] < cost:
            damping *= 10
            continue
        gain, unknowns = cost - there[0], tried
        cost, gradient, information = there
        damping = max(damping / 10, 1e-9)
        if gain < settled * cost:
            break
    return unknowns


def _normal_equations(problem: Problem, factor: Floats, unknowns: Floats) -> tuple[float, Floats, Floats]:
    """Cost, gradient and information matrix at the unknowns."""
    misses, slopes = expected(problem, unknowns)
    each = np.repeat(factor, 8)
    miss = misses.reshape(-1) * each
    rows = slopes.reshape(-1, len(unknowns)) * each[:, None]
    pull, held = prior_rows(problem, unknowns)
    cost = float(miss @ miss + pull @ pull)
    return cost, rows.T @ miss + held.T @ pull, rows.T @ rows + held.T @ held


def factor_of(weights: Floats, spread: float, seen: Sightings) -> Floats:
    """What to multiply each marker's misses by, shape (n,): pixels become standard deviations, doubted ones less."""
    return np.asarray(np.sqrt(weights / (spread**2 + seen.error_px**2)))


def spread_of(misses: Floats, weights: Floats) -> float:
    """A corner coordinate's standard deviation, px, by the median over the markers that still count."""
    trusted = misses[weights > 0.1] if (weights > 0.1).sum() >= 3 else misses
    return max(1.48 * float(np.median(np.abs(trusted))), SETTINGS.least_spread_px)


def weights_of(misses: Floats, sigma: Floats) -> Floats:
    """Weight of each marker by how far its corners are off; 0 for outliers."""
    strange = np.sqrt((misses**2).mean(axis=(1, 2))) / sigma
    return np.where(strange > SETTINGS.outlier, 0.0, 1 / (1 + (strange / SETTINGS.disagrees) ** 2) ** 2)
