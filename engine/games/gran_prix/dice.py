"""The umpire's own dice, for groups that ask it to roll: seeded, logged, and to be checked when the race is over.

The seed stays with the umpire until somebody has won; its commitment, a SHA-256, is shown from the start. Each throw
follows from the seed and its number, so that the log, the seed and the commitment prove each other.
"""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.games.gran_prix.grid import pole_by_dice
from engine.games.gran_prix.notation import POLE, Roll


def throw(seed: int | str, number: int) -> tuple[int, int]:
    """Two dice: the same seed and number, counted from 1, always give the same throw.

    >>> throw("friday", 1)
    (5, 2)
    """
    chance = random.Random(f"{seed}/{number}")
    return chance.randint(1, 6), chance.randint(1, 6)


def commitment(seed: int | str) -> str:
    """What is shown of a seed before the race: its SHA-256 as 64 hexadecimal digits."""
    return hashlib.sha256(str(seed).encode()).hexdigest()


@dataclass(frozen=True)
class Dice:
    """The umpire's dice: `thrown` is the log, each throw by whom and what for. `seed` is None where it is hidden."""

    commitment: str
    seed: int | str | None
    thrown: tuple[Roll, ...] = ()

    @classmethod
    def of(cls, seed: int | str) -> Dice:
        return cls(commitment(seed), seed)

    @property
    def hidden(self) -> Dice:
        """What the table may see before the end."""
        return replace(self, seed=None)

    def rolled(self, name: str, purpose: str) -> Dice:
        """The dice after one more throw, the last of the log. Raises ValueError where the seed is hidden."""
        if self.seed is None:
            raise ValueError("these dice cannot be thrown: their seed is hidden")
        roll = Roll(name, throw(self.seed, len(self.thrown) + 1), purpose)
        return replace(self, thrown=(*self.thrown, roll))

    def rolled_for_pole(self, names: tuple[str, ...]) -> tuple[Dice, tuple[str, ...]]:
        """The dice after every driver has rolled for the start, ties again, and the order: the highest first."""
        dice, rolls = self, {name: list[tuple[int, int]]() for name in names}
        groups: tuple[tuple[str, ...], ...] = (names,)
        while any(len(group) > 1 for group in groups):
            for name in (name for group in groups if len(group) > 1 for name in group):
                dice = dice.rolled(name, POLE)
                rolls[name].append(dice.thrown[-1].dice or (0, 0))
            groups = pole_by_dice({name: tuple(rolled) for name, rolled in rolls.items()})
        return dice, tuple(name for group in groups for name in group)


def unfair(shown: str, seed: int | str, thrown: Iterable[tuple[int, int]]) -> str | None:
    """What is wrong with the dice, in a sentence; None when the seed is the one whose commitment was shown and every
    throw, in their order, follows from it.
    """
    if commitment(seed) != shown:
        return "The seed is not the one that was committed to: other dice were thrown."
    for number, dice in enumerate(thrown, 1):
        if dice != (due := throw(seed, number)):
            return f"Throw {number} was {dice[0]} and {dice[1]}; these dice show {due[0]} and {due[1]} there."
    return None
