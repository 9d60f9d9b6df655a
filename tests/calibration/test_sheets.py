import json
from dataclasses import FrozenInstanceError
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration.sheets import (
    SheetError,
    draw,
    layouts_from,
    load_layouts,
    load_sheets,
    sheet_from_json,
    sheets_from,
)

FOLDER = Path(__file__).parents[2] / "calibration" / "sheets"


def board() -> dict:
    return json.loads((FOLDER / "board-sw.json").read_text())


def test_shipped_sheets_and_layouts_load_once():
    assert len(load_sheets()) == 39
    assert load_layouts()["board"].sheets == ("board-sw", "board-se", "board-nw", "board-ne")
    assert load_sheets() is load_sheets()
    assert load_layouts()["silos-2p"].pose_of("silos-2").turn_deg == 180
    assert load_layouts()["board"].pose_of("silos-2") is None


def test_a_sheet_is_a_value():
    sheet = sheet_from_json(board(), "board-sw.json")
    assert sheet == load_sheets()["board-sw"]
    assert hash(sheet) == hash(load_sheets()["board-sw"])
    with pytest.raises(FrozenInstanceError):
        sheet.title = "another"
    with pytest.raises(TypeError):
        load_sheets()["mine"] = sheet


@pytest.mark.parametrize(
    ("sheet", "x", "y", "zone"),
    [
        ("board-sw", 31, 31, "a1"),
        ("board-sw", 71.9, 30.1, "a1"),
        ("board-sw", 72.1, 30.1, "b1"),
        ("board-sw", 15, 60, None),
        ("board-sw", -1, 60, None),
        ("board-ne", 10, 10, "e5"),
        ("silos-2", 20, 80, "silo-1"),
        ("silos-2", 20, 120, "front-1"),
        ("silos-2", 120, 40, "air-wing"),
        ("towers-1", 42, 60, "tower-1"),
        ("colour-card", 36, 110, "red"),
        ("track-oval", 264, 60, "track"),
        ("track-oval", 264, 186, "off"),
        ("track-oval", 5, 5, "off"),
        ("track-oval", 264, 400, None),
        ("track-straight-1", 0, 99, "track"),
        ("track-straight-1", 99, 50, "off"),
        ("track-curve-2", 70, 70, "track"),
        ("track-curve-2", 30, 30, "off"),
        ("track-curve-2", 120, 120, "off"),
        ("corner-ne", 40, 40, None),
    ],
)
def test_zone_at(sheet, x, y, zone):
    assert load_sheets()[sheet].zone_at(x, y) == zone


def test_every_point_of_the_board_is_in_at_most_one_square():
    sheet = load_sheets()["board-nw"]
    for x in (30, 72, 114, 156, 197):
        for y in (1, 42, 84, 126, 160):
            assert sum(zone.holds(x, y) for zone in sheet.zones) <= 1


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (lambda s: s.pop("markers"), "markers"),
        (lambda s: s.update(dictionary="DICT_4X4_50"), "dictionary"),
        (lambda s: s.update(size_mm=[198]), "size_mm"),
        (lambda s: s.update(size_mm=[198, 0]), "size_mm"),
        (lambda s: s.update(marker_mm=0), "marker_mm"),
        (lambda s: s.update(marker_mm=True), "marker_mm"),
        (lambda s: s.update(title=""), "title"),
        (lambda s: s.update(zones={}), "zones"),
        (lambda s: s.update(markers=[]), "markers"),
        (lambda s: s.update(player=0), "player"),
        (lambda s: s.update(player="1"), "player"),
        (lambda s: s["markers"][3].update(id=587), r"markers\[3\]\.id"),
        (lambda s: s["markers"][3].update(id="4"), r"markers\[3\]\.id"),
        (lambda s: s["markers"][3].update(centre_mm=[5, 100]), r"markers\[3\]\.centre_mm"),
        (lambda s: s["markers"][3].update(centre_mm=[float("nan"), 100]), r"markers\[3\]\.centre_mm\[0\]"),
        (lambda s: s["patches"][1].update(rect_mm=[195, 11, 8, 8]), r"patches\[1\]\.rect_mm"),
        (lambda s: s["patches"][1].update(rect_mm=[100, 11, -8, 8]), r"patches\[1\]\.rect_mm"),
        (lambda s: s["patches"][1].update(srgb=[0, 0, 256]), r"patches\[1\]\.srgb\[2\]"),
        (lambda s: s["patches"][1].update(srgb="red"), r"patches\[1\]\.srgb"),
        (lambda s: s["zones"][0].update(polygon_mm=[[0, 0], [1, 1]]), r"zones\[0\]\.polygon_mm"),
        (lambda s: s["zones"][0].update(polygon_mm=[[0, 0], [1, 1], [0, 300]]), r"zones\[0\]\.polygon_mm"),
        (lambda s: s["zones"][1].update(name="a1"), r"zones\[1\]\.name"),
        (lambda s: s["drawing"]["lines"][0].update(closed=1), r"drawing\.lines\[0\]\.closed"),
        (lambda s: s["drawing"]["labels"][0].pop("text"), r"drawing\.labels\[0\]\.text"),
    ],
)
def test_a_bad_sheet_is_refused_with_file_and_field(change, field):
    value = board()
    change(value)
    with pytest.raises(SheetError, match=rf"^mine\.json: {field} "):
        sheet_from_json(value, "mine.json")


