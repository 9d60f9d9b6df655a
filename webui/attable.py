"""The umpire at the table: a running camera's table is looked at whenever it has come to rest, and judged.

The thread follows the newest picture; only pictures of a table at rest are read in full. Between the looks at one rest
and before it is judged the newest picture must still show that rest: what moved meanwhile is never judged.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from webui.live import WATCH_WIDTH_PX, Live
from webui.look import Look
from webui.pictures import Pictures
from webui.review import Event, Review
from webui.seen import Seen, seen_of

if TYPE_CHECKING:
    from vision.camera import Frame
    from vision.live import Grabbed, Grabber
    from vision.observe import Observation
    from vision.settle import Rest, Settling

EVERY_S = 0.07  # between two looks at the small picture
WAIT_S = 0.5  # for a picture, before the page is told that none comes
AGAIN_S = 3.0  # a rest that could not be read, or with a hand in view, is looked at again after so long


class AtTable(Live):
    """Judges what a camera sees. `eyes` read a frame, `name_now` names a rest for people."""

    def __init__(
        self,
        camera: Grabber,
        begin: Callable[[], Review],
        eyes: Callable[[Frame], Look],
        settling: Settling | None = None,
        clock: Callable[[], float] = time.monotonic,
        name_now: Callable[[], str] = lambda: time.strftime("%H:%M:%S"),
        pictures: Pictures | None = None,
    ) -> None:
        from vision.settle import SETTLING

        super().__init__((), begin, clock=clock, pictures=pictures)
        self._camera, self._frame_eyes, self._name_now = camera, eyes, name_now
        self._settling = settling or SETTLING
        self._rest: Rest | None = None
        self._seen: list[Look] = []
        self._last_keys: tuple[str | None, str | None] = (None, None)
        self._is_judged, self._again_s, self._number, self._next_s = False, 0.0, 0, 0.0
        self._moment = replace(self._moment, is_live=True, busy="Waiting for the camera …")

    # What the page asks for.

    def stop(self) -> None:
        super().stop()
        self._camera.stop()

    def forward(self) -> None:
        with self._changed:
            if not self._moment.is_latest:
                self._show(self._moment.cursor + 1)

    def resume(self) -> None:
        """Follow the game again, from its latest event."""
        with self._changed:
            self._moment = replace(self._moment, paused=False, cursor=len(self._moment.events) - 1)

    # What the thread does.

    def _wait_for_work(self) -> Callable[[], object] | None:
        while not self._stopping:
            work = self._due_work()
            if work is not None:
                return work
            with self._changed:
                left_s = self._next_s - self._clock()
                if left_s > 0 and not self._asked and not self._stopping:
                    self._changed.wait(left_s)
            if self._clock() >= self._next_s:
                self._next_s = self._clock() + EVERY_S
                newest = self._camera.wait(self._number, WAIT_S)
                return lambda: self.watch(newest)
        return None

    def _due_work(self) -> Callable[[], object] | None:
        with self._changed:
            return self._asked.popleft() if self._asked else None

    def watch(self, newest: Grabbed) -> None:
        """Follow the table by one more picture; read it and judge when it is time."""
        from vision.settle import small_of, watched

        image = newest.image_bgr
        if image is None or newest.number == self._number:
            self._tell(trouble=newest.words or self._moment.trouble)
            if image is None:
                self._rest, self._seen, self._is_judged = None, [], False
            return
        self._number, now_s = newest.number, self._clock()
        rest = watched(self._rest, small_of(image), now_s, self._settling)
        if rest is not self._rest:
            self._rest, self._seen, self._is_judged, self._again_s = rest, [], False, now_s
        if newest.words:
            self._tell(trouble=newest.words)
        if not rest.is_quiet(now_s, self._settling):
            self._tell(busy="Waiting until the table is still …")
        elif not self._is_judged and now_s >= self._again_s:
            self._settled(newest)
        elif self._is_judged:
            self._tell(trouble=newest.words, busy="Watching")

    def _settled(self, newest: Grabbed) -> None:
        """One more look at this rest, or, when the looks are enough, the ruling."""
        from vision.settle import is_enough

        looks = [look.observation for look in self._seen if look.observation is not None]
        if is_enough(looks, self._settling):
            self._judge_rest(looks)
            return
        self._tell(busy="Looking at the table …")
        look = self._frame_look(newest)
        if look.observation is None:
            self._put_off(look, look.error or "The umpire sees nothing in this picture.")
        else:
            self._seen.append(look)

    def _frame_look(self, newest: Grabbed) -> Look:
        from vision.camera import Frame

        assert newest.image_bgr is not None
        return self._frame_eyes(Frame(newest.image_bgr, self._name_now()))

    def _judge_rest(self, looks: list[Observation]) -> None:
        from vision.settle import fused

        last = self._seen[-1]
        seen = replace(last, observation=fused(looks))
        if seen.observation is not None and seen.observation.hand_in_view:
            self._put_off(seen, "")
            self._tell(busy="A hand is over the table")
            return
        self._is_judged = True  # whatever happens: the same rest is not judged twice
        self._see(seen)

    def _see(self, look: Look) -> None:
        """Judge what was seen. Pictures are kept of what is told, and of the last table: it may be corrected."""
        keys = self.pictures.add(look)
        event = self._put_in(lambda: self._review.see(seen_of(look, *keys)))
        told = {key for each in self._review.events for key in (each.picture, each.thumb)}
        self.pictures.drop(*(key for key in self._last_keys if key not in told and key not in keys))
        self._last_keys = keys
        if event is None or event.error is not None:
            self._is_judged = False
            self._put_off(look, self._moment.refused if event is None else event.error or "")
            return
        self.pictures.drop(self._moment.glimpse)
        self._tell(trouble="", busy="Watching", glimpse=None)

    def _see_sent(self, seen: Seen) -> Event | None:
        return self._put_in(lambda: self._review.see(seen))

    def _put_off(self, look: Look, words: str) -> None:
        """This rest cannot be judged now, and the page says why; it is tried again later."""
        self._seen, self._again_s = [], self._clock() + AGAIN_S
        old = self._moment.glimpse
        image = look.image_bgr
        key = self.pictures.keep(image, WATCH_WIDTH_PX, 80) if image is not None and not self._moment.events else None
        if old != key:
            self.pictures.drop(old)
        self._tell(trouble=words, busy="", glimpse=key)

    def _show_events(self) -> None:
        """A player who looks at something earlier goes on looking at it."""
        with self._changed:
            before, self._moment = self._moment, self._standing(self._moment)
            latest = len(self._moment.events) - 1
            stays = before.paused and 0 <= before.cursor < min(len(before.events) - 1, latest)
            self._moment = replace(self._moment, cursor=before.cursor if stays else latest)

    def _start_again(self) -> None:
        super()._start_again()
        self._seen, self._is_judged, self._again_s = [], False, self._clock()

    def _tell(self, **words: Any) -> None:
        with self._changed:
            self._moment = replace(self._moment, **words)
