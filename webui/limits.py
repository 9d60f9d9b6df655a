"""How much is taken from outside: JSON is measured at the door, before anybody looks for its fields.

Whoever reads a file or a request's body as JSON reads it through `json_within`; what it gives back is of bounded size
and depth, has finite numbers, no field twice, and text that can be printed.
"""

from __future__ import annotations

import json
import math
import unicodedata
import zipfile
from dataclasses import dataclass
from typing import Any

import click

MOST_NAME = 40  # characters of a player's name: a line of the page holds no more
MOST_REQUEST_BYTES = 400_000_000  # thirty photos of a large phone, sent at once; most pages take far less
PACKINGS = frozenset({zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED})  # every program's; others fail in words of their own
MOST_DIGITS = 30  # of a whole number; a number of some thousand takes minutes to turn into text


SQUARES_MM = (5.0, 200.0)  # of chessboards that a table and a camera can hold


TURNING = frozenset("\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")


class Measure(click.FloatRange):
    """A number of the command line within its range; 'nan' is within none."""

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        number = float(super().convert(value, param, ctx))
        if math.isnan(number):
            self.fail(f"{value!r} is no number.", param, ctx)
        return number


class LimitError(ValueError):
    """JSON that is none, or more of it than anybody needs; the message goes on from 'it cannot be read:'."""


@dataclass(frozen=True)
class Limits:
    """The most that is taken: bytes in all, lists in lists, values in all, characters of one text."""

    size_bytes: int = 2_000_000
    depth: int = 12
    values: int = 200_000
    characters: int = 4_000


GAME_FILE = Limits()  # a race of an evening declares some hundred rolls: 50 kB


def json_within(content: bytes, limits: Limits = GAME_FILE) -> Any:
    """The JSON value in the bytes, UTF-8 with or without a mark at its beginning. Raises LimitError."""
    if len(content) > limits.size_bytes:
        raise LimitError(f"it is larger than {limits.size_bytes / 1e6:g} MB")
    try:
        value = json.loads(
            content.decode("utf-8-sig"), parse_constant=_no_number, parse_int=_whole, object_pairs_hook=_each_once
        )
    except UnicodeDecodeError:
        raise LimitError("it is not text in UTF-8") from None
    except RecursionError:
        raise LimitError("its lists are nested too deep") from None
    except LimitError:
        raise
    except ValueError as fault:
        raise LimitError(str(fault)) from None
    _check(value, limits)
    return value


def is_printable(text: str) -> bool:
    """Whether a page and a terminal show the text as it is: without control characters, halves of characters, and
    marks that turn the direction of what comes after them."""
    return not any(unicodedata.category(each) in ("Cc", "Cs") or each in TURNING for each in text)


def _check(value: Any, limits: Limits) -> None:
    """Walks level by level, so that depth costs no stack. Raises LimitError."""
    level, values, depth = [value], 0, 0
    while level:
        values, depth = values + len(level), depth + 1
        if depth > limits.depth:
            raise LimitError(f"its lists and objects are nested more than {limits.depth} deep")
        if values > limits.values:
            raise LimitError(f"it holds more than {limits.values} values")
        for text in (each for each in level if isinstance(each, str)):
            _check_text(text, limits)
        level = [one for each in level for one in _inside(each)]


def _inside(value: Any) -> tuple[Any, ...]:
    if isinstance(value, dict):
        return (*value.keys(), *value.values())
    return tuple(value) if isinstance(value, list) else ()


def _check_text(text: str, limits: Limits) -> None:
    if len(text) > limits.characters:
        raise LimitError(f"a text in it is longer than {limits.characters} characters")
    if not is_printable(text):
        raise LimitError(f"the text {text[:40]!a} in it holds characters that cannot be shown")


def _no_number(name: str) -> Any:
    raise LimitError(f"{name} is no number")


def _whole(digits: str) -> int:
    if len(digits) > MOST_DIGITS:
        raise LimitError(f"a number in it has more than {MOST_DIGITS} digits")
    return int(digits)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise LimitError(f"it says {name[:40]!a} twice in one object")
        found[name] = value
    return found
