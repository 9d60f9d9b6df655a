"""Which of the sheets' markers a picture shows, on which sheets and where to a few hundredths of a pixel.

Pixels are (x, y) of the photo as given. Error classes carry sentences for players.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.appearance import Floats, Spots, away_from_corners
from calibration.corners import refined
from calibration.optics import SheetPose
from calibration.sheets import Layout, load_layouts, load_sheets
from calibration.solve import Sightings


@dataclass(frozen=True)
class SightSettings:
    """Thresholds of finding markers."""

    least_side_px: int = 240
    detect_side_px: int = 1600  # markers are looked for on a picture at most this large, for speed
    enlarge_below_px: int = 900  # small pictures are doubled first: tags of 12 px are found as well as of 24
    least_markers: int = 4
    dark_below: float = 45.0  # grey value under which nearly all of a picture that shows no mat is dark
    blurred_below: float = 0.12  # `opencv.sharpness` of sharp photos is above 0.3


SETTINGS = SightSettings()


class LocateError(Exception):
    """The table cannot be located in this picture; the message says why and what to do."""


class PictureTooSmall(LocateError):  # noqa: N818  the names are what players are told
    """The picture has too few pixels."""


class NoMat(LocateError):  # noqa: N818
    """No marker of any sheet is in the picture."""


class Mirrored(LocateError):  # noqa: N818
    """The picture is a mirror image."""


class TooDark(LocateError):  # noqa: N818
    """The markers cannot be seen for darkness."""


class TooBlurred(LocateError):  # noqa: N818
    """The markers cannot be seen for blur."""


class TooFewMarkers(LocateError):  # noqa: N818
    """Some markers are seen, but not enough to say where the sheets are."""


class SeenTwice(LocateError):  # noqa: N818
    """The markers are in the picture twice."""


@dataclass(frozen=True, eq=False)
class Sighted:
    """The markers of one picture of (width, height): on which sheets, that which fixes the table's frame first.

    Places on the sheets are true millimetres: nominal ones times `print_scale`.
    """

    layout: Layout
    names: tuple[str, ...]
    markers: Sightings
    size_px: tuple[int, int]
    print_scale: float


def sighted_in(image_bgr: NDArray[np.uint8], print_scale: float = 1.0) -> Sighted:
    """The sheets' markers in a picture, shape (height, width, 3). Raises LocateError."""
    height, width = image_bgr.shape[:2]
    _check_size(width, height)
    grey = opencv.grey_of(image_bgr)
    found = _enough_found(grey)
    layout = _layout_of(found)
    names, markers = _sightings(grey, found, layout, print_scale)
    return Sighted(layout, names, markers, (width, height), print_scale)


def _check_size(width: int, height: int) -> None:
    if min(width, height) < SETTINGS.least_side_px:
        raise PictureTooSmall(
            f"The picture is only {width} by {height} pixels, too small for the sheets' markers. "
            "Send the original photo, at least 640 by 480."
        )


@dataclass(frozen=True, eq=False)
class _Found:
    """Rough corners, shape (4, 2), of each of our markers seen once; and the numbers seen twice, which say nothing."""

    once: dict[int, Floats]
    twice: tuple[int, ...]

    @property
    def is_enough(self) -> bool:
        return len(self.once) >= SETTINGS.least_markers


def _found(grey: NDArray[np.uint8]) -> _Found:
    side = max(grey.shape)
    factor = min(1.0, SETTINGS.detect_side_px / side) if side > SETTINGS.enlarge_below_px else 2.0
    found = _found_at(grey, factor)
    return found if found.is_enough or factor >= 1 else _found_at(grey, 1.0)


def _found_at(grey: NDArray[np.uint8], factor: float) -> _Found:
    picture = grey if factor == 1 else opencv.resized(grey, factor)
    exact = np.array([picture.shape[1] / grey.shape[1], picture.shape[0] / grey.shape[0]])
    markers = [(n, quad) for n, quad in opencv.found_markers(picture) if n in _sheet_of_marker()]
    times = Counter(number for number, _ in markers)
    once = {n: (quad + 0.5) / exact - 0.5 for n, quad in markers if times[n] == 1}
    return _Found(once, tuple(sorted(n for n, count in times.items() if count > 1)))


@cache
def _sheet_of_marker() -> Mapping[int, str]:
    return MappingProxyType({marker.id: sheet.id for sheet in load_sheets().values() for marker in sheet.markers})


