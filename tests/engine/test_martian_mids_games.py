"""Martian Mids by the thousand moves: counts of legal moves, random games, and what is said about them."""

import random
from collections import Counter
from itertools import pairwise

import pytest

from engine.games import martian_mids as mids
from engine.rules import Illegal, Legal
from engine.table import Scene

OPENING = (
    "b2: Lr Mg / black; d3: Mb Sb / black; f2: Ly / black; h1: Lg Lg Sg / black;"
    "c5: Lg Sr / white; e6: My My Sr / white; g4: Lb / white; a8: Sr Sr / white"
)
CLOSE = "c3: Lr Mr / black; d4: Lg Mg / white; e5: Mb Mb / black; c4: Ly Sy / white"
MISSILES = "b2: Mb Sb / black; g7: Mr Sr / white; c2: Mb / black > n; c3: Sg / white > e; f7: Lr / white > e"
LOST = "a1: Sr / black; b2: Lb Lb / white; a8: Lg Mg / black; b8: Sr / white"
STORY = "b2: Lr Mg / black; c5: Lg Sr / white; d3: Mb Sb / black; e6: My My Sr / white; f2: Ly / black"


def legal(state):
    return [move for move in mids.candidates(state) if not mids.violations(state, move)]


def count(state, depth):
    moves = legal(state)
    return len(moves) if depth == 1 else sum(count(mids.play(state, move), depth - 1) for move in moves)


@pytest.mark.parametrize(
    ("table", "counts"),
    [
        (OPENING, (260, 68845)),
        (CLOSE, (157, 22975)),
        (MISSILES, (73, 5270, 11039)),
        (LOST, (56, 6288)),
        (STORY, (227, 37400)),
        ("a1: Sr / black; b1: Sr / black; h8: Sg / white", (72, 1512, 2331)),
        ("a1: Lg / black; a2: Sr Sr Sr / white; h8: Sb / black", (54, 2285, 10865)),
        ("a1: Sy / black; a2: Sb Sr / white; h1: Sr / black", (54, 2853, 34644)),
        ("a2: Lb / black; a1: Sr / white; h8: Sg / black", (72, 1863, 4169)),
        ("a1: Sr / black; h8: Sg / white; a2: Mb / black > e; c2: Sr / white > n; h1: Sr / black", (54, 1458, 546)),
    ],
    ids=["opening", "close", "missiles", "lost", "story", "alone", "cleave", "control", "edge", "flights"],
)
def test_legal_moves_are_counted(match, table, counts):
    """Frozen: a change here is a change of the rules."""
    state = match(table, ["Black", "White"]).state
    assert tuple(count(state, depth + 1) for depth in range(len(counts))) == counts


def pieces(state):
    standing = Counter(pyramid for _, mid in state.position.mids for pyramid in mid.pyramids)
    return standing + Counter(missile.pyramid for _, missile in state.position.missiles)


def random_game(state, chance, most=120):
    """The states of a random legal game, and the moves between them."""
    for _ in range(most):
        moves = legal(state)
        if not moves:
            return
        move = chance.choice(moves)
        before, state = state, mids.play(state, move)
        yield before, move, state


def stale_beads(state):
    """How many beads of earlier rounds lie on the board, by player."""
    beads = [mid.beads for _, mid in state.position.mids if mid.beads and not mid.beads.are_fresh]
    return Counter(
        {player: sum(each.count for each in beads if each.player == player) for player in ("Black", "White")}
    )


def check_beads(before, move, after):
    """Beads say who controls; none of an earlier round is ever added, and who acted has fewer on every stand."""
    for _, mid in after.position.mids:
        assert after.controller_of(mid) == (mid.beads.player if mid.beads else after.owner_of(mid))
        assert mid.beads is None or (mid.beads.count in (1, 2, 3) and mid.beads.player in ("Black", "White"))
    if isinstance(move, mids.Move | mids.Shoot | mids.Attack):
        actor = before.controller_of(before.position.mid_at(move.origin))
        assert actor in before.awaited
        if after.round_number == before.round_number:
            assert stale_beads(after) <= stale_beads(before)
            if actor in after.acted and stale_beads(before)[actor]:
                assert stale_beads(after)[actor] < stale_beads(before)[actor]


