"""`umpire play`: the page for the table."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from webui.gamefile import GameFile, read_game_file
from webui.guard import Guard
from webui.lenses import LENS_OPTION, through
from webui.limits import Measure
from webui.look import ready_eyes
from webui.opening import Source, opened_table
from webui.serving import addresses_here, serve

if TYPE_CHECKING:
    from webui.live import Live
    from webui.start import Kept, Opener
    from webui.store import Store

SAMPLE = Path(__file__).parent / "sample" / "mids-a"
FILE = click.Path(path_type=Path)


@click.command()
@click.option(
    "--camera",
    metavar="N|URL|FILE|FOLDER",
    help="A camera's number (0 is the first), a stream's address, a video, or a folder of photos, in which new ones "
    "may come. Without it: the bundled game.",
)
@click.option("--sample", metavar="mids|race|silos|towers", help="Which of the bundled games.")
@click.option("--list-cameras", is_flag=True, help="Say which cameras this computer has.")
@click.option(
    "--game",
    "game",
    type=FILE,
    help="The game.json of a live game, or its folder. Without it: the one beside the video, or here.",
)
@click.option("--begun", is_flag=True, help="The game has begun already: go on from the table as it lies.")
@click.option("--resume", "match", metavar="ID", help="Go on with a match that was kept: umpire matches lists them.")
@click.option(
    "--quiet",
    "quiet_s",
    type=Measure(0.2, 10.0),
    default=0.7,
    show_default=True,
    metavar="SECONDS",
    help="So long nothing may move before the table is judged.",
)
@click.option("--port", type=click.IntRange(1, 65535), default=8000, show_default=True, help="Where the page answers.")
@click.option("--lan", is_flag=True, help="Share the page with your network: players join with their phones.")
@LENS_OPTION
def play(
    camera: str | None,
    sample: str | None,
    list_cameras: bool,
    game: Path | None,
    begun: bool,
    match: str | None,
    quiet_s: float,
    port: int,
    lan: bool,
    lens: str | None,
) -> None:
    """Open the page for the table: http://127.0.0.1:PORT."""
    from webui.evening import Evening
    from webui.page import create_app

    if list_cameras:
        _list_cameras()
        return
    guard = _guard(lan)
    kept, open_table, store = _kept()
    source = Source(str(_sample(sample, camera)) if camera is None or sample else camera, begun, quiet_s)
    game_file = _game_of(source, game, lens) if match is None else None
    if match is not None:
        _check_resumable(camera, game, lens)
        evening, proposed = Evening(_resumed(kept, match, source)), ""
    elif game_file is None:
        evening, proposed = Evening(_empty_table()), source.name
    else:
        opened = opened_table if camera is None else open_table
        evening, proposed = Evening(opened(game_file, source)), ""
    app = create_app(evening, guard=guard, kept=kept, open_table=open_table, proposed=proposed, store=store)
    serve(app, port, evening.start, guard)


def _kept() -> tuple[Kept, Opener, Store | None]:
    """The matches kept on this computer, how a table is opened so that its match is kept, too, and where they are.

    Where nothing can be kept that is said at once, and again by the page.
    """
    from webui.keeping import Keeper
    from webui.start import NothingKept
    from webui.store import StoreError, open_store

    try:
        store = click.get_current_context().with_resource(open_store())
    except StoreError as fault:
        click.echo(f"Matches are not kept now: {fault}", err=True)
        return NothingKept(str(fault)), opened_table, None
    keeper = Keeper(store)
    return keeper, keeper.opened, store


def _sample(name: str | None, camera: str | None) -> Path:
    """The folder of the bundled game of that name. Raises UsageError."""
    from webui.samples import UnknownSampleError, sample_of

    if name is None:
        return SAMPLE
    if camera is not None:
        raise click.UsageError("A sample has its own photos: give --sample or --camera.")
    try:
        return sample_of(name).folder
    except UnknownSampleError as fault:
        raise click.UsageError(str(fault)) from None


def _check_resumable(camera: str | None, game: Path | None, lens: str | None) -> None:
    """Raises UsageError."""
    if camera is None:
        raise click.UsageError("Say where pictures come from now: --camera N, an address, a video or a folder.")
    if game is not None or lens is not None:
        raise click.UsageError("The match that goes on has its game and its lens: leave --game and --lens out.")


def _resumed(kept: Kept, letters: str, source: Source) -> Live:
    """The kept match as it stood. Raises UsageError or GameFileError."""
    from vision.live import CameraError
    from webui.keeping import Keeper
    from webui.matches_command import progress_bar
    from webui.store import StoreError

    if not isinstance(kept, Keeper):
        raise click.UsageError("Without the folder of kept matches no match can go on.")
    ready_eyes()
    try:
        with progress_bar("Going through the match") as progress:
            live, notes = kept.resumed(kept.id_of(letters), source, progress)
    except (StoreError, CameraError) as fault:
        raise click.UsageError(str(fault)) from None
    for note in notes:
        click.echo(f"note: {note}", err=True)
    return live


def _guard(is_shared: bool) -> Guard:
    """Raises UsageError where there is no network to share the page with."""
    addresses = addresses_here() if is_shared else ()
    if is_shared and not addresses:
        raise click.UsageError("This computer is in no network, so the page cannot be shared. Leave --lan out.")
    return Guard(addresses)


def _game_of(source: Source, game: Path | None, lens: str | None) -> GameFile | None:
    """The game that is written down; None where none is, for a camera: then the page asks.

    Raises UsageError, GameFileError or CalibrationError.
    """
    folder = Path(source.name)
    if source.is_folder:
        return through(_game_file(game or folder), lens)
    ready_eyes()
    from vision.live import CameraError, check_source

    try:
        check_source(source.name)
    except CameraError as fault:
        raise click.UsageError(f"{fault} A folder of photos is one, too.") from None
    beside = folder.parent
    by_itself = beside if (beside / "game.json").is_file() else Path()
    if game is None and not (by_itself / "game.json").is_file():
        return None
    return through(_game_file(game or by_itself), lens)


def _empty_table() -> Live:
    """What the page has before the evening's first game is set up."""
    from webui.live import Live
    from webui.review import Review

    return Live((), lambda: Review(read_game_file(SAMPLE)))


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
