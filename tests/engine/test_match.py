"""Whole matches from scenes: the photographed story, doubt, faults put right."""

from dataclasses import replace

import pytest

from engine.errors import IllegalMove
from engine.game import Agreed
from engine.games import martian_mids as mids
from engine.match import Match
from engine.rules import Illegal, Legal, Unclear

REST = "; f2: Ly / black"
STORY = [
    ("b4: Lr Mg / black; c5: Lg Sr / white; d3: Mb Sb / black; e6: My My Sr / white" + REST, Legal),
    ("b4: Lr / black; c5: Lg Sr / white; d3: Mb Sb / black; e6: My My Sr / white" + REST, Legal),
    ("b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; d4: Sb > n; e6: My My Sr / white" + REST, Legal),
    ("b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; d4: Sb > n; e3: My My Sr / white" + REST, Legal),
    ("b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; d5: Sb > n; e3: My My Sr / white" + REST, Legal),
    ("b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; d5: Sb > n; e3: My My Sr / white; f4: Ly / black", Illegal),
    ("b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; d5: Sb > n; e3: My My Sr / white; f3: Ly / black", Legal),
    ("b4: Lr / black; d6: Lg Sr / white; d3: Mb / black; e3: My My Sr / white; f3: Ly / black", Legal),
]
LINES = [
    *("move b2-b4", "attack c5xb4", "shoot d3 b1 d4 n", "move e6-e3"),
    *("fly d4-d5 b1 n", "move f2-f4", "move f2-f3", "move c5-d5"),
]
FIRST = "b2: Lr Mg / black; c5: Lg Sr / white; d3: Mb Sb / black; e6: My My Sr / white" + REST
TWO = "b2: Lr Mg / black; f2: Lr / black; c5: Lg Sr / white"


def test_the_photographed_story_is_ruled_as_it_went(match, scene):
    game = match(FIRST, initiative=["Black", "White"])
    rulings = [game.see(scene(text)) for text, _ in STORY]
    assert [type(ruling) for ruling in rulings] == [wanted for _, wanted in STORY]
    assert [violation.rule.id for violation in rulings[5].violations] == ["move-distance"]
    assert ["; ".join(map(str, ruling.line)) for ruling in rulings] == LINES


def test_a_misread_colour_elsewhere_does_not_change_a_ruling(match, scene, doubted):
    seen = doubted(scene(STORY[0][0]), "c5", ("Lg Sy", 0.6), ("Lg Sr", 0.3))
    assert isinstance(match(FIRST).see(seen), Legal)


def test_a_piece_that_changes_in_place_is_our_eye(match, scene):
    game = match(TWO)
    ruling = game.see(scene("b2: Lr Mg / black; f2: Ly / black; c5: Lg Sr / white"))
    assert isinstance(ruling, Unclear)
    assert "misread" in ruling.reason
    assert game.state == match(TWO).state


def test_an_unchanged_table_gets_no_ruling(match, scene):
    game = match(TWO)
    assert game.see(scene(TWO)) is None
    assert game.history == ()


def test_a_stand_that_is_not_seen_keeps_its_owner(match, scene):
    game = match(TWO)
    assert isinstance(game.see(scene("b2: Lr Mg; f3: Lr; c5: Lg Sr / white")), Legal)
    assert game.state.mids_of("Black") == (mids.Square.parse("b2"), mids.Square.parse("f3"))


def test_a_count_in_doubt_is_no_accusation(match, scene, doubted):
    seen = doubted(scene("b2: Lr Mg / black; f4: Lr / black; c5: Lg Sr / white"), "f4", ("Lr", 0.6), ("Lr Lr", 0.4))
    assert not isinstance(match(TWO).see(seen), Illegal)


def test_a_mid_missing_from_one_photo_is_no_accusation(match, scene):
    game = match(TWO)
    assert isinstance(game.see(scene("b2: Lr Mg / black; c5: Lg Sr / white")), Unclear)
    assert isinstance(game.see(scene("b2: Lr Mg / black; f3: Lr / black; c5: Lg Sr / white")), Legal)


