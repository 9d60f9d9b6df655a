"""Eight photographed games, two of each, as data: what lies where in each photo, and what a fair umpire says of it.

Each is ruled by hand from the games' rules, not from what the umpire makes of it. Pieces are written like 'R3' (large
red), stacks bottom first, nests outermost first. `hand` marks photos with a hand over the table: nothing is ruled on
them. `nudged` says what stands or lies a little off its place, in mm: never an event. The README beside this says how
the photos were made.
"""

from __future__ import annotations

import copy
import math
from dataclasses import dataclass, field
from typing import Any

SLANT_MM = {1: 26.38, 2: 36.31, 3: 46.23}  # the length of a lying piece
TIP_DEG = {1: 30.30, 2: 30.57, 3: 30.72}  # how far a car turns when it rolls over one side


@dataclass(frozen=True)
class Frame:
    """One photo: what lies there (in the form of its game, see the functions below) and the ruling on it."""

    lies: Any
    event: str
    is_legal: bool = True
    why: str = ""
    hand: bool = False
    nudged: dict[str, tuple[float, float]] = field(default_factory=dict)


@dataclass(frozen=True)
class Story:
    """A photographed game. `light` and `tilt_deg` are what the camera had to cope with."""

    name: str
    layout: str
    game: dict[str, Any]
    frames: tuple[Frame, ...]
    light: str
    tilt_deg: float = 0.0


class _Telling:
    """Collects the frames of a table that changes from photo to photo."""

    def __init__(self, table: Any) -> None:
        self.table, self.nudged, self.frames = table, {}, []

    def photo(self, event: str, fault: str = "", hand: bool = False) -> None:
        lies = copy.deepcopy(self.table)
        self.frames.append(Frame(lies, event, not fault, fault, hand, dict(self.nudged)))


# Martian Mids. What lies: ({square: (stand, stack)}, [(square, missile, where it points)]).


def mids_b() -> Story:
    mids = {
        "b2": ("black", "R3 G2 Y1"),
        "e4": ("black", "B3 R2 R1"),
        "g7": ("black", "G2 G1"),
        "d6": ("white", "Y3 R1"),
        "f5": ("white", "G2 B1"),
    }
    missiles: list[tuple[str, str, str]] = []
    told = _Telling((mids, missiles))
    told.nudged |= {"d4": (-2.5, 0.0), "e4": (2.5, 0.0)}
    told.photo("After placing. Black owns three Mids, White two: Black moves first.")
    mids["d4"] = mids.pop("b2")
    told.photo("black: move b2-d4")
    mids["d6"] = ("white", "Y3")
    missiles.append(("d5", "R1", "S"))
    told.nudged["g7"] = (4.0, -3.0)
    told.photo("white: shoot d6, red small on d5 pointing south")
    mids["d4"] = ("black", "R3 G2")
    missiles.clear()
    told.photo("end of round: the missile enters d4 and smashes the top pyramid; it leaves the game")
    mids["f5"] = ("white", "G2")
    told.photo("black: attack e4xf5, and one pyramid is taken", "six pips against three: the smash takes two pyramids")
    del mids["f5"]
    told.photo("black: attack e4xf5, and both pyramids leave the game with the stand")
    mids["c5"] = mids.pop("d6")
    told.photo("white: move d6-c5")
    game = {
        "game": "martian-mids",
        "players": [{"name": "Black", "stand": "black"}, {"name": "White", "stand": "white"}],
        "initiative": ["Black", "White"],
    }
    return Story("mids-b", "board", game, tuple(told.frames), "forest", 8.0)


