"""How the umpire weighs doubt, and what it must never accuse anybody of."""

import pytest

from engine import umpire
from engine.game import Agreed, Plays
from engine.games import martian_mids as mids
from engine.games.martian_mids import Player
from engine.rules import Illegal, Legal, Unclear
from engine.table import Colour
from engine.umpire import READINGS, consider, judge, positions

TABLE = "b2: Lr Mg / black; f2: Ly / black; c5: Lg Sr / white; a3: Mr / white; h1: Sb / black"
TOO_FAR = TABLE.replace("f2", "f4")


@pytest.fixture
def start(match):
    return match(TABLE).state


def seen_from(state, scene):
    return judge(mids, state, scene)


def test_judging_changes_nothing_and_repeats_itself(start, scene):
    seen = scene(TOO_FAR)
    assert seen_from(start, seen) == seen_from(start, seen)


@pytest.mark.parametrize(("sure", "kind"), [(1.0, Illegal), (0.9, Illegal), (0.6, Unclear)])
def test_an_accusation_needs_nearly_all_of_the_evidence(start, scene, doubted, sure, kind):
    seen = doubted(scene(TOO_FAR), "f4", ("Ly", sure), ("Ly Ly", 1 - sure))
    assert isinstance(seen_from(start, seen), kind)


def test_another_mid_on_the_square_is_not_accused(start, scene):
    assert isinstance(seen_from(start, scene(TABLE.replace("f2: Ly", "f4: Ly Lr"))), Unclear)


def test_a_legal_move_of_a_misread_mid_is_legal_and_asked_about(start, scene):
    ruling = seen_from(start, scene(TABLE.replace("f2: Ly", "f3: Lb")))
    assert isinstance(ruling, Legal)
    assert any("f3" in question for question in ruling.questions)


def test_a_misreading_elsewhere_is_asked_beside_the_ruling(start, scene):
    ruling = seen_from(start, scene(TOO_FAR.replace("Lg Sr", "Lg Mr")))
    assert isinstance(ruling, Illegal)
    assert any("c5" in question for question in ruling.questions)


def test_the_states_reading_needs_little_support(start, scene, doubted):
    assert seen_from(start, doubted(scene(TABLE), "c5", ("Lg So", 0.9), ("Lg Sr", 0.1))) is None


def test_pieces_surely_gone_are_not_overlooked(start, scene, doubted):
    seen = doubted(scene(TABLE), "b2", ("Lr", 0.97), ("Lr Mg", 0.03))
    judged = consider(mids, start, seen)
    assert isinstance(judged.ruling, Unclear)
    assert start in judged.states


def test_pieces_perhaps_gone_are_kept_in_mind(start, scene, doubted):
    judged = consider(mids, start, doubted(scene(TABLE), "b2", ("Lr", 0.75), ("Lr Mg", 0.25)))
    assert judged.ruling is None
    assert judged.states[0] == start
    assert len(judged.states) > 1


def test_a_fallen_look_of_a_mid_is_our_eye(start, scene):
    ruling = seen_from(start, scene(TABLE.replace("f2: Ly / black", "f2: Ly > e")))
    assert isinstance(ruling, Unclear)
    assert "misread" in ruling.reason


def test_positions_come_likeliest_first_and_are_few(start, scene, doubted):
    seen = scene("d8: Sr; e8: Sr; f8: Sr; g8: Sr; h8: Sr; a8: Sr; b8: Sr")
    for square in ("d8", "e8", "f8", "g8", "h8", "a8", "b8"):
        seen = doubted(seen, square, ("Sg", 0.6), ("Mg", 0.4))
    found = positions(mids, start, seen)
    weights = [weight for _, weight in found]
    assert len(found) == READINGS
    assert weights == sorted(weights, reverse=True)
    assert weights[0] == pytest.approx(0.6**7)
    assert sum(weights) < 1


@pytest.mark.parametrize("plays", [0, 1, 5])
def test_where_the_count_ends_before_the_legal_lines_nobody_is_accused(start, scene, monkeypatch, plays):
    assert isinstance(seen_from(start, scene(TOO_FAR)), Illegal)
    monkeypatch.setattr(umpire, "PLAYS", plays)
    ruling = seen_from(start, scene(TOO_FAR))
    assert isinstance(ruling, Unclear)
    assert "too many ways" in ruling.reason


def test_the_readings_of_a_scene_share_its_plays(start, scene, doubted, monkeypatch):
    """What a reading leaves is there for the others, and all of them together try no more than the count."""
    tried = []
    explain = mids.explain

    def counted(state, position, plays):
        before = plays.left
        found = explain(state, position, plays)
        tried.append(before - plays.left)
        return found

    monkeypatch.setattr(mids, "explain", counted)
    monkeypatch.setattr(umpire, "PLAYS", 600)
    seen = doubted(scene(TOO_FAR.replace("c5", "d5")), "d5", ("Lg Sr", 0.5), ("Lg", 0.3), ("Lr Sr", 0.2))
    consider(mids, start, seen)
    assert len(tried) == 3
    assert 0 < sum(tried) <= 600 + len(tried)


