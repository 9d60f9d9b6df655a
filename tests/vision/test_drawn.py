"""Tracks drawn on whiteboards: what is read, what is not and why, and what is clicked."""

from dataclasses import replace
from functools import cache, reduce
from pathlib import Path

import numpy as np
import pytest

from calibration.locate import locate
from calibration.optics import LocatedTable, SheetPose
from calibration.sheets import load_sheets
from vision.camera import read_photo
from vision.drawn import DrawnError, DrawnTrack, cards_of, clicked, draw_track, to_photo, to_track
from vision.ground import NoGround, ground_of
from vision.observe import observe
from vision.whiteboard import read_drawn

PHOTO = Path(__file__).parent / "photos" / "drawn-track.jpg"
CARS = {
    "large black": (442.5, 124.6, 88.0),
    "small yellow": (190.8, 294.1, 161.5),
    "large blue": (67.7, 193.6, 242.2),
    "large green": (330.9, 54.6, 2.6),
}


def uneven(x, y):
    """A lamp at the left: half as bright at the right."""
    return np.clip(0.95 - 0.0008 * (x - 200) - 0.0003 * (y - 100), 0.15, 1.1)


def seen(board, camera, **light):
    photo = board.photo(camera, **light)
    return read_drawn(photo, locate(photo))


def off_mm(board, line, truth):
    """The mean and the greatest distance of the true line's points from the line that was read."""
    points = board.poses()["corner-sw"].to_table(np.array(line))
    along = [points + (np.roll(points, -1, axis=0) - points) * t for t in np.linspace(0, 1, 60)]
    away = np.linalg.norm(truth[:, None] - np.concatenate(along)[None], axis=2).min(axis=1)
    return away.mean(), away.max()


def why(track):
    return dict(track.missing)


@pytest.mark.parametrize(
    ("lines", "light"),
    [
        ({}, {}),
        ({"wobble_mm": 4.0}, {"light": uneven}),
        ({"pen": "blue", "width_mm": 2.5}, {"light": uneven, "noise": 4.0}),
        ({"pen": "green", "width_mm": 2.0}, {"noise": 3.0, "white": (0.75, 0.9, 1.0)}),
        ({"pen": "red"}, {}),
    ],
    ids=["black", "wobbly", "blue", "fine green", "red"],
)
def test_a_drawn_track_is_read_to_a_millimetre_or_two(whiteboard, board_camera, lines, light):
    board = whiteboard().track(**lines)
    track = seen(board, board_camera, **light)
    assert (track.is_whole, track.missing, track.walls) == (True, (), ())
    wobble = lines.get("wobble_mm", 0.0)
    for line, truth in ((track.outer, board.outer_mm(wobble)), (track.inner, board.inner_mm(wobble))):
        mean, most = off_mm(board, line, truth)
        assert (mean < 0.8, most < 2.0) == (True, True), (mean, most)
        assert len(line) < 120
    ends = board.poses()["corner-sw"].to_table(np.array(track.finish))
    assert np.abs(ends - [[350, 170], [350, 70]]).max() < 5.0


def test_a_blackboard_is_read_too(whiteboard, board_camera):
    board = whiteboard(ground=(48, 55, 45)).track(pen="white", width_mm=5.0)
    track = seen(board, board_camera, light=uneven)
    assert track.is_whole
    assert off_mm(board, track.outer, board.outer_mm())[1] < 2.0


def test_points_are_in_the_frame_of_the_first_card_and_the_others_lie_where_they_are(whiteboard, board_camera):
    board = whiteboard(cards=("corner-se", "corner-ne", "corner-nw"), turn_deg=3.0).track()
    photo = board.photo(board_camera)
    track = read_drawn(photo, locate(photo))
    first = board.poses()["corner-se"]
    assert off_mm_in(first, track.outer, board.outer_mm()) < 2.0
    for name, x_mm, y_mm, turn_deg in track.cards:
        true = board.poses()[name]
        assert (x_mm, y_mm) == pytest.approx(tuple(first.to_sheet(np.array([[true.x_mm, true.y_mm]]))[0]), abs=0.8)
        assert turn_deg == pytest.approx(true.turn_deg - first.turn_deg, abs=0.2)


def off_mm_in(frame, line, truth):
    points = frame.to_table(np.array(line))
    return np.linalg.norm(points[:, None] - truth[None], axis=2).min(axis=1).max() - 8.0  # truth has a point each 4 mm


def test_a_car_on_the_finish_line_does_not_hide_it(whiteboard, board_camera):
    track = seen(whiteboard().track().piece(348, 120, 10), board_camera)
    assert (len(track.finish), track.missing) == (2, ())


