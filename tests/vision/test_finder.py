"""From the finder's numbers to feet."""

import numpy as np
import pytest

from calibration.optics import Camera, Lens
from vision.finder import SETTINGS, _hand_mm2, feet, lean
from vision.paper import Plan

PLAN = Plan((-50.0, 50.0), 1.0, (96, 96))


def said(*peaks):
    """An answer with these (column, row, log-odds, right, down), nothing elsewhere."""
    answer = np.zeros((4, 48, 48), np.float32)
    answer[0] = -9
    for column, row, odds, right, down in peaks:
        answer[0, row, column] = odds
        answer[1:3, row, column] = right, down
    return answer


def test_a_peak_is_a_foot_at_its_cell_and_offset():
    (foot,) = feet(PLAN, said((10, 20, 3.0, 1.5, -0.5)))
    assert (foot.x_mm, foot.y_mm) == pytest.approx((-50 + 20.5 + 1.5, 50 - 40.5 + 0.5))
    assert foot.likelihood == pytest.approx(1 / (1 + np.exp(-3)))


def test_unlikely_feet_are_left_out_and_likelier_ones_come_first():
    found = feet(PLAN, said((10, 20, 1.0, 0, 0), (30, 20, 2.0, 0, 0), (30, 40, -4.0, 0, 0)))
    assert [round(foot.x_mm) for foot in found] == [10, -30]


def test_two_peaks_closer_than_a_piece_are_one_foot():
    assert len(feet(PLAN, said((10, 20, 1.0, 0, 0), (13, 20, 2.0, 0, 0)))) == 1
    assert len(feet(PLAN, said((10, 20, 1.0, 0, 0), (18, 20, 2.0, 0, 0)))) == 2


def test_there_is_an_end_to_feet():
    assert len(feet(Plan((0.0, 0.0), 1.0, (800, 800)), np.full((4, 400, 400), 5.0, np.float32))) <= SETTINGS.most


def test_things_lean_away_from_the_point_under_the_camera():
    rotation = ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0))
    camera = Camera(Lens(500.0, (0.0, 0.0), (0.0, 0.0, 0.0, 0.0), (640, 480)), rotation, (0.0, 0.0, 400.0))
    right, down = lean(PLAN, camera)
    assert right[50, 90] == pytest.approx(40 / 400)
    assert down[90, 50] == pytest.approx(40 / 400)
    assert right[50, 50] == pytest.approx(0)


def test_a_hand_counts_where_it_hides_a_sheet_and_not_beside_it():
    covered = np.zeros((96, 96), bool)
    covered[:, :48] = True  # the sheet is the left half
    over, beside = np.full((48, 48), -5.0, np.float32), np.full((48, 48), -5.0, np.float32)
    over[10:30, 5:15], beside[10:30, 30:40] = 5.0, 5.0
    assert _hand_mm2(over, covered) == pytest.approx(20 * 10 * 4)
    assert _hand_mm2(beside, covered) == 0
