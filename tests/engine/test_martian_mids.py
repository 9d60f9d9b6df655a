"""Martian Mids: reading the board, initiative, and every rule of a move broken once."""

from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import InvalidNotation, InvalidSetup
from engine.game import Touch
from engine.games import martian_mids as mids
from engine.rules import Ending
from engine.table import Colour, Pose, Pyramid, Size, Stack

FIVE = ("black", "white", "orange", "purple", "cyan")
TWO = [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}]
BOARD = "b2: Lr Mg / black; f2: Ly / black; a8: Sr / black; c5: Lg Sr / white; e6: My My Sr / white"


def ids(violations):
    return [violation.rule.id for violation in violations]


def broken(match, text, move):
    return ids(mids.violations(match(text).state, mids.parse(move)))


def test_a_legal_move_breaks_nothing(match):
    for target in ("b3", "b4", "a1", "c3", "d4", "a3", "a2", "d2"):
        assert broken(match, BOARD, f"move b2-{target}") == [], target


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("move c5-c6", "turn-order"),
        ("shoot c5 r1 c6 n", "turn-order"),
        ("attack c5xb2", "turn-order attack-adjacent"),
        ("move h8-h7", "a-mid-acts"),
        ("move b2-c4", "straight-line"),
        ("move b2-b5", "move-distance"),
        ("move f2-f4", "move-distance"),
        ("move b2-b2", "not-zero"),
        ("move b2-off", "stay-on-board"),
        ("shoot b2 r3 b3 n", "shoot-the-top"),
        ("shoot b2 g2 b4 n", "shoot-adjacent"),
        ("attack b2xb3", "attack-a-mid"),
        ("attack b2xb2", "attack-a-mid"),
        ("attack b2xc5", "attack-adjacent"),
        ("split b2 1 b3", "split-owed"),
        ("strike b2 r1 n", "strike-order"),
        ("fly b2-b3 r1 n", "flight-once"),
        ("touch b2 large red -> empty", "hands-off"),
    ],
)
def test_each_rule_is_broken_by_its_move(match, move, rule):
    assert broken(match, BOARD, move) == rule.split()


@pytest.mark.parametrize("target", ["d2", "c2"])
def test_a_mid_neither_enters_nor_jumps_another(match, target):
    assert broken(match, "b2: Lr Mg / black; a8: Sr / black; c2: Sg / white", f"move b2-{target}") == [
        "not-through-mids"
    ]


def test_a_mid_stops_where_a_missile_lies(match):
    table = "b2: Sr Sr Sr / black; a8: Sr / black; h1: Sg / white; c2: Sg > n"
    assert broken(match, table, "move b2-d2") == ["stop-at-missile"]
    assert broken(match, table, "move b2-c2") == []


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("split d4 1 c3", None),
        ("split d4 3 c3", "split-count"),
        ("split d4 0 c3", "split-count"),
        ("split d4 1 d6", "split-adjacent"),
        ("split d4 1 d3", "split-free"),
        ("split d3 1 c3", "split-owed"),
        ("move a8-a7", "settle-first"),
        ("strike d4 r1 n", "settle-first"),
    ],
)
def test_what_a_cleaver_leaves_to_be_chosen(match, move, rule):
    """A cleave attack of more pips splits twice: of four pyramids a split takes one or two."""
    game = match("d3: Lg / black; h1: Sr / black; d4: Sr Sr Sr Sr / white; a8: Sr / white", ["Black", "White"])
    state = mids.play(game.state, mids.parse("attack d3xd4"))
    state = replace(state, owed=(replace(state.owed[0], left=2),))
    assert ids(mids.violations(state, mids.parse(move))) == ([rule] if rule else [])


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("fly d4-d5 b1 n", None),
        ("fly g4-g6 r2 n", "flight-order"),
        ("fly d4-d6 b1 n", "flight-way"),
        ("fly d4-e5 b1 n", "flight-way"),
        ("fly d4-off b1 n", "flight-way"),
        ("move a1-a2", "turn-order"),
    ],
)
def test_missiles_move_in_the_order_of_initiative(match, move, rule):
    table = "a1: Sr / black; b1: Sr / black; h8: Sg / white; d4: Sb / black > n; g4: Mr / white > n"
    state = replace(match(table).state, acted=("Black", "White"))
    assert ids(mids.violations(state, mids.parse(move))) == ([rule] if rule else [])


