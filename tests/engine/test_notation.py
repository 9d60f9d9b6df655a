"""Notation of all four games: whatever can be said reads back; whatever comes in is a move or refused in words."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.errors import MOST_CHARACTERS, InvalidNotation
from engine.game import Touch
from engine.games import gran_prix, martian_mids, missile_command, ziggurat
from engine.games.gran_prix import notation as race
from engine.games.martian_mids import notation as mids
from engine.games.martian_mids import preparing_notation as before
from engine.games.missile_command import notation as missiles
from engine.games.squares import BOARD, COMPASS, Square
from engine.games.ziggurat import notation as wizards
from engine.games.ziggurat.cards import EXTENDED, Card
from engine.games.ziggurat.towers import COLOURS as WIZARDS_COLOURS
from engine.games.ziggurat.towers import piece as wizards_piece
from engine.games.ziggurat.towers import piece_text as wizards_piece_text
from engine.games.ziggurat.towers import tower, tower_text
from engine.table import COLOURS, Colour, Pose, Pyramid, Size

GAMES = (martian_mids, missile_command, gran_prix, ziggurat)
NAMES = st.text(st.characters(exclude_categories=["Cs", "Cc"]), min_size=1, max_size=40).filter(str.strip)
SIZES = st.sampled_from(Size)


def pyramids_of(colours):
    return st.builds(Pyramid, st.sampled_from(colours), SIZES)


# Martian Mids.

SQUARES, WAYS = st.sampled_from(BOARD), st.sampled_from(COMPASS)
MAYBE_SQUARES = st.none() | SQUARES
PIECES = pyramids_of([Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW])
SOME = st.lists(PIECES, min_size=1, max_size=5).map(tuple)
MIDS_MOVES = st.one_of(
    st.builds(mids.Move, SQUARES, MAYBE_SQUARES),
    st.builds(mids.Shoot, SQUARES, PIECES, SQUARES, WAYS),
    st.builds(mids.Attack, SQUARES, SQUARES),
    st.builds(mids.Split, SQUARES, st.integers(0, 99), SQUARES),
    st.builds(mids.Strike, SQUARES, PIECES, WAYS),
    st.builds(mids.Fly, SQUARES, MAYBE_SQUARES, PIECES, WAYS),
    st.builds(before.Pick, NAMES, NAMES),
    st.builds(before.Take, NAMES, PIECES),
    st.builds(before.Trade, NAMES, SOME, SOME),
    st.builds(before.Choose, NAMES, SOME),
    st.builds(before.Build, NAMES, st.lists(SOME, min_size=1, max_size=4).map(tuple)),
    st.builds(before.Roll, NAMES, st.integers(0, 99)),
    st.builds(before.Place, NAMES, SOME, SQUARES),
    st.builds(before.Discard, NAMES, SOME),
    st.builds(before.PlayCard, NAMES, NAMES, st.lists(NAMES, max_size=3).map(tuple)),
)

# Missile Command.

NUMBERS, SILOS = st.integers(1, 99), st.integers(1, 8)
PLACES = st.builds(missiles.Place, NUMBERS, SILOS)
SEEN = st.builds(missiles.Place, NUMBERS, st.none() | SILOS)
MISSILES = st.sampled_from(COLOURS)
UNITS = st.lists(st.tuples(SIZES, SEEN), max_size=4).map(tuple)
EXPOSED = st.sampled_from(
    [(), (missiles.PRESIDENT,), (missiles.VICE_PRESIDENT,), (missiles.PRESIDENT, missiles.VICE_PRESIDENT)]
)
MISSILE_MOVES = st.one_of(
    st.builds(missiles.Launch, PLACES, MISSILES, st.none() | SEEN),
    st.builds(missiles.Scramble, PLACES),
    st.builds(missiles.Discard, PLACES),
    st.builds(missiles.Sortie, NUMBERS, UNITS),
    st.builds(missiles.Oppose, NUMBERS, UNITS),
    st.builds(missiles.Intercept, PLACES),
    st.builds(missiles.Allow, NUMBERS),
    st.builds(missiles.Deflect, NUMBERS, NUMBERS),
    st.builds(missiles.Take, st.lists(PLACES, min_size=1, max_size=2).map(tuple)),
    st.builds(missiles.Report, NUMBERS, st.none() | st.integers(0, 99)),
    st.builds(missiles.Aim, PLACES),
    st.builds(missiles.Reveal, PLACES, MISSILES),
    st.builds(missiles.Expose, PLACES, EXPOSED),
    st.builds(missiles.Strike, NUMBERS, PLACES),
    st.builds(missiles.Pass, NUMBERS),
    st.builds(missiles.Pick, NUMBERS, pyramids_of(COLOURS)),
)

# Pyramid Gran Prix.

MM = st.floats(-9_999, 9_999)
POSES = st.builds(Pose, MM, MM, st.floats(-720, 720))
MET = st.builds(race.Obstacles, st.lists(NAMES, max_size=3).map(tuple), st.booleans(), st.booleans())
DICE = st.tuples(st.integers(1, 6), st.integers(1, 6))
RACE_MOVES = st.one_of(
    st.builds(race.Drive, NAMES, st.none() | MET, st.none() | POSES),
    st.builds(race.Turn, NAMES, st.sampled_from(["left", "right"]), st.none() | MET),
    st.builds(race.Spin, NAMES, POSES, st.lists(st.tuples(NAMES, POSES), max_size=3).map(tuple)),
    st.builds(race.Roll, NAMES, st.none() | DICE, st.sampled_from(race.PURPOSES)),
    st.builds(race.Adjust, NAMES, st.integers(0, len(race.STEPS) - 1)),
)

# Ziggurat Demolition Throwdown.

SEATS, TOWERS = st.integers(1, 9), st.builds(wizards.Place, st.integers(1, 9), st.integers(1, 4))
CARDS = st.sampled_from(EXTENDED)
HANDS = st.lists(st.none() | CARDS, min_size=1, max_size=5).map(tuple)
TOPS = pyramids_of(WIZARDS_COLOURS)
WIZARD_MOVES = st.one_of(
    st.builds(wizards.Attack, SEATS, CARDS, TOWERS, st.none() | TOWERS, st.booleans()),
    st.builds(wizards.Attack, SEATS, st.none(), TOWERS, st.none() | TOWERS, st.booleans(), st.integers(1, 3)),
    st.builds(wizards.Defend, SEATS, HANDS, st.none() | TOWERS),
    st.builds(wizards.Allow, SEATS),
    st.builds(wizards.Change, TOWERS, st.none() | TOPS),
    st.builds(wizards.Draw, SEATS, st.booleans()),
    st.builds(wizards.Remodel, TOWERS, st.none() | TOPS, HANDS),
    st.builds(wizards.Suffer, TOWERS),
)

TOUCHES = st.builds(
    Touch,
    st.from_regex(r"[a-z]{1,6}-?[0-9]{0,2}", fullmatch=True),
    *[st.from_regex(r"(small|large) (red|blue)|empty", fullmatch=True)] * 2,
)
MOVES = dict(zip(GAMES, (MIDS_MOVES, MISSILE_MOVES, RACE_MOVES, WIZARD_MOVES), strict=True))


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__.rpartition(".")[2])
@given(st.data())
def test_whatever_can_be_said_reads_back(game, data):
    move = data.draw(MOVES[game] | TOUCHES)
    assert game.parse(str(move)) == move


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__.rpartition(".")[2])
@given(st.data())
def test_odd_text_is_a_move_or_refused(game, data):
    """Half of it begins as a move does, so that it gets past the first word."""
    text = data.draw(st.text(max_size=60) | st.builds(_bent, MOVES[game].map(str), st.integers(0, 60), st.text()))
    move = _read(game.parse, text)
    assert move is None or game.parse(str(move)) == move


def _read(parse, text):
    """What the text says; None where it was refused."""
    try:
        return parse(text)
    except InvalidNotation:
        return None


def _bent(text: str, place: int, odd: str) -> str:
    return text[:place] + odd + text[place + 1 :]


@pytest.mark.parametrize("game", GAMES, ids=lambda game: game.__name__.rpartition(".")[2])
@pytest.mark.parametrize("beginning", ["", "touch b2 ", "split b4 ", "move ", "card Ann "])
def test_a_text_longer_than_any_move_is_refused_before_it_is_read(game, beginning):
    with pytest.raises(InvalidNotation, match=f"at most {MOST_CHARACTERS} characters, not") as fault:
        game.parse(beginning + "9" * 10_000)
    assert len(str(fault.value)) < 300


@pytest.mark.parametrize("place", ["nan 0 0", "0 inf 0", "0 0 1e9"])
def test_a_car_lies_at_a_place_that_there_is(place):
    with pytest.raises(InvalidNotation):
        gran_prix.parse(f"move Ann at {place}")


def test_rules_that_a_card_lifts_may_be_odd_words():
    text = str(before.PlayCard("Ann", "Far!", ("move-distance", "two words")))
    assert martian_mids.parse(text).lifts == ("move-distance", "two words")


@given(SQUARES, PLACES, CARDS, TOPS, pyramids_of(tuple(Colour)), st.lists(TOPS, max_size=5).map(tuple))
def test_what_moves_are_made_of_reads_back(square, place, card, top, pyramid, pieces):
    assert Square.parse(str(square)) == square
    assert missiles.Place.parse(str(place)) == place
    assert Card.parse(str(card)) == card
    assert wizards_piece(wizards_piece_text(top)) == top
    assert Pyramid.parse(str(pyramid)) == pyramid
    assert tower(tower_text(pieces)) == pieces


@given(st.text(max_size=8))
def test_odd_places_and_cards_are_some_or_refused(text):
    for parse in (Square.parse, missiles.Place.parse, Card.parse):
        found = _read(parse, text)
        assert found is None or parse(str(found)) == found
