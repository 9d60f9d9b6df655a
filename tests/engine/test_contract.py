"""What holds for every game: values, notation, total judgement, and random play."""

import random

import pytest

from engine.game import Plays, Touch
from engine.games import gran_prix, martian_mids, missile_command, ziggurat
from engine.games.ziggurat.towers import tower
from engine.umpire import PLAYS

BOARD = "b2: Lr Mg / black; f2: Ly / black; c5: Lg Sr / white; e6: My My Sr / white"
BATTERIES = (
    "black white green | white purple cyan | green black white | cyan green black | "
    "black cyan purple | purple white green | white green black | green black white",
    "white green black | black purple white | purple green cyan | green white black | "
    "cyan black green | white purple white | black green purple | green white black",
)
CARS = ("Red 300 90 0 1-3", "Blue 300 55 0 2-2", "Green 300 20 0 3-1")
TOWERS = "r3r2 k3"  # each wizard's; few, for answers are many


def _towers(request):
    sides = tuple(tuple(map(tower, TOWERS.split())) for _ in range(2))
    players = (ziggurat.Player("Ann", "towers-1"), ziggurat.Player("Bob", "towers-2"))
    return ziggurat.begun(players, ziggurat.Position.of(sides), 1, ziggurat.Options())


GAMES = {
    martian_mids: (lambda request: request.getfixturevalue("match")(BOARD).state, ("move b2-off", "move h8-h8")),
    missile_command: (
        lambda request: request.getfixturevalue("missile_command")(*BATTERIES),
        ("launch red 1/1 at 9/8", "pass 7", "allow 2", "sortie 1 nothing", "report 1 9"),
    ),
    gran_prix: (
        lambda request: request.getfixturevalue("race")(*CARS),
        ("move Blue", "turn Red left", "move Nobody", "adjust Red 3-3", "roll Green 9 9 for turn", "spin Red at 1 2 3"),
    ),
    ziggurat: (_towers, ("draw 2", "attack 2 AM 1/1", "attack 1 AM 2/4", "remodel 1/4 g1 ? ? ?")),
}
COUNTS = {  # legal moves at depth 1 and 2 from there
    martian_mids: (312, 48499),
    missile_command: (57, 3298),
    gran_prix: (1, 3),
    ziggurat: (23, 1115),
}


@pytest.fixture(params=GAMES, ids=lambda game: game.__name__.rpartition(".")[2])
def game_and_state(request):
    made, _ = GAMES[request.param]
    return request.param, made(request)


def legal(game, state):
    return [move for move in game.candidates(state) if not game.violations(state, move)]


def test_states_and_moves_are_values(game_and_state):
    game, state = game_and_state
    assert hash(state) == hash(state)
    assert len(set(game.candidates(state))) == len(game.candidates(state))


def test_what_everybody_may_see_is_a_state_and_no_more_than_a_player_sees(game_and_state):
    game, state = game_and_state
    seen = game.visible_to(state, None)
    assert type(seen) is type(state)
    name = (state.cars if game is gran_prix else state.players)[0].name
    assert game.visible_to(game.visible_to(state, name), None) == seen


def test_notation_undoes_itself(game_and_state):
    game, state = game_and_state
    for move in (*game.candidates(state), Touch("b2", "large red", "empty")):
        assert game.parse(str(move)) == move


def test_any_move_gets_an_answer_that_cites_rules_of_this_game(game_and_state):
    game, state = game_and_state
    strange = (
        *game.candidates(state),
        Touch("b2", "large red", "empty"),
        *map(game.parse, GAMES[game][1]),
    )
    for move in strange:
        assert all(violation.rule in game.RULES and violation.detail for violation in game.violations(state, move))


def test_why_a_touch_breaks_a_rule_does_not_say_the_touch_again(game_and_state):
    game, state = game_and_state
    touch = Touch("b2", "large red", "empty")
    details = [violation.detail for violation in game.violations(state, touch)]
    assert details
    assert not any(str(touch) in detail for detail in details)


def test_a_legal_move_is_among_the_explanations_of_its_own_result(game_and_state):
    game, state = game_and_state
    for move in legal(game, state):
        after = game.play(state, move)
        found = [
            one
            for one in game.explain(state, after.position, Plays(PLAYS))
            if one.after == after or one.line == (move,)
        ]
        assert found or not game.changes(state.position, after.position)


def test_legal_moves_are_counted(game_and_state):
    game, state = game_and_state
    first = legal(game, state)
    second = sum(len(legal(game, game.play(state, move))) for move in first)
    assert (len(first), second) == COUNTS[game]


def test_random_play_ends_or_stays_legal(game_and_state):
    game, state = game_and_state
    chance = random.Random(5)
    for _ in range(200):
        moves = legal(game, state)
        if game.outcome(state) is not None:
            break
        assert moves
        state = game.play(state, chance.choice(moves))
