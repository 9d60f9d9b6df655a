"""The launch result table, cell by cell, against the rulebook's table; and each cell as it is played."""

import pytest

from engine.games import missile_command as mc
from engine.games.missile_command.results import CONTRADICTIONS, RESULTS, Result, result_of
from engine.table import Colour

DEFENDERS = ("black", "white", "blue", "green", "clear", "red", "yellow", "purple", "orange", "cyan")
# One line for each attacker, one word or more for each defender, in the rulebook's order.
RULEBOOK = {
    "black": "destroy, damage, destroy, damage, destroy, destroy, destroy deflect, destroy, destroy, destroy",
    "white": "damage, destroy, destroy, damage, destroy, destroy, destroy deflect, destroy, destroy, destroy",
    "blue": "destroy extra, destroy extra, destroy, damage extra, destroy, destroy, destroy deflect, destroy extra, "
    "destroy extra, destroy extra",
    "green": "destroy, destroy, destroy, damage, destroy, destroy, destroy deflect, destroy, destroy, destroy",
    "clear": "probe, probe, probe, probe, destroy, probe, probe, probe, probe, probe",
    "red": "destroy all, destroy all, destroy all, damage all, destroy all, destroy, destroy deflect all, destroy all, "
    "destroy all, destroy all",
    "yellow": "damage, damage, damage, damage, damage, damage, destroy, damage, damage, damage",
    "purple": "destroy, destroy, destroy, damage, destroy, destroy, destroy, destroy, destroy, destroy",
    "orange": "-, -, -, -, -, -, -, -, -, -",
    "cyan": "destroy, destroy, destroy, damage, destroy, destroy, destroy, destroy, destroy, destroy",
}
CELLS = [
    (attacker, defender, frozenset(cell.split()) - {"-"})
    for attacker, row in RULEBOOK.items()
    for defender, cell in zip(DEFENDERS, row.split(", "), strict=True)
]


def words(result):
    return frozenset(one.name.lower() for one in Result if one in result)


def test_the_table_has_a_hundred_cells():
    assert len(CELLS) == len(RESULTS) == 100


@pytest.mark.parametrize(("attacker", "defender", "expected"), CELLS)
def test_a_cell_of_the_rulebook(attacker, defender, expected):
    assert words(RESULTS[Colour(attacker), Colour(defender)]) == expected


def test_the_contradictions_are_the_two_that_the_text_has():
    """The MIRV's text gives an extra attack wherever its own rule 2 and a deflection do not cancel it (MC-2)."""
    assert {(str(one), str(other)) for one, other in CONTRADICTIONS} == {("blue", "clear"), ("blue", "red")}
    for pair, result in CONTRADICTIONS.items():
        assert result == RESULTS[pair] | Result.EXTRA == result_of(*pair, mc.Options())
        assert result_of(*pair, mc.Options(mirv_by_the_table=True)) == RESULTS[pair]


@pytest.mark.parametrize(("attacker", "defender", "cell"), CELLS)
def test_a_cell_as_it_is_played(missile_command, attacker, defender, cell):
    """At a table of four: what became of 2/4, and how many silos of each player were struck."""
    state = missile_command(attacker, defender, "white", "white", air_wing={1: ["large"]})
    launch = mc.parse("sortie 1 large 2/4" if attacker == "cyan" else f"launch {attacker} 1/1 at 2/4")
    broken = [violation.rule.id for violation in mc.violations(state, launch)]
    assert broken == (["abm-never-attacks"] if attacker == "orange" else [])
    if broken:
        assert cell == frozenset()
        return
    after = answered(mc.play(state, launch))
    pair = (Colour(attacker), Colour(defender))
    expected = words(CONTRADICTIONS[pair]) if pair in CONTRADICTIONS else cell
    target, was = after.silo(mc.Place(2, 4)), state.silo(mc.Place(2, 4))
    assert (target.left < was.left) == ("destroy" in expected)
    assert target.is_damaged == ("damage" in expected)
    assert any(type(one).__name__ == "Probing" for one in after.owed) == ("probe" in expected)
    struck = [silos_struck(state, after, number) for number in (1, 2, 3, 4)]
    assert struck[0] - (attacker != "cyan") == ({"deflect", "all"} <= expected)
    assert struck[1] == bool({"destroy", "damage"} & expected) + ("extra" in expected)
    others = 2 if "all" in expected else 2 * (attacker == "blue") or 1
    assert struck[2] + struck[3] == (others if {"deflect", "all"} & expected else 0)


def answered(state):
    """Nobody intercepts or opposes; of the silos that may be struck, the last is named."""
    while state.blocking:
        answers = mc.answers(state)
        state = mc.play(state, answers[-1] if isinstance(answers[0], mc.Take) else answers[0])
    return state


def silos_struck(before, after, number):
    pairs = zip(before.battery(number).silos, after.battery(number).silos, strict=True)
    return sum((was.left, was.is_damaged) != (now.left, now.is_damaged) for was, now in pairs)
