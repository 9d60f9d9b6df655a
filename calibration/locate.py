"""From a photo to where each sheet lies, the lens and the camera: by the AprilTags printed on the sheets.

Pixels are (x, y) of the photo as given; the table's frame is the nominal layout's, in which the sheet with the most
markers seen lies exactly where it should and every other sheet where it really is. Error classes carry sentences
for players.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.appearance import Frame, Spots, away_from_corners, projected, unknowns_of
from calibration.corners import refined
from calibration.optics import Camera, Lens, LocatedSheet, LocatedTable, SheetPose
from calibration.sheets import Layout, load_layouts, load_sheets
from calibration.solve import LensPrior, Sightings, Solution, solve
from calibration.store import Calibration, CalibrationError

Floats = NDArray[np.float64]

FILM_DIAGONAL_MM = 43.267  # of the 36 by 24 mm frame that EXIF's equivalent focal lengths refer to


@dataclass(frozen=True)
class ExifFocal:
    """The 35 mm equivalent focal length a phone writes into its photos: by the diagonal, rounded to whole mm."""

    equivalent_mm: float


LensHint = Lens | ExifFocal | Calibration  # a Lens is one that was calibrated elsewhere


@dataclass(frozen=True)
class LocateSettings:
    """Thresholds and priors of locating."""

    least_side_px: int = 240
    detect_side_px: int = 1600  # markers are looked for on a picture at most this large, for speed
    enlarge_below_px: int = 900  # small pictures are doubled first: tags of 12 px are found as well as of 24
    least_markers: int = 4
    dark_below: float = 45.0  # grey value under which nearly all of a picture that shows no mat is dark
    blurred_below: float = 0.12  # `opencv.sharpness` of sharp photos is above 0.3
    consensus_px: float = 4.0  # lens distortion bends a sheet by a few pixels
    saved_focal_spread: float = 0.003  # at least; a calibration's own error may say more
    saved_distortion_spread: tuple[float, float, float, float] = (0.004, 0.004, 0.0003, 0.0003)
    exif_rounding_mm: float = 0.35  # a little over the 0.29 mm of rounding to whole millimetres
    usual_equivalent_mm: float = 32.0  # phones and webcams: 23 to 43 mm
    usual_focal_spread: float = 0.22
    usual_distortion: tuple[float, float, float, float] = (-0.05, 0.01, 0.0, 0.0)
    usual_distortion_spread: tuple[float, float, float, float] = (0.12, 0.03, 0.001, 0.001)
    strange: float = 3.0  # standard deviations of surprise beyond which a hint is looked at again
    strange_lift_mm: float = 1.0  # a wrong lens can also pass for corners that curl up
    contradicted: float = 5.0  # standard deviations beyond which a hint is another lens's
    contradicted_focal: float = 0.04  # relative; closer than this a hint does no harm
    vague_height: float = 0.05  # relative error of the height worth a warning
    curl_mm: float = 3.0  # a lifted corner worth a warning
    poor_mm: float = 1.5  # a sheet's error worth a warning
    hopeless_mm: float = 8.0  # a sheet with a greater error is not located


SETTINGS = LocateSettings()


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


class Disagreeing(LocateError):  # noqa: N818
    """Enough markers are seen, but no way for the sheets to lie shows them where they are."""


class WrongCamera(LocateError):  # noqa: N818
    """The picture cannot be of the camera whose calibration is to be used."""


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


def locate(image_bgr: NDArray[np.uint8], lens_hint: LensHint | None = None) -> LocatedTable:
    """Where the sheets are in the photo, shape (height, width, 3).

    Raises LocateError, one of its subclasses, in words for a player.
    """
    height, width = image_bgr.shape[:2]
    _check_camera(lens_hint, (width, height))
    sighted = sighted_in(image_bgr, lens_hint.print_scale if isinstance(lens_hint, Calibration) else 1.0)
    solution = _hinted(sighted, lens_hint)
    if lens_hint is None or not _is_strange(solution):
        return _table(solution, sighted)
    free = solved(sighted, prior_of(None, sighted.size_px))
    if not _contradicts(free, solution):
        return _table(solution, sighted)
    table = _table(free, sighted)
    return replace(table, warnings=(_misfit(lens_hint), *table.warnings))


def sighted_in(image_bgr: NDArray[np.uint8], print_scale: float = 1.0) -> Sighted:
    """The sheets' markers in a picture, shape (height, width, 3). Raises LocateError."""
    height, width = image_bgr.shape[:2]
    _check_size(width, height)
    grey = opencv.grey_of(image_bgr)
    found = _enough_found(grey)
    layout = _layout_of(found)
    names, markers = _sightings(grey, found, layout, print_scale)
    return Sighted(layout, names, markers, (width, height), print_scale)


