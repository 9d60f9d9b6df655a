"""What players may say, as buttons: every button that a random game offers is taken, and breaks no rule."""

from __future__ import annotations

import random
from dataclasses import fields, replace

import pytest

from engine.games import gran_prix, martian_mids, missile_command, ziggurat
from engine.games.gran_prix import Setup
from engine.match import Match
from engine.table import COLOURS, Colour, Pyramid, Scene, Size
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
