"""Ziggurat Demolition Throwdown on the page: its words, its turns, its towers, its cards, and no secrets."""

from __future__ import annotations

from xml.etree import ElementTree

import pytest

from engine.games import ziggurat
from engine.games.ziggurat import EXTENDED, Suit
from engine.rules import Illegal
from webui.cards import SYMBOLS, card_svg
from webui.games import tabletop_of
from webui.games.naming import in_players_words
from webui.live import Moment
from webui.present import page_view, ruling_json, ruling_words
from webui.review import Event

TABLETOP = tabletop_of("ziggurat")
SEED = "sixteen letters!"
DOC = {"game": "ziggurat", "players": [{"name": "Ann"}, {"name": "<Bob>"}]}


@pytest.fixture
def state():
    return ziggurat.new_game(TABLETOP.setup(DOC))


def parsed(svg):
    return ElementTree.fromstring(str(svg))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("attack 1 7ML 2/1", "Ann attacks <Bob>'s tower 1 with the 7 of Moons and Leaves (2 pips)"),
        (
            "attack 1 3MW 2/4 with 1/2 excuse",
            "Ann attacks <Bob>'s tower 4 with the 3 of Moons and Waves (one pip), tower 2 standing in, with the Excuse",
        ),
        ("attack 2 ?3 1/1", "<Bob> attacks Ann's tower 1 with a card of 3 pips"),
        ("defend 2 3MW ? ?", "<Bob> defends with the 3 of Moons and Waves and 2 cards"),
        ("allow 2", "<Bob> does not defend"),
        ("change 2/1 g1", "a small green is put on <Bob>'s tower 1"),
        ("change 2/1 -", "nothing is put on <Bob>'s tower 1"),
        ("draw 1", "Ann draws cards"),
        ("remodel 1/2 r1 ? ? ?", "Ann remodels the top of tower 2 into a small red for 3 cards"),
        ("attrition 1/1", "attrition takes a pip from Ann's tower 1"),
        ("tell 1 7ML", "Ann used the 7 of Moons and Leaves"),
        ("touch 2/1 small red -> nothing", "on <Bob>'s tower 1, small red became nothing"),
        ("touch 1/9 a -> b", "on 1/9, a became b"),
        ("touch scrapyard/small-red 1 -> 2", "in the scrapyard, 1 small red became 2"),
    ],
)
def test_every_move_is_said(state, text, words):
    assert TABLETOP.move_words(ziggurat.parse(text), state) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("tower 2/3 is yellow", "James's tower 3 is yellow"),
        ("Tower 1/4 looks different. I take it as unchanged: is it?", "Ann's tower 4 looks different. I take it as"),
        ("towers 1/2 and 2/4 changed, and I find nothing", "Ann's tower 2 and James's tower 4 changed, and I find"),
        (
            "'attack 1 CK 2/3' and 'allow 2' and 'draw 2' was said, and the table does not show that",
            "'Ann attacks James's tower 3 with the Crown of Knots (3 pips)' and 'James does not defend' and "
            "'James draws cards' was said, and the table does not show that",
        ),
        (
            "Or was it: attack 1 ?2 2/1; allow 2?",
            "Or was it: Ann attacks James's tower 1 with a card of 2 pips, then James does not defend?",
        ),
        ("expected a move such as 'attack 1 7ML 2/3', not 'tower'", "expected a move such as 'attack 1 7ML 2/3', not"),
        ("Or was it: tower two?", "Or was it: tower two?"),
        ("tower 2/31, tower 21/3 and tower 2/3/1", "tower 2/31, tower 21/3 and tower 2/3/1"),
    ],
)
def test_a_sentence_of_the_engine_is_said_in_the_players_words(text, words):
    doc = DOC | {"players": [{"name": "Ann"}, {"name": "James"}]}
    state = ziggurat.new_game(TABLETOP.setup(doc))
    assert in_players_words(TABLETOP, text, state).startswith(words)
    assert in_players_words(TABLETOP, text, None) == text


