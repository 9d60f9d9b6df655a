"""A camera's lens from tilted views of any printed sheet, or in words why these views do not tell it.

From straight above, a longer lens higher up looks almost the same; only views slanted to different sides part the
two. Tilts are between the optical axis and the table's normal. Pixels are (x, y) with centres at whole numbers.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from calibration.appearance import Floats
from calibration.joint import Joint, solve_jointly
from calibration.locate import Sighted, prior_of, sighted_in, solved
from calibration.optics import Lens
from calibration.solve import Solution
from calibration.store import ABOVE_MM, verdict_on


@dataclass(frozen=True)
class LensSettings:
    """Thresholds of lens calibration."""

    least_views: int = 8
    apart_deg: float = 8.0  # two views tilted more alike than this count as one
    least_different: int = 5
    first_focal_spread: float = 0.01  # relative: what the views say together before they are solved jointly
    disagrees: float = 3.0  # a view whose markers lie off by this many times what they do alone is of another lens
    disagrees_px: float = 0.2  # and by this much more
    caution: float = 2.0  # errors were up to 3.6 times the standard deviation on drawn views, mostly within 2
    edge: float = 0.6  # of the way from the picture's middle to its corner: markers should reach out so far


SETTINGS = LensSettings()


class LensRefused(Exception):  # noqa: N818  the name is what players are told
    """The views do not tell the lens; the message says why and what to do."""


@dataclass(frozen=True, eq=False)
class View:
    """One photo of a sheet: its markers, and what they say of the camera by themselves."""

    name: str
    sighted: Sighted
    alone: Solution

    @property
    def marker_count(self) -> int:
        return len(self.sighted.markers.ids)

    @property
    def tilt_deg(self) -> float:
        return _tilt_deg(self.alone.camera[0])


@dataclass(frozen=True)
class LensFit:
    """The lens that the views named `used` agree on; `set_aside` are (view, why). `error_mm` as of a Calibration."""

    lens: Lens
    error_mm: float
    used: tuple[str, ...]
    set_aside: tuple[tuple[str, str], ...]
    notes: tuple[str, ...]


def view_of(name: str, image_bgr: NDArray[np.uint8], print_scale: float = 1.0) -> View:
    """The view that a photo, shape (height, width, 3), gives. Raises LocateError in words, when it shows no mat."""
    sighted = sighted_in(image_bgr, print_scale)
    return View(name, sighted, solved(sighted, prior_of(None, sighted.size_px)))


def lens_from(views: Sequence[View]) -> LensFit:
    """The lens of the views. Raises LensRefused in words."""
    of_one_size, set_aside = _of_one_size(views)
    _check_enough(of_one_size, set_aside)
    kept, joint = _agreeing(of_one_size, set_aside)
    _check_different(kept, joint)
    error_mm = _error_mm(kept, joint)
    if verdict_on(error_mm) == "bad":
        raise LensRefused(
            f"The photos leave the lens too vague: points above the mat may be off by {error_mm:.1f} mm (bad). "
            "Take sharper photos, closer to the sheet, tilted by 15 to 40 degrees towards all sides, of flat paper."
        )
    focal, k1, k2, p1, p2 = joint.lens.tolist()
    lens = Lens(focal, joint.axis_px, (k1, k2, p1, p2), kept[0].sighted.size_px)
    return LensFit(lens, error_mm, tuple(view.name for view in kept), tuple(set_aside), _notes(kept, lens))


SetAside = list[tuple[str, str]]


def _of_one_size(views: Sequence[View]) -> tuple[list[View], SetAside]:
    """The views of the commonest picture size, and the others."""
    if not views:
        return [], []
    size, _ = Counter(view.sighted.size_px for view in views).most_common(1)[0]
    others = [view for view in views if view.sighted.size_px != size]
    why = f"pixels, while the others have {size[0]} by {size[1]}: keep the size, and hold the camera the same way up."
    said = [(view.name, f"It has {' by '.join(map(str, view.sighted.size_px))} {why}") for view in others]
    return [view for view in views if view.sighted.size_px == size], said


def _check_enough(views: Sequence[View], set_aside: SetAside) -> None:
    if len(views) >= SETTINGS.least_views:
        return
    reasons = "".join(f" {name}: {why}" for name, why in set_aside)
    count = f"{len(views)} photo{'' if len(views) == 1 else 's'}"
    raise LensRefused(
        f"Only {count} can be used: take {SETTINGS.least_views} or more of any printed sheet, tilted by 15 to 40 "
        f"degrees, each time towards another side.{reasons}"
    )


def _agreeing(views: list[View], set_aside: SetAside) -> tuple[list[View], Joint]:
    """The views that one lens explains, and their joint solution; those set aside are added to the list."""
    while True:
        joint = _joint(views)
        off = [_strangeness(view, spread) for view, spread in zip(views, joint.spreads_px, strict=True)]
        worst = int(np.argmax(off))
        if off[worst] <= 0:
            return views, joint
        why = "It does not fit the lens of the others: another camera, zoom or focus, or bent paper?"
        set_aside.append((views[worst].name, why))
        views = views[:worst] + views[worst + 1 :]
        _check_enough(views, set_aside)


def _joint(views: Sequence[View]) -> Joint:
    """Solved from where the views together put the focal length, each by how sure it is."""
    usual = prior_of(None, views[0].sighted.size_px)
    told = [math.log(float(view.alone.lens[0])) for view in views]
    focal = math.exp(float(np.average(told, weights=[view.alone.focal_spread**-2 for view in views])))
    near = replace(usual, focal_px=focal, focal_spread=SETTINGS.first_focal_spread)
    starts = [solved(view.sighted, near) for view in views]
    return solve_jointly([view.sighted.markers for view in views], starts, replace(usual, focal_px=focal))


def _strangeness(view: View, spread_px: float) -> float:
    """How much further its markers lie off under the common lens than is plausible, px; 0 or less when they do not."""
    return spread_px - SETTINGS.disagrees * view.alone.spread_px - SETTINGS.disagrees_px


# --- how much the views tell -----------------------------------------------------------------------------------------


def _check_different(views: Sequence[View], joint: Joint) -> None:
    groups = _alike(joint.rotations)
    if len(groups) >= SETTINGS.least_different:
        return
    sides = f"{len(groups)} really different side{'s' if len(groups) > 1 else ''}"
    names = ", ".join(views[n].name for n in max(groups, key=len))
    raise LensRefused(
        f"The photos are too alike to tell the lens: they show the sheet from {sides}, and {SETTINGS.least_different} "
        f"are needed ({names} are alike). Tilt the camera, or prop the sheet up, by 15 to 40 degrees, each time "
        "towards another side."
    )


def _alike(rotations: Sequence[Floats]) -> list[list[int]]:
    """Numbers of the views in groups tilted alike: each view joins the first group whose first view is near."""
    normals = [rotation[:, 2] for rotation in rotations]
    groups: list[list[int]] = []
    for number, normal in enumerate(normals):
        near = (group for group in groups if _angle_deg(normal, normals[group[0]]) < SETTINGS.apart_deg)
        group = next(near, None)
        if group is None:
            groups.append([number])
        else:
            group.append(number)
    return groups


def _angle_deg(one: Floats, other: Floats) -> float:
    return math.degrees(math.acos(min(1.0, float(one @ other))))


def _tilt_deg(rotation: Floats) -> float:
    return _angle_deg(-rotation[:, 2], np.array([0.0, 0.0, 1.0]))


def _error_mm(views: Sequence[View], joint: Joint) -> float:
    """How far a point up to `ABOVE_MM` above the paper may be off: misses on the paper and doubt in the lens."""
    misses = np.concatenate([_misses_mm(view, off) for view, off in zip(views, joint.misses_px, strict=True)])
    on_paper = float(np.sqrt((misses**2).sum(axis=1).mean()))
    doubt = math.hypot(joint.focal_spread, joint.axis_spread_px / float(joint.lens[0]))
    return math.hypot(on_paper, SETTINGS.caution * ABOVE_MM * doubt)


def _misses_mm(view: View, misses_px: Floats) -> Floats:
    """How far each marker's middle is off on the paper, shape (n, 2), true mm."""
    seen = view.sighted.markers
    px_per_mm = _sides(seen.corners_px) / _sides(seen.spots.points_mm)
    return np.asarray(misses_px.mean(axis=1) / px_per_mm[:, None])


def _sides(corners: Floats) -> Floats:
    """Mean length of the four sides, shape (n,), of corners, shape (n, 4, 2)."""
    return np.asarray(np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2).mean(axis=1))


def _notes(views: Sequence[View], lens: Lens) -> tuple[str, ...]:
    corners = np.concatenate([view.sighted.markers.corners_px.reshape(-1, 2) for view in views])
    middle = (np.array(lens.image_size_px) - 1) / 2
    reach = float(np.linalg.norm(corners - middle, axis=1).max() / np.linalg.norm(middle))
    if reach >= SETTINGS.edge:
        return ()
    return (
        "No photo shows markers near the picture's edge, so the lens is known in the middle only: next time let the "
        "sheet fill the picture, or move it into each corner.",
    )
