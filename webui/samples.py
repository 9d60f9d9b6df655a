"""The photographed games that come along, one for each game: to try the page on, and to play back.

Their photos are rendered; the game.json beside them says who plays. Used by `umpire play --sample` and by the page.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from webui.gamefile import GameFile, photos_in, read_game_file
from webui.games import tabletop_of


@dataclass(frozen=True)
class Sample:
    """A photographed game: `name` is what people type, `title` the game's own name."""

    name: str
    title: str
    folder: Path

    @property
    def photos(self) -> tuple[Path, ...]:
        return photos_in(self.folder)

    @property
    def game_file(self) -> GameFile:
        return read_game_file(self.folder)


class UnknownSampleError(Exception):
    """No sample of that name; the message names those there are."""


def samples() -> tuple[Sample, ...]:
    """Every game that comes along, in name order."""
    folders = sorted(path for path in FOLDER.iterdir() if path.is_dir())
    return tuple(Sample(_name(path), tabletop_of(read_game_file(path).game).TITLE, path) for path in folders)


def sample_of(name: str) -> Sample:
    """The sample of that name. Raises UnknownSampleError."""
    for sample in samples():
        if sample.name == name:
            return sample
    names = ", ".join(sample.name for sample in samples())
    raise UnknownSampleError(f"There is no sample called {name!r}. There are {names}.")


FOLDER = Path(__file__).parent / "sample"


def _name(folder: Path) -> str:
    return folder.name.rpartition("-")[0]
