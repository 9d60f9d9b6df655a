"""The rules of Martian Mids in our own words, each with its section of the fifth draft."""

from __future__ import annotations

from engine.rules import Rule

TURN_ORDER = Rule("turn-order", "In each round every player acts once, in the order of initiative.", "V.1, V.2")
GAME_OVER = Rule("game-is-over", "The game ends when at most one player owns Mids, or all owners call it drawn.", "VI")
SETTLE_FIRST = Rule("settle-first", "What a hit leaves to be chosen is chosen before anything else.", "V.2.A.ii")
A_MID_ACTS = Rule("a-mid-acts", "Only a Mid on the board can move, shoot or attack.", "V.2")

STRAIGHT = Rule("straight-line", "A Mid moves in one straight line, along a rank, a file or a diagonal.", "V.2.B")
DISTANCE = Rule("move-distance", "A Mid moves at most as many squares as it has pyramids.", "V.2.B")
NOT_ZERO = Rule("not-zero", "A move goes at least one square.", "V.2.B")
ON_THE_BOARD = Rule("stay-on-board", "A Mid cannot move off the board.", "V.2.B")
NOT_THROUGH = Rule(
    "not-through-mids", "A moving Mid stops before another Mid: it neither enters nor jumps it.", "house ruling"
)
STOP_AT_MISSILE = Rule(
    "stop-at-missile", "A moving Mid stops in the first square where a missile lies, and is hit.", "house ruling"
)

SHOOT_TOP = Rule("shoot-the-top", "The missile is made of the top pyramid of the Mid that shoots.", "V.2.A.i")
SHOOT_ADJACENT = Rule("shoot-adjacent", "A new missile is laid in one of the squares around the Mid.", "V.2.A.i")
ATTACK_A_MID = Rule("attack-a-mid", "An attack is made on another Mid.", "V.2.C")
ATTACK_ADJACENT = Rule("attack-adjacent", "A Mid attacks only what stands in a square next to it.", "V.2.C")

SPLIT_OWED = Rule("split-owed", "A Mid is split only as often as a cleaver that hit it says.", "V.2.A.ii")
SPLIT_COUNT = Rule(
    "split-count", "A split takes pyramids off the top and leaves enough for the splits after it.", "V.2.A.ii"
)
SPLIT_ADJACENT = Rule("split-adjacent", "What is split off goes to a square next to the rest.", "V.2.A.ii")
SPLIT_FREE = Rule("split-free", "What is split off goes where no Mid stands.", "V.2.A.ii")
STRIKE_ORDER = Rule(
    "strike-order",
    "Missiles that a Mid meets hit in the order of initiative; their owner orders those of one player.",
    "V.2.A.ii",
)

FLIGHT_TIME = Rule("flight-time", "Missiles move when every player has taken the turn of the round.", "V.3")
FLIGHT_ONCE = Rule("flight-once", "Each missile on the board moves once a round.", "V.3")
FLIGHT_ORDER = Rule("flight-order", "Missiles move in the order of initiative of their owners.", "V.3")
FLIGHT_WAY = Rule(
    "flight-way", "A missile moves as many squares as it has pips, straight on, until it meets a Mid.", "V.3"
)
HANDS_OFF = Rule("hands-off", "Only what an action names may change on the board.", "house ruling")

RULES = (
    *(TURN_ORDER, GAME_OVER, SETTLE_FIRST, A_MID_ACTS),
    *(STRAIGHT, DISTANCE, NOT_ZERO, ON_THE_BOARD, NOT_THROUGH, STOP_AT_MISSILE),
    *(SHOOT_TOP, SHOOT_ADJACENT, ATTACK_A_MID, ATTACK_ADJACENT),
    *(SPLIT_OWED, SPLIT_COUNT, SPLIT_ADJACENT, SPLIT_FREE, STRIKE_ORDER),
    *(FLIGHT_TIME, FLIGHT_ONCE, FLIGHT_ORDER, FLIGHT_WAY, HANDS_OFF),
)
