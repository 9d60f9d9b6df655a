"""Secrets: the same evening twice, with other sealed missiles and other hands; nobody else may see a difference.

    python tests/torture/leaks.py

Two matches are played by the same script, through the pages. They differ only in what one player keeps secret. At
each step everything that others can read (pages, their JSON, refusals, the log) is taken down; the two records have to
be the same to the letter, commitments aside. And no salt, seed or link may stand in any of it. That the owner's own
page differs shows that there was something to see.
"""

from __future__ import annotations

import io
import json
import logging
import re
import secrets
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from unittest import mock

from report import Report, told

from engine.games.ziggurat import dealing
from engine.table import Colour, Pose, Pyramid, Scene, Size, Stack
from webui import seats
from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.guard import Guard, Throttle
from webui.live import Live
from webui.logs import Discreet
from webui.look import Look
from webui.page import create_app
from webui.review import Review

HERE = "http://192.168.7.7:8000"
HASH = re.compile(r"\b[0-9a-f]{64}\b|\b[0-9a-f]{12}…")
LINK = "secret-of-a-link-"
OFTEN = ("/state", "/mine/now")
PAGES = (
    *("/", "/seats", "/mine", "/nowhere", "/join/wrong", "/pictures/none.jpg", "/do/undo", "/place?at=silo-1"),
    *("/review/", "/review/state", "/photo/", "/photo/state", "/photo/?sent=1", "/start/", "/start/missile-command"),
    *("/start/live", "/calibrate/", "/calibrate/live", "/track/", "/owners/", "/replay/", "/samples/", "/static/none"),
)
ODD_FORMS = (
    {"choice": "0123456789abcdef", "said": "0"},
    {"choice": "", "said": "-1", "die-0": "7"},
    {"silo-1-large": "black", "do": "seal"},
)
OWN = {"the main screen": "/"}  # where a browser gets its forms; players do on their own page

Record = dict[tuple[str, int, str], str]  # by who reads, step and address


@dataclass
class Game:
    """One script: the game.json with either secret, the tables in order, and what is said after each."""

    name: str
    docs: tuple[dict[str, Any], dict[str, Any]]
    owner: str
    tables: tuple[Scene, ...]
    layout: str
    said: dict[int, tuple[tuple[str, dict[str, Any]], ...]] = field(default_factory=dict)
    never: tuple[str, ...] = ()
    """Texts that stand in nothing that anybody but the umpire reads."""
    shuffles: tuple[Any, Any] = (None, None)


def run(games: tuple[Game, ...] = (), pages: tuple[str, ...] = PAGES) -> Report:
    """Each game's two evenings, and what somebody could tell apart or read."""
    games = games or (missiles(), wizards())
    pairs = [(game, *(played(game, which, pages) for which in (0, 1))) for game in games]
    found = [words for game, one, other in pairs for words in _leaks(game, one, other)]
    seen = sum(len(one) for _, one, _ in pairs)
    counts: dict[str, int | float | str] = {"games": len(games), "evenings": 2 * len(games), "texts compared": seen}
    return Report("leaks", counts, leaked=len(found), words=tuple(found[:20]))


def _leaks(game: Game, one: Record, other: Record) -> Iterator[str]:
    if one.keys() != other.keys():
        yield f"{game.name}: the two evenings took another course"
        return
    for who, step, address in one:
        text = one[who, step, address]
        if who != game.owner and text != other[who, step, address]:
            yield f"{game.name}: {who} can tell the secrets apart at {address} (step {step})"
        never = game.never if address.startswith("/seats") else (*game.never, LINK)
        for secret in (each for each in never if each in text):
            yield f"{game.name}: {who} reads {secret!r} at {address} (step {step})"
    if all(one[key] == other[key] for key in one if key[0] == game.owner):
        yield f"{game.name}: {game.owner}'s own page shows no secret, so that this proves nothing"


def played(game: Game, which: int, pages: tuple[str, ...]) -> Record:
    """What everybody could read, by who, step and address."""
    record: Record = {}
    log = io.StringIO()
    with same_chance(), shuffled_as(game.shuffles[which]), logged_into(log), mock.patch.object(seats, "TAKEN_S", 0.0):
        game_file = game_file_from_json(json.loads(json.dumps(game.docs[which])))
        photos = [Path(f"{number:02}.jpg") for number in range(len(game.tables))]
        live = Live(photos, lambda: Review(game_file), lambda path: _look(game, path), clock=lambda: 0.0)
        guard = Guard(("192.168.7.7",), Throttle(most=10**9))
        app = create_app(Evening(live), guard=guard)
        readers = _readers(app, guard, game_file.players)
        for step in range(len(game.tables)):
            live.forward()
            _catch_up(live)
            _read(record, readers, step, pages)
            for player, declaration in game.said.get(step, ()):
                live.declare(declaration, player, f"{player} says something.")
                _catch_up(live)
                _read(record, readers, step, pages)
            _press(record, readers, live, step)
            _read(record, readers, step, pages)
    for line, text in enumerate(log.getvalue().splitlines()):
        record["the log", line, "umpire.log"] = text.split(" ", 2)[-1]
    return record


