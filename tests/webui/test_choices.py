"""What players may say, as buttons: every button that a random game offers is taken, and breaks no rule."""

from __future__ import annotations

import random
from dataclasses import fields, replace

import pytest

from engine.games import gran_prix, martian_mids, missile_command, ziggurat
from engine.games.gran_prix import Setup
from engine.match import Match
from engine.rules import Legal
from engine.table import COLOURS, Colour, Pose, Pyramid, Scene, Size, Stack
from webui.games import TABLETOPS, tabletop_of
from webui.games.choices import MOST
from webui.games.gran_prix import printed_track

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")
MID_COLOURS = (Colour.RED, Colour.GREEN, Colour.BLUE, Colour.YELLOW)
A_GAME = 20  # events
TRIED = 4  # buttons before each event
TAPPED = 0.6  # of them are said; the rest is seen on the table


def legal(game, state):
    return [move for move in game.candidates(state) if not game.violations(state, move)]


def chosen(chance, choice):
    """The declaration of a button, with dice where it takes some."""
    dice = [chance.randint(1, 6) for _ in range(choice.dice)]
    return choice.declaration | ({"roll": dice} if dice else {})


def offered(tabletop, match, chance):
    """The buttons on the main screen and on one player's device."""
    state = match.table
    names = [player.name for player in state.players] if hasattr(state, "players") else [one.name for one in state.cars]
    for name in (None, chance.choice(names)):
        found = tabletop.choices(tabletop.GAME.visible_to(state, name), name)
        assert len(found) <= MOST
        assert all(one.words and one.player in (None, *names) for one in found)
        assert all(one.rule in {rule.id for rule in tabletop.GAME.RULES} for one in found)
        assert name is None or all(one.player in (None, name) for one in found)
        yield from found


def play_on(tabletop, state, chance, events=A_GAME):
    """A random game in which buttons are tapped and legal moves are seen; others are tried on the way."""
    game, tried = tabletop.GAME, 0
    for _ in range(events):
        if game.outcome(state) is not None:
            break
        buttons = list(offered(tabletop, Match(game, state), chance))
        for choice in chance.sample(buttons, min(TRIED, len(buttons))):
            match = Match(game, state)
            tabletop.declare(match, chosen(chance, choice))
            assert match.state != state, f"{choice} changes nothing"
            assert_keeps_the_rules(game, match.state)
            tried += 1
        moves = legal(game, state)
        if buttons and (chance.random() < TAPPED or not moves):
            match = Match(game, state)
            tabletop.declare(match, chosen(chance, chance.choice(buttons)))
            state = shown(game, match.state)
        elif moves:
            state = game.play(state, chance.choice(moves))
    return tried


def assert_keeps_the_rules(game, state):
    """What was said and waits for the table breaks no rule."""
    for move in state.said:
        if game is ziggurat and ziggurat.is_announced(move):
            continue
        assert not game.violations(state, move), move
        state = game.play(state, move)


def shown(game, state):
    """The state when the table shows what was said; an action that is only announced waits."""
    for move in state.said:
        if game.violations(state, move):
            break
        state = game.play(state, move)
    return replace(state, said=tuple(move for move in state.said if game is ziggurat and ziggurat.is_announced(move)))


def of_mids(chance):
    stands = [Colour.BLACK, Colour.WHITE, Colour.RED]
    mids = {}
    squares = chance.sample([f"{f}{r}" for f in "abcdef" for r in range(1, 7)], 9)
    for n, square in enumerate(squares):
        sizes = sorted(chance.choices(list(Size), k=chance.randint(1, 4)), reverse=True)
        pieces = tuple(Pyramid(chance.choice(MID_COLOURS), size) for size in sizes)
        mids[martian_mids.Square.parse(square)] = martian_mids.Mid(pieces, stands[n % 3])
    players = tuple(martian_mids.Player(name, stand) for name, stand in zip(NAMES[:3], stands, strict=True))
    state = martian_mids.State(players, martian_mids.Position.of(mids), 1, (NAMES[:3],))
    return state


