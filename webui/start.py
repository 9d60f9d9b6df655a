"""The start: go on with a match that was kept, look at a sample, or set up a game and begin it.

Forms work without JavaScript. Whatever is wrong stands next to its field, and what was typed stays.
"""

from __future__ import annotations

import os
import secrets
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Protocol

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for

from calibration import store as lenses
from calibration.store import CalibrationError
from webui.answers import NOT_KEPT, picture_answer
from webui.evening import Evening
from webui.gamefile import GameFile, GameFileError, photos_in
from webui.games import TABLETOPS
from webui.games.seating import SEATINGS
from webui.games.tabletop import Tabletop
from webui.guard import Guard
from webui.live import Live
from webui.look import EyesMissingError, ready_eyes
from webui.opening import Source, opened_table
from webui.samples import UnknownSampleError, sample_of, samples
from webui.setting_up import LAST_OF_ALL, Faults, Typed, made
from webui.store import StoreError
from webui.taking_up import Progress, TakingUp
from webui.watch import Watch
from webui.wizard import live_words

MOST_BYTES = 65_536  # thirty-three drivers with long names
UNKNOWN_MATCH = "This match is not kept on this computer."
AT_ONCE_S = 0.8  # a match that takes longer to go through gets a page that tells how far it is
OLD_FORM = "This page was older than the umpire that runs now. Nothing is lost: press the button once more."
TAKING_UP = "The umpire goes through a kept match just now. Press once more when that is on the table."
ADDRESSES = ("http://", "https://", "rtsp://", "rtsps://")
KINDS = ("camera", "address", "folder")
FIRST_CAMERAS = (("0", "the first camera"), ("1", "the second camera"), ("2", "the third camera"))

Opener = Callable[[GameFile, Source], Live]


class Kept(Protocol):
    """The matches that were kept on this computer."""

    def listed(self) -> tuple[dict[str, str], ...]:
        """Each match's `id`, `title`, `players` and `when`, in words, the latest first."""

    def resumed(self, match: str, source: Source, progress: Progress) -> tuple[Live, tuple[str, ...]]:
        """The match, with pictures from there, and what is otherwise than it was; `progress` is told how many inputs it
        has been through, of how many.

        Raises KeyError, StoreError, GameFileError, CameraError.
        """


class NothingKept:
    """No matches; `words` say why."""

    def __init__(self, words: str = "") -> None:
        self._words = words

    def listed(self) -> tuple[dict[str, str], ...]:
        if self._words:
            raise StoreError(self._words)
        return ()

    def resumed(self, match: str, source: Source, progress: Progress) -> tuple[Live, tuple[str, ...]]:
        raise KeyError(match)


class Preview:
    """The camera that somebody looks through while a game is set up: one at a time, let go when nobody looks."""

    def __init__(self) -> None:
        self._watch: Watch | None = None
        self.found: tuple[tuple[str, str], ...] = ()

    @property
    def watch(self) -> Watch | None:
        return None if self._watch is None or self._watch.is_over else self._watch

    def open(self, source: str) -> None:
        """Raises CameraError."""
        from vision.live import Grabber

        self.close()
        self._watch = Watch(Grabber(source), lambda: None)

    def close(self) -> None:
        if self._watch is not None:
            self._watch.stop()
            self._watch = None

    def look_for_cameras(self) -> None:
        """Find out which cameras this computer has. Takes some seconds."""
        ready_eyes()
        from vision.live import cameras

        self.close()
        self.found = tuple((said.partition(":")[0], f"camera {said}") for said in cameras())


