"""One least-squares problem for lens, camera and sheets: what makes the markers' corners appear where they do.

Unknowns: the focal length and distortion, held by a prior; how much tags look larger than printed, since exposure
and sharpening move their edges; the camera's pose; each sheet's pose but the first one's, which fixes the table's
frame. Levenberg-Marquardt with OpenCV's derivatives; markers that disagree lose weight from round to round.
Millimetres, pixels, radians; frames as in `calibration.optics`.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import opencv

Floats = NDArray[np.float64]

FOCAL, BIAS, POSE, SHEETS = 0, 5, 6, 12  # where in the vector of unknowns what begins; 1..4 is the distortion


@dataclass(frozen=True)
class SolveSettings:
    """Bounds and thresholds of the search."""

    rounds: int = 6  # of weighting
    steps: int = 12  # a round at most
    settled: float = 1e-7  # relative gain below which a round ends
    first_spread_px: float = 0.6
    least_spread_px: float = 0.03  # no picture is better than this
    bias_sd_px: float = 1.0
    disagrees: float = 3.0  # spreads at which a marker has lost half its weight
    outlier: float = 7.0  # spreads at which it is rejected
    flatness_mm: float = 0.04  # paper and print are never better than this


SETTINGS = SolveSettings()


@dataclass(frozen=True, eq=False)
class Sightings:
    """The markers seen, one row each: which sheet (an index), corners on the sheet and in the picture, (n, 4, 2)."""

    ids: NDArray[np.int64]
    sheets: NDArray[np.int64]
    corners_mm: Floats
    corners_px: Floats
    error_px: Floats

    def only(self, kept: NDArray[np.bool_]) -> Sightings:
        """The kept rows."""
        return Sightings(
            self.ids[kept], self.sheets[kept], self.corners_mm[kept], self.corners_px[kept], self.error_px[kept]
        )


@dataclass(frozen=True)
class LensPrior:
    """What is known of the lens before looking: means and standard deviations."""

    focal_px: float
    focal_spread: float  # relative
    distortion: tuple[float, float, float, float]
    distortion_spread: tuple[float, float, float, float]
    centre_px: tuple[float, float]


@dataclass(frozen=True, eq=False)
class Solution:
    """The unknowns, how sure they are, and what each marker says of them."""

    unknowns: Floats  # (12 + 3 * (sheets - 1),)
    covariance: Floats
    spread_px: float  # of a corner, robust
    misses_px: Floats  # (markers, 4, 2): seen minus expected
    weights: Floats  # (markers,) 0..1
    prior: LensPrior

    @property
    def focal_px(self) -> float:
        return float(np.exp(self.unknowns[FOCAL]))

    @property
    def distortion(self) -> tuple[float, float, float, float]:
        k1, k2, p1, p2 = self.unknowns[1:5].tolist()
        return k1, k2, p1, p2

    @property
    def rotation(self) -> Floats:
        return opencv.rotation_from_vector(self.unknowns[POSE : POSE + 3])

    @property
    def translation_mm(self) -> Floats:
        return self.unknowns[POSE + 3 : SHEETS]

    @property
    def focal_spread(self) -> float:
        """Standard deviation of the focal length over the focal length."""
        return float(np.sqrt(self.covariance[FOCAL, FOCAL]))

    @property
    def focal_surprise(self) -> float:
        """How many of the prior's standard deviations the focal length is away from it."""
        return abs(float(self.unknowns[FOCAL] - np.log(self.prior.focal_px))) / self.prior.focal_spread

    def pose_of(self, sheet: int, first: Floats) -> Floats:
        """x, y in mm and turn in radians, shape (3,), of the sheet by index; `first` is the first one's."""
        if sheet == 0:
            return first
        return self.unknowns[SHEETS + 3 * (sheet - 1) : SHEETS + 3 * sheet]


def solve(seen: Sightings, prior: LensPrior, first: Floats, start: Floats) -> Solution:
    """The best unknowns from `start` on; `first` is the first sheet's fixed pose."""
    unknowns, spread = start, SETTINGS.first_spread_px
    weights = np.ones(len(seen.ids))
    for _ in range(SETTINGS.rounds):
        sigma = np.sqrt(spread**2 + seen.error_px**2)
        unknowns = _descend(seen, prior, first, unknowns, np.sqrt(weights) / sigma)
        misses, _ = expected(seen, prior, first, unknowns)
        spread = _spread(misses, weights)
        weights = _weights(misses, np.sqrt(spread**2 + seen.error_px**2))
    factor = np.sqrt(weights) / np.sqrt(spread**2 + seen.error_px**2)
    misses, slopes = expected(seen, prior, first, unknowns)
    rows = slopes.reshape(-1, len(unknowns)) * np.repeat(factor, 8)[:, None]
    information = rows.T @ rows + np.diag(_prior_rows(prior, unknowns)[1] ** 2)
    return Solution(unknowns, np.linalg.inv(information), spread, -misses, weights, prior)


def expected(seen: Sightings, prior: LensPrior, first: Floats, unknowns: Floats) -> tuple[Floats, Floats]:
    """Expected minus seen corners, shape (n, 4, 2), px, and the derivatives by the unknowns, (n, 4, 2, unknowns)."""
    pixels, slopes = projected(seen.sheets, seen.corners_mm, prior, first, unknowns)
    growth = _growth(seen.corners_px)
    slopes[..., BIAS] = growth
    return pixels + unknowns[BIAS] * growth - seen.corners_px, slopes


