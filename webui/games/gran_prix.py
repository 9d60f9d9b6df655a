"""Pyramid Gran Prix on the page: its tracks, its words, its turns and its drawing."""

from __future__ import annotations

import math
import re
import secrets
from dataclasses import replace
from typing import Any, cast

from markupsafe import Markup

from calibration.sheets import Point, Sheet, load_layouts, load_sheets
from engine.errors import InvalidSetup
from engine.game import Game, Touch
from engine.games import gran_prix
from engine.games.gran_prix import (
    STEPS,
    Adjust,
    Drive,
    Obstacles,
    Roll,
    Row,
    Setup,
    SheetPlace,
    Spin,
    State,
    Tile,
    Track,
    TrackError,
    joined,
    next_up,
    status_mat,
)
from engine.games.gran_prix import Turn as CarTurn
from engine.match import Match
from engine.table import Colour, Pose, Scene
from webui.games.choices import take
from webui.games.choices.gran_prix import choices as choices
from webui.games.mats.gran_prix import PURPOSES
from webui.games.mats.gran_prix import mat as mat
from webui.games.switches import GRAN_PRIX
from webui.games.tabletop import Standing, Start, ToLay, Turn
from webui.racetrack import numbered, track_svg
from webui.tracks import kept_track

NAME, TITLE = "pyramid-gran-prix", "Pyramid Gran Prix"
LAYOUTS = ("track-oval", "track-tiles-4", "track-tiles-6", "track-tiles-8", "corner-cards")
GAME = cast(Game, gran_prix)  # a module is a Game; mypy finds its constants too narrow
SWITCHES = GRAN_PRIX
_CAR_AT = re.compile(r"(?P<car>.+) at (?P<x>-?\d{1,6}(?:\.\d+)?) (?P<y>-?\d{1,6}(?:\.\d+)?) \S+")  # as a Touch tells it
_SHIFTED_MM = 2.0  # less is told as a turn: nobody sees it
ANY_TRACK = LAYOUTS[0]  # for checking a game.json before a photo shows which sheets are used


def setup(doc: dict[str, Any]) -> dict[str, Any]:
    """The checked game.json: the first photo shows which track it means. Raises InvalidSetup."""
    Setup.from_json(doc, printed_track(ANY_TRACK))
    return doc


def start(setup: dict[str, Any], scene: Scene, layout: str) -> Start:
    printed, odd = printed_track(layout), tuple[str, ...]()
    if gran_prix.has_gates_to_see(setup.get("track")):
        printed, odd = gran_prix.seen_gates(setup, scene, _places_of_gates(layout, scene))
    if printed is None and "track" not in setup:
        raise InvalidSetup("track", "the lines or gates of the track, since these mats have none", None)
    checked = Setup.from_json(setup, printed)
    if not checked.track.sheets:
        checked = replace(checked, track=replace(checked.track, sheets=_places(layout)))
    state = gran_prix.start(checked, scene)
    return Start(state, (*odd, *gran_prix.start_warnings(state)))


def declare(match: Match, declaration: Any) -> None:
    take(GAME, match, declaration)


# Tracks.


def printed_track(layout: str) -> Track | None:
    """The track that the sheets of a layout make; None where nothing is printed on them."""
    sheets = {place.sheet: load_sheets()[place.sheet] for place in _places(layout)}
    tracks = {name: _zone(sheet, "track-outer") for name, sheet in sheets.items()}
    tracks = {name: outer for name, outer in tracks.items() if outer}
    if not tracks:
        return None
    if len(tracks) == 1:
        sheet = next(iter(sheets.values()))
        finish = _zone(sheet, "finish-line")
        outer, inner = _zone(sheet, "track-outer"), _zone(sheet, "track-inner")
        return Track(outer, inner, (finish[0], finish[1]), sheets=_places(layout))
    return _tiled(layout, sheets)


def _tiled(layout: str, sheets: dict[str, Sheet]) -> Track:
    """The ring of tiles; where no tile has a finish line, it is the first tile's end."""
    tiles, finish = [], None
    for place in _places(layout):
        outline = tuple(place.laid(point) for point in _zone(sheets[place.sheet], "track-outer"))
        half = len(outline) // 2  # a tile's polygon: one edge of the track out, the other back
        tiles.append(Tile(outline[:half], outline[half:][::-1]))
        line = tuple(place.laid(point) for point in _zone(sheets[place.sheet], "finish-line"))
        finish = (line[0], line[1]) if line else finish
    try:
        return joined(tuple(tiles), finish or (tiles[0].one[0], tiles[0].other[0]), sheets=_places(layout))
    except TrackError as fault:
        raise InvalidSetup("track", str(fault), layout) from None


def _places(layout: str) -> tuple[SheetPlace, ...]:
    return tuple(SheetPlace(name, pose.x_mm, pose.y_mm, pose.turn_deg) for name, pose in load_layouts()[layout].places)


def _places_of_gates(layout: str, scene: Scene) -> tuple[SheetPlace, ...]:
    """Between corner cards, which may lie anywhere, everything is seen in one card's frame; sheets are as laid out."""
    if layout != "corner-cards":
        return _places(layout)
    return tuple(SheetPlace(name) for name in sorted({stack.sheet for stack in scene.stacks}))[:1]