def test_missiles_wait_for_the_last_turn_and_move_once(match):
    state = match("a1: Sr / black; b1: Sr / black; h8: Sg / white; d4: Sb / black > n; g4: Mr / white > n").state
    assert ids(mids.violations(state, mids.parse("fly d4-d5 b1 n"))) == ["flight-time"]
    flown = mids.play(replace(state, acted=("Black", "White")), mids.parse("fly d4-d5 b1 n"))
    assert ids(mids.violations(flown, mids.parse("fly d5-d6 b1 n"))) == ["flight-once"]


def test_nobody_plays_on_when_the_game_is_over(match):
    assert broken(match, "a1: Sr / black", "move a1-a2") == ["game-is-over"]


def test_every_rule_is_broken_by_some_test():
    written = "".join(path.read_text() for path in Path(__file__).parent.glob("test_martian_mids*.py"))
    assert [rule.id for rule in mids.RULES if f'"{rule.id}"' not in written] == []
    assert len({rule.id for rule in mids.RULES}) == len(mids.RULES)


def test_rules_say_where_they_come_from():
    assert all(rule.text.endswith(".") and rule.source for rule in mids.RULES)
    assert mids.NOT_THROUGH.source == "house ruling"


def test_the_distance_counts_pyramids_and_not_pips(match):
    other = "; a8: Sr / black; h1: Sr / white"
    assert broken(match, "b2: Ly / black" + other, "move b2-b4") == ["move-distance"]
    assert broken(match, "b2: Sy Sy Sy / black" + other, "move b2-b5") == []


def test_the_detail_tells_what_was_wrong(match):
    (violation,) = mids.violations(match(BOARD).state, mids.parse("move f2-f4"))
    assert violation.detail == "a Mid of one pyramid moves at most one square; f2-f4 is 2"


def test_who_owns_most_mids_acts_first(match):
    assert match("a1: Sr / white; b1: Sr / white; c1: Sr / black").state.order == (("White",), ("Black",))


def test_equals_share_their_place_until_it_is_declared_or_decided(match):
    tied = match("a1: Sr / white; c1: Sr / black")
    assert set(tied.state.awaited) == {"White", "Black"}
    tied.declare({"initiative": ["White", "Black"]})
    assert tied.state.awaited == ("White",)


def test_whoever_acts_first_won_the_tie(match, scene):
    tied = match("a1: Sr / white; c1: Sr / black")
    tied.see(scene("a1: Sr / white; c2: Sr / black"))
    assert tied.state.awaited == ("White",)
    assert tied.state.round_number == 1


def test_a_declared_order_against_the_board_is_pointed_out(match):
    state = match("a1: Sr / white; b1: Sr / white; c1: Sr / black").state
    assert mids.declared_warnings(state, ("White", "Black")) == ()
    (sentence,) = mids.declared_warnings(state, ("Black", "White"))
    assert "White, Black" in sentence


def test_a_round_without_missiles_just_ends(match, scene):
    game = match("a1: Sr / white; b1: Sr / white; c1: Sr / black")
    game.see(scene("a2: Sr / white; b1: Sr / white; c1: Sr / black"))
    game.see(scene("a2: Sr / white; b1: Sr / white; c2: Sr / black"))
    assert game.state.round_number == 2
    assert game.state.awaited == ("White",)


@pytest.mark.parametrize(("heading", "direction"), [(0, "e"), (20, "e"), (46, "ne"), (91, "n"), (271, "s"), (350, "e")])
def test_a_missile_points_in_the_nearest_of_eight_directions(scene, heading, direction):
    piece = Stack("board-sw", "d4", Pose(0, 0, heading), (Pyramid(Colour.BLUE, Size.SMALL),))
    ((square, missile),) = mids.read(type(scene("")).of([piece])).missiles
    assert (str(square), missile.direction) == ("d4", direction)