def _readers(app: Any, guard: Guard, players: tuple[str, ...]) -> dict[str, Any]:
    """A browser for the main screen, one for each player who has joined, and one for a stranger."""
    screen = app.test_client()
    screen.get(f"/screen/{guard.screen_token}", base_url=HERE)
    page = screen.get("/seats", base_url=HERE).get_data(as_text=True)
    links = dict(zip(players, dict.fromkeys(re.findall(r"/join/([\w-]{20,})", page)), strict=True))
    readers = {"the main screen": screen, "a stranger": app.test_client()}
    for name, link in links.items():
        readers[name] = app.test_client()
        readers[name].get(f"/join/{link}", base_url=HERE)
    return readers


def _read(record: Record, readers: dict[str, Any], step: int, pages: tuple[str, ...]) -> None:
    for who, browser in readers.items():
        for address in (*OFTEN, *pages):
            _take_down(record, who, step, address, browser.get(address, base_url=HERE))


def _take_down(record: Record, who: str, step: int, address: str, answer: Any) -> None:
    """The answer's status, headers and text; its tag is made of the text, seals and all."""
    place = sum(key[:2] == (who, step) and key[2].startswith(f"{address} #") for key in record)
    head = "".join(f"{name}: {value}\n" for name, value in answer.headers if name not in ("ETag", "Date"))
    text = f"{answer.status}\n{head}\n{answer.get_data(as_text=True)}"
    record[who, step, f"{address} #{place}"] = HASH.sub("(hash)", text)


def _press(record: Record, readers: dict[str, Any], live: Live, step: int) -> None:
    """Odd forms from everybody, and the main screen goes back and forth."""
    for who, browser in readers.items():
        token = re.search(r'name="token" value="([^"]+)"', browser.get(OWN.get(who, "/mine"), base_url=HERE).text)
        for form in ODD_FORMS:
            for address in ("/mine/say", "/mine/battery", "/do/choose", "/do/say", "/seats/renew"):
                sent = form | ({"token": token[1]} if token else {})
                _take_down(record, who, step, f"POST {address}", browser.post(address, data=sent, base_url=HERE))
    live.undo()
    _catch_up(live)
    live.redo()
    _catch_up(live)


def _catch_up(live: Live) -> None:
    for _ in range(50):
        work = live._due_work()
        if work is None:
            return
        work()
    raise AssertionError("the umpire does not come to rest")


@contextmanager
def same_chance() -> Iterator[None]:
    """Tokens and salts of the program count up, and the clock stands, so that only secrets of the game can differ."""
    count = iter(range(10**9))

    def token(size: int = 24) -> str:
        return f"{LINK}{next(count):020d}"

    def digits(size: int = 16) -> str:
        return f"{next(count):032x}"

    def key(size: int = 32) -> bytes:
        return next(count).to_bytes(32, "big")

    with (
        mock.patch.multiple(secrets, token_urlsafe=token, token_hex=digits, token_bytes=key),
        mock.patch("webui.guard.time", SimpleNamespace(time=lambda: 1e9, monotonic=lambda: 1e9)),
    ):
        yield


@contextmanager
def shuffled_as(order: Any) -> Iterator[None]:
    if order is None:
        yield
        return
    with mock.patch.object(dealing, "shuffled", lambda cards, seed, shuffle: order(cards)):
        yield


@contextmanager
def logged_into(text: io.StringIO) -> Iterator[None]:
    keeper = logging.StreamHandler(text)
    keeper.setFormatter(Discreet())
    log = logging.getLogger("umpire")
    log.addHandler(keeper)
    log.setLevel(logging.DEBUG)
    try:
        yield
    finally:
        log.removeHandler(keeper)


def _look(game: Game, path: Path) -> Look:
    table = SimpleNamespace(layout=game.layout, sheets=(), warnings=())
    seen = SimpleNamespace(table=table, scene=game.tables[int(path.stem)], hand_in_view=False, warnings=())
    return Look(path.name, observation=seen)


# Missile Command: two batteries that look alike; player 1's innermost missiles and executives differ.

SALTS = {"Ann": "salt-of-Ann-0123456789", "Bo": "salt-of-Bo-0123456789"}
OUTER = ("black", "white", "green", "purple", "cyan", "black", "white", "green")
MIDDLE = ("white", "black", "black", "green", "white", "purple", "purple", "cyan")
INNER = ("black", "white", "green", "purple", "cyan", "black", "white", "green")


