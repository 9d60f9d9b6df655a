"""Kept matches played back: their inputs are put into a review again, and each event is a step to look at.

A long match takes a while to go through, so a thread does it and the page tells how far it is.
"""

from __future__ import annotations

import logging
import threading
from dataclasses import dataclass, replace
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, url_for

from webui.answers import picture_answer
from webui.gamefile import GameFileError
from webui.journal import open_match
from webui.keeping import day_words
from webui.live import Moment
from webui.present import page_view
from webui.review import Event
from webui.review_view import without_buttons
from webui.store import KeptMatch, Store, StoreError
from webui.taking_up import told

log = logging.getLogger("umpire")

MOST_REMEMBERED = 4  # matches that were gone through


@dataclass(frozen=True, eq=False)
class Replay:
    """A match, how many of its inputs are gone through, and its events once all are. `fault`: why there are none."""

    match: KeptMatch
    done: int = 0
    events: tuple[Event, ...] = ()
    notes: tuple[str, ...] = ()
    is_ready: bool = False
    fault: str = ""

    @property
    def pictures(self) -> frozenset[str]:
        """The keys of its pictures."""
        return frozenset(key for event in self.events for key in (event.picture, event.thumb) if key is not None)


class Replays:
    """The matches of a store, gone through when somebody wants to see them. Any thread may use it."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._lock = threading.Lock()
        self._known: dict[str, Replay] = {}

    def of(self, match_id: str) -> Replay:
        """The match as far as it is gone through; when it has grown since, anew. Raises StoreError for no match."""
        match = self.store.match(match_id)
        if match.id != match_id:
            raise StoreError("No match has this address.")
        with self._lock:
            known = self._known.pop(match_id, None)
            if known is None or known.match.inputs != match.inputs:
                known = Replay(match)
                threading.Thread(target=self.go_through, args=(match,), name="replay", daemon=True).start()
            self._known[match_id] = known
            while len(self._known) > MOST_REMEMBERED:
                self._known.pop(next(iter(self._known)))
            return known

    def go_through(self, match: KeptMatch) -> None:
        """Put the match's inputs into a review; what comes of it is known from then on."""
        if fault := told(lambda: self._gone_through(match)):
            self._tell(match, fault=fault)

    def _gone_through(self, match: KeptMatch) -> str:
        try:
            resumed = open_match(self.store, match.id, progress=lambda done, of: self._tell(match, done=done))
            events, notes = resumed.review.events, resumed.notes
            self._tell(match, events=events, notes=notes, is_ready=True, done=match.inputs)
        except (StoreError, GameFileError) as fault:
            return str(fault)
        return ""

    def _tell(self, match: KeptMatch, **more: Any) -> None:
        with self._lock:
            known = self._known.get(match.id)
            if known is not None and known.match.inputs == match.inputs:
                self._known[match.id] = replace(known, **more)


def replay_pages(replays: Replays | None) -> Blueprint:
    """The list of kept matches and each one's steps; without a store the list says that nothing is kept."""
    pages = Blueprint("replay", __name__, url_prefix="/replay")

    def found(match_id: str) -> Replay:
        try:
            if replays is not None:
                return replays.of(match_id)
        except StoreError:
            log.info("no match of that address")
        abort(404, "This match is not kept on this computer.")

    @pages.get("/")
    def page() -> Any:
        try:
            matches, fault = () if replays is None else replays.store.matches(), ""
        except StoreError as unread:
            matches, fault = (), str(unread)
        return render_template("replays.html", matches=[_line(each) for each in matches], fault=fault)

    @pages.get("/<match_id>/")
    def first(match_id: str) -> Any:
        return redirect(url_for("replay.step", match_id=match_id, number=1))

    @pages.get("/<match_id>/<int:number>")
    def step(match_id: str, number: int) -> Any:
        replay = found(match_id)
        if replay.is_ready and replay.events and not 1 <= number <= len(replay.events):
            abort(404, f"This match has {len(replay.events)} steps.")
        return render_template("replay.html", view=replay_view(replay, number))

    @pages.get("/<match_id>/state")
    def state(match_id: str) -> Response:
        replay = found(match_id)
        return jsonify(done=replay.done, of=replay.match.inputs, waiting=not (replay.is_ready or replay.fault))

    @pages.get("/<match_id>/pictures/<key>.jpg")
    def picture(match_id: str, key: str) -> Response:
        replay = found(match_id)
        return picture_answer(
            replays.store.pictures.read(key) if replays is not None and key in replay.pictures else None,
            "There is no such picture in this match.",
        )

    return pages


def replay_view(replay: Replay, number: int) -> dict[str, Any]:
    """A step of the match as the table page shows it, without what can be said there."""
    match = replay.match

    def picture_url(key: str | None) -> str:
        missing = url_for("static", filename="waiting.svg")
        return url_for("replay.picture", match_id=match.id, key=key) if key else missing

    view = {
        **_line(match),
        "number": number,
        "steps": len(replay.events),
        "notes": replay.notes,
        "fault": replay.fault,
        "done": replay.done,
        "is_ready": replay.is_ready,
        "shown": None,
    }
    if not replay.events:
        return view
    moment = Moment(replay.events[0].game, replay.events, number - 1, is_live=True)
    return view | {"shown": without_buttons(page_view(moment, picture_url))}


def _line(match: KeptMatch) -> dict[str, Any]:
    """A match in the list."""
    return {
        "id": match.id,
        "title": match.title,
        "players": ", ".join(match.players),
        "when": day_words(match.updated),
        "inputs": match.inputs,
        "is_over": match.is_over,
    }
