"""How long a photo takes: `make bench`. Seconds a photo over the bundled game, the first apart (it loads)."""

from __future__ import annotations

import statistics
import time
from pathlib import Path

from webui.look import look

SAMPLE = Path(__file__).parents[2] / "webui" / "sample" / "mids-a"


def seconds_for(path: Path) -> float:
    began = time.perf_counter()
    look(path)
    return time.perf_counter() - began


def main() -> None:
    first, *others = [seconds_for(path) for path in sorted(SAMPLE.glob("*.jpg"))]
    print(f"first photo {first:.2f} s, others median {statistics.median(others):.2f} s, slowest {max(others):.2f} s")


if __name__ == "__main__":
    main()