def test_people_read_whose_tower_it_is_and_scripts_the_notation(state):
    line = (ziggurat.parse("attack 1 9WY 2/3"),)
    fault = Illegal(line, ziggurat.violations(state, line[0]), ("Tower 1/2 looks different. I take it as unchanged.",))
    start = Event("00.jpg", TABLETOP, None, state, state, is_start=True)
    event = Event("01.jpg", TABLETOP, fault, state, state, warnings=("Waived this once: tower 2/4 is gone.",))
    view = page_view(
        Moment(TABLETOP, (start, event), 1, refused="There is no tower 2/1", is_live=True), lambda key: key or ""
    )
    assert view["verdict"]["sentence"].endswith("towers, and <Bob>'s tower 3 is yellow.")
    assert view["verdict"]["notes"][0].startswith("Ann's tower 2 looks different.")
    assert view["verdict"]["notes"][1] == "Waived this once: <Bob>'s tower 4 is gone."
    assert view["strip"][1]["what"].startswith("Ann attacks <Bob>'s tower 3 with the 9")
    assert view["refused"] == "There is no <Bob>'s tower 1"
    assert "question: Ann's tower 2" in ruling_words(event)
    told = ruling_json(event)
    assert told["move"] == "attack 1 9WY 2/3"
    assert (told["questions"], told["warnings"]) == (list(fault.questions), list(event.warnings))


def test_the_colours_are_those_that_are_played_with():
    state = ziggurat.new_game(TABLETOP.setup(DOC | {"options": {"colours": "xeno"}}))
    words = TABLETOP.move_words(ziggurat.parse("change 2/1 g1"), state)
    assert words == "a small purple is put on <Bob>'s tower 1"
    assert "c-orange" in TABLETOP.drawing(state, None, "legal")
    assert "c-red" not in TABLETOP.drawing(state, None, "legal")


def test_the_turn_and_the_points(state):
    turn = TABLETOP.turn(state)
    assert turn.headline == "Ann to act"
    assert [(one.name, one.figures, one.is_awaited) for one in turn.players] == [
        ("Ann", ("4", "24", "0"), True),
        ("<Bob>", ("4", "24", "0"), False),
    ]
    attacked = ziggurat.play(state, ziggurat.parse("attack 1 7ML 2/1"))
    assert TABLETOP.turn(attacked).headline == "<Bob> to choose"


def test_the_mat_alone_shows_the_commitment_and_nothing_shows_a_card_or_the_seed():
    state = ziggurat.new_game(TABLETOP.setup(DOC | {"deck": {"seed": SEED}}))
    shown = ziggurat.visible_to(state, None)
    assert TABLETOP.turn(shown).detail == "26 cards to draw"
    assert state.deck.commitment in TABLETOP.mat(shown)
    said = repr(TABLETOP.turn(shown)) + str(TABLETOP.drawing(shown, None, "legal")) + str(TABLETOP.mat(shown))
    assert SEED not in said
    assert [one.figures[-1] for one in TABLETOP.turn(shown).players] == ["5", "5"]


def test_towers_are_drawn_with_letters_and_pips_and_changes_are_marked(state):
    root = parsed(TABLETOP.drawing(state, None, "legal"))
    assert len([one for one in root.iter("polygon") if one.get("class").startswith("piece")]) == 24 + 3
    after = ziggurat.play(ziggurat.play(state, ziggurat.parse("attack 1 4YK 2/3")), ziggurat.parse("allow 2"))
    marks = list(parsed(TABLETOP.drawing(after, state, "illegal")).iter("rect"))
    assert [one.get("class") for one in marks].count("mark illegal") == 1
    places = [one.get("data-place") for one in root.iter("g") if one.get("class") == "place"]
    assert places == [*(f"towers-{n}/tower-{k}" for n in (1, 2) for k in range(1, 5)), "scrapyard"]


def test_towers_that_were_not_seen_yet_are_their_players():
    drawn = TABLETOP.drawing(None, None, "legal", ("Ann", "<Bob>", "Cid"))
    assert [one.get("aria-label").partition("'")[0] for one in parsed(drawn).iter("svg")][:3] == ["Ann", "<Bob>", "Cid"]


def test_every_card_has_a_face_of_its_own_and_one_back():
    faces = {str(card_svg(card)) for card in EXTENDED}
    assert len(faces) == 45
    for card in EXTENDED:
        root = parsed(card_svg(card))
        assert card.words in root.get("aria-label")
        assert root.findall("text")[-1].text == card.name
        assert len(list(root.iter("title"))) == 2 * len(card.suits)
    assert len(set(SYMBOLS.values())) == len(Suit)
    assert "face down" in card_svg(None)