def test_what_lies_in_no_square_is_left_out(scene):
    away = Stack("board-sw", None, Pose(5, 5), (Pyramid(Colour.BLUE, Size.SMALL),))
    assert mids.read(type(scene("")).of([away])) == mids.Position()


def test_several_missiles_may_lie_in_a_square(scene):
    assert len(mids.read(scene("d4: Sb > n; d4: Lr > sw")).missiles) == 2


def test_the_start_is_compared_with_a_legal_one(match):
    warnings = mids.start_warnings(match("a1: Sr / white; c1: Sr; d4: Sb > n").state)
    assert any("White's Mids add up to 1 pips" in sentence for sentence in warnings)
    assert any("c1" in sentence and "stand" in sentence for sentence in warnings)
    assert any("Missiles lie on d4" in sentence for sentence in warnings)


@pytest.mark.parametrize(
    ("doc", "field"),
    [
        ({}, "players"),
        ({"players": [{"stand": "black"}]}, r"players\[0\].name"),
        ({"players": [{"name": "Ann", "stand": "mauve"}]}, r"players\[0\].stand"),
        ({"players": [{"name": "Ann", "stand": "black"}] * 2}, "a different name"),
        ({"players": [{"name": "Ann", "stand": "black"}]}, "two to four"),
        ({"players": [{"name": colour, "stand": colour} for colour in FIVE]}, "two to four"),
        ({"players": TWO, "initiative": ["Cat"]}, "initiative"),
        ({"players": TWO, "initiative": [["Ann"]]}, "initiative"),
    ],
)
def test_a_bad_set_up_names_its_field(doc, field):
    with pytest.raises(InvalidSetup, match=field):
        mids.Setup.from_json(doc)


@pytest.mark.parametrize(
    "declaration",
    [None, 5, {"roll": [3]}, {"initiative": ["Nobody"]}, {"initiative": [["Black"]]}, {"card": "Zap", "lifts": [{}]}],
)
def test_a_declaration_that_makes_no_sense_says_so(match, declaration):
    with pytest.raises(InvalidSetup):
        match(BOARD).declare(declaration)


def test_what_makes_no_sense_is_quoted_no_longer_than_a_sentence(match):
    with pytest.raises(InvalidSetup) as fault:
        match(BOARD).declare({"initiative": ["Black"] * 300})
    assert len(str(fault.value)) < 200
    with pytest.raises(InvalidNotation) as fault:
        mids.parse("move " * 300)
    assert len(str(fault.value)) < 200


def test_the_last_owner_of_mids_wins(match):
    assert mids.outcome(match(BOARD).state) is None
    assert mids.outcome(match("a1: Sr / white").state).winners == ("White",)
    assert mids.outcome(match("").state).ending is Ending.DRAWN
    assert mids.outcome(match("a1: Sr / white; c1: Sr").state) is None


@pytest.mark.parametrize("text", ["", "move", "move c4", "move c9-c4", "shoot d3 g4 d4 n", "move c4-c4-c4", "fly a1"])
def test_other_text_is_no_move(text):
    with pytest.raises(InvalidNotation, match="move c4-e6"):
        mids.parse(text)


def test_notation_forgives_case_and_spaces():
    assert str(mids.parse(" Move C4 - e6 ")) == "move c4-e6"
    assert str(mids.parse("Attack c5 x B4")) == "attack c5xb4"
    assert mids.parse("touch b2 large red -> empty") == Touch("b2", "large red", "empty")


def test_pieces_in_colours_the_game_has_not_are_not_its_pieces(match, scene, doubted):
    bead = Stack("board-sw", "d4", Pose(177, 177, 15.0), (Pyramid(Colour.CLEAR, Size.LARGE),))
    with_bead = type(scene("")).of([*scene(BOARD).stacks, bead])
    state = match(BOARD).state
    assert mids.sift(state, with_bead) == mids.sift(state, scene(BOARD))


def test_a_stand_that_no_player_has_is_no_stand(match, scene):
    state = match(BOARD).state
    (stack,) = mids.sift(state, scene("b2: Lr / purple")).stacks
    assert stack.stand is None
