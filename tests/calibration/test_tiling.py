import pytest

from calibration.sheets import QUIET_MM, load_sheets
from calibration.tiling import FLAP_MM, PAPERS, PRINTER_MARGIN_MM, Paper, TilingError, tiles_of

EVERY = [(sheet, paper) for sheet in load_sheets().values() for paper in PAPERS.values()]
each = pytest.mark.parametrize(("sheet", "paper"), EVERY, ids=lambda value: getattr(value, "id", None) or value.name)


@each
def test_a_sheet_s_tiles_make_up_the_sheet(sheet, paper):
    tiles = tiles_of(sheet, paper)
    area = sum((t.box_mm[2] - t.box_mm[0]) * (t.box_mm[3] - t.box_mm[1]) for t in tiles)
    assert area == pytest.approx(sheet.size_mm[0] * sheet.size_mm[1])
    assert len({(t.row, t.column) for t in tiles}) == len(tiles)
    for tile in tiles:
        assert (tile.flap_mm[0] == 0) == (tile.box_mm[2] == sheet.size_mm[0])
        assert (tile.flap_mm[1] == 0) == (tile.box_mm[3] == sheet.size_mm[1])


@each
def test_no_seam_cuts_a_marker_or_a_patch(sheet, paper):
    half = sheet.marker_mm / 2 + QUIET_MM
    spots = [(x - half, y - half, x + half, y + half) for x, y in (m.centre_mm for m in sheet.markers)]
    spots += [(x, y, x + w, y + h) for x, y, w, h in (p.rect_mm for p in sheet.patches)]
    for left, bottom, right, top in (tile.box_mm for tile in tiles_of(sheet, paper)):
        for x0, y0, x1, y1 in spots:
            # markers at a sheet's edge may have their quiet zone end there
            seams_x = [x for x in (left, right) if 0 < x < sheet.size_mm[0]]
            seams_y = [y for y in (bottom, top) if 0 < y < sheet.size_mm[1]]
            assert not any(x0 < x < x1 for x in seams_x)
            assert not any(y0 < y < y1 for y in seams_y)


@each
def test_a_tile_with_its_flaps_and_the_ruler_s_foot_fit_what_a_printer_prints(sheet, paper):
    for tile in tiles_of(sheet, paper):
        assert sorted(tile.page_mm) == [paper.width_mm, paper.height_mm]
        left, bottom = tile.at_mm
        right = left + tile.box_mm[2] - tile.box_mm[0] + tile.flap_mm[0]
        top = bottom + tile.box_mm[3] - tile.box_mm[1] + tile.flap_mm[1]
        for x0, y0, x1, y1 in ((left, bottom, right, top), tile.foot_mm):
            assert min(x0, y0) >= PRINTER_MARGIN_MM - 1e-6
            assert x1 <= tile.page_mm[0] - PRINTER_MARGIN_MM + 1e-6
            assert y1 <= tile.page_mm[1] - PRINTER_MARGIN_MM + 1e-6
        assert bottom >= tile.foot_mm[3] - 1e-6 or right <= tile.foot_mm[0] + 1e-6


def test_the_large_track_takes_four_pages_of_a4_and_six_of_letter():
    track = load_sheets()["track-oval"]
    assert len(tiles_of(track, PAPERS["a4"])) == 4
    assert len(tiles_of(track, PAPERS["letter"])) == 6
    others = [sheet for sheet in load_sheets().values() if sheet is not track]
    assert all(len(tiles_of(sheet, paper)) == 1 for sheet in others for paper in PAPERS.values())


def test_tiles_come_row_by_row_from_the_top():
    tiles = tiles_of(load_sheets()["track-oval"], PAPERS["a4"])
    assert [(tile.row, tile.column) for tile in tiles] == [(1, 0), (1, 1), (0, 0), (0, 1)]
    assert tiles[2].flap_mm == (FLAP_MM, FLAP_MM)
    assert tiles[1].flap_mm == (0, 0)


def test_paper_too_small_for_a_marker_is_said():
    with pytest.raises(TilingError, match="track-oval cannot be cut to fit stamp"):
        tiles_of(load_sheets()["track-oval"], Paper("stamp", 60.0, 60.0))
