"""A desk on which photos that were sent are read and judged: the photos, their order, and what was said at each.

One thread reads the photos in their order; what was read is kept, so that another order, an answer or a correction
judges anew without looking anew. What the page shows is a `Sheet`, a frozen value.
"""

from __future__ import annotations

import logging
import re
import shutil
import tempfile
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from itertools import takewhile
from pathlib import Path
from typing import Any

from engine.table import Scene
from webui.gamefile import GameFile, GameFileError
from webui.look import EyesMissingError, Look, look
from webui.picture_files import PictureFiles
from webui.pictures import Pictures
from webui.review import Event, Review
from webui.seen import Json, Seen, seen_of
from webui.uploads import Batch, Photo, Sent, UploadError, taken

log = logging.getLogger("umpire")

PREFIX = "umpire-review-"
FORGOTTEN_S = 2 * 24 * 3600.0  # a folder that a program which was killed left behind
MOST_TOTAL_BYTES = 2_000_000_000
MOST_IN_MEMORY = 4_000_000  # bytes of pictures; the others are in files
MOST_ANSWERS = 20  # at one photo

Eyes = Callable[[Photo, GameFile | None], Look]

_READING = threading.Lock()  # one photo at a time on this machine, however many desks there are


@dataclass(frozen=True, eq=False)
class Ruled:
    """What a photo brought, and then each answer that the players gave there; the table as it was corrected."""

    photo: str
    events: tuple[Event, ...]
    scene: Scene | None = None

    @property
    def last(self) -> Event:
        return self.events[-1]


@dataclass(frozen=True, eq=False)
class Sheet:
    """All that the page shows of a desk. `reads` and `answers` are by the photo's name."""

    photos: tuple[Photo, ...] = ()
    reads: dict[str, Seen] | None = None
    answers: dict[str, tuple[Json, ...]] | None = None
    ruled: tuple[Ruled, ...] = ()
    game_file: GameFile | None = None
    notes: tuple[str, ...] = ()
    busy: str = ""
    is_by_hand: bool = False  # the order is the player's own, and not that of the names

    def read_of(self, name: str) -> Seen | None:
        return (self.reads or {}).get(name)

    def answers_at(self, name: str) -> tuple[Json, ...]:
        return (self.answers or {}).get(name, ())

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(photo.name for photo in self.photos)

    @property
    def count_read(self) -> int:
        return sum(self.read_of(name) is not None for name in self.names)

    @property
    def is_done(self) -> bool:
        """Whether every photo is read, and judged if the game is known."""
        judged = self.game_file is None or len(self.ruled) == len(self.photos)
        return judged and self.count_read == len(self.photos)


