"""What can be said: the moves, their notation, and `parse`, which undoes it.

move Red                            a car goes one length straight on
move Red at 300.0 94.5 31.0         ... and was laid there: middle in mm, heading in degrees
move Red into Blue wall off         ... and ran into a car and a wall and came off the track
move Red clear                      ... and met nothing, however near it came
turn Red left                       after its move it rolls over one side (the same words may follow)
spin Red at 310.0 90.0 200.0        spun out: where it came to lie
spin Red at 310.0 90.0 200.0 with Blue at 330.0 80.0 15.0
roll Red 3 4 for turn               two dice: for turn, adjust, wait (after a crash) or start
roll Red ? for turn                 dice that nobody told the umpire
adjust Red 2-1                      a driver changes to second gear, speed 1; or 'stopped'

Names of several words, or that are words of the notation, are put in double quotes.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass

from engine.errors import InvalidNotation
from engine.game import Touch
from engine.games.gran_prix.geometry import SIDES, heading
from engine.table import Pose

WALL, OFF = "wall", "off"
TURN, ADJUST, WAIT, START = "turn", "adjust", "wait", "start"
PURPOSES = (TURN, ADJUST, WAIT, START)
POLE = "pole"  # before the race: only in the log of the umpire's dice
STEPS = ("stopped", *(f"{gear}-{speed}" for gear in (1, 2, 3) for speed in (1, 2, 3)))  # the ladder of speeds
MOST_IN_POSE = 100_000.0  # mm or degrees
_WORDS = frozenset({"at", "into", "clear", "with", "for", WALL, OFF, "?"})


@dataclass(frozen=True)
class Obstacles:
    """What a car ran into: names of cars, a wall, and whether it came off the track."""

    cars: tuple[str, ...] = ()
    wall: bool = False
    off: bool = False

    def __str__(self) -> str:
        words = [*map(_quoted, self.cars), *([WALL] if self.wall else []), *([OFF] if self.off else [])]
        return f"into {' '.join(words)}" if words else "clear"


@dataclass(frozen=True)
class Drive:
    """A car goes one length on. `met` and `laid` are None where nobody says otherwise than the reckoning."""

    car: str
    met: Obstacles | None = None
    laid: Pose | None = None

    def __str__(self) -> str:
        return f"move {_quoted(self.car)}{_rest(self.met, self.laid)}"


@dataclass(frozen=True)
class Turn:
    """A car that has moved rolls over one side, so that its heading turns left or right."""

    car: str
    side: str
    met: Obstacles | None = None

    def __str__(self) -> str:
        return f"turn {_quoted(self.car)} {self.side}{_rest(self.met, None)}"


@dataclass(frozen=True)
class Spin:
    """A car was spun and came to lie there; other cars that it hit lie elsewhere now."""

    car: str
    pose: Pose
    jumbled: tuple[tuple[str, Pose], ...] = ()

    def __str__(self) -> str:
        others = "".join(f" with {_quoted(name)} at {pose_text(pose)}" for name, pose in self.jumbled)
        return f"spin {_quoted(self.car)} at {pose_text(self.pose)}{others}"


@dataclass(frozen=True)
class Roll:
    """Two dice that a driver rolled for something; None where nobody told the umpire."""

    car: str
    dice: tuple[int, int] | None
    purpose: str

    def __str__(self) -> str:
        dice = "{} {}".format(*self.dice) if self.dice else "?"
        return f"roll {_quoted(self.car)} {dice} for {self.purpose}"


@dataclass(frozen=True)
class Adjust:
    """At the end of a round a driver takes another place on the ladder of gears and speeds, or keeps it."""

    car: str
    step: int

    def __str__(self) -> str:
        return f"adjust {_quoted(self.car)} {STEPS[self.step]}"


Said = Drive | Turn | Spin | Roll | Adjust | Touch

_TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[^\s"]+')
_EXPECTED = "a move such as 'move Red', 'turn Red left', 'roll Red 3 4 for turn' or 'adjust Red 1-2'"


def parse(text: str) -> Said:
    """The move that `str` wrote. Raises InvalidNotation.

    >>> parse("move Red")
    Drive(car='Red', met=None, laid=None)
    >>> str(parse('turn "Ann Lee" left into Blue off'))
    'turn "Ann Lee" left into Blue off'
    """
    InvalidNotation.check_length(text)
    if touch := Touch.parse(text):
        return touch
    words = _TOKEN.findall(text)
    if "".join(words) != re.sub(r"\s+", "", text) and '"' not in text:
        raise InvalidNotation(text, _EXPECTED)
    try:
        return _said(words)
    except (ValueError, IndexError):
        raise InvalidNotation(text, _EXPECTED) from None


def _said(words: list[str]) -> Said:
    """The move that the words say. Raises ValueError or IndexError."""
    verb, car, rest = words[0].lower(), _name(words[1]), words[2:]
    match verb:
        case "move":
            laid, rest = (_pose(rest[1:4]), rest[4:]) if rest[:1] == ["at"] else (None, rest)
            return Drive(car, _met(rest), laid)
        case "turn" if rest[0].lower() in SIDES:
            return Turn(car, rest[0].lower(), _met(rest[1:]))
        case "spin" if rest[0] == "at":
            return Spin(car, _pose(rest[1:4]), _jumbled(rest[4:]))
        case "roll" if rest[-2] == "for" and rest[-1] in (*PURPOSES, POLE):
            return Roll(car, _dice(rest[:-2]), rest[-1])
        case "adjust" if len(rest) == 1:
            return Adjust(car, STEPS.index(rest[0].lower()))
    raise ValueError(verb)


def _met(words: list[str]) -> Obstacles | None:
    if not words:
        return None
    if words == ["clear"]:
        return Obstacles()
    if words[0] != "into" or len(words) < 2:
        raise ValueError(words[0])
    cars = tuple(_name(word) for word in words[1:] if word not in (WALL, OFF))
    return Obstacles(cars, WALL in words, OFF in words)


def _pose(words: list[str]) -> Pose:
    x_mm, y_mm, heading_deg = map(float, words)
    if not all(abs(each) <= MOST_IN_POSE for each in (x_mm, y_mm, heading_deg)):  # 'nan' is none either
        raise ValueError(words)
    return Pose(x_mm, y_mm, heading_deg)


def _jumbled(words: list[str]) -> tuple[tuple[str, Pose], ...]:
    found = []
    for n in range(0, len(words), 6):
        if words[n] != "with" or words[n + 2] != "at":
            raise ValueError(words[n])
        found.append((_name(words[n + 1]), _pose(words[n + 3 : n + 6])))
    return tuple(found)


def _dice(words: list[str]) -> tuple[int, int] | None:
    if words == ["?"]:
        return None
    first, second = map(int, words)
    return first, second


def _name(word: str) -> str:
    if word.startswith('"'):
        return str(json.loads(word))
    if word in _WORDS:
        raise ValueError(word)
    return word


def _quoted(name: str) -> str:
    is_plain = re.fullmatch(r'[^\s";\\]+', name) and name not in _WORDS
    return name if is_plain else json.dumps(name, ensure_ascii=False)


def _rest(met: Obstacles | None, laid: Pose | None) -> str:
    where = "" if laid is None else f" at {pose_text(laid)}"
    return where if met is None else f"{where} {met}"


def pose_text(pose: Pose) -> str:
    """A pose as three numbers: x and y in mm and the heading in degrees."""
    return f"{pose.x_mm!r} {pose.y_mm!r} {heading(pose)!r}"


def rounded(pose: Pose) -> Pose:
    """A pose to a tenth of a millimetre and a degree: finer than any camera here sees."""
    return Pose(round(pose.x_mm, 1), round(pose.y_mm, 1), round(heading(pose) % 360, 1))
