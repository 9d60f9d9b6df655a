"""Tables made by hand, eyes that see them, and a log of their own for every test."""

from __future__ import annotations

import json
import logging
import os
import shutil
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from werkzeug.serving import make_server

from calibration.optics import Camera, Lens, LocatedSheet, LocatedTable, SheetPose
from engine.games.martian_mids import Player, Setup, parse, start
from engine.rules import Illegal, Legal, Rule, RuleViolation, Unclear
from engine.table import Colour, EmptyStand, Pose, Pyramid, Reading, Scene, Stack
from webui import cli, doctor_command
from webui.board import Piece
from webui.gamefile import GameFile
from webui.games import tabletop_of
from webui.logs import LIBRARIES
from webui.look import Look
from webui.review import Event
from webui.seen import Seen

BROWSERS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")  # the first is the lightest
CHROMIUM = next(filter(None, map(shutil.which, BROWSERS)), None)
PATIENCE_MS = 60_000  # nobody waits so long but on a machine that has much else to do
MIDS = tabletop_of("martian-mids")
OVERHEAD = Camera(
    Lens(100.0, (31.5, 23.5), (0.0, 0.0, 0.0, 0.0), (64, 48)),
    ((1.0, 0.0, 0.0), (0.0, -1.0, 0.0), (0.0, 0.0, -1.0)),
    (-198.0, 198.0, 900.0),
)
"""A small camera straight over the middle of a chessboard."""
START = "b2 black: large red, large green; d3 black: medium blue; c5 white: large green, small red"


@pytest.fixture(scope="session")
def browser() -> Any:
    if CHROMIUM is None and os.environ.get("CI") == "true":
        pytest.fail("Chromium is missing; on CI the browser tests must run: apt-get install chromium-headless-shell")
    if CHROMIUM is None:
        pytest.skip("Chromium is missing")
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        started = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox", "--disable-gpu"])
        yield started
        started.close()


@pytest.fixture
def eventually() -> Callable[[Callable[[], Any]], Any]:
    """Waits until something holds that another thread brings about, and gives what was found."""

    def found(look: Callable[[], Any]) -> Any:
        until_s = time.monotonic() + PATIENCE_MS / 1000
        while not (seen := look()):
            assert time.monotonic() < until_s, "it never came"
            time.sleep(0.01)
        return seen

    return found


@pytest.fixture
def accessible() -> Callable[[Any], None]:
    """Fails, naming rule and element, where axe finds something on the page that keeps people from using it."""
    from axe_playwright_python.sync_playwright import Axe

    def checked(page: Any) -> None:
        found = Axe().run(page).response
        assert found["passes"], "nothing was checked"
        grave = [fault for fault in found["violations"] if fault["impact"] in ("serious", "critical")]
        assert [f"{fault['id']}: {node['html'][:200]}" for fault in grave for node in fault["nodes"]] == []

    return checked


@pytest.fixture
def address_of() -> Iterator[Callable[[Any], str]]:
    """Serves an app in a thread until the test ends, and tells its address. Waitress cannot be stopped from outside."""
    servers = []

    def serve(app: Any) -> str:
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        servers.append((server, thread))
        return f"http://127.0.0.1:{server.server_port}/"

    yield serve
    for server, thread in servers:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(autouse=True)
def own_log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "log" / "umpire.log"
    for module in (cli, doctor_command):
        monkeypatch.setattr(module, "log_file", lambda: path)
    yield path
    for kept in [each for each in cli.log.handlers if isinstance(each, logging.FileHandler)]:
        for name in ("umpire", *LIBRARIES):
            logging.getLogger(name).removeHandler(kept)
        kept.close()


