"""The page: one view, one state to poll, pictures by content, and orders by POST.

Orders need the token of the browser's own session (see `guard`), answers forbid everything that the page does not bring
along itself.
"""

from __future__ import annotations

import hashlib
import json
import secrets
from collections.abc import Callable
from typing import Any

from flask import Flask, Response, abort, current_app, redirect, render_template, request, url_for
from werkzeug.exceptions import MethodNotAllowed
from werkzeug.local import LocalProxy

from webui.answers import picture_answer
from webui.desks import Desks
from webui.evening import Evening
from webui.faults import speak_in_words
from webui.guard import Guard
from webui.live import PACES_S, Live, Moment
from webui.once import Once
from webui.opening import opened_table
from webui.owners import ownerless, owners_pages
from webui.photo_page import photo_pages
from webui.placing import NoSuchPlaceError, correction_of, place_view
from webui.present import page_view
from webui.replay import Replays, replay_pages
from webui.review_page import review_pages
from webui.samples_page import samples_pages
from webui.saying import chosen
from webui.seats import Seats, seats_pages
from webui.start import Kept, Opener, start_pages
from webui.store import Store
from webui.track_page import TrackDesk, track_pages
from webui.wizard import Wizard, wizard_pages

SEEN_BY_PLAYERS = frozenset({"picture"})
FOR_PLAYERS = frozenset({"photo", "review"})
PAGES = (
    ("page", "Table"),
    ("start.page", "Start a game"),
    ("seats.overview", "Players"),
    ("wizard.page", "Camera"),
    ("track.page", "Track"),
    ("photo.page", "Photograph the table"),
    ("review.page", "Review photos"),
    ("replay.page", "Kept matches"),
    ("samples.page", "Samples"),
)
PAGES_OF_PLAYERS = (("page", "My screen"), ("photo.page", "Photograph the table"), ("review.page", "Review photos"))
REGIONS = ("doing", "progress", "trouble", "verdict", "said", "turn", "standing", "choices", "strip", "refused")
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
    "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
)


def create_app(
    evening: Evening,
    wizard: Wizard | None = None,
    guard: Guard | None = None,
    desks: Desks | None = None,
    kept: Kept | None = None,
    open_table: Opener = opened_table,
    proposed: str = "",
    store: Store | None = None,
) -> Flask:
    """The application that shows the game that is on and passes the players' orders on; the wizard sets up cameras, and
    on the desks photos are reviewed. With a `proposed` camera the first game is still to be set up. The matches of the
    store are played back."""
    app = Flask("webui")
    app.config.update(MAX_CONTENT_LENGTH=16_384)
    app.jinja_env.trim_blocks = app.jinja_env.lstrip_blocks = True
    speak_in_words(app)
    guard = guard or Guard()
    token: Any = LocalProxy(guard.form_token)  # each browser's own, where a page is written
    check_token = guard.check_form
    wizard = wizard or Wizard()
    app.register_blueprint(wizard_pages(wizard, token, check_token))
    app.register_blueprint(track_pages(TrackDesk(), wizard, token, check_token))
    seats = Seats(evening)
    app.register_blueprint(seats_pages(evening, guard, seats))
    app.register_blueprint(owners_pages(evening, guard))
    app.register_blueprint(start_pages(evening, guard, kept, open_table, proposed))
    own_token: Any = LocalProxy(lambda: guard.form_token(guard.kind()))
    app.register_blueprint(review_pages(desks or Desks(), own_token, guard.check_any_form))
    app.register_blueprint(photo_pages(evening, own_token, guard.check_any_form))
    app.register_blueprint(replay_pages(None if store is None else Replays(store)))
    app.register_blueprint(samples_pages(token))

    def view(moment: Moment) -> dict[str, Any]:
        shown = page_view(
            moment,
            lambda key: url_for("picture", key=key) if key else url_for("static", filename="waiting.svg"),
            evening.live.game_file.players,
        )
        return shown | {"ownerless": len(ownerless(evening.live)) if moment.is_latest else 0}

    token_mark = secrets.token_urlsafe(24)  # stands in what all browsers share where each one's own token belongs

    def rendered(moment: Moment) -> str:
        seen = view(moment)
        regions = {name: render_template(f"{name}.html", view=seen, token=token_mark) for name in REGIONS}
        body = {key: seen[key] for key in ("title", "announce", "match", "paused", "facts", "count", "kind")}
        body |= {"regions": regions | {"board": str(seen["board"]), "photo": str(seen["photo"])}}
        return json.dumps(body, ensure_ascii=False)

    states = Once(rendered)

    @app.before_request
    def only_for_those_who_may() -> Any:
        guard.check_source()
        if isinstance(request.routing_exception, MethodNotAllowed) and request.method in ("GET", "HEAD"):
            return redirect(_page_above(request.path), 303)
        checks_itself = request.endpoint == "static" or request.blueprint == "seats"
        return None if checks_itself or guard.is_screen() else _elsewhere(guard, seats)

    @app.context_processor
    def menu() -> dict[str, Any]:
        """The pages that this device may open, named alike everywhere; after an order, the page that it came from."""
        above = "" if request.method in ("GET", "HEAD") else _page_above(request.path)
        if guard.is_screen():
            return {"pages": PAGES, "home": "To the table", "above": above}
        if seats.of_mark(guard.seat() or "") is not None:
            return {"pages": PAGES_OF_PLAYERS, "home": "To my screen", "above": above}
        return {"pages": (), "home": "", "above": ""}

    empty = evening.live if proposed else None

    @app.get("/")
    def page() -> Any:
        if evening.live is empty:
            return redirect(url_for("start.page"), 303)
        return render_template("page.html", view=view(evening.live.moment()), token=token)

    @app.get("/state")
    def state() -> Response:
        return _json_answer(states.of(evening.live.moment()).replace(token_mark, str(token)))

    @app.get("/pictures/<key>.jpg")
    def picture(key: str) -> Response:
        return picture_answer(
            evening.live.pictures.get(key), "No such picture: the umpire may have been started again."
        )

    @app.get("/place")
    def place() -> Any:
        try:
            return render_template("correct.html", place=place_view(evening.live.moment(), request.args), token=token)
        except NoSuchPlaceError as fault:
            return Response(str(fault), 409, mimetype="text/plain")

    @app.post("/do/<name>")
    def order(name: str) -> Any:
        check_token()
        orders = _orders(evening.live)
        if name not in orders:
            abort(404, f"There is no order called {name!r}.")
        orders[name]()
        return redirect(url_for("page"), 303)

    @app.after_request
    def guarded(answer: Response) -> Response:
        answer.headers["Content-Security-Policy"] = POLICY
        answer.headers["X-Content-Type-Options"] = "nosniff"
        answer.headers["Referrer-Policy"] = "no-referrer"
        answer.headers["Cross-Origin-Resource-Policy"] = "same-origin"  # no other page shows the camera's picture
        answer.headers.setdefault("Cache-Control", "no-cache")
        return guard.finish(answer)

    return app


