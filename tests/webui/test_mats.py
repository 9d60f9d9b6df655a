"""Status mats, own hands and batteries: what is shown, to whom, and what never is."""

from __future__ import annotations

import re
from dataclasses import replace
from xml.etree import ElementTree

import pytest

from engine.errors import InvalidSetup
from engine.games import gran_prix, martian_mids, missile_command, ziggurat
from engine.games.martian_mids import Beads, Mid, Square
from engine.games.missile_command import Options, Shield
from engine.table import Colour, Pyramid, Scene, Size
from webui.games import TABLETOPS, tabletop_of
from webui.games.gran_prix import printed_track

MIDS, MISSILES, RACE, TOWERS = TABLETOPS
NAMES = ("<Ann>", "Bob")
BATTERY = [["white", "black", "green"], ["blue", "cyan", "orange"], *[["purple", "white", "clear"]] * 2] * 2
SEALED = [[{"colour": colour} for colour in silo] for silo in BATTERY]


def text(markup):
    """The words of well-formed markup; markup that is not raises."""
    root = ElementTree.fromstring(f"<div>{markup}</div>")
    return re.sub(r"\s+", " ", " ".join(root.itertext())).strip()


@pytest.fixture
def batteries():
    doc = {
        "players": [{"name": name} for name in NAMES],
        "batteries": dict.fromkeys(NAMES, SEALED),
        "executives": {name: {"president": 4, "vice_president": 6} for name in NAMES},
    }
    return missile_command.start(MISSILES.setup(MISSILES.deal(doc)), Scene(()))


@pytest.fixture
def towers():
    doc = {"players": [{"name": name} for name in NAMES], "deck": True}
    return ziggurat.new_game(TOWERS.setup(TOWERS.deal(doc)))


def after(game, state, line):
    for said in line.split("; "):
        state = game.play(state, game.parse(said))
    return state


# Mats.


def test_the_race_mat_tells_gear_speed_control_laps_and_who_waits():
    players = [{"name": name, "colour": colour} for name, colour in zip(NAMES, ("red", "blue"), strict=True)]
    state = gran_prix.begun(gran_prix.Setup.from_json({"players": players}, printed_track("track-oval")), {})
    cars = (replace(state.cars[0], step=5, control=2, laps=4), replace(state.cars[1], waiting=3))
    words = text(RACE.mat(replace(state, cars=cars)))
    assert "Leader pylon, round 1" in words
    assert "gear 2, speed 2" in words
    assert "waits 3 phases more" in words
    shown = ElementTree.fromstring(RACE.mat(replace(state, cars=cars)))
    full = [one.text for one in shown.iter("i") if one.get("class") == "mat-cell mat-full"]
    assert sorted(full) == ["0", "2-2", "4", "5"]  # stopped and 5 laps, 2-2 and 4 laps


def test_the_race_mat_tells_every_throw_of_the_umpires_dice_and_their_seed_only_at_the_end():
    players = [{"name": name, "colour": colour} for name, colour in zip(NAMES, ("red", "blue"), strict=True)]
    doc = {"players": players, "dice": "umpire", "seed": "friday"}
    state = gran_prix.begun(gran_prix.Setup.from_json(doc, printed_track("track-oval")), {})
    state = replace(state, dice=state.dice.rolled(NAMES[0], "turn").rolled(NAMES[1], "pole"))
    words = text(RACE.mat(gran_prix.visible_to(state, None)))
    assert gran_prix.commitment("friday") in words
    first, second = (" and ".join(map(str, roll.dice)) for roll in state.dice.thrown)
    assert f"{NAMES[0]} to turn: {first}" in words
    assert f"{NAMES[1]} for the pole position: {second}" in words
    assert "friday" not in words.replace(gran_prix.commitment("friday"), "")
    assert "friday" not in text(RACE.mat(state))
    assert "The seed of the dice was friday" in text(RACE.mat(replace(state, winner=NAMES[0])))


def test_the_mids_mat_tells_initiative_mids_pips_and_beads():
    large = (Pyramid(Colour.RED, Size.LARGE),)
    mids = {
        Square.parse("a1"): Mid(large, Colour.BLACK),
        Square.parse("b2"): Mid(large * 2, Colour.WHITE, beads=Beads("<Ann>", 2)),
        Square.parse("c3"): Mid(large, Colour.WHITE),
    }
    players = (martian_mids.Player("<Ann>", Colour.BLACK), martian_mids.Player("Bob", Colour.WHITE))
    order = (("Bob",), ("<Ann>",))
    state = martian_mids.State(players, martian_mids.Position.of(mids), 3, order, acted=("Bob",))
    words = text(MIDS.mat(state))
    assert "Initiative, round 3" in words
    assert "Bob · has acted" in words
    assert "Mids 2 Pips 9" in words
    assert "Beads 2 on b2, of this round" in words


def test_the_missile_mat_tells_silos_air_wing_and_how_long_a_shield_is_up(batteries):
    state = after(missile_command, batteries, "launch white 1/1 at 2/2; scramble 2/6")
    shield = replace(state.battery(2), shield=Shield(1, 2))
    words = text(MISSILES.mat(missile_command.visible_to(state.with_battery(2, shield), None)))
    assert "8, with 23 missiles" in words
    assert "up until <Ann>'s next turn ends, 3 turns with this one" in words
    assert "exposed nobody" in words
    kind = replace(state, options=Options(peace_love_dove=True))
    assert "circle of kindness" in text(MISSILES.mat(missile_command.visible_to(kind, None)))


