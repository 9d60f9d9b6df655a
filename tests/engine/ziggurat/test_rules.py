"""Every rule, broken: which line of moves breaks it, and no other rule."""

from dataclasses import replace

import pytest

from engine.game import Touch
from engine.games import ziggurat
from engine.games.ziggurat import Card, Setup

WHOLE = "r3r2r1 b3b2b1 y3y2y1 k3k2k1"
TWO = f"{WHOLE} / {WHOLE}"
GREEN = f"g3 b3b2b1 y3y2y1 - / {WHOLE}"
NO_BLACK = f"{WHOLE} / r3 b3 y3 g1"

BROKEN = [
    ("turn-order", TWO, "attack 2 3MW 1/2"),
    ("turn-order", TWO, "draw 2"),
    ("battle-is-over", f"{WHOLE} / - - - -", "draw 1"),
    ("has-towers", f"{WHOLE} / - - - - / {WHOLE}", "draw 2"),
    ("settle-first", TWO, "attack 1 7ML 2/1; draw 2"),
    ("settle-first", TWO, "attack 1 7ML 2/1; change 2/1 g1"),
    ("settle-first", TWO, "draw 1 exhausts; attack 1 7ML 2/1"),
    ("card-of-deck", TWO, "attack 1 PMSL 2/1"),
    ("card-discarded", TWO, "attack 1 7ML 2/1; allow 2; change 2/1 g1; draw 2; attack 1 7ML 2/4"),
    ("card-discarded", TWO, "remodel 1/1 g1 2SY 2SY 9WY"),
    ("five-cards", TWO, "remodel 1/1 g1 2SY 5ML 9WY; draw 2; remodel 1/2 g1 3MW 3SK 3LY"),
    ("attack-card", "extended", "attack 1 X 2/1"),
    ("tower-required", "g3 b3 y3 k3 / " + WHOLE, "attack 1 3MW 2/4"),
    ("tower-required", "r3 - y3 k3 / " + WHOLE, "attack 1 7ML 2/4"),
    ("tower-required", "r3 b3 - k3 / " + WHOLE, "attack 1 CK 2/3"),
    ("tower-required", "r3 b3 - k3 / " + WHOLE, "attack 1 ?3 2/3"),
    ("attack-an-opponent", TWO, "attack 1 3MW 1/2"),
    ("target-stands", f"{WHOLE} / - {WHOLE[7:]}", "attack 1 7ML 2/1"),
    ("target-by-suit", TWO, "attack 1 7ML 2/2"),
    ("target-by-suit", TWO, "attack 1 CL 2/4"),
    ("own-green-tower", GREEN, "attack 1 3MW 2/4 with 1/2"),
    ("own-green-tower", f"b3 b2 y3 k3 / g3 {WHOLE[7:]}", "attack 1 3MW 2/4 with 2/1"),
    ("green-for-lacking", GREEN, "attack 1 7ML 2/1 with 1/1"),
    ("excuse-beside-attack", TWO, "attack 1 7ML 2/1 excuse"),
    ("defence-owed", TWO, "defend 2 7ML"),
    ("defence-owed", TWO, "attack 1 7ML 2/1; allow 1"),
    ("defence-tower", f"{WHOLE} / r3 b3 y3 -", "attack 1 7ML 2/1; defend 2 7SK"),
    ("defence-cards", TWO, "attack 1 7ML 2/1; defend 2 3MW 5YK"),
    ("defence-cards", TWO, "attack 1 7ML 2/1; defend 2 AM"),
    ("never-in-defence", "extended", "attack 1 CS 2/1; defend 2 PMYK"),
    ("no-defence", "extended", "attack 1 7ML 2/1 excuse; defend 2 7SK"),
    ("change-owed", TWO, "change 2/1 g1"),
    ("change-size", TWO, "attack 1 7ML 2/1; allow 2; change 2/1 g2"),
    ("change-from-scrapyard", TWO, "attack 1 7ML 2/1; allow 2; change 2/1 b1"),
    ("change-is-made", TWO, "attack 1 7ML 2/1; allow 2; change 2/1 -"),
    ("remodel-three", TWO, "remodel 1/1 g1 2SY 5ML"),
    ("remodel-own", f"- b3b2b1 y3 k3 / {WHOLE}", "remodel 1/1 g1 2SY 5ML 9WY"),
    ("remodel-same-size", TWO, "remodel 1/1 g2 2SY 5ML 9WY"),
    ("remodel-from-scrapyard", TWO, "remodel 1/1 b1 2SY 5ML 9WY"),
    ("attrition-owed", TWO, "attrition 1/1"),
    ("attrition-own", TWO, "draw 1 exhausts; attrition 2/1"),
    ("damage-by-strength", TWO, "attack 1 4YK 2/3; allow 2; touch 2/3 medium yellow -> large yellow"),
    ("hands-off", TWO, "touch 2/3 medium yellow -> large yellow"),
]


def made(state, text):
    return state(TWO, extended_deck=True) if text == "extended" else state(text)


@pytest.mark.parametrize(("rule", "text", "line"), BROKEN)
def test_a_line_that_breaks_one_rule(state, broken, rule, text, line):
    allowed = {"card-of-deck"} if rule == "excuse-beside-attack" else set()
    assert broken(made(state, text), line) - allowed == {rule}


