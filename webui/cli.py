"""The command line: `umpire read`, `review`, `play`, `mats` and `calibrate`.

Exit status: 0 when all was read, 3 when some photo could not be, 2 for a command that cannot be carried out as
given, 1 for a fault of the program. Each line is written out as soon as it is known.
"""

from __future__ import annotations

import json
import logging
import socket
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from calibration import store
from calibration.store import Calibration, CalibrationError
from calibration.tiling import PAPERS
from webui.calibrate import calibration_words
from webui.calibrate_command import calibrate
from webui.gamefile import GameFile, GameFileError, photos_in, read_game_file
from webui.look import EyesMissingError, Look, look, look_at, overlay, ready_eyes

if TYPE_CHECKING:
    from webui.live import Live

SOME_UNREADABLE = 3
SAMPLE = Path(__file__).parent / "sample" / "mids-a"
FILE = click.Path(path_type=Path)
JSON_OPTION = click.option("--json", "as_json", is_flag=True, help="One JSON object a line, for scripts.")
LENS_OPTION = click.option("--lens", help="A calibrated camera's name: use its lens and not that of game.json.")

log = logging.getLogger("umpire")


def log_file() -> Path:
    return Path(click.get_app_dir("pyramid-umpire")) / "umpire.log"


def _version() -> str:
    try:
        return version("pyramid-umpire")
    except PackageNotFoundError:
        return "not installed"


class Umpire(click.Group):
    """Says what went wrong in a sentence; the traceback goes to the log."""

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except (click.ClickException, click.exceptions.Exit, click.Abort, BrokenPipeError):
            raise
        except (GameFileError, EyesMissingError, CalibrationError) as fault:
            raise click.UsageError(str(fault)) from fault
        except Exception as fault:
            if ctx.params.get("verbose"):
                raise
            log.exception("unexpected fault")
            words = f"The umpire failed unexpectedly ({type(fault).__name__}: {fault})."
            raise click.ClickException(f"{words} The log {log_file()} says where; --verbose shows it here.") from fault


@click.group(cls=Umpire)
@click.version_option(_version(), prog_name="umpire")
@click.option("--verbose", is_flag=True, help="Show what goes on inside, and whole tracebacks.")
def main(verbose: bool) -> None:
    """Watches games with Icehouse pyramids on a printed mat, and says what was allowed and why."""
    _log_to(log_file(), verbose)


