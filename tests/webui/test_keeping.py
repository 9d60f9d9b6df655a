"""Matches of the evening are kept from their first table on, and go on another evening."""

from __future__ import annotations

import re
import threading
from pathlib import Path

import pytest
from click.testing import CliRunner

from webui import cli, keeping, opening, play_command, start
from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.keeping import Keeper
from webui.opening import Source
from webui.page import create_app
from webui.store import KeptMatch, new_id, now, open_store

GAME = game_file_from_json(
    {"game": "martian-mids", "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}]}
)
START = "b2 black: large red, large green; d3 black: medium blue; c5 white: large green, small red"
MOVED = "b4 black: large red, large green; d3 black: medium blue; c5 white: large green, small red"
ONWARD = "b4 black: large red, large green; d3 black: medium blue; c6 white: large green, small red"


@pytest.fixture
def keeper(own_matches, look_of, monkeypatch):
    """A keeper, whose photos show a Mid that moves from 00.jpg to 01.jpg."""
    tables = {"00.jpg": START, "01.jpg": MOVED, "02.jpg": ONWARD}
    monkeypatch.setattr(opening, "look", lambda path, **_: look_of(path.name, tables[path.name]))
    with open_store(own_matches) as store:
        yield Keeper(store)


@pytest.fixture
def photos(tmp_path):
    folder = tmp_path / "photos"
    folder.mkdir()
    (folder / "00.jpg").write_bytes(b"0")
    return Source(str(folder))


def judged(live):
    live._clock = lambda: 1e9
    for _ in range(3):
        live._due_s = live._scan_s = 0.0
        live.catch_up()
    return live


def test_a_match_is_known_from_its_first_table_on(keeper, photos):
    live = keeper.opened(GAME, photos)
    assert keeper.listed() == ()
    judged(live)
    ((told),) = keeper.listed()
    assert (told["title"], told["players"]) == ("Martian Mids", "Ann and Bob")
    assert "1 entry" in told["when"]


def test_a_match_goes_on_where_it_was(keeper, photos):
    judged(keeper.opened(GAME, photos))
    (Path(photos.name) / "01.jpg").write_bytes(b"1")
    live, notes = keeper.resumed(keeper.listed()[0]["id"], photos)
    assert notes == ()
    assert [event.photo for event in live.moment().events] == ["00.jpg"]
    judged(live)
    assert [event.photo for event in live.moment().events] == ["00.jpg", "01.jpg"]
    assert "2 entries" in keeper.listed()[0]["when"]


def test_a_match_that_goes_on_at_another_table_is_over_at_the_first(keeper, photos, monkeypatch):
    first = judged(keeper.opened(GAME, photos))
    (Path(photos.name) / "01.jpg").write_bytes(b"1")
    with monkeypatch.context() as patched:
        patched.setattr(keeping, "opened_table", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            keeper.resumed(keeper.listed()[0]["id"], photos)
    assert [event.photo for event in judged(first).moment().events] == ["00.jpg", "01.jpg"], "it could not go on there"
    (Path(photos.name) / "02.jpg").write_bytes(b"2")
    second, _ = keeper.resumed(keeper.listed()[0]["id"], photos)
    judged(first)
    assert len(first.moment().events) == 2
    assert [event.photo for event in judged(second).moment().events] == ["00.jpg", "01.jpg", "02.jpg"]
    assert "3 entries" in keeper.listed()[0]["when"]


def test_starting_again_begins_another_match(keeper, photos):
    live = judged(keeper.opened(GAME, photos))
    live.restart()
    judged(live)
    assert len(keeper.listed()) == 2


def test_a_match_of_a_game_that_this_umpire_does_not_know_is_listed(keeper):
    """A newer umpire played it in the same folder."""
    setup = GAME.setup | {"game": "go"}
    keeper._store.add(KeptMatch(new_id(), "go", "Go", setup, "9.0", now()), [])
    assert [each["title"] for each in keeper.listed()] == ["Go"]


def test_an_unknown_match_is_none(keeper, photos):
    with pytest.raises(KeyError):
        keeper.resumed("nothing", photos)


@pytest.fixture
def at_once(monkeypatch):
    """However busy the machine is, no match is so long that a page has to tell how far it is."""
    monkeypatch.setattr(start, "AT_ONCE_S", None)


@pytest.mark.usefixtures("at_once")
def test_the_start_page_goes_on_with_a_match(keeper, photos, live_of):
    judged(keeper.opened(GAME, photos))
    evening = Evening(live_of(None))
    client = create_app(evening, kept=keeper, open_table=keeper.opened).test_client()
    page = client.get("/start/").text
    assert "Go on with a match" in page
    sent = dict(re.findall(r'type="hidden" name="(token|match)" value="([^"]+)"', page))
    answer = client.post("/start/resume", data=sent | {"kind": "folder", "folder": photos.name})
    assert (answer.status_code, answer.location) == (303, "/")
    assert [event.photo for event in evening.live.moment().events] == ["00.jpg"]
    assert client.get("/start/resume").location == "/"
    wrong = client.post("/start/resume", data=sent | {"kind": "folder", "folder": "/nowhere"})
    assert "There is no folder or video called /nowhere." in wrong.text
    assert client.post("/start/resume", data=sent | {"match": "f" * 32, "camera": "0"}).status_code == 404


def test_a_long_match_tells_how_far_it_is_until_it_goes_on(live_of, monkeypatch, eventually):
    monkeypatch.setattr(start, "AT_ONCE_S", 0.0)
    told, may_end, live = threading.Event(), threading.Event(), live_of(None)

    class Slow(start.NothingKept):
        def resumed(self, match, source, progress):
            progress(120, 600)
            told.set()
            may_end.wait()
            return live, ("Photo 3 is another ruling now.",)

    evening = Evening(live_of(None))
    client = create_app(evening, kept=Slow()).test_client()
    assert client.get("/start/resume").location == "/start/"
    assert client.get("/start/resume/state").status_code == 404
    sent = {"token": re.search(r'name="token" value="([^"]+)"', client.get("/start/").text)[1], "camera": "0"}
    client.post("/start/resume", data=sent)
    eventually(told.is_set)
    again = client.post("/start/resume", data=sent)  # a second tap takes nothing up anew
    assert "The umpire goes through the match: 120 of 600" in again.text
    assert client.get("/start/resume/state").json == {"done": 120, "of": 600, "waiting": True}
    other = client.post("/start/resume", data=sent | {"match": "f" * 32})
    assert (other.status_code, "goes through a kept match" in other.text) == (409, True)
    assert evening.live is not live
    may_end.set()
    eventually(lambda: not client.get("/start/resume/state").json["waiting"])
    assert "Photo 3 is another ruling now." in client.get("/start/resume").text
    assert evening.live is live


@pytest.mark.usefixtures("at_once")
def test_a_match_that_cannot_be_taken_up_is_told(live_of):
    class Broken(start.NothingKept):
        def resumed(self, match, source, progress):
            raise RuntimeError("of ours")

    client = create_app(Evening(live_of(None)), kept=Broken()).test_client()
    sent = {"token": re.search(r'name="token" value="([^"]+)"', client.get("/start/").text)[1], "camera": "0"}
    answer = client.post("/start/resume", data=sent)
    assert answer.status_code == 400
    assert "The umpire failed on this match (RuntimeError)" in answer.text


@pytest.fixture
def run(monkeypatch):
    """The command line, and the tables that it would have served."""
    shown = []
    monkeypatch.setattr(play_command, "serve", lambda app, port, start, guard: shown.append(start.__self__.live))
    return lambda *words: (CliRunner().invoke(cli.main, ["play", *map(str, words)]), shown)


@pytest.fixture
def kept_id(keeper, photos):
    judged(keeper.opened(GAME, photos))
    keeper._store.close()
    return keeper.listed()[0]["id"]


def test_the_command_line_goes_on_with_a_match(run, kept_id, photos):
    result, shown = run("--camera", photos.name, "--resume", kept_id[:8])
    assert result.exit_code == 0, result.output
    (live,) = shown
    assert [event.photo for event in live.moment().events] == ["00.jpg"]


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ((), "Say where pictures come from now"),
        (("--camera", "0", "--lens", "desk"), "leave --game and --lens out"),
        (("--camera", "/nowhere/at/all"), "nowhere"),
    ],
)
def test_what_a_match_needs_to_go_on_is_said(run, kept_id, more, words):
    result, shown = run("--resume", kept_id[:8], *more)
    assert result.exit_code == 2
    assert words in result.output
    assert shown == []


def test_a_match_that_nobody_knows_is_said(run, kept_id, photos):
    assert "No match is called 'zzzz'" in run("--camera", photos.name, "--resume", "zzzz")[0].output


def test_without_the_folder_no_match_goes_on(run, kept_id, photos, own_matches):
    with open_store(own_matches):
        result = run("--camera", photos.name, "--resume", kept_id[:8])[0]
    assert "Another umpire" in result.output
    assert "no match can go on" in result.output
