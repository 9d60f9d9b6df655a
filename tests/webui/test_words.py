"""Moves in words for people."""

import pytest

from engine.games.martian_mids import choosers, parse, play
from webui.games.martian_mids import move_words, turn


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("move b2-b3", "the Mid moves b2-b3"),
        ("move b2-off", "the Mid moves from b2 off the board"),
        ("shoot d3 b2 d4 ne", "the Mid shoots a medium blue missile from d3 to d4, pointing north-east"),
        ("attack c5xb4", "the Mid attacks b4 from c5"),
        ("split b4 1 a3", "the top pyramid of the Mid on b4 split off to a3"),
        ("split b4 2 a3", "the top 2 pyramids of the Mid on b4 split off to a3"),
        ("strike d5 r1 n", "the small red missile on d5 hits next"),
        ("fly d4-d5 b1 n", "the small blue missile flies from d4 to d5"),
        ("fly d8-off b1 n", "the small blue missile flies from d8 off the board"),
        ("touch d4 large red -> empty", "on d4, large red became empty"),
    ],
)
def test_every_kind_of_event_has_words(text, words):
    assert move_words(parse(text), None) == words


def test_who_acted_is_named_where_the_mid_still_stands(mids_state):
    state = mids_state(
        "c3 black: large green, large green; d4 white: large red, small red, small red; h8 white: small red"
    )
    assert move_words(parse("attack c3xd4"), state) == "Black attacks d4 from c3"


def test_the_page_says_who_has_to_choose(mids_state):
    state = mids_state("c3 black: large green; d4 white: small red, small red, small red; h8 white: small red")
    owed = play(state, parse("attack c3xd4"))
    assert choosers(owed) == ("Black",)
    assert turn(owed).headline == "Black to choose"


def test_the_page_says_which_card_is_played(mids_state):
    state = mids_state("c3 black: large green; d4 white: small red")
    played = play(state, parse("card Black 'Gotta split'"))
    assert "Black played Gotta split" in turn(played).detail