@pytest.mark.parametrize("value", [None, [], "board", 3])
def test_what_is_no_object_is_refused(value):
    with pytest.raises(SheetError, match=r"mine\.json"):
        sheet_from_json(value, "mine.json")


def test_a_marker_on_two_sheets_is_refused(tmp_path):
    value = board()
    (tmp_path / "board-sw.json").write_text(json.dumps(value))
    value["id"] = "copy"
    (tmp_path / "copy.json").write_text(json.dumps(value))
    with pytest.raises(SheetError, match=r"copy\.json: markers\[0\]\.id .*board-sw"):
        sheets_from(tmp_path)


def test_only_what_has_markers_is_a_mat():
    assert [s.id for s in load_sheets().values() if not s.is_mat] == [
        "race-status",
        "stands-black-white",
        "stands-orange-purple",
    ]


def test_each_player_has_sheets_of_their_own():
    own = {(s.id.split("-")[0], s.player) for s in load_sheets().values() if s.player is not None}
    assert own == {("silos", n) for n in range(1, 11)} | {("towers", n) for n in range(1, 6)}
    assert all(s.id.endswith(f"-{s.player}") for s in load_sheets().values() if s.player is not None)


def test_the_file_is_named_as_its_sheet(tmp_path):
    (tmp_path / "other.json").write_text(json.dumps(board()))
    with pytest.raises(SheetError, match=r"other\.json: id"):
        sheets_from(tmp_path)


@pytest.mark.parametrize("text", ["{", "", "\ufeff[", '{"id": '])
def test_a_file_that_is_no_json_is_named(tmp_path, text):
    (tmp_path / "board-sw.json").write_text(text)
    with pytest.raises(SheetError, match=r"board-sw\.json cannot be read as JSON"):
        sheets_from(tmp_path)


@pytest.mark.parametrize(
    ("layouts", "words"),
    [
        ({"mine": {"board-xx": [0, 0, 0]}}, "mine should be made of known sheets.*board-xx"),
        ({"mine": {"board-sw": [0, 0]}}, "mine.board-sw should be 3 numbers"),
        ({"mine": {}}, "mine should be at least one sheet"),
        ({"mine": {"race-status": [0, 0, 0]}}, "mine should be made of sheets with markers.*race-status"),
        ([], "layouts should be an object"),
    ],
)
def test_a_bad_layout_is_refused(tmp_path, layouts, words):
    (tmp_path / "layouts.json").write_text(json.dumps(layouts))
    with pytest.raises(SheetError, match=words):
        layouts_from(tmp_path, load_sheets())


def test_missing_layouts_are_named(tmp_path):
    with pytest.raises(SheetError, match=r"layouts\.json is missing"):
        layouts_from(tmp_path, load_sheets())


@pytest.mark.parametrize("layout", load_layouts().values(), ids=lambda layout: layout.name)
def test_no_two_sheets_of_a_layout_overlap(layout):
    boxes = []
    for name, pose in layout.places:
        assert pose.turn_deg % 90 == 0
        corners = pose.to_table(np.array([[0.0, 0.0], load_sheets()[name].size_mm]))
        boxes.append((corners.min(axis=0) + 1e-6, corners.max(axis=0) - 1e-6))
    for n, (low, high) in enumerate(boxes):
        assert not any((low < other_high).all() and (other_low < high).all() for other_low, other_high in boxes[:n])


@pytest.mark.parametrize(("family", "counts"), [("silos", range(2, 11)), ("towers", range(2, 6))])
def test_there_is_a_layout_for_every_number_of_players_with_all_facing_the_middle(family, counts):
    for count in counts:
        layout = load_layouts()[f"{family}-{count}p"]
        places = {name: pose for name, pose in layout.places if name.startswith(family)}
        assert sorted(load_sheets()[name].player for name in places) == list(range(1, count + 1))
        width, height = load_sheets()[f"{family}-1"].size_mm
        middles = {name: pose.to_table(np.array([[width / 2, height / 2]]))[0] for name, pose in places.items()}
        centre = np.mean([(m.min(), m.max()) for m in np.array(list(middles.values())).T], axis=1)
        for name, pose in places.items():
            ahead = pose.to_table(np.array([[width / 2, height / 2 + 1]]))[0] - middles[name]
            assert ahead @ (centre - middles[name]) > 0, name


