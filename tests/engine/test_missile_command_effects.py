"""Missile Command: what launches, answers, drones, sorties and exposed executives do."""

import pytest

from engine.games import missile_command as mc
from engine.games.missile_command.state import levels
from engine.rules import Ending

PLACE = mc.Place.parse


def after(state, line):
    """The state after a legal line."""
    for text in filter(None, line.split("; ")):
        assert mc.violations(state, mc.parse(text)) == (), text
        state = mc.play(state, mc.parse(text))
    return state


def legal(state):
    return [str(move) for move in mc.candidates(state) if not mc.violations(state, move)]


def struck(before, now):
    """The silos that lost a missile or were damaged."""
    places = [mc.Place(number, silo) for number in before.numbers for silo in range(1, 9)]
    return " ".join(
        str(place)
        for place in places
        if (before.silo(place).left, before.silo(place).is_damaged)
        != (now.silo(place).left, now.silo(place).is_damaged)
    )


# Damage.


def test_damage_lays_the_attacker_before_the_target_and_damage_again_destroys(missile_command):
    state = after(missile_command("black", "white"), "launch black 1/1 at 2/3")
    damaged = state.silo(PLACE("2/3"))
    assert (damaged.left, damaged.is_damaged, str(damaged.marker)) == (3, True, "large black")
    state = after(state, "launch white 2/1 at 1/5; launch black 1/2 at 2/3")
    assert (state.silo(PLACE("2/3")).left, state.silo(PLACE("2/3")).is_damaged) == (2, False)
    assert sorted(map(str, state.discarded)) == ["large black", "large black", "large white"]


def test_a_damaged_missile_is_launched_with_all_its_powers_and_its_marker_goes(missile_command):
    state = after(missile_command("yellow", "blue", "white"), "launch yellow 1/1 at 2/3; launch blue 2/3 at 3/3")
    assert legal(state) == ["take 3/2", "take 3/4"]
    assert not state.silo(PLACE("2/3")).is_damaged


def test_a_damaged_slbm_is_destroyed_by_any_missile(missile_command):
    state = missile_command("black", "green", damaged=["2/3"])
    assert after(state, "launch black 1/1 at 2/3").silo(PLACE("2/3")).left == 2


# MIRV.


def test_the_mirv_takes_a_neighbour_of_the_defenders_choice(missile_command):
    state = after(missile_command("blue", "black"), "launch blue 1/1 at 2/3")
    assert legal(state) == ["take 2/2", "take 2/4"]
    assert mc.chooser(state) == 2
    assert struck(missile_command("blue", "black"), after(state, "take 2/4")) == "1/1 2/3 2/4"


def test_the_mirv_at_the_end_of_the_row_and_beside_empty_silos(missile_command):
    state = missile_command("blue", "black", left={"2/2": 0, "2/4": 0})
    assert struck(state, after(state, "launch blue 1/1 at 2/3")) == "1/1 2/3"
    assert struck(state, after(state, "launch blue 1/1 at 2/5")) == "1/1 2/5 2/6"
    assert struck(state, after(state, "launch blue 1/1 at 2/1")) == "1/1 2/1"


def test_the_extra_attack_goes_by_colour_and_is_answered_by_nothing(missile_command):
    bob = "black | blue | yellow | green | black | orange | black | black"
    state = missile_command("blue", bob, "white")
    assert struck(state, after(state, "launch blue 1/1 at 2/1; allow 2")) == "1/1 2/1 2/2"
    yellow = after(state, "launch blue 1/1 at 2/4; allow 2; take 2/3")
    assert struck(state, yellow) == "1/1 2/3 2/4"
    assert yellow.silo(PLACE("2/4")).is_damaged
    assert yellow.turn == 2


@pytest.mark.parametrize("defender", ["clear", "red"])
def test_the_mirv_against_drones_and_bombs_by_text_and_by_table(missile_command, defender):
    assert after(missile_command("blue", defender, "white"), "launch blue 1/1 at 2/3").blocking
    state = missile_command("blue", defender, "white", mirv_by_the_table=True)
    assert struck(state, after(state, "launch blue 1/1 at 2/3")) == "1/1 2/3"


# Interception.


BOB = "orange | black | white | yellow | black | black | black | black"


def test_an_abm_meets_a_missile_and_both_are_gone(missile_command):
    state = missile_command("black", BOB)
    met = after(state, "launch black 1/1 at 2/3; intercept 2/1")
    assert struck(state, met) == "1/1 2/1"
    assert met.turn == 2
    assert [str(one) for one in met.discarded] == ["large black", "large orange"]


