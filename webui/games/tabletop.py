"""What the page and the command line need of a game beyond its rules, and the values that carry it.

States reach a tabletop's words and drawing only as everybody may see them: see `engine.game.Game.visible_to`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Protocol

from markupsafe import Markup

from engine.game import Game
from engine.match import Match
from engine.table import Colour, Pose, Scene, Size

ToLay = tuple[str, Pose, Colour, Size]  # a pyramid that is to be laid: the sheet, the pose on it, and which it is


@dataclass(frozen=True)
class Start:
    """The state that a game starts from, and how that differs from a proper start, in sentences."""

    state: Any
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True)
class Standing:
    """A player's line in the page's list: the figures stand under `Turn.columns`."""

    name: str
    colour: Colour | None = None
    figures: tuple[str, ...] = ()
    is_awaited: bool = False


@dataclass(frozen=True)
class Turn:
    """Who has to do what now, and how everybody stands. `colour` is that of the one who is awaited."""

    headline: str
    detail: str = ""
    colour: Colour | None = None
    heading: str = ""
    columns: tuple[str, ...] = ()
    players: tuple[Standing, ...] = ()


@dataclass(frozen=True)
class Choice:
    """One thing that a player may say now, as a button: `declaration` is what `Tabletop.declare` takes for it.

    `player` is who may say it, None for anybody. With `dice`, so many faces are tapped first: they become "roll", a
    list of pips, in the declaration. `rule` is the id of the rule that asks for it. Buttons of a `group` stand together
    under that heading.
    """

    words: str
    declaration: dict[str, Any]
    player: str | None = None
    dice: int = 0
    rule: str | None = None
    group: str = ""


@dataclass(frozen=True)
class Switch:
    """A variant, or a rule that groups play differently: its name in `options`, and the rule in our own words.

    `source` is the rulebook's section or the house ruling. `values` are what may be chosen, where it is not on or off.
    """

    name: str
    label: str
    text: str
    source: str
    default: Any = False
    values: tuple[Any, ...] = ()


class Tabletop(Protocol):
    """One game as people meet it: a module of this folder."""

    @property
    def NAME(self) -> str:  # noqa: N802  a constant of the module
        """What game.json calls the game."""

    @property
    def TITLE(self) -> str:  # noqa: N802
        """What players call it."""

    @property
    def LAYOUTS(self) -> tuple[str, ...]:  # noqa: N802
        """The layouts of sheets that it is played on."""

    @property
    def GAME(self) -> Game:  # noqa: N802
        """Its rules."""

    @property
    def SWITCHES(self) -> tuple[Switch, ...]:  # noqa: N802
        """Its options, for whoever sets up a game."""

    def setup(self, doc: dict[str, Any]) -> Any:
        """What game.json says was set up. Raises InvalidSetup, naming the field."""

    def start(self, setup: Any, scene: Scene, layout: str) -> Start:
        """The start, from the first table that was seen. Raises InvalidSetup where the game cannot start so."""

    def declare(self, match: Match, declaration: Any) -> None:
        """Take one thing that was said: at once if the table shows nothing of it. Raises EngineError where it makes no
        sense."""

    def choices(self, state: Any, player: str | None) -> tuple[Choice, ...]:
        """What may be said now: by anybody on the main screen (None), or by this player, who sees the state so."""

    def private(self, state: Any, player: str) -> Markup | None:
        """What only this player may see; None where nothing is secret."""

    def mat(self, state: Any) -> Markup:
        """The status mat that takes the place of the printed one."""

    def deal(self, doc: dict[str, Any]) -> dict[str, Any]:
        """The game.json of a new game with what the umpire itself adds to it."""

    def next_poses(self, state: Any) -> tuple[ToLay, ...]:
        """Where pyramids are to be laid next, to be drawn on the photo."""

    def move_words(self, move: Any, state: Any | None) -> str:
        """A move for people: 'Black moves f2-f4'. `state` is the table after it, where that is known."""

    def spoken(self, text: str, state: Any) -> str:
        """A sentence of the engine with its places as players call them: 'Bo's tower 3' for 'tower 2/3'."""

    def turn(self, state: Any) -> Turn:
        """Whose turn it is and how everybody stands."""

    def drawing(self, state: Any | None, before: Any | None, manner: str, players: tuple[str, ...] = ()) -> Markup:
        """The table as SVG; None is an empty one, of these players. What differs from `before` is marked in the manner
        of the ruling."""
