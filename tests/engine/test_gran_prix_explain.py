"""What the umpire makes of a race that it sees: moves, faults, spins, and what it cannot tell."""

import random
from dataclasses import replace

import pytest

from engine.errors import InvalidSetup
from engine.games import gran_prix as gp
from engine.games.gran_prix.geometry import moved, turned
from engine.match import Match
from engine.rules import Illegal, Legal, Unclear
from engine.table import Colour, Pose, Pyramid, Scene, Size

ROUND = ("Red 300 90 0 1-3", "Blue 300 55 0 2-2", "Green 300 20 0 3-1")
PHOTOS = (
    ("move Red",),
    ("move Blue",),
    ("move Green",),
    ("move Red", "turn Red left"),
    ("move Blue", "turn Blue left"),
    ("move Red",),
    ("move Blue",),
)
RULINGS = ["legal"] * 6 + ["illegal"]


def word(ruling):
    return "none" if ruling is None else type(ruling).__name__.lower()


def after(state, *moves):
    for text in moves:
        state = gp.play(state, gp.parse(text))
    return state


def line(ruling):
    return "; ".join(map(str, ruling.line))


def rules(ruling):
    return [violation.rule.id for violation in ruling.violations]


def shaken(scene, chance, mm=1.5, deg=2.5):
    stacks = []
    for stack in scene.stacks:
        x_mm, y_mm = stack.pose.x_mm + chance.uniform(-mm, mm), stack.pose.y_mm + chance.uniform(-mm, mm)
        stacks.append(replace(stack, pose=Pose(x_mm, y_mm, (stack.pose.heading_deg + chance.uniform(-deg, deg)) % 360)))
    return Scene.of(stacks)


@pytest.fixture
def photos(race, seen_from_above):
    """The start of a round and its scenes, the last of them with a car that moves once too often."""
    state = race(*ROUND)
    scenes = []
    for moves in PHOTOS:
        state = after(state, *moves)
        scenes.append(seen_from_above(state))
    return scenes


def test_a_photographed_round(race, photos):
    match = Match(gp, race(*ROUND))
    rulings = [match.see(scene) for scene in photos]
    assert [word(ruling) for ruling in rulings] == RULINGS
    assert [line(ruling) for ruling in rulings] == ["; ".join(moves) for moves in PHOTOS]
    assert rules(rulings[-1]) == ["move-by-speed"]
    assert "phases 1 and 2 only" in rulings[-1].violations[0].detail
    assert word(match.see(photos[-2])) == "none"


@pytest.mark.parametrize("seed", range(4))
def test_hands_and_cameras_that_are_a_little_off_change_nothing(race, photos, seed):
    match, chance = Match(gp, race(*ROUND)), random.Random(seed)
    assert [word(match.see(shaken(scene, chance))) for scene in photos] == RULINGS


def test_tables_seen_twice_change_nothing(race, photos):
    match = Match(gp, race(*ROUND))
    assert [word(match.see(scene)) for scene in photos for _ in range(2)] == [
        each for ruling in RULINGS for each in (ruling, "none")
    ]


@pytest.mark.parametrize("hidden", ["Red", "Blue", "Green"])
@pytest.mark.parametrize("photo", [0, 3, 5])
def test_a_car_missing_in_one_photo_accuses_nobody(race, photos, seen_from_above, hidden, photo):
    match, said = Match(gp, race(*ROUND)), []
    colour = Colour(hidden.lower())
    for number, scene in enumerate(photos):
        if number == photo:
            scene = Scene.of([stack for stack in scene.stacks if stack.pyramids[0].colour is not colour])
        said.append(word(match.see(scene)))
    assert said[photo] == "unclear"
    assert "illegal" not in said[:-1]


def test_a_piece_too_many_is_asked_for(race, seen_from_above):
    state = race(*ROUND)
    new = [one for one in seen_from_above(after(state, "move Red")).stacks if one.pyramids[0].colour is Colour.RED]
    ruling = Match(gp, state).see(Scene.of([*seen_from_above(state).stacks, *new]))
    assert isinstance(ruling, Unclear)
    assert "too many" in ruling.reason