# A rendered photo of real pieces, with pen lines and cards painted on its paper.


@cache
def photographed():
    return observe(read_photo(PHOTO), square_mm=0)


def test_a_photographed_track_is_read_under_its_cars():
    oval = {zone.kind: np.array(zone.polygon_mm) for zone in load_sheets()["track-oval"].zones}
    track = read_drawn(read_photo(PHOTO).image_bgr, photographed().table)
    assert (track.missing, track.notes, track.walls) == ((), (), ())
    for line, truth in ((track.outer, oval["track-outer"]), (track.inner, oval["track-inner"])):
        points = np.array(line)
        along = np.concatenate([points + (np.roll(points, -1, axis=0) - points) * t for t in np.linspace(0, 1, 60)])
        assert np.linalg.norm(truth[:, None] - along[None], axis=2).min(axis=1).max() < 1.5
    assert np.array(track.finish) == pytest.approx(oval["finish-line"][::-1], abs=1.5)


def test_a_pen_s_lines_are_no_hand():
    assert not photographed().hand_in_view


def test_cars_between_the_cards_are_read_in_the_frame_of_the_first():
    places = {name: SheetPose(x, y, turn) for name, x, y, turn in cards_of(photographed().table)}
    cars = {}
    for stack in photographed().scene.stacks:
        x, y = places[stack.sheet].to_table(np.array([[stack.pose.x_mm, stack.pose.y_mm]]))[0]
        cars[str(stack.pyramids[0])] = (x, y, stack.pose.heading_deg)
    assert set(cars) == set(CARS)
    for name, (x, y, heading) in CARS.items():
        assert cars[name][:2] == pytest.approx((x, y), abs=2.5)
        assert cars[name][2] == pytest.approx(heading, abs=4.0)


def test_without_cards_there_is_no_ground_to_read():
    table = replace(photographed().table, layout="board")
    with pytest.raises(NoGround, match="other sheets than the four corner cards"):
        ground_of(table)


# Walls.


def test_red_is_a_wall(whiteboard, board_camera):
    stroke = np.array([(480.0, 350.0), (540.0, 370.0)])
    board = whiteboard().track().line(whiteboard.outer_mm()[40:90], "red", 5.0, False).line(stroke, "red", 4.0, False)
    track = seen(board, board_camera, light=uneven)
    assert track.is_whole
    assert len(track.walls) == 2
    on_line, alone = (board.poses()["corner-sw"].to_table(np.array(wall)) for wall in track.walls)
    ends = {tuple(np.round(end, -1)) for end in alone[[0, -1]]}
    assert ends == {(480.0, 350.0), (540.0, 370.0)}
    true = board.outer_mm()[40:90]
    assert np.linalg.norm(on_line[:, None] - true[None], axis=2).min(axis=1).max() < 8.0


def test_a_whole_red_line_is_a_closed_wall(whiteboard, board_camera):
    board = whiteboard().track().line(whiteboard.outer_mm(), "red", 5.0)
    track = seen(board, board_camera)
    assert [wall[0] == wall[-1] for wall in track.walls] == [True]
    assert track.walls[0][:-1] == track.outer


# What lies on the board, glare, and lines with gaps.


def test_pieces_on_the_lines_are_told_and_the_lines_go_on_beneath(whiteboard, board_camera):
    board = (
        whiteboard().track().piece(260, 115, 0).piece(350, 430, 20, (40, 40, 200)).piece(430, 330, 170, (60, 180, 60))
    )
    track = seen(board, board_camera, light=uneven)
    assert (track.is_whole, track.walls) == (True, ())
    assert off_mm(board, track.outer, board.outer_mm())[1] < 2.5
    assert off_mm(board, track.inner, board.inner_mm())[1] < 3.5
    assert ["outer" in note for note in track.notes] == [True, False]


@pytest.mark.parametrize(("x_mm", "y_mm", "line"), [(350.0, 430.0, "outer"), (170.0, 250.0, "inner")])
def test_a_little_glare_is_bridged_and_told(whiteboard, board_camera, x_mm, y_mm, line):
    board = whiteboard().track()
    track = seen(board, board_camera, glare=(x_mm, y_mm, 24.0))
    assert track.is_whole
    assert any("I closed a gap" in note for note in track.notes)
    truth = board.outer_mm() if line == "outer" else board.inner_mm()
    assert off_mm(board, getattr(track, line), truth)[1] < 4.0


def test_much_glare_leaves_a_gap_that_is_named(whiteboard, board_camera):
    track = seen(whiteboard().track(), board_camera, glare=(170.0, 250.0, 90.0))
    assert track.outer
    assert (track.inner, track.finish) == ((), ())
    assert "has a gap of" in why(track)["inner"]


