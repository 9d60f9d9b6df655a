"""Stories judged photo by photo from scenes, as a review does it."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from story_scenes import Photo, Told

from engine.errors import EngineError
from engine.match import Match
from engine.rules import Ruling
from engine.table import Scene
from webui.games import tabletop_of


@dataclass(frozen=True)
class Judged:
    """What was ruled on a photo, and how much processor time that took."""

    photo: Photo
    ruling: Ruling | None
    seconds: float

    @property
    def word(self) -> str:
        return "none" if self.ruling is None else type(self.ruling).__name__.lower()


def judged(
    told: Told, photos: Sequence[Photo] | None = None, shown: Callable[[Scene], Scene] = lambda scene: scene
) -> tuple[Judged, ...]:
    """The rulings on all photos after the first, or on some; `shown` may change what was seen."""
    game = tabletop_of(told.game["game"])
    match: Match | None = None
    found = []
    for photo in told.photos if photos is None else photos:
        if photo.scene is None:
            continue
        scene = shown(photo.scene)
        if match is None:
            match = Match(game.GAME, game.start(game.setup(told.game), scene, told.layout).state)
            continue
        said = told.game.get("declared", {}).get(photo.name, [])
        for one in said if isinstance(said, list) else [said]:
            try:
                game.declare(match, one)
            except EngineError:
                continue  # a review warns of it
        began_s = time.process_time()
        ruling = match.see(scene)
        found.append(Judged(photo, ruling, time.process_time() - began_s))
    return tuple(found)
