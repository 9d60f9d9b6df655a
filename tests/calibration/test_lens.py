"""Lens calibration on drawn views, whose lens is known exactly."""

import math
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.lens import LensFit, LensRefused, View, lens_from, view_of
from calibration.locate import NoMat, locate
from calibration.optics import Lens, SheetPose

LENS = Lens(900.0, (486.0, 352.0), (-0.08, 0.01, 0.0004, -0.0003), (960, 720))
SHEET = {"colour-card": SheetPose(0.0, 0.0, 0.0)}
MIDDLE = (132.0, 93.0)
TILTS_DEG = (20, 32, 26, 36, 18, 30, 24, 34)


def views_from(photograph, cameras) -> list[View]:
    return [view_of(f"{n}.jpg", photograph(SHEET, camera)) for n, camera in enumerate(cameras)]


@pytest.fixture(scope="module")
def pictures(photograph, all_around) -> list[np.ndarray]:
    return [photograph(SHEET, camera) for camera in all_around(MIDDLE, TILTS_DEG, LENS)]


@pytest.fixture(scope="module")
def tilted(pictures) -> list[View]:
    return [view_of(f"{n}.jpg", picture) for n, picture in enumerate(pictures)]


@pytest.fixture(scope="module")
def fit(tilted) -> LensFit:
    return lens_from(tilted)


@pytest.fixture(scope="module")
def zoomed(photograph, over) -> View:
    camera = over(MIDDLE, 500.0, 25.0, replace(LENS, focal_px=1060.0), side=(1.0, 0.3))
    return view_of("zoomed.jpg", photograph(SHEET, camera))


def test_the_lens_is_found_within_one_per_cent(fit):
    assert fit.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.003)
    assert fit.lens.centre_px == pytest.approx(LENS.centre_px, abs=2.0)
    assert fit.lens.distortion[:2] == pytest.approx(LENS.distortion[:2], abs=0.006)
    assert fit.lens.image_size_px == (960, 720)
    assert fit.used == tuple(f"{n}.jpg" for n in range(8))
    assert fit.set_aside == ()
    assert fit.notes == ()


def test_the_error_is_told_in_millimetres_and_covers_the_truth(fit):
    off = 100 * abs(fit.lens.focal_px / LENS.focal_px - 1)
    assert off < fit.error_mm < 0.5


def test_the_lens_serves_another_pose_from_straight_above(photograph, over, fit):
    camera = over(MIDDLE, 430.0, 1.0, LENS)
    found = locate(photograph(SHEET, camera), fit.lens)
    assert found.camera.height_mm == pytest.approx(430.0, rel=0.006)
    assert found.warnings == ()


def test_a_view_knows_its_markers_and_its_tilt(tilted):
    assert tilted[1].marker_count == pytest.approx(12, abs=4)
    assert tilted[1].tilt_deg == pytest.approx(TILTS_DEG[1], abs=3)


def test_seven_views_are_too_few(tilted):
    with pytest.raises(LensRefused, match="Only 7 photos can be used: take 8 or more"):
        lens_from(tilted[:7])
    with pytest.raises(LensRefused, match="Only 0 photos"):
        lens_from([])


def test_views_from_one_side_are_too_alike(tilted):
    with pytest.raises(LensRefused, match=r"too alike .*1 really different side, .*\(3\.jpg, 3\.jpg.*Tilt"):
        lens_from([tilted[3]] * 8)


def test_views_from_straight_above_are_too_alike(photograph, all_around):
    with pytest.raises(LensRefused, match="too alike"):
        lens_from(views_from(photograph, all_around(MIDDLE, (2, 4, 3, 1, 5, 3, 2, 4), LENS)))


def test_a_view_without_a_mat_is_refused_with_the_reason():
    with pytest.raises(NoMat, match="No printed sheet"):
        view_of("table.jpg", np.full((720, 960, 3), 128, np.uint8))


def test_a_view_of_another_size_is_set_aside(photograph, over, tilted):
    picture = cv2.resize(photograph(SHEET, over(MIDDLE, 430.0, 25.0, LENS)), (800, 600))
    small = view_of("small.jpg", picture)
    assert lens_from([*tilted, small]).set_aside[0][0] == "small.jpg"
    with pytest.raises(LensRefused, match=r"small\.jpg: It has 800 by 600 pixels, while the others have 960 by 720"):
        lens_from([*tilted[:7], small])


def test_a_view_through_another_zoom_is_set_aside(tilted, zoomed):
    fit = lens_from([*tilted, zoomed])
    assert [name for name, _ in fit.set_aside] == ["zoomed.jpg"]
    assert fit.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.003)
    with pytest.raises(LensRefused, match=r"7 photos .*zoomed\.jpg: It does not fit the lens of the others"):
        lens_from([*tilted[1:], zoomed])


def test_markers_in_the_middle_only_are_noted(photograph, over):
    cameras = [
        over(MIDDLE, 900.0, 28.0, LENS, side=(math.cos(n * math.pi / 4), math.sin(n * math.pi / 4))) for n in range(8)
    ]
    fit = lens_from(views_from(photograph, cameras))
    assert "picture's edge" in fit.notes[0]
    assert fit.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.01)


def test_a_misprinted_scale_does_not_change_the_lens(pictures, fit):
    scaled = lens_from([view_of(f"{n}.jpg", picture, 0.95) for n, picture in enumerate(pictures)])
    assert scaled.lens.focal_px == pytest.approx(fit.lens.focal_px, rel=0.001)
