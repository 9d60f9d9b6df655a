"""Commitments: a player seals a battery and its executives, and anybody can check at the end that nothing changed.

The commitment is the SHA-256 of the salt, a line break and the sealed text; it is shown to all at the start. The salt,
without which nobody can try out batteries against it, is shown with the text when the game is over.
"""

from __future__ import annotations

import hashlib

from engine.games.missile_command.state import Battery, Seal, State


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
