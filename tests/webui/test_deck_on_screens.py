"""A battle with the umpire's deck on the main screen and two players' own: a card is secret until it is played."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from engine.games import ziggurat
from engine.rules import Legal
from engine.table import Pose, Scene, Stack
from webui import seats
from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.games import tabletop_of
from webui.guard import Guard
from webui.live import Live
from webui.page import create_app
from webui.review import Review
from webui.seen import seen_of

NETWORK = "192.168.1.7"
AT = {"Host": f"{NETWORK}:8000"}
DOC = {"game": "ziggurat", "players": [{"name": "Ann"}, {"name": "Bob"}], "deck": {"seed": "a seed of many letters"}}


def scene_of(position):
    towers = ((place, position.at(place)) for place in position.places)
    stacks = [
        Stack(f"towers-{place.number}", f"tower-{place.tower}", Pose(60.0 * place.tower, 60.0), tower)
        for place, tower in towers
        if tower
    ]
    lying = enumerate(position.scrapyard)
    return Scene.of(
        [*stacks, *(Stack("scrapyard", "scrapyard", Pose(20.0 + 8 * n, 60.0, 40.0), (one,)) for n, one in lying)]
    )


@pytest.fixture
def battle(look_of, monkeypatch):
    """(main screen, {name: own screen}, live, the state at the start)."""
    monkeypatch.setattr(seats, "TAKEN_S", 0.0)
    start = ziggurat.new_game(tabletop_of("ziggurat").setup(DOC))
    seen = look_of("00.jpg", "", layout="towers-2p")
    seen.observation.scene = scene_of(start.position)
    live = Live([Path("00.jpg")], lambda: Review(game_file_from_json(DOC)), lambda path: seen)
    live.catch_up()
    guard = Guard((NETWORK,))
    app = create_app(Evening(live), guard=guard)
    main = app.test_client()
    main.get(f"/screen/{guard.screen_token}", headers=AT)
    links = re.findall(r"http://192\.168\.1\.7:8000(/join/\S+?)<", main.get("/seats", headers=AT).text)
    own = {}
    for name, link in zip(("Ann", "Bob"), links, strict=True):
        own[name] = app.test_client()
        own[name].get(link, headers=AT)
    return main, own, live, start


def page_of(client):
    return client.get("/mine", headers=AT).text


def tap(client, live, words):
    """Send the form of the button that begins with these words."""
    forms = page_of(client).split("<form")[1:]
    form = next(part for part in forms if re.search(rf">{re.escape(words)}[^<]*</button>", part))
    hidden = dict(re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', form))
    answer = client.post("/mine/say", data=hidden, headers=AT)
    assert answer.status_code == 303, answer.text
    live.catch_up()


def test_each_hand_is_on_its_players_screen_and_nowhere_else(battle):
    main, own, _, start = battle
    hands = {name: start.deck.hand(n) for n, name in enumerate(("Ann", "Bob"), 1)}
    shown = main.get("/", headers=AT).text + main.get("/state", headers=AT).text
    for name, other in (("Ann", "Bob"), ("Bob", "Ann")):
        for card in hands[name]:
            assert f'aria-label="{card.words}' in page_of(own[name])
            assert card.name not in page_of(own[other])
            assert card.words not in shown
    assert start.deck.seed not in shown + page_of(own["Ann"]) + page_of(own["Bob"])
    assert start.deck.commitment in shown


def test_an_attack_is_announced_played_and_let_through_and_ruled_on_when_it_is_seen(battle, look_of):
    _, own, live, start = battle
    attack = next(
        move
        for move in ziggurat.candidates(start)
        if isinstance(move, ziggurat.Attack) and move.strength == 2 and not ziggurat.violations(start, move)
    )
    tap(own["Ann"], live, f"Bob&#39;s tower {attack.target.tower}")
    tap(own["Ann"], live, f"The {attack.card.words}")
    told = live.as_seen_by(None)
    assert [str(move) for move in told.said] == [str(attack)]
    assert "No defence" in page_of(own["Bob"])
    assert "It is your turn to choose.</b>" in page_of(own["Bob"])
    assert "No defence" not in page_of(own["Ann"])
    tap(own["Bob"], live, "No defence")
    state = start
    for text in (str(attack), "allow 2", f"change {attack.target} g1"):
        state = ziggurat.play(state, ziggurat.parse(text))
    assert f"change on Bob&#39;s tower {attack.target.tower}" in page_of(own["Ann"])
    tap(own["Ann"], live, "Small green")
    assert "To be seen on the table" in page_of(own["Bob"])
    shown = look_of("01.jpg", "", layout="towers-2p")
    shown.observation.scene = scene_of(state.position)
    ruling = live._review.see(seen_of(shown)).ruling
    assert isinstance(ruling, Legal)
    assert [str(move) for move in ruling.line] == [str(attack), "allow 2", f"change {attack.target} g1"]


def test_a_draw_counts_at_once_and_is_told_to_everybody(battle):
    main, own, live, _ = battle
    tap(own["Ann"], live, "Draw cards")
    assert live.as_seen_by(None).turn == 2
    assert "Ann draws" in main.get("/", headers=AT).text
    assert "It is your turn to act.</b>" in page_of(own["Bob"])
