"""What players may say now, as buttons, and what a pressed button says.

A browser sends a button's key, never a declaration of its own; what is no longer offered is refused.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from itertools import groupby
from typing import Any

from webui.games.tabletop import Choice

Json = dict[str, Any]

ENDING = "game-is-over"


def key_of(choice: Choice) -> str:
    """What a browser names the choice by."""
    return hashlib.sha256(json.dumps([choice.declaration, choice.player], sort_keys=True).encode()).hexdigest()[:16]


def groups_of(choices: Sequence[Choice]) -> list[Json]:
    """The buttons under their headings, in their order; a heading that comes again goes on there."""
    headings = list(dict.fromkeys(_heading(choice) for choice in choices))
    ordered = sorted(choices, key=lambda choice: headings.index(_heading(choice)))
    return [_group(heading, tuple(together)) for heading, together in groupby(ordered, key=_heading)]


def _group(heading: str, together: Sequence[Choice]) -> Json:
    """Buttons that end the game are folded away."""
    is_folded = all(choice.rule == ENDING for choice in together)
    return {"heading": heading, "buttons": [_button(choice) for choice in together], "is_folded": is_folded}


def chosen(choices: Sequence[Choice], key: str, faces: Sequence[str]) -> tuple[Choice, Json, str] | None:
    """The choice of that key, what it declares with these faces of dice, and that in words; None: it is not offered."""
    choice = next((each for each in choices if key_of(each) == key), None)
    if choice is None or len(faces) != choice.dice or not all(face in "123456" and len(face) == 1 for face in faces):
        return None
    rolled = [int(face) for face in faces]
    declaration = choice.declaration | ({"roll": rolled} if rolled else {})
    return choice, declaration, said_words(choice, rolled)


def _heading(choice: Choice) -> str:
    return choice.group or choice.player or "Anybody"


def _button(choice: Choice) -> Json:
    return {"key": key_of(choice), "words": choice.words, "dice": choice.dice}


def said_words(choice: Choice, rolled: Sequence[int]) -> str:
    """What was said, for everybody: 'Two dice: Red needs 7 or more to turn: 3 and 5.'"""
    said = f"{choice.group}: {choice.words}" if choice.group and not rolled else choice.words
    faces = f": {' and '.join(map(str, rolled))}" if rolled else ""
    return f"{said}{faces}."
