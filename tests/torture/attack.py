"""The page under attack: 500 requests a second, 50 open pages, slow clients, and everything that a stranger may try.

    python tests/torture/attack.py [SECONDS [REQUESTS A SECOND]]

The real server runs in a process of its own, with a Missile Command game whose batteries are sealed, shared with a
network. Fifty pages ask for the state as browsers do, phones for their own screens; meanwhile others guess links and
cookies, send forms of other sessions, odd hosts and origins, addresses that climb, large bodies and requests that drip.
Lost is what an honest page asked for and did not get; leaked is a secret in any answer to somebody who may not have it.
"""

from __future__ import annotations

import http.client
import itertools
import json
import random
import re
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from report import Report, told

HERE = "127.0.0.1"
PLAYERS = ("Ann", "Bob")
SALT = "a salt that nobody may read"
PAGES, PHONES, SLOW, HEAPS, WORKERS = 50, 4, 30, 20, 25
PAGE_EVERY_S = 0.7  # as often as the table's page asks
PATIENCE_S = 30.0
COLOURS = ("black", "white", "blue", "green", "clear", "orange", "purple", "cyan")
CLIMBING = (
    "/static/../guard.py",
    "/static/..%2f..%2fpyproject.toml",
    "/static/%2e%2e/%2e%2e/etc/passwd",
    "/pictures/..%2f..%2f..%2fetc%2fpasswd.jpg",
    "//etc/passwd",
    "/calibrate/pictures/%2e%2e%2fpage.jpg",
)


@dataclass
class Found:
    """What the answers were; any thread adds to it."""

    secrets: tuple[str, ...]
    codes: Counter[str] = field(default_factory=Counter)
    took_s: list[float] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    leaked: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def honest(self, what: str, code: int, took_s: float) -> None:
        with self.lock:
            self.codes[f"honest {code}"] += 1
            self.took_s.append(took_s)
            if code not in (200, 303, 304):
                self.lost.append(f"{what} was answered {code}")

    def hostile(self, what: str, code: int, body: bytes) -> None:
        text = body.decode("utf-8", "replace")
        with self.lock:
            self.codes[f"hostile {code}"] += 1
            if code >= 500:
                self.lost.append(f"{what} made the server stumble: {code}")
            if code < 400 and code not in (303, 308):
                self.leaked.append(f"{what} was let in: {code}")
            self.leaked += [f"{what} was told a secret" for secret in self.secrets if secret in text]


class Browser:
    """One connection that keeps its cookies, as a browser does."""

    def __init__(self, port: int) -> None:
        self.port, self.cookies = port, dict[str, str]()
        self._line = http.client.HTTPConnection(HERE, port, timeout=PATIENCE_S)

    def ask(self, path: str, method: str = "GET", form: str = "", **headers: str) -> tuple[int, bytes, str]:
        """Status, body and ETag. A connection that was closed meanwhile is opened again, once."""
        cookie = "; ".join(f"{name}={value}" for name, value in self.cookies.items())
        sent = {"Cookie": cookie, "Content-Type": "application/x-www-form-urlencoded"} | headers
        for attempt in (1, 2):
            try:
                self._line.request(method, path, form.encode() or None, sent)
                answer = self._line.getresponse()
                body = answer.read()
                break
            except (http.client.HTTPException, OSError):
                self._line.close()
                if attempt == 2:
                    raise
        for line in answer.headers.get_all("Set-Cookie", []):
            name, _, value = line.partition(";")[0].partition("=")
            self.cookies[name] = value
        return answer.status, body, answer.headers.get("ETag", "")

    def close(self) -> None:
        self._line.close()


