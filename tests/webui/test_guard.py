"""Attacks on the page: foreign hosts and origins, other sessions' forms, guessed links, odd addresses, large bodies."""

from __future__ import annotations

import logging
import re

import pytest

from webui import page
from webui.evening import Evening
from webui.guard import Guard, Throttle
from webui.page import create_app

OUTSIDE = {"REMOTE_ADDR": "192.168.1.50"}


@pytest.fixture
def app_of(live_of):
    """The page of a game with one photo, and its guard; `addresses` share it."""

    def made(*addresses, **more):
        live = live_of(None)
        live.catch_up()
        guard = Guard(addresses, **more)
        return create_app(Evening(live), guard=guard), guard

    return made


def token_on(client, **more):
    return re.search(r'name="token" value="([^"]+)"', client.get("/", **more).text)[1]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:8000", "127.0.0.1.evil.example", "192.168.1.7", "localhost.", ""]
)
def test_other_hosts_get_nothing(app_of, host):
    answer = app_of()[0].test_client().get("/state", headers={"Host": host})
    assert answer.status_code == 400
    assert "regions" not in answer.text


def test_in_a_network_its_own_addresses_are_hosts_too(app_of):
    app, guard = app_of("192.168.1.7")
    client, at = app.test_client(), {"Host": "192.168.1.7:8000"}
    assert client.get("/", headers=at).status_code == 403
    assert client.get(f"/screen/{guard.screen_token}", headers=at).status_code == 200
    assert client.get("/", headers=at).status_code == 200
    assert client.get("/", headers={"Host": "192.168.1.8:8000"}).status_code == 400


@pytest.mark.parametrize(
    "headers",
    [{"Origin": "http://evil.example"}, {"Origin": "http://localhost:9"}, {"Sec-Fetch-Site": "cross-site"},
     {"Sec-Fetch-Site": "same-site"}, {"Origin": "http://["}, {"Origin": ""}],
)  # fmt: skip
def test_forms_of_other_pages_are_refused_even_with_a_token(app_of, headers):
    client = app_of()[0].test_client()
    answer = client.post("/do/back", data={"token": token_on(client)}, headers=headers)
    assert answer.status_code == 403
    assert client.post("/do/back", data={"token": token_on(client)}, headers={"Origin": "null"}).status_code == 303


def test_a_form_belongs_to_the_session_that_got_it(app_of):
    app, _ = app_of()
    mine, other = app.test_client(), app.test_client()
    stolen = token_on(mine)
    token_on(other)
    assert other.post("/do/back", data={"token": stolen}).status_code == 400
    assert app.test_client().post("/do/back", data={"token": stolen}).status_code == 400
    assert mine.post("/do/back", data={"token": stolen}).status_code == 303


