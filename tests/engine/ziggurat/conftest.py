"""Tables written as text: each player's towers, bottom first, by their places; what is in none is in the scrapyard.

r3r2r1 b3b2b1 y3y2y1 k3k2k1 / r3g1 b3b2b1 - k3      two players; - is no tower, k is black
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from engine.game import Plays
from engine.games import ziggurat
from engine.games.ziggurat import Options, Player, Position, State, begun
from engine.games.ziggurat.towers import tower
from engine.match import Match
from engine.table import Pose, Scene, Stack
from engine.umpire import PLAYS

WHOLE = "r3r2r1 b3b2b1 y3y2y1 k3k2k1"
NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")


def position_of(text: str) -> Position:
    return Position.of(tuple(tuple(map(tower, mine.split())) for mine in text.split("/")))


def scene_of(position: Position) -> Scene:
    stacks = [
        Stack(f"towers-{one.number}", f"tower-{one.tower}", Pose(60.0 * one.tower - 18, 60.0), position.at(one))
        for one in position.places
        if position.at(one)
    ]
    lying = enumerate(position.scrapyard)
    stacks += [Stack("scrapyard", "scrapyard", Pose(20.0 + 8 * n, 60.0 + n % 3 * 30, 40.0), (one,)) for n, one in lying]
    return Scene.of(stacks)


@pytest.fixture
def position() -> Callable[[str], Position]:
    return position_of


@pytest.fixture
def scene() -> Callable[[str], Scene]:
    return lambda text: scene_of(position_of(text))


@pytest.fixture
def laid() -> Callable[[Position], Scene]:
    return scene_of


@pytest.fixture
def state() -> Callable[..., State]:
    def made(text: str = f"{WHOLE} / {WHOLE}", turn: int = 1, **options: object) -> State:
        position = position_of(text)
        players = tuple(Player(name, f"towers-{n}") for n, name in enumerate(NAMES[: len(position.towers)], 1))
        return begun(players, position, turn, Options(**options))

    return made


@pytest.fixture
def match(state: Callable[..., State]) -> Callable[..., Match]:
    return lambda *args, **options: Match(ziggurat, state(*args, **options))


@pytest.fixture
def broken() -> Callable[[State, str], set[str]]:
    """The rules that a line of moves breaks, by their ids."""

    def found(now: State, line: str) -> set[str]:
        ids = set()
        for text in line.split("; "):
            move = ziggurat.parse(text)
            ids |= {violation.rule.id for violation in ziggurat.violations(now, move)}
            now = ziggurat.play(now, move)
        return ids

    return found


@pytest.fixture
def played() -> Callable[[State, str], State]:
    def after(now: State, line: str) -> State:
        for text in line.split("; "):
            now = ziggurat.play(now, ziggurat.parse(text))
        return now

    return after


@pytest.fixture
def plays() -> Plays:
    return Plays(PLAYS)