def test_a_shove_is_no_move_of_the_victim(match, scene):
    game = match("a1: Sr / black; b1: Sr / black; c4: Mb / white; c5: Lr / black", initiative=["Black", "White"])
    game.see(scene("a2: Sr / black; b1: Sr / black; c4: Mb / white; c5: Lr / black"))
    assert game.state.awaited == ("White",)
    ruling = game.see(scene("a2: Sr / black; b1: Sr / black; c4: Mb / white; c6: Lr / black"))
    assert ruling == Legal((mids.parse("attack c4xc5"),))


def test_a_silent_control_attack_may_explain_a_move_out_of_turn(match, scene):
    game = match("a1: Sr / black; b1: Sr / black; h8: Sr / black; c4: My / white; c5: Lr / black")
    game.see(scene("a2: Sr / black; b1: Sr / black; h8: Sr / black; c4: My / white; c5: Lr / black"))
    ruling = game.see(scene("a2: Sr / black; b1: Sr / black; h7: Sr / black; c4: My / white; c5: Lr / black"))
    assert ruling == Legal((mids.parse("attack c4xc5"), mids.parse("move h8-h7")))


def test_out_of_turn_is_a_fault_when_nothing_else_explains_it(match, scene):
    ruling = match(TWO).see(scene("b2: Lr Mg / black; f2: Lr / black; c6: Lg Sr / white"))
    assert isinstance(ruling, Illegal)
    assert [violation.rule.id for violation in ruling.violations] == ["turn-order"]


def test_two_turns_between_photos_are_one_line(match, scene):
    ruling = match(TWO).see(scene("b2: Lr Mg / black; f3: Lr / black; c6: Lg Sr / white"))
    assert isinstance(ruling, Legal)
    assert [str(move) for move in ruling.line] == ["move f2-f3", "move c5-c6"]


def test_a_move_over_a_missile_is_a_fault(match, scene):
    game = match("b2: Lr Mg / black; a8: Sr / black; c5: Lg Sr / white; b3: Sr > n")
    ruling = game.see(scene("b4: Lr Mg / black; a8: Sr / black; c5: Lg Sr / white; b3: Sr > n"))
    assert isinstance(ruling, Illegal)
    assert [violation.rule.id for violation in ruling.violations] == ["stop-at-missile"]


def test_a_hit_that_is_not_carried_out_yet_accuses_nobody(match, scene):
    game = match("b2: Lr Mg / black; a8: Sr / black; c5: Lg Sr / white; b3: Sr > n")
    ruling = game.see(scene("b3: Lr Mg / black; a8: Sr / black; c5: Lg Sr / white; b3: Sr > n"))
    assert isinstance(ruling, Unclear)


class TestAfterAFault:
    fault = "b2: Lr Mg / black; f4: Lr / black; c5: Lg Sr / white"

    @pytest.fixture
    def game(self, match, scene):
        game = match(TWO)
        assert isinstance(game.see(scene(self.fault)), Illegal)
        return game

    def test_lying_still_is_not_charged_again(self, game, scene):
        assert game.see(scene(self.fault)) is None
        assert len(game.history) == 1

    def test_taking_back_leads_to_the_last_legal_table(self, game, scene):
        assert game.see(scene(TWO)) is None
        assert game.state.awaited == ("Black",)

    def test_another_move_instead_is_judged_from_the_last_legal_table(self, game, scene):
        assert isinstance(game.see(scene("b2: Lr Mg / black; f3: Lr / black; c5: Lg Sr / white")), Legal)

    def test_playing_on_over_the_fault_is_judged_from_the_table_as_it_lies(self, game, scene):
        ruling = game.see(scene("b2: Lr Mg / black; f4: Lr / black; c6: Lg Sr / white"))
        assert isinstance(ruling, Legal)
        assert [str(move) for move in ruling.line] == ["move c5-c6"]

    def test_we_play_it_so(self, game, scene):
        game.play(Agreed())
        assert game.states == (game.state,)
        assert game.state.awaited == ("White",)
        assert game.state.position.mid_at(mids.Square.parse("f4")) is not None

    def test_undo_takes_the_ruling_back(self, game):
        game.undo()
        assert game.history == ()
        assert game.state.awaited == ("Black",)
        assert game.undo() is None


def test_what_was_unclear_may_be_taken_back(match, scene):
    game = match(TWO)
    assert isinstance(game.see(scene("b2: Lr / black; f2: Lr / black; c5: Lg Sr / white")), Unclear)
    assert game.see(scene(TWO)) is None
    assert game.state.awaited == ("Black",)


