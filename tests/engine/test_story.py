"""A photographed game of nine tables: as it was, and as poor eyes or missing photos might show it."""

import random
from dataclasses import replace

import pytest

from engine.games.martian_mids import Square
from engine.rules import Illegal, Legal, Unclear
from engine.table import Scene

START = "b2: Lr Mg / black; c5: Lg Sr / white; d3: Mb Sb / black; e6: My My Sr / white; f2: Ly / black"
STORY = (
    "b4: Lr Mg / black; c5: Lg Sr / white; d3: Mb Sb / black; e6: My My Sr / white; f2: Ly / black",
    "b4: Lr / black; c5: Lg Sr / white; d3: Mb Sb / black; e6: My My Sr / white; f2: Ly / black",
    "b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; e6: My My Sr / white; f2: Ly / black; d4: Sb > n",
    "b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; e3: My My Sr / white; f2: Ly / black; d4: Sb > n",
    "b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; e3: My My Sr / white; f2: Ly / black; d5: Sb > n",
    "b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; e3: My My Sr / white; f4: Ly / black; d5: Sb > n",
    "b4: Lr / black; c5: Lg Sr / white; d3: Mb / black; e3: My My Sr / white; f3: Ly / black; d5: Sb > n",
    "b4: Lr / black; d6: Lg Sr / white; d3: Mb / black; e3: My My Sr / white; f3: Ly / black",
)
RULINGS = ["legal"] * 5 + ["illegal"] + ["legal"] * 2
FAULT = RULINGS.index("illegal")


@pytest.fixture
def story(match):
    return match(START, ["Black", "White"])


def word(ruling):
    return "none" if ruling is None else type(ruling).__name__.lower()


def test_the_lines_rules_and_turns(story, scene):
    rulings, awaited, rounds = [], [], []
    for table in STORY:
        rulings.append(story.see(scene(table)))
        awaited.append(story.state.awaited)
        rounds.append(story.state.round_number)
    assert [word(ruling) for ruling in rulings] == RULINGS
    lines = ["; ".join(map(str, one.line)) for one in rulings if isinstance(one, Legal | Illegal)]
    assert lines == [
        *("move b2-b4", "attack c5xb4", "shoot d3 b1 d4 n", "move e6-e3"),
        *("fly d4-d5 b1 n", "move f2-f4", "move f2-f3", "move c5-d5"),
    ]
    assert awaited == [("White",), ("Black",), ("White",), (), ("Black",), ("Black",), ("White",), ("Black",)]
    assert rounds == [1, 2, 2, 2, 3, 3, 3, 4]
    assert [violation.rule.id for violation in rulings[FAULT].violations] == ["move-distance"]


def test_an_unclear_ruling_says_how_it_goes_on(story, scene):
    ruling = story.see(scene(START.replace("d3: Mb Sb / black", "d3: Mb Sb / black; h8: Sg / black")))
    assert isinstance(ruling, Unclear)
    assert "I go on from the table as it lies; Black's turn is over" in ruling.reason


@pytest.mark.parametrize("seed", range(5))
def test_places_a_few_millimetres_off_change_nothing(story, scene, seed):
    chance = random.Random(seed)
    assert [word(story.see(_shaken(scene(table), chance))) for table in STORY] == RULINGS


def _shaken(seen, chance):
    poses = [replace(s.pose, x_mm=s.pose.x_mm + chance.uniform(-6, 6), y_mm=s.pose.y_mm - 3) for s in seen.stacks]
    turned = [pose if not pose.is_lying else replace(pose, heading_deg=pose.heading_deg + 18) for pose in poses]
    return Scene.of([replace(s, pose=pose) for s, pose in zip(seen.stacks, turned, strict=True)])


def test_tables_seen_twice_change_nothing(story, scene):
    rulings = [word(story.see(scene(table))) for table in STORY for _ in range(2)]
    assert rulings == [each for ruling in RULINGS for each in (ruling, "none")]


def test_stands_that_are_seen_only_at_the_start_are_remembered(story, scene):
    blind = [table.replace(" / black", "").replace(" / white", "") for table in STORY]
    assert [word(story.see(scene(table))) for table in blind] == RULINGS


@pytest.mark.parametrize(
    ("pieces", "readings"),
    [
        ("My My Sr", [("My My So", 0.6), ("My My Sr", 0.35), ("My Sr", 0.05)]),
        ("My My Sr", [("My Sr", 0.5), ("My My Sr", 0.5)]),
        ("Ly", [("Ly", 0.7), ("Lo", 0.2), ("My", 0.1)]),
        ("Lg Sr", [("Lg Mr", 0.55), ("Lg Sr", 0.45)]),
    ],
)
def test_doubts_that_the_state_settles_change_nothing(story, scene, doubted, pieces, readings):
    seen = []
    for table in STORY:
        (square,) = [part.split(":")[0].strip() for part in table.split(";") if f": {pieces} /" in part]
        seen.append(doubted(scene(table), square, *readings))
    assert [word(story.see(one)) for one in seen] == RULINGS


@pytest.mark.parametrize("photo", range(8))
@pytest.mark.parametrize("hidden", ["c5", "d3", "b4", "f2", "e3"])
def test_a_stack_missing_in_one_photo_accuses_nobody(story, scene, photo, hidden):
    tables = [scene(table) for table in STORY]
    tables[photo] = Scene.of([one for one in tables[photo].stacks if one.zone != hidden])
    assert _accused([story.see(table) for table in tables]) in ([FAULT], [])


@pytest.mark.parametrize("photo", range(8))
@pytest.mark.parametrize("phantom", ["h8: Sg > e", "a8: Mg", "c3: Sb > n", "h1: Sr / black"])
def test_a_stack_that_is_not_there_accuses_nobody(story, scene, photo, phantom):
    tables = [f"{table}; {phantom}" if n == photo else table for n, table in enumerate(STORY)]
    assert _accused([story.see(scene(table)) for table in tables]) in ([FAULT], [])


@pytest.mark.parametrize("missed", [{0}, {1}, {2}, {3}, {4}, {6}, {0, 1}, {1, 2}, {2, 3}, {3, 4}, {2, 3, 4}])
def test_photos_left_out_accuse_nobody(story, scene, missed):
    seen = [n for n in range(8) if n not in missed]
    accused = _accused([story.see(scene(STORY[n])) for n in seen])
    assert [seen[n] for n in accused] in ([FAULT], [])


def _accused(rulings):
    return [n for n, ruling in enumerate(rulings) if isinstance(ruling, Illegal)]


def test_a_mid_nudged_over_a_border_has_not_moved(story, scene):
    (mid,) = (one for one in scene(START).stacks if one.zone == "b2")
    edge = replace(mid, pose=replace(mid.pose, x_mm=mid.pose.x_mm + 14))
    rest = [one for one in scene(START).stacks if one is not mid and one.zone != "b2"]
    assert story.see(Scene.of([*rest, edge])) is None
    over = replace(edge, zone="c2", pose=replace(edge.pose, x_mm=edge.pose.x_mm + 8))
    assert story.see(Scene.of([*rest, over])) is None
    assert story.state.mids_of("Black")[0] == Square.parse("b2")
