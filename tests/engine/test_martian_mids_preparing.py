"""Martian Mids before the first round: drafts, assembly in secret, placing; dice and cards in any round."""

import random
from dataclasses import replace

import pytest

from engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from engine.games import martian_mids as mids
from engine.games.martian_mids import Options, Player
from engine.games.martian_mids.pieces import piece, pips_of
from engine.match import Match
from engine.rules import Illegal, Legal, Unclear
from engine.table import Colour

ANN, BOB = Player("Ann", Colour.BLACK), Player("Bob", Colour.WHITE)
TEN_THREES = " ".join(["r3"] * 5 + ["g3"] * 5)
BY_THREES = f"choose Ann {TEN_THREES}; choose Bob {TEN_THREES}"


def ids(violations):
    return [violation.rule.id for violation in violations]


def begun(draft="full", card_draft=None, first="Ann", players=(ANN, BOB), options=None):
    return mids.prepare(players, draft, first, options or Options(), card_draft)


def after(state, *moves):
    """The state after legal moves, each read back as it was written."""
    for text in "; ".join(moves).split("; "):
        move = mids.parse(text)
        assert str(move) == text
        assert mids.violations(state, move) == (), text
        state = mids.play(state, move)
    return state


def broken(state, text):
    return ids(mids.violations(state, mids.parse(text)))


def with_armies(state, **armies):
    """The draft's state with these collections, out of what lies there."""
    for name, text in armies.items():
        pyramids = tuple(piece(word) for word in text.split())
        for pyramid in pyramids:
            pool = list(state.pool)
            pool.remove(pyramid)
            state = replace(state, pool=tuple(pool))
        collections = list(state.collections)
        collections[state.names.index(name)] = pyramids
        state = replace(state, collections=tuple(collections))
    return state


