"""The view straight at a foot: its axes, and that the foot is where the window says."""

import math

import numpy as np
import pytest

from calibration.optics import Camera, Lens
from vision.crops import LAYERS, SETTINGS, crop, view_of
from vision.paper import LightField, Plan

FLAT_LIGHT = LightField((0.0, 0.0), 100.0, ((0.0,) * 6,) * 3, 0.0)
PLAN = Plan((-300.0, 300.0), 1.0, (600, 600))


def camera_at(x: float, y: float, height: float) -> Camera:
    """A camera that looks straight down from (x, y)."""
    rotation = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    return Camera(Lens(800.0, (319.5, 239.5), (0.0, 0.0, 0.0, 0.0), (640, 480)), rotation, (-x, y, height))


def test_the_camera_used_here_looks_down():
    assert camera_at(10, 20, 500).eye_mm == pytest.approx([10, 20, 500])


def test_outward_leads_away_from_the_point_under_the_camera():
    view = view_of(camera_at(0, 0, 500), 0, 100)
    assert view.outward_deg == pytest.approx(90)
    assert view.slant_deg == pytest.approx(math.degrees(math.atan2(100, 500)))
    assert view.right == pytest.approx((1, 0, 0))


def test_up_is_where_upright_things_point():
    camera = camera_at(0, 0, 500)
    view = view_of(camera, 120, -50)
    foot, tip = camera.project(np.array([[120.0, -50, 0], [120, -50, 40]]))
    along_up = camera.project(np.array([[120.0, -50, 0]]) + 5 * np.array([view.up]))[0] - foot
    cross = along_up[0] * (tip - foot)[1] - along_up[1] * (tip - foot)[0]
    assert abs(cross) < 1e-6
    assert along_up @ (tip - foot) > 0


def test_straight_under_the_camera_a_view_still_has_axes():
    view = view_of(camera_at(0, 0, 500), 0, 0)
    assert view.slant_deg == pytest.approx(0)
    assert np.linalg.norm(view.up) == pytest.approx(1)


def test_the_foot_is_where_the_window_says():
    camera = camera_at(0, 0, 500)
    image = np.full((480, 640, 3), 200, np.uint8)
    u, v = np.round(camera.project(np.array([[60.0, 40, 0]]))[0]).astype(int)
    image[v - 1 : v + 2, u - 1 : u + 2] = 0
    layers = crop(view_of(camera, 60, 40), image, camera, (PLAN, np.zeros((600, 600), np.float32)), FLAT_LIGHT)
    assert layers.shape == (LAYERS, SETTINGS.size_px[1], SETTINGS.size_px[0])
    row, column = np.unravel_index(np.argmin(layers[1]), layers[1].shape)
    assert column == pytest.approx(SETTINGS.left_mm * SETTINGS.px_per_mm, abs=1.5)
    assert row == pytest.approx(SETTINGS.above_mm * SETTINGS.px_per_mm, abs=1.5)
