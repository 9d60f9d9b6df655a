import math
from dataclasses import replace
from datetime import date

import cv2
import numpy as np
import pytest

from calibration.locate import (
    Disagreeing,
    ExifFocal,
    LocateError,
    Mirrored,
    NoMat,
    PictureTooSmall,
    SeenTwice,
    TooBlurred,
    TooDark,
    TooFewMarkers,
    WrongCamera,
    fitted_to,
    locate,
    prior_of,
    sighted_in,
    solved,
    turns_of,
)
from calibration.optics import Camera, Lens, LocatedTable, SheetPose
from calibration.sheets import load_layouts, load_sheets
from calibration.store import Calibration

BOARD = {
    "board-sw": SheetPose(0.0, 0.0, 0.0),
    "board-se": SheetPose(199.2, -0.8, 0.4),
    "board-nw": SheetPose(0.4, 198.9, -0.3),
    "board-ne": SheetPose(198.5, 199.4, 0.2),
}
SILOS = dict(load_layouts()["silos-2p"].places)


def exif_of(camera: Camera) -> ExifFocal:
    width, height = camera.lens.image_size_px
    return ExifFocal(round(camera.lens.focal_px / math.hypot(width, height) * 43.267))


def off_mm(found: LocatedTable, poses: dict[str, SheetPose], camera: Camera, turned=lambda pixels: pixels) -> float:
    """The worst error of a marker's place on its sheet; `turned` takes the camera's pixels to the picture's."""
    worst = 0.0
    for located in found.sheets:
        centres = np.array([marker.centre_mm for marker in load_sheets()[located.sheet].markers])
        pixels = turned(camera.project(np.c_[poses[located.sheet].to_table(centres), np.zeros(len(centres))]))
        back = located.pose.to_sheet(found.camera.to_plane(pixels))
        worst = max(worst, float(np.linalg.norm(back - centres, axis=1).max()))
    return worst


@pytest.fixture(scope="module")
def board_camera(over) -> Camera:
    return over((198, 198), 560.0)


@pytest.fixture(scope="module")
def board(photograph, board_camera) -> np.ndarray:
    return photograph(BOARD, board_camera)


def test_the_board_is_located_with_each_sheet_as_it_lies(board, board_camera):
    found = locate(board, exif_of(board_camera))
    assert found.layout == "board"
    assert [sheet.sheet for sheet in found.sheets] == list(BOARD)
    assert off_mm(found, BOARD, board_camera) < 0.25
    assert all(sheet.error_mm < 0.2 and sheet.missing_markers == () for sheet in found.sheets)
    assert found.camera.height_mm == pytest.approx(board_camera.height_mm, rel=0.03)
    assert found.warnings == ()
    first, second = found.sheets[:2]
    assert second.pose.turn_deg - first.pose.turn_deg == pytest.approx(0.4, abs=0.1)


def test_the_same_photo_gives_the_same_table(board):
    assert locate(board) == locate(board)


def test_the_picture_is_left_as_it_was(board):
    kept = board.copy()
    locate(board)
    assert (board == kept).all()


def test_a_saved_lens_settles_the_height(board, board_camera):
    found = locate(board, board_camera.lens)
    assert found.camera.height_mm == pytest.approx(board_camera.height_mm, rel=0.006)
    assert found.camera.lens.image_size_px == (960, 720)


@pytest.fixture
def desk(board_camera) -> Calibration:
    return Calibration("desk", board_camera.lens, date(2025, 10, 31), 1.0, 0.2)


def test_a_calibration_is_the_prior_of_the_pose(board, board_camera, desk):
    assert locate(board, desk) == locate(board, board_camera.lens)


def test_a_vaguer_calibration_is_a_vaguer_prior(board, desk):
    assert prior_of(replace(desk, error_mm=1.2), (960, 720)).focal_spread == pytest.approx(0.012)


def test_a_calibration_for_another_size_is_refused_by_name(board, desk):
    small = cv2.resize(board, (640, 480), interpolation=cv2.INTER_AREA)
    with pytest.raises(WrongCamera, match=r"'desk' was calibrated at 960 by 720 .* 640 by 480"):
        locate(small, desk)


