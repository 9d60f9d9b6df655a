"""Pyramid Gran Prix: every rule broken once, and what moves do."""

from dataclasses import replace

import pytest

from engine.errors import InvalidNotation
from engine.game import Touch
from engine.games import gran_prix as gp
from engine.games.gran_prix import Adjust, Drive, Obstacles, Options, Roll, Spin, Track, Turn
from engine.games.gran_prix.notation import pose_text
from engine.games.gran_prix.state import Crashed, Spinning, leader_pylon
from engine.table import Pose, Size


def played(state, *moves):
    """The state after moves that all keep the rules."""
    for text in moves:
        move = gp.parse(text)
        assert gp.violations(state, move) == (), text
        state = gp.play(state, move)
    return state


def broken(state, text):
    return [violation.rule.id for violation in gp.violations(state, gp.parse(text))]


def speeds(state):
    return [gp.STEPS[car.step] for car in state.cars]


def walled(state):
    """The same race between walls."""
    track = state.track
    return replace(state, track=Track(track.outer, track.inner, track.finish, walls=((*track.outer, track.outer[0]),)))


# Moving.


def test_cars_move_in_the_order_of_the_pylon(race):
    state = race("Red 300 75 0 1-1", "Blue 200 75 0 1-1")
    assert broken(state, "move Blue") == ["pylon-order"]
    assert broken(played(state, "move Red"), "move Blue") == []


def test_a_car_moves_once_a_phase(race):
    state = played(race("Red 300 75 0 1-3", "Blue 200 75 0 1-3"), "move Red")
    assert broken(state, "move Red") == ["move-once"]


@pytest.mark.parametrize(("speed", "phases"), [("1-1", 1), ("2-1", 1), ("2-2", 2), ("3-2", 2), ("1-3", 3), ("3-3", 3)])
def test_a_car_moves_in_as_many_phases_as_its_speed(race, speed, phases):
    state = race(f"Red 300 75 0 {speed}", "Blue 200 75 0 1-3", "Green 100 75 0 stopped")
    assert broken(state, "move Green") == ["move-by-speed"]
    for phase in (1, 2, 3):
        assert state.ready.stage == phase
        if phase <= phases:
            state = played(state, "move Red")
        else:
            assert broken(state, "move Red") == ["move-by-speed"]
        state = played(state, "move Blue")


def test_a_car_that_may_move_must(race):
    state = played(race("Red 300 75 0 1-1", "Blue 200 75 0 1-1"), "move Red")
    assert broken(state, "adjust Red 1-2") == ["must-move"]
    assert broken(played(state, "move Blue"), "adjust Red 1-2") == []


def test_a_move_goes_one_length_straight_on(race):
    state = race("Red 300 75 0 1-1", "Blue 200 75 0 1-1")
    should = gp.play(state, Drive("Red")).by_name["Red"].pose
    assert gp.violations(state, Drive("Red", None, replace(should, x_mm=should.x_mm + 5, y_mm=72.0))) == ()
    for other in (replace(should, x_mm=should.x_mm + 20), replace(should, heading_deg=25.0)):
        assert broken(state, f"move Red at {pose_text(other)}") == ["one-length"]


def test_only_cars_of_the_race_move(race):
    state = race("Red 300 75 0 1-1", "Blue 200 75 0 1-1")
    for text in ("move Green", "turn Green left", "adjust Green 1-1", "roll Green 1 1 for turn", "move Red into Green"):
        assert broken(state, text) == ["a-car-of-the-race"]


def test_nothing_moves_after_the_finish(race):
    state = race("Red 490 75 0 1-1", "Blue 200 75 0 1-1")
    state = played(replace(state, cars=tuple(replace(car, laps=0) for car in state.cars)), "move Red")
    assert (gp.outcome(state).winners, broken(state, "move Blue")) == (("Red",), ["race-is-over"])
    assert gp.places(state) == ("Red", "Blue")


# Turning.


