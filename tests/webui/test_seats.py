"""Joining by one's own link, and what a player's own screen shows and takes."""

from __future__ import annotations

import re
import threading
from dataclasses import replace

import pytest

from engine.errors import EngineError
from webui import seats
from webui.evening import Evening
from webui.games import missile_command
from webui.games.tabletop import Choice
from webui.guard import Guard
from webui.page import create_app

NETWORK = "192.168.1.7"
AT = {"Host": f"{NETWORK}:8000"}


@pytest.fixture
def party(silo_live, monkeypatch):
    """A Missile Command game shared with the network: (main screen, join: name -> client, live)."""
    monkeypatch.setattr(seats, "TAKEN_S", 0.0)
    live, guard = silo_live(), Guard((NETWORK,))
    app = create_app(Evening(live), guard=guard)
    main = app.test_client()
    assert main.get(f"/screen/{guard.screen_token}", headers=AT).status_code == 200

    def join(name):
        client = app.test_client()
        answer = client.get(link_of(main, name), headers=AT)
        assert answer.status_code == 200
        assert "url=/mine" in answer.text
        return client

    return main, join, live


def link_of(main, name):
    links = re.findall(r"http://192\.168\.1\.7:8000(/join/\S+?)<", main.get("/seats", headers=AT).text)
    return dict(zip(("Ann", "Bob"), links, strict=True))[name]


def token_on(client):
    return re.search(r'name="token" value="([^"]+)"', client.get("/mine", headers=AT).text)[1]


def test_each_player_has_a_link_and_a_code_of_it(party):
    main, _, _ = party
    answer = main.get("/seats", headers=AT)
    assert answer.text.count('aria-label="QR code') == 2
    assert answer.headers["Cache-Control"] == "no-store"
    assert link_of(main, "Ann") != link_of(main, "Bob")


def test_alone_the_page_says_how_to_share_it(silo_live):
    text = create_app(Evening(silo_live())).test_client().get("/seats").text
    assert "umpire play --lan" in text
    assert "/join/" not in text


def test_a_link_seats_its_player_and_nobody_else(party):
    _, join, _ = party
    assert "Ann · Missile Command" in join("Ann").get("/mine", headers=AT).text
    assert "Bob · Missile Command" in join("Bob").get("/mine", headers=AT).text


def test_a_player_is_led_to_the_own_screen_and_no_further(party):
    _, join, _ = party
    ann = join("Ann")
    assert ann.get("/", headers=AT).location == "/mine"
    for address in ("/seats", "/state", "/start", "/calibrate/"):
        assert ann.get(address, headers=AT).status_code in (403, 404)
    assert ann.post("/do/undo", data={"token": token_on(ann)}, headers=AT).status_code == 403


def test_a_new_link_puts_the_old_one_out(party):
    main, join, _ = party
    ann, old = join("Ann"), link_of(main, "Ann")
    token = re.search(r'name="token" value="([^"]+)"', main.get("/seats", headers=AT).text)[1]
    main.post("/seats/renew", data={"token": token, "name": "Ann"}, headers=AT)
    assert ann.get("/mine", headers=AT).status_code == 403
    assert main.get(old, headers=AT).status_code == 404
    assert join("Ann").get("/mine", headers=AT).status_code == 200


def test_a_new_game_with_other_players_puts_the_old_ones_out(party):
    _, join, live = party
    ann = join("Ann")
    live._review._game_file = replace(live.game_file, players=("Cy", "Di"))
    assert ann.get("/mine", headers=AT).status_code == 403


def battery(**changes):
    """A form with a battery that keeps the rule of four."""
    colours = ["black", "white", "blue", "green", "clear", "orange", "purple", "cyan"]
    form = {
        f"silo-{n}-{size}": colours[(n + shift) % 8]
        for n in range(1, 9)
        for shift, size in enumerate(("large", "medium", "small"))
    }
    return form | {"president": "3", "vice_president": "7"} | changes


def test_a_battery_is_sealed_and_nobody_else_can_see_it(party):
    _, join, live = party
    ann, bob = join("Ann"), join("Bob")
    answer = ann.post("/mine/battery", data=battery(token=token_on(ann), do="seal"), headers=AT)
    assert answer.status_code == 303
    live.catch_up()
    assert "Build your battery" not in ann.get("/mine", headers=AT).text
    assert live.as_seen_by("Ann").batteries[0].president.silo == 3
    assert live.as_seen_by("Bob").batteries[0].president.silo is None
    assert "Ann has sealed the battery." in bob.get("/mine", headers=AT).text


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"silo-2-medium": ""}, "Silo 2: choose the medium missile."),
        ({"president": ""}, "Choose the silo under which your President is."),
        ({f"silo-{n}-small": "black" for n in range(1, 6)}, "one small black more than the four"),
        ({"silo-1-large": "red"}, "Red missiles are not used in this game"),
        ({"silo-1-large": "<b>"}, "Silo 1: choose the large missile."),
    ],
)
def test_what_is_wrong_with_a_battery_is_said_and_what_was_chosen_stays(party, change, words):
    _, join, live = party
    ann = join("Ann")
    answer = ann.post("/mine/battery", data=battery(token=token_on(ann), do="seal", **change), headers=AT)
    assert answer.status_code == 409
    assert words in answer.text
    assert "<option selected>cyan</option>" in answer.text
    live.catch_up()
    assert not live.as_seen_by("Ann").batteries[0].is_declared