@pytest.mark.parametrize("name", ["track-tiles-4", "track-tiles-6", "track-tiles-8"])
def test_track_tiles_join_to_a_closed_track(name):
    places = load_layouts()[name].places
    joints = []
    for sheet, pose in places:
        side = load_sheets()[sheet].size_mm[0]
        for middle in ((side, side / 2), (0.0, side / 2), (side / 2, side), (side / 2, 0.0)):
            inwards = np.array(middle) + 0.01 * (side / 2 - np.array(middle))
            if load_sheets()[sheet].zone_at(*inwards) == "track":
                joints.append(tuple(np.round(pose.to_table(np.array([middle]))[0], 3).tolist()))
    assert len(joints) == 2 * len(places)
    assert all(joints.count(joint) == 2 for joint in joints)


LARGE_MM = 25.4  # base of a large pyramid
STAND_MM = 38.0


def test_no_large_pyramid_on_a_stand_hides_whose_it_is():
    """However it is turned, most of each side's pattern shows; and without colour the four patterns differ."""
    patterns = set()
    for sheet, rows in (("stands-black-white", (0, 3)), ("stands-orange-purple", (0, 3))):
        for row in rows:
            left, bottom = 0.0, (5 - row) * STAND_MM
            spots = rim_pattern(sheet, left, bottom)
            patterns.add(tuple(map(tuple, np.round(spots, 2).tolist())))
            for turn in np.radians(range(0, 90, 5)):
                across = np.abs(spots @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]]))
                assert (across.max(axis=1) > LARGE_MM / 2).mean() > 0.75
    assert len(patterns) == 4


def rim_pattern(sheet: str, left: float, bottom: float) -> np.ndarray:
    """Points of the stand's inked rim, shape (n, 2), mm from the stand's middle."""
    inked = []
    for fill in load_sheets()[sheet].fills:
        low, high = np.min(fill.polygon_mm, axis=0), np.max(fill.polygon_mm, axis=0)
        on_it = (low >= (left, bottom)).all() and (high <= (left + STAND_MM, bottom + STAND_MM)).all()
        if on_it and (high - low).min() < STAND_MM:
            x, y = (np.arange(a + 0.25, b, 0.5) for a, b in zip(low, high, strict=True))
            inked.append(np.stack(np.meshgrid(x, y), axis=-1).reshape(-1, 2))
    return np.concatenate(inked) - (left + STAND_MM / 2, bottom + STAND_MM / 2)


@pytest.mark.parametrize("px_per_mm", [1.0, 1.3, 2.0, 12.0])
def test_a_drawing_has_the_sheet_s_size_and_things_in_their_places(px_per_mm):
    sheet = load_sheets()["board-se"]
    picture = draw(sheet, px_per_mm)
    width, height = sheet.size_mm
    assert picture.shape == (round(height * px_per_mm), round(width * px_per_mm), 3)
    for patch in sheet.patches:
        x, y, w, h = patch.rect_mm
        seen = picture[int((height - y - h / 2) * px_per_mm), int((x + w / 2) * px_per_mm)]
        assert tuple(seen[::-1].tolist()) == patch.srgb


def test_drawn_markers_are_found_in_their_places():
    sheet = load_sheets()["silos-1"]
    picture = draw(sheet, 4.0)
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11)
    corners, ids, _ = cv2.aruco.ArucoDetector(dictionary).detectMarkers(picture)
    found = dict(zip(np.ravel(ids).tolist(), corners, strict=True))
    assert sorted(found) == sorted(marker.id for marker in sheet.markers)
    for marker in sheet.markers:
        x, y = np.reshape(found[marker.id], (4, 2)).mean(axis=0)
        assert (x + 0.5) / 4 == pytest.approx(marker.centre_mm[0], abs=0.2)
        assert sheet.size_mm[1] - (y + 0.5) / 4 == pytest.approx(marker.centre_mm[1], abs=0.2)


def test_lines_keep_their_weight_at_any_scale():
    sheet = load_sheets()["track-oval"]
    ink = [255 - draw(sheet, scale).mean() for scale in (1.0, 2.0, 8.0)]
    assert ink[0] == pytest.approx(ink[2], rel=0.01)
    assert ink[1] == pytest.approx(ink[2], rel=0.01)


def test_a_scale_of_nothing_is_refused():
    with pytest.raises(ValueError, match="px_per_mm"):
        draw(load_sheets()["board-sw"], 0.0)
