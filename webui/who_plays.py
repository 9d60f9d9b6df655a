"""The short form that says which game was photographed and who played it: what a game.json says in full."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from calibration import store
from engine.table import COLOURS
from webui.gamefile import GameFile, GameFileError, game_file_from_json
from webui.games import TABLETOPS
from webui.review import Review

SEATS = 10
OWN_COLOUR = {"martian-mids": "stand", "pyramid-gran-prix": "colour"}
"""What a player's colour is called in game.json, in the games in which each one has a colour."""
COLOUR_WORDS = {"stand": "the colour of their stands", "colour": "the colour of their car"}


def form_view() -> dict[str, Any]:
    """What the form offers."""
    cameras, _ = store.load_all(store.cameras_folder())
    return {
        "games": [{"name": game.NAME, "title": game.TITLE} for game in TABLETOPS],
        "colours": [str(colour) for colour in COLOURS],
        "seats": range(1, SEATS + 1),
        "cameras": [camera.camera for camera in cameras],
    }


def game_from_form(form: Mapping[str, str]) -> GameFile:
    """The game that the filled-in form tells. Raises GameFileError, in words that a player can act on."""
    game = form.get("game", "")
    players = [_player(seat, game, form) for seat in range(1, SEATS + 1) if form.get(f"name-{seat}", "").strip()]
    if not players:
        raise GameFileError("Who played? Give the players' names in seating order.")
    doc: dict[str, Any] = {"game": game, "players": players}
    if camera := form.get("camera", ""):
        doc["camera"] = camera
    game_file = game_file_from_json(doc, "The form")
    Review(game_file)
    return game_file


def _player(seat: int, game: str, form: Mapping[str, str]) -> dict[str, str]:
    name, colour = form[f"name-{seat}"].strip(), form.get(f"colour-{seat}", "")
    own = OWN_COLOUR.get(game)
    if own is None:
        return {"name": name}
    if not colour:
        raise GameFileError(f"Which colour has {name}? In this game each player needs {COLOUR_WORDS[own]}.")
    return {"name": name, own: colour}
