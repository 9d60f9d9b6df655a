"""`umpire calibrate`: what is wrong with a picture, a camera's lens from tilted views, the list of what is kept.

Exit status as for the other commands; 3 also when the photos did not suffice.
"""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import click

from calibration import store
from calibration.store import Calibration, print_scale_of, print_warning
from webui.calibrate import (
    Shot,
    advice_on,
    calibrated,
    calibration_words,
    coloured,
    lesson_words,
    others_from,
    scale_before,
    shot_of,
    verdict_words,
)
from webui.look import ready_eyes

INCOMPLETE = 3


@click.command()
@click.argument("photos", nargs=-1, type=click.Path(path_type=Path))
@click.option("--name", help="What the camera is called.")
@click.option(
    "--ruler",
    "ruler_mm",
    type=float,
    metavar="MM",
    help="How long the 100 mm line on the printed sheets really is. Without photos: correct that alone.",
)
@click.option(
    "--colours",
    "card",
    type=click.Path(path_type=Path),
    metavar="PHOTO",
    help="Learn how colours look in your light, from a photo of colour-card with a pyramid upright on each cell.",
)
@click.option(
    "--other",
    "others",
    multiple=True,
    metavar="CELL=COLOUR",
    help="With --colours: another plastic stands on that cell, such as orange=pink or clear=grey.",
)
@click.option("--check", is_flag=True, help="Only say what to change about the light, the mat and the camera's place.")
@click.option("--list", "is_list", is_flag=True, help="The cameras calibrated on this machine.")
def calibrate(
    photos: tuple[Path, ...],
    name: str | None,
    ruler_mm: float | None,
    card: Path | None,
    others: tuple[str, ...],
    check: bool,
    is_list: bool,
) -> None:
    """Learn a camera's lens from eight or more PHOTOs of any printed sheet, tilted to all sides by 15 to 40 degrees."""
    folder = store.cameras_folder()
    if is_list:
        _list(folder)
    elif check:
        _check(photos, None if name is None else store.load(name, folder))
    elif name is None:
        raise click.UsageError("Say what the camera is called: --name NAME. (--list shows those known.)")
    elif card is not None:
        if photos:
            raise click.UsageError("Calibrate the lens first, and teach the colours then: --colours takes one photo.")
        _teach(card, name, others, folder)
    elif others:
        raise click.UsageError("--other says what stands on the colour card: give the photo of it with --colours.")
    elif photos:
        _calibrate(photos, name, ruler_mm, folder)
    elif ruler_mm is not None:
        calibration = replace(store.load(name, folder), print_scale=print_scale_of(ruler_mm))
        store.save(calibration, folder)
        _say_kept(calibration)
    else:
        raise click.UsageError("Give eight or more photos of any printed sheet, each tilted to another side.")


def _list(folder: Path) -> None:
    kept, faults = store.load_all(folder)
    for calibration in kept:
        click.echo(calibration_words(calibration))
    for fault in faults:
        click.echo(fault, err=True)
    if not kept and not faults:
        click.echo("No camera was calibrated on this machine yet.")


def _check(photos: tuple[Path, ...], calibration: Calibration | None) -> None:
    from vision.camera import PhotoError, read_photo

    if not photos:
        raise click.UsageError("Give a photo to check.")
    ready_eyes()
    all_located = True
    for path in photos:
        try:
            advice = advice_on(read_photo(path), calibration)
        except PhotoError as fault:
            all_located = False
            click.echo(f"{path.name}: {fault}")
            continue
        all_located &= advice.table is not None
        click.echo(f"{path.name}: {'to be changed' if advice.changes else 'all is well'}")
        for words in (*advice.changes, *advice.remarks):
            click.echo(f"  {words}")
    _exit(all_located)


def _calibrate(photos: tuple[Path, ...], name: str, ruler_mm: float | None, folder: Path) -> None:
    from calibration.lens import LensRefused

    store.check_name(name)
    scale = scale_before(name, folder) if ruler_mm is None else print_scale_of(ruler_mm)
    ready_eyes()
    shots = [_shot(path, f"[{number}/{len(photos)}]", scale) for number, path in enumerate(photos, 1)]
    try:
        kept = calibrated(name, shots, scale, folder)
    except LensRefused as refused:
        click.echo(f"Not calibrated. {refused} Nothing was kept.")
        sys.exit(INCOMPLETE)
    for photo, why in kept.fit.set_aside:
        click.echo(f"{photo} was set aside. {why}")
    for note in kept.fit.notes:
        click.echo(note)
    _say_kept(kept.calibration)
    click.echo(f'Kept in {kept.path}. Use it: umpire read --camera "{name}" PHOTO...')
    _exit(len(kept.fit.used) == len(photos))


def _teach(card: Path, name: str, others: tuple[str, ...], folder: Path) -> None:
    from calibration.locate import LocateError
    from vision.camera import PhotoError, read_photo
    from vision.teach import LessonError

    named = others_from(others)
    store.load(name, folder)
    ready_eyes()
    try:
        calibration, lesson = coloured(name, read_photo(card), named, folder)
    except (PhotoError, LocateError, LessonError) as fault:
        click.echo(f"No colours were learnt. {fault} What was known before stays.")
        sys.exit(INCOMPLETE)
    for words in lesson_words(lesson):
        click.echo(words)
    click.echo(calibration_words(calibration))
    _exit(not lesson.set_aside)


def _shot(path: Path, place: str, scale: float) -> Shot:
    """The photo's shot; how it went is said at once."""
    try:
        shot = shot_of(path.read_bytes(), path.name, scale)
    except OSError as fault:
        shot = Shot(path.name, f"{path.name} cannot be opened: {fault.strerror}.")
    said = shot.words if shot.view is not None else f"not used. {shot.words}"
    click.echo(f"{place} {shot.photo}: {said}")
    for tip in shot.tips:
        click.echo(f"    {tip}")
    sys.stdout.flush()
    return shot


def _say_kept(calibration: Calibration) -> None:
    click.echo(calibration_words(calibration))
    click.echo(f"{calibration.verdict.capitalize()}: {verdict_words(calibration)}")
    if warning := print_warning(calibration.print_scale):
        click.echo(warning)


def _exit(is_complete: bool) -> None:
    if not is_complete:
        sys.exit(INCOMPLETE)
