"""Who loses the last Mid is skipped (MM-16): a round may end so, and its missiles move before the next photo."""

from dataclasses import replace

import pytest

from engine.games import martian_mids as mids
from engine.games.martian_mids import Player
from engine.match import Match
from engine.rules import Illegal, Legal
from engine.table import Colour

STANDS = {"Ann": "black", "Ben": "white", "Cat": "orange", "Dan": "purple"}
LIES, FLEW = "; a1: Lr Lr / black; h5: Sr / black > n", "; a1: Lr Lr / black; h6: Sr / black > n"
FLIGHT = "fly h5-h6 r1 n"


@pytest.fixture
def turn(match):
    """A match in the middle of a round of this order: those before the stroke have acted."""

    def made(table, order):
        acted, waiting = (part.split() for part in order.split("|"))
        players = tuple(Player(name, Colour(STANDS[name])) for name in sorted((*acted, *waiting)))
        begun = match(table, [*acted, *waiting], players)
        return Match(mids, replace(begun.state, acted=tuple(acted)))

    return made


def line_of(ruling):
    assert isinstance(ruling, Legal), ruling
    return "; ".join(map(str, ruling.line))


def ids_of(ruling):
    assert isinstance(ruling, Illegal), ruling
    return [violation.rule.id for violation in ruling.violations]


ENDING = {
    "three: the last of the round, by the one before": (
        "Ann | Ben Cat",
        "d3: Mr / white; d4: Sg / orange",
        "attack d3xd4",
        "d3: Mr / white",
        "Ann Ben",
    ),
    "three: the last of the round, onto a missile": (
        "Ann Ben | Cat",
        "d3: Mr / white; d4: Sg / orange; e5: Sr / white > w",
        "move d4-e5",
        "d3: Mr / white",
        "Ann Ben",
    ),
    "three: the last of the round, shot away": (
        "Ann Ben | Cat",
        "d3: Mr Mr / white; d4: Sr / orange",
        "shoot d4 r1 d3 s",
        "d3: Mr / white",
        "Ann Ben",
    ),
    "three: who has acted, by the last of the round": (
        "Ann Ben | Cat",
        "d3: Sg / white; d4: Mr / orange",
        "attack d4xd3",
        "d4: Mr / orange",
        "Ann Cat",
    ),
    "three: controlled and not destroyed": (
        "Ann | Ben Cat",
        "d3: My / white; d4: Sg / orange",
        "attack d3xd4",
        "d3: My / white; d4: Sg / orange",
        "Ann Ben Cat",
    ),
    "two: the only one, controlled": (
        "| Ann Ben",
        "a2: Ly / black; b3: Sg / white",
        "attack a2xb3",
        "a2: Ly / black; b3: Sg / white",
        "Ann Ben",
    ),
    "four: the last two of the round at once": (
        "Ben | Ann Cat Dan",
        "d3: Sg / white; d6: Lb / black; d7: Sg / orange; d8: Sg / purple",
        "shoot d6 b3 d7 n",
        "d3: Sg / white",
        "Ann Ben",
    ),
    "four: the last of the round, by the one before": (
        "Ben Cat | Ann Dan",
        "d3: Sg / white; c6: Sg / orange; a2: Sg / purple",
        "attack a1xa2",
        "d3: Sg / white; c6: Sg / orange",
        "Ann Ben Cat",
    ),
    "four: one in the middle, and the last of the round has none": (
        "Ann | Ben Cat Dan",
        "d3: Mr / white; d4: Sg / orange",
        "attack d3xd4",
        "d3: Mr / white",
        "Ann Ben",
    ),
}


@pytest.mark.parametrize(("order", "before", "action", "after", "next_players"), ENDING.values(), ids=ENDING)
def test_the_round_ends_when_nobody_who_waits_has_a_mid(turn, scene, order, before, action, after, next_players):
    game = turn(before + LIES, order)
    assert line_of(game.see(scene(after + FLEW))) == f"{action}; {FLIGHT}"
    assert game.state.round_number == 2
    assert sorted(name for group in game.state.order for name in group) == next_players.split()


@pytest.mark.parametrize(
    ("order", "before", "after"),
    [
        ("| Ann Ben Cat", "d3: Mr / white; d4: Sg / orange", "d3: Mr / white"),
        ("| Ann Ben Cat", "d3: My / white; d4: Sg / orange", "d3: My / white; d4: Sg / orange"),
        ("| Ann Ben Cat Dan", "d3: Mr / white; d4: Sg / orange", "d3: Mr / white"),
        ("| Ann Ben Cat", "d3: Mr; c7: Sg / white; d4: Sg / orange", "d3: Mr; c7: Sg / white"),
    ],
    ids=["destroyed", "controlled", "and another has none", "by a Mid whose stand nobody saw"],
)
def test_such_a_round_may_end_with_the_second_turn_that_a_photo_shows(turn, scene, order, before, after):
    game = turn(f"{before}; h1: Sg / black" + LIES, order)
    assert line_of(game.see(scene(f"{after}; g1: Sg / black" + FLEW))) == f"move h1-g1; attack d3xd4; {FLIGHT}"
    assert game.state.round_number == 2


WAITING = {
    "three: the first of the round": (
        "Ben | Cat Ann",
        "d3: Mr / orange; d4: Sg / white",
        "attack d3xd4",
        "d3: Mr / orange",
        "Ann",
    ),
    "three: the one in the middle": (
        "| Ann Ben Cat",
        "a2: Sg / white; c3: Sg / orange",
        "attack a1xa2",
        "c3: Sg / orange",
        "Cat",
    ),
    "three: the one in the middle, onto a missile": (
        "Ann | Ben Cat",
        "d3: Sg / white; e4: Sr / black > w; c7: Sg / orange",
        "move d3-e4",
        "c7: Sg / orange",
        "Cat",
    ),
    "four: the last but one": (
        "Ben | Ann Cat Dan",
        "d3: Sg / white; a2: Sg / orange; g1: Sg / purple",
        "attack a1xa2",
        "d3: Sg / white; g1: Sg / purple",
        "Dan",
    ),
}


@pytest.mark.parametrize(("order", "before", "action", "after", "next_player"), WAITING.values(), ids=WAITING)
def test_the_missiles_wait_while_somebody_has_a_mid_to_act_with(turn, scene, order, before, action, after, next_player):
    game = turn(before + LIES, order)
    assert not isinstance(game.copy().see(scene(after + FLEW)), Legal)
    assert line_of(game.see(scene(after + LIES))) == action
    assert game.state.round_number == 1
    assert game.state.awaited == (next_player,)
    assert ids_of(game.see(scene(after + FLEW))) == ["flight-time"]


def test_of_two_players_the_last_mid_ends_the_game_and_no_missile_moves(turn, scene):
    game = turn("a2: Sg / white" + LIES, "| Ann Ben")
    assert line_of(game.see(scene(LIES))) == "attack a1xa2"
    assert game.outcome.winners == ("Ann",)
    assert ids_of(game.see(scene(FLEW))) == ["game-is-over"]


def test_who_loses_the_last_mid_to_a_flying_missile_is_out_of_the_next_round(turn, scene):
    game = turn("h6: Sg / orange; d3: Sg / white" + LIES, "Cat Ann | Ben")
    assert line_of(game.see(scene(LIES.replace("; h5: Sr / black > n", "; d4: Sg / white")))) == f"move d3-d4; {FLIGHT}"
    assert game.state.order == (("Ann", "Ben"),)
