"""The doors by which text and bytes come in: each takes bytes and raises only where the umpire is at fault.

What is refused in words (a named error of the program) is no fault. What is taken must be a value: notation comes back
from `str` unchanged, a set-up and a declaration leave a game that still judges a table.
"""

from __future__ import annotations

import io
import json
import re
import tempfile
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from urllib.parse import parse_qsl, quote, urlencode

from calibration.palette import palette_from_json
from calibration.store import CalibrationError, calibration_from_json
from engine.errors import EngineError
from engine.game import Game
from engine.games import gran_prix, martian_mids, missile_command, ziggurat
from engine.match import Match
from engine.table import Colour, Pose, Pyramid, Scene, Stack
from vision.camera import PhotoError, photo_from
from vision.live import CameraError
from webui import start
from webui.evening import Evening
from webui.gamefile import GameFile, GameFileError, game_file_from_bytes, game_file_from_json
from webui.games import tabletop_of
from webui.games.gran_prix import ANY_TRACK, printed_track
from webui.importing import ImportRefusedError, _gone_through, match_from_json
from webui.limits import LimitError, json_within
from webui.live import Live
from webui.look import Look
from webui.page import create_app
from webui.present import ruling_json, ruling_words
from webui.review import Review
from webui.seen import SeenError
from webui.uploads import taken
from webui.wizard import Wizard

GAMES: dict[str, Game] = {
    "mids": martian_mids,
    "missiles": missile_command,
    "race": gran_prix,
    "wizards": ziggurat,
}
NAMES = {"mids": "martian-mids", "missiles": "missile-command", "race": "pyramid-gran-prix", "wizards": "ziggurat"}
LAYOUTS = {"mids": "board", "missiles": "silos-2p", "race": ANY_TRACK, "wizards": "towers-2p"}
HERE = "http://localhost"
PLAYERS = [{"name": "Ann", "stand": "black", "colour": "red"}, {"name": "Bo", "stand": "white", "colour": "blue"}]


def text_of(content: bytes) -> str:
    return content.decode("utf-8", "replace")


# Notation: what is read is a move, its text says the same move, and any state answers it.


def notation(name: str) -> Callable[[bytes], None]:
    game = GAMES[name]

    def door(content: bytes) -> None:
        try:
            move = game.parse(text_of(content))
        except EngineError:
            return
        assert game.parse(str(move)) == move, f"{move!r} reads back as {game.parse(str(move))!r}"
        hash(move)
        game.violations(state_of(name), move)
        try:
            Match(game, state_of(name)).play(move)
        except EngineError:
            return

    return door


# Declarations: one JSON value, or a list of them, said in a game that has begun; then the same table is judged.


def declaration(name: str) -> Callable[[bytes], None]:
    def door(content: bytes) -> None:
        try:
            said = json.loads(content)
        except (ValueError, RecursionError):
            return
        match = Match(GAMES[name], state_of(name))
        for each in said[:4] if isinstance(said, list) else [said]:
            try:
                match.declare(each)
            except EngineError as fault:
                str(fault).encode()
        match.see(scene_of(name))

    return door


def game_json(content: bytes) -> None:
    try:
        game_file = game_file_from_bytes(content)
        tabletop_of(game_file.game).setup(game_file.setup)
    except (GameFileError, EngineError) as fault:
        str(fault).encode()
        return
    " ".join(game_file.players).encode()


def calibration_json(content: bytes) -> None:
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return
    try:
        kept = calibration_from_json(said, "camera.json")
    except CalibrationError:
        return
    assert calibration_from_json(json.loads(json.dumps(kept.to_json())), "camera.json") == kept


def palette_json(content: bytes) -> None:
    try:
        said = json.loads(content)
    except (ValueError, RecursionError):
        return
    try:
        kept = palette_from_json(said)
    except ValueError:
        return
    assert palette_from_json(json.loads(json.dumps(kept.to_json()))) == kept


def photo(content: bytes) -> None:
    try:
        frame = photo_from(content, "photo.jpg")
    except PhotoError as fault:
        str(fault).encode()
        return
    assert frame.image_bgr.ndim == 3
    assert frame.image_bgr.shape[2] == 3