def test_spare_pieces_beside_the_track_are_no_cars(race, seen_from_above):
    state = race(*ROUND)
    table = seen_from_above(after(state, "move Red"))
    beside = replace(table.stacks[0], pose=Pose(500.0, 300.0, 12.0))
    ruling = Match(gp, state).see(Scene.of([*table.stacks, beside]))
    assert line(ruling) == "move Red"


def test_a_whole_phase_between_two_photos(race, seen_from_above):
    moves = ("move Red", "turn Red right", "move Blue", "move Green", "turn Green left", "move Red")
    state = race(*ROUND)
    ruling = Match(gp, state).see(seen_from_above(after(state, *moves)))
    assert isinstance(ruling, Legal)
    assert line(ruling) == "; ".join(moves)


def test_the_state_goes_on_from_where_cars_are_seen(race, seen_from_above):
    state = race(*ROUND)
    table = seen_from_above(after(state, "move Red"))
    off = [replace(one, pose=replace(one.pose, y_mm=one.pose.y_mm + 4)) for one in table.stacks]
    match = Match(gp, state)
    assert isinstance(match.see(Scene.of(off)), Legal)
    assert match.state.by_name["Blue"].pose.y_mm == pytest.approx(59, abs=0.1)


# Cars that are a little off, and how exact the photo is.


def laid(state, seen_from_above, off_mm, error_mm=0.0):
    """The ruling where Red moved and lies so much too far, on sheets located so exactly."""
    should = moved(state.by_name["Red"].pose, Size.SMALL)
    table = seen_from_above(state, Red=replace(should, x_mm=should.x_mm + off_mm))
    match = Match(gp, state)
    return match.see(replace(table, error_mm=error_mm)), match.state


@pytest.mark.parametrize(
    ("off_mm", "error_mm", "said"),
    [
        (7.9, 0.0, "legal"),
        (8.3, 0.0, "unclear"),
        (14.0, 0.0, "unclear"),
        (14.4, 0.0, "illegal"),
        (-7.9, 0.0, "legal"),
        (8.3, 0.5, "legal"),
        (11.9, 1.5, "legal"),
        (14.4, 1.0, "unclear"),
        (12.8, 1.5, "unclear"),
        (14.4, 9.0, "unclear"),
    ],
)
def test_a_car_a_little_off_is_placed_and_not_accused_by_what_the_camera_is_exact_to(
    race, seen_from_above, off_mm, error_mm, said
):
    ruling, after = laid(race(*ROUND), seen_from_above, off_mm, error_mm)
    assert word(ruling) == said
    if said == "legal":
        assert line(ruling) == "move Red"
        assert after.acted == ("Red",)


def test_sheets_that_are_located_too_badly_are_named(race, seen_from_above):
    ruling, _ = laid(race(*ROUND), seen_from_above, 0.0, 6.0)
    assert "only known to within 6 mm" in ruling.reason


def test_each_photo_is_judged_by_its_own_exactness(race, seen_from_above):
    state = race(*ROUND)
    match = Match(gp, state)
    assert match.see(replace(seen_from_above(state), error_mm=1.0)) is None
    assert match.state.tolerance.sheet_mm == 1.0
    assert match.see(seen_from_above(state)) is None
    assert match.state.tolerance == state.tolerance


# Faults.