def _hinted(sighted: Sighted, hint: LensHint | None) -> Solution:
    """The solution by the hint; of a lens on a turned picture, by the way it was turned that fits better."""
    ways = turns_of(hint, sighted.size_px) if isinstance(hint, Lens | Calibration) else (hint,)
    return min((solved(sighted, prior_of(way, sighted.size_px)) for way in ways), key=lambda tried: tried.spread_px)


def _check_camera(hint: LensHint | None, size_px: tuple[int, int]) -> None:
    if isinstance(hint, Calibration):
        try:
            hint.check_size(size_px)
        except CalibrationError as fault:
            raise WrongCamera(str(fault)) from None


# --- markers ---------------------------------------------------------------------------------------------------------


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


# --- lens ------------------------------------------------------------------------------------------------------------


def prior_of(hint: LensHint | None, size_px: tuple[int, int]) -> LensPrior:
    """What the hint, or experience without one, says of the lens of a picture of (width, height)."""
    if isinstance(hint, Calibration):
        spread_of_focal = max(SETTINGS.saved_focal_spread, hint.focal_spread)
        return replace(prior_of(hint.lens, size_px), focal_spread=spread_of_focal)
    width, height = size_px
    if isinstance(hint, Lens):
        lens = fitted_to(hint, width, height)
        spread = SETTINGS.saved_distortion_spread
        return LensPrior(lens.focal_px, SETTINGS.saved_focal_spread, lens.distortion, spread, lens.centre_px)
    equivalent = SETTINGS.usual_equivalent_mm if hint is None else hint.equivalent_mm
    focal = equivalent / FILM_DIAGONAL_MM * math.hypot(width, height)
    spread_of_focal = SETTINGS.usual_focal_spread if hint is None else SETTINGS.exif_rounding_mm / equivalent
    centre = ((width - 1) / 2, (height - 1) / 2)
    return LensPrior(focal, spread_of_focal, SETTINGS.usual_distortion, SETTINGS.usual_distortion_spread, centre)


def turns_of(hint: Lens | Calibration, size_px: tuple[int, int]) -> tuple[Lens | Calibration, ...]:
    """The hint as it is, or, when the picture was turned by a quarter, turned to either side: nobody knows which.

    >>> [turn.centre_px for turn in turns_of(Lens(1000.0, (650.0, 470.0), (0.0,) * 4, (1280, 960)), (960, 1280))]
    [(470.0, 629.0), (489.0, 650.0)]
    """
    lens = hint.lens if isinstance(hint, Calibration) else hint
    (across, down), (width, height) = lens.image_size_px, size_px
    if across == down or width == height or (across > down) == (width > height):
        return (hint,)
    once = lens.turned()
    turns = (once, once.turned().turned())
    return tuple(replace(hint, lens=turn) for turn in turns) if isinstance(hint, Calibration) else turns


def fitted_to(lens: Lens, width: int, height: int) -> Lens:
    """The saved lens on a picture of another size, when the picture can be that camera's.

    >>> fitted_to(Lens(1000.0, (639.5, 479.5), (0.0, 0.0, 0.0, 0.0), (1280, 960)), 640, 480).focal_px
    500.0
    """
    factor = max(width, height) / max(lens.image_size_px)
    return lens if abs(factor - 1) < 1e-3 else lens.scaled(factor)


def _is_strange(solution: Solution) -> bool:
    """Whether what is seen hardly fits the lens that the hint said."""
    return solution.focal_surprise > SETTINGS.strange or float(solution.lifts_mm.max()) > SETTINGS.strange_lift_mm


def _contradicts(free: Solution, hinted: Solution) -> bool:
    """Whether the solution without the hint says that the hint is another lens's."""
    apart = abs(math.log(free.lens[0] / hinted.prior.focal_px))
    doubt = math.hypot(free.focal_spread, hinted.prior.focal_spread)
    return apart > max(SETTINGS.contradicted * doubt, SETTINGS.contradicted_focal)


def _misfit(hint: LensHint) -> str:
    if isinstance(hint, Calibration):
        return (
            f"The calibration of the camera {hint.camera!r} does not fit this photo and was left aside: "
            "another camera, zoom or focus? Calibrate it again."
        )
    if isinstance(hint, Lens):
        return "The saved lens does not fit this photo and was left aside: another camera or zoom? Calibrate it again."
    return (
        "The photo's own note of its focal length does not fit what it shows, so it was left aside: cropped or zoomed?"
    )


# --- solving ---------------------------------------------------------------------------------------------------------


