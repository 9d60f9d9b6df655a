"""Pyramid Gran Prix: dice, adjustments and the pylon, as buttons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from engine.game import Game
from engine.games import gran_prix
from engine.games.gran_prix import STEPS, Adjust, Roll, State, candidates
from webui.games.choices import MOST, ahead, legal
from webui.games.tabletop import Choice

_GAME = cast(Game, gran_prix)
_FOR = {
    "turn": ("needs 7 or more to turn", "turn-by-gear"),
    "adjust": ("needs 7 or more for two steps", "adjust-steps"),
    "wait": ("rolls how many phases the car waits", "crash-wait"),
    "start": ("needs 7 or more to get going", "standing-start"),
}


def choices(state: State, player: str | None) -> tuple[Choice, ...]:
    """See `webui.games.tabletop.Tabletop`."""
    now: State = ahead(_GAME, state)
    found = tuple(
        one
        for one in (*_rolls(now), *_pylon(now), *_adjustments(now))
        if player in (None, one.player) or not one.player
    )
    return found[:MOST]  # of thirty-three cars the first in the pylon's order adjust first


def _rolls(state: State) -> Iterator[Choice]:
    """Each roll that is due, once: the faces are tapped."""
    one_each = {(move.car, move.purpose): move for move in candidates(state) if isinstance(move, Roll)}
    for name, purpose in ((move.car, move.purpose) for move in legal(_GAME, state, one_each.values())):
        words, rule = _FOR[purpose]
        declaration = {"for": purpose, "player": name}
        if state.dice is not None:
            umpire = {"roll": "umpire", **declaration}
            yield Choice(f"{name} {words}: the umpire rolls", umpire, name, rule=rule, group="Two dice")
        yield Choice(f"{name} {words}", declaration, name, dice=2, rule=rule, group="Two dice")


def _adjustments(state: State) -> Iterator[Choice]:
    order = [name for group in state.pylon for name in group]
    moves = (move for move in candidates(state) if isinstance(move, Adjust))
    for move in sorted(legal(_GAME, state, moves), key=lambda move: order.index(move.car)):
        now, new = state.by_name[move.car].step, STEPS[move.step]
        words = f"Stay at {new}" if move.step == now else "Stop" if not move.step else f"Gear {new[0]}, speed {new[2]}"
        speed = {"gear": int(new[0]), "speed": int(new[2])} if move.step else {"gear": 0, "speed": 0}
        heading = f"{move.car}, {'stopped' if not now else f'at {STEPS[now]}'}"
        yield Choice(words, {"adjust": move.car, **speed}, move.car, rule="adjust-steps", group=heading)


def _pylon(state: State) -> Iterator[Choice]:
    """Who leads, where the camera cannot tell; told before the first of them moves."""
    is_open = state.winner is None and state.stage == 1 and not state.acted
    for place, group in enumerate(state.pylon if is_open else ()):
        for name in group if len(group) > 1 else ():
            order = [other for n, one in enumerate(state.pylon) for other in (_first(name, one) if n == place else one)]
            heading = f"Too close to call: {' or '.join(group)}"
            yield Choice(f"{name} is ahead", {"pylon": order}, rule="pylon-order", group=heading)


def _first(name: str, group: tuple[str, ...]) -> tuple[str, ...]:
    return (name, *(other for other in group if other != name))
