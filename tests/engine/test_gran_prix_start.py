"""Before the race: gates that stand on the table, the starting grid, and the umpire's own dice."""

from dataclasses import replace

import pytest

from engine.errors import InvalidSetup
from engine.games import gran_prix as gp
from engine.games.gran_prix.dice import Dice
from engine.games.gran_prix.gates import track_of_gates
from engine.match import Match
from engine.table import Colour, Pose, Pyramid, Scene, Size, Stack

PLAYERS = [{"name": "Ann", "colour": "blue"}, {"name": "Bob", "colour": "green"}, {"name": "Cid", "colour": "black"}]
SHEET = gp.SheetPlace("corner-sw")
GATES = (  # inner, outer: a ring like a bean, its dent at the top
    ((300, 150), (300, 40)),
    ((480, 170), (520, 60)),
    ((540, 260), (650, 260)),
    ((470, 340), (530, 440)),
    ((330, 270), (330, 380)),
    ((200, 350), (140, 450)),
    ((130, 260), (20, 260)),
    ((170, 170), (90, 80)),
)


def post(point, colour, sheet="corner-sw", sizes=(Size.LARGE,)):
    return Stack(sheet, None, Pose(*map(float, point)), tuple(Pyramid(Colour(colour), size) for size in sizes))


def lying(x_mm, y_mm, colour, heading_deg=0.0):
    return Stack("corner-sw", None, Pose(x_mm, y_mm, heading_deg), (Pyramid(Colour(colour), Size.SMALL),))


def gates(*pairs):
    return [stack for a, b in pairs for stack in (post(a, "clear"), post(b, "red"))]


# Gates.


def test_gates_that_are_seen_become_the_track():
    cars = [lying(250.0, 100.0, "blue"), lying(210.0, 110.0, "green")]
    track, odd = track_of_gates(Scene.of([*gates(*GATES), *cars]), (SHEET,))
    assert odd == ()
    assert set(zip(track.inner, track.outer, strict=True)) == set(GATES)
    assert track.finish == GATES[0]
    ring = [GATES.index(gate) for gate in zip(track.inner, track.outer, strict=True)]
    first = ring.index(0)
    assert [*ring[first:], *ring[:first]] == list(range(8))


def test_a_race_the_other_way_round_and_a_numbered_finish():
    track, _ = track_of_gates(Scene.of(gates(*GATES)), (SHEET,), "clockwise", 2)
    order = [GATES.index(gate) for gate in zip(track.inner, track.outer, strict=True)]
    assert order == [7, 6, 5, 4, 3, 2, 1, 0]
    assert track.finish == GATES[6]
    assert track.direction == "clockwise"


def test_pyramids_that_make_no_gate_are_told():
    spare = [post((600, 500), "red"), post((60, 460), "yellow"), post((620, 60), "red", sizes=(Size.LARGE, Size.SMALL))]
    narrow = ((400, 150), (400, 110))
    track, odd = track_of_gates(Scene.of([*gates(*GATES, narrow), *spare]), (SHEET,))
    assert len(track.inner) == 9
    assert odd == (
        "The red pyramid at 600, 500 mm stands alone and is no gate.",
        "The gate at 400, 130 mm is narrower than two large pyramids.",
    )


@pytest.mark.parametrize(
    ("stacks", "words"),
    [
        (gates(*GATES[:2]), "2 clear and 2 red ones are seen, 2 of them in pairs"),
        ([lying(*point, "red") for pair in GATES for point in pair], "0 clear and 0 red"),
        (gates(*GATES[1:], GATES[0][::-1]), "the gate at 300, 95 mm has its clear pyramid outside"),
    ],
    ids=["two gates", "nothing stands", "turned round"],
)
def test_gates_that_make_no_track_are_told(stacks, words):
    with pytest.raises(InvalidSetup, match=words):
        gp.seen_gates({"track": {"gates": "seen"}}, Scene.of(stacks), (SHEET,))


@pytest.mark.parametrize("finish", [0, 9, "one", True])
def test_an_odd_finish_gate_is_told(finish):
    with pytest.raises(InvalidSetup):
        gp.seen_gates({"track": {"gates": "seen", "finish": finish}}, Scene.of(gates(*GATES)), (SHEET,))


def test_gates_are_no_cars_though_they_have_a_car_s_colour():
    scene = Scene.of([*gates(*GATES), lying(250.0, 100.0, "red"), lying(210.0, 110.0, "clear")])
    track, _ = track_of_gates(scene, (SHEET,))
    players = [{"name": "Ann", "colour": "red"}, {"name": "Bob", "colour": "clear"}]
    setup = gp.Setup.from_json({"players": players, "track": {"gates": "seen"}}, track)
    state = gp.start(setup, scene)
    assert [(car.name, car.pose.x_mm) for car in state.cars] == [("Ann", 250.0), ("Bob", 210.0)]
    assert Match(gp, state).see(scene) is None


# The starting grid.


def started(race, *cars, **changed):
    return gp.start_warnings(race(*cars, **changed))


def test_cars_in_their_order_behind_the_line_are_a_proper_start(race):
    assert started(race, "Red 499 120 0 stopped", "Blue 499 30 0 stopped", "Green 460 120 0 stopped") == ()
    assert started(race, "Red 499 120 0 2-2", "Blue 460 30 0 2-2") == ()


