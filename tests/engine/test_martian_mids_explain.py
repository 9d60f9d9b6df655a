"""What is made of two settled tables: every kind of event, faults that are sure, and what must accuse nobody."""

from dataclasses import replace

import pytest

from engine.errors import InvalidSetup
from engine.games import martian_mids as mids
from engine.rules import Illegal, Legal, Unclear
from engine.table import Scene

TABLE = (
    "b2: Lg Mr / black; d3: Mb Sb / black; g2: Ly / black; h8: Sg / black;"
    "b3: Lg Mg Sg / white; e4: Mg Sr / white; f7: Lr Sr / white"
)


@pytest.fixture
def ruled(match, scene):
    """The ruling on a table that became another, with what was said before."""

    def made(before, after, *said, acted=()):
        game = match(before, ["Black", "White"])
        game._states = (replace(game.state, acted=acted),)
        for declaration in said:
            game.declare(declaration)
        return game.see(scene(after))

    return made


def line(ruling):
    return "; ".join(map(str, ruling.line))


def rules(ruling):
    return [violation.rule.id for violation in ruling.violations]


@pytest.mark.parametrize(
    ("change", "text"),
    [
        (("b3: Lg Mg Sg", "b3: Lg Mg"), "attack b2xb3"),
        (("e4: Mg Sr", "f5: Mg Sr"), "attack d3xe4"),
        (("d3: Mb Sb / black", "d3: Mb / black; c4: Sb > w"), "shoot d3 b1 c4 w"),
        (("h8: Sg / black", "g8: Sg > n"), "shoot h8 g1 g8 n"),
        (("b2: Lg Mr / black; d3", "b2: Lg / black; d3"), None),
        (("b2: Lg Mr / black;", "b2: Lg / black; a3: Mr > sw;"), "shoot b2 r2 a3 sw"),
    ],
    ids=["smash", "shove", "shot", "the last pyramid", "a loss", "another shot"],
)
def test_events_are_found(ruled, change, text):
    ruling = ruled(TABLE, TABLE.replace(*change))
    if text is None:
        assert not isinstance(ruling, Illegal)
    else:
        assert isinstance(ruling, Legal)
        assert line(ruling) == text


def test_a_shot_that_hits_is_found_by_what_it_does(ruled):
    after = TABLE.replace("b2: Lg Mr", "b2: Lg").replace("b3: Lg Mg Sg", "b3: Lg")
    assert line(ruled(TABLE, after)).startswith("shoot b2 r2 b3")


def test_a_chain_that_moves_several_mids_is_found(ruled):
    before = "c3: Lb / black; h1: Sr / black; d3: Mg / white; e3: My / white; g3: Sr > n"
    after = "c3: Lb / black; h1: Sr / black; e3: Mg / white; f3: My / white; g3: Sr > n"
    assert (
        line(ruled(before, after.replace("e3: Mg", "f3: Mg").replace("f3: My / white; g3: Sr > n", "")))
        == "attack c3xd3"
    )


def test_a_cleave_is_found_with_its_splits(ruled):
    before = "c3: Lg Lg / black; h1: Sr / black; d3: Lr Sr Sr / white"
    after = "c3: Lg Lg / black; h1: Sr / black; d3: Lr / white; e4: Sr / white; c2: Sr / white"
    assert line(ruled(before, after)) == "attack c3xd3; split d3 1 c2; split d3 1 e4"


@pytest.mark.parametrize("flown", ["one", "all"])
def test_missiles_are_watched_for_one_at_a_time_or_all_at_once(ruled, flown):
    before = "a1: Sr / black; b1: Sr / black; h8: Sg / white; d4: Sb / black > n; g4: Mr / white > n"
    after = before.replace("d4", "d5") if flown == "one" else before.replace("d4", "d5").replace("g4", "g6")
    ruling = ruled(before, after, acted=("Black", "White"))
    assert line(ruling) == "fly d4-d5 b1 n" + ("; fly g4-g6 r2 n" if flown == "all" else "")


def test_missiles_that_change_places_have_moved(ruled):
    before = "a1: Sr / black; b1: Sr / black; h8: Sg / white; f2: Sr / black > ne; g3: Sb / white > sw"
    after = before.replace("f2: Sr", "x").replace("g3: Sb", "f2: Sb").replace("x", "g3: Sr")
    assert line(ruled(before, after, acted=("Black", "White"))) == "fly f2-g3 r1 ne; fly g3-f2 b1 sw"


