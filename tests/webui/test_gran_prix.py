"""Pyramid Gran Prix on the page: the tracks that sheets make, the words, and the drawing."""

import math
import random
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from calibration.optics import SheetPose
from calibration.sheets import load_sheets
from engine.errors import InvalidSetup
from engine.game import Touch
from engine.games.gran_prix import Adjust, Drive, Obstacles, Roll, Spin
from engine.games.gran_prix import Turn as CarTurn
from engine.match import Match
from engine.table import Colour, Pose, Pyramid, Scene, Size, Stack
from webui.gamefile import game_file_from_json
from webui.games import gran_prix, tabletop_of
from webui.look import Look
from webui.next_place import poses_svg
from webui.present import ruling_json
from webui.review import Review
from webui.seen import seen_of
from webui.sight import Sight

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


# Where the next pyramid is laid.


def test_the_next_place_is_on_the_sheet_that_holds_it():
    state = gran_prix.start(SETUP, scene(), "track-oval").state
    ((sheet, pose, colour, size),) = gran_prix.next_poses(state)
    assert (sheet, colour, size) == ("track-oval", Colour.RED, Size.SMALL)
    assert (pose.x_mm, pose.y_mm, pose.heading_deg) == pytest.approx((244.8 + 26.4, 100.0, 0.0), abs=0.1)


def test_on_tiles_the_next_place_is_told_in_the_tile_s_own_frame():
    track = gran_prix.printed_track("track-tiles-6")
    front = track.point_at(300.0)
    heading = track.heading_at(front)
    state = gran_prix.start(SETUP | {"track": LINES}, scene(), "track-oval").state
    car = replace(state.by_name["Red"], pose=Pose(*front, heading))
    state = replace(state, track=track, cars=(car, *state.cars[1:]))
    ((sheet, pose, _, _),) = gran_prix.next_poses(state)
    place = next(place for place in track.sheets if place.sheet == sheet)
    x_mm, y_mm = place.laid((pose.x_mm, pose.y_mm))
    assert math.dist((x_mm, y_mm), front) == pytest.approx(26.4, abs=0.1)
    assert (pose.heading_deg + place.turn_deg) % 360 == pytest.approx(heading % 360)
    assert load_sheets()[sheet].holds(pose.x_mm, pose.y_mm)


def test_other_games_lay_nothing_just_so(mids_state):
    assert tabletop_of("martian-mids").next_poses(mids_state("b2 black: large red; c5 white: small red")) == ()


def test_the_next_place_is_drawn_over_the_photo_where_it_is_seen(over):
    sight = Sight(over((264.0, 186.0), 520.0), (("track-oval", SheetPose(0.0, 0.0, 0.0)),))
    to_lay = gran_prix.next_poses(gran_prix.start(SETUP, scene(), "track-oval").state)
    drawn = poses_svg(sight, to_lay)
    tip = sight.shown("track-oval", [(244.8 + 1.5 * 26.38, 100.0)])[0]
    assert f"M{tip[0]:.1f},{tip[1]:.1f}" in drawn
    assert "A small red pyramid is to be laid here" in drawn
    assert poses_svg(replace(sight, sheets=()), to_lay) == ""


# Gates that stand on the table, and the umpire's dice.


def test_gates_on_the_table_are_the_track_and_what_stands_alone_is_a_note():
    ring = [((60.0 * x + 250, 60.0 * y + 190), (150.0 * x + 250, 150.0 * y + 190)) for x, y in _COMPASS]
    posts = [(point, colour) for gate in ring for point, colour in zip(gate, ("clear", "red"), strict=True)]
    standing = [_post(*point, colour) for point, colour in [*posts, ((430.0, 360.0), "red")]]
    cars = [
        replace(stack, sheet="corner-se") for stack in scene(red=(200.0, 85.0, 0.0), blue=(160.0, 90.0, 0.0)).stacks
    ]
    table = Scene.of([*standing, *cars])
    begun = gran_prix.start(SETUP | {"track": {"gates": "seen"}}, table, "corner-cards")
    assert len(begun.state.track.outer) == 8
    assert "The red pyramid at 430, 360 mm stands alone and is no gate." in begun.warnings
    assert {car.name for car in begun.state.cars} == {"Red", "Blue <b>"}


_COMPASS = [(math.cos(math.radians(45 * n)), math.sin(math.radians(45 * n))) for n in range(8)]


def _post(x_mm, y_mm, colour):
    return Stack("corner-se", None, Pose(x_mm, y_mm), (Pyramid(Colour(colour), Size.MEDIUM),))


def test_too_few_gates_are_told():
    with pytest.raises(InvalidSetup, match="0 clear and 0 red ones are seen"):
        gran_prix.start(SETUP | {"track": {"gates": "seen"}}, scene(), "track-oval")


def test_a_new_race_gets_a_seed_where_the_umpire_rolls():
    dealt = gran_prix.deal(SETUP | {"dice": "umpire"})
    assert len(dealt["seed"]) == 32
    assert gran_prix.deal(dealt) == dealt
    assert gran_prix.deal(SETUP) == SETUP
    state = gran_prix.start(dealt | {"pole": "umpire", "pylon": []}, scene(), "track-oval").state
    assert {roll.car for roll in state.dice.thrown} == {"Red", "Blue <b>"}


def test_who_may_roll_may_let_the_umpire_roll_and_reads_what_it_rolled():
    fast = [player | {"gear": 3, "speed": 3} for player in PLAYERS]
    dealt = gran_prix.deal(SETUP | {"dice": "umpire", "players": fast})
    match = Match(gran_prix.GAME, gran_prix.start(dealt, scene(), "track-oval").state)
    for car in ("Red", "Blue <b>", "Red"):
        match.play(Drive(car))
    seen = gran_prix.GAME.visible_to(match.state, None)
    offered = [each for each in gran_prix.choices(seen, None) if each.declaration.get("roll") == "umpire"]
    assert offered
    assert all("the umpire rolls" in each.words and each.dice == 0 for each in offered)
    gran_prix.declare(match, offered[0].declaration)
    thrown = match.state.dice.thrown[-1]
    assert f"The umpire rolled {thrown.dice[0]} and {thrown.dice[1]} for" in gran_prix.turn(match.state).detail
    tapped = gran_prix.choices(gran_prix.start(SETUP, scene(), "track-oval").state, None)
    assert all(each.declaration.get("roll") != "umpire" for each in tapped)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("touch 270,100 Red at 244.1 99.5 1.3 -> Red at 274.1 139.5 2.2", "Red was shifted by 50 mm"),
        ("touch 270,100 Red at 244.1 99.5 1.3 -> Red at 244.1 99.9 31.0", "Red was turned where it lay"),
        ("touch 270,100 small red -> empty", "a small red was taken away"),
        ("touch 270,100 empty -> small red", "a small red was laid down"),
        ("touch 270,100 Red at 1.2.3 4 5 -> Red at 1 2 3", "a Red at 1 2 3 was laid down"),
    ],
)
def test_what_was_touched_is_told_without_coordinates(text, words):
    assert gran_prix.move_words(Touch.parse(text), None) == words