def test_a_track_of_small_dashes_is_closed(whiteboard, board_camera):
    board, line = whiteboard().line(whiteboard.inner_mm()), whiteboard.outer_mm()
    dashes = [line[n : n + 5] for n in range(0, len(line), 8) if np.linalg.norm(line[n + 4] - line[n]) < 60]
    board = reduce(lambda b, dash: b.line(dash, is_closed=False), dashes, board)
    board = board.line(np.array([(260.0, 430.0), (440.0, 430.0)]), is_closed=False)
    board = board.line(np.array([(260.0, 70.0), (440.0, 70.0)]), is_closed=False)
    track = seen(board, board_camera)
    assert off_mm(board, track.outer, board.outer_mm())[1] < 6.0


# What cannot be read.


@pytest.mark.parametrize(
    ("drawn", "missing", "words"),
    [
        (lambda b: b, {"outer", "inner", "finish"}, "No line is to be seen"),
        (lambda b: b.line(b.outer_mm()), {"inner", "finish"}, "only one closed line"),
        (lambda b: b.line(b.outer_mm()[30:], is_closed=False).line(b.inner_mm()), {"outer", "finish"}, "a gap of 7"),
        (lambda b: b.line(b.outer_mm()).line(b.inner_mm()), {"finish"}, "I see no finish line"),
        (
            lambda b: b.track().line(np.array([(350.0, 330.0), (350.0, 430.0)]), is_closed=False),
            {"finish"},
            "2 lines run across",
        ),
        (lambda b: b.piece(300, 200, 40).piece(420, 260, 100), {"outer", "inner", "finish"}, "no closed line"),
    ],
    ids=["nothing", "one line", "an open line", "no finish", "two finishes", "pieces only"],
)
def test_what_is_missing_is_said_in_words(whiteboard, board_camera, drawn, missing, words):
    track = seen(drawn(whiteboard()), board_camera)
    assert set(why(track)) == missing
    assert words in why(track)["finish"]
    assert not track.is_whole


def test_without_cards_nothing_is_read(photograph, over):
    table = locate(photograph({"track-oval": SheetPose(0.0, 0.0, 0.0)}, over((200.0, 140.0), 430.0)))
    with pytest.raises(DrawnError, match="four corner cards are not in this picture"):
        read_drawn(np.zeros((720, 960, 3), np.uint8), table)


# Clicked.


@pytest.fixture
def table(whiteboard, board_camera) -> LocatedTable:
    return locate(whiteboard().photo(board_camera))


def test_clicked_points_are_where_they_were_clicked(table):
    points = ((200.0, 100.0), (500.0, 120.0), (420.0, 380.0))
    pixels = to_photo(table, points)
    assert np.array(to_track(table, pixels)) == pytest.approx(np.array(points), abs=0.2)
    track = clicked(table, {"outer": pixels.tolist(), "walls": [pixels[:2].tolist()]})
    assert np.array(track.outer) == pytest.approx(np.array(points), abs=0.2)
    assert track.walls == (track.outer[:2],)
    assert (track.cards, track.is_whole) == (cards_of(table), False)


def test_a_clicked_finish_line_takes_the_place_of_the_missing_one(table):
    read = DrawnTrack(cards_of(table), ((0.0, 0.0),), ((1.0, 1.0),), missing=(("finish", "none is seen"),))
    track = clicked(table, {"finish": [(700, 900), (705, 700)]}, read)
    assert (len(track.finish), track.missing, track.outer) == (2, (), read.outer)


@pytest.mark.parametrize(
    "odd",
    [
        {"outer": [[1, 2], [3, 4]]},
        {"finish": [[1, 2]]},
        {"finish": [[1, 2], [3, 4], [5, 6]]},
        {"inner": "around"},
        {"walls": [[1, 2]]},
        {"walls": 7},
        {"outer": [[1, 2, 3]] * 3},
        {"outer": [[float("nan"), 2]] * 3},
        {"middle": [[1, 2]] * 3},
    ],
)
def test_odd_clicks_are_told(table, odd):
    with pytest.raises(DrawnError, match=r"Click .* points|parts of a track"):
        clicked(table, odd)


def test_the_overlay_is_a_new_picture_with_the_lines_on_it(whiteboard, board_camera):
    photo = whiteboard().track().photo(board_camera)
    table, before = locate(photo), photo.copy()
    drawn = draw_track(photo, table, read_drawn(photo, table))
    assert np.array_equal(photo, before)
    changed = (drawn != photo).any(axis=2)
    assert 0.005 < changed.mean() < 0.1
