"""Missile Command: every rule broken once, and what set-ups and notation refuse."""

import pytest

from engine.errors import InvalidNotation, InvalidSetup
from engine.games import missile_command as mc
from engine.table import Scene

ANN = "black | white | blue | green | clear | red | orange | cyan"
BOB = "white | yellow | black | green | clear | orange | blue | purple"
FOUR = (ANN, BOB, "white", "white")
TWO_ABMS = ("black", "orange | orange | white | white | white | white | white | white", "white")
UNKNOWN = "white ? ? | white ? ? | white ? ? | white ? ? | ? | black ? ? | black ? ? | black ? ?"


def ids(violations):
    return [violation.rule.id for violation in violations]


def after(state, line):
    """The state after a legal line."""
    for text in filter(None, line.split("; ")):
        assert mc.violations(state, mc.parse(text)) == (), text
        state = mc.play(state, mc.parse(text))
    return state


BROKEN = [
    ("", "launch white 2/1 at 1/1", "turn-order"),
    ("", "launch black 1/1 at 1/2", "not-your-own"),
    ("", "launch white 1/1 at 2/1", "launch-the-top"),
    ("", "launch cyan 1/8 at 2/1", "scramble-not-launch"),
    ("", "scramble 1/1", "scramble-a-sac"),
    ("", "launch orange 1/7 at 2/1", "abm-never-attacks"),
    ("", "discard 1/7", "discard-an-abm"),
    ("", "discard 1/1", "discard-an-abm"),
    ("", "pass 1", "must-launch"),
    ("", "launch black 1/1 at 9/1", "in-the-game"),
    ("launch black 1/1 at 2/3", "launch white 2/1 at 1/1", "settle-first"),
    ("launch black 1/1 at 2/3", "intercept 2/1", "intercept-with-abm"),
    ("", "intercept 2/6", "nothing-to-intercept"),
    ("", "allow 2", "nothing-to-intercept"),
    ("", "deflect 2 to 3", "deflect-owed"),
    ("launch black 1/1 at 2/2; allow 2", "deflect 2 to 2", "deflect-to-another"),
    ("launch black 1/1 at 2/2; allow 2", "deflect 2 to 1", "not-straight-back"),
    ("", "take 2/1", "take-owed"),
    ("launch blue 1/3 at 2/3; allow 2", "take 2/7", "take-beside"),
    ("launch blue 1/3 at 2/3; allow 2", "take 3/1", "take-your-own"),
    ("", "sortie 1 small 2/1", "sortie-units"),
    ("", "sortie 1 large 2/1, large 3/1", "sortie-one-player"),
    ("", "sortie 1 large 2/1, large 2/1", "sortie-once-each"),
    ("sortie 1 large 2/1", "sortie 1 large 2/3", "sortie-first"),
    ("", "oppose 2 large 2/1", "oppose-units"),
    ("", "report 2 3", "report-owed"),
    ("launch clear 1/5 at 2/1; allow 2", "report 3 none", "report-owed"),
    ("launch clear 1/5 at 2/1; allow 2", "report 2 1", "report-truly"),
    ("launch clear 1/5 at 2/1; allow 2", "aim 2/2", "report-owed"),
    ("", "reveal 2/1 red", "as-sealed"),
    ("", "expose 2/1 president", "expose-truly"),
    ("", "strike 1 at 2/1", "strike-due"),
    ("", "pick 1 large black", "pick-in-turn"),
    ("", "touch 2/1 large white -> empty", "hands-off"),
]


@pytest.mark.parametrize(("line", "move", "rules"), BROKEN)
def test_a_rule_is_broken(missile_command, line, move, rules):
    state = after(missile_command(*FOUR, air_wing={1: ["large", "large"]}), line)
    broken = mc.violations(state, mc.parse(move))
    assert ids(broken) == rules.split()
    assert all(one.rule in mc.RULES and one.detail for one in broken)


def test_a_target_is_something_exposed(missile_command):
    state = missile_command(*FOUR, left={"2/3": 0})
    assert ids(mc.violations(state, mc.parse("launch black 1/1 at 2/3"))) == ["target-exposed"]


@pytest.mark.parametrize("move", ["launch black 1/1 at 2/8", "launch clear 1/5 at 2/1", "sortie 1 large 2/1"])
def test_nobody_aims_at_a_player_whose_defence_system_is_up(missile_command, move):
    state = missile_command(*FOUR, left={"2/8": 0}, shielded=[2], air_wing={1: ["large"]})
    assert ids(mc.violations(state, mc.parse(move))) == ["star-wars"]


