"""When the table has come to rest, and what several looks at one rest show together.

Pure: pictures and times are given. A small picture decides cheaply whether anything moved; times are seconds of any
one clock, small pictures BGR, shape (height, SMALL_WIDTH_PX, 3).
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from statistics import median, mode
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.table import Pose, Reading, Scene, Stack

if TYPE_CHECKING:
    from vision.observe import Observation

SMALL_WIDTH_PX = 240
SAME_PLACE_MM = 6.0  # two looks see a foot this near in the same place; two pieces' middles are never so near
SAME_WAY_DEG = 30.0


@dataclass(frozen=True)
class Settling:
    """How long is still, how many looks make one, and what counts as a change."""

    quiet_s: float = 0.7
    looks: int = 3
    changed_levels: float = 14.0  # of 255, in a cell of the small picture: above its noise, below any piece
    changed_cells: int = 6  # the smallest pyramid covers some thirty


SETTLING = Settling()


@dataclass(frozen=True, eq=False)
class Rest:
    """Since when the table lies as it does: the small picture of then, and how many rests there were before, plus one.

    Whatever comes later is measured by that first picture, so that slow pushing is a movement too.
    """

    small: NDArray[np.uint8]
    since_s: float
    number: int = 1

    def is_quiet(self, now_s: float, settling: Settling = SETTLING) -> bool:
        return now_s - self.since_s >= settling.quiet_s


def small_of(image_bgr: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The small picture that movement is told by."""
    height, width = image_bgr.shape[:2]
    size = (SMALL_WIDTH_PX, max(round(height * SMALL_WIDTH_PX / width), 1))
    return np.asarray(cv2.resize(image_bgr, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def watched(rest: Rest | None, small: NDArray[np.uint8], now_s: float, settling: Settling = SETTLING) -> Rest:
    """The rest after one more picture: the same if nothing moved, else a new one that begins now."""
    if rest is None:
        return Rest(small, now_s)
    if has_changed(rest.small, small, settling):
        return Rest(small, now_s, rest.number + 1)
    return rest


def has_changed(one: NDArray[np.uint8], other: NDArray[np.uint8], settling: Settling = SETTLING) -> bool:
    """Whether something in the picture differs; a camera that makes all of it brighter is no change."""
    if one.shape != other.shape:
        return True
    before, now = one.astype(np.float32), other.astype(np.float32)
    gain = (np.median(before, axis=(0, 1)) + 1) / (np.median(now, axis=(0, 1)) + 1)
    apart = np.abs(now * np.clip(gain, 0.7, 1.4) - before).max(axis=2)
    return int(np.count_nonzero(apart > settling.changed_levels)) >= settling.changed_cells


# Several looks at one rest.


def is_enough(looks: Sequence[Observation], settling: Settling = SETTLING) -> bool:
    """Whether these looks can be judged: as many as it takes, or two that agree."""
    return len(looks) >= settling.looks or (len(looks) == 2 and _agree(*looks))


def fused(looks: Sequence[Observation]) -> Observation:
    """What the looks show together: what most of them see, each reading as probable as the middle one of them says.

    One odd look among three changes nothing. The table is the last look's. What shows through nests is left out.
    """
    scene = fused_scene([look.scene for look in looks])
    hand = 2 * sum(look.hand_in_view for look in looks) > len(looks)
    said = dict.fromkeys(words for look in looks for words in look.warnings)
    warnings = tuple(words for words in said if 2 * sum(words in look.warnings for look in looks) > len(looks))
    return replace(looks[-1], scene=scene, hand_in_view=hand, warnings=warnings, inner={})


def fused_scene(scenes: Sequence[Scene]) -> Scene:
    """The stacks that more than half of the scenes have, each fused."""
    seen = [group for group in _grouped(scenes) if 2 * len(group) > len(scenes)]
    lasting = [one for one in scenes[-1].empty_stands if 2 * sum(one in s.empty_stands for s in scenes) > len(scenes)]
    error_mm = median(scene.error_mm for scene in scenes)
    return Scene.of([_fused_stack(group) for group in seen], tuple(lasting), error_mm)


def _grouped(scenes: Sequence[Scene]) -> list[list[Stack]]:
    """The stacks by where they stand, at most one of each scene in a group."""
    groups: list[list[Stack]] = []
    for scene in scenes:
        free = list(range(len(groups)))
        for stack in scene.stacks:
            near = min(free, key=lambda n: _apart_mm(groups[n][0], stack), default=None)
            if near is not None and _apart_mm(groups[near][0], stack) <= SAME_PLACE_MM:
                groups[near].append(stack)
                free.remove(near)
            else:
                groups.append([stack])
    return groups


def _apart_mm(one: Stack, other: Stack) -> float:
    if one.sheet != other.sheet:
        return math.inf
    return math.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)


def _fused_stack(group: Sequence[Stack]) -> Stack:
    kinds: list[list[Reading | None]] = []  # of each kind of reading, each look's own, if it has one
    for n, stack in enumerate(group):
        for reading in _readings(stack):
            kind = next((k for k in kinds if k[n] is None and _is_alike(_first(k), reading)), None)
            if kind is None:
                kind = [None] * len(group)
                kinds.append(kind)
            kind[n] = reading
    weighed = [(_first(kind), median(r.probability if r else 0.0 for r in kind)) for kind in kinds]
    whole = sum(weight for _, weight in weighed)
    if whole <= 0:  # no two looks agree on anything: all of it may be the case
        weighed = [(_first(kind), sum(r.probability for r in kind if r)) for kind in kinds]
        whole = sum(weight for _, weight in weighed)
    ranked = sorted((replace(r, probability=w / whole) for r, w in weighed if w > 0), key=lambda r: -r.probability)
    x_mm, y_mm = median(s.pose.x_mm for s in group), median(s.pose.y_mm for s in group)
    like = next((s for s in group if _is_alike(_readings(s)[0], ranked[0])), group[0])
    return replace(
        like,
        zone=mode(s.zone for s in group),
        pose=Pose(x_mm, y_mm, ranked[0].heading_deg),
        pyramids=ranked[0].pyramids,
        stand=ranked[0].stand,
        readings=tuple(ranked),
    )


def _readings(stack: Stack) -> tuple[Reading, ...]:
    return stack.readings or (Reading(stack.pyramids, stack.pose.heading_deg, stack.stand, 1.0),)


def _first(kind: Sequence[Reading | None]) -> Reading:
    return next(reading for reading in kind if reading is not None)


def _is_alike(one: Reading, other: Reading) -> bool:
    """Whether they say the same, but for a heading that is a little off."""
    if (one.pyramids, one.stand) != (other.pyramids, other.stand):
        return False
    if one.heading_deg is None or other.heading_deg is None:
        return one.heading_deg is other.heading_deg
    return abs((one.heading_deg - other.heading_deg + 180) % 360 - 180) <= SAME_WAY_DEG


def _agree(one: Observation, other: Observation) -> bool:
    """Whether two looks see the same pieces in the same places, and a hand or none."""
    groups = _grouped([one.scene, other.scene])
    alike = all(len(group) == 2 and _is_alike(*(_readings(stack)[0] for stack in group)) for group in groups)
    return alike and one.hand_in_view == other.hand_in_view
