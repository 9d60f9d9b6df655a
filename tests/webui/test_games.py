"""Games are registered in one place, and the review knows them by what they contribute only."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from markupsafe import Markup

from calibration.sheets import load_layouts
from engine.errors import InvalidSetup
from engine.game import Explanation, Touch
from engine.rules import Rule, RuleViolation
from webui import games
from webui.gamefile import game_file_from_json
from webui.games.tabletop import Start, Turn
from webui.present import ruling_json
from webui.review import Review
from webui.seen import seen_of


@pytest.mark.parametrize("tabletop", games.TABLETOPS, ids=lambda tabletop: tabletop.NAME)
def test_a_registered_game_is_played_on_sheets_there_are(tabletop):
    assert games.tabletop_of(tabletop.NAME) is tabletop
    assert tabletop.TITLE
    assert set(tabletop.LAYOUTS) <= set(load_layouts())


def test_an_unknown_game_is_told_those_there_are():
    with pytest.raises(InvalidSetup, match=r"game: expected .*martian-mids.*, not 'halma'"):
        games.tabletop_of("halma")


class Heap:
    """A game for this test: stacks may only come. A state is their number and a secret word."""

    NAME, TITLE, LAYOUTS = "heap", "Heap", ("silos-2p",)
    no_taking = Rule("no-taking", "Stacks stay.", "house ruling")

    def __init__(self):
        alike = SimpleNamespace(sift=lambda state, scene: scene, is_as_before=lambda *_: True)
        alike.read = lambda scene: len(scene.stacks)
        alike.refreshed = lambda state, position: state
        alike.explain = self.explain
        alike.violations = lambda state, move: (
            (RuleViolation(self.no_taking, "one is gone"),) if move.after < move.before else ()
        )
        alike.play = lambda state, move: (int(move.after), state[1])
        alike.declare = lambda state, word: (state[0], word)
        alike.visible_to = lambda state, player: (state[0], None)
        self.GAME = alike

    def explain(self, state, position, plays):
        line = (Touch("heap", str(state[0]), str(position)),)
        return () if position == state[0] else (Explanation(line, (position, state[1])),)

    def setup(self, doc):
        return doc["word"]

    def start(self, setup, scene, layout):
        if not scene.stacks:
            raise InvalidSetup("heap", "something on the table", "nothing")
        return Start((len(scene.stacks), setup), (f"Played on {layout}.",))

    def declare(self, match, declaration):
        match.declare(declaration)

    def move_words(self, move, state):
        return f"the heap of {move.before} is now one of {move.after}, says {state}"

    def spoken(self, text, state):
        return f"{text}, says {state}"

    def turn(self, state):
        return Turn("Anybody to act")

    def drawing(self, state, before, manner):
        return Markup("<svg></svg>")


@pytest.fixture
def heap(monkeypatch, look_of):
    monkeypatch.setattr(games, "TABLETOPS", (Heap(),))

    def judged(*tables):
        doc = {"game": "heap", "players": [{"name": "Ann"}], "word": "sesame"}
        review = Review(game_file_from_json(doc))
        return [review.see(seen_of(look_of(f"{n:02}.jpg", table, layout="silos-2p"))) for n, table in enumerate(tables)]

    return judged


def test_another_game_is_judged_in_its_own_words(heap):
    events = heap("a1 black: small red", "a1 black: small red; b1 black: small red", "a1 black: small red")
    said = [ruling_json(event) for event in events[1:]]
    assert [line["ruling"] for line in said] == ["legal", "illegal"]
    assert said[0]["text"] == "The heap of 1 is now one of 2, says (2, None)."
    assert said[1]["text"].endswith(": one is gone, says (1, None).")
    assert [rule["id"] for rule in said[1]["rules"]] == ["no-taking"]
    assert "Played on silos-2p." in said[0]["warnings"]


def test_secrets_stay_out_of_events(heap):
    events = heap("a1 black: small red", "a1 black: small red; b1 black: small red", "a1 black: small red")
    assert [(event.state, event.table) for event in events][1:] == [((2, None), (2, None)), ((2, None), (1, None))]
    assert "sesame" not in repr(events)


def test_a_table_that_no_game_can_start_from_is_told_and_the_next_one_is_tried(heap):
    events = heap("", "a1 black: small red")
    assert (
        events[0].error
        == "The game cannot start from this photo: heap: expected something on the table, not 'nothing'."
    )
    assert events[1].is_start
