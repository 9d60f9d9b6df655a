"""The one thread and the one lock: photos become looks, looks become events, and the page shows where we are.

Only the thread looks and judges. The page's requests change what is shown (at once) or ask the thread for more; what
they read is a `Moment`, a frozen value. The photos of a folder stand in for the camera: each is a settled table.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.errors import EngineError
from vision.ending import ends_first
from webui.correcting import Correction
from webui.gamefile import GameFile
from webui.games.tabletop import Tabletop
from webui.inbox import Inbox, Sent
from webui.look import Look, look, look_into
from webui.pictures import Pictures
from webui.review import Event, NotKeptError, Review
from webui.seen import Json, Seen, seen_of

log = logging.getLogger("umpire")

WATCH_WIDTH_PX = 960
PACES_S = (3.0, 6.0, 12.0, 30.0)
MOVED_ON = "The game had gone on when that was tapped, so it was left aside. Look again, and tap once more if it holds."
SCAN_EVERY_S = 1.0  # a watched folder; a photo that still grows from one scan to the next is left for later


@dataclass(frozen=True)
class Moment:
    """All that the page needs at one moment. `cursor` is the place in `events` that is looked at, -1 without any."""

    game: Tabletop
    events: tuple[Event, ...] = ()
    cursor: int = -1
    photos: tuple[str, ...] = ()
    photos_judged: int = 0
    paused: bool = False
    pace_s: float = 6.0
    busy: str = ""
    is_live: bool = False
    trouble: str = ""  # why a live camera's table cannot be judged now
    refused: str = ""  # why the last thing that was said was not taken
    glimpse: str | None = None  # the key of the picture that cannot be judged
    can_undo: bool = False
    can_redo: bool = False

    @property
    def current(self) -> Event | None:
        return self.events[self.cursor] if self.events else None

    @property
    def is_latest(self) -> bool:
        return self.cursor == len(self.events) - 1

    @property
    def is_over(self) -> bool:
        return self.is_latest and self.photos_judged == len(self.photos)


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
        pictures: Pictures | None = None,
    ) -> None:
        self.pictures, self.inbox = pictures or Pictures(), Inbox()
        self._watched, self._scan_s, self._sizes = watched, clock(), dict[Path, int]()
        self._photos, self._begin, self._eyes, self._clock = tuple(photos), begin, eyes, clock
        self._changed = threading.Condition()
        self._asked: deque[Callable[[], object]] = deque()
        self._due_s: float | None = clock()
        self._stopping = False
        self._review = begin()
        self._looks: dict[int, Seen] = {}
        self._moment = self._at_first()
        self._thread = threading.Thread(target=self._run, name="umpire", daemon=True)

    # What the page asks for.

    def moment(self) -> Moment:
        with self._changed:
            return self._moment

    def start(self) -> None:
        ends_first(self._thread, self.stop)
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
            if 0 <= place < len(self._moment.events):
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

    # `at` is how many events there were when somebody said so. When there are others by then, it counts no more: it was
    # tapped twice, or on a page that was older.

    def agree(self, at: int | None = None) -> None:
        """'We play it so': the players go on from the table as it lies."""
        self._ask(lambda: self._put_in(self._review.agree), at)

    def choose(self, place: int, at: int | None = None) -> None:
        """The players say which of an unclear ruling's lines was played."""
        self._ask(lambda: self._put_in(lambda: self._review.choose(place)), at)

    def declare(
        self, declaration: Json, by: str | None = None, words: str = "", at: int | None = None
    ) -> threading.Event:
        """A player says something. Pages offer choices and never pass on a declaration that a browser made up.

        The answer is set once the umpire has taken it in or refused it; before that it may look at a photo.
        """
        return self._ask(lambda: self._put_in(lambda: self._review.declare(declaration, by, words)), at)

    def correct(self, correction: Correction) -> None:
        """The players say what lies at a place."""
        self._ask(lambda: self._put_in(lambda: self._review.correct(correction)))

    def not_a_move(self, at: int | None = None) -> None:
        self._ask(lambda: self._put_in(self._review.not_a_move), at)

    def undo(self, at: int | None = None) -> None:
        self._ask(lambda: self._put_in(self._review.undo), at)

    def redo(self, at: int | None = None) -> None:
        self._ask(lambda: self._put_in(self._review.redo), at)

    def send(self, content: bytes) -> int | None:
        """A photo that somebody took of the table as it lies, with whatever camera: it is judged, and `inbox` tells
        under this number what came of it. None while too many wait."""
        number = self.inbox.expect()
        if number is not None:
            self._ask(lambda: self._judge_sent(number, content))
        return number

    def as_seen_by(self, player: str | None) -> Any | None:
        """Where the match stands, as that player may see it, or (None) everybody; None before the start."""
        return self._review.state_for(player)

    @property
    def game_file(self) -> GameFile:
        """Who plays what."""
        return self._review.game_file

    @property
    def scene(self) -> Any | None:
        """The last table that was seen, as corrected, with the doubt about it."""
        return self._review.scene

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

    def _wait_for_work(self) -> Callable[[], object] | None:
        with self._changed:
            while not self._stopping:
                work = self._due_work()
                if work is not None:
                    return work
                self._changed.wait(self._seconds_left())
            return None

    def _due_work(self) -> Callable[[], object] | None:
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

    def _looked(self, path: Path) -> Seen:
        """What the photo shows. A fault of ours is a look with an error, not a halt."""
        try:
            seen = self._eyes(path)
            return seen_of(seen, *self.pictures.add(seen))
        except Exception as fault:
            log.exception("unexpected fault in %s", path)
            words = f"The umpire failed on this photo ({type(fault).__name__}); the log says more."
            return Seen(path.name, error=words)

    def _judge(self, number: int) -> Event | None:
        event = self._put_in(lambda: self._review.see(self._looks[number]))
        if event is not None:
            with self._changed:
                self._moment = replace(self._moment, photos_judged=number + 1)
                self._await_next()
        return event

    def _judge_sent(self, number: int, content: bytes) -> None:
        """A phone's photo. What is wrong with it concerns its sender and not the table."""
        self._say_busy("Looking at a phone's photo …")
        before = self._moment.events[-1] if self._moment.events else None
        try:
            look = look_into(content, f"Phone {number}, {time.strftime('%H:%M')}", self.game_file.square_mm)
            event, fault = None, look.error or "The umpire sees nothing in this photo."
            if look.observation is not None and look.observation.hand_in_view:
                fault = "A hand is over the table. Take the photo again when it has gone."
            elif look.observation is not None:
                event = self._see_sent(seen_of(look, *self.pictures.add(look)))
                fault = "" if event is not None else self._moment.refused
            self.inbox.tell(Sent(number, event, before, fault))
        except Exception as fault:
            log.exception("unexpected fault in a phone's photo")
            self.inbox.tell(Sent(number, fault=f"The umpire failed on this photo ({type(fault).__name__})."))
        self._say_busy("")

    def _see_sent(self, seen: Seen) -> Event | None:
        """It comes before the photos of the folder that are not judged yet."""
        with self._changed:
            here = self._moment.photos_judged
            self._photos = (*self._photos[:here], Path(seen.photo), *self._photos[here:])
            self._looks = {n + (n >= here): look for n, look in self._looks.items()} | {here: seen}
            self._moment = replace(self._moment, photos=tuple(path.name for path in self._photos))
        return self._judge(here)

    def _put_in(self, work: Callable[[], Event | None]) -> Event | None:
        """Put something into the match and show what came of it; None where it was refused, and the page says why."""
        try:
            event = work()
        except NotKeptError as fault:
            self._refuse(str(fault))
            self.pause()
            return None
        except EngineError as fault:
            self._refuse(f"{str(fault).rstrip('.')}.")
            return None
        self._show_events()
        return event

    def _refuse(self, words: str) -> None:
        with self._changed:
            self._moment = replace(self._moment, refused=words[:1].upper() + words[1:])

    def _show_events(self) -> None:
        """The page goes to the latest event."""
        with self._changed:
            self._moment = self._standing(self._moment)
            self._show(len(self._moment.events) - 1)

    def _standing(self, moment: Moment) -> Moment:
        review = self._review
        return replace(moment, events=review.events, can_undo=review.can_undo, can_redo=review.can_redo, refused="")

    def _at_first(self) -> Moment:
        """Before anything was looked at; a match that goes on has its events already."""
        names = tuple(path.name for path in self._photos)
        moment = self._standing(Moment(self._review.game, photos=names))
        met = {event.photo for event in moment.events}
        judged = max((n for n, name in enumerate(names, 1) if name in met), default=0)
        return replace(moment, photos_judged=judged, cursor=len(moment.events) - 1)

    def _start_again(self) -> None:
        self._review = self._begin()
        with self._changed:
            pace_s = self._moment.pace_s
            self._moment = replace(self._at_first(), pace_s=pace_s, is_live=self._moment.is_live)
            self._due_s = self._clock()

    def _ask(self, work: Callable[[], object], at: int | None = None) -> threading.Event:
        """Have the thread do this; the answer is set when it is done."""
        done = threading.Event()

        def do() -> None:
            try:
                work() if at is None else self._only_at(at, work)
            finally:
                done.set()

        with self._changed:
            self._asked.append(do)
            self._changed.notify_all()
        return done

    def _only_at(self, at: int, work: Callable[[], object]) -> None:
        if len(self._review.events) == at:
            work()
        else:
            self._refuse(MOVED_ON)

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
