"""Putting right what was read at a place: which place a finger means, and what may lie there, likeliest first.

A place is named as drawings name it: `b4`, a square; `silos-1/silo-3`, a zone of a sheet; `scrapyard`, a sheet;
`table@80.0,120.5`, a point of the layout in mm. What shows through nests is never told: readings hold what is seen.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from calibration.sheets import Sheet, load_layouts, load_sheets
from engine.table import COLOURS, Colour, Pyramid, Reading, Scene, Size, Stack
from webui.board import Piece, piece_svg
from webui.correcting import NEAR_MM, SHARED, Correction
from webui.ink import LETTERS, stack_words
from webui.live import Moment
from webui.review import Event
from webui.sight import Sight

Json = dict[str, Any]
Point = tuple[float, float]

MOST_ALTERNATIVES, MOST_STACKS = 6, 12
LEAST = 0.005  # a reading that is less likely is not offered
LONGEST = 4000  # characters of a correction
CROP_MM = 85.0  # so much of the table is shown around the place
COMPASS = ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east")
ON_SHEET = ("right", "upper right", "top", "upper left", "left", "lower left", "bottom", "lower right")


class NoSuchPlaceError(ValueError):
    """What was pointed at is no place of this table; the message says what to do."""


@dataclass(frozen=True)
class Spot:
    """A place that was pointed at, and the stacks that were read there; x, y are mm in the sheet's frame."""

    sheet: str
    x_mm: float
    y_mm: float
    zone: str | None
    words: str
    stacks: tuple[Stack, ...]
    holds_many: bool = False  # a heap, where one more piece replaces none


def place_view(moment: Moment, said: Mapping[str, str]) -> Json:
    """What the page asks about the place that `said` points at. Raises NoSuchPlaceError."""
    event = moment.current
    if event is None or event.scene is None:
        raise NoSuchPlaceError("The umpire has not seen a table yet.")
    if not moment.is_latest:
        raise NoSuchPlaceError("This is an earlier moment of the game. Go on to the latest one to put it right.")
    spot = _spot(event, said)
    return {
        "words": spot.words,
        "stacks": [_stack_view(spot, stack) for stack in spot.stacks],
        "builder": _builder(spot, event),
        "crop": _crop(event.sight, spot),
        "count": len(moment.events),
        "picture": event.picture,
    }


def correction_of(said: Mapping[str, str]) -> Correction:
    """What a form of the page says. Raises ValueError."""
    if "as" in said:
        return Correction.from_json(_json(said["as"]))
    doc = _json(said.get("where", ""))
    new = Pyramid.parse(f"{said.get('size', '')} {said.get('colour', '')}")
    below = list(doc.get("pyramids") or ()) if isinstance(doc, dict) and said.get("build") == "top" else []
    way = said.get("degrees") or said.get("way") or ""
    heading = None if below or not way else float(way)
    more = {"pyramids": [*below, str(new)], "heading_deg": heading, "stand": said.get("stand") or None}
    return Correction.from_json({**doc, **more} if isinstance(doc, dict) else None)


# Which place is meant.


def _spot(event: Event, said: Mapping[str, str]) -> Spot:
    layout, scene = _layout(event), event.scene or Scene(())
    if "x" in said and "y" in said:
        return _in_picture(event.sight, scene, _number(said["x"]), _number(said["y"]))
    name = said.get("at", "")
    if name.startswith("table@"):
        x, _, y = name.removeprefix("table@").partition(",")
        return _on_table(layout, scene, (_number(x), _number(y)))
    sheet, _, zone = name.rpartition("/")
    if not sheet and zone in load_sheets():
        return _on_sheet(zone, scene)
    return _zone(sheet, zone, layout, scene)


