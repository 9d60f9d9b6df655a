import math

import numpy as np
import pytest

from calibration.appearance import (
    BIAS,
    Frame,
    Spots,
    away_from_corners,
    camera_of,
    lens_of,
    lifts_at,
    projected,
    unknowns_of,
)
from calibration.optics import Lens
from calibration.sheets import load_layouts, load_sheets
from calibration.sighting import _printed_corners
from calibration.solve import LensPrior, Sightings, solve

FRAME = Frame(1100.0, (640.0, 480.0), (3.0, 4.0, 0.01))
UNKNOWNS = np.array(
    [math.log(1000), -0.1, 0.02, 0.001, 0.002, 0.0, 0.2, -0.1, 2.5, -50.0, 80.0, 700.0, math.log(40)]
    + [200.0, 5.0, 0.02]
    + [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]
)


def spots() -> Spots:
    points = np.random.default_rng(0).uniform(0, 200, (3, 4, 2))
    return Spots(np.array([0, 1, 1]), points, away_from_corners(points, (200.0, 200.0)))


@pytest.mark.parametrize("unknown", [n for n in range(len(UNKNOWNS)) if n != BIAS])
def test_derivatives_are_those_of_small_steps(unknown):
    _, slopes = projected(FRAME, spots(), UNKNOWNS)
    step = np.zeros(len(UNKNOWNS))
    step[unknown] = 1e-5 * max(1.0, abs(UNKNOWNS[unknown]))
    ahead, _ = projected(FRAME, spots(), UNKNOWNS + step)
    behind, _ = projected(FRAME, spots(), UNKNOWNS - step)
    assert slopes[..., unknown] == pytest.approx((ahead - behind) / (2 * step[unknown]), rel=1e-5, abs=1e-4)


def test_unknowns_of_undoes_lens_and_camera():
    flat = UNKNOWNS.copy()
    flat[lifts_at(flat) :] = 0
    flat[12] = math.log(45.0)
    back = unknowns_of(FRAME, lens_of(FRAME, flat), camera_of(FRAME, flat), flat[13:16].reshape(1, 3))
    assert back == pytest.approx(flat, abs=1e-9)


def test_points_that_stay_flat_ignore_the_lifts():
    points = spots().points_mm
    flat = Spots(spots().sheets, points, np.full((3, 4, 4), np.inf))
    pixels, slopes = projected(FRAME, flat, UNKNOWNS)
    unlifted = UNKNOWNS.copy()
    unlifted[lifts_at(unlifted) :] = 0
    assert pixels == pytest.approx(projected(FRAME, flat, unlifted)[0])
    assert (slopes[..., lifts_at(UNKNOWNS) :] == 0).all()


def solved(camera, lift_mm: float, focal_spread: float, spoilt: tuple[int, ...] = ()):
    """The solution of a board whose outer corners curl up; corners are seen to 0.03 px."""
    rng = np.random.default_rng(1)
    layout, sheets = load_layouts()["board"], load_sheets()
    ids, owners, printed, away, seen = [], [], [], [], []
    for index, (name, pose) in enumerate(layout.places):
        outer = 2 if name == "board-ne" else 3 if name == "board-nw" else 1 if name == "board-se" else 0
        for marker in sheets[name].markers:
            corners = _printed_corners(marker.id)
            distances = away_from_corners(corners, sheets[name].size_mm)
            height = lift_mm * np.exp(-((distances[:, outer] / 45) ** 2))
            pixels = camera.project(np.c_[pose.to_table(corners), height]) + rng.normal(0, 0.03, (4, 2))
            ids.append(marker.id)
            owners.append(index)
            printed.append(corners)
            away.append(distances)
            seen.append(pixels + (9.0 if marker.id in spoilt else 0.0))
    sightings = Sightings(
        np.array(ids),
        Spots(np.array(owners), np.stack(printed), np.stack(away)),
        np.stack(seen),
        np.full(len(ids), 0.02),
    )
    lens = camera.lens
    prior = LensPrior(lens.focal_px * 1.01, focal_spread, (0, 0, 0, 0), (0.1, 0.03, 0.001, 0.001), lens.centre_px)
    frame = Frame(prior.focal_px, prior.centre_px, (0.0, 0.0, 0.0))
    rotation, translation = np.array(camera.rotation), np.array(camera.translation_mm) * (1, 1, 1.01)
    poses = np.array([[p.x_mm, p.y_mm, 0.0] for _, p in layout.places[1:]]) + (1.0, -1.0, 0.01)
    start = unknowns_of(frame, np.array([prior.focal_px, 0, 0, 0, 0]), (rotation, translation), poses)
    return solve(sightings, prior, frame, start)


@pytest.mark.parametrize("lift_mm", [0.0, 6.0])
def test_curling_corners_do_not_bend_the_lens(over, lift_mm):
    camera = over((198, 198), 640.0)
    solution = solved(camera, lift_mm, 0.01)
    assert solution.lens[0] == pytest.approx(camera.lens.focal_px, rel=0.01)
    assert solution.sheets[:, :2] == pytest.approx(np.array([[0, 0], [198, 0], [0, 198], [198, 198]]), abs=0.05)
    assert solution.lifts_mm.max() == pytest.approx(lift_mm, abs=0.3)


def test_a_frontal_view_does_not_stall_far_from_the_focal_length_it_tells(over):
    lens = Lens(1250.0, (479.5, 359.5), (-0.1, 0.01, 0.0, 0.0), (960, 720))
    solution = solved(over((198, 198), 860.0, tilt_deg=4.0, lens=lens), 0.0, 0.3)
    assert solution.focal_spread < 0.1
    assert abs(math.log(solution.lens[0] / 1250.0)) < 3 * solution.focal_spread


def test_markers_that_disagree_are_rejected(over):
    solution = solved(over((198, 198), 640.0), 0.0, 0.01, spoilt=(4, 21))
    assert (solution.weights == 0).sum() == 2
    assert solution.sheets[1:, :2] == pytest.approx(np.array([[198, 0], [0, 198], [198, 198]]), abs=0.05)
