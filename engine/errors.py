"""What can go wrong with what people say or write, in words that teach. A broken rule is no error: see `rules`."""

from __future__ import annotations

import reprlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.rules import RuleViolation


MOST_CHARACTERS = 6_000  # of a move in notation; the longest, a spin among 33 cars, has fewer

_QUOTED = reprlib.Repr()  # of a long value only the beginning
_QUOTED.maxstring, _QUOTED.maxother = 80, 80


class EngineError(Exception):
    """Everything the engine raises on purpose."""


class InvalidNotation(EngineError):  # noqa: N818  the name is what players are told
    """Text is not a move: says what was expected and what came."""

    def __init__(self, text: str, expected: str) -> None:
        super().__init__(f"expected {expected}, not {_QUOTED.repr(text)}")

    @classmethod
    def check_length(cls, text: str) -> None:
        """Raises InvalidNotation for text that is longer than any move."""
        if len(text) > MOST_CHARACTERS:
            raise cls(text, f"a move of at most {MOST_CHARACTERS} characters")


class InvalidSetup(EngineError):  # noqa: N818
    """A game's set-up or declaration makes no sense: names the field; of a long value only the beginning is told."""

    def __init__(self, field: str, expected: str, got: object) -> None:
        super().__init__(f"{field}: expected {expected}, not {_QUOTED.repr(got)}")


class IllegalMove(EngineError):  # noqa: N818
    """A declared move breaks rules: carries which."""

    def __init__(self, violations: tuple[RuleViolation, ...]) -> None:
        super().__init__("; ".join(violation.detail for violation in violations))
        self.violations = violations