def _zone(sheet: str, zone: str, layout: tuple[str, ...], scene: Scene) -> Spot:
    """A named zone of a sheet, or of whichever sheet of the layout has it."""
    there = tuple(stack for stack in scene.stacks if stack.zone == zone and sheet in ("", stack.sheet))
    homes = [each for each in layout if sheet in ("", each) and _middle(load_sheets()[each], zone)]
    if not homes and there:
        homes = [there[0].sheet]
    elif not homes and not sheet and any(each.startswith("corner-") for each in layout):
        homes = [layout[0]]  # a square of the players' own board, which is printed on no sheet
    elif not homes and not sheet:  # of a sheet that was not found in the picture
        homes = [name for name, each in load_sheets().items() if _middle(each, zone)]
    if not homes:
        raise NoSuchPlaceError("There is no such place on this table.")
    x_mm, y_mm = _middle(load_sheets()[homes[0]], zone) or (0.0, 0.0)
    spot = Spot(homes[0], x_mm, y_mm, zone, _zone_words(homes[0], zone), _few(there, x_mm, y_mm), zone in SHARED)
    return _beside_others(spot) if spot.holds_many else spot


def _on_sheet(sheet: str, scene: Scene) -> Spot:
    width, height = load_sheets()[sheet].size_mm
    there = tuple(stack for stack in scene.stacks if stack.sheet == sheet)
    return _beside_others(Spot(sheet, width / 2, height / 2, None, sheet.capitalize(), there[:MOST_STACKS], True))


def _beside_others(spot: Spot) -> Spot:
    """The same heap, with the place that is farthest from all of its pieces."""
    if not spot.stacks:
        return spot
    width, height = load_sheets()[spot.sheet].size_mm
    free = [(width * n / 12, height * m / 12) for n in range(1, 12) for m in range(1, 12)]
    zone = load_sheets()[spot.sheet].zone_at
    inside = [at for at in free if spot.zone is None or zone(*at) == spot.zone] or free
    x_mm, y_mm = max(inside, key=lambda at: min(_far(stack, *at) for stack in spot.stacks))
    return replace(spot, x_mm=x_mm, y_mm=y_mm)


def _on_table(layout: tuple[str, ...], scene: Scene, at_mm: Point) -> Spot:
    """The nearest stack to a point of the layout."""
    poses = {name: pose for each in load_layouts().values() for name, pose in each.places if name in layout}
    found = [(_away(poses[stack.sheet], stack, at_mm), stack) for stack in scene.stacks if stack.sheet in poses]
    if not found:
        raise NoSuchPlaceError("No piece was read there. Tap the place on the photo to add one.")
    stack = min(found, key=lambda each: each[0])[1]
    words = f"{stack_words(stack.pyramids).capitalize()}"
    return Spot(stack.sheet, stack.pose.x_mm, stack.pose.y_mm, stack.zone, words, (stack,))


def _away(pose: Any, stack: Stack, at_mm: Point) -> float:
    x, y = pose.to_table(np.array([[stack.pose.x_mm, stack.pose.y_mm]]))[0]
    return math.hypot(float(x) - at_mm[0], float(y) - at_mm[1])


def _in_picture(sight: Sight | None, scene: Scene, x_px: float, y_px: float) -> Spot:
    at = sight.pointed_at(x_px, y_px) if sight is not None else None
    if at is None:
        raise NoSuchPlaceError("That is beside the mats. Tap a piece, or the place where one lies.")
    sheet, x_mm, y_mm = at
    near = sorted((stack for stack in scene.stacks if stack.sheet == sheet), key=lambda stack: _far(stack, x_mm, y_mm))
    if near and _far(near[0], x_mm, y_mm) <= NEAR_MM:
        zone = near[0].zone
        return Spot(sheet, x_mm, y_mm, zone, _zone_words(sheet, zone), (near[0],))
    zone = load_sheets()[sheet].zone_at(x_mm, y_mm)
    there = () if zone in SHARED else tuple(stack for stack in near if stack.zone == zone)
    return Spot(sheet, x_mm, y_mm, zone, _zone_words(sheet, zone), there)


def _far(stack: Stack, x_mm: float, y_mm: float) -> float:
    return math.hypot(stack.pose.x_mm - x_mm, stack.pose.y_mm - y_mm)


def _few(stacks: tuple[Stack, ...], x_mm: float, y_mm: float) -> tuple[Stack, ...]:
    return tuple(sorted(stacks, key=lambda stack: _far(stack, x_mm, y_mm))[:MOST_STACKS])