@pytest.mark.parametrize(
    ("moves", "rule"),
    [
        (("move Blue",), "pylon-order"),
        (("move Red", "move Red"), "move-once"),
        (("move Red", "move Blue", "move Green", "move Green"), "move-by-speed"),
        (("move Red", "turn Red left", "turn Red left"), "turn-once"),
        (("move Red", "move Blue", "turn Red left"), "turn-after-move"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_a_fault_is_charged(race, seen_from_above, moves, rule):
    state = race(*ROUND)
    legal, fault = moves[:-1], moves[-1:]
    if rule in ("turn-after-move", "move-by-speed"):
        before = after(state, *legal)
        match = Match(gp, before)
    else:
        fault, match = moves, Match(gp, state)
    ruling = match.see(seen_from_above(after(state, *moves)))
    assert isinstance(ruling, Illegal)
    assert (line(ruling), rules(ruling)) == ("; ".join(fault), [rule])


def test_too_long_a_move_is_charged_and_a_doubtful_one_asked(race, seen_from_above):
    state = race(*ROUND)
    should = after(state, "move Red").by_name["Red"].pose
    for far, expected in ((5.0, "legal"), (11.0, "unclear"), (16.0, "illegal")):
        ruling = Match(gp, state).see(seen_from_above(state, Red=replace(should, x_mm=should.x_mm + far)))
        assert word(ruling) == expected
    assert rules(ruling) == ["one-length"]


def test_a_car_that_merely_lies_elsewhere_is_asked_about(race, seen_from_above):
    state = race(*ROUND)
    ruling = Match(gp, state).see(seen_from_above(state, Green=Pose(200.0, 30.0, 140.0)))
    assert isinstance(ruling, Unclear)
    assert "Green" in ruling.reason


def test_a_car_that_turns_where_it_lies_may_be_our_eye_or_a_fault(race, seen_from_above):
    state = race(*ROUND)
    flipped = replace(state.by_name["Green"].pose, heading_deg=180.0)
    assert isinstance(Match(gp, state).see(seen_from_above(state, Green=flipped)), Unclear)


# Dice and adjustments.


@pytest.fixture
def checking(race):
    """Red is in third gear in phase 2, where turns take a check."""
    return after(race("Red 200 75 0 3-2", "Blue 100 75 0 stopped"), "move Red")


def test_a_turn_by_a_check_that_was_told(checking, seen_from_above):
    match = Match(gp, checking)
    match.declare({"roll": [3, 4], "for": "turn", "player": "Red"})
    ruling = match.see(seen_from_above(after(checking, "move Red", "roll Red 3 4 for turn", "turn Red left")))
    assert isinstance(ruling, Legal)
    assert line(ruling) == "move Red; roll Red 3 4 for turn; turn Red left"
    assert match.state.said == ()


def test_a_turn_after_a_failed_check(checking, seen_from_above):
    match = Match(gp, checking)
    match.declare({"roll": [3, 3], "for": "turn"})
    ruling = match.see(seen_from_above(after(checking, "move Red", "turn Red left")))
    assert isinstance(ruling, Illegal)
    assert rules(ruling) == ["turn-by-gear"]
    assert "failed" in ruling.violations[0].detail


def test_a_failed_check_and_no_turn(checking, seen_from_above):
    match = Match(gp, after(checking, "move Red"))
    match.declare({"roll": [1, 3], "for": "Red to turn"})
    table = after(checking, "move Red", "roll Red 1 3 for turn", "adjust Red 3-1", "move Red")
    match.declare({"adjust": "Red", "gear": 3, "speed": 1})
    ruling = match.see(seen_from_above(table))
    assert line(ruling) == "roll Red 1 3 for turn; adjust Red 3-1; move Red"
    assert match.state.by_name["Red"].control == 2


def test_a_turn_that_takes_a_check_that_nobody_told(checking, seen_from_above):
    table = seen_from_above(after(checking, "move Red", "turn Red left"))
    ruling = Match(gp, checking).see(table)
    assert isinstance(ruling, Unclear)
    assert "check" in ruling.reason


def test_a_roll_that_somebody_forgot_to_tell_accuses_nobody(checking, seen_from_above):
    """Even where dice were told before: Blue's check, and then Red turns, who may have rolled too."""
    match = Match(gp, after(checking, "roll Blue 3 4 for adjust"))
    ruling = match.see(seen_from_above(after(checking, "move Red", "turn Red left")))
    assert isinstance(ruling, Unclear)


def test_told_adjustments_are_judged_when_the_next_round_begins(race, seen_from_above):
    state = after(race("Red 300 75 0 1-1", "Blue 200 75 0 1-1"), "move Red", "move Blue")
    match = Match(gp, state)
    match.declare({"adjust": "Red", "gear": 2, "speed": 1})
    ruling = match.see(seen_from_above(after(state, "adjust Red 1-1", "move Red")))
    assert isinstance(ruling, Illegal)
    assert rules(ruling) == ["adjust-steps"]
    match = Match(gp, state)
    match.declare({"adjust": "Red", "gear": 1, "speed": 2})
    assert isinstance(match.see(seen_from_above(after(state, "adjust Red 1-2", "move Red"))), Legal)
    assert match.state.by_name["Red"].speed == 2


def test_who_may_have_adjusted_unheard_is_not_accused_of_speed(race, seen_from_above):
    state = after(race("Red 300 75 0 1-1", "Blue 200 75 0 1-1"), "move Red", "move Blue", "move Red", "move Blue")
    assert state.unsure == {"Red", "Blue"}
    ruling = Match(gp, state).see(seen_from_above(after(state, "adjust Red 1-2", "move Red", "move Blue", "move Red")))
    assert isinstance(ruling, Legal | Unclear)


def test_another_gear_is_seen_by_its_piece(race, seen_from_above):
    state = after(race("Red 300 75 0 1-3", "Blue 100 75 0 stopped"), *["move Red"] * 3)
    shifted = after(state, "adjust Red 2-1")
    ruling = Match(gp, state).see(seen_from_above(after(shifted, "move Red")))
    assert line(ruling) == "adjust Red 2-1; move Red"


@pytest.mark.parametrize("looks", [Size.SMALL, Size.LARGE])
def test_a_size_that_is_misread_accuses_nobody(race, seen_from_above, looks):
    state = race(*ROUND)
    state = after(state, "move Red")
    wrong = Pyramid(Colour.BLUE, looks)
    assert not isinstance(Match(gp, state).see(seen_from_above(state, Blue=wrong)), Illegal)
    table = seen_from_above(after(state, "move Blue"))
    misread = [
        replace(one, pyramids=(wrong,)) if one.pyramids[0].colour is Colour.BLUE else one for one in table.stacks
    ]
    ruling = Match(gp, state).see(Scene.of(misread))
    assert line(ruling) == "move Blue"
    assert "looks" in ruling.questions[0]


# Spins and crashes.


def test_a_bumped_car_is_spun_and_jumbles_another(race, seen_from_above):
    state = race("Red 300 75 0 1-1", "Blue 315 80 0 1-1", "Green 340 110 0 1-1")
    match = Match(gp, state)
    bumped = after(state, "move Red")
    assert line(match.see(seen_from_above(bumped))) == "move Red"
    assert match.see(seen_from_above(bumped)) is None
    ruling = match.see(seen_from_above(bumped, Blue=Pose(330.0, 85.0, 222.0), Green=Pose(332.0, 125.0, 40.0)))
    assert isinstance(ruling, Legal)
    assert line(ruling) == "spin Blue at 330.0 85.0 222.0 with Green at 332.0 125.0 40.0"
    assert match.state.by_name["Blue"].step == 0


def test_a_car_that_has_to_spin_is_waited_for(race, seen_from_above):
    state = after(race("Red 300 75 0 1-1", "Blue 315 80 0 1-1", "Green 100 75 0 1-1"), "move Red")
    ruling = Match(gp, state).see(seen_from_above(after(replace(state, owed=()), "move Green")))
    assert isinstance(ruling, Unclear)
    assert "Blue spins out" in ruling.reason


@pytest.mark.parametrize("gap_mm", [-1.5, 0.5, 2.0])
def test_whether_cars_touched_is_for_the_table_to_tell(race, seen_from_above, gap_mm):
    state = race("Red 300 75 0 1-1", f"Blue 326 {82.14 + gap_mm} 180 1-1")
    state = replace(state, cars=tuple(replace(car, step=car.step) for car in state.cars))
    match = Match(gp, state)
    assert isinstance(match.see(seen_from_above(after(state, "move Red clear"))), Legal)
    spun = after(state, "move Red into Blue", "spin Blue at 350 90 77")
    assert isinstance(match.see(seen_from_above(spun)), Legal | Unclear)
    played_on = Match(gp, state)
    played_on.see(seen_from_above(after(state, "move Red clear")))
    assert not isinstance(played_on.see(seen_from_above(after(state, "move Red clear", "move Blue clear"))), Illegal)


def test_the_roll_after_a_crash_is_asked_for_when_nobody_told_it(race, seen_from_above):
    state = race("Red 300 20 270 1-1", "Blue 200 75 0 1-1")
    outer = state.track.outer
    state = replace(state, track=replace(state.track, walls=((*outer, outer[0]),)))
    match = Match(gp, state)
    crashed = after(state, "move Red")
    match.see(seen_from_above(crashed))
    table = after(crashed, "spin Red at 300 20 200")
    assert isinstance(match.see(seen_from_above(table)), Legal)
    ruling = match.see(seen_from_above(after(table, "roll Red 5 5 for wait", "move Blue")))
    assert isinstance(ruling, Legal)
    assert "what did the two dice show" in ruling.questions[0]


# More cars than colours.


def test_cars_of_one_colour_are_told_apart_by_where_they_were(race, seen_from_above):
    state = race("Ann/red 300 75 0 1-1", "Bob/red 260 75 0 1-1", "Cid/red 300 120 0 2-1")
    state = replace(state, pylon=(("Bob",), ("Ann",), ("Cid",)))
    match = Match(gp, state)
    wide = after(race("Ann/red 300 75 0 1-1", "Bob/red 260 75 0 1-1", "Cid/red 300 120 0 2-1"), "move Ann")
    assert isinstance(match.see(seen_from_above(wide)), Illegal)
    state = race("Ann/red 300 75 0 1-1", "Bob/red 260 75 0 1-1", "Cid/red 300 120 0 2-1")
    lines = []
    match = Match(gp, state)
    for move in ("move Ann", "move Bob", "move Cid"):
        state = after(state, move)
        lines.append(line(match.see(seen_from_above(state))))
    assert lines == ["move Ann", "move Bob", "move Cid"]


# Told and set up.


@pytest.mark.parametrize(
    "told",
    [
        {"roll": [3, 9], "for": "turn"},
        {"roll": [3, 4], "for": "luck"},
        {"adjust": "Nobody", "gear": 1, "speed": 1},
        {"adjust": "Red", "gear": 4, "speed": 1},
        {"action": "move Red"},
        {"action": "hop"},
        {"pylon": ["Red"]},
        {"weather": "rain"},
        "text",
    ],
    ids=str,
)
def test_what_makes_no_sense_is_told(race, told):
    with pytest.raises(InvalidSetup):
        gp.declare(race(*ROUND), told)


def test_a_pylon_that_is_told_is_taken(race):
    state = gp.declare(race(*ROUND), {"pylon": ["Green", "Red", "Blue"]})
    assert state.awaited == ("Green",)


def test_where_the_next_pyramid_goes_and_what_the_mat_shows(race):
    state = race(*ROUND)
    up = gp.next_up(state)
    red = state.by_name["Red"]
    assert (up.headline, up.moves) == ("Red to move", (("Red", red.pose, moved(red.pose, red.size)),))
    up = gp.next_up(after(state, "move Red"))
    assert (up.cars, up.may_turn, up.turn_takes_check) == (("Blue",), "Red", False)
    mat = gp.status_mat(race("Ann/red 300 75 0 1-1", "Bob/red 260 75 0 2-3"))
    assert [(row.car, row.mat, row.speed, row.control, row.laps) for row in mat.rows] == [
        ("Ann", 1, "1-1", 3, 5),
        ("Bob", 2, "2-3", 3, 5),
    ]
    assert mat.pylon == ("Ann", "Bob")


def test_the_umpire_rolls_the_same_dice_for_the_same_seed():
    throws = [gp.throw(7, number) for number in range(60)]
    assert throws == [gp.throw(7, number) for number in range(60)]
    assert {die for throw in throws for die in throw} == set(range(1, 7))


def test_a_turn_keeps_its_tip_in_what_is_seen(race, seen_from_above):
    state = after(race(*ROUND), "move Red")
    red = state.by_name["Red"]
    ruling = Match(gp, state).see(seen_from_above(state, Red=turned(red.pose, red.size, "right")))
    assert line(ruling) == "turn Red right"