def test_a_second_tap_on_seal_waits_for_the_first(party):
    _, join, live = party
    ann, said = join("Ann"), []
    live.declare = lambda *what, say=live.declare: said.append(what) or say(*what)
    form = battery(token=token_on(ann), do="seal")
    for _ in range(2):
        assert ann.post("/mine/battery", data=form, headers=AT).status_code == 303
    assert len(said) == 1
    assert "The umpire is about to seal it" in ann.get("/mine", headers=AT).text
    assert ann.get("/mine/now", headers=AT).json["stage"] == "sealing"
    live.catch_up()
    assert ann.get("/mine/now", headers=AT).json["stage"] == "play"
    assert live.moment().refused == ""


def test_a_battery_that_was_refused_can_be_sealed_again(party):
    _, join, live = party
    ann = join("Ann")
    form = battery(token=token_on(ann), do="seal")
    ann.post("/mine/battery", data=form, headers=AT)
    refusing, live._review.declare = live._review.declare, lambda *_: (_ for _ in ()).throw(EngineError("not now"))
    live.catch_up()
    live._review.declare = refusing
    assert "Not now." in ann.get("/mine", headers=AT).text
    assert "Seal it" in ann.get("/mine", headers=AT).text
    ann.post("/mine/battery", data=form, headers=AT)
    live.catch_up()
    assert live.as_seen_by("Ann").batteries[0].is_declared


def test_the_address_of_an_order_leads_to_its_page(party):
    """A phone that was locked loads the page anew from where it stood, and that was the answer to a form."""
    main, join, _ = party
    ann = join("Ann")
    for address in ("/mine/battery", "/mine/say"):
        assert ann.get(address, headers=AT).location == "/mine"
    pages = {
        "/do/undo": "/",
        "/review/do/add": "/review/",
        "/calibrate/do/add": "/calibrate/",
        "/seats/renew": "/seats",
    }
    for address, page in pages.items():
        assert main.get(address, headers=AT).location == page
    assert main.put("/do/undo", headers=AT).status_code == 405


def test_the_rule_of_four_is_shown_as_it_is_used_up(party):
    _, join, _ = party
    ann = join("Ann")
    form = {f"silo-{n}-large": "black" for n in range(1, 5)}
    ann.post("/mine/battery", data={"token": token_on(ann), "do": "keep", **form}, headers=AT)
    assert re.search(r'data-used="black-large"[^>]*class="full"[^>]*>4<', ann.get("/mine", headers=AT).text)


@pytest.fixture
def offering(monkeypatch):
    """Has the game offer these choices to players, whatever the state."""

    def made(*choices: Choice) -> None:
        monkeypatch.setattr(missile_command, "choices", lambda state, player: choices)

    return made


def declared(live, monkeypatch):
    said, taken = [], threading.Event()
    taken.set()
    monkeypatch.setattr(live, "declare", lambda *what: said.append(what) or taken)
    return said


def say(client, choice: str, **fields):
    page = client.get("/mine", headers=AT).text
    form = next(part for part in page.split("<form")[1:] if f">{choice}</button>" in part)
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    return client.post("/mine/say", data=hidden | fields, headers=AT), hidden


def test_a_choice_is_said_by_its_player_once(party, offering, monkeypatch):
    _, join, live = party
    said, ann = declared(live, monkeypatch), join("Ann")
    offering(Choice("DEFCON 3", {"action": "report 1 3"}, "Ann"), Choice("Not you", {"action": "report 2 3"}, "Bob"))
    assert "Not you" not in ann.get("/mine", headers=AT).text
    answer, sent = say(ann, "DEFCON 3")
    assert answer.status_code == 303
    assert said == [({"action": "report 1 3"}, "Ann", "Ann: DEFCON 3.")]
    again = ann.post("/mine/say", data=sent, headers=AT)
    assert again.status_code == 409
    assert "moved on" in again.text
    assert len(said) == 1


