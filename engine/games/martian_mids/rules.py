"""The rules of Martian Mids in our own words, each with its section of the fifth draft."""

from __future__ import annotations

from engine.rules import Rule

TURN_ORDER = Rule("turn-order", "In each round every player acts once, in the order of initiative.", "V.1, V.2")
A_MID_ACTS = Rule("a-mid-acts", "Only a Mid on the board can move.", "V.2")
STRAIGHT = Rule("straight-line", "A Mid moves in one straight line, along a rank, a file or a diagonal.", "V.2.B")
DISTANCE = Rule("move-distance", "A Mid moves at most as many squares as it has pyramids.", "V.2.B")
NOT_ZERO = Rule("not-zero", "A move goes at least one square.", "V.2.B")
ON_THE_BOARD = Rule("stay-on-board", "A Mid cannot move off the board.", "V.2.B")
NOT_THROUGH = Rule(
    "not-through-mids", "A moving Mid stops before another Mid: it neither enters nor jumps it.", "house ruling"
)
HANDS_OFF = Rule("hands-off", "Only what an action names may change on the board.", "house ruling")

RULES = (TURN_ORDER, A_MID_ACTS, STRAIGHT, DISTANCE, NOT_ZERO, ON_THE_BOARD, NOT_THROUGH, HANDS_OFF)
