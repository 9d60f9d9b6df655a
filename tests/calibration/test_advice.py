"""Advice on pictures whose faults are made on purpose."""

from dataclasses import replace
from datetime import date

import cv2
import numpy as np
import pytest

from calibration.advice import Advice, Sight, advise, drawn
from calibration.optics import Camera, Lens, SheetPose
from calibration.sheets import load_sheets
from calibration.store import Calibration

SHEET = {"colour-card": SheetPose(0.0, 0.0, 0.0)}
MIDDLE = (132.0, 93.0)
NUMBERS = [marker.id for marker in load_sheets()["colour-card"].markers]
LENS = Lens(900.0, (479.5, 359.5), (-0.08, 0.01, 0.0, 0.0), (960, 720))


@pytest.fixture(scope="module")
def slanted(over) -> Camera:
    return over(MIDDLE, 440.0, 27.0, LENS)


@pytest.fixture(scope="module")
def picture(photograph, slanted) -> np.ndarray:
    return photograph(SHEET, slanted)


def advice_on(image: np.ndarray) -> Advice:
    return advise(image, LENS)


def marker_px(camera: Camera, number: int) -> np.ndarray:
    """Corners, shape (4, 2), of the marker and the white around it."""
    centre = next(marker.centre_mm for marker in load_sheets()["colour-card"].markers if marker.id == number)
    around = np.array(centre) + 13.0 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]])
    return camera.project(np.c_[around, np.zeros(4)])


def painted(picture: np.ndarray, camera: Camera, numbers: list[int], bgr: tuple[int, int, int]) -> np.ndarray:
    spoilt = picture.copy()
    for number in numbers:
        cv2.fillConvexPoly(spoilt, np.round(marker_px(camera, number)).astype(np.int32), bgr)
    return spoilt


def test_a_good_picture_from_beside_the_mat_needs_nothing(picture):
    advice = advice_on(picture)
    assert advice.changes == ()
    assert [marker.id for marker in advice.markers] == NUMBERS
    assert {marker.sight for marker in advice.markers} == {Sight.SEEN}
    assert "440 mm above the paper" in advice.remarks[0]
    assert "mm beside the mat" in advice.remarks[0]
    assert "counted everywhere" in advice.remarks[0]


def test_markers_are_told_where_they_appear(picture, slanted):
    first = advice_on(picture).markers[0]
    centre = load_sheets()["colour-card"].markers[0].centre_mm
    assert np.mean(first.corners_px, axis=0) == pytest.approx(slanted.project(np.array([[*centre, 0.0]]))[0], abs=1.0)


def test_a_camera_straight_above_cannot_count(photograph, over):
    advice = advice_on(photograph(SHEET, over(MIDDLE, 440.0, 2.0, LENS)))
    assert advice.light == advice.mat == ()
    (place,) = advice.place
    assert "on sheet colour-card" in place
    assert "miscounted" in place
    assert "Stand the camera beside the mat, looking in at 15-30 degrees." in place


def test_a_camera_that_looks_in_flatly_is_told_to_rise(photograph, over):
    advice = advice_on(photograph(SHEET, over(MIDDLE, 300.0, 50.0, LENS)))
    assert any("too flatly" in said and "15-30 degrees" in said for said in advice.place)


def test_a_mat_far_away_is_told(photograph, over):
    advice = advice_on(photograph(SHEET, over(MIDDLE, 760.0, 27.0, LENS)))
    assert any("small in the picture" in said for said in advice.place)


def test_a_dark_picture_is_told(picture):
    (said,) = advice_on((picture * 0.3).astype(np.uint8)).light
    assert said.startswith("The picture is dark: white paper comes out as 6")


def test_a_burnt_out_picture_is_told(picture):
    bright = np.clip(picture * 1.4, 0, 255).astype(np.uint8)
    (said,) = advice_on(bright).light
    assert "too bright" in said


def test_a_blurred_picture_is_told(picture):
    said = advice_on(cv2.GaussianBlur(picture, (0, 0), 1.8)).light
    assert said[0].startswith("The picture is blurred: edges on the paper are ")


def test_covered_markers_are_told_by_number(picture, slanted):
    advice = advice_on(painted(picture, slanted, NUMBERS[2:4], (60, 70, 160)))
    assert f"does not show markers {NUMBERS[2]}, {NUMBERS[3]}:" in advice.mat[0]
    assert [marker.id for marker in advice.markers if marker.sight is Sight.COVERED] == NUMBERS[2:4]


def test_glare_is_told_by_number(picture, slanted):
    advice = advice_on(painted(picture, slanted, NUMBERS[:1], (255, 255, 255)))
    assert f"glare on marker {NUMBERS[0]}:" in advice.light[0]


def test_a_veil_of_glare_over_a_marker_that_is_still_found(picture, slanted):
    veiled = cv2.addWeighted(picture, 0.3, np.full_like(picture, 255), 0.7, 0)
    mask = np.zeros(picture.shape[:2], np.uint8)
    cv2.fillConvexPoly(mask, np.round(marker_px(slanted, NUMBERS[5])).astype(np.int32), 255)
    advice = advice_on(np.where(mask[..., None] > 0, veiled, picture))
    assert any(f"glare on marker {NUMBERS[5]}:" in said for said in advice.light)


def test_markers_outside_the_picture_are_told_by_number(photograph, over):
    advice = advice_on(photograph(SHEET, over((330.0, 93.0), 440.0, 27.0, LENS)))
    outside = [marker.id for marker in advice.markers if marker.sight is Sight.OUTSIDE]
    assert outside
    assert any("cuts off marker" in said and str(outside[0]) in said for said in advice.mat)


def test_without_a_mat_the_reason_is_the_advice():
    advice = advise(np.full((720, 960, 3), 128, np.uint8))
    assert advice.table is None
    assert "No printed sheet" in advice.changes[0]


def test_a_calibration_of_another_size_is_told(picture):
    desk = Calibration("desk", replace(LENS, image_size_px=(1280, 960)), date(2025, 10, 31), 1.0, 0.2)
    assert "'desk' was calibrated at 1280 by 960" in advise(picture, desk).mat[0]


def test_drawing_leaves_the_picture_as_it_was(picture, slanted):
    kept, advice = picture.copy(), advice_on(painted(picture, slanted, NUMBERS[:1], (0, 0, 0)))
    marked = drawn(picture, advice)
    assert (picture == kept).all()
    changed = (marked != picture).any(axis=-1)
    x, y = np.mean(advice.markers[0].corners_px, axis=0).round().astype(int)
    assert changed[y - 20 : y + 20, x - 20 : x + 20].any()


def test_one_sheet_of_a_layout_is_enough_for_a_camera(photograph, over):
    advice = advise(photograph({"silos-2": SheetPose(0.0, 0.0, 0.0)}, over((132, 93), 430.0, 22.0)))
    assert advice.changes == ()
    assert "does not show silos-1: lay them out before a game" in advice.remarks[0]
