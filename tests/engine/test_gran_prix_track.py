"""How cars lie, move and turn, and what a track makes of it."""

import math
import random

import pytest

from engine.games.gran_prix import SheetPlace, Tile, Track, TrackError, joined
from engine.games.gran_prix.geometry import (
    LENGTH_MM,
    TURN_DEG,
    Line,
    depth_over_line_mm,
    footprint,
    moved,
    nearest_on,
    overlap_mm,
    overlaps,
    tip,
    turned,
)
from engine.table import Pose, Size

SQUARE_RING = (((0, 0), (300, 0), (300, 300), (0, 300)), ((100, 100), (200, 100), (200, 200), (100, 200)))
FINISH = ((150.0, 0.0), (150.0, 100.0))


@pytest.fixture
def ring():
    return Track(*SQUARE_RING, FINISH)


def test_cars_are_as_long_as_a_face_and_turn_by_its_tip():
    assert [round(LENGTH_MM[size], 1) for size in Size] == [26.4, 36.3, 46.2]
    assert [round(TURN_DEG[size], 1) for size in Size] == [30.3, 30.6, 30.7]


@pytest.mark.parametrize("size", Size)
@pytest.mark.parametrize("heading", [0.0, 77.0, 200.0])
def test_a_move_lays_the_base_on_the_old_tip_and_a_turn_keeps_the_tip(size, heading):
    pose = Pose(50.0, 60.0, heading)
    after = moved(pose, size)
    _, left, right = footprint(after, size)
    assert ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2) == pytest.approx(tip(pose, size))
    for side, sign in (("left", 1), ("right", -1)):
        rolled = turned(pose, size, side)
        assert tip(rolled, size) == pytest.approx(tip(pose, size))
        assert (rolled.heading_deg - heading) % 360 == pytest.approx(sign * TURN_DEG[size] % 360)


def test_three_turns_in_first_gear_make_a_right_angle():
    pose = Pose(0.0, 0.0, 0.0)
    for _ in range(3):
        pose = turned(moved(pose, Size.SMALL), Size.SMALL, "left")
    assert pose.heading_deg == pytest.approx(90.9, abs=0.1)


def test_whether_footprints_overlap_is_told_as_by_their_depth():
    chance = random.Random(3)
    poses = [Pose(chance.uniform(0, 60), chance.uniform(0, 60), chance.uniform(0, 360)) for _ in range(60)]
    pairs = [(footprint(one, Size.LARGE), footprint(other, Size.SMALL)) for one in poses for other in poses[:20]]
    told = [overlaps(*pair) for pair in pairs]
    assert told == [overlap_mm(*pair) > 0 for pair in pairs]
    assert {True, False} == set(told)


def test_footprints_overlap_by_their_depth():
    one = footprint(Pose(0.0, 0.0, 90.0), Size.LARGE)
    beside = footprint(Pose(30.0, 0.0, 90.0), Size.LARGE)
    assert overlap_mm(one, beside) < 0
    assert overlap_mm(one, footprint(Pose(20.0, 0.0, 90.0), Size.LARGE)) > 0
    assert overlap_mm(one, one) == pytest.approx(overlap_mm(one, one))
    assert overlap_mm(one, beside) == pytest.approx(overlap_mm(beside, one))


@pytest.mark.parametrize(("x_mm", "depth"), [(-30.0, -11.9), (-18.1, 0.0), (-10.0, 8.1)])
def test_how_far_a_tip_reaches_over_a_line(x_mm, depth):
    corners = footprint(Pose(x_mm, 0.0, 0.0), Size.MEDIUM)
    assert depth_over_line_mm(corners, ((0.0, -100.0), (0.0, 100.0))) == pytest.approx(depth, abs=0.1)


def test_a_footprint_about_a_short_wall_touches_it():
    assert depth_over_line_mm(footprint(Pose(0.0, 0.0, 0.0), Size.LARGE), ((-10.0, 1.0), (-10.0, -1.0))) > 0


