"""What a table tells: faults, doubts, what is under way, poor eyes; and how a game starts from a photo."""

from dataclasses import replace

import pytest

from engine.errors import InvalidSetup
from engine.game import Plays
from engine.games import ziggurat
from engine.games.ziggurat import Attack, Options, Setup
from engine.games.ziggurat.towers import EQUIVALENTS, tower
from engine.match import Match
from engine.rules import Illegal, Legal, Unclear
from engine.table import Pyramid, Reading, Scene

WHOLE = "r3r2r1 b3b2b1 y3y2y1 k3k2k1"
TWO = f"{WHOLE} / {WHOLE}"


def line(ruling):
    return "; ".join(map(str, ruling.line))


def ids(ruling):
    return {violation.rule.id for violation in ruling.violations}


def attack(card, player, place, **more):
    said = {"action": "attack", "card": card, "target": {"player": player, "tower": place}, "defence": []}
    return said | more


def remodel(*cards):
    return {"action": "remodel", "tower": 1, "discarded": list(cards)}


def without(scene, sheet, piece=None, zone=None):
    """The scene without a stack: one of a tower's zone, or with this piece."""
    gone = next(
        stack
        for stack in scene.stacks
        if stack.sheet == sheet and (stack.zone == zone or (piece and stack.pyramids == tower(piece)))
    )
    return Scene.of([stack for stack in scene.stacks if stack is not gone])


def read_as(scene, number, place, *readings):
    """The scene with a tower read so: (tower, probability), likeliest first."""
    ranked = tuple(Reading(tower(text), None, None, share) for text, share in readings)
    return Scene.of(
        [
            replace(stack, pyramids=ranked[0].pyramids, readings=ranked)
            if (stack.sheet, stack.zone) == (f"towers-{number}", f"tower-{place}")
            else stack
            for stack in scene.stacks
        ]
    )


FAULTS = [
    ("r3 b3 - k3 / " + WHOLE, attack("CK", "Bob", 3), "r3 b3 - k3 / r3r2r1 b3b2b1 y3 k3k2k1", {"tower-required"}),
    (TWO, attack("7ML", "Bob", 2), f"{WHOLE} / r3r2r1 b3g1 y3y2y1 k3k2k1", {"target-by-suit"}),
    (f"{WHOLE} / k3 r3 - -", attack("2MK", "Bob", 1), f"{WHOLE} / g1 r3 - -", {"change-size"}),
    (TWO, attack("7ML", "Bob", 1), f"{WHOLE} / r3b1 b3b2b1 y3y2y1 k3k2k1", {"change-from-scrapyard"}),
    (TWO, attack("3MW", "Bob", 4), f"{WHOLE} / r3r2r1 b3b2 y3y2y1 k3k2k1", {"damage-by-strength", "hands-off"}),
    (TWO, attack("3MW", "Bob", 4), f"{WHOLE} / r3r2r1 b3b2 y3y2y1 k3k2", {"hands-off"}),
    (TWO, attack("3MW", "Bob", 4), "r3r2r1 b3b2b1 y3y2g1 k3k2k1 / r3r2r1 b3b2b1 y3y2y1 k3k2", {"hands-off"}),
    (TWO, attack("7ML", "Bob", 4, defence=["6SY"]), TWO, {"defence-cards"}),
    (TWO, remodel("2SY", "5ML"), f"r3r2g1 {WHOLE[7:]} / {WHOLE}", {"remodel-three"}),
]


@pytest.mark.parametrize(("before", "said", "after", "rules"), FAULTS)
def test_a_table_or_a_declaration_against_the_rules_is_ruled_on_by_name(match, scene, before, said, after, rules):
    game = match(before)
    game.declare(said)
    ruling = game.see(scene(after))
    assert isinstance(ruling, Illegal)
    assert ids(ruling) == rules


@pytest.mark.parametrize(("before", "said", "after", "rules"), FAULTS[:-2])
def test_a_fault_that_is_put_right_is_charged_once(match, scene, before, said, after, rules):
    game = match(before)
    game.declare(said)
    game.see(scene(after))
    assert game.see(scene(after)) is None
    assert game.see(scene(before)) is None
    assert game.state.turn == 1