def test_nobody_deflects_to_a_player_whose_defence_system_is_up(missile_command):
    state = after(missile_command(*FOUR, "white", shielded=[3]), "launch black 1/1 at 2/2; allow 2")
    assert ids(mc.violations(state, mc.parse("deflect 2 to 3"))) == ["star-wars"]


def test_an_abm_does_not_save_itself(missile_command):
    state = after(missile_command(*TWO_ABMS), "launch black 1/1 at 2/1")
    assert ids(mc.violations(state, mc.parse("intercept 2/1"))) == ["intercept-for-another"]
    assert ids(mc.violations(state, mc.parse("intercept 2/2"))) == []


def test_a_unit_in_the_air_meets_one_other(missile_command):
    state = missile_command(*FOUR, air_wing={1: ["large"], 2: ["large", "small"]})
    state = after(state, "sortie 1 large 2/1")
    assert ids(mc.violations(state, mc.parse("oppose 2 medium 2/1"))) == ["oppose-units"]
    assert ids(mc.violations(state, mc.parse("oppose 2 large 2/1, small 2/1"))) == ["oppose-units"]
    assert ids(mc.violations(state, mc.parse("oppose 2 small 2/1"))) == []


def test_nothing_is_launched_when_the_game_is_over(missile_command):
    state = missile_command("black", "white", left={"1/8": 0, "2/8": 0})
    assert ids(mc.violations(state, mc.parse("launch black 1/1 at 2/1"))) == ["game-is-over"]
    assert mc.candidates(state) == ()


def test_a_fifth_of_a_kind_comes_to_light(missile_command):
    state = missile_command("black", UNKNOWN, executives={2: None})
    assert ids(mc.violations(state, mc.parse("reveal 2/5 white"))) == ["rule-of-four"]
    assert ids(mc.violations(state, mc.parse("reveal 2/5 yellow"))) == ["stockpile"]
    assert ids(mc.violations(state, mc.parse("reveal 2/5 black"))) == []


def test_launch_detect_names_the_player_first_and_the_silo_later(missile_command):
    state = missile_command(*FOUR, launch_detect=True)
    assert ids(mc.violations(state, mc.parse("launch black 1/1 at 2/1"))) == ["detect-one-player"]
    state = after(state, "launch black 1/1 at 2/?; launch white 2/1 at 1/?; launch white 3/1 at 1/?")
    state = after(state, "launch white 4/1 at 1/?")
    assert ids(mc.violations(state, mc.parse("launch white 1/2 at 2/?"))) == ["strike-due"]
    assert ids(mc.violations(state, mc.parse("strike 1 at 3/1"))) == ["detect-one-player"]


def test_every_rule_is_broken_somewhere():
    here = {rule for _, _, rules in BROKEN for rule in rules.split()}
    in_own_tests = {"target-exposed", "star-wars", "intercept-for-another", "game-is-over", "rule-of-four", "stockpile"}
    in_own_tests |= {"detect-one-player", "pick-from-pool", "pick-eight"}
    assert here | in_own_tests == {rule.id for rule in mc.RULES}
    assert all(rule.text and rule.source for rule in mc.RULES)


# Notation and set-up.


@pytest.mark.parametrize(
    "text",
    [
        *(
            "launch black 1/3 at 2/5",
            "launch clear 1/3 at ?",
            "launch clear 10/3 at 2/?",
            "scramble 1/5",
            "discard 1/6",
        ),
        *("sortie 1 large 2/3, small 2/?", "oppose 2 medium 2/3", "oppose 2 nothing", "intercept 2/8", "allow 2"),
        *("deflect 2 to 3", "take 2/4", "take 2/4 2/5", "report 2 5", "report 2 none", "aim 2/5", "reveal 2/3 blue"),
        *("expose 2/3 president", "expose 2/3 vice-president", "expose 2/3 both", "expose 2/3 nothing"),
        *("strike 1 at 2/3", "pass 1", "pick 1 large black", "touch 1/7 large green -> medium clear"),
    ],
)
def test_notation_undoes_itself(text):
    assert str(mc.parse(text)) == text


