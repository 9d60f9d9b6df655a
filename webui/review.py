"""A match watched photo by photo: each look becomes an event, and the state is kept for the next.

Used by `umpire review` and by the page alike. The first photo that can be read is the start; a photo that cannot be
read, or has a hand over the table, changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.rules import Ruling
from engine.table import Scene
from webui.gamefile import GameFile
from webui.look import Look


@dataclass(frozen=True)
class Event:
    """What one photo (or an answer of the players after it) brought."""

    photo: str
    ruling: Ruling | None = None
    state: Any = None
    scene: Scene | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()
    hand_in_view: bool = False
    is_start: bool = False
    is_agreed: bool = False


class Review:
    """One game's photos in order. The only thing here that changes."""

    def __init__(self, game_file: GameFile) -> None:
        self._game_file = game_file
        self._match: Any = None
        self._scene: Scene | None = None
        self._unsaid: tuple[str, ...] = ()

    def see(self, seen: Look) -> Event:
        raise NotImplementedError
