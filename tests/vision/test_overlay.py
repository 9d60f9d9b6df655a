"""Where a pyramid is to be laid, drawn on the photo."""

from dataclasses import replace

import numpy as np
import pytest

from calibration.optics import LocatedSheet, LocatedTable, SheetPose
from engine.table import Colour, Pose, Size
from vision.overlay import draw_poses, lying_mm
from vision.pieces import BASE_MM

POSE = Pose(250.0, 150.0, 40.0)


@pytest.fixture
def table(over):
    sheet = LocatedSheet("track-oval", SheetPose(12.0, -7.0, 9.0), 0.1, ())
    return LocatedTable("track-oval", over((264.0, 180.0), 520.0, 20.0), (sheet,))


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


def test_the_piece_is_drawn_where_it_is_to_be_laid_on_a_new_picture(table):
    photo = np.full((720, 960, 3), 200, np.uint8)
    drawn = draw_poses(photo, table, (("track-oval", POSE, Colour.RED, Size.LARGE),))
    assert (photo == 200).all()
    rows, columns = np.nonzero((drawn != photo).any(axis=2))
    corners = lying_mm(POSE, Size.LARGE)
    flat = table.sheets[0].pose.to_table(corners[:, :2])
    pixels = table.camera.project(np.column_stack([flat, corners[:, 2]]))
    assert (columns.min(), rows.min()) == pytest.approx(tuple(pixels.min(axis=0)), abs=6)
    assert (columns.max(), rows.max()) == pytest.approx(tuple(pixels.max(axis=0)), abs=6)
    assert (drawn == np.array([60, 50, 235])).all(axis=2).any()


def test_what_is_on_no_sheet_of_the_photo_or_stands_is_passed_over(table):
    photo = np.full((720, 960, 3), 200, np.uint8)
    others = (
        ("board-sw", POSE, Colour.RED, Size.LARGE),
        ("track-oval", replace(POSE, heading_deg=None), Colour.RED, Size.LARGE),
    )
    assert (draw_poses(photo, table, others) == photo).all()
