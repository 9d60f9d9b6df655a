"""What lies on a table, as values."""

import pytest

from engine.table import Colour, Pose, Pyramid, Reading, Scene, Size, Stack


@pytest.mark.parametrize("colour", Colour)
@pytest.mark.parametrize("size", Size)
def test_a_pyramid_is_parsed_as_it_is_written(colour, size):
    piece = Pyramid(colour, size)
    assert Pyramid.parse(str(piece)) == piece


@pytest.mark.parametrize("text", ["", "red", "huge red", "large mauve", "red large"])
def test_other_text_is_no_pyramid(text):
    with pytest.raises(ValueError, match="size and a colour"):
        Pyramid.parse(text)


def test_a_stack_holds_something():
    with pytest.raises(ValueError, match="at least one"):
        Stack("board-sw", "b2", Pose(1, 2), ())


def test_confidence_is_that_of_the_first_reading():
    piece = (Pyramid(Colour.RED, Size.SMALL),)
    assert Stack("board-sw", "b2", Pose(1, 2), piece).confidence == 1.0
    assert Stack("board-sw", "b2", Pose(1, 2), piece, None, (Reading(piece, None, None, 0.7),)).confidence == 0.7


def test_a_scene_does_not_depend_on_the_order_in_which_stacks_were_found():
    a, b = (Stack("board-sw", zone, Pose(1, 2), (Pyramid(Colour.RED, Size.SMALL),)) for zone in ("b2", "a1"))
    assert Scene.of([a, b]) == Scene.of([b, a])
    assert len({Scene.of([a, b]), Scene.of([b, a])}) == 1
