import json
import os
from dataclasses import replace
from datetime import date

import pytest

from calibration import store
from calibration.optics import Lens
from calibration.palette import Palette
from calibration.store import (
    Calibration,
    CalibrationError,
    calibration_from_json,
    load,
    load_all,
    print_scale_of,
    print_warning,
    save,
)

LENS = Lens(1003.25, (640.5, 478.25), (-0.081, 0.012, 0.0002, -0.0001), (1280, 960))
DESK = Calibration("desk", LENS, date(2025, 10, 31), 0.975, 0.31)


def test_what_was_kept_comes_back(tmp_path):
    save(DESK, tmp_path / "new" / "folder")
    assert load("desk", tmp_path / "new" / "folder") == DESK


def test_json_and_back(tmp_path):
    assert calibration_from_json(json.loads(json.dumps(DESK.to_json())), "a.json") == DESK
    assert DESK.to_json()["version"] == 2


def test_taught_colours_come_back(tmp_path):
    taught = replace(DESK, palette=Palette(date(2025, 11, 1), (("red", (-1.9, 1.1, -1.0)),)))
    save(taught, tmp_path)
    assert load("desk", tmp_path) == taught


def test_a_file_from_before_there_were_palettes_is_read():
    older = DESK.to_json() | {"version": 1}
    del older["palette"]
    assert calibration_from_json(older, "a.json") == DESK


@pytest.mark.parametrize(("error_mm", "verdict"), [(0.1, "good"), (0.5, "good"), (0.9, "fair"), (1.51, "bad")])
def test_the_verdict_follows_the_error(error_mm, verdict):
    assert replace(DESK, error_mm=error_mm).verdict == verdict


def test_another_camera_s_file_is_refused_by_name(tmp_path):
    save(DESK, tmp_path)
    (tmp_path / "camera-desk.json").rename(tmp_path / "camera-attic.json")
    with pytest.raises(CalibrationError, match=r"camera 'desk', not of 'attic'"):
        load("attic", tmp_path)


@pytest.mark.parametrize("size", [(640, 480), (1920, 1080), (480, 640)])
def test_another_image_size_is_refused_by_name(size):
    with pytest.raises(CalibrationError, match=rf"'desk' was calibrated at 1280 by 960 .* {size[0]} by {size[1]}"):
        DESK.check_size(size)


def test_a_picture_turned_by_a_quarter_is_this_camera_s():
    DESK.check_size((960, 1280))


def test_an_unknown_camera_is_told_with_the_known_ones(tmp_path):
    save(DESK, tmp_path)
    with pytest.raises(CalibrationError, match=r"'attic' .*known: 'desk'.*umpire calibrate --name attic"):
        load("attic", tmp_path)


@pytest.mark.parametrize("name", ["", " ", "../desk", "a/b", "a\\b", "x" * 41, "desk.", "de\nsk", "C:"])
def test_names_that_no_file_can_have_are_refused(tmp_path, name):
    with pytest.raises(CalibrationError, match="cannot be called"):
        save(replace(DESK, camera=name), tmp_path)
    with pytest.raises(CalibrationError, match="cannot be called"):
        load(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["desk", "Küche", "big table 2", "con", "a"])
def test_names_people_use(tmp_path, name):
    save(replace(DESK, camera=name), tmp_path)
    assert load(name, tmp_path).camera == name


@pytest.mark.parametrize("call", ["fsync", "replace"])
def test_a_failed_write_leaves_the_one_before(tmp_path, monkeypatch, call):
    save(DESK, tmp_path)

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, call, full)
    with pytest.raises(CalibrationError, match="No space left"):
        save(replace(DESK, error_mm=0.1), tmp_path)
    monkeypatch.undo()
    assert load("desk", tmp_path) == DESK
    assert [path.name for path in tmp_path.iterdir()] == ["camera-desk.json"]


def test_numbers_that_are_none_are_not_written(tmp_path):
    with pytest.raises(ValueError, match="JSON compliant"):
        save(replace(DESK, error_mm=float("nan")), tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("field", "odd"),
    [
        ("version", 3),
        ("palette", {}),
        ("palette", {"made_on": "2025-11-01", "looks": {"red": [1]}}),
        ("version", None),
        ("camera", ""),
        ("camera", 3),
        ("image_size_px", [1280]),
        ("image_size_px", [1280, "960"]),
        ("image_size_px", [0, 960]),
        ("focal_px", -3),
        ("focal_px", True),
        ("focal_px", 10**400),
        ("error_mm", float("nan")),
        ("version", [2]),
        ("centre_px", None),
        ("distortion", [0, 0]),
        ("print_scale", 3),
        ("error_mm", "good"),
        ("made_on", "yesterday"),
        ("made_on", 5),
    ],
)
def test_a_field_that_is_odd_is_named(field, odd):
    with pytest.raises(CalibrationError, match=rf"a\.json: {field} should be"):
        calibration_from_json(DESK.to_json() | {field: odd}, "a.json")


@pytest.mark.parametrize("text", ["", "{", "[]", "null", "\xff", "9" * 5000, "[" * 100_000], ids=range(7))
def test_files_that_are_no_calibration_are_told_in_words(tmp_path, text):
    (tmp_path / "camera-desk.json").write_bytes(text.encode("latin-1"))
    with pytest.raises(CalibrationError, match=r"camera-desk\.json"):
        load("desk", tmp_path)


def test_a_folder_that_may_not_be_looked_into_is_told(tmp_path, monkeypatch):
    def refuse(path):
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(type(tmp_path), "exists", refuse)
    with pytest.raises(CalibrationError, match="cannot be opened: Permission denied"):
        load("desk", tmp_path)


def test_the_list_holds_what_can_be_used_and_says_what_cannot(tmp_path):
    save(DESK, tmp_path)
    save(replace(DESK, camera="attic"), tmp_path)
    (tmp_path / "camera-broken.json").write_text("{")
    kept, faults = load_all(tmp_path)
    assert [each.camera for each in kept] == ["attic", "desk"]
    assert len(faults) == 1
    assert "camera-broken.json" in faults[0]
    assert load_all(tmp_path / "none") == ((), ())


def test_the_ruler_line_tells_the_print_s_scale():
    assert print_scale_of(97.0) == pytest.approx(0.97)
    assert print_warning(0.97) is None
    assert print_warning(1.03) is None
    assert "printed at 96.5 %" in print_warning(0.965)


@pytest.mark.parametrize("measured", [10.0, 79.0, 126.0, -100.0, float("nan")])
def test_what_is_no_ruler_line_is_told(measured):
    with pytest.raises(CalibrationError, match="ruler line cannot be"):
        print_scale_of(measured)


def test_calibrations_lie_in_the_user_s_config_folder(monkeypatch, tmp_path):
    monkeypatch.setattr(store, "user_config_path", lambda name, appauthor: tmp_path / name)
    assert store.cameras_folder() == tmp_path / "pyramid-umpire" / "cameras"
