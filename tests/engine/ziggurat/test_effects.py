"""What moves do: damage and change, who chooses, points, attrition and the reshuffle, who is out, how it ends."""

from dataclasses import replace

import pytest

from engine.games import ziggurat
from engine.games.ziggurat import Card, Setup, Tell, shuffled
from engine.games.ziggurat.playing import answers
from engine.games.ziggurat.state import Changing, Suffering
from engine.games.ziggurat.towers import tower_text
from engine.rules import Ending
from engine.table import Colour

WHOLE = "r3r2r1 b3b2b1 y3y2y1 k3k2k1"
TWO = f"{WHOLE} / {WHOLE}"


def towers(state, number):
    return " ".join(map(tower_text, state.position.towers[number - 1]))


def test_the_attacker_chooses_the_change_and_it_may_be_what_was_just_removed(state, played):
    now = played(state(TWO), "attack 1 7ML 2/1; allow 2")
    assert towers(now, 2) == "r3 b3b2b1 y3y2y1 k3k2k1"
    assert now.awaited == (1,)
    assert {str(move) for move in answers(now)} == {"change 2/1 g1", "change 2/1 r1"}
    after = played(now, "change 2/1 g1")
    assert towers(after, 2) == "r3g1 b3b2b1 y3y2y1 k3k2k1"
    assert after.awaited == (2,)


def test_a_defence_nullifies_the_attack_and_all_cards_are_discarded(state, played):
    now = played(state(TWO), "attack 1 7ML 2/4; defend 2 3MW 4WL")
    assert towers(now, 2) == WHOLE
    assert [str(card) for card in now.discards] == ["7ML", "3MW", "4WL"]
    assert now.turn == 2


def test_a_green_tower_pays_when_the_attack_is_declared_and_its_owner_may_go_without_change(state, played):
    now = played(state(f"g3 b3b2b1 y3y2y1 - / {WHOLE}"), "attack 1 3MW 2/4 with 1/1")
    assert towers(now, 1).startswith("- ")
    assert now.awaited == (1,)
    assert {str(move) for move in answers(now)} >= {"change 1/1 g2", "change 1/1 r2", "change 1/1 -"}
    kept = played(now, "change 1/1 r2; allow 2")
    assert (towers(kept, 1), towers(kept, 2)) == ("r2 b3b2b1 y3y2y1 -", "r3r2r1 b3b2b1 y3y2y1 k3k2")
    gone = played(now, "change 1/1 -; allow 2")
    assert gone.lost == (2, 0)
    assert gone.points == (0, 0)


def test_who_loses_the_last_tower_by_standing_in_still_makes_the_attack(state, played):
    now = played(state("g1 - - - / k1 b3 - - / r3 - - -"), "attack 1 2MK 2/1 with 1/1; allow 2")
    assert now.in_game == (2, 3)
    assert now.points == (3, 0, 0)
    assert now.first_out == (1,)


def test_a_tower_that_defends_itself_pays_and_the_attack_is_nullified(state, played):
    now = played(state(f"{WHOLE} / r3g1 b3 y3 r2"), "attack 1 6SY 2/1; defend 2 AY with 2/1")
    assert towers(now, 2) == "r3 b3 y3 r2"
    assert now.turn == 2


def test_an_ace_goes_by_the_colour_when_the_attack_was_declared(state, played, broken):
    now = played(state(f"{WHOLE} / r3g1 b3 y3 r2"), "attack 1 6SY 2/1")
    assert broken(now, "defend 2 AY with 2/1") == set()
    assert broken(now, "defend 2 AS with 2/1") == {"defence-cards"}


def test_points_count_the_towers_that_a_player_has_lost(state, played):
    start = state("r3 b3 y3 k3 / k1 r1 b1 - / r1 - - -")
    now = played(start, "attack 1 2MK 2/1; allow 2; draw 2; attack 3 3SK 2/2; allow 2")
    assert now.points == (2, 0, 3)
    assert now.lost == (0, 3, 3)
    after = played(now, "draw 1; draw 2; draw 3; attack 1 6MW 2/3; allow 2")
    assert after.points == (6, 0, 3)
    assert after.in_game == (1, 3)
    assert after.turn == 3


def test_the_survivor_scores_the_pips_that_are_left_and_most_points_win(state, played):
    now = played(state("r3r2 - - - / r1 - - -"), "attack 1 3SK 2/1; allow 2")
    assert [now.score(number) for number in now.numbers] == [9, 0]
    assert ziggurat.outcome(now).winners == ("Ann",)
    behind = replace(now, points=(4, 12))
    assert ziggurat.outcome(behind).winners == ("Bob",)
    level = replace(now, points=(4, 9))
    assert ziggurat.outcome(level).winners == ("Ann", "Bob")
    assert ziggurat.outcome(level).ending is Ending.WON


def test_attrition_comes_to_everybody_at_once_and_may_leave_nobody(state, played):
    now = played(state("r1 - - - / b1 - - -", turn=2), "draw 2 exhausts")
    assert [owed.number for owed in now.owed if isinstance(owed, Suffering)] == [1, 2]
    one = played(now, "attrition 1/1")
    assert ziggurat.outcome(one) is None
    none = played(one, "attrition 2/1")
    assert none.in_game == ()
    assert none.points == (0, 0)
    assert none.first_out == (1, 2)
    assert ziggurat.outcome(none).winners == ("Ann", "Bob")


