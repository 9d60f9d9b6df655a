"""The page that sets up a camera: name and ruler, a look at the mat, views from all sides, the lens, the colours.

Pictures come from a live camera or as photos; they are kept small, and for as long as the program runs. `Wizard` holds
where we are as a frozen `SetUp`; orders replace it, one at a time.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flask import Blueprint, Response, abort, jsonify, redirect, render_template, request, url_for

from calibration import store
from calibration.sheets import load_sheets
from calibration.store import Calibration, CalibrationError, print_scale_of, print_warning
from webui.answers import NOT_KEPT, picture_answer
from webui.calibrate import (
    Kept,
    Shot,
    calibrated,
    calibration_words,
    coloured,
    lesson_words,
    others_from,
    shot_from,
    shot_of,
    verdict_words,
)
from webui.pictures import Pictures
from webui.watch import Watch

if TYPE_CHECKING:
    from vision.camera import Frame
    from vision.live import Grabber

MOST_SHOTS = 30
MOST_BYTES = 400_000_000  # thirty photos of a large phone
PICTURE_WIDTH_PX = 640
CHECK_WIDTH_PX = 1280

Upload = tuple[str, bytes]  # the file's name and content


@dataclass(frozen=True)
class Checked:
    """One look at the mat: what to change, what is good to know, the key of its picture with the markers outlined."""

    photo: str
    changes: tuple[str, ...]
    remarks: tuple[str, ...] = ()
    picture: str | None = None


@dataclass(frozen=True)
class Taken:
    """A shot and the key of its picture, when it is a picture at all."""

    shot: Shot
    picture: str | None


@dataclass(frozen=True)
class SetUp:
    """How far the set-up has come; `camera` is empty before it began. `refusal` says why there is no calibration."""

    camera: str = ""
    print_scale: float = 1.0
    checked: Checked | None = None
    taken: tuple[Taken, ...] = ()
    kept: Kept | None = None
    refusal: str = ""
    learnt: tuple[str, ...] = ()  # what the colour card taught
    unlearnt: str = ""  # or why it taught nothing

    @property
    def views(self) -> int:
        return sum(each.shot.view is not None for each in self.taken)


class Wizard:
    """The one set-up that goes on. Its methods raise CalibrationError, in words, and then nothing has changed."""

    def __init__(
        self, folder: Callable[[], Path] = store.cameras_folder, grab: Callable[[str], Grabber] | None = None
    ) -> None:
        self._folder, self._grab, self._working = folder, grab or _grabber, threading.Lock()
        self.pictures, self.set_up = Pictures(), SetUp()
        self._watch: Watch | None = None

    @property
    def watch(self) -> Watch | None:
        """The live camera that is looked at; None when none is."""
        watch = self._watch
        return None if watch is None or watch.is_over else watch

    def restart(self) -> None:
        """Begin anew; what was kept stays kept."""
        self.close_camera()
        with self._working:
            self.pictures, self.set_up = Pictures(), SetUp()

    def open_camera(self, source: str) -> None:
        """Look at this live camera, and at no other."""
        from vision.live import CameraError

        self._check_begun()
        self.close_camera()
        try:
            self._watch = Watch(self._grab(source), self._hint)
        except CameraError as fault:
            raise CalibrationError(str(fault)) from None

    def close_camera(self) -> None:
        if self._watch is not None:
            self._watch.stop()
            self._watch = None

    def take_view(self) -> None:
        """The live camera's picture of this moment as one more view."""
        frame = self._live_frame()
        with self._working:
            self._check_room(1)
            self._keep_shot(shot_from(frame, self.set_up.print_scale))

    def teach(self, upload: Upload | None, others: str) -> None:
        """Learn colours from a photo of the colour card, or without one from the live camera's picture.

        `others` are texts such as 'orange=pink', apart by spaces or commas.
        """
        from vision.camera import PhotoError, photo_from

        named = others_from(others.replace(",", " ").split())
        try:
            frame = self._live_frame() if upload is None else photo_from(upload[1], upload[0])
        except PhotoError as fault:
            raise CalibrationError(str(fault)) from None
        with self._working:
            self._check_begun()
            self.set_up = self._taught(frame, named)

    def _taught(self, frame: Frame, others: dict[str, str]) -> SetUp:
        from calibration.locate import LocateError
        from vision.teach import LessonError

        try:
            _, lesson = coloured(self.set_up.camera, frame, others, self._folder())
        except (LocateError, LessonError) as fault:
            return replace(self.set_up, learnt=(), unlearnt=str(fault))
        return replace(self.set_up, learnt=lesson_words(lesson), unlearnt="")

    def _live_frame(self) -> Frame:
        self._check_begun()
        if self.watch is None:
            raise CalibrationError("No camera is looked at: choose one in step 2.")
        return self.watch.take()

    def _hint(self) -> Calibration | None:
        kept = self.set_up.kept
        return None if kept is None else kept.calibration

    def begin(self, camera: str, ruler_mm: float) -> None:
        """Name the camera and tell the measured length of the ruler line, mm."""
        store.check_name(camera)
        scale = print_scale_of(ruler_mm)
        with self._working:
            now = self.set_up
            # Tapped twice, or on a page that somebody went back to.
            if (now.camera, now.print_scale) == (camera, scale):
                return
            if now.camera:
                raise CalibrationError(f"The camera {now.camera} is set up just now. Tap Start again first.")
            self.pictures, self.set_up = Pictures(), SetUp(camera, scale)

    def check(self, upload: Upload) -> None:
        """Look at the mat once, as the camera will see it."""
        with self._working:
            self._check_begun()
            self.set_up = replace(self.set_up, checked=self._checked(*upload))

    def add(self, uploads: Sequence[Upload]) -> None:
        """More tilted views; at most `MOST_SHOTS` are held."""
        with self._working:
            self._check_begun()
            self._check_room(len(uploads))
            for photo, content in uploads:
                self._keep_shot(shot_of(content, photo, self.set_up.print_scale))

    def finish(self) -> None:
        """Learn the lens from the photos and keep it, or say why not."""
        from calibration.lens import LensRefused

        with self._working:
            self._check_begun()
            now = self.set_up
            try:
                shots = [each.shot for each in now.taken]
                kept = calibrated(now.camera, shots, now.print_scale, self._folder())
                self.set_up = replace(now, kept=kept, refusal="")
            except (LensRefused, CalibrationError) as refused:
                self.set_up = replace(now, kept=None, refusal=str(refused))

    def known(self) -> tuple[Calibration, ...]:
        """The cameras calibrated on this machine."""
        return store.load_all(self._folder())[0]

    def _check_begun(self) -> None:
        if not self.set_up.camera:
            raise CalibrationError("Name the camera first: the set-up was started again.")

    def _check_room(self, more: int) -> None:
        if len(self.set_up.taken) + more > MOST_SHOTS:
            raise CalibrationError(f"{MOST_SHOTS} photos are the most, and eight are enough: start again with fewer.")

    def _keep_shot(self, shot: Shot) -> None:
        picture = None if shot.image_bgr is None else self.pictures.keep(shot.image_bgr, PICTURE_WIDTH_PX, 80)
        taken = Taken(replace(shot, image_bgr=None), picture)
        self.set_up = replace(self.set_up, taken=(*self.set_up.taken, taken), kept=None, refusal="")

    def _checked(self, photo: str, content: bytes) -> Checked:
        from calibration.advice import advise, drawn
        from vision.camera import PhotoError, photo_from

        try:
            frame = photo_from(content, photo)
        except PhotoError as fault:
            return Checked(photo, (str(fault),))
        advice = advise(frame.image_bgr, self._hint() or frame.lens_hint)
        picture = self.pictures.keep(drawn(frame.image_bgr, advice), CHECK_WIDTH_PX, 86)
        return Checked(photo, advice.changes, advice.remarks, picture)


