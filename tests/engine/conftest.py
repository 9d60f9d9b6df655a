"""Tables written as text, and matches on them.

b2: Lr Mg / black; e6: My My Sr / white      Mids, bottom first, on their owners' stands
d4: Sb > n                                   a missile, pointing north
c1: Sr                                       a Mid whose stand is not seen
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from engine.games import martian_mids
from engine.games.martian_mids import COMPASS, Player, Setup
from engine.match import Match
from engine.table import Colour, Pose, Pyramid, Reading, Scene, Size, Stack

SIZES = {"S": Size.SMALL, "M": Size.MEDIUM, "L": Size.LARGE}
COLOURS = {"r": "red", "g": "green", "b": "blue", "y": "yellow", "o": "orange"}
PLAYERS = (Player("Black", Colour.BLACK), Player("White", Colour.WHITE))
SQUARE_MM = 39.6


def pyramids(text: str) -> tuple[Pyramid, ...]:
    return tuple(Pyramid(Colour(COLOURS[word[1]]), SIZES[word[0]]) for word in text.split())


def stack(text: str) -> Stack:
    square, _, what = (part.strip() for part in text.partition(":"))
    what, _, direction = (part.strip() for part in what.partition(">"))
    what, _, owner = (part.strip() for part in what.partition("/"))
    file, rank = "abcdefgh".index(square[0]), int(square[1]) - 1
    heading_deg = 45.0 * COMPASS.index(direction) if direction else None
    pose = Pose((file % 4 + 0.5) * SQUARE_MM, (rank % 4 + 0.5) * SQUARE_MM, heading_deg)
    sheet = "board-" + "sn"[rank // 4] + "we"[file // 4]
    return Stack(sheet, square, pose, pyramids(what), Colour(owner) if owner else None)


@pytest.fixture
def scene() -> Callable[[str], Scene]:
    return lambda text: Scene.of([stack(part) for part in text.split(";") if part.strip()])


@pytest.fixture
def match(scene: Callable[[str], Scene]) -> Callable[..., Match]:
    """A match from the beginning of a round on that table."""

    def made(text: str, initiative: Sequence[str] = (), players: tuple[Player, ...] = PLAYERS) -> Match:
        return Match(martian_mids, martian_mids.start(Setup(players, tuple(initiative)), scene(text)))

    return made


@pytest.fixture
def doubted() -> Callable[..., Scene]:
    """The scene with other readings of the stack on a square: (pyramids, probability), likeliest first."""

    def made(seen: Scene, square: str, *readings: tuple[str, float]) -> Scene:
        return Scene.of([_doubted(one, readings) if one.zone == square else one for one in seen.stacks])

    return made


def _doubted(one: Stack, readings: Sequence[tuple[str, float]]) -> Stack:
    ranked = tuple(Reading(pyramids(text), one.pose.heading_deg, one.stand, p) for text, p in readings)
    return replace(one, pyramids=ranked[0].pyramids, readings=ranked)
