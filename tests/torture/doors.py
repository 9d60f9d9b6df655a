"""The doors by which text and bytes come in: each takes bytes and raises only where the umpire is at fault.

What is refused in words (a named error of the program) is no fault. What is taken must be a value: notation comes back
from `str` unchanged, a set-up and a declaration leave a game that still judges a table.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

from calibration.palette import palette_from_json
from calibration.store import CalibrationError, calibration_from_json
from engine.errors import EngineError
from engine.game import Game
from engine.games import gran_prix, martian_mids, missile_command, ziggurat
from engine.match import Match
from engine.table import Colour, Pose, Pyramid, Scene, Stack
from vision.camera import PhotoError, photo_from
from webui.gamefile import GameFileError, game_file_from_bytes
from webui.games import tabletop_of
from webui.games.gran_prix import ANY_TRACK, printed_track

GAMES: dict[str, Game] = {
    "mids": martian_mids,
    "missiles": missile_command,
    "race": gran_prix,
    "wizards": ziggurat,
}
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


DOORS: dict[str, Callable[[bytes], None]] = {
    **{f"notation-{name}": notation(name) for name in GAMES},
    **{f"declared-{name}": declaration(name) for name in GAMES},
    "game-json": game_json,
    "calibration-json": calibration_json,
    "palette-json": palette_json,
    "photo": photo,
}


# Games that have begun.


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