class TestFaults:
    @pytest.mark.parametrize(
        ("change", "rule"),
        [
            (("d3: Mb Sb / black", "d3: Mb / black; d5: Sb > n"), "shoot-adjacent"),
            (("e4: Mg Sr / white", "e4: Mg / white; e5: Sr > n"), "turn-order"),
            (("d3: Mb Sb", "d5: Mb Sb"), None),
            (("d3: Mb Sb", "d7: Mb Sb"), "move-distance"),
            (("d3: Mb Sb", "e5: Mb Sb"), "straight-line"),
            (("f7: Lr Sr", "f6: Lr Sr"), "turn-order"),
        ],
    )
    def test_one_fault_that_explains_the_table_is_charged(self, ruled, change, rule):
        ruling = ruled(TABLE, TABLE.replace(*change))
        assert isinstance(ruling, Illegal if rule else Legal)
        assert not rule or rules(ruling) == [rule]

    def test_an_attack_that_took_too_much(self, ruled):
        before = "d4: Lg Mr / black; h1: Sr / black; d5: Lg Mg Sg / white"
        ruling = ruled(before, before.replace("Lg Mg Sg", "Lg"))
        assert line(ruling).startswith("attack d4xd5; touch d5")
        assert rules(ruling) == ["hands-off"]

    @pytest.mark.parametrize("target", ["d6", "e5", "c4"])
    def test_a_missile_that_flew_elsewhere(self, ruled, target):
        before = "a1: Sr / black; b1: Sr / black; h8: Sg / white; d4: Sb / black > n"
        ruling = ruled(before, before.replace("d4", target), acted=("Black", "White"))
        assert isinstance(ruling, Illegal)
        assert rules(ruling) == ["flight-way"]

    def test_a_missile_that_flew_too_early(self, ruled):
        before = "a1: Sr / black; b1: Sr / black; h8: Sg / white; d4: Sb / black > n"
        ruling = ruled(before, before.replace("d4", "d5"), acted=("Black",))
        assert rules(ruling) == ["flight-time"]

    def test_two_mids_of_one_player_in_one_turn(self, ruled):
        ruling = ruled(
            "a1: Lr / black; c1: Mr / black; h8: Sr / white", "a2: Lr / black; c2: Mr / black; h8: Sr / white"
        )
        assert rules(ruling) == ["turn-order"]


class TestNobodyIsAccused:
    @pytest.mark.parametrize(
        "change",
        [
            ("f7: Lr Sr / white", ""),
            ("h8: Sg / black", "h8: Sg / black; a8: Sr / white"),
            ("f7: Lr Sr", "f7: Lr My"),
            ("f7: Lr Sr", "f7: Lr Sr Sr"),
        ],
        ids=["a Mid is not seen", "one too many", "another colour", "a piece more"],
    )
    def test_of_what_may_be_our_eye(self, ruled, change):
        assert not isinstance(ruled(TABLE, TABLE.replace(*change)), Illegal)

    def test_of_a_mid_that_was_knocked_over_a_border(self, match, scene):
        game = match("a1: Lr / black; c1: Mr / black; h8: Sr / white; g7: Sr / white", ["Black", "White"])
        seen = scene("a2: Lr / black; c1: Mr / black; h8: Sr / white; g6: Sr / white")
        assert isinstance(game.see(seen), Legal)
        game = match("a1: Lr / black; c1: Mr / black; h8: Sr / white", ["Black", "White"])
        knocked = [
            replace(one, pose=replace(one.pose, y_mm=one.pose.y_mm - 18)) if one.zone == "c2" else one
            for one in scene("a2: Lr / black; c2: Mr / black; h8: Sr / white").stacks
        ]
        assert isinstance(game.see(Scene.of(knocked)), Unclear)

    def test_of_what_a_missing_top_may_have_done(self, match, scene, doubted):
        first = doubted(scene(TABLE.replace("d3: Mb Sb", "d3: Mb")), "d3", ("Mb", 0.7), ("Mb Sb", 0.3))
        state = mids.start(mids.Setup(match(TABLE).state.players, ("Black", "White")), first)
        game = type(match(TABLE))(mids, state)
        ruling = game.see(scene(TABLE.replace("d3: Mb Sb / black", "d3: Mb / black; c4: Sb > w")))
        assert isinstance(ruling, Legal)
        assert any("d3" in question for question in ruling.questions)

    def test_of_a_shot_with_a_top_that_was_taken_for_another(self, ruled):
        before, after = TABLE.replace("d3: Mb Sb", "d3: Mb Mb"), TABLE.replace("d3: Mb Sb", "d3: Mb")
        ruling = ruled(before, after + "; c4: Sb > w")
        assert line(ruling) == "shoot d3 b1 c4 w"
        assert any("small blue" in question for question in ruling.questions)

    @pytest.mark.parametrize(("fewer", "is_taken_so"), [(0.4, True), (0.05, False)])
    def test_of_a_shot_by_a_mid_that_had_one_pyramid_fewer(self, match, scene, doubted, fewer, is_taken_so):
        table = "d3: Mb Sb Sb / black; h1: Sr / black; a8: Lg / white"
        first = doubted(scene(table), "d3", ("Mb Sb Sb", 1 - fewer), ("Mb Sb", fewer))
        game = type(match(table))(mids, mids.start(mids.Setup(match(table).state.players, ("Black", "White")), first))
        ruling = game.see(scene(table.replace("d3: Mb Sb Sb / black", "d3: Mb / black; c4: Sb > w")))
        assert isinstance(ruling, Legal if is_taken_so else Unclear)


