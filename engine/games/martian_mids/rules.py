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

CARDS_THREE = Rule("three-cards", "Each player has three Mid Cards, or as many as all agreed on.", "VII.3.A")
CARDS_DIFFER = Rule("cards-differ", "No player has the same Mid Card twice, unless all agreed on that.", "VII.3.A")
CARD_IN_HAND = Rule(
    "card-in-hand", "Only a card of one's own hand is played, and a discarded one never again.", "VII.4"
)
CARD_TURN = Rule(
    "card-on-own-turn", "A Mid Card is played in one's own turn only, before or after its action.", "VII.4"
)

PREPARE_IN_ORDER = Rule(
    "prepare-in-order", "Cards are drafted, then pyramids; then Mids are built, and then placed.", "II, III, IV, VII.3"
)
DRAFT_TURN = Rule("draft-turn", "A draft goes clockwise, one piece each; who has enough is left out.", "II.1, VII.3.A")
DRAFT_POOL = Rule("draft-pool", "Only what still lies there is taken, and only what one has is given back.", "II.1")
THIRTY_PIPS = Rule("thirty-pips", "A player's pyramids add up to exactly 30 pips, so none is taken beyond.", "II")
CHANGE_FORCED = Rule(
    "change-when-forced", "Change is made only when every pyramid that is left would exceed 30 pips.", "II.1"
)
CHANGE_MADE = Rule(
    "change-to-thirty",
    "Change gives one or two pyramids for one and makes 30 pips; where none does, for one or two that come closer.",
    "II.1",
)
ONE_STASH = Rule("one-stash", "With no draft a player has at most five of each size and colour.", "house ruling")
BUILD_ALL = Rule("build-all", "Mids are built of all the pyramids that a player has, and of no others.", "III.2")
NOT_ON_SMALLER = Rule("not-on-smaller", "No pyramid stands on a smaller one.", "III.2")
PLACE_TURN = Rule("placing-order", "Who has most Mids places one first, then the next, and so on in turns.", "IV")
PLACE_BUILT = Rule("place-what-is-built", "A player places Mids as they were built.", "IV")
PLACE_FREE = Rule("one-mid-a-square", "A square holds one Mid: a Mid is placed on a free square if there is one.", "IV")
PLACE_ON_OWN = Rule(
    "full-board", "On a full board a Mid goes on top of an own one; one that fits on none is discarded.", "IV"
)
DIE_FOR_TIES = Rule("die-for-ties", "Players who tie roll a die, each once; the higher comes first.", "IV, V.1")

RULES = (
    *(CARDS_THREE, CARDS_DIFFER, CARD_IN_HAND, CARD_TURN),
    *(PREPARE_IN_ORDER, DRAFT_TURN, DRAFT_POOL, THIRTY_PIPS, CHANGE_FORCED, CHANGE_MADE, ONE_STASH),
    *(BUILD_ALL, NOT_ON_SMALLER, PLACE_TURN, PLACE_BUILT, PLACE_FREE, PLACE_ON_OWN, DIE_FOR_TIES),
    *(TURN_ORDER, GAME_OVER, SETTLE_FIRST, A_MID_ACTS),
    *(STRAIGHT, DISTANCE, NOT_ZERO, ON_THE_BOARD, NOT_THROUGH, STOP_AT_MISSILE),
    *(SHOOT_TOP, SHOOT_ADJACENT, ATTACK_A_MID, ATTACK_ADJACENT),
    *(SPLIT_OWED, SPLIT_COUNT, SPLIT_ADJACENT, SPLIT_FREE, STRIKE_ORDER),
    *(FLIGHT_TIME, FLIGHT_ONCE, FLIGHT_ORDER, FLIGHT_WAY, HANDS_OFF),
)