def test_an_attack_with_a_colour_that_nobody_has_is_a_fault_though_nobody_said_a_word(match, scene):
    ruling = match("k3 k2 - - / r3r2r1 - - -").see(scene("k3 k2 - - / r3r2 - - -"))
    assert isinstance(ruling, Illegal)
    assert ids(ruling) == {"tower-required"}


def test_the_same_is_no_fault_if_the_scrapyard_does_not_bear_it_out(match, scene):
    after = without(scene("k3 k2 - - / r3r2 - - -"), "scrapyard", "r1")
    assert not isinstance(match("k3 k2 - - / r3r2r1 - - -").see(after), Illegal)


@pytest.mark.parametrize("before", [TWO, f"{WHOLE} / r3r2r1 - - k3", f"{WHOLE} / r3 - - k2", f"{WHOLE} / r2 - - k3k2"])
@pytest.mark.parametrize("said", [attack("5ML", "Bob", 4), attack("7ML", "Bob", 1), attack("9MS", "Bob", 4)])
def test_what_was_said_and_not_done_yet_is_not_ruled_on(match, scene, before, said):
    game = match(before)
    game.declare(said)
    assert game.see(scene(before)) is None
    assert game.see(scene(before)) is None
    assert len(game.state.said) == 2


def test_pieces_on_the_way_off_and_change_to_come_are_not_ruled_on_yet(match, scene):
    game = match(TWO)
    game.declare(attack("7ML", "Bob", 1))
    for table in (f"{WHOLE} / r3r2 b3b2b1 y3y2y1 k3k2k1", f"{WHOLE} / r3 b3b2b1 y3y2y1 k3k2k1"):
        assert game.see(scene(table)) is None
    assert game.table.awaited == (1,)
    assert line(game.see(scene(f"{WHOLE} / r3g1 b3b2b1 y3y2y1 k3k2k1"))) == "attack 1 7ML 2/1; allow 2; change 2/1 g1"


def test_an_attack_that_nobody_announced_may_go_on(match, scene):
    game = match(TWO)
    assert line(game.see(scene(f"{WHOLE} / r3 b3b2b1 y3y2y1 k3k2k1"))) == "attack 1 ?3 2/1; allow 2"
    ruling = game.see(scene(f"{WHOLE} / r3g1 b3b2b1 y3y2y1 k3k2k1"))
    assert line(ruling) == "attack 1 ?2 2/1; allow 2; change 2/1 g1"
    assert game.state.turn == 2


def test_somebody_may_always_have_drawn_with_cards_of_the_groups_own(match, scene):
    ruling = match(TWO).see(scene(f"{WHOLE[:-2]} / {WHOLE}"))
    assert line(ruling) == "draw 1; attack 2 ?1 1/4; allow 1"
    assert "Did Ann draw cards? Nobody said so." in ruling.questions


def test_with_the_umpires_deck_nobody_can(scene):
    doc = {"players": [{"name": "Ann"}, {"name": "Bob"}], "deck": {"seed": "sixteen letters!"}}
    game = Match(ziggurat, ziggurat.start(Setup.from_json(doc), scene(TWO)))
    ruling = game.see(scene(f"{WHOLE[:-2]} / {WHOLE}"))
    assert isinstance(ruling, Unclear | Illegal)


def test_where_photos_are_missing_more_may_have_happened_than_was_said(match, scene):
    table = f"{WHOLE} / r3r2r1 b3b2 y3y2y1 k3k2"
    game = match(TWO, gaps=True)
    game.declare(attack("3MW", "Bob", 4))
    ruling = game.see(scene(table))
    assert isinstance(ruling, Legal)
    assert "attack 1 3MW 2/4" in line(ruling)


def test_attrition_is_read_from_the_table(match, scene):
    game = match("r3r2 b3 k1 y1 / k3k2k1 r3 b1 y1")
    game.declare({"action": "draw", "exhausted": True})
    ruling = game.see(scene("r3r2 b3 - y1 / k3k2 r3 b1 y1"))
    assert line(ruling) == "draw 1 exhausts; attrition 1/3; attrition 2/1"
    assert game.state.points == (0, 0)