@pytest.mark.parametrize(("attacker", "rest"), [("blue", ""), ("red", ""), ("clear", "")])
def test_what_is_intercepted_does_nothing_besides(missile_command, attacker, rest):
    state = missile_command(attacker, BOB, "white")
    met = after(state, f"launch {attacker} 1/1 at 2/3; intercept 2/1{rest}")
    assert struck(state, met) == "1/1 2/1"
    assert met.owed == ()


def test_cruise_missiles_and_sac_units_are_not_stopped(missile_command):
    state = missile_command("purple", BOB, "white", air_wing={1: ["large"]})
    assert struck(state, after(state, "launch purple 1/1 at 2/4")) == "1/1 2/4"
    assert struck(state, after(state, "sortie 1 large 2/4")) == "2/4"


def test_an_abm_under_another_missile_cannot_intercept(missile_command):
    state = missile_command("black", "black orange orange", "white")
    assert not after(state, "launch black 1/1 at 2/3").blocking


@pytest.mark.parametrize("option", [False, True])
def test_an_executive_is_not_saved_unless_the_players_say_so(missile_command, option):
    state = missile_command("black", BOB, left={"2/7": 0}, abms_save_tokens=option)
    assert bool(after(state, "launch black 1/1 at 2/7").blocking) == option


# Deflection.


CHAIN = ("black", "yellow", "yellow", "white")


def test_a_deflected_missile_strikes_where_the_new_target_says(missile_command):
    state = missile_command(*CHAIN)
    state = after(state, "launch black 1/1 at 2/3")
    assert legal(state) == ["deflect 2 to 3", "deflect 2 to 4"]
    sent = after(state, "deflect 2 to 4; take 4/5")
    assert struck(missile_command(*CHAIN), sent) == "1/1 2/3 4/5"
    assert sent.silo(PLACE("4/5")).is_damaged  # black on white


def test_a_deflected_missile_is_deflected_again_even_to_the_attacker(missile_command):
    state = after(missile_command(*CHAIN), "launch black 1/1 at 2/3; deflect 2 to 3; take 3/2")
    assert legal(state) == ["deflect 3 to 1", "deflect 3 to 2", "deflect 3 to 4"]
    back = after(state, "deflect 3 to 1; take 1/8")
    assert struck(missile_command(*CHAIN), back) == "1/1 1/8 2/3 3/2"


def test_a_deflected_mirv_strikes_two_silos_side_by_side(missile_command):
    state = missile_command("blue", "yellow", "white", left={"3/2": 0, "3/4": 0})
    state = after(state, "launch blue 1/1 at 2/3")
    assert legal(state) == ["take 3/5 3/6", "take 3/6 3/7", "take 3/7 3/8"]
    assert struck(state, after(state, "take 3/5 3/6")) == "2/3 3/5 3/6"


def test_a_deflected_bomb_strikes_all_but_who_deflects_it(missile_command):
    state = missile_command("red", "yellow", "white", "black")
    state = after(state, "launch red 1/1 at 2/3")
    assert [owed.number for owed in state.blocking] == [3, 4, 1]
    assert struck(state, after(state, "take 3/1; take 4/2; take 1/3")) == "1/3 2/3 3/1 4/2"


def test_only_the_new_target_intercepts_a_deflected_missile(missile_command):
    state = missile_command("black", BOB, "orange | white | white | white | white | white | white | white")
    state = after(state, "launch black 1/1 at 2/4; allow 2")
    assert legal(state)[0] == "take 3/1"
    state = after(state, "take 3/2")
    assert legal(state) == ["allow 3", "intercept 3/1"]


def test_drones_and_sac_units_are_not_deflected(missile_command):
    state = missile_command("clear", "yellow", "white", air_wing={1: ["small"]})
    assert struck(state, after(state, "sortie 1 small 2/1")) == "2/1"
    assert [type(one).__name__ for one in after(state, "launch clear 1/1 at 2/1").owed] == ["Probing"]


def test_with_two_players_left_nothing_is_deflected(missile_command):
    state = after(missile_command("black", "yellow"), "launch black 1/1 at 2/3")
    assert state.turn == 2
    assert struck(missile_command("black", "yellow"), state) == "1/1 2/3"


# Neutron bomb.