def _middle(sheet: Sheet, zone: str) -> Point | None:
    for each in sheet.zones:
        if each.name == zone and len(each.polygon_mm) > 2:
            xs, ys = zip(*each.polygon_mm, strict=True)
            return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2
    return None


def _zone_words(sheet: str, zone: str | None) -> str:
    if zone is None or zone in ("off", "track"):
        return sheet.replace("-", " ").capitalize()
    name, sheet = zone.replace("-", " "), sheet.replace("silos-", "battery-")
    return name if sheet.startswith(("board", "corner")) else f"{sheet.replace('-', ' ')}, {name}".capitalize()


def _layout(event: Event) -> tuple[str, ...]:
    """The sheets that lie on the table."""
    seen = tuple(name for name, _ in event.sight.sheets) if event.sight is not None else ()
    return seen or tuple(dict.fromkeys(stack.sheet for stack in (event.scene or Scene(())).stacks))


# What may lie there.


def _stack_view(spot: Spot, stack: Stack) -> Json:
    readings = _ranked(stack)
    sure = not stack.readings
    return {
        "words": stack_words(stack.pyramids).capitalize(),
        "alternatives": [_alternative(spot, stack, reading, sure) for reading in readings],
        "top_off": _mended(spot, stack, stack.pyramids[:-1]) if len(stack.pyramids) > 1 else None,
        "below": stack_words(stack.pyramids[:-1]),
        "nothing": _mended(spot, stack, ()),
    }


def _ranked(stack: Stack) -> tuple[Reading, ...]:
    """The readings that say different things, likeliest first, with their probabilities summed."""
    first = Reading(stack.pyramids, stack.pose.heading_deg, stack.stand, stack.confidence)
    alike: dict[object, Reading] = {}
    for each in stack.readings or (first,):
        key = (each.pyramids, each.stand, None if each.heading_deg is None else round(each.heading_deg / 45) % 8)
        kept = alike.get(key)
        alike[key] = each if kept is None else replace(kept, probability=kept.probability + each.probability)
    ranked = sorted(alike.values(), key=lambda reading: -reading.probability)
    return tuple(each for each in ranked if each.probability >= LEAST)[:MOST_ALTERNATIVES] or (first,)


def _alternative(spot: Spot, stack: Stack, reading: Reading, sure: bool) -> Json:
    is_read = (reading.pyramids, reading.stand, reading.is_lying) == (
        stack.pyramids,
        stack.stand,
        stack.pose.is_lying,
    )
    return {
        "words": reading_words(reading, spot.sheet).capitalize(),
        "likely": "as you say" if sure else likely_words(reading.probability),
        "drawing": piece_svg(Piece("", reading.pyramids, reading.stand, reading.heading_deg)),
        "is_read": is_read,
        "value": _mended(spot, stack, reading.pyramids, reading.heading_deg, reading.stand),
    }


def reading_words(reading: Reading, sheet: str) -> str:
    """What lies there in words: 'small red on large green, on a black stand'."""
    words = stack_words(reading.pyramids)
    if reading.heading_deg is not None:
        eighth = round(reading.heading_deg / 45) % 8
        on_board = sheet.startswith(("board", "corner"))
        words += (
            f" lying, pointing {COMPASS[eighth]}" if on_board else f" lying, pointing to the sheet's {ON_SHEET[eighth]}"
        )
    return words + (f", on a {reading.stand} stand" if reading.stand else "")


def likely_words(probability: float) -> str:
    """How likely, for people: 'probably, 72 %'."""
    word = next(
        word
        for least, word in ((0.9, "almost surely"), (0.6, "probably"), (0.25, "perhaps"), (0, "hardly"))
        if probability >= least
    )
    return f"{word}, {max(round(100 * probability), 1)} %"


