"""Four hours at the table in as short a time as it takes: memory stays flat and rulings do not slow down.

    python tests/torture/evening.py [FRAMES [EVENTS [SEED]]]

Everything but the camera and the networks is real: pictures settle, are looked at, judged, compressed and kept, the
page is asked for its state, and its pictures are fetched. Rulings are timed in seconds of the processor, since other
programs may run; memory is what the operating system says this process holds.
"""

from __future__ import annotations

import gc
import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
from report import Report, told
from script import game_file, said_and_seen, seen

from vision.live import Grabbed
from webui.attable import AtTable
from webui.evening import Evening
from webui.journal import begun, open_match
from webui.look import Look, look
from webui.page import create_app
from webui.pictures import Pictures
from webui.review import Event, Review
from webui.seen import Seen
from webui.store import Store, open_store

FRAMES, EVENTS = 5000, 600
HOURS = 4
WARM = 0.1  # share of the evening before memory is measured
MOST_GROWTH_MB = 50.0
MOST_SLOWER = 1.5  # medians of some hundred rulings differ by less by themselves
COMPARED = 100  # rulings at the beginning and at the end
POLLED_EVERY = 10  # settled frames
SAMPLE = Path(__file__).parents[2] / "webui" / "sample" / "mids-a" / "00.jpg"


class Timed(Review):
    """A review that notes how long each ruling took the processor, keeping it included."""

    def __init__(self, *most: Any, **more: Any) -> None:
        super().__init__(*most, **more)
        self.taken_s: list[float] = []

    def see(self, seen: Seen) -> Event:
        began = time.thread_time()
        event = super().see(seen)
        if event.ruling is not None:
            self.taken_s.append(time.thread_time() - began)
        return event


class Table:
    """A table that comes to rest again and again before a camera that was scripted."""

    def __init__(self, store: Store, frames: int) -> None:
        self.journal = begun(store, game_file(), pictures=(pictures := Pictures(store.pictures)))
        self.review = Timed(game_file(), at_table=True, keep=self.journal.keep)
        self.observation = look(SAMPLE).observation
        self._picture = cv2.imread(str(SAMPLE))
        self._now_s, self._number, self._rests, self._scene = 0.0, 0, 0, None
        self._between_s = HOURS * 3600 / frames
        camera = SimpleNamespace(stop=lambda: None)
        self.live = AtTable(
            camera, lambda: self.review, self._eyes, clock=lambda: self._now_s, name_now=self._name, pictures=pictures
        )

    def rests(self, table: Seen) -> None:
        """The table has changed, or a hand has passed; then it lies still and is judged."""
        self._scene, self._rests = table.scene, self._rests + 1
        self._now_s += self._between_s - 1.0
        picture = self._picture.copy()
        x, y = 40 + self._rests * 97 % 1100, 40 + self._rests * 61 % 800
        cv2.rectangle(picture, (x, y), (x + 70, y + 70), (0, self._rests % 250, 255 - self._rests % 250), -1)
        for after_s in (0.0, 0.8, 0.1, 0.1):
            self._now_s += after_s
            self._number += 1
            self.live.watch(Grabbed(self._number, picture))
            self.live.catch_up()

    def says(self, what: Any) -> None:
        if isinstance(what, str):
            getattr(self.live, what)()
        else:
            self.live.correct(what)
        self.live.catch_up()

    def _eyes(self, frame: Any) -> Look:
        assert self.observation is not None
        return Look(frame.name, replace(self.observation, scene=self._scene, inner={}), None, frame.image_bgr)

    def _name(self) -> str:
        return f"{int(self._now_s) // 3600:02}:{int(self._now_s) // 60 % 60:02}:{self._now_s % 60:04.1f}"


def run(frames: int = FRAMES, events: int = EVENTS, seed: int = 1) -> Report:
    """One evening of so many settled frames and, as far as it goes, events."""
    with tempfile.TemporaryDirectory() as folder, open_store(Path(folder)) as store:
        table = Table(store, frames)
        client = create_app(Evening(table.live)).test_client()
        began_s, memory_mb = time.monotonic(), 0.0
        for number in _evening(table, frames, events, random.Random(seed)):
            if number % POLLED_EVERY == 0:
                _poll(client, table)
            if number == round(WARM * frames):
                memory_mb = _held_mb()
        took_s, growth_mb = time.monotonic() - began_s, _held_mb() - memory_mb
        return _report(table, store, {"settled frames": frames, "took, s": round(took_s)}, growth_mb)


def _evening(table: Table, frames: int, events: int, rng: random.Random) -> Iterator[int]:
    """Something happens every so often; in between hands pass and pieces are nudged. Tells how many frames came."""
    happens, rested, last = said_and_seen(rng, table.review), 0, None
    while rested < frames:
        is_time = len(table.review.events) < events * (rested + 1) / frames
        what = next(happens) if is_time or last is None else last
        if not isinstance(what, Seen):
            table.says(what)
            continue
        table.rests(what if what is not last else nudged(rng, what))
        last, rested = what, rested + 1
        yield rested


def nudged(rng: random.Random, table: Seen) -> Seen:
    """The same table, looked at once more."""
    assert table.scene is not None
    lies = {str(s.zone): (str(s.stand), tuple(str(p) for p in s.pyramids)) for s in table.scene.stacks}
    return seen(rng, lies, 0)


def _poll(client: Any, table: Table) -> None:
    """What a browser does every second or so. Raises SystemExit when the page fails."""
    answer = client.get("/state")
    if answer.status_code != 200:
        raise SystemExit(f"The page answered {answer.status_code}.")
    event = table.live.moment().current
    if event is not None and event.picture is not None:
        picture = client.get(f"/pictures/{event.picture}.jpg")
        if picture.status_code != 200:
            raise SystemExit(f"The picture of {event.photo} is gone.")


def _held_mb() -> float:
    gc.collect()
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _report(table: Table, store: Store, counts: dict[str, Any], growth_mb: float) -> Report:
    taken_ms = [1000 * each for each in table.review.taken_s]
    first, last = (statistics.median(part) for part in (taken_ms[:COMPARED], taken_ms[-COMPARED:]))
    began_s = time.monotonic()
    again = open_match(store, table.journal.match.id)
    back_s = time.monotonic() - began_s
    files = list(store.folder.rglob("*.*"))
    faults = [
        (growth_mb >= MOST_GROWTH_MB, f"memory grew by {growth_mb:.0f} MB"),
        (last > MOST_SLOWER * first, f"rulings slowed down from {first:.1f} to {last:.1f} ms"),
        (again.review.events != table.review.events or bool(again.notes), "what was kept is not what was played"),
    ]
    words = tuple(said for is_fault, said in faults if is_fault)
    counts |= {
        "events": len(table.review.events),
        "memory after the first tenth and at the end, growth in MB": round(growth_mb, 1),
        f"a ruling, median of the first {COMPARED}, ms": round(first, 1),
        f"a ruling, median of the last {COMPARED}, ms": round(last, 1),
        "inputs kept": table.journal.match.inputs,
        "on disk, MB": round(sum(path.stat().st_size for path in files if path.is_file()) / 1e6, 1),
        "taken up again, s": round(back_s, 1),
    }
    return Report("evening", counts, lost=len(words), words=words)


if __name__ == "__main__":
    sys.exit(told(run(*map(int, sys.argv[1:]))))
