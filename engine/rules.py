"""Rules, how they are broken, and what the umpire says of a table. All values."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any

Line = tuple[Any, ...]  # moves of one game, in the order in which they happened between two settled tables


@dataclass(frozen=True)
class Rule:
    """One rule in our own words. `source` is the rulebook's section, or says that the ruling is the house's."""

    id: str
    text: str
    source: str


@dataclass(frozen=True)
class RuleViolation:
    """How a rule was broken, in words for the table."""

    rule: Rule
    detail: str


@dataclass(frozen=True)
class Legal:
    """The line keeps every rule. `questions` are what it leaves open."""

    line: Line
    questions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Illegal:
    """The line breaks rules, on good evidence."""

    line: Line
    violations: tuple[RuleViolation, ...]
    questions: tuple[str, ...] = ()


@dataclass(frozen=True)
class Unclear:
    """The umpire cannot tell, why, and the lines it could be, likeliest first."""

    reason: str
    lines: tuple[Line, ...] = ()
    questions: tuple[str, ...] = ()


Ruling = Legal | Illegal | Unclear


class Ending(Enum):
    """How a game can be over."""

    WON = "won"
    DRAWN = "drawn"


@dataclass(frozen=True)
class Outcome:
    """A finished game and the names of those who won it."""

    ending: Ending
    winners: tuple[str, ...] = ()