def mids_c() -> Story:
    mids = {
        "a1": ("orange", "G3 G1"),
        "c3": ("orange", "B3 Y2 B1"),
        "f6": ("orange", "R2 R1"),
        "d3": ("purple", "Y3 R2"),
        "h8": ("purple", "R3 B2 G1"),
        "d5": ("white", "G3 R3 Y1"),
    }
    missiles: list[tuple[str, str, str]] = []
    told = _Telling((mids, missiles))
    told.photo("After placing. Orange owns three Mids, Purple two, White one.")
    mids["f3"] = mids.pop("d3")
    told.photo("orange: attack c3xd3 (shove: six pips against five, so two squares east)")
    mids["h8"] = ("purple", "R3 B2")
    missiles.append(("g7", "G1", "SW"))
    told.photo("purple: shoot h8, green small on g7 pointing south-west")
    mids["e7"] = mids.pop("d5")
    told.photo("white: move d5-e7", "a Mid moves in a straight line")
    mids["d5"] = mids.pop("e7")
    told.photo("white: the Mid is put back on d5, the hand still over the board", hand=True)
    mids["d8"] = mids.pop("d5")
    told.nudged["a1"] = (-4.0, 4.0)
    told.photo("white: move d5-d8")
    mids["f6"], mids["g5"] = ("orange", "R2"), ("orange", "R1")
    missiles.clear()
    told.photo("end of round: the missile enters f6 and splits the Mid; its top goes to g5 on a stand of orange")
    game = {
        "game": "martian-mids",
        "players": [{"name": name, "stand": name.lower()} for name in ("Orange", "Purple", "White")],
        "initiative": ["Orange", "Purple", "White"],
    }
    return Story("mids-c", "board", game, tuple(told.frames), "sunset")


# Missile Command. What lies: ({player: eight nests}, {(player, silo): damage marker}, {player: air wing}).

COLOURS = {"R": "red", "Y": "yellow", "G": "green", "B": "blue", "K": "black", "W": "white", "C": "clear", "N": "cyan"}
COLOURS |= {"O": "orange", "P": "purple"}
SIZES = {1: "small", 2: "medium", 3: "large"}


class _Silos(_Telling):
    def __init__(self, one: str, two: str) -> None:
        self.silos = {1: one.split(" | "), 2: two.split(" | ")}
        self.damage: dict[tuple[int, int], str] = {}
        self.wing: dict[int, list[str]] = {1: [], 2: []}
        super().__init__((self.silos, self.damage, self.wing))

    def take(self, player: int, silo: int) -> str:
        """The exposed missile of a silo, which is gone from it now."""
        top, *rest = self.silos[player][silo - 1].split()
        self.silos[player][silo - 1] = " ".join(rest)
        return top

    def restore(self, player: int, silo: int, missile: str) -> None:
        self.silos[player][silo - 1] = f"{missile} {self.silos[player][silo - 1]}".strip()


def _command(first: str, told: _Silos, executives: dict[str, Any]) -> dict[str, Any]:
    built = told.frames[0].lies[0]
    return {
        "game": "missile-command",
        "players": [{"name": "1", "sheet": "silos-1"}, {"name": "2", "sheet": "silos-2"}],
        "first": first,
        "batteries": {
            str(player): [[{"colour": COLOURS[p[0]], "size": SIZES[int(p[1])]} for p in nest.split()] for nest in nests]
            for player, nests in built.items()
        },
        "executives": executives,
    }


