"""Starting a game by the form: what it makes, what it refuses in words, and that nothing typed is lost."""

from __future__ import annotations

import re
import time

import numpy as np
import pytest

from calibration.print_mats import chosen
from vision.live import Grabbed
from webui.evening import Evening
from webui.gamefile import GameFileError
from webui.games import TABLETOPS, tabletop_of
from webui.games.seating import SEATINGS
from webui.guard import Guard
from webui.page import create_app
from webui.review import Review
from webui.setting_up import Typed, made

NAMES = ("Ann", "Bob", "Cy", "Di")


def typed_for(game, *names, **fields):
    """The form of that game as its players fill it in."""
    fresh = Typed.fresh(tabletop_of(game))
    marks = [mark for mark, _ in fresh.seating.marks]
    rows = tuple(zip(names or NAMES[:2], marks, strict=False))
    return Typed(fresh.game, rows, {**fresh.fields, **fields})


@pytest.mark.parametrize("game", TABLETOPS, ids=lambda game: game.NAME)
def test_the_usual_answers_make_a_game_that_can_be_judged(game):
    game_file, found = made(typed_for(game.NAME))
    assert found == {}
    assert game_file.players == ("Ann", "Bob")
    Review(game_file)


@pytest.mark.parametrize("game", TABLETOPS, ids=lambda game: game.NAME)
def test_every_switch_turned_makes_a_game_too(game):
    turned = {
        f"option-{switch.name}": str((switch.values.index(switch.default) + 1) % len(switch.values))
        if switch.values
        else ("" if switch.default else "on")
        for switch in game.SWITCHES
    }
    typed = typed_for(game.NAME, **turned)
    assert set(typed.doc()["options"]) == {switch.name for switch in game.SWITCHES}
    assert made(typed)[1] == {}


@pytest.mark.parametrize("game", TABLETOPS, ids=lambda game: game.NAME)
def test_the_form_says_how_to_print_what_the_game_needs_and_no_more(game, at_start):
    client, _, _ = at_start()
    command = f"umpire mats {SEATINGS[game.NAME].prints} -o mats.pdf"
    assert command in client.get(f"/start/{game.NAME}").text
    assert 1 <= len(chosen(SEATINGS[game.NAME].prints.split())) <= 6


def test_every_game_is_among_those_that_can_be_started():
    assert set(SEATINGS) == {game.NAME for game in TABLETOPS}


@pytest.mark.parametrize(
    ("typed", "field", "words"),
    [
        (typed_for("martian-mids", "Ann"), "form", "players"),
        (typed_for("martian-mids", "Ann", ""), "name-1", "Give this player a name"),
        (typed_for("martian-mids", "Ann", "ann"), "name-1", "Ann is there already"),
        (typed_for("martian-mids", "Ann", "B" * 41), "name-1", "40 letters at most"),
        (typed_for("martian-mids", square="6"), "square", "from 10 to 200 mm"),
        (typed_for("martian-mids", square="many"), "square", "from 10 to 200 mm"),
        (typed_for("martian-mids", lens="attic"), "lens", "attic"),
        (typed_for("martian-mids", **{"option-cards_each": "99"}), "option-cards_each", "Choose one"),
        (typed_for("missile-command", begins="7"), "begins", "Say which player begins."),
        (typed_for("pyramid-gran-prix", laps="0"), "laps", "a whole number from 1"),
        (typed_for("pyramid-gran-prix", laps="five"), "laps", "not 'five'"),
        (typed_for("pyramid-gran-prix", laps=""), "laps", "How many?"),
        (typed_for("pyramid-gran-prix", start="nowhere"), "start", "Choose one"),
    ],
)
def test_what_is_wrong_is_said_at_its_field(typed, field, words):
    game_file, found = made(typed)
    assert game_file is None
    assert words in found[field]


