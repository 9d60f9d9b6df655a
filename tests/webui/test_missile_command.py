"""Missile Command on the page and in review: its words, its turns, its batteries, and no secrets."""

from __future__ import annotations

import json

import pytest

from engine.errors import InvalidSetup
from engine.games import missile_command as mc
from engine.table import Colour, Pose, Pyramid, Scene, Stack
from webui.gamefile import game_file_from_json
from webui.games import tabletop_of
from webui.games.naming import in_players_words
from webui.present import ruling_json
from webui.review import Review
from webui.seen import seen_of

TABLETOP = tabletop_of("missile-command")
SILOS = (
    *("white green black", "black blue clear", "clear white purple", "purple black green"),
    *("cyan cyan white", "orange blue black", "green clear orange", "blue white purple"),
)
BATTERY = [[{"colour": colour} for colour in silo.split()] for silo in SILOS]
DOC = {
    "game": "missile-command",
    "players": [{"name": "Ann", "sheet": "silos-1"}, {"name": "<Bob>", "sheet": "silos-2"}],
    "batteries": {"Ann": BATTERY, "<Bob>": BATTERY},
    "executives": {name: {"president": 4, "vice_president": 6} for name in ("Ann", "<Bob>")},
    "salts": {"Ann": "the salt of Ann, sealed", "<Bob>": "the salt of Bob, sealed"},
}


@pytest.fixture
def state():
    return mc.start(TABLETOP.setup(DOC), Scene(()))


def after(state, line):
    for text in line.split("; "):
        state = mc.play(state, mc.parse(text))
    return state


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("launch black 1/2 at 2/3", "Ann launches the black missile of silo 2 at <Bob>'s silo 3"),
        ("launch clear 1/3 at 2/?", "Ann launches a drone of silo 3 at one of <Bob>'s silos"),
        ("launch clear 1/3 at ?", "Ann launches a drone of silo 3 at somebody"),
        ("scramble 1/5", "Ann scrambles the SAC unit of silo 5"),
        ("discard 1/6", "Ann discards the ABM of silo 6"),
        (
            "sortie 1 large 2/3, small 2/4",
            "Ann sends the large unit at <Bob>'s silo 3 and the small unit at <Bob>'s silo 4",
        ),
        ("oppose 2 nothing", "<Bob> meets none of them"),
        ("oppose 2 small 2/3", "<Bob> meets the one at <Bob>'s silo 3"),
        ("intercept 2/6", "<Bob>'s ABM of silo 6 meets it"),
        ("allow 2", "<Bob> does not intercept it"),
        ("deflect 2 to 1", "<Bob> deflects it to Ann"),
        ("take 2/4 2/5", "<Bob>'s silo 4 and <Bob>'s silo 5 is struck"),
        ("report 2 4", "<Bob> is at DEFCON 4"),
        ("report 2 none", "<Bob> gives no report"),
        ("aim 2/4", "the drone was aimed at <Bob>'s silo 4"),
        ("reveal 2/4 red", "<Bob>'s silo 4 shows red"),
        ("expose 2/4 president", "the president stands exposed at <Bob>'s silo 4"),
        ("strike 1 at 2/4", "Ann's missile on its way strikes <Bob>'s silo 4"),
        ("pass 1", "Ann can launch nothing"),
        ("pick 1 large red", "Ann takes a large red"),
        ("touch 2/7 large green -> medium clear", "on <Bob>'s silo 7, large green became medium clear"),
        ("touch 1/air-wing large -> empty", "in Ann's air wing, large became empty"),
        ("touch 1/9 a -> b", "on 1/9, a became b"),
    ],
)
def test_every_move_is_said(state, text, words):
    assert TABLETOP.move_words(mc.parse(text), state) == words


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("silo 2/3 is empty", "<Bob>'s silo 3 is empty"),
        ("silo 1/2 and 2/10, silo 1/9", "Ann's silo 2 and 2/10, silo 1/9"),
        ("what is in silo 1/2 and 1/3 looks different now", "what is in Ann's silo 2 and Ann's silo 3 looks different"),
        ("the drone was not aimed at silo 2/?", "the drone was not aimed at one of <Bob>'s silos"),
        (
            "It may also have been: launch black 2/1 at 1/?; intercept 1/6. Which was it?",
            "It may also have been: <Bob> launches the black missile of silo 1 at one of Ann's silos, then Ann's ABM "
            "of silo 6 meets it. Which was it?",
        ),
    ],
)
def test_a_sentence_of_the_engine_is_said_in_the_players_words(state, text, words):
    assert in_players_words(TABLETOP, text, state).startswith(words)