# What a match is made of, as it is kept and as it is imported.


def inputs(name: str) -> Callable[[bytes], None]:
    """A list of inputs, put into a match one after the other; what it takes it would take again."""

    def door(content: bytes) -> None:
        try:
            said = json_within(content)
        except LimitError:
            return
        review, kept = Review(game_file_of(name)), []
        review.keep = lambda each, event: kept.append(each)
        for each in said[:6] if isinstance(said, list) else [said]:
            try:
                event = review.take(each)
            except (EngineError, SeenError) as fault:
                str(fault).encode("utf-8", "backslashreplace")
                continue
            if event is not None:
                ruling_words(event)
                json.dumps(ruling_json(event))
        again = Review(game_file_of(name))
        for each in json.loads(json.dumps(kept, allow_nan=False)):
            again.take(each)
        assert again.state_for(None) == review.state_for(None)
        assert _ruled(again) == _ruled(review)

    return door


def _ruled(review: Review) -> list[str]:
    """What changed the match, event by event."""
    return [f"{each.is_start} {each.is_answer} {each.ruling}" for each in review.events if each.is_news]


def match_json(content: bytes) -> None:
    try:
        match, said = match_from_json(json_within(content))
        _gone_through(match, said[:6], lambda done, of: None)
    except (ImportRefusedError, LimitError) as fault:
        str(fault).encode("utf-8", "backslashreplace")


def zipped(content: bytes) -> None:
    """Photos and a game.json in a zip, or anything else."""
    with tempfile.TemporaryDirectory() as folder:
        batch = taken([("sent.zip", io.BytesIO(content))], Path(folder))
        assert {path.parent for path in Path(folder).rglob("*")} <= {Path(folder)}
        " ".join((*batch.left_aside, *(each.name for each in batch.photos))).encode()


# Pages: the first line is an address, the second a form.


def form(content: bytes) -> None:
    address, _, fields = text_of(content).partition("\n")
    path = "/" + quote(address.lstrip("/"), safe="/?&=%")
    evening, browser, token = page()
    sent = urlencode([*parse_qsl(fields, keep_blank_values=True)[:40], ("token", token)], errors="replace")
    for answer in (
        browser.get(path, base_url=HERE),
        browser.post(path, data=sent, content_type="application/x-www-form-urlencoded", base_url=HERE),
    ):
        assert answer.status_code not in (500, 501), f"{path!r}: {answer.status}"
        answer.close()
    for _ in range(20):
        work = evening.live._due_work()
        if work is None:
            return
        work()


def addresses() -> tuple[str, ...]:
    """Every address that the page answers."""
    rules = page()[1].application.url_map.iter_rules()
    return tuple(sorted({re.sub(r"<[^>]*>", "0", str(rule)).lstrip("/") for rule in rules}))


@cache
def page() -> tuple[Evening, Any, str]:
    """A table of Martian Mids with two events on it, its main screen, and that one's token. Nothing is opened."""

    def eyes(path: Path) -> Look:
        table = SimpleNamespace(layout="board", sheets=(), warnings=())
        return Look(path.name, SimpleNamespace(table=table, scene=scene_of("mids"), hand_in_view=False, warnings=()))

    def table(*_: Any) -> Live:
        return Live([Path("00.jpg"), Path("01.jpg")], lambda: Review(game_file_of("mids")), eyes, clock=lambda: 0.0)

    def no_camera(*_: Any) -> Any:
        raise CameraError("No camera is opened here.")

    start.Preview.open = no_camera  # type: ignore[method-assign]
    start.Preview.look_for_cameras = lambda _: None  # type: ignore[method-assign]
    folder = Path(tempfile.mkdtemp())
    evening = Evening(table())
    app = create_app(evening, Wizard(lambda: folder, no_camera), open_table=table)
    browser = app.test_client()
    token = re.findall(r'name="token" value="([^"]+)"', browser.get("/", base_url=HERE).get_data(as_text=True))[0]
    return evening, browser, token


