"""Building a Missile Command battery in secret, on the player's own device: what was chosen, how far the rule of four
is used up, and the declaration that seals it."""

from __future__ import annotations

import secrets
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.games import missile_command
from engine.games.missile_command import Battery, State
from engine.games.missile_command.building import MOST_ALIKE, faults, stockpile_of
from engine.table import COLOURS, Colour, Pyramid, Size
from webui.gamefile import GameFile
from webui.games.tabletop import Tabletop

BUILT_IN = frozenset({"missile-command"})
SILOS = range(1, 9)
SIZES = (Size.LARGE, Size.MEDIUM, Size.SMALL)  # outermost first
EXECUTIVES = (("president", "President"), ("vice_president", "Vice President"))

Json = dict[str, Any]


@dataclass(frozen=True)
class Building:
    """What a player has chosen so far: three colours for each silo, outermost first, '' where none is chosen; and the
    silos of the two executives, as text."""

    silos: tuple[tuple[str, str, str], ...] = (("", "", ""),) * 8
    executives: tuple[str, str] = ("", "")

    @classmethod
    def from_form(cls, form: Mapping[str, str]) -> Building:
        """What a form sent; fields that hold nothing that can be chosen are empty."""
        colours = [str(colour) for colour in COLOURS]
        numbers = [str(silo) for silo in SILOS]
        chosen = [[_among(form.get(f"silo-{n}-{size}", ""), colours) for size in SIZES] for n in SILOS]
        executives = [_among(form.get(name, ""), numbers) for name, _ in EXECUTIVES]
        return cls(tuple((a, b, c) for a, b, c in chosen), (executives[0], executives[1]))

    @property
    def used(self) -> Counter[Pyramid]:
        """How many of each missile are built in."""
        return Counter(
            Pyramid(Colour(name), size) for silo in self.silos for name, size in zip(silo, SIZES, strict=True) if name
        )

    def fault(self, game_file: GameFile, state: State | None, player: str) -> str:
        """Why it cannot be sealed, in words that only its builder reads; '' where it can."""
        for n, silo in enumerate(self.silos, 1):
            empty = [str(size) for name, size in zip(silo, SIZES, strict=True) if not name]
            if empty:
                return f"Silo {n}: choose the {' and the '.join(empty)} missile."
        for (_, words), silo_number in zip(EXECUTIVES, self.executives, strict=True):
            if not silo_number:
                return f"Choose the silo under which your {words} is."
        broken = next(faults(self.used, colours_of(game_file, state), _taken(state, player)), None)
        if broken is not None:
            return f"{broken[1][:1].upper()}{broken[1][1:]}."
        return self._differing(state, player)

    def _differing(self, state: State | None, player: str) -> str:
        """A top that the umpire sees otherwise."""
        if state is None:
            return ""
        tops = [silo.colour for silo in _battery(state, player).silos]
        for n, (top, silo) in enumerate(zip(tops, self.silos, strict=True), 1):
            if top is not None and str(top) != silo[0]:
                return f"On silo {n} the umpire sees a large {top} missile. Put it right here, or on the main screen."
        return ""

    def view(self, game_file: GameFile, state: State | None, player: str) -> Json:
        """What the page shows: silos to choose for, and how much of each missile is used up."""
        colours = [colour for colour in COLOURS if colour in colours_of(game_file, state)]
        used = self.used
        return {
            "silos": [
                {"number": n, "missiles": [(str(size), name) for size, name in zip(SIZES, silo, strict=True)]}
                for n, silo in enumerate(self.silos, 1)
            ],
            "executives": [
                {"name": name, "words": words, "silo": silo}
                for (name, words), silo in zip(EXECUTIVES, self.executives, strict=True)
            ],
            "colours": [str(colour) for colour in colours],
            "sizes": [str(size) for size in SIZES],
            "used": [(str(colour), [(str(size), used[Pyramid(colour, size)]) for size in SIZES]) for colour in colours],
            "most": MOST_ALIKE,
            "can_seal": state is not None,
        }


def is_building(game_file: GameFile, game: Tabletop, state: Any, player: str) -> bool:
    """Whether this player has a battery to build: not sealed yet, and nothing of it shot at."""
    if game.NAME not in BUILT_IN:
        return False
    if state is None:
        return player not in game_file.setup.get("batteries", {})
    battery = _battery(state, player)
    return not battery.is_declared and all(silo.left == len(SIZES) for silo in battery.silos)


def sealing(building: Building, player: str) -> Json:
    """The declaration that seals the battery. It holds its salt, so that the match can be gone through again."""
    return {
        "player": player,
        "battery": [
            [{"colour": name, "size": str(size)} for name, size in zip(silo, SIZES, strict=True)]
            for silo in building.silos
        ],
        "executives": {name: int(silo) for (name, _), silo in zip(EXECUTIVES, building.executives, strict=True)},
        "salt": secrets.token_hex(16),
    }


def colours_of(game_file: GameFile, state: State | None) -> frozenset[Colour]:
    """The colours that a battery of this game may have."""
    options = missile_command.Setup.from_json(game_file.setup).options if state is None else state.options
    return stockpile_of(options, len(game_file.players))


def _battery(state: State, player: str) -> Battery:
    return next(one for who, one in zip(state.players, state.batteries, strict=True) if who.name == player)


def _taken(state: State | None, player: str) -> Counter[Pyramid] | None:
    """What the player took from a shared pool; None where there is none."""
    if state is None or state.draft is None:
        return None
    return Counter(state.draft.taken[[who.name for who in state.players].index(player)])


def _among(said: str, known: list[str]) -> str:
    return said if said in known else ""
