import math

import cv2
import numpy as np
import pytest

from calibration.optics import Lens, SheetPose

BENT = Lens(900.0, (470.0, 365.0), (-0.15, 0.03, 0.001, -0.0008), (960, 720))


def test_rays_undo_projection(over):
    camera = over((198, 198), 700.0, tilt_deg=25.0, lens=BENT)
    points = np.array([[x, y, z] for x in (0.0, 150.0, 396.0) for y in (10.0, 380.0) for z in (0.0, 44.0)])
    back = camera.eye_mm + camera.rays(camera.project(points)) * np.linalg.norm(points - camera.eye_mm, axis=1)[:, None]
    assert back == pytest.approx(points, abs=1e-4)


@pytest.mark.parametrize("height_mm", [0.0, 44.45])
def test_to_plane_undoes_projection(over, height_mm):
    camera = over((198, 198), 700.0, lens=BENT)
    points = np.array([[20.0, 30.0], [396.0, 0.0], [198.0, 250.0]])
    pixels = camera.project(np.c_[points, np.full(3, height_mm)])
    assert camera.to_plane(pixels, height_mm) == pytest.approx(points, abs=1e-4)


def test_the_scale_on_the_paper_is_focal_length_over_height(over):
    straight = Lens(900.0, (479.5, 359.5), (0.0, 0.0, 0.0, 0.0), (960, 720))
    assert over((198, 198), 600.0, 0.0, straight).px_per_mm_at(198.0, 198.0) == pytest.approx(1.5)


def test_projection_is_opencv_s(over):
    camera = over((198, 198), 700.0, lens=BENT)
    points = np.array([[20.0, 30.0, 0.0], [396.0, 0.0, 80.0]])
    matrix = np.array([[900.0, 0, 470.0], [0, 900.0, 365.0], [0, 0, 1]])
    vector = cv2.Rodrigues(np.array(camera.rotation))[0]
    theirs, _ = cv2.projectPoints(points, vector, np.array(camera.translation_mm), matrix, np.array(BENT.distortion))
    assert camera.project(points) == pytest.approx(theirs.reshape(-1, 2), abs=1e-9)


def test_what_is_behind_the_camera_has_no_pixel(over):
    camera = over((0, 0), 500.0)
    assert np.isnan(camera.project(np.array([[0.0, 0.0, 2000.0]]))).all()


def test_eye_foot_and_height(over):
    camera = over((100, 50), 640.0, tilt_deg=0.0)
    assert camera.eye_mm == pytest.approx([100, 50, 640])
    assert camera.foot_mm == pytest.approx([100, 50])
    assert camera.height_mm == pytest.approx(640)


def test_a_resized_picture_shows_the_same(over):
    lens = BENT.scaled(0.5)
    assert lens.image_size_px == (480, 360)
    point = np.array([[300.0, 40.0, 0.0]])
    large, small = over((198, 198), 700.0, lens=BENT), over((198, 198), 700.0, lens=lens)
    assert (small.project(point) + 0.5) * 2 == pytest.approx(large.project(point) + 0.5)


def test_sheet_poses_undo_themselves():
    pose = SheetPose(264.0, 420.0, 180.0)
    points = np.array([[0.0, 0.0], [264.0, 10.0]])
    assert pose.to_table(points) == pytest.approx(np.array([[264.0, 420.0], [0.0, 410.0]]))
    tilted = SheetPose(3.0, -2.0, 31.0)
    assert tilted.to_sheet(tilted.to_table(points)) == pytest.approx(points)
    ahead = SheetPose(0.0, 0.0, 30.0).to_table(np.array([[1.0, 0.0]]))[0]
    assert math.degrees(math.atan2(ahead[1], ahead[0])) == pytest.approx(30.0)


def test_a_print_s_scale_is_undone_too():
    pose = SheetPose(3.0, -2.0, 31.0, 0.96)
    points = np.array([[0.0, 0.0], [100.0, 0.0]])
    there = pose.to_table(points)
    assert np.linalg.norm(there[1] - there[0]) == pytest.approx(96.0)
    assert pose.to_sheet(there) == pytest.approx(points)
