"""What players put into a review beside tables: undo, corrections, what they say; and the same again from JSON."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from engine.errors import EngineError
from engine.rules import Legal
from engine.table import Colour, Pyramid
from webui.correcting import Correction
from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.present import kind_of, sentence
from webui.review import NotKeptError, Review
from webui.seen import SeenError, seen_from_json, seen_json, seen_of

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")
TOO_FAR = START.replace("f2", "f4")
SETUP = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}
F4_EMPTY = Correction("board-sw", 37 + 39.6 * 5.5, 37 + 39.6 * 3.5, zone="f4")
F2_YELLOW = Correction(
    "board-sw", 37 + 39.6 * 5.5, 37 + 39.6 * 1.5, (Pyramid.parse("large yellow"),), None, Colour.BLACK, "f2"
)


class Game:
    """A review, what it was told to keep, and photos by number."""

    def __init__(self, look_of, **more):
        self._look_of, self.kept = look_of, []
        self.review = Review(game_file_from_json(SETUP), keep=self._keep, **more)

    def _keep(self, said, event):
        self.kept.append(json.loads(json.dumps(said)))

    def sees(self, *tables):
        for table in tables:
            number = len([said for said in self.kept if "seen" in said])
            event = self.review.see(seen_of(self._look_of(f"{number:02}.jpg", table)))
        return event

    @property
    def kinds(self):
        return [kind_of(event) for event in self.review.events]


@pytest.fixture
def game(look_of):
    return Game(look_of, at_table=True)


def test_what_was_undone_is_no_event_until_the_table_changes(game):
    game.sees(START, MOVED)
    assert game.review.undo().is_start
    assert game.kinds == ["start"]
    assert game.sees(MOVED).ruling is None
    assert game.kinds == ["start"]
    game.sees(START, MOVED)
    assert game.kinds == ["start", "legal"]


def test_redo_brings_it_back_and_ends_with_the_next_event(game):
    game.sees(START, MOVED)
    game.review.undo()
    assert game.review.redo().ruling.line
    assert game.kinds == ["start", "legal"]
    assert game.review.redo() is None
    game.review.undo()
    game.sees(START, TOO_FAR)
    assert not game.review.can_redo
    assert game.kinds == ["start", "illegal"]


def test_all_can_be_undone_to_before_the_start(game):
    assert not game.review.can_undo
    assert game.review.undo() is None
    game.sees(START, TOO_FAR)
    game.review.agree()
    for left in (["start", "illegal"], ["start"], []):
        game.review.undo()
        assert game.kinds == left
    assert game.review.state_for(None) is None


def test_that_was_not_a_move(game):
    game.sees(START, TOO_FAR)
    event = game.review.not_a_move()
    assert (kind_of(event), game.kinds) == ("no-move", ["start", "illegal", "no-move"])
    assert event.state.awaited == ("Ann",)
    assert game.sees(TOO_FAR).ruling is None
    assert isinstance(game.sees(MOVED).ruling, Legal)
    assert game.review.not_a_move() is not None
    assert game.review.not_a_move() is None


def test_only_an_event_of_the_table_can_be_no_move(game):
    assert game.review.not_a_move() is None
    game.sees(START)
    assert game.review.not_a_move() is None


def test_a_correction_judges_the_table_again(game):
    game.sees(START, TOO_FAR)
    game.review.correct(F4_EMPTY)
    event = game.review.correct(F2_YELLOW)
    assert event.is_corrected
    assert (kind_of(event), sentence(event)) == ("corrected", "The table is as you say. Nothing has happened on it.")
    assert game.kinds == ["start", "corrected"]
    assert event.state.awaited == ("Ann",)


def test_a_correction_holds_while_the_place_is_misread_in_the_same_way(game):
    game.sees(START, TOO_FAR)
    game.review.correct(F4_EMPTY)
    game.review.correct(F2_YELLOW)
    both = TOO_FAR.replace("b2", "b4")
    assert str(game.sees(both).ruling.line[0]) == "move b2-b4"
    assert {stack.zone for stack in game.review.scene.stacks} == {"b4", "c5", "f2"}
    game.sees(both.replace("f4", "f5"))
    assert "f5" in {stack.zone for stack in game.review.scene.stacks}


def test_a_correction_can_be_undone(game):
    game.sees(START, TOO_FAR)
    game.review.correct(F4_EMPTY)
    game.review.undo()
    assert game.kinds == ["start", "illegal"]
    assert "f4" in {stack.zone for stack in game.review.scene.stacks}


def test_the_start_can_be_corrected(game):
    game.sees(START.replace("large yellow", "medium yellow"))
    event = game.review.correct(F2_YELLOW)
    assert event.is_start
    assert [mid.pyramids for square, mid in event.state.position.mids if str(square) == "f2"] == [F2_YELLOW.pyramids]
    assert game.kinds == ["start"]


def test_what_is_said_is_told_and_waits_for_the_table(game):
    assert game.review.declare({"stalemate": ["Ann"]}) is None
    game.sees(START)
    event = game.review.declare({"stalemate": ["Ann"]}, "Ann", "Ann thinks that nobody can win any more.")
    assert (kind_of(event), sentence(event)) == ("said", "Ann thinks that nobody can win any more.")
    assert game.review.state_for(None).for_stalemate == ("Ann",)
    with pytest.raises(EngineError):
        game.review.declare({"stalemate": ["Zoe"]})
    assert game.kinds == ["start", "said"]


def test_the_same_inputs_make_the_same_match(game, look_of):
    game.sees(START, TOO_FAR)
    game.review.agree()
    game.review.undo()
    game.review.redo()
    game.review.undo()
    game.review.correct(F4_EMPTY)
    game.review.correct(F2_YELLOW)
    game.sees(MOVED)
    game.review.not_a_move()
    game.review.undo()
    game.review.declare({"stalemate": ["Bob"]}, "Bob", "Bob gives up.")
    again = Game(look_of, at_table=True)
    for said in game.kept:
        again.review.take(said)
    assert again.review.events == game.review.events
    assert again.review.state_for(None) == game.review.state_for(None)
    assert again.kept == game.kept


def test_only_what_changes_the_match_is_kept(game):
    game.sees(START, START, START)
    assert len(game.kept) == 1
    game.review.agree()
    game.review.redo()
    assert len(game.kept) == 1


def test_what_cannot_be_kept_has_not_happened(game):
    game.sees(START)

    def full(said, event):
        raise NotKeptError("The disk is full.")

    game.review.keep = full
    for put_in in (lambda: game.sees(MOVED), game.review.undo, lambda: game.review.correct(F4_EMPTY)):
        with pytest.raises(NotKeptError):
            put_in()
        assert game.kinds == ["start"]
        assert game.review.state_for(None).awaited == ("Ann",)
    game.review.keep = None
    assert isinstance(game.sees(MOVED).ruling, Legal)


@pytest.mark.parametrize("said", [{}, {"seen": 3}, {"seen": {"photo": "a"}}, {"correct": {"sheet": "no"}}, {"x": 1}, 7])
def test_other_inputs_are_refused_in_words(game, said):
    with pytest.raises(SeenError):
        game.review.take(said)


def test_a_table_that_was_seen_survives_json(look_of, doubtful_stack):
    seen = seen_of(look_of("00.jpg", START), "a" * 24, "b" * 24)
    doubtful = replace(seen, scene=replace(seen.scene, stacks=(*seen.scene.stacks, doubtful_stack)))
    assert seen_from_json(json.loads(json.dumps(seen_json(doubtful)))) == doubtful


@pytest.mark.parametrize("error_mm", [10**400, -1e300, "1", True, float("inf"), float("nan")])
def test_a_table_with_a_number_that_is_none_is_refused(look_of, error_mm):
    with pytest.raises(SeenError):
        seen_from_json(seen_json(seen_of(look_of("00.jpg", START))) | {"error_mm": error_mm})


def test_a_correction_survives_json():
    assert Correction.from_json(json.loads(json.dumps(F2_YELLOW.to_json()))) == F2_YELLOW


@pytest.mark.parametrize(
    "wrong",
    [
        {"sheet": "nowhere"},
        {"x_mm": "nan"},
        {"x_mm": None},
        {"y_mm": -1e300},
        {"pyramids": ["huge red"]},
        {"pyramids": ["large red"] * 21},
        {"heading_deg": 90, "pyramids": ["large red", "small red"]},
        {"stand": "gold"},
    ],
)
def test_a_correction_that_makes_no_sense_is_refused(wrong):
    with pytest.raises(SeenError):
        Correction.from_json(F2_YELLOW.to_json() | wrong)


def test_folder_mode_tells_every_photo(look_of):
    game = Game(look_of)
    game.sees(START, START, MOVED)
    assert game.kinds == ["start", "none", "legal"]


def test_live_puts_in_what_the_page_asks(live_of, rulings):
    live = live_of(None, rulings.allowed)
    live.catch_up()
    said = []
    live._review.declare = lambda *what: said.append(what)
    live.declare({"roll": [3, 4]}, "Ann", "Ann rolls.")
    live.catch_up()
    assert said == [({"roll": [3, 4]}, "Ann", "Ann rolls.")]


def test_what_is_refused_is_said_on_the_page(live_of):
    live = live_of(None)
    live.catch_up()

    def full():
        raise NotKeptError("The disk is full.")

    live._review.undo = full
    live.undo()
    live.catch_up()
    assert (live.moment().refused, live.moment().paused) == ("The disk is full.", True)


def test_another_game_ends_the_one_before(live_of, eventually):
    first, second = live_of(None), live_of(None)
    evening = Evening(first)
    evening.start()
    evening.show(second)
    assert evening.live is second
    eventually(lambda: not first._thread.is_alive())
    assert second._thread.is_alive()
    evening.stop()
