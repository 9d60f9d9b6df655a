"""A photo that a phone sends into a running game: judged as a settled table, and told to its sender."""

from __future__ import annotations

import io
import re
from pathlib import Path
from types import SimpleNamespace

import pytest

from webui import live as room
from webui.attable import AtTable
from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.guard import Guard
from webui.inbox import MOST_WAITING
from webui.live import Live
from webui.look import Look
from webui.page import create_app
from webui.present import kind_of
from webui.review import Review

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")
AGAIN = MOVED.replace("c5", "c6")
GAME = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}
NETWORK = "192.168.1.7"


@pytest.fixture
def eyes(look_of, monkeypatch):
    """Photos are texts: the table that they show, with 'hand' before it, or no table at all."""

    def look_into(content, name, square_mm):
        said = content.decode()
        if said == "fault":
            raise RuntimeError("boom")
        if ":" not in said:
            return Look(name, error=said)
        return look_of(name, said.removeprefix("hand"), hand_in_view=said.startswith("hand"))

    monkeypatch.setattr(room, "look_into", look_into)


@pytest.fixture
def of_folder(eyes, look_of):
    """A game of two photos in a folder, the first of which is judged."""
    tables = {"00.jpg": START, "01.jpg": AGAIN}
    photos = [Path(name) for name in tables]
    begin = lambda: Review(game_file_from_json(GAME))  # noqa: E731
    live = Live(photos, begin, lambda path: look_of(path.name, tables[path.name]), lambda: 0.0)
    live.catch_up()
    return live


@pytest.fixture
def of_camera(eyes):
    """A game that a camera watches, which has seen nothing yet."""
    camera = SimpleNamespace(stop=lambda: None)
    return AtTable(camera, lambda: Review(game_file_from_json(GAME), at_table=True), lambda frame: None)


def sent(live, said):
    """What came of a photo that shows that."""
    number = live.send(said.encode())
    assert live.inbox.of(number).is_waiting
    live.catch_up()
    return live.inbox.of(number)


def test_it_is_judged_before_the_photos_of_the_folder_that_wait(of_folder):
    assert kind_of(sent(of_folder, MOVED).event) == "legal"
    of_folder.forward()
    of_folder.catch_up()
    moment = of_folder.moment()
    assert [kind_of(event) for event in moment.events] == ["start", "legal", "legal"]
    assert moment.photos[::2] == ("00.jpg", "01.jpg")
    assert moment.is_over


def test_starting_again_judges_it_again(of_folder):
    sent(of_folder, MOVED)
    of_folder.restart()
    for _ in range(3):
        of_folder.forward()
        of_folder.catch_up()
    assert [kind_of(event) for event in of_folder.moment().events] == ["start", "legal", "legal"]


def test_before_a_camera_it_is_a_table_like_others(of_camera):
    assert kind_of(sent(of_camera, START).event) == "start"
    assert kind_of(sent(of_camera, MOVED).event) == "legal"
    assert kind_of(sent(of_camera, MOVED).event) == "none"
    assert [kind_of(event) for event in of_camera.moment().events] == ["start", "legal"]
    assert of_camera.moment().trouble == ""


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("There is no mat in the picture.", "There is no mat in the picture."),
        (f"hand{START}", "A hand is over the table."),
        ("fault", "The umpire failed on this photo (RuntimeError)."),
    ],
)
def test_what_is_wrong_with_it_is_told_to_its_sender_only(of_folder, of_camera, said, words):
    for live in (of_folder, of_camera):
        before = live.moment().events
        assert sent(live, said).fault.startswith(words)
        assert live.moment().events == before
        assert (live.moment().trouble, live.moment().busy) == ("", "")


def test_a_few_may_wait_and_no_more(of_camera):
    numbers = [of_camera.send(START.encode()) for _ in range(MOST_WAITING + 1)]
    assert numbers[-1] is None
    of_camera.catch_up()
    assert of_camera.send(START.encode()) is not None


# The page.


