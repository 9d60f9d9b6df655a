"""A match: a game and what may be the case so far. The only object here that changes.

    match = Match(martian_mids, martian_mids.start(setup, scene))
    ruling = match.see(scene)       what the table shows: Legal, Illegal, Unclear, or None where nothing happened
    match.play(move)                what is said: a move, or Agreed() after an Illegal or Unclear ruling
    match.declare({"initiative": [...]})
    match.state                     the likeliest state; match.states all that may be the case, at most eight
    match.table                     the state as the table lies, where what happened waits for somebody's choice
    match.history                   one Entry for each ruling or answer, oldest first; match.undo() takes the last back

After `Illegal` the last legal states come first in `match.states` and the table as it lies last, so that putting
right, taking back and playing on are each recognised, and the fault is charged once. What was said of the fault may
still be due once it was taken back, or not. After `Unclear` the likeliest
state comes first: the table as seen, the actor's turn over. Others (nothing happened: it was our eye) are kept and may
save a player from an accusation, never cause one.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from engine.errors import EngineError, IllegalMove
from engine.game import Agreed, Game
from engine.rules import Illegal, Legal, Outcome, Ruling, Unclear
from engine.table import Scene
from engine.thresholds import KEPT, STATES
from engine.umpire import Judgement, consider


@dataclass(frozen=True)
class Entry:
    """One step of a match: what was ruled or said, the states before it, and which of them have the fault."""

    said: Ruling | Agreed | Any
    before: tuple[Any, ...]
    faulty: tuple[Any, ...] = ()


class Match:
    """See the module."""

    def __init__(self, game: Game, state: Any) -> None:
        self.game = game
        self._states: tuple[Any, ...] = (state,)
        self._faulty: tuple[Any, ...] = ()
        self._history: tuple[Entry, ...] = ()
        self._pending: Any = None

    def copy(self) -> Match:
        """Another match that stands where this one does; what happens in one is nothing to the other."""
        other = Match(self.game, self.state)
        other._states, other._faulty, other._pending = self._states, self._faulty, self._pending
        other._history = self._history
        return other

    @property
    def state(self) -> Any:
        """The likeliest state."""
        return self._states[0]

    @property
    def table(self) -> Any:
        """The likeliest state as the table lies: where a choice is owed, in the middle of what is not ruled on yet."""
        return self.state if self._pending is None else self._pending

    @property
    def states(self) -> tuple[Any, ...]:
        return self._states

    @property
    def history(self) -> tuple[Entry, ...]:
        return self._history

    @property
    def outcome(self) -> Outcome | None:
        return self.game.outcome(self.state)

    def see(self, scene: Scene) -> Ruling | None:
        """Judge a settled table and go on from it. Accuses only if every possible state does."""
        before = self._before_doubt()
        states = len(self._states) + len(before)
        judged: list[tuple[Any, Judgement]] = []
        for state in (*self._states, *before):
            is_legal = any(isinstance(one.ruling, Legal) for _, one in judged)
            one = consider(self.game, state, scene, states, is_for_faults=not is_legal)
            if len(judged) < len(self._states) or isinstance(one.ruling, Legal | None):
                judged.append((state, one))
        ruling = min((one.ruling for _, one in judged), key=_mildness)
        alike = [(state, one) for state, one in judged if _preference(one.ruling) == _preference(ruling)]
        alike = _borne_out(alike)
        self._pending = next((one.pending for _, one in alike if one.pending is not None), None)
        if ruling is None:  # where a fault was put right, the last legal state is the case again
            put_right = [(state, one) for state, one in alike if state not in self._faulty]
            if put_right:
                self._states, self._faulty = self._and_undone(_distinct(put_right)), ()
        else:
            self._note(ruling, _distinct(alike))
            if isinstance(ruling, Illegal):
                self._faulty = tuple(state for state in self._states if state not in self._history[-1].before)
        return ruling

    def play(self, said: Any) -> None:
        """Take what was said: a move, or `Agreed` to go on from the table as it lies.

        Raises IllegalMove for a move that breaks rules in every state that may be the case.
        """
        if isinstance(said, Agreed):
            last = self._history[-1].said if self._history else None
            waived = last.violations if isinstance(last, Illegal) else ()
            self._note(Agreed(waived), self._faulty or self._states[:1])
            return
        states = self._states if self._pending is None else (self._pending,)
        fitting = [state for state in states if not self.game.violations(state, said)]
        if not fitting:
            raise IllegalMove(self.game.violations(states[0], said))
        self._note(said, tuple(dict.fromkeys(self.game.play(state, said) for state in fitting)))

    def _before_doubt(self) -> list[Any]:
        """What was unclear may have been taken back: the states before it."""
        if not self._history or not isinstance(self._history[-1].said, Unclear):
            return []
        return [state for state in self._history[-1].before if state not in self._states]

    def _and_undone(self, legal: tuple[Any, ...]) -> tuple[Any, ...]:
        """Legal states, and what they are if what was said of the fault that was ruled on last is not due any more."""
        last = self._history[-1].said if self._history else None
        if not isinstance(last, Illegal):
            return legal
        return tuple(dict.fromkeys((*legal, *(self.game.taken_back(state, last.line) for state in legal))))[:STATES]

    def declare(self, declaration: Any) -> None:
        """Take what was said that is no move, in every state where it makes sense: the others are the case no more.

        Raises EngineError where it makes none in any legal state.
        """
        legal = tuple(state for state in self._states if state not in self._faulty)
        after, fault = self._taken_in(self._and_undone(legal), declaration)
        if fault is not None and not after:
            raise fault
        self._faulty, _ = self._taken_in(self._faulty, declaration)
        self._states = tuple(dict.fromkeys((*after, *self._faulty)))
        if self._pending is not None:
            pending, _ = self._taken_in((self._pending,), declaration)
            self._pending = pending[0] if pending else self._pending

    def _taken_in(self, states: tuple[Any, ...], declaration: Any) -> tuple[tuple[Any, ...], EngineError | None]:
        """The states after something was said, without those where it makes no sense, and why in the first of those."""
        after, faults = [], []
        for state in states:
            try:
                after.append(self.game.declare(state, declaration))
            except EngineError as fault:
                faults.append(fault)
        return tuple(after), faults[0] if faults else None

    def undo(self) -> Entry | None:
        """Take the last ruling or answer back; None when there is none."""
        if not self._history:
            return None
        *earlier, entry = self._history
        self._history, self._states, self._faulty = tuple(earlier), entry.before, entry.faulty
        self._pending = None
        return entry

    def _note(self, said: Any, after: tuple[Any, ...]) -> None:
        self._history = (*self._history, Entry(said, self._states, self._faulty))
        self._states, self._faulty, self._pending = after, (), None


def _borne_out(judged: list[tuple[Any, Judgement]]) -> list[tuple[Any, Judgement]]:
    """Those whose state goes with what is seen nearly as well as the best: pieces that were put back refute a fault
    that is not on the table any more."""
    least = max(one.evidence for _, one in judged) + math.log(KEPT)
    return [(state, one) for state, one in judged if one.evidence >= least]


def _preference(ruling: Ruling | None) -> int:
    """Legal beats nothing happened, which beats doubt; an accusation comes last."""
    kinds = {Legal: 0, type(None): 1, Unclear: 2, Illegal: 3}
    return kinds[type(ruling)]


def _mildness(ruling: Ruling | None) -> tuple[int, int]:
    """The preference; of several accusations the one that names the fewest faults."""
    return _preference(ruling), len(ruling.violations) if isinstance(ruling, Illegal) else 0


def _distinct(judged: list[tuple[Any, Judgement]]) -> tuple[Any, ...]:
    """The states that may be the case after it; those before a fault first."""
    ranked = [state for place in range(STATES) for _, one in judged for state in one.states[place : place + 1]]
    return tuple(dict.fromkeys(ranked))[:STATES]
