"""The shape of a lying pyramid."""

import numpy as np
import pytest

from engine.table import Pose, Size
from vision.overlay import lying_mm
from vision.pieces import BASE_MM

POSE = Pose(250.0, 150.0, 40.0)


@pytest.mark.parametrize("size", Size)
def test_a_lying_pyramid_has_a_square_base_and_four_like_faces(size):
    tip, left, right, left_top, right_top = lying_mm(POSE, size)
    base = [left, right, right_top, left_top]
    sides = [np.linalg.norm(a - b) for a, b in zip(base, [*base[1:], base[0]], strict=True)]
    edges = [np.linalg.norm(tip - corner) for corner in base]
    assert sides == pytest.approx([BASE_MM[size]] * 4, abs=0.05)
    assert edges == pytest.approx([edges[0]] * 4, abs=0.05)
    assert np.cross(right - left, left_top - left) @ np.cross(right - left, right_top - left) > 0
    assert (tip[:2] + (left[:2] + right[:2]) / 2) / 2 == pytest.approx([POSE.x_mm, POSE.y_mm])
    ahead = tip[:2] - (left[:2] + right[:2]) / 2
    assert np.degrees(np.arctan2(ahead[1], ahead[0])) == pytest.approx(40.0)