def test_the_owner_chooses_the_change_of_attrition(state, played):
    now = played(state("r3 - - - / b1 b3 - -"), "draw 1 exhausts; attrition 1/1")
    assert isinstance(now.owed[0], Changing)
    assert now.awaited == (1,)
    assert "change 1/1 -" not in map(str, answers(now))
    assert towers(played(now, "change 1/1 k2; attrition 2/1"), 1) == "k2 - - -"


SEED = "sixteen letters!"


@pytest.fixture
def digital():
    def made(**options):
        players = [{"name": "Ann"}, {"name": "Bob"}]
        return ziggurat.new_game(Setup.from_json({"players": players, "deck": {"seed": SEED}, "options": options}))

    return made


def nearly_out(state, left, discards):
    """So many cards left in the pile, so many in hand 1, and the rest discarded, for what happens then."""
    deck = state.deck
    hand, spare = deck.hand(1)[:discards], deck.hand(1)[discards:]
    gone = (*deck.pile[: len(deck.pile) - left], *spare)
    return replace(state, deck=replace(deck, pile=deck.pile[len(deck.pile) - left :]).with_hand(1, hand), discards=gone)


def test_the_pile_runs_out_with_its_last_card_then_attrition_then_the_drawing_goes_on(digital, played):
    now = played(nearly_out(digital(), 2, 2), "draw 1")
    assert len(now.deck.hand(1)) == 4
    assert [type(owed).__name__ for owed in now.owed] == ["Suffering", "Suffering", "Drawing"]
    after = played(now, "attrition 1/1; attrition 2/2")
    assert len(after.deck.hand(1)) == 5
    assert after.deck.shuffles == 2
    assert after.deck.pile == shuffled(now.discards, SEED, 2)[:-1]
    assert after.discards == ()
    assert after.turn == 2


def test_a_pile_that_is_just_enough_runs_out_too_unless_the_group_plays_otherwise(digital, played):
    exact = played(nearly_out(digital(), 3, 2), "draw 1")
    assert exact.owed
    lenient = played(nearly_out(digital(exhausted_when_needed=True), 3, 2), "draw 1")
    assert not lenient.owed
    assert lenient.deck.pile == ()
    wanted = played(nearly_out(digital(exhausted_when_needed=True), 0, 2), "draw 1")
    assert wanted.owed


def test_who_loses_the_last_tower_to_attrition_draws_no_more_and_the_hand_is_discarded(digital, position, played):
    now = replace(nearly_out(digital(), 1, 1), position=position("r1 - - - / r3 b3 - -"))
    after = played(now, "draw 1; attrition 1/1; attrition 2/1; change 2/1 r2")
    assert after.in_game == (2,)
    assert after.deck.hand(1) == ()
    cards = [*after.deck.pile, *after.discards, *after.deck.hand(2)]
    assert sorted(map(str, cards)) == sorted(map(str, ziggurat.BASIC))
    assert ziggurat.outcome(after).winners == ("Bob",)


def test_who_is_out_is_left_out_of_the_turns(state, played):
    now = played(state("r3 - - - / r1 - - - / b3 - - - / k3 - - -"), "attack 1 3SK 2/1; allow 2")
    assert now.turn == 3
    assert played(now, "draw 3; draw 4; draw 1").turn == 3


def test_cards_of_a_hand_leave_it(digital, played):
    now = digital()
    card = next(card for card in now.deck.hand(1) if card.strength in (1, 2, 3))
    target = next(place for place in range(1, 5) if {1: "red", 2: "blue", 3: "yellow", 4: "black"}[place] in
                  {colour.value for colour in card.targets})  # fmt: skip
    after = played(now, f"attack 1 {card} 2/{target}")
    assert card not in after.deck.hand(1)
    assert after.discards == (card,)
    assert isinstance(card, Card)


def test_the_card_of_an_attack_that_was_seen_only_is_told_afterwards(digital, played, broken):
    """It leaves the hand then, and counts once."""
    state = digital()
    hand = tuple(map(Card.parse, ("7ML", "8MS", "2SY", "3LY", "CK")))
    state = replace(state, deck=state.deck.with_hand(1, hand))
    state = played(state, "attack 1 ?2 2/1; allow 2; change 2/1 g1")
    fits = [card for card in hand if card.strength == 2 and Colour.RED in card.targets]
    assert [one.move.pips for one in state.untold] == [2]
    told = [move for move in ziggurat.candidates(state) if isinstance(move, Tell)]
    assert told == [Tell(1, (card,)) for card in fits] != []
    other = next(card for card in hand if card not in fits)
    assert broken(state, f"tell 1 {other}") == {"attack-card"}
    assert broken(state, f"tell 2 {fits[0]}") == {"attack-card"}
    after = played(state, f"tell 1 {fits[0]}")
    assert (after.untold, after.discards, after.played, after.turn) == ((), (fits[0],), state.played, state.turn)
    assert after.deck.hand(1) == tuple(card for card in hand if card != fits[0])


def test_with_cards_of_the_groups_own_the_last_attack_is_asked_about(state, played, broken):
    now = played(state(), "attack 1 ?1 2/1; allow 2; attack 2 ?1 1/1; allow 1")
    assert [(one.number, one.move.target.number) for one in now.untold] == [(2, 1)]
    assert broken(now, "tell 2 2SY") == set()
    assert broken(played(now, "tell 2 2SY"), "tell 2 3LY") == {"attack-card"}
    assert broken(played(now, "tell 2 2SY"), "attack 1 2SY 2/1") >= {"card-discarded"}
