"""A hand beside an event: pieces taken, brought or shifted while something allowed was done."""

import pytest

from engine.rules import Illegal, Legal, Unclear

BEFORE = "b2: Lr Mg / black; f2: Lr / black; g7: Lb Mb Sg / black; c5: Lg Sr / white; e7: Mg Sb / white"
FRONT, BACK = "b4: Lr Mg / black; f2: Lr / black", "c5: Lg Sr / white; e7: Mg Sb / white"
MOVED = f"{FRONT}; g7: Lb Mb Sg / black; {BACK}"
AFTER = [
    (f"{FRONT}; g7: Lb Mb / black; {BACK}", "move b2-b4", {"hands-off"}),  # the top of a Mid was taken
    (f"{MOVED}; h8: Lr Lr / white", "move b2-b4", {"hands-off"}),  # a Mid was brought
    (
        MOVED.replace("c5: Lg Sr", "c5: Lg") + "; c8: Sr > n",
        "move b2-b4",
        {"hands-off"},
    ),  # laid elsewhere
    (MOVED.replace("e7", "h1"), "move b2-b4", {"straight-line"}),  # another Mid was shifted: it moved, out of any line
]


@pytest.mark.parametrize(("table", "event", "rules"), AFTER)
def test_what_changed_beside_a_move_is_a_fault(match, scene, table, event, rules):
    game = match(BEFORE, ["Black", "White"])
    ruling = game.see(scene(table))
    assert isinstance(ruling, Illegal)
    assert str(ruling.line[0]) == event
    assert {violation.rule.id for violation in ruling.violations} == rules


@pytest.mark.parametrize(("table", "event", "rules"), AFTER)
def test_putting_that_right_leaves_the_move(match, scene, table, event, rules):
    game = match(BEFORE, ["Black", "White"])
    game.see(scene(table))
    assert game.see(scene(table)) is None
    ruling = game.see(scene(MOVED))
    assert isinstance(ruling, Legal)
    assert [str(move) for move in ruling.line] == [event]


@pytest.mark.parametrize(
    "table",
    [
        f"{MOVED}; h8: Lr Lr",  # on nobody's stand: it may be no Mid at all
        f"{MOVED}; c8: Sr > n",  # a lying piece that nothing has lost
        MOVED.replace("e7: Mg Sb / white", "h1: Lr Sb / white"),  # not the same pieces
        f"{FRONT}; g7: Lb Mb Sg / black; c5: Lg Sr / white",  # a Mid that is not seen may be there
    ],
)
def test_thin_evidence_accuses_nobody(match, scene, table):
    assert isinstance(match(BEFORE, ["Black", "White"]).see(scene(table)), Unclear)


def test_a_mid_whose_height_is_in_doubt_is_not_held_against_anybody(match, scene, doubted):
    seen = doubted(scene(AFTER[0][0]), "g7", ("Lb Mb", 0.7), ("Lb Mb Sy", 0.3))
    assert isinstance(match(BEFORE, ["Black", "White"]).see(seen), Unclear)


def test_after_something_unclear_more_turns_may_have_been_taken(match, scene):
    game = match(BEFORE, ["Black", "White"])
    assert isinstance(game.see(scene(f"{BEFORE}; h8: Lr Lr")), Unclear)
    assert not isinstance(game.see(scene(f"{AFTER[0][0]}; h8: Lr Lr")), Illegal)


def test_a_silent_turn_may_lie_between(match, scene):
    yellow = BEFORE.replace("c5: Lg Sr / white", "c5: Lg Sy / white; d5: Lr / black")
    game = match(yellow, ["Black", "White"])
    moved = yellow.replace("b2:", "b4:").replace("g7: Lb Mb Sg", "g7: Lb Mb")
    assert not isinstance(game.see(scene(moved)), Illegal)


def test_a_mid_that_stands_elsewhere_has_hardly_come_where_another_stood(match, scene, doubted):
    """What it was read as with little doubt looks like a Mid that is not in line with it, so none was shoved there."""
    before = "e4: Lb Mr Sr / black; f5: Mg Sb / white; g7: Mg Sg / black; c6: Ly / white"
    seen = doubted(scene(before.replace("Mg Sb", "Mg")), "f5", ("Mg", 0.93), ("Mg Sg", 0.06))
    ruling = match(before, ["Black", "White"]).see(seen)
    assert isinstance(ruling, Illegal)
    assert str(ruling.line[0]) == "attack e4xf5"