def _grabber(source: str) -> Grabber:
    from vision.live import Grabber

    return Grabber(source)


def wizard_pages(wizard: Wizard, token: Any, check_token: Callable[[], None]) -> Blueprint:
    """The wizard's page and its orders; `check_token` refuses posts that do not come from the page."""
    pages = Blueprint("wizard", __name__, url_prefix="/calibrate")
    orders: dict[str, Callable[[], None]] = {
        "begin": lambda: wizard.begin(request.form.get("camera", "").strip(), _millimetres("ruler")),
        "camera": lambda: wizard.open_camera(request.form.get("source", "").strip()),
        "close": wizard.close_camera,
        "check": lambda: wizard.check(_uploads()[0]),
        "take": wizard.take_view,
        "add": lambda: wizard.add(_uploads()),
        "finish": wizard.finish,
        "teach": lambda: wizard.teach(_uploads()[0], _others()),
        "teach_live": lambda: wizard.teach(None, _others()),
        "restart": wizard.restart,
    }

    def shown(fault: str = "") -> str:
        return render_template("calibrate.html", view=view_of(wizard), fault=fault, token=token)

    @pages.before_request
    def allow_photos() -> None:
        request.max_content_length = MOST_BYTES

    @pages.get("/")
    def page() -> str:
        return shown()

    @pages.get("/pictures/<key>.jpg")
    def picture(key: str) -> Response:
        return picture_answer(wizard.pictures.get(key), "No such picture: the set-up was started again.")

    @pages.get("/live")
    def live() -> Response:
        return jsonify(live_view(wizard))

    @pages.get("/live/<int:number>.jpg")
    def live_picture(number: int) -> Response:
        watch = wizard.watch
        return picture_answer(None if watch is None else watch.glimpse().jpeg, "There is no live picture.", NOT_KEPT)

    @pages.post("/do/<name>")
    def order(name: str) -> Any:
        check_token()
        if name not in orders:
            abort(404, f"There is no order called {name!r}.")
        try:
            orders[name]()
        except CalibrationError as fault:
            return shown(str(fault)), 400
        return redirect(url_for("wizard.page"), 303)

    @pages.errorhandler(413)
    def too_much(_: Exception) -> tuple[str, int]:
        return shown("These photos are too many or too large to send at once: send fewer."), 413

    return pages


