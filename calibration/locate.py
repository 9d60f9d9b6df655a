"""From a photo to where each sheet lies, the lens and the camera: by the AprilTags printed on the sheets.

Pixels are (x, y) of the photo as given; the table's frame is the nominal layout's, in which the sheet with the most
markers seen lies exactly where it should and every other sheet where it really is. Error classes carry sentences
for players.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration import opencv
from calibration.appearance import Floats, Frame, Spots, projected, unknowns_of
from calibration.hints import ExifFocal, LensHint, fitted_to, misfit_words, prior_of, turns_of
from calibration.optics import Camera, Lens, LocatedSheet, LocatedTable, SheetPose
from calibration.sheets import Layout, load_layouts, load_sheets
from calibration.sighting import (
    LocateError,
    Mirrored,
    NoMat,
    PictureTooSmall,
    SeenTwice,
    Sighted,
    TooBlurred,
    TooDark,
    TooFewMarkers,
    sighted_in,
)
from calibration.solve import LensPrior, Sightings, Solution, solve
from calibration.store import Calibration, CalibrationError

__all__ = [
    "Disagreeing",
    "ExifFocal",
    "LensHint",
    "LocateError",
    "Mirrored",
    "NoMat",
    "PictureTooSmall",
    "SeenTwice",
    "Sighted",
    "TooBlurred",
    "TooDark",
    "TooFewMarkers",
    "WrongCamera",
    "absence_words",
    "fitted_to",
    "locate",
    "prior_of",
    "sighted_in",
    "solved",
    "turns_of",
]


@dataclass(frozen=True)
class LocateSettings:
    """Thresholds of locating."""

    consensus_px: float = 4.0  # on pictures up to 1280 px wide: lens distortion bends a sheet by a few pixels
    least_believed: int = 4  # markers
    strange: float = 3.0  # standard deviations of surprise beyond which a hint is looked at again
    strange_lift_mm: float = 1.0  # a wrong lens can also pass for corners that curl up
    contradicted: float = 5.0  # standard deviations beyond which a hint is another lens's
    contradicted_focal: float = 0.04  # relative; closer than this a hint does no harm
    vague_height: float = 0.05  # relative error of the height worth a warning
    curl_mm: float = 3.0  # a lifted corner worth a warning
    bent_part: float = 0.5  # of a sheet's seen markers that are not believed, worth a warning
    poor_mm: float = 1.5  # a sheet's error worth a warning
    hopeless_mm: float = 8.0  # a sheet with a greater error is not located


SETTINGS = LocateSettings()


class Disagreeing(LocateError):  # noqa: N818
    """Enough markers are seen, but no way for the sheets to lie shows them where they are."""


class WrongCamera(LocateError):  # noqa: N818
    """The picture cannot be of the camera whose calibration is to be used."""


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
    return replace(table, warnings=(misfit_words(lens_hint), *table.warnings))


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


def _is_strange(solution: Solution) -> bool:
    """Whether what is seen hardly fits the lens that the hint said."""
    return solution.focal_surprise > SETTINGS.strange or float(solution.lifts_mm.max()) > SETTINGS.strange_lift_mm


def _contradicts(free: Solution, hinted: Solution) -> bool:
    """Whether the solution without the hint says that the hint is another lens's."""
    apart = abs(math.log(free.lens[0] / hinted.prior.focal_px))
    doubt = math.hypot(free.focal_spread, hinted.prior.focal_spread)
    return apart > max(SETTINGS.contradicted * doubt, SETTINGS.contradicted_focal)


# --- solving ---------------------------------------------------------------------------------------------------------


def solved(sighted: Sighted, prior: LensPrior) -> Solution:
    """The joint solution. Raises Disagreeing when the markers do not agree on a plane."""
    seen, names = sighted.markers, sighted.names
    nominal = sighted.layout.pose_of(names[0]) or SheetPose(0.0, 0.0, 0.0)
    frame = Frame(prior.focal_px, prior.centre_px, (nominal.x_mm, nominal.y_mm, math.radians(nominal.turn_deg)))
    solution = solve(seen, prior, frame, _start(seen, prior, frame, len(names)))
    if (solution.weights > 0).sum() < SETTINGS.least_believed or not np.isfinite(solution.unknowns).all():
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
    layout, camera = sighted.layout, _camera(solution, sighted.size_px)
    if camera.height_mm <= 0:  # seen from behind the paper: in a mirror, or markers that are not where they should be
        raise _disagreeing()
    sheets = [_located(solution, sighted, index) for index in range(len(sighted.names))]
    good = [sheet for sheet in sheets if sheet.error_mm <= SETTINGS.hopeless_mm]
    if not good:
        raise _disagreeing()
    good.sort(key=lambda s: layout.sheets.index(s.sheet) if s.sheet in layout.sheets else len(layout.sheets))
    bent = _bent(solution, sighted)
    warnings = [*_warnings(solution, tuple(good), layout, bent), *_curls(solution, sighted.names)]
    return LocatedTable(layout.name, camera, tuple(good), tuple(warnings))


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
    variance = float(variances.mean())
    return math.sqrt(variance) if variance >= 0 else math.inf  # below: so little is known that the inverse is noise


def _bent(solution: Solution, sighted: Sighted) -> tuple[str, ...]:
    """The sheets most of whose seen markers are not where flat paper would have them."""
    believed, sheets = solution.weights > 0, sighted.markers.spots.sheets
    return tuple(name for n, name in enumerate(sighted.names) if believed[sheets == n].mean() < 1 - SETTINGS.bent_part)


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