def test_a_calibration_of_another_camera_is_refused_by_name(board, desk):
    found = locate(board, replace(desk, lens=replace(desk.lens, focal_px=2400.0)))
    assert "calibration of the camera 'desk' does not fit this photo and was left aside" in found.warnings[0]


@pytest.mark.parametrize("scale", [0.96, 1.05])
def test_a_misprinted_mat_is_corrected_for(photograph, over, desk, scale):
    poses = {name: SheetPose(scale * p.x_mm, scale * p.y_mm, p.turn_deg, scale) for name, p in BOARD.items()}
    camera = over((198, 198), 560.0)
    found = locate(photograph(poses, camera), replace(desk, print_scale=scale))
    assert off_mm(found, poses, camera) < 0.25
    assert found.camera.height_mm == pytest.approx(560.0, rel=0.006)
    assert all(sheet.pose.scale == scale for sheet in found.sheets)


def test_without_a_hint_places_are_as_good(board, board_camera):
    found = locate(board)
    assert off_mm(found, BOARD, board_camera) < 0.25
    assert found.camera.height_mm == pytest.approx(board_camera.height_mm, rel=0.1)


def test_a_frontal_view_without_a_hint_says_that_the_height_is_vague(photograph, over):
    camera = over((198, 198), 560.0, tilt_deg=0.3)
    found = locate(photograph(BOARD, camera))
    assert any("height" in warning for warning in found.warnings)
    assert off_mm(found, BOARD, camera) < 0.3


@pytest.mark.parametrize("hint", [ExifFocal(75.0), Lens(2400.0, (479.5, 359.5), (0.0, 0.0, 0.0, 0.0), (960, 720))])
def test_a_hint_of_another_lens_is_left_aside(photograph, over, hint):
    camera = over((198, 198), 560.0, tilt_deg=25.0)
    found = locate(photograph(BOARD, camera), hint)
    assert "left aside" in found.warnings[0]
    assert found.camera.height_mm == pytest.approx(camera.height_mm, rel=0.05)


@pytest.mark.parametrize("quarters", [1, 2, 3])
def test_turned_photos(board, board_camera, quarters):
    turned = np.ascontiguousarray(np.rot90(board, quarters))

    def to_turned(pixels: np.ndarray) -> np.ndarray:
        width, height = 960, 720
        for _ in range(quarters):
            pixels = np.stack([pixels[:, 1], width - 1 - pixels[:, 0]], axis=1)
            width, height = height, width
        return pixels

    assert off_mm(locate(turned, exif_of(board_camera)), BOARD, board_camera, to_turned) < 0.25


@pytest.mark.parametrize("quarters", [0, 1, 2, 3])
def test_a_lens_turned_with_its_picture_shows_the_same(over, quarters):
    """A camera turned about its axis sees each point where the turned picture has it."""
    lens = Lens(900.0, (500.0, 340.0), (-0.08, 0.01, 0.002, -0.003), (960, 720))
    camera, points = over((198, 198), 560.0, 20.0, lens), np.array([[0.0, 0, 0], [300, 50, 30], [150, 380, 0]])
    pixels, turned = camera.project(points), lens
    rotation, translation = np.array(camera.rotation), np.array(camera.translation_mm)
    for _ in range(quarters):
        pixels = np.stack([pixels[:, 1], turned.image_size_px[0] - 1 - pixels[:, 0]], axis=1)
        quarter, turned = np.array([[0.0, 1, 0], [-1, 0, 0], [0, 0, 1]]), turned.turned()
        rotation, translation = quarter @ rotation, quarter @ translation
    seen = Camera(turned, tuple(map(tuple, rotation.tolist())), tuple(translation.tolist())).project(points)
    assert seen == pytest.approx(pixels, abs=1e-6)