def view_of(wizard: Wizard) -> dict[str, Any]:
    """What the page shows, in words."""
    now = wizard.set_up
    kept = now.kept
    return {
        "set_up": now,
        "source": None if wizard.watch is None else wizard.watch.camera,
        "live": live_view(wizard),
        "can_learn": now.camera in [each.camera for each in wizard.known()],
        "cells": [zone.name for zone in load_sheets()["colour-card"].zones],
        "known": [calibration_words(each) for each in wizard.known()],
        "print_warning": print_warning(now.print_scale),
        "ruler_mm": f"{store.RULER_MM * now.print_scale:g}",
        "verdict": None if kept is None else kept.calibration.verdict,
        "sentence": "" if kept is None else verdict_words(kept.calibration).capitalize(),
        "notes": ()
        if kept is None
        else (*(f"{n} was set aside. {why}" for n, why in kept.fit.set_aside), *kept.fit.notes),
    }


def live_view(wizard: Wizard) -> dict[str, Any]:
    """What the page shows of the live camera, in words."""
    return live_words(wizard.watch, lambda number: url_for("wizard.live_picture", number=number))


def live_words(watch: Watch | None, address_of: Callable[[int], str]) -> dict[str, Any]:
    """What a page shows of a camera that is looked at, in words; `address_of` tells a picture's address."""
    if watch is None:
        return {
            "words": "The camera was let go, as no page looked at it. Choose it again.",
            "tips": [],
            "picture": None,
        }
    now = watch.glimpse()
    picture = None if now.jpeg is None else address_of(now.number)
    verdict = "" if now.words else "To be changed:" if now.changes else "All is well."
    return {
        "words": " ".join(each for each in (now.words, now.markers, verdict) if each),
        "tips": [*now.changes, *now.remarks],
        "picture": picture,
    }


def _others() -> str:
    return request.form.get("others", "")


def _uploads() -> list[Upload]:
    """The photos sent. Raises CalibrationError when there are none."""
    files = [file for file in request.files.getlist("photos") if file.filename]
    if not files:
        raise CalibrationError("No photo was chosen.")
    return [(Path(file.filename or "").name, file.read()) for file in files]


def _millimetres(field: str) -> float:
    said = request.form.get(field, "").strip().replace(",", ".")
    try:
        return float(said)
    except ValueError:
        raise CalibrationError(f"The ruler line's length should be a number of millimetres, not {said!r}.") from None
