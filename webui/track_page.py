"""The page on which a drawn track is read from a photo, corrected by hand and kept for the next race.

What was read is drawn over the photo; points are dragged, or lines tapped anew. `TrackDesk` holds the one photo that is
looked at, for as long as the program runs; the kept track is a file (see `webui.tracks`).
"""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, redirect, render_template, request, url_for

from calibration.store import CalibrationError
from engine.games.gran_prix.setup import MOST_CARS
from engine.games.gran_prix.track import CLOCKWISE, COUNTER_CLOCKWISE
from webui.answers import picture_answer
from webui.gamefile import GameFileError
from webui.next_place import poses_svg
from webui.pictures import Pictures
from webui.sight import sight_of
from webui.tracks import (
    SeenTrack,
    TrackUnreadError,
    checked,
    grid_to_lay,
    keep_track,
    kept_track,
    lines_px,
    notes,
    seen_track,
    track_json,
    track_words,
    with_clicks,
)
from webui.wizard import Wizard

if TYPE_CHECKING:
    from vision.camera import Frame

MOST_BYTES = 60_000_000  # one photo of a large phone
MOST_LINES = 400_000  # characters of corrected lines
PICTURE_WIDTH_PX = 1600


@dataclass(frozen=True, eq=False)
class OnDesk:
    """The photo that is looked at: its name, its track as read and corrected, the key and the size of its picture."""

    photo: str
    seen: SeenTrack
    picture: str
    size_px: tuple[int, int]
    outer_is_wall: bool = False
    direction: str = COUNTER_CLOCKWISE
    cars: int = 0
    """So many places of the starting grid are shown."""
    is_kept: bool = False


class TrackDesk:
    """One photo at a time. Its methods raise TrackUnreadError, in words, and then nothing has changed."""

    def __init__(self, folder: Callable[[], Path] | None = None) -> None:
        self._folder, self._working = folder, threading.Lock()
        self.pictures = Pictures()
        self.on_desk: OnDesk | None = None

    def read(self, frame: Frame) -> None:
        """Read the track of another photo."""
        with self._working:
            seen = seen_track(frame)
            height, width = frame.image_bgr.shape[:2]
            self.pictures = Pictures()
            picture = self.pictures.keep(frame.image_bgr, PICTURE_WIDTH_PX, 84)
            self.on_desk = OnDesk(frame.name, seen, picture, (width, height))

    def correct(self, pixels: Any, outer_is_wall: bool, direction: str, cars: int = 0) -> None:
        """Take lines that were moved or tapped, as pixels of the photo, and what was chosen."""
        if not isinstance(pixels, dict) or direction not in (CLOCKWISE, COUNTER_CLOCKWISE):
            raise TrackUnreadError("These lines make no sense. Load the page again.")
        with self._working:
            now = self._now()
            seen = with_clicks(now.seen, pixels)
            chosen = replace(now, outer_is_wall=outer_is_wall, direction=direction, cars=min(cars, MOST_CARS))
            self.on_desk = replace(chosen, seen=seen, is_kept=False)

    def keep(self) -> None:
        """Keep the track for the next race. Raises GameFileError where it cannot be written."""
        with self._working:
            now = self._now()
            keep_track(self.game_json(), self._folder() if self._folder else None)
            self.on_desk = replace(now, is_kept=True)

    def game_json(self) -> dict[str, Any]:
        """What game.json says of the track."""
        now = self._now()
        return {"track": track_json(now.seen, now.outer_is_wall), "direction": now.direction}

    def kept_words(self) -> str:
        """The track that is kept for the next race, in a line; empty without one."""
        kept = kept_track(self._folder() if self._folder else None)
        return "" if kept is None else track_words(checked(kept["track"]), len(kept["track"]["walls"]))

    def _now(self) -> OnDesk:
        if self.on_desk is None:
            raise TrackUnreadError("Send a photo of the board first.")
        return self.on_desk


