"""Matches on disk: what was seen and said in each, in order, so that a match that was cut off goes on.

One SQLite database in a folder of the user's, with the pictures as files beside it. What `add` has taken is on disk
when it returns, whatever happens next. One umpire at a time writes into a folder; anybody may read. Times are UTC.
Nothing here knows what the inputs mean: that is `webui.journal`.
"""

from __future__ import annotations

import json
import os
import secrets
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from filelock import FileLock, Timeout
from platformdirs import user_data_path
from sqlalchemy import Connection, Engine, Row, create_engine, delete, event, func, insert, select, text, update
from sqlalchemy.pool import QueuePool

from webui.picture_files import PictureFiles
from webui.schema import INPUTS, MATCHES, bring_up_to_date, is_of_today
from webui.store_faults import DATABASE as DATABASE
from webui.store_faults import FOLDER_VARIABLE as FOLDER_VARIABLE
from webui.store_faults import StoreError as StoreError
from webui.store_faults import damaged, gone, in_words

Json = dict[str, Any]

WAIT_S = 5.0  # for another program that is writing into the database just now
ID_BYTES = 16  # nobody guesses a match's id
LEAST_OF_ID = 4  # characters that a person types
MOST_CHECKED_BYTES = 200_000_000  # a second or so on a slow disk
FLAGS = ("is_over", "is_new")
IDENTITY = ("match_id", "number", "at", "said")  # of an input


@dataclass(frozen=True)
class Input:
    """One thing that was seen or said, as `Review.take` takes it, and what came of it.

    `ruling` is the word that pages know the event by, `line` its notation, `text` its sentence; `picture` and `thumb`
    are keys of pictures.
    """

    number: int
    said: Json
    ruling: str
    line: str | None = None
    text: str = ""
    picture: str | None = None
    thumb: str | None = None
    at: str = ""

    @property
    def kind(self) -> str:
        """What sort of input it is: `seen`, `declare`, `undo` ..."""
        return next(iter(self.said), "")


@dataclass(frozen=True)
class KeptMatch:
    """A match without its inputs: `inputs` says how many it has, `events` how many of them brought one.

    `setup` is its game.json. `is_new`: it needed a proper start; otherwise it was taken up from the table as it lay.
    """

    id: str
    game: str
    title: str
    setup: Json
    program: str
    started: str = ""
    updated: str = ""
    is_over: bool = False
    is_new: bool = False
    inputs: int = 0
    events: int = 0

    @property
    def players(self) -> tuple[str, ...]:
        return tuple(player["name"] for player in self.setup["players"])


class GoneError(Exception):
    """The database is not where it was opened."""


def data_folder() -> Path:
    """Where matches are kept on this machine."""
    chosen = os.environ.get(FOLDER_VARIABLE)
    return Path(chosen) if chosen else user_data_path("pyramid-umpire", appauthor=False)


def new_id() -> str:
    return secrets.token_hex(ID_BYTES)


def now() -> str:
    return in_utc(datetime.now(UTC))


