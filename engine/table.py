"""What can lie on a table: pyramids, stacks of them, and the scene they make.

Everything is a frozen, hashable value. Lengths are millimetres in the frame of a sheet: origin at the sheet's
bottom-left corner, x right, y up. Headings are degrees counter-clockwise from the sheet's x axis.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum, IntEnum


class Colour(Enum):
    """The plastic: the ten colours that every set has some of, and two that must be taught to be told apart."""

    RED = "red"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    CYAN = "cyan"
    ORANGE = "orange"
    PURPLE = "purple"
    BLACK = "black"
    WHITE = "white"
    CLEAR = "clear"
    PINK = "pink"
    GREY = "grey"

    def __str__(self) -> str:
        return self.value

    __hash__ = object.__hash__  # each colour is there once; states are hashed often


COLOURS = tuple(colour for colour in Colour if colour not in (Colour.PINK, Colour.GREY))
"""The ten that games' rules name and that are told apart untaught."""


class Size(IntEnum):
    """The three sizes; the value is the number of pips."""

    SMALL = 1
    MEDIUM = 2
    LARGE = 3

    def __str__(self) -> str:
        return self.name.lower()


@dataclass(frozen=True, order=False)
class Pyramid:
    """One piece.

    >>> str(Pyramid(Colour.RED, Size.LARGE))
    'large red'
    >>> Pyramid.parse("large red") == Pyramid(Colour.RED, Size.LARGE)
    True
    """

    colour: Colour
    size: Size

    def __str__(self) -> str:
        return f"{self.size} {self.colour}"

    @classmethod
    def parse(cls, text: str) -> Pyramid:
        """The pyramid that `str` wrote. Raises ValueError for other text."""
        size, _, colour = text.strip().lower().partition(" ")
        try:
            return cls(Colour(colour.strip()), Size[size.upper()])
        except (KeyError, ValueError):
            raise ValueError(f"expected a size and a colour such as 'large red', not {text!r}") from None


@dataclass(frozen=True)
class Pose:
    """Where a stack meets the paper (of a lying piece: midway between base edge and tip) and where its tip points.

    `heading_deg` is None for upright pieces.
    """

    x_mm: float
    y_mm: float
    heading_deg: float | None = None

    @property
    def is_lying(self) -> bool:
        return self.heading_deg is not None


@dataclass(frozen=True)
class Reading:
    """One way of reading a stack, with its probability: pyramids bottom first."""

    pyramids: tuple[Pyramid, ...]
    heading_deg: float | None
    stand: Colour | None
    probability: float

    @property
    def is_lying(self) -> bool:
        return self.heading_deg is not None


@dataclass(frozen=True)
class Stack:
    """The visible pyramids at one place, bottom first (of a nest: the outer one), with the doubt about them.

    `stand` is the colour of the stand's owner, if one is seen. `readings` are ranked, likeliest first; the first
    is what `pyramids`, `pose` and `stand` say. `zone` is the name of the sheet's zone that holds the pose, if any.
    """

    sheet: str
    zone: str | None
    pose: Pose
    pyramids: tuple[Pyramid, ...]
    stand: Colour | None = None
    readings: tuple[Reading, ...] = ()

    def __post_init__(self) -> None:
        if not self.pyramids:
            raise ValueError("a stack holds at least one pyramid")

    @property
    def confidence(self) -> float:
        """How probable the first reading is; 1.0 when no doubt was recorded."""
        return self.readings[0].probability if self.readings else 1.0

    @property
    def sort_key(self) -> tuple[str, str, float, float]:
        return (self.sheet, self.zone or "", round(self.pose.y_mm, 3), round(self.pose.x_mm, 3))


@dataclass(frozen=True)
class EmptyStand:
    """A stand on which nothing stands."""

    sheet: str
    zone: str | None
    owner: Colour


@dataclass(frozen=True)
class Scene:
    """What lies on the table at one quiet moment, in a fixed order: see `Scene.of`.

    `error_mm` is how far places may be off because of how the sheets were located, root mean square, of the worst
    sheet that something lies on; 0 where nobody measured it. Games in which millimetres matter allow for it.
    """

    stacks: tuple[Stack, ...]
    empty_stands: tuple[EmptyStand, ...] = ()
    error_mm: float = 0.0

    @classmethod
    def of(
        cls,
        stacks: tuple[Stack, ...] | list[Stack],
        empty_stands: tuple[EmptyStand, ...] = (),
        error_mm: float = 0.0,
    ) -> Scene:
        return cls(tuple(sorted(stacks, key=lambda stack: stack.sort_key)), tuple(empty_stands), error_mm)