def start_pages(
    evening: Evening, guard: Guard, kept: Kept | None = None, open_table: Opener = opened_table, camera: str = ""
) -> Blueprint:
    """The start page, a form for each game, and its orders. `camera` is the one that is proposed."""
    pages, preview, kept = Blueprint("start", __name__, url_prefix="/start"), Preview(), kept or NothingKept()
    taken_up: list[tuple[str, TakingUp]] = []  # the last match
    begun_before: list[tuple[Typed, Live]] = []  # the last form that began a game
    opening = threading.Lock()  # one table at a time

    @pages.before_request
    def allow_long_forms() -> None:
        request.max_content_length = MOST_BYTES

    @pages.get("/")
    def page(fault: str = "") -> Any:
        matches, unkept = _listed(kept)
        shown = {
            "games": [(each, SEATINGS[each.NAME]) for each in TABLETOPS if each.NAME in SEATINGS],
            "samples": samples(),
            "kept": matches,
            "unkept": unkept,
            "fault": fault,
            "may_name_folders": guard.is_here(),
        }
        return _fresh(render_template("start.html", view=shown, token=guard.form_token()))

    @pages.get("/sample")
    def no_game() -> Any:
        return redirect(url_for("start.page"), 303)

    @pages.get("/<name>")
    def form(name: str) -> Any:
        typed = Typed.fresh(_game(name))
        return filled(typed if not camera else replace(typed, fields={**typed.fields, **_proposed(camera)}), {})

    @pages.post("/<name>")
    def order(name: str) -> Any:
        typed = Typed.from_form(_game(name), request.form)
        if not guard.is_own_form():
            return filled(typed, {LAST_OF_ALL: OLD_FORM}, 400)
        match request.form.get("do", "begin"):
            case "add":
                return filled(typed.with_row(), {})
            case "look":
                return filled(typed, _tried(preview.look_for_cameras))
            case "preview":
                return filled(typed, _previewed(typed))
        with opening:
            return begun(typed)

    def begun(typed: Typed) -> Any:
        if begun_before == [(typed, evening.live)]:  # two taps are one, and so is a form whose answer was lost
            return redirect(url_for("page"), 303)
        if is_taking_up():
            return filled(typed, {LAST_OF_ALL: TAKING_UP}, 409)
        game_file, found = made(typed)
        found = {**found, **_faults_of_source(typed)}
        if game_file is None or found:
            return filled(typed, found, 400)
        preview.close()
        opened: list[Live] = []
        found = _tried(lambda: opened.append(open_table(game_file, source_of(typed))), kind_of(typed))
        if found:
            return filled(typed, found, 400)
        evening.show(opened[0])
        begun_before[:] = [(typed, opened[0])]
        return redirect(url_for("page"), 303)

    def is_taking_up() -> bool:
        return bool(taken_up) and not taken_up[0][1].stage.is_over

    def _faults_of_source(typed: Typed) -> Faults:
        kind, said = kind_of(typed), source_of(typed).name
        if not said:
            return {kind: "Say where the pictures come from."}
        if kind == "camera" and not (said.isascii() and said.isdigit()):
            return {kind: "A camera of this computer is a number: 0 is the first."}
        if kind == "address" and not said.lower().startswith(ADDRESSES):
            return {kind: f"{said} is no address of a camera: that begins with http:// or rtsp://."}
        if kind == "folder" and not guard.is_here():
            return {kind: "A folder can be chosen only on the computer that the umpire runs on."}
        if kind == "folder" and not os.path.exists(said):  # which minds no name, however long
            return {kind: f"There is no folder or video called {said}."}
        return {}

    def _previewed(typed: Typed) -> Faults:
        found = _faults_of_source(typed)
        if found or source_of(typed).is_folder:
            preview.close()
            return found
        return _tried(lambda: preview.open(source_of(typed).name), kind_of(typed))

    def filled(typed: Typed, found: Faults, code: int = 200) -> Any:
        view = _form_view(typed, found, preview, guard)
        return _fresh(render_template("start_game.html", view=view, token=guard.form_token()), code)

    @pages.get("/live")
    def live() -> Response:
        return jsonify(live_words(preview.watch, lambda number: url_for("start.live_picture", number=number)))

    @pages.get("/live/<int:number>.jpg")
    def live_picture(number: int) -> Response:
        watch = preview.watch
        return picture_answer(None if watch is None else watch.glimpse().jpeg, "There is no live picture.", NOT_KEPT)

    @pages.post("/sample")
    def sample() -> Any:
        guard.check_form()
        try:
            chosen = sample_of(request.form.get("name", ""))
        except UnknownSampleError as fault:
            abort(404, str(fault))
        evening.show(opened_table(chosen.game_file, Source(str(chosen.folder))))  # not kept: it can be seen at any time
        return redirect(url_for("page"), 303)

    @pages.post("/resume")
    def resume() -> Any:
        guard.check_form()
        typed = Typed(TABLETOPS[0], (), {name: request.form[name] for name in request.form})
        if found := _faults_of_source(typed):
            return page(next(iter(found.values()))), 400
        match, source = request.form.get("match", ""), source_of(typed)
        with opening:
            if is_taking_up() and taken_up[0][0] != match:
                return page(TAKING_UP), 409
            if not is_taking_up():  # two taps are one
                work = TakingUp(lambda progress: kept.resumed(match, source, progress), evening.show, _fault_of)
                taken_up[:] = [(match, work)]
        taken_up[0][1].wait(AT_ONCE_S)
        return resuming()

    @pages.get("/resume")
    def resuming() -> Any:
        if not taken_up:
            return redirect(url_for("start.page"), 303)
        stage = taken_up[0][1].stage
        if stage.fault:
            return page(stage.fault), 404 if stage.fault == UNKNOWN_MATCH else 400
        if stage.is_ready and not stage.notes:
            return redirect(url_for("page"), 303)
        if not stage.is_ready:
            return _fresh(render_template("resuming.html", stage=stage))
        onward = url_for("page")
        return _fresh(render_template("joined.html", words="The match goes on", notes=stage.notes, onward=onward))

    @pages.get("/resume/state")
    def resuming_state() -> Response:
        if not taken_up:
            abort(404, "No match is taken up.")
        stage = taken_up[0][1].stage
        return jsonify(done=stage.done, of=stage.of, waiting=not stage.is_over)

    return pages


