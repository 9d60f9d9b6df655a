"""How fast the page is: `python tests/benchmarks/page_speed.py [FOLDER ...]`.

For each photographed game (without a folder: the bundled ones) every photo is judged; then the page is asked over
localhost for itself, for the state when it is new, and for a state that it has rendered for somebody already; last,
Chromium tells when it painted first. Bytes are of the page with its styles and scripts, without pictures.
"""

from __future__ import annotations

import logging
import re
import shutil
import statistics
import sys
import time
import urllib.request
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from threading import Thread
from typing import Any

from werkzeug.serving import make_server

from webui.evening import Evening
from webui.gamefile import photos_in, read_game_file
from webui.live import Live
from webui.look import look
from webui.page import create_app
from webui.review import Review

SAMPLES = Path(__file__).parents[2] / "webui" / "sample"
PAINT_MS, UPDATE_MS, MOST_BYTES = 300, 100, 200_000
TIMES = 15
BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")


def judged(folder: Path) -> Live:
    """The game of that folder, with all its photos judged."""
    game_file, photos = read_game_file(folder), photos_in(folder)
    live = Live(photos, lambda: Review(game_file), lambda path: look(path, game_file.lens_for, game_file.square_mm))
    live.pause()
    for _ in photos:
        live.forward()
        live.catch_up()
    return live


def median_ms(ask: Callable[[], Any]) -> float:
    took = []
    for _ in range(TIMES):
        began = time.perf_counter()
        ask()
        took.append(time.perf_counter() - began)
    return 1000 * statistics.median(took)


def fetched(address: str) -> bytes:
    with urllib.request.urlopen(address) as answer:
        return bytes(answer.read())


def page_bytes(address: str) -> int:
    """The page with everything that it brings along, but no pictures."""
    page = fetched(address)
    parts = set(re.findall(r'(?:href|src)="(/static/[^"]+\.(?:css|js))"', page.decode()))
    return len(page) + sum(len(fetched(address.rstrip("/") + part)) for part in parts)


def first_paint_ms(address: str) -> float | None:
    """When Chromium painted the page first, the best of three; None where there is no Chromium or Playwright."""
    path = next(filter(None, map(shutil.which, BROWSERS)), None)
    if path is None or find_spec("playwright") is None:
        return None
    from playwright.sync_api import sync_playwright

    script = "performance.getEntriesByName('first-contentful-paint')[0]?.startTime"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=["--no-sandbox", "--disable-gpu"])
        paints = []
        for _ in range(3):
            page = browser.new_page(bypass_csp=True)  # the page allows no script to be waited with
            page.goto(address)
            page.wait_for_function(script)
            paints.append(float(page.evaluate(script)))
            page.close()
        browser.close()
    return min(paints)


def measure(folder: Path) -> bool:
    """Prints the figures of one game; whether they are met."""
    live = judged(folder)
    server = make_server("127.0.0.1", 0, create_app(Evening(live)), threaded=True)
    Thread(target=server.serve_forever, daemon=True).start()
    address = f"http://127.0.0.1:{server.server_port}/"
    steps = iter(range(10**9))

    def another() -> None:
        live.look_at(next(steps) % len(live.moment().events))
        fetched(f"{address}state")

    page, new, known = (
        median_ms(ask) for ask in (lambda: fetched(address), another, lambda: fetched(f"{address}state"))
    )
    paint, size = first_paint_ms(address), page_bytes(address)
    server.shutdown()
    told = "no Chromium" if paint is None else f"{paint:.0f} ms"
    print(
        f"{folder.name}: page {page:.1f} ms, a new state {new:.1f} ms, a known one {known:.1f} ms, "
        f"first paint {told}, {size / 1000:.0f} kB without pictures"
    )
    return new < UPDATE_MS and size < MOST_BYTES and (paint is None or paint < PAINT_MS)


def main() -> None:
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    folders = [Path(each) for each in sys.argv[1:]] or sorted(each.parent for each in SAMPLES.glob("*/game.json"))
    met = [measure(folder) for folder in folders]
    wanted = f"a new state under {UPDATE_MS} ms, first paint under {PAINT_MS} ms, under {MOST_BYTES // 1000} kB"
    print(f"{'Met' if all(met) else 'Not met'}: {wanted}.")
    sys.exit(0 if all(met) else 1)


if __name__ == "__main__":
    main()
