"""Missile Command from photos: what happened between two tables, what is asked, and who is accused."""

from dataclasses import replace

import pytest

from engine.games import missile_command as mc
from engine.match import Match
from engine.rules import Illegal, Legal, Unclear
from engine.table import Colour, Pose, Pyramid, Reading, Scene, Size, Stack

ANN = (
    "white green black | black blue clear | clear white purple | purple black green | "
    "cyan cyan white | orange blue black | green clear orange | blue white purple"
)
BOB = (
    "black white blue | green black purple | blue clear white | white orange green | "
    "purple blue black | cyan cyan black | clear green white | orange purple clear"
)
# What was done, the ruling, and how the line reads.
STORY = (
    ("launch white 1/1 at 2/2", Legal, "launch white 1/1 at 2/2; allow 2"),
    ("launch blue 2/3 at 1/2; take 1/3", Legal, "launch blue 2/3 at 1/2; allow 1; take 1/3"),
    ("scramble 1/5", Legal, "scramble 1/5"),
    ("launch clear 2/7 at 1/8", Legal, "launch clear 2/7 at 1/?; allow 1"),
    ("launch purple 1/4 at 2/2", Legal, "launch purple 1/4 at 2/2"),
    ("launch black 2/1 at 1/4; intercept 1/6", Legal, "launch black 2/1 at 1/6"),
)


def played(state, text):
    """The state after what was done; who is not said to intercept lets the missile through."""
    for move in map(mc.parse, text.split("; ")):
        if mc.violations(state, move):
            state = mc.play(state, mc.answers(state)[0])
        assert mc.violations(state, move) == ()
        state = mc.play(state, move)
    return mc.play(state, mc.answers(state)[0]) if state.blocking else state


def words(ruling):
    return "; ".join(map(str, ruling.line))


@pytest.fixture
def tables(missile_command, silos_scene):
    """The scenes of the story, the start first."""
    state, found = missile_command(ANN, BOB), []
    for text, _, _ in STORY:
        found.append(silos_scene(state.position))
        state = played(state, text)
    return [*found, silos_scene(state.position)]


@pytest.mark.parametrize("declared", [True, False])
def test_a_story_is_recognised_with_batteries_sealed_or_unknown(tables, missile_command, declared):
    state = missile_command(ANN, BOB)
    if not declared:
        setup = mc.Setup.from_json({"players": [{"name": "Ann"}, {"name": "Bob"}]})
        state = mc.start(setup, tables[0])
    match = Match(mc, state)
    for table, (_, ruling, line) in zip(tables[1:], STORY, strict=True):
        said = match.see(table)
        assert isinstance(said, ruling)
        told = [str(move) for move in said.line if not isinstance(move, mc.Reveal)]
        assert "; ".join(told) == line
        assert declared or len(told) < len(said.line)
        assert match.see(table) is None


def test_two_targets_that_leave_the_same_table_are_both_told(tables, missile_command):
    match = Match(mc, missile_command(ANN, BOB))
    match.see(tables[1])
    ruling = match.see(tables[2])
    told = (words(ruling), ruling.questions[0])
    for line in ("launch blue 2/3 at 1/3; allow 1; take 1/2", "launch blue 2/3 at 1/2; allow 1; take 1/3"):
        assert any(line in text for text in told)
    assert len(match.states) == 1


def test_an_intercepted_launch_looks_like_one_at_the_abm(tables, missile_command):
    match = Match(mc, missile_command(ANN, BOB))
    ruling = [match.see(table) for table in tables[1:]][-1]
    assert "It may also have been: launch black 2/1 at 1/?; intercept 1/6. Which was it?" in ruling.questions
    assert len(match.states) == 1


def test_of_two_exposed_executives_it_is_asked_which_was_hit(missile_command, silos_scene):
    start = missile_command("black", "white", "white", left={"2/7": 0, "3/7": 0})
    match = Match(mc, start)
    ruling = match.see(silos_scene(mc.play(start, mc.parse("launch black 1/1 at 3/7")).position))
    assert words(ruling) == "launch black 1/1 at 2/7"
    assert ruling.questions == ("Or was it: launch black 1/1 at 3/7?",)
    assert [one.battery(3).vice_president.fate for one in match.states] == [mc.Fate.EXPOSED, mc.Fate.DESTROYED]


