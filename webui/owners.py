"""Whose Mids are these? Where Mids stand on no stand that the umpire can see, the players say it, once.

An answer is a correction like any other: it is kept, it can be taken back, and from then on the engine remembers whose
Mid it is wherever it goes.
"""

from __future__ import annotations

import secrets
import threading
from dataclasses import dataclass
from typing import Any

from flask import Blueprint, Response, redirect, render_template, request, url_for

from engine.table import Colour, Stack
from webui.correcting import Correction
from webui.evening import Evening
from webui.games.seating import SEATINGS
from webui.guard import Guard
from webui.live import Live

MOST_ASKED = 40
MOVED_ON = "The table has changed since this page was shown. Look again, and say it once more."


@dataclass(frozen=True)
class Ownerless:
    """A Mid on a square that nobody is known to own."""

    square: str
    stack: Stack

    @property
    def words(self) -> str:
        return " under ".join(str(pyramid) for pyramid in self.stack.pyramids)

    def owned_by(self, stand: Colour) -> Correction:
        """The same Mid on that player's stand."""
        where, pose = self.stack, self.stack.pose
        return Correction(where.sheet, pose.x_mm, pose.y_mm, where.pyramids, None, stand, where.zone)


def ownerless(live: Live) -> tuple[Ownerless, ...]:
    """The Mids whose owner neither a stand tells nor anybody has said; none in games without stands."""
    seating = SEATINGS.get(live.game_file.game)
    scene = live.scene
    if seating is None or seating.field != "stand" or scene is None:
        return ()
    known = _owned_squares(live.as_seen_by(None))
    stacks = [each for each in scene.stacks if each.stand is None and not each.pose.is_lying and each.zone]
    return tuple(Ownerless(str(each.zone), each) for each in stacks if each.zone not in known)[:MOST_ASKED]


def _owned_squares(state: Any) -> frozenset[str]:
    if state is None:
        return frozenset()
    return frozenset(str(square) for square, mid in state.position.mids if state.owner_of(mid) is not None)


def owners_pages(evening: Evening, guard: Guard) -> Blueprint:
    """The page that asks, and what it sends."""
    pages = Blueprint("owners", __name__, url_prefix="/owners")

    said: list[dict[str, str]] = []  # the form that was taken last
    saying = threading.Lock()

    def shown(fault: str = "") -> Response:
        live = evening.live
        now = {"mids": ownerless(live), "players": _stands(live), "count": len(live.moment().events)}
        page = render_template("owners.html", **now, fault=fault, once=secrets.token_hex(8), token=guard.form_token())
        answer = Response(page, 409 if fault else 200)
        answer.headers["Cache-Control"] = "no-store"
        return answer

    @pages.get("/")
    def page() -> Any:
        return shown()

    @pages.post("/")
    def say() -> Any:
        guard.check_form()
        form = request.form.to_dict()
        with saying:
            if said == [form]:  # two taps are one
                return redirect(url_for("page"), 303)
            if form.get("count") != str(len(evening.live.moment().events)):
                return shown(MOVED_ON)
            said[:] = [form]
            _say(evening.live, form)
        return redirect(url_for("page"), 303)

    return pages


def _say(live: Live, form: dict[str, str]) -> None:
    stands = dict(_stands(live))
    for mid in ownerless(live):
        stand = stands.get(form.get(mid.square, ""))
        if stand is not None:
            live.correct(mid.owned_by(stand))


def _stands(live: Live) -> tuple[tuple[str, Colour], ...]:
    """The players with the colour of their stands."""
    return tuple((each["name"], Colour(each["stand"])) for each in live.game_file.setup["players"] if "stand" in each)
