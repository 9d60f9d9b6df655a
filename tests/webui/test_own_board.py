"""Martian Mids on a chessboard of one's own, between corner cards."""

from __future__ import annotations

import json
from functools import partial
from pathlib import Path

import pytest

from webui import cli
from webui.gamefile import GameFileError, game_file_from_json
from webui.look import Look, look
from webui.review import Review
from webui.seen import seen_of

PHOTO = Path(__file__).parents[1] / "vision" / "photos" / "corner-cards.jpg"
PLAYERS = [{"name": "Black", "stand": "black"}, {"name": "White", "stand": "white"}]
SETUP = {"game": "martian-mids", "players": PLAYERS, "initiative": ["Black", "White"]}
START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")


def test_a_game_begins_on_a_photographed_board_with_what_read_finds():
    """The pieces stand as on the photo of `tests/vision/test_chessboard`."""
    seen = look(PHOTO)
    event = Review(game_file_from_json(SETUP)).see(seen_of(seen))
    assert event.error is None
    squares = {str(square) for square, _ in (*event.table.position.mids, *event.table.position.missiles)}
    in_words = {stack.zone for stack in seen.observation.scene.stacks}
    assert squares <= in_words
    assert {"e4", "h4", "f5", "f6", "f8"} <= squares


@pytest.mark.parametrize("layout", ["board", "corner-cards"])
def test_moves_are_judged_as_on_the_printed_board(look_of, layout):
    review = Review(game_file_from_json(SETUP))
    review.see(seen_of(look_of("00.jpg", START, layout=layout)))
    assert type(review.see(seen_of(look_of("01.jpg", MOVED, layout=layout))).ruling).__name__ == "Legal"


def test_the_squares_size_comes_from_game_json(game_folder, monkeypatch):
    asked = []

    def seen(path, lens_for=None, square_mm=None):
        asked.append(square_mm)
        return Look(path.name, error="Too dark.")

    monkeypatch.setattr(cli, "look", partial(seen))
    folder = game_folder(square_mm=50)
    with pytest.raises(SystemExit):
        cli.main(["review", str(folder)])
    assert asked == [50, 50]


@pytest.mark.parametrize("odd", ["fifty", 0, -3, True, [50], float("nan"), float("inf")])
def test_a_size_that_is_none_is_told(odd):
    with pytest.raises(GameFileError, match=r"square_mm should be the size of the board's squares, 5 to 200 mm"):
        game_file_from_json(json.loads(json.dumps(SETUP | {"square_mm": odd})))