def of_missiles(chance, players=3, declared=True, **options):
    doc = {"players": [{"name": name} for name in NAMES[:players]], "options": options}
    if declared:
        pool = [one for one in COLOURS if players > 2 or one not in (Colour.RED, Colour.YELLOW)]
        doc["batteries"] = {name: battery(chance, pool) for name in NAMES[:players]}
        doc["executives"] = {name: {"president": 4, "vice_president": 6} for name in NAMES[:players]}
    setup = missile_command.Setup.from_json(doc)
    return missile_command.start(setup, Scene(()))


def battery(chance, colours):
    layers = [chance.sample([colour for colour in colours for _ in range(4)], 8) for _ in range(3)]
    return [[{"colour": str(layer[n])} for layer in layers] for n in range(8)]


def of_race(chance):
    players = [{"name": name, "colour": colour} for name, colour in zip(NAMES, ("red", "blue", "green"), strict=False)]
    doc = {"players": players, "start": chance.choice(["starting line", "pace car", "standing start"])}
    setup = Setup.from_json(doc, printed_track("track-oval"))
    state = gran_prix.begun(setup, {})
    grid = gran_prix.starting_grid(setup.track, NAMES[:3], Size.SMALL)
    return gran_prix.begun(setup, grid) if state.cars else state


def of_towers(chance, deck):
    players = chance.randint(2, 5)
    doc = {"players": [{"name": name} for name in NAMES[:players]], "options": {"extended_deck": chance.random() < 0.5}}
    if deck:
        doc |= {"deck": {"seed": f"a seed of many letters {chance.random()}"}}
    return ziggurat.new_game(ziggurat.Setup.from_json(doc))


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize("kind", ["mids", "missiles", "detect", "race", "towers", "deck"])
def test_a_button_is_taken_and_breaks_no_rule(kind, seed):
    chance = random.Random(seed)
    starts = {
        "mids": lambda: ("martian-mids", of_mids(chance)),
        "missiles": lambda: ("missile-command", of_missiles(chance, 2 + 2 * seed)),
        "detect": lambda: ("missile-command", of_missiles(chance, 3, launch_detect=True)),
        "race": lambda: ("pyramid-gran-prix", of_race(chance)),
        "towers": lambda: ("ziggurat", of_towers(chance, deck=False)),
        "deck": lambda: ("ziggurat", of_towers(chance, deck=True)),
    }
    name, state = starts[kind]()
    assert play_on(tabletop_of(name), state, chance) > 0


@pytest.mark.parametrize("tabletop", TABLETOPS, ids=lambda tabletop: tabletop.NAME)
def test_every_option_is_a_switch(tabletop):
    options = {
        "martian-mids": martian_mids.Options,
        "missile-command": missile_command.batteries.Options,
        "pyramid-gran-prix": gran_prix.Options,
        "ziggurat": ziggurat.Options,
    }[tabletop.NAME]
    assert {one.name: one.default for one in tabletop.SWITCHES} == {one.name: one.default for one in fields(options)}
    for switch in tabletop.SWITCHES:
        assert switch.label
        assert switch.text.endswith(".")
        assert switch.source
        assert not switch.values or switch.default in switch.values


# What is said takes effect at once where the table shows nothing of it.


def said(tabletop, match, name, words):
    """Tap the button that begins with these words on that screen."""
    state = tabletop.GAME.visible_to(match.table, name)
    found = [one for one in tabletop.choices(state, name) if one.words.startswith(words)]
    assert found, [one.words for one in tabletop.choices(state, name)]
    tabletop.declare(match, found[0].declaration | ({"roll": [6, 5][: found[0].dice]} if found[0].dice else {}))


def words_of(tabletop, match, name):
    return [one.words for one in tabletop.choices(tabletop.GAME.visible_to(match.table, name), name)]


@pytest.fixture
def missiles():
    doc = {
        "players": [{"name": "Ann"}, {"name": "Bob"}],
        "batteries": {name: [[{"colour": one} for one in silo.split()] for silo in SILOS] for name in ("Ann", "Bob")},
        "executives": {name: {"president": 4, "vice_president": 6} for name in ("Ann", "Bob")},
    }
    return tabletop_of("missile-command"), missile_command.start(missile_command.Setup.from_json(doc), Scene(()))


SILOS = (
    *("white green black", "black blue clear", "clear white purple", "purple black green"),
    *("cyan cyan white", "orange blue black", "green clear orange", "blue white purple"),
)