def solved(sighted: Sighted, prior: LensPrior) -> Solution:
    """The joint solution. Raises Disagreeing when the markers do not agree on a plane."""
    seen, names = sighted.markers, sighted.names
    nominal = sighted.layout.pose_of(names[0]) or SheetPose(0.0, 0.0, 0.0)
    frame = Frame(prior.focal_px, prior.centre_px, (nominal.x_mm, nominal.y_mm, math.radians(nominal.turn_deg)))
    solution = solve(seen, prior, frame, _start(seen, prior, frame, len(names)))
    if (solution.weights > 0).sum() < SETTINGS.least_markers or not np.isfinite(solution.unknowns).all():
        raise _disagreeing()
    return solution


def _disagreeing() -> Disagreeing:
    return Disagreeing(
        "The sheets' markers are seen, but not where they would be on sheets that lie flat on one table. Lay the "
        "sheets flat, side by side, and send the photo as the camera took it, not put together or edited."
    )


def _start(seen: Sightings, prior: LensPrior, frame: Frame, sheets: int) -> Floats:
    """Unknowns good enough to descend from: the first sheet's perspective, then where the others lie in it."""
    on_first = seen.spots.sheets == 0
    table = _laid(seen.spots.points_mm[on_first].reshape(-1, 2), np.array(frame.first))
    pixels = seen.corners_px[on_first].reshape(-1, 2)
    size = max(prior.centre_px) * 2
    image_from_table = opencv.homography(table, pixels, SETTINGS.consensus_px * max(1.0, size / 1280))
    if image_from_table is None:
        raise _disagreeing()
    focal, pose = _best_pose(image_from_table, table, pixels, prior)
    table_from_image = np.linalg.inv(image_from_table)
    poses = np.zeros((sheets - 1, 3))
    for sheet in range(1, sheets):
        on_it = seen.spots.sheets == sheet
        there = np.c_[seen.corners_px[on_it].reshape(-1, 2), np.ones(4 * on_it.sum())] @ table_from_image.T
        poses[sheet - 1] = _rigid(seen.spots.points_mm[on_it].reshape(-1, 2), there[:, :2] / there[:, 2:])
    return unknowns_of(frame, np.array([focal, *prior.distortion]), pose, poses)


def _laid(points_mm: Floats, pose: Floats) -> Floats:
    c, s = math.cos(pose[2]), math.sin(pose[2])
    return np.asarray(points_mm @ np.array([[c, s], [-s, c]]) + pose[:2])


def _rigid(source: Floats, target: Floats) -> Floats:
    """The pose, shape (3,), that lays `source` on `target`, both (n, 2), in least squares."""
    a, b = source - source.mean(axis=0), target - target.mean(axis=0)
    turn = math.atan2(float((a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]).sum()), float((a * b).sum()))
    away = target.mean(axis=0) - _laid(source.mean(axis=0)[None], np.array([0.0, 0.0, turn]))[0]
    return np.array([away[0], away[1], turn])


def _best_pose(
    image_from_table: Floats, table: Floats, pixels: Floats, prior: LensPrior
) -> tuple[float, tuple[Floats, Floats]]:
    """The focal length of a few, near the prior's, whose camera shows the homography best; and that camera's pose."""
    best: tuple[float, float, tuple[Floats, Floats]] | None = None
    for step in np.linspace(-1.5, 1.5, 7):
        focal = prior.focal_px * math.exp(step * prior.focal_spread)
        pose = _pose_of(image_from_table, focal, prior.centre_px)
        lens = np.array([focal, 0.0, 0.0, 0.0, 0.0])
        shown, _, _ = opencv.projected(np.c_[table, np.zeros(len(table))], pose, lens, prior.centre_px)
        miss = float(np.median(np.linalg.norm(shown - pixels, axis=1)))
        if best is None or miss < best[0]:
            best = miss, focal, pose
    assert best is not None
    return best[1], best[2]


def _pose_of(image_from_table: Floats, focal_px: float, centre_px: tuple[float, float]) -> tuple[Floats, Floats]:
    """camera_from_table, rotation and translation, of a homography under this focal length."""
    inverse = np.array([[1, 0, -centre_px[0]], [0, 1, -centre_px[1]], [0, 0, focal_px]]) / focal_px
    h = inverse @ image_from_table
    h *= np.sign(h[2, 2]) * 2 / (np.linalg.norm(h[:, 0]) + np.linalg.norm(h[:, 1]))
    u, _, vt = np.linalg.svd(np.stack([h[:, 0], h[:, 1], np.cross(h[:, 0], h[:, 1])], axis=1))
    rotation = u @ np.diag([1.0, 1.0, np.linalg.det(u @ vt)]) @ vt
    return rotation, h[:, 2]


# --- result ----------------------------------------------------------------------------------------------------------


