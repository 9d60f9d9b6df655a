"""What shots, attacks and missiles do to a board. Every table is written before and after."""

from dataclasses import replace

import pytest

from engine.games import martian_mids as mids
from engine.rules import Ending

REST = "; h8: Sb / black; h1: Sb / white"


@pytest.fixture
def played(match, scene):
    """The state after a line from a table with Mids left over on h8 and h1; what is said is checked to be legal."""

    def made(text, *moves, options=None, acted=()):
        state = replace(match(text + REST, ["Black", "White"]).state, acted=acted)
        state = replace(state, options=options or state.options)
        for move in map(mids.parse, moves):
            assert mids.violations(state, move) == (), str(move)
            state = mids.play(state, move)
        return state

    return made


@pytest.fixture
def lies(scene):
    """Whether the state's board looks like the table written."""

    def made(state, text):
        return mids.changes(state.position, mids.read(scene(text + REST))) == ()

    return made


@pytest.mark.parametrize(
    ("before", "moves", "after"),
    [
        ("b2: Lr Mg / black", ["shoot b2 g2 b3 ne"], "b2: Lr / black; b3: Mg > ne"),
        ("b2: Mg / black", ["shoot b2 g2 b3 ne"], "b3: Mg > ne"),
        ("b2: Mg Mg / black; b3: Sr > n", ["shoot b2 g2 b3 ne"], "b2: Mg / black; b3: Sr > n; b3: Mg > ne"),
        ("b2: Lg Mr / black; b3: Lg Lg Sg / white", ["shoot b2 r2 b3 w"], "b2: Lg / black; b3: Lg / white"),
        ("b2: Lg Mr / black; b3: Lg Lg / white", ["shoot b2 r2 b3 w"], "b2: Lg / black"),
        ("b2: Lg Mr / black; b3: Lg Lg Sg / black", ["shoot b2 r2 b3 w"], "b2: Lg / black; b3: Lg / black"),
        ("b2: Lg Mb / black; b3: Lg / white", ["shoot b2 b2 b3 e"], "b2: Lg / black; d3: Lg / white"),
        ("b2: Lg Mb / black; b3: Lg / white", ["shoot b2 b2 b3 s"], "b1: Lg / white"),
        ("b2: Lg Mb / black; b3: Lg / white", ["shoot b2 b2 b3 nw"], "b2: Lg / black"),
    ],
    ids=["laid", "the last", "beside", "smasher", "destroys", "friend", "shover", "backwards", "off"],
)
def test_shots(played, lies, before, moves, after):
    assert lies(played(before, *moves), after)


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("c3: Lg Mr / black; c4: Lg Mg Sg / white", "c3: Lg Mr / black; c4: Lg Mg / white"),
        ("c3: Lg Lg Mr / black; c4: Lg Mg Sg / white", "c3: Lg Lg Mr / black; c4: Lg / white"),
        ("c3: Lr / black; c4: Lg / white", "c3: Lr / black"),
        ("c3: Lb / black; c4: Lg / white", "c3: Lb / black; c5: Lg / white"),
        ("c3: Lb / black; c4: Mg / white", "c3: Lb / black; c6: Mg / white"),
        ("c3: Lb / black; c4: Mg / white; c6: Sy / white", "c3: Lb / black; c6: Mg / white; c7: Sy / white"),
        ("c3: Lg / black; c4: Lg / white", "c3: Lg / black"),
        ("c3: Ly / black; c4: Lg / white", "c3: Ly / black; c4: Lg / white"),
    ],
    ids=["smash 1", "smash 2", "destroy", "shove 1", "shove 2", "shove two Mids", "too small", "control"],
)
def test_attacks(played, lies, before, after):
    assert lies(played(before, "attack c3xc4"), after)


def test_a_shove_goes_directly_away_and_off_the_board(played, lies):
    assert lies(played("b2: Lb / black; a1: Mg / white", "attack b2xa1"), "b2: Lb / black")


def test_the_front_mid_falls_and_the_rest_go_on(played, lies):
    table = "a2: Lb Lb / black; a3: Sr / white; a7: Sg / white; a8: Sy / white"
    assert lies(
        played(table.replace("a3", "a6").replace("a2", "a5"), "attack a5xa6"), "a5: Lb Lb / black; a8: Sr / white"
    )


