"""The command line: `umpire read`, `review`, `play`, `mats`, `calibrate` and `verify`.

Exit status: 0 when all was read, 3 when some photo could not be, 2 for a command that cannot be carried out as
given, 1 for a fault of the program. Each line is written out as soon as it is known.
"""

from __future__ import annotations

import json
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

import click

from calibration.store import CalibrationError
from calibration.tiling import PAPERS
from webui.calibrate_command import calibrate
from webui.doctor_command import doctor
from webui.gamefile import GameFile, GameFileError, photos_in, read_game_file
from webui.lenses import LENS_OPTION, calibration_of, through
from webui.limits import SQUARES_MM, Measure
from webui.logs import log, log_file, log_to
from webui.look import EyesMissingError, Look, look, overlay, ready_eyes
from webui.matches_command import matches
from webui.play_command import SAMPLE as SAMPLE
from webui.play_command import play
from webui.track_command import track
from webui.verify_command import verify

SOME_UNREADABLE = 3
FILE = click.Path(path_type=Path)
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for scripts.")


def _version() -> str:
    try:
        return version("pyramid-umpire")
    except PackageNotFoundError:
        return "not installed"


class Umpire(click.Group):
    """Says what went wrong in a sentence; where in the program goes to the log. `--verbose` may stand anywhere."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        end = args.index("--") if "--" in args else len(args)
        options, rest = args[:end], args[end:]
        return super().parse_args(ctx, sorted(options, key=lambda each: each != "--verbose") + rest)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except (GameFileError, EyesMissingError, CalibrationError) as fault:
            raise click.UsageError(str(fault)) from fault
        except OSError as fault:  # a full disk, or an output that is closed
            log.exception("the system refused")
            what = "The output" if fault.filename is None else str(fault.filename)
            raise click.ClickException(f"{what} cannot be used: {fault.strerror or type(fault).__name__}.") from None
        except Exception as fault:  # its own words may quote a hand or a battery
            log.exception("unexpected fault")
            words = f"The umpire failed unexpectedly ({type(fault).__name__}): a fault of the program."
            raise click.ClickException(f"{words} The log {log_file()} says where; --verbose shows it here.") from None


@click.group(cls=Umpire)
@click.version_option(_version(), prog_name="umpire")
@click.option("--verbose", is_flag=True, help="Show what goes on inside, and where a fault came about.")
def main(verbose: bool) -> None:
    """Watches games with Icehouse pyramids on a printed mat, and says what was allowed and why."""
    log_to(log_file(), verbose)


@main.command()
@click.argument("photos", nargs=-1, required=True, type=FILE)
@JSON_OPTION
@click.option("--overlay", "overlays", type=FILE, help="Also draw what was recognised, as pictures in this folder.")
@click.option("--inner", is_flag=True, help="Also tell what shows through nests: a secret in some games.")
@click.option("--camera", help="The calibrated camera that took the photos, by its name.")
@click.option(
    "--square",
    "square_mm",
    type=Measure(*SQUARES_MM),
    metavar="MM",
    help="The size of your own chessboard's squares between corner cards; without it they are measured. "
    "0: there are none, but plain ground.",
)
def read(
    photos: tuple[Path, ...],
    as_json: bool,
    overlays: Path | None,
    inner: bool,
    camera: str | None,
    square_mm: float | None,
) -> None:
    """Say what lies on the mat in each PHOTO."""
    from webui.readings import reading_json, reading_words

    calibration = calibration_of(camera)
    to_json, to_words = partial(reading_json, inner=inner), partial(reading_words, inner=inner)
    say = _as_json(to_json) if as_json else to_words
    folder = _made(overlays)
    ready_eyes()
    all_read = True
    eyes = look if calibration is None else partial(look, lens_for=lambda _: calibration)
    for seen in _with_progress(photos, eyes if square_mm is None else partial(eyes, square_mm=square_mm)):
        all_read &= seen.error is None
        click.echo(_unread(seen, as_json) if seen.observation is None else say(seen.photo, seen.observation))
        sys.stdout.flush()
        if folder is not None and seen.observation is not None:
            _save(overlay(seen), folder / f"{Path(seen.photo).stem}.png")
    _exit(all_read)


@main.command()
@click.argument("folder", type=FILE)
@JSON_OPTION
@LENS_OPTION
@click.option("--html", "report_file", type=FILE, help="Also write a report here, with pictures, rulings and rules.")
def review(folder: Path, as_json: bool, lens: str | None, report_file: Path | None) -> None:
    """Judge a photographed game: FOLDER holds photos in name order and a game.json."""
    from webui.present import ruling_json, ruling_words
    from webui.report import Report

    game_file, photos = through(read_game_file(folder), lens), photos_in(folder)
    say = _as_json(ruling_json) if as_json else ruling_words
    _check_writable(report_file)
    all_read, report = True, None if report_file is None else Report(game_file)
    for seen, event in _events(game_file, photos):
        all_read &= event.error is None
        if report is not None:
            report.add(seen, event)
        if not (event.is_start and event.photo == photos[0].name):
            click.echo(say(event))
            sys.stdout.flush()
    if report is not None and report_file is not None:
        _write(report_file, report.html().encode())
    _exit(all_read)


@main.command()
@click.argument("sheets", nargs=-1, metavar="[SHEET]...")
@click.option("--paper", type=click.Choice(list(PAPERS)), default="a4", show_default=True, help="The printer's paper.")
@click.option("--player", type=int, help="Only the sheets that are this player's own, counted from 1.")
@click.option("-o", "--output", "file", required=True, type=FILE, help="The PDF to write.")
@click.option("--png", is_flag=True, help="Also write each sheet as a picture beside the PDF, 8 pixels a millimetre.")
def mats(sheets: tuple[str, ...], paper: str, player: int | None, file: Path, png: bool) -> None:
    """Write a PDF to print.

    SHEET names a sheet (silos-3), all of a family (silos) or all of a layout (silos-4p). Without one: every sheet.
    """
    from calibration.print_mats import UnknownSheetError, chosen, pdf_of, png_of

    if file.suffix.lower() != ".pdf":
        raise click.UsageError(f"The mats are written as a PDF, so -o should end in .pdf, but is {file}.")
    try:
        wanted = chosen(sheets, player)
    except UnknownSheetError as fault:
        raise click.UsageError(str(fault)) from None
    _write(file, pdf_of(wanted, PAPERS[paper]))
    for sheet in wanted if png else ():
        _write(file.with_name(f"{file.stem}-{sheet.id}.png"), png_of(sheet))
    click.echo(f"{file} is ready for {PAPERS[paper].name} paper. Print it at 100 %, no scaling.")


def _check_writable(path: Path | None) -> None:
    """Raises UsageError where no file can be written, before there is an hour of work to write into it."""
    if path is None:
        return
    try:
        path.open("ab").close()
    except OSError as fault:
        raise click.UsageError(f"{path} cannot be written: {fault.strerror}.") from None


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as fault:
        raise click.UsageError(f"{path} cannot be written: {fault.strerror}.") from None


main.add_command(calibrate)
main.add_command(matches)
main.add_command(play)
main.add_command(verify)
main.add_command(doctor)
main.add_command(track)


def _events(game_file: GameFile, photos: tuple[Path, ...]) -> Iterator[tuple[Look, Any]]:
    from webui.review import Review
    from webui.seen import seen_of

    ready_eyes()
    watched = Review(game_file)
    eyes = partial(look, lens_for=game_file.lens_for, square_mm=game_file.square_mm)
    for seen in _with_progress(photos, eyes):
        yield seen, watched.see(seen_of(seen))


def _with_progress(photos: tuple[Path, ...], eyes: Callable[[Path], Look]) -> Iterator[Look]:
    """Look at each photo; a bar on a terminal once more than a second of work is ahead."""
    began = time.monotonic()
    first, rest = photos[:1], photos[1:]
    yield from map(eyes, first)
    spent = time.monotonic() - began
    hidden = not sys.stderr.isatty() or spent * len(rest) < 1
    with click.progressbar(rest, label="Looking at photos", file=sys.stderr, hidden=hidden) as bar:
        for path in bar:
            yield eyes(path)


def _as_json(to_json: Callable[..., dict[str, Any]]) -> Callable[..., str]:
    return lambda *facts: json.dumps(to_json(*facts))


def _unread(seen: Look, as_json: bool) -> str:
    if as_json:
        return json.dumps({"photo": seen.photo, "error": seen.error})
    return f"{seen.photo}: cannot be read. {seen.error}"


def _made(folder: Path | None) -> Path | None:
    if folder is None:
        return None
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as fault:
        raise click.UsageError(f"{folder} cannot be made a folder: {fault.strerror}.") from None
    return folder


def _save(picture: Any, path: Path) -> None:
    import cv2

    path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())


def _exit(all_read: bool) -> None:
    if not all_read:
        sys.exit(SOME_UNREADABLE)
