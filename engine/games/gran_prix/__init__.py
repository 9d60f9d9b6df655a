"""Pyramid Gran Prix: cars are lying pyramids that go round a track, a car length a move, a facet a turn.

Rule sections are the page's headings; it breaks off inside 'Leaving the Track', and house rulings complete it (P-1 and
so on). Places are millimetres in the frame of the track; headings are degrees, counter-clockwise from its x axis.
"""

from __future__ import annotations

from engine.games.gran_prix.declaring import declare
from engine.games.gran_prix.dice import Dice, commitment, throw, unfair
from engine.games.gran_prix.explaining import explain
from engine.games.gran_prix.geometry import Point, footprint, tip
from engine.games.gran_prix.grid import Qualifying, pole_by_dice, pole_by_laps, starting_grid
from engine.games.gran_prix.judging import candidates, violations
from engine.games.gran_prix.notation import STEPS, Adjust, Drive, Obstacles, Roll, Spin, Turn, parse
from engine.games.gran_prix.playing import play, taken_back
from engine.games.gran_prix.reading import changes, is_as_before, is_possible, read, refreshed, sift
from engine.games.gran_prix.rules import RULES
from engine.games.gran_prix.setup import Player, Setup, begun, has_gates_to_see, seen_gates, start, start_warnings
from engine.games.gran_prix.state import Car, Options, Piece, Position, State, outcome, places, visible_to
from engine.games.gran_prix.status import Next, Row, StatusMat, next_up, status_mat
from engine.games.gran_prix.tolerance import Tolerance
from engine.games.gran_prix.track import SheetPlace, Tile, Track, TrackError, joined

__all__ = [
    "RULES",
    "STEPS",
    "Adjust",
    "Car",
    "Dice",
    "Drive",
    "Next",
    "Obstacles",
    "Options",
    "Piece",
    "Player",
    "Point",
    "Position",
    "Qualifying",
    "Roll",
    "Row",
    "Setup",
    "SheetPlace",
    "Spin",
    "State",
    "StatusMat",
    "Tile",
    "Tolerance",
    "Track",
    "TrackError",
    "Turn",
    "begun",
    "candidates",
    "changes",
    "commitment",
    "declare",
    "explain",
    "footprint",
    "has_gates_to_see",
    "is_as_before",
    "is_possible",
    "joined",
    "next_up",
    "outcome",
    "parse",
    "places",
    "play",
    "pole_by_dice",
    "pole_by_laps",
    "read",
    "refreshed",
    "seen_gates",
    "sift",
    "start",
    "start_warnings",
    "starting_grid",
    "status_mat",
    "taken_back",
    "throw",
    "tip",
    "unfair",
    "violations",
    "visible_to",
]