def test_after_what_was_unclear_a_fault_is_a_fault_again_once_something_is_clear(match, scene):
    table = "b2: Lr Mg / black; f2: Lr / black; c3: Lg Sr / white; h8: Sb / white"
    game = match(table)
    assert isinstance(game.see(scene(table + "; a8: Sg / white")), Unclear)
    assert isinstance(game.see(scene(table + "; a7: Sg / white")), Legal)
    assert isinstance(game.see(scene(table.replace("f2", "f5") + "; a7: Sg / white")), Illegal)


def test_a_declared_move_that_breaks_rules_is_refused_with_the_rules(match):
    with pytest.raises(IllegalMove, match="at most one square") as refused:
        match(TWO).play(mids.parse("move f2-f4"))
    assert [violation.rule.id for violation in refused.value.violations] == ["move-distance"]


def test_a_declared_move_is_played_wherever_it_may_be_legal(match, scene):
    """White's smash or Black's: what White plays next can only follow on Black's."""
    table = "b4: Lr Mg / black; c5: Lr Sr / white; a4: Mr / black; h8: Ly / white"
    game = match(table)
    game.see(scene(table.replace("Lr Mg", "Lr")))
    assert len(game.states) == 2
    game.play(mids.parse("move h8-h7"))
    assert len(game.states) == 1
    with pytest.raises(IllegalMove):
        game.play(mids.parse("move h7-h5"))


def test_what_is_said_is_taken_in_wherever_it_makes_sense(match, monkeypatch):
    """A die that only one of two possible rounds leaves to be rolled says which of them it is."""
    tied, decided = match(TWO).state, match(TWO).state
    tied = replace(tied, order=(("Black", "White"),), acted=())
    decided = replace(decided, order=(("Black",), ("White",)), acted=())
    game = Match(mids, decided)
    monkeypatch.setattr(game, "_states", (decided, tied))
    game.declare({"roll": [4], "for": ["White"]})
    assert [state.rolls for state in game.states] == [(("White", 4),)]
    with pytest.raises(IllegalMove):
        game.declare({"roll": [4], "for": ["White"]})


def test_a_declared_move_is_played(match):
    game = match(TWO)
    game.play(mids.parse("move f2-f3"))
    assert game.state.awaited == ("White",)


def test_once_something_was_unclear_nobody_is_accused_of_acting_out_of_turn(match, scene):
    table = "a1: Sr / black; b1: Sr / black; h8: Lg Mg / white; c5: Lr Mr / white; e1: Sr / black"
    game = match(table)
    game.see(scene(table.replace("c5: Lr Mr", "c5: Lr")))
    assert not game.state.turns_are_sure
    early = table.replace("c5: Lr Mr", "c5: Lr").replace("a1", "a2").replace("h8", "h7")
    assert not isinstance(game.see(scene(early.replace("a2", "a1").replace("h7", "h8").replace("b1", "b2"))), Illegal)
    assert not isinstance(game.see(scene(early.replace("a2", "a1").replace("h7", "h8").replace("b1", "b3"))), Illegal)


class TestWhereAChoiceIsOwed:
    before = "c3: Lg Lg / black; h1: Sr / black; d3: Lr Sr Sr / white; a8: Sr / white"
    half = before.replace("d3: Lr Sr Sr", "d3: Lr Sr") + "; c2: Sr / white"
    done = before.replace("d3: Lr Sr Sr", "d3: Lr") + "; c2: Sr / white; e4: Sr / white"

    def test_there_is_no_ruling_yet_and_the_table_says_who_is_awaited(self, match, scene):
        game = match(self.before, ["Black", "White"])
        assert game.see(scene(self.half)) is None
        assert game.history == ()
        assert mids.choosers(game.table) == ("Black",)
        assert game.state.owed == ()

    def test_the_whole_line_is_ruled_on_when_it_is_done(self, match, scene):
        game = match(self.before, ["Black", "White"])
        game.see(scene(self.half))
        ruling = game.see(scene(self.done))
        assert "; ".join(map(str, ruling.line)) == "attack c3xd3; split d3 1 c2; split d3 1 e4"
        assert game.table is game.state
        assert game.state.awaited == ("White",)

    def test_what_is_taken_back_instead_has_not_happened(self, match, scene):
        game = match(self.before, ["Black", "White"])
        game.see(scene(self.half))
        assert game.see(scene(self.before)) is None
        assert game.table.owed == ()

    def test_the_choice_may_be_said(self, match, scene):
        game = match(self.before, ["Black", "White"])
        game.see(scene(self.half))
        game.play(mids.parse("split d3 1 e4"))
        assert game.see(scene(self.done)) is None
        assert game.state.awaited == ("White",)


