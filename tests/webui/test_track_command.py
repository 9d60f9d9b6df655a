"""`umpire track`: a drawn track from a photo into game.json, and a race that begins on it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path

import cv2
import pytest
from click.testing import CliRunner

from vision.camera import read_photo
from webui import track_command
from webui.cli import main
from webui.gamefile import game_file_from_json
from webui.look import look
from webui.review import Review
from webui.seen import seen_of
from webui.tracks import seen_track

PHOTO = Path(__file__).parents[1] / "vision" / "photos" / "drawn-track.jpg"
NO_TRACK = PHOTO.with_name("corner-cards.jpg")
CARS = [{"name": name, "colour": name.lower(), "gear": 3, "speed": 1} for name in ("Black", "Blue", "Green")]


@cache
def read_once():
    return seen_track(read_photo(PHOTO))


@pytest.fixture
def read_already(monkeypatch):
    """The photo's track, read once for all tests: reading takes a second."""
    monkeypatch.setattr(track_command, "seen_track", lambda frame, lens: read_once())


def run(*words):
    return CliRunner().invoke(main, ["track", *map(str, words)])


@pytest.fixture(scope="module")
def read():
    ended = run(PHOTO)
    assert ended.exit_code == 0, ended.output
    return json.loads(ended.stdout)["track"], ended.stderr


def test_a_track_is_printed_as_game_json_has_it(read):
    track, said = read
    assert set(track) == {"outer", "inner", "finish", "walls", "sheets"}
    assert set(track["sheets"]) == {"corner-sw", "corner-se", "corner-nw", "corner-ne"}
    assert "A lap is 1.0 m, the track at least 8" in said


def test_a_race_begins_on_a_drawn_track_from_its_photo(read):
    setup = {"game": "pyramid-gran-prix", "players": [*CARS, {"name": "Yellow", "colour": "yellow"}], "track": read[0]}
    game_file = game_file_from_json(setup)
    event = Review(game_file).see(seen_of(look(PHOTO, square_mm=game_file.square_mm)))
    assert (event.error, event.is_start) == (None, True)
    places = {"Black": (442, 125), "Blue": (68, 194), "Green": (331, 55), "Yellow": (191, 294)}
    for car in event.state.cars:
        assert (car.pose.x_mm, car.pose.y_mm) == pytest.approx(places[car.name], abs=3.0)
    assert not any(car.is_off for car in event.state.cars)


def test_the_track_is_written_into_game_json_and_the_rest_stays(tmp_path):
    game, drawn = tmp_path / "game.json", tmp_path / "drawn.png"
    game.write_text(json.dumps({"game": "pyramid-gran-prix", "players": CARS, "laps": 3}))
    ended = run(PHOTO, "-o", game, "--overlay", drawn, "--walls", "outer", "--direction", "clockwise")
    assert (ended.exit_code, ended.stdout) == (0, f"{game} has the track now.\n")
    doc = json.loads(game.read_text())
    assert (doc["laps"], doc["players"], doc["direction"], doc["track"]["walls"]) == (3, CARS, "clockwise", "outer")
    assert cv2.imread(str(drawn)).shape == cv2.imread(str(PHOTO)).shape


def test_a_new_game_json_is_begun_with_the_track(tmp_path, read_already):
    game = tmp_path / "game.json"
    assert "Say in it who plays" in run(PHOTO, "-o", game).stdout
    assert json.loads(game.read_text())["game"] == "pyramid-gran-prix"


def test_clicked_points_take_the_place_of_what_was_read(tmp_path, read, read_already):
    points = tmp_path / "points.json"
    points.write_text(json.dumps({"finish": [[645, 576], [628, 742]], "walls": [[[300, 300], [320, 330], [350, 340]]]}))
    track = json.loads(run(PHOTO, "--points", points).stdout)["track"]
    assert (track["outer"], track["finish"] == read[0]["finish"], len(track["walls"])) == (read[0]["outer"], False, 1)


@pytest.mark.parametrize(
    ("points", "words", "status"),
    [
        ({"finish": [[1, 2]]}, "Click two points for the finish", 3),
        ({"inner": [[10, 10], [40, 10], [40, 40]]}, "The inner line of a track lies inside".lower(), 3),
        ({"finish": [[10, 10], [20, 10]]}, "the finish line lies across the track", 3),
        ([1], "should be an object", 2),
    ],
)
def test_odd_points_are_told_and_nothing_is_written(tmp_path, points, words, status, read_already):
    file, game = tmp_path / "points.json", tmp_path / "game.json"
    file.write_text(json.dumps(points))
    ended = run(PHOTO, "--points", file, "-o", game)
    assert (ended.exit_code, words in ended.output.lower() or words in ended.output, game.exists()) == (
        status,
        True,
        False,
    )


def test_a_photo_without_a_track_is_told(tmp_path):
    ended = run(NO_TRACK, "-o", tmp_path / "game.json")
    assert (ended.exit_code, (tmp_path / "game.json").exists()) == (3, False)
    assert "No track was read. " in ended.stderr
    assert run(tmp_path / "none.jpg").exit_code == 3


@pytest.mark.parametrize("content", ['{"game": "martian-mids"}', "[1]", "{"])
def test_another_game_s_file_is_left_as_it_is(tmp_path, content, read_already):
    game = tmp_path / "game.json"
    game.write_text(content)
    ended = run(PHOTO, "-o", game)
    assert (ended.exit_code, game.read_text()) == (2, content)
    assert "was left as it" not in ended.stdout
    assert "so it was left as it is" in ended.output
