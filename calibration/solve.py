"""One least-squares problem for lens, camera and sheets: what makes the markers' corners appear where they do.

Unknowns: the focal length and distortion, held by a prior; how much tags look larger than printed, since exposure
and sharpening move their edges; the camera's pose; each sheet's pose but the first one's, which fixes the table's
frame. Levenberg-Marquardt with OpenCV's derivatives; markers that disagree lose weight from round to round.
Millimetres, pixels, radians; frames as in `calibration.optics`.

Seen from nearly straight above, a longer lens higher up looks almost the same, so the cost is a long curved valley in
which a descent creeps. It is straight in the unknowns used here: whatever must grow with the focal length to keep the
picture is told relative to F, the focal length over the prior's: the height and the tilt by F, distortion by its power.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import opencv

Floats = NDArray[np.float64]

# Where in the vector of unknowns what begins. FOCAL: log of the focal length; DISTORTION: k1/F^2, k2/F^4, p1/F, p2/F;
# BIAS: px that a tag's side seems to lie further out; TILT: rotation vector's x and y over F, then the turn about the
# table's z; PLACE: translation x, y, and z over F; SHEETS: x, y, turn of each sheet but the first.
FOCAL, DISTORTION, BIAS, TILT, PLACE, SHEETS = 0, 1, 5, 6, 9, 12
POWERS = np.array([2.0, 4.0, 1.0, 1.0])
FACING = np.diag([1.0, -1.0, -1.0])  # camera_from_table when it looks straight down, pictures' top where y points


@dataclass(frozen=True)
class SolveSettings:
    """Bounds and thresholds of the search."""

    rounds: int = 5  # of weighting
    steps: int = 12  # a round at most
    settled: float = 1e-6  # relative gain below which a round ends
    first_spread_px: float = 0.6
    least_spread_px: float = 0.03  # no picture is better than this
    bias_sd_px: float = 1.0
    disagrees: float = 3.0  # spreads at which a marker has lost half its weight
    outlier: float = 7.0  # spreads at which it is rejected


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
    def lens(self) -> Floats:
        """Focal length in px, k1, k2, p1, p2."""
        return _lens(self.unknowns, self.prior)

    @property
    def pose(self) -> tuple[Floats, Floats]:
        """camera_from_table: rotation, shape (3, 3), and translation in mm, shape (3,)."""
        return _rotation(self.unknowns, self.prior)[0], _translation(self.unknowns, self.prior)

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
    misses, _ = expected(seen, prior, first, unknowns)
    _, _, information = _normal_equations(seen, prior, first, unknowns, factor)
    return Solution(unknowns, np.asarray(np.linalg.inv(information)), spread, -misses, weights, prior)


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
    lens, growth = _lens(unknowns, prior), _growth_of_focal(unknowns, prior)
    rotation, by_angles = _rotation(unknowns, prior)
    place = _translation(unknowns, prior)
    pixels, by_point, by_lens = opencv.projected(table.reshape(-1, 3), (rotation, place), lens, prior.centre_px)
    by_point, by_lens = by_point.reshape(*x.shape, 2, 3), by_lens.reshape(*x.shape, 2, 5)
    slopes = np.zeros((*x.shape, 2, len(unknowns)))
    slopes[..., DISTORTION:BIAS] = by_lens[..., 1:] * growth**POWERS
    turned = np.einsum("aij,nkj->nkia", by_angles, table)
    slopes[..., TILT:PLACE] = by_point @ turned
    slopes[..., PLACE:SHEETS] = by_point * (1, 1, growth)
    with_focal = unknowns * 0.0  # how all unknowns told relative to F grow with the focal length
    with_focal[DISTORTION:BIAS] = POWERS * unknowns[DISTORTION:BIAS]
    with_focal[TILT : TILT + 2], with_focal[SHEETS - 1] = unknowns[TILT : TILT + 2], unknowns[SHEETS - 1]
    slopes[..., FOCAL] = by_lens[..., 0] * lens[0] + slopes @ with_focal
    by_table = (by_point @ rotation)[..., :2]
    aside = np.stack([-s * x - c * y, c * x - s * y], axis=-1)
    by_sheet = np.concatenate([by_table, by_table @ aside[..., None]], axis=-1)
    for row in np.flatnonzero(sheets > 0):
        at = SHEETS + 3 * (int(sheets[row]) - 1)
        slopes[row, ..., at : at + 3] = by_sheet[row]
    return pixels.reshape(*x.shape, 2), slopes


def unknowns_of(lens: Floats, pose: tuple[Floats, Floats], sheets: Floats, prior: LensPrior) -> Floats:
    """The vector of unknowns of a lens, shape (5,), camera_from_table and the sheets' poses, shape (n - 1, 3)."""
    growth = lens[0] / prior.focal_px
    away = pose[0][:, 2]  # the table's z axis as the camera sees it: (0, 0, -1) when it looks straight down
    axis = np.array([away[1], -away[0]])
    sine = float(np.hypot(*axis))
    tilt = axis / max(sine, 1e-12) * np.arctan2(sine, -away[2])
    upright = FACING @ opencv.rotation_of(np.array([*tilt, 0.0]))[0].T @ pose[0]
    turn = np.arctan2(upright[1, 0], upright[0, 0])
    x, y, z = pose[1]
    bent = lens[1:] / growth**POWERS
    return np.array([np.log(lens[0]), *bent, 0.0, *(tilt / growth), turn, x, y, z / growth, *sheets.reshape(-1)])


