"""What fails under the folder of matches, in words that a player can act on. Nothing that is there is harmed by it."""

from __future__ import annotations

import errno
import os
import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sqlalchemy.exc import DatabaseError, IntegrityError

from webui.schema import NewerError

FOLDER_VARIABLE = "PYRAMID_UMPIRE_DATA"
DATABASE = "matches.sqlite"
BESIDE = (DATABASE, f"{DATABASE}-wal", f"{DATABASE}-shm", f"{DATABASE}-journal", "umpire.lock")

NO_TEXT = 0  # Python's own fault, not SQLite's: what should be text is none
SHUT = (sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM, sqlite3.SQLITE_AUTH)
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
CLOSED = {errno.EROFS, errno.EACCES, errno.EPERM, errno.ENOTDIR, errno.EEXIST, errno.ENOENT, errno.ENAMETOOLONG}


class StoreError(Exception):
    """What was to be kept or fetched is not; the message says why in words. What is there already is unharmed."""


@contextmanager
def in_words(folder: Path) -> Iterator[None]:
    """Faults of the disk and the database under the folder become a StoreError."""
    try:
        yield
    except IntegrityError as fault:
        raise StoreError(
            f"{folder / DATABASE} holds that already, or something else in its place: the match went on elsewhere. "
            "Go on with it from the start page."
        ) from fault
    except (DatabaseError, sqlite3.Error) as fault:
        raise StoreError(_database_words(fault, folder / DATABASE)) from fault
    except NewerError:
        raise StoreError(
            f"{folder / DATABASE} was written by a newer umpire than this one. Install the newest: "
            "pip install --upgrade pyramid-umpire. Nothing in it was changed."
        ) from None
    except NotImplementedError as fault:  # of the lock
        raise StoreError(
            f"The disk of {folder} cannot say who uses it, as some in a network cannot. Choose another folder for "
            f"matches: set {FOLDER_VARIABLE}."
        ) from fault
    except OSError as fault:
        raise StoreError(_file_words(fault, folder)) from fault


def damaged(path: Path) -> str:
    """The words for a database that holds what the umpire never wrote."""
    return (
        f"{path} is damaged, and was left as it is. To play on, move it and the files beside it that begin with "
        f"{path.name} to another folder: a new one is begun. A copy that you have can be put in its place; the "
        "pictures are whole."
    )


def gone(path: Path) -> str:
    """The words for a database that is not any more where it was opened."""
    return (
        f"{path} or a file beside it was moved or deleted while the umpire ran. What was just said is not kept, so it "
        "does not count. Put it back and say it again, or start the umpire anew."
    )


def _database_words(fault: DatabaseError | sqlite3.Error, path: Path) -> str:
    cause = fault.orig if isinstance(fault, DatabaseError) else fault
    code = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    if code == sqlite3.SQLITE_FULL:
        return _full(path.parent)
    if code == sqlite3.SQLITE_IOERR and not _in_the_way(path.parent):
        return (
            f"The disk does not take what the umpire writes into {path.parent}: it is full, at its limit or failing. "
            "What was just said is not kept, so it does not count. Make room, and say it again."
        )
    if code in (sqlite3.SQLITE_IOERR, *SHUT):
        return _closed(path.parent)
    if code in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        return (
            f"Another program holds {path}. Close it (a database viewer, a backup?), and say it again: "
            "what was just said is not kept, so it does not count."
        )
    has_other_tables = code == sqlite3.SQLITE_ERROR and re.search("no such|already exists", str(cause))
    if code in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, NO_TEXT) or has_other_tables:
        return damaged(path)
    return f"{path} cannot be used: {getattr(cause, 'sqlite_errorname', type(cause).__name__)}."


def _file_words(fault: OSError, folder: Path) -> str:
    if fault.errno in FULL:
        return _full(folder)
    if fault.errno in CLOSED or fault.errno == errno.EISDIR:
        return _closed(folder)
    return f"{folder} cannot be used: {fault.strerror}."


def _full(folder: Path) -> str:
    return (
        f"The disk is full: {folder} takes no more. What was just said is not kept, so it does not count. "
        "Make room, and say it again."
    )


def _in_the_way(folder: Path) -> list[Path]:
    """Folders that stand where a file should be."""
    return [folder / name for name in BESIDE if os.path.isdir(folder / name)]


def _closed(folder: Path) -> str:
    if in_the_way := _in_the_way(folder):
        return f"{in_the_way[0]} is a folder, and the umpire keeps a file of that name: move it away."
    return (
        f"The umpire cannot write into {folder}. Allow it to, or choose another folder for matches: "
        f"set {FOLDER_VARIABLE}."
    )
