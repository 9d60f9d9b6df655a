"""The page on which a phone takes a photo of the table and sends it into the game that is on.

The photo is judged as a settled table, by the game's own thread; the page asks what came of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for

from vision.camera import MOST_BYTES
from webui.evening import Evening
from webui.inbox import Sent
from webui.live import Moment
from webui.present import page_view
from webui.review_view import without_buttons

MOST_REQUEST_BYTES = MOST_BYTES + 100_000
UNKNOWN = "The umpire knows this photo no longer: another game is on, or it was sent long ago."
FULL = "The umpire still looks at earlier photos. Send this one again in a moment."


def photo_pages(evening: Evening, token: str, check_token: Callable[[], None]) -> Blueprint:
    """The phone's page; `check_token` refuses posts that do not come from it."""
    pages = Blueprint("photo", __name__, url_prefix="/photo")

    def shown(number: int | None, fault: str = "") -> str:
        view = photo_view(evening, number)
        return render_template("photo.html", view=view, fault=fault, number=number, token=token)

    @pages.get("/")
    def page() -> str:
        return shown(_number())

    @pages.get("/state")
    def state() -> Response:
        view = photo_view(evening, _number())
        return jsonify(html=render_template("photo_sent.html", view=view), waiting=view["is_waiting"])

    @pages.post("/send")
    def send() -> Any:
        request.max_content_length = MOST_REQUEST_BYTES
        check_token()
        file = request.files.get("photo")
        if file is None or not file.filename:
            return shown(None, "No photo was taken."), 400
        number = evening.live.send(file.stream.read(MOST_BYTES + 1))
        if number is None:
            return shown(None, FULL), 429
        return redirect(url_for("photo.page", sent=number), 303)

    @pages.errorhandler(413)
    def too_much(_: Exception) -> tuple[str, int]:
        return shown(None, f"This photo has more than {MOST_BYTES // 1_000_000} MB. Take a smaller one."), 413

    return pages


def photo_view(evening: Evening, number: int | None) -> dict[str, Any]:
    """What the page shows of the photo of that number."""
    live = evening.live
    sent = None if number is None else live.inbox.of(number)
    view: dict[str, Any] = {
        "game": live.moment().game.TITLE,
        "players": live.game_file.players,
        "is_waiting": sent is not None and sent.is_waiting,
        "is_first": number is None,
        "fault": UNKNOWN if sent is None and number is not None else "" if sent is None else sent.fault,
        "ruling": None,
    }
    return view if sent is None or sent.event is None else view | {"ruling": _ruling(sent)}


def _ruling(sent: Sent) -> dict[str, Any]:
    """As on the table page, without its buttons."""
    events = tuple(event for event in (sent.before, sent.event) if event is not None)
    moment = Moment(events[-1].game, events, len(events) - 1, is_live=True)
    return without_buttons(page_view(moment, lambda key: url_for("picture", key=key) if key else ""))


def _number() -> int | None:
    said = request.args.get("sent", "")
    if not said:
        return None
    if not said.isascii() or not said.isdigit() or len(said) > 9:
        abort(404)
    return int(said)