def _growth_of_focal(unknowns: Floats, prior: LensPrior) -> float:
    return float(np.exp(unknowns[FOCAL])) / prior.focal_px


def _lens(unknowns: Floats, prior: LensPrior) -> Floats:
    growth = _growth_of_focal(unknowns, prior)
    return np.array([np.exp(unknowns[FOCAL]), *(unknowns[DISTORTION:BIAS] * growth**POWERS)])


def _translation(unknowns: Floats, prior: LensPrior) -> Floats:
    return unknowns[PLACE:SHEETS] * (1, 1, _growth_of_focal(unknowns, prior))


def _rotation(unknowns: Floats, prior: LensPrior) -> tuple[Floats, Floats]:
    """The camera's rotation, shape (3, 3), and its derivatives by the three unknowns from TILT on, shape (3, 3, 3)."""
    growth = _growth_of_focal(unknowns, prior)
    tilt, by_tilt = opencv.rotation_of(np.array([*(unknowns[TILT : TILT + 2] * growth), 0.0]))
    c, s = np.cos(unknowns[TILT + 2]), np.sin(unknowns[TILT + 2])
    turn, by_turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.array([[-s, -c, 0], [c, -s, 0], [0, 0, 0]])
    slopes = np.stack(
        [growth * by_tilt[0] @ FACING @ turn, growth * by_tilt[1] @ FACING @ turn, tilt @ FACING @ by_turn]
    )
    return tilt @ FACING @ turn, slopes


def _growth(corners_px: Floats) -> Floats:
    """How the corners, shape (n, 4, 2), move when each side of a tag moves outwards by one pixel."""
    along = np.roll(corners_px, -1, axis=1) - corners_px
    along /= np.maximum(np.linalg.norm(along, axis=-1, keepdims=True), 1e-9)
    before = np.roll(along, 1, axis=1)
    sine = before[..., 0] * along[..., 1] - before[..., 1] * along[..., 0]
    return np.asarray((before - along) / np.where(np.abs(sine) < 0.05, 0.05, sine)[..., None])


def _prior_rows(prior: LensPrior, unknowns: Floats) -> tuple[Floats, Floats]:
    """Misses against the prior in standard deviations, shape (6,), and their derivatives, shape (6, unknowns)."""
    growth = _growth_of_focal(unknowns, prior) ** POWERS
    bent, spread = unknowns[DISTORTION:BIAS] * growth, np.array(prior.distortion_spread)
    miss = np.array(
        [
            (unknowns[FOCAL] - np.log(prior.focal_px)) / prior.focal_spread,
            *((bent - prior.distortion) / spread),
            unknowns[BIAS] / SETTINGS.bias_sd_px,
        ]
    )
    slopes = np.zeros((6, len(unknowns)))
    slopes[0, FOCAL] = 1 / prior.focal_spread
    slopes[1:5, FOCAL] = POWERS * bent / spread
    slopes[1:5, DISTORTION:BIAS] = np.diag(growth / spread)
    slopes[5, BIAS] = 1 / SETTINGS.bias_sd_px
    return miss, slopes


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
    pull, held = _prior_rows(prior, unknowns)
    cost = float(miss @ miss + pull @ pull)
    return cost, rows.T @ miss + held.T @ pull, rows.T @ rows + held.T @ held


def _spread(misses: Floats, weights: Floats) -> float:
    """A corner coordinate's standard deviation, px, by the median over the markers that still count."""
    trusted = misses[weights > 0.1] if (weights > 0.1).sum() >= 3 else misses
    return max(1.48 * float(np.median(np.abs(trusted))), SETTINGS.least_spread_px)


def _weights(misses: Floats, sigma: Floats) -> Floats:
    """Weight of each marker by how far its corners are off; 0 for outliers."""
    strange = np.sqrt((misses**2).mean(axis=(1, 2))) / sigma
    return np.where(strange > SETTINGS.outlier, 0.0, 1 / (1 + (strange / SETTINGS.disagrees) ** 2) ** 2)
