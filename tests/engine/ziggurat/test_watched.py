"""Random legal games that are watched with a doubtful eye: whatever it makes of the table, nobody is accused.

WATCHED_GAMES=500 pytest tests/engine/ziggurat/test_watched.py      as many games as that; seven by default
"""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest

from engine.errors import EngineError
from engine.games import ziggurat
from engine.games.ziggurat import Attack, Defend, Draw, Remodel, Setup
from engine.games.ziggurat.cards import THE_EXCUSE
from engine.games.ziggurat.playing import discarded
from engine.games.ziggurat.towers import COLOURS
from engine.match import Match
from engine.rules import Illegal, Legal
from engine.table import Pyramid, Reading, Scene, Size

GAMES = int(os.environ.get("WATCHED_GAMES", "7"))
EVENTS = 24
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")
CLEAR, HIDDEN = 0.9, 0.02  # of the stacks: those read without doubt, and those not seen at all
WRONG = 0.35  # of the doubtful ones: those of which the likeliest reading is wrong


def legal(state):
    return [move for move in ziggurat.candidates(state) if not ziggurat.violations(state, move)]


def event(state, chance):
    """A line of legal moves until nobody has to choose any more: attacks rather than draws, so that battles end."""
    line = []
    while not line or state.owed:
        moves = legal(state)
        attacks = [move for move in moves if isinstance(move, Attack)]
        draws = [move for move in moves if isinstance(move, Draw)]
        kinds = attacks if attacks and chance.random() < 0.7 else draws if draws and chance.random() < 0.6 else moves
        move = chance.choice(kinds)
        if isinstance(move, Draw) and state.deck is None and chance.random() < 0.1:
            move = replace(move, exhausts=True)
        line.append(move)
        state = ziggurat.play(state, move)
    return line, state


def misread(stack, chance):
    """The pyramids of a stack as an eye may take them: another top, a level less, a level more."""
    pyramids = stack.pyramids
    other = Pyramid(chance.choice(COLOURS), pyramids[-1].size)
    kinds = [(*pyramids[:-1], other), (*pyramids[:-1], Pyramid(other.colour, chance.choice(list(Size))))]
    if len(pyramids) > 1:
        kinds.append(pyramids[:-1])
    if stack.sheet != "scrapyard" and pyramids[-1].size > Size.SMALL:
        kinds.append((*pyramids, Pyramid(other.colour, Size(pyramids[-1].size - 1))))
    return chance.choice(kinds)


def with_doubt(stack, chance):
    if chance.random() < CLEAR:
        return stack
    true, wrong = stack.pyramids, misread(stack, chance)
    if wrong == true:
        return stack
    share = chance.uniform(0.5, 0.9)
    first, second = (wrong, true) if chance.random() < WRONG else (true, wrong)
    heading = stack.pose.heading_deg
    readings = (Reading(first, heading, None, share), Reading(second, heading, None, 1 - share))
    return replace(stack, pyramids=first, readings=readings)


def cards_of(move):
    """The cards that are played with a move."""
    match move:
        case Attack():
            return (move.card, THE_EXCUSE) if move.with_excuse else (move.card,)
        case Defend() | Remodel():
            return move.cards
    return ()


def number_of(move):
    return move.place.number if isinstance(move, Remodel) else move.number


def gone_on(state, match):
    """The state with the cards as the players have them now: an umpire's deck deals only what the umpire made of the
    table, and what was said and is not seen yet was played all the same."""
    held = match.state
    if held.deck is None:
        return state
    for move in held.said:
        held = discarded(held, number_of(move), cards_of(move)) if cards_of(move) else held
    return replace(state, deck=held.deck, discards=held.discards, played=held.played, untold=held.untold)


def seen(scene, chance):
    """The scene of a table as the eye makes it out; a piece that is covered is not seen."""
    stacks = [one for one in scene.stacks if chance.random() >= HIDDEN or one.sheet != "scrapyard"]
    return Scene.of([with_doubt(one, chance) for one in stacks])


def said_of(line, chance, habit):
    """What the group says of a line: all of it, only the action, or nothing."""
    if habit == "all":
        return [move for move in line if not isinstance(move, ziggurat.Change) or chance.random() < 0.5]
    return line[:1] if habit == "actions" else []


@pytest.mark.parametrize("seed", range(GAMES))
def test_nobody_is_accused_in_a_legal_game(laid, seed):
    chance = random.Random(seed)
    habit = chance.choice(["all", "actions", "nothing"])
    has_deck = habit == "all" and chance.random() < 0.5
    options = {
        "extended_deck": chance.random() < 0.5,
        "exhausted_when_needed": chance.random() < 0.3,
        "fresh_change": chance.random() < 0.3,
        "gaps": chance.random() < 0.2,
    }
    names = [{"name": name} for name in NAMES[: chance.randint(2, 5)]]
    doc = {"players": names, "options": options} | ({"deck": {"seed": f"watched game {seed:08}"}} if has_deck else {})
    state = ziggurat.new_game(Setup.from_json(doc))
    match = Match(ziggurat, state)
    known = 0
    for _ in range(EVENTS):
        if ziggurat.outcome(state) is not None:
            break
        line, after = event(state, chance)
        for move in line if has_deck else ():
            lacking = set(cards_of(move)) - set(match.state.deck.hand(number_of(move))) if cards_of(move) else set()
            assert not lacking, f"{move} is played with cards that the umpire's deck has not dealt"
        for move in said_of(line, chance, habit):
            try:
                match.declare({"action": str(move)})
            except EngineError:  # after a doubt the match may stand elsewhere
                continue
        ruling = match.see(seen(laid(after.position), chance))
        assert not isinstance(ruling, Illegal), f"{[str(move) for move in line]} is taken for {ruling}"
        known += isinstance(ruling, Legal) or (ruling is None and after.position == state.position)
        state = gone_on(after, match)
    assert known > 0