def test_the_nearest_place_is_the_same_by_cells(ring):
    line = Line(ring.centre)
    for x in range(-50, 350, 37):
        for y in range(-50, 350, 41):
            assert line.nearest((x, y))[0] == pytest.approx(nearest_on(ring.centre, (x, y))[0])


def test_on_and_off(ring):
    assert ring.is_on((150, 50))
    assert not ring.is_on((150, 150))
    assert not ring.is_on((-5, 50))
    assert ring.depth_off_mm((150, 10)) == pytest.approx(-10)
    assert ring.depth_off_mm((150, 110)) == pytest.approx(10)
    assert ring.nearest_on_track((150, 120)) == pytest.approx((150, 100))
    assert ring.to_inner_mm((150, 70)) == pytest.approx(30)
    assert ring.width_mm == pytest.approx(100)


def test_progress_goes_round_with_the_race(ring):
    ways = [ring.progress_mm(point) for point in ((140, 50), (160, 50), (250, 60))]
    assert ways[0] < 0 < ways[1] < ways[2]
    other_way = Track(*SQUARE_RING, FINISH, "clockwise")
    assert other_way.progress_mm((140, 50)) > 0 > other_way.progress_mm((160, 50))
    assert ring.heading_at((150, 50)) == pytest.approx(0, abs=1)
    assert other_way.heading_at((150, 50)) == pytest.approx(180, abs=1)
    for at in (-200.0, 0.0, 90.0, 300.0):
        assert ring.progress_mm(ring.point_at(at)) == pytest.approx(at, abs=0.5)


def test_a_track_of_gates_runs_straight_between_them():
    gates = tuple(
        ((100 * math.cos(a), 100 * math.sin(a)), (200 * math.cos(a), 200 * math.sin(a)))
        for a in (math.radians(45 * n - 90) for n in range(8))
    )
    track = Track.of_gates(gates)
    assert track.finish == gates[0]
    assert track.is_on((0, -150))
    assert not track.is_on((199 * math.cos(math.radians(-67.5)), 199 * math.sin(math.radians(-67.5))))
    with pytest.raises(TrackError, match="three gates"):
        Track.of_gates(gates[:2])
    with pytest.raises(TrackError, match="gate 9"):
        Track.of_gates(gates, finish=8)


def test_tiles_make_a_ring_in_whatever_order_and_way_round_they_lie():
    corners = [((0, 0), (100, 100)), ((300, 0), (200, 100)), ((300, 300), (200, 200)), ((0, 300), (100, 200))]
    ends = [(outer, inner) for outer, inner in corners]
    tiles = [Tile((ends[n][0], ends[(n + 1) % 4][0]), (ends[n][1], ends[(n + 1) % 4][1])) for n in (0, 2, 1, 3)]
    tiles[1] = tiles[1].turned_round
    track = joined(tuple(tiles), FINISH)
    assert track.is_on((150, 50))
    assert not track.is_on((150, 150))
    with pytest.raises(TrackError, match="no ring"):
        joined(tuple(tiles[:3]), FINISH)


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"outer": ((0, 0), (9, 9))}, "three points"),
        ({"inner": ((400, 0), (500, 0), (500, 100))}, "inside"),
        ({"direction": "north"}, "counter-clockwise or clockwise"),
        ({"finish": ((150.0, 150.0), (150.0, 160.0))}, "finish line"),
        ({"walls": (((0.0, 0.0),),)}, "wall"),
    ],
)
def test_lines_that_make_no_track_say_why(change, words):
    fine = {"outer": SQUARE_RING[0], "inner": SQUARE_RING[1], "finish": FINISH}
    with pytest.raises(TrackError, match=words):
        Track(**(fine | change))


def test_a_turned_sheet_lies_in_the_frame_of_the_track():
    assert SheetPlace("tile", 198.0, 198.0, 90.0).laid((10.0, 20.0)) == pytest.approx((178.0, 208.0))
