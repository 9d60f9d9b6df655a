"""Any chessboard between the four corner cards: where its squares are.

Each card lies around one outer corner of the board. Table points are millimetres; a square's name is as on every
chessboard, a1 at the corner of the card `corner-sw`, files a to h towards `corner-se`, ranks 1 to 8 towards
`corner-nw`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from types import MappingProxyType

import numpy as np

from calibration.appearance import Floats
from calibration.locate import LocateError
from calibration.optics import LocatedSheet, LocatedTable, SheetPose

LAYOUT = "corner-cards"
SIDE = 8  # squares
FILES = "abcdefgh"
CORNERS = MappingProxyType(  # of the board on each card, sheet mm; and on the board, whose sides are 1
    {
        "corner-sw": ((30.0, 30.0), (0.0, 0.0)),
        "corner-se": ((84.0, 30.0), (1.0, 0.0)),
        "corner-nw": ((30.0, 84.0), (0.0, 1.0)),
        "corner-ne": ((84.0, 84.0), (1.0, 1.0)),
    }
)
LEAST_SQUARE_MM, MOST_SQUARE_MM = 25.0, 120.0  # a large pyramid's base is 25.4 mm
MOST_TURN_DEG = 12.0  # of a card against the board
CROOKED_MM = 5.0  # a card that lies off a square's corner by more was not laid there


class ChessboardError(LocateError):
    """The cards do not say where the squares are; the message says why and what to do."""


@dataclass(frozen=True)
class Chessboard:
    """The board's eight by eight squares as they lie: `pose` is table_from_board, true mm from the corner of a1."""

    pose: SheetPose
    square_mm: float

    @property
    def side_mm(self) -> float:
        return SIDE * self.square_mm

    def square_at(self, x_mm: float, y_mm: float) -> str | None:
        """The square that holds the table point; None beside the board.

        >>> Chessboard(SheetPose(30.0, 30.0, 0.0), 50.0).square_at(95.0, 40.0)
        'b1'
        """
        x, y = self.pose.to_sheet(np.array([[x_mm, y_mm]]))[0].tolist()
        file, rank = math.floor(x / self.square_mm), math.floor(y / self.square_mm)
        return f"{FILES[file]}{rank + 1}" if 0 <= file < SIDE and 0 <= rank < SIDE else None

    def card_of(self, x_mm: float, y_mm: float) -> str:
        """The card in whose quarter of the board the table point is."""
        x, y = self.pose.to_sheet(np.array([[x_mm, y_mm]]))[0].tolist()
        north, east = y >= self.side_mm / 2, x >= self.side_mm / 2
        return f"corner-{'n' if north else 's'}{'e' if east else 'w'}"

    def squares_mm(self, inset: float = 0.0) -> Floats:
        """Table points of all squares' corners, shape (8, 8, 4, 2): by file, rank, and counter-clockwise.

        `inset` is how far inside of the square they are, over its size.
        """
        near, far = inset, 1 - inset
        corners = np.array([[near, near], [far, near], [far, far], [near, far]])
        first = np.stack(np.meshgrid(np.arange(SIDE), np.arange(SIDE), indexing="ij"), axis=-1)
        points = (first[:, :, None] + corners) * self.square_mm
        return self.pose.to_table(points.reshape(-1, 2)).reshape(points.shape)


def chessboard_of(table: LocatedTable, square_mm: float | None = None) -> Chessboard | None:
    """The board between the cards that are seen; None when the table has no cards.

    Its squares are as large as the cards' distances say. When their size is given they lie around the middle of the
    cards, so that a board may have a rim. Raises ChessboardError.
    """
    cards = [sheet for sheet in table.sheets if sheet.sheet in CORNERS]
    if table.layout != LAYOUT or not cards:
        return None
    if len(cards) < 2:
        raise ChessboardError("Only one corner card is seen, and the squares need two or more: show the others too.")
    _check_size(square_mm)
    pose, side_mm = _laid(cards)
    if square_mm is None:
        _check_size(side_mm / SIDE)
        return Chessboard(pose, side_mm / SIDE)
    inset = (side_mm - SIDE * square_mm) / 2
    x, y = pose.to_table(np.array([[inset, inset]]))[0].tolist()
    return Chessboard(SheetPose(x, y, pose.turn_deg), square_mm)


def _check_size(square_mm: float | None) -> None:
    if square_mm is not None and not LEAST_SQUARE_MM <= square_mm <= MOST_SQUARE_MM:
        raise ChessboardError(
            f"A chessboard's squares cannot be {square_mm:.0f} mm wide: {LEAST_SQUARE_MM:.0f} to {MOST_SQUARE_MM:.0f} "
            "mm are possible. Lay the corner cards around the board's outer corners."
        )


def _laid(cards: list[LocatedSheet]) -> tuple[SheetPose, float]:
    """table_from_board and the board's side, by least squares over the cards' corners. Raises ChessboardError."""
    seen = np.array([card.pose.to_table(np.array([CORNERS[card.sheet][0]]))[0] for card in cards])
    unit = np.array([CORNERS[card.sheet][1] for card in cards])
    apart, wanted = seen - seen.mean(axis=0), unit - unit.mean(axis=0)
    along = float((apart * wanted).sum())
    across = float((wanted[:, 0] * apart[:, 1] - wanted[:, 1] * apart[:, 0]).sum())
    side_mm = math.hypot(along, across) / float((wanted**2).sum())
    turn_deg = math.degrees(math.atan2(across, along))
    turned = SheetPose(0.0, 0.0, turn_deg, max(side_mm, 1e-6))
    x, y = (seen.mean(axis=0) - turned.to_table(unit.mean(axis=0)[None])[0]).tolist()
    off_mm = np.linalg.norm(SheetPose(x, y, turn_deg, turned.scale).to_table(unit) - seen, axis=1)
    if off_mm.max() > CROOKED_MM or _are_turned(cards, turn_deg):
        names = ", ".join(card.sheet for card in cards)
        raise ChessboardError(
            f"The corner cards ({names}) do not lie around a square: lay each with its lines along the board's edges, "
            "around the corner that it names, all four upright in the same direction."
        )
    return SheetPose(x, y, turn_deg), side_mm


def _are_turned(cards: list[LocatedSheet], turn_deg: float) -> bool:
    """Whether some card is turned against the board: by a quarter, say, when its corners are still in a square."""
    return any(abs((card.pose.turn_deg - turn_deg + 180) % 360 - 180) > MOST_TURN_DEG for card in cards)
