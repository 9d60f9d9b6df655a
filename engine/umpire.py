"""The umpire: from a state and a scene to a ruling. Pure functions; the games explain, this weighs.

A scene is unfolded into the positions it may show. What has not been touched has not changed, whatever a photo makes
of it, so readings that agree with the last state count for more than the photo alone says. `Illegal` needs nearly all
of the evidence, and a legal explanation beats an equally supported illegal one.
"""

from __future__ import annotations

import heapq
import math
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from engine.game import Explanation, Game, Plays
from engine.rules import Illegal, Legal, Line, RuleViolation, Ruling, Unclear
from engine.table import Pose, Reading, Scene, Stack
from engine.thresholds import CHOICES, ILLEGAL_NEEDS, KEPT, LEAST, PLAYS, READINGS, STATES, TRUST

_Options = list[tuple[Stack, float]]  # ways to read one stack and their weights


@dataclass(frozen=True)
class Judgement:
    """A ruling (None: nothing happened) and the states that may be the case after it, likeliest first.

    `evidence` says how well what is seen goes with the state before, as a logarithm to be compared with that of other
    states which were judged by the same scene.

    `pending` is the state as the table lies, where a line stops at a choice that somebody owes: the ruling comes with
    the whole line, from the states before it.
    """

    ruling: Ruling | None
    states: tuple[Any, ...]
    pending: Any = None
    evidence: float = 0.0


@dataclass(frozen=True)
class _Weighed:
    """An explanation, its share of the evidence and what it breaks. An empty legal line: nothing happened."""

    explanation: Explanation
    weight: float
    broken: tuple[RuleViolation, ...] = ()

    @property
    def is_legal(self) -> bool:
        return not self.broken and self.explanation.beyond is None

    @property
    def is_fault(self) -> bool:
        return bool(self.broken) and self.explanation.beyond is None


def judge(game: Game, state: Any, scene: Scene) -> Ruling | None:
    """What the umpire says of the table that `scene` shows, when `state` was the case before."""
    return consider(game, state, scene).ruling


