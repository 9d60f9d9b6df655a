"""What a look at the table brought, as a match takes it in and as it is kept: a scene and no pixels.

`seen_json` and `seen_from_json` undo each other, for the journal of a match and for its exports.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from engine.table import Colour, EmptyStand, Pose, Pyramid, Reading, Scene, Stack
from webui.look import Look
from webui.readings import warnings_of
from webui.sight import Sight, sight_of

Json = dict[str, Any]

MOST_STACKS, MOST_READINGS, MOST_PYRAMIDS = 500, 50, 30
LONGEST = 2000  # characters of a word or a sentence
MOST = 1e5  # of a number: millimetres or degrees; no table is a hundred metres long


class SeenError(ValueError):
    """What should be a table that was seen is none; the message says what is wrong with it."""


@dataclass(frozen=True)
class Seen:
    """One look: its scene, or in words why there is none. `picture` and `thumb` are keys of `webui.pictures`."""

    photo: str
    layout: str = ""
    scene: Scene | None = None
    warnings: tuple[str, ...] = ()
    hand_in_view: bool = False
    error: str | None = None
    picture: str | None = None
    thumb: str | None = None
    sight: Sight | None = None


def seen_of(look: Look, picture: str | None = None, thumb: str | None = None) -> Seen:
    """The look without its pixels; its pictures are kept under these keys."""
    seen = look.observation
    if seen is None:
        return Seen(look.photo, error=look.error, picture=picture, thumb=thumb)
    warnings, hand = warnings_of(seen), bool(seen.hand_in_view)
    sight = sight_of(seen.table) if seen.table.sheets else None
    return Seen(look.photo, seen.table.layout, seen.scene, warnings, hand, None, picture, thumb, sight)


def seen_json(seen: Seen) -> Json:
    """As it is kept. Only tables are: Raises ValueError for a look that brought none."""
    if seen.scene is None:
        raise SeenError("a look without a table is not kept")
    return {
        "photo": seen.photo,
        "layout": seen.layout,
        "warnings": list(seen.warnings),
        "picture": seen.picture,
        "thumb": seen.thumb,
        "sight": None if seen.sight is None else seen.sight.to_json(),
        "stacks": [_stack_json(stack) for stack in seen.scene.stacks],
        "error_mm": seen.scene.error_mm,
        "empty_stands": [[stand.sheet, stand.zone, str(stand.owner)] for stand in seen.scene.empty_stands],
    }


def seen_from_json(doc: Any) -> Seen:
    """What `seen_json` wrote. Raises SeenError."""
    try:
        stacks = tuple(_stack(each) for each in _list(doc["stacks"], MOST_STACKS))
        stands = tuple(
            EmptyStand(_text(sheet), _text_or_none(zone), Colour(owner))
            for sheet, zone, owner in _list(doc["empty_stands"], MOST_STACKS)
        )
        return Seen(
            _text(doc["photo"]),
            _text(doc["layout"]),
            Scene(stacks, stands, _number(doc.get("error_mm", 0.0))),
            tuple(_text(each) for each in _list(doc["warnings"], MOST_READINGS)),
            picture=_text_or_none(doc.get("picture")),
            thumb=_text_or_none(doc.get("thumb")),
            sight=None if doc.get("sight") is None else Sight.from_json(doc["sight"]),
        )
    except SeenError:
        raise
    except (TypeError, ValueError, KeyError, AttributeError) as fault:
        raise SeenError(f"this is no table that was seen ({type(fault).__name__}: {fault})") from None


def _stack_json(stack: Stack) -> Json:
    return {
        "sheet": stack.sheet,
        "zone": stack.zone,
        "at": [stack.pose.x_mm, stack.pose.y_mm],
        "as": _reading_json(Reading(stack.pyramids, stack.pose.heading_deg, stack.stand, stack.confidence)),
        "readings": [_reading_json(reading) for reading in stack.readings],
    }


def _reading_json(reading: Reading) -> list[Any]:
    pyramids = [str(pyramid) for pyramid in reading.pyramids]
    stand = None if reading.stand is None else str(reading.stand)
    return [pyramids, reading.heading_deg, stand, reading.probability]


def _stack(doc: Any) -> Stack:
    first = _reading(doc["as"])
    x_mm, y_mm = (_number(each) for each in doc["at"])
    return Stack(
        _text(doc["sheet"]),
        _text_or_none(doc["zone"]),
        Pose(x_mm, y_mm, first.heading_deg),
        first.pyramids,
        first.stand,
        tuple(_reading(each) for each in _list(doc["readings"], MOST_READINGS)),
    )


def _reading(doc: Any) -> Reading:
    pyramids, heading_deg, stand, probability = doc
    return Reading(
        tuple(Pyramid.parse(each) for each in _list(pyramids, MOST_PYRAMIDS)),
        None if heading_deg is None else _number(heading_deg),
        None if stand is None else Colour(stand),
        _number(probability),
    )


def _list(value: Any, most: int) -> list[Any]:
    if not isinstance(value, list) or len(value) > most:
        raise SeenError(f"expected a list of at most {most}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str) or len(value) > LONGEST:
        raise SeenError(f"expected a text of at most {LONGEST} characters")
    return value


def _text_or_none(value: Any) -> str | None:
    return None if value is None else _text(value)


def _number(value: Any) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST:
        raise SeenError(f"expected a number of at most {MOST:.0f}")
    return float(value)
