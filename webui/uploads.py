"""Files that people send: photos, a game.json, or a zip of these. They are put into a folder of ours, undecoded.

Nothing is written under a name that came from outside, so no path in a zip leads anywhere. What is too large, too much
or no photo is left aside, with a sentence that says so; the rest is taken.
"""

from __future__ import annotations

import re
import zipfile
import zlib
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from secrets import token_hex
from typing import IO

from vision.camera import MEGABYTE, MOST_BYTES
from webui.gamefile import PHOTO_ENDINGS, GameFile, GameFileError, game_file_from_bytes
from webui.limits import GAME_FILE, PACKINGS

MOST_PHOTOS = 200
MOST_ENTRIES = 2_000  # of a zip, whatever they are
MOST_NAME = 60  # characters
UNPACKS_TO = 100  # times its size, at most: photos are packed already, even plain bitmaps of a table hardly reach it
SMALL_BYTES = MEGABYTE  # what unpacks to less is no bomb
PIECE_BYTES = 256 * 1024

Sent = tuple[str, IO[bytes]]  # the name that a file came with, and its content


@dataclass(frozen=True)
class Photo:
    """A photo that was sent: what it is called and where it lies."""

    name: str
    path: Path


@dataclass(frozen=True)
class Batch:
    """What was taken of the files that were sent, and in sentences what was not, and why."""

    photos: tuple[Photo, ...] = ()
    game_file: GameFile | None = None
    left_aside: tuple[str, ...] = ()


class UploadError(Exception):
    """One file cannot be taken; the message names it and says why."""


def taken(files: Iterable[Sent], folder: Path, known: Iterable[str] = ()) -> Batch:
    """Put the photos that were sent into the folder. `known` are the names of those that are there already.

    Raises OSError when the folder cannot be written to.
    """
    taking = _Taking(folder, list(known))
    for name, content in files:
        taking.take(name, content)
    return Batch(tuple(taking.photos), taking.game_file, tuple(taking.left_aside))


class _Taking:
    """The files as they come; collects what becomes the batch."""

    def __init__(self, folder: Path, names: list[str]) -> None:
        self._folder, self._names = folder, names
        self.photos: list[Photo] = []
        self.game_file: GameFile | None = None
        self.left_aside: list[str] = []

    def take(self, name: str, content: IO[bytes]) -> None:
        """One file as it was sent."""
        name = plain_name(name)
        try:
            if name.lower().endswith(".zip"):
                self._take_zip(name, content)
            elif name.lower().endswith(".json"):
                self._take_game(name, content)
            else:
                self._take_photo(name, content)
        except UploadError as fault:
            self.left_aside.append(str(fault))

    def _take_photo(self, name: str, content: IO[bytes]) -> None:
        if len(self._names) >= MOST_PHOTOS:
            raise UploadError(f"{name} was left aside: {MOST_PHOTOS} photos are the most.")
        path = self._folder / f"{token_hex(8)}.photo"
        try:
            _copy(content, path, name)
        except BaseException:
            path.unlink(missing_ok=True)
            raise
        name = _unlike(name, self._names)
        self._names.append(name)
        self.photos.append(Photo(name, path))

    def _take_game(self, name: str, content: IO[bytes]) -> None:
        self.game_file = game_from(content.read(GAME_FILE.size_bytes + 1), name)

    def _take_zip(self, name: str, content: IO[bytes]) -> None:
        try:
            with zipfile.ZipFile(content) as packed:
                self._take_entries(name, packed)
        except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, NotImplementedError):
            raise UploadError(f"{name} is damaged, or no zip: it cannot be opened.") from None

    def _take_entries(self, name: str, packed: zipfile.ZipFile) -> None:
        entries = [entry for entry in packed.infolist() if not entry.filename.endswith("/")]  # some have no name at all
        if len(entries) > MOST_ENTRIES:
            raise UploadError(f"{name} holds {len(entries)} files; {MOST_ENTRIES} are the most.")
        others = []
        for entry in sorted(entries, key=lambda each: each.filename):
            path = PurePosixPath(entry.filename.replace("\\", "/"))
            if path.name.startswith(".") or "__MACOSX" in path.parts:
                continue  # what macOS puts beside each file
            if path.suffix.lower() in PHOTO_ENDINGS or path.name.lower() == "game.json":
                self._take_entry(plain_name(path.name), packed, entry)
            else:
                others.append(plain_name(path.name))
        if others:
            few = ", ".join(others[:3]) + (f" and {len(others) - 3} more" if len(others) > 3 else "")
            self.left_aside.append(f"In {name} these are no photos and were left aside: {few}.")

    def _take_entry(self, name: str, packed: zipfile.ZipFile, entry: zipfile.ZipInfo) -> None:
        try:
            if entry.compress_type not in PACKINGS:
                raise UploadError(f"{name} was left aside: it is packed as few programs can. Pack it the usual way.")
            if entry.file_size > max(SMALL_BYTES, entry.compress_size * UNPACKS_TO):
                raise UploadError(f"{name} was left aside: it unpacks to far more than a photo has.")
            with packed.open(entry) as content:
                self.take(name, content)
        except UploadError as fault:
            self.left_aside.append(str(fault))
        except (zipfile.BadZipFile, zlib.error, ValueError, EOFError, NotImplementedError):
            self.left_aside.append(f"{name} was left aside: it is damaged in the zip.")
        except RuntimeError:  # how the library says that it wants a password
            self.left_aside.append(f"{name} was left aside: it is locked with a password.")


def game_from(content: bytes, name: str) -> GameFile:
    """The game that the bytes of a file called `name` tell. Raises UploadError."""
    try:
        return game_file_from_bytes(content, name)
    except GameFileError as fault:
        raise UploadError(str(fault)) from None


def plain_name(name: str) -> str:
    """The last part of a path, without control characters, not too long: to be shown, never to be opened."""
    last = re.split(r"[/\\]", name)[-1]
    shown = "".join(letter for letter in last if letter.isprintable()).strip() or "photo"
    if len(shown) <= MOST_NAME:
        return shown
    stem, dot, ending = shown.rpartition(".")
    return f"{stem[: MOST_NAME - 7]}…{dot}{ending[:5]}" if dot else shown[:MOST_NAME]


def _unlike(name: str, names: list[str]) -> str:
    """The name, with a number where it is there already: phones call every photo they take image.jpg."""
    stem, dot, ending = name.rpartition(".")
    if not dot:
        stem, ending = name, ""
    number, tried = 2, name
    while tried in names:
        tried, number = f"{stem} ({number}){dot}{ending}", number + 1
    return tried


def _copy(content: IO[bytes], path: Path, name: str) -> None:
    """Raises UploadError where there is more than a photo may have."""
    written = 0
    with path.open("wb") as file:
        while piece := content.read(PIECE_BYTES):
            written += len(piece)
            if written > MOST_BYTES:
                raise UploadError(f"{name} was left aside: it has more than {MOST_BYTES // MEGABYTE} MB.")
            file.write(piece)
