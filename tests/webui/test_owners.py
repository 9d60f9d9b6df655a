"""Owners of Mids that stand on no stand are asked once, and known from then on."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.live import Live
from webui.owners import ownerless
from webui.page import create_app
from webui.review import Review

PLAYERS = [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}]
START = "b2 black: large red, large green; d3 black: medium blue; c5 white: large green, small red"
MOVED = "b4 black: large red, large green; d3 black: medium blue; c5 white: large green, small red"


@pytest.fixture
def without_stands(look_of):
    """A Live of Martian Mids in which no stand is seen under the Mid on b2, later on b4; and a client of its page."""

    def seen(photo, table):
        look = look_of(photo, table)
        stacks = [
            replace(each, stand=None) if each.zone in ("b2", "b4") else each for each in look.observation.scene.stacks
        ]
        look.observation.scene = replace(look.observation.scene, stacks=tuple(stacks))
        return look

    looks = {"00.jpg": seen("00.jpg", START), "01.jpg": seen("01.jpg", MOVED)}
    game_file = game_file_from_json({"game": "martian-mids", "players": PLAYERS, "initiative": ["Ann", "Bob"]})
    live = Live([Path(name) for name in looks], lambda: Review(game_file), lambda path: looks[path.name], lambda: 0.0)
    live.catch_up()
    live.pause()
    return live, create_app(Evening(live)).test_client()


def hidden_on(client):
    return dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]+)"', client.get("/owners/").text))


def test_the_page_asks_whose_they_are(without_stands):
    live, client = without_stands
    assert [mid.square for mid in ownerless(live)] == ["b2"]
    assert "Say whose Mid it is" in client.get("/state").json["regions"]["verdict"]
    text = client.get("/owners/").text
    assert "b2: large red under large green" in text
    assert "<option>Ann</option>" in text


def test_what_is_said_is_known_wherever_the_mid_goes(without_stands):
    live, client = without_stands
    answer = client.post("/owners/", data=hidden_on(client) | {"b2": "Ann"})
    assert (answer.status_code, answer.location) == (303, "/")
    live.catch_up()
    assert ownerless(live) == ()
    assert "it is known whose it is" in client.get("/owners/").text
    live.forward()
    live.catch_up()
    state = live.as_seen_by(None)
    assert {str(square): state.owner_of(mid) for square, mid in state.position.mids}["b4"] == "Ann"
    assert ownerless(live) == ()


@pytest.mark.parametrize("form", [{"b2": ""}, {"b2": "Eve"}, {"c5": "Ann"}, {}])
def test_what_nobody_knows_stays_open(without_stands, form):
    live, client = without_stands
    client.post("/owners/", data=hidden_on(client) | form)
    live.catch_up()
    assert [mid.square for mid in ownerless(live)] == ["b2"]


def test_two_taps_say_it_once(without_stands):
    live, client = without_stands
    form = hidden_on(client) | {"b2": "Ann"}
    for _ in range(2):
        assert client.post("/owners/", data=form).location == "/"
    live.undo()
    live.catch_up()
    assert [mid.square for mid in ownerless(live)] == ["b2"]
    client.post("/owners/", data=hidden_on(client) | {"b2": "Ann"})
    live.catch_up()
    assert ownerless(live) == ()


def test_a_table_that_changed_is_asked_about_anew(without_stands):
    """Another Mid may have come to that square."""
    live, client = without_stands
    form = hidden_on(client) | {"b2": "Ann"}
    live.forward()
    live.catch_up()
    answer = client.post("/owners/", data=form)
    assert (answer.status_code, "The table has changed" in answer.text) == (409, True)


def test_only_the_main_screens_own_form_is_taken(without_stands):
    live, client = without_stands
    assert client.post("/owners/", data={"token": "guess", "b2": "Ann"}).status_code == 400
    live.catch_up()
    assert [mid.square for mid in ownerless(live)] == ["b2"]


def test_games_without_stands_ask_nothing(silo_live):
    assert ownerless(silo_live()) == ()