def test_a_defence_by_a_green_tower_is_read_from_the_table(match, scene):
    game = match(f"{WHOLE} / r3g1 b3 y3 r2")
    game.declare({key: value for key, value in attack("7ML", "Bob", 4).items() if key != "defence"})
    ruling = game.see(scene(f"{WHOLE} / r3 b3 y3 r2"))
    assert not isinstance(ruling, Illegal)


def test_a_declared_draw_is_done_at_the_next_table(match, scene):
    game = match(TWO)
    game.declare({"action": "draw"})
    assert line(game.see(scene(TWO))) == "draw 1"
    assert game.state.turn == 2


def test_what_was_said_first_and_shows_nowhere_may_have_been_taken_back(match, scene):
    game = match(TWO)
    game.declare(attack("CK", "Bob", 3))
    game.declare(attack("7ML", "Bob", 1) | {"player": "Ann"})
    ruling = game.see(scene(f"{WHOLE} / r3g1 b3b2b1 y3y2y1 k3k2k1"))
    assert line(ruling) == "attack 1 7ML 2/1; allow 2; change 2/1 g1"
    assert "'attack 1 CK 2/3' was said, and I do not see it. Was it taken back?" in ruling.questions


POOR = [
    (2, 4, [("k3", 0.76), ("k3k1", 0.05)]),
    (2, 2, [("b3b1b1", 0.76), ("b3b2b1", 0.2)]),
    (1, 1, [("r3r2", 0.6), ("r3r2r1", 0.4)]),
    (1, 3, [("y3y2g1", 0.6), ("y3y2y1", 0.3)]),
    (2, 3, [("y3", 0.5), ("y3y2", 0.3), ("y3y2y1", 0.2)]),
]


@pytest.mark.parametrize(("number", "place", "readings"), POOR)
def test_a_tower_that_is_misread_accuses_nobody_and_hides_nothing(match, scene, number, place, readings):
    game = match(TWO)
    assert game.see(read_as(scene(TWO), number, place, *readings)) is None
    game.declare(attack("8MS", "Bob", 1))
    seen = read_as(scene(f"{WHOLE} / r3g1 b3b2b1 y3y2y1 k3k2k1"), number, place, *readings)
    assert line(game.see(seen)) == "attack 1 8MS 2/1; allow 2; change 2/1 g1"


def test_of_two_colours_for_the_change_the_scrapyard_tells_which(match, scene):
    game = match(TWO)
    game.declare(attack("7ML", "Bob", 1))
    seen = read_as(scene(f"{WHOLE} / r3g1 b3b2b1 y3y2y1 k3k2k1"), 2, 1, ("r3r1", 0.6), ("r3g1", 0.3))
    assert line(game.see(seen)) == "attack 1 7ML 2/1; allow 2; change 2/1 g1"


@pytest.mark.parametrize("zone", ["tower-1", "tower-4"])
def test_a_tower_that_is_not_seen_accuses_nobody(match, scene, zone):
    game = match("r3 b3b2b1 y3y2y1 k3k2k1 / r3 b3b2b1 y3y2y1 k3")
    full = scene("r3 b3b2b1 y3y2y1 k3k2k1 / r3 b3b2b1 y3y2y1 k3")
    hidden = game.see(without(full, "towers-2", zone=zone))
    assert hidden is None or isinstance(hidden, Unclear)
    assert not isinstance(game.see(full), Illegal)


def test_a_top_in_a_colour_that_is_not_to_be_had_is_put_down_to_our_eye(match, scene):
    ruling = match(TWO).see(read_as(scene(TWO), 1, 1, ("r3r2b1", 1.0)))
    assert ruling is None or isinstance(ruling, Unclear)


def test_a_tower_that_grew_accuses_nobody(match, scene):
    ruling = match("r3 b3 y3 k3 / r3 b3 y3 k3").see(scene("r3r2 b3 y3 k3 / r3 b3 y3 k3"))
    assert not isinstance(ruling, Illegal | Legal)


