"""Whole races: one on record, and what holds in every race, however it is driven."""

import random
import runpy
from dataclasses import replace
from pathlib import Path

import pytest

from engine.game import Plays
from engine.games import gran_prix as gp
from engine.games.gran_prix import Adjust, Drive, Roll, Setup, Spin
from engine.games.gran_prix.playing import setting
from engine.games.gran_prix.state import Crashed, Spinning
from engine.table import Colour, Pose, Size

ROOT = Path(__file__).parents[1]
DRIVING = runpy.run_path(str(ROOT / "benchmarks" / "race.py"))


def walled(track):
    return replace(track, walls=((*track.outer, track.outer[0]),))


@pytest.fixture(scope="module")
def driven():
    """The moves of some races between walls, each with the states before and after it."""
    return [step for seed in (1, 2) for step in _race(seed)]


def _race(seed):
    state = DRIVING["begin"](walled(DRIVING["oval"](156.0, 160.0, 85.0)), 5, 1)
    return list(DRIVING["race"](state, random.Random(seed)))


def test_every_move_of_a_driven_race_is_legal_and_written_as_it_is_read(driven):
    for before, move, _ in driven:
        assert gp.violations(before, move) == ()
        assert gp.parse(str(move)) == move


def test_nobody_moves_twice_in_a_phase(driven):
    moved, last = set(), None
    for before, move, _ in driven:
        if isinstance(move, Drive):
            state = setting(before, move)
            phase = (state.round_number, state.stage)
            moved = moved if phase == last else set()
            assert move.car not in moved
            moved, last = moved | {move.car}, phase
            assert state.by_name[move.car].speed >= state.stage


def test_speeds_change_by_the_steps_that_are_allowed(driven):
    for before, move, after in driven:
        for was, now in zip(before.cars, after.cars, strict=True):
            if now.step != was.step and now.step != 0:
                assert isinstance(move, Adjust)
                assert move.car == now.name
                assert abs(now.step - was.step) <= 1
            elif now.step != was.step:
                assert isinstance(move, Adjust) or Spinning(now.name) in after.owed


def test_laps_are_taken_off_only_where_the_line_is_crossed(driven):
    crossings = 0
    for before, move, after in driven:
        for was, now in zip(before.cars, after.cars, strict=True):
            if now.laps != was.laps:
                crossings += 1
                assert isinstance(move, Drive)
                assert (move.car, now.laps) == (now.name, was.laps - 1)
                assert abs(before.track.progress_mm(now.tip)) <= 80
    assert crossings >= 5


def test_a_race_has_one_winner_who_completed_lap_0(driven):
    last = driven[-1][2]
    assert [car.name for car in last.cars if car.laps < 0] == [last.winner]
    assert gp.outcome(last).winners == (last.winner,)
    assert gp.places(last)[0] == last.winner


# On record.

RECORDS = sorted((Path(__file__).parent / "races").glob("*.txt"))


def _begun(said):
    players = tuple(
        gp.Player(name, Colour(colour)) for name, colour in (each.split() for each in said["players"].split(", "))
    )
    names = tuple(player.name for player in players)
    track = walled(DRIVING["oval"](*map(float, said["track"].split())))
    setup = Setup(players, track, names, int(said["laps"]))
    return gp.begun(setup, gp.starting_grid(track, names, Size.SMALL, abreast=3))


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_race(path):
    head, _, moves = path.read_text().partition("\n\n")
    said = dict(each.split(": ", 1) for each in head.splitlines())
    state, met = _begun(said), set()
    for text in moves.splitlines():
        move = gp.parse(text)
        assert (str(move), gp.violations(state, move)) == (text, ())
        after = gp.play(state, move)
        new = [one for one in after.owed if one not in state.owed]
        met |= {"crash" for one in new if isinstance(one, Crashed)}
        met |= {"bump" if one.car != move.car else "spin" for one in new if isinstance(one, Spinning)}
        met |= {"failed"} if isinstance(move, Roll) and move.purpose == "turn" and sum(move.dice) < 7 else set()
        state = after
    assert said["end"] == f"{state.winner}, round {state.round_number}"
    assert met == {"crash", "bump", "spin", "failed"}


def test_a_race_of_three_over_five_laps_is_recorded():
    assert "three_cars" in {path.stem for path in RECORDS}


# As every game.


def legal(state):
    return [move for move in gp.candidates(state) if not gp.violations(state, move)]


@pytest.fixture
def opening(race):
    return race("Red 300 90 0 1-3", "Blue 300 55 0 2-2", "Green 300 20 0 3-1")


def test_legal_moves_are_counted(opening):
    """Frozen: a change here is a change of the rules."""
    first = legal(opening)
    assert (len(first), sum(len(legal(gp.play(opening, move))) for move in first)) == (1, 3)


def test_a_legal_move_is_among_the_explanations_of_its_own_result(opening):
    state = opening
    for _ in range(6):
        for move in legal(state):
            after = gp.play(state, move)
            found = gp.explain(state, after.position, Plays(200))
            fits = any(one.line == (move,) or one.after == after for one in found)
            assert fits or not gp.changes(state.position, after.position)
        state = gp.play(state, next(move for move in legal(state) if isinstance(move, Drive)))


def test_random_play_ends_or_stays_legal(opening):
    state, chance = opening, random.Random(4)
    for _ in range(150):
        moves = legal(state)
        if gp.outcome(state) is not None:
            break
        assert moves
        assert len(set(moves)) == len(moves)
        move = chance.choice(moves)
        if isinstance(move, Spin):
            move = replace(move, pose=Pose(move.pose.x_mm, move.pose.y_mm, float(chance.randrange(360))))
        state = gp.play(state, move)
        assert hash(state) == hash(state)


def test_pole_positions_go_by_rolls_or_by_laps():
    assert gp.pole_by_dice({"Ann": ((3, 4), (1, 1)), "Bob": ((5, 2), (6, 6)), "Cid": ((6, 6),)}) == (
        ("Cid",),
        ("Bob",),
        ("Ann",),
    )
    laps = {"Ann": gp.Qualifying(9, 2, 6), "Bob": gp.Qualifying(9, 2, 7), "Cid": gp.Qualifying(9, 1, 1)}
    assert gp.pole_by_laps(laps) == (("Cid",), ("Bob",), ("Ann",))


def test_thirty_three_cars_start_inside_first_and_clear_of_each_other():
    track = DRIVING["oval"](600.0, 300.0, 200.0)
    state = DRIVING["begin"](track, 33, 5)
    assert len({car.name for car in state.cars}) == 33
    assert all(track.is_on((car.pose.x_mm, car.pose.y_mm)) for car in state.cars)
    first, second, third = state.cars[:3]
    assert track.to_inner_mm(first.tip) < track.to_inner_mm(second.tip) < track.to_inner_mm(third.tip)