def consider(game: Game, state: Any, scene: Scene, states: int = 1, is_for_faults: bool = True) -> Judgement:
    """The ruling, and where the match may stand after it, if it may have stood in so many states before.

    The readings of the scene share the plays by their weights; what one leaves is there for those after it. Readings
    that can change nothing any more are left out. `is_for_faults` as in `Plays`: only a legal ruling is of use.
    """
    sifted = game.sift(state, scene)
    found: list[_Weighed] = []
    read = [_read(game, state, stack) for stack in sifted.stacks]
    shown = _positions(game, sifted, read, max(READINGS // states, 1))
    left, unread = PLAYS // states, sum(weight for _, weight in shown)
    for position, weight in shown:
        plays = Plays(math.ceil(left * weight / unread), is_for_faults)
        left, unread = left - plays.left, unread - weight
        found += _explained(game, state, position, weight, plays)
        left += max(plays.left, 0)
        if _is_settled(found, unread) or (not is_for_faults and not _may_be_legal(found, unread)):
            break
    return replace(_ruled(state, found), evidence=_evidence(read) if states > 1 else 0.0)


def _ruled(state: Any, found: list[_Weighed]) -> Judgement:
    weighed = _merged(found)
    legal = [one for one in weighed if one.is_legal]
    faults = [one for one in weighed if one.is_fault]
    if legal and _sum(legal) >= _sum(weighed) / 2:
        return _allowed(state, legal[0].explanation, weighed)
    if _sum(faults) >= ILLEGAL_NEEDS:
        return _accused(state, faults)
    return _doubted(found, weighed)


def _is_settled(found: list[_Weighed], unread: float) -> bool:
    """Whether what has most of the evidence is legal, and what is left can neither rival nor join it."""
    first, *others = _merged(found)
    lead = first.weight - (others[0].weight if others else 0.0)
    return first.is_legal and unread < min(lead, KEPT * first.weight) and first.weight >= (_sum(found) + unread) / 2


def _may_be_legal(found: list[_Weighed], unread: float) -> bool:
    return _sum([one for one in found if one.is_legal]) + unread >= (_sum(found) + unread) / 2


def _explained(game: Game, state: Any, position: Any, weight: float, plays: Plays) -> list[_Weighed]:
    """The explanations of one position, which share its weight; only the legal ones if there are any."""
    explanations = game.explain(state, position, plays) or (Explanation((), game.refreshed(state, position)),)
    judged = [
        _Weighed(one, 0.0, _violations(game, state if one.before is None else one.before, one.line))
        for one in explanations
    ]
    fitting = [one for one in judged if one.is_legal] or judged
    return [replace(one, weight=weight / len(fitting)) for one in fitting]


def _allowed(state: Any, first: Explanation, weighed: tuple[_Weighed, ...]) -> Judgement:
    likely = [one for one in weighed if one.weight >= KEPT * weighed[0].weight]
    others = [one.explanation.after for one in likely if not one.explanation.is_pending]
    if first.is_pending:
        return Judgement(None, tuple(dict.fromkeys([state, *others]))[:STATES], first.after)
    ruling = Legal(first.line, (*first.questions, *_or_was_it(first, likely))) if first.line else None
    return Judgement(ruling, tuple(dict.fromkeys([first.after, *others]))[:STATES])


def _or_was_it(first: Explanation, likely: list[_Weighed]) -> tuple[str, ...]:
    """What else may have been played, asked beside the ruling."""
    lines = dict.fromkeys(one.explanation.line for one in likely if one.is_legal and one.explanation.line)
    others = [line for line in lines if line != first.line]
    return tuple(f"Or was it: {'; '.join(map(str, line))}?" for line in others[:CHOICES])


def _accused(state: Any, faults: list[_Weighed]) -> Judgement:
    """Of several faults it may be, the one that breaks least is blamed."""
    least = min(faults, key=lambda one: (len(one.broken), -one.weight))
    ruling = Illegal(least.explanation.line, least.broken, least.explanation.questions)
    return Judgement(ruling, (state, least.explanation.after))


def _doubted(found: list[_Weighed], weighed: tuple[_Weighed, ...]) -> Judgement:
    """The match goes on from what the likeliest position makes likeliest, and keeps the rest in mind."""
    reasons = [one.explanation.beyond for one in found if one.explanation.beyond]
    reason = reasons[0] if reasons else "the photo does not show well enough what happened"
    lines = tuple(dict.fromkeys(one.explanation.line for one in weighed if one.explanation.line))
    questions = tuple(dict.fromkeys(question for one in weighed for question in one.explanation.questions))
    states = tuple(dict.fromkeys(one.explanation.after for one in found))
    return Judgement(Unclear(reason, lines[:CHOICES], questions), states[:STATES])


def _sum(weighed: list[_Weighed] | tuple[_Weighed, ...]) -> float:
    return sum(one.weight for one in weighed)


def _merged(weighed: list[_Weighed]) -> tuple[_Weighed, ...]:
    """Likeliest first, explanations that come to the same once, with the sum of their weights."""
    sums: dict[tuple[Line, str | None, Any], _Weighed] = {}
    for one in weighed:
        key = (one.explanation.line, one.explanation.beyond, one.explanation.after)
        sums[key] = replace(sums[key], weight=sums[key].weight + one.weight) if key in sums else one
    return tuple(sorted(sums.values(), key=lambda one: -one.weight))


def _violations(game: Game, state: Any, line: Line) -> tuple[RuleViolation, ...]:
    found: list[RuleViolation] = []
    for move in line:
        found += game.violations(state, move)
        state = game.play(state, move)
    return tuple(found)


def _evidence(read: list[_Options]) -> float:
    return sum(math.log(sum(weight for _, weight in options) or LEAST) for options in read)


# What a scene may show.


def positions(game: Game, state: Any, scene: Scene, readings: int = READINGS) -> tuple[tuple[Any, float], ...]:
    """The positions that so many readings of a scene make, likeliest first, with their shares of all the evidence."""
    sifted = game.sift(state, scene)
    return _positions(game, sifted, [_read(game, state, stack) for stack in sifted.stacks], readings)


def _positions(game: Game, sifted: Scene, read: list[_Options], readings: int) -> tuple[tuple[Any, float], ...]:
    found: dict[Any, float] = {}
    for _, (stacks, weight) in zip(range(readings), _combinations(list(map(_shares, read))), strict=False):
        position = game.read(Scene.of(stacks, sifted.empty_stands, sifted.error_mm))
        found[position] = found.get(position, 0.0) + weight
    return tuple(sorted(found.items(), key=lambda pair: -pair[1]))


def _read(game: Game, state: Any, stack: Stack) -> _Options:
    """The ways to read one stack, weighed by what the state lets expect."""
    read = [(_as_read(stack, reading), reading.probability) for reading in stack.readings] or [(stack, 1.0)]
    return [(one, probability * _expected(game, state, one)) for one, probability in read]


def _shares(options: _Options) -> _Options:
    """Those of the options that are not hopeless, with their shares, likeliest first."""
    whole = sum(weight for _, weight in options) or 1.0
    fair = [(one, weight) for one, weight in options if weight >= LEAST * whole] or [(options[0][0], 1.0)]
    whole = sum(weight for _, weight in fair)
    return sorted(((one, weight / whole) for one, weight in fair), key=lambda option: -option[1])


def _expected(game: Game, state: Any, stack: Stack) -> float:
    if game.is_as_before(state, stack):
        return TRUST * TRUST
    return TRUST if game.is_possible(state, stack) else 1.0


def _as_read(stack: Stack, reading: Reading) -> Stack:
    pose = Pose(stack.pose.x_mm, stack.pose.y_mm, reading.heading_deg)
    return replace(stack, pose=pose, pyramids=reading.pyramids, stand=reading.stand)


def _combinations(options: list[_Options]) -> Iterator[tuple[list[Stack], float]]:
    """One option of each stack, likeliest combination first: each differs from an earlier one in one stack."""
    first = (0,) * len(options)
    waiting, met = [(-_weight(options, first), first)], {first}
    while waiting:
        weight, chosen = heapq.heappop(waiting)
        yield [choices[n][0] for choices, n in zip(options, chosen, strict=True)], -weight
        for place, n in enumerate(chosen):
            further = (*chosen[:place], n + 1, *chosen[place + 1 :])
            if n + 1 < len(options[place]) and further not in met:
                met.add(further)
                heapq.heappush(waiting, (-_weight(options, further), further))


def _weight(options: list[_Options], chosen: tuple[int, ...]) -> float:
    weight = 1.0
    for choices, n in zip(options, chosen, strict=True):
        weight *= choices[n][1]
    return weight