@pytest.mark.parametrize("quarters", [1, 3])
def test_a_calibration_is_used_for_a_phone_held_the_other_way(photograph, over, desk, quarters):
    lens = Lens(900.0, (500.0, 345.0), (-0.08, 0.01, 0.0, 0.0), (960, 720))
    camera = over((198, 198), 560.0, 25.0, lens)
    turned = np.ascontiguousarray(np.rot90(photograph(BOARD, camera), quarters))
    found = locate(turned, replace(desk, lens=lens))
    assert found.warnings == ()
    assert found.camera.lens.image_size_px == (720, 960)
    assert found.camera.height_mm == pytest.approx(camera.height_mm, rel=0.004)
    right = lens.turned() if quarters == 1 else lens.turned().turned().turned()
    assert found.camera.lens.centre_px == right.centre_px


def test_a_large_photo_is_located_as_well(board, board_camera):
    large = cv2.resize(board, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC)
    found = locate(large, exif_of(board_camera))
    assert off_mm(found, BOARD, board_camera, lambda pixels: (pixels + 0.5) * 3 - 0.5) < 0.25


def test_a_small_photo_is_located_as_well(board, board_camera):
    small = cv2.resize(board, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)
    found = locate(small, exif_of(board_camera))
    assert len(found.sheets) == 4
    assert off_mm(found, BOARD, board_camera, lambda pixels: (pixels + 0.5) / 2 - 0.5) < 0.4


def test_a_sheet_far_from_its_nominal_place(photograph, over):
    poses = SILOS | {"silos-2": SheetPose(300.0, 402.0, 172.0)}
    camera = over((132, 210), 700.0)
    found = locate(photograph(poses, camera), exif_of(camera))
    assert found.layout == "silos-2p"
    assert off_mm(found, poses, camera) < 0.3
    apart = found.sheets[1].pose.turn_deg - found.sheets[0].pose.turn_deg
    assert apart % 360 == pytest.approx(172.0, abs=0.1)


def test_covered_markers_are_named(board, board_camera):
    covered = board.copy()
    for number in (0, 24):
        sheet = "board-sw" if number == 0 else "board-nw"
        centre = next(m.centre_mm for m in load_sheets()[sheet].markers if m.id == number)
        x, y = board_camera.project(np.array([[*BOARD[sheet].to_table(np.array([centre]))[0], 0.0]]))[0]
        cv2.circle(covered, (round(x), round(y)), 26, (40, 60, 200), -1)
    found = locate(covered, exif_of(board_camera))
    missing = {sheet.sheet: sheet.missing_markers for sheet in found.sheets}
    assert missing["board-sw"] == (0,)
    assert missing["board-nw"] == (24,)
    assert off_mm(found, BOARD, board_camera) < 0.25


def test_covered_markers_glare_and_a_crooked_sheet_at_once(photograph, board_camera):
    poses = BOARD | {"board-ne": SheetPose(198.5, 199.4, 1.2)}
    spoilt = photograph(poses, board_camera)
    markers = load_sheets()["board-ne"].markers[:5]
    centres = poses["board-ne"].to_table(np.array([marker.centre_mm for marker in markers]))
    for n, (x, y) in enumerate(board_camera.project(np.c_[centres, np.zeros(5)])):
        cv2.circle(spoilt, (round(x), round(y)), 22, (60, 70, 160) if n < 3 else (255, 255, 255), -1)
    found = locate(spoilt, exif_of(board_camera))
    assert found.sheets[3].missing_markers == tuple(marker.id for marker in markers)
    assert off_mm(found, poses, board_camera) < 0.5


def test_a_layout_s_sheet_that_is_not_seen_is_named(photograph, over):
    camera = over((198, 100), 560.0)
    found = locate(photograph({n: BOARD[n] for n in ("board-sw", "board-se")}, camera), exif_of(camera))
    assert found.layout == "board"
    assert [s.sheet for s in found.sheets] == ["board-sw", "board-se"]
    assert sum("board-n" in warning for warning in found.warnings) == 2