def silos_b() -> Story:
    told = _Silos(
        "K3 W2 G1 | G3 B2 P1 | B3 N2 K1 | W3 K2 C1 | O3 W2 P1 | P3 G2 B1 | C3 B2 W1 | N3 O2 G1",
        "B3 K2 W1 | W3 O2 N1 | K3 G2 P1 | C3 W2 B1 | N3 P2 K1 | G3 K2 C1 | P3 B2 G1 | W3 N2 O1",
    )
    told.photo("Both batteries built. Player 1 has the first strike.")
    told.take(1, 6), told.take(2, 2)
    told.photo("player 1: launch purple from silo 6 at player 2 silo 2 (white): destroyed")
    told.damage[1, 2] = told.take(2, 3)
    told.photo("player 2: launch black from silo 3 at player 1 silo 2 (green): damaged")
    white, green = told.take(1, 4), told.take(2, 6)
    told.nudged["1/2"] = (2.0, 2.0)
    told.photo("player 1: launch white from silo 4 at player 2 silo 6 (green), which is taken", "green is only damaged")
    told.restore(2, 6, green)
    told.damage[2, 6] = white
    told.photo("player 1: the green stands again, damaged: the white that was launched lies before it")
    told.take(2, 1), told.take(1, 8), told.take(1, 7)
    told.photo("player 2: launch blue from silo 1 at player 1 silo 8 (cyan): destroyed, and silo 7 with it")
    told.take(1, 5)
    told.photo("player 1: orange is discarded from silo 5", "other missiles are exposed: one must be launched")
    sealed = {"1": {"president": 5, "vice_president": 2}, "2": {"president": 6, "vice_president": 3}}
    return Story("silos-b", "silos-2p", _command("1", told, sealed), tuple(told.frames), "sunset", 6.0)


def silos_c() -> Story:
    told = _Silos(
        "N3 K2 B1 | K3 C2 G1 | W3 N2 O1 | B3 G2 W1 | C3 P2 K1 | G3 W2 N1 | P3 O2 C1 | K3 B2 P1",
        "P3 W2 K1 | N3 G2 C1 | B3 K2 N1 | O3 C2 W1 | W3 B2 G1 | K3 N2 P1 | C3 O2 B1 | G3 P2 W1",
    )
    told.photo("Both batteries built. Player 2 has the first strike.")
    told.wing[2].append(told.take(2, 2))
    told.photo("player 2: scramble cyan from silo 2")
    told.take(1, 5)
    told.photo("player 1: launch the drone from silo 5: a probe, only the drone leaves")
    told.wing[2].clear()
    told.take(1, 4), told.take(2, 6), told.take(1, 8)
    told.photo("player 2: sortie of cyan at player 1 silo 4 (blue), then black from silo 6 at silo 8 (black)")
    white = told.take(2, 5)
    told.damage[1, 2] = white
    told.photo("player 2: launch white from silo 5 at player 1 silo 2 (black): damaged", "it is player 1's turn")
    del told.damage[1, 2]
    told.restore(2, 5, white)
    told.photo("player 2: the white is put back into silo 5, the hand still over the table", hand=True)
    told.take(1, 7), told.take(2, 5)
    told.photo("player 1: launch purple from silo 7 at player 2 silo 5 (white): destroyed")
    sealed = {"1": {"president": 3, "vice_president": 6}, "2": {"president": 1, "vice_president": 7}}
    return Story("silos-c", "silos-2p", _command("2", told, sealed), tuple(told.frames), "city")


# Pyramid Gran Prix. What lies: {car: (size, tip x mm, tip y mm, heading in degrees)}.


class _Race(_Telling):
    def move(self, car: str, lengths: int = 1) -> None:
        size, x_mm, y_mm, deg = self.table[car]
        far = lengths * SLANT_MM[size]
        x_mm, y_mm = x_mm + far * math.cos(math.radians(deg)), y_mm + far * math.sin(math.radians(deg))
        self.table[car] = (size, x_mm, y_mm, deg)

    def turn(self, car: str, sides: int) -> None:
        """Roll over so many sides; to the left where above zero. The tip stays."""
        size, x_mm, y_mm, deg = self.table[car]
        self.table[car] = (size, x_mm, y_mm, deg + sides * TIP_DEG[size])


def _grand_prix(drivers: dict[str, tuple[int, int]], laps: int, declared: dict[str, Any]) -> dict[str, Any]:
    return {
        "game": "pyramid-gran-prix",
        "players": [
            {"name": name, "colour": name.lower(), "gear": gear, "speed": speed}
            for name, (gear, speed) in drivers.items()
        ],
        "pylon": list(drivers),
        "laps": laps,
        "direction": "counter-clockwise",
        "declared": declared,
    }