def _zone(sheet: Sheet, kind: str) -> tuple[Point, ...]:
    """The points of the sheet's zone of a kind; none if it has none."""
    return next((zone.polygon_mm for zone in sheet.zones if zone.kind == kind), ())


def deal(doc: dict[str, Any]) -> dict[str, Any]:
    """The seed of the umpire's dice, where a group asks it to roll, and the track that was asked for by a word.

    Raises InvalidSetup where no drawn track was kept.
    """
    if doc.get("dice") == "umpire" and "seed" not in doc:
        doc = doc | {"seed": secrets.token_hex(16)}
    match doc.get("track"):
        case "printed":
            return {key: value for key, value in doc.items() if key != "track"}
        case "gates":
            return doc | {"track": {"gates": "seen"}}
        case "drawn":
            return doc | _kept_track()
    return doc


def _kept_track() -> dict[str, Any]:
    kept = kept_track()
    if kept is None:
        raise InvalidSetup("track", "a drawn track: read and keep one first, on the page Track", "none is kept")
    return kept


def private(state: State, player: str) -> Markup | None:
    return None  # a race has no secrets


# Where the next pyramid is to be laid.


def next_poses(state: State) -> tuple[ToLay, ...]:
    """Where the cars that may move now are to be laid: the sheet, the pose on it, and which pyramid."""
    cars = ((state.by_name[name], target) for name, _, target in next_up(state).moves)
    return tuple((*_on_a_sheet(state.track, target), car.colour, car.size) for car, target in cars)


def _on_a_sheet(track: Track, pose: Pose) -> tuple[str, Pose]:
    """The sheet that holds a place, and the pose on it; the first where none does."""
    places = track.sheets or (SheetPlace(ANY_TRACK),)
    on = [(place.sheet, place.on_sheet(pose)) for place in places]
    return next((one for one in on if load_sheets()[one[0]].holds(one[1].x_mm, one[1].y_mm)), on[0])


# Words.


def move_words(move: Any, state: State | None) -> str:
    match move:
        case Touch():
            return _touch_words(move)
        case Drive():
            away = "" if move.laid is None else ", not one car length on"
            return f"{move.car} moves{away}{_met_words(move.met)}"
        case CarTurn():
            return f"{move.car} turns {move.side}{_met_words(move.met)}"
        case Spin():
            hit = f" and hits {' and '.join(name for name, _ in move.jumbled)}" if move.jumbled else ""
            return f"{move.car} spins out{hit}"
        case Roll():
            dice = "dice that nobody told" if move.dice is None else f"{move.dice[0]} and {move.dice[1]}"
            return f"{move.car} rolls {dice} {PURPOSES[move.purpose]}"
        case Adjust():
            return f"{move.car} goes to {STEPS[move.step]}" if move.step else f"{move.car} stops"
    return str(move)


def _touch_words(touch: Touch) -> str:
    before, after = _CAR_AT.fullmatch(touch.before), _CAR_AT.fullmatch(touch.after)
    if before and after:
        moved_mm = math.dist(*((float(one["x"]), float(one["y"])) for one in (before, after)))
        how = f"was shifted by {moved_mm:.0f} mm" if moved_mm >= _SHIFTED_MM else "was turned where it lay"
        return f"{before['car']} {how}"
    return f"a {touch.before} was taken away" if touch.after == "empty" else f"a {touch.after} was laid down"


def _met_words(met: Obstacles | None) -> str:
    if met is None or met == Obstacles():
        return ""
    into = [*met.cars, *(["the wall"] if met.wall else [])]
    words = f" into {' and '.join(into)}" if into else ""
    return words + (" and off the track" if met.off else "")


def spoken(text: str, state: State) -> str:
    return text  # cars and pylons are called the same by everybody


def turn(state: State) -> Turn:
    up, mat = next_up(state), status_mat(state)
    colour = _colour(state, up.cars[0]) if len(up.cars) == 1 else None
    rows = {row.car: row for row in mat.rows}
    return Turn(
        up.headline,
        " · ".join(filter(None, (up.detail, _rolled_words(state)))),
        colour,
        f"Leader pylon in round {state.round_number}",
        ("Gear-speed", "Control", "Laps"),
        tuple(_standing(state, rows[name], name in up.cars) for name in mat.pylon),
    )


def _rolled_words(state: State) -> str:
    """What the umpire's dice showed last: nobody else has seen them."""
    if state.dice is None or not state.dice.thrown or state.dice.thrown[-1].dice is None:
        return ""
    last = state.dice.thrown[-1]
    return f"The umpire rolled {' and '.join(map(str, last.dice or ()))} for {last.car}, {PURPOSES[last.purpose]}"


def _standing(state: State, row: Row, is_awaited: bool) -> Standing:
    """A car's markers; of several in one colour with the number that the drawing gives it."""
    name = f"{row.car} · {numbered(row)}" if row.is_shared else row.car
    speed = f"waits {row.waiting}" if row.waiting else row.speed
    return Standing(name, _colour(state, row.car), (speed, str(row.control), str(max(row.laps, 0))), is_awaited)


def _colour(state: State, name: str) -> Colour:
    return state.by_name[name].colour


def drawing(state: State | None, before: State | None, manner: str, players: tuple[str, ...] = ()) -> Markup:
    return track_svg(state, before, manner)
