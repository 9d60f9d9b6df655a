"""The plan of the table and the light on its paper."""

import numpy as np
import pytest

from calibration.chessboard import chessboard_of
from calibration.optics import Camera, Lens, LocatedSheet, LocatedTable, SheetPose
from vision.paper import LightField, Plan, encoded, light_field, linear, plan_of, printed_on, seen_on, squares_of


def table() -> LocatedTable:
    """The colour card seen from straight above at about 2 px/mm."""
    lens = Lens(1000.0, (319.5, 239.5), (-0.05, 0.0, 0.0, 0.0), (640, 480))
    camera = Camera(lens, ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)), (-132.0, 93.0, 500.0))
    return LocatedTable("colour-card", camera, (LocatedSheet("colour-card", SheetPose(0.4, -0.3, 0.2), 0.1, ()),))


def photo(brightness: np.ndarray) -> np.ndarray:
    """What the camera over `table` sees of the card, each BGR channel multiplied, on a grey table."""
    one = table()
    plan = plan_of(one, 3.0)
    drawing, covered = printed_on(plan, one)
    drawing[~covered] = 60
    pixels = np.stack(np.meshgrid(np.arange(640), np.arange(480)), axis=-1).reshape(-1, 2).astype(np.float64)
    places = np.round(plan.to_plan(one.camera.to_plane(pixels))).astype(int)
    width, height = plan.size_px
    inside = drawing[np.clip(places[:, 1], 0, height - 1), np.clip(places[:, 0], 0, width - 1)]
    light = linear(inside) * brightness
    return np.round(255 * np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.uint8).reshape(480, 640, 3)


def test_plan_points_and_back():
    plan = Plan((10.0, 90.0), 2.0, (40, 30))
    points = plan.points_mm()
    assert points[0] == pytest.approx([10, 90])
    assert points[1] == pytest.approx([10.5, 90])
    assert points[40] == pytest.approx([10, 89.5])
    assert plan.to_plan(points[[45]])[0] == pytest.approx([5, 1])


def test_the_plan_shows_the_photo_where_the_paper_is():
    one = table()
    plan = plan_of(one, 1.0)
    seen = seen_on(plan, photo(np.ones(3)), one.camera).astype(float)
    drawing, covered = printed_on(plan, one)
    inner = covered & (np.abs(drawing.astype(float).mean(axis=2) - 255) < 2)
    assert np.median(seen[inner]) > 245
    assert np.corrcoef(seen[covered].mean(axis=1), drawing[covered].mean(axis=1))[0, 1] > 0.9


def test_light_is_found_by_channel_and_pieces_do_not_count():
    picture = photo(np.array([0.3, 0.5, 0.7]))
    picture[180:300, 250:420] = 12  # something black lies on the paper
    light = light_field(picture, table()).at(np.array([[30.0, 150.0], [132.0, 93.0]]))
    assert light == pytest.approx(np.array([[0.3, 0.5, 0.7]] * 2), rel=0.12)


def test_paper_is_encoded_near_the_same_value_under_any_light():
    bright, dim = (encoded(linear(np.uint8([[[v, v, v]]])) / linear(np.uint8([[[v, v, v]]]))) for v in (240, 90))
    assert bright == pytest.approx(dim)


def cards(side_mm: float) -> LocatedTable:
    """Corner cards around a board of that side, seen from straight above."""
    lens = Lens(900.0, (319.5, 319.5), (0.0, 0.0, 0.0, 0.0), (640, 640))
    middle = 30 + side_mm / 2
    camera = Camera(lens, ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)), (-middle, middle, 700.0))
    far = side_mm - 54
    places = {"corner-sw": (0, 0), "corner-se": (far, 0), "corner-nw": (0, far), "corner-ne": (far, far)}
    sheets = tuple(LocatedSheet(name, SheetPose(x, y, 0.0), 0.1, ()) for name, (x, y) in places.items())
    return LocatedTable("corner-cards", camera, sheets)


def test_of_a_corner_card_only_what_is_left_of_it_is_paper():
    table = cards(320.0)
    plan = plan_of(table, 1.0)
    drawing, covered = printed_on(plan, table)
    cut_away, left = (np.round(plan.to_plan(np.array([[60.0, 60.0], [60.0, 27.0]]))).astype(int)).tolist()
    assert not covered[cut_away[1], cut_away[0]]
    assert drawing[cut_away[1], cut_away[0]].tolist() == [0, 0, 0]
    assert covered[left[1], left[0]]


def test_the_squares_of_a_chessboard_are_drawn_in_the_colours_they_have():
    table = cards(320.0)
    board = chessboard_of(table)
    image = np.full((640, 640, 3), 255, np.uint8)
    pixels = np.stack(np.meshgrid(np.arange(640), np.arange(640)), axis=-1).reshape(-1, 2).astype(np.float64)
    squares = [board.square_at(x, y) for x, y in table.camera.to_plane(pixels)]
    shades = [255 if s is None else (180, 90)["abcdefgh".index(s[0]) % 2 == (int(s[1]) - 1) % 2] for s in squares]
    image[:] = np.array(shades, np.uint8).reshape(640, 640, 1)
    image[300:340, 300:420] = (20, 30, 200)  # a few pieces
    even = LightField((0.0, 0.0), 1.0, ((0.0,) * 6,) * 3, 0.0)
    found = squares_of(board, image, table.camera, even)
    assert (found.dark_bgr, found.light_bgr) == ((90, 90, 90), (180, 180, 180))
    plan = plan_of(table, 1.0)
    drawing, covered = printed_on(plan, table, found)
    a1, b1 = np.round(plan.to_plan(np.array([[50.0, 50.0], [90.0, 50.0]]))).astype(int).tolist()
    assert drawing[a1[1], a1[0]].tolist() == [90, 90, 90]
    assert drawing[b1[1], b1[0]].tolist() == [180, 180, 180]
    assert covered[a1[1], a1[0]]
