"""Which place a finger means, what may lie there, and what a form of the page says about it."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from calibration.optics import LocatedSheet, LocatedTable, SheetPose
from engine.table import Colour, Pose, Pyramid, Reading, Scene, Stack
from webui.correcting import Correction, remembered, with_corrections
from webui.games import tabletop_of
from webui.live import Moment
from webui.placing import NoSuchPlaceError, correction_of, likely_words, place_view
from webui.review import Event
from webui.sight import Sight, picture_svg, sight_of

MIDS = tabletop_of("martian-mids")


def stack(sheet, zone, at, names, heading=None, readings=(), stand=None):
    pyramids = tuple(Pyramid.parse(name) for name in names.split(","))
    return Stack(sheet, zone, Pose(*at, heading), pyramids, stand, readings)


def seen(*stacks, sheets=("board-sw",), camera=None):
    """A moment that shows these stacks."""
    sight = Sight(camera, tuple((sheet, SheetPose(0.0, 0.0, 0.0)) for sheet in sheets)) if camera else None
    return Moment(MIDS, (Event("00.jpg", MIDS, scene=Scene.of(list(stacks)), sight=sight),), 0)


@pytest.fixture
def camera(observation_of):
    return observation_of("b2 black: large red").table.camera


def mended(moment, value):
    """The stacks of the scene once what the button says is so."""
    scene = moment.current.scene
    correction = Correction.from_json(json.loads(value))
    return with_corrections(scene, (remembered(scene, correction),)).stacks


def test_readings_that_say_the_same_are_one_and_unlikely_ones_none():
    red, green = Pyramid.parse("large red"), Pyramid.parse("large green")
    readings = (
        Reading((red,), 40.0, None, 0.4),
        Reading((green,), None, None, 0.3),
        Reading((red,), 50.0, None, 0.297),
        Reading((green,), 0.0, None, 0.003),
    )
    moment = seen(stack("board-sw", "b2", (90.0, 90.0), "large red", 40.0, readings))
    (view,) = place_view(moment, {"at": "b2"})["stacks"]
    assert [(each["words"], each["likely"]) for each in view["alternatives"]] == [
        ("Large red lying, pointing north-east", "probably, 70 %"),
        ("Large green", "perhaps, 30 %"),
    ]
    (after,) = mended(moment, view["alternatives"][1]["value"])
    assert (after.pyramids, after.pose.heading_deg) == ((green,), None)
    assert mended(moment, view["nothing"]) == ()


def test_what_players_have_said_is_shown_as_theirs():
    view = place_view(seen(stack("board-sw", "b2", (90.0, 90.0), "large red")), {"at": "b2"})
    assert view["stacks"][0]["alternatives"][0]["likely"] == "as you say"


@pytest.mark.parametrize(
    ("probability", "words"),
    [(0.999, "almost surely, 100 %"), (0.6, "probably, 60 %"), (0.25, "perhaps, 25 %"), (0.001, "hardly, 1 %")],
)
def test_likelihood_is_said_in_words(probability, words):
    assert likely_words(probability) == words


def test_a_heap_gets_one_more_piece_beside_the_others():
    heap = [stack("scrapyard", "scrapyard", (60.0 + 40 * n, 90.0), "small red") for n in range(3)]
    moment = seen(*heap, sheets=("scrapyard",))
    view = place_view(moment, {"at": "scrapyard"})
    assert len(view["stacks"]) == 3
    assert view["builder"]["is_one_more"]
    where = json.loads(view["builder"]["where"])
    said = {"where": view["builder"]["where"], "colour": "blue", "size": "large", "way": "90", "build": "only"}
    after = mended(moment, json.dumps(correction_of(said).to_json()))
    assert len(after) == 4
    assert min(abs(where["x_mm"] - one.pose.x_mm) + abs(where["y_mm"] - one.pose.y_mm) for one in heap) > 25


def test_the_nearest_car_is_meant():
    cars = (
        stack("track-oval", "track", (270.0, 60.0), "small red", 0.0),
        stack("track-oval", "track", (270.0, 90.0), "large blue", 0.0),
    )
    view = place_view(seen(*cars, sheets=("track-oval",)), {"at": "table@268.0,80.0"})
    assert view["words"] == "Large blue"
    assert view["builder"]["degrees"]


def test_on_a_board_between_cards_the_square_is_enough():
    moment = seen(stack("corner-sw", "b2", (90.0, 90.0), "large red"), sheets=("corner-sw", "corner-ne"))
    said = {"where": place_view(moment, {"at": "h8"})["builder"]["where"], "colour": "blue", "size": "small"}
    after = mended(moment, json.dumps(correction_of(said).to_json()))
    assert sorted((one.zone, str(one.pyramids[0])) for one in after) == [("b2", "large red"), ("h8", "small blue")]


def test_one_more_stands_on_top():
    moment = seen(stack("board-sw", "b2", (90.0, 90.0), "large red", stand=Colour.BLACK))
    build = place_view(moment, {"at": "b2"})["builder"]
    said = {"where": build["where"], "colour": "blue", "size": "small", "stand": build["stand"], "build": "top"}
    (after,) = mended(moment, json.dumps(correction_of(said).to_json()))
    assert (list(map(str, after.pyramids)), after.stand) == (["large red", "small blue"], Colour.BLACK)


@pytest.mark.parametrize("at", ["z9", "nowhere/b2", "table@1,nan", "table@1", "", "silos-1/silo-3", "../../etc"])
def test_what_is_no_place_is_refused_in_words(at):
    with pytest.raises(NoSuchPlaceError, match=r"no such place|No piece was read"):
        place_view(seen(stack("board-sw", "b2", (90.0, 90.0), "large red")), {"at": at})


@pytest.mark.parametrize(
    "said",
    [
        {},
        {"as": "null"},
        {"as": "[" * 5000},
        {"as": '{"sheet": ' * 300},
        {"as": '{"sheet": "moon", "x_mm": 1, "y_mm": 1, "pyramids": []}'},
        {"where": "{}", "colour": "red", "size": "huge"},
        {"where": '{"sheet": "board-sw", "x_mm": 1, "y_mm": 2}', "colour": "red", "size": "small", "way": "east"},
    ],
)
def test_forms_that_were_made_up_are_refused(said):
    with pytest.raises(ValueError, match=r"correction|expected|convert"):
        correction_of(said)


# The picture.


def test_a_pixel_and_the_place_that_it_shows(observation_of):
    sight = sight_of(observation_of("b2 black: large red").table)
    ((x, y),) = sight.shown("board-sw", [(81.0, 96.0)])
    sheet, x_mm, y_mm = sight.pointed_at(x, y)
    assert (sheet, x_mm, y_mm) == ("board-sw", pytest.approx(81.0), pytest.approx(96.0))
    assert sight.shown("board-ne", [(1.0, 1.0)]) == []
    assert sight.pointed_at(-500.0, -500.0) is None


def test_a_tap_beside_the_mats_is_said(camera):
    with pytest.raises(NoSuchPlaceError, match="beside the mats"):
        place_view(seen(camera=camera), {"x": "-500", "y": "0"})


def test_what_is_kept_of_a_sight_is_all_of_it(observation_of):
    table = observation_of("b2 black: large red").table
    turned = LocatedSheet("board-se", SheetPose(198.2, 0.5, -0.4, 1.01), 0.3, ())
    sight = sight_of(LocatedTable("board", table.camera, (*table.sheets, turned)))
    assert Sight.from_json(json.loads(json.dumps(sight.to_json()))) == sight


@pytest.mark.parametrize(
    "odd",
    [{"focal_px": "1"}, {"centre_px": [1]}, {"rotation": [[1, 0, 0]]}, {"sheets": {"moon": [0, 0, 0, 1]}}]
    + [{"size_px": [0, 5]}, {"translation_mm": [1, 2, float("nan")]}, {"sheets": {"board-sw": [1]}}],
)
def test_an_odd_sight_is_refused(observation_of, odd):
    doc = sight_of(observation_of("b2 black: large red").table).to_json()
    with pytest.raises(ValueError, match="how a picture was taken"):
        Sight.from_json(doc | odd)


def test_the_drawing_over_the_photo_names_levels_and_doubts(camera):
    sure = stack("board-sw", "b2", (90.0, 90.0), "large red,small yellow")
    doubtful = replace(
        stack("board-sw", "d3", (150.0, 120.0), "large blue", 30.0),
        readings=(Reading((Pyramid.parse("large blue"),), 30.0, None, 0.5),),
    )
    svg = picture_svg(
        "/a.jpg", "The <photo>", Sight(camera, (("board-sw", SheetPose(0.0, 0.0, 0.0)),)), Scene.of([sure, doubtful])
    )
    assert svg.count('class="seen-line') == 2
    assert [svg.count(f">{letter}</text>") for letter in "RYB?"] == [1, 1, 1, 1]
    assert "The &lt;photo&gt;" in svg
    assert svg.count("stroke-dasharray") == 1