@pytest.fixture(autouse=True)
def own_matches(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Matches that a test plays are kept in a folder of its own."""
    folder = tmp_path / "matches-of-this-test"
    monkeypatch.setenv("PYRAMID_UMPIRE_DATA", str(folder))
    return folder


@pytest.fixture
def pieces_of() -> Callable[[str], tuple[Piece, ...]]:
    """Text to pieces: 'b2 black: large red, small blue; d4 > 90: small green' (bottom first; > heading: a missile)."""
    return lambda text: tuple(
        Piece(stack.zone or "", stack.pyramids, stack.stand, stack.pose.heading_deg) for stack in _scene(text).stacks
    )


@pytest.fixture
def observation_of() -> Callable[..., Any]:
    return _observation


@pytest.fixture
def look_of() -> Callable[..., Look]:
    """A look at a photo of that name with that table, and a small picture."""

    def made(photo: str, table: str = START, **more: Any) -> Look:
        picture = np.full((48, 64, 3), sum(map(ord, photo)) % 255, np.uint8)
        return Look(photo, observation=_observation(table, **more), image_bgr=picture)

    return made


@pytest.fixture
def game_folder(tmp_path: Path) -> Callable[..., Path]:
    """A folder with a game.json and empty files for photos; fields given replace those of the file."""

    def made(photos: tuple[str, ...] = ("00.jpg", "01.jpg"), **fields: Any) -> Path:
        folder = tmp_path / "game"
        folder.mkdir()
        players = [{"name": "Black", "stand": "black"}, {"name": "White", "stand": "white"}]
        said = {"game": "martian-mids", "players": players, "initiative": ["Black", "White"]} | fields
        (folder / "game.json").write_text(json.dumps(said))
        for photo in photos:
            (folder / photo).write_bytes(b"")
        return folder

    return made


def _scene(text: str) -> Scene:
    return Scene.of([_stack(part) for part in text.split(";") if part.strip()])


def _stack(part: str) -> Stack:
    place, _, names = part.strip().partition(":")
    square, owner, *heading = place.split()
    pyramids = tuple(Pyramid.parse(name) for name in names.split(","))
    x_mm = 39.6 * ("abcdefgh".index(square[0]) + 0.5) + 37
    y_mm = 39.6 * (int(square[1]) - 0.5) + 37
    if owner == ">":
        return Stack("board-sw", square, Pose(x_mm, y_mm, float(heading[0])), pyramids[:1])
    return Stack("board-sw", square, Pose(x_mm, y_mm), pyramids, Colour(owner))


def _observation(table: str, hand_in_view: bool = False, warnings: tuple[str, ...] = (), layout: str = "board") -> Any:
    sheets = (LocatedSheet("board-sw", SheetPose(0.0, 0.0, 0.0), 0.312, (np.int64(7),)),)
    located = LocatedTable(layout, OVERHEAD, sheets, ("A marker is covered.",))
    scene = Scene(_scene(table).stacks, (EmptyStand("board-ne", "g7", Colour.WHITE),))
    return SimpleNamespace(table=located, scene=scene, hand_in_view=hand_in_view, warnings=warnings)


@pytest.fixture
def doubtful_stack() -> Stack:
    red, green = Pyramid.parse("large red"), Pyramid.parse("large green")
    top, other = Pyramid.parse("small red"), Pyramid.parse("small orange")
    readings = (
        Reading((red, top), None, Colour.BLACK, 0.7),
        Reading((red, other), None, Colour.BLACK, 0.2),
        Reading((green,), 400.0, None, 0.1),
    )
    return Stack("board-sw", "b2", Pose(81.2345, 96.0), (red, top), Colour.BLACK, readings)


class ScriptedReview:
    """Judges as it was told to, photo by photo; remembers what the players answered."""

    game = MIDS
    game_file = GameFile("martian-mids", ("Black", "White"), {"players": []}, None)
    scene = None
    can_undo = can_redo = False

    def __init__(self, rulings: tuple[Any, ...]) -> None:
        self._rulings = iter(rulings)
        self.answers: list[Any] = []
        self.events: tuple[Event, ...] = ()

    def see(self, seen: Seen) -> Event:
        if seen.error is not None:
            return self._happened(Event(seen.photo, MIDS, error=seen.error))
        ruling = next(self._rulings)
        state = start(SETUP, seen.scene)
        event = Event(seen.photo, MIDS, ruling, state, state, is_start=ruling is None)
        return self._happened(replace(event, picture=seen.picture, thumb=seen.thumb))

    def agree(self) -> Event:
        self.answers.append("agreed")
        return self._happened(replace(self.events[-1], ruling=None, is_agreed=True))

    def choose(self, place: int) -> None:
        self.answers.append(place)

    def state_for(self, player: str | None) -> Any:
        return self.events[-1].state

    def _happened(self, event: Event) -> Event:
        self.events = (*self.events, event)
        return event


FAR = Rule("move-distance", "A Mid moves at most as many squares as it has pyramids.", "Martian Mids V.2.B")
ALLOWED = Legal((parse("move b2-b4"),))
FORBIDDEN = Illegal((parse("move f2-f4"),), (RuleViolation(FAR, "one pyramid moves at most <one> square"),))
DOUBTFUL = Unclear("it may have been either", ((parse("move b2-b3"),), (parse("move b2-b4"),)))
SETUP = Setup((Player("Black", Colour.BLACK), Player("White", Colour.WHITE)), ("Black", "White"))


@pytest.fixture
def live_of(look_of: Callable[..., Look]) -> Callable[..., Any]:
    """A Live over photos 00.jpg, 01.jpg ... with one ruling each, a clock that stands still, and no thread."""
    from webui.live import Live

    def made(*rulings: Any, tables: tuple[str, ...] = ()) -> Any:
        photos = [Path(f"{number:02}.jpg") for number in range(len(rulings))]
        seen = {path.name: look_of(path.name, *tables[number : number + 1]) for number, path in enumerate(photos)}
        clock = StillClock()
        reviews: list[ScriptedReview] = []

        def begin() -> ScriptedReview:
            reviews.append(ScriptedReview(rulings))
            return reviews[-1]

        live = Live(photos, begin, lambda path: seen[path.name], clock)
        live.clock, live.reviews = clock, reviews
        return live

    return made


@pytest.fixture
def silo_live(look_of: Callable[..., Look]) -> Callable[[], Any]:
    """A Live of Missile Command with Ann and Bob whose bare table was judged, a clock that stands still, no thread."""
    from webui.gamefile import game_file_from_json
    from webui.live import Live
    from webui.review import Review

    def made() -> Any:
        game_file = game_file_from_json({"game": "missile-command", "players": [{"name": "Ann"}, {"name": "Bob"}]})
        seen = look_of("00.jpg", "", layout="silos-2p")
        live = Live([Path("00.jpg")], lambda: Review(game_file), lambda path: seen, StillClock())
        live.catch_up()
        return live

    return made


class StillClock:
    """A clock that a test moves."""

    def __init__(self) -> None:
        self.now_s = 0.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def mids_state() -> Callable[[str], Any]:
    """The state of Martian Mids at the beginning of a game from that table."""
    return lambda text: start(SETUP, _scene(text))


@pytest.fixture
def rulings() -> Any:
    return SimpleNamespace(allowed=ALLOWED, forbidden=FORBIDDEN, doubtful=DOUBTFUL, far=FAR)


@pytest.fixture
def refusals() -> tuple[str, ...]:
    """The statuses with which the server refuses, as a module's tests mean it to; browsers complain of each."""
    return ()


@pytest.fixture
def opened(browser: Any, address_of: Any, refusals: tuple[str, ...]) -> Iterator[Callable[..., Any]]:
    """Opens an address in a browser of its own; at the end none may have complained, but for meant refusals.

    It asks for `address_of` so that all pages are closed before their server is.
    """
    complaints: list[str] = []
    contexts: list[Any] = []

    def opened(address: str, width: int = 1366, height: int = 768, **more: Any) -> Any:
        context = browser.new_context(viewport={"width": width, "height": height}, **more)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(PATIENCE_MS)
        page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
        page.on("pageerror", lambda fault: complaints.append(str(fault)))
        page.goto(address)
        return page

    yield opened
    for context in contexts:
        context.close()
    assert [said for said in complaints if not any(f"status of {status}" in said for status in refusals)] == []


@pytest.fixture
def asked_again() -> Callable[[Any], None]:
    """Waits until a page that was told of something has asked the umpire once more and is done with the answer."""

    def waited(page: Any) -> None:
        for _ in range(3):  # the first question may be older, and the last answer not shown yet
            with page.expect_response("**/state"):
                pass

    return waited


@pytest.fixture
def mids_live(look_of: Callable[..., Look]) -> Iterator[Callable[..., Any]]:
    """Martian Mids of Ann and Bob, really judged, over photos of all tables but those to come; its thread runs
    until the test ends."""
    from webui.gamefile import game_file_from_json
    from webui.live import Live
    from webui.review import Review

    begun = []

    def made(*tables: Any, to_come: int = 0, **more: Any) -> Any:
        players = [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}]
        doc = {"game": "martian-mids", "players": players, "initiative": ["Ann", "Bob"], **more}
        game_file = game_file_from_json(doc)
        looks = [look_of(f"{n:02}.jpg", each) if isinstance(each, str) else each for n, each in enumerate(tables)]
        by_name = {look.photo: look for look in looks}
        live = Live([Path(name) for name in by_name], lambda: Review(game_file), lambda path: by_name[path.name])
        live.pause()
        for _ in tables[to_come:]:
            live.forward()
            live.catch_up()
        live.start()
        begun.append(live)
        return live

    yield made
    for live in begun:
        live.stop()


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Say how many browser tests did not run."""
    missed = [skip for skip in terminalreporter.stats.get("skipped", []) if "test_browser" in skip.nodeid]
    if missed:
        terminalreporter.write_line(
            f"{len(missed)} browser tests did not run: Chromium is missing (apt-get install chromium)"
        )