def race_b() -> Story:
    told = _Race({"black": (3, 262, 290, 180), "orange": (2, 290, 320, 180), "yellow": (1, 330, 278, 180)})
    told.photo("Third gear 2, second gear 3, first gear 2. Pylon: black, orange, yellow.")
    told.move("black")
    told.photo("phase 1, black: move")
    told.move("orange")
    told.nudged["yellow"] = (2.0, 1.0)
    told.photo("phase 1, orange: move")
    told.nudged.clear()
    told.move("yellow")
    told.turn("yellow", 1)
    told.photo("phase 1, yellow: move, turn left")
    told.move("black")
    told.turn("black", 1)
    told.photo("phase 2, black: move, and turn left after a failed check", "third gear turns in phase 1 only")
    told.turn("black", -1)
    told.photo("phase 2, black: move; the turn is undone")
    told.move("orange")
    told.turn("orange", 1)
    told.photo("phase 2, orange: move, turn left")
    drivers = {"Black": (3, 2), "Orange": (2, 3), "Yellow": (1, 2)}
    declared = {"04.jpg": {"roll": [2, 3], "for": "turn", "player": "Black"}}
    return Story("race-b", "track-oval", _grand_prix(drivers, 3, declared), tuple(told.frames), "forest")


def race_c() -> Story:
    told = _Race({"green": (3, 255, 45, 0), "purple": (2, 238, 95, 0), "cyan": (1, 215, 70, 0)})
    told.photo("Third gear 2, second gear 2, first gear 3. Pylon: green, purple, cyan.")
    told.move("green")
    told.photo("phase 1, green: move, over the finish line")
    told.move("cyan")
    told.photo("phase 1, cyan: move", "purple is before cyan in the pylon and has not moved")
    told.move("cyan", -1)
    told.photo("cyan is put back, the hand still over the track", hand=True)
    told.move("purple")
    told.photo("phase 1, purple: move, over the finish line")
    told.move("cyan")
    told.turn("cyan", -1)
    told.photo("phase 1, cyan: move, turn right")
    told.move("green", 2)
    told.photo("phase 2, green: two lengths", "a car moves one length in a phase")
    drivers = {"Green": (3, 2), "Purple": (2, 2), "Cyan": (1, 3)}
    return Story("race-c", "track-oval", _grand_prix(drivers, 2, {}), tuple(told.frames), "night", 10.0)


# Ziggurat. What lies: ({(player, tower): stack}, the scrapyard).


class _Towers(_Telling):
    def __init__(self) -> None:
        self.towers = {(p, n): f"{c}3 {c}2 {c}1" for p in (1, 2) for n, c in enumerate("RBYK", 1)}
        self.yard = ["G1", "G2", "G3", "G1", "G2", "G3"]
        super().__init__((self.towers, self.yard))

    def becomes(self, player: int, tower: int, stack: str) -> None:
        """What leaves a tower lies in the scrapyard, and what comes was taken from there."""
        before = self.towers[player, tower].split()
        for piece in stack.split():
            if piece in before:
                before.remove(piece)
            else:
                self.yard.remove(piece)
        self.yard.extend(before)
        self.towers[player, tower] = stack


def _card(rank: str, *suits: str) -> dict[str, Any]:
    return {"rank": rank, "suits": list(suits)}


def _attack(card: dict[str, Any], player: str, tower: int) -> dict[str, Any]:
    return {"action": "attack", "card": card, "target": {"player": player, "tower": tower}, "defence": []}


def _battle(first: str, declared: dict[str, Any]) -> dict[str, Any]:
    players = [{"name": "1", "sheet": "towers-1"}, {"name": "2", "sheet": "towers-2"}]
    return {"game": "ziggurat", "players": players, "first": first, "declared": declared}