def test_a_count_that_is_spent_gives_no_more():
    plays = Plays(2)
    assert [plays.spend() for _ in range(3)] == [True, True, False]


class TestWhoseTurn:
    def test_who_has_lost_every_mid_is_not_waited_for(self, match, scene):
        table = "a1: Sr / black; b1: Sr / black; h8: Sr / black; c5: Lg / white; d5: Sg / white; g7: Sb / red"
        players = (Player("Ann", Colour.BLACK), Player("Bob", Colour.WHITE), Player("Cy", Colour.RED))
        game = match(table, players=players)
        game.see(scene(table.replace("a1", "a2")))
        game.see(scene(table.replace("a1", "a2").replace("; g7: Sb / red", "")))
        assert game.state.awaited == ("Ann",)
        assert game.state.round_number == 2

    def test_stands_nobody_saw_leave_the_order_open(self, match):
        assert match("a1: Sr / black; b1: Sr / black; c5: Lg / white; d5: Sg").state.order == (("Black", "White"),)

    def test_a_declared_order_against_the_board_blames_nobody(self, match, scene):
        for mover in ("b2", "c5"):
            game = match(TABLE, ["White", "Black"])
            target = {"b2": "b3", "c5": "c6"}[mover]
            assert isinstance(game.see(scene(TABLE.replace(mover, target))), Legal)

    def test_a_turn_taken_too_early_is_charged_once(self, match, scene):
        game = match(TABLE)
        early = TABLE.replace("c5", "c6")
        rulings = [game.see(scene(each)) for each in (early, early, early.replace("f2", "f3"))]
        assert isinstance(rulings[0], Illegal)
        assert rulings[1] is None
        assert isinstance(rulings[2], Legal)
        assert game.state.round_number == 2

    def test_two_turns_running_are_a_fault(self, match, scene):
        game = match(TABLE)
        assert isinstance(game.see(scene(TABLE.replace("f2", "f3"))), Legal)
        ruling = game.see(scene(TABLE.replace("f2", "g3")))
        assert isinstance(ruling, Illegal)
        assert [violation.rule.id for violation in ruling.violations] == ["turn-order"]

    def test_in_a_tie_an_action_may_be_anybodys(self, match, scene):
        game = match("b4: Lr Mg / black; c5: Lr Sr / white; a4: Mr / black; h8: Ly / white")
        game.see(scene("b4: Lr / black; c5: Lr Sr / white; a4: Mr / black; h8: Ly / white"))
        assert {state.awaited for state in game.states} == {("Black",), ("White",)}

    def test_a_missile_and_a_turn_between_photos_accuse_nobody(self, match, scene):
        game = match("a1: Sr / black; b1: Sr / black; h8: Mg / white; d4: Sb > n")
        game.see(scene("a2: Sr / black; b1: Sr / black; h8: Mg / white; d4: Sb > n"))
        game.see(scene("a2: Sr / black; b1: Sr / black; h7: Mg / white; d5: Sb > n"))
        assert not isinstance(game.see(scene("a3: Sr / black; b1: Sr / black; h7: Mg / white; d5: Sb > n")), Illegal)


def test_agreeing_to_an_unclear_ruling_goes_on_from_the_likeliest(match, scene):
    game = match(TABLE)
    game.see(scene(TABLE + "; e5: Sg / white"))
    likeliest = game.state
    game.play(Agreed())
    assert game.states == (likeliest,)


def test_a_bad_stack_is_pointed_out_at_the_start(match):
    assert any("smaller one" in sentence for sentence in mids.start_warnings(match("b2: Sr Lr / black").state))


@pytest.mark.parametrize(("fewer", "kind"), [(0.95, Illegal), (0.7, Unclear), (0.5, Legal)])
def test_a_count_in_doubt_at_the_start_stays_in_doubt(scene, doubted, fewer, kind):
    first = doubted(scene(TABLE), "f2", ("Ly", fewer), ("Ly Sr", 1 - fewer))
    state = mids.start(mids.Setup((Player("Black", Colour.BLACK), Player("White", Colour.WHITE))), first)
    assert isinstance(judge(mids, state, scene(TOO_FAR)), kind)


def test_a_mid_whose_stand_nobody_saw_may_be_moved_by_whoever_acts(match, scene):
    blind = TABLE.replace("Lg Sr / white", "Lg Sr")
    game = match(blind, ["Black", "White"])
    assert isinstance(game.see(scene(blind.replace("f2", "f3"))), Legal)
    assert isinstance(game.see(scene(blind.replace("f2", "f3").replace("c5", "c6"))), Legal)
    assert len(game.state.mids_of("White")) == 2


def test_who_moved_a_mid_whose_stand_nobody_saw_stays_open_in_a_tie(match, scene):
    game = match("a1: Sr / black; c5: Sg / white; h8: Mg")
    game.see(scene("a1: Sr / black; c5: Sg / white; h7: Mg"))
    assert {state.awaited for state in game.states} == {("Black",), ("White",)}
