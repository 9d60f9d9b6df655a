"""Setting up a camera, photo by photo: the same steps for the command line and for the page.

A photo becomes a `Shot`; enough shots become a `Calibration`, which is kept only when all went well.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from calibration.store import Calibration, CalibrationError, check_name, load, save

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

    from calibration.advice import Advice
    from calibration.lens import LensFit, View
    from vision.camera import Frame
    from vision.teach import Lesson


@dataclass(frozen=True, eq=False)
class Shot:
    """One photo for a calibration: its view, or None and in `words` why it has none; and what to do better."""

    photo: str
    words: str
    view: View | None = None
    tips: tuple[str, ...] = ()
    image_bgr: NDArray[uint8] | None = None
    """The photo with its markers outlined; None when it is no picture."""


@dataclass(frozen=True)
class Kept:
    """A calibration that was kept, where, and what its photos said."""

    calibration: Calibration
    fit: LensFit
    path: Path


def shot_of(content: bytes, photo: str, print_scale: float) -> Shot:
    """What the bytes of a file called `photo` give."""
    from vision.camera import PhotoError, photo_from

    try:
        return shot_from(photo_from(content, photo), print_scale)
    except PhotoError as fault:
        return Shot(photo, str(fault))


def shot_from(frame: Frame, print_scale: float) -> Shot:
    """What one picture gives."""
    from calibration.advice import advise, drawn
    from calibration.lens import view_of
    from calibration.locate import LocateError

    try:
        view = view_of(frame.name, frame.image_bgr, print_scale)
    except LocateError as fault:
        return Shot(frame.name, str(fault), image_bgr=frame.image_bgr)
    advice = advise(frame.image_bgr)
    words = f"{view.marker_count} markers, tilted by {view.tilt_deg:.0f} degrees"
    return Shot(frame.name, words, view, advice.light, drawn(frame.image_bgr, advice))


def calibrated(camera: str, shots: Sequence[Shot], print_scale: float, folder: Path) -> Kept:
    """The camera's calibration from the shots that have a view, kept in the folder.

    Raises LensRefused or CalibrationError, and then what was kept before is as it was.
    """
    from calibration.lens import lens_from

    check_name(camera)
    fit = lens_from([shot.view for shot in shots if shot.view is not None])
    before = _before(camera, folder)
    palette = None if before is None else before.palette
    calibration = Calibration(camera, fit.lens, date.today(), print_scale, fit.error_mm, palette)
    return Kept(calibration, fit, save(calibration, folder))


def scale_before(camera: str, folder: Path) -> float:
    """The print scale that was kept for the camera; 1 when none was."""
    before = _before(camera, folder)
    return 1.0 if before is None else before.print_scale


def _before(camera: str, folder: Path) -> Calibration | None:
    """What was kept for the camera; None when nothing usable was."""
    try:
        return load(camera, folder)
    except CalibrationError:
        return None


def coloured(camera: str, frame: Frame, others: Mapping[str, str], folder: Path) -> tuple[Calibration, Lesson]:
    """The camera's calibration with the colours that the photo of the colour card teaches, kept in the folder.

    `others` says of some cells which other plastic stands there. Raises CalibrationError, LocateError or LessonError,
    and then what was kept before is as it was.
    """
    from vision.teach import lesson_of

    before = load(camera, folder)
    lesson = lesson_of(frame, before, others)
    calibration = replace(before, palette=lesson.palette)
    save(calibration, folder)
    return calibration, lesson


def others_from(said: Sequence[str]) -> dict[str, str]:
    """Which other plastic stands on which cell, of texts such as 'orange=pink'. Raises CalibrationError.

    >>> others_from(["orange=pink", "clear = grey"])
    {'orange': 'pink', 'clear': 'grey'}
    """
    named = {}
    for each in said:
        cell, sign, colour = (part.strip().lower() for part in each.partition("="))
        if not (cell and sign and colour):
            raise CalibrationError(f"Say it as CELL=COLOUR, such as orange=pink, not {each!r}.")
        named[cell] = colour
    return named


def lesson_words(lesson: Lesson) -> tuple[str, ...]:
    """What the colour card taught, a sentence each."""
    said = [f"Learnt how these look in this light: {', '.join(lesson.palette.colours)}."]
    if lesson.empty:
        said.append(f"Nothing stood on {', '.join(lesson.empty)}: these are read as without the card.")
    said += [f"The cell {cell} was set aside: {why}" for cell, why in lesson.set_aside]
    said += [f"In this light {one} and {other} look much alike." for one, other in lesson.palette.alike()]
    return tuple(said)


def advice_on(frame: Frame, calibration: Calibration | None) -> Advice:
    """Advice on one picture, with what is known of its lens."""
    from calibration.advice import advise

    return advise(frame.image_bgr, calibration or frame.lens_hint)


def calibration_words(calibration: Calibration) -> str:
    """One line: whose, of when, how good.

    >>> from calibration.optics import Lens
    >>> lens = Lens(1000.0, (639.5, 479.5), (0.0, 0.0, 0.0, 0.0), (1280, 960))
    >>> calibration_words(Calibration("desk", lens, date(2025, 10, 31), 0.97, 0.24))
    'desk: 1280 by 960 pixels, calibrated on 2025-10-31, good (0.2 mm), prints at 97.0 %'
    """
    width, height = calibration.lens.image_size_px
    prints = "" if calibration.print_scale == 1 else f", prints at {100 * calibration.print_scale:.1f} %"
    colours = "" if calibration.palette is None else f", colours taught on {calibration.palette.made_on}"
    return (
        f"{calibration.camera}: {width} by {height} pixels, calibrated on {calibration.made_on}, "
        f"{calibration.verdict} ({calibration.error_mm:.1f} mm){prints}{colours}"
    )


def verdict_words(calibration: Calibration) -> str:
    """What the error means for players."""
    meant = {"good": "stacks can be told apart well", "fair": "high stacks may be miscounted; more photos would help"}
    said = meant[calibration.verdict]
    return f"points up to 100 mm above the mat are right to {calibration.error_mm:.1f} mm, so {said}."
