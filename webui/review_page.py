"""The page on which photos of a game are sent, read, judged, corrected and taken home again as a report.

Each browser has a desk of its own, found by a cookie that only this page gets. Photos are removed with the desk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from flask import Blueprint, Response, abort, g, jsonify, redirect, render_template, request, url_for

from webui.answers import picture_answer
from webui.desk import Desk, Sheet
from webui.desks import Desks, DesksTakenError
from webui.gamefile import GameFileError
from webui.limits import MOST_REQUEST_BYTES
from webui.mending import MendingError, correction_from
from webui.review_view import TAKEN_HOME, sheet_view
from webui.who_plays import form_view, game_from_form

COOKIE = "umpire-review"
REGIONS = ("notes", "list", "detail", "home")


def review_pages(desks: Desks, token: str, check_token: Callable[[], None]) -> Blueprint:
    """The review page and its orders; `check_token` refuses posts that do not come from the page."""
    pages = Blueprint("review", __name__, url_prefix="/review")

    def desk() -> Desk | None:
        return desks.of(g.get("review_key") or request.cookies.get(COOKIE))

    def sheet() -> Sheet:
        here = desk()
        return Sheet() if here is None else here.sheet()

    def view(photo: str) -> dict[str, Any]:
        return sheet_view(sheet(), photo, lambda key: url_for("review.picture", key=key) if key else None)

    def shown(fault: str, said: Mapping[str, str]) -> str:
        """The page, with the form as it was filled in when something is wrong with it."""
        photo = said.get("photo") or request.args.get("photo", "")
        return render_template("review.html", view=view(photo), form=form_view(), said=said, fault=fault, token=token)

    @pages.before_request
    def allow_photos() -> None:
        request.max_content_length = MOST_REQUEST_BYTES

    @pages.get("/")
    def page() -> str:
        return shown("", {})

    @pages.get("/state")
    def state() -> Response:
        seen = view(request.args.get("photo", ""))
        regions = {name: render_template(f"review_{name}.html", view=seen, token=token) for name in REGIONS}
        answer = jsonify(regions=regions, **{key: seen[key] for key in ("read", "count", "done")})
        answer.add_etag()
        answer.make_conditional(request)
        return answer

    @pages.get("/pictures/<key>.jpg")
    def picture(key: str) -> Response:
        here = desk()
        return picture_answer(
            None if here is None else here.pictures.get(key), "No such picture: this review was cleared away."
        )

    @pages.get("/home/<name>")
    def take_home(name: str) -> Response:
        here = desk()
        if here is None or here.sheet().game_file is None or name not in TAKEN_HOME:
            abort(404, "There is nothing of that name to take home.")
        kind, written = TAKEN_HOME[name]
        answer = Response(written(here.sheet(), here.pictures.get), mimetype=kind)
        answer.headers["Content-Disposition"] = f'attachment; filename="{name}"'
        return answer

    orders = _orders(desk)

    @contextmanager
    def on_a_desk() -> Iterator[None]:
        """Where this browser has none, a new one; it goes again when nothing comes of the order."""
        if desk() is None:
            g.review_key = desks.open()
        try:
            yield
        except Exception:
            desks.close(g.pop("review_key", None))
            raise

    @pages.post("/do/<name>")
    def order(name: str) -> Any:
        check_token()
        if name not in orders and name != "clear":
            abort(404, f"There is no order called {name!r}.")
        if name == "clear":
            desks.close(request.cookies.get(COOKIE))
            return redirect(url_for("review.page"), 303)
        try:
            with on_a_desk():
                orders[name]()
        except (GameFileError, DesksTakenError, MendingError) as fault:
            return shown(str(fault), request.form), 400
        answer = redirect(url_for("review.page", photo=request.form.get("photo") or None), 303)
        if "review_key" in g:
            answer.set_cookie(COOKIE, g.review_key, httponly=True, samesite="Strict", path="/review")
        return answer

    @pages.errorhandler(413)
    def too_much(_: Exception) -> tuple[str, int]:
        return shown(
            "These photos are too many or too large to send at once: send fewer.", {}
        ), 413  # the form is unread

    return pages


def _orders(desk: Callable[[], Desk | None]) -> dict[str, Callable[[], None]]:
    """What the page may ask for; there is a desk by then."""

    def here() -> Desk:
        found = desk()
        if found is None:
            raise DesksTakenError("This review was cleared away meanwhile. Send the photos again.")
        return found

    def photo() -> str:
        return request.form.get("photo", "")

    def correct() -> None:
        ruled = next((each for each in here().sheet().ruled if each.photo == photo()), None)
        seen = here().sheet().read_of(photo())
        if ruled is None or ruled.scene is None or seen is None:
            raise MendingError("This photo is judged anew just now: try again in a moment.")
        correction = correction_from(request.form, ruled.scene, seen.layout)
        here().answer(photo(), {"correct": correction.to_json()})

    return {
        "add": lambda: here().add(_files()),
        "who": lambda: here().play(game_from_form(request.form)),
        "earlier": lambda: here().move(photo(), -1),
        "later": lambda: here().move(photo(), 1),
        "sort": lambda: here().sort(),
        "remove": lambda: here().remove(photo()),
        "agree": lambda: here().answer(photo(), {"agree": True}),
        "choose": lambda: here().answer(photo(), {"choose": _number("place")}),
        "correct": correct,
        "take_back": lambda: here().take_back(photo()),
        "noted": lambda: here().clear_notes(),
    }


def _files() -> list[Any]:
    """Name and content of each file that was sent. Raises GameFileError when there is none."""
    files = [(file.filename, file.stream) for file in request.files.getlist("photos") if file.filename]
    if not files:
        raise GameFileError("No photo was chosen.")
    return files


def _number(field: str) -> int:
    said = request.form.get(field, "")
    if not said.isascii() or not said.isdigit() or len(said) > 6:
        abort(400, f"{field} should be a whole number, not {said!r}.")
    return int(said)
