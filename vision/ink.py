"""What is drawn by hand on a plain ground: the strokes of pens, seen straight from above.

Whatever differs from the ground around it is ink, so whiteboards, paper and blackboards are read alike, and lamps may
be where they are. Strokes are all darker or all lighter than the ground, as most of what is thin is: glare on a
whiteboard is no stroke. Thick things are pieces or hands, and are told apart.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]  # 0 or 1


@dataclass(frozen=True)
class InkSettings:
    """Scales and thresholds of reading strokes."""

    ground_mm: float = 41.0  # the ground is the median over so wide a window: strokes fill much less of it
    smooth_mm: float = 0.6
    faint: float = 0.09  # log units: a stroke that differs less from the ground is a smear
    clear: float = 0.22  # somewhere along it a stroke differs by as much as this
    noise_times: float = 6.0  # of the ground's own spread, which may be more than that
    darkest: float = 6.0  # of 255: logarithms of less are noise
    speck_mm2: float = 25.0  # ink smaller than this is dirt
    thick_mm: float = 10.5  # a stroke is thinner than this, the smallest piece is thicker
    thick_times: float = 1.8  # a stroke's width: where two meet they are thicker, but not by as much
    rim_mm: float = 3.0  # around a thick thing, where its edge is seen beside it
    red_over_mm: float = 3.0  # a stroke is red where most of it around is
    red_over_green: float = 0.25  # log units by which a red pen darkens green more than red, at least
    red_over_blue: float = 0.12  # the same of blue
    red_depth: float = 0.2  # log units by which it darkens green, at least


SETTINGS = InkSettings()


@dataclass(frozen=True, eq=False)
class Ink:
    """Masks of one shape: all that is no ground, what of it is thick, and where a pen is red."""

    drawn: Mask
    thick: Mask
    red: Mask
    width_px: float  # of a usual stroke

    @property
    def strokes(self) -> Mask:
        return np.asarray(self.drawn & (1 - self.thick), dtype=np.uint8)


def ink_of(seen_bgr: NDArray[np.uint8], px_per_mm: float, is_ground: NDArray[np.bool_]) -> Ink:
    """The ink of a picture from above, shape (height, width, 3); what lies where `is_ground` is not is left out."""
    logs = _against_ground(seen_bgr, px_per_mm, is_ground)
    inks = [_ink(depth.max(axis=2), logs, px_per_mm, is_ground) for depth in (-logs, logs)]
    return max(inks, key=lambda ink: int(ink.strokes.sum()))


def _ink(depth: NDArray[np.float32], logs: NDArray[np.float32], px_per_mm: float, is_ground: NDArray[np.bool_]) -> Ink:
    """The ink of which each pixel differs so much from the ground."""
    noise = 1.48 * float(np.median(np.abs(depth[is_ground]))) if is_ground.any() else 0.0
    faint = max(SETTINGS.faint, SETTINGS.noise_times * noise)
    drawn = _connected((depth > faint) & is_ground, depth > max(SETTINGS.clear, 2 * faint), px_per_mm)
    thick = _thick(drawn, px_per_mm)
    red = _red(logs, drawn, px_per_mm) & (1 - grown(thick, SETTINGS.rim_mm * px_per_mm))
    return Ink(drawn, thick, red, _width_px(drawn & (1 - thick)))


def odd(length_px: float) -> int:
    """The nearest odd whole number of pixels from 1: sides of windows."""
    return 2 * max(round((length_px - 1) / 2), 0) + 1


def grown(mask: Mask, by_px: float) -> Mask:
    """The mask and all that is so near to it."""
    if by_px <= 0:
        return mask
    return np.asarray(cv2.distanceTransform(1 - mask, cv2.DIST_L2, 5) <= by_px, dtype=np.uint8)


def shrunk(mask: Mask, by_px: float) -> Mask:
    """The mask without what is so near to its edge."""
    if by_px <= 0:
        return mask
    return np.asarray(cv2.distanceTransform(mask, cv2.DIST_L2, 5) > by_px, dtype=np.uint8)


def opened(mask: Mask, radius_px: float) -> Mask:
    """What of the mask a disc of that radius covers that moves inside of it: nothing thinner."""
    return grown(shrunk(mask, radius_px), radius_px) & mask


def _against_ground(seen_bgr: NDArray[np.uint8], px_per_mm: float, is_ground: NDArray[np.bool_]) -> NDArray[np.float32]:
    """How much lighter each channel is than the ground around, log units, shape (height, width, 3)."""
    height, width = seen_bgr.shape[:2]
    coarse = min(1.0, 1.0 / px_per_mm)  # the ground is smooth: 1 px a mm is plenty
    size = (max(round(width * coarse), 1), max(round(height * coarse), 1))
    small = np.asarray(cv2.resize(seen_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    bare = np.asarray(cv2.resize(is_ground.astype(np.uint8), size, interpolation=cv2.INTER_NEAREST), dtype=np.uint8)
    ground = cv2.medianBlur(_everywhere(small, bare), odd(SETTINGS.ground_mm * px_per_mm * coarse))
    ground = cv2.resize(ground, (width, height), interpolation=cv2.INTER_LINEAR)
    smooth = cv2.GaussianBlur(seen_bgr, (0, 0), max(SETTINGS.smooth_mm * px_per_mm, 0.5))
    one, other = (np.log(np.maximum(each.astype(np.float32), SETTINGS.darkest)) for each in (smooth, ground))
    return np.asarray(one - other, dtype=np.float32)


def _everywhere(picture: NDArray[np.uint8], bare: Mask) -> NDArray[np.uint8]:
    """The picture with the nearest bare ground in place of what is none."""
    if not bare.any():
        return picture
    _, labels = cv2.distanceTransformWithLabels(1 - bare, cv2.DIST_L2, 5, labelType=cv2.DIST_LABEL_PIXEL)
    of_label = np.zeros((int(labels.max()) + 1, 3), np.uint8)
    of_label[labels[bare > 0]] = picture[bare > 0]
    return np.asarray(of_label[labels], dtype=np.uint8)


def _connected(faint: NDArray[Any], clear: NDArray[Any], px_per_mm: float) -> Mask:
    """Faint ink that hangs together with clear ink, without specks."""
    count, labels, stats, _ = cv2.connectedComponentsWithStats(faint.astype(np.uint8), connectivity=8)
    keep = stats[:, cv2.CC_STAT_AREA] >= SETTINGS.speck_mm2 * px_per_mm**2
    keep &= np.bincount(labels.ravel(), weights=clear.ravel(), minlength=count) > 0
    keep[0] = False
    return np.asarray(keep[labels], dtype=np.uint8)


def _thick(drawn: Mask, px_per_mm: float) -> Mask:
    """What is thicker than any stroke, and its rim."""
    thick_px = max(SETTINGS.thick_mm * px_per_mm, SETTINGS.thick_times * _width_px(drawn))
    return grown(shrunk(drawn, thick_px / 2), thick_px / 2 + SETTINGS.rim_mm * px_per_mm) & drawn


def _red(logs: NDArray[np.float32], drawn: Mask, px_per_mm: float) -> Mask:
    """Ink that swallows green and blue much more than red, by the most of its surroundings."""
    blue, green, red = (logs[..., n] for n in range(3))
    is_red = (drawn > 0) & (red - green > SETTINGS.red_over_green) & (red - blue > SETTINGS.red_over_blue)
    is_red &= green < -SETTINGS.red_depth
    side = (odd(2 * SETTINGS.red_over_mm * px_per_mm),) * 2
    share = cv2.blur(is_red.astype(np.float32), side) / np.maximum(cv2.blur(drawn.astype(np.float32), side), 1e-6)
    return np.asarray((share > 0.5) & (drawn > 0), dtype=np.uint8)


def _width_px(strokes: Mask) -> float:
    """How wide strokes are, by their middles; 1 where there are none."""
    inside = cv2.distanceTransform(strokes, cv2.DIST_L2, 3)
    ridge = (inside > 0.5) & (inside >= cv2.dilate(inside, np.ones((3, 3), np.uint8)))
    return max(2 * float(np.median(inside[ridge])) - 1, 1.0) if ridge.any() else 1.0