def test_a_car_turns_right_after_its_move_only(race):
    state = race("Red 300 75 0 1-3", "Blue 200 75 0 1-3")
    assert broken(state, "turn Red left") == ["turn-after-move"]
    state = played(state, "move Red", "move Blue")
    assert broken(state, "turn Red left") == ["turn-after-move"]
    assert broken(state, "turn Blue left") == []


def test_a_car_turns_over_one_side_a_phase(race):
    state = played(race("Red 300 75 0 1-3", "Blue 200 75 0 1-3"), "move Red", "turn Red left")
    assert broken(state, "turn Red left") == ["turn-once"]


@pytest.mark.parametrize(("speed", "free"), [("1-3", "123"), ("2-3", "12"), ("3-3", "1")])
def test_high_gears_turn_in_late_phases_by_a_check_only(race, speed, free):
    state = race(f"Red 200 75 0 {speed}", "Blue 100 75 0 stopped")
    for phase in "123":
        state = played(state, "move Red")
        if phase in free:
            assert broken(state, "turn Red left") == []
            assert broken(state, "roll Red 3 4 for turn") == ["check-for-need"]
        else:
            assert broken(state, "turn Red left") == ["turn-by-gear"]
            assert broken(played(state, "roll Red 3 4 for turn"), "turn Red left") == []
            failed = played(state, "roll Red 2 4 for turn")
            assert broken(failed, "turn Red left") == ["turn-by-gear"]
            assert broken(failed, "roll Red 6 6 for turn") == ["check-for-need"]
            assert failed.by_name["Red"].control == 2
            assert broken(played(state, "roll Red ? for turn"), "turn Red left") == []


def test_two_dice_have_six_sides(race):
    state = played(race("Red 200 75 0 3-3", "Blue 100 75 0 stopped"), "move Red", "move Red")
    assert gp.RULES
    assert broken(state, "roll Red 0 9 for turn") == ["two-dice"]


def test_a_third_failed_check_spins_the_driver_out(race):
    state = played(race("Red 200 75 0 3-3", "Blue 100 75 0 stopped"), "move Red", "move Red", "roll Red 1 1 for turn")
    one_left = replace(state, cars=tuple(replace(car, control=1) for car in state.cars), check=None)
    state = played(one_left, "roll Red 1 1 for turn")
    assert (state.owed, speeds(state)[0]) == ((Spinning("Red"),), "stopped")
    assert broken(state, "move Red") == broken(state, "turn Red left") == ["settle-first"]
    state = played(state, "spin Red at 290 70 123.4")
    assert (state.by_name["Red"].control, state.owed) == (3, ())


# What cars meet.


def test_a_car_in_the_way_is_bumped_and_spins(race):
    state = played(race("Red 300 75 0 1-1", "Blue 315 80 0 1-1"), "move Red")
    assert state.owed == (Spinning("Blue"),)
    assert broken(state, "spin Red at 300 75 90") == ["spin-owed"]
    state = played(state, "spin Blue at 330 90 200 with Red at 328 70 10")
    assert (speeds(state), state.by_name["Red"].pose) == (["1-1", "stopped"], Pose(328.0, 70.0, 10.0))
    assert broken(state, "move Blue") == ["move-by-speed"]


def test_a_turn_may_bump_too(race):
    state = race("Red 300 75 0 1-1", "Blue 330 56 0 1-1")
    assert played(state, "move Red clear", "turn Red left").owed == (Spinning("Blue"),)
    assert played(state, "move Red clear", "turn Red right").owed == ()


def test_what_is_said_to_be_met_must_be_there(race):
    state = race("Red 300 75 0 1-1", "Blue 315 80 0 1-1", "Green 100 75 0 1-1")
    assert broken(state, "move Red into Green") == ["bump", "bump"]
    assert broken(state, "move Red into Blue wall") == ["wall"]
    assert broken(state, "move Red into Blue off") == ["leaving-the-track"]
    assert broken(race("Red 300 75 0 1-1", "Blue 310 88 0 1-1"), "move Red clear") == []


