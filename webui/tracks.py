"""A drawn track from its photo into game.json: the same steps for the command line and for the page."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.games.gran_prix import Track, TrackError, starting_grid
from engine.games.gran_prix.geometry import BASE_MM
from engine.games.gran_prix.track import COUNTER_CLOCKWISE
from engine.table import Colour, Size
from webui.gamefile import GameFileError
from webui.store import data_folder

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

    from calibration.locate import LensHint
    from calibration.optics import LocatedTable
    from vision.camera import Frame
    from vision.drawn import DrawnTrack
    from webui.games.tabletop import ToLay

GAME = "pyramid-gran-prix"
KEPT = "track.json"
WIDE_MM = 120.0  # three small cars abreast with room between them
LEAST_WIDTH_MM = 2 * BASE_MM[Size.LARGE]  # 'Custom Track Design': twice a large pyramid's base


class TrackUnreadError(Exception):
    """No track can be made of this; the message says why and what to do."""


@dataclass(frozen=True, eq=False)
class SeenTrack:
    """A photo's track: what was read or clicked, and the table as it was located."""

    image_bgr: NDArray[uint8]
    table: LocatedTable
    track: DrawnTrack


def seen_track(frame: Frame, lens: LensHint | None = None) -> SeenTrack:
    """The track that is drawn in a photo. Raises TrackUnreadError; a track with missing parts is none such."""
    from calibration.locate import LocateError, locate
    from vision.drawn import DrawnError
    from vision.whiteboard import read_drawn

    try:
        table = locate(frame.image_bgr, lens or frame.lens_hint)
        return SeenTrack(frame.image_bgr, table, read_drawn(frame.image_bgr, table))
    except (LocateError, DrawnError) as fault:
        raise TrackUnreadError(str(fault)) from None


def with_clicks(seen: SeenTrack, pixels: Mapping[str, Any]) -> SeenTrack:
    """The track with parts clicked in the photo: see `vision.drawn.clicked`. Raises TrackUnreadError."""
    from vision.drawn import DrawnError, clicked

    try:
        return replace(seen, track=clicked(seen.table, pixels, seen.track))
    except DrawnError as fault:
        raise TrackUnreadError(str(fault)) from None


def drawing(seen: SeenTrack) -> NDArray[uint8]:
    """The photo with the track drawn over it."""
    from vision.drawn import draw_track

    return draw_track(seen.image_bgr, seen.table, seen.track)


def track_json(seen: SeenTrack, outer_is_wall: bool) -> dict[str, Any]:
    """The track as game.json has it. Raises TrackUnreadError where a part is missing or the lines make no ring."""
    track = seen.track
    missing = [words for _, words in track.missing]
    missing += [f"The {part} is missing." for part in ("outer", "inner", "finish") if not getattr(track, part)]
    if not track.is_whole:
        raise TrackUnreadError(missing[0])
    found = {
        "outer": [list(point) for point in track.outer],
        "inner": [list(point) for point in track.inner],
        "finish": [list(point) for point in track.finish],
        "walls": "outer" if outer_is_wall else [[list(point) for point in wall] for wall in track.walls],
        "sheets": {name: place for name, *place in track.cards},
    }
    checked(found)
    return found


def checked(track: dict[str, Any], direction: str = COUNTER_CLOCKWISE) -> Track:
    """The engine's track. Raises TrackUnreadError where the lines make no ring."""
    outer, inner, finish = (tuple((x, y) for x, y in track[part]) for part in ("outer", "inner", "finish"))
    walls = track["walls"]
    lines = ((*outer, outer[0]),) if walls == "outer" else tuple(tuple((x, y) for x, y in wall) for wall in walls)
    try:
        return Track(outer, inner, (finish[0], finish[1]), direction, lines)
    except TrackError as fault:
        raise TrackUnreadError(f"These lines make no track: {fault}.") from None


def notes(seen: SeenTrack, track: Track) -> tuple[str, ...]:
    """What is good to know of a whole track, in sentences."""
    said = list(seen.track.notes)
    if track.width_mm < LEAST_WIDTH_MM:
        said.append(
            f"At its narrowest the track is {track.width_mm:.0f} mm wide: {LEAST_WIDTH_MM:.0f} mm, two large pyramids, "
            "are the least to turn in."
        )
    return tuple(said)


def grid_to_lay(seen: SeenTrack, track: Track, cars: int) -> tuple[ToLay, ...]:
    """Where so many cars line up at the start, in the frame of the track's own card: three abreast where it is wide."""
    from vision.ground import first_card

    names = tuple(map(str, range(cars)))
    abreast = 3 if track.width_mm >= WIDE_MM else 2
    places = starting_grid(track, names, Size.SMALL, abreast)
    card = first_card(seen.table).sheet
    return tuple((card, places[name], Colour.WHITE, Size.SMALL) for name in names)


def track_words(track: Track, walls: int) -> str:
    """How long and wide it is, in a line."""
    walled = "no wall" if walls == 0 else "a wall" if walls == 1 else f"{walls} walls"
    return f"A lap is {track.lap_mm / 1000:.1f} m, the track at least {track.width_mm:.0f} mm wide, with {walled}."


def kept_in(path: Path, track: dict[str, Any], direction: str | None) -> bool:
    """Write the track into a game.json and leave what else it says; whether there was one before.

    Raises GameFileError.
    """
    was_there = path.exists()
    try:
        doc = json.loads(path.read_text(encoding="utf-8")) if was_there else {"game": GAME, "players": []}
        if not isinstance(doc, dict) or doc.get("game", GAME) != GAME:
            raise GameFileError(f"{path} is no game.json of a race, so it was left as it is.")
        doc |= {"track": track} | ({"direction": direction} if direction else {})
        path.write_text(json.dumps(doc, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
    except (ValueError, RecursionError):
        raise GameFileError(f"{path} is no JSON, so it was left as it is.") from None
    except OSError as fault:
        raise GameFileError(f"{path} cannot be written: {fault.strerror}.") from None
    return was_there


# The track that is kept for the next race.


def keep_track(doc: dict[str, Any], folder: Path | None = None) -> None:
    """Keep what game.json says of a track on this machine. Raises GameFileError."""
    path = (folder or data_folder()) / KEPT
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(doc), encoding="utf-8")
    except OSError as fault:
        raise GameFileError(f"The track cannot be kept in {path}: {fault.strerror}.") from None


def kept_track(folder: Path | None = None) -> dict[str, Any] | None:
    """The track that was kept: its `track` and `direction` as game.json has them; None without a usable one."""
    try:
        doc = json.loads(((folder or data_folder()) / KEPT).read_text(encoding="utf-8"))
        checked(doc["track"])
        return {"track": doc["track"], "direction": doc["direction"]}
    except (OSError, ValueError, RecursionError, KeyError, TypeError, IndexError, TrackUnreadError):
        return None


def lines_px(seen: SeenTrack) -> dict[str, list[Any]]:
    """The lines as pixels of the photo, for the page: walls are lists of lines."""
    from vision.drawn import to_photo

    def shown(line: Any) -> list[list[float]]:
        return [[round(float(x), 1), round(float(y), 1)] for x, y in to_photo(seen.table, line)] if line else []

    track = seen.track
    lines: dict[str, list[Any]] = {part: shown(getattr(track, part)) for part in ("outer", "inner", "finish")}
    return lines | {"walls": [shown(wall) for wall in track.walls]}
