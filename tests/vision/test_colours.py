"""Colours by a taught palette: what a face's look is, when it is heard, and what the colour card teaches."""

from dataclasses import replace
from datetime import date
from pathlib import Path

import numpy as np
import pytest

from calibration.optics import Camera, Lens
from calibration.palette import Palette
from calibration.store import Calibration
from vision.camera import Frame, read_photo
from vision.colours import face_looks, with_palette
from vision.levels import SIZES, STEPS, Base, Stacked, looks_of
from vision.observe import observe
from vision.paper import LightField
from vision.pieces import SEQUENCES
from vision.reader import COLOURS
from vision.teach import LessonError, lesson_of

CARD = Path(__file__).parent / "photos" / "colour-card.jpg"
GAME = Path(__file__).parents[2] / "webui" / "sample" / "mids-a"
NAMES = [str(colour) for colour in COLOURS]
LENS = Lens(900.0, (400.0, 300.0), (0.0, 0.0, 0.0, 0.0), (800, 600))
SOUTH = Camera(LENS, ((1, 0, 0), (0, -0.9, -(0.19**0.5)), (0, 0.19**0.5, -0.9)), (0.0, 0.0, 600.0))
EVEN = LightField((0.0, 0.0), 1.0, ((0.0,) * 6,) * 3, 0.0)
HALF = LightField((0.0, 0.0), 1.0, ((float(np.log(0.5)), 0.0, 0.0, 0.0, 0.0, 0.0),) * 3, 0.0)
LOOKS = {"red": (-1.9, 1.0, -0.9), "blue": (-1.5, -0.6, -0.5), "pink": (-0.9, 0.5, -0.5)}
PALETTE = Palette(date(2025, 11, 1), tuple(LOOKS.items()))


def look_of(bgr, field=EVEN):
    picture = np.full((600, 800, 3), bgr, np.uint8)
    return face_looks(looks_of([Base(10.0, 20.0, 12.0, False)], picture, SOUTH, field))[0, 2, 0]


def undecided() -> Stacked:
    """A network that holds all colours and stacks for equally likely."""
    even = np.full((SIZES, STEPS, 10), np.log(0.1), np.float32)
    return Stacked(np.full(len(SEQUENCES), -np.log(len(SEQUENCES)), np.float32), even, ())


def seen_as(name: str):
    return np.broadcast_to(np.array(LOOKS[name]), (1, SIZES, STEPS, 3))


def top_colours(sequence: tuple[int, ...], name: str):
    (heard,) = with_palette((undecided(),), seen_as(name), PALETTE)
    return heard.along(SEQUENCES.index(sequence))


def test_a_look_is_brightness_red_over_blue_and_green_over_both():
    white, red, green = look_of((255, 255, 255)), look_of((40, 40, 200)), look_of((60, 160, 60))
    assert white == pytest.approx([0, 0, 0], abs=0.02)
    assert red[0] < white[0]
    assert red[1] > 0.5
    assert green[1] == pytest.approx(0, abs=0.02)
    assert green[2] > 0.5


def test_a_look_does_not_depend_on_how_much_light_there_is():
    dim = look_of((96, 61, 132), HALF)  # half the linear light of the picture below
    assert dim == pytest.approx(look_of((131, 85, 180)), abs=0.05)


def test_the_palette_decides_where_the_network_cannot():
    assert NAMES[int(top_colours((3,), "red")[0, :10].argmax())] == "red"
    assert NAMES[int(top_colours((3,), "blue")[0, :10].argmax())] == "blue"


def test_only_the_top_piece_of_a_stack_is_heard():
    heard = top_colours((3, 2), "red")
    assert heard[1, :10].argmax() == NAMES.index("red")
    assert np.ptp(heard[0, :10]) == pytest.approx(0, abs=1e-5)


def test_a_plastic_that_only_the_palette_knows_is_told_by_it():
    pink, grey = 10, 11
    assert top_colours((3,), "pink")[0].argmax() == pink
    assert top_colours((3,), "red")[0].argmax() == NAMES.index("red")
    assert top_colours((3,), "pink")[0, grey] < -50


def test_weighing_leaves_probabilities():
    assert np.exp(top_colours((3, 2), "pink")).sum(axis=1) == pytest.approx([1, 1], abs=1e-5)


@pytest.fixture(scope="module")
def card() -> Frame:
    return read_photo(CARD)


def painted(frame: Frame, cell_px: tuple[int, int, int, int]) -> Frame:
    """The photo with white paper over a part: left, top, right, bottom."""
    left, top, right, bottom = cell_px
    image = frame.image_bgr.copy()
    image[top:bottom, left:right] = image[top - 3, left]
    return replace(frame, image_bgr=image)


def test_every_cell_of_the_card_teaches_its_colour(card):
    lesson = lesson_of(card)
    assert (lesson.empty, lesson.set_aside) == ((), ())
    assert set(lesson.palette.colours) == set(NAMES)
    looks = dict(lesson.palette.looks)
    assert looks["red"][1] > 0.7
    assert looks["cyan"][1] < -0.5
    assert looks["black"][0] < looks["clear"][0] - 1


def test_a_cell_may_stay_empty_and_another_plastic_may_stand_on_one(card):
    without_purple = painted(card, (280, 418, 394, 548))
    lesson = lesson_of(without_purple, others={"orange": "pink"})
    assert lesson.empty == ("purple",)
    assert {"pink"} == set(lesson.palette.colours) - set(NAMES)
    assert "orange" not in lesson.palette.colours


def test_a_pyramid_on_the_wrong_cell_is_set_aside(card):
    lesson = lesson_of(card, others={"blue": "yellow"})
    assert lesson.set_aside == (("blue", "the pyramid there looks blue: put yellow there, or leave the cell empty."),)


def test_no_colour_is_taught_twice(card):
    lesson = lesson_of(card, others={"orange": "pink", "clear": "pink"})
    assert lesson.set_aside == (("clear", "another cell teaches pink already."),)
    assert lesson.palette.colours.count("pink") == 1


@pytest.mark.parametrize(
    ("others", "words"), [({"mauve": "pink"}, "no cell 'mauve'"), ({"orange": "mauve"}, "no colour 'mauve'")]
)
def test_odd_names_are_told(card, others, words):
    with pytest.raises(LessonError, match=words):
        lesson_of(card, others=others)


def test_another_sheet_teaches_nothing():
    with pytest.raises(LessonError, match="colour card is not in this photo"):
        lesson_of(read_photo(GAME / "00.jpg"))


def test_what_is_taught_changes_what_is_read_and_nothing_else_does():
    frame = read_photo(GAME / "00.jpg")
    plain = observe(frame)
    lens = plain.table.camera.lens
    kept = Calibration("desk", lens, date(2025, 11, 1), 1.0, 0.3)
    before = observe(frame, kept)
    after = observe(frame, replace(kept, palette=PALETTE))
    assert [s.pyramids for s in before.scene.stacks] == [s.pyramids for s in plain.scene.stacks]
    assert [(s.zone, len(s.pyramids)) for s in after.scene.stacks] == [
        (s.zone, len(s.pyramids)) for s in before.scene.stacks
    ]
    assert [s.readings for s in after.scene.stacks] != [s.readings for s in before.scene.stacks]
