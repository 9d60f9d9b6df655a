"""What whoever sets up a game is asked about its players and its table, beyond the options (`Tabletop.SWITCHES`)."""

from __future__ import annotations

from dataclasses import dataclass

from engine.table import COLOURS

Value = tuple[str, str]  # as in game.json, and in words


@dataclass(frozen=True)
class Question:
    """One more field of game.json. With `values` one of them is chosen; otherwise it is a whole number from 1."""

    name: str
    label: str
    hint: str = ""
    values: tuple[Value, ...] = ()
    default: str = ""


@dataclass(frozen=True)
class Seating:
    """How many play, and what each has besides a name: `field` of the player in game.json, one of `marks`.

    `is_own`: no two players may have the same. `needs` says what lies on the table, `prints` what `umpire mats`
    takes to print it, for the fewest players. `begins`: it is asked who does.
    """

    who: str
    fewest: int
    most: int
    field: str
    label: str
    marks: tuple[Value, ...]
    needs: str
    prints: str
    hint: str = ""
    is_own: bool = True
    begins: bool = False
    has_dice: bool = False
    has_deck: bool = False
    own_board: bool = False
    questions: tuple[Question, ...] = ()


def _colours() -> tuple[Value, ...]:
    return tuple((str(colour), str(colour)) for colour in COLOURS)


def _sheets(family: str, count: int) -> tuple[Value, ...]:
    return tuple((f"{family}-{n}", f"{family}-{n}") for n in range(1, count + 1))


SEATINGS = {
    "martian-mids": Seating(
        who="player",
        fewest=2,
        most=4,
        field="stand",
        label="Stands",
        marks=tuple(sorted(_colours(), key=lambda mark: mark[0] not in ("black", "white", "orange", "purple"))),
        needs="The chessboard in four sheets (board), or your own with corner cards; stands for each player.",
        prints="board stands",
        hint="Every player's Mids stand on stands of one colour.",
        own_board=True,
    ),
    "missile-command": Seating(
        who="player",
        fewest=2,
        most=10,
        field="sheet",
        label="Sheet",
        marks=_sheets("silos", 10),
        needs="A sheet of silos for each player (silos-2p for two).",
        prints="silos-2p",
        hint="Batteries are built in secret: each player tells the umpire on a phone, or nobody does.",
        begins=True,
    ),
    "pyramid-gran-prix": Seating(
        who="driver",
        fewest=2,
        most=33,
        field="colour",
        label="Car",
        marks=_colours(),
        needs="The oval (track-oval), a ring of track tiles (track-tiles-4, -6 or -8), or four corner cards (corner).",
        prints="track-oval",
        is_own=False,
        has_dice=True,
        questions=(
            Question(
                name="start",
                label="How the race starts",
                default="starting line",
                values=(
                    ("starting line", "From the starting line, stopped"),
                    ("pace car", "Behind the pace car, in second gear"),
                    ("standing start", "One after the other onto the track"),
                ),
            ),
            Question("laps", "Laps", "Five is usual.", default="5"),
            Question(
                name="track",
                label="The track",
                default="printed",
                values=(
                    ("printed", "The printed sheets"),
                    ("drawn", "The drawn track that was kept on the page Track"),
                    ("gates", "Gates that stand between corner cards, clear inside and red outside"),
                ),
            ),
        ),
    ),
    "ziggurat": Seating(
        who="wizard",
        fewest=2,
        most=5,
        field="sheet",
        label="Sheet",
        marks=_sheets("towers", 5),
        needs="A sheet of towers for each wizard and the scrapyard (towers-2p for two).",
        prints="towers-2p",
        begins=True,
        has_deck=True,
    ),
}
