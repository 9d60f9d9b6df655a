"""Ziggurat Demolition Throwdown: wizards take each other's towers apart with cards of the Decktet.

Rule sections are the page's headings; where it is silent or can be read in two ways, house rulings settle it (ZDT-1 and
so on). A tower's place is its player's number, a stroke and its own number: 2/3. What lies in the scrapyard are all
pyramids of the game that are in no tower. Hands and the deck are secret: `visible_to` is the only way out to a page.
"""

from __future__ import annotations

from engine.games.ziggurat.battling import is_defence, possible_cards
from engine.games.ziggurat.cards import BASIC, EXTENDED, Card, Suit, suits_at_each_rank
from engine.games.ziggurat.dealing import SEED_LENGTH, Deck, commitment, is_as_committed, shuffled
from engine.games.ziggurat.explaining import explain
from engine.games.ziggurat.judging import violations
from engine.games.ziggurat.notation import (
    Allow,
    Attack,
    Change,
    Defend,
    Draw,
    Place,
    Remodel,
    Suffer,
    Tell,
    is_announced,
    parse,
)
from engine.games.ziggurat.offering import candidates, completions
from engine.games.ziggurat.playing import play, taken_back
from engine.games.ziggurat.reading import changes, is_as_before, is_possible, read, refreshed, sift
from engine.games.ziggurat.rules import RULES
from engine.games.ziggurat.setup import Setup, declare, new_game, start, start_warnings
from engine.games.ziggurat.state import Options, Player, Position, State, begun, outcome, visible_to
from engine.games.ziggurat.towers import REACHABLE, Tower, colour_of, damaged, in_words, pips_of, tower_words

__all__ = [
    "BASIC",
    "EXTENDED",
    "REACHABLE",
    "RULES",
    "SEED_LENGTH",
    "Allow",
    "Attack",
    "Card",
    "Change",
    "Deck",
    "Defend",
    "Draw",
    "Options",
    "Place",
    "Player",
    "Position",
    "Remodel",
    "Setup",
    "State",
    "Suffer",
    "Suit",
    "Tell",
    "Tower",
    "begun",
    "candidates",
    "changes",
    "colour_of",
    "commitment",
    "completions",
    "damaged",
    "declare",
    "explain",
    "in_words",
    "is_announced",
    "is_as_before",
    "is_as_committed",
    "is_defence",
    "is_possible",
    "new_game",
    "outcome",
    "parse",
    "pips_of",
    "play",
    "possible_cards",
    "read",
    "refreshed",
    "shuffled",
    "sift",
    "start",
    "start_warnings",
    "suits_at_each_rank",
    "taken_back",
    "tower_words",
    "violations",
    "visible_to",
]