def test_every_rule_is_broken_somewhere_here():
    elsewhere = {"card-in-hand", "draw-when-short"}
    assert {rule for rule, _, _ in BROKEN} | elsewhere == {rule.id for rule in ziggurat.RULES}
    assert len(ziggurat.RULES) == len({rule.id for rule in ziggurat.RULES})


def digital(**options):
    players = [{"name": "Ann"}, {"name": "Bob"}]
    doc = {"players": players, "deck": {"seed": "sixteen letters!"}, "options": options}
    return ziggurat.new_game(Setup.from_json(doc))


def test_only_cards_of_the_own_hand_are_played(broken):
    state = digital()
    others = [card for card in state.deck.hand(2) if card.strength == 1 and card.rank != "A"]
    colours = {"black": 4, "red": 1, "blue": 2, "yellow": 3}
    card = next(card for card in others if any(colour.value in colours for colour in card.targets))
    place = next(colours[colour.value] for colour in card.targets if colour.value in colours)
    assert broken(state, f"attack 1 {card} 2/{place}") == {"card-in-hand"}


def test_who_holds_five_cards_may_draw_unless_the_group_plays_otherwise(broken):
    assert broken(digital(), "draw 1") == set()
    assert broken(digital(draw_only_when_short=True), "draw 1") == {"draw-when-short"}


def test_change_may_be_a_piece_just_removed_unless_the_group_plays_otherwise(state, broken):
    line = "attack 1 7ML 2/1; allow 2; change 2/1 r1"
    assert broken(state(TWO), line) == set()
    assert broken(state(TWO, fresh_change=True), line) == {"change-from-scrapyard"}


LEGAL = [
    (TWO, "attack 1 7ML 2/1; allow 2; change 2/1 g1"),
    (TWO, "attack 1 7ML 2/4; defend 2 7SK"),
    (TWO, "attack 1 7ML 2/4; defend 2 3MW 4WL"),
    (TWO, "attack 1 7ML 2/4; defend 2 AS 2WL 4MS"),
    (TWO, "attack 1 7ML 2/4; defend 2 AM"),
    (TWO, "attack 1 7ML 2/1; defend 2 AL"),
    (TWO, "attack 1 7ML 2/1; defend 2 AS"),
    (TWO, "attack 1 CK 2/3; defend 2 CM"),
    (TWO, "attack 1 CK 2/3; defend 2 3MW 7SK"),
    (TWO, "attack 1 AM 2/4; defend 2 AK"),
    (NO_BLACK, "attack 1 CK 2/3; defend 2 CM with 2/4"),
    (NO_BLACK, "attack 1 6SY 2/4; defend 2 AY with 2/4"),
    (GREEN, "attack 1 3MW 2/4 with 1/1; change 1/1 r2; allow 2"),
    (GREEN, "attack 1 3MW 2/4 with 1/1; change 1/1 -; allow 2"),
    ("extended", "attack 1 PMSL 2/1; defend 2 AL"),
    ("extended", "attack 1 TMWK 2/2; defend 2 CM"),
    ("extended", "attack 1 TMWK 2/2; defend 2 3MW 7SK"),
    ("extended", "attack 1 TMWK 2/2; defend 2 X"),
    ("extended", "attack 1 TMWK 2/2; defend 2 X 9MS"),
    ("extended", "attack 1 CK 2/3 excuse; allow 2"),
]


@pytest.mark.parametrize(("text", "line"), LEGAL)
def test_a_line_that_breaks_none(state, broken, text, line):
    assert broken(made(state, text), line) == set()


def test_a_sum_of_ten_defends_against_a_court_and_two_do_not(state, broken):
    assert broken(made(state, "extended"), "attack 1 TMWK 2/2; defend 2 2SY") == {"defence-cards"}


def test_a_card_that_was_not_told_breaks_a_rule_only_if_all_do(state, broken):
    before = replace(state(TWO), discards=(Card.parse("CK"),))
    assert broken(before, "attack 1 ?3 2/3") == {"target-by-suit"}
    assert broken(before, "attack 1 ?3 2/1") == set()


def test_any_move_in_any_state_gets_an_answer(state):
    strange = [
        *("attack 9 7ML 8/4", "attack 1 ?2 9/1 with 7/1", "defend 5 ?", "allow 7", "change 7/1 -", "draw 6"),
        *("remodel 8/1 ? ?", "attrition 9/4", "attack 1 7ML 2/1 with 2/1 excuse"),
        *("attack 1 ? 2/1", "remodel 1/2 r1", "remodel 9/4 ?"),
    ]
    for text in (TWO, f"{WHOLE} / - - - -", "- - - - / - - - -"):
        for line in ("", "attack 1 7ML 2/1", "draw 1 exhausts", "attack 1 7ML 2/1; allow 2"):
            now = state(text)
            for move in map(ziggurat.parse, line.split("; ") if line else ()):
                now = ziggurat.play(now, move)
            for move in (*map(ziggurat.parse, strange), Touch("1/1", "a", "b"), "nonsense"):
                found = ziggurat.violations(now, move)
                assert all(one.rule in ziggurat.RULES and one.detail for one in found)
                assert hash(ziggurat.play(now, move)) is not None


def test_details_name_the_colours_that_are_played_with(state):
    now = state("r3 b3 - k3 / " + WHOLE, colours="xeno")
    (found,) = ziggurat.violations(now, ziggurat.parse("attack 1 CK 2/3"))
    assert found.detail == "an attack of 3 pips needs a clear tower, and Ann has none"
