"""From a game and the place where pictures come from to a table that is watched: for the command line and the page."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from engine.errors import InvalidSetup
from webui.gamefile import GameFile, GameFileError, photos_in
from webui.games import tabletop_of
from webui.look import Look, look, look_at, ready_eyes

if TYPE_CHECKING:
    from webui.live import Live
    from webui.pictures import Pictures
    from webui.review import Review


@dataclass(frozen=True)
class Source:
    """Where pictures come from: a camera's number, a stream's address, a video, or a folder of photos.

    `is_resumed`: the game goes on from the table as it lies. `quiet_s`: so long nothing may move before it is judged.
    """

    name: str
    is_resumed: bool = False
    quiet_s: float = 0.7

    @property
    def is_folder(self) -> bool:
        return os.path.isdir(self.name)  # which minds no name, however long


Begin = Callable[[], "Review"]


def opened_table(
    game_file: GameFile, source: Source, begin: Begin | None = None, pictures: Pictures | None = None
) -> Live:
    """The table, not watched yet. `begin` makes its reviews: the first one, and another when the game starts again.

    Raises GameFileError, CameraError or EyesMissingError, in words.
    """
    ready_eyes()
    begin = begin or beginning(game_file, source)
    if source.is_folder:
        return _in_folder(game_file, Path(source.name), begin, pictures)
    return _at_table(game_file, source, begin, pictures)


def beginning(game_file: GameFile, source: Source) -> Begin:
    """How this game begins: at a camera with a proper start, unless it goes on from the table as it lies. What the
    umpire deals is dealt anew each time."""
    from webui.review import Review

    at_camera = not source.is_folder
    return lambda: Review(_dealt(game_file), is_new=at_camera and not source.is_resumed, at_table=at_camera)


def _dealt(game_file: GameFile) -> GameFile:
    try:
        return replace(game_file, setup=tabletop_of(game_file.game).deal(game_file.setup))
    except InvalidSetup as fault:
        raise GameFileError(f"game.json: {fault}") from None


def _in_folder(game_file: GameFile, folder: Path, begin: Begin, pictures: Pictures | None) -> Live:
    """The photos of a folder, and those that come into it later."""
    from webui.live import Live

    def photos() -> tuple[Path, ...]:
        return photos_in(folder, may_be_none=True)

    return Live(photos(), begin, eyes_for(game_file), watched=photos, pictures=pictures)


def _at_table(game_file: GameFile, source: Source, begin: Begin, pictures: Pictures | None) -> Live:
    from vision.live import Grabber, check_source, opened_once
    from vision.settle import Settling
    from webui.attable import AtTable

    check_source(source.name)
    begin = _tried_first(begin)
    return AtTable(
        Grabber(source.name, opened_once),
        begin,
        partial(look_at, lens_for=game_file.lens_for, square_mm=game_file.square_mm),
        Settling(quiet_s=source.quiet_s),
        pictures=pictures,
    )


def _tried_first(begin: Begin) -> Begin:
    """The same, with the first review made now: a game that cannot be judged is told before the camera is opened."""
    first = [begin()]
    return lambda: first.pop() if first else begin()


def eyes_for(game_file: GameFile) -> Callable[[Path], Look]:
    """How the game's photos are looked at."""
    return partial(look, lens_for=game_file.lens_for, square_mm=game_file.square_mm)
