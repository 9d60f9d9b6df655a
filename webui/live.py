"""The one thread and the one lock: photos become looks, looks become events, and the page shows where we are.

Only the thread looks and judges. The page's requests change what is shown (at once) or ask the thread for more; what
they read is a `Moment`, a frozen value. The photos of a folder stand in for the camera: each is a settled table.
"""

from __future__ import annotations

import hashlib
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from webui.games.tabletop import Tabletop
from webui.look import Look, look, overlay
from webui.review import Event, Review

log = logging.getLogger("umpire")

PICTURE_WIDTH_PX = 1280
THUMB_WIDTH_PX = 240
WATCH_WIDTH_PX = 960
PACES_S = (3.0, 6.0, 12.0, 30.0)
SCAN_EVERY_S = 1.0  # a watched folder; a photo that still grows from one scan to the next is left for later


@dataclass(frozen=True)
class Shown:
    """An event and the keys of its two pictures, if its photo is a picture at all."""

    event: Event
    picture: str | None = None
    thumb: str | None = None


@dataclass(frozen=True)
class Moment:
    """All that the page needs at one moment. `cursor` is the place in `shown` that is looked at, -1 without any."""

    game: Tabletop
    shown: tuple[Shown, ...] = ()
    cursor: int = -1
    photos: tuple[str, ...] = ()
    paused: bool = False
    pace_s: float = 6.0
    busy: str = ""
    is_live: bool = False
    trouble: str = ""  # why a live camera's table cannot be judged now
    glimpse: str | None = None  # the key of the picture that cannot be judged

    @property
    def current(self) -> Shown | None:
        return self.shown[self.cursor] if self.shown else None

    @property
    def is_latest(self) -> bool:
        return self.cursor == len(self.shown) - 1

    @property
    def photos_judged(self) -> int:
        return len({each.event.photo for each in self.shown})

    @property
    def is_over(self) -> bool:
        return self.is_latest and self.photos_judged == len(self.photos)


class Pictures:
    """JPEGs by the hash of their content, so that a browser may keep them for ever."""

    def __init__(self) -> None:
        self._jpegs: dict[str, bytes] = {}

    def add(self, seen: Look) -> tuple[str | None, str | None]:
        """The keys of the look's picture and of its thumbnail."""
        image = overlay(seen)
        if image is None:
            return None, None
        return self.keep(image, PICTURE_WIDTH_PX, 86), self.keep(image, THUMB_WIDTH_PX, 80)

    def get(self, key: str) -> bytes | None:
        return self._jpegs.get(key)

    def drop(self, key: str | None) -> None:
        """Keep this picture no longer."""
        if key is not None:
            self._jpegs.pop(key, None)

    def keep(self, image: NDArray[np.uint8], width_px: int, quality: int) -> str:
        """The key of the image, BGR, made at most so wide and compressed at that JPEG quality."""
        import cv2

        height, width = image.shape[:2]
        if width > width_px:
            size_px = (width_px, round(height * width_px / width))
            image = np.asarray(cv2.resize(image, size_px, interpolation=cv2.INTER_AREA))
        jpeg = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, quality])[1].tobytes()
        key = hashlib.sha256(jpeg).hexdigest()[:24]
        self._jpegs[key] = jpeg
        return key


