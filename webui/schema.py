"""The tables in which matches are kept, and how a database of an older umpire becomes one of today.

`STEPS` make the tables: the database's `user_version` is how many of them it has had. A step is never changed once it
has been released; what is new is a further step. Before a database is changed a copy of it is kept.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path

from sqlalchemy import Column, Connection, Engine, ForeignKey, Integer, MetaData, Table, Text, text

TABLES = MetaData()

MATCHES = Table(
    "matches",
    TABLES,
    Column("id", Text, primary_key=True),
    Column("game", Text, nullable=False),
    Column("title", Text, nullable=False),
    Column("started", Text, nullable=False),
    Column("updated", Text, nullable=False),
    Column("setup", Text, nullable=False),  # game.json
    Column("program", Text, nullable=False),  # the umpire's version
    Column("is_over", Integer, nullable=False),
    Column("is_new", Integer, nullable=False),  # whether it needed a proper start
)

INPUTS = Table(
    "inputs",
    TABLES,
    Column("match_id", Text, ForeignKey("matches.id", ondelete="CASCADE"), primary_key=True),
    Column("number", Integer, primary_key=True),
    Column("kind", Text, nullable=False),
    Column("said", Text, nullable=False),  # JSON, as Review.take takes it
    Column("ruling", Text, nullable=False),  # the one word for it
    Column("line", Text),  # what happened, in notation
    Column("text", Text, nullable=False),
    Column("picture", Text),
    Column("thumb", Text),
    Column("at", Text, nullable=False),
)

STEPS: tuple[tuple[str, ...], ...] = (
    (
        """CREATE TABLE matches (
            id TEXT PRIMARY KEY, game TEXT NOT NULL, title TEXT NOT NULL, started TEXT NOT NULL,
            updated TEXT NOT NULL, setup TEXT NOT NULL, program TEXT NOT NULL, is_over INTEGER NOT NULL,
            is_new INTEGER NOT NULL)""",
        """CREATE TABLE inputs (
            match_id TEXT NOT NULL REFERENCES matches (id) ON DELETE CASCADE, number INTEGER NOT NULL,
            kind TEXT NOT NULL, said TEXT NOT NULL, ruling TEXT NOT NULL, line TEXT, text TEXT NOT NULL,
            picture TEXT, thumb TEXT, at TEXT NOT NULL, PRIMARY KEY (match_id, number)) WITHOUT ROWID""",
    ),
)


class NewerError(Exception):
    """A newer umpire has made this database."""


def version_of(connection: Connection) -> int:
    """How many steps the database has had; 0 when it is new."""
    return int(connection.execute(text("PRAGMA user_version")).scalar_one())


def is_of_today(connection: Connection, steps: tuple[tuple[str, ...], ...] = STEPS) -> bool:
    """Whether no step is left. Raises NewerError."""
    version = version_of(connection)
    if version > len(steps):
        raise NewerError
    return version == len(steps)


def bring_up_to_date(engine: Engine, path: Path, steps: tuple[tuple[str, ...], ...] = STEPS) -> Path | None:
    """Take the steps that are left, all or none of them, and tell where the copy from before lies, if there was one.

    Raises NewerError.
    """
    with engine.connect() as connection:
        if is_of_today(connection, steps):
            return None
        version = version_of(connection)
    copy = None if version == 0 else _copied(path, version)
    with engine.execution_options(writes=True).begin() as connection:
        for step in steps[version_of(connection) :]:
            for statement in step:
                connection.execute(text(statement))
        connection.execute(text(f"PRAGMA user_version = {len(steps)}"))
    return copy


def _copied(path: Path, version: int) -> Path:
    copy = path.with_name(f"{path.stem}-version-{version}{path.suffix}")
    copy.unlink(missing_ok=True)  # of a migration that was cut off
    with closing(sqlite3.connect(path)) as old, closing(sqlite3.connect(copy)) as new:
        old.backup(new)
    return copy
