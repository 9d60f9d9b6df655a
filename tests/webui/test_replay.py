"""Kept matches are played back step by step, with their pictures, and only with those."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from webui import replay as room
from webui.correcting import Correction
from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.journal import begun
from webui.page import create_app
from webui.pictures import Pictures
from webui.replay import Replays
from webui.review import Review
from webui.seen import seen_of
from webui.store import open_store

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")
TOO_FAR = MOVED.replace("c5", "c8")
GAME = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}
SIZES = [(390, 844), (820, 1180), (1366, 768)]


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "matches") as store:
        yield store


@pytest.fixture
def played(store, look_of):
    """Plays a match of these tables and answers into the store, and tells its id."""

    def play(*said):
        game_file, pictures = game_file_from_json(GAME), Pictures(store.pictures)
        journal = begun(store, game_file, pictures=pictures)
        review = Review(game_file, at_table=True, keep=journal.keep)
        for number, each in enumerate(said):
            if isinstance(each, str):
                look = replace(look_of(f"{number:02}", each), image_bgr=np.full((48, 64, 3), number * 20, np.uint8))
                review.see(seen_of(look, *pictures.add(look)))
            else:
                review.take(each)
        return journal.match.id

    return play


@pytest.fixture
def shelf(store, monkeypatch):
    """Goes through matches at once, and not in a thread."""
    made = []

    class AtOnce:
        def __init__(self, target, args, **_):
            self._work = lambda: target(*args)

        def start(self):
            made.append(self._work)

    monkeypatch.setattr(room.threading, "Thread", AtOnce)
    replays = Replays(store)

    def now(match_id):
        replays.of(match_id)
        while made:
            made.pop()()
        return replays.of(match_id)

    replays.now = now
    return replays


@pytest.fixture
def client(live_of, store):
    return create_app(Evening(live_of(None)), store=store).test_client()


def test_each_event_is_a_step_with_its_picture(shelf, played, store):
    replay = shelf.now(played(START, MOVED, TOO_FAR, {"agree": True}))
    assert [event.ruling is not None for event in replay.events] == [False, True, True, False]
    assert replay.is_ready
    assert len(replay.pictures) == 6
    assert all(store.pictures.read(key) for key in replay.pictures)


def test_what_was_undone_is_no_step_and_a_correction_is_one(shelf, played):
    nothing_on_f2 = Correction("board-sw", 254.8, 96.4, zone="f2").to_json()
    replay = shelf.now(played(START, TOO_FAR, {"undo": True}, MOVED, {"correct": nothing_on_f2}))
    assert [event.photo for event in replay.events] == ["00", "03"]
    assert replay.events[-1].is_corrected


def test_a_match_that_grew_is_gone_through_anew(shelf, played, store, monkeypatch):
    match_id = played(START, MOVED)
    first = shelf.now(match_id)
    assert shelf.of(match_id) is first
    inputs = list(store.inputs(match_id))
    store.add(store.match(match_id), [replace(inputs[-1], number=len(inputs) + 1, said={"undo": True})])
    assert len(shelf.now(match_id).events) == 1


def test_a_few_matches_are_remembered(shelf, played):
    ids = [played(START) for _ in range(room.MOST_REMEMBERED + 1)]
    for match_id in ids:
        shelf.now(match_id)
    assert list(shelf._known) == ids[1:]


def test_a_match_that_fails_is_told_in_words(shelf, played, monkeypatch):
    def failing(*_, **__):
        raise RuntimeError("boom")

    monkeypatch.setattr(room, "open_match", failing)
    assert shelf.now(played(START)).fault.startswith("The umpire failed on this match (RuntimeError)")


def test_matches_are_listed_and_their_steps_linked(client, played):
    assert "No match is kept" in client.get("/replay/").text
    match_id = played(START, MOVED, TOO_FAR)
    listed = client.get("/replay/").text
    assert "Ann, Bob" in listed
    assert f"/replay/{match_id}/1" in listed


def test_addresses_of_nothing_are_not_found(client, played, store):
    match_id = played(START, MOVED)
    other = store.pictures.write(b"\xff\xd8 another match's picture")
    for address in (f"{match_id[:6]}/1", "../../etc/passwd/1", f"{match_id}/pictures/{other}.jpg", "0" * 32 + "/state"):
        assert client.get(f"/replay/{address}").status_code == 404


def test_without_a_store_nothing_is_kept(live_of):
    client = create_app(Evening(live_of(None))).test_client()
    assert "No match is kept" in client.get("/replay/").text
    assert client.get("/replay/abc/1").status_code == 404


# In the browser.


@pytest.mark.parametrize("scripts", [True, False])
def test_a_match_is_played_back(opened, address_of, live_of, store, played, accessible, scripts):
    address = address_of(create_app(Evening(live_of(None)), store=store))
    played(START, MOVED, TOO_FAR)
    page = opened(f"{address}replay/", java_script_enabled=scripts)
    page.get_by_role("link", name="Martian Mids").click()
    page.get_by_role("heading", name="The table is set").wait_for()
    page.get_by_role("link", name="Next").click()
    page.get_by_text("Ann moves b2-b4.").wait_for()
    page.get_by_role("img", name="what was recognised").wait_for()
    assert page.locator(".seen image").get_attribute("href").startswith("/replay/")
    if scripts:
        page.wait_for_load_state()  # keys are heard once the page's script is there
        page.keyboard.press("ArrowRight")
        page.get_by_role("heading", name="Not allowed").wait_for()
        page.wait_for_load_state()
        page.keyboard.press("Home")
        page.get_by_role("heading", name="Step 1 of 3").wait_for()
        for width, height in SIZES:
            page.set_viewport_size({"width": width, "height": height})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        accessible(page)
