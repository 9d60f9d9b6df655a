"""The page of a drawn track: read, corrected, kept, and raced on."""

from __future__ import annotations

import io
import json
from functools import cache
from pathlib import Path

import numpy as np
import pytest

from engine.errors import InvalidSetup
from vision.camera import read_photo
from webui import track_page, tracks
from webui.evening import Evening
from webui.games import gran_prix
from webui.page import create_app
from webui.track_page import TrackDesk
from webui.tracks import TrackUnreadError, kept_track, seen_track
from webui.wizard import Wizard

PHOTO = Path(__file__).parents[1] / "vision" / "photos" / "drawn-track.jpg"


@cache
def read_once():
    return seen_track(read_photo(PHOTO))


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    """A folder of the test's own for what is kept; the photo is read once for all tests, which takes a second."""
    monkeypatch.setattr(tracks, "data_folder", lambda: tmp_path)
    monkeypatch.setattr(track_page, "seen_track", lambda frame: read_once())
    return tmp_path


@pytest.fixture
def client(live_of, rulings):
    return create_app(Evening(live_of(None, rulings.allowed)), Wizard()).test_client()


def token_of(client):
    page = client.get("/track/").get_data(as_text=True)
    return page.partition('name="token" value="')[2].partition('"')[0]


def send(client, name, **fields):
    return client.post(f"/track/do/{name}", data={"token": token_of(client)} | fields)


@pytest.fixture
def read(client):
    assert send(client, "read", photo=(io.BytesIO(PHOTO.read_bytes()), "board.jpg")).status_code == 303
    return client


def words(answer):
    return " ".join(answer.get_data(as_text=True).split())


def test_a_photo_s_track_is_read_and_drawn_over_it(read):
    page = words(read.get("/track/"))
    assert "<b>board.jpg:</b> A lap is 1.0 m, the track at least 84 mm wide, with no wall." in page
    assert page.count("<polygon") == 2
    assert "Keep it for the next race" in page
    picture = page.partition('<image href="')[2].partition('"')[0]
    assert read.get(picture).mimetype == "image/jpeg"
    assert read.get("/track/pictures/0.jpg").status_code == 404


def test_moved_and_tapped_lines_are_taken(read):
    changed = {"finish": [[645, 576], [628, 742]], "walls": [[[300, 300], [340, 280], [400, 270]]]}
    answer = send(read, "lines", lines=json.dumps(changed), direction="clockwise")
    assert answer.status_code == 303
    page = words(read.get("/track/"))
    assert "with a wall." in page
    assert 'value="clockwise" selected' in page
    doc = read.get("/track/game.json").get_json()
    assert (doc["game"], doc["direction"], len(doc["track"]["walls"])) == ("pyramid-gran-prix", "clockwise", 1)


def test_the_starting_grid_is_shown_on_the_photo(read):
    send(read, "lines", lines="", direction="clockwise", cars="5")
    page = read.get("/track/").get_data(as_text=True)
    assert page.count("A small white pyramid is to be laid here") == 5
    assert send(read, "lines", lines="", direction="clockwise", cars="many").status_code == 400
    send(read, "lines", lines="", direction="clockwise", cars="999")
    assert read.get("/track/").get_data(as_text=True).count("is to be laid here") == 33


def test_a_whole_outer_line_of_wall(read):
    send(read, "lines", lines="", direction="counter-clockwise", walled="on")
    assert read.get("/track/game.json").get_json()["track"]["walls"] == "outer"


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("{", "make no sense"),
        ("[1]", "make no sense"),
        ('{"finish": [[1, 2]]}', "Click two points"),
        ('{"inner": 7}', "Click 3 points"),
        ('{"middle": []}', "parts of a track"),
    ],
)
def test_odd_lines_are_told_and_nothing_changes(read, lines, said):
    before = read.get("/track/game.json").get_json()
    answer = send(read, "lines", lines=lines, direction="clockwise")
    assert answer.status_code == 400
    assert said in words(answer)
    assert read.get("/track/game.json").get_json() == before


def test_lines_that_make_no_ring_are_told_in_place_of_a_track(read):
    send(read, "lines", lines=json.dumps({"inner": [[10, 10], [40, 10], [40, 40]]}), direction="clockwise")
    page = words(read.get("/track/"))
    assert "the inner line of a track lies inside its outer line" in page
    assert "Keep it for the next race" not in page
    assert send(read, "keep").status_code == 400
    assert read.get("/track/game.json").status_code == 404


def test_a_kept_track_is_there_for_the_next_race(read, folder):
    assert kept_track(folder) is None
    assert send(read, "keep").status_code == 303
    assert "Kept. Set up a" in words(read.get("/track/"))
    dealt = gran_prix.deal({"game": "pyramid-gran-prix", "track": "drawn"})
    assert dealt["track"] == read.get("/track/game.json").get_json()["track"]
    assert dealt["direction"] == "counter-clockwise"
    assert gran_prix.deal({"track": "printed", "laps": 3}) == {"laps": 3}
    assert gran_prix.deal({"track": "gates"}) == {"track": {"gates": "seen"}}


@pytest.mark.parametrize("content", [None, "", "{}", "[]", '{"track": {"outer": []}, "direction": "clockwise"}'])
def test_without_a_kept_track_the_page_is_named(folder, content):
    if content is not None:
        (folder / "track.json").write_text(content)
    with pytest.raises(InvalidSetup, match="read and keep one first, on the page Track"):
        gran_prix.deal({"track": "drawn"})


def test_what_is_no_photo_and_no_camera_is_told(client):
    assert "No photo was chosen" in words(send(client, "read"))
    assert send(client, "read", photo=(io.BytesIO(b"GIF"), "odd.gif")).status_code == 400
    assert "No camera is looked through" in words(send(client, "take"))
    assert "Send a photo of the board first" in words(send(client, "keep"))
    assert client.post("/track/do/keep", data={"token": "other"}).status_code == 400


def test_missing_parts_are_told(monkeypatch, client):
    def unread(frame):
        raise TrackUnreadError("The four corner cards are not in this picture.")

    monkeypatch.setattr(track_page, "seen_track", unread)
    answer = send(client, "read", photo=(io.BytesIO(PHOTO.read_bytes()), "board.jpg"))
    assert (answer.status_code, "four corner cards are not" in words(answer)) == (400, True)


def test_another_photo_takes_the_place_of_the_one_before():
    desk = TrackDesk()
    desk.read(read_photo(PHOTO))
    first = desk.on_desk
    desk.read(read_photo(PHOTO))
    assert desk.on_desk is not first
    assert np.array_equal(desk.on_desk.seen.image_bgr, first.seen.image_bgr)
