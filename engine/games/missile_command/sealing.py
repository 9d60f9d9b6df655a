"""Secrets: a player seals a battery and its executives, and anybody can check at the end that nothing changed.

The commitment is the SHA-256 of the salt, a line break and the sealed text; it is shown to all at the start. The salt,
without which nobody can try out batteries against it, is shown with the text when the game is over.
`visible_to` is the only way in which a state gets to a page.
"""

from __future__ import annotations

import hashlib
from dataclasses import replace

from engine.games.missile_command.batteries import Battery, Fate, Seal, Silo
from engine.games.missile_command.notation import PRESIDENT, VICE_PRESIDENT
from engine.games.missile_command.state import State
from engine.table import Colour


def sealed_text(battery: Battery) -> str:
    """The battery and its executives as text: eight lines of missiles, outermost first, then the executives.

    >>> sealed_text(Battery()).splitlines()[0]
    '1: ? ? ?'
    """
    lines = [f"{n}: {' '.join(str(c or '?') for c in silo.missiles)}" for n, silo in enumerate(battery.silos, 1)]
    return "\n".join([*lines, *(f"{name}: {one.silo or '?'}" for name, one in battery.executives)])


def commitment(text: str, salt: str) -> str:
    return hashlib.sha256(f"{salt}\n{text}".encode()).hexdigest()


def seal(battery: Battery, salt: str) -> Seal:
    """The seal of a battery as it is now. Raises ValueError for a salt that could be guessed."""
    if len(salt) < 16:
        raise ValueError("a salt needs sixteen characters or more")
    text = sealed_text(battery)
    return Seal(commitment(text, salt), salt, text)


def is_as_committed(opened: Seal) -> bool:
    """Whether an opened seal holds what was committed to."""
    if opened.salt is None or opened.text is None:
        return False
    return commitment(opened.text, opened.salt) == opened.commitment


def opened(state: State) -> tuple[tuple[str, Seal], ...]:
    """When the game is over, each player's name and opened seal; nothing before."""
    if not state.is_over:
        return ()
    pairs = zip(state.players, state.batteries, strict=True)
    return tuple((player.name, battery.seal) for player, battery in pairs if battery.seal is not None)


# What others see.


def visible_to(state: State, player: str | None) -> State:
    """The state as a player may see it, or, for None, as everybody may: no sealed missile, executive or salt.

    When the game is over the seals are open, so that everybody can check them.
    """
    shown = tuple(
        one if who.name == player else _as_others_see(one, is_open=state.is_over)
        for who, one in zip(state.players, state.batteries, strict=True)
    )
    return replace(state, batteries=shown)


def _as_others_see(battery: Battery, *, is_open: bool) -> Battery:
    silos = tuple(replace(silo, missiles=_as_exposed(silo)) for silo in battery.silos)
    hidden = {name: replace(one, silo=None) if one.fate is Fate.HIDDEN else one for name, one in battery.executives}
    seal = battery.seal if is_open or battery.seal is None else replace(battery.seal, salt=None, text=None)
    return replace(battery, silos=silos, president=hidden[PRESIDENT], vice_president=hidden[VICE_PRESIDENT], seal=seal)


def _as_exposed(silo: Silo) -> tuple[Colour | None, Colour | None, Colour | None]:
    """What has been on top so far."""
    shown = 3 - silo.left - silo.is_guess
    first, second, third = (colour if n <= shown else None for n, colour in enumerate(silo.missiles))
    return first, second, third
