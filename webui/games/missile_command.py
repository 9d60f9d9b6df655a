"""Missile Command on the page: its words, its turns and its batteries. Only what everybody may see gets here."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from itertools import cycle, islice
from typing import Any, cast

from markupsafe import Markup

from engine.errors import InvalidSetup
from engine.game import Game, Touch
from engine.games import missile_command
from engine.games.missile_command import (
    Aim,
    Allow,
    Deflect,
    Discard,
    Expose,
    Fate,
    Intercept,
    Launch,
    Oppose,
    Pass,
    Pick,
    Place,
    Report,
    Reveal,
    Scramble,
    Setup,
    Sortie,
    State,
    Strike,
    Take,
    chooser,
    in_words,
    outcome,
)
from engine.games.missile_command.building import stockpile_of
from engine.match import Match
from engine.rules import Ending
from engine.table import COLOURS, Scene, Size
from webui.games.choices import take
from webui.games.choices.missile_command import choices as choices
from webui.games.mats.missile_command import mat as mat
from webui.games.naming import with_places
from webui.games.switches import MISSILE_COMMAND
from webui.games.tabletop import Standing, Start, ToLay, Turn
from webui.hands import battery_html
from webui.silos import Row, changed_silos, silos_svg

NAME, TITLE = "missile-command", "Missile Command"
LAYOUTS = tuple(f"silos-{players}p" for players in range(2, 11))
GAME = cast(Game, missile_command)  # a module is a Game; mypy finds its constants too narrow
SWITCHES = MISSILE_COMMAND


def setup(doc: dict[str, Any]) -> Setup:
    return Setup.from_json(doc)


def start(setup: Setup, scene: Scene, layout: str) -> Start:
    room = int(layout.removeprefix("silos-").removesuffix("p"))
    beyond = [player.sheet for player in setup.players if player.number > room]
    if beyond:
        raise InvalidSetup("players", f"the sheets silos-1 to silos-{room}, which lie on this table", beyond[0])
    return Start(missile_command.start(setup, scene), missile_command.start_warnings(setup, scene))


def declare(match: Match, declaration: Any) -> None:
    take(GAME, match, declaration)


_SEALED = frozenset({"battery", "executives"})


def deal(doc: dict[str, Any]) -> dict[str, Any]:
    """A salt for every player's seal, kept with the game so that it can be opened when the game is over, also where a
    battery is declared later; and a pool to share, where one is wanted and none is described."""
    setup = Setup.from_json(doc)
    names = [player.name for player in setup.players]
    pool = _pool(setup) if setup.options.shared_stockpile and not setup.pool else {}
    salts = {name: secrets.token_hex(16) for name in names} | doc.get("salts", {})
    said = {"declared": _salted(doc["declared"], salts)} if "declared" in doc else {}
    return doc | pool | {"salts": salts} | said


def _salted(declared: dict[str, Any], salts: dict[str, str]) -> dict[str, Any]:
    """What is declared with each photo; a battery without a salt has its player's."""

    def salted(said: Any) -> Any:
        match said:
            case list():
                return [salted(each) for each in said]
            case {"player": str(name), **sealed} if name in salts and not _SEALED.isdisjoint(sealed):
                return {"salt": salts[name]} | said
        return said

    return {photo: salted(said) for photo, said in declared.items()}


def _pool(setup: Setup) -> dict[str, Any]:
    """A stash, five of each size, of every colour of this game; for many players more, two for each of them."""
    colours = [colour for colour in COLOURS if colour in stockpile_of(setup.options, len(setup.players))]
    stashes = Counter(islice(cycle(colours), max(len(colours), 2 * len(setup.players))))
    kinds = ((colour, size, 5 * count) for colour, count in stashes.items() for size in Size)
    return {"pool": [{"colour": str(colour), "size": str(size), "count": count} for colour, size, count in kinds]}


def private(state: State, player: str) -> Markup | None:
    return battery_html(state, player)


# Words.


def next_poses(state: State) -> tuple[ToLay, ...]:
    return ()  # nobody has to lay a piece just so


def move_words(move: Any, state: State | None) -> str:
    words = _move_words(move, state)
    return in_words(state.options, words) if state is not None else words


def _move_words(move: Any, state: State | None) -> str:
    match move:
        case Touch():
            return _touch_words(move, state)
        case Launch():
            what = "a drone" if move.colour.value == "clear" else f"the {move.colour} missile"
            return f"{_who(move.origin, state)} launches {what} of silo {move.origin.silo} at {_at(move.target, state)}"
        case Scramble():
            return f"{_who(move.origin, state)} scrambles the SAC unit of silo {move.origin.silo}"
        case Discard():
            return f"{_who(move.origin, state)} discards the ABM of silo {move.origin.silo}"
        case Sortie():
            aims = " and ".join(f"the {size} unit at {_at(place, state)}" for size, place in move.units)
            return f"{_name(move.number, state)} sends {aims}"
        case Strike():
            return f"{_name(move.number, state)}'s missile on its way strikes {_at(move.target, state)}"
        case Pass():
            return f"{_name(move.number, state)} can launch nothing"
        case Pick():
            return f"{_name(move.number, state)} takes a {move.pyramid}"
    return _answer_words(move, state)


