"""Joining: each player's own link and QR code on the main screen, and the screen that only this player sees.

What a player's screen shows is made of `Live.as_seen_by` that player and of what everybody sees, and of nothing else.
Players say what their game offers them, and nothing that a browser made up.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import segno
from flask import Blueprint, Response, abort, jsonify, make_response, redirect, render_template, request, url_for
from markupsafe import Markup

from webui.batteries import Chosen, is_building, sealing
from webui.evening import Evening
from webui.games.tabletop import Choice
from webui.guard import NOT_JOINED, SEAT, Guard, host_in_address
from webui.live import Live
from webui.present import HEADLINES, kind_of, plain, sentence
from webui.saying import chosen, groups_of, key_of

MOST_BYTES = 8_192  # a battery is some 26 short fields
TAKEN_S = 4.0  # so long the answer to a form waits for the umpire, who may be looking at a photo, to take it in
MOVED_ON = "The table has moved on since this page was shown. Look again, and say it again if it still holds."
STILL_HEARD = "The umpire still takes in what you said before. Look again in a moment."
UNSEEN = "The umpire has not seen the table yet. What you built is kept here; seal it once the table is set."
REGIONS = ("table", "choices", "own", "board")


class NotSaidError(Exception):
    """Why it cannot be said, in words."""


@dataclass(frozen=True, eq=False)
class Asked:
    """What a form said; `taken` is set once the umpire has taken it in or refused it."""

    form: dict[str, str]
    taken: threading.Event

    @property
    def is_sealing(self) -> bool:
        return self.form.get("do") == "seal"


@dataclass
class Seat:
    """One player's place. `token` is the secret in the link, `mark` what the cookie says of it; `said` counts what was
    said from here, so that no form counts twice. `asked` is what was said last, in the game of `game`."""

    name: str
    token: str = field(default_factory=lambda: secrets.token_urlsafe(24))
    is_taken: bool = False
    chosen: Chosen | None = None
    game: Live | None = None
    asked: Asked | None = None
    said: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock)

    @property
    def mark(self) -> str:
        return hashlib.sha256(self.token.encode()).hexdigest()[:24]

    def awaited(self, live: Live) -> Asked | None:
        """What was said here and is not taken in yet. A new game takes no form of the one before, and nobody waits for
        what that has not heard."""
        with self.lock:
            if self.game is not live:
                self.game, self.asked, self.said = live, None, self.said + 1
            return None if self.asked is None or self.asked.taken.is_set() else self.asked


class Seats:
    """The seats of the game that is on. Who plays the next game too keeps the link."""

    def __init__(self, evening: Evening) -> None:
        self._evening, self._lock = evening, threading.Lock()
        self._seats: dict[str, Seat] = {}

    def all(self) -> tuple[Seat, ...]:
        """In seating order."""
        names = self._evening.live.game_file.players
        with self._lock:
            self._seats = {name: self._seats.get(name) or Seat(name) for name in names}
            return tuple(self._seats.values())

    def of_token(self, token: str) -> Seat | None:
        fitting = [seat for seat in self.all() if hmac.compare_digest(seat.token.encode(), token.encode())]
        return fitting[0] if fitting else None

    def of_mark(self, mark: str | None) -> Seat | None:
        return next((seat for seat in self.all() if seat.mark == mark), None)

    def renew(self, name: str) -> None:
        """A new link for this player; the old one and whoever joined by it are out."""
        with self._lock:
            if name in self._seats:
                self._seats[name] = Seat(name)


def seats_pages(evening: Evening, guard: Guard, seats: Seats) -> Blueprint:
    """The pages of joining and of players' own devices. Each of them checks by itself who asks."""
    pages = Blueprint("seats", __name__)

    @pages.get("/seats")
    def overview() -> Response:
        guard.check_screen()
        views = [_seat_view(seat, guard) for seat in seats.all()] if guard.is_shared else []
        return _secret(render_template("seats.html", seats=views, token=guard.form_token()))

    @pages.post("/seats/renew")
    def renew() -> Any:
        guard.check_form()
        seats.renew(request.form.get("name", ""))
        return redirect(url_for("seats.overview"), 303)

    @pages.get("/screen/<token>")
    def screen(token: str) -> Response:
        guard.check_link(hmac.compare_digest(token.encode(), guard.screen_token.encode()))
        page = render_template("joined.html", words="This is the main screen now.", onward=url_for("page"))
        return guard.open_screen(_secret(page))

    @pages.get("/join/<token>")
    def join(token: str) -> Response:
        seat = seats.of_token(token)
        guard.check_link(seat is not None)
        assert seat is not None
        seat.is_taken = True
        page = render_template("joined.html", words=f"You play as {seat.name}.", onward=url_for("seats.mine"))
        return guard.open_seat(_secret(page), seat.mark)

    def own_seat() -> Seat:
        seat = seats.of_mark(guard.seat())
        if seat is None:
            abort(403, NOT_JOINED)
        return seat

    def regions(view: dict[str, Any]) -> dict[str, dict[str, str]]:
        """The parts of the page that change, each with a mark of its content."""
        token = guard.form_token(SEAT)
        parts = {name: render_template(f"mine_{name}.html", view=view, token=token) for name in REGIONS}
        return {name: {"html": html, "mark": _digest(html)} for name, html in parts.items()}

    def shown(seat: Seat, fault: str = "") -> Response:
        view = _mine_view(evening.live, seat)
        page = render_template("mine.html", view=view, fault=fault, regions=regions(view), token=guard.form_token(SEAT))
        return _secret(page, 409 if fault else 200)

    @pages.get("/mine")
    def mine() -> Response:
        return shown(own_seat())

    @pages.get("/mine/now")
    def now() -> Response:
        view = _mine_view(evening.live, own_seat())
        have = set(request.headers.get("X-Have", "").split())
        parts = {
            name: part if part["mark"] not in have else {"mark": part["mark"]} for name, part in regions(view).items()
        }
        body = {"regions": parts, "stage": view["stage"], "game": view["game"], "announce": view["announce"]}
        return _secret(jsonify(body))

    @pages.post("/mine/say")
    def say() -> Any:
        request.max_content_length = MOST_BYTES
        seat = own_seat()
        guard.check_seat_form()
        fault = _passed_on(evening.live, seat, _said)
        return shown(seat, fault) if fault else redirect(url_for("seats.mine"), 303)

    @pages.post("/mine/battery")
    def battery() -> Any:
        request.max_content_length = MOST_BYTES
        seat = own_seat()
        guard.check_seat_form()
        seat.chosen = Chosen.from_form(request.form)
        fault = _passed_on(evening.live, seat, _sealed) if request.form.get("do") == "seal" else ""
        return shown(seat, fault) if fault else redirect(url_for("seats.mine"), 303)

    return pages