DOORS: dict[str, Callable[[bytes], None]] = {
    **{f"notation-{name}": notation(name) for name in GAMES},
    **{f"declared-{name}": declaration(name) for name in GAMES},
    **{f"inputs-{name}": inputs(name) for name in GAMES},
    "match-json": match_json,
    "zip": zipped,
    "form": form,
    "game-json": game_json,
    "calibration-json": calibration_json,
    "palette-json": palette_json,
    "photo": photo,
}


# Games that have begun.


def game_file_of(name: str) -> GameFile:
    deck = {"deck": {"seed": "0123456789abcdef"}} if name == "wizards" else {}
    return game_file_from_json({"game": NAMES[name], "players": PLAYERS} | deck)


@cache
def state_of(name: str) -> Any:
    return STATES[name]()


def _mids() -> Any:
    setup = martian_mids.Setup.from_json({"players": PLAYERS, "initiative": ["Ann", "Bo"]})
    return martian_mids.start(setup, scene_of("mids"))


def _missiles() -> Any:
    return missile_command.start(missile_command.Setup.from_json({"players": PLAYERS}), scene_of("missiles"))


def _race() -> Any:
    setup = gran_prix.Setup.from_json({"players": PLAYERS}, printed_track(ANY_TRACK))
    return gran_prix.start(setup, scene_of("race"))


def _wizards() -> Any:
    deck = {"deck": {"seed": "0123456789abcdef"}}
    return ziggurat.new_game(ziggurat.Setup.from_json({"players": PLAYERS} | deck))


STATES = {"mids": _mids, "missiles": _missiles, "race": _race, "wizards": _wizards}


@cache
def scene_of(name: str) -> Scene:
    return Scene.of(SCENES[name]())


def _stack(sheet: str, zone: str, pose: Pose, pyramids: str, stand: str | None = None) -> Stack:
    pieces = tuple(Pyramid.parse(each) for each in pyramids.split(","))
    return Stack(sheet, zone, pose, pieces, None if stand is None else Colour(stand))


def _mids_table() -> list[Stack]:
    return [
        _stack("board-sw", "b2", Pose(59.4, 59.4), "large red, medium green", "black"),
        _stack("board-sw", "c4", Pose(99.0, 138.6), "large green, small red", "white"),
        _stack("board-sw", "d3", Pose(138.6, 99.0), "medium blue", "black"),
    ]


def _silos_table() -> list[Stack]:
    colours = ("black", "white", "green", "purple", "cyan", "black", "white", "green")
    return [
        _stack(f"silos-{number}", f"silo-{silo}", Pose(40.0 * silo, 60.0), f"large {colour}")
        for number in (1, 2)
        for silo, colour in enumerate(colours, 1)
    ]


def _race_table() -> list[Stack]:
    track = printed_track(ANY_TRACK)
    assert track is not None
    (x0, y0), (x1, y1) = track.finish
    places = [(x0 + (x1 - x0) * part, y0 + (y1 - y0) * part) for part in (0.3, 0.7)]
    sheet = track.sheets[0].sheet if track.sheets else "track-oval"
    return [
        _stack(sheet, "track", Pose(x, y, track.heading_at((x, y))), f"small {colour}")
        for (x, y), colour in zip(places, ("red", "blue"), strict=True)
    ]


def _towers_table() -> list[Stack]:
    return [
        _stack(f"towers-{n}", f"tower-{t}", Pose(50.0 * t, 60.0), f"large {colour}, medium {colour}, small {colour}")
        for n in (1, 2)
        for t, colour in enumerate(("red", "blue", "yellow", "black"), 1)
    ]


SCENES = {"mids": _mids_table, "missiles": _silos_table, "race": _race_table, "wizards": _towers_table}


def seeds_of(name: str) -> tuple[bytes, ...]:
    """What a door is known to take: where mutation begins."""
    folder = Path(__file__).parent / "corpus" / name
    return tuple(path.read_bytes() for path in sorted(folder.glob("*"))) if folder.is_dir() else ()
