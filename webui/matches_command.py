"""`umpire matches`: the matches that are kept on this machine, as a list, as files for elsewhere, and from there.

Exit status 2 when something was not possible; a sentence says why.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import click

from webui.gamefile import GameFileError

if TYPE_CHECKING:
    from webui.store import KeptMatch

FILE = click.Path(path_type=Path)
SHOWN_OF_ID = 8


@click.group(invoke_without_command=True)
@click.pass_context
def matches(ctx: click.Context) -> None:
    """The matches that were played on this machine: each is kept as it is played. Without a command: list them."""
    if ctx.invoked_subcommand is None:
        _list()


@matches.command()
@click.argument("match_id", metavar="ID")
@click.option("-o", "--output", "file", required=True, type=FILE, help="The file to write: .txt, .json or .zip.")
@click.option(
    "--with-secrets",
    is_flag=True,
    help="Also what is sealed or in somebody's hand while the game goes on. Without it such a file cannot be imported.",
)
def export(match_id: str, file: Path, with_secrets: bool) -> None:
    """Write a match as a record in notation (.txt), as JSON (.json), or with its pictures too (.zip).

    The beginning of its ID is enough: `umpire matches` lists them.
    """
    from webui.exporting import WRITERS, whole, without_secrets, write
    from webui.store import read_store

    if file.suffix.lower() not in WRITERS:
        raise click.UsageError(f"Should it be a .txt, .json or .zip? -o says {file}.")
    with _in_words(), read_store() as store:
        match = store.match_beginning(match_id)
        made = (whole if with_secrets else without_secrets)(match, store.inputs(match.id))
        try:
            missing = write(made, store.pictures, file)
        except OSError as fault:
            raise click.UsageError(f"{file} cannot be written: {fault.strerror}.") from None
    click.echo(f"{file} holds {_words(match)}.")
    if missing:
        click.echo(f"note: {missing} of its pictures are missing or spoilt here, so they are not in it.")
    if made.withheld:
        click.echo(
            f"The game goes on, so this was left out: {', '.join(made.withheld)}. The file is for reading; one made "
            "with --with-secrets can be imported."
        )


@matches.command(name="import")
@click.argument("file", type=FILE)
def import_(file: Path) -> None:
    """Keep a match of another machine: FILE is a .json or .zip that `umpire matches export` wrote."""
    from webui.importing import ImportRefusedError, import_match
    from webui.journal import MOST_TOLD
    from webui.store import open_store

    with _in_words(), open_store() as store, progress_bar("Going through the match") as progress:
        try:
            imported = import_match(store, file, progress)
        except ImportRefusedError as fault:
            raise click.UsageError(str(fault)) from None
    click.echo(f"{imported.match.id[:SHOWN_OF_ID]} is {_words(imported.match)}.")
    for note in imported.notes[:MOST_TOLD]:
        click.echo(f"note: {note}")
    if len(imported.notes) > MOST_TOLD:
        click.echo(f"note: {len(imported.notes) - MOST_TOLD} more came out otherwise than in the file.")


@matches.command()
@click.argument("match_id", metavar="ID")
@click.option("--yes", is_flag=True, help="Do not ask.")
def delete(match_id: str, yes: bool) -> None:
    """Forget a match, with its pictures."""
    from webui.store import open_store

    with _in_words(), open_store() as store:
        match = store.match_beginning(match_id)
        if not yes:
            click.confirm(f"Forget {_words(match)}, for ever?", abort=True)
        store.delete(match.id)
    click.echo(f"{match.id[:SHOWN_OF_ID]} is forgotten.")


def _list() -> None:
    from webui.store import data_folder, is_begun, read_store

    with _in_words():
        if not is_begun(data_folder()):
            click.echo("No match has been kept on this machine yet.")
            return
        with read_store() as store:
            kept = store.matches()
    for match in kept:
        click.echo(f"{match.id[:SHOWN_OF_ID]}  {_words(match)}{', over' if match.is_over else ''}")
    if not kept:
        click.echo("No match is kept.")


def _words(match: KeptMatch) -> str:
    from webui.exporting import clock, day

    events = f"{match.events} event{'' if match.events == 1 else 's'}"
    when = f"{day(match.started)} {clock(match.started)[:5]} to {clock(match.updated)[:5]}"
    return f"{match.title}, {', '.join(match.players)}, {when}, {events}"


@contextmanager
def _in_words() -> Iterator[None]:
    from webui.store import StoreError

    try:
        yield
    except (StoreError, GameFileError) as fault:
        raise click.UsageError(str(fault)) from None


@contextmanager
def progress_bar(label: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, and how it is told how many are done, of how many."""
    with click.progressbar(length=1, label=label, file=sys.stderr, hidden=not sys.stderr.isatty()) as bar:

        def tell(done: int, of: int) -> None:
            bar.length = of
            bar.update(done - bar.pos)

        yield tell
