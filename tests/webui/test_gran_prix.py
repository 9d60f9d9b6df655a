"""Pyramid Gran Prix on the page: the tracks that sheets make, the words, and the drawing."""

import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from engine.errors import InvalidSetup
from engine.games.gran_prix import Adjust, Drive, Obstacles, Roll, Spin
from engine.games.gran_prix import Turn as CarTurn
from engine.table import Colour, Pose, Pyramid, Scene, Size, Stack
from webui.gamefile import game_file_from_json
from webui.games import gran_prix, tabletop_of
from webui.look import Look
from webui.present import ruling_json
from webui.review import Review
from webui.seen import seen_of

PLAYERS = [
    {"name": "Red", "colour": "red", "gear": 1, "speed": 3},
    {"name": "Blue <b>", "colour": "blue", "gear": 2, "speed": 2},
]
SETUP = {"game": "pyramid-gran-prix", "players": PLAYERS, "pylon": ["Red", "Blue <b>"]}
START = {"red": (244.8, 100.0, 0.0), "blue": (239.8, 60.0, 0.0)}
SIZES = {"red": Size.SMALL, "blue": Size.MEDIUM}


LINES = {
    "outer": [[0, 0], [500, 0], [500, 370], [0, 370]],
    "inner": [[150, 120], [400, 120], [400, 250], [150, 250]],
    "finish": [[300, 0], [300, 120]],
}


def scene(**other):
    stacks = []
    for colour, (x_mm, y_mm, heading) in (START | other).items():
        stacks.append(
            Stack("track-oval", "track", Pose(x_mm, y_mm, heading), (Pyramid(Colour(colour), SIZES[colour]),))
        )
    return Scene.of(stacks)


def look(photo, layout="track-oval", **other):
    table = SimpleNamespace(layout=layout, sheets=(), warnings=())
    seen = SimpleNamespace(scene=scene(**other), table=table, hand_in_view=False, warnings=())
    return Look(photo, observation=seen, image_bgr=np.zeros((4, 4, 3), np.uint8))


def test_the_game_is_registered():
    assert tabletop_of("pyramid-gran-prix") is gran_prix


@pytest.mark.parametrize("layout", [name for name in gran_prix.LAYOUTS if name != "corner-cards"])
def test_sheets_make_a_track(layout):
    track = gran_prix.printed_track(layout)
    assert track.is_on(track.point_at(0.0))
    assert 80 <= track.width_mm <= 90
    assert track.lap_mm > 600


def test_corner_cards_need_lines():
    assert gran_prix.printed_track("corner-cards") is None
    with pytest.raises(InvalidSetup, match="track"):
        gran_prix.start(SETUP, scene(), "corner-cards")


def test_a_drawn_track_takes_the_place_of_the_printed_one():
    drawn = SETUP | {"track": LINES | {"walls": "outer"}}
    state = gran_prix.start(drawn, scene(), "track-oval").state
    assert len(state.track.walls) == 1
    with pytest.raises(InvalidSetup, match="finish line"):
        gran_prix.setup(SETUP | {"track": LINES | {"finish": [[200, 200], [210, 200]]}})


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"players": PLAYERS[:1]}, "2 to 33"),
        ({"laps": 0}, "laps"),
        ({"pole": {"rolls": {"Red": [[9, 99]], "Blue <b>": [[5, 2]]}}, "pylon": []}, "pole"),
        ({"start": "flying"}, "starting line"),
        ({"start": ["pace car"]}, "starting line"),
        ({"track": {"gates": [[[0, 0], [9, 9]]] * 3, "finish": float("inf")}}, "'gates'"),
        ({"track": LINES | {"finish": [[1e300, 0], [300, 120]]}}, "lists of .x, y. in mm"),
        ({"track": LINES | {"outer": [[float("nan"), 0], [500, 0], [500, 370]]}}, "lists of .x, y. in mm"),
        ({"track": LINES | {"sheets": ["corner-sw"]}}, "lists of .x, y. in mm"),
        ({"track": LINES | {"sheets": {"corner-sw": [10**400, 0, 0]}}}, "lists of .x, y. in mm"),
        ({"direction": "north"}, "counter-clockwise"),
        ({"options": {"turbo": True}}, "options"),
        ({"pylon": ["Red"]}, "pylon"),
        ({"error_mm": "much"}, "error_mm"),
        ({"pole": {"rolls": {"Red": [[3, 4]], "Blue <b>": [[5, 2]]}}, "pylon": []}, "tie"),
    ],
)
def test_a_game_json_that_makes_no_sense_is_told(change, words):
    with pytest.raises(InvalidSetup, match=words) as told:
        gran_prix.setup(SETUP | change)
    assert len(str(told.value)) < 400