def test_playing_it_so_names_what_is_waived(match, scene):
    game = match(TWO)
    game.see(scene("b2: Lr Mg / black; f4: Lr / black; c5: Lg Sr / white"))
    game.play(Agreed())
    assert [violation.rule.id for violation in game.history[-1].said.waived] == ["move-distance"]


def test_what_else_it_may_have_been_is_asked(match, scene):
    """In a tie the lost top of b4 may be either player's smash, and who is awaited hangs on that."""
    table = "b4: Lr Mg / black; c5: Lr Sr / white; a4: Mr / black; h8: Ly / white"
    ruling = match(table).see(scene(table.replace("Lr Mg", "Lr")))
    assert isinstance(ruling, Legal)
    lines = {*map(str, ruling.line), *(one.removeprefix("Or was it: ").rstrip("?") for one in ruling.questions)}
    assert lines == {"attack a4xb4", "attack c5xb4"}


def test_what_was_said_and_is_not_seen_is_asked_about(match, scene):
    game = match(TWO, ["Black", "White"])
    game.declare({"action": "attack c5xb4"})
    ruling = game.see(scene(TWO.replace("f2", "f3")))
    assert isinstance(ruling, Legal)
    assert any("attack c5xb4" in question for question in ruling.questions)


class TestStandsThatAreNotSeen:
    def owners(self, game):
        return {str(square): game.state.owner_of(mid) for square, mid in game.state.position.mids}

    def test_who_attacks_in_a_known_turn_is_known_from_then_on(self, match, scene):
        table = "c4: Mr; c5: Lr Sr; h8: Sg / black; a8: Sr / white"
        game = match(table, ["Black", "White"])
        assert isinstance(game.see(scene(table.replace("Lr Sr", "Lr"))), Legal)
        assert self.owners(game)["c4"] == "Black"

    def test_in_a_tie_both_may_have_attacked_until_one_acts_again(self, match, scene):
        table = "c4: Mr; c5: Lr Sr / white; h8: Sg / black; a8: Sr / white"
        game = match(table)
        after = table.replace("Lr Sr", "Lr")
        assert isinstance(game.see(scene(after)), Legal)
        assert {state.owner_of(state.position.mid_at(mids.Square.parse("c4"))) for state in game.states} == {
            "Black",
            "White",
        }
        assert isinstance(game.see(scene(after.replace("h8", "h7"))), Legal)
        assert self.owners(game)["c4"] == "White"

    def test_what_was_shoved_or_split_keeps_its_owner(self, match, scene):
        table = "c4: Lg / black; c5: Mr Sr / white; h8: Mb / black; g8: Sr / white; a1: Sr / black"
        game = match(table, ["Black", "White"])
        assert isinstance(game.see(scene("c4: Lg; c5: Mr; b5: Sr; h8: Mb; g8: Sr; a1: Sr")), Legal)
        assert self.owners(game) == {
            **{"c4": "Black", "h8": "Black", "a1": "Black"},
            **{"c5": "White", "b5": "White", "g8": "White"},
        }
        game = match(table, ["Black", "White"])
        assert isinstance(game.see(scene("c4: Lg; c5: Mr Sr; h8: Mb; f8: Sr; a1: Sr")), Legal)
        assert self.owners(game)["f8"] == "White"

    def test_parts_that_no_rule_explains_keep_their_owner(self, match, scene):
        """A cleave attack of fewer pips splits once: what else was split off is still White's."""
        table = "c4: Lg / black; c5: Lr Mr Sr / white; h8: Sg / black; a8: Sr / white"
        game = match(table)
        ruling = game.see(scene("c4: Lg; c5: Lr; b5: Mr; d5: Sr; h8: Sg; a8: Sr"))
        assert isinstance(ruling, Unclear)
        assert {self.owners(game)[square] for square in ("b5", "c5", "d5")} == {"White"}
