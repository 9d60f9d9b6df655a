"""Photos may be missing: what two events between two tables explain, and when that is sure enough to rule on."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import replace
from typing import Any

from engine.errors import InvalidSetup
from engine.game import Explanation
from engine.rules import Line

SEVERAL_PAIRS = "photos may be missing, and more than one pair of events explains this"
PAIR_OR_FAULT = "photos may be missing: two events that are allowed explain this, and so does one that is not"


def gaps_of(game: dict[str, Any]) -> bool:
    """What a game.json says of missing photos. Raises InvalidSetup."""
    gaps = game.get("gaps", False)
    if not isinstance(gaps, bool):
        raise InvalidSetup("gaps", "true or false", gaps)
    return gaps


def sure_pairs(
    pairs: tuple[Explanation, ...], faults: tuple[Explanation, ...], events: Callable[[Line], Hashable] = frozenset
) -> tuple[Explanation, ...]:
    """Legal explanations by two events, as they are if they all tell the same pair and no single fault explains the
    table as well; else these and the faults, all beyond the umpire. `events` is what tells one pair from another.
    """
    charged = tuple(one for one in faults if one.beyond is None)
    if len({events(one.line) for one in pairs}) == 1 and not charged:
        return pairs
    reason = PAIR_OR_FAULT if charged else SEVERAL_PAIRS
    return tuple(replace(one, beyond=one.beyond or reason) for one in (*pairs, *charged))