def test_off_the_track_a_car_spins_once_and_drives_on(race):
    state = played(race("Red 300 5 270 1-1", "Blue 200 75 0 1-1"), "move Red")
    assert (state.owed, state.by_name["Red"].is_off) == ((Spinning("Red"),), True)
    state = played(state, "spin Red at 300 -15 200", "move Blue", "adjust Red 1-1", "move Red")
    assert (state.owed, state.by_name["Red"].is_off) == ((), True)


def test_a_car_that_left_the_track_may_be_put_back(race):
    state = race("Red 300 5 270 1-1", "Blue 200 75 0 1-1", options=Options(back_on_track=True))
    state = played(state, "move Red", "spin Red at 300 -15 180")
    red = state.by_name["Red"]
    assert state.track.depth_off_mm(gp.tip(red.pose, red.size)) < 1
    assert red.pose.y_mm > -2


def test_a_wall_crashes_and_the_roll_says_how_long(race):
    state = walled(race("Red 300 20 270 1-1", "Blue 200 75 0 1-3"))
    state = played(state, "move Red")
    assert state.owed == (Spinning("Red"), Crashed("Red"))
    state = played(state, "spin Red at 300 20 200")
    assert broken(state, "move Blue") == ["settle-first"]
    state = played(state, "roll Red 1 2 for wait", "move Blue", "move Blue", "move Blue")
    assert broken(state, "adjust Red 1-1") == ["crash-wait"]
    assert broken(state, "move Red") == ["crash-wait"]
    state = played(state, "adjust Blue 1-3", "move Blue", "move Blue", "move Blue")
    assert broken(state, "adjust Red 1-1") == []


def test_a_wait_is_rolled_after_a_crash_only(race):
    assert broken(race("Red 300 75 0 1-1", "Blue 200 75 0 1-1"), "roll Red 3 4 for wait") == ["check-for-need"]


def test_a_crashed_car_that_is_hit_waits_anew_and_the_other_spins(race):
    state = race("Red 300 75 0 1-1", "Blue 315 80 0 stopped")
    state = replace(state, cars=tuple(replace(car, waiting=9 * (car.name == "Blue")) for car in state.cars))
    state = played(state, "move Red")
    assert state.owed == (Spinning("Blue"), Crashed("Blue"), Spinning("Red"))
    state = played(state, "spin Blue at 330 90 10", "roll Blue 1 1 for wait", "spin Red at 320 60 77")
    assert (state.by_name["Blue"].waiting, state.by_name["Red"].waiting) == (3, 0)


def test_a_car_jumbled_off_the_track_spins_too_and_one_on_it_does_not(race):
    state = played(race("Red 300 5 270 1-1", "Blue 350 8 0 1-1", "Green 350 30 0 1-1"), "move Red into off")
    on, off = ("Blue", Pose(340.0, 9.0, 40.0)), ("Green", Pose(340.0, -20.0, 40.0))
    state = gp.play(state, Spin("Red", Pose(300.0, -5.0, 10.0), (on, off)))
    assert state.owed == (Spinning("Green"),)


# Laps.


def test_a_lap_is_one_crossing_of_the_line_by_any_part(race):
    state = race("Red 460 75 0 1-3", "Blue 100 75 0 stopped")
    laps = []
    for _ in range(3):
        state = played(state, "move Red")
        laps.append(state.by_name["Red"].laps)
    assert laps == [5, 4, 4]
    assert played(race("Red 500 75 0 1-1", "Blue 100 75 0 stopped"), "move Red").by_name["Red"].laps == 4
    assert played(race("Red 502 75 0 1-1", "Blue 100 75 0 stopped"), "move Red").by_name["Red"].laps == 4


def test_turns_and_spins_cross_no_line(race):
    state = played(race("Red 477 75 90 1-3", "Blue 100 75 0 stopped"), "move Red")
    before = state.by_name["Red"].laps
    assert played(state, "turn Red right").by_name["Red"].laps == before
    state = played(race("Red 300 5 270 1-1", "Blue 200 75 0 1-1"), "move Red")
    assert played(state, "spin Red at 520 75 0").by_name["Red"].laps == 5


