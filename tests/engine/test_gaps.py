"""Where photos may be missing: one pair of events is ruled on, several are asked about, and so is a pair where a single
event against the rules explains the table as well."""

from dataclasses import replace

import pytest

from engine.errors import InvalidSetup
from engine.games import gran_prix as gp
from engine.games import martian_mids as mids
from engine.games import missile_command as mc
from engine.games import ziggurat
from engine.gaps import PAIR_OR_FAULT, SEVERAL_PAIRS, gaps_of
from engine.match import Match
from engine.rules import Illegal, Legal, Unclear
from engine.table import Pose, Scene, Stack

MIDS = "b2: Lr Mg / black; f2: Lr / black; c5: Lg Sr / white; e7: Mg Sb / white"
ANN = (
    "white green black | black blue clear | clear white purple | purple black green | "
    "cyan cyan white | orange blue black | green clear orange | blue white purple"
)
BOB = (
    "black white blue | green black purple | blue clear white | white orange green | "
    "purple blue black | cyan cyan black | clear green white | orange purple clear"
)


def with_gaps(state, gaps=True):
    return replace(state, options=replace(state.options, gaps=gaps))


def line(ruling):
    return "; ".join(map(str, ruling.line))


def lines(ruling):
    return {"; ".join(map(str, one)) for one in ruling.lines}


# Martian Mids.


@pytest.fixture
def board(match, scene):
    def seen(before, after, gaps=True):
        start = match(before, ["Black", "White"]).state
        return Match(mids, with_gaps(start, gaps)).see(scene(after))

    return seen


@pytest.mark.parametrize("gaps", [True, False])
def test_one_pair_of_actions(board, gaps):
    ruling = board(MIDS, MIDS.replace("b2", "b4").replace("e7", "e5"), gaps)
    assert isinstance(ruling, Legal)
    assert line(ruling) == "move b2-b4; move e7-e5"


def test_a_silent_turn_and_an_action_or_one_out_of_turn(board):
    before = MIDS.replace("c5: Lg Sr / white", "c5: Lg Sr / white; d5: My / black")
    after = before.replace("e7", "e6")
    assert isinstance(board(before, after, gaps=False), Legal)
    ruling = board(before, after)
    assert isinstance(ruling, Unclear)
    assert PAIR_OR_FAULT in ruling.reason
    assert {"attack d5xc5; move e7-e6", "move e7-e6"} <= lines(ruling)


def test_a_single_action_stays_sure_and_a_fault_a_fault(board):
    assert isinstance(board(MIDS, MIDS.replace("b2", "b4")), Legal)
    assert isinstance(board(MIDS, MIDS.replace("f2", "f4")), Illegal)


# Missile Command.


def launched(missile_command, silos_scene, gaps, *moves):
    start = with_gaps(missile_command(ANN, BOB), gaps)
    after = start
    for move in map(mc.parse, moves):
        after = mc.play(after, move)
    return Match(mc, start).see(silos_scene(after.position))


def test_one_pair_of_launches(missile_command, silos_scene):
    ruling = launched(missile_command, silos_scene, True, "scramble 1/5", "scramble 2/6")
    assert isinstance(ruling, Legal)
    assert line(ruling) == "scramble 1/5; scramble 2/6"


def test_which_of_the_missiles_that_are_gone_was_launched(missile_command, silos_scene):
    moves = ("launch purple 1/4 at 2/1", "launch purple 2/5 at 1/8")
    assert isinstance(launched(missile_command, silos_scene, False, *moves), Legal)
    ruling = launched(missile_command, silos_scene, True, *moves)
    assert isinstance(ruling, Unclear)
    assert SEVERAL_PAIRS in ruling.reason
    assert len(ruling.lines) > 1


# Pyramid Gran Prix.


def driven(race, seen_from_above, cars, gaps, *moves):
    start = with_gaps(race(*cars), gaps)
    after = start
    for move in map(gp.parse, moves):
        after = gp.play(after, move)
    return Match(gp, start).see(seen_from_above(after))


def test_one_pair_of_moves(race, seen_from_above):
    cars = ("Red 300 90 0 1-3", "Blue 300 55 0 2-2")
    ruling = driven(race, seen_from_above, cars, True, "move Red", "turn Red left", "move Blue")
    assert isinstance(ruling, Legal)
    assert line(ruling) == "move Red; turn Red left; move Blue"


def test_two_moves_of_one_car_or_one_of_two_lengths(race, seen_from_above):
    cars = ("Red 300 90 0 1-2", "Blue 300 55 0 stopped")
    assert isinstance(driven(race, seen_from_above, cars, False, "move Red", "move Red"), Legal)
    ruling = driven(race, seen_from_above, cars, True, "move Red", "move Red")
    assert isinstance(ruling, Unclear)
    assert PAIR_OR_FAULT in ruling.reason


# Ziggurat.

WHOLE = "r3r2r1 b3b2b1 y3y2y1 k3k2k1"


@pytest.fixture
def towers():
    def scene(text):
        state = ziggurat.begun(
            (ziggurat.Player("Ann", "towers-1"), ziggurat.Player("Bob", "towers-2")), position(text), 1, options
        )
        lies = position(text)
        stacks = [
            Stack(f"towers-{one.number}", f"tower-{one.tower}", Pose(60.0 * one.tower - 18, 60.0), lies.at(one))
            for one in lies.places
            if lies.at(one)
        ]
        lying = enumerate(lies.scrapyard)
        stacks += [Stack("scrapyard", "scrapyard", Pose(20.0 + 8 * n, 90.0, 40.0), (one,)) for n, one in lying]
        return state, Scene.of(stacks)

    def position(text):
        sides = (tuple(map(ziggurat.towers.tower, mine.split())) for mine in text.split("/"))
        return ziggurat.Position.of(tuple(sides))

    options = ziggurat.Options(gaps=True)

    def seen(before, after):
        return Match(ziggurat, scene(before)[0]).see(scene(after)[1])

    return seen


def test_one_pair_of_actions_on_towers(towers):
    ruling = towers(f"{WHOLE} / {WHOLE}", f"{WHOLE} / r3r2 b3b2b1 y3y2y1 k3k2g1")
    assert isinstance(ruling, Legal)
    assert line(ruling) == "attack 1 ?1 2/1; allow 2; remodel 2/4 g1 ? ? ?"


def test_several_pairs_of_attacks(towers):
    ruling = towers(f"{WHOLE} / {WHOLE}", f"r3r2r1 b3b2b1 y3y2y1 k3r1 / r3k1 {WHOLE[7:]}")
    assert isinstance(ruling, Unclear)


# The set-up.


@pytest.mark.parametrize("odd", [1, "yes", None, []])
def test_gaps_are_on_or_off(odd):
    with pytest.raises(InvalidSetup, match="gaps"):
        gaps_of({"gaps": odd})


def test_a_game_file_says_that_photos_may_be_missing():
    players = [{"name": "Black", "stand": "black"}, {"name": "White", "stand": "white"}]
    assert mids.Setup.from_json({"players": players, "gaps": True}).options.gaps
    assert not mids.Setup.from_json({"players": players}).options.gaps
