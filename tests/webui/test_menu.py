"""One menu on every page: it names each page as the page names itself, and a player's phone is offered only its own."""

from __future__ import annotations

import re

import pytest
from flask import url_for

from webui import seats
from webui.evening import Evening
from webui.guard import Guard
from webui.page import PAGES, PAGES_OF_PLAYERS, create_app


def _menu(text: str) -> list[str]:
    found = re.search(r'<nav popover id="menu".*?</nav>', text, re.S)
    return [] if found is None else re.findall(r"<a [^>]*>([^<]+)</a>", found[0])


def _address(app, endpoint):
    with app.test_request_context():
        return url_for(endpoint)


@pytest.mark.parametrize(("endpoint", "words"), PAGES)
def test_each_page_has_the_menu_and_bears_the_name_that_the_menu_gives_it(live_of, endpoint, words):
    app = create_app(Evening(live_of(None)))
    text = app.test_client().get(_address(app, endpoint)).text
    assert _menu(text) == [each for _, each in PAGES]
    assert re.search(r'<a [^>]*aria-current="page">([^<]+)<', text)[1] == words
    if endpoint != "page":
        assert re.search(r"<h1[^>]*>([^<]+)</h1>", text)[1] == words


def test_a_players_phone_is_offered_only_what_it_may_open(silo_live, monkeypatch):
    monkeypatch.setattr(seats, "TAKEN_S", 0.0)
    guard, at = Guard(("192.168.1.7",)), {"Host": "192.168.1.7:8000"}
    app = create_app(Evening(silo_live()), guard=guard)
    main, phone, stranger = app.test_client(), app.test_client(), app.test_client()
    main.get(f"/screen/{guard.screen_token}", headers=at)
    link = re.search(r"http://192\.168\.1\.7:8000(/join/\S+?)<", main.get("/seats", headers=at).text)[1]
    phone.get(link, headers=at)
    for path in ("/mine", "/photo/", "/review/"):
        assert _menu(phone.get(path, headers=at).text) == [words for _, words in PAGES_OF_PLAYERS]
    for endpoint, _ in PAGES_OF_PLAYERS:
        assert phone.get(_address(app, endpoint), headers=at).status_code in (200, 303)
    refused = stranger.get("/", headers=at)
    assert refused.status_code == 403
    assert _menu(refused.text) == []
    assert 'href="/"' not in refused.text
