"""The printed pages, rasterised as a printer would: true size, every marker readable, nothing cut off."""

import io
from dataclasses import dataclass

import numpy as np
import pypdfium2
import pytest
from PIL import Image
from pypdfium2.raw import FPDF_PAGEOBJ_IMAGE

from calibration import opencv
from calibration.print_mats import RULER_START_MM, UnknownSheetError, chosen, pdf_of, png_of
from calibration.sheets import draw, load_layouts, load_sheets
from calibration.tiling import PAPERS, PRINTER_MARGIN_MM, tiles_of

DPI = 200
PX_PER_MM = DPI / 25.4
PX_PER_POINT = DPI / 72


@dataclass(frozen=True)
class Page:
    grey: np.ndarray
    markers: dict[int, np.ndarray]  # corners, shape (4, 2), px
    words: str


@dataclass(frozen=True)
class Print:
    paper: str
    pdf: bytes
    pages: tuple[Page, ...]

    @property
    def contents(self) -> int:
        """How many pages of contents come first."""
        tiles = sum(len(tiles_of(sheet, PAPERS[self.paper])) for sheet in chosen(()))
        return len(self.pages) - tiles


def page_of(page: pypdfium2.PdfPage) -> Page:
    grey = np.asarray(page.render(scale=PX_PER_POINT, grayscale=True).to_numpy()).squeeze()
    height, width = grey.shape
    coarse = opencv.resized(grey[: height // 2 * 2, : width // 2 * 2], 0.5)  # quicker, and harder to read
    found = opencv.found_markers(coarse)
    assert len({number for number, _ in found}) == len(found)
    return Page(
        grey,
        {number: 2 * corners + 0.5 for number, corners in found},
        " ".join(page.get_textpage().get_text_range().split()),
    )


@pytest.fixture(scope="module", params=PAPERS)
def printed(request) -> Print:
    """Every sheet there is."""
    pdf = pdf_of(chosen(()), PAPERS[request.param])
    return Print(request.param, pdf, tuple(page_of(page) for page in pypdfium2.PdfDocument(pdf)))


def test_every_page_is_the_paper_s_size(printed):
    paper = PAPERS[printed.paper]
    for page in printed.pages:
        assert sorted(page.grey.shape) == pytest.approx(
            [paper.width_mm * PX_PER_MM, paper.height_mm * PX_PER_MM], abs=1.0
        )


def test_every_marker_of_every_sheet_decodes_once(printed):
    read = [number for page in printed.pages for number in page.markers]
    assert sorted(read) == sorted(marker.id for sheet in load_sheets().values() for marker in sheet.markers)


def test_marker_sides_measure_20_mm(printed):
    for page in printed.pages:
        for number, corners in page.markers.items():
            assert sides_mm(page.grey, corners) == pytest.approx([20.0, 20.0], abs=0.2), number


def sides_mm(grey: np.ndarray, corners: np.ndarray) -> list[float]:
    """Width and height of a marker: how much ink lies along its upper and its left black border."""
    (x, y), reach, border = corners.mean(axis=0) + 0.5, 12.0 * PX_PER_MM, 2.5 * PX_PER_MM
    left, top = x - 10.0 * PX_PER_MM, y - 10.0 * PX_PER_MM
    rows = slice(round(top + 0.3 * border), round(top + 0.7 * border))
    columns = slice(round(left + 0.3 * border), round(left + 0.7 * border))
    across = (1 - grey[rows, round(x - reach) : round(x + reach)] / 255.0).mean(axis=0).sum()
    down = (1 - grey[round(y - reach) : round(y + reach), columns] / 255.0).mean(axis=1).sum()
    return [across / PX_PER_MM, down / PX_PER_MM]


def test_markers_are_where_the_sheet_has_them(printed):
    tiles = [tile for sheet in chosen(()) for tile in tiles_of(sheet, PAPERS[printed.paper])]
    for page, tile in zip(printed.pages[printed.contents :], tiles, strict=True):
        for marker in tile.sheet.markers:
            if marker.id in page.markers:
                x, y = tile.on_page(marker.centre_mm)
                at = (page.markers[marker.id].mean(axis=0) + 0.5) / PX_PER_MM
                assert at.tolist() == pytest.approx([x, tile.page_mm[1] - y], abs=0.15)


def test_every_page_has_a_ruler_line_of_100_mm(printed):
    for page in printed.pages:
        turned = np.rot90(page.grey, -1)  # as one reads a foot that is beside
        assert max(ruler_mm(grey) for grey in (page.grey, turned)) == pytest.approx(100.0, abs=0.1)


def ruler_mm(grey: np.ndarray) -> float:
    """From the middle of the ruler's first high mark to that of its last, in the foot below; 0 without them."""
    rows = slice(*(-round((PRINTER_MARGIN_MM + up) * PX_PER_MM) for up in (6.7, 6.3)))
    ends = [PRINTER_MARGIN_MM + RULER_START_MM + far for far in (0.0, 100.0)]
    columns = [np.arange(round((end - 2) * PX_PER_MM), round((end + 2) * PX_PER_MM)) for end in ends]
    ink = 255.0 - grey[rows].mean(axis=0)
    if any(ink[near].max() < 60 for near in columns):
        return 0.0
    first, last = (float(np.average(near, weights=ink[near])) for near in columns)
    return (last - first) / PX_PER_MM


def test_every_page_says_how_to_print_it_and_what_it_is(printed):
    count = len(printed.pages)
    for number, page in enumerate(printed.pages, start=1):
        assert "Print at 100 %, no scaling." in page.words
        assert f"page {number} of {count}, {PAPERS[printed.paper].name}" in page.words


def test_the_contents_name_every_sheet_and_picture_every_layout(printed):
    words = " ".join(page.words for page in printed.pages[: printed.contents])
    assert all(f"{sheet.id}: {sheet.title}" in words for sheet in load_sheets().values())
    pictured = [name for name in load_layouts() if f"{name}: " in words]
    assert set(load_layouts()) - set(pictured) <= {"colour-card"}


def test_pages_are_vectors(printed):
    for page in pypdfium2.PdfDocument(printed.pdf):
        assert all(thing.type != FPDF_PAGEOBJ_IMAGE for thing in page.get_objects())


def test_nothing_runs_off_a_page(printed):
    rim = round(2.0 * PX_PER_MM)  # marks to cut along may reach into the printer's margin, nothing else does
    for page in printed.pages:
        inner = page.grey[rim:-rim, rim:-rim]
        assert (page.grey == 255).sum() - (inner == 255).sum() == page.grey.size - inner.size


def test_a_page_looks_as_the_sheet_is_drawn():
    sheet = load_sheets()["track-curve-1"]
    (tile,) = tiles_of(sheet, PAPERS["a4"])
    page = pypdfium2.PdfDocument(pdf_of([sheet], PAPERS["a4"]))[1]
    picture = page.render(scale=4 * 25.4 / 72).to_numpy()  # 4 px/mm
    left, top = round(4 * tile.at_mm[0]), round(4 * (tile.page_mm[1] - tile.at_mm[1] - sheet.size_mm[1]))
    drawn = draw(sheet, 4.0)
    same = picture[top : top + drawn.shape[0], left : left + drawn.shape[1]]
    differs = np.abs(same.astype(float) - drawn).max(axis=2) > 80  # more than the smoothing of an edge
    assert differs.mean() < 0.012


def test_flaps_say_which_page_is_glued_on():
    pages = [page_of(page) for page in pypdfium2.PdfDocument(pdf_of(chosen(["track-oval"]), PAPERS["a4"]))]
    assert len(pages) == 5
    lower_left = pages[3].words
    assert "Cut page 2 along its edge" in lower_left
    assert "Cut page 5 along its edge" in lower_left
    assert "glue" not in pages[2].words


def test_a_sheet_alone_is_shown_in_the_smallest_layout_that_has_it():
    words = page_of(pypdfium2.PdfDocument(pdf_of(chosen(["silos-4"]), PAPERS["a4"]))[0]).words
    assert "silos-4p: " in words
    assert words.count("not printed") == 3
    assert "silos-5p" not in words


def test_a_picture_knows_its_size():
    sheet = load_sheets()["corner-sw"]
    picture = Image.open(io.BytesIO(png_of(sheet)))
    dots = picture.info["dpi"]
    assert [side / dot * 25.4 for side, dot in zip(picture.size, dots, strict=True)] == pytest.approx(
        sheet.size_mm, abs=0.01
    )
    assert len(opencv.found_markers(opencv.grey_of(np.asarray(picture.convert("RGB"))))) == len(sheet.markers)


# --- choosing --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("names", "player", "ids"),
    [
        (["colour-card"], None, ["colour-card"]),
        (["silos-3p"], None, ["silos-1", "silos-2", "silos-3"]),
        (["silos-2", "silos-2p"], None, ["silos-2", "silos-1"]),
        (["track-straight"], None, [f"track-straight-{n}" for n in range(1, 5)]),
        (["stands"], None, ["stands-black-white", "stands-orange-purple"]),
        (["silos"], None, [f"silos-{n}" for n in range(1, 11)]),
        ([], 3, ["silos-3", "towers-3"]),
        ([], 10, ["silos-10"]),
        (["towers", "scrapyard"], 2, ["towers-2"]),
    ],
)
def test_sheets_are_chosen_by_name_layout_family_and_player(names, player, ids):
    assert [sheet.id for sheet in chosen(names, player)] == ids


def test_without_a_name_there_are_all():
    assert {sheet.id for sheet in chosen(())} == set(load_sheets())


@pytest.mark.parametrize(
    ("names", "player", "words"),
    [
        (["silos-12p"], None, r"'silos-12p'\. There are: board, .*silos-10p"),
        (["silo"], None, "'silo'"),
        ([""], None, "''"),
        ([], 11, "player 11: players are 1 to 10"),
        ([], 0, "player 0: players are 1 to 10"),
        (["towers"], 6, "player 6: players are 1 to 5"),
        (["board"], 1, "None of these sheets is a player's own: board-sw"),
    ],
)
def test_what_there_is_not_is_said(names, player, words):
    with pytest.raises(UnknownSheetError, match=words):
        chosen(names, player)
