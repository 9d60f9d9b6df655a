"""Martian Mids: giant robots, stacks of upright pyramids, on a chessboard.

Mids move, shoot parts of themselves as missiles and attack; missiles move at the end of each round. Rule sections are
the fifth draft's; where it is silent or can be read in two ways, house rulings settle it (MM-1 and so on).
Squares are written as on a chessboard: a1 bottom left, h8 top right. Directions go by the compass, north up the board.
"""

from __future__ import annotations

from engine.games.martian_mids.explaining import explain, taken_back
from engine.games.martian_mids.judging import candidates, violations
from engine.games.martian_mids.notation import Attack, Fly, Move, Shoot, Split, Strike, parse
from engine.games.martian_mids.playing import choosers, play
from engine.games.martian_mids.preparing import Preparation, outcome, prepare, visible_to
from engine.games.martian_mids.preparing_notation import (
    Build,
    Choose,
    Discard,
    Pick,
    Place,
    PlayCard,
    Roll,
    Take,
    Trade,
)
from engine.games.martian_mids.reading import changes, is_as_before, is_possible, read, refreshed, sift
from engine.games.martian_mids.rules import NOT_THROUGH, RULES
from engine.games.martian_mids.setup import Setup, declare, declared_warnings, start, start_warnings
from engine.games.martian_mids.state import Beads, Mid, Missile, Options, Player, Position, State
from engine.games.squares import BOARD, COMPASS, Square

__all__ = [
    "BOARD",
    "COMPASS",
    "NOT_THROUGH",
    "RULES",
    "Attack",
    "Beads",
    "Build",
    "Choose",
    "Discard",
    "Fly",
    "Mid",
    "Missile",
    "Move",
    "Options",
    "Pick",
    "Place",
    "PlayCard",
    "Player",
    "Position",
    "Preparation",
    "Roll",
    "Setup",
    "Shoot",
    "Split",
    "Square",
    "State",
    "Strike",
    "Take",
    "Trade",
    "candidates",
    "changes",
    "choosers",
    "declare",
    "declared_warnings",
    "explain",
    "is_as_before",
    "is_possible",
    "outcome",
    "parse",
    "play",
    "prepare",
    "read",
    "refreshed",
    "sift",
    "start",
    "start_warnings",
    "taken_back",
    "violations",
    "visible_to",
]
