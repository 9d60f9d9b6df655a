"""The rules of Ziggurat Demolition Throwdown in our own words, each with its section of the page."""

from __future__ import annotations

from engine.rules import Rule

HOUSE = "house ruling"

TURN_ORDER = Rule("turn-order", "Wizards take turns clockwise, one action a turn: attack, draw or remodel.", "Set up")
GAME_OVER = Rule("battle-is-over", "The battle is over when at most one player has towers.", "The battle ends")
IN_THE_GAME = Rule("has-towers", "Who has no tower left is out of the game.", "The battle ends")
SETTLE_FIRST = Rule("settle-first", "A defence, change and attrition come before anything else.", HOUSE)

CARD_OF_DECK = Rule("card-of-deck", "Only cards of the deck in use are played.", "Set up")
CARD_IN_HAND = Rule("card-in-hand", "A card is played from the own hand.", "Game play")
CARD_ONCE = Rule("card-discarded", "A discarded card is not played again before the next shuffle.", "Set up")
FIVE_CARDS = Rule("five-cards", "A hand holds five cards, and only a turn spent on drawing fills it.", "Game play")

ATTACK_CARD = Rule("attack-card", "An attack is made with one card that has a rank.", "Attacking")
ATTACK_TOWER = Rule(
    "tower-required",
    "An attack of one pip needs a red tower, one of two a blue and one of three a yellow; or a green one stands in.",
    "Attacking",
)
ATTACK_OTHER = Rule("attack-an-opponent", "An attack goes against an opponent's tower.", "Attacking")
TARGET_THERE = Rule("target-stands", "Only a tower that stands can be attacked.", "Attacking")
TARGET_SUIT = Rule(
    "target-by-suit",
    "Moons attack black, Suns and Leaves red, Waves blue, Wyrms green and Knots yellow towers.",
    "Attacking",
)
GREEN_OWN = Rule("own-green-tower", "What stands in for a missing colour is an own green tower.", "Green towers")
GREEN_LACKING = Rule(
    "green-for-lacking", "A green tower stands in only for a colour that one has no tower of.", "Green towers"
)
BOOST = Rule("excuse-beside-attack", "Only the Excuse is played beside an attack card.", "Variants")

DEFEND_OWED = Rule("defence-owed", "Only who is being attacked defends, once.", "Defending")
DEFEND_TOWER = Rule("defence-tower", "A defence needs a black tower, or a green one that stands in.", "Defending")
DEFEND_CARDS = Rule(
    "defence-cards",
    "A defence is an Ace with a suit that matches the tower, or cards that add up to exactly the attack's rank.",
    "Defending",
)
DEFEND_NEVER = Rule("never-in-defence", "Pawns and Courts are not played in defence.", "Variants")
UNBLOCKABLE = Rule("no-defence", "There is no defence against an attack that came with the Excuse.", "Variants")

DAMAGE = Rule(
    "damage-by-strength",
    "A damaged tower loses exactly the pips of the damage, from the top, with change made where it is needed.",
    "Doing damage",
)
CHANGE_OWED = Rule("change-owed", "Change is made only where damage leaves part of a pyramid over.", "Doing damage")
CHANGE_SIZE = Rule("change-size", "Change is one pyramid of the pips that are left over.", "Doing damage")
CHANGE_SCRAP = Rule("change-from-scrapyard", "Change comes from the scrapyard.", "Doing damage")
CHANGE_MADE = Rule("change-is-made", "Only who pays with a green tower may go without change.", "Green towers")

DRAW_SHORT = Rule("draw-when-short", "Who holds five cards does not draw.", HOUSE)
REMODEL_THREE = Rule("remodel-three", "A remodelling costs three cards from the hand.", "Game play")
REMODEL_OWN = Rule("remodel-own", "One remodels the top of an own tower.", "Game play")
REMODEL_SIZE = Rule("remodel-same-size", "A remodelled top keeps its size.", "Game play")
REMODEL_SCRAP = Rule("remodel-from-scrapyard", "The new top comes from the scrapyard.", "Game play")

ATTRITION_OWED = Rule("attrition-owed", "Attrition comes once to each player when the draw pile runs out.", "Game play")
ATTRITION_OWN = Rule("attrition-own", "Attrition takes one pip from an own tower.", "Game play")
HANDS_OFF = Rule("hands-off", "Only what an action names may change on the table.", HOUSE)

RULES = (
    *(TURN_ORDER, GAME_OVER, IN_THE_GAME, SETTLE_FIRST),
    *(CARD_OF_DECK, CARD_IN_HAND, CARD_ONCE, FIVE_CARDS),
    *(ATTACK_CARD, ATTACK_TOWER, ATTACK_OTHER, TARGET_THERE, TARGET_SUIT, GREEN_OWN, GREEN_LACKING, BOOST),
    *(DEFEND_OWED, DEFEND_TOWER, DEFEND_CARDS, DEFEND_NEVER, UNBLOCKABLE),
    *(DAMAGE, CHANGE_OWED, CHANGE_SIZE, CHANGE_SCRAP, CHANGE_MADE),
    *(DRAW_SHORT, REMODEL_THREE, REMODEL_OWN, REMODEL_SIZE, REMODEL_SCRAP),
    *(ATTRITION_OWED, ATTRITION_OWN, HANDS_OFF),
)