def test_cookies_are_for_this_site_and_no_script(app_of):
    cookie = app_of()[0].test_client().get("/").headers["Set-Cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie


@pytest.mark.parametrize("address", ["/", "/state", "/seats", "/start", "/calibrate/", "/pictures/abc.jpg"])
def test_in_a_network_nobody_sees_anything_without_a_link(app_of, address):
    client = app_of("192.168.1.7")[0].test_client()
    answer = client.get(address, environ_base=OUTSIDE)
    assert answer.status_code == 403
    assert "has not joined" in answer.text


@pytest.mark.parametrize(
    "change",
    [lambda c: c[:-1] + ("0" if c[-1] != "0" else "1"), lambda c: "seat" + c[6:], lambda c: "~~", lambda c: ""],
)
def test_a_forged_cookie_opens_nothing(app_of, change):
    app, guard = app_of("192.168.1.7")
    client = app.test_client()
    client.get(f"/screen/{guard.screen_token}")
    cookie = client.get_cookie("umpire-screen")
    assert client.get("/").status_code == 200
    client.set_cookie("umpire-screen", change(cookie.value))
    assert client.get("/").status_code == 403


def test_a_session_ends(app_of, monkeypatch):
    app, guard = app_of("192.168.1.7")
    client = app.test_client()
    client.get(f"/screen/{guard.screen_token}")
    monkeypatch.setattr("webui.guard.KEPT_S", 0)
    assert client.get("/").status_code == 403


def test_guessing_links_is_throttled_by_address(app_of):
    clock = [0.0]
    app, guard = app_of("192.168.1.7", throttle=Throttle(most=3, clock=lambda: clock[0]))
    client = app.test_client()
    codes = [client.get(f"/screen/guess-{n}", environ_base=OUTSIDE).status_code for n in range(4)]
    assert codes == [404, 404, 404, 429]
    blocked = client.get(f"/screen/{guard.screen_token}", environ_base=OUTSIDE)
    assert blocked.status_code == 429
    assert blocked.headers["Retry-After"] == "60"
    assert "Wait 60 seconds" in blocked.text
    elsewhere = app.test_client().get(f"/screen/{guard.screen_token}", environ_base={"REMOTE_ADDR": "192.168.1.51"})
    assert elsewhere.status_code == 200
    clock[0] = 61.0
    assert client.get(f"/screen/{guard.screen_token}", environ_base=OUTSIDE).status_code == 200


def test_a_throttle_forgets_the_oldest_addresses():
    throttle = Throttle(most=1, addresses=2, clock=lambda: 0.0)
    for address in "abc":
        throttle.was_wrong(address)
    assert [throttle.wait_s(address) > 0 for address in "abc"] == [False, True, True]


@pytest.mark.parametrize(
    "address",
    [
        "/static/../page.py",
        "/static/..%2fpage.py",
        "/static/%2e%2e/page.py",
        "/static//etc/passwd",
        "/static/..\\page.py",
        "/pictures/../../../../etc/passwd.jpg",
        "/pictures/%2fetc%2fpasswd.jpg",
        "/calibrate/pictures/..%2f..%2fpage.jpg",
    ],
)
def test_no_file_outside_is_served(app_of, address):
    answer = app_of()[0].test_client().get(address, follow_redirects=True)
    assert answer.status_code in (400, 404)
    assert "create_app" not in answer.text
    assert "root:" not in answer.text


@pytest.mark.parametrize(
    ("ask", "code", "words"),
    [
        (lambda client: client.get("/nowhere"), 404, "There is no such page"),
        (lambda client: client.put("/do/back"), 405, "takes no such order"),
        (lambda client: client.post("/do/back", data={"token": "x" * 20_000}), 413, "Send less at once"),
        (lambda client: client.post("/do/back", data={"token": "old"}), 400, "Load it again"),
    ],
)
def test_refusals_are_pages_in_words(app_of, ask, code, words):
    answer = ask(app_of()[0].test_client())
    assert answer.status_code == code
    assert words in answer.text
    assert "To the table" in answer.text
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert answer.headers["Cache-Control"] == "no-store"


@pytest.mark.parametrize(
    ("order", "page"),
    [
        ("/calibrate/do/finish", "/calibrate/"),
        ("/track/do/keep", "/track/"),
        ("/start/sample", "/start/"),
        ("/seats/renew", "/seats"),
        ("/owners/", "/owners/"),
    ],
)
def test_a_refused_order_leads_back_to_its_page(app_of, order, page):
    """To load the refusal again would only send the old form again."""
    client = app_of()[0].test_client()
    answer = client.post(order, data={"token": "old"})
    assert answer.status_code == 400
    assert f'href="{page}">Back to the page' in answer.text
    assert client.get(order, follow_redirects=True).request.path == page


@pytest.mark.parametrize("address", ["/", "/state", "/static/page.css", "/start/live/1.jpg", "/nowhere"])
def test_no_other_page_frames_it_or_shows_its_pictures(app_of, address):
    with app_of()[0].test_client().get(address) as answer:
        headers = answer.headers
    assert headers["Cross-Origin-Resource-Policy"] == "same-origin"
    assert "frame-ancestors 'none'" in headers["Content-Security-Policy"]
    assert headers["X-Content-Type-Options"] == "nosniff"
    assert headers["Referrer-Policy"] == "no-referrer"


def test_a_fault_of_ours_tells_no_secret_on_the_page_or_in_the_log(app_of, monkeypatch, caplog):
    app, _ = app_of()
    monkeypatch.setattr(app.view_functions["static"], "__call__", None, raising=False)
    app.view_functions["state"] = lambda: 1 / 0
    logging.getLogger("umpire").propagate = True
    answer = app.test_client().get("/state?token=very-secret")
    assert answer.status_code == 500
    assert "a fault of the program" in answer.text
    assert "ZeroDivisionError" not in answer.text
    assert "ZeroDivisionError" in caplog.text
    assert "very-secret" not in answer.text + caplog.text


FOR_ALL = {"static", "seats.join", "seats.screen"}
FOR_PLAYERS = {"page", "picture", "seats.mine", "seats.now", "seats.say", "seats.battery"}
"""What a player's own device may ask; whole blueprints for players' photos are in `webui.page.FOR_PLAYERS`."""


def requests_of(app):
    """Every endpoint of the page with a request that its address allows: (endpoint, method, address)."""
    for rule in app.url_map.iter_rules():
        address = re.sub(
            r"<(?:(\w+)(?:\([^)]*\))?:)?\w+>", lambda kind: "1" if kind[1] == "int" else "x" * 32, rule.rule
        )
        for method in sorted(rule.methods & {"GET", "POST", "PUT", "DELETE"}):
            yield rule.endpoint, method, address


def test_in_a_network_a_stranger_reaches_no_page_that_there_is(app_of):
    app, _ = app_of("192.168.1.7")
    asked = [each for each in requests_of(app) if each[0] not in FOR_ALL]
    codes = {
        (endpoint, method): app.test_client().open(address, method=method, environ_base=OUTSIDE).status_code
        for endpoint, method, address in asked
    }
    assert len(codes) > 30
    assert {each: code for each, code in codes.items() if code != 403} == {}


def test_in_a_network_a_player_reaches_only_what_is_for_players(app_of):
    app, guard = app_of("192.168.1.7")
    main, player = app.test_client(), app.test_client()
    main.get(f"/screen/{guard.screen_token}")
    player.get(re.search(r"/join/[\w-]+", main.get("/seats").text)[0])
    assert player.get("/mine").status_code == 200
    reached = {
        endpoint
        for endpoint, method, address in requests_of(app)
        if player.open(address, method=method, environ_base=OUTSIDE).status_code != 403
    }
    beyond = {each for each in reached - FOR_ALL - FOR_PLAYERS if each.partition(".")[0] not in page.FOR_PLAYERS}
    assert beyond == set()
    assert reached >= FOR_PLAYERS