def _elsewhere(guard: Guard, seats: Seats) -> Any:
    """A player's own device is led to its own page and may send photos; any other is refused."""
    mark = guard.seat()
    has_seat = mark is not None and seats.of_mark(mark) is not None
    if has_seat and request.endpoint == "page":
        return redirect(url_for("seats.mine"), 303)
    if not has_seat or (request.endpoint not in SEEN_BY_PLAYERS and request.blueprint not in FOR_PLAYERS):
        guard.check_screen()
    return None


def _page_above(order: str) -> str:
    """The address of the page that takes this order.

    A page that was the answer to an order stands at the order's address: who loads it anew, or finds it again in a
    browser that was closed, means the page.
    """
    addresses, path = current_app.create_url_adapter(request), order
    assert addresses is not None  # it has led to this request
    while path:
        path = path.rpartition("/")[0]
        for above in (f"{path}/", path):
            if above and addresses.test(above, "GET"):
                return above
    return url_for("page")


def _orders(live: Live) -> dict[str, Callable[[], None]]:
    return {
        "back": live.back,
        "forward": live.forward,
        "toggle": live.toggle,
        "restart": live.restart,
        "agree": lambda: live.agree(_at()),
        "look_at": lambda: live.look_at(_number("place")),
        "choose": lambda: live.choose(_number("place"), _at()),
        "not-a-move": lambda: live.not_a_move(_at()),
        "undo": lambda: live.undo(_at()),
        "redo": lambda: live.redo(_at()),
        "say": lambda: _say(live),
        "correct": lambda: _correct(live),
        "pace": lambda: live.set_pace(_pace()),
    }


def _say(live: Live) -> None:
    """Pass on a choice that the page offers, with the faces that were tapped."""
    state = live.as_seen_by(None)
    offered = () if state is None else live.moment().game.choices(state, None)
    faces = [request.form[name] for name in ("roll0", "roll1", "roll2", "roll3") if name in request.form]
    said = chosen(offered, request.form.get("choice", ""), faces)
    if said is None:
        abort(409, "That can no longer be said: the game has gone on.")
    choice, declaration, words = said
    live.declare(declaration, choice.player, words, _at())


def _correct(live: Live) -> None:
    """Pass on what lies at a place, if the page still shows the table that it is about."""
    if _number("count") != len(live.moment().events):
        abort(409, "The table has changed meanwhile. Tap the place again.")
    try:
        correction = correction_of(request.form)
    except ValueError as fault:
        abort(409, f"That cannot lie there: {fault}.")
    live.correct(correction)


def _at() -> int | None:
    """How many events the page showed where this was tapped; None where the form does not say."""
    return _number("count") if "count" in request.form else None


def _pace() -> float:
    pace = _number("pace")
    if pace not in PACES_S:
        abort(400, f"A photo can come every {', '.join(f'{each:.0f}' for each in PACES_S)} seconds, not every {pace}.")
    return float(pace)


def _number(field: str) -> int:
    said = request.form.get(field, "")
    if not said.isascii() or not said.isdigit() or len(said) > 6:
        abort(400, f"{field} should be a whole number, not {said!r}.")
    return int(said)


def _json_answer(text: str) -> Response:
    """JSON with a tag of its content; an empty 304 when the browser has it already."""
    answer = Response(text, mimetype="application/json")
    answer.set_etag(hashlib.sha256(text.encode()).hexdigest()[:24])
    answer.make_conditional(request)
    return answer
