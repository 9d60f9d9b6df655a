"""The review page's answers: who may see which photos, what is refused in words, what is taken home."""

from __future__ import annotations

import io
import re

import pytest

from webui.desk import Desk
from webui.desks import MOST_DESKS, UNUSED_S, Desks, DesksTakenError
from webui.evening import Evening
from webui.page import create_app

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
TOO_FAR = START.replace("f2", "f4")
PLAYERS = {"game": "martian-mids", "name-1": "Ann", "colour-1": "black", "name-2": "Bob", "colour-2": "white"}


@pytest.fixture
def app(live_of, look_of, monkeypatch):
    """The page over desks without threads: each file's content is the table that its photo shows."""
    monkeypatch.setattr(Desk, "_work", Desk.catch_up)
    desks = Desks(lambda: Desk(lambda photo, _: look_of(photo.name, photo.path.read_text())))
    yield create_app(Evening(live_of(None)), desks=desks)
    for key in list(desks._desks):
        desks.close(key)


@pytest.fixture
def person(app):
    """Opens the page in a browser of its own."""

    def browser():
        client = app.test_client()
        token = re.search(r'name="token" value="([^"]+)"', client.get("/review/").text)[1]

        def do(name, photo=None, files=(), **fields):
            photos = [(io.BytesIO(table.encode()), each) for each, table in files]
            body = (
                {"token": token, **fields} | ({"photo": photo} if photo else {}) | ({"photos": photos} if files else {})
            )
            return client.post(f"/review/do/{name}", data=body, content_type="multipart/form-data")

        client.do = do
        return client

    return browser


@pytest.fixture
def ann(person):
    """Who has sent two photos and said who plays."""
    ann = person()
    assert ann.do("add", files=[("1.jpg", START), ("2.jpg", TOO_FAR)]).status_code == 303
    assert ann.do("who", **PLAYERS).status_code == 303
    return ann


def test_photos_are_sent_and_ruled_on(ann):
    page = ann.get("/review/?photo=2.jpg").text
    assert "Not allowed" in page
    assert "Ann moves f2-f4" in page
    assert "move distance" in page


def test_the_state_tells_how_far_reading_has_come(ann):
    state = ann.get("/review/state?photo=2.jpg").json
    assert (state["read"], state["count"], state["done"]) == (2, 2, True)
    assert "Ann moves f2-f4" in state["regions"]["detail"]


def test_another_browser_sees_nothing_of_it(ann, person):
    key = re.search(r"/review/pictures/([0-9a-f]+)\.jpg", ann.get("/review/").text)[1]
    assert ann.get(f"/review/pictures/{key}.jpg").mimetype == "image/jpeg"
    other = person()
    assert "1.jpg" not in other.get("/review/").text
    assert other.get(f"/review/pictures/{key}.jpg").status_code == 404
    assert other.get("/review/home/report.html").status_code == 404


def test_the_cookie_is_for_this_page_only_and_out_of_reach_of_scripts(person):
    said = person().do("add", files=[("1.jpg", START)]).headers["Set-Cookie"]
    assert "HttpOnly" in said
    assert "SameSite=Strict" in said
    assert "Path=/review" in said


@pytest.mark.parametrize(
    ("name", "begins"),
    [("record.txt", "Martian Mids\nplayers: Ann, Bob"), ("rulings.json", "{"), ("report.html", "<!doctype html>")],
)
def test_what_is_taken_home_is_saved_and_not_opened(ann, name, begins):
    answer = ann.get(f"/review/home/{name}")
    assert answer.headers["Content-Disposition"] == f'attachment; filename="{name}"'
    assert answer.text.startswith(begins)


def test_nothing_else_is_taken_home(ann):
    assert ann.get("/review/home/game.json").status_code == 404