def _secret(page: Any, code: int = 200) -> Response:
    answer = make_response(page, code)
    answer.headers["Cache-Control"] = "no-store"
    return answer


def _seat_view(seat: Seat, guard: Guard) -> dict[str, Any]:
    link = f"http://{_reached_at(guard)}{url_for('seats.join', token=seat.token)}"
    return {"name": seat.name, "link": link, "code": qr_svg(link), "is_taken": seat.is_taken}


def _reached_at(guard: Guard) -> str:
    """Host and port under which phones reach this page: as this browser does, if that is no address of its own."""
    addresses = [host_in_address(each) for each in guard.addresses]
    host, _, port = request.host.rpartition(":")
    if not port.isdigit():
        host, port = request.host, "80"
    return f"{host if host in addresses else addresses[0]}:{port}"


def qr_svg(text: str) -> Markup:
    """The text as a QR code, with its quiet border, on white: for a page that is dark, too."""
    code = segno.make(text, error="m", micro=False)
    return Markup(code.svg_inline(border=4, dark="#000", light="#fff", omitsize=True, svgclass="qr", lineclass=None))


# A player's own screen.


def _mine_view(live: Live, seat: Seat) -> dict[str, Any]:
    moment, state = live.moment(), live.as_seen_by(seat.name)
    last = moment.events[-1] if moment.events else None
    turn = None if state is None else moment.game.turn(state)
    awaited = turn is not None and any(each.name == seat.name and each.is_awaited for each in turn.players)
    building, awaited_here = _building(live, seat, state), seat.awaited(live)
    is_sealing = awaited_here is not None and awaited_here.is_sealing
    headline = HEADLINES["waiting"] if last is None else HEADLINES[kind_of(last)]
    return {
        "name": seat.name,
        "game": moment.game.TITLE,
        "kind": "waiting" if last is None else kind_of(last),
        "headline": headline,
        "sentence": "The umpire waits for the table to be set." if last is None else sentence(last),
        "turn": turn,
        "is_awaited": awaited,
        "board": moment.game.drawing(None if last is None else last.table, None, "legal", live.game_file.players),
        "announce": f"{headline}. {'It is your turn.' if awaited else ''}".strip(),
        "own": None if state is None else moment.game.private(state, seat.name),
        "is_heard": awaited_here is not None and not is_sealing,
        "groups": [] if state is None or awaited_here is not None else groups_of(_offered(live, state, seat.name)),
        "said": seat.said,
        "building": building,
        "stage": "play" if building is None else "sealing" if is_sealing else "building",
        "refused": plain(moment.refused, last),
    }