@pytest.mark.parametrize("text", ["launch pink 1/3 at 2/5", "launch black 1/9 at 2/5", "take", "report 2", "hello"])
def test_other_text_is_no_move(text):
    with pytest.raises(InvalidNotation, match="expected a move such as"):
        mc.parse(text)


def silos(*colours):
    pieces = zip(("large", "medium", "small"), colours, strict=True)
    return [[{"colour": colour, "size": size} for size, colour in pieces]] * 4


PLAYERS = [{"name": "Ann", "sheet": "silos-1"}, {"name": "Bob", "sheet": "silos-2"}]
SEALED = {
    "players": PLAYERS,
    "batteries": {"Ann": silos("black", "blue", "clear") + silos("white", "green", "black")},
    "executives": {"Ann": {"president": 3, "vice_president": 3}},
    "salts": {"Ann": "a salt that nobody guesses"},
}


def test_a_set_up_from_json():
    setup = mc.Setup.from_json(SEALED | {"first": "Bob", "options": {"launch_detect": True}})
    assert (setup.first, setup.options.launch_detect) == (2, True)
    ann, bob = setup.batteries
    assert ann.is_declared
    assert ann.president.silo == 3
    assert ann.silos[4].missiles[1].value == "green"
    assert not bob.is_declared
    assert bob.seal is None


@pytest.mark.parametrize(
    ("changed", "field"),
    [
        ({"players": PLAYERS[:1]}, "players"),
        ({"players": [PLAYERS[0], PLAYERS[0]]}, "players"),
        ({"players": [PLAYERS[0], {"name": "Bob", "sheet": "board-nw"}]}, r"players\[1\].sheet"),
        ({"first": "Zoe"}, "first"),
        ({"options": {"no_such": True}}, "options"),
        ({"batteries": {"Zoe": []}}, "batteries"),
        ({"batteries": {"Ann": []}}, "batteries.Ann"),
        ({"batteries": {"Ann": silos("black", "blue", "clear") * 2}}, "batteries.Ann.*rule-of-four"),
        (
            {"batteries": {"Ann": silos("red", "blue", "clear") + silos("white", "green", "black")}},
            "batteries.*stockpile",
        ),
        ({"batteries": {"Ann": [[{"colour": "pink"}] * 3] * 8}}, r"batteries.Ann\[0\]"),
        ({"executives": {"Ann": {"president": 9, "vice_president": 1}}}, "executives.Ann.president"),
        ({"salts": {"Ann": "short"}}, "salts.Ann"),
        ({"pool": [{"colour": "black", "size": "large"}]}, "pool"),
        ({"pool": "all"}, "pool"),
    ],
)
def test_a_set_up_that_makes_no_sense_names_the_field(changed, field):
    with pytest.raises(InvalidSetup, match=field):
        mc.Setup.from_json(SEALED | changed)


def test_a_refused_set_up_tells_no_secret():
    with pytest.raises(InvalidSetup) as refused:
        mc.Setup.from_json(SEALED | {"batteries": {"Ann": silos("black", "blue", "purple") * 2}})
    assert not any(colour in str(refused.value) for colour in ("black", "blue", "purple"))


def test_a_battery_is_sealed_late_as_long_as_it_fits_what_is_seen(missile_command):
    state = missile_command("black", UNKNOWN, executives={2: None})
    sealed = {"player": "Bob", "battery": silos("white", "blue", "clear") + silos("black", "green", "green")}
    with pytest.raises(InvalidSetup, match="the missile that shows on silo 1"):
        mc.declare(state, sealed | {"battery": silos("blue", "blue", "clear") + silos("black", "green", "green")})
    told = mc.declare(state, sealed | {"executives": {"president": 1, "vice_president": 2}})
    assert told.battery(2).is_declared
    assert told.blocking == ()
    with pytest.raises(InvalidSetup, match="not declared"):
        mc.declare(told, sealed)


@pytest.mark.parametrize("said", ["launch", {"action": "nonsense"}, {"action": 5}, {"action": "report 2 4"}])
def test_what_makes_no_sense_is_left_aside(missile_command, said):
    with pytest.raises(InvalidSetup):
        mc.declare(missile_command(*FOUR), said)


def test_a_start_that_differs_from_a_proper_one_is_told():
    setup = mc.Setup.from_json(SEALED)
    assert mc.start_warnings(setup, Scene(()))[0] == "Ann's silo 1 is not to be seen."
    assert len(mc.start_warnings(setup, Scene(()))) == 16