def batteries_scene(state):
    stacks = []
    for number, side in state.position.sides:
        sheet = f"silos-{number}"
        stacks += [
            Stack(sheet, f"silo-{n}", Pose(20.0 + 32 * (n - 1), 80.0), (top,))
            for n, top in enumerate(side.tops, 1)
            if top
        ]
    return Scene.of(stacks)


def test_a_drone_is_answered_at_once_and_only_on_the_owners_device(missiles):
    tabletop, state = missiles
    for text in ("launch clear 1/3 at 2/5", "allow 2"):
        state = missile_command.play(state, missile_command.parse(text))
    match = Match(missile_command, state)
    assert not words_of(tabletop, match, None)
    assert not words_of(tabletop, match, "Ann")
    assert words_of(tabletop, match, "Bob") == ["DEFCON 4"]  # the President, one silo away with three missiles
    said(tabletop, match, "Bob", "DEFCON 4")
    assert str(match.history[-1].said) == "report 2 4"
    assert not match.state.owed


def test_an_answer_that_the_table_has_yet_to_show_waits_for_it(missiles):
    tabletop, state = missiles
    launched = missile_command.play(state, missile_command.parse("launch black 1/2 at 2/3"))
    match = Match(missile_command, launched)
    said(tabletop, match, "Bob", "Let it through")
    assert [str(move) for move in match.state.said] == ["allow 2"]
    assert match.see(batteries_scene(launched)) is None
    struck = missile_command.play(launched, missile_command.parse("allow 2"))
    assert isinstance(match.see(batteries_scene(struck)), Legal)
    assert match.state.position == struck.position


def test_what_only_a_screen_may_not_see_is_not_asked_there(missiles):
    """What is under the missile that is going to be struck is sealed: the umpire knows it, and nobody is to say it."""
    tabletop, state = missiles
    match = Match(missile_command, missile_command.play(state, missile_command.parse("launch black 1/2 at 2/3")))
    said(tabletop, match, "Bob", "Let it through")
    assert match.state.said
    for name in (None, "Ann", "Bob"):
        assert words_of(tabletop, match, name) == []


def test_where_a_drone_was_aimed_is_asked_in_two_steps():
    chance = random.Random(7)
    state = of_missiles(chance, 4)
    tabletop = tabletop_of("missile-command")
    drone = missile_command.Place(1, 1)
    state = state.with_silo(drone, replace(state.silo(drone), missiles=(Colour.CLEAR, Colour.BLUE, Colour.BLUE)))
    match = Match(missile_command, missile_command.play(state, missile_command.Launch(drone, Colour.CLEAR, None)))
    assert words_of(tabletop, match, "Ann") == ["At Bob", "At Cy", "At Dee"]
    said(tabletop, match, "Ann", "At Cy")
    said(tabletop, match, "Ann", "Silo 5")
    assert tabletop.choices(missile_command.visible_to(match.table, "Cy"), "Cy")[0].player == "Cy"


def of_two(**more):
    doc = {"players": [{"name": "Ann"}, {"name": "Bob"}]} | more
    return tabletop_of("ziggurat"), Match(ziggurat, ziggurat.new_game(ziggurat.Setup.from_json(doc)))


def test_an_attack_names_its_tower_and_then_its_card():
    tabletop, match = of_two()
    said(tabletop, match, None, "Bob's tower 4 (black)")
    told = [one for one in words_of(tabletop, match, "Ann") if one.startswith("The ")]
    assert len(told) == 10  # each of the cards with Moons
    assert [str(move) for move in match.state.said] == ["attack 1 ? 2/4"]
    said(tabletop, match, "Ann", "The Ace of Moons")
    assert [str(move) for move in match.state.said] == ["attack 1 AM 2/4"]
    assert words_of(tabletop, match, "Ann") == []
    assert "Cards that add up to 1" in words_of(tabletop, match, "Bob") or "No defence" in words_of(
        tabletop, match, "Bob"
    )


def test_a_nullified_attack_leaves_nothing_to_see_and_is_over_at_once():
    tabletop, match = of_two()
    said(tabletop, match, None, "Bob's tower 4 (black)")
    said(tabletop, match, None, "The 4 of Moons and Suns")
    said(tabletop, match, "Bob", "The 4 of Waves and Leaves")
    assert [str(entry.said) for entry in match.history] == ["attack 1 4MS 2/4", "defend 2 4WL"]
    assert (match.state.turn, match.state.said) == (2, ())