@main.command()
@click.argument("photos", nargs=-1, required=True, type=FILE)
@JSON_OPTION
@click.option("--overlay", "overlays", type=FILE, help="Also draw what was recognised, as pictures in this folder.")
@click.option("--inner", is_flag=True, help="Also tell what shows through nests: a secret in some games.")
@click.option("--camera", help="The calibrated camera that took the photos, by its name.")
@click.option(
    "--square",
    "square_mm",
    type=float,
    metavar="MM",
    help="The size of your own chessboard's squares between corner cards; without it they are measured.",
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

    calibration = _calibration_of(camera)
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

    game_file, photos = _through(read_game_file(folder), lens), photos_in(folder)
    say = _as_json(ruling_json) if as_json else ruling_words
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
@click.option(
    "--camera",
    metavar="N|URL|FILE|FOLDER",
    help="A camera's number (0 is the first), a stream's address, a video, or a folder of photos, in which new ones "
    "may come. Without it: the bundled game.",
)
@click.option("--list-cameras", is_flag=True, help="Say which cameras this computer has.")
@click.option(
    "--game",
    "game",
    type=FILE,
    help="The game.json of a live game, or its folder. Without it: the one beside the video, or here.",
)
@click.option("--resumed", is_flag=True, help="Go on from the table as it lies: not the start of a new game.")
@click.option(
    "--quiet",
    "quiet_s",
    type=click.FloatRange(0.2, 10.0),
    default=0.7,
    show_default=True,
    metavar="SECONDS",
    help="So long nothing may move before the table is judged.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Where the page answers.")
@LENS_OPTION
def play(
    camera: str | None,
    list_cameras: bool,
    game: Path | None,
    resumed: bool,
    quiet_s: float,
    port: int,
    lens: str | None,
) -> None:
    """Open the page for the table: http://127.0.0.1:PORT."""
    from webui.evening import Evening
    from webui.page import create_app

    if list_cameras:
        _list_cameras()
        return
    folder = SAMPLE if camera is None else Path(camera)
    live = _in_folder(folder, game, lens) if folder.is_dir() else _at_table(str(camera), game, resumed, quiet_s, lens)
    evening = Evening(live)
    _serve(create_app(evening), port, evening.start)


def _in_folder(folder: Path, game: Path | None, lens: str | None) -> Live:
    """The photos of a folder, and those that come into it later."""
    from webui.live import Live
    from webui.review import Review

    game_file = _through(_game_file(game or folder), lens)
    photos = photos_in(folder, may_be_none=True)
    ready_eyes()
    return Live(
        photos,
        lambda: Review(game_file),
        _eyes(game_file),
        watched=lambda: photos_in(folder, may_be_none=True),
    )


def _at_table(camera: str, game: Path | None, resumed: bool, quiet_s: float, lens: str | None) -> Live:
    """A running camera's table. Raises UsageError when there can be no such camera."""
    ready_eyes()
    from vision.live import CameraError, Grabber, check_source, opened_once
    from vision.settle import Settling
    from webui.attable import AtTable
    from webui.review import Review

    try:
        check_source(camera)
    except CameraError as fault:
        raise click.UsageError(f"{fault} A folder of photos is one, too.") from None
    beside = Path(camera).parent
    by_itself = beside if (beside / "game.json").is_file() else Path()
    if game is None and not (by_itself / "game.json").is_file():
        raise click.UsageError("Who plays which game? Write a game.json, as the README shows, and name it with --game.")
    game_file = _through(_game_file(game or by_itself), lens)
    begin = partial(Review, game_file, is_new=not resumed, at_table=True)
    begin()  # a game that cannot be judged is told before the camera is opened
    return AtTable(
        Grabber(camera, opened_once),
        begin,
        partial(look_at, lens_for=game_file.lens_for, square_mm=game_file.square_mm),
        Settling(quiet_s=quiet_s),
    )


def _game_file(path: Path) -> GameFile:
    """The game.json at that path or in that folder. Raises GameFileError."""
    return read_game_file(path if path.is_dir() else path.parent, path.name if not path.is_dir() else "game.json")


def _list_cameras() -> None:
    ready_eyes()
    from vision.live import cameras

    found = cameras()
    for each in found:
        click.echo(f"camera {each}")
    if not found:
        click.echo("No camera is found. Is it plugged in, and does no other program use it?")


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


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as fault:
        raise click.UsageError(f"{path} cannot be written: {fault.strerror}.") from None


main.add_command(calibrate)


def _calibration_of(camera: str | None) -> Calibration | None:
    """The calibration kept for the camera; what is in use is said on the error stream. Raises CalibrationError."""
    if camera is None:
        return None
    calibration = store.load(camera, store.cameras_folder())
    click.echo(f"Lens: {calibration_words(calibration)}", err=True)
    if warning := store.print_warning(calibration.print_scale):
        click.echo(warning, err=True)
    return calibration


def _through(game_file: GameFile, lens: str | None) -> GameFile:
    """The game, seen through the lens of that name. Raises CalibrationError."""
    return game_file if lens is None else replace(game_file, camera=_calibration_of(lens))


def _eyes(game_file: GameFile) -> Callable[[Path], Look]:
    """How the game's photos are looked at."""
    return partial(look, lens_for=game_file.lens_for, square_mm=game_file.square_mm)


def _events(game_file: GameFile, photos: tuple[Path, ...]) -> Iterator[tuple[Look, Any]]:
    from webui.review import Review
    from webui.seen import seen_of

    ready_eyes()
    watched = Review(game_file)
    for seen in _with_progress(photos, _eyes(game_file)):
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


def _serve(app: Any, port: int, start: Callable[[], None]) -> None:
    """Answer on the port at once, then start to look. Raises UsageError when the port is taken."""
    from waitress import create_server

    with _listening(port) as door:
        server = create_server(app, sockets=[door], threads=8)
        click.echo(f"The umpire watches: open http://127.0.0.1:{port} (Ctrl+C ends it)")
        sys.stdout.flush()
        start()
        server.run()


def _listening(port: int) -> socket.socket:
    door = socket.socket()
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind(("127.0.0.1", port))
        door.listen(64)
    except OSError as fault:
        door.close()
        taken = f"Port {port} cannot be used ({fault.strerror}). Another umpire may be running: close it, or choose"
        raise click.UsageError(f"{taken} --port {port % 65535 + 1}.") from None
    return door


@contextmanager
def _quietly() -> Iterator[None]:
    """A log that cannot be written is no reason to fail."""
    try:
        yield
    except OSError:
        log.addHandler(logging.NullHandler())


def _log_to(path: Path, verbose: bool) -> None:
    log.propagate = False
    log.setLevel(logging.INFO)
    if any(isinstance(kept, logging.FileHandler) for kept in log.handlers):
        return
    if verbose:
        log.addHandler(logging.StreamHandler())
    with _quietly():
        path.parent.mkdir(parents=True, exist_ok=True)
        keeper = logging.FileHandler(path, encoding="utf-8")
        keeper.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
        log.addHandler(keeper)