def test_what_is_said_while_the_umpire_looks_at_a_photo_counts_once(party, offering, monkeypatch):
    """Until it is taken in the game offers the same again: a player who taps once more says no more by it."""
    _, join, live = party
    said, ann = [], join("Ann")
    live.declare = lambda *what, say=live.declare: said.append(what) or say(*what)
    offering(Choice("Roll", {"for": "turn"}, "Ann", dice=1), Choice("Pass", {"action": "pass"}, "Ann"))
    page = ann.get("/mine", headers=AT).text
    _, sent = say(ann, "Roll", **{"die-0": "3"})
    assert ann.post("/mine/say", data=sent | {"die-0": "3"}, headers=AT).status_code == 303
    waiting = ann.get("/mine", headers=AT).text
    assert "The umpire has heard you" in waiting
    assert ">Roll</button>" not in waiting
    other = re.search(r'value="(\w+)">\s*<button class="answer">Pass', page)[1]
    answer = ann.post("/mine/say", data=sent | {"choice": other}, headers=AT)
    assert "still takes in what you said before" in answer.text
    assert len(said) == 1
    live.catch_up()
    assert ">Roll</button>" in ann.get("/mine", headers=AT).text


def test_a_game_that_ends_before_it_has_heard_keeps_nobody_waiting(silo_live, offering, monkeypatch):
    monkeypatch.setattr(seats, "TAKEN_S", 0.0)
    guard, evening = Guard((NETWORK,)), Evening(silo_live())
    main = create_app(evening, guard=guard).test_client()
    main.get(f"/screen/{guard.screen_token}", headers=AT)
    main.get(link_of(main, "Ann"), headers=AT)
    main.post("/mine/battery", data=battery(token=token_on(main), do="seal"), headers=AT)
    assert "The umpire is about to seal it" in main.get("/mine", headers=AT).text
    evening.show(silo_live())
    assert "Seal it" in main.get("/mine", headers=AT).text
    main.post("/mine/battery", data=battery(token=token_on(main), do="seal"), headers=AT)
    evening.live.catch_up()
    assert evening.live.as_seen_by("Ann").batteries[0].is_declared


def test_what_a_page_of_the_last_game_says_counts_in_no_other(silo_live, offering):
    """A phone that slept through the end of a game still shows it, and may be tapped before it has asked."""
    guard, evening = Guard((NETWORK,)), Evening(silo_live())
    ann = create_app(evening, guard=guard).test_client()
    ann.get(f"/screen/{guard.screen_token}", headers=AT)
    ann.get(link_of(ann, "Ann"), headers=AT)
    offering(Choice("Pass", {"action": "pass"}, "Ann"))
    page = ann.get("/mine", headers=AT).text
    evening.show(silo_live())
    old = dict(re.findall(r'type="hidden" name="(token|said|choice)" value="([^"]*)"', page))
    answer = ann.post("/mine/say", data=old, headers=AT)
    assert (answer.status_code, "moved on" in answer.text) == (409, True)


def test_another_players_choice_cannot_be_said(party, offering, monkeypatch):
    _, join, live = party
    said, ann, bob = declared(live, monkeypatch), join("Ann"), join("Bob")
    offering(Choice("DEFCON 3", {"action": "report 1 3"}, "Ann"), Choice("Pass", {"action": "pass"}, "Bob"))
    _, hidden = say(ann, "DEFCON 3")
    said.clear()
    mine = dict(re.findall(r'name="(token|said)" value="([^"]*)"', bob.get("/mine", headers=AT).text))
    assert bob.post("/mine/say", data=hidden | mine, headers=AT).status_code == 409
    assert bob.post("/mine/say", data=hidden, headers=AT).status_code == 400
    assert said == []


def test_dice_are_tapped(party, offering, monkeypatch):
    _, join, live = party
    said, ann = declared(live, monkeypatch), join("Ann")
    offering(Choice("Roll", {"for": "turn"}, "Ann", dice=2))
    answer, _ = say(ann, "Roll", **{"die-0": "3"})
    assert "Tap a face for each of the 2 dice." in answer.text
    say(ann, "Roll", **{"die-0": "3", "die-1": "6"})
    assert said[-1][0] == {"for": "turn", "roll": [3, 6]}


def test_what_was_refused_is_told(party, offering):
    _, join, live = party
    ann = join("Ann")
    offering(Choice("Nonsense", {"action": "no such thing"}, "Ann"))
    say(ann, "Nonsense")
    live.catch_up()
    assert "expected a move in notation" in ann.get("/mine", headers=AT).text


def test_the_screen_is_asked_for_its_changed_parts(party):
    _, join, _ = party
    ann = join("Ann")
    answer = ann.get("/mine/now", headers=AT)
    assert answer.headers["Cache-Control"] == "no-store"
    assert set(answer.json["regions"]) == {"table", "own", "choices", "board"}
    mark = answer.json["regions"]["table"]["mark"]
    assert mark in ann.get("/mine", headers=AT).text
    again = ann.get("/mine/now", headers={**AT, "X-Have": mark}).json["regions"]
    assert again["table"] == {"mark": mark}
    assert "html" in again["board"]


def test_no_seat_no_screen(party):
    main, _, _ = party
    for address in ("/mine", "/mine/now"):
        assert main.get(address, headers=AT).status_code == 403
    assert main.post("/mine/say", data={}, headers=AT).status_code == 403
