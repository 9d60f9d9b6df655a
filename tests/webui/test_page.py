"""The page without a browser: what it says, what it refuses, and what it forbids."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from engine.game import Touch
from engine.rules import Unclear
from webui.evening import Evening
from webui.games import tabletop_of
from webui.live import Moment
from webui.page import create_app
from webui.present import kind_of, page_view
from webui.seen import Seen


@pytest.fixture
def page_of(live_of):
    """A client of the page after all photos were judged, and the Live behind it."""

    def made(*rulings, **more):
        live = live_of(None, *rulings, **more)
        for _ in range(len(rulings) + 1):
            live.catch_up()
            live.clock.now_s += 7
        live.catch_up()
        return create_app(Evening(live)).test_client(), live

    return made


def token_on(client):
    return re.search(r'name="token" value="([^"]+)"', client.get("/").text)[1]


def verdict_on(client):
    return client.get("/state").json["regions"]["verdict"]


def test_the_page_shows_a_fault_with_its_rule(page_of, rulings):
    client, _ = page_of(rulings.forbidden)
    text = client.get("/").text
    assert "Not allowed" in text
    assert "one pyramid moves at most &lt;one&gt; square" in text
    assert rulings.far.text in text
    assert rulings.far.source in text
    assert "We play it so" in text


def test_an_unclear_ruling_offers_its_lines(page_of, rulings):
    client, live = page_of(rulings.doubtful)
    assert "I cannot tell" in verdict_on(client)
    assert ">The Mid moves b2-b3<" in client.get("/state").json["regions"]["choices"]
    client.post("/do/choose", data={"token": token_on(client), "place": "1"})
    live.catch_up()
    assert live.reviews[-1].answers == [1]


@pytest.mark.parametrize(("length", "is_long"), [(90, False), (91, True)])
def test_beside_buttons_a_sentence_of_some_lines_is_set_smaller(live_of, length, is_long):
    live = live_of(None, Unclear("x" * (length - 1)))
    for _ in range(3):
        live.catch_up()
        live.clock.now_s += 7
    verdict = page_view(live.moment(), str)["verdict"]
    assert len(verdict["sentence"]) == length
    assert (verdict["can_agree"], verdict["is_long"]) == (True, is_long)


def test_players_are_named_before_the_first_look(silo_live):
    moment = Moment(tabletop_of("missile-command"))
    assert "Ann" in page_view(moment, str, ("Ann", "Bob"))["board"]
    client = create_app(Evening(silo_live())).test_client()
    assert "Player 1" not in client.get("/").text


def test_after_a_fault_the_board_marks_the_move_that_was_judged_and_no_more(mids_live):
    start = "b2 black: large red; d3 white: medium blue"
    live = mids_live(start, "b4 black: large red; d3 white: medium blue", "b3 black: large red; d3 white: medium blue")
    moment = live.moment()
    assert [kind_of(event) for event in moment.events] == ["start", "illegal", "legal"]
    now, before = moment.events[2], moment.events[0]
    meant = now.game.drawing(now.table, before.table, "legal")
    assert page_view(replace(moment, cursor=2), str)["board"] == meant
    assert meant.count('class="mark legal"') == 2


def test_an_earlier_event_cannot_be_answered(page_of, rulings):
    client, live = page_of(rulings.forbidden, rulings.allowed)
    live.look_at(1)
    assert "Not allowed" in verdict_on(client)
    assert "We play it so" not in verdict_on(client)


def test_a_photo_that_cannot_be_read_is_said_in_words(page_of, rulings, live_of):
    client, live = page_of(rulings.allowed)
    live._eyes = None
    live._looks[1] = Seen("01.jpg", error="No mat in the picture.")
    live.restart()
    live.catch_up()
    live.forward()
    live.catch_up()
    assert "No mat in the picture." in verdict_on(client)
    assert client.get("/state").json["facts"] == {"photo": "01.jpg", "error": "No mat in the picture."}


def test_the_page_answers_before_the_first_photo(live_of):
    client = create_app(Evening(live_of(None))).test_client()
    assert client.get("/").status_code == 200
    assert client.get("/state").json["facts"] is None


def test_an_unchanged_state_is_not_sent_again(page_of, rulings):
    client, live = page_of(rulings.allowed)
    first = client.get("/state")
    again = client.get("/state", headers={"If-None-Match": first.headers["ETag"]})
    assert (again.status_code, again.data) == (304, b"")
    live.back()
    assert client.get("/state", headers={"If-None-Match": first.headers["ETag"]}).status_code == 200


def test_pictures_may_be_kept_for_ever(page_of, rulings):
    client, _ = page_of(rulings.allowed)
    answer = client.get(re.search(r'(?:src|href)="([^"]+)"', client.get("/state").json["regions"]["photo"])[1])
    assert answer.mimetype == "image/jpeg"
    assert "immutable" in answer.headers["Cache-Control"]
    assert client.get("/pictures/nothing.jpg").status_code == 404


@pytest.mark.parametrize("order", ["forward", "back", "toggle", "restart", "agree", "look_at", "choose", "pace"])
def test_orders_need_the_token(page_of, rulings, order):
    client, live = page_of(rulings.allowed)
    before = live.moment()
    assert client.post(f"/do/{order}", data={"place": "0", "pace": "3"}).status_code == 400
    assert client.post(f"/do/{order}", data={"token": "gu\u00e9ss", "place": "0", "pace": "3"}).status_code == 400
    assert client.get(f"/do/{order}").location == "/"
    assert live.moment() == before


def test_orders_are_carried_out_and_lead_back(page_of, rulings):
    client, live = page_of(rulings.allowed)
    answer = client.post("/do/back", data={"token": token_on(client)})
    assert (answer.status_code, answer.location) == (303, "/")
    assert live.moment().cursor == 0


@pytest.mark.parametrize(
    ("order", "fields", "words"),
    [
        ("look_at", {"place": "-1"}, "place should be a whole number"),
        ("look_at", {"place": "\u00b2"}, "place should be a whole number"),
        ("look_at", {}, "place should be a whole number"),
        ("pace", {"pace": "5"}, "not every 5"),
        ("choose", {"place": "x" * 30}, "place should be a whole number"),
    ],
)
def test_odd_orders_are_refused_in_words(page_of, rulings, order, fields, words):
    client, _ = page_of(rulings.allowed)
    answer = client.post(f"/do/{order}", data={"token": token_on(client), **fields})
    assert answer.status_code == 400
    assert words in answer.text


def test_unknown_orders_are_not_found(page_of, rulings):
    client, _ = page_of(rulings.allowed)
    assert client.post("/do/explode", data={"token": token_on(client)}).status_code == 404


def test_the_page_allows_itself_only(page_of, rulings):
    client, _ = page_of(rulings.forbidden)
    answer = client.get("/")
    policy = answer.headers["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert not re.search(
        r"<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|https?://", answer.text.replace("http://www.w3.org", "")
    )


def test_other_hosts_are_refused(page_of, rulings):
    client, _ = page_of(rulings.allowed)
    assert client.get("/state", headers={"Host": "evil.example:8000"}).status_code == 400
    assert client.get("/state", headers={"Host": "127.0.0.1:8000"}).status_code == 200


def test_the_strip_shows_what_is_still_to_come(live_of, rulings):
    live = live_of(None, rulings.allowed, rulings.forbidden)
    live.catch_up()
    state = create_app(Evening(live)).test_client().get("/state").json
    assert "Photo 1 of 3" in state["regions"]["progress"]
    assert state["regions"]["strip"].count("not seen yet") == 2


def test_what_is_only_seen_to_lie_otherwise_stands_in_the_strip_in_words(live_of):
    live = live_of(Unclear("nothing brings that about", ((Touch("b4", "large red", "empty"),),)))
    live.catch_up()
    strip = create_app(Evening(live)).test_client().get("/state").json["regions"]["strip"]
    assert "touch" not in strip
    assert "On b4, large red became empty" in strip


def test_ten_viewers_cost_one_rendering(page_of, rulings, monkeypatch):
    from webui import page

    client, live = page_of(rulings.allowed, rulings.forbidden)
    made = []
    monkeypatch.setattr(page, "page_view", lambda *seen: made.append(seen) or page_view(*seen))
    others = [client.application.test_client() for _ in range(10)]
    assert {other.get("/state").status_code for other in others} == {200}
    assert len(made) == 1
    live.back()
    assert {other.get("/state").status_code for other in others} == {200}
    assert len(made) == 2


def test_each_viewer_gets_the_own_token(page_of, rulings):
    client, _ = page_of(rulings.forbidden)
    other = client.application.test_client()
    tokens = [
        re.search(r'name="token" value="([^"]+)"', viewer.get("/state").json["regions"]["said"])[1]
        for viewer in (client, other)
    ]
    assert tokens[0] == token_on(client)
    assert tokens[1] == token_on(other)
    assert tokens[0] != tokens[1]


def test_what_is_refused_is_said_until_something_else_happens(page_of, rulings):
    client, live = page_of(rulings.forbidden)
    live._refuse("only one card a turn.")
    assert "<p>Only one card a turn.</p>" in client.get("/state").json["regions"]["refused"]
    client.post("/do/agree", data={"token": token_on(client)})
    live.catch_up()
    assert client.get("/state").json["regions"]["refused"].strip() == ""


def test_the_page_stays_small_all_evening(page_of, rulings):
    client, live = page_of(*[rulings.allowed] * 300)
    strip = client.get("/state").json["regions"]["strip"]
    assert "241 earlier" in strip
    assert strip.count("<img") == 60
    page = client.get("/").text
    parts = [
        Path(create_app.__code__.co_filename).parent / part
        for part in re.findall(r'"/(static/[^"]+\.(?:css|js))"', page)
    ]
    assert len(parts) >= 6
    assert len(page.encode()) + sum(part.stat().st_size for part in parts) < 200_000
    live.look_at(100)
    strip = client.get("/state").json["regions"]["strip"]
    assert "70 earlier" in strip
    assert "171 later" in strip
    assert 'value="130"' in strip


def test_a_button_says_how_far_the_game_was_when_it_was_shown(page_of, rulings):
    client, live = page_of(rulings.forbidden)
    shown = re.search(r'name="count" value="(\d+)"', client.get("/").text)[1]
    assert int(shown) == len(live.moment().events)
    client.post("/do/agree", data={"token": token_on(client), "count": "7"})
    live.catch_up()
    assert "The game had gone on" in client.get("/state").json["regions"]["refused"]


def test_only_what_is_offered_can_be_said(page_of, rulings):
    client, live = page_of(rulings.allowed)
    for said in ({"choice": "0" * 16}, {"choice": ""}, {}, {"choice": "x", "roll0": "6"}):
        answer = client.post("/do/say", data={"token": token_on(client), **said})
        assert answer.status_code == 409
        assert "can no longer be said" in answer.text
    assert not live._asked