def test_pushing_ends_at_a_missile_which_hits(played, lies):
    """The example of V.2.A.ii: two Mids are pushed on until the second meets a missile."""
    table = "b2: Sg Sb Lb / black; c3: Lg / white; d3: Mg Sy / white; f3: Sr > n"
    after = played(table.replace("b2: Sg Sb Lb", "b2: Lb Lb"), "shoot b2 b3 c3 e")
    assert lies(after, "b2: Lb / black; e3: Lg / white; f3: Mg / white")


def test_a_move_onto_a_missile_is_a_hit(played, lies):
    assert lies(played("b2: Lg Mr / black; b3: Sb > e", "move b2-b3"), "c3: Lg Mr / black")


def test_splits_are_chosen_one_after_another(played, lies):
    before = "c3: Lg Lg Lg / black; c4: Lr Mr Sr Sr / white"
    state = played(before, "attack c3xc4", "split c4 2 b5", "split c4 1 d5")
    assert lies(state, "c3: Lg Lg Lg / black; c4: Lr / white; b5: Sr Sr / white; d5: Mr / white")
    assert state.awaited == ("White",)


def test_who_is_to_choose_is_known_while_it_is_owed(played):
    state = played("c3: Lg Lg Lg / black; c4: Lr Mr Sr Sr / white", "attack c3xc4")
    assert mids.choosers(state) == ("Black",)
    assert all(str(move).startswith("split c4") for move in mids.candidates(state))
    assert len(mids.candidates(state)) == 2 * 7


def test_a_mid_is_split_only_where_there_is_room(played, lies):
    before = "a1: Lr Lr Sr / white; a2: Lg Lg / black; b1: Lg / black"
    state = played(before, "attack a2xa1", "split a1 1 b2")
    assert lies(state, "a1: Lr Lr / white; a2: Lg Lg / black; b1: Lg / black; b2: Sr / white")
    full = before + "; b2: Lg / black"
    assert lies(played(full, "attack a2xa1"), full)


@pytest.mark.parametrize(("room_first", "survives"), [(False, False), (True, True)])
def test_whether_room_or_size_comes_first_is_an_option(played, room_first, survives):
    table = "a1: Lr Sr / white; a2: Lg Lg / black; b1: Lg / black; b2: Lg / black"
    state = played(table, "attack a2xa1", options=mids.Options(cleave_room_first=room_first))
    assert (state.position.mid_at(mids.Square.parse("a1")) is not None) is survives


def test_parts_that_land_on_missiles_are_hit_when_all_splits_are_done(played, lies):
    before = "c3: Lg Lg Lg / black; c4: Lr Mr Sr Sr / white; b5: Sr > n"
    state = played(before, "attack c3xc4", "split c4 2 b5", "split c4 1 d5")
    assert lies(state, "c3: Lg Lg Lg / black; c4: Lr / white; b5: Sr / white; d5: Mr / white")


def test_several_missiles_hit_in_order_and_their_owner_orders_them(played, lies):
    table = "b2: Lg Lg Sr / black; b3: Sr / white > n; b3: Sb / white > e; b3: My / black > e"
    state = played(table, "move b2-b3")
    assert mids.choosers(state) == ("White",)
    assert state.position.mid_at(mids.Square.parse("b3")).beads == mids.Beads("Black", 2)
    assert {str(move) for move in mids.candidates(state)} == {"strike b3 r1 n", "strike b3 b1 e"}
    assert lies(mids.play(state, mids.parse("strike b3 b1 e")), "c3: Lg Lg / black")


@pytest.mark.parametrize(("spared", "left"), [(False, "Lg Lg"), (True, "Lg Lg Sr")])
def test_missiles_may_spare_who_was_pushed_away(played, lies, spared, left):
    table = "b2: Lg Lg Sr / black; b3: Sb / black > e; b3: Sr / white > n"
    state = played(table, "move b2-b3", options=mids.Options(missiles_spare_who_left=spared))
    assert lies(state, f"c3: {left} / black" + ("; b3: Sr > n" if spared else ""))