class TestSaid:
    TABLE = "c3: Ly / black; c4: Mg / white; h8: Sr / white; h1: Sr / black"

    def test_a_control_attack_leaves_no_trace_and_is_said(self, match, scene):
        game = match(self.TABLE, ["Black", "White"])
        game.declare({"action": "attack c3xc4"})
        assert line(game.see(scene(self.TABLE))) == "attack c3xc4"
        assert game.state.said == ()
        assert game.state.controller_of(game.state.position.mid_at(mids.Square.parse("c4"))) == "Black"
        assert game.see(scene(self.TABLE)) is None

    def test_things_said_between_two_photos_are_done_one_after_another(self, match, scene):
        table = "c3: Ly / black; c4: Mg / white; h8: My / white; g8: Sr / black; a1: Sr / black"
        game = match(table, ["Black", "White"])
        game.declare({"action": "attack h8xg8"})
        game.declare({"action": "attack c3xc4"})
        assert line(game.see(scene(table))) == "attack c3xc4; attack h8xg8"
        assert game.state.said == ()
        assert game.state.round_number == 2

    def test_a_mid_card_may_allow_what_the_rules_do_not(self, match, scene):
        game = match(self.TABLE, ["Black", "White"])
        game.declare({"card": "Twice as far"})
        ruling = game.see(scene(self.TABLE.replace("h1", "h3")))
        assert isinstance(ruling, Unclear)
        assert "Twice as far" in ruling.reason
        game.see(scene(self.TABLE.replace("h1", "h3").replace("h8", "g8")))
        assert game.state.cards == ()

    def test_what_is_said_too_early_waits_for_its_turn(self, match, scene):
        game = match(self.TABLE.replace("black", "red").replace("white", "black").replace("red", "white"))
        game.declare({"initiative": ["Black", "White"]})
        game.declare({"action": "attack c3xc4"})
        assert (
            game.see(scene(self.TABLE.replace("black", "red").replace("white", "black").replace("red", "white")))
            is None
        )
        assert len(game.state.said) == 1

    @pytest.mark.parametrize("said", [{"action": "attack"}, {"action": 3}, {"stalemate": ["Nobody"]}, {}])
    def test_what_makes_no_sense_says_so(self, match, said):
        with pytest.raises(InvalidSetup):
            match(self.TABLE).declare(said)

    def test_options_are_switches(self):
        players = [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}]
        doc = {"players": players, "options": {"cleave_room_first": True}}
        assert mids.Setup.from_json(doc).options == mids.Options(cleave_room_first=True)
        with pytest.raises(InvalidSetup, match="options"):
            mids.Setup.from_json(doc | {"options": {"jump": True}})


def test_a_hit_that_moves_nothing_on_is_legal(ruled):
    before = "b2: Lg Mr / black; h1: Sr / black; h8: Sg / white; b4: Sr > n"
    assert line(ruled(before, before.replace("b2: Lg Mr", "b4: Lg").replace("; b4: Sr > n", ""))) == "move b2-b4"


def test_missiles_that_hit_and_two_mids_that_went_are_judged(ruled):
    """Where the missiles destroyed a Mid first, what happened after them is compared with what they left."""
    before = "a1: Lr / black; c1: Mr / black; c3: Sg / white; h8: Sr / white; b3: Sr / white > e"
    after = "a2: Lr / black; c2: Mr / black; h8: Sr / white"
    assert not isinstance(ruled(before, after, acted=("Black", "White")), Legal)


def test_what_cannot_be_found_out_is_unclear(ruled):
    after = TABLE.replace("f7: Lr Sr", "f7: Lr").replace("h8: Sg", "a8: Sg").replace("e4: Mg Sr / white;", "")
    assert isinstance(ruled(TABLE, after), Unclear)
