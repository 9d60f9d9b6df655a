import pytest

from calibration.chessboard import CORNERS, ChessboardError, chessboard_of
from calibration.optics import Camera, Lens, LocatedSheet, LocatedTable, SheetPose
from calibration.sheets import load_sheets

CAMERA = Camera(Lens(1000.0, (639.5, 479.5), (0.0,) * 4, (1280, 960)), ((1, 0, 0), (0, -1, 0), (0, 0, -1)), (0, 0, 600))


def cards_around(board: SheetPose, side_mm: float, names=tuple(CORNERS), **nudged: tuple[float, float, float]):
    """The table with the cards around a board that lies so; `nudged` cards lie off by x, y and turn."""
    sheets = []
    for name in names:
        on_card, on_board = CORNERS[name]
        dx, dy, turn = nudged.get(name.removeprefix("corner-"), (0.0, 0.0, 0.0))
        pose = SheetPose(0.0, 0.0, board.turn_deg + turn)
        (x, y), (cx, cy) = board.to_table([[side_mm * c for c in on_board]])[0], pose.to_table([on_card])[0]
        sheets.append(LocatedSheet(name, SheetPose(x - cx + dx, y - cy + dy, pose.turn_deg), 0.2, ()))
    return LocatedTable("corner-cards", CAMERA, tuple(sheets))


@pytest.mark.parametrize("square_mm", [31.0, 42.0, 57.5])
def test_squares_are_measured_from_the_cards(square_mm):
    board = SheetPose(30.0, 25.0, 7.0)
    found = chessboard_of(cards_around(board, 8 * square_mm))
    assert found.square_mm == pytest.approx(square_mm)
    for name, x, y in (("a1", 0.5, 0.5), ("h1", 7.5, 0.5), ("a8", 0.5, 7.5), ("e4", 4.02, 3.98), ("d5", 3.98, 4.02)):
        assert found.square_at(*board.to_table([[x * square_mm, y * square_mm]])[0]) == name
    assert found.square_at(*board.to_table([[-1.0, 20.0]])[0]) is None
    assert found.square_at(*board.to_table([[8 * square_mm + 1, 20.0]])[0]) is None


def test_cards_laid_by_hand_are_averaged():
    nudged = {"sw": (1.5, -1.0, 1.0), "se": (-1.0, 1.5, -2.0), "nw": (0.5, 1.0, 0.5), "ne": (1.0, -1.5, 1.5)}
    found = chessboard_of(cards_around(SheetPose(30.0, 30.0, 0.0), 400.0, **nudged))
    assert found.square_mm == pytest.approx(50.0, abs=0.4)
    assert found.square_at(30 + 50 * 3 + 3, 30 + 50 * 5 + 3) == "d6"


def test_two_cards_are_enough():
    for names in (("corner-sw", "corner-ne"), ("corner-se", "corner-ne"), ("corner-sw", "corner-se", "corner-nw")):
        found = chessboard_of(cards_around(SheetPose(30.0, 25.0, -4.0), 400.0, names))
        assert found.square_mm == pytest.approx(50.0)
        assert found.pose.turn_deg == pytest.approx(-4.0)


def test_a_board_with_a_rim_needs_its_squares_size():
    board = SheetPose(30.0, 25.0, 7.0)
    found = chessboard_of(cards_around(board, 440.0), square_mm=50.0)
    assert found.square_at(*board.to_table([[20.0 + 25, 20.0 + 75]])[0]) == "a2"
    assert found.square_at(*board.to_table([[10.0, 100.0]])[0]) is None


def test_each_quarter_belongs_to_its_card():
    found = chessboard_of(cards_around(SheetPose(30.0, 30.0, 0.0), 400.0))
    assert [found.card_of(x, y) for x in (100, 400) for y in (100, 400)] == [
        "corner-sw",
        "corner-nw",
        "corner-se",
        "corner-ne",
    ]


def test_a_table_without_cards_has_no_chessboard():
    board = LocatedSheet("board-sw", SheetPose(0.0, 0.0, 0.0), 0.2, ())
    assert chessboard_of(LocatedTable("board", CAMERA, (board,))) is None


@pytest.mark.parametrize(
    ("table", "square_mm", "words"),
    [
        (cards_around(SheetPose(0, 0, 0), 400.0, ("corner-sw",)), None, "Only one corner card"),
        (cards_around(SheetPose(0, 0, 0), 400.0, ne=(14.0, 0.0, 0.0)), None, "do not lie around a square"),
        (cards_around(SheetPose(0, 0, 0), 400.0, ne=(0.0, 0.0, 90.0)), None, "do not lie around a square"),
        (cards_around(SheetPose(0, 0, 0), 120.0), None, "cannot be 15 mm"),
        (cards_around(SheetPose(0, 0, 0), 400.0), 8.0, "cannot be 8 mm"),
    ],
)
def test_what_is_no_board_is_told(table, square_mm, words):
    with pytest.raises(ChessboardError, match=words):
        chessboard_of(table, square_mm)


def test_swapped_cards_are_told():
    right = cards_around(SheetPose(0, 0, 0), 400.0)
    west, east, *others = right.sheets
    swapped = (LocatedSheet("corner-se", west.pose, 0.2, ()), LocatedSheet("corner-sw", east.pose, 0.2, ()), *others)
    with pytest.raises(ChessboardError, match="do not lie around a square"):
        chessboard_of(LocatedTable("corner-cards", CAMERA, swapped))


def test_the_corners_are_where_the_cards_lines_meet():
    for name, (corner, _) in CORNERS.items():
        assert corner == load_sheets()[name].lines[0].points_mm[1]