def test_places_are_called_in_the_words_of_the_variant_too():
    state = mc.start(TABLETOP.setup(DOC | {"options": {"peace_love_dove": True}}), Scene(()))
    fault = mc.violations(state, mc.parse("launch black 1/1 at 2/3"))[0].detail
    assert "wall 1/1" in fault
    assert "Ann's wall 1" in in_players_words(TABLETOP, fault, state)
    said = in_players_words(TABLETOP, "Or was it: launch white 1/1 at 2/3?", state)
    assert said == "Or was it: Ann offers the white gesture of wall 1 at <Bob>'s wall 3?"


def test_without_a_table_players_are_numbers():
    assert TABLETOP.move_words(mc.parse("allow 2"), None) == "player 2 does not intercept it"


def test_the_turn_says_who_is_awaited(state):
    turn = TABLETOP.turn(state)
    assert turn.headline == "Ann to launch"
    assert [(one.name, one.figures[0], one.is_awaited) for one in turn.players] == [
        ("Ann", "24", True),
        ("<Bob>", "24", False),
    ]
    assert TABLETOP.turn(after(state, "launch black 1/2 at 2/1")).headline == "<Bob> to choose"
    assert TABLETOP.turn(after(state, "launch clear 1/3 at 2/1; allow 2")).detail == "A drone waits for its answer"


def test_the_drawing_shows_tops_marks_changes_and_escapes_names(state):
    now = mc.visible_to(after(state, "scramble 1/5; launch black 2/2 at 1/1; allow 1"), None)
    drawn = TABLETOP.drawing(now, mc.visible_to(state, None), "legal")
    assert "&lt;Bob&gt;" in drawn
    assert "<Bob>" not in drawn
    assert drawn.count('class="mark legal"') == 3
    assert "s air wing: a " in drawn
    assert drawn.count("<svg") == 2


def test_batteries_that_were_not_seen_yet_are_their_players():
    drawn = TABLETOP.drawing(None, None, "legal", ("Ann", "<Bob>", "Cid"))
    assert drawn.count("<svg") == 3
    assert "&lt;Bob&gt;" in drawn
    assert "Player" not in drawn


def test_a_battery_that_is_not_on_the_table_is_told():
    players = [{"name": "Ann", "sheet": "silos-1"}, {"name": "Bob", "sheet": "silos-3"}]
    with pytest.raises(InvalidSetup, match="silos-1 to silos-2, which lie on this table"):
        TABLETOP.start(TABLETOP.setup({"players": players}), Scene(()), "silos-2p")


# Review.


def scene(state):
    return Scene.of([stack for number, side in state.position.sides for stack in _stacks(f"silos-{number}", side)])


def _stacks(sheet, side):
    pairs = [(n, top) for n, top in enumerate(side.tops, 1) if top is not None]
    found = [Stack(sheet, f"silo-{n}", Pose(20.0 + 32 * (n - 1), 80.0), (top,)) for n, top in pairs]
    found += [
        Stack(sheet, f"front-{n}", Pose(20.0 + 32 * (n - 1), 125.0, 270.0), (top,)) for n, top in side.markers if top
    ]
    return [
        *found,
        *(Stack(sheet, "air-wing", Pose(30.0, 43.0), (Pyramid(Colour.CYAN, size),)) for size in side.air_wing),
    ]


def test_a_review_rules_and_tells_no_secret(state, look_of):
    review = Review(game_file_from_json(DOC))
    states = [state]
    for line in ("launch white 1/1 at 2/7; allow 2", "launch clear 2/3 at 1/4; allow 1", "scramble 1/5"):
        states.append(after(states[-1], line))
    events = []
    for n, one in enumerate(states):
        look = look_of(f"{n:02}.jpg", layout="silos-2p")
        look.observation.scene = scene(one)
        events.append(review.see(seen_of(look)))
    lines = [ruling_json(event) for event in events[1:]]
    assert [line["ruling"] for line in lines] == ["legal"] * 3
    assert lines[0]["move"] == "launch white 1/1 at 2/7; allow 2"
    assert lines[0]["text"].startswith("Ann launches the white missile of silo 1 at <Bob>'s silo 7")
    assert lines[1]["questions"]
    told = json.dumps(lines) + repr([(event.state, event.table) for event in events])
    assert "the salt of" not in told
    assert all(battery.president.silo is None for battery in events[-1].state.batteries)