def test_a_legal_move_is_among_the_explanations_of_its_own_result(state):
    before, looked_at = state("r3g1 b3b2b1 y3 - / k3k2k1 r3 b3b1 y1"), 0
    for move in ziggurat.candidates(before):
        if not isinstance(move, Attack) or ziggurat.violations(before, move) or move.using or move.number != 1:
            continue
        after = ziggurat.play(ziggurat.play(before, move), ziggurat.parse(f"allow {move.target.number}"))
        if after.owed:
            continue
        unknown = replace(move, card=None, pips=move.strength)
        found = ziggurat.explain(before, after.position, Plays(5000))
        assert unknown in [one.line[0] for one in found]
        looked_at += 1
    assert looked_at > 5


def test_with_no_plays_left_nobody_is_accused(state, position):
    table = position(f"{WHOLE} / r3 b3b2b1 y3y2y1 k3k2k1")
    found = ziggurat.explain(state(TWO), table, Plays(0))
    assert found
    assert all(one.beyond and "too many ways" in one.beyond for one in found)


# The start.


def setup(**more):
    return Setup.from_json({"players": [{"name": "Ann"}, {"name": "Bob"}]} | more)


def test_a_game_starts_from_the_first_photo(scene, position):
    state = ziggurat.start(setup(first="Bob"), scene(TWO))
    assert state.position == position(TWO)
    assert state.turn == 2
    assert ziggurat.start_warnings(setup(), scene(TWO)) == ()


@pytest.mark.parametrize(("number", "place", "readings"), POOR)
def test_towers_that_are_misread_at_the_start_are_whole_if_nothing_of_them_is_scrap(
    scene, position, number, place, readings
):
    assert ziggurat.start(setup(), read_as(scene(TWO), number, place, *readings)).position == position(TWO)


def test_a_game_that_is_under_way_starts_as_it_stands_with_warnings(scene, position):
    text = f"{WHOLE} / r3g1 b3b2b1 y3 -"
    assert ziggurat.start(setup(), scene(text)).position == position(text)
    warnings = ziggurat.start_warnings(setup(), scene(text))
    assert "Bob's tower 1 is small green on large red; a new game starts with whole towers." in warnings


def test_without_towers_no_game_starts(scene):
    with pytest.raises(InvalidSetup, match="towers of at least two players"):
        ziggurat.start(setup(), Scene.of([]))


@pytest.mark.parametrize(
    ("doc", "words"),
    [
        ({"players": []}, "players: expected a list of 2 to 5 players"),
        ({"players": [{"name": "Ann"}, {"name": "Ann"}]}, "a different name"),
        ({"players": [{"name": "Ann"}, {"name": "Bob", "sheet": "silos-2"}]}, r"players\[1\].sheet"),
        ({"players": [{"name": "Ann"}, {"nom": "Bob"}]}, r"players\[1\].name"),
        ({"first": "Cy"}, "first: expected one of Ann, Bob"),
        ({"options": {"colours": "pastel"}}, "options: expected some of"),
        ({"options": {"extended_deck": "yes"}}, "options: expected some of"),
    ],
)
def test_an_odd_set_up_is_told_by_its_field(doc, words):
    with pytest.raises(InvalidSetup, match=words):
        setup(**doc)


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ("attack", "declared"),
        ({"roll": [1, 2]}, "declared"),
        ({"action": "dance"}, "a move such as"),
        (attack("11Z", "Bob", 1), "a card of the Decktet"),
        (attack("7ML", "Cy", 1), "target.player: expected one of Ann, Bob"),
        (attack("7ML", "Bob", 5), "target.tower: expected a number from 1 to 4"),
        (attack("7ML", "Bob", 1, using={"tower": 0}), "using.tower"),
        (attack("7ML", "Bob", 1, defence="none"), "defence: expected a list of cards"),
        (attack("7ML", "Bob", 1, target=3), "target: expected an object"),
        ({"action": "remodel", "tower": 1, "discarded": [], "piece": "tiny red"}, "piece"),
        ({"action": "remodel", "tower": 1, "discarded": [], "piece": "small cyan"}, "piece"),
        ({"action": "draw", "player": "Cy"}, "player: expected one of Ann, Bob"),
    ],
)
def test_a_declaration_that_makes_no_sense_is_told_in_words(state, said, words):
    with pytest.raises(InvalidSetup, match=words):
        ziggurat.declare(state(TWO), said)