def track_pages(desk: TrackDesk, wizard: Wizard, token: Any, check_token: Callable[[], None]) -> Blueprint:
    """The track's page and its orders. A live picture is that of the camera which the wizard looks through."""
    pages = Blueprint("track", __name__, url_prefix="/track")
    orders: dict[str, Callable[[], None]] = {
        "read": lambda: desk.read(_uploaded()),
        "take": lambda: desk.read(_live(wizard)),
        "lines": lambda: desk.correct(_lines(), "walled" in request.form, request.form.get("direction", ""), _cars()),
        "keep": desk.keep,
    }

    def shown(fault: str = "") -> str:
        return render_template("track.html", view=view_of(desk, wizard), fault=fault, token=token)

    @pages.before_request
    def allow_photo() -> None:
        request.max_content_length = MOST_BYTES
        request.max_form_memory_size = MOST_LINES

    @pages.get("/")
    def page() -> str:
        return shown()

    @pages.get("/pictures/<key>.jpg")
    def picture(key: str) -> Response:
        return picture_answer(desk.pictures.get(key), "No such picture: another photo was sent.")

    @pages.get("/game.json")
    def take_home() -> Response:
        try:
            doc = desk.game_json()
        except TrackUnreadError as fault:
            abort(404, str(fault))
        answer = Response(
            json.dumps({"game": "pyramid-gran-prix", "players": [], **doc}, indent=1), mimetype="application/json"
        )
        answer.headers["Content-Disposition"] = 'attachment; filename="game.json"'
        return answer

    @pages.post("/do/<name>")
    def order(name: str) -> Any:
        check_token()
        if name not in orders:
            abort(404, f"There is no order called {name!r}.")
        try:
            orders[name]()
        except (TrackUnreadError, CalibrationError, GameFileError) as fault:
            return shown(str(fault)), 400
        return redirect(url_for("track.page"), 303)

    @pages.errorhandler(413)
    def too_much(_: Exception) -> tuple[str, int]:
        return shown("That is too large to send at once: send one photo."), 413

    return pages


def view_of(desk: TrackDesk, wizard: Wizard) -> dict[str, Any]:
    """What the page shows, in words and pixels."""
    now = desk.on_desk
    source = None if wizard.watch is None else wizard.watch.camera
    view: dict[str, Any] = {"now": now, "source": source, "kept": desk.kept_words(), "words": "", "notes": ()}
    if now is None:
        return view
    view["lines"] = lines_px(now.seen)
    view["unit"] = max(now.size_px) / 1000
    view["missing"] = tuple(dict.fromkeys(words for _, words in now.seen.track.missing))
    try:
        track = checked(track_json(now.seen, now.outer_is_wall), now.direction)
    except TrackUnreadError as fault:
        return view | {"missing": view["missing"] or (str(fault),), "notes": now.seen.track.notes}
    return view | {
        "words": track_words(track, len(track.walls)),
        "notes": notes(now.seen, track),
        "is_whole": True,
        "grid": poses_svg(sight_of(now.seen.table), grid_to_lay(now.seen, track, now.cars)),
    }


def _uploaded() -> Frame:
    from vision.camera import PhotoError, photo_from

    file = request.files.get("photo")
    if file is None or not file.filename:
        raise TrackUnreadError("No photo was chosen.")
    try:
        return photo_from(file.read(), Path(file.filename).name)
    except PhotoError as fault:
        raise TrackUnreadError(str(fault)) from None


def _live(wizard: Wizard) -> Frame:
    if wizard.watch is None:
        raise TrackUnreadError("No camera is looked through: choose one on the page Camera, or send a photo.")
    return wizard.watch.take()


def _lines() -> Any:
    try:
        return json.loads(request.form.get("lines", "{}") or "{}")
    except (ValueError, RecursionError):
        raise TrackUnreadError("These lines make no sense. Load the page again.") from None


def _cars() -> int:
    said = request.form.get("cars", "").strip()
    if said and not (said.isascii() and said.isdigit() and len(said) < 4):
        raise TrackUnreadError(f"The cars should be a whole number up to {MOST_CARS}.")
    return int(said or 0)