def towers_b() -> Story:
    told = _Towers()
    told.photo("Start: four towers each, the green pyramids in the scrapyard. Player 2 starts.")
    told.becomes(1, 2, "B3 G1")
    told.photo(
        "player 2: attack on player 1's blue tower with the 8 of Waves and Leaves (2 pips); a green small is change"
    )
    told.becomes(2, 4, "K3 K2")
    told.nudged["1/1"] = (4.0, -3.0)
    told.photo("player 1: attack on player 2's black tower with the Ace of Moons (1 pip)")
    told.becomes(1, 1, "R3 K1")
    told.photo(
        "player 2: attack on player 1's red tower with the 9 of Waves and Wyrms (2 pips)",
        "Waves and Wyrms reach blue and green towers",
    )
    told.becomes(1, 1, "R3 R2 R1")
    told.photo("player 1's red tower is put back as it was")
    told.becomes(1, 2, "B2")
    told.photo("player 2: attack on player 1's green tower with the same 9 (2 pips): a blue medium is what is left")
    told.becomes(1, 3, "Y3 Y2 G1")
    told.photo("player 1: remodel, three cards discarded, the yellow small for the green small of the scrapyard")
    nine = _card("9", "Waves", "Wyrms")
    three = [_card("2", "Moons", "Knots"), _card("6", "Suns", "Wyrms"), _card("3", "Suns", "Knots")]
    declared = {
        "01.jpg": _attack(_card("8", "Waves", "Leaves"), "1", 2),
        "02.jpg": _attack(_card("Ace", "Moons"), "2", 4),
        "03.jpg": _attack(nine, "1", 1),
        "05.jpg": _attack(nine, "1", 2),
        "06.jpg": {"action": "remodel", "tower": 3, "discarded": three},
    }
    return Story("towers-b", "towers-2p", _battle("2", declared), tuple(told.frames), "sunrise", 9.0)


def towers_c() -> Story:
    told = _Towers()
    told.photo("Start: four towers each, the green pyramids in the scrapyard. Player 1 starts.")
    told.becomes(2, 3, "Y3 Y2")
    told.photo("player 1: attack on player 2's yellow tower with the 3 of Suns and Knots (1 pip)")
    told.becomes(1, 1, "R3")
    told.photo("player 2: attack on player 1's red tower with the Crown of Suns (3 pips)")
    told.becomes(1, 2, "B3 B2 G2")
    told.photo("player 1: remodel, the blue small for a green medium", "remodelling swaps pieces of one size")
    told.becomes(1, 2, "B3 B2 G1")
    told.photo("player 1: remodel, the blue small for a green small; the medium lies in the scrapyard again")
    told.becomes(1, 2, "B3 R1")
    told.photo("player 2: attack on player 1's green tower with the 7 of Waves and Wyrms (2 pips)")
    told.becomes(2, 4, "K3 G1")
    told.photo(
        "player 1: attack on player 2's black tower with the 8 of Moons and Suns (2 pips)",
        "it takes a blue or a green tower, and player 1 has none left",
    )
    three = [_card("2", "Suns", "Wyrms"), _card("5", "Moons", "Leaves"), _card("9", "Leaves", "Knots")]
    declared = {
        "01.jpg": _attack(_card("3", "Suns", "Knots"), "2", 3),
        "02.jpg": _attack(_card("Crown", "Suns"), "1", 1),
        "03.jpg": {"action": "remodel", "tower": 2, "discarded": three},
        "05.jpg": _attack(_card("7", "Waves", "Wyrms"), "1", 2),
        "06.jpg": _attack(_card("8", "Moons", "Suns"), "2", 4),
    }
    return Story("towers-c", "towers-2p", _battle("1", declared), tuple(told.frames), "forest")


STORIES = {
    story.name: story
    for story in (mids_b(), mids_c(), silos_b(), silos_c(), race_b(), race_c(), towers_b(), towers_c())
}
