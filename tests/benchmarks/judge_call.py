"""How much processor time it takes to judge one settled table: the worst photo of each kept story.

`python tests/benchmarks/judge_call.py [--missing]`: with photos missing, every second one is left out, so that more
has happened than the umpire looks for. The best of three runs counts: other programs disturb.
"""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "stories"))

from story_judging import Judged, judged
from story_scenes import Told, stories

RUNS = 3
WANTED_MS = 30.0


def measured(told: Told, is_missing: bool) -> tuple[Judged, ...]:
    photos = told.photos[::2] if is_missing else told.photos
    runs = [judged(told, photos) for _ in range(RUNS)]
    return tuple(min(each, key=lambda one: one.seconds) for each in zip(*runs, strict=True))


def main() -> None:
    is_missing = "--missing" in sys.argv[1:]
    worst_ms = 0.0
    for told in stories():
        found = measured(told, is_missing)
        worst = max(found, key=lambda one: one.seconds)
        mean_ms = 1000 * sum(one.seconds for one in found) / len(found)
        worst_ms = max(worst_ms, 1000 * worst.seconds)
        ms = 1000 * worst.seconds
        print(f"{told.name:<9} mean {mean_ms:5.1f} ms, worst {ms:5.1f} ms ({worst.photo.name}, {worst.word})")
    print(f"worst {worst_ms:.1f} ms; wanted: under {WANTED_MS:.0f} ms")


if __name__ == "__main__":
    main()
