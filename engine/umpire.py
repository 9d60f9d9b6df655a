"""The umpire: from a state and a scene to a ruling. Pure functions; the games explain, this weighs.

A scene is unfolded into the positions it may show. Each stack is tried first as the last state has it: what has not
been touched has not changed, whatever a photo makes of it. `Illegal` needs nearly all of the evidence, and a legal
explanation beats an equally supported illegal one.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import islice, product
from typing import Any

from engine.game import Explanation, Game
from engine.rules import Illegal, Legal, Line, RuleViolation, Ruling, Unclear
from engine.table import Pose, Reading, Scene, Stack

ILLEGAL_NEEDS = 0.95  # share of the evidence that must leave no legal way
READINGS = 32  # positions looked at in one scene, likeliest first
CHOICES = 5  # lines offered with an unclear ruling
FAIR = 0.02  # a reading at least this probable may be what the last state has


@dataclass(frozen=True)
class Judgement:
    """A ruling (None: nothing happened) and the states that may be the case after it, likeliest first."""

    ruling: Ruling | None
    states: tuple[Any, ...]


@dataclass(frozen=True)
class _Weighed:
    explanation: Explanation
    weight: float
    broken: tuple[RuleViolation, ...]

    @property
    def is_legal(self) -> bool:
        return not self.broken and self.explanation.beyond is None


def judge(game: Game, state: Any, scene: Scene) -> Ruling | None:
    """What the umpire says of the table that `scene` shows, when `state` was the case before."""
    return consider(game, state, scene).ruling


def consider(game: Game, state: Any, scene: Scene) -> Judgement:
    """The ruling, and where the match may stand after it."""
    weighed: list[_Weighed] = []
    for position, weight in positions(game, state, scene):
        explanations = game.explain(state, position)
        if not explanations:
            return Judgement(None, (state,))
        for one in explanations:
            weighed.append(_Weighed(one, weight / len(explanations), _violations(game, state, one.line)))
    return _ruled(state, _merged(weighed))


def _ruled(state: Any, weighed: tuple[_Weighed, ...]) -> Judgement:
    legal = [one for one in weighed if one.is_legal]
    if legal and legal[0].weight >= weighed[0].weight:
        first = legal[0].explanation
        return Judgement(Legal(first.line, first.questions), (first.after,))
    broken = [one for one in weighed if one.broken and one.explanation.beyond is None]
    if sum(one.weight for one in broken) >= ILLEGAL_NEEDS * sum(one.weight for one in weighed):
        least = min(broken, key=lambda one: (len(one.broken), -one.weight))
        ruling = Illegal(least.explanation.line, least.broken, least.explanation.questions)
        return Judgement(ruling, (state, least.explanation.after))
    first = weighed[0].explanation
    reason = first.beyond or "the photo does not show well enough what happened"
    lines = tuple(dict.fromkeys(one.explanation.line for one in weighed if one.explanation.line))[:CHOICES]
    return Judgement(
        Unclear(reason, lines, first.questions), tuple(dict.fromkeys(one.explanation.after for one in weighed))
    )


def _merged(weighed: list[_Weighed]) -> tuple[_Weighed, ...]:
    """Likeliest first, explanations that say the same once, with the sum of their weights."""
    sums: dict[tuple[Line, str | None], _Weighed] = {}
    for one in weighed:
        key = (one.explanation.line, one.explanation.beyond)
        sums[key] = replace(sums[key], weight=sums[key].weight + one.weight) if key in sums else one
    return tuple(sorted(sums.values(), key=lambda one: -one.weight))


def _violations(game: Game, state: Any, line: Line) -> tuple[RuleViolation, ...]:
    found: list[RuleViolation] = []
    for move in line:
        found += game.violations(state, move)
        state = game.play(state, move)
    return tuple(found)


def positions(game: Game, state: Any, scene: Scene) -> tuple[tuple[Any, float], ...]:
    """The positions a scene may show, with their share of the evidence: at most READINGS, the first one first tried.

    A stack that has a fair reading in which its place is as the state has it is read so, without doubt.
    """
    options = [_options(game, state, stack) for stack in scene.stacks]
    likeliest = sorted(islice(product(*options), READINGS**2), key=lambda combination: -_weight(combination))
    found: dict[Any, float] = {}
    for combination in likeliest[:READINGS]:
        position = game.read(Scene.of([stack for stack, _ in combination]))
        found[position] = found.get(position, 0.0) + _weight(combination)
    whole = sum(found.values())
    return tuple((position, weight / whole) for position, weight in found.items())


def _weight(combination: tuple[tuple[Stack, float], ...]) -> float:
    weight = 1.0
    for _, probability in combination:
        weight *= probability
    return weight


def _options(game: Game, state: Any, stack: Stack) -> list[tuple[Stack, float]]:
    """The ways to read one stack, with probabilities; only one if the state's is among them."""
    read = [(_as_read(stack, reading), reading.probability) for reading in stack.readings] or [(stack, 1.0)]
    for one, probability in read:
        if probability >= FAIR and game.is_as_before(state, one):
            return [(one, 1.0)]
    return read[:6]


def _as_read(stack: Stack, reading: Reading) -> Stack:
    pose = Pose(stack.pose.x_mm, stack.pose.y_mm, reading.heading_deg)
    return Stack(stack.sheet, stack.zone, pose, reading.pyramids, reading.stand)
