"""Martian Mids: giant robots, stacks of upright pyramids, on a chessboard.

So far the umpire rules on initiative, turn order and moves. Shooting, attacking and everything that a missile does is
recognised as such and left to the players: `explain` says that it is beyond it. Rule sections are the fifth draft's.
Squares are written as on a chessboard: a1 bottom left, h8 top right. Directions go by the compass, north up the board.
"""

from __future__ import annotations

from engine.games.martian_mids.explaining import explain
from engine.games.martian_mids.judging import candidates, violations
from engine.games.martian_mids.notation import Move, parse
from engine.games.martian_mids.playing import play
from engine.games.martian_mids.reading import changes, is_as_before, is_possible, read, refreshed, sift
from engine.games.martian_mids.rules import NOT_THROUGH, RULES
from engine.games.martian_mids.setup import Setup, declare, declared_warnings, start, start_warnings
from engine.games.martian_mids.state import Mid, Missile, Options, Player, Position, State, outcome
from engine.games.squares import BOARD, COMPASS, Square

__all__ = [
    "BOARD",
    "COMPASS",
    "NOT_THROUGH",
    "RULES",
    "Mid",
    "Missile",
    "Move",
    "Options",
    "Player",
    "Position",
    "Setup",
    "Square",
    "State",
    "candidates",
    "changes",
    "declare",
    "declared_warnings",
    "explain",
    "is_as_before",
    "is_possible",
    "outcome",
    "parse",
    "play",
    "read",
    "refreshed",
    "sift",
    "start",
    "start_warnings",
    "violations",
]