def missiles() -> Game:
    def doc(inner: tuple[str, ...], president: int) -> dict[str, Any]:
        return {
            "game": "missile-command",
            "players": [{"name": "Ann"}, {"name": "Bo"}, {"name": "Cy"}],
            "batteries": {"Ann": _battery(OUTER, MIDDLE, inner), "Bo": _battery(OUTER, MIDDLE, INNER)},
            "executives": {"Ann": {"president": president, "vice_president": 7}, "Bo": _seats(8, 7)},
            "salts": SALTS,
        }

    docs = doc(INNER, 8), doc(INNER[::-1], 6)
    launched = _silos({(1, 1): "medium white", (2, 1): "medium white"})
    strange = _silos({(1, 1): "medium white", (2, 1): "medium white", (3, 3): "small blue"})
    said = {
        0: (
            ("Ann", {"action": "launch black 1/1 at 2/1"}),
            ("Bo", {"action": "allow 2"}),
            ("Cy", {"player": "Cy", "battery": "nonsense", "salt": "salt-of-Cy-0123456789"}),
        ),
        1: (("Bo", {"action": "report 2 5"}), ("Ann", {"action": "expose 1/1 both"}), ("Bo", {"action": "pass 2"})),
    }
    never = (*SALTS.values(), "salt-of-Cy-0123456789")
    return Game("missile-command", docs, "Ann", (_silos({}), launched, strange, launched), "silos-3p", said, never)


def _seats(president: int, vice: int) -> dict[str, int]:
    return {"president": president, "vice_president": vice}


def _battery(*layers: tuple[str, ...]) -> list[list[dict[str, str]]]:
    return [[{"colour": colour} for colour in silo] for silo in zip(*layers, strict=True)]


def _silos(changed: dict[tuple[int, int], str]) -> Scene:
    stacks = []
    for number in (1, 2, 3):
        for silo, colour in enumerate(OUTER, 1):
            top = Pyramid.parse(changed.get((number, silo), f"large {colour}"))
            stacks.append(Stack(f"silos-{number}", f"silo-{silo}", Pose(40.0 * silo, 60.0), (top,)))
    return Scene.of(stacks)


# Ziggurat: player 2's hand and the pile differ.

SEED = "seed-of-the-deck-0123456789"


def wizards() -> Game:
    doc = {
        "game": "ziggurat",
        "players": [{"name": "Ann"}, {"name": "Bo"}],
        "deck": {"seed": SEED},
    }
    hit = {(2, 1): ("red", (3,))}
    hit_back = hit | {(1, 4): ("black", (3,))}
    said: dict[int, tuple[tuple[str, dict[str, Any]], ...]] = {
        0: (("Ann", {"action": "nonsense 7ML"}), ("Ann", {"action": "attack 1 CL 2/1"}), ("Bo", {"action": "allow 2"})),
        2: (("Bo", {"action": "defend 2 5ML 5SW"}), ("Ann", {"action": "draw 1"}), ("Bo", {"action": "draw 2"})),
    }
    tables = (_towers({}), _towers(hit), _towers(hit_back), _towers(hit_back))
    return Game("ziggurat", (doc, doc), "Bo", tables, "towers-2p", said, (SEED,), (_deal({}), _deal(HAND)))


HAND = {"9WY": "7SK", "8YK": "6SY"}  # cards of player 2's hand, and what the other evening has in their places


def _deal(exchanged: dict[str, str]) -> Callable[[tuple[Any, ...]], tuple[Any, ...]]:
    """The order of the deck, next card last and dealt by turns, with cards exchanged."""
    both = exchanged | {other: one for one, other in exchanged.items()}

    def order(cards: tuple[Any, ...]) -> tuple[Any, ...]:
        known = {str(card): card for card in cards}
        return tuple(known[both.get(name, name)] for name in known)

    return order


def _towers(changed: dict[tuple[int, int], tuple[str, tuple[int, ...]]]) -> Scene:
    stacks = []
    for number in (1, 2):
        for tower, colour in enumerate(("red", "blue", "yellow", "black"), 1):
            name, sizes = changed.get((number, tower), (colour, (3, 2, 1)))
            pieces = tuple(Pyramid(Colour(name), Size(size)) for size in sizes)
            stacks.append(Stack(f"towers-{number}", f"tower-{tower}", Pose(50.0 * tower, 60.0), pieces))
    for n in range(2 * 3):
        piece = Pyramid(Colour.GREEN, Size(n % 3 + 1))
        stacks.append(Stack("scrapyard", "scrapyard", Pose(30.0 * n + 20, 60.0), (piece,)))
    lost = [Pyramid(Colour(name), Size(size)) for name, sizes in changed.values() for size in {1, 2, 3} - set(sizes)]
    stacks += [Stack("scrapyard", "scrapyard", Pose(30.0 * n + 20, 120.0), (piece,)) for n, piece in enumerate(lost)]
    return Scene.of(stacks)


if __name__ == "__main__":
    sys.exit(told(run()))
