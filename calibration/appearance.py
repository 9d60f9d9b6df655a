"""Where printed corners must appear, and how that changes with each unknown.

Unknowns: the focal length and distortion; how much tags look larger than printed, since exposure and sharpening move
their edges; the camera's pose; each sheet's pose but the first one's, which fixes the table's frame; how far each
corner of each sheet curls up. Millimetres, pixels, radians; frames as in `calibration.optics`.

Seen from nearly straight above, a longer lens higher up looks almost the same, so the cost is a long curved valley in
which a descent creeps. It is straight in the unknowns used here: whatever must grow with the focal length to keep the
picture is told relative to F, the focal length over the usual one: height and tilt by F, distortion by its power.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration import opencv

Floats = NDArray[np.float64]

# Where in the vector of unknowns what begins. FOCAL: log of the focal length; DISTORTION: k1/F^2, k2/F^4, p1/F, p2/F;
# BIAS: px that a tag's side seems to lie further out; TILT: rotation vector's x and y over F, then the turn about the
# table's z; PLACE: translation x, y, and z over F; REACH: log of how far from a corner its lift is felt, mm; SHEETS:
# x, y, turn of each sheet but the first, then the lifts of the four corners of each sheet, mm.
FOCAL, DISTORTION, BIAS, TILT, PLACE, REACH, SHEETS = 0, 1, 5, 6, 9, 12, 13
POWERS = np.array([2.0, 4.0, 1.0, 1.0])
FACING = np.diag([1.0, -1.0, -1.0])  # camera_from_table when it looks straight down, pictures' top where y points
USUAL_REACH_MM = 45.0  # a corner's lift falls off as a bell over about this distance


@dataclass(frozen=True, eq=False)
class Spots:
    """Points on sheets: the sheets' indices, shape (n,), k points on each, (n, k, 2), and their distances from each of
    their sheet's corners, (n, k, 4), which are infinite for points that stay flat.
    """

    sheets: NDArray[np.int64]
    points_mm: Floats
    away_mm: Floats


@dataclass(frozen=True)
class Frame:
    """What the unknowns are relative to: the usual focal length, the optical axis and the first sheet's pose."""

    focal_px: float
    centre_px: tuple[float, float]
    first: tuple[float, float, float]  # x, y in mm, turn in radians


def away_from_corners(points_mm: Floats, size_mm: tuple[float, float]) -> Floats:
    """Distances of points, shape (..., 2), from the sheet's corners, its origin's first: shape (..., 4)."""
    width, height = size_mm
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]])
    return np.asarray(np.linalg.norm(points_mm[..., None, :] - corners, axis=-1))


def sheet_count(unknowns: Floats) -> int:
    return (len(unknowns) - SHEETS + 3) // 7


def lifts_at(unknowns: Floats) -> int:
    """Where the lifts begin."""
    return SHEETS + 3 * (sheet_count(unknowns) - 1)


def lens_of(frame: Frame, unknowns: Floats) -> Floats:
    """Focal length in px, k1, k2, p1, p2."""
    growth = growth_of(frame, unknowns)
    return np.array([np.exp(unknowns[FOCAL]), *(unknowns[DISTORTION:BIAS] * growth**POWERS)])


def camera_of(frame: Frame, unknowns: Floats) -> tuple[Floats, Floats]:
    """camera_from_table: rotation, shape (3, 3), and translation in mm, shape (3,)."""
    translation = unknowns[PLACE:REACH] * (1, 1, growth_of(frame, unknowns))
    return _rotation(frame, unknowns)[0], translation


def sheet_poses(frame: Frame, unknowns: Floats) -> Floats:
    """x, y in mm and turn in radians of each sheet, shape (sheets, 3)."""
    return np.concatenate([np.array(frame.first)[None], unknowns[SHEETS : lifts_at(unknowns)].reshape(-1, 3)])


def growth_of(frame: Frame, unknowns: Floats) -> float:
    """F: the focal length over the usual one."""
    return float(np.exp(unknowns[FOCAL])) / frame.focal_px


def unknowns_of(frame: Frame, lens: Floats, camera: tuple[Floats, Floats], sheets: Floats) -> Floats:
    """The unknowns of a lens, shape (5,), camera_from_table, and the sheets' poses but the first's, (n - 1, 3)."""
    growth = lens[0] / frame.focal_px
    rotation, (x, y, z) = camera
    away = rotation[:, 2]  # the table's z axis as the camera sees it: (0, 0, -1) when it looks straight down
    axis = np.array([away[1], -away[0]])
    sine = float(np.hypot(*axis))
    tilt = axis / max(sine, 1e-12) * np.arctan2(sine, -away[2])
    upright = FACING @ opencv.rotation_of(np.array([*tilt, 0.0]))[0].T @ rotation
    turn = np.arctan2(upright[1, 0], upright[0, 0])
    bent = lens[1:] / growth**POWERS
    lifts = np.zeros(4 * (len(sheets) + 1))
    pose = (*(tilt / growth), turn, x, y, z / growth)
    return np.array([np.log(lens[0]), *bent, 0.0, *pose, np.log(USUAL_REACH_MM), *sheets.reshape(-1), *lifts])


