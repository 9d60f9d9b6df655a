"""`game.json`: who plays, what was set up, and what was said while the photos were taken.

Read once and checked at the door: whatever is missing or odd is a GameFileError that names the field.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from calibration import store
from calibration.store import MOST, Calibration, CalibrationError
from webui.limits import GAME_FILE, MOST_NAME, SQUARES_MM, LimitError, is_printable, json_within

if TYPE_CHECKING:
    from calibration.optics import Lens
    from vision.camera import Frame

NO_SQUARES = 0.0  # between the corner cards is plain ground, on which a track is drawn
PHOTO_ENDINGS = frozenset({".jpg", ".jpeg", ".png", ".webp", ".heic", ".heif", ".bmp"})


class GameFileError(Exception):
    """The folder or its game.json cannot be used; the message says why in words."""


@dataclass(frozen=True)
class GameFile:
    """What `game.json` says. `setup` is the whole object, for the game that knows what its fields mean.

    `camera` is the lens: a calibration when game.json names one of this machine's, else its matrix and distortion.
    `square_mm` is the size of the squares of a chessboard between corner cards; None when they are to be measured,
    NO_SQUARES where the game is played on a `track` of its own.
    """

    game: str
    players: tuple[str, ...]
    setup: dict[str, Any]
    camera: Calibration | dict[str, Any] | None
    square_mm: float | None = None

    def lens_for(self, frame: Frame) -> Calibration | Lens | None:
        """The saved lens for a picture of this camera; None when none was saved."""
        if self.camera is None or isinstance(self.camera, Calibration):
            return self.camera
        from vision.camera import read_lens

        height_px, width_px = frame.image_bgr.shape[:2]
        return read_lens(self.camera, (width_px, height_px))

    def declared(self, photo: str) -> tuple[Any, ...]:
        """What was said between the photo before and this one."""
        said = self.setup.get("declared", {}).get(photo, [])
        return tuple(said) if isinstance(said, list) else (said,)


def read_game_file(folder: Path, name: str = "game.json") -> GameFile:
    """The folder's game.json, or another file of it. Raises GameFileError."""
    path = folder / name
    try:
        with path.open("rb") as file:
            content = file.read(GAME_FILE.size_bytes + 1)
    except NotADirectoryError:
        raise GameFileError(f"{folder} is a file. Give the folder that holds the photos and game.json.") from None
    except FileNotFoundError:
        if name != "game.json" or not folder.exists():
            raise GameFileError(f"{path if name != 'game.json' else folder} does not exist.") from None
        raise GameFileError(f"{folder} holds no {name}, so nobody knows which game is played and by whom.") from None
    except OSError as fault:
        raise GameFileError(f"{path} cannot be opened: {fault.strerror}.") from None
    return game_file_from_bytes(content, str(path))


def game_file_from_bytes(content: bytes, path: str = "game.json") -> GameFile:
    """The checked value of a file's bytes; `path` is named in errors. Raises GameFileError."""
    try:
        return game_file_from_json(json_within(content), path)
    except LimitError as fault:
        raise GameFileError(f"{path} cannot be read as JSON: {fault}.") from None


def game_file_from_json(setup: Any, path: str = "game.json") -> GameFile:
    """The checked value of what JSON said; `path` is named in errors. Raises GameFileError."""
    _expect(isinstance(setup, dict), path, "an object", "the file")
    _expect(isinstance(setup.get("game"), str), path, "the game's name", "game")
    players = setup.get("players")
    _expect(isinstance(players, list) and len(players) > 0, path, "the players in seating order", "players")
    for number, player in enumerate(players):
        named = isinstance(player, dict) and isinstance(player.get("name"), str)
        _expect(named, path, "an object with a name", f"players[{number}]")
        _expect(
            _is_name(player["name"]), path, f"of 1 to {MOST_NAME} characters in one line", f"players[{number}].name"
        )
    names = tuple(player["name"] for player in players)
    _expect(len(set(names)) == len(names), path, "a different name for each player", "players")
    _expect(isinstance(setup.get("declared", {}), dict), path, "an object from photo to what was said", "declared")
    square_mm = setup.get("square_mm")
    fine = square_mm is None or (_is_number(square_mm) and SQUARES_MM[0] <= square_mm <= SQUARES_MM[1])
    _expect(fine, path, "the size of the board's squares, {:g} to {:g} mm".format(*SQUARES_MM), "square_mm")
    square_mm = NO_SQUARES if square_mm is None and "track" in setup else square_mm
    return GameFile(setup["game"], names, setup, _camera_of(setup.get("camera"), path), square_mm)


def photos_in(folder: Path, may_be_none: bool = False) -> tuple[Path, ...]:
    """The folder's photos in name order. Raises GameFileError when there are none, unless they may come later."""
    try:
        photos = tuple(sorted(path for path in folder.iterdir() if path.suffix.lower() in PHOTO_ENDINGS))
    except OSError as fault:
        raise GameFileError(f"{folder} cannot be opened as a folder: {fault.strerror}.") from None
    if not photos and not may_be_none:
        raise GameFileError(f"{folder} holds no photos (.jpg, .png, .webp ...).")
    return photos


def _camera_of(camera: Any, path: str) -> Calibration | dict[str, Any] | None:
    """The camera's calibration when it is named, else its checked matrix and distortion."""
    if isinstance(camera, str):
        try:
            return store.load(camera, store.cameras_folder())
        except CalibrationError as fault:
            raise GameFileError(f"{path}: camera: {fault}") from None
    return None if camera is None else _checked_camera(camera, path)


def _checked_camera(camera: Any, path: str) -> dict[str, Any]:
    _expect(isinstance(camera, dict), path, "a calibrated camera's name or an object with a matrix", "camera")
    matrix = camera.get("matrix")
    rows = matrix if isinstance(matrix, list) else []
    fine = [len(row) if isinstance(row, list) else 0 for row in rows] == [3, 3, 3]
    fine = fine and all(_is_number(v) for row in rows for v in row)
    _expect(fine, path, "three rows of three numbers", "camera.matrix")
    _expect(matrix[0][0] > 0 and matrix[1][1] > 0, path, "a focal length above zero", "camera.matrix")
    distortion = camera.get("distortion", [])
    fine = isinstance(distortion, list) and all(_is_number(v) for v in distortion)
    _expect(fine, path, "a list of numbers", "camera.distortion")
    return dict(camera)


def _is_name(name: str) -> bool:
    return bool(name.strip()) and len(name) <= MOST_NAME and is_printable(name)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= MOST


def _expect(holds: bool, path: str, expected: str, field: str) -> None:
    if not holds:
        raise GameFileError(f"{path}: {field} should be {expected}.")
