"""What a deed can change at most: nothing that is played on random boards changes more."""

import random
from collections.abc import Iterator

import pytest

from engine.games.martian_mids.judging import actions_of, flights
from engine.games.martian_mids.notation import Move
from engine.games.martian_mids.pieces import KINDS
from engine.games.martian_mids.playing import answers, play
from engine.games.martian_mids.reaching import open_to, touched
from engine.games.martian_mids.searching import differing
from engine.games.martian_mids.state import Mid, Missile, Player, Position, State
from engine.games.squares import COMPASS, GRID
from engine.table import Colour

PLAYERS = (Player("Ann", Colour.BLACK), Player("Ben", Colour.WHITE))
MOST_ENDS = 300


def crowded(chance: random.Random) -> State:
    """A board full of Mids, with missiles on two squares at most, Ben's turn being the last of the round."""
    *squares, one, other = chance.sample(GRID, 20)
    mids = {
        square: Mid(tuple(chance.choices(KINDS, k=chance.randint(1, 4))), chance.choice(PLAYERS).stand)
        for square in squares
    }
    lying = [(chance.choice((one, other)), missile(chance)) for _ in range(chance.randint(0, 4))]
    return State(PLAYERS, Position.of(mids, lying), 1, (("Ann",), ("Ben",)), acted=("Ann",))


def missile(chance: random.Random) -> Missile:
    return Missile(chance.choice(KINDS), chance.choice(COMPASS), chance.choice(PLAYERS).stand)


def ends(state: State) -> Iterator[State]:
    """Every table that may come of a state by answers and flights, on the way too; not all where they are very many."""
    waiting, met = [state], {state}
    while waiting and len(met) < MOST_ENDS:
        state = waiting.pop()
        yield state
        further = {play(state, move) for move in (answers(state) if state.owed else flights(state))} - met
        met |= further
        waiting += further


@pytest.mark.parametrize("seed", range(24))
def test_an_action_and_the_flights_after_it_change_only_squares_that_they_may_reach(seed: int) -> None:
    chance = random.Random(seed)
    state = crowded(chance)
    lying = {square for square, _ in state.position.missiles}
    actions = [action for square, _ in state.position.mids for action in actions_of(state, square)]
    onto = [action for action in actions if isinstance(action, Move) and action.target in lying]
    changed = 0
    for action in (*onto, *chance.sample(actions, 30)):
        reached = touched(state, action) | open_to(state.position.missiles)
        for after in ends(play(state, action)):
            assert differing(state.position, after.position) <= reached, str(action)
            changed += after.position != state.position
    assert changed