def test_two_with_the_same_stands_are_told_apart():
    typed = Typed(tabletop_of("martian-mids"), (("Ann", "black"), ("Bob", "black"), ("Cy", "plaid")))
    found = made(typed)[1]
    assert found["mark-1"] == "Ann has black already: choose another for Bob."
    assert found["mark-2"] == "Choose one for Cy."


def test_cars_may_share_a_colour():
    cars = Typed(
        tabletop_of("pyramid-gran-prix"), (("Ann", "red"), ("Bob", "red")), typed_for("pyramid-gran-prix").fields
    )
    assert made(cars)[1] == {}


def test_every_fault_is_said_at_once():
    found = made(typed_for("pyramid-gran-prix", "Ann", "", laps="x", start="y"))[1]
    assert set(found) == {"name-1", "laps", "start"}


def test_who_begins_is_not_asked_again_while_names_are_missing():
    assert set(made(typed_for("ziggurat", "", ""))[1]) == {"name-0", "name-1"}
    assert set(made(typed_for("ziggurat", "Ann", "Bob", begins="2"))[1]) == {"begins"}


def test_what_the_umpire_deals_and_rolls_is_in_the_game():
    assert made(typed_for("ziggurat", deck="umpire"))[0].setup["deck"]["seed"]
    assert "deck" not in made(typed_for("ziggurat"))[0].setup
    rolls = made(typed_for("pyramid-gran-prix", dice="umpire"))[0].setup
    assert rolls["dice"] == "umpire"
    assert "pole" not in rolls


def test_the_umpire_rolls_for_the_pole_position_where_it_is_asked_to(at_start):
    race = made(typed_for("pyramid-gran-prix", dice="pole"))[0].setup
    assert (race["dice"], race["pole"]) == ("umpire", "umpire")
    assert race["seed"]
    client, _, _ = at_start()
    fields = form_of(client, "pyramid-gran-prix", dice="pole", laps="5x")
    assert 'value="pole" checked' in client.post("/start/pyramid-gran-prix", data=fields).text


def test_names_are_one_line_of_what_can_be_seen():
    typed = Typed.from_form(tabletop_of("ziggurat"), {"name-0": " Ann\u202e  Lee\n", "mark-0": "towers-1"})
    assert typed.rows == (("Ann Lee", "towers-1"),)


def test_rows_are_added_up_to_the_most_and_get_what_is_free():
    typed = typed_for("ziggurat")
    for _ in range(9):
        typed = typed.with_row()
    assert [mark for _, mark in typed.rows] == [f"towers-{n}" for n in range(1, 6)]


# On the page.


@pytest.fixture
def at_start(live_of):
    """A client of the page and the tables that were opened, as (game, source)."""

    def made_page(*addresses, fault=None, kept=None):
        evening, opened = Evening(live_of(None)), []

        def open_table(game_file, source):
            if fault is not None:
                raise fault
            opened.append((game_file, source))
            return live_of(None)

        guard = Guard(addresses)
        client = create_app(evening, guard=guard, open_table=open_table, kept=kept).test_client()
        client.guard = guard
        return client, evening, opened

    return made_page


def form_of(client, game, **fields):
    page = client.get(f"/start/{game}").text
    token, once = (re.search(rf'name="{name}" value="([^"]+)"', page)[1] for name in ("token", "once"))
    typed = typed_for(game)
    rows = {
        f"{what}-{n}": value
        for n, row in enumerate(typed.rows)
        for what, value in zip(("name", "mark"), row, strict=True)
    }
    return {"token": token, "once": once, **rows, **typed.fields, "do": "begin", **fields}


def test_the_start_page_offers_games_and_samples(at_start):
    text = at_start()[0].get("/start/").text
    for game in TABLETOPS:
        assert f"/start/{game.NAME}" in text
        assert f"start-{game.NAME}.svg" in text
    assert "Photographed games that come with the umpire" in text


