"""`umpire calibrate` and what is read through a calibration."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import date
from pathlib import Path
from types import SimpleNamespace

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from calibration import lens, store
from calibration.lens import LensFit, LensRefused
from calibration.optics import Lens
from calibration.palette import Palette
from calibration.store import Calibration, CalibrationError
from webui import calibrate_command, cli
from webui.calibrate import Shot, shot_of
from webui.gamefile import GameFileError, game_file_from_json
from webui.look import Look

DESK = Calibration(
    "desk", Lens(1000.0, (639.5, 479.5), (-0.08, 0.01, 0.0, 0.0), (1280, 960)), date(2025, 10, 31), 1, 0.2
)
FIT = LensFit(DESK.lens, 0.31, tuple(f"{n}.jpg" for n in range(8)), (), ())
PLAYERS = [{"name": "Black"}, {"name": "White"}]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    """Where calibrations are kept in this test."""
    kept = tmp_path / "cameras"
    monkeypatch.setattr(store, "cameras_folder", lambda: kept)
    return kept


@pytest.fixture
def run(folder):
    return lambda *arguments: CliRunner().invoke(cli.main, ["calibrate", *(str(each) for each in arguments)])


@pytest.fixture
def photos(tmp_path, monkeypatch):
    """Files 0.jpg to 7.jpg whose views are as good as can be, and bad.jpg."""
    paths = [tmp_path / name for name in (*(f"{n}.jpg" for n in range(8)), "bad.jpg")]
    for path in paths:
        path.write_bytes(b"")

    def seen(content, photo, print_scale):
        if photo == "bad.jpg":
            return Shot(photo, "No printed sheet is in the picture.")
        return Shot(photo, "12 markers, tilted by 27 degrees", view=SimpleNamespace(name=photo))

    monkeypatch.setattr(calibrate_command, "shot_of", seen)
    monkeypatch.setattr(lens, "lens_from", lambda views: replace(FIT, used=tuple(view.name for view in views)))
    return paths


def test_each_photo_is_told_and_the_verdict_is_kept(run, photos, folder):
    before = date.today()
    result = run("--name", "desk", *photos[:8])
    assert result.exit_code == 0
    assert "[3/8] 2.jpg: 12 markers, tilted by 27 degrees" in result.stdout
    assert "Good: points up to 100 mm above the mat are right to 0.3 mm" in result.stdout
    kept = store.load("desk", folder)
    assert before <= kept.made_on <= date.today()
    assert kept == replace(DESK, error_mm=0.31, made_on=kept.made_on, print_scale=1.0)


def test_a_photo_that_cannot_be_used_is_told_and_is_status_3(run, photos, folder):
    result = run("--name", "desk", *photos)
    assert result.exit_code == 3
    assert "[9/9] bad.jpg: not used. No printed sheet is in the picture." in result.stdout
    assert store.load("desk", folder).error_mm == 0.31
    missing = run("--name", "desk", *photos[:8], "nowhere.jpg")
    assert missing.exit_code == 3
    assert "nowhere.jpg cannot be opened" in missing.stdout


def test_a_refused_run_leaves_the_one_before(run, photos, folder, monkeypatch):
    store.save(DESK, folder)

    def refused(views):
        raise LensRefused("The photos are too alike.")

    monkeypatch.setattr(lens, "lens_from", refused)
    result = run("--name", "desk", *photos[:8])
    assert result.exit_code == 3
    assert "Not calibrated. The photos are too alike. Nothing was kept." in result.stdout
    assert store.load("desk", folder) == DESK


def test_the_ruler_line_is_kept_and_warned_of(run, photos, folder):
    result = run("--name", "desk", "--ruler", "96", *photos[:8])
    assert "printed at 96.0 %" in result.stdout
    assert store.load("desk", folder).print_scale == pytest.approx(0.96)
    again = run("--name", "desk", *photos[:8])
    assert "printed at 96.0 %" in again.stdout


def test_the_ruler_line_alone_corrects_what_is_kept(run, folder):
    store.save(DESK, folder)
    assert run("--name", "desk", "--ruler", "101.5").exit_code == 0
    assert store.load("desk", folder) == replace(DESK, print_scale=1.015)


def test_the_list(run, folder):
    assert "No camera was calibrated" in run("--list").stdout
    store.save(replace(DESK, print_scale=0.97), folder)
    (folder / "camera-odd.json").write_text("{}")
    result = run("--list")
    assert result.stdout == "desk: 1280 by 960 pixels, calibrated on 2025-10-31, good (0.2 mm), prints at 97.0 %\n"
    assert "camera-odd.json" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ([], "--name NAME"),
        (["a.jpg"], "--name NAME"),
        (["--name", "desk"], "eight or more photos"),
        (["--name", "../desk", "a.jpg"], "cannot be called"),
        (["--name", "desk", "--ruler", "98"], "No camera called 'desk'"),
        (["--name", "desk", "--ruler", "9.8", "a.jpg"], "ruler line cannot be"),
        (["--check"], "Give a photo"),
        (["--check", "--name", "attic", "a.jpg"], "No camera called 'attic'"),
    ],
)
def test_bad_usage_is_status_2(run, arguments, words):
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in " ".join(result.stderr.replace("│", "").split())
    assert result.stdout == ""


def test_a_picture_is_checked_in_words(run, tmp_path):
    path = tmp_path / "grey.png"
    path.write_bytes(cv2.imencode(".png", np.full((480, 640, 3), 128, np.uint8))[1].tobytes())
    result = run("--check", path, tmp_path / "none.jpg")
    assert "grey.png: to be changed\n  No printed sheet is in the picture." in result.stdout
    assert "none.jpg does not exist" in result.stdout
    assert result.exit_code == 3


def test_a_shot_of_the_bundled_game():
    path = cli.SAMPLE / "00.jpg"
    shot = shot_of(path.read_bytes(), path.name, 1.0)
    assert shot.view is not None
    assert shot.words == "36 markers, tilted by 11 degrees"
    assert shot.image_bgr.shape == (960, 1280, 3)
    assert shot_of(b"hello", "a.jpg", 1.0).words.startswith("a.jpg is not a picture")


def test_read_looks_through_the_camera_s_lens(folder, monkeypatch):
    store.save(DESK, folder)
    asked = []

    def seen(path, lens_for=None):
        asked.append(lens_for(None))
        return Look(path.name, error="No mat in the picture.")

    monkeypatch.setattr(cli, "look", seen)
    monkeypatch.setattr(cli, "ready_eyes", lambda: None)
    result = CliRunner().invoke(cli.main, ["read", "--camera", "desk", "a.jpg"])
    assert asked == [DESK]
    assert "Lens: desk: 1280 by 960 pixels" in result.stderr
    unknown = CliRunner().invoke(cli.main, ["read", "--camera", "attic", "a.jpg"])
    assert unknown.exit_code == 2
    assert "No camera called 'attic'" in unknown.stderr


def test_a_bundled_photo_is_read_through_its_lens_and_refused_at_another_size(folder):
    game = json.loads((cli.SAMPLE / "game.json").read_text())["camera"]
    (focal, _, cx), (_, _, cy), _ = game["matrix"]
    mine = replace(DESK, lens=Lens(focal, (cx, cy), tuple(game["distortion"][:4]), (1280, 960)))
    store.save(mine, folder)
    photo = str(cli.SAMPLE / "00.jpg")
    good = CliRunner().invoke(cli.main, ["read", "--json", "--camera", "desk", photo])
    assert json.loads(good.stdout)["warnings"] == []
    store.save(replace(mine, lens=replace(mine.lens, image_size_px=(1920, 1080))), folder)
    other = CliRunner().invoke(cli.main, ["read", "--json", "--camera", "desk", photo])
    assert "'desk' was calibrated at 1920 by 1080" in json.loads(other.stdout)["error"]
    assert other.exit_code == 3


def test_a_game_file_may_name_its_camera(folder):
    store.save(DESK, folder)
    said = {"game": "martian-mids", "players": PLAYERS, "camera": "desk"}
    assert game_file_from_json(said).lens_for(None) == DESK
    with pytest.raises(GameFileError, match=r"game\.json: camera: No camera called 'attic'"):
        game_file_from_json(said | {"camera": "attic"})


def test_review_and_play_take_a_lens_by_name(folder, game_folder, monkeypatch):
    store.save(DESK, folder)
    asked = []
    monkeypatch.setattr(cli, "_events", lambda game_file, photos: asked.append(game_file.camera) or iter(()))
    assert CliRunner().invoke(cli.main, ["review", "--lens", "desk", str(game_folder())]).exit_code == 0
    assert asked == [DESK]
    result = CliRunner().invoke(cli.main, ["play", "--lens", "attic"])
    assert result.exit_code == 2
    assert "No camera called 'attic'" in result.stderr


def test_a_calibration_error_is_bad_usage(run, folder):
    folder.mkdir()
    (folder / "camera-desk.json").write_text("{}")
    with pytest.raises(CalibrationError):
        store.load("desk", folder)
    assert run("--name", "desk", "--ruler", "98").exit_code == 2


CARD = Path(__file__).parents[1] / "vision" / "photos" / "colour-card.jpg"
SMALLER = replace(DESK, lens=Lens(900.0, (479.5, 359.5), (-0.05, 0.01, 0.0, 0.0), (960, 720)))


def test_colours_are_taught_and_kept(run, folder):
    store.save(SMALLER, folder)
    before = date.today()
    result = run("--name", "desk", "--colours", CARD, "--other", "clear=grey")
    assert result.exit_code == 0
    assert "Learnt how these look in this light: red, yellow" in result.stdout
    kept = store.load("desk", folder)
    assert before <= kept.palette.made_on <= date.today()
    assert f"colours taught on {kept.palette.made_on}" in result.stdout
    assert replace(kept, palette=None) == SMALLER
    assert kept.palette.colours[-1] == "grey"


def test_a_new_lens_keeps_the_colours(run, photos, folder):
    taught = replace(DESK, palette=Palette(date(2025, 11, 1), (("red", (-1.9, 1.1, -1.0)),)))
    store.save(taught, folder)
    run("--name", "desk", *photos[:8])
    kept = store.load("desk", folder)
    assert (kept.error_mm, kept.palette) == (0.31, taught.palette)


def test_a_photo_that_teaches_nothing_is_told_and_leaves_the_one_before(run, folder):
    taught = replace(DESK, palette=Palette(date(2025, 11, 1), (("red", (-1.9, 1.1, -1.0)),)))
    store.save(taught, folder)
    result = run("--name", "desk", "--colours", cli.SAMPLE / "00.jpg")
    assert result.exit_code == 3
    assert "The colour card is not in this photo" in result.stdout
    assert "nowhere.jpg does not exist" in run("--name", "desk", "--colours", "nowhere.jpg").stdout
    assert store.load("desk", folder) == taught


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--name", "attic", "--colours", CARD), "No camera called 'attic'"),
        (("--name", "desk", "--colours", CARD, "--other", "pink"), "Say it as CELL=COLOUR"),
        (("--name", "desk", "--colours", CARD, "0.jpg"), "--colours takes one photo"),
        (("--name", "desk", "--other", "orange=pink"), "give the photo of it with --colours"),
        (("--colours", CARD), "Say what the camera is called"),
    ],
)
def test_odd_lessons_are_told(run, folder, arguments, words):
    store.save(DESK, folder)
    result = run(*arguments)
    assert result.exit_code == 2
    assert words in result.stderr


def test_an_odd_plastic_is_told(run, folder):
    store.save(SMALLER, folder)
    result = run("--name", "desk", "--colours", CARD, "--other", "orange=mauve")
    assert result.exit_code == 3
    assert "There is no colour 'mauve'" in result.stdout