def test_the_tower_mat_tells_towers_points_and_the_pile_and_the_seed_only_at_the_end(towers):
    seen = ziggurat.visible_to(towers, None)
    words = text(TOWERS.mat(seen))
    assert "26 to draw · shuffle 1" in words
    assert "Towers 4 : red, blue, yellow, black" in words
    assert towers.deck.commitment in words
    assert towers.deck.seed not in TOWERS.mat(seen)
    over = replace(towers, position=ziggurat.Position.of((towers.position.towers[0], ((),) * 4)))
    assert towers.deck.seed in text(TOWERS.mat(ziggurat.visible_to(over, None)))


@pytest.mark.parametrize("family", ["xeno", "rainbow"])
def test_the_tower_mat_has_the_colours_that_are_played_with(towers, family):
    words = text(TOWERS.mat(replace(towers, options=ziggurat.Options(colours=family))))
    assert ("orange, blue, clear, white" in words) == (family == "xeno")


def test_nothing_secret_is_on_a_mat(towers, batteries):
    others = missile_command.visible_to(batteries, "Bob")
    assert MISSILES.mat(others) == MISSILES.mat(missile_command.visible_to(batteries, None))
    assert TOWERS.mat(ziggurat.visible_to(towers, "Bob")) == TOWERS.mat(ziggurat.visible_to(towers, None))


# What only one player sees.


def test_a_hand_is_shown_to_its_player_and_to_nobody_else(towers):
    own, others = towers.deck.hands
    mine = TOWERS.private(ziggurat.visible_to(towers, "<Ann>"), "<Ann>")
    assert all(card.words in mine for card in own)
    assert not any(f'"{card.words}' in mine for card in others)
    of_bob = TOWERS.private(ziggurat.visible_to(towers, "<Ann>"), "Bob")
    assert of_bob.count("a card face down") == 5
    assert not any(card.words in of_bob for card in others)


def test_with_cards_of_the_groups_own_there_is_no_hand():
    state = ziggurat.new_game(TOWERS.setup({"players": [{"name": name} for name in NAMES]}))
    assert TOWERS.private(state, "Bob") is None
    assert TOWERS.private(state, "somebody else") is None


def test_a_battery_is_shown_to_its_player_and_to_nobody_else(batteries):
    mine = MISSILES.private(missile_command.visible_to(batteries, "Bob"), "Bob")
    assert "silo 2: blue, cyan, orange" in mine
    assert "president under silo 4; vice-president under silo 6" in mine
    assert MISSILES.private(missile_command.visible_to(batteries, "<Ann>"), "Bob") is None
    used = missile_command.visible_to(after(missile_command, batteries, "launch white 1/1 at 2/2"), "<Ann>")
    assert "silo 1: black, green" in MISSILES.private(used, "<Ann>")


def test_mid_cards_are_shown_to_who_holds_them():
    players = (martian_mids.Player("<Ann>", Colour.BLACK), martian_mids.Player("Bob", Colour.WHITE))
    hands = (("<Ann>", ("Far!", "Near!")), ("Bob", ("Twice!",)))
    state = martian_mids.State(players, martian_mids.Position(), 1, (NAMES,), hands=hands)
    assert text(MIDS.private(martian_mids.visible_to(state, "<Ann>"), "<Ann>")) == "Your Mid Cards Far! Near!"
    assert MIDS.private(martian_mids.visible_to(state, "<Ann>"), "Bob") is None


# What the umpire adds.


def test_a_deck_gets_a_seed_only_where_it_is_asked_for():
    doc = {"players": [{"name": name} for name in NAMES]}
    assert TOWERS.deal(doc) == doc
    assert TOWERS.deal(doc | {"deck": False}) == doc
    one, other = (TOWERS.deal(doc | {"deck": True})["deck"]["seed"] for _ in range(2))
    assert one != other
    assert TOWERS.deal(doc | {"deck": {"seed": one}})["deck"] == {"seed": one}


def test_every_player_gets_a_salt_that_is_kept():
    doc = MISSILES.deal({"players": [{"name": name} for name in NAMES]})
    assert set(doc["salts"]) == set(NAMES)
    assert MISSILES.deal(doc) == doc
    late = {"01.jpg": [{"player": NAMES[0], "battery": []}, {"action": "pass"}], "02.jpg": {"player": "?"}}
    dealt = MISSILES.deal(doc | {"declared": late})["declared"]
    assert dealt["01.jpg"] == [late["01.jpg"][0] | {"salt": doc["salts"][NAMES[0]]}, {"action": "pass"}]
    assert dealt["02.jpg"] == late["02.jpg"]
    with pytest.raises(InvalidSetup):
        MISSILES.deal({"players": []})
    assert tabletop_of("martian-mids").deal({"a": 1}) == RACE.deal({"a": 1}) == {"a": 1}


@pytest.mark.parametrize(("players", "stashes"), [(2, 8), (4, 10), (6, 12)])
def test_a_shared_stockpile_that_nobody_described_has_two_stashes_a_player(players, stashes):
    doc = {"players": [{"name": f"player {n}"} for n in range(players)], "options": {"shared_stockpile": True}}
    setup = MISSILES.setup(MISSILES.deal(doc))
    assert len(setup.pool) == 15 * stashes
    state = missile_command.start(setup, Scene(()))
    assert state.is_drafting
    picks = MISSILES.choices(state, None)
    assert (len(picks), picks[0].player) == (24 if players == 2 else 30, "player 0")