def test_begun_games_are_on_the_page(at_start):
    client, evening, opened = at_start()
    before = evening.live
    answer = client.post("/start/martian-mids", data=form_of(client, "martian-mids", camera="1", resumed="on"))
    assert (answer.status_code, answer.location) == (303, "/")
    assert evening.live is not before
    ((game_file, source),) = opened
    assert game_file.players == ("Ann", "Bob")
    assert (source.name, source.is_resumed) == ("1", True)


def test_two_taps_on_begin_open_one_table(at_start):
    """Nor does a form that is sent again, as its answer was lost, begin the game anew; a new form does."""
    client, _, opened = at_start()
    form = form_of(client, "martian-mids")
    for _ in range(2):
        assert client.post("/start/martian-mids", data=form).location == "/"
    assert len(opened) == 1
    for again in (form_of(client, "martian-mids"), form_of(client, "martian-mids"), form | {"name-0": "Zoe"}):
        client.post("/start/martian-mids", data=again)
    assert len(opened) == 4


def test_a_folder_or_an_address_is_a_source(at_start, tmp_path):
    client, _, opened = at_start()
    client.post("/start/ziggurat", data=form_of(client, "ziggurat", kind="folder", folder=str(tmp_path)))
    client.post("/start/ziggurat", data=form_of(client, "ziggurat", kind="address", address="http://10.0.0.2/video"))
    assert [source.name for _, source in opened] == [str(tmp_path), "http://10.0.0.2/video"]


def test_what_is_wrong_keeps_what_was_typed(at_start):
    client, _, opened = at_start()
    fields = {"name-1": "", "laps": "5x", "address": "http://x/<y>", "dice": "umpire", "mark-0": "purple"}
    answer = client.post("/start/pyramid-gran-prix", data=form_of(client, "pyramid-gran-prix", **fields))
    assert answer.status_code == 400
    assert opened == []
    assert 'id="wrong-name-1"' in answer.text
    assert 'aria-describedby="wrong-laps"' in answer.text
    assert 'value="5x"' in answer.text
    assert "http://x/&lt;y&gt;" in answer.text
    assert 'value="umpire" checked' in answer.text
    assert '<option value="purple" selected>' in answer.text
    assert "2 things are to be put right below." in answer.text


def test_a_form_older_than_the_program_is_shown_again(at_start):
    client, _, opened = at_start()
    answer = client.post("/start/ziggurat", data=form_of(client, "ziggurat") | {"token": "old", "name-0": "Zoe"})
    assert answer.status_code == 400
    assert "Nothing is lost" in answer.text
    assert 'value="Zoe"' in answer.text
    assert opened == []


def test_a_camera_that_is_none_is_said_beside_it(at_start):
    from vision.live import CameraError

    client, _, _ = at_start(fault=CameraError("That is no camera."))
    answer = client.post("/start/ziggurat", data=form_of(client, "ziggurat", kind="address", address="http://attic"))
    assert 'id="wrong-address">That is no camera.' in answer.text
    client, _, _ = at_start(fault=GameFileError("game.json: players: too many"))
    assert "players: too many" in client.post("/start/ziggurat", data=form_of(client, "ziggurat")).text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"kind": "folder", "folder": "/nowhere/at/all"}, "There is no folder or video called /nowhere/at/all."),
        ({"kind": "folder", "folder": ""}, "Say where the pictures come from."),
        ({"kind": "folder", "folder": "~nobody-at-all/x"}, "There is no folder or video called ~nobody-at-all/x."),
        ({"kind": "address", "address": ""}, "Say where the pictures come from."),
        ({"kind": "address", "address": "/etc/passwd"}, "/etc/passwd is no address of a camera"),
        ({"kind": "camera", "camera": "/tmp"}, "A camera of this computer is a number"),
    ],
)
def test_a_source_has_to_be_there(at_start, fields, words):
    client, _, opened = at_start()
    assert words in client.post("/start/ziggurat", data=form_of(client, "ziggurat", **fields)).text
    assert opened == []


