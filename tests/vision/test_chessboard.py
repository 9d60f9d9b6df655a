"""Reading a chessboard between corner cards: a rendered photo, with cards painted over the sheet around its squares."""

from functools import cache
from pathlib import Path

import pytest

from calibration.chessboard import ChessboardError
from vision.camera import read_photo
from vision.observe import Observation, observe

PHOTO = Path(__file__).parent / "photos" / "corner-cards.jpg"
THERE = {"a4": "sw", "c4": "sw", "e3": "se", "e4": "se", "g4": "se", "h4": "se", "f5": "ne", "f6": "ne", "f8": "ne"}
BOTTOM = {"f6": "medium green", "h4": "large green", "f8": "small yellow", "g4": "large green", "f5": "large yellow"}


@cache
def seen(square_mm: float | None = None) -> Observation:
    return observe(read_photo(PHOTO), square_mm=square_mm)


def test_every_stack_is_found_in_its_square_in_its_quarter_s_frame():
    assert seen().table.layout == "corner-cards"
    found = {stack.zone: stack.sheet.removeprefix("corner-") for stack in seen().scene.stacks}
    assert found == THERE


def test_stacks_are_read_as_on_a_printed_board():
    bottoms = {stack.zone: str(stack.pyramids[0]) for stack in seen().scene.stacks}
    assert sum(bottoms.get(zone) == bottom for zone, bottom in BOTTOM.items()) >= 4


def test_the_squares_size_may_be_given():
    assert {stack.zone for stack in seen(42.0).scene.stacks} == set(THERE)
    smaller = {stack.zone for stack in seen(30.0).scene.stacks}
    assert "a4" not in smaller  # it stands on the rim of a board with so small squares
    assert smaller < {f"{file}{rank}" for file in "abcdefgh" for rank in range(1, 9)}


def test_no_hand_is_in_view():
    assert not seen().hand_in_view


def test_a_size_that_no_chessboard_has_is_told():
    with pytest.raises(ChessboardError, match="cannot be 3 mm wide"):
        seen(3.0)