def projected(frame: Frame, spots: Spots, unknowns: Floats) -> tuple[Floats, Floats]:
    """Pixels of the spots, shape (n, k, 2), and their derivatives, shape (n, k, 2, unknowns)."""
    poses = sheet_poses(frame, unknowns)[spots.sheets]
    c, s = np.cos(poses[:, 2])[:, None], np.sin(poses[:, 2])[:, None]
    x, y = spots.points_mm[..., 0], spots.points_mm[..., 1]
    lifts = unknowns[lifts_at(unknowns) :].reshape(-1, 4)[spots.sheets]
    reached = (spots.away_mm / np.exp(unknowns[REACH])) ** 2
    rise = np.exp(-reached)
    z = np.einsum("nka,na->nk", rise, lifts)
    table = np.stack([c * x - s * y + poses[:, :1], s * x + c * y + poses[:, 1:2], z], axis=-1)
    pixels, by_point, by_lens = opencv.projected(
        table.reshape(-1, 3), camera_of(frame, unknowns), lens_of(frame, unknowns), frame.centre_px
    )
    by_point, by_lens = by_point.reshape(*x.shape, 2, 3), by_lens.reshape(*x.shape, 2, 5)
    slopes = np.zeros((*x.shape, 2, len(unknowns)))
    _fill_camera(slopes, frame, unknowns, table, by_point, by_lens)
    by_table = by_point @ _rotation(frame, unknowns)[0]
    aside = np.stack([-s * x - c * y, c * x - s * y], axis=-1)
    by_sheet = np.concatenate([by_table[..., :2], by_table[..., :2] @ aside[..., None]], axis=-1)
    by_lift = by_table[..., 2:] * rise[:, :, None, :]
    widening = np.where(rise > 0, 2 * np.where(rise > 0, reached, 0.0) * rise, 0.0)
    slopes[..., REACH] = by_table[..., 2] * np.einsum("nka,na->nk", widening, lifts)[..., None]
    for sheet in np.unique(spots.sheets).tolist():
        rows = np.flatnonzero(spots.sheets == sheet)
        at = lifts_at(unknowns) + 4 * sheet
        slopes[rows, ..., at : at + 4] = by_lift[rows]
        if sheet > 0:
            at = SHEETS + 3 * (sheet - 1)
            slopes[rows, ..., at : at + 3] = by_sheet[rows]
    return pixels.reshape(*x.shape, 2), slopes


def _fill_camera(
    slopes: Floats, frame: Frame, unknowns: Floats, table: Floats, by_point: Floats, by_lens: Floats
) -> None:
    """Write the derivatives by lens and camera into `slopes`; that by the focal length last, as it moves the others."""
    growth = growth_of(frame, unknowns)
    _, by_angles = _rotation(frame, unknowns)
    slopes[..., DISTORTION:BIAS] = by_lens[..., 1:] * growth**POWERS
    slopes[..., TILT:PLACE] = by_point @ np.einsum("aij,nkj->nkia", by_angles, table)
    slopes[..., PLACE:REACH] = by_point * (1, 1, growth)
    grows = np.zeros(REACH)
    grows[DISTORTION:BIAS] = POWERS * unknowns[DISTORTION:BIAS]
    grows[TILT : TILT + 2], grows[REACH - 1] = unknowns[TILT : TILT + 2], unknowns[REACH - 1]
    slopes[..., FOCAL] = by_lens[..., 0] * np.exp(unknowns[FOCAL]) + slopes[..., :REACH] @ grows


def _rotation(frame: Frame, unknowns: Floats) -> tuple[Floats, Floats]:
    """The camera's rotation, shape (3, 3), and its derivatives by the three unknowns from TILT on, shape (3, 3, 3)."""
    growth = growth_of(frame, unknowns)
    tilt, by_tilt = opencv.rotation_of(np.array([*(unknowns[TILT : TILT + 2] * growth), 0.0]))
    c, s = np.cos(unknowns[TILT + 2]), np.sin(unknowns[TILT + 2])
    turn, by_turn = np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]]), np.array([[-s, -c, 0], [c, -s, 0], [0, 0, 0]])
    laid = FACING @ turn
    return tilt @ laid, np.stack([growth * by_tilt[0] @ laid, growth * by_tilt[1] @ laid, tilt @ FACING @ by_turn])