def test_from_another_device_no_folder_of_this_computer_is_opened(at_start, tmp_path):
    client, _, opened = at_start("192.168.1.7")
    client.get(f"/screen/{client.guard.screen_token}")
    outside = {"REMOTE_ADDR": "192.168.1.50"}
    fields = form_of(client, "ziggurat", kind="folder", folder=str(tmp_path))
    answer = client.post("/start/ziggurat", data=fields, environ_base=outside)
    assert "only on the computer that the umpire runs on" in answer.text
    assert opened == []
    assert "A folder of photos" not in client.get("/start/ziggurat", environ_base=outside).text


def test_a_row_is_added_without_javascript(at_start):
    client, _, _ = at_start()
    answer = client.post("/start/ziggurat", data=form_of(client, "ziggurat", do="add"))
    assert 'name="name-2"' in answer.text
    assert '<option value="towers-3" selected>' in answer.text


def test_the_cameras_there_are_can_be_asked_for(at_start, monkeypatch):
    from vision import live

    monkeypatch.setattr(live, "cameras", lambda: ("0: 1280 x 720 pixels", "2: 640 x 480 pixels"))
    client, _, _ = at_start()
    answer = client.post("/start/ziggurat", data=form_of(client, "ziggurat", do="look"))
    assert '<option value="2">camera 2: 640 x 480 pixels</option>' in answer.text


def test_a_preview_tells_what_is_in_a_folder(at_start, tmp_path):
    (tmp_path / "00.jpg").write_bytes(b"")
    client, _, _ = at_start()
    fields = form_of(client, "ziggurat", kind="folder", folder=str(tmp_path), do="preview")
    assert "1 photo is in this folder" in client.post("/start/ziggurat", data=fields).text
    assert client.get("/start/live").json["picture"] is None
    assert client.get("/start/live/1.jpg").status_code == 404


class FakeCamera:
    """Shows one grey picture again and again."""

    def __init__(self, source):
        self.source, self.is_stopped = source, False

    def newest(self):
        return Grabbed(1, np.full((48, 64, 3), 128, np.uint8))

    def wait(self, number, timeout_s):
        time.sleep(0.01)
        return Grabbed(number + 1, np.full((48, 64, 3), 128, np.uint8))

    def stop(self):
        self.is_stopped = True


def test_a_camera_is_looked_through_and_let_go_when_the_game_begins(at_start, monkeypatch, eventually):
    made_cameras = []
    monkeypatch.setattr(
        "vision.live.Grabber", lambda source: made_cameras.append(FakeCamera(source)) or made_cameras[-1]
    )
    client, _, opened = at_start()
    answer = client.post("/start/ziggurat", data=form_of(client, "ziggurat", camera="1", do="preview"))
    assert 'id="live-picture"' in answer.text
    picture = client.get(eventually(lambda: client.get("/start/live").json["picture"]))
    assert picture.mimetype == "image/jpeg"
    assert picture.headers["Cache-Control"] == "no-store"
    client.post("/start/ziggurat", data=form_of(client, "ziggurat", camera="1"))
    assert [camera.source for camera in made_cameras] == ["1"]
    assert made_cameras[0].is_stopped
    assert len(opened) == 1


def test_a_sample_plays_and_is_not_kept(at_start):
    client, evening, opened = at_start()
    token = re.search(r'name="token" value="([^"]+)"', client.get("/start/").text)[1]
    assert client.post("/start/sample", data={"token": token, "name": "mids"}).status_code == 303
    assert evening.live.game_file.players == ("Black", "White")
    assert evening.live.moment().photos[0] == "00.jpg"
    assert opened == []
    assert client.post("/start/sample", data={"token": token, "name": "../sample/mids-a"}).status_code == 404
    assert client.post("/start/sample", data={"name": "mids"}).status_code == 400


def test_unknown_games_are_not_found(at_start):
    client, _, _ = at_start()
    assert client.get("/start/chess").status_code == 404
