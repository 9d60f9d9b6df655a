"""The players' corrections of what the umpire sees: at this place lies something else.

A correction holds for as long as the umpire would misread the place in the same way; when it reads anything else
there, the table has changed and the correction is over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from calibration.sheets import load_sheets
from engine.table import Colour, Pose, Pyramid, Reading, Scene, Stack
from webui.seen import MOST, SeenError

NEAR_MM = 20.0  # a stack so near is the one that is meant, where a place holds many
SHARED = (None, "track", "off", "scrapyard", "air-wing")
MOST_PYRAMIDS = 20

Json = dict[str, Any]


@dataclass(frozen=True)
class Correction:
    """At this place stand or lie these pyramids, bottom first; none: nothing is there.

    x, y are millimetres in the sheet's frame; `zone` is the place's name, None where it has none.
    """

    sheet: str
    x_mm: float
    y_mm: float
    pyramids: tuple[Pyramid, ...] = ()
    heading_deg: float | None = None
    stand: Colour | None = None
    zone: str | None = None

    def to_json(self) -> Json:
        return {
            "sheet": self.sheet,
            "x_mm": self.x_mm,
            "y_mm": self.y_mm,
            "pyramids": [str(pyramid) for pyramid in self.pyramids],
            "heading_deg": self.heading_deg,
            "stand": None if self.stand is None else str(self.stand),
            "zone": self.zone,
        }

    @classmethod
    def from_json(cls, doc: Any) -> Correction:
        """What `to_json` wrote, or a form sent. Raises SeenError."""
        try:
            x_mm, y_mm, heading_deg = float(doc["x_mm"]), float(doc["y_mm"]), doc.get("heading_deg")
            heading_deg = None if heading_deg is None else float(heading_deg) % 360
            pyramids = tuple(Pyramid.parse(each) for each in doc["pyramids"])
            stand = None if doc.get("stand") is None else Colour(doc["stand"])
            zone, sheet = doc.get("zone"), doc["sheet"]
        except (TypeError, ValueError, KeyError, AttributeError, OverflowError) as fault:
            raise SeenError(f"a correction names a sheet, a place on it and the pyramids there ({fault})") from None
        numbers = [each for each in (x_mm, y_mm, heading_deg) if each is not None]
        fine = all(abs(each) <= MOST for each in numbers) and isinstance(sheet, str) and isinstance(zone, str | None)
        if not fine or sheet not in load_sheets() or len(pyramids) > MOST_PYRAMIDS:
            raise SeenError("a correction names a sheet of the table, a place on it and the pyramids there")
        if heading_deg is not None and len(pyramids) != 1:
            raise SeenError("only a single pyramid can lie")
        return cls(sheet, x_mm, y_mm, pyramids, heading_deg, stand, zone)


@dataclass(frozen=True)
class Corrected:
    """A correction and what the umpire read at that place; None: nothing."""

    correction: Correction
    misread: Reading | None


def stack_at(scene: Scene, place: Correction) -> Stack | None:
    """The stack of the scene that a correction is about."""
    there = [stack for stack in scene.stacks if _is_on(stack, place)]
    nearest = min(there, key=lambda stack: _away_mm(stack, place), default=None)
    if nearest is None or (place.zone in SHARED and _away_mm(nearest, place) > NEAR_MM):
        return None
    return nearest


def remembered(scene: Scene, correction: Correction) -> Corrected:
    """The correction with what this scene, as it was read, has at its place."""
    return Corrected(correction, _first(stack_at(scene, correction)))


def still_meant(scene: Scene, corrections: Sequence[Corrected]) -> tuple[Corrected, ...]:
    """Those whose place is misread as it was."""
    return tuple(each for each in corrections if _alike(_first(stack_at(scene, each.correction)), each.misread))


def with_corrections(scene: Scene, corrections: Sequence[Corrected]) -> Scene:
    """The scene as the players say it is."""
    for each in corrections:
        scene = _with_correction(scene, each.correction)
    return scene


def _with_correction(scene: Scene, correction: Correction) -> Scene:
    old = stack_at(scene, correction)
    others = [stack for stack in scene.stacks if stack is not old]
    if not correction.pyramids:
        return Scene.of(others, scene.empty_stands, scene.error_mm)
    pose = Pose(correction.x_mm, correction.y_mm, correction.heading_deg)
    if old is not None:
        pose = replace(pose, x_mm=old.pose.x_mm, y_mm=old.pose.y_mm)
        new = replace(old, pose=pose, pyramids=correction.pyramids, stand=correction.stand, readings=())
    else:
        new = Stack(correction.sheet, _zone_of(correction), pose, correction.pyramids, correction.stand)
    return Scene.of([*others, new], scene.empty_stands, scene.error_mm)


def _zone_of(correction: Correction) -> str | None:
    return correction.zone or load_sheets()[correction.sheet].zone_at(correction.x_mm, correction.y_mm)


def _first(stack: Stack | None) -> Reading | None:
    return None if stack is None else Reading(stack.pyramids, stack.pose.heading_deg, stack.stand, 1.0)


def _alike(one: Reading | None, other: Reading | None) -> bool:
    """Whether they say the same of what is there; a heading may tremble."""
    if one is None or other is None:
        return one is other
    return (one.pyramids, one.stand, one.is_lying) == (other.pyramids, other.stand, other.is_lying)


def _is_on(stack: Stack, place: Correction) -> bool:
    """Between corner cards a square's pieces may be named in the frame of another card: the square's name is enough."""
    same_zone = place.zone is None or stack.zone == place.zone
    return same_zone and (stack.sheet == place.sheet or place.sheet.startswith("corner-"))


def _away_mm(stack: Stack, place: Correction) -> float:
    return math.hypot(stack.pose.x_mm - place.x_mm, stack.pose.y_mm - place.y_mm)
