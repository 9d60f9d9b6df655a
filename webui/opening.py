"""From a game and the place where pictures come from to a table that is watched: for the command line and the page."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from webui.gamefile import GameFile, photos_in
from webui.look import Look, look, look_at, ready_eyes

if TYPE_CHECKING:
    from webui.live import Live


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
        return Path(self.name).is_dir()


def opened_table(game_file: GameFile, source: Source) -> Live:
    """The table, not watched yet. Raises GameFileError, CameraError or EyesMissingError, in words."""
    ready_eyes()
    return _in_folder(game_file, Path(source.name)) if source.is_folder else _at_table(game_file, source)


def _in_folder(game_file: GameFile, folder: Path) -> Live:
    """The photos of a folder, and those that come into it later."""
    from webui.live import Live
    from webui.review import Review

    photos = photos_in(folder, may_be_none=True)
    return Live(
        photos, partial(Review, game_file), eyes_for(game_file), watched=lambda: photos_in(folder, may_be_none=True)
    )


def _at_table(game_file: GameFile, source: Source) -> Live:
    from vision.live import Grabber, check_source, opened_once
    from vision.settle import Settling
    from webui.attable import AtTable
    from webui.review import Review

    check_source(source.name)
    begin = partial(Review, game_file, is_new=not source.is_resumed, at_table=True)
    begin()  # a game that cannot be judged is told before the camera is opened
    return AtTable(
        Grabber(source.name, opened_once),
        begin,
        partial(look_at, lens_for=game_file.lens_for, square_mm=game_file.square_mm),
        Settling(quiet_s=source.quiet_s),
    )


def eyes_for(game_file: GameFile) -> Callable[[Path], Look]:
    """How the game's photos are looked at."""
    return partial(look, lens_for=game_file.lens_for, square_mm=game_file.square_mm)
