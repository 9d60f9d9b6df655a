"""Corrections by a form: each stack that was read with what else it may be, and the places where one may be added."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibration.sheets import Zone, load_layouts, load_sheets
from engine.table import COLOURS, Colour, Pyramid, Reading, Scene, Stack
from webui.correcting import Correction
from webui.readings import pyramids_words, stack_words

Json = dict[str, Any]

MOST_OTHERS = 6
PLACES = ("square", "silo", "front", "air-wing", "tower", "scrapyard")  # kinds of zones that a piece can be added to


class MendingError(Exception):
    """What the form says is no correction; the message says why."""


def mending_view(scene: Scene, layout: str) -> Json:
    """What the form offers for a table of that layout."""
    return {
        "stacks": [{"words": stack_words(stack), "others": _others(stack)} for stack in scene.stacks],
        "places": list(_places(layout)),
        "colours": [str(colour) for colour in COLOURS],
        "has_stands": layout in ("board", "corner-cards"),
    }


def correction_from(form: Mapping[str, str], scene: Scene, layout: str) -> Correction:
    """What the filled-in form says of this table. Raises MendingError, in words that a player can act on."""
    if form.get("stack", "") == "new":
        return _added(form, layout)
    stack = _chosen(form.get("stack", ""), scene.stacks)
    wanted = form.get("as", "")
    if wanted == "nothing":
        return _at(stack, Reading((), None, None, 1.0))
    if wanted == "written":
        heading_deg = stack.pose.heading_deg
        return _at(stack, Reading(_pyramids(form), heading_deg, _stand(form), 1.0))
    return _at(stack, _chosen(wanted, _readings(stack)))


def _at(stack: Stack, reading: Reading) -> Correction:
    pose = stack.pose
    heading_deg = reading.heading_deg if len(reading.pyramids) == 1 else None
    return Correction(stack.sheet, pose.x_mm, pose.y_mm, reading.pyramids, heading_deg, reading.stand, stack.zone)


def _added(form: Mapping[str, str], layout: str) -> Correction:
    place = _places(layout).get(form.get("place", ""))
    if place is None:
        raise MendingError("Say where the piece stands.")
    sheet, zone = place
    x_mm, y_mm = (sum(axis) / len(zone.polygon_mm) for axis in zip(*zone.polygon_mm, strict=True))
    return Correction(sheet, x_mm, y_mm, _pyramids(form), None, _stand(form), zone.name)


def _readings(stack: Stack) -> tuple[Reading, ...]:
    """What else it may be, likeliest first."""
    first = (stack.pyramids, stack.stand, stack.pose.is_lying)
    others = (each for each in stack.readings if (each.pyramids, each.stand, each.is_lying) != first)
    return tuple(others)[:MOST_OTHERS]


def _others(stack: Stack) -> list[str]:
    return [_reading_words(reading) for reading in _readings(stack)]


def _reading_words(reading: Reading) -> str:
    lies = ", lying" if reading.is_lying else ""
    stand = f", on a {reading.stand} stand" if reading.stand is not None else ""
    return f"{pyramids_words(reading.pyramids)}{lies}{stand} ({reading.probability:.0%})"


def _places(layout: str) -> dict[str, tuple[str, Zone]]:
    """The places of the layout's sheets by their names for people; none on tracks and between corner cards."""
    sheets = [load_sheets()[name] for name in load_layouts()[layout].sheets] if layout in load_layouts() else []
    found = [(sheet.id, zone) for sheet in sheets for zone in sheet.zones if zone.kind in PLACES]
    names = [zone.name for _, zone in found]
    return {
        zone.name if names.count(zone.name) == 1 else f"{sheet}, {zone.name}": (sheet, zone) for sheet, zone in found
    }


def _pyramids(form: Mapping[str, str]) -> tuple[Pyramid, ...]:
    written = [each.strip() for each in form.get("pyramids", "").split(",") if each.strip()]
    if not written:
        raise MendingError("Say which pyramids stand there, bottom first, such as: large red, small green.")
    if len(written) > 10:
        raise MendingError("Ten pyramids on each other are the most.")
    try:
        return tuple(Pyramid.parse(each) for each in written)
    except ValueError as fault:
        raise MendingError(f"The pyramids: {fault}.") from None


def _stand(form: Mapping[str, str]) -> Colour | None:
    said = form.get("stand", "")
    return next((colour for colour in Colour if str(colour) == said), None)


def _chosen(said: str, among: tuple[Any, ...]) -> Any:
    if not (said.isascii() and said.isdigit() and len(said) < 5 and int(said) < len(among)):
        raise MendingError("The table was read anew meanwhile: look again, and choose once more.")
    return among[int(said)]