def test_everybody_else_takes_a_hit_of_a_bomb_even_behind_a_shield(missile_command):
    state = missile_command("red", "white", "white", "white", shielded=[4])
    state = after(state, "launch red 1/1 at 2/3")
    assert [owed.number for owed in state.blocking] == [3, 4]
    assert struck(state, after(state, "take 3/1; take 4/2")) == "2/3 3/1 4/2"


def test_who_is_struck_by_a_bomb_aimed_at_another_may_intercept_the_own_hit(missile_command):
    state = after(missile_command("red", "white", BOB, "white"), "launch red 1/1 at 2/3; take 3/2")
    assert legal(state) == ["allow 3", "intercept 3/1"]
    assert struck(state, after(state, "intercept 3/1; take 4/1")) == "2/3 3/1 4/1"


def test_several_damaged_missiles_each_get_a_marker(missile_command):
    state = after(missile_command("red", "green", "green"), "launch red 1/1 at 2/3; take 3/1")
    assert state.position.side(2).damaged == {3}
    assert state.position.side(3).damaged == {1}


def test_a_bomb_aimed_at_an_exposed_executive_strikes_the_others_too(missile_command):
    state = missile_command("red", "white", "white", left={"2/7": 0})
    state = after(state, "launch red 1/1 at 2/7")
    assert [owed.number for owed in state.blocking] == [3]
    assert after(state, "take 3/1").battery(2).vice_president.fate is mc.Fate.DESTROYED


# Drones.


@pytest.mark.parametrize(
    ("executives", "answers"),
    [((2, 2), (None,)), ((1, 2), (5,)), ((7, 2), (5,)), ((4, 7), (4, 5)), ((5, 5), (3,)), ((3, 8), (5,))],
)
def test_the_level_is_the_distance_and_the_missiles_left(missile_command, executives, answers):
    state = missile_command("clear", "black", executives={2: executives}, left={"2/1": 1, "2/6": 0})
    assert levels(state, PLACE("2/5")) == answers
    state = after(state, "launch clear 1/1 at 2/5")
    reports = [move for move in mc.candidates(state) if isinstance(move, mc.Report) and not mc.violations(state, move)]
    assert [move.level for move in reports] == list(answers)


def test_a_drone_anywhere_in_the_silo_covers_an_executive(missile_command):
    bob = "black | black | black | black | black clear black | black | black | black"
    state = missile_command("clear", bob, executives={2: (5, 5)})
    assert levels(state, PLACE("2/5")) == (None,)
    assert levels(missile_command("clear", bob, executives={2: (5, 5)}, left={"2/5": 1}), PLACE("2/5")) == (1,)


def test_a_drone_on_a_drone_destroys_both_and_reports_nothing(missile_command):
    state = after(missile_command("clear", "clear"), "launch clear 1/1 at 2/5")
    assert state.owed == ()
    assert state.silo(PLACE("2/5")).left == 2


def test_an_unanswered_drone_keeps_nobody_waiting(missile_command):
    state = after(missile_command("clear", "black"), "launch clear 1/1 at 2/5")
    assert state.turn == 2
    assert after(state, "launch black 2/1 at 1/1").owed == ()


def test_a_drone_whose_target_nobody_saw_is_told_and_reported(missile_command):
    state = after(missile_command("clear", "black", "white"), "launch clear 1/1 at ?; aim 3/8")
    assert after(state, "report 3 3").owed == ()


def test_a_report_that_an_exposure_belies_is_ruled_later(missile_command):
    state = missile_command("clear", "black", executives={2: None}, left={"2/5": 1})
    state = after(state, "launch clear 1/1 at 2/5; report 2 none; launch black 2/5 at 1/2")
    assert [v.rule.id for v in mc.violations(state, mc.parse("expose 2/5 president"))] == ["report-truly"]
    assert mc.violations(state, mc.parse("expose 2/5 nothing")) == ()


def test_a_drone_kills_an_exposed_executive_and_does_not_probe(missile_command):
    state = after(missile_command("clear", "black", left={"2/8": 0}), "launch clear 1/1 at 2/8")
    assert (state.owed, state.battery(2).is_out) == ((), True)


# Air war.


def test_a_scrambled_unit_flies_in_a_later_turn_before_the_launch(missile_command):
    state = after(missile_command("cyan", "white"), "scramble 1/1; launch white 2/1 at 1/2")
    assert [str(size) for size in state.battery(1).air_wing] == ["large"]
    state = after(state, "sortie 1 large 2/4")
    assert (state.turn, state.battery(1).air_wing, state.silo(PLACE("2/4")).left) == (1, (), 2)
    assert after(state, "scramble 1/2").turn == 2


