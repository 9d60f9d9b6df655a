"""The rules of Pyramid Gran Prix in our own words, each with its section of the page.

The page breaks off inside 'Leaving the Track'; what is missing is settled by house rulings.
"""

from __future__ import annotations

from engine.rules import Rule

HOUSE = "house ruling"

A_CAR = Rule("a-car-of-the-race", "Only cars of this race move, turn, spin and roll.", "You Will Need")
RACE_OVER = Rule("race-is-over", "The race ends when a car completes lap 0.", "Movement - General")
SETTLE_FIRST = Rule("settle-first", "A spin out, and the roll after a crash, come before anything else.", HOUSE)

MOVE_ORDER = Rule("pylon-order", "In every phase cars move in the order of the leader pylon.", "Movement - General")
MOVE_ONCE = Rule("move-once", "A car moves once a phase.", "Movement - General")
MOVE_BY_SPEED = Rule(
    "move-by-speed",
    "Cars that are not stopped move in phase 1, those at speed 2 or 3 in phase 2, those at speed 3 in phase 3.",
    "Movement - General",
)
MUST_MOVE = Rule("must-move", "A car that may move in a phase has to.", "Movement - General")
ONE_LENGTH = Rule("one-length", "A move goes one car length straight on.", "Movement - General")

TURN_AFTER_MOVE = Rule(
    "turn-after-move",
    "A car turns only right after its move of the same phase; turns are not saved.",
    "Movement - General",
)
TURN_ONCE = Rule("turn-once", "A turn rolls the car over one side, once a phase.", "Movement - General")
TURN_BY_GEAR = Rule(
    "turn-by-gear",
    "In phase 2 third gear, and in phase 3 second and third gear, turn only by a driver check of 7 or more.",
    "Movement - Improved Turning",
)
DICE = Rule("two-dice", "A roll is two dice of six sides each.", "You Will Need")
CHECK_FOR_NEED = Rule(
    "check-for-need", "A driver check is rolled once, for something that is not allowed without it.", HOUSE
)

BUMPED = Rule("bump", "A car that lies where another one has to is pushed aside and spins out.", HOUSE)
LEFT_TRACK = Rule("leaving-the-track", "A car spins out when its middle comes off the track.", "Overview")
INTO_WALL = Rule("wall", "A car that touches a wall crashes.", "Walls")
SPIN_OWED = Rule("spin-owed", "Only a car that spins out is spun.", "The Spin Out")

ADJUST_ONCE = Rule("adjust-once", "A driver adjusts once a round, after the third phase.", "Game Play")
ADJUST_STEPS = Rule(
    "adjust-steps", "A driver goes one speed up or down, two by a driver check of 7 or more.", "Overview"
)
CRASH_WAIT = Rule("crash-wait", "A crashed car stays at speed 0 for as many phases as its roll.", "The Crash")
START_CHECK = Rule(
    "standing-start", "In a standing start a driver needs a roll of 7 or more to get going.", "Starting Methods"
)
HANDS_OFF = Rule("hands-off", "Only the car whose turn it is may be touched.", HOUSE)

RULES = (
    *(A_CAR, RACE_OVER, SETTLE_FIRST),
    *(MOVE_ORDER, MOVE_ONCE, MOVE_BY_SPEED, MUST_MOVE, ONE_LENGTH),
    *(TURN_AFTER_MOVE, TURN_ONCE, TURN_BY_GEAR, DICE, CHECK_FOR_NEED),
    *(BUMPED, LEFT_TRACK, INTO_WALL, SPIN_OWED),
    *(ADJUST_ONCE, ADJUST_STEPS, CRASH_WAIT, START_CHECK, HANDS_OFF),
)
