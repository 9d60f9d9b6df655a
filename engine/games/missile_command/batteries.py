"""What stands in the silos: Options, Player, Silo, Executive, Battery; and what can be seen of it: Side, Position.

A silo is the three missiles that it was built of, outermost first, and how many of them are left: the top is large
while three are left, medium while two are, small while one is. Whose colours nobody knows are None.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import Enum

from engine.games.missile_command.notation import PRESIDENT, VICE_PRESIDENT
from engine.table import Colour, Pyramid, Size

TWO_PLAYERS_LACK = frozenset({Colour.RED, Colour.YELLOW})
BASIC = frozenset({Colour.BLACK, Colour.WHITE, Colour.BLUE, Colour.GREEN, Colour.CLEAR})


@dataclass(frozen=True)
class Options:
    """Variants and switches for rules that groups read differently.

    `basic_game`: only black, white, blue, green and clear missiles. `shared_stockpile`: players take their pyramids in
    turn from one pool. `launch_detect`: what is launched in one round strikes in the next. `peace_love_dove`: the same
    rules in kinder words. `mirv_by_the_table`: the MIRV has no extra attack on drones and neutron bombs (MC-2).
    `abms_save_tokens`: an ABM may meet a missile that is aimed at an exposed executive (MC-12).
    `gaps`: photos may be missing, so that two events may lie between two tables.
    """

    basic_game: bool = False
    shared_stockpile: bool = False
    launch_detect: bool = False
    peace_love_dove: bool = False
    mirv_by_the_table: bool = False
    abms_save_tokens: bool = False
    gaps: bool = False


@dataclass(frozen=True)
class Player:
    """A player's name and number: that of the sheet with the battery, silos-2 for player 2."""

    name: str
    number: int

    @property
    def sheet(self) -> str:
        return f"silos-{self.number}"


@dataclass(frozen=True)
class Silo:
    """The missiles it was built of, outermost first, how many are left, and whether the top one is damaged.

    `marker` is the piece that lies before a damaged top, if it is known which. `is_searched`: its owner has said what
    stands exposed, now that it is empty. `is_guess`: how many are left is only what a doubtful photo showed, so what
    would be on top then is nobody's business yet.
    """

    missiles: tuple[Colour | None, Colour | None, Colour | None] = (None, None, None)
    left: int = 3
    is_damaged: bool = False
    marker: Pyramid | None = None
    is_searched: bool = False
    is_guess: bool = False

    @property
    def colour(self) -> Colour | None:
        """The colour of the exposed missile; None if the silo is empty, or nobody knows."""
        return self.missiles[3 - self.left] if self.left else None

    @property
    def top(self) -> Pyramid | None:
        return Pyramid(self.colour, Size(self.left)) if self.colour is not None else None

    @property
    def standing(self) -> tuple[Colour | None, ...]:
        """The missiles that are left, outermost first."""
        return self.missiles[3 - self.left :] if self.left else ()

    def without_top(self) -> Silo:
        return replace(self, left=self.left - 1, is_damaged=False, marker=None, is_guess=False) if self.left else self

    def showing(self, colour: Colour) -> Silo:
        """The silo, now that its top is seen to have this colour."""
        missiles = list(self.missiles)
        missiles[3 - self.left] = colour
        return replace(self, missiles=(missiles[0], missiles[1], missiles[2]))


class Fate(Enum):
    """How it stands with an executive."""

    HIDDEN = "hidden"
    EXPOSED = "exposed"
    DESTROYED = "destroyed"


@dataclass(frozen=True)
class Executive:
    """A President or Vice President: under which silo, None if nobody has said, and how it stands."""

    silo: int | None = None
    fate: Fate = Fate.HIDDEN


@dataclass(frozen=True)
class Shield:
    """The Star Wars system: up until the turn of player `number` has ended so many times more."""

    number: int
    ends: int = 2


@dataclass(frozen=True)
class Seal:
    """A commitment that everybody may see, and the salt and text that open it; None: not to be seen yet."""

    commitment: str
    salt: str | None = None
    text: str | None = None


@dataclass(frozen=True)
class OnItsWay:
    """Launch Detect: a missile that will strike in its owner's next turn, and the player it is launched at.

    `target` is None where nobody could see at whom: the strike will tell.
    """

    missile: Pyramid
    target: int | None


@dataclass(frozen=True)
class Battery:
    """Everything of one player: silos, executives, air wing.

    `is_startled`: an executive was exposed and the Star Wars system is not up yet.
    """

    silos: tuple[Silo, ...] = (Silo(),) * 8
    president: Executive = Executive()
    vice_president: Executive = Executive()
    air_wing: tuple[Size, ...] = ()
    shield: Shield | None = None
    is_startled: bool = False
    is_out: bool = False
    on_its_way: OnItsWay | None = None
    is_declared: bool = False
    seal: Seal | None = None

    @property
    def executives(self) -> tuple[tuple[str, Executive], ...]:
        return ((PRESIDENT, self.president), (VICE_PRESIDENT, self.vice_president))

    def exposed_in(self, silo: int) -> tuple[str, ...]:
        """Who stands exposed there."""
        return tuple(name for name, one in self.executives if one.silo == silo and one.fate is Fate.EXPOSED)

    def can_be_hit(self, silo: int) -> bool:
        """Whether a missile or an exposed executive is there."""
        return not self.is_out and (self.silos[silo - 1].left > 0 or bool(self.exposed_in(silo)))

    @property
    def hittable(self) -> tuple[int, ...]:
        return tuple(silo for silo in range(1, 9) if self.can_be_hit(silo))

    @property
    def tops(self) -> tuple[Colour, ...]:
        return tuple(silo.colour for silo in self.silos if silo.colour is not None)

    def with_silo(self, number: int, silo: Silo) -> Battery:
        return replace(self, silos=(*self.silos[: number - 1], silo, *self.silos[number:]))

    def with_executive(self, name: str, executive: Executive) -> Battery:
        if name == PRESIDENT:
            return replace(self, president=executive)
        return replace(self, vice_president=executive)


# What can be seen.


@dataclass(frozen=True)
class Side:
    """What can be seen of one battery: the top of each silo (None: empty, or nothing seen), the pieces that lie as
    damage markers with the silos they point at, and the units of the air wing, largest first."""

    tops: tuple[Pyramid | None, ...] = (None,) * 8
    markers: tuple[tuple[int, Pyramid | None], ...] = ()
    air_wing: tuple[Size, ...] = ()

    @property
    def damaged(self) -> frozenset[int]:
        return frozenset(silo for silo, _ in self.markers)


@dataclass(frozen=True)
class Position:
    """What can be seen: a Side for each player's number."""

    sides: tuple[tuple[int, Side], ...] = ()

    def side(self, number: int) -> Side:
        return dict(self.sides).get(number, Side())


def side_of(battery: Battery) -> Side:
    if battery.is_out:
        return Side()
    markers = tuple((n, silo.marker) for n, silo in enumerate(battery.silos, 1) if silo.is_damaged)
    return Side(tuple(silo.top for silo in battery.silos), markers, battery.air_wing)


def sorted_wing(sizes: tuple[Size, ...]) -> tuple[Size, ...]:
    return tuple(sorted(sizes, reverse=True))


def in_order(pieces: tuple[Pyramid, ...]) -> tuple[Pyramid, ...]:
    return tuple(sorted(pieces, key=lambda piece: (-piece.size, piece.colour.value)))