def test_a_sheet_without_a_layout_makes_its_own(photograph, over):
    poses = {"track-curve-6": SheetPose(0.0, 0.0, 0.0)}
    camera = over((99, 99), 420.0)
    found = locate(photograph(poses, camera), exif_of(camera))
    assert found.layout == "track-curve-6"
    assert off_mm(found, poses, camera) < 0.3


def test_a_mirrored_picture_is_told(board):
    with pytest.raises(Mirrored, match="mirror"):
        locate(np.ascontiguousarray(board[:, ::-1]))


@pytest.mark.parametrize("grey", [0, 128, 255])
def test_a_blank_picture_shows_no_mat_or_no_light(grey):
    with pytest.raises(TooDark if grey == 0 else NoMat):
        locate(np.full((480, 640, 3), grey, np.uint8))


def test_a_noisy_picture_shows_no_mat():
    with pytest.raises(NoMat):
        locate(np.random.default_rng(0).integers(0, 256, (480, 640, 3), dtype=np.uint8))


def test_a_dark_picture_is_told(board):
    with pytest.raises(TooDark, match="dark"):
        locate((board * 0.03).astype(np.uint8))


def test_a_blurred_picture_is_told(board):
    with pytest.raises(TooBlurred, match="blurred"):
        locate(cv2.GaussianBlur(board, (0, 0), 8))


@pytest.mark.parametrize("size", [(1, 1), (100, 900), (239, 400)])
def test_a_small_picture_is_told(size):
    with pytest.raises(PictureTooSmall, match=f"{size[1]} by {size[0]}"):
        locate(np.zeros((*size, 3), np.uint8))


def test_too_few_markers_are_told_by_their_numbers(board, board_camera):
    hidden = np.full_like(board, 120)
    for number in (0, 1):
        centre = next(m.centre_mm for m in load_sheets()["board-sw"].markers if m.id == number)
        x, y = (round(v) for v in board_camera.project(np.array([[*centre, 0.0]]))[0].tolist())
        hidden[y - 30 : y + 30, x - 30 : x + 30] = board[y - 30 : y + 30, x - 30 : x + 30]
    with pytest.raises(TooFewMarkers, match="only 0, 1"):
        locate(hidden)


def test_markers_that_are_all_seen_twice_are_told(board):
    with pytest.raises(SeenTwice, match="twice"):
        locate(np.hstack([board, board]))


@pytest.fixture
def scattered(board, monkeypatch):
    """The board's markers are seen up to so many pixels beside their places, on all sheets or the named one."""

    def see(reach_px: float, seed: int, name: str = "") -> None:
        sighted = sighted_in(board)
        seen = sighted.markers
        beside = np.random.default_rng(seed).uniform(-reach_px, reach_px, (len(seen.ids), 1, 2))
        beside[[bool(name) and sighted.names[sheet] != name for sheet in seen.spots.sheets]] = 0
        moved = replace(sighted, markers=replace(seen, corners_px=seen.corners_px + beside))
        monkeypatch.setattr("calibration.locate.sighted_in", lambda *_: moved)

    return see


@pytest.mark.parametrize("seed", [0, 1])
def test_a_crumpled_sheet_is_named_and_the_others_are_located(board, board_camera, scattered, seed):
    """Of its markers one is believed, or none: then nothing says where the sheet lies."""
    scattered(15, seed, "board-ne")
    found = locate(board, exif_of(board_camera))
    located = [sheet.sheet for sheet in found.sheets]
    assert located[:3] == ["board-sw", "board-se", "board-nw"]
    assert found.warnings == (
        "Most markers of sheet board-ne are not where they would be on flat paper: lay it flat, and show it once.",
    )
    others = replace(found, sheets=found.sheets[:3])
    assert off_mm(others, BOARD, board_camera) < 0.3


@pytest.mark.parametrize("seed", [0, 1])
def test_markers_that_no_table_shows_are_told(board, scattered, seed):
    scattered(300, seed)
    with pytest.raises(Disagreeing, match="flat"):
        locate(board)