class Live:
    """Plays a folder of photos as if a camera saw them. `watched` tells the photos that are there now, if it is given:
    new ones are taken in."""

    def __init__(
        self,
        photos: Sequence[Path],
        begin: Callable[[], Review],
        eyes: Callable[[Path], Look] = look,
        clock: Callable[[], float] = time.monotonic,
        watched: Callable[[], Sequence[Path]] | None = None,
    ) -> None:
        self.pictures = Pictures()
        self._watched, self._scan_s, self._sizes = watched, clock(), dict[Path, int]()
        self._photos, self._begin, self._eyes, self._clock = tuple(photos), begin, eyes, clock
        self._changed = threading.Condition()
        self._asked: deque[Callable[[], None]] = deque()
        self._due_s: float | None = clock()
        self._stopping = False
        self._review = begin()
        self._moment = Moment(self._review.game, photos=tuple(path.name for path in photos))
        self._looks: dict[int, tuple[Look, str | None, str | None]] = {}
        self._thread = threading.Thread(target=self._run, name="umpire", daemon=True)

    # What the page asks for.

    def moment(self) -> Moment:
        with self._changed:
            return self._moment

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        with self._changed:
            self._stopping = True
            self._changed.notify_all()

    def forward(self) -> None:
        """Show the next event, judging the next photo where none is ready."""
        with self._changed:
            if self._moment.is_latest:
                self._due_s = self._clock()
                self._changed.notify_all()
            else:
                self._show(self._moment.cursor + 1)

    def back(self) -> None:
        self.look_at(self.moment().cursor - 1)

    def look_at(self, place: int) -> None:
        """Show an earlier event and stay there."""
        with self._changed:
            if 0 <= place < len(self._moment.shown):
                self._pause()
                self._show(place)

    def pause(self) -> None:
        with self._changed:
            self._pause()

    def resume(self) -> None:
        with self._changed:
            self._moment = replace(self._moment, paused=False)
            self._await_next()

    def toggle(self) -> None:
        if self.moment().paused:
            self.resume()
        else:
            self.pause()

    def set_pace(self, pace_s: float) -> None:
        with self._changed:
            self._moment = replace(self._moment, pace_s=pace_s)
            self._await_next()

    def restart(self) -> None:
        self._ask(self._start_again)

    def agree(self) -> None:
        """'We play it so': the players go on from the table as it lies."""
        self._ask(lambda: self._answer(self._review.agree))

    def choose(self, place: int) -> None:
        """The players say which of an unclear ruling's lines was played."""
        self._ask(lambda: self._answer(lambda: self._review.choose(place)))

    # What the thread does.

    def catch_up(self) -> None:
        """Do all that is due now, in the caller's thread."""
        while (work := self._due_work()) is not None:
            work()

    def _run(self) -> None:
        while (work := self._wait_for_work()) is not None:
            try:
                work()
            except Exception:  # the page must go on and say so
                log.exception("the umpire's thread failed")
                self._say_busy("The umpire stumbled over this photo; the log says why. Start again to go on.")
                self.pause()

    def _wait_for_work(self) -> Callable[[], None] | None:
        with self._changed:
            while not self._stopping:
                work = self._due_work()
                if work is not None:
                    return work
                self._changed.wait(self._seconds_left())
            return None

    def _due_work(self) -> Callable[[], None] | None:
        with self._changed:
            self._take_in()
            following = self._moment.photos_judged
            if self._asked:
                return self._asked.popleft()
            if following < len(self._photos) and following not in self._looks:
                return lambda: self._look_ahead(following)
            if self._due_s is None or self._due_s > self._clock():
                return None
            if not self._moment.is_latest:
                return self._show_next
            return None if self._moment.is_over else lambda: self._judge(following)

    def _take_in(self) -> None:
        """New photos of the watched folder, once they are whole."""
        if self._watched is None or self._clock() < self._scan_s:
            return
        self._scan_s = self._clock() + SCAN_EVERY_S
        sizes = {path: _bytes_in(path) for path in self._watched() if path not in self._photos}
        whole = sorted(path for path, size in sizes.items() if size and self._sizes.get(path) == size)
        self._sizes = sizes
        self._photos += tuple(whole)
        self._moment = replace(self._moment, photos=tuple(path.name for path in self._photos))

    def _seconds_left(self) -> float | None:
        scan = [] if self._watched is None else [self._scan_s]
        due = [] if self._due_s is None or self._moment.is_over else [self._due_s]
        return max(min([*scan, *due]) - self._clock(), 0.0) if scan or due else None

    def _look_ahead(self, number: int) -> None:
        self._say_busy(f"Looking at photo {number + 1} …")
        self._looks[number] = self._looked(self._photos[number])
        self._say_busy("")

    def _looked(self, path: Path) -> tuple[Look, str | None, str | None]:
        """The look without its picture, and the keys of that. A fault of ours is a look with an error, not a halt."""
        try:
            seen = self._eyes(path)
            return replace(seen, image_bgr=None), *self.pictures.add(seen)
        except Exception as fault:
            log.exception("unexpected fault in %s", path)
            words = f"The umpire failed on this photo ({type(fault).__name__}); the log says more."
            return Look(path.name, error=words), None, None

    def _judge(self, number: int) -> None:
        seen, picture, thumb = self._looks[number]
        self._add(Shown(self._review.see(seen), picture, thumb))

    def _answer(self, answered: Callable[[], Event | None]) -> None:
        event = answered()
        last = self.moment().shown[-1:]
        if event is not None and last:
            self._add(replace(last[0], event=event))

    def _start_again(self) -> None:
        self._review = self._begin()
        with self._changed:
            self._moment = replace(self._moment, shown=(), cursor=-1, paused=False)
            self._due_s = self._clock()

    def _add(self, shown: Shown) -> None:
        with self._changed:
            self._moment = replace(self._moment, shown=(*self._moment.shown, shown))
            self._show(len(self._moment.shown) - 1)

    def _ask(self, work: Callable[[], None]) -> None:
        with self._changed:
            self._asked.append(work)
            self._changed.notify_all()

    def _show_next(self) -> None:
        with self._changed:
            self._show(self._moment.cursor + 1)

    def _show(self, place: int) -> None:
        self._moment = replace(self._moment, cursor=place)
        self._await_next()

    def _pause(self) -> None:
        self._moment = replace(self._moment, paused=True)
        self._due_s = None

    def _await_next(self) -> None:
        self._due_s = None if self._moment.paused else self._clock() + self._moment.pace_s
        self._changed.notify_all()

    def _say_busy(self, words: str) -> None:
        with self._changed:
            self._moment = replace(self._moment, busy=words)


def _bytes_in(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0
