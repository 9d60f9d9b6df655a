"""The options of every game as switches in plain language: what changes when one is on."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from engine.games import gran_prix, martian_mids, missile_command, ziggurat
from engine.games.ziggurat.towers import EQUIVALENTS
from webui.games.tabletop import Switch

_HOUSE = "house ruling"


def _switches(options: Any, *told: tuple[Any, ...]) -> tuple[Switch, ...]:
    """Each with its default, as the game has it."""
    defaults = {each.name: each.default for each in fields(options)}
    return tuple(
        Switch(name, label, text, source, defaults[name], *values) for name, label, text, source, *values in told
    )


_GAPS = (
    "gaps",
    "Photos may be missing",
    "Two events may lie between two photos: the umpire rules if exactly one pair of them fits, and asks rather than "
    "accuses. Off: every event is on a photo.",
    _HOUSE,
)

MARTIAN_MIDS = _switches(
    martian_mids.Options,
    (
        "cleave_room_first",
        "Cleaver: count the free squares first",
        "A cleaver first looks how many free squares lie around the Mid, and splits off at most so many parts. Off: it "
        "first asks whether the Mid has pyramids enough, and what finds no free square stays on.",
        f"V.2.A.ii, {_HOUSE} MM-5",
    ),
    (
        "missiles_spare_who_left",
        "Missiles miss a Mid that was pushed out of their square",
        "Where several missiles lie in a square and the first pushes the Mid out, the others stay where they are. Off: "
        "all that lay there hit the Mid that came in.",
        f"V.2.A.ii, {_HOUSE} MM-4",
    ),
    (
        "cards_each",
        "Mid Cards for each player",
        "How many Mid Cards everybody may play in a game; 0 is a game without them.",
        "VII.3.A",
        (3, 0, 1, 2, 4, 5),
    ),
    (
        "cards_may_be_alike",
        "A player may have the same Mid Card twice",
        "All have agreed that one hand may hold two of the same Mid Card. Off: each of a player's cards is another.",
        "VII.3.A",
    ),
    _GAPS,
)

MISSILE_COMMAND = _switches(
    missile_command.Options,
    (
        "basic_game",
        "Basic game: five kinds of missile",
        "Batteries hold black, white, blue, green and clear missiles only, for a first game. Off: all ten colours.",
        "The Basic Game",
    ),
    (
        "shared_stockpile",
        "Share one stockpile",
        "All pyramids lie in one pool, and players take one at a time until everybody has eight of each size. Off: "
        "everybody builds from an own stockpile.",
        "Shared Nuclear Stockpile",
    ),
    (
        "launch_detect",
        "Launch Detect: missiles take a round to arrive",
        "A launch names a player only. The missile strikes in its owner's next turn, and only then its silo is named.",
        "Launch Detect",
    ),
    (
        "peace_love_dove",
        "Peace, Love, Dove: kinder words",
        "The same rules, in which missiles are gestures, silos are walls and nobody is destroyed. The page speaks so.",
        "Peace Love Dove",
    ),
    (
        "mirv_by_the_table",
        "MIRV: no second target against drones and neutron bombs",
        "A MIRV that strikes a drone or a neutron bomb only destroys it, as the result table has it. Off: the text "
        "goes first, and it strikes a silo beside as well.",
        f"{_HOUSE} MC-2",
    ),
    (
        "abms_save_tokens",
        "ABMs may save exposed executives",
        "An ABM may meet a missile that is aimed at an executive who stands exposed. Off: it saves missiles only.",
        f"{_HOUSE} MC-12",
    ),
    _GAPS,
)

GRAN_PRIX = _switches(
    gran_prix.Options,
    (
        "first_crossing_is_free",
        "The first crossing of the line does not count",
        "Crossing the finish line just after the start takes no lap off, and reaching lap 0 wins. Off: every crossing "
        "takes one off, and completing lap 0 wins.",
        f"Movement - General, {_HOUSE} P-10",
    ),
    (
        "backwards_gives_lap_back",
        "Crossing the line backwards adds a lap",
        "A car that crosses the finish line against the race gets one lap more to drive. Off: it costs nothing.",
        f"{_HOUSE} P-10",
    ),
    (
        "back_on_track",
        "Put cars that left the track back on it",
        "After its spin a car that left the track is laid on the nearest edge. Off: it stays there and drives back.",
        f"Overview, {_HOUSE} P-1",
    ),
    _GAPS,
)

ZIGGURAT = _switches(
    ziggurat.Options,
    (
        "extended_deck",
        "Extended deck: Pawns, Courts and the Excuse",
        "Nine more cards: Pawns strike one pip and Courts two, and are never played in defence; the Excuse blocks like "
        "any Ace, or beside an attack makes it one that nobody can block.",
        "Variants",
    ),
    (
        "colours",
        "Pyramids that you play with",
        "Rainbow are red, yellow, green, blue and black. Xeno are orange, clear, purple, blue or cyan, and white; with "
        "'clear wild' it is the clear towers that stand in for others.",
        "You Will Need",
        tuple(EQUIVALENTS),
    ),
    (
        "fresh_change",
        "Change is not a piece that was just removed",
        "What has just been taken off the tower may not come straight back as change. Off: it is in the scrapyard and "
        "may.",
        f"Doing damage, {_HOUSE} ZDT-2",
    ),
    (
        "draw_only_when_short",
        "Nobody draws with five cards in hand",
        "Drawing takes a hand of four cards or fewer. Off: with five one may draw nothing, and the turn is over.",
        f"Game play, {_HOUSE} ZDT-9",
    ),
    (
        "exhausted_when_needed",
        "The pile runs out when a card is wanted and none is there",
        "Attrition comes when somebody cannot draw up to five. Off: it comes the moment the last card is taken.",
        f"Game play, {_HOUSE} ZDT-10",
    ),
    _GAPS,
)
