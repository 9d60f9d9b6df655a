"""The engine's sentences as players say them: it writes places and moves as the notation of the game has them.

    silo 2/3 is empty                           Bo's silo 3 is empty
    towers 1/2 and 2/4 changed                  Ann's tower 2 and Bo's tower 4 changed
    Or was it: launch black 1/1 at 2/7?         Or was it: Ann launches the black missile of silo 1 at Bo's silo 7?

Only notation after its noun, or where the engine quotes a line, is taken for notation: what a player typed stays.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from engine.errors import InvalidNotation
from engine.rules import Line
from webui.games.tabletop import Tabletop

_ASKED = re.compile(r"(?<=^Or was it: ).+(?=\?$)|(?<=^It may also have been: ).+(?=\. Which was it\?$)")
_SAID = re.compile(r"'[^']+'(?: and '[^']+')*(?= was said)")
_QUOTED = re.compile(r"(?<=')(?! and ')[^']+(?=')")


def in_players_words(game: Tabletop, text: str, state: Any | None) -> str:
    """The sentence with its lines of notation as moves in words, and its places by whose they are.

    `state`, as everybody may see it, knows the players' names; without one the sentence stays as it is.
    """
    if state is None:
        return text

    def in_words(found: re.Match[str]) -> str:
        return _line_in_words(game, found[0], state)

    asked = _ASKED.sub(in_words, text)
    return game.spoken(_SAID.sub(lambda said: _QUOTED.sub(in_words, said[0]), asked), state)


def line_words(game: Tabletop, line: Line, state: Any | None) -> str:
    """A line for people: 'Black moves f2-f4, then ...'."""
    return ", then ".join(game.move_words(move, state) for move in line)


def _line_in_words(game: Tabletop, text: str, state: Any) -> str:
    try:
        return line_words(game, tuple(map(game.GAME.parse, text.split("; "))), state)
    except InvalidNotation:
        return text


def with_places(text: str, noun: str, place: str, words_of: Callable[[str], str]) -> str:
    """The text with each place that follows its noun in words: 'towers 1/2 and 2/4'. Both are regular expressions."""
    listed = re.compile(rf"\b(?i:{noun}) ({place}(?: and {place})*)(?![/\d])")
    return listed.sub(lambda found: " and ".join(map(words_of, found[1].split(" and "))), text)
