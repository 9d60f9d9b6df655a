"""The command line's contract: lines, exit statuses, and words instead of tracebacks."""

from __future__ import annotations

import json
import socket

import pytest
from click.testing import CliRunner

from webui import cli, play_command, store
from webui.look import EyesMissingError, Look


@pytest.fixture
def run():
    return lambda *arguments: CliRunner().invoke(cli.main, [str(each) for each in arguments])


@pytest.fixture
def eyes(monkeypatch, look_of):
    """Photos are read by name: 'bad' ones cannot be, 'hand' ones have a hand over the table."""

    def seen(path, lens_for=None):
        if "bad" in path.name:
            return Look(path.name, error="No mat in the picture.")
        return look_of(path.name, hand_in_view="hand" in path.name)

    monkeypatch.setattr(cli, "look", seen)
    monkeypatch.setattr(cli, "ready_eyes", lambda: None)


def lines(result):
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.mark.usefixtures("eyes")
def test_read_prints_one_object_a_photo_in_order(run):
    result = run("read", "--json", "some/b.jpg", "a.jpg")
    assert [said["photo"] for said in lines(result)] == ["b.jpg", "a.jpg"]
    assert result.exit_code == 0


@pytest.mark.usefixtures("eyes")
def test_an_unreadable_photo_is_a_line_and_status_3(run):
    result = run("read", "--json", "a.jpg", "bad.jpg", "c.jpg")
    assert lines(result)[1] == {"photo": "bad.jpg", "error": "No mat in the picture."}
    assert "stacks" in lines(result)[2]
    assert result.exit_code == 3


@pytest.mark.usefixtures("eyes")
def test_read_speaks_to_people_too(run):
    result = run("read", "a.jpg", "bad.jpg")
    assert "large red under large green, on a black stand" in result.stdout
    assert "bad.jpg: cannot be read. No mat in the picture." in result.stdout
    assert result.exit_code == 3


@pytest.mark.usefixtures("eyes")
def test_overlays_are_pictures_in_the_folder(run, tmp_path, monkeypatch):
    monkeypatch.setattr(cli, "overlay", lambda seen: seen.image_bgr)
    assert run("read", "--json", "--overlay", tmp_path / "drawn", "a.jpg", "bad.jpg").exit_code == 3
    assert [path.name for path in (tmp_path / "drawn").iterdir()] == ["a.png"]


@pytest.mark.usefixtures("eyes")
def test_a_name_that_is_no_text_is_still_a_line(run):
    result = run("read", "--json", "bad\udcff.jpg")
    assert lines(result)[0]["error"]
    assert result.exit_code == 3


@pytest.mark.parametrize(
    "arguments",
    [
        ["read"],
        ["read", "--jsn", "a.jpg"],
        ["review"],
        ["review", "/nowhere/at/all"],
        ["play", "--port", "0"],
        ["play", "--port", "many"],
        ["play", "--camera", "/nowhere"],
        ["mats"],
        ["mats", "-o", "mats.png"],
        ["mats", "-o", "mats.pdf", "--paper", "a3"],
        ["mats", "-o", "mats.pdf", "--player", "eleven"],
        ["explode"],
    ],
)
def test_bad_usage_is_status_2(run, arguments):
    result = run(*arguments)
    assert result.exit_code == 2
    assert "Error: " in result.stderr
    assert result.stdout == ""


@pytest.mark.usefixtures("eyes")
def test_an_overlay_folder_that_cannot_be_made_is_said(run, tmp_path):
    (tmp_path / "file").write_text("")
    result = run("read", "--overlay", tmp_path / "file", "a.jpg")
    assert result.exit_code == 2
    assert "cannot be made a folder" in result.stderr


def test_a_game_file_that_is_wrong_names_its_field(run, game_folder):
    result = run("review", game_folder(players=[]))
    assert result.exit_code == 2
    assert "players should be" in result.stderr


@pytest.mark.usefixtures("eyes")
def test_a_fault_of_ours_is_a_sentence_and_a_log(run, monkeypatch, own_log):
    monkeypatch.setattr(cli, "look", lambda *_: 1 / 0)
    result = run("read", "a.jpg")
    assert result.exit_code == 1
    assert "failed unexpectedly" in result.stderr
    assert str(own_log) in result.stderr
    assert "Traceback" not in result.output
    assert "Traceback" in own_log.read_text()