def test_players_are_known_by_their_sheets_and_xeno_by_its_colours(scene, position):
    real = {meant: colour for colour, meant in EQUIVALENTS["xeno"].items() if colour.value != "blue"}
    xeno = [
        replace(
            stack,
            sheet={"towers-1": "towers-3"}.get(stack.sheet, stack.sheet),
            pyramids=tuple(Pyramid(real[piece.colour], piece.size) for piece in stack.pyramids),
        )
        for stack in scene(TWO).stacks
    ]
    players = [{"name": "Ann", "sheet": "towers-3"}, {"name": "Bob", "sheet": "towers-2"}]
    doc = {"players": players, "options": {"colours": "xeno"}}
    assert Options(**doc["options"]).colours == "xeno"
    assert ziggurat.start(Setup.from_json(doc), Scene.of(xeno)).position == position(TWO)


@pytest.mark.parametrize(("before", "said", "after", "rules"), FAULTS[:-2])
def test_after_a_fault_was_taken_back_another_action_may_be_said(match, scene, before, said, after, rules):
    game = match(before)
    game.declare(said)
    assert isinstance(game.see(scene(after)), Illegal)
    assert game.see(scene(before)) is None
    other = attack("5ML", "Bob", 4)
    game.declare(other)
    ruling = game.see(scene(before))
    assert ruling is None or isinstance(ruling, Legal)
    assert not any(isinstance(entry.said, Illegal) for entry in game.history[1:])


def test_what_a_fault_has_used_is_not_held_against_the_next_action(match, scene):
    game = match(f"{WHOLE} / {WHOLE}")
    game.declare(attack("9WY", "Bob", 1))
    assert isinstance(game.see(scene(f"{WHOLE} / r3g1 b3b2b1 y3y2y1 k3k2k1")), Illegal)
    assert game.see(scene(f"{WHOLE} / {WHOLE}")) is None
    game.declare(attack("9WY", "Bob", 2))
    ruling = game.see(scene(f"{WHOLE} / r3r2r1 b3g1 y3y2y1 k3k2k1"))
    assert isinstance(ruling, Legal)
    assert line(ruling) == "attack 1 9WY 2/2; allow 2; change 2/2 g1"


# What is announced only.


def test_what_is_announced_gives_way_to_the_same_with_its_card_or_to_something_else(state):
    now = ziggurat.declare(state(TWO), {"action": "attack 1 ? 2/1"})
    assert ziggurat.is_announced(now.said[0])
    assert [str(move) for move in ziggurat.declare(now, {"action": "attack 1 7ML 2/1"}).said] == ["attack 1 7ML 2/1"]
    assert [str(move) for move in ziggurat.declare(now, {"action": "draw"}).said] == ["draw 1"]


def test_the_table_tells_the_strength_of_an_attack_that_was_announced_only(match, scene):
    game = match(TWO)
    game.declare({"action": "attack 1 ? 2/1"})
    ruling = game.see(scene(f"{WHOLE} / r3g1 b3b2b1 y3y2y1 k3k2k1"))
    assert line(ruling) == "attack 1 ?2 2/1; allow 2; change 2/1 g1"
    assert game.state.said == ()


def test_a_remodelling_that_was_announced_only_is_read_from_the_table(match, scene):
    game = match(TWO)
    game.declare({"action": "remodel 1/2 g1"})
    ruling = game.see(scene(f"r3r2r1 b3b2g1 y3y2y1 k3k2k1 / {WHOLE}"))
    assert line(ruling) == "remodel 1/2 g1 ? ? ?"