def in_utc(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat(timespec="milliseconds")


def is_moment(at: Any) -> bool:
    """Whether it is a time in UTC or another zone, one that every clock can show."""
    try:
        moment = datetime.fromisoformat(at)
    except (TypeError, ValueError):
        return False
    return moment.tzinfo is not None and 1900 < moment.year < 9000


def open_store(folder: Path | None = None) -> Store:
    """The folder's store, to write into. Raises StoreError: another umpire has it, or it cannot be used."""
    folder = folder or data_folder()
    with in_words(folder):
        folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        lock = _locked(folder)
        (folder / DATABASE).touch(mode=0o600)  # batteries and hands are in it
    try:
        store = Store(folder, lock)
        with in_words(folder):
            store.pictures.sweep()
        return store
    except BaseException:
        lock.release()
        raise


def is_begun(folder: Path) -> bool:
    """Whether matches have been kept there. Raises StoreError where nobody may look."""
    with in_words(folder):
        return (folder / DATABASE).exists()


def read_store(folder: Path | None = None) -> Store:
    """The folder's store, to read in while another umpire may have it. Raises StoreError."""
    folder = folder or data_folder()
    if not is_begun(folder):
        raise StoreError(f"No match has been kept in {folder} yet.")
    try:
        return Store(folder, None)
    except StoreError:
        beside = folder / f"{DATABASE}-wal"
        if beside.exists() and beside.stat().st_size > 0:  # what was written last is in there
            raise
        return Store(folder, None, is_still=True)


class Store:
    """See the module. Made by `open_store` and `read_store`; any thread may use it.

    `is_still`: nobody writes into it, and nothing beside it has to be written to read it: on a full disk there is still
    everything to take away, on a write-protected one, too.
    """

    def __init__(self, folder: Path, lock: FileLock | None, is_still: bool = False) -> None:
        self.folder, self._lock = folder, lock
        self.pictures = PictureFiles(folder / "pictures")
        self._path = folder / DATABASE
        self._engine = _engine(self._path, is_still)
        self._places: dict[Path, int] = {}
        try:
            with in_words(folder):
                self._make_ready()
                self._places = {path: path.stat().st_ino for path in self._files() if path.exists()}
        except BaseException:
            self._engine.dispose()
            raise

    def close(self) -> None:
        """Let the folder go."""
        self._engine.dispose()
        if self._lock is not None:
            self._lock.release()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def matches(self) -> tuple[KeptMatch, ...]:
        """All of them, the one played last first."""
        with self._reading() as connection:
            rows = connection.execute(_matches().order_by(MATCHES.c.updated.desc())).all()
            return tuple(_match(row) for row in rows)

    def match(self, match_id: str) -> KeptMatch:
        """The match with that id. Raises StoreError when there is none."""
        found = [each for each in self.matches() if each.id == match_id]
        if not found:
            raise StoreError(_unknown(match_id))
        return found[0]

    def match_beginning(self, letters: str) -> KeptMatch:
        """The match whose id begins so, for people who type it; a page takes whole ids only, which nobody guesses.

        Raises StoreError when none does, or several do.
        """
        found = [each for each in self.matches() if each.id.startswith(letters) and len(letters) >= LEAST_OF_ID]
        if len(found) > 1:
            raise StoreError(f"{len(found)} matches begin with {letters!r}. Write more of the id.")
        if not found:
            raise StoreError(_unknown(letters))
        return found[0]

    def inputs(self, match_id: str) -> Iterator[Input]:
        """What was seen and said in the match, first one first."""
        wanted = select(INPUTS).where(INPUTS.c.match_id == match_id).order_by(INPUTS.c.number)
        with self._reading() as connection:
            for row in connection.execution_options(yield_per=100).execute(wanted):
                yield _input(row)

    def add(self, match: KeptMatch, inputs: Iterable[Input]) -> None:
        """Keep further inputs of the match, all or none of them; its first ones make the match known.

        Raises StoreError, also when an input of that number is there.
        """
        kept = list(inputs)
        with self._writing() as connection:
            known = connection.execute(select(MATCHES.c.id).where(MATCHES.c.id == match.id)).first()
            if known is None:
                connection.execute(insert(MATCHES).values(_match_row(match)))
            for each in kept:
                connection.execute(insert(INPUTS).values(_input_row(match.id, each)))
            last = {"updated": kept[-1].at if kept else match.updated or match.started, "is_over": int(match.is_over)}
            connection.execute(update(MATCHES).where(MATCHES.c.id == match.id).values(last))

    def drop(self, match_id: str, refused: Input) -> None:
        """Forget this input of the match, if it is there: it was refused while it was being written."""
        row = _input_row(match_id, refused)
        with self._writing() as connection:
            connection.execute(delete(INPUTS).where(*(INPUTS.c[name] == row[name] for name in IDENTITY)))

    def delete(self, match_id: str) -> None:
        """Remove the match, and the pictures that no other match has."""
        with self._writing() as connection:
            pictures = _pictures_of(connection, INPUTS.c.match_id == match_id)
            connection.execute(delete(MATCHES).where(MATCHES.c.id == match_id))
            unused = pictures - _pictures_of(connection, INPUTS.c.match_id != match_id)
        left = [key for key in unused if not self.pictures.remove(key)]
        if left:
            raise StoreError(
                f"The match is forgotten, but {len(left)} of its pictures are still in {self.pictures.folder}: the "
                "umpire may not remove them."
            )

    def _make_ready(self) -> None:
        if self._lock is not None:
            self._check_sound()
            bring_up_to_date(self._engine, self._path)
            return
        with self._engine.connect() as connection:
            if is_of_today(connection):
                return
        with in_words(self.folder), _locked(self.folder):
            bring_up_to_date(self._engine, self._path)

    def _check_sound(self) -> None:
        """A large database takes too long to look through; what is damaged in it is named when it is met."""
        if self._path.stat().st_size > MOST_CHECKED_BYTES:
            return
        with self._engine.connect() as connection:
            found = connection.execute(text("PRAGMA quick_check(1)")).scalar_one()
        if found != "ok":
            raise StoreError(damaged(self._path))

    @contextmanager
    def _reading(self) -> Iterator[Connection]:
        try:
            with in_words(self.folder), self._engine.connect() as connection:
                yield connection
        except (ValueError, TypeError, KeyError, AttributeError):  # what should be JSON, a game or a time is none
            raise StoreError(damaged(self._path)) from None

    @contextmanager
    def _writing(self) -> Iterator[Connection]:
        if self._lock is None:
            raise StoreError(f"{self.folder} was opened to read only.")
        try:
            with in_words(self.folder), self._engine.execution_options(writes=True).begin() as connection:
                yield connection
                self._check_in_place()
        except GoneError:
            self._settle()
            raise StoreError(gone(self._path)) from None

    def _check_in_place(self) -> None:
        """A database that was moved or deleted takes what is written, and nobody finds it again.

        Raises GoneError.
        """
        for path, place in self._places.items():
            if not path.exists() or path.stat().st_ino != place:
                raise GoneError

    def _settle(self) -> None:
        """Where only the file beside the database was deleted, what was accepted goes into the database at once."""
        with suppress(sqlite3.Error), closing(self._engine.raw_connection()) as connection:
            connection.cursor().execute("PRAGMA wal_checkpoint")

    def _files(self) -> tuple[Path, ...]:
        """The database, and what SQLite has beside it as long as it is open."""
        return tuple(self._path.with_name(DATABASE + ending) for ending in ("", "-wal", "-shm"))


def _engine(path: Path, is_still: bool = False) -> Engine:
    """SQLite with a log beside the database, written through to the disk at each commit."""
    address = f"{path.absolute().as_uri()}?{'immutable=1' if is_still else 'mode=rwc'}"

    def connected() -> sqlite3.Connection:
        return sqlite3.connect(address, uri=True, timeout=WAIT_S, isolation_level=None, check_same_thread=False)

    engine = create_engine("sqlite://", creator=connected, poolclass=QueuePool)

    @event.listens_for(engine, "connect")
    def _(connection: sqlite3.Connection, _: object) -> None:
        for pragma in ("journal_mode = WAL", "synchronous = FULL", "foreign_keys = ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _(connection: Connection) -> None:
        writes = connection.get_execution_options().get("writes", False)
        connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")

    return engine


def _locked(folder: Path) -> FileLock:
    """The folder, held until the program ends. Raises StoreError when another has it."""
    lock, holder = FileLock(folder / "umpire.lock", thread_local=False), folder / "umpire.pid"
    try:
        lock.acquire(timeout=0)
    except Timeout:
        raise StoreError(
            f"Another umpire{_who(holder)} is using {folder}. End it first, or give this one a folder of its own: "
            f"set {FOLDER_VARIABLE}."
        ) from None
    with suppress(OSError):  # on a full disk there is still everything to read
        holder.write_text(f"{os.getpid()}\n", encoding="ascii")
    return lock


def _who(holder: Path) -> str:
    try:
        return f" (process {int(holder.read_text(encoding='ascii'))})"
    except (OSError, ValueError):
        return ""


def _unknown(match_id: str) -> str:
    return f"No match is called {match_id[:40]!r}. `umpire matches` lists those that are kept."


# Rows.


def _matches() -> Any:
    inputs = func.count(INPUTS.c.number).label("inputs")
    events = inputs.element.filter(INPUTS.c.ruling != "none").label("events")
    return select(MATCHES, inputs, events).outerjoin(INPUTS, INPUTS.c.match_id == MATCHES.c.id).group_by(MATCHES.c.id)


def _match(row: Row[Any]) -> KeptMatch:
    """Raises ValueError, TypeError or KeyError for what was never written."""
    said = row._mapping
    match = KeptMatch(**{**said, "setup": json.loads(said["setup"])} | {name: bool(said[name]) for name in FLAGS})
    _expect_texts(match.id, match.game, match.title, match.program, *match.players)
    _expect_times(match.started, match.updated)
    return match


def _match_row(match: KeptMatch) -> Json:
    known = {name: _text(getattr(match, name)) for name in ("id", "game", "title", "program", "started", "updated")}
    return known | {"setup": _json(match.setup)} | {name: int(getattr(match, name)) for name in FLAGS}


def _input(row: Row[Any]) -> Input:
    said = dict(row._mapping)
    del said["match_id"], said["kind"]
    kept = Input(**{**said, "said": json.loads(said["said"])})
    _expect_texts(kept.kind, kept.ruling, kept.line or "", kept.text, kept.picture or "", kept.thumb or "")
    _expect_times(kept.at)
    return kept


def _expect_texts(*values: Any) -> None:
    if not all(isinstance(value, str) for value in values):
        raise ValueError


def _expect_times(*values: str) -> None:
    if not all(map(is_moment, values)):
        raise ValueError


def _input_row(match_id: str, kept: Input) -> Json:
    named = ("number", "kind", "ruling", "line", "text", "picture", "thumb", "at")
    told = {name: getattr(kept, name) for name in named}
    return {name: _text(value) for name, value in told.items()} | {"match_id": match_id, "said": _json(kept.said)}


def _text(value: Any) -> Any:
    """Names may hold half characters, which no database takes."""
    return value.encode("utf-8", "replace").decode() if isinstance(value, str) else value


def _json(said: Any) -> str:
    return json.dumps(said, separators=(",", ":"), allow_nan=False)


def _pictures_of(connection: Connection, which: Any) -> set[str]:
    rows = connection.execute(select(INPUTS.c.picture, INPUTS.c.thumb).where(which)).all()
    return {key for row in rows for key in row if key is not None}
