"""Kill the umpire at random moments of a scripted match; afterwards nothing accepted may be missing or doubled.

    python tests/torture/kill.py [TIMES [SEED [LENGTH]]]

A process of its own plays, through a review and a store as `umpire play` does, and says of each input that it was
accepted once it was. SIGKILL ends it anywhere: while the folder is opened, while the match is gone through again, while
a picture or a row is written. After each kill what is on disk is compared with what was accepted, picture by picture;
then the next process goes on. At the end of each match its events are compared with those of one that nobody killed.
"""

from __future__ import annotations

import os
import random
import select
import signal
import sys
import tempfile
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from report import Report, told
from script import Json, game_file, script, with_pictures

from webui.journal import Journal, begun, open_match
from webui.picture_files import key_of
from webui.pictures import Pictures
from webui.review import Review
from webui.store import DATABASE, Store, StoreError, open_store, read_store

LENGTH = 60  # inputs of a match
AT_OPENING = 0.15  # share of the kills while the folder is opened and the match gone through
MOST_ACCEPTED = 12  # of one process before it is killed
AT_ONCE = 2  # inputs: a table that brought nothing is kept with what players say of it
PATIENCE_S = 300.0


@dataclass
class Findings:
    """What the kills did."""

    kills: int = 0
    at_opening: int = 0
    accepted: int = 0
    in_flight: int = 0
    matches: int = 0
    pictures: int = 0
    slowest_return_s: float = 0.0
    usual_s: float = 0.02  # from one input to the next
    faults: list[str] = field(default_factory=list)


def run(times: int = 200, seed: int = 1, length: int = LENGTH) -> Report:
    """Kill so many times, in matches of so many inputs."""
    found, rng = Findings(), random.Random(seed)
    with tempfile.TemporaryDirectory() as name:
        while found.kills < times:
            said = script(length, rng.randrange(10**6))
            _torture(Path(name) / str(found.matches), said, times, rng, found)
            found.matches += 1
    counts = {
        "kills": found.kills,
        "of these while opening and going through the match": found.at_opening,
        "matches": found.matches,
        "inputs accepted": found.accepted,
        "inputs on disk when the process was killed before it could say so": found.in_flight,
        "pictures checked": found.pictures,
        "slowest return to play, s": round(found.slowest_return_s, 2),
    }
    return Report("kill", counts, lost=len(found.faults), words=tuple(found.faults[:20]))


def _torture(folder: Path, said: Sequence[Json], times: int, rng: random.Random, found: Findings) -> None:
    """One match, killed until its script has been played; once the kills are done a last process plays the rest."""
    on_disk = 0
    while on_disk < len(said):
        death = _moment_of_death(rng, found) if found.kills < times else NEVER
        child, lines = _started(folder, said)
        heard = _listened(lines, death, found)
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        _hear_the_rest(lines, heard)
        if death is not NEVER and not heard.is_over:
            found.kills += 1
            found.at_opening += not heard.accepted
        elif not heard.is_over:
            found.faults.append("the last process did not play to the end")
            return
        found.faults += heard.faults
        on_disk = _checked(folder, said, max(heard.accepted, default=on_disk), found)
        if heard.faults:
            return
    found.accepted += on_disk
    _compare_with_unkilled(folder, said, found)


@dataclass
class _Heard:
    """What a process said, and when it began."""

    began_s: float
    accepted: list[int] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    is_over: bool = False
    is_ready: bool = False
    last_s: float = 0.0
    rest: bytes = b""


NEVER = (10**9, PATIENCE_S)


def _moment_of_death(rng: random.Random, found: Findings) -> tuple[int, float]:
    """After so many inputs, and so many seconds after the last of them."""
    if rng.random() < AT_OPENING:
        return 0, rng.uniform(0, found.slowest_return_s)
    return rng.randint(1, MOST_ACCEPTED), rng.uniform(0, 1.5 * found.usual_s)


def _started(folder: Path, said: Sequence[Json]) -> tuple[int, int]:
    """A process that plays on, and the pipe through which it says what was accepted."""
    reading, writing = os.pipe()
    child = os.fork()
    if child:
        os.close(writing)
        return child, reading
    os.close(reading)
    try:
        _play(folder, said, writing)
    except BaseException as fault:
        os.write(writing, f"fault {type(fault).__name__}: {fault}\n".encode())
    finally:
        os._exit(0)


def _play(folder: Path, said: Sequence[Json], out: int) -> None:
    store = open_store(folder)
    pictures = Pictures(store.pictures)
    review, journal = _taken_up(pictures, store)
    place = journal.match.inputs
    os.write(out, b"ready\n")
    for each in said[place:]:
        review.take(with_pictures(each, pictures))
        while place < journal.match.inputs:
            place += 1
            os.write(out, f"accepted {place}\n".encode())
    os.write(out, b"over\n")
    signal.pause()