def _listed(kept: Kept) -> tuple[tuple[dict[str, str], ...], str]:
    """The matches that can go on, or in words why none is kept."""
    try:
        return kept.listed(), ""
    except StoreError as fault:
        return (), str(fault)


def _game(name: str) -> Tabletop:
    found = next((each for each in TABLETOPS if name == each.NAME and name in SEATINGS), None)
    if found is None:
        abort(404, "The umpire knows no such game.")
    return found


def _fresh(page: str, code: int = 200) -> Response:
    answer = Response(page, code, mimetype="text/html")
    answer.headers["Cache-Control"] = "no-store"
    return answer


def kind_of(typed: Typed) -> str:
    """Which sort of source was chosen."""
    return typed.get("kind") if typed.get("kind") in KINDS else KINDS[0]


def source_of(typed: Typed) -> Source:
    """Where the pictures are to come from."""
    name = typed.get(kind_of(typed))
    name = _from_home(name) if kind_of(typed) == "folder" and name else name
    return Source(name, is_resumed=typed.get("resumed") == "on")


def _from_home(name: str) -> str:
    """The folder's name with ~ written out; as it is where nobody of that name has a home here."""
    try:
        return str(Path(name).expanduser())
    except RuntimeError:
        return name


def _proposed(camera: str) -> dict[str, str]:
    if camera.isdigit():
        return {"kind": "camera", "camera": camera}
    return {"kind": "address" if "://" in camera else "folder", "address": camera, "folder": camera}


def _tried(work: Callable[[], object], where: str = "camera") -> Faults:
    """What went wrong with a camera or folder, in words, beside the field that named it."""
    try:
        ready_eyes()
        from vision.live import CameraError
    except EyesMissingError as fault:
        return {where: str(fault)}
    try:
        work()
    except (CameraError, GameFileError, CalibrationError, EyesMissingError, StoreError) as fault:
        return {where: str(fault).removeprefix("game.json: ")}
    return {}


def _fault_of(work: Callable[[], object]) -> str:
    """What went wrong while a match was taken up, in words."""
    try:
        return next(iter(_tried(work).values()), "")
    except KeyError:
        return UNKNOWN_MATCH


def _form_view(typed: Typed, found: Faults, preview: Preview, guard: Guard) -> dict[str, Any]:
    """What the form of a game shows. Faults of fields that are not shown stand above all."""
    fields = {f"name-{n}" for n in range(len(typed.rows))} | {f"mark-{n}" for n in range(len(typed.rows))}
    known = fields | set(typed.fields) | {question.name for question in typed.seating.questions} | set(KINDS)
    known = (known | {"begins", "square", "lens"}) - (set() if guard.is_here() else {"folder"})
    return {
        "game": typed.game,
        "seating": typed.seating,
        "rows": typed.rows,
        "can_add": len(typed.rows) < typed.seating.most,
        "typed": typed,
        "kind": kind_of(typed),
        "switches": typed.game.SWITCHES,
        "varied": _varied_words(typed, found),
        "faults": found,
        "others": [words for name, words in found.items() if name not in known],
        "cameras": _cameras(typed, preview),
        "lenses": [each.camera for each in lenses.load_all(lenses.cameras_folder())[0]],
        "live": None if preview.watch is None else live_words(preview.watch, _live_address),
        "photos": _photos_words(typed),
        "may_name_folders": guard.is_here(),
        "once": secrets.token_hex(8),
    }


def _varied_words(typed: Typed, found: Faults) -> str:
    """How many switches are not as usual; '' where all are and none is at fault."""
    count = len(typed.chosen)
    if not count:
        return "to be put right" if any(name.startswith("option") for name in found) else ""
    return f"{count} {'is' if count == 1 else 'are'} chosen"


def _live_address(number: int) -> str:
    return url_for("start.live_picture", number=number)


def _cameras(typed: Typed, preview: Preview) -> list[tuple[str, str]]:
    """Cameras to choose from: those that were found, else the first few; what was typed is always among them."""
    listed = dict(preview.found or FIRST_CAMERAS)
    said = typed.get("camera")
    return list((listed if not said or said in listed else {said: f"camera {said}"} | listed).items())


def _photos_words(typed: Typed) -> str:
    """What is in the folder that was named, for whoever looks before they begin."""
    source = source_of(typed)
    if kind_of(typed) != "folder" or not source.is_folder:
        return ""
    try:
        count = len(photos_in(Path(source.name), may_be_none=True))
    except GameFileError as fault:
        return str(fault)
    here = "1 photo is" if count == 1 else f"{count} photos are"
    return f"{here} in this folder; those that come later are taken in."