def test_a_missing_library_says_what_to_install(run, monkeypatch):
    def missing():
        raise EyesMissingError("OpenCV cannot be loaded. Run: apt-get install libgl1")

    monkeypatch.setattr(cli, "ready_eyes", missing)
    result = run("read", "a.jpg")
    assert "apt-get install libgl1" in result.stderr
    assert result.exit_code == 2


@pytest.mark.usefixtures("eyes")
def test_a_port_in_use_is_said_in_words(run):
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = run("play", "--port", taken.getsockname()[1])
    assert result.exit_code == 2
    assert "choose --port" in " ".join(result.stderr.split())


def test_without_a_game_file_the_page_asks_who_plays(run, tmp_path, monkeypatch):
    served = []
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(play_command, "serve", lambda app, *_: served.append(app.test_client()))
    assert run("play", "--camera", "1").exit_code == 0
    assert served[0].get("/").location == "/start/"
    assert '<option value="1" selected>' in served[0].get("/start/ziggurat").text


def test_the_bundled_game_needs_no_camera_and_is_not_kept(run, own_matches, monkeypatch):
    served = []
    monkeypatch.setattr(play_command, "serve", lambda app, *_: served.append(app.test_client()))
    assert run("play").exit_code == 0
    assert "Start a game" in served[0].get("/").text
    with store.read_store(own_matches) as kept:
        assert kept.matches() == ()


def test_two_umpires_do_not_keep_in_one_folder(run, own_matches, monkeypatch):
    served = []
    monkeypatch.setattr(play_command, "serve", lambda app, *_: served.append(app.test_client()))
    with store.open_store(own_matches):
        result = run("play")
    assert "Another umpire" in result.stderr
    assert "Matches are not kept now." in served[0].get("/start/").text


def test_a_computer_without_network_cannot_share_the_page(run, monkeypatch):
    monkeypatch.setattr(play_command, "addresses_here", lambda: ())
    result = run("play", "--lan")
    assert result.exit_code == 2
    assert "in no network" in " ".join(result.stderr.split())


def test_the_cameras_there_are_are_listed(run, monkeypatch):
    from vision import live

    monkeypatch.setattr(live, "cameras", lambda: ("0: 1280 x 720 pixels",))
    assert run("play", "--list-cameras").stdout == "camera 0: 1280 x 720 pixels\n"
    monkeypatch.setattr(live, "cameras", lambda: ())
    assert "No camera is found." in run("play", "--list-cameras").stdout


def test_mats_are_written_as_a_pdf_and_as_pictures(run, tmp_path):
    result = run("mats", "-o", tmp_path / "mine.pdf", "--paper", "letter", "--png", "--player", "2", "towers")
    assert result.exit_code == 0
    assert "Letter" in result.stdout
    assert "100 %" in result.stdout
    assert (tmp_path / "mine.pdf").read_bytes().startswith(b"%PDF")
    assert [path.name for path in tmp_path.glob("*.png")] == ["mine-towers-2.png"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["silos-11p"], "There is no sheet, layout or family of sheets 'silos-11p'."),
        (["--player", "11"], "There is no sheet for player 11: players are 1 to 10."),
        (["board", "--player", "1"], "None of these sheets is a player's own"),
    ],
)
def test_mats_there_are_not_are_said(run, tmp_path, arguments, words):
    result = run("mats", "-o", tmp_path / "mats.pdf", *arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.split())
    assert not (tmp_path / "mats.pdf").exists()


def test_mats_that_cannot_be_written_are_said(run, tmp_path):
    result = run("mats", "-o", tmp_path / "nowhere" / "mats.pdf", "colour-card")
    assert result.exit_code == 2
    assert "mats.pdf cannot be written: No such file or directory." in " ".join(result.stderr.split())


def test_the_version_is_printed(run):
    result = run("--version")
    assert result.exit_code == 0
    assert result.stdout.startswith("umpire, version ")