def token_on(client, **more):
    return re.search(r'name="token" value="([^"]+)"', client.get("/photo/", **more).text)[1]


def take(client, said, **more):
    body = {"token": token_on(client, **more), "photo": (io.BytesIO(said.encode()), "image.jpg")}
    return client.post("/photo/send", data=body, content_type="multipart/form-data", **more)


def test_the_page_tells_the_ruling(of_camera):
    client = create_app(Evening(of_camera)).test_client()
    assert "Ann, Bob" in client.get("/photo/").text
    for table in (START, MOVED):
        answer = take(client, table)
        assert answer.status_code == 303
        assert "looks at your photo" in client.get(answer.location).text
        assert client.get(answer.location.replace("/photo/", "/photo/state")).json["waiting"]
        of_camera.catch_up()
    page = client.get(answer.location).text
    assert "Ann moves b2-b4." in page
    assert "We play it so" not in page
    picture = re.search(r"/pictures/[0-9a-f]+\.jpg", page)[0]
    assert client.get(picture).mimetype == "image/jpeg"


def test_another_games_photo_is_no_photo_of_this_one(of_camera, of_folder):
    evening = Evening(of_folder)
    client = create_app(evening).test_client()
    answer = take(client, MOVED)
    of_folder.catch_up()
    evening.show(of_camera)
    assert "another game is on" in client.get(answer.location).text
    assert client.get("/photo/?sent=nonsense").status_code == 404


def test_too_many_too_large_and_none_are_told_in_words(of_camera, monkeypatch):
    client = create_app(Evening(of_camera)).test_client()
    for _ in range(MOST_WAITING):
        take(client, START)
    assert "Send this one again" in take(client, START).text
    none = client.post("/photo/send", data={"token": token_on(client)})
    assert (none.status_code, "No photo was taken." in none.text) == (400, True)
    monkeypatch.setattr("webui.photo_page.MOST_REQUEST_BYTES", 100)
    large = take(client, START)
    assert (large.status_code, "30 MB" in large.text) == (413, True)


def test_a_players_own_device_may_send_and_others_may_not(of_camera):
    guard = Guard((NETWORK,))
    app = create_app(Evening(of_camera), guard=guard)
    at = {"headers": {"Host": f"{NETWORK}:8000"}}
    main, phone = app.test_client(), app.test_client()
    main.get(f"/screen/{guard.screen_token}", **at)
    link = re.search(r"(/join/\S+?)<", main.get("/seats", **at).text)[1]
    assert phone.get("/photo/", **at).status_code == 403
    phone.get(link, **at)
    assert take(phone, START, **at).status_code == 303
    stolen = token_on(phone, **at)
    other = app.test_client()
    assert other.post("/photo/send", data={"token": stolen}, **at).status_code == 403
    seats = main.get("/seats", **at).text
    main.post("/seats/renew", data={"name": "Ann", "token": re.search(r'"token" value="([^"]+)"', seats)[1]}, **at)
    assert phone.get("/photo/", **at).status_code == 403


# In the browser.


@pytest.mark.parametrize("scripts", [True, False])
def test_a_phone_takes_a_photo(of_camera, opened, address_of, accessible, scripts):
    address = address_of(create_app(Evening(of_camera)))
    page = opened(f"{address}photo/", 390, 844, is_mobile=True, has_touch=True, java_script_enabled=scripts)
    for table in (START, MOVED):
        photo = {"name": "image.jpg", "mimeType": "image/jpeg", "buffer": table.encode()}
        page.locator("input[type=file]").set_input_files([photo])
        if not scripts:
            page.get_by_role("button", name="Send it").click()
        page.get_by_text("The umpire looks at your photo").wait_for()
        of_camera.catch_up()
        page.get_by_role("heading", name="The table is set" if table == START else "Allowed").wait_for()
    page.get_by_text("Ann moves b2-b4.").wait_for()
    if scripts:
        accessible(page)
        assert page.evaluate("document.documentElement.scrollWidth") <= 390
