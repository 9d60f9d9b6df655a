"""Scripted pictures and times: when the table rests, and what several looks at it show together."""

from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from engine.table import Colour, Pose, Pyramid, Reading, Scene, Stack
from vision.observe import Observation
from vision.settle import Settling, fused, has_changed, is_enough, small_of, watched

PHOTO = Path(__file__).parents[2] / "webui" / "sample" / "mids-a" / "00.jpg"
NEXT_PHOTO = PHOTO.with_name("01.jpg")
EVERY_S = 1 / 15


@pytest.fixture(scope="module")
def photo():
    return opened(PHOTO)


def opened(path):
    return cv2.resize(cv2.imread(str(path)), (640, 480), interpolation=cv2.INTER_AREA)


NOISE = np.random.default_rng(0).normal(0, 4.0, (600, 640, 3)).astype(np.float32)


def noisy(image, seed, brightness=1.0):
    noise = NOISE[seed * 2 : seed * 2 + image.shape[0], : image.shape[1]]
    return np.clip(image * np.float32(brightness) + noise, 0, 255).astype(np.uint8)


def rests(pictures, rest=None, start_s=0.0):
    """The rest after each of these pictures, one every EVERY_S."""
    found = []
    for n, picture in enumerate(pictures):
        rest = watched(rest, small_of(picture), start_s + n * EVERY_S)
        found.append(rest)
    return found


def test_noise_and_a_brighter_camera_are_no_movement(photo):
    pictures = [noisy(photo, seed, 1 + 0.03 * (seed % 3)) for seed in range(50)]
    found = rests(pictures)
    assert {rest.number for rest in found} == {1}
    assert found[-1].is_quiet(49 * EVERY_S)
    assert not found[-1].is_quiet(0.6)
    assert found[-1].is_quiet(0.6, Settling(quiet_s=0.5))


def test_a_move_on_the_board_is_a_movement(photo):
    assert has_changed(small_of(photo), small_of(opened(NEXT_PHOTO)))


def test_a_small_piece_pushed_slowly_is_a_movement(photo):
    def with_piece(x):
        return cv2.rectangle(photo.copy(), (x, 200), (x + 12, 212), (40, 40, 200), -1)

    found = rests([with_piece(250 + n) for n in range(40)])
    assert found[-1].number > 3
    assert all(one.number - other.number <= 1 for one, other in zip(found[1:], found, strict=False))


def test_a_hand_that_moves_over_the_mat_leaves_no_quiet_moment(photo):
    def with_hand(n):
        return cv2.ellipse(noisy(photo, n), (100 + 10 * n, 240), (80, 160), 0, 0, 360, (120, 150, 200), -1)

    found = rests([with_hand(n) for n in range(40)])
    assert not any(rest.is_quiet(n * EVERY_S) for n, rest in enumerate(found))
    gone = rests([noisy(photo, n) for n in range(20)], found[-1], 40 * EVERY_S)
    assert gone[0].number == gone[-1].number > found[-1].number
    assert gone[-1].is_quiet(59 * EVERY_S)


def test_another_picture_size_is_a_movement(photo):
    assert has_changed(small_of(photo), small_of(photo[:300]))


RED, TALL = (Pyramid.parse("large red"),), (Pyramid.parse("large red"), Pyramid.parse("small blue"))


def stack(x_mm=50.0, first=TALL, share=0.9, other=RED, heading=None):
    readings = (Reading(first, heading, Colour.BLACK, share), Reading(other, heading, Colour.BLACK, 1 - share))
    return Stack("board-sw", "b2", Pose(x_mm, 60.0, heading), first, Colour.BLACK, readings)


def seen(*stacks, hand=False, warnings=()):
    return Observation(SimpleNamespace(layout="board"), Scene.of(list(stacks)), hand, warnings)


def test_one_odd_look_changes_nothing():
    good = seen(stack())
    odd = seen(stack(51.0, first=RED, share=1.0, other=TALL), stack(150.0), hand=True, warnings=("!",))
    together = fused([good, odd, good])
    assert together.scene == good.scene
    assert not together.hand_in_view
    assert together.warnings == ()
    assert fused([seen(), good, good]).scene == good.scene


def test_doubt_that_stays_is_kept():
    together = fused([seen(stack(share=share)) for share in (0.5, 0.6, 0.9)])
    assert [round(reading.probability, 3) for reading in together.scene.stacks[0].readings] == [0.6, 0.4]


def test_looks_that_say_each_something_else_leave_all_of_it_possible():
    names = ("small red", "small blue", "small green")
    looks = [seen(stack(first=(Pyramid.parse(name),), share=1.0, other=RED)) for name in names]
    readings = fused(looks).scene.stacks[0].readings
    assert sorted(str(reading.pyramids[0]) for reading in readings) == sorted(names)
    assert sum(reading.probability for reading in readings) == pytest.approx(1)


def test_places_and_headings_are_the_middle_ones():
    looks = [seen(stack(x, heading=heading)) for x, heading in ((50.0, 359.0), (50.4, 2.0), (53.0, 10.0))]
    assert fused(looks).scene.stacks[0].pose.x_mm == 50.4
    assert len(fused(looks).scene.stacks) == 1


def test_two_looks_that_agree_are_enough():
    assert not is_enough([seen(stack())])
    assert is_enough([seen(stack()), seen(stack(52.0, share=0.8))])
    assert not is_enough([seen(stack()), seen(stack(first=RED, other=TALL))])
    assert not is_enough([seen(stack()), seen(stack(), stack(150.0))])
    assert not is_enough([seen(stack()), seen(stack(), hand=True)])
    assert is_enough([seen(stack()), seen(), seen(stack(150.0))])