def test_a_back_swung_over_the_line_counts_no_further_lap(race):
    state = race("Red 475 75 0 1-3", "Blue 100 75 0 stopped")
    state = played(state, "move Red", "move Red")
    assert state.by_name["Red"].laps == 4
    state = played(state, "turn Red left", "move Red")
    assert state.by_name["Red"].laps == 4


def test_crossing_backwards_takes_a_lap_or_gives_one_back(race):
    cars = ("Red 510 75 180 1-1", "Blue 100 75 0 stopped")
    assert played(race(*cars), "move Red").by_name["Red"].laps == 4
    state = race(*cars, options=Options(backwards_gives_lap_back=True))
    assert played(state, "move Red").by_name["Red"].laps == 6


def test_the_first_crossing_may_be_free(race):
    state = race("Red 490 75 0 1-1", "Blue 100 75 0 1-1", options=Options(first_crossing_is_free=True))
    state = played(state, "move Red")
    assert (state.by_name["Red"].laps, state.winner) == (5, None)
    near = [replace(car, laps=1, is_counted=False, pose=replace(car.pose, x_mm=490.0)) for car in state.cars]
    assert played(replace(state, cars=tuple(near)), "move Blue").winner is None
    assert played(replace(state, cars=tuple(near), acted=()), "move Red").winner == "Red"


# Adjustments.


@pytest.mark.parametrize(
    ("step", "legal"), [("stopped", False), ("1-1", True), ("1-2", True), ("1-3", True), ("2-1", False), ("2-2", False)]
)
def test_a_driver_goes_one_step_up_or_down(race, step, legal):
    state = played(race("Red 300 75 0 1-2", "Blue 200 75 0 stopped"), "move Red", "move Red")
    assert (broken(state, f"adjust Red {step}") == []) is legal
    if not legal:
        assert broken(state, f"adjust Red {step}") == ["adjust-steps"]


def test_two_steps_take_a_check(race):
    state = played(race("Red 300 75 0 1-2", "Blue 200 75 0 stopped"), "move Red", "move Red")
    assert broken(state, "roll Red 3 4 for start") == ["check-for-need"]
    passed = played(state, "roll Red 3 4 for adjust")
    assert broken(passed, "adjust Red 2-1") == []
    assert broken(passed, "adjust Red 2-2") == ["adjust-steps"]
    assert broken(passed, "roll Red 6 6 for adjust") == ["check-for-need"]
    failed = played(state, "roll Red 1 2 for adjust")
    assert broken(failed, "adjust Red 2-1") == ["adjust-steps"]
    assert speeds(played(failed, "adjust Red 1-3"))[0] == "1-3"
    assert failed.by_name["Red"].control == 2


def test_a_driver_adjusts_once_a_round(race):
    state = played(race("Red 300 75 0 1-1", "Blue 200 75 0 1-1"), "move Red", "move Blue", "adjust Red 1-2")
    assert broken(state, "adjust Red 1-3") == ["adjust-once"]


def test_another_gear_lays_another_piece_with_its_tip_where_the_tip_was(race):
    state = played(race("Red 300 75 40 1-3", "Blue 200 75 0 stopped"), "move Red", "move Red", "move Red")
    before = state.by_name["Red"]
    after = played(state, "adjust Red 2-1").by_name["Red"]
    assert (after.size, after.gear, after.speed) == (Size.MEDIUM, 2, 1)
    assert after.tip == pytest.approx(before.tip)
    assert after.pose.heading_deg == pytest.approx(40)


def test_a_spun_car_keeps_its_piece_until_it_goes_in_first_gear(race):
    state = played(race("Red 300 75 0 3-1", "Blue 350 75 0 2-1"), "move Red", "spin Blue at 360 75 0")
    assert (state.by_name["Blue"].size, state.by_name["Blue"].gear) == (Size.MEDIUM, 0)
    assert played(state, "adjust Blue 1-1").by_name["Blue"].size == Size.SMALL


