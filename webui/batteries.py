"""A Missile Command battery that a player builds on the own device: what the form holds, whether it can be sealed, and
the declaration that seals it. What is in it so far and what is wrong with it says `webui.building`."""

from __future__ import annotations

import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from engine.games import missile_command
from engine.games.missile_command import Battery, Options, State
from engine.games.missile_command.building import MOST_ALIKE
from engine.table import COLOURS, Pyramid
from webui.building import EXECUTIVES, SILOS, SIZES, Building, building
from webui.gamefile import GameFile
from webui.games.tabletop import Tabletop

BUILT_IN = frozenset({"missile-command"})
TITLES = {"president": "President", "vice_president": "Vice President"}

Json = dict[str, Any]


@dataclass(frozen=True)
class Chosen:
    """What a player has chosen so far: three colours for each silo, outermost first, '' where none is chosen; and the
    silos of the two executives, as text."""

    silos: tuple[tuple[str, str, str], ...] = (("", "", ""),) * SILOS
    executives: tuple[str, str] = ("", "")

    @classmethod
    def from_form(cls, form: Mapping[str, str]) -> Chosen:
        """What a form sent; fields that hold nothing that can be chosen are empty."""
        colours, numbers = [str(colour) for colour in COLOURS], [str(n + 1) for n in range(SILOS)]
        silos = [[_among(form.get(f"silo-{n + 1}-{size}", ""), colours) for size in SIZES] for n in range(SILOS)]
        president, vice_president = (_among(form.get(name, ""), numbers) for name in EXECUTIVES)
        return cls(tuple((a, b, c) for a, b, c in silos), (president, vice_president))

    def built(self, game_file: GameFile, state: State | None, player: str) -> Building:
        """The battery so far."""
        executives = {name: int(silo) for name, silo in zip(EXECUTIVES, self.executives, strict=True) if silo}
        options, taken = _options(game_file, state), _taken(state, player)
        return building(options, self.silos, executives, players=len(game_file.players), taken=taken)

    def fault(self, game_file: GameFile, state: State | None, player: str) -> str:
        """Why it cannot be sealed, in words that only its builder reads; '' where it can."""
        built = self.built(game_file, state, player)
        if built.place is not None:
            return f"Silo {built.place[0]}: choose the {built.place[1]} missile."
        for name, silo in zip(EXECUTIVES, self.executives, strict=True):
            if not silo:
                return f"Choose the silo under which your {TITLES[name]} is."
        if built.faults:
            return f"{built.faults[0][:1].upper()}{built.faults[0][1:]}."
        return self._differing(state, player)

    def _differing(self, state: State | None, player: str) -> str:
        """A top that the umpire sees otherwise."""
        tops = () if state is None else tuple(silo.colour for silo in _battery(state, player).silos)
        for n, (top, silo) in enumerate(zip(tops, self.silos, strict=False), 1):
            if top is not None and str(top) != silo[0]:
                return f"On silo {n} the umpire sees a large {top} missile. Put it right here, or on the main screen."
        return ""

    def view(self, game_file: GameFile, state: State | None, player: str) -> Json:
        """What the page shows: silos to choose for, and how much of each missile is used up."""
        built = self.built(game_file, state, player)
        used = {(str(one.pyramid.colour), str(one.pyramid.size)): one for one in built.stock}
        colours, sizes = list(dict.fromkeys(colour for colour, _ in used)), [str(size) for size in SIZES]
        return {
            "silos": [
                {"number": n, "missiles": list(zip(sizes, silo, strict=True))} for n, silo in enumerate(self.silos, 1)
            ],
            "executives": [
                {"name": name, "words": TITLES[name], "silo": silo}
                for name, silo in zip(EXECUTIVES, self.executives, strict=True)
            ],
            "colours": colours,
            "sizes": sizes,
            "used": [(colour, [(size, used[colour, size]) for size in sizes]) for colour in colours],
            "drawing": built.drawing,
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


def sealing(built: Building, player: str) -> Json:
    """The declaration that seals a whole battery. It holds its salt, so that the match can be gone through again."""
    said = {"player": player, "battery": built.battery, "executives": built.executive_silos}
    return said | {"salt": secrets.token_hex(16)}


def _options(game_file: GameFile, state: State | None) -> Options:
    return missile_command.Setup.from_json(game_file.setup).options if state is None else state.options


def _battery(state: State, player: str) -> Battery:
    return next(one for who, one in zip(state.players, state.batteries, strict=True) if who.name == player)


def _taken(state: State | None, player: str) -> tuple[Pyramid, ...] | None:
    """What the player took from a shared pool; None where there is none."""
    if state is None or state.draft is None:
        return None
    return state.draft.taken[[who.name for who in state.players].index(player)]


def _among(said: str, known: list[str]) -> str:
    return said if said in known else ""