def _taken_up(pictures: Pictures, store: Store) -> tuple[Review, Journal]:
    kept = store.matches()
    if kept:
        resumed = open_match(store, kept[0].id, pictures)
        if resumed.notes:
            raise StoreError(" ".join(resumed.notes))
        return resumed.review, resumed.journal
    journal = begun(store, game_file(), pictures=pictures)
    return Review(game_file(), at_table=True, keep=journal.keep), journal


def _listened(lines: int, death: tuple[int, float], found: Findings) -> _Heard:
    """What the process said until it is time to kill it, or until it has played everything."""
    enough, after_s = death
    heard = _Heard(time.monotonic())
    due_s = heard.began_s + (after_s if enough == 0 else PATIENCE_S)
    while not heard.is_over and (left_s := due_s - time.monotonic()) > 0:
        if not select.select([lines], [], [], left_s)[0]:
            break
        before = len(heard.accepted)
        if not _hear(lines, heard):
            heard.faults.append("the process ended by itself")
            break
        if heard.is_ready and not heard.last_s:
            found.slowest_return_s = max(found.slowest_return_s, time.monotonic() - heard.began_s)
        if before and len(heard.accepted) > before:
            found.usual_s = 0.9 * found.usual_s + 0.1 * (time.monotonic() - heard.last_s)
        heard.last_s = time.monotonic()
        if 0 < enough <= len(heard.accepted):
            enough, due_s = 10**9, time.monotonic() + after_s
    return heard


def _hear(lines: int, heard: _Heard) -> bool:
    """One more piece of what it said; False when that was all."""
    came = os.read(lines, 65536)
    *whole, heard.rest = (heard.rest + came).split(b"\n")
    for line in whole:
        match line.decode().split():
            case ["accepted", number]:
                heard.accepted.append(int(number))
            case ["ready"]:
                heard.is_ready = True
            case ["over"]:
                heard.is_over = True
            case _:
                heard.faults.append(line.decode())
    return bool(came)


def _hear_the_rest(lines: int, heard: _Heard) -> None:
    """What it said before it died."""
    while _hear(lines, heard):
        pass
    os.close(lines)


def _checked(folder: Path, said: Sequence[Json], accepted: int, found: Findings) -> int:
    """How many inputs are on disk. What was accepted is there, each once, in order, with its pictures."""
    if not (folder / DATABASE).exists():
        if accepted:
            found.faults.append("the database is gone")
        return 0
    try:
        with read_store(folder) as store:
            kept = [each for match in store.matches() for each in store.inputs(match.id)]
            if len(store.matches()) > 1:
                found.faults.append(f"one match became {len(store.matches())}")
            keys = {key for each in kept for key in (each.picture, each.thumb) if key is not None}
            wrong = [key for key in keys if (jpeg := store.pictures.read(key)) is None or key_of(jpeg) != key]
    except StoreError as fault:
        found.faults.append(f"after a kill the store is not to be read: {fault}")
        return accepted
    found.pictures += len(keys)
    found.faults += [f"the picture {key[:12]} is missing or damaged" for key in wrong]
    if [each.number for each in kept] != list(range(1, len(kept) + 1)):
        found.faults.append(f"numbers on disk: {[each.number for each in kept]}")
    if [_plain(each.said) for each in kept] != [_plain(each) for each in said[: len(kept)]]:
        found.faults.append(f"what is on disk is not what was said, within the first {len(kept)}")
    if not accepted <= len(kept) <= accepted + AT_ONCE:
        found.faults.append(f"{accepted} were accepted, {len(kept)} are on disk")
    found.in_flight += max(len(kept) - accepted, 0)
    return len(kept)


def _plain(said: Json) -> Json:
    """Without the keys of pictures, which the script does not name."""
    return {"seen": said["seen"] | {"picture": None, "thumb": None}} if "seen" in said else said


def _compare_with_unkilled(folder: Path, said: Sequence[Json], found: Findings) -> None:
    whole = Review(game_file(), at_table=True)
    for each in said:
        whole.take(each)
    with read_store(folder) as store:
        again = open_match(store, store.matches()[0].id)
    bare = [(each.photo, each.ruling, each.state, each.table, each.said) for each in again.review.events]
    if bare != [(each.photo, each.ruling, each.state, each.table, each.said) for each in whole.events]:
        found.faults.append("the match that was killed has other events than the one that was not")


if __name__ == "__main__":
    sys.exit(told(run(*map(int, sys.argv[1:]))))