class Desk:
    """One person's review. Its methods return at once; `close` takes everything away."""

    def __init__(self, eyes: Eyes | None = None, begin: Callable[[GameFile], Review] = Review) -> None:
        self._eyes, self._begin = eyes or _look, begin
        self._temporary = tempfile.TemporaryDirectory(prefix=PREFIX, ignore_cleanup_errors=True)
        self._folder = Path(self._temporary.name)
        self.pictures = Pictures(PictureFiles(self._folder / "pictures"), MOST_IN_MEMORY)
        self._changed = threading.Condition()
        self._sheet = Sheet()
        self._review: Review | None = None
        self._judged: list[tuple[Photo, tuple[Json, ...]]] = []  # what self._review has been told so far
        self._adding = threading.Lock()
        self._thread: threading.Thread | None = None
        self._is_closed = False

    # What the page asks for.

    def sheet(self) -> Sheet:
        with self._changed:
            return self._sheet

    def add(self, files: Iterable[Sent]) -> None:
        """Take more files in; what cannot be taken is told in `Sheet.notes`."""
        with self._adding:  # two at a time might take a name twice
            try:
                self._check_room()
                batch = taken(files, self._folder, self.sheet().names)
            except UploadError as fault:
                self._note(str(fault))
                return
            except OSError as fault:
                self._note(f"The photos cannot be kept on this computer: {fault.strerror}.")
                return
            self._take_in(batch)
        if batch.game_file is not None:
            self.play(batch.game_file)
        self._judge_anew()

    def _take_in(self, batch: Batch) -> None:
        with self._changed:
            photos = (*self._sheet.photos, *batch.photos)
            ordered = photos if self._sheet.is_by_hand else tuple(sorted(photos, key=_as_people_count))
            self._sheet = replace(self._sheet, photos=ordered, notes=(*self._sheet.notes, *batch.left_aside))

    def play(self, game_file: GameFile) -> None:
        """This game is played by these players. Photos are looked at anew where the game tells of another lens."""
        try:
            self._begin(game_file)
        except GameFileError as fault:
            self._note(str(fault))
            return
        with self._changed:
            seen_alike = _optics(game_file) == _optics(self._sheet.game_file)
            reads = self._sheet.reads if seen_alike else {}
            self._sheet = replace(self._sheet, game_file=game_file, reads=reads, answers={}, ruled=())
            self._review, self._judged = None, []
        self._work()

    def remove(self, name: str) -> None:
        """Take a photo off the desk."""
        with self._changed:
            photos = tuple(photo for photo in self._sheet.photos if photo.name != name)
            gone = [photo for photo in self._sheet.photos if photo.name == name]
            reads = {kept: read for kept, read in (self._sheet.reads or {}).items() if kept != name}
            answers = {kept: said for kept, said in (self._sheet.answers or {}).items() if kept != name}
            self._sheet = replace(self._sheet, photos=photos, reads=reads, answers=answers)
        for photo in gone:
            photo.path.unlink(missing_ok=True)
        self._judge_anew()

    def move(self, name: str, steps: int) -> None:
        """Put a photo earlier (negative) or later in the order."""
        with self._changed:
            photos = list(self._sheet.photos)
            here = next((place for place, photo in enumerate(photos) if photo.name == name), None)
            if here is None:
                return
            photos.insert(max(0, min(here + steps, len(photos) - 1)), photos.pop(here))
            self._sheet = replace(self._sheet, photos=tuple(photos), is_by_hand=True)
        self._judge_anew()

    def sort(self) -> None:
        """The order of the names again."""
        with self._changed:
            photos = tuple(sorted(self._sheet.photos, key=_as_people_count))
            self._sheet = replace(self._sheet, photos=photos, is_by_hand=False)
        self._judge_anew()

    def answer(self, name: str, said: Json) -> None:
        """What the players say after a photo was ruled on: agree, choose, correct."""
        with self._changed:
            answers = self._sheet.answers_at(name)
            if name not in self._sheet.names or len(answers) >= MOST_ANSWERS:
                return
            self._sheet = replace(self._sheet, answers={**(self._sheet.answers or {}), name: (*answers, said)})
        self._judge_anew()

    def take_back(self, name: str) -> None:
        """The last thing that was said at the photo was not meant."""
        with self._changed:
            answers = {**(self._sheet.answers or {}), name: self._sheet.answers_at(name)[:-1]}
            self._sheet = replace(self._sheet, answers=answers)
        self._judge_anew()

    def clear_notes(self) -> None:
        with self._changed:
            self._sheet = replace(self._sheet, notes=())

    def close(self) -> None:
        """End, and remove every photo that was sent."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        if self._thread is None:
            self._temporary.cleanup()  # else the thread does, when it is through with its photo

    # What the thread does.

    def catch_up(self) -> None:
        """Do all that is to be done, in the caller's thread."""
        while (work := self._due()) is not None:
            work()

    def _work(self) -> None:
        with self._changed:
            if self._thread is None and not self._is_closed:
                self._thread = threading.Thread(target=self._run, name="desk", daemon=True)
                self._thread.start()
            self._changed.notify_all()

    def _judge_anew(self) -> None:
        """From the first photo that is not as it was when it was judged."""
        with self._changed:
            now = [(photo, self._sheet.answers_at(photo.name)) for photo in self._sheet.photos]
            alike = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(self._judged, now, strict=False)))
            if alike < len(self._judged):
                self._review = None
            self._sheet = replace(self._sheet, ruled=self._sheet.ruled[:alike])
        self._work()

    def _run(self) -> None:
        while True:
            with self._changed:
                while not self._is_closed and self._due() is None:
                    self._changed.wait()
                if self._is_closed:
                    self._temporary.cleanup()
                    return
                work = self._due()
            try:
                if work is not None:
                    work()
            except Exception as fault:  # the page must go on and say so
                log.exception("a desk's thread failed")
                self._stumbled(fault)

    def _stumbled(self, fault: Exception) -> None:
        """What cannot be judged is left, so that it is not tried for ever."""
        words = f"The umpire failed on these photos ({type(fault).__name__}); the log says more. Choose the game again."
        with self._changed:
            self._sheet = replace(self._sheet, game_file=None, busy="", notes=(*self._sheet.notes, words))
            self._review, self._judged = None, []

    def _due(self) -> Callable[[], None] | None:
        """Judge what is read in order, then read the next one."""
        with self._changed:
            sheet = self._sheet
            following = len(self._judged) if self._review is not None else 0
            if sheet.game_file is not None and following < len(sheet.photos):
                read = sheet.read_of(sheet.names[following])
                if read is not None:
                    return lambda: self._judge(following)
            unread = next((photo for photo in sheet.photos if sheet.read_of(photo.name) is None), None)
            return None if unread is None else lambda: self._read(unread)

    def _read(self, photo: Photo) -> None:
        with self._changed:
            game_file = self._sheet.game_file
            place = self._sheet.names.index(photo.name) + 1 if photo.name in self._sheet.names else 0
            self._sheet = replace(self._sheet, busy=f"Reading photo {place} of {len(self._sheet.photos)} …")
        read = self._looked(photo, game_file)
        with self._changed:
            is_there = photo in self._sheet.photos
            if is_there and _optics(game_file) == _optics(self._sheet.game_file):
                self._sheet = replace(self._sheet, reads={**(self._sheet.reads or {}), photo.name: read})
            self._sheet = replace(self._sheet, busy="")

    def _looked(self, photo: Photo, game_file: GameFile | None) -> Seen:
        """A fault of ours, or a full disk, is a photo that cannot be read, and not the end of the review."""
        try:
            with _READING:
                seen = self._eyes(photo, game_file)
            return seen_of(seen, *self.pictures.add(seen))
        except (EyesMissingError, OSError) as fault:
            return Seen(photo.name, error=str(fault))
        except Exception as fault:
            log.exception("unexpected fault in %s", photo.name)
            words = f"The umpire failed on this photo ({type(fault).__name__}); the log says more."
            return Seen(photo.name, error=words)

    def _judge(self, place: int) -> None:
        """Judge the photo at that place of the order, which is the first one after those that are judged."""
        with self._changed:
            sheet = self._sheet
            if place >= len(sheet.photos) or sheet.game_file is None:
                return
            photo = sheet.photos[place]
            read, answers = sheet.read_of(photo.name), sheet.answers_at(photo.name)
            if read is None:
                return
            if self._review is None:
                self._review, self._judged = self._begin(sheet.game_file), []
            review = self._review
        events = _events(review, read, answers)
        scene = None if events[-1].error else review.scene
        with self._changed:
            if self._review is not review:
                return
            now = self._sheet
            if now.photos[place : place + 1] != (photo,) or now.answers_at(photo.name) != answers:
                self._review = None  # it was told what is no longer so
                return
            self._judged.append((photo, answers))
            ruled = (*now.ruled[:place], Ruled(photo.name, events, scene), *now.ruled[place + 1 :])
            self._sheet = replace(now, ruled=ruled)

    def _note(self, words: str) -> None:
        with self._changed:
            self._sheet = replace(self._sheet, notes=(*self._sheet.notes, words))

    def _check_room(self) -> None:
        total = sum(photo.path.stat().st_size for photo in self.sheet().photos if photo.path.exists())
        if total > MOST_TOTAL_BYTES:
            raise UploadError("These photos together have more than 2 GB. Remove some, or make them smaller.")


