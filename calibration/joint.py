"""Several pictures by one lens: one least-squares problem for the lens, its axis, and each picture's own unknowns.

The lens's unknowns are those of `calibration.appearance`, then the optical axis, px; the rest of each picture's
unknowns follows. Levenberg-Marquardt with the misses, the weights and the priors of `calibration.solve`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from calibration.appearance import BIAS, FOCAL, Floats, Frame, camera_of, lens_of
from calibration.solve import (
    LensPrior,
    Problem,
    Sightings,
    Solution,
    believable_lifts,
    covariance_of,
    descended,
    expected,
    factor_of,
    prior_rows,
    spread_of,
    weights_of,
)

AXIS, OWN = BIAS, BIAS + 2  # where in the joint unknowns the axis and the pictures' own ones begin


@dataclass(frozen=True)
class JointSettings:
    """Bounds and priors of the search."""

    rounds: int = 3  # of weighting; the pictures were weighted singly before
    steps: int = 20  # a round at most
    settled: float = 1e-7  # relative gain below which a round ends
    axis_spread: float = 0.02  # of the longer side: lenses are mounted about this well


SETTINGS = JointSettings()


@dataclass(frozen=True, eq=False)
class Picture:
    """One picture's markers, what was solved of it alone, and how far each marker is believed now, shape (n,)."""

    markers: Sightings
    alone: Solution
    weights: Floats
    spread_px: float
    lift_mm: Floats
    place: slice  # its own unknowns in the joint ones


@dataclass(frozen=True, eq=False)
class Joint:
    """The lens of all pictures: `covariance`, shape (7, 7), is of the lens's unknowns and the axis.

    For each picture: how far a marker's corner is off, px, robust; and camera_from_table's rotation, shape (3, 3).
    """

    lens: Floats
    axis_px: tuple[float, float]
    covariance: Floats
    spreads_px: tuple[float, ...]
    rotations: tuple[Floats, ...]
    misses_px: tuple[Floats, ...]

    @property
    def focal_spread(self) -> float:
        """Standard deviation of the focal length over the focal length."""
        return float(np.sqrt(self.covariance[FOCAL, FOCAL]))

    @property
    def axis_spread_px(self) -> float:
        """Standard deviation of the axis, px, in its worse direction."""
        return float(np.sqrt(np.linalg.eigvalsh(self.covariance[AXIS:OWN, AXIS:OWN])[-1]))


def solve_jointly(markers: Sequence[Sightings], alone: Sequence[Solution], prior: LensPrior) -> Joint:
    """The lens of pictures of one size, each solved alone from `prior` or a narrower one with the same axis."""
    pictures = _pictures(markers, alone)
    lens = np.mean([each.unknowns[FOCAL:BIAS] for each in alone], axis=0)
    unknowns = np.concatenate([lens, prior.centre_px, *(each.unknowns[BIAS:] for each in alone)])
    for _ in range(SETTINGS.rounds):
        equations = partial(_normal_equations, pictures, prior)
        unknowns = descended(equations, unknowns, SETTINGS.steps, SETTINGS.settled)
        pictures = [_weighed(picture, prior, unknowns) for picture in pictures]
    information = _normal_equations(pictures, prior, unknowns)[2]
    frame = _problem(pictures[0], prior, unknowns).frame
    misses = [expected(_problem(each, prior, unknowns), _own(each, unknowns))[0] for each in pictures]
    return Joint(
        lens_of(frame, unknowns),
        frame.centre_px,
        covariance_of(information)[:OWN, :OWN],
        tuple(picture.spread_px for picture in pictures),
        tuple(camera_of(frame, _own(picture, unknowns))[0] for picture in pictures),
        tuple(miss * (picture.weights > 0)[:, None, None] for miss, picture in zip(misses, pictures, strict=True)),
    )


def _pictures(markers: Sequence[Sightings], alone: Sequence[Solution]) -> list[Picture]:
    pictures, at = [], OWN
    for seen, solution in zip(markers, alone, strict=True):
        place = slice(at, at + len(solution.unknowns) - BIAS)
        lifts = believable_lifts(solution.unknowns)
        pictures.append(Picture(seen, solution, solution.weights, solution.spread_px, lifts, place))
        at = place.stop
    return pictures


def _own(picture: Picture, unknowns: Floats) -> Floats:
    """The picture's unknowns as `calibration.appearance` has them."""
    return np.concatenate([unknowns[:BIAS], unknowns[picture.place]])


def _problem(picture: Picture, prior: LensPrior, unknowns: Floats) -> Problem:
    x, y = unknowns[AXIS:OWN].tolist()
    frame = Frame(prior.focal_px, (x, y), picture.alone.frame.first)
    return Problem(picture.markers, replace(prior, centre_px=(x, y)), frame, picture.lift_mm)


def _weighed(picture: Picture, prior: LensPrior, unknowns: Floats) -> Picture:
    """The picture with its markers believed by how far they are off now."""
    own = _own(picture, unknowns)
    misses, _ = expected(_problem(picture, prior, unknowns), own)
    spread = spread_of(misses, picture.weights)
    weights = weights_of(misses, np.sqrt(spread**2 + picture.markers.error_px**2))
    return replace(picture, weights=weights, spread_px=spread, lift_mm=believable_lifts(own))


def _normal_equations(pictures: list[Picture], prior: LensPrior, unknowns: Floats) -> tuple[float, Floats, Floats]:
    """Cost, gradient and information matrix at the joint unknowns."""
    cost, gradient, information = _axis_equations(prior, unknowns)
    for number, picture in enumerate(pictures):
        own, problem = _own(picture, unknowns), _problem(picture, prior, unknowns)
        misses, slopes = expected(problem, own)
        each = np.repeat(factor_of(picture.weights, picture.spread_px, picture.markers), 8)
        by_axis = np.tile(np.eye(2), (len(each) // 2, 1))
        rows = np.hstack([slopes.reshape(-1, len(own)), by_axis]) * each[:, None]
        pull, held = prior_rows(problem, own)
        once = slice(0 if number == 0 else BIAS, None)  # the lens's prior counts once
        miss = np.concatenate([misses.reshape(-1) * each, pull[once]])
        rows = np.vstack([rows, np.pad(held[once], ((0, 0), (0, 2)))])
        at = np.r_[:BIAS, picture.place, AXIS:OWN]
        cost += float(miss @ miss)
        gradient[at] += rows.T @ miss
        information[np.ix_(at, at)] += rows.T @ rows
    return cost, gradient, information


def _axis_equations(prior: LensPrior, unknowns: Floats) -> tuple[float, Floats, Floats]:
    """What is known of the axis beforehand: it is near the middle of the picture."""
    spread = SETTINGS.axis_spread * 2 * max(prior.centre_px)
    miss = (unknowns[AXIS:OWN] - prior.centre_px) / spread
    gradient, information = np.zeros(len(unknowns)), np.zeros((len(unknowns), len(unknowns)))
    gradient[AXIS:OWN] = miss / spread
    information[AXIS:OWN, AXIS:OWN] = np.eye(2) / spread**2
    return float(miss @ miss), gradient, information
