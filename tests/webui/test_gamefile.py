"""game.json is checked at the door, field by field."""

from __future__ import annotations

import json
from types import SimpleNamespace

import numpy as np
import pytest

from webui.gamefile import GameFileError, game_file_from_json, photos_in, read_game_file

NAN = float("nan")
PLAYERS = [{"name": "Black"}, {"name": "White"}]
LENS = {"matrix": [[990.0, 0.0, 639.5], [0.0, 992.0, 479.5], [0.0, 0.0, 1.0]], "distortion": [-0.04, 0.01]}


def test_a_good_file_is_read():
    said = {"01.jpg": {"action": "draw"}, "02.jpg": [{"roll": [3, 4]}]}
    read = game_file_from_json({"game": "martian-mids", "players": PLAYERS, "camera": LENS, "declared": said})
    assert read.players == ("Black", "White")
    assert read.declared("01.jpg") == ({"action": "draw"},)
    assert read.declared("02.jpg") == ({"roll": [3, 4]},)
    assert read.declared("03.jpg") == ()


def test_the_saved_lens_fits_the_picture():
    frame = SimpleNamespace(image_bgr=np.zeros((960, 1280, 3), np.uint8))
    lens = game_file_from_json({"game": "martian-mids", "players": PLAYERS, "camera": LENS}).lens_for(frame)
    assert lens.focal_px == 991.0
    assert lens.centre_px == (639.5, 479.5)
    assert lens.distortion == (-0.04, 0.01, 0.0, 0.0)
    assert lens.image_size_px == (1280, 960)


@pytest.mark.parametrize("shape", [(480, 640, 3), (1280, 960, 3)])
def test_the_saved_lens_of_a_smaller_or_turned_picture_is_of_the_size_it_was_made_at(shape):
    """The picture is then scaled or turned to fit it; a lens said to be of this size would leave the height wrong."""
    frame = SimpleNamespace(image_bgr=np.zeros(shape, np.uint8))
    lens = game_file_from_json({"game": "martian-mids", "players": PLAYERS, "camera": LENS}).lens_for(frame)
    assert lens.image_size_px == (1280, 960)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ([], "the file"),
        ({"players": PLAYERS}, "game"),
        ({"game": "martian-mids"}, "players"),
        ({"game": "martian-mids", "players": []}, "players"),
        ({"game": "martian-mids", "players": [{"name": "A"}, {"nome": "B"}]}, r"players\[1\]"),
        ({"game": "martian-mids", "players": [{"name": "A"}, {"name": "A"}]}, "players"),
        ({"game": "martian-mids", "players": PLAYERS, "declared": []}, "declared"),
        ({"game": "martian-mids", "players": PLAYERS, "camera": {"matrix": [[1, 2], [3, 4]]}}, "camera.matrix"),
        ({"game": "martian-mids", "players": PLAYERS, "camera": {"matrix": [[0] * 3] * 3}}, "camera.matrix"),
        ({"game": "martian-mids", "players": PLAYERS, "camera": {"matrix": [[9] * 3] * 3 + [None]}}, "camera.matrix"),
        ({"game": "martian-mids", "players": PLAYERS, "camera": LENS | {"distortion": "flat"}}, "camera.distortion"),
        ({"game": "martian-mids", "players": PLAYERS, "camera": LENS | {"distortion": [NAN]}}, "camera.distortion"),
        ({"game": "martian-mids", "players": PLAYERS, "camera": LENS | {"distortion": [10**400]}}, "camera.distortion"),
    ],
)
def test_a_bad_field_is_named(fields, named):
    with pytest.raises(GameFileError, match=rf"game.json: {named} should be"):
        game_file_from_json(fields)


def test_a_folder_without_game_or_photos_says_so(tmp_path):
    with pytest.raises(GameFileError, match=r"holds no game\.json"):
        read_game_file(tmp_path)
    with pytest.raises(GameFileError, match="holds no photos"):
        photos_in(tmp_path)
    with pytest.raises(GameFileError, match="cannot be opened as a folder"):
        photos_in(tmp_path / "nowhere")


@pytest.mark.parametrize("text", ["9" * 5000, "[" * 100_000], ids=["digits", "depth"])
def test_json_beyond_all_measure_is_told(tmp_path, text):
    (tmp_path / "game.json").write_text(text)
    with pytest.raises(GameFileError, match="cannot be read as JSON"):
        read_game_file(tmp_path)


def test_broken_json_says_where(tmp_path):
    (tmp_path / "game.json").write_text('{"game": ')
    with pytest.raises(GameFileError, match="line 1"):
        read_game_file(tmp_path)


def test_photos_come_in_name_order(tmp_path):
    for name in ("02.jpg", "00.JPG", "01.png", "game.json", "notes.txt"):
        (tmp_path / name).write_bytes(b"")
    assert [path.name for path in photos_in(tmp_path)] == ["00.JPG", "01.png", "02.jpg"]


@pytest.mark.parametrize("name", ["", "  ", "x" * 41, "Ann\nBo", "\x1b[2J"])
def test_a_name_is_a_line_that_can_be_read(name):
    with pytest.raises(GameFileError, match=r"players\[0\].name should be of 1 to 40 characters in one line"):
        game_file_from_json({"game": "martian-mids", "players": [{"name": name}, {"name": "Bo"}]})


def test_a_file_saved_with_a_mark_at_its_beginning_is_read(tmp_path):
    (tmp_path / "game.json").write_text(json.dumps({"game": "martian-mids", "players": PLAYERS}), "utf-8-sig")
    assert read_game_file(tmp_path).players == ("Black", "White")
