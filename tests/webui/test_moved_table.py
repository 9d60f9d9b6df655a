"""The mat or the camera may be bumped at any time: nothing on the mat has moved by that."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.camera import Frame, read_photo
from vision.observe import observe, px_per_mm_of
from webui.cli import SAMPLE
from webui.gamefile import read_game_file
from webui.look import Look
from webui.review import Review
from webui.seen import seen_of

TABLE_BGR = (60, 80, 100)


@pytest.fixture(scope="module")
def before():
    frame = read_photo(SAMPLE / "00.jpg")
    return frame, observe(frame, read_game_file(SAMPLE).lens_for(frame))


def bumped(frame: Frame, shift_px: tuple[float, float], turn_deg: float) -> Frame:
    """The photo as if the table had been pushed and turned under the camera."""
    height, width = frame.image_bgr.shape[:2]
    moved = cv2.getRotationMatrix2D((width / 2, height / 2), turn_deg, 1.0)
    moved[:, 2] += shift_px
    picture = cv2.warpAffine(frame.image_bgr, moved, (width, height), flags=cv2.INTER_CUBIC, borderValue=TABLE_BGR)
    return Frame(picture, "bumped.jpg", frame.lens_hint)


@pytest.mark.parametrize(("shift_mm", "turn_deg"), [((15.0, 0.0), 0.0), ((0.0, 0.0), 3.0), ((-9.0, 12.0), -3.0)])
def test_a_table_that_was_bumped_is_the_same_table(before, shift_mm, turn_deg):
    frame, first = before
    scale = px_per_mm_of(first.table)
    game = read_game_file(SAMPLE)
    moved = bumped(frame, (shift_mm[0] * scale, shift_mm[1] * scale), turn_deg)
    second = observe(moved, game.lens_for(moved))

    places = {(stack.sheet, stack.zone): stack.pose for stack in first.scene.stacks}
    assert {(stack.sheet, stack.zone) for stack in second.scene.stacks} == set(places)
    for stack in second.scene.stacks:
        pose = places[stack.sheet, stack.zone]
        assert np.hypot(stack.pose.x_mm - pose.x_mm, stack.pose.y_mm - pose.y_mm) < 3.0

    review = Review(game)
    assert review.see(seen_of(Look("00.jpg", observation=first))).is_start
    event = review.see(seen_of(Look("bumped.jpg", observation=second)))
    assert (event.ruling, event.error) == (None, None)
