"""Missile Command: batteries of nested pyramids, launched at each other until one President is left.

Rule sections are the rulebook's; where it is silent or can be read in two ways, house rulings settle it (MC-1 and so
on). A silo is written as its player's number, a stroke and its own number: 2/5. Batteries, executives and salts are
secrets of their player: `visible_to` is the only way out to a page.
"""

from __future__ import annotations

from engine.games.missile_command.batteries import (
    Battery,
    Executive,
    Fate,
    Options,
    Player,
    Position,
    Shield,
    Side,
    Silo,
)
from engine.games.missile_command.explaining import explain, taken_back
from engine.games.missile_command.judging import candidates, violations
from engine.games.missile_command.notation import (
    Aim,
    Allow,
    Deflect,
    Discard,
    Expose,
    Intercept,
    Launch,
    Oppose,
    Pass,
    Pick,
    Place,
    Report,
    Reveal,
    Scramble,
    Sortie,
    Strike,
    Take,
    parse,
)
from engine.games.missile_command.playing import play
from engine.games.missile_command.reading import changes, is_as_before, is_possible, read, refreshed, sift
from engine.games.missile_command.results import CONTRADICTIONS, RESULTS, Result
from engine.games.missile_command.rules import RULES
from engine.games.missile_command.sealing import commitment, is_as_committed, opened, seal, sealed_text, visible_to
from engine.games.missile_command.settling import answers, chooser
from engine.games.missile_command.setup import Setup, declare, start, start_warnings
from engine.games.missile_command.state import State, outcome
from engine.games.missile_command.wording import in_words

__all__ = [
    "CONTRADICTIONS",
    "RESULTS",
    "RULES",
    "Aim",
    "Allow",
    "Battery",
    "Deflect",
    "Discard",
    "Executive",
    "Expose",
    "Fate",
    "Intercept",
    "Launch",
    "Oppose",
    "Options",
    "Pass",
    "Pick",
    "Place",
    "Player",
    "Position",
    "Report",
    "Result",
    "Reveal",
    "Scramble",
    "Setup",
    "Shield",
    "Side",
    "Silo",
    "Sortie",
    "State",
    "Strike",
    "Take",
    "answers",
    "candidates",
    "changes",
    "chooser",
    "commitment",
    "declare",
    "explain",
    "in_words",
    "is_as_before",
    "is_as_committed",
    "is_possible",
    "opened",
    "outcome",
    "parse",
    "play",
    "read",
    "refreshed",
    "seal",
    "sealed_text",
    "sift",
    "start",
    "start_warnings",
    "taken_back",
    "violations",
    "visible_to",
]