def test_a_standing_start_takes_a_seven(race):
    state = race("Red 300 -40 90 stopped", "Blue 350 -40 90 stopped")
    waiting = replace(state, cars=tuple(replace(car, has_started=False, is_off=True) for car in state.cars))
    assert broken(waiting, "adjust Red 1-1") == broken(waiting, "move Red") == ["standing-start"]
    state = played(waiting, "roll Red 3 3 for start", "roll Blue 6 6 for start")
    assert [car.has_started for car in state.cars] == [False, True]
    assert [car.control for car in state.cars] == [3, 3]
    state = played(state, "adjust Blue 1-1", "roll Red 5 5 for start", "move Blue")
    assert state.owed == ()


def test_stopped_cars_do_not_move_in_the_first_round(race):
    state = race("Red 500 75 0 stopped", "Blue 470 75 0 stopped")
    assert broken(state, "move Red") == ["move-by-speed"]
    state = played(state, "adjust Red 1-1", "adjust Blue 1-1", "move Red", "move Blue")
    assert state.round_number == 2


# The leader pylon.


def test_the_pylon_goes_by_progress_then_by_who_is_inner(race):
    state = race("Red 300 40 0 1-1", "Blue 340 75 0 1-1", "Green 301 110 0 1-1")
    assert leader_pylon(state) == (("Blue",), ("Green",), ("Red",))


def test_of_two_that_are_too_close_to_call_either_may_move_first(race):
    state = race("Red 300 75 0 1-1", "Blue 307 100 0 1-1")
    assert leader_pylon(state) == (("Blue",), ("Red",))
    state = race("Red 307 75 0 1-1", "Blue 300 100 0 1-1")
    assert leader_pylon(state) == (("Red", "Blue"),)
    state = replace(state, pylon=leader_pylon(state))
    assert broken(state, "move Blue") == broken(state, "move Red") == []


def test_a_car_that_blocks_a_level_one_leads(race):
    state = race("Red 300 75 0 1-1", "Blue 303 78 90 1-1")
    blocked = [name for group in leader_pylon(state) for name in group]
    assert blocked == ["Blue", "Red"]


def test_a_car_a_lap_ahead_leads(race):
    state = race("Red 300 75 0 1-1", "Blue 400 75 0 1-1")
    red = replace(state.by_name["Red"], driven_mm=state.by_name["Red"].driven_mm + state.track.lap_mm)
    assert leader_pylon(replace(state, cars=(red, state.by_name["Blue"])))[0] == ("Red",)


# Values.


def test_every_rule_is_in_the_list_once():
    ids = [rule.id for rule in gp.RULES]
    assert len(ids) == len(set(ids))
    assert all(rule.text and rule.source for rule in gp.RULES)


def test_a_touch_is_hands_off(race):
    state = race("Red 300 75 0 1-1", "Blue 200 75 0 1-1")
    touch = Touch("120,75", "Red at 300.0 75.0 0.0", "Red at 320.0 75.0 0.0")
    assert [v.rule.id for v in gp.violations(state, touch)] == ["hands-off"]
    assert gp.parse(str(touch)) == touch


@pytest.mark.parametrize(
    "move",
    [
        Drive("Ann Lee"),
        Drive("at", Obstacles(("into", "Bob"), True, True), Pose(1.5, -2.0, 0.1)),
        Drive('the "Comet"', Obstacles()),
        Turn("Red", "right", Obstacles((), False, True)),
        Spin("Red", Pose(-1.0, 2.0, 3.0), (("Ann Lee", Pose(4.0, 5.0, 6.0)), ("Bob", Pose(7.0, 8.0, 9.0)))),
        Roll("Zoë", None, "wait"),
        Roll("Red", (3, 4), "adjust"),
        Adjust("Red", 0),
        Adjust("Red", 9),
    ],
    ids=str,
)
def test_notation_undoes_itself(move):
    assert gp.parse(str(move)) == move


@pytest.mark.parametrize(
    "text",
    ["", "move", "move Red fast", "turn Red", "turn Red up", "spin Red", "roll Red 1 for turn", "adjust Red 4-1", "go"],
)
def test_other_text_is_told_what_was_expected(text):
    with pytest.raises(InvalidNotation, match="expected a move"):
        gp.parse(text)