class TestDraft:
    def test_picks_go_clockwise_from_the_first(self):
        state = begun(first="Bob")
        assert state.awaited == ("Bob",)
        assert after(state, "take Bob r3").awaited == ("Ann",)
        assert broken(state, "take Ann r3") == ["draft-turn"]

    def test_a_partial_draft_begins_with_one_of_each(self):
        state = begun("partial")
        assert [pips_of(each) for each in state.collections] == [24, 24]
        assert len(state.pool) == 36
        assert len(begun("partial", players=(ANN, BOB, Player("Cy", Colour.RED))).pool) == 24

    def test_only_what_lies_there_is_taken(self):
        state = with_armies(begun(), Bob="r3 r3 r3 r3 r3")
        assert broken(state, "take Ann r3") == ["draft-pool"]
        assert broken(state, "trade Ann b1 for g3") == ["draft-pool", "change-when-forced", "change-to-thirty"]

    def test_nobody_exceeds_thirty_pips(self):
        state = with_armies(begun(), Ann="r3 r3 r3 r3 r3 g3 g3 g3 g3 y1")
        assert broken(state, "take Ann g3") == ["thirty-pips"]
        assert broken(state, "take Ann b2") == []
        assert after(state, "take Ann b2").is_done("Ann")

    def test_who_is_done_is_left_out(self):
        state = with_armies(begun(), Ann=TEN_THREES)
        state = replace(state, turn="Bob")
        assert after(state, "take Bob b3").awaited == ("Bob",)

    @pytest.fixture
    def forced(self):
        """Ann has 29 pips, and nothing small is left."""
        state = with_armies(begun(), Ann="r3 r3 r3 r3 r3 g3 g3 g3 g3 b2")
        return replace(state, pool=tuple(kind for kind in state.pool if kind.size > 1))

    @pytest.mark.parametrize(
        ("move", "rule"),
        [
            ("trade Ann b2 for y3", None),
            ("trade Ann b2 for y2", "change-to-thirty"),
            ("trade Ann g3 for y2", "change-to-thirty"),
            ("trade Ann g3 r3 b2 for y3", "change-to-thirty"),
            ("trade Ann b2 r3 for y3 b3", "change-to-thirty"),
        ],
    )
    def test_change_is_made_to_thirty(self, forced, move, rule):
        assert broken(forced, move) == ([rule] if rule else [])

    def test_change_is_made_only_when_all_that_is_left_would_exceed(self, forced):
        with_a_small = replace(forced, pool=(*forced.pool, piece("r1")))
        assert broken(with_a_small, "trade Ann b2 for y3") == ["change-when-forced"]

    def test_where_thirty_cannot_be_reached_what_comes_closer_is_allowed(self):
        """28 pips, and only larges are left: a large for a large changes nothing, a medium for a large makes 29."""
        state = with_armies(begun(), Ann="r3 r3 r3 r3 r3 g3 g3 g3 b2 b2")
        state = replace(state, pool=(piece("y3"), piece("y3")))
        assert broken(state, "trade Ann b2 for y3") == []
        assert broken(state, "trade Ann b2 b2 for y3 y3") == []
        assert broken(state, "trade Ann r3 for y3") == ["change-to-thirty"]

    def test_who_can_come_no_closer_stays_below(self):
        state = with_armies(begun(), Ann="r3 r3 r3 r3 r3 g3 g3 g3 g3 y2")
        state = replace(state, pool=(piece("b2"),))
        assert pips_of(state.has("Ann")) == 29
        assert state.is_done("Ann")

    def test_with_no_draft_thirty_pips_are_chosen_from_a_stash(self):
        state = begun("none")
        assert set(state.awaited) == {"Ann", "Bob"}
        assert broken(state, "choose Ann r3 r3") == ["thirty-pips"]
        assert broken(state, f"choose Ann {' '.join(['r3'] * 10)}") == ["one-stash"]
        assert broken(state, "take Ann r3") == ["draft-turn"]
        assert broken(begun(), f"choose Ann {TEN_THREES}") == ["draft-turn"]
        assert after(state, BY_THREES).phase == "assembly"

    def test_things_are_prepared_one_after_another(self):
        state = begun()
        for move in ("build Ann r3", "place Ann r3 a1", "roll Ann 3", "pick Ann Far", "move a1-a2", "card Ann Far"):
            assert broken(state, move) == ["prepare-in-order"], move
        assert broken(state, "take Cy r3") == ["prepare-in-order"]
        assert broken(state, "touch a1 empty -> large red") == ["hands-off"]

    @pytest.mark.parametrize(
        ("fields", "named"),
        [
            ({"draft": "half"}, "draft"),
            ({"first": "Cy"}, "first"),
            ({"card_draft": "half"}, "card draft"),
            ({"players": (ANN,)}, "players"),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, fields, named):
        with pytest.raises(InvalidSetup, match=named):
            begun(**fields)


class TestAssembly:
    BUILT = "build Ann r3r3 r3r3 r3g3 g3g3 g3g3"

    @pytest.fixture
    def drafted(self):
        return after(begun("none"), BY_THREES)

    def test_all_pyramids_become_parts_of_mids(self, drafted):
        assert broken(drafted, self.BUILT) == []
        assert broken(drafted, "build Ann r3r3") == ["build-all"]
        assert broken(drafted, self.BUILT.replace("g3g3 g3g3", "b3g3 g3g3")) == ["build-all"]

    def test_no_pyramid_stands_on_a_smaller_one(self):
        state = after(begun("none"), "choose Ann r3 r3 r3 r3 r3 g3 g3 g3 g3 g2 g1", f"choose Bob {TEN_THREES}")
        upside_down = "build Ann r3 r3 r3 r3 r3 g3 g3 g3 g3 g1g2"
        assert broken(state, upside_down) == ["not-on-smaller"]
        assert broken(state, upside_down.replace("g1g2", "g2g1")) == []
        (violation,) = mids.violations(state, mids.parse(upside_down))
        assert "g1" not in violation.detail

    def test_it_is_a_secret(self, drafted):
        built = mids.play(drafted, mids.parse(self.BUILT))
        assert built.waiting("Ann")
        for seen in (mids.visible_to(built, "Bob"), mids.visible_to(built, None)):
            assert seen.waiting("Ann") == ((),) * 5
            assert seen.has("Ann") == ()
        assert mids.visible_to(built, "Ann").waiting("Ann") == built.waiting("Ann")
        assert mids.visible_to(built, "Ann").has("Bob") == ()

    def test_what_is_drafted_before_all_eyes_is_none(self):
        state = after(begun(), "take Ann r3")
        assert mids.visible_to(state, "Bob").has("Ann") == (piece("r3"),)


class TestPlacing:
    @pytest.fixture
    def built(self):
        """Ann has five Mids, Bob ten."""
        return after(begun("none"), BY_THREES, TestAssembly.BUILT, "build Bob " + TEN_THREES)

    def test_who_has_most_mids_begins_and_it_goes_round(self, built):
        assert broken(built, "place Ann r3r3 a1") == ["placing-order"]
        state = after(built, "place Bob r3 a1")
        assert broken(state, "place Bob r3 b1") == ["placing-order"]
        assert after(state, "place Ann r3r3 b1").awaited == ("Bob",)

    def test_mids_are_placed_as_they_were_built(self, built):
        assert broken(built, "place Bob b3 a1") == ["place-what-is-built"]

    def test_a_square_holds_one_mid(self, built):
        state = after(built, "place Bob r3 a1")
        assert broken(state, "place Ann r3r3 a1") == ["one-mid-a-square"]
        assert broken(built, "discard Bob r3") == ["full-board"]

    def test_the_first_round_begins_when_all_are_placed(self, built):
        state, chance = built, random.Random(1)
        while isinstance(state, mids.Preparation):
            legal = [move for move in mids.candidates(state) if not mids.violations(state, move)]
            state = mids.play(state, chance.choice(legal))
        assert (state.round_number, state.awaited) == (1, ("Bob",))
        assert len(state.mids_of("Bob")) == 10
        assert mids.start_warnings(state) == ()

    @pytest.fixture
    def full(self):
        """63 squares are full of White's smalls, and Ann's Mids, of one pyramid each, are still to be placed."""
        state = after(begun("none"), BY_THREES, "build Ann " + TEN_THREES, "build Bob " + TEN_THREES)
        small = mids.Mid((piece("y1"),), Colour.WHITE)
        squares = dict.fromkeys(mids.BOARD, small)
        del squares[mids.Square.parse("a1")]
        state = replace(state, position=mids.Position.of(squares), order=(("Ann",), ("Bob",)))
        return replace(state, built=(state.waiting("Ann"), ()))

    def test_on_a_full_board_a_mid_goes_on_top_of_an_own_one(self, full):
        state = after(full, "place Ann r3 a1")
        assert broken(state, "place Ann r3 b1") == ["full-board", "not-on-smaller"]
        assert broken(state, "discard Ann r3") == ["full-board"]
        state = after(state, "place Ann g3 a1")
        assert len(state.position.mid_at(mids.Square.parse("a1")).pyramids) == 2

    def test_what_fits_on_no_own_mid_is_discarded(self, full):
        small = mids.Mid((piece("y1"),), Colour.WHITE)
        state = replace(full, position=mids.Position.of(dict.fromkeys(mids.BOARD, small)))
        assert broken(state, "discard Ann r3") == []
        assert len(after(state, "discard Ann r3").waiting("Ann")) == 9

    def test_a_tie_is_broken_by_dice_or_by_who_places_first(self):
        state = after(begun("none"), BY_THREES, "build Ann " + TEN_THREES, "build Bob " + TEN_THREES)
        assert set(state.awaited) == {"Ann", "Bob"}
        assert after(state, "roll Ann 2; roll Bob 5").awaited == ("Bob",)
        assert set(after(state, "roll Ann 2; roll Bob 2").awaited) == {"Ann", "Bob"}
        state = after(state, "place Bob r3 a1; place Ann r3 a2")
        assert state.awaited == ("Bob",)
        assert broken(state, "roll Bob 3") == ["die-for-ties"]

    def test_nothing_is_judged_from_photos_yet(self, built, scene):
        game = Match(mids, built)
        assert game.see(scene("a1: Lr / white")) is None
        assert game.state == built
        assert game.outcome is None


class TestDice:
    TABLE = "a1: Sr / black; c1: Sr / white; e1: Sr / red"
    THREE = (ANN, BOB, Player("Cy", Colour.RED))

    def test_the_highest_acts_first(self, match):
        state = match(self.TABLE, players=self.THREE).state
        state = after(state, "roll Ann 2; roll Bob 5; roll Cy 2")
        assert state.order == (("Bob",), ("Ann", "Cy"))
        assert after(state, "roll Cy 6; roll Ann 1").order == (("Bob",), ("Cy",), ("Ann",))

    def test_who_is_left_of_a_tie_may_still_roll(self, match):
        state = mids.play(match(self.TABLE, players=self.THREE).state, mids.parse("move a1-a2"))
        assert broken(state, "roll Ann 3") == ["die-for-ties"]
        assert after(state, "roll Bob 1; roll Cy 3").awaited == ("Cy",)

    @pytest.mark.parametrize(("before", "roll"), [("roll Ann 2", "roll Ann 3"), ("", "roll Ann 7"), ("", "roll Dee 1")])
    def test_each_rolls_once_and_a_die_has_six_sides(self, match, before, roll):
        state = match(self.TABLE, players=self.THREE).state
        state = after(state, before) if before else state
        assert set(broken(state, roll)) == {"die-for-ties"}

    def test_dice_are_declared(self, match):
        game = match(self.TABLE, players=self.THREE)
        game.declare({"roll": [1, 4, 2], "for": ["Ann", "Bob", "Cy"]})
        assert game.state.awaited == ("Bob",)
        with pytest.raises(IllegalMove):
            game.declare({"roll": [1], "for": ["Ann"]})
        for odd in ([1, 2], ["six"]):
            with pytest.raises(InvalidSetup, match="roll"):
                game.declare({"roll": odd, "for": ["Ann"]})


class TestCardDraft:
    def test_cards_are_drafted_in_turn_and_then_pyramids(self):
        state = begun(card_draft="full")
        assert broken(state, "take Ann r3") == ["prepare-in-order"]
        assert broken(state, "pick Bob Far") == ["draft-turn"]
        state = after(state, "pick Ann Far; pick Bob Far; pick Ann 'Twice the fun'; pick Bob Near; pick Ann Up")
        state = after(state, "pick Bob Up")
        assert (state.phase, state.awaited) == ("draft", ("Ann",))

    def test_three_each_and_none_twice(self):
        state = after(begun(card_draft="random"), "pick Ann Far")
        assert broken(state, "pick Ann Far") == ["cards-differ"]
        state = after(state, "pick Ann Near; pick Ann Up")
        assert broken(state, "pick Ann Down") == ["three-cards"]
        assert state.awaited == ("Bob",)

    def test_players_may_agree_on_other_numbers(self):
        state = begun(card_draft="none", options=Options(cards_each=2, cards_may_be_alike=True))
        state = after(state, "pick Ann Far; pick Ann Far")
        assert broken(state, "pick Ann Far") == ["three-cards"]

    def test_a_hand_is_a_secret(self):
        state = after(begun(card_draft="random"), "pick Ann Far")
        assert mids.visible_to(state, "Ann").hands == (("Far",), ())
        assert mids.visible_to(state, "Bob").hands == (("?",), ())

    def test_hands_are_there_when_the_rounds_begin(self):
        cards = "; ".join(f"pick {name} {card}" for name in ("Ann", "Bob") for card in ("Far", "Near", "Up"))
        state = after(begun("none", "random"), cards, BY_THREES, TestAssembly.BUILT, "build Bob " + TEN_THREES)
        while isinstance(state, mids.Preparation):
            move = next(move for move in mids.candidates(state) if not mids.violations(state, move))
            state = mids.play(state, move)
        assert dict(state.hands) == {"Ann": ("Far", "Near", "Up"), "Bob": ("Far", "Near", "Up")}


HANDS = {"Black": ["Far", "Near", "Up"], "White": ["Far", "Low", "Down"]}


class TestCards:
    TABLE = "b2: Lr / black; b4: Lr / black; h8: Sg / white; a8: Sg / white"

    @pytest.fixture
    def dealt(self, match, scene):
        doc = {"players": [{"name": "Black", "stand": "black"}, {"name": "White", "stand": "white"}]}
        doc |= {"initiative": ["Black", "White"], "hands": HANDS}
        return Match(mids, mids.start(mids.Setup.from_json(doc), scene(self.TABLE)))

    def test_a_card_is_played_from_the_hand_and_discarded(self, dealt):
        state = after(dealt.state, "card Black Far")
        assert dict(state.hands)["Black"] == ("Near", "Up")
        assert [card.card for card in state.discards] == ["Far"]
        assert broken(state, "card Black Far") == ["card-in-hand"]
        assert broken(state, "card Black Low") == ["card-in-hand"]

    def test_a_card_is_played_in_ones_own_turn(self, dealt):
        assert broken(dealt.state, "card White Low") == ["card-on-own-turn"]
        state = mids.play(dealt.state, mids.parse("move b2-b3"))
        assert broken(state, "card White Low") == []
        assert broken(state, "card Black Far") == []  # after the action, while White has not acted

    def test_where_hands_were_not_told_they_are_counted(self, match):
        state = match(self.TABLE, ["Black", "White"]).state
        assert broken(after(state, "card Black Far"), "card Black Far") == ["card-in-hand"]
        assert broken(after(state, "card Black A; card Black B; card Black C"), "card Black D") == ["three-cards"]

    def test_hands_of_others_are_secret(self, dealt):
        assert dict(mids.visible_to(dealt.state, None).hands) == {"Black": ("?",) * 3, "White": ("?",) * 3}
        assert dict(mids.visible_to(dealt.state, "Black").hands)["Black"] == ("Far", "Near", "Up")

    def test_a_card_lifts_the_rules_that_it_names_and_no_others(self, dealt, scene):
        dealt.declare({"card": "Far", "player": "Black", "lifts": ["move-distance"]})
        assert broken(dealt.state, "move b2-e2") == []
        assert broken(dealt.state, "move b2-b5") == ["not-through-mids"]
        ruling = dealt.see(scene(self.TABLE.replace("b2", "e2")))
        assert ruling == Legal((mids.parse("move b2-e2"),))

    def test_a_fault_that_a_card_does_not_lift_is_a_fault(self, dealt, scene):
        dealt.declare({"card": "Far", "player": "Black", "lifts": ["move-distance"]})
        ruling = dealt.see(scene(self.TABLE.replace("b2", "d3")))
        assert isinstance(ruling, Illegal)
        assert ids(ruling.violations) == ["straight-line"]

    def test_a_card_of_free_text_leaves_its_turn_unclear(self, dealt, scene):
        dealt.declare({"card": "Far"})
        assert isinstance(dealt.see(scene(self.TABLE.replace("b2", "e2"))), Unclear)

    def test_a_card_does_not_help_the_next_player(self, dealt, scene):
        dealt.declare({"card": "Far", "player": "Black", "lifts": ["move-distance"]})
        dealt.see(scene(self.TABLE.replace("b2", "b3")))
        assert broken(dealt.state, "move h8-h6") == ["move-distance"]

    @pytest.mark.parametrize(
        ("declaration", "fault"),
        [
            ({"card": "Far", "player": "Cy"}, InvalidSetup),
            ({"card": "Far", "lifts": ["gravity"]}, InvalidSetup),
            ({"card": "Low", "player": "Black"}, IllegalMove),
            ({"card": " "}, InvalidSetup),
        ],
    )
    def test_what_makes_no_sense_is_refused(self, dealt, declaration, fault):
        with pytest.raises(fault):
            dealt.declare(declaration)

    @pytest.mark.parametrize(
        ("hands", "named"),
        [
            ({"Black": ["Far"] * 3}, "hands"),
            (HANDS | {"White": ["Far"]}, "hands.White"),
            (HANDS | {"White": ["Far", "Far", "Low"]}, "hands.White"),
        ],
    )
    def test_hands_are_checked_and_no_card_is_told(self, hands, named):
        doc = {"players": [{"name": "Black", "stand": "black"}, {"name": "White", "stand": "white"}], "hands": hands}
        with pytest.raises(InvalidSetup, match=named) as refused:
            mids.Setup.from_json(doc)
        assert "Far" not in str(refused.value)


@pytest.mark.parametrize(
    "text",
    [
        "pick 'Ann B' 'Again! Again!'",
        "take Ann r3",
        "trade Ann r1 b1 for g3",
        "choose Ann r3 r3",
        "build Ann r3g2 b1",
        "roll Ann 4",
        "place Ann r3g2 d4",
        "discard Ann r3",
        "card Ann Far",
        "card Ann 'It'\"'\"'s far' lifts move-distance straight-line",
    ],
)
def test_notation_undoes_itself(text):
    assert str(mids.parse(text)) == text


@pytest.mark.parametrize(
    "text",
    [
        "take Ann",
        "take Ann r4",
        "take Ann r33",
        "trade Ann r1 for",
        "build Ann",
        "roll Ann x",
        "place Ann r3 j9",
        "pick 'Ann",
    ],
)
def test_other_text_is_no_move(text):
    with pytest.raises(InvalidNotation):
        mids.parse(text)


@pytest.mark.parametrize("draft", ["full", "partial", "none"])
@pytest.mark.parametrize("seed", range(3))
def test_random_preparations_end_in_armies_of_thirty_pips(draft, seed):
    chance = random.Random(seed)
    players = (ANN, BOB, Player("Cy", Colour.RED), Player("Dee", Colour.ORANGE))[: seed + 2]
    state = begun(draft, players=players)
    pieces = len(state.pool) + sum(map(len, state.collections))
    while isinstance(state, mids.Preparation):
        legal = [move for move in mids.candidates(state) if not mids.violations(state, move)]
        state = mids.play(state, chance.choice(legal))
        if draft != "none" and isinstance(state, mids.Preparation) and state.phase == "draft":
            assert len(state.pool) + sum(map(len, state.collections)) == pieces
    for name in [player.name for player in players]:
        pips = sum(mid.pips for _, mid in state.position.mids if state.owner_of(mid) == name)
        assert pips == 30 or (draft != "none" and pips > 27)
