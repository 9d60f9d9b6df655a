"""The deck: what it is made of, what each card does, its notation; and shuffles that can be checked."""

from collections import Counter
from dataclasses import replace

import pytest

from engine.errors import InvalidNotation, InvalidSetup
from engine.games import ziggurat
from engine.games.ziggurat import BASIC, EXTENDED, Card, Setup, commitment, is_as_committed, shuffled
from engine.games.ziggurat.cards import TARGETS, suits_at_each_rank
from engine.games.ziggurat.dealing import dealt
from engine.table import Colour

SEED = "a seed of many letters"
CLASSIC = [*map(str, range(2, 10)), "A", "C"]


def test_each_suit_stands_once_at_each_rank():
    assert suits_at_each_rank(BASIC) == dict.fromkeys(["A", *map(str, range(2, 10)), "C"], "KLMSWY")
    assert {rank: suits_at_each_rank(EXTENDED)[rank] for rank in CLASSIC} == dict.fromkeys(CLASSIC, "KLMSWY")


def test_what_the_decks_are_made_of():
    assert (len(set(BASIC)), len(set(EXTENDED))) == (36, 45)
    assert EXTENDED[:36] == BASIC
    assert Counter(card.rank for card in EXTENDED[36:]) == {"P": 4, "T": 4, "X": 1}
    pairs = Counter(str(card)[1:] for card in BASIC if len(card.suits) == 2)
    assert pairs == {"MS": 3, "YK": 3, "WL": 3, "LK": 2, "ML": 2, "SY": 2, "SK": 2, "WY": 2, "MW": 2} | dict.fromkeys(
        ("MK", "SW", "LY"), 1
    )
    assert Counter(suit for card in EXTENDED[36:] for suit in card.suits) == dict.fromkeys(TARGETS, 4)
    assert all(len(card.suits) == 3 for card in EXTENDED[36:44])


def test_how_many_cards_attack_each_colour_and_how_hard():
    assert Counter(colour for card in BASIC for colour in card.targets) == {
        Colour.RED: 20,
        Colour.BLACK: 10,
        Colour.BLUE: 10,
        Colour.GREEN: 10,
        Colour.YELLOW: 10,
    }
    assert Counter(card.strength for card in BASIC) == {1: 18, 2: 12, 3: 6}
    assert Counter(card.strength for card in EXTENDED[36:]) == {1: 4, 2: 4, None: 1}


def test_notation_names_and_words():
    assert all(Card.parse(str(card)) == card for card in EXTENDED)
    assert Card.parse("7lm") == Card.parse("7ML")
    assert [Card.parse(text).name for text in ("2MK", "CK", "PSWK", "X", "AM")] == [
        *("Author", "Windfall", "Light Keeper", "Excuse", "Ace of Moons")
    ]
    assert Card.parse("TMLY").words == "Court of Moons, Leaves and Wyrms"
    assert len({card.name for card in EXTENDED}) == 45


@pytest.mark.parametrize("text", ["7MS", "", "10M", "AMS", "XM", "PM", "C", "7MLL"])
def test_other_text_is_no_card(text):
    with pytest.raises(InvalidNotation, match="expected a card of the Decktet"):
        Card.parse(text)


def test_cards_in_json():
    assert Card.from_json({"rank": 7, "suits": ["moons", "Leaves"]}) == Card.parse("7ML")
    assert Card.from_json({"rank": "Crown", "suits": ["Knots"]}) == Card.parse("CK")
    assert Card.from_json({"rank": "Excuse"}) == Card.parse("X")
    for odd in ({"rank": "7", "suits": ["Cups"]}, 7, {"rank": "7"}, None):
        with pytest.raises(InvalidNotation):
            Card.from_json(odd)


def test_a_shuffle_is_fixed_by_its_seed_and_holds_every_card():
    assert shuffled(BASIC, SEED, 1) == shuffled(BASIC[::-1], SEED, 1)
    assert set(shuffled(BASIC, SEED, 1)) == set(BASIC)
    assert len({shuffled(BASIC, SEED, n) for n in range(1, 6)}) == 5
    first = Counter(shuffled(BASIC, f"{SEED}{n}", 1)[0] for n in range(720))
    assert len(first) == 36
    assert max(first.values()) < 45


def test_a_deal_can_be_checked_against_what_was_committed_to():
    deck = dealt(BASIC, 3, SEED)
    assert deck.commitment == commitment(SEED)
    assert is_as_committed(deck)
    assert not is_as_committed(replace(deck, seed=SEED + "!"))
    cards = [*deck.pile, *(card for hand in deck.hands for card in hand)]
    assert sorted(map(str, cards)) == sorted(map(str, BASIC))
    assert [len(hand) for hand in deck.hands] == [5, 5, 5]


def two_players(**more):
    return Setup.from_json({"players": [{"name": "Ann"}, {"name": "Bob"}]} | more)


def test_hands_pile_and_seed_are_secret_until_the_battle_is_over(position):
    state = ziggurat.new_game(two_players(deck={"seed": SEED}))
    own, others = state.deck.hands
    for card in others:
        assert str(card) not in repr(ziggurat.visible_to(state, "Ann").deck)
    assert ziggurat.visible_to(state, "Ann").deck.hands == (own, (None,) * 5)
    seen = ziggurat.visible_to(state, None)
    assert set(seen.deck.pile) | set(seen.deck.hands[0]) | set(seen.deck.hands[1]) == {None}
    assert SEED not in repr(seen)
    assert seen.deck.commitment == commitment(SEED)
    over = replace(state, position=position("r3 - - - / - - - -"))
    assert ziggurat.visible_to(over, None).deck.seed == SEED


def test_a_state_that_waits_for_more_keeps_its_secrets_too():
    state = ziggurat.new_game(two_players(deck={"seed": SEED}))
    assert SEED not in repr(ziggurat.visible_to(replace(state, unfinished=state), "Ann"))


@pytest.mark.parametrize("deck", [{"seed": "short"}, {}, "digital", {"seed": 12}])
def test_a_seed_that_could_be_guessed_is_refused_and_never_told(deck):
    with pytest.raises(InvalidSetup, match="deck: expected") as refused:
        two_players(deck=deck)
    assert "short" not in str(refused.value)
