"""The rules of Missile Command in our own words, each with its section of the rulebook."""

from __future__ import annotations

from engine.rules import Rule

TURN_ORDER = Rule("turn-order", "Players launch in turn, clockwise.", "Game Play")
GAME_OVER = Rule("game-is-over", "The game ends with one President left, or with all those left exposed.", "Winning")
SETTLE_FIRST = Rule("settle-first", "What a launch leaves to be chosen is chosen before anything else.", "Game Play")
IN_THE_GAME = Rule("in-the-game", "Only players who still have their President play.", "Exposing Executive Tokens")

LAUNCH_TOP = Rule("launch-the-top", "What is launched is the top missile of a silo.", "Missile Launch")
NOT_LAUNCHED = Rule(
    "scramble-not-launch", "A SAC unit is scrambled into the air wing; it is not launched.", "Air War Rules"
)
SCRAMBLE_SAC = Rule("scramble-a-sac", "Only SAC units are scrambled.", "Air War Rules")
ABM_NEVER = Rule("abm-never-attacks", "An ABM never attacks.", "Anti Ballistic Missile")
DISCARD_ABM = Rule(
    "discard-an-abm",
    "An ABM is discarded only if all of a player's exposed missiles are ABMs.",
    "Anti Ballistic Missile",
)
MUST_LAUNCH = Rule(
    "must-launch", "A player who can launch, scramble or discard does so; only who cannot passes.", "Missile Launch"
)

NOT_OWN = Rule("not-your-own", "Nobody targets the own battery.", "Missile Launch")
TARGET_THERE = Rule(
    "target-exposed", "A target is the exposed missile of a silo, or an exposed executive.", "Missile Launch"
)
STAR_WARS = Rule(
    "star-wars",
    "Nobody aims at, probes, deflects to or flies a sortie against a player whose defence system is up.",
    "The Star Wars Missile Defense System",
)

INTERCEPT_ABM = Rule("intercept-with-abm", "Only an exposed ABM meets a missile on its way.", "Interception Rules")
INTERCEPT_OTHER = Rule(
    "intercept-for-another",
    "An ABM meets a missile that is aimed at another silo of the same battery.",
    "Anti Ballistic Missile",
)
INTERCEPT_WHAT = Rule(
    "nothing-to-intercept",
    "Cruise missiles and SAC units are not intercepted, and only missiles on their way are.",
    "Interception Rules",
)
DEFLECT_OWED = Rule("deflect-owed", "Only a player whose SBAM was hit by a missile deflects it.", "Deflection Rules")
DEFLECT_OTHER = Rule("deflect-to-another", "A missile is deflected to another player in the game.", "Deflection Rules")
DEFLECT_BACK = Rule(
    "not-straight-back",
    "Who is the first to deflect a missile does not send it back to the attacker.",
    "Space-Borne Anti-Missile System",
)
TAKE_OWED = Rule("take-owed", "Only a player who is struck names a silo.", "Missiles")
TAKE_OWN = Rule(
    "take-your-own",
    "A player who is struck names an own silo that has something to hit and is not being hit already.",
    "house ruling",
)
TAKE_BESIDE = Rule(
    "take-beside", "The MIRV's second target is next to its first.", "Multiple Independent Re-entry Vehicle"
)

SORTIE_UNITS = Rule("sortie-units", "A sortie is flown by units of the own air wing.", "Sorties")
SORTIE_FIRST = Rule("sortie-first", "A sortie is flown before the launch, once a turn.", "Sorties")
SORTIE_ONE_PLAYER = Rule("sortie-one-player", "A sortie attacks one enemy player.", "Sorties")
SORTIE_ONCE_EACH = Rule("sortie-once-each", "No silo is the target of two units of a sortie.", "Sorties")
OPPOSE_UNITS = Rule(
    "oppose-units", "Each unit of the defender's air wing meets one attacking unit, each another.", "Sorties"
)

REPORT_OWED = Rule("report-owed", "Only a player who was probed reports.", "RPV Drones")
REPORT_TRULY = Rule(
    "report-truly",
    "The report is the DEFCON level of an executive that no drone covers, five or less; otherwise there is none.",
    "RPV Drones",
)
REVEAL_SEALED = Rule(
    "as-sealed", "A silo holds what was sealed in it, and executives stand where they were put.", "Game Setup"
)
RULE_OF_FOUR = Rule("rule-of-four", "No battery has more than four pyramids of the same colour and size.", "Game Setup")
STOCKPILE = Rule("stockpile", "A battery is built of what its stockpile holds.", "Game Setup")
EXPOSE_TRULY = Rule(
    "expose-truly", "An executive is exposed where all missiles over it are gone.", "Exposing Executive Tokens"
)

STRIKE_DUE = Rule(
    "strike-due", "A missile strikes in its owner's next turn, after any sortie and before the launch.", "Launch Detect"
)
DETECT_ONE_PLAYER = Rule(
    "detect-one-player", "A launch names a player; the silo is named when the missile strikes.", "Launch Detect"
)
PICK_POOL = Rule("pick-from-pool", "A pyramid is taken from what is left of the pool.", "Shared Nuclear Stockpile")
PICK_TURN = Rule("pick-in-turn", "Players take one pyramid each in turn until all have 24.", "Shared Nuclear Stockpile")
PICK_EIGHT = Rule("pick-eight", "A player takes eight pyramids of each size.", "Shared Nuclear Stockpile")

HANDS_OFF = Rule("hands-off", "Only what a launch names may change on the table.", "house ruling")

RULES = (
    *(TURN_ORDER, GAME_OVER, SETTLE_FIRST, IN_THE_GAME),
    *(LAUNCH_TOP, NOT_LAUNCHED, SCRAMBLE_SAC, ABM_NEVER, DISCARD_ABM, MUST_LAUNCH),
    *(NOT_OWN, TARGET_THERE, STAR_WARS),
    *(INTERCEPT_ABM, INTERCEPT_OTHER, INTERCEPT_WHAT, DEFLECT_OWED, DEFLECT_OTHER, DEFLECT_BACK),
    *(TAKE_OWED, TAKE_OWN, TAKE_BESIDE),
    *(SORTIE_UNITS, SORTIE_FIRST, SORTIE_ONE_PLAYER, SORTIE_ONCE_EACH, OPPOSE_UNITS),
    *(REPORT_OWED, REPORT_TRULY, REVEAL_SEALED, RULE_OF_FOUR, STOCKPILE, EXPOSE_TRULY),
    *(STRIKE_DUE, DETECT_ONE_PLAYER, PICK_POOL, PICK_TURN, PICK_EIGHT, HANDS_OFF),
)