def test_a_table_seen_from_below_is_told(board, monkeypatch):
    """As a mirror shows it whose markers were taken for others."""
    sighted = sighted_in(board)
    mirrored = (959, 0) + sighted.markers.corners_px * (-1, 1)
    behind = replace(sighted, markers=replace(sighted.markers, corners_px=mirrored))
    monkeypatch.setattr("calibration.locate.sighted_in", lambda *_: behind)
    with pytest.raises(Disagreeing, match="flat"):
        locate(board)


def test_where_an_error_cannot_be_told_nothing_is_located(board, monkeypatch):
    """Where next to nothing is known, rounding can leave variances below nothing."""
    sighted = sighted_in(board)
    solution = solved(sighted, prior_of(None, sighted.size_px))
    monkeypatch.setattr("calibration.locate.solved", lambda *_: replace(solution, covariance=-solution.covariance))
    with pytest.raises(Disagreeing):
        locate(board)


def test_a_sheet_of_another_layout_is_named(photograph, over):
    camera = over((132, 160), 700.0)
    found = locate(photograph(SILOS | {"colour-card": SheetPose(280.0, 30.0, 2.0)}, camera), exif_of(camera))
    assert found.layout == "silos-2p"
    assert [warning for warning in found.warnings if "colour-card" in warning] == [
        "Sheet colour-card does not belong to the layout silos-2p: put it away, so that the picture shows the sheets "
        "of one game."
    ]


def test_every_error_is_a_locate_error():
    for error in (Disagreeing, Mirrored, NoMat, PictureTooSmall, SeenTwice, TooBlurred, TooDark, TooFewMarkers):
        assert issubclass(error, LocateError)


def test_a_saved_lens_fits_smaller_and_turned_pictures():
    lens = Lens(1000.0, (650.0, 470.0), (-0.1, 0.0, 0.001, 0.002), (1280, 960))
    assert fitted_to(lens, 1280, 960) == lens
    assert fitted_to(lens, 640, 480).focal_px == 500.0
    assert turns_of(lens, (640, 480)) == (lens,)
    assert {turn.image_size_px for turn in turns_of(lens, (480, 640))} == {(960, 1280)}


def test_sheets_that_are_no_mats_do_not_disturb(photograph, board, board_camera):
    """Uncut stands and the race status mat lie beside the board."""
    others = {
        "stands-black-white": SheetPose(-210.0, 60.0, 5.0),
        "stands-orange-purple": SheetPose(402.0, 210.0, -3.0),
        "race-status": SheetPose(402.0, 0.0, 0.0),
    }
    alone = locate(board, exif_of(board_camera))
    found = locate(photograph({**others, **BOARD}, board_camera), exif_of(board_camera))
    assert [sheet.sheet for sheet in found.sheets] == list(BOARD)
    assert (found.layout, found.warnings) == (alone.layout, alone.warnings)
    assert off_mm(found, BOARD, board_camera) < 0.5


def test_corner_cards_round_a_chessboard_are_located(photograph, over):
    cards = {
        "corner-sw": SheetPose(0.4, -0.6, 0.8),
        "corner-se": SheetPose(282.0, 0.5, -0.5),
        "corner-nw": SheetPose(-0.7, 281.0, 0.2),
        "corner-ne": SheetPose(283.1, 282.3, -0.9),
    }
    camera = over((198, 198), 560.0)
    found = locate(photograph(cards, camera), exif_of(camera))
    assert found.layout == "corner-cards"
    assert sorted(sheet.sheet for sheet in found.sheets) == sorted(cards)
    assert off_mm(found, cards, camera) < 0.6


def test_a_custom_track_of_tiles_is_located(photograph, over):
    """An S bend, which no layout has."""
    tiles = {
        "track-curve-5": SheetPose(0.0, 0.0, 90.3),
        "track-straight-3": SheetPose(0.5, 0.2, 0.0),
        "track-curve-2": SheetPose(199.0, 0.0, -0.4),
    }
    camera = over((100, 100), 620.0)
    found = locate(photograph(tiles, camera), exif_of(camera))
    assert {sheet.sheet for sheet in found.sheets} == set(tiles)
    assert off_mm(found, tiles, camera) < 0.6