def _table(solution: Solution, sighted: Sighted) -> LocatedTable:
    """The solution in the rooms' words. Raises Disagreeing when no sheet is known well enough."""
    layout = sighted.layout
    sheets = [_located(solution, sighted, index) for index in range(len(sighted.names))]
    good = [sheet for sheet in sheets if sheet.error_mm <= SETTINGS.hopeless_mm]
    if not good:
        raise _disagreeing()
    good.sort(key=lambda s: layout.sheets.index(s.sheet) if s.sheet in layout.sheets else len(layout.sheets))
    bent = _bent(solution, sighted)
    warnings = [*_warnings(solution, tuple(good), layout, bent), *_curls(solution, sighted.names)]
    return LocatedTable(layout.name, _camera(solution, sighted.size_px), tuple(good), tuple(warnings))


def _camera(solution: Solution, size_px: tuple[int, int]) -> Camera:
    focal, k1, k2, p1, p2 = solution.lens.tolist()
    rotation, translation = solution.camera
    rows = tuple((float(a), float(b), float(c)) for a, b, c in rotation)
    x, y, z = translation.tolist()
    return Camera(Lens(focal, solution.prior.centre_px, (k1, k2, p1, p2), size_px), rows, (x, y, z))


def _located(solution: Solution, sighted: Sighted, index: int) -> LocatedSheet:
    seen, scale = sighted.markers, sighted.print_scale
    sheet = load_sheets()[sighted.names[index]]
    x, y, turn = solution.sheets[index].tolist()
    agreeing = set(seen.ids[(seen.spots.sheets == index) & (solution.weights > 0)].tolist())
    missing = tuple(marker.id for marker in sheet.markers if marker.id not in agreeing)
    pose = SheetPose(x, y, (math.degrees(turn) + 180) % 360 - 180, scale)
    centres = scale * np.array([marker.centre_mm for marker in sheet.markers])
    return LocatedSheet(sheet.id, pose, _error_mm(solution, centres, index), missing)


def _error_mm(solution: Solution, centres: Floats, index: int) -> float:
    """Root mean square, over markers' centres, true mm, shape (n, 2), of how far a place may be off on the sheet."""
    step = 0.1  # mm
    points = centres[:, None] + np.array([[0, 0], [step, 0], [0, step]])
    spots = Spots(np.full(len(points), index), points, np.full((*points.shape[:2], 4), np.inf))
    pixels, slopes = projected(solution.frame, spots, solution.unknowns)
    image_from_sheet = np.stack([pixels[:, 1] - pixels[:, 0], pixels[:, 2] - pixels[:, 0]], axis=-1) / step
    by_unknowns = np.linalg.solve(image_from_sheet, slopes[:, 0])
    variances = np.einsum("nip,pq,niq->n", by_unknowns, solution.covariance, by_unknowns)
    return float(np.sqrt(variances.mean()))


def _bent(solution: Solution, sighted: Sighted) -> tuple[str, ...]:
    """The sheets most of whose seen markers are not where flat paper would have them."""
    believed, sheets = solution.weights > 0, sighted.markers.spots.sheets
    return tuple(name for n, name in enumerate(sighted.names) if believed[sheets == n].mean() < 0.5)


def _curls(solution: Solution, names: tuple[str, ...]) -> list[str]:
    said = []
    for name, lifts in zip(names, solution.lifts_mm, strict=True):
        for corner, lift in zip(("bottom left", "bottom right", "top right", "top left"), lifts.tolist(), strict=True):
            if lift > SETTINGS.curl_mm:
                said.append(f"The {corner} corner of sheet {name} curls up by about {lift:.0f} mm: tape it down.")
    return said


def absence_words(sheet: str, layout: str) -> str:
    """What is said of a sheet that is not seen."""
    return f"Sheet {sheet} of the layout {layout} is not in the picture or all its markers are covered."


def _warnings(solution: Solution, sheets: tuple[LocatedSheet, ...], layout: Layout, bent: tuple[str, ...]) -> list[str]:
    said = [
        f"Most markers of sheet {name} are not where they would be on flat paper: lay it flat, and show it once."
        for name in bent
    ]
    for name in layout.sheets:
        if name not in [*bent, *(sheet.sheet for sheet in sheets)]:
            said.append(absence_words(name, layout.name))
    said += [
        f"Sheet {sheet.sheet} does not belong to the layout {layout.name}: put it away, so that the picture shows the "
        "sheets of one game."
        for sheet in sheets
        if sheet.sheet not in layout.sheets and any(sheet.sheet in other.sheets for other in load_layouts().values())
    ]
    for sheet in sheets:
        if sheet.error_mm > SETTINGS.poor_mm:
            said.append(
                f"Sheet {sheet.sheet} is only known to within {sheet.error_mm:.1f} mm: "
                "uncover its markers and lay the paper flat."
            )
    if solution.focal_spread > SETTINGS.vague_height:
        said.append(
            f"The camera's height is only known to within {100 * solution.focal_spread:.0f} %, so stacks may be "
            "miscounted: save the camera's lens, send photos with their EXIF data, or look in at a slant of 15 to 30 "
            "degrees."
        )
    return said