def _touch_words(touch: Touch, state: State | None) -> str:
    place = re.fullmatch("([1-9][0-9]?)/([1-8]|air-wing)", touch.place)
    where = f"on {touch.place}"
    if place:
        whose = f"{_name(int(place[1]), state)}'s"
        where = f"in {whose} air wing" if place[2] == "air-wing" else f"on {whose} silo {place[2]}"
    return f"{where}, {touch.before} became {touch.after}"


def _answer_words(move: Any, state: State | None) -> str:
    match move:
        case Intercept():
            return f"{_who(move.origin, state)}'s ABM of silo {move.origin.silo} meets it"
        case Allow():
            return f"{_name(move.number, state)} does not intercept it"
        case Deflect():
            return f"{_name(move.number, state)} deflects it to {_name(move.to, state)}"
        case Take():
            return f"{' and '.join(_at(place, state) for place in move.places)} is struck"
        case Oppose():
            met = " and ".join(f"the one at {_at(place, state)}" for _, place in move.units)
            return f"{_name(move.number, state)} meets {met or 'none of them'}"
        case Report():
            level = "gives no report" if move.level is None else f"is at DEFCON {move.level}"
            return f"{_name(move.number, state)} {level}"
        case Aim():
            return f"the drone was aimed at {_at(move.target, state)}"
        case Reveal():
            return f"{_at(move.place, state)} shows {move.colour}"
        case Expose():
            who = " and ".join(f"the {name}" for name in move.who) or "nobody"
            return f"{who} stands exposed at {_at(move.place, state)}"
    return str(move)


def _name(number: int, state: State | None) -> str:
    return state.name_of(number) if state is not None else f"player {number}"


def _who(place: Place, state: State | None) -> str:
    return _name(place.number, state)


def _at(place: Place | None, state: State | None) -> str:
    if place is None:
        return "somebody"
    whose = f"{_name(place.number, state)}'s"
    return f"{whose} silo {place.silo}" if place.silo is not None else f"one of {whose} silos"


def spoken(text: str, state: State) -> str:
    def words_of(place: str) -> str:
        return in_words(state.options, _at(Place.parse(place), state))

    return with_places(text, "(?:silo|wall)s?", r"[1-9]\d?/[1-8?]", words_of)


# The turn.


def turn(state: State) -> Turn:
    exposed = "Exposed"
    return Turn(
        in_words(state.options, _headline(state)),
        in_words(state.options, _detail(state)),
        None,
        "Batteries",
        ("Missiles", "In the air", exposed),
        tuple(_standing(state, number) for number in state.numbers),
    )


def _headline(state: State) -> str:
    over = outcome(state)
    if over is not None:
        names = " and ".join(over.winners)
        return f"{names} won" if over.ending is Ending.WON else f"A draw of {names}" if names else "Nobody is left"
    if state.blocking:
        return f"{_name(chooser(state) or 0, state)} to choose"
    return f"{state.name_of(state.turn)} to {'take a pyramid' if state.is_drafting else 'launch'}"


def _detail(state: State) -> str:
    shielded = [state.name_of(n) for n in state.in_game if state.battery(n).shield is not None]
    if shielded:
        return f"The defence system of {' and '.join(shielded)} is up"
    if any(type(owed).__name__ == "Probing" for owed in state.owed):
        return "A drone waits for its answer"
    return ""


def _standing(state: State, number: int) -> Standing:
    battery = state.battery(number)
    if battery.is_out:
        return Standing(state.name_of(number), None, ("out", "", ""))
    left = sum(silo.left for silo in battery.silos)
    exposed = [name for name, one in battery.executives if one.fate is Fate.EXPOSED]
    awaited = (chooser(state) if state.blocking else state.turn) == number and not state.is_over
    figures = (str(left), str(len(battery.air_wing)), in_words(state.options, ", ".join(exposed)))
    return Standing(state.name_of(number), None, figures, awaited)


# The batteries.


def drawing(state: State | None, before: State | None, manner: str, players: tuple[str, ...] = ()) -> Markup:
    rows = _rows(state) if state is not None else tuple(map(Row, players))
    marked = frozenset() if before is None else changed_silos(_rows(before), rows)
    return silos_svg(rows, marked, manner)


def _rows(state: State) -> tuple[Row, ...]:
    return tuple(
        Row(
            state.name_of(number),
            side.tops,
            side.damaged,
            side.air_wing,
            _remark(state, number),
            _unknown(state, number),
            f"silos-{number}",
        )
        for number, side in state.position.sides
    )


def _unknown(state: State, number: int) -> frozenset[int]:
    silos = enumerate(state.battery(number).silos, 1)
    return frozenset(n for n, silo in silos if silo.left and silo.colour is None)


def _remark(state: State, number: int) -> str:
    battery = state.battery(number)
    if battery.is_out:
        return "out"
    words = [f"{name} exposed" for name, one in battery.executives if one.fate is Fate.EXPOSED]
    words += ["defence up"] if battery.shield is not None else []
    return in_words(state.options, ", ".join(words))
