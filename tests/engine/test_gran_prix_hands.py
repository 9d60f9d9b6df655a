"""A hand beside a move: another car was shifted too."""

from dataclasses import replace

import pytest

from engine.games import gran_prix as gp
from engine.match import Match
from engine.rules import Illegal, Legal, Unclear

ROUND = ("Red 300 90 0 1-3", "Blue 300 55 0 2-2", "Green 300 20 0 3-1")


def seen(race, seen_from_above, dx_mm, dy_mm, turned_deg):
    """After Red's move, with Green shifted."""
    after = gp.play(race(*ROUND), gp.parse("move Red"))
    pose = after.by_name["Green"].pose
    other = replace(
        pose, x_mm=pose.x_mm + dx_mm, y_mm=pose.y_mm + dy_mm, heading_deg=(pose.heading_deg + turned_deg) % 360
    )
    return seen_from_above(after, Green=other)


@pytest.mark.parametrize("shift", [(-30.0, 0.0, 0.0), (-5.0, -25.0, 0.0), (-25.0, -10.0, 60.0), (0.0, -20.0, 180.0)])
def test_a_car_that_was_shifted_beside_a_move_is_a_fault(race, seen_from_above, shift):
    match = Match(gp, race(*ROUND))
    ruling = match.see(seen(race, seen_from_above, *shift))
    assert isinstance(ruling, Illegal)
    assert str(ruling.line[0]) == "move Red"
    assert [violation.rule.id for violation in ruling.violations] == ["hands-off"]
    assert isinstance(match.see(seen(race, seen_from_above, 0.0, 0.0, 0.0)), Legal)


@pytest.mark.parametrize(
    "shift",
    [
        (-11.0, 0.0, 0.0),  # neither where it lay nor clearly elsewhere
        (0.0, 0.0, 180.0),  # a heading alone may be misread
    ],
)
def test_thin_evidence_accuses_nobody(race, seen_from_above, shift):
    assert isinstance(Match(gp, race(*ROUND)).see(seen(race, seen_from_above, *shift)), Unclear)


def test_a_nudge_is_no_event(race, seen_from_above):
    assert isinstance(Match(gp, race(*ROUND)).see(seen(race, seen_from_above, 3.0, -2.0, 5.0)), Legal)


def test_a_shift_alone_is_asked_about(race, seen_from_above):
    state = race(*ROUND)
    pose = state.by_name["Green"].pose
    table = seen_from_above(state, Green=replace(pose, x_mm=pose.x_mm - 30.0))
    assert isinstance(Match(gp, state).see(table), Unclear)


def test_a_spin_may_have_shifted_a_car(race, seen_from_above):
    state = race("Red 300 90 0 1-3", "Blue 322 90 0 2-2", "Green 300 20 0 3-1")
    after = gp.play(state, gp.parse("move Red"))
    pose = after.by_name["Green"].pose
    table = seen_from_above(after, Green=replace(pose, x_mm=pose.x_mm - 30.0))
    assert not isinstance(Match(gp, state).see(table), Illegal)