def _mended(
    spot: Spot,
    stack: Stack | None,
    pyramids: Iterable[Pyramid],
    heading_deg: float | None = None,
    stand: Colour | None = None,
) -> str:
    """The correction that a button stands for, as JSON."""
    where = _where(spot, stack)
    return json.dumps(
        replace(where, pyramids=tuple(pyramids), heading_deg=heading_deg, stand=stand).to_json(), sort_keys=True
    )


def _where(spot: Spot, stack: Stack | None) -> Correction:
    if stack is None:
        return Correction(spot.sheet, round(spot.x_mm, 1), round(spot.y_mm, 1), zone=spot.zone)
    return Correction(stack.sheet, round(stack.pose.x_mm, 1), round(stack.pose.y_mm, 1), zone=stack.zone)


def _builder(spot: Spot, event: Event) -> Json:
    """The form for anything else. With several stacks at the place it adds one more."""
    stack = spot.stacks[0] if len(spot.stacks) == 1 and not spot.holds_many else None
    scene = event.scene or Scene(())
    where = _where(spot, stack).to_json() | {"pyramids": [str(each) for each in stack.pyramids] if stack else []}
    ways = COMPASS if spot.sheet.startswith(("board", "corner")) else ON_SHEET
    headings = [(45.0 * n, f"lies, pointing {way}") for n, way in enumerate(ways)]
    if stack is not None and stack.pose.heading_deg is not None:
        headings.insert(0, (round(stack.pose.heading_deg, 1), "lies as it is read"))
    stands = {each.stand for each in scene.stacks} | {each.owner for each in scene.empty_stands}
    return {
        "where": json.dumps(where, sort_keys=True),
        "on_top": bool(stack) and stack is not None and not stack.pose.is_lying,
        "is_empty": not spot.stacks,
        "is_one_more": bool(spot.stacks) and stack is None,
        "colours": [(str(colour), LETTERS[colour]) for colour in COLOURS],
        "sizes": [str(size) for size in reversed(Size)],
        "headings": headings,
        "is_lying": stack is not None and stack.pose.is_lying,
        "degrees": spot.sheet.startswith("track"),
        "stands": sorted(str(each) for each in stands if each is not None),
        "stand": str(stack.stand) if stack is not None and stack.stand else "",
    }


def _crop(sight: Sight | None, spot: Spot) -> Json | None:
    """The part of the picture about the place: left, top, width and height in pixels, and the picture's size."""
    if sight is None or (spot.sheet.startswith("corner-") and not spot.stacks):
        return None
    x, y, reach = _focus(spot)
    box = sight.shown(
        spot.sheet, [(x - reach, y - reach), (x + reach, y - reach), (x - reach, y + reach), (x + reach, y + reach)]
    )
    if not box:
        return None
    xs, ys = zip(*box, strict=True)
    wide = max(max(xs) - min(xs), max(ys) - min(ys))
    left, top = (min(xs) + max(xs) - wide) / 2, (min(ys) + max(ys) - wide * 0.75) / 2
    return {
        "box": f"{left:.0f} {top:.0f} {wide:.0f} {wide * 0.75:.0f}",
        "width": sight.size_px[0],
        "height": sight.size_px[1],
    }


def _focus(spot: Spot) -> tuple[float, float, float]:
    """The middle of what is asked about, and how far around it to look, mm."""
    if not spot.stacks:
        return spot.x_mm, spot.y_mm, CROP_MM / 2
    xs, ys = zip(*((stack.pose.x_mm, stack.pose.y_mm) for stack in spot.stacks), strict=True)
    spread = max(max(xs) - min(xs), max(ys) - min(ys)) / 2
    return (min(xs) + max(xs)) / 2, (min(ys) + max(ys)) / 2, CROP_MM / 2 + spread


def _number(text: str) -> float:
    try:
        value = float(text)
    except ValueError:
        value = math.nan
    if not math.isfinite(value) or abs(value) > 1e5:
        raise NoSuchPlaceError("There is no such place on this table.")
    return value


def _json(text: str) -> Any:
    """What a button of the page stands for. Raises ValueError for anything else."""
    try:
        return json.loads(text[:LONGEST])
    except (ValueError, RecursionError):
        raise ValueError("this is no correction that the page offers") from None