def test_a_race_is_reviewed_in_words():
    review = Review(game_file_from_json(SETUP))
    events = [review.see(seen_of(look("00.jpg"))), review.see(seen_of(look("01.jpg", red=(271.2, 100.0, 0.0))))]
    events.append(review.see(seen_of(look("02.jpg", red=(297.6, 100.0, 0.0)))))
    said = [ruling_json(event) for event in events]
    assert [line["ruling"] for line in said] == ["none", "legal", "illegal"]
    assert said[1]["text"] == "Red moves."
    assert [rule["id"] for rule in said[2]["rules"]] == ["move-once"]


def test_turns_and_drawings():
    state = gran_prix.start(SETUP, scene(), "track-oval").state
    turn = gran_prix.turn(state)
    assert (turn.headline, turn.colour) == ("Red to move", Colour.RED)
    assert [standing.figures for standing in turn.players] == [("1-3", "3", "5"), ("2-2", "3", "5")]
    svg = str(gran_prix.drawing(state, None, "none"))
    assert svg.count('class="piece') == 2
    assert "Blue &lt;b&gt;" in svg
    assert "<b>" not in svg
    moved = gran_prix.GAME.play(state, Drive("Red"))
    assert 'class="mark legal"' in gran_prix.drawing(moved, state, "legal")
    assert "No race yet" in gran_prix.drawing(None, None, "none")


def test_where_the_next_pyramid_is_laid_is_told_for_the_photo():
    state = gran_prix.start(SETUP, scene(), "track-oval").state
    ((words, corners),) = gran_prix.ahead(state)
    assert words == "Red moves here"
    assert len(corners) == 3
    assert min(x for x, _ in corners) > state.by_name["Red"].pose.x_mm


def test_the_finish_line_and_walls_do_not_look_like_rulings():
    state = gran_prix.start(SETUP | {"track": LINES | {"walls": "outer"}}, scene(), "track-oval").state
    svg = str(gran_prix.drawing(state, None, "none"))
    assert 'class="mark' not in svg
    assert svg.count('class="wall"') == 1
    assert "Finish line" in svg


def test_cars_of_one_colour_are_numbered_and_a_crashed_one_says_how_long_it_waits():
    state = gran_prix.start(SETUP, scene(), "track-oval").state
    red, blue = state.cars
    alike = replace(state, cars=(red, replace(blue, colour=Colour.RED, step=0, waiting=5)))
    turn, svg = gran_prix.turn(alike), str(gran_prix.drawing(alike, None, "none"))
    assert [standing.name for standing in turn.players] == ["Red · 1", "Blue <b> · 2"]
    assert [standing.figures[0] for standing in turn.players] == ["1-3", "waits 5"]
    assert ">R1</text>" in svg
    assert ">R2</text>" in svg


@pytest.mark.parametrize("seed", range(3))
def test_whatever_happens_in_a_race_has_words_and_a_drawing(seed):
    chance = random.Random(seed)
    state = gran_prix.start(SETUP | {"track": LINES | {"walls": "outer"}, "laps": 1}, scene(), "track-oval").state
    for _ in range(40):
        moves = gran_prix.GAME.candidates(state)
        if not moves:
            break
        before, move = state, chance.choice(moves)
        state = gran_prix.GAME.play(state, move)
        turn = gran_prix.turn(state)
        assert turn.headline
        assert sorted(standing.name for standing in turn.players) == ["Blue <b>", "Red"]
        assert gran_prix.move_words(move, state)
        assert str(gran_prix.drawing(state, before, "legal")).count('class="piece') == 2


@pytest.mark.parametrize(
    ("move", "words"),
    [
        (Drive("Ann", Obstacles(("Bob",), True, True)), "Ann moves into Bob and the wall and off the track"),
        (CarTurn("Ann", "left"), "Ann turns left"),
        (Spin("Ann", Pose(1.0, 2.0, 3.0), (("Bob", Pose(1.0, 2.0, 3.0)),)), "Ann spins out and hits Bob"),
        (Roll("Ann", (3, 4), "turn"), "Ann rolls 3 and 4 to turn"),
        (Adjust("Ann", 4), "Ann goes to 2-1"),
        (Adjust("Ann", 0), "Ann stops"),
    ],
    ids=str,
)
def test_moves_in_words(move, words):
    assert gran_prix.move_words(move, None) == words
