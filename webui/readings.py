"""A reading of one photo in JSON (the contract of `umpire read --json`) and in words.

Lengths are millimetres and headings degrees in the frame of the sheet that the piece stands on.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from engine.table import EmptyStand, Pyramid, Reading, Stack

if TYPE_CHECKING:
    from calibration.optics import LocatedSheet
    from vision.observe import Observation

Json = dict[str, Any]


def reading_json(name: str, observation: Observation, inner: bool = False) -> Json:
    """The line that `umpire read --json` prints for a photo called `name`; `inner` tells what shows through nests."""
    scene, table = observation.scene, observation.table
    return {
        "photo": name,
        "layout": table.layout,
        "hand_in_view": bool(observation.hand_in_view),
        "sheets": [_sheet_json(sheet) for sheet in table.sheets],
        "stacks": [_stack_json(stack) | (_inner_json(stack, observation) if inner else {}) for stack in scene.stacks],
        "empty_stands": [_empty_stand_json(stand) for stand in scene.empty_stands],
        "warnings": list(warnings_of(observation)),
    }


def warnings_of(observation: Observation) -> tuple[str, ...]:
    """What a player should know about the photo, each sentence once."""
    return tuple(dict.fromkeys((*observation.table.warnings, *observation.warnings)))


def reading_words(name: str, observation: Observation, inner: bool = False) -> str:
    """The same reading for people: a heading, then a line for each stack."""
    stacks = observation.scene.stacks
    lines = [f"{name}: {observation.table.layout}, {_count(len(stacks), 'stack')}"]
    if observation.hand_in_view:
        lines.append("  a hand is in view")
    for stack in stacks:
        inside = observation.inner.get(stack.pose, ()) if inner else ()
        lines.append(f"  {stack_words(stack)}" + (f", over {' over '.join(map(str, inside))}" if inside else ""))
    lines += [
        f"  {_place(stand.sheet, stand.zone):<12} an empty {stand.owner} stand"
        for stand in observation.scene.empty_stands
    ]
    lines += [f"  note: {warning}" for warning in warnings_of(observation)]
    return "\n".join(lines)


def stack_words(stack: Stack) -> str:
    """One stack: where it is, what it is, whose it is, how sure that is."""
    words = f"{_place(stack.sheet, stack.zone):<12} {pyramids_words(stack.pyramids)}"
    if stack.pose.heading_deg is not None:
        words += f", lying, tip towards {stack.pose.heading_deg % 360:.0f} degrees"
    if stack.stand is not None:
        words += f", on a {stack.stand} stand"
    return f"{words} ({stack.confidence:.0%})"


def pyramids_words(pyramids: tuple[Pyramid, ...]) -> str:
    """Bottom first: 'large red under small green'."""
    return " under ".join(str(pyramid) for pyramid in pyramids)


def _place(sheet: str, zone: str | None) -> str:
    return zone or sheet


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"


def _sheet_json(sheet: LocatedSheet) -> Json:
    markers = [int(marker) for marker in sheet.missing_markers]
    return {"sheet": sheet.sheet, "error_mm": round(float(sheet.error_mm), 2), "missing_markers": markers}


def _empty_stand_json(stand: EmptyStand) -> Json:
    return {"sheet": stand.sheet, "zone": stand.zone, "owner": str(stand.owner)}


def _stack_json(stack: Stack) -> Json:
    readings = stack.readings or (Reading(stack.pyramids, stack.pose.heading_deg, stack.stand, 1.0),)
    pyramids = [
        _pyramid_json(pyramid) | {"confidence": _share(readings, level, pyramid)}
        for level, pyramid in enumerate(stack.pyramids)
    ]
    return {
        "sheet": stack.sheet,
        "zone": stack.zone,
        "x_mm": round(float(stack.pose.x_mm), 2),
        "y_mm": round(float(stack.pose.y_mm), 2),
        **_lie_json(stack.pose.heading_deg, stack.stand),
        "pyramids": pyramids,
        "confidence": round(float(stack.confidence), 4),
        "alternatives": [_alternative_json(reading) for reading in readings],
    }


def _inner_json(stack: Stack, observation: Observation) -> Json:
    return {"inner": [_pyramid_json(pyramid) for pyramid in observation.inner.get(stack.pose, ())]}


def _alternative_json(reading: Reading) -> Json:
    return {
        **_lie_json(reading.heading_deg, reading.stand),
        "pyramids": [_pyramid_json(pyramid) for pyramid in reading.pyramids],
        "probability": round(float(reading.probability), 4),
    }


def _lie_json(heading_deg: float | None, stand: object) -> Json:
    return {
        "pose": "upright" if heading_deg is None else "lying",
        "heading_deg": None if heading_deg is None else round(float(heading_deg) % 360, 1),
        "stand": None if stand is None else str(stand),
    }


def _pyramid_json(pyramid: Pyramid) -> Json:
    return {"colour": str(pyramid.colour), "size": str(pyramid.size)}


def _share(readings: tuple[Reading, ...], level: int, pyramid: Pyramid) -> float:
    """How probable it is that `pyramid` stands at `level`: the weight of all readings that say so."""
    agreeing = (reading.probability for reading in readings if reading.pyramids[level : level + 1] == (pyramid,))
    return round(min(float(sum(agreeing)), 1.0), 4)