def _events(review: Review, seen: Seen, answers: tuple[Json, ...]) -> tuple[Event, ...]:
    """What the photo brought, and then each answer; a correction takes the place of what was ruled before it.

    A fault of ours is told in place of a ruling.
    """
    try:
        events: tuple[Event, ...] = (review.see(seen),)
        for said in answers:
            event = review.take(said)
            if event is not None:
                events = (event,) if event.is_corrected else (*events, event)
    except Exception as fault:
        log.exception("unexpected fault while judging %s", seen.photo)
        words = f"The umpire failed while it judged this photo ({type(fault).__name__}); the log says more."
        return (Event(seen.photo, review.game, error=words, picture=seen.picture, thumb=seen.thumb),)
    return events


def _look(photo: Photo, game_file: GameFile | None) -> Look:
    if game_file is None:
        return look(photo.path, name=photo.name)
    return look(photo.path, game_file.lens_for, game_file.square_mm, photo.name)


def _optics(game_file: GameFile | None) -> tuple[Any, ...]:
    """What of a game decides how a photo is looked at."""
    return (None, None) if game_file is None else (game_file.camera, game_file.square_mm)


def _as_people_count(photo: Photo) -> tuple[Any, ...]:
    """Names in the order of people: IMG_9 before IMG_10."""
    parts = re.split(r"([0-9]+)", photo.name.lower())
    return tuple((int(part), "") if part.isdecimal() and part.isascii() else (-1, part) for part in parts)


def sweep() -> None:
    """Remove what a program that was killed left behind."""
    for folder in Path(tempfile.gettempdir()).glob(f"{PREFIX}*"):
        try:
            is_old = time.time() - folder.stat().st_mtime > FORGOTTEN_S
        except OSError:
            continue
        if is_old:
            shutil.rmtree(folder, ignore_errors=True)
