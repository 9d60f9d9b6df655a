"""The games that the umpire judges: the one place where they are registered.

To add a game: write its rules, a module in `engine/games/` that fulfils `engine.game.Game`; then a module here with
what `webui.games.tabletop.Tabletop` asks for (how game.json starts it, what may be declared, its layouts, its words and
its drawing; its buttons are in `choices/`, its status mat in `mats/`, its options in `switches`); then add that module
to `TABLETOPS` below. Review, page and command line know games by this list only. Tests go to `tests/engine/` and
`tests/webui/`, the game also to the list in `tests/engine/test_contract.py`.
"""

from __future__ import annotations

from engine.errors import InvalidSetup
from webui.games import gran_prix, martian_mids, missile_command, ziggurat
from webui.games.tabletop import Tabletop

TABLETOPS: tuple[Tabletop, ...] = (martian_mids, missile_command, gran_prix, ziggurat)


def tabletop_of(name: str) -> Tabletop:
    """The game that game.json calls by this name. Raises InvalidSetup, naming those there are."""
    for tabletop in TABLETOPS:
        if name == tabletop.NAME:
            return tabletop
    raise InvalidSetup("game", " or ".join(tabletop.NAME for tabletop in TABLETOPS), name)
