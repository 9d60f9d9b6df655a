"""What every game module is: the contract between a game and the umpire.

A game is a module (or an object) that fulfils `Game`. Positions are what can be seen, states are positions plus what
must be remembered, moves are what can be said; all are frozen values.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Protocol

from engine.rules import Line, Outcome, Rule, RuleViolation
from engine.table import Scene, Stack

_TOUCH = re.compile(r"touch (\S+) (.+) -> (.+)")


@dataclass(frozen=True)
class Touch:
    """A change at one place that no other move makes: it always breaks the game's rule `hands-off`."""

    place: str
    before: str
    after: str

    def __str__(self) -> str:
        return f"touch {self.place} {self.before} -> {self.after}"

    @classmethod
    def parse(cls, text: str) -> Touch | None:
        """The touch that `str` wrote; None when the text is another move.

        >>> Touch.parse("touch b2 large red -> empty")
        Touch(place='b2', before='large red', after='empty')
        """
        found = _TOUCH.fullmatch(text)
        return None if found is None else cls(found[1], found[2], found[3])


@dataclass(frozen=True)
class Agreed:
    """The players' answer to an illegal or unclear ruling: we play it so, this once.

    `waived` is what the fault broke; a match fills it in.
    """

    waived: tuple[RuleViolation, ...] = ()

    def __str__(self) -> str:
        return "agreed"


@dataclass(frozen=True)
class Explanation:
    """One way in which a position may have come about.

    `line` is what happened and `after` the state it leads to. `beyond` says in words why the umpire cannot rule on it
    (the line may then be empty); `questions` are what it leaves open. A legal explanation has a line. `before` is the
    state that the line starts from, where that is not the one given: pieces were there that no photo showed surely.
    `is_pending`: the line stops at a choice that somebody owes, so that there is nothing to rule on yet.
    """

    line: Line
    after: Any
    beyond: str | None = None
    questions: tuple[str, ...] = ()
    before: Any = None
    is_pending: bool = False


class Plays:
    """How many moves may still be tried to explain a table: a count and not a clock, so that the same photos get the
    same ruling."""

    def __init__(self, left: int, is_for_faults: bool = True) -> None:
        self.left = left
        self.is_for_faults = is_for_faults
        """False: another state explains the table legally, so that faults and doubts of this one do not count."""

    def spend(self) -> bool:
        """Take one; False when there are none left."""
        self.left -= 1
        return self.left >= 0


class Game(Protocol):
    """The functions of a game module. Positions, states and moves are the module's own types."""

    RULES: tuple[Rule, ...]

    def sift(self, state: Any, scene: Scene) -> Scene:
        """The scene without readings that this game's pieces cannot be."""

    def read(self, scene: Scene) -> Any:
        """The position that the scene's first readings make. Meets no probabilities."""

    def changes(self, one: Any, other: Any) -> tuple[Touch, ...]:
        """What differs between two positions, place by place; none means the same."""

    def is_as_before(self, state: Any, stack: Stack) -> bool:
        """Whether the stack's place is as the state has it, if the stack is what it is read as."""

    def is_possible(self, state: Any, stack: Stack) -> bool:
        """Whether pieces that the state has could lie like this after something happened."""

    def refreshed(self, state: Any, position: Any) -> Any:
        """The state after a table that shows no change: the same, with what can be seen better now."""

    def taken_back(self, state: Any, line: Line) -> Any:
        """The state once a line that broke rules was undone, if what was said of it is not due any more either."""

    def explain(self, state: Any, position: Any, plays: Plays) -> tuple[Explanation, ...]:
        """How the position may have come about from the state, legally or not; empty if nothing happened.

        Where the plays end before all legal ways have been tried, what it finds is beyond the umpire.
        """

    def candidates(self, state: Any) -> tuple[Any, ...]:
        """Moves that could be said now: every legal one is among them."""

    def violations(self, state: Any, move: Any) -> tuple[RuleViolation, ...]:
        """The rules that the move breaks. Total: any move in any state gets an answer."""

    def play(self, state: Any, move: Any) -> Any:
        """The state after the move. Judges nothing."""

    def declare(self, state: Any, declaration: Any) -> Any:
        """The state after something was said that is not a move (initiative, a die). Raises InvalidSetup."""

    def visible_to(self, state: Any, player: str | None) -> Any:
        """The state without what that player may not see; None: what everybody at the table sees."""

    def outcome(self, state: Any) -> Outcome | None:
        """How the game ended, if it did."""

    def parse(self, text: str) -> Any:
        """The move that `str` wrote. Raises InvalidNotation."""