def test_the_drones_target_is_asked_for_and_may_be_told(tables, missile_command):
    match = Match(mc, missile_command(ANN, BOB))
    rulings = [match.see(table) for table in tables[1:5]]
    assert "Which of Ann's silos was the drone aimed at" in rulings[3].questions[0]
    match.declare({"action": "aim 1/8"})
    assert [move for move in mc.candidates(match.state) if isinstance(move, mc.Report)]
    match.declare({"action": "report 1 3"})
    assert match.state.owed == ()


def test_what_was_said_is_what_happened(tables, missile_command):
    match = Match(mc, missile_command(ANN, BOB))
    match.see(tables[1])
    for text in ("launch blue 2/3 at 1/2", "allow 1", "take 1/3"):
        match.declare({"action": text})
    ruling = match.see(tables[2])
    assert words(ruling) == "launch blue 2/3 at 1/2; allow 1; take 1/3"
    assert (ruling.questions, match.state.said) == ((), ())


def test_a_probe_and_its_report_may_be_said_at_once(tables, missile_command):
    match = Match(mc, missile_command(ANN, BOB))
    for table in tables[1:4]:
        match.see(table)
    for text in ("launch clear 2/7 at 1/8", "report 1 3"):
        match.declare({"action": text})
    ruling = match.see(tables[4])
    assert words(ruling) == "launch clear 2/7 at 1/8; allow 1; report 1 3"
    assert (ruling.questions, match.state.said) == ((), ())


# Faults.


def less(position, *places):
    """The position with the tops of silos taken off: what is under them shows."""
    return replace_tops(position, {mc.Place.parse(place): piece for place, piece in places})


def replace_tops(position, tops):
    sides = []
    for number, side in position.sides:
        shown = [tops.get(mc.Place(number, n), top) for n, top in enumerate(side.tops, 1)]
        sides.append((number, replace(side, tops=tuple(shown))))
    return mc.Position(tuple(sides))


def piece(text):
    return Pyramid.parse(text)


def seen_after(missile_command, silos_scene, *changes, before="launch white 1/1 at 2/2"):
    """The ruling where, beside what was done, the tops of silos changed."""
    start = missile_command(ANN, BOB)
    match = Match(mc, start)
    position = played(start, before).position if before else start.position
    return match.see(silos_scene(less(position, *changes))), match


def test_a_missile_taken_beside_a_launch_is_a_fault_until_it_is_put_back(missile_command, silos_scene):
    ruling, match = seen_after(missile_command, silos_scene, ("2/5", piece("medium blue")))
    assert isinstance(ruling, Illegal)
    assert words(ruling) == "launch white 1/1 at 2/2; allow 2; touch 2/5 large purple -> medium blue"
    assert [one.rule.id for one in ruling.violations] == ["hands-off"]
    assert [one.detail for one in ruling.violations] == ["no launch does that"]
    ruling = match.see(silos_scene(played(missile_command(ANN, BOB), "launch white 1/1 at 2/2").position))
    assert isinstance(ruling, Legal)


@pytest.mark.parametrize(
    ("move", "rule"),
    [
        ("launch black 2/1 at 1/1", "turn-order"),
        ("launch white 1/1 at 1/3", "not-your-own"),
        ("launch orange 1/6 at 2/1", "abm-never-attacks"),
        ("launch cyan 1/5 at 2/1", "scramble-not-launch"),
        ("discard 1/6", "discard-an-abm"),
    ],
)
def test_a_launch_against_the_rules(missile_command, silos_scene, move, rule):
    start = missile_command(ANN, BOB)
    done = mc.play(start, mc.parse(move))
    done = mc.play(done, mc.answers(done)[0]) if done.blocking else done
    ruling = Match(mc, start).see(silos_scene(done.position))
    assert isinstance(ruling, Illegal)
    assert [one.rule.id for one in ruling.violations] == [rule]
    assert str(ruling.line[0]) == move


def test_a_slbm_that_was_taken_where_it_is_only_damaged(missile_command, silos_scene):
    changed = [("1/1", piece("medium green")), ("2/2", piece("medium black"))]
    ruling, _ = seen_after(missile_command, silos_scene, *changed, before="")
    assert isinstance(ruling, Illegal)
    assert words(ruling).endswith("touch 2/2 damaged large green -> medium black")
    assert any("launch green 2/2 at 1/1" in question for question in ruling.questions)


