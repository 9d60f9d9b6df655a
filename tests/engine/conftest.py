"""Tables written as text, and matches on them.

b2: Lr Mg / black; e6: My My Sr / white      Mids, bottom first, on their owners' stands
d4: Sb > n                                   a missile, pointing north
c1: Sr                                       a Mid whose stand is not seen
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from engine.games import gran_prix, martian_mids
from engine.games import missile_command as mc
from engine.games.gran_prix.geometry import with_tip
from engine.games.martian_mids import COMPASS, Player, Setup
from engine.games.missile_command.playing import settled
from engine.match import Match
from engine.table import Colour, Pose, Pyramid, Reading, Scene, Size, Stack

SIZES = {"S": Size.SMALL, "M": Size.MEDIUM, "L": Size.LARGE}
COLOURS = {"r": "red", "g": "green", "b": "blue", "y": "yellow", "o": "orange"}
PLAYERS = (Player("Black", Colour.BLACK), Player("White", Colour.WHITE))
SQUARE_MM = 39.6
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve", "Fay", "Gus", "Hal", "Ida", "Joe")


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


# Missile Command. A battery is eight silos parted by strokes, each its missiles outermost first:
# "black blue clear | white | ..."; one colour stands for three missiles of it, one silo for eight like it.


def battery(text: str, executives: tuple[int, int] | None = (8, 7)) -> mc.Battery:
    """A battery with its President and Vice President; None: nobody has said where they are."""
    silos = [silo.split() for silo in text.split("|")]
    silos = silos * 8 if len(silos) == 1 else silos
    assert len(silos) == 8
    missiles = [
        tuple(None if c == "?" else Colour(c) for c in (silo * 3 if len(silo) == 1 else silo)) for silo in silos
    ]
    president, vice = (mc.Executive(silo) for silo in executives or (None, None))
    built = tuple(mc.Silo((one[0], one[1], one[2])) for one in missiles)
    return mc.Battery(built, president, vice, is_declared=executives is not None)


@pytest.fixture
def missile_command() -> Callable[..., mc.State]:
    """A state of the players' batteries, player 1 to act. `left` are silos with fewer than three missiles.

    Executives under empty silos were exposed some time ago; the defence systems of `shielded` players are up.
    """

    def made(
        *texts: str,
        left: dict[str, int] | None = None,
        damaged: Sequence[str] = (),
        air_wing: dict[int, Sequence[str]] | None = None,
        executives: dict[int, tuple[int, int] | None] | None = None,
        shielded: Sequence[int] = (),
        **options: bool,
    ) -> mc.State:
        players = tuple(mc.Player(name, n) for n, name in enumerate(NAMES[: len(texts)], 1))
        sealed = tuple(battery(text, (executives or {}).get(n, (8, 7))) for n, text in enumerate(texts, 1))
        state = mc.State(players, sealed, 1, mc.Options(**options))
        for text, count in (left or {}).items():
            place = mc.Place.parse(text)
            state = state.with_silo(place, replace(state.silo(place), left=count, is_searched=not count))
            for name, one in state.battery(place.number).executives:
                if one.silo == place.silo and not count:
                    exposed = state.battery(place.number).with_executive(name, replace(one, fate=mc.Fate.EXPOSED))
                    state = state.with_battery(place.number, exposed)
        for number in shielded:
            state = state.with_battery(number, replace(state.battery(number), shield=mc.Shield(1)))
        for place in map(mc.Place.parse, damaged):
            state = state.with_silo(place, replace(state.silo(place), is_damaged=True))
        for number, sizes in (air_wing or {}).items():
            wing = tuple(Size[size.upper()] for size in sizes)
            state = state.with_battery(number, replace(state.battery(number), air_wing=wing))
        return settled(state)

    return made


@pytest.fixture
def silos_scene() -> Callable[[mc.Position], Scene]:
    """What a camera sees of a position of Missile Command."""
    return lambda position: Scene.of([stack for number, side in position.sides for stack in side_stacks(number, side)])


def side_stacks(number: int, side: mc.Side) -> list[Stack]:
    sheet = f"silos-{number}"
    middle = {silo: 20.0 + 32.0 * (silo - 1) for silo in range(1, 9)}
    tops = [(n, top) for n, top in enumerate(side.tops, 1) if top is not None]
    found = [Stack(sheet, f"silo-{n}", Pose(middle[n], 80.0), (top,)) for n, top in tops]
    for silo, marker in side.markers:
        piece = marker or Pyramid(Colour.BLACK, Size.SMALL)
        found.append(Stack(sheet, f"front-{silo}", Pose(middle[silo] + 3, 125.0, 266.0), (piece,)))
    for n, size in enumerate(side.air_wing):
        found.append(Stack(sheet, "air-wing", Pose(20.0 + 28 * n, 43.0), (Pyramid(Colour.CYAN, size),)))
    return found


STRAIGHT = gran_prix.Track(
    ((0.0, 0.0), (1000.0, 0.0), (1000.0, 600.0), (0.0, 600.0)),
    ((150.0, 150.0), (850.0, 150.0), (850.0, 450.0), (150.0, 450.0)),
    ((500.0, 0.0), (500.0, 150.0)),
)


@pytest.fixture
def race() -> Callable[..., gran_prix.State]:
    """A race on a ring whose lower straight runs to the right, over a finish line at 500 mm.

    Cars as text: 'Red 400 75 0 1-3' has its tip at 400, 75 mm and drives at heading 0 in first gear at speed 3. A
    colour may follow the name ('Ann/red'); the pylon is the order in which they are given.
    """

    def made(*cars: str, **changed: Any) -> gran_prix.State:
        players, poses, fields = [], {}, {name: changed.pop(name) for name in ("options", "track") if name in changed}
        for car in cars:
            named, *place, step = car.split()
            name, _, colour = named.partition("/")
            x_mm, y_mm, heading_deg = map(float, place)
            at = gran_prix.STEPS.index(step)
            size = Size(max((at + 2) // 3, 1))
            players.append(gran_prix.Player(name, Colour(colour or name.lower()), at))
            poses[name] = with_tip((x_mm, y_mm), heading_deg, size)
        order = tuple(player.name for player in players)
        setup = gran_prix.Setup(tuple(players), fields.pop("track", STRAIGHT), order, **fields)
        return replace(gran_prix.begun(setup, poses), **changed)

    return made


@pytest.fixture
def seen_from_above() -> Callable[..., Scene]:
    """What a camera sees of a race: every car, with other poses or pieces for some."""

    def made(state: gran_prix.State, **other: Pose | Pyramid | None) -> Scene:
        stacks = []
        for car in state.cars:
            what = other.get(car.name, car.pose)
            if what is None:
                continue
            pose = what if isinstance(what, Pose) else car.pose
            piece = what if isinstance(what, Pyramid) else Pyramid(car.colour, car.size)
            stacks.append(Stack("track", "track", pose, (piece,)))
        return Scene.of(stacks)

    return made