def run(seconds: float = 60.0, rate: int = 500) -> Report:
    """Attack for so long with so many requests a second beside the open pages."""
    with tempfile.TemporaryDirectory() as folder, serving(Path(folder)) as (port, screen):
        main = Browser(port)
        main.ask(f"/screen/{screen}")
        links = re.findall(r"/join/([\w-]{20,})<", main.ask("/seats")[1].decode())
        phones = [joined(port, link) for link in links for _ in range(PHONES // len(links))]
        found = Found((SALT, screen, *links, main.cookies[f"umpire-screen-{port}"]))
        before = json.loads(main.ask("/state")[1])
        stop = time.monotonic() + seconds
        threads = [threading.Thread(target=watch, args=(port, main.cookies, stop, found)) for _ in range(PAGES)]
        threads += [threading.Thread(target=look, args=(phone, stop, found)) for phone in phones]
        threads += [
            threading.Thread(target=attack, args=(port, phones[0], stop, rate / WORKERS, found, seed))
            for seed in range(WORKERS)
        ]
        threads += [threading.Thread(target=drip, args=(port, stop)) for _ in range(SLOW)]
        threads += [threading.Thread(target=heap, args=(port, stop)) for _ in range(HEAPS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        after = json.loads(main.ask("/state")[1])
        if before["count"] != after["count"]:
            found.lost.append("the game went on by itself")
        return reported(found, seconds)


def reported(found: Found, seconds: float) -> Report:
    took_s = sorted(found.took_s) or [0.0]
    total = sum(found.codes.values())
    counts: dict[str, int | float | str] = {
        "seconds": round(seconds),
        "requests": total,
        "requests a second": round(total / seconds),
        "open pages": PAGES + PHONES,
        "slow clients": SLOW,
        "clients with a heap of requests": HEAPS,
        **{f"answers {code}": count for code, count in sorted(found.codes.items())},
        "honest median ms": round(1000 * took_s[len(took_s) // 2]),
        "honest 95 % ms": round(1000 * took_s[int(len(took_s) * 0.95)]),
    }
    words = tuple(f"{count}: {what}" for what, count in Counter([*found.lost, *found.leaked]).most_common(20))
    return Report("attack", counts, len(found.lost), len(found.leaked), words)


# Those who may.


def joined(port: int, link: str) -> Browser:
    phone = Browser(port)
    phone.ask(f"/join/{link}")
    return phone


def watch(port: int, cookies: dict[str, str], stop_s: float, found: Found) -> None:
    """A page on the main screen, or one like it: it asks for the state and says what it has."""
    page, tag = Browser(port), ""
    page.cookies = dict(cookies)
    while time.monotonic() < stop_s:
        began_s = time.monotonic()
        try:
            code, _, tag = page.ask("/state", **({"If-None-Match": tag} if tag else {}))
            found.honest("the table's page", code, time.monotonic() - began_s)
        except OSError as fault:
            found.lost.append(f"the table's page got no answer: {type(fault).__name__}")
        time.sleep(PAGE_EVERY_S)
    page.close()


def look(phone: Browser, stop_s: float, found: Found) -> None:
    while time.monotonic() < stop_s:
        began_s = time.monotonic()
        try:
            code, _, _ = phone.ask("/mine/now")
            found.honest("a player's own screen", code, time.monotonic() - began_s)
        except OSError as fault:
            found.lost.append(f"a player's own screen got no answer: {type(fault).__name__}")
        time.sleep(PAGE_EVERY_S)


# Those who may not.


def attack(port: int, phone: Browser, stop_s: float, rate: float, found: Found, seed: int) -> None:
    """One attacker after the other, so many a second; each has a connection of its own that it keeps."""
    rng, stranger = random.Random(seed), Browser(port)
    token = re.search(rb'name="token" value="([^"]+)"', Browser.ask(_copy(phone), "/mine")[1])
    stolen = token[1].decode() if token else ""
    for number in itertools.count(seed):
        began_s = time.monotonic()
        if began_s >= stop_s:
            break
        what, path, method, form, headers = attempt(rng, number, stolen)
        stranger.cookies = forged(rng, port) if number % 3 else {}
        try:
            code, body, _ = stranger.ask(path, method, form, **headers)
            found.hostile(what, code, body)
        except (http.client.HTTPException, OSError):
            with found.lock:
                found.codes["hostile, connection closed"] += 1
        time.sleep(max(0.0, 1 / rate - (time.monotonic() - began_s)))
    stranger.close()


def _copy(phone: Browser) -> Browser:
    other = Browser(phone.port)
    other.cookies = dict(phone.cookies)
    return other


def attempt(rng: random.Random, number: int, stolen: str) -> tuple[str, str, str, str, dict[str, str]]:
    """What it is, and the request: path, method, form and headers."""
    guess = "".join(rng.choices("abcdefghijklmnopqrstuvwxyz0123456789-_", k=32))
    match number % 9:
        case 0:
            return "a stranger's page", rng.choice(("/", "/state", "/seats", "/start/", "/review/")), "GET", "", {}
        case 1:
            return "a guessed link", f"/join/{guess}", "GET", "", {}
        case 2:
            return "a guessed main screen", f"/screen/{guess}", "GET", "", {}
        case 3:
            return "a stolen form", "/mine/say", "POST", f"token={stolen}&said=0&choice={guess[:16]}", {}
        case 4:
            return "an order", f"/do/{rng.choice(('undo', 'agree', 'restart'))}", "POST", f"token={stolen}", {}
        case 5:
            return "a climbing address", rng.choice(CLIMBING), "GET", "", {}
        case 6:
            return "a foreign host", "/state", "GET", "", {"Host": f"{guess}.example"}
        case 7:
            return "a foreign origin", "/start/ziggurat", "POST", f"token={stolen}", {"Origin": "http://evil.example"}
        case _:
            return "a large body", "/mine/battery", "POST", "x=" + "y" * rng.choice((9_000, 200_000)), {}


def forged(rng: random.Random, port: int) -> dict[str, str]:
    """Cookies as this program makes them, signed by somebody else."""
    said = f"{rng.choice(('screen', rng.randbytes(12).hex()))}~{int(time.time())}~{rng.randbytes(8).hex()}"
    return {f"umpire-{kind}-{port}": f"{said}~{rng.randbytes(32).hex()}" for kind in ("screen", "seat")}


def drip(port: int, stop_s: float) -> None:
    """A client that sends a byte now and then, for as long as it is let."""
    while time.monotonic() < stop_s:
        with suppress(OSError), socket.create_connection((HERE, port), timeout=5) as line:
            line.sendall(b"POST /mine/say HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 8000\r\n")
            while time.monotonic() < stop_s:
                line.sendall(b"X")
                time.sleep(0.5)


def heap(port: int, stop_s: float) -> None:
    """A client that asks a thousand times at once, sends a large body besides, and takes no answer."""
    ask = f"GET /static/page.css HTTP/1.1\r\nHost: {HERE}:{port}\r\n\r\n" * 1000
    ask += f"POST /mine/say HTTP/1.1\r\nHost: {HERE}:{port}\r\nContent-Length: 60000000\r\n\r\n"
    while time.monotonic() < stop_s:
        with suppress(OSError), socket.create_connection((HERE, port), timeout=5) as line:
            line.sendall(ask.encode())
            while time.monotonic() < stop_s:
                line.sendall(b"X" * 10_000)
                time.sleep(0.5)
        time.sleep(0.5)


# The server, in a process of its own.


@contextmanager
def serving(folder: Path) -> Iterator[tuple[int, str]]:
    """Its port and the main screen's secret."""
    command = [sys.executable, __file__, "serve", str(folder)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            said = json.loads(server.stdout.readline())
            yield said["port"], said["screen"]
        finally:
            server.terminate()


def serve(folder: Path) -> None:
    from webui.evening import Evening
    from webui.guard import Guard
    from webui.page import create_app
    from webui.serving import server_for

    guard, evening = Guard((HERE,)), Evening(sealed_game(folder))
    door = socket.socket()
    door.bind((HERE, 0))
    door.listen(256)
    server = server_for(create_app(evening, guard=guard), door, guard)
    evening.start()
    print(json.dumps({"port": door.getsockname()[1], "screen": guard.screen_token}), flush=True)
    server.run()


def sealed_game(folder: Path) -> Any:
    """A Missile Command game whose bare table was seen, with batteries that are sealed."""
    from types import SimpleNamespace

    from engine.table import Scene
    from webui.gamefile import game_file_from_json
    from webui.live import Live
    from webui.look import Look
    from webui.review import Review

    battery = [[{"colour": COLOURS[(n + shift) % 8]} for shift in range(3)] for n in range(8)]
    game_file = game_file_from_json(
        {
            "game": "missile-command",
            "players": [{"name": name} for name in PLAYERS],
            "batteries": dict.fromkeys(PLAYERS, battery),
            "executives": {name: {"president": 4, "vice_president": 6} for name in PLAYERS},
            "salts": {name: f"{SALT} {name}" for name in PLAYERS},
        }
    )
    table = SimpleNamespace(layout="silos-2p", sheets=(), warnings=())
    seen = SimpleNamespace(table=table, scene=Scene(()), hand_in_view=False, warnings=())
    photo = folder / "00.jpg"
    live = Live([photo], lambda: Review(game_file), lambda path: Look(path.name, observation=seen))
    live.catch_up()
    return live


if __name__ == "__main__":
    if sys.argv[1:2] == ["serve"]:
        serve(Path(sys.argv[2]))
    else:
        sys.exit(told(run(*map(float, sys.argv[1:2]), *map(int, sys.argv[2:3]))))
