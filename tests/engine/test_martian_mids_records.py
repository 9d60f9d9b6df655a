"""Whole games as text: every move is legal, is read back as it was written, and the end is as recorded."""

from pathlib import Path

import pytest

from engine.games import martian_mids as mids
from engine.games.martian_mids import Player
from engine.table import Colour

RECORDS = sorted((Path(__file__).parent / "games").glob("*.txt"))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game(match, path):
    head, _, moves = path.read_text().partition("\n\n")
    said = dict(each.split(": ", 1) for each in head.splitlines())
    players = [each.split() for each in said["players"].split(", ")]
    state = match(said["table"], players=tuple(Player(name, Colour(stand)) for name, stand in players)).state
    for text in moves.split("\n"):
        if text:
            move = mids.parse(text)
            assert (str(move), mids.violations(state, move)) == (text, ())
            state = mids.play(state, move)
    end = mids.outcome(state)
    assert said["end"] == f"{' '.join(end.winners) or 'nobody'}, round {state.round_number}"


def test_a_game_of_four_and_one_without_survivors_are_recorded():
    assert {path.stem for path in RECORDS} >= {"four_players", "nobody_left"}