def test_answers_and_corrections_are_tapped(ann):
    ann.do("agree", "2.jpg")
    assert "You said:" in ann.get("/review/?photo=2.jpg").text
    ann.do("take_back", "2.jpg")
    assert "You said:" not in ann.get("/review/?photo=2.jpg").text
    assert ann.do("correct", "2.jpg", stack="new", place="a8", pyramids="small red", stand="").status_code == 303
    assert "You corrected what was read." in ann.get("/review/?photo=2.jpg").text
    assert "3 stacks" in ann.get("/review/?photo=1.jpg").text
    assert "4 stacks" in ann.get("/review/?photo=2.jpg").text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"stack": "7"}, "look again"),
        ({"stack": "0", "as": "9"}, "look again"),
        ({"stack": "new", "place": "z9"}, "Say where"),
        ({"stack": "new", "place": "a8"}, "bottom first"),
        ({"stack": "0", "as": "written", "pyramids": "huge red"}, "huge red"),
        ({"stack": "0", "as": "written", "pyramids": "small red," * 20}, "Ten pyramids"),
    ],
)
def test_odd_corrections_are_refused_in_words(ann, fields, words):
    answer = ann.do("correct", "2.jpg", **fields)
    assert answer.status_code == 400
    assert words in answer.text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"name-1": "", "name-2": ""}, "Who played?"),
        ({"colour-2": ""}, "Which colour has Bob?"),
        ({"name-2": "Ann"}, "a different name for each player"),
        ({"game": "chess"}, "chess"),
        ({"camera": "../../etc/passwd"}, "camera"),
    ],
)
def test_odd_players_are_refused_in_words_and_the_form_stays_filled_in(person, fields, words):
    answer = person().do("who", **(PLAYERS | fields))
    assert answer.status_code == 400
    assert words in answer.text
    assert "black" in answer.text


@pytest.mark.parametrize("name", ["earlier", "later", "remove", "agree", "take_back", "choose"])
def test_orders_about_photos_that_are_not_there_do_nothing(ann, name):
    assert ann.do(name, "nine.jpg", place="0").status_code == 303
    assert ann.get("/review/state").json["count"] == 2


def test_orders_from_elsewhere_are_refused(app, ann):
    assert app.test_client().post("/review/do/clear", data={"token": "guessed"}).status_code == 400
    assert ann.do("destroy").status_code == 404
    assert ann.get("/review/state").json["count"] == 2


def test_a_review_without_photos_is_refused_in_words(person):
    answer = person().do("add")
    assert answer.status_code == 400
    assert "No photo was chosen." in answer.text


@pytest.mark.parametrize(
    ("name", "fields", "code"),
    [("add", {}, 400), ("who", {"game": "chess"}, 400), ("correct", {"photo": "1.jpg"}, 400), ("choose", {}, 400)],
)
def test_orders_of_which_nothing_comes_take_no_desk_from_others(person, name, fields, code):
    for _ in range(MOST_DESKS + 1):
        assert person().do(name, **fields).status_code == code
    assert person().do("add", files=[("1.jpg", START)]).status_code == 303


def test_too_much_at_once_is_refused_in_words(person, monkeypatch):
    monkeypatch.setattr("webui.review_page.MOST_REQUEST_BYTES", 2000)
    answer = person().do("add", files=[("1.jpg", START * 100)])
    assert answer.status_code == 413
    assert "send fewer" in answer.text


def test_markup_in_names_stays_text(person):
    ann = person()
    ann.do("add", files=[("<img src=x>.jpg", START)])
    page = ann.get("/review/").text
    assert "<img src=x>" not in page
    assert "&lt;img src=x&gt;.jpg" in page


def test_desks_are_few_and_unused_ones_are_cleared():
    now_s = [0.0]
    desks = Desks(clock=lambda: now_s[0])
    keys = [desks.open() for _ in range(MOST_DESKS)]
    with pytest.raises(DesksTakenError, match="come back later"):
        desks.open()
    now_s[0] = UNUSED_S + 1
    assert desks.of(keys[0]) is not None
    keys.append(desks.open())
    assert [desks.of(key) is not None for key in keys] == [True, False, False, False, True]
    for key in keys:
        desks.close(key)