def _offered(live: Live, state: Any, player: str) -> tuple[Choice, ...]:
    """What this player may say now."""
    return tuple(each for each in live.moment().game.choices(state, player) if each.player in (None, player))


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _passed_on(live: Live, seat: Seat, say: Callable[[Live, Seat], threading.Event]) -> str:
    """Have the umpire take in what the player's form says; why not, in words. A second tap, while the umpire looks at a
    photo, waits for what comes of the first."""
    form = request.form.to_dict()
    with seat.lock:
        asked = seat.awaited(live)
        if asked is not None and asked.form != form:
            return STILL_HEARD
        if asked is None:
            try:
                asked = seat.asked = Asked(form, say(live, seat))
            except NotSaidError as fault:
                return str(fault)
    asked.taken.wait(TAKEN_S)
    return ""


def _said(live: Live, seat: Seat) -> threading.Event:
    """Pass on what the player chose. Raises NotSaidError; no form counts twice, whoever plays it back."""
    state, key = live.as_seen_by(seat.name), request.form.get("choice", "")
    offered = () if state is None else _offered(live, state, seat.name)
    choice = next((each for each in offered if key_of(each) == key), None)
    if choice is None:
        raise NotSaidError(MOVED_ON)
    said = chosen(offered, key, [request.form.get(f"die-{n}", "") for n in range(choice.dice)])
    if said is None:
        raise NotSaidError(f"Tap a face for {'the die' if choice.dice == 1 else f'each of the {choice.dice} dice'}.")
    if request.form.get("said") != str(seat.said):
        raise NotSaidError(MOVED_ON)
    seat.said += 1
    _, declaration, words = said
    return live.declare(declaration, seat.name, words if choice.group else f"{seat.name}: {words}")


# A battery in secret.


def _building(live: Live, seat: Seat, state: Any) -> dict[str, Any] | None:
    """The battery that this player builds, if the game has one that is not sealed yet."""
    if not is_building(live.game_file, live.moment().game, state, seat.name):
        return None
    return (seat.chosen or Chosen()).view(live.game_file, state, seat.name)


def _sealed(live: Live, seat: Seat) -> threading.Event:
    """Seal the battery that was built. Raises NotSaidError."""
    state = live.as_seen_by(seat.name)
    if not is_building(live.game_file, live.moment().game, state, seat.name):
        raise NotSaidError("Your battery is sealed already, or it has been shot at.")
    chosen_so_far = seat.chosen or Chosen()
    fault = chosen_so_far.fault(live.game_file, state, seat.name)
    if fault:
        raise NotSaidError(fault)
    if state is None:
        raise NotSaidError(UNSEEN)
    built = chosen_so_far.built(live.game_file, state, seat.name)
    return live.declare(sealing(built, seat.name), seat.name, f"{seat.name} has sealed the battery.")