def test_what_is_no_proper_start_is_told(race):
    assert started(race, "Red 450 120 0 stopped", "Blue 499 30 0 stopped") == (
        "Blue's car stands ahead of Red's, which starts before it.",
    )
    assert started(race, "Red 520 120 0 stopped", "Blue 450 30 0 stopped") == ("Red's car is over the starting line.",)
    assert started(race, "Red 300 120 0 stopped", "Blue 200 300 0 stopped") == ("Blue's car starts off the track.",)


def test_of_a_race_that_goes_on_the_order_is_not_told(race):
    assert started(race, "Red 450 120 0 1-2", "Blue 520 30 0 3-1") == ()


def test_in_a_standing_start_cars_wait_beside_the_track(race):
    state = race("Red 499 120 0 stopped", "Blue 300 300 0 stopped")
    waiting = replace(state, cars=tuple(replace(car, has_started=False, is_off=True) for car in state.cars))
    assert gp.start_warnings(waiting) == ("Red's car is on the track, but in a standing start cars wait beside it.",)


# The umpire's dice.

ROLLING = {"players": PLAYERS, "dice": "umpire", "seed": "friday"}


@pytest.fixture
def rolling(race):
    state = race("Red 300 90 0 3-3", "Blue 200 55 0 3-3")
    return replace(state, dice=Dice.of("friday"))


def test_the_umpire_rolls_when_it_is_asked_to_and_logs_it(rolling):
    state = gp.play(gp.play(rolling, gp.parse("move Red")), gp.parse("move Blue"))
    state = gp.play(state, gp.parse("move Red"))
    told = gp.declare(state, {"roll": "umpire", "for": "turn", "player": "Red"})
    rolled = gp.Roll("Red", gp.throw("friday", 1), "turn")
    assert (told.said, told.dice.thrown) == ((rolled,), (rolled,))
    again = gp.play(told, rolled)
    later = gp.declare(again, {"roll": "umpire", "for": "turn", "player": "Blue"})
    assert [roll.dice for roll in later.dice.thrown] == [gp.throw("friday", 1), gp.throw("friday", 2)]


def test_a_roll_that_is_not_used_yet_is_not_rolled_again(rolling):
    told = gp.declare(rolling, {"roll": "umpire", "for": "turn", "player": "Red"})
    with pytest.raises(InvalidSetup, match="no second roll of Red for turn before the first is used"):
        gp.declare(told, {"roll": "umpire", "for": "turn", "player": "Red"})


def test_where_nobody_asked_it_to_the_umpire_does_not_roll(race):
    with pytest.raises(InvalidSetup, match='"dice": "umpire" and a "seed" in the set-up'):
        gp.declare(race("Red 300 90 0 3-3", "Blue 200 55 0 3-3"), {"roll": "umpire", "for": "turn", "player": "Red"})


def test_the_seed_is_hidden_until_somebody_has_won_and_then_proves_the_log(rolling):
    shown = gp.visible_to(rolling, None).dice
    assert (shown.seed, shown.commitment) == (None, gp.commitment("friday"))
    assert gp.visible_to(gp.visible_to(rolling, "Red"), None).dice == shown
    won = replace(gp.declare(rolling, {"roll": "umpire", "for": "turn", "player": "Red"}), winner="Red")
    dice = gp.visible_to(won, None).dice
    thrown = [roll.dice for roll in dice.thrown]
    assert gp.unfair(shown.commitment, dice.seed, thrown) is None
    assert "not the one" in gp.unfair(gp.commitment("monday"), dice.seed, thrown)
    assert "Throw 1 was 6 and 6" in gp.unfair(shown.commitment, dice.seed, [(6, 6)])
    assert shown.seed is None


def test_the_pole_position_is_rolled_for_and_ties_again():
    drivers = {"players": [{"name": f"Car {n}", "colour": "red"} for n in range(33)], "pole": "umpire"}
    setup = gp.Setup.from_json(
        ROLLING | drivers, gp.Track(((0, 0), (9, 0), (9, 9)), ((4, 1), (6, 1), (6, 3)), ((5, 0), (5, 1)))
    )
    assert sorted(setup.pylon) == sorted(player.name for player in setup.players)
    rolls = {}
    for roll in setup.dice.thrown:
        rolls.setdefault(roll.car, []).append(sum(roll.dice))
    assert sorted(setup.pylon, key=lambda name: rolls[name], reverse=True) == list(setup.pylon)
    assert len({tuple(rolled) for rolled in rolls.values()}) == 33
    assert all(gp.parse(str(roll)) == roll for roll in setup.dice.thrown)
    assert setup.dice.commitment == gp.commitment("friday")


@pytest.mark.parametrize(
    ("odd", "words"),
    [
        ({"dice": "mine"}, "dice: expected"),
        ({"seed": ""}, "seed: expected"),
        ({"seed": 1.5}, "seed: expected"),
        ({"seed": "x" * 300}, "seed: expected"),
        ({"dice": "table", "pole": "umpire"}, "pole: expected"),
    ],
)
def test_odd_dice_are_told_without_the_seed(race, odd, words):
    track = race("Red 300 90 0 3-3", "Blue 200 55 0 3-3").track
    with pytest.raises(InvalidSetup, match=words) as told:
        gp.Setup.from_json(ROLLING | odd, track)
    assert "friday" not in str(told.value)
    assert "xxx" not in str(told.value)