@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("table", [OPENING, CLOSE], ids=["opening", "close"])
def test_random_games_keep_the_board_in_order(match, table, seed):
    check_game(match(table).state, random.Random(seed), 120)


@pytest.mark.parametrize("few", range(10))
def test_a_thousand_short_games_keep_the_board_in_order(match, few):
    """Armies of two or three Mids close together: hits, chains and endings come often."""
    chance = random.Random(few)
    for _ in range(100):
        squares = chance.sample(["c3", "c4", "d3", "d4", "d5", "e4", "e5"], 5)
        mids_of = [f"{square}: {_army(chance)} / {stand}" for square, stand in zip(squares, COLOURS, strict=True)]
        check_game(match("; ".join(mids_of)).state, chance, 12)


COLOURS = ("black", "white", "black", "white", "black")


def _army(chance):
    sizes = sorted(chance.choices("SML", k=chance.randint(1, 3)), key="LMS".index)
    return " ".join(size + chance.choice("rgby") for size in sizes)


def check_game(state, chance, most):
    for before, move, after in random_game(state, chance, most):
        check_beads(before, move, after)
        assert mids.parse(str(move)) == move
        assert pieces(after) <= pieces(before)
        if isinstance(move, mids.Move | mids.Split) and not before.position.missiles:
            assert pieces(after) == pieces(before)
        assert len({square for square, _ in after.position.mids}) == len(after.position.mids)
        for _, mid in after.position.mids:
            assert all(lower.size >= upper.size for lower, upper in pairwise(mid.pyramids))
        standing = {square for square, _ in after.position.mids}
        waiting = {place for owed in after.owed if hasattr(owed, "pairs") for place, _ in owed.pairs}
        landed = {square for owed in after.owed if hasattr(owed, "landed") for square in owed.landed}
        assert {square for square, _ in after.position.missiles} & standing <= waiting | landed
        assert legal(after) or mids.outcome(after) is not None


@pytest.mark.parametrize("seed", range(12))
def test_nobody_is_accused_in_a_legal_game_that_is_seen(match, scene, seed):
    game = match(CLOSE if seed % 2 else OPENING)
    chance = random.Random(seed)
    for _, _, after in random_game(game.state, chance, 25):
        ruling = game.see(_scene_of(after, scene))
        assert not isinstance(ruling, Illegal)


@pytest.mark.parametrize("seed", range(6))
def test_nobody_is_accused_where_one_reading_is_in_doubt(match, scene, doubted, seed):
    """In every photo one Mid may as well be another colour on top, or a pyramid lower or higher."""
    game = match(CLOSE if seed % 2 else OPENING)
    chance = random.Random(seed)
    for _, _, after in random_game(game.state, chance, 15):
        seen = _scene_of(after, scene)
        if after.position.mids:
            square, mid = chance.choice(after.position.mids)
            true, sure = _words(mid.pyramids), chance.choice((0.4, 0.5, 0.7))
            wrong = chance.choice([*([true[:-3]] if len(mid.pyramids) > 1 else []), f"{true} Sr", f"{true[:-1]}y"])
            seen = doubted(seen, str(square), *sorted([(true, sure), (wrong, 1 - sure)], key=lambda one: -one[1]))
        assert not isinstance(game.see(seen), Illegal)


@pytest.mark.parametrize("seed", range(6))
def test_a_legal_game_that_is_seen_and_said_is_known_to_be_legal(match, scene, seed):
    game = match(OPENING, ["Black", "White"])
    played = list(random_game(game.state, random.Random(seed), 15))
    for _, move, after in played:
        game.declare({"action": str(move)})
        ruling = game.see(_scene_of(after, scene))
        if not after.owed:  # else what the hit leaves to be chosen is said before anything is ruled on
            assert isinstance(ruling, Legal), str(move)
            assert after in game.states, str(move)
    assert len(played) == 15 or mids.outcome(played[-1][-1]) is not None


def _scene_of(state, scene):
    words = [f"{square}: {_words(mid.pyramids)} / {mid.stand}" for square, mid in state.position.mids]
    words += [f"{square}: {_words((one.pyramid,))} > {one.direction}" for square, one in state.position.missiles]
    return scene("; ".join(words)) if words else Scene(())


def _words(pyramids):
    return " ".join(str(one.size)[0].upper() + str(one.colour)[0] for one in pyramids)