def test_a_missile_that_was_only_damaged_where_it_is_destroyed(missile_command, silos_scene):
    start = missile_command(ANN, BOB)
    position = replace_tops(start.position, {mc.Place(1, 2): piece("medium blue")})
    (one, ann), (two, bob) = position.sides
    position = mc.Position(((one, ann), (two, replace(bob, markers=((5, piece("large black")),)))))
    ruling = Match(mc, start).see(silos_scene(position))
    assert isinstance(ruling, Illegal)
    assert words(ruling).startswith("launch black 1/2 at 2/5")


def test_a_swapped_piece_is_caught_where_nothing_makes_it_look_so(missile_command, silos_scene):
    ruling, _ = seen_after(missile_command, silos_scene, ("1/1", piece("medium white")))
    assert isinstance(ruling, Illegal)
    assert [one.rule.id for one in ruling.violations] == ["as-sealed"]
    assert "green" not in ruling.violations[0].detail
    ruling, _ = seen_after(missile_command, silos_scene, ("1/1", piece("medium cyan")))
    assert isinstance(ruling, Legal)
    assert ruling.questions == ("What shows in silo 1/1 does not look as it was sealed. Is it?",)


# Thin evidence.


def test_pieces_that_are_missed_or_misread_accuse_nobody(tables, missile_command):
    for place in ("silo-2", "silo-5", "silo-8", "air-wing", "front-2"):
        match = Match(mc, missile_command(ANN, BOB))
        for table in tables[1:]:
            seen = Scene.of([one for one in table.stacks if (one.sheet, one.zone) != ("silos-2", place)])
            assert not isinstance(match.see(seen), Illegal)


def test_a_colour_that_changes_in_place_is_our_eye(tables, missile_command):
    match = Match(mc, missile_command(ANN, BOB))
    ruling = match.see(Scene.of([_reddened(one) for one in tables[0].stacks]))
    assert isinstance(ruling, Unclear)
    assert "I may misread it" in ruling.reason


def _reddened(one):
    if (one.sheet, one.zone) != ("silos-1", "silo-7"):
        return one
    return replace(one, pyramids=(Pyramid(Colour.CYAN, Size.LARGE),))


def test_doubt_about_a_top_that_has_not_changed_is_settled_by_the_state(tables, missile_command):
    match = Match(mc, missile_command(ANN, BOB))
    for table in tables[1:]:
        stacks = [_doubted(one) if one.zone == "silo-7" else one for one in table.stacks]
        assert isinstance(match.see(Scene.of(stacks)), Legal)


def _doubted(one):
    other = Pyramid(Colour.ORANGE, one.pyramids[0].size)
    return replace(one, readings=(Reading((other,), None, None, 0.6), Reading(one.pyramids, None, None, 0.4)))


def test_a_piece_that_nobody_launched_is_no_marker_of_anybody(tables, missile_command):
    match = Match(mc, missile_command(ANN, BOB))
    stray = Stack("silos-2", "front-6", Pose(180.0, 125.0, 270.0), (piece("small red"),))
    assert not isinstance(match.see(Scene.of([*tables[1].stacks, stray])), Illegal)


def test_a_table_caught_between_a_mirv_and_its_extra_attack_waits(missile_command, silos_scene):
    start = missile_command("blue", "black")
    match = Match(mc, start)
    position = replace_tops(
        start.position, {mc.Place(1, 1): piece("medium blue"), mc.Place(2, 3): piece("medium black")}
    )
    assert match.see(silos_scene(position)) is None
    ended = replace_tops(position, {mc.Place(2, 4): piece("medium black")})
    assert isinstance(match.see(silos_scene(ended)), Legal)


def test_an_empty_silo_of_an_unknown_battery_asks_its_owner(missile_command, silos_scene):
    unknown = "white ? ? | white ? ? | black ? ? | black ? ? | blue ? ? | blue ? ? | green ? ? | green ? ?"
    bob = unknown.replace("white ? ? | white ? ?", "white blue black | white ? ?")
    start = missile_command("purple", bob, executives={2: None}, left={"2/1": 1})
    match = Match(mc, start)
    shot = replace_tops(start.position, {mc.Place(1, 1): piece("medium purple"), mc.Place(2, 1): None})
    ruling = match.see(silos_scene(shot))
    assert isinstance(ruling, Legal)
    assert ruling.questions == ("Does an executive stand exposed in silo 2/1, which is empty now?",)
    match.play(mc.parse("expose 2/1 vice-president"))
    assert match.state.battery(2).shield == mc.Shield(1, 1)
    assert match.state.turn == 2