def _enough_found(grey: NDArray[np.uint8]) -> dict[int, Floats]:
    """Rough corners, shape (4, 2), of each of our markers seen once. Raises LocateError when they are too few."""
    found = _found(grey)
    if found.is_enough:
        return found.once
    if len(found.twice) >= SETTINGS.least_markers:
        raise SeenTwice(
            "The same markers are in the picture twice, so nobody can say where their sheets lie. Show each sheet "
            "once: put other prints of it, mirrors and screens that show it out of the picture."
        )
    if not found.once and _found(np.ascontiguousarray(grey[:, ::-1])).is_enough:
        raise Mirrored("The picture is a mirror image. Turn off the mirroring of the camera's preview or selfie mode.")
    if float(np.quantile(grey, 0.95)) < SETTINGS.dark_below:
        raise TooDark("The picture is too dark to find the sheets' markers. Turn on a lamp or expose longer.")
    if opencv.sharpness(grey) < SETTINGS.blurred_below:
        raise TooBlurred(
            "The picture is too blurred to find the sheets' markers. Focus on the table, hold the camera still."
        )
    if not found.once:
        raise NoMat(
            "No printed sheet is in the picture. Show the whole sheets with the square black markers on them, "
            "each with some white paper around it."
        )
    raise _too_few(found.once)


def _too_few(found: Iterable[int]) -> TooFewMarkers:
    names = ", ".join(str(n) for n in sorted(found))
    return TooFewMarkers(
        f"Too few of the sheets' markers are seen (only {names}) to say where the sheets lie. "
        "Show more of the sheets, uncover their markers, keep glare off them."
    )


# --- layout ----------------------------------------------------------------------------------------------------------


def _layout_of(found: Iterable[int]) -> Layout:
    """The layout that holds most of the seen sheets, then most of the markers, then fewest sheets unseen.

    A sheet that belongs to no layout makes one of its own, under its name.
    """
    markers = Counter(_sheet_of_marker()[n] for n in found)

    def fit(layout: Layout) -> tuple[int, int, int]:
        held = [s for s in layout.sheets if s in markers]
        return len(held), sum(markers[s] for s in held), -len(layout.sheets)

    best = max(load_layouts().values(), key=fit)
    if fit(best)[0] > 0:
        return best
    alone = markers.most_common(1)[0][0]
    return Layout(alone, ((alone, SheetPose(0.0, 0.0, 0.0)),))


def _sightings(
    grey: NDArray[np.uint8], found: dict[int, Floats], layout: Layout, print_scale: float
) -> tuple[tuple[str, ...], Sightings]:
    """The seen sheets, that which fixes the table's frame first, and their markers. Raises TooFewMarkers."""
    numbers = sorted(found)
    corners = refined(grey, np.stack([found[n] for n in numbers]))
    sharp = [(n, row) for row, n in enumerate(numbers) if np.isfinite(corners.error_px[row])]
    if len(sharp) < SETTINGS.least_markers:
        raise _too_few(found)
    names = _in_order(Counter(_sheet_of_marker()[n] for n, _ in sharp), layout)
    rows = [row for _, row in sharp]
    seen = np.array([n for n, _ in sharp])
    spots = _spots(seen.tolist(), names, print_scale)
    return names, Sightings(seen, spots, corners.pixels[rows], corners.error_px[rows])


def _spots(numbers: list[int], names: tuple[str, ...], print_scale: float) -> Spots:
    """Where the markers' corners are printed, true mm."""
    owners = [load_sheets()[_sheet_of_marker()[n]] for n in numbers]
    corners = [_printed_corners(n) for n in numbers]
    away = [away_from_corners(points, sheet.size_mm) for points, sheet in zip(corners, owners, strict=True)]
    sheets = np.array([names.index(sheet.id) for sheet in owners])
    return Spots(sheets, print_scale * np.stack(corners), print_scale * np.stack(away))


def _in_order(markers: Counter[str], layout: Layout) -> tuple[str, ...]:
    """The seen sheets: of the layout's the one with the most markers first, then the others as the layout has them."""
    held = [s for s in layout.sheets if s in markers]
    others = sorted(s for s in markers if s not in held)
    first = max(held, key=lambda s: markers[s]) if held else others[0]
    return (first, *(s for s in (*held, *others) if s != first))


def _printed_corners(number: int) -> Floats:
    """Shape (4, 2), nominal sheet mm, in the order in which they are found."""
    sheet = load_sheets()[_sheet_of_marker()[number]]
    centre = next(marker.centre_mm for marker in sheet.markers if marker.id == number)
    return np.array(centre) + sheet.marker_mm / 2 * np.array([[-1, 1], [1, 1], [1, -1], [-1, -1]])