def test_units_meet_in_the_air_and_the_rest_attack(missile_command):
    state = missile_command("black", "green", air_wing={1: ["large", "small"], 2: ["medium"]})
    state = after(state, "sortie 1 large 2/1, small 2/2")
    assert legal(state) == ["oppose 2 nothing", "oppose 2 medium 2/1", "oppose 2 medium 2/2"]
    state = after(state, "oppose 2 medium 2/1")
    assert state.position.side(2).damaged == {2}
    assert str(state.silo(PLACE("2/2")).marker) == "small cyan"
    assert (state.battery(1).air_wing, state.battery(2).air_wing, state.turn) == ((), (), 1)


# Executives, shields, endings.


def test_the_defence_system_is_up_until_the_attackers_next_turn_has_ended(missile_command):
    state = missile_command("purple", "purple", "purple", left={"2/7": 1})
    state = after(state, "launch purple 1/1 at 2/7")
    assert state.battery(2).vice_president.fate is mc.Fate.EXPOSED
    up = []
    for line in ("launch purple 2/1 at 1/2", "launch purple 3/1 at 1/3", "launch purple 1/4 at 3/2", ""):
        up.append((state.turn, state.battery(2).shield is not None))
        state = after(state, line)
    assert up == [(2, True), (3, True), (1, True), (2, False)]


def test_the_defence_system_starts_again_with_the_second_executive(missile_command):
    state = missile_command("purple", "purple", "purple", left={"2/7": 1, "2/8": 1})
    state = after(state, "launch purple 1/1 at 2/7; launch purple 2/8 at 1/2")
    shield = state.battery(2).shield
    assert (shield.number, shield.ends) == (2, 1)


def test_both_executives_in_one_silo_die_together(missile_command):
    state = missile_command("black", "white", "white", left={"2/5": 0}, executives={2: (5, 5)})
    state = after(state, "launch black 1/1 at 2/5")
    assert state.in_game == (1, 3)
    assert state.position.side(2) == mc.Side()


def test_without_the_vice_president_the_game_goes_on(missile_command):
    state = after(missile_command("black", "white", left={"2/7": 0}), "launch black 1/1 at 2/7")
    assert (mc.outcome(state), state.turn) == (None, 2)


def test_the_last_president_wins(missile_command):
    state = after(missile_command("black", "white", left={"2/8": 0}), "launch black 1/1 at 2/8")
    assert mc.outcome(state).ending is Ending.WON
    assert mc.outcome(state).winners == ("Ann",)


def test_all_presidents_exposed_is_a_draw(missile_command):
    state = missile_command("purple", "purple", left={"1/8": 1, "2/8": 0})
    state = after(state, "launch purple 1/8 at 2/1")
    assert mc.outcome(state).ending is Ending.DRAWN
    assert mc.outcome(state).winners == ("Ann", "Bob")


def test_an_elimination_counts_before_the_draw(missile_command):
    """Two exposed Presidents and a third that is not: killing one of the two leaves no draw."""
    state = missile_command("black", "white", "white", left={"2/8": 0, "1/8": 1})
    state = after(state, "launch black 1/8 at 2/8")
    assert mc.outcome(state) is None
    assert state.in_game == (1, 3)


# Turns without a launch.


def test_who_can_launch_nothing_is_skipped(missile_command):
    """Bob exposes his own Vice President: Ann has nobody to aim at until the end of his next turn."""
    state = missile_command("white", "black", left={"2/7": 1})
    state = after(state, "launch white 1/1 at 2/1; launch black 2/7 at 1/2")
    assert (state.turn, state.battery(2).shield) == (2, mc.Shield(2, 1))
    state = after(state, "launch black 2/2 at 1/3")
    assert (state.turn, state.battery(2).shield) == (1, None)


def test_a_sac_unit_is_scrambled_where_nobody_may_be_targeted(missile_command):
    state = missile_command("cyan | black | black | black | black | black | black | black", "white", shielded=[2])
    assert legal(state) == ["scramble 1/1"]


def test_only_abms_are_discarded_for_want_of_anything_else(missile_command):
    assert "discard 1/3" in legal(missile_command("orange", "white", shielded=[2]))
    state = after(missile_command("orange", "white"), "discard 1/3")
    assert (state.turn, state.silo(PLACE("1/3")).left) == (2, 2)