def test_two_units_scrambled_at_once_are_a_fault_and_a_stray_piece_is_not(missile_command, silos_scene):
    start = missile_command("cyan", "white")
    both = mc.play(mc.play(start, mc.parse("scramble 1/1")), mc.parse("launch white 2/1 at 1/8"))
    scrambled = replace_tops(mc.play(start, mc.parse("scramble 1/1")).position, {mc.Place(1, 2): piece("medium cyan")})
    (one, ann), bob = scrambled.sides
    twice = mc.Position(((one, replace(ann, air_wing=(Size.LARGE, Size.LARGE))), bob))
    assert isinstance(Match(mc, start).see(silos_scene(twice)), Illegal)
    (one, ann), bob = both.position.sides
    stray = mc.Position(((one, replace(ann, air_wing=(Size.LARGE, Size.LARGE))), bob))
    assert not isinstance(Match(mc, start).see(silos_scene(stray)), Illegal)


@pytest.mark.parametrize("heading_deg", [225.0, 266.0, 300.0])
def test_a_marker_points_at_the_silo_that_it_is_laid_for(heading_deg, missile_command):
    stack = Stack("silos-2", "front-3", Pose(84.0, 105.0, heading_deg), (piece("large black"),))
    side = mc.read(Scene.of([stack])).side(2)
    assert side.damaged == {round((84.0 - 20 + 25 * {225.0: -1, 266.0: 0, 300.0: 0.577}[heading_deg]) / 32) + 1}


def test_an_upright_cyan_piece_beside_the_silos_is_in_the_air():
    zones = ("front-3", "air-wing", None)
    stacks = [Stack("silos-2", zone, Pose(84.0, 130.0), (piece("small cyan"),)) for zone in zones]
    assert mc.read(Scene.of(stacks)).side(2).air_wing == (Size.SMALL, Size.SMALL)


def test_changes_name_the_place(missile_command):
    before = missile_command(ANN, BOB)
    now = played(before, "launch white 1/1 at 2/2")
    assert [str(one) for one in mc.changes(before.position, now.position)] == [
        "touch 1/1 large white -> medium green",
        "touch 2/2 large green -> damaged large green",
    ]


def test_three_launches_between_two_photos_accuse_nobody(missile_command, silos_scene):
    """Pieces gone from several batteries beside a launch may have been launched too, in turns that no photo shows."""
    start = missile_command(*["black white blue"] * 5, launch_detect=True)
    state = start
    for text in ("launch black 1/2 at 2/?", "launch black 2/4 at 5/?", "launch black 3/8 at 1/?"):
        state = played(state, text)
    assert isinstance(Match(mc, start).see(silos_scene(state.position)), Unclear)
    touched = replace_tops(played(start, "launch black 1/2 at 2/?").position, {mc.Place(2, 4): piece("small blue")})
    assert not isinstance(Match(mc, start).see(silos_scene(touched)), Legal)


@pytest.mark.parametrize(("silo", "accused"), [(5, True), (7, True), (3, False)])
def test_a_marker_carried_to_another_silo_beside_a_launch_is_a_fault(missile_command, silos_scene, silo, accused):
    """Before the next silo it may only have been nudged."""
    start = played(missile_command(ANN, BOB), "launch white 1/1 at 2/2")
    match = Match(mc, start)
    after = played(start, "launch purple 2/5 at 1/4").position
    sides = dict(after.sides)
    (marker,) = (piece for _, piece in sides[2].markers)
    sides[2] = replace(sides[2], markers=((silo, marker),))
    ruling = match.see(silos_scene(replace(after, sides=tuple(sorted(sides.items())))))
    assert isinstance(ruling, Illegal) is accused
    if isinstance(ruling, Illegal):
        assert {one.rule.id for one in ruling.violations} == {"hands-off"}
    assert isinstance(match.see(silos_scene(after)), Legal)
