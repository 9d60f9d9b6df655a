"""The live figures, with a scripted camera of 30 pictures a second, 1280 x 720: run it by itself, it takes a minute.

The table lies still, a hand passes, a piece is gone: how old the picture is when reading starts, how long after the
table came to rest the ruling is there, measured also in reads, and how much of one core an idle table costs.
"""

from __future__ import annotations

import statistics
import threading
import time
from pathlib import Path

import cv2
import numpy as np

from vision.camera import Frame
from vision.live import Grabber
from vision.settle import SETTLING
from webui.attable import AtTable
from webui.gamefile import read_game_file
from webui.look import Look, look_at
from webui.review import Review

SAMPLE = Path(__file__).parents[2] / "webui" / "sample" / "mids-a"
SIZE_PX = (1280, 720)
EVERY_S = 1 / 30
MOVING_S, IDLE_S, PATIENCE_S = 1.0, 10.0, 120.0


class Scripted:
    """A camera whose picture, with noise, is set from outside; while it moves a dark hand crosses it."""

    def __init__(self, image: np.ndarray) -> None:
        self.image, self.is_moving, self._n, self._next_s = image, False, 0, time.monotonic()
        self.taken_s: dict[int, float] = {}
        self._kept: list[np.ndarray] = []
        self._noise = np.random.default_rng(0).integers(0, 6, (SIZE_PX[1] + 64, SIZE_PX[0], 3), dtype=np.uint8)

    def isOpened(self) -> bool:  # noqa: N802
        return True

    def read(self) -> tuple[bool, np.ndarray]:
        self._next_s = max(self._next_s + EVERY_S, time.monotonic())
        time.sleep(max(self._next_s - time.monotonic(), 0))
        self._n += 1
        picture = cv2.add(self.image, self._noise[self._n % 64 : self._n % 64 + SIZE_PX[1]])
        if self.is_moving:
            cv2.ellipse(picture, (100 + self._n * 37 % 1000, 360), (140, 240), 0, 0, 360, (60, 80, 120), -1)
        self._kept = [*self._kept[-29:], picture]  # so that no other picture takes its id meanwhile
        self.taken_s[id(picture)] = time.monotonic()
        return True, picture

    def release(self) -> None: ...


def picture_of(path: Path) -> np.ndarray:
    """The photo in the camera's shape, nothing cut off."""
    photo = cv2.imread(str(path))
    height = SIZE_PX[1]
    width = round(photo.shape[1] * height / photo.shape[0])
    edge = (SIZE_PX[0] - width) // 2
    small = cv2.resize(photo, (width, height), interpolation=cv2.INTER_AREA)
    return cv2.copyMakeBorder(small, 0, 0, edge, SIZE_PX[0] - width - edge, cv2.BORDER_REPLICATE)


def waited(live: AtTable, events: int) -> float:
    """When so many events are there, monotonic. Raises SystemExit when they do not come."""
    end_s = time.monotonic() + PATIENCE_S
    while len(live.moment().events) < events:
        if time.monotonic() > end_s:
            raise SystemExit(f"No event came: {live.moment().trouble or live.moment().busy}")
        time.sleep(0.005)
    return time.monotonic()


def main() -> None:
    photos, game_file = sorted(SAMPLE.glob("*.jpg")), read_game_file(SAMPLE)
    camera = Scripted(picture_of(photos[0]))
    grabber = Grabber("0", lambda source: camera)
    ages_s: list[float] = []
    reads_s: list[float] = []

    def eyes(frame: Frame) -> Look:
        ages_s.append(time.monotonic() - camera.taken_s[id(frame.image_bgr)])
        began = time.monotonic()
        seen = look_at(frame)
        reads_s.append(time.monotonic() - began)
        return seen

    live = AtTable(grabber, lambda: Review(game_file), eyes)
    live.start()
    waited(live, 1)
    delays_s = []
    for photo in photos[1:4]:
        camera.is_moving = True
        time.sleep(MOVING_S)
        events = len(live.moment().events)
        camera.image, camera.is_moving = picture_of(photo), False
        settled_s = time.monotonic() + SETTLING.quiet_s
        delays_s.append(waited(live, events + 1) - settled_s)
    time.sleep(1.0)
    before_s, began_s = time.process_time(), time.monotonic()
    time.sleep(IDLE_S)
    idle = (time.process_time() - before_s) / (time.monotonic() - began_s)
    live.stop()
    read_s = statistics.median(reads_s)
    print(f"frame age when reading starts: at most {1000 * max(ages_s):.0f} ms ({len(ages_s)} reads)")
    print(f"a read: {1000 * read_s:.0f} ms; ruling after the table settled: {1000 * max(delays_s):.0f} ms at most,")
    print(f"which is three reads and {1000 * (max(delays_s) - 3 * read_s):.0f} ms")
    print(f"idle: {100 * idle:.0f} % of one core, {threading.active_count()} threads, with the scripted camera's")


if __name__ == "__main__":
    main()
