"""The paper round a foot, seen from above: which pixel shows what, and what the network's answer means."""

import numpy as np
import pytest

from calibration.optics import Camera, Lens
from vision.paper import LightField, Plan
from vision.pieces import STAND_MM
from vision.stands import PATCH_LAYERS, PATCH_PX, PX_PER_MM, STANDS, patches, stands

FLAT_LIGHT = LightField((0.0, 0.0), 100.0, ((0.0,) * 6,) * 3, 0.0)
PLAN = Plan((-300.0, 300.0), 1.0, (600, 600))
ABOVE = Camera(
    Lens(800.0, (319.5, 239.5), (0.0, 0.0, 0.0, 0.0), (640, 480)),
    ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
    (0.0, 0.0, 500.0),
)
MIDDLE = (PATCH_PX - 1) / 2


def test_the_patch_shows_the_foot_in_its_middle_and_y_upwards():
    image = np.zeros((480, 640, 3), np.uint8)
    spot = (30.0, 50.0)  # 10 mm right of the foot and 15 mm up the table
    x, y = np.round(ABOVE.project(np.array([[*spot, STAND_MM]]))[0]).astype(int)
    image[y - 1 : y + 2, x - 1 : x + 2] = 255
    seen = patches(np.array([[20.0, 35.0]]), image, ABOVE, (PLAN, np.zeros((600, 600), np.float32)), FLAT_LIGHT)
    assert seen.shape == (1, PATCH_LAYERS, PATCH_PX, PATCH_PX)
    row, column = np.unravel_index(seen[0, 0].argmax(), (PATCH_PX, PATCH_PX))
    assert (column - MIDDLE, MIDDLE - row) == pytest.approx((10 * PX_PER_MM, 15 * PX_PER_MM), abs=1.5)


def test_the_printed_drawing_lies_under_it():
    drawing = np.zeros((600, 600), np.float32)
    drawing[200:, :] = 0.7  # everything below y = 100 mm
    seen = patches(np.array([[0.0, 100.0]]), np.zeros((480, 640, 3), np.uint8), ABOVE, (PLAN, drawing), FLAT_LIGHT)
    printed = seen[0, 3]
    assert printed[: PATCH_PX // 2 - 2].max() == 0
    assert printed[PATCH_PX // 2 + 2 :] == pytest.approx(0.7)


def test_every_foot_gets_log_probabilities():
    drawing = np.zeros((600, 600), np.float32)
    said = stands(
        np.array([[0.0, 0.0], [40.0, 10.0]]), np.full((480, 640, 3), 200, np.uint8), ABOVE, (PLAN, drawing), FLAT_LIGHT
    )
    assert said.shape == (2, len(STANDS))
    assert np.exp(said).sum(axis=1) == pytest.approx(1, abs=1e-5)


def test_no_feet_no_answers():
    drawing = np.zeros((600, 600), np.float32)
    said = stands(np.zeros((0, 2)), np.zeros((480, 640, 3), np.uint8), ABOVE, (PLAN, drawing), FLAT_LIGHT)
    assert said.shape == (0, len(STANDS))