def projected(
    sheets: NDArray[np.int64], points_mm: Floats, prior: LensPrior, first: Floats, unknowns: Floats
) -> tuple[Floats, Floats]:
    """Pixels of sheet points, shape (n, k, 2), of the sheets with index `sheets`, (n,), and their derivatives."""
    poses = np.concatenate([first[None], unknowns[SHEETS:].reshape(-1, 3)])[sheets]
    c, s = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
    x, y = points_mm[..., 0], points_mm[..., 1]
    table = np.stack([c * x - s * y + poses[:, :1], s * x + c * y + poses[:, 1:2], np.zeros_like(x)], axis=-1)
    lens = np.array([np.exp(unknowns[FOCAL]), *unknowns[1:5]])
    pixels, by_pose, by_lens = opencv.projected(table.reshape(-1, 3), unknowns[POSE:SHEETS], lens, prior.centre_px)
    slopes = np.zeros((*x.shape, 2, len(unknowns)))
    slopes[..., FOCAL:BIAS] = by_lens.reshape(*x.shape, 2, 5)
    slopes[..., FOCAL] *= lens[0]
    slopes[..., POSE:SHEETS] = by_pose.reshape(*x.shape, 2, 6)
    by_table = by_pose[:, :, 3:] @ opencv.rotation_from_vector(unknowns[POSE : POSE + 3])
    by_table = by_table.reshape(*x.shape, 2, 3)[..., :2]
    turned = np.stack([-s * x - c * y, c * x - s * y], axis=-1)
    by_sheet = np.concatenate([by_table, (by_table @ turned[..., None])], axis=-1)
    for row in np.flatnonzero(sheets > 0):
        at = SHEETS + 3 * (int(sheets[row]) - 1)
        slopes[row, ..., at : at + 3] = by_sheet[row]
    return pixels.reshape(*x.shape, 2), slopes


def _growth(corners_px: Floats) -> Floats:
    """How the corners, shape (n, 4, 2), move when each side of a tag moves outwards by one pixel."""
    along = np.roll(corners_px, -1, axis=1) - corners_px
    along /= np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-9)
    before = np.roll(along, 1, axis=1)
    sine = before[..., 0] * along[..., 1] - before[..., 1] * along[..., 0]
    return np.asarray((before - along) / np.where(np.abs(sine) < 0.05, 0.05, sine)[..., None])


def _prior_rows(prior: LensPrior, unknowns: Floats) -> tuple[Floats, Floats]:
    """Misses against the prior in standard deviations, and the diagonal of their derivatives; shape (unknowns,)."""
    mean, scale = np.zeros_like(unknowns), np.zeros_like(unknowns)
    mean[FOCAL], scale[FOCAL] = np.log(prior.focal_px), 1 / prior.focal_spread
    mean[1:5], scale[1:5] = prior.distortion, 1 / np.array(prior.distortion_spread)
    scale[BIAS] = 1 / SETTINGS.bias_sd_px
    return (unknowns - mean) * scale, scale


def _descend(seen: Sightings, prior: LensPrior, first: Floats, unknowns: Floats, factor: Floats) -> Floats:
    """Levenberg-Marquardt for fixed weights; `factor` multiplies each marker's misses."""
    damping = 1e-4
    cost, gradient, information = _normal_equations(seen, prior, first, unknowns, factor)
    for _ in range(SETTINGS.steps):
        scale = damping * np.maximum(np.diag(information), 1e-12)
        tried = unknowns - np.linalg.solve(information + np.diag(scale), gradient)
        there = _normal_equations(seen, prior, first, tried, factor)
        if not there[0] < cost:
            damping *= 10
            continue
        gain, unknowns = cost - there[0], tried
        cost, gradient, information = there
        damping = max(damping / 10, 1e-9)
        if gain < SETTINGS.settled * cost:
            break
    return unknowns


def _normal_equations(
    seen: Sightings, prior: LensPrior, first: Floats, unknowns: Floats, factor: Floats
) -> tuple[float, Floats, Floats]:
    """Cost, gradient and information matrix at the unknowns."""
    misses, slopes = expected(seen, prior, first, unknowns)
    each = np.repeat(factor, 8)
    miss = misses.reshape(-1) * each
    rows = slopes.reshape(-1, len(unknowns)) * each[:, None]
    pull, scale = _prior_rows(prior, unknowns)
    cost = float(miss @ miss + pull @ pull)
    return cost, rows.T @ miss + pull * scale, rows.T @ rows + np.diag(scale**2)


def _spread(misses: Floats, weights: Floats) -> float:
    """A corner coordinate's standard deviation, px, by the median over the markers that still count."""
    trusted = misses[weights > 0.1] if (weights > 0.1).sum() >= 3 else misses
    return max(1.48 * float(np.median(np.abs(trusted))), SETTINGS.least_spread_px)


def _weights(misses: Floats, sigma: Floats) -> Floats:
    """Weight of each marker by how far its corners are off; 0 for outliers."""
    strange = np.sqrt((misses**2).mean(axis=(1, 2))) / sigma
    return np.where(strange > SETTINGS.outlier, 0.0, 1 / (1 + (strange / SETTINGS.disagrees) ** 2) ** 2)