def test_damage_waits_for_the_table_and_the_attacker_may_say_what_change_it_gets():
    tabletop, match = of_two()
    said(tabletop, match, None, "Bob's tower 4 (black)")
    said(tabletop, match, None, "The 6 of Moons and Waves")
    said(tabletop, match, "Bob", "No defence")
    said(tabletop, match, "Ann", "Small green")
    assert [str(move) for move in match.state.said][-1] == "change 2/4 g1"
    assert match.state.turn == 1


def test_cards_of_the_umpires_deck_are_offered_to_their_player_only():
    tabletop, match = of_two(deck={"seed": "a seed of many letters"})
    hand = match.state.deck.hand(1)
    for name in (None, "Bob"):
        told = " ".join(words_of(tabletop, match, name))
        assert not any(card.words in told for card in hand)
    said(tabletop, match, "Ann", "Tower 1 gets a small green")
    paid = [one for one in tabletop.choices(ziggurat.visible_to(match.table, "Ann"), "Ann") if "pays" in one.group]
    assert len(paid) == 10  # three of five
    assert not [one for one in words_of(tabletop, match, None) if "The " in one]
    said(tabletop, match, "Ann", "Draw cards")  # another action takes the place of what was only announced
    assert (str(match.history[-1].said), match.state.turn, match.state.said) == ("draw 1", 2, ())


def test_dice_and_adjustments_of_a_race_count_at_once():
    state = of_race(random.Random(1))
    cars = tuple(replace(car, has_started=False, is_off=True, step=0) for car in state.cars)
    match = Match(gran_prix, replace(state, cars=cars))
    tabletop = tabletop_of("pyramid-gran-prix")
    said(tabletop, match, "Ann", "Ann needs 7 or more to get going")
    assert str(match.history[-1].said) == "roll Ann 6 5 for start"
    assert match.state.by_name["Ann"].has_started


def test_a_control_attack_that_only_beads_show_counts_at_once():
    one, other = (Pyramid(Colour.YELLOW, Size.LARGE),), (Pyramid(Colour.RED, Size.SMALL),)
    mids = {
        martian_mids.Square.parse("c3"): martian_mids.Mid(one, Colour.BLACK),
        martian_mids.Square.parse("c4"): martian_mids.Mid(other, Colour.WHITE),
        martian_mids.Square.parse("h8"): martian_mids.Mid(one, Colour.WHITE),
    }
    players = (martian_mids.Player("Ann", Colour.BLACK), martian_mids.Player("Bob", Colour.WHITE))
    position = martian_mids.Position.of(mids)
    match = Match(martian_mids, martian_mids.State(players, position, 1, (("Ann",), ("Bob",))))
    said(tabletop_of("martian-mids"), match, "Ann", "c3 attacks c4")
    assert str(match.history[-1].said) == "attack c3xc4"
    assert dict(match.state.position.mids)[martian_mids.Square.parse("c4")].beads.player == "Ann"


def test_the_card_of_an_attack_that_nobody_announced_is_asked_of_its_player():
    tabletop, match = of_two(deck={"seed": "a seed of many letters"})
    state = match.state
    hand = tuple(map(ziggurat.Card.parse, ("7ML", "8MS", "2SY", "3LY", "CK")))
    state = replace(state, deck=state.deck.with_hand(1, hand))
    for text in ("attack 1 ?2 2/1", "allow 2", "change 2/1 g1"):
        state = ziggurat.play(state, ziggurat.parse(text))
    match = Match(ziggurat, state)
    assert words_of(tabletop, match, "Ann") == ["The 7 of Moons and Leaves", "The 8 of Moons and Suns"]
    assert not [one for one in words_of(tabletop, match, None) if "The " in one]
    said(tabletop, match, "Ann", "The 7")
    assert str(match.history[-1].said) == "tell 1 7ML"
    assert len(match.state.deck.hand(1)) == 4
    assert words_of(tabletop, match, "Ann") == []


def test_towers_to_attack_are_offered_in_their_order_on_the_table():
    tabletop, match = of_two()
    attacks = [one.words for one in tabletop.choices(match.table, None) if one.group == "Ann attacks"]
    assert [words.partition(" (")[0] for words in attacks] == [f"Bob's tower {n}" for n in range(1, 5)]