def test_another_action_than_was_announced_accuses_nobody(match, scene):
    game = match(TWO)
    game.declare({"action": "attack 1 ? 2/1"})
    assert not isinstance(game.see(scene(f"{WHOLE} / r3r2r1 b3b2 y3y2y1 k3k2k1")), Illegal)


def test_while_change_is_due_its_choice_is_open_on_the_table_as_it_lies(match, scene):
    game = match(TWO)
    game.declare({"action": "attack 1 7ML 2/1"})
    assert game.see(scene(f"{WHOLE} / r3 b3b2b1 y3y2y1 k3k2k1")) is None
    assert [type(owed).__name__ for owed in game.table.owed] == ["Changing"]
    assert game.table.awaited == (1,)


# What was said and was not seen when it was done.


@pytest.mark.parametrize("said", ["remodel 1/2 b1 6LK CL CY", "remodel 1/2 ? 6LK CL CY", "remodel 1/2 b1"])
def test_change_that_nobody_saw_may_have_been_exchanged_since(match, scene, said):
    game = match(TWO, turn=2)
    for move in ("attack 2 7WY 1/2", "allow 1"):
        game.declare({"action": move})
    assert game.see(scene(TWO)) is None
    game.declare({"action": said})
    ruling = game.see(scene(f"r3r2r1 b3b1 y3y2y1 k3k2k1 / {WHOLE}"))
    assert isinstance(ruling, Legal)
    assert line(ruling).startswith("attack 2 7WY 1/2; allow 1; change 1/2 ")
    assert ruling.line[-1].place == ruling.line[2].place
    assert game.state.said == ()
    assert game.state.turn == 2


def test_what_was_said_before_and_is_seen_nowhere_is_not_charged_when_the_next_player_has_acted(match, scene):
    game = match("r3r2r1 b3b1 y3y2y1 k3k2k1 / r3r2r1 b3b2b1 y3y2y1 k3k2k1", turn=1)
    game.declare({"action": "remodel 1/2 b1 6LK CL CY"})
    assert not isinstance(game.see(scene("r3r2r1 b3b1 y3y2y1 k3k2k1 / r3r2r1 b3b2b1 y3y2y1 k3k2k1")), Illegal)
    for move in ("attack 2 4WL 1/1", "allow 1"):
        game.declare({"action": move})
    ruling = game.see(scene("r3r2 b3b1 y3y2y1 k3k2k1 / r3r2r1 b3b2b1 y3y2y1 k3k2k1"))
    assert not isinstance(ruling, Illegal)


def dealt(scene):
    """A match with the umpire's deck: Ann holds 3MW 9LK AS 5SW AW, Bob 4YK AM AL CK 5ML."""
    doc = {"players": [{"name": "Ann"}, {"name": "Bob"}], "deck": {"seed": "sixteen letters!"}}
    return Match(ziggurat, ziggurat.start(Setup.from_json(doc), scene(TWO)))


def after_bobs_remodelling(scene, *said):
    """The match, and the ruling on a table that shows nothing but Bob's remodelling, which was said after the rest."""
    game = dealt(scene)
    for move in (*said, "remodel 2/2 g1 AM AL CK"):
        game.declare({"action": move})
    return game, game.see(scene(f"{WHOLE} / r3r2r1 b3b2g1 y3y2y1 k3k2k1"))


def test_what_the_player_before_said_and_nobody_saw_is_asked_about_when_the_next_one_acts(scene):
    game, ruling = after_bobs_remodelling(scene, "attack 1 3MW 2/4", "allow 2")
    assert isinstance(ruling, Legal)
    assert line(ruling) == "remodel 2/2 g1 AM AL CK"
    assert "'attack 1 3MW 2/4' was said, and I do not see it. Has it been done?" in ruling.questions
    assert game.state.turn == 1
    assert not game.state.turns_are_sure


def test_a_defence_that_does_not_add_up_is_charged_though_the_next_player_has_acted(scene):
    _, ruling = after_bobs_remodelling(scene, "attack 1 3MW 2/4", "defend 2 5ML")
    assert isinstance(ruling, Illegal)
    assert ids(ruling) == {"defence-cards"}