class TestMissilesMove:
    def test_their_pips_straight_on(self, played, lies):
        state = played("b2: Lb > ne; c1: Sr > e", "fly b2-e5 b3 ne", "fly c1-d1 r1 e", acted=("Black", "White"))
        assert lies(state, "e5: Lb > ne; d1: Sr > e")
        assert (state.round_number, state.flown) == (2, ())

    def test_off_the_board(self, played, lies):
        assert lies(played("b2: Lb > s", "fly b2-off b3 s", acted=("Black", "White")), "")

    def test_into_a_mid_which_is_hit(self, played, lies):
        state = played("b2: Lr > n; b4: Lg Lg Sg Sg / white", "fly b2-b4 r3 n", acted=("Black", "White"))
        assert lies(state, "b4: Lg / white")

    def test_over_other_missiles(self, played, lies):
        state = played("b2: Mr > n; b3: Sg > e", "fly b2-b4 r2 n", acted=("Black", "White"))
        assert lies(state, "b4: Mr > n; b3: Sg > e")

    def test_a_missile_that_has_hit_moves_no_more(self, played):
        table = "b2: Sb / black > e; c2: Mg / black; d2: Sr / white > n"
        state = played(table, "fly b2-c2 b1 e", acted=("Black", "White"))
        assert (state.round_number, state.position.missiles) == (2, ())


class TestBeads:
    TABLE = "c3: Ly / black; c4: Mg / white"

    def test_one_for_an_equal_and_two_for_a_smaller_victim(self, played):
        state = played(self.TABLE, "attack c3xc4")
        assert state.position.mid_at(mids.Square.parse("c4")).beads == mids.Beads("Black", 2)
        state = played(self.TABLE.replace("Mg", "Lg"), "attack c3xc4")
        assert state.position.mid_at(mids.Square.parse("c4")).beads == mids.Beads("Black", 1)

    def test_who_has_beads_on_a_mid_controls_it_until_they_are_gone(self, played):
        state = played(self.TABLE, "attack c3xc4", "move h1-h2")
        counts = []
        for move in ("move c4-c5", "move h2-h1", "move c5-c4", "move h1-h2"):
            assert mids.violations(state, mids.parse(move)) == ()
            state = mids.play(state, mids.parse(move))
            beads = [mid.beads.count for _, mid in state.position.mids if mid.beads]
            counts.append(sum(beads))
        assert counts == [1, 1, 0, 0]
        assert state.controller_of(state.position.mid_at(mids.Square.parse("c4"))) == "White"

    def test_beads_belong_to_the_owner_of_the_mid_that_attacks(self, played):
        table = "c3: Ly / black; c4: My / white; d4: Sg / white; a1: Sr / black; a2: Sr / black"
        state = played(table, "attack c3xc4", "move h1-h2", "attack c4xd4")
        assert state.position.mid_at(mids.Square.parse("d4")).beads == mids.Beads("White", 2)

    def test_a_new_hit_replaces_the_old_beads(self, played):
        state = played(self.TABLE, "attack c3xc4", "move h1-h2", "attack c3xc4")
        assert state.position.mid_at(mids.Square.parse("c4")).beads == mids.Beads("Black", 2)

    def test_they_stay_where_a_split_leaves_the_stand(self, played):
        table = "c3: Lr Ly / black; b4: Mg Mg / black; c4: Lr Sr / white; a8: Sr / white"
        state = played(table, "attack c3xc4", "move a8-a7", "attack b4xc4", "split c4 1 d5")
        stayed, split_off = (state.position.mid_at(mids.Square.parse(square)) for square in ("c4", "d5"))
        assert stayed.beads == mids.Beads("Black", 1, are_fresh=False)
        assert split_off == mids.Mid(split_off.pyramids, stayed.stand)

    def test_who_only_controls_acts_last_and_wins_nothing(self, match):
        table = "c3: Ly / black; c4: Mg / white; d4: Lr Lr / white"
        state = mids.play(match(table, ["Black", "White"]).state, mids.parse("attack c3xc4"))
        state = replace(state, order=(("Black",), ("White",)), acted=("Black",))
        state = mids.play(state, mids.parse("attack d4xc3"))
        assert mids.outcome(state).winners == ("White",)


def test_the_last_two_may_go_together(match):
    state = match("a1: Sr / black; a2: Sr / white; b1: Sr > w").state
    state = replace(state, acted=("Black", "White"), position=match("a1: Sr / black").state.position)
    assert mids.outcome(mids.play(state, mids.parse("move a1-off"))).ending is Ending.DRAWN


def test_a_draw_is_agreed_by_all_who_own_mids(match):
    game = match("a1: Sr / black; a2: Sr / white")
    game.declare({"stalemate": ["Black"]})
    assert game.outcome is None
    game.declare({"stalemate": ["White"]})
    assert game.outcome.ending is Ending.DRAWN


def test_who_plays_on_does_not_agree_any_more(match):
    game = match("a1: Sr / black; a2: Sr / white", ["Black", "White"])
    game.declare({"stalemate": ["White"]})
    game.play(mids.parse("move a1-b1"))
    assert game.state.for_stalemate == ()
