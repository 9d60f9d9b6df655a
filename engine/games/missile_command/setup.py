"""Before the first photo and beside the table: who plays, what is sealed in the silos, what is declared."""

from __future__ import annotations

import re
import secrets
from collections import Counter
from dataclasses import dataclass, field, fields, replace
from typing import Any

from engine.errors import InvalidNotation, InvalidSetup
from engine.games.missile_command.batteries import Battery, Executive, Options, Player, Position, Side, Silo
from engine.games.missile_command.building import faults, known_missiles, stockpile_of
from engine.games.missile_command.judging import violations
from engine.games.missile_command.notation import Aim, Allow, Expose, Pick, Report, Reveal, parse
from engine.games.missile_command.playing import play, settled
from engine.games.missile_command.reading import read
from engine.games.missile_command.sealing import seal
from engine.games.missile_command.settling import answers
from engine.games.missile_command.state import Draft, State
from engine.gaps import gaps_of
from engine.table import COLOURS, Colour, Pyramid, Scene, Size

MOST_ALIKE_IN_POOL = 100  # ten players' stockpiles have forty of each
AT_ONCE = (Report, Aim, Expose, Reveal, Allow, Pick)  # answers that may leave no trace on the table


@dataclass(frozen=True)
class Setup:
    """What is agreed and sealed before the first photo: `batteries` in the players' order, sealed or unknown."""

    players: tuple[Player, ...]
    batteries: tuple[Battery, ...]
    first: int
    options: Options = field(default_factory=Options)
    pool: tuple[Pyramid, ...] = ()
    first_picker: int | None = None

    @classmethod
    def from_json(cls, doc: dict[str, Any]) -> Setup:
        """The set-up that a game.json describes. Raises InvalidSetup, naming the field but telling no secret."""
        players = _players(doc.get("players"))
        options = _options(doc)
        names = {player.name: player.number for player in players}
        first = _one_of(names, doc.get("first", players[0].name), "first")
        picker = _one_of(names, doc.get("first_picker", players[0].name), "first_picker")
        sealed = {name: _object(doc.get(name, {}), name) for name in ("batteries", "executives", "salts")}
        for what, given in sealed.items():
            for name in given:
                _one_of(names, name, what)
        colours = stockpile_of(options, len(players))
        batteries = tuple(_battery(player.name, sealed, colours) for player in players)
        return cls(players, batteries, first, options, _pool(doc.get("pool", []), len(players), colours), picker)


def _players(players: Any) -> tuple[Player, ...]:
    if not isinstance(players, list) or not 2 <= len(players) <= 10:
        raise InvalidSetup("players", "a list of two to ten players", players)
    found = tuple(_player(n, player) for n, player in enumerate(players))
    for what in ("name", "sheet"):
        values = [getattr(player, what) for player in found]
        if len(set(values)) < len(values):
            raise InvalidSetup("players", f"a different {what} for each player", values)
    return found


def _player(n: int, player: Any) -> Player:
    if not isinstance(player, dict) or not isinstance(player.get("name"), str) or not player["name"].strip():
        raise InvalidSetup(f"players[{n}].name", "a name", player)
    sheet = re.fullmatch(r"silos-([1-9]|10)", str(player.get("sheet", f"silos-{n + 1}")))
    if not sheet:
        raise InvalidSetup(f"players[{n}].sheet", "the player's sheet such as silos-1", player.get("sheet"))
    return Player(player["name"], int(sheet[1]))


def _options(game: dict[str, Any]) -> Options:
    """The switches of `options`, and `gaps`. Raises InvalidSetup."""
    doc, known = game.get("options", {}), [each.name for each in fields(Options)]
    fine = isinstance(doc, dict) and all(name in known and isinstance(value, bool) for name, value in doc.items())
    if not fine:
        raise InvalidSetup("options", f"true or false for some of {', '.join(known)}", doc)
    return Options(**({"gaps": gaps_of(game)} | doc))


def _one_of(names: dict[str, int], name: Any, what: str) -> int:
    if not isinstance(name, str) or name not in names:
        raise InvalidSetup(what, f"a name among {', '.join(names)}", name)
    return names[name]


def _object(doc: Any, what: str) -> dict[str, Any]:
    if not isinstance(doc, dict):
        raise InvalidSetup(what, "an object with players' names", type(doc).__name__)
    return doc


def _battery(name: str, sealed: dict[str, dict[str, Any]], colours: frozenset[Colour]) -> Battery:
    """The player's battery as it was sealed; what was not declared is unknown."""
    battery = Battery()
    if name in sealed["batteries"]:
        battery = replace(battery, silos=_silos(name, sealed["batteries"][name]), is_declared=True)
    if name in sealed["executives"]:
        battery = _with_executives(battery, name, sealed["executives"][name])
    wrong = next(faults(known_missiles(battery), colours, None), None)
    if wrong is not None:
        raise InvalidSetup(f"batteries.{name}", f"a battery that keeps the rule {wrong[0].id}", "another one")
    if name not in sealed["batteries"] and name not in sealed["executives"]:
        return battery
    salt = sealed["salts"].get(name, secrets.token_hex(16))
    try:
        return replace(battery, seal=seal(battery, str(salt)))
    except ValueError as fault:
        raise InvalidSetup(f"salts.{name}", str(fault), "a shorter one") from None


def _silos(name: str, doc: Any) -> tuple[Silo, ...]:
    if not isinstance(doc, list) or len(doc) != 8:
        raise InvalidSetup(f"batteries.{name}", "eight silos", "another number of them")
    return tuple(_silo(f"batteries.{name}[{n}]", silo) for n, silo in enumerate(doc))


def _silo(where: str, doc: Any) -> Silo:
    """A silo's three missiles, outermost first. What is wrong is named without saying what it holds."""
    expected = "a large, a medium and a small pyramid with their colours, outermost first"
    if not isinstance(doc, list) or len(doc) != 3:
        raise InvalidSetup(where, expected, "something else")
    colours = []
    for piece, size in zip(doc, (Size.LARGE, Size.MEDIUM, Size.SMALL), strict=True):
        try:
            if piece.get("size", str(size)) != str(size):
                raise ValueError
            colours.append(_colour(piece["colour"]))
        except (AttributeError, KeyError, ValueError):
            raise InvalidSetup(where, expected, "something else") from None
    return Silo((colours[0], colours[1], colours[2]))


def _colour(name: str) -> Colour:
    """One of the ten. Raises ValueError."""
    colour = Colour(name)
    if colour not in COLOURS:
        raise ValueError(name)
    return colour


def _with_executives(battery: Battery, name: str, doc: Any) -> Battery:
    for field_name in ("president", "vice_president"):
        silo = doc.get(field_name) if isinstance(doc, dict) else None
        if not isinstance(silo, int) or isinstance(silo, bool) or not 1 <= silo <= 8:
            raise InvalidSetup(f"executives.{name}.{field_name}", "a silo from 1 to 8", "something else")
        battery = battery.with_executive(field_name.replace("_", "-"), Executive(silo))
    return battery


def _pool(doc: Any, players: int, colours: frozenset[Colour]) -> tuple[Pyramid, ...]:
    """The shared stockpile: a list of {"colour", "size", "count"}, in the colours of this game (MC-31)."""
    if doc == []:
        return ()
    try:
        pool = [
            Pyramid(_colour(each["colour"]), Size[each["size"].upper()])
            for each in doc
            for _ in range(_count(each.get("count", 1)))
        ]
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InvalidSetup(
            "pool", 'a list of pyramids such as {"colour": "red", "size": "large", "count": 5}', doc
        ) from None
    strange = next((piece.colour for piece in pool if piece.colour not in colours), None)
    if strange is not None:
        raise InvalidSetup("pool", "only missiles that are used in this game", str(strange))
    for size, count in Counter(dict.fromkeys(Size, 0) | Counter(piece.size for piece in pool)).items():
        if count < 8 * players:
            raise InvalidSetup("pool", f"eight {size} pyramids or more for each player", count)
    return tuple(pool)


def _count(count: Any) -> int:
    """How many alike lie in the pool. Raises ValueError."""
    if type(count) is not int or not 1 <= count <= MOST_ALIKE_IN_POOL:
        raise ValueError(count)
    return count


# The start.


def start(setup: Setup, scene: Scene) -> State:
    """The first turn, from what was sealed and what the first scene shows."""
    position = read(scene)
    seen = tuple(
        _as_seen(battery, position.side(player.number))
        for player, battery in zip(setup.players, setup.batteries, strict=True)
    )
    state = State(setup.players, seen, setup.first, setup.options)
    if setup.pool:
        draft = Draft(setup.pool, ((),) * len(setup.players), setup.first)
        return replace(state, draft=draft, turn=setup.first_picker or setup.first)
    return settled(state)


def _as_seen(battery: Battery, side: Side) -> Battery:
    """The battery as far as the table shows it: tops that nobody declared, silos that were shot at before."""
    silos = []
    for n, (silo, top) in enumerate(zip(battery.silos, side.tops, strict=True), 1):
        if top is not None and silo.missiles[3 - top.size] in (None, top.colour):
            silo = replace(silo, left=int(top.size)).showing(top.colour)
        silos.append(replace(silo, is_damaged=n in side.damaged))
    return replace(battery, silos=tuple(silos), air_wing=side.air_wing)


def start_warnings(setup: Setup, scene: Scene) -> tuple[str, ...]:
    """How the table differs from one on which a game can begin, in sentences that tell no secret."""
    position: Position = read(scene)
    found = []
    for player, battery in zip(setup.players, setup.batteries, strict=True):
        side = position.side(player.number)
        if setup.pool:
            continue
        for n, (silo, top) in enumerate(zip(battery.silos, side.tops, strict=True), 1):
            where = f"{player.name}'s silo {n}"
            if top is None:
                found.append(f"{where} is not to be seen.")
            elif top.size is not Size.LARGE:
                found.append(f"{where} shows a {top}; a new game starts with three missiles in each silo.")
            elif silo.missiles[0] not in (None, top.colour):
                found.append(f"{where} shows a {top}, and another missile was declared on top of it.")
        if side.damaged or side.air_wing:
            found.append(f"Pieces lie or stand beside {player.name}'s silos; a new game starts without any.")
    return tuple(found)


# What is said.


def declare(state: State, declaration: Any) -> State:
    """The state after something was said between two photos. Raises InvalidSetup.

    {"action": "launch clear 2/6 at 1/5"} is a move that the table may not show: it waits until it fits. An answer that
    leaves no trace, such as {"action": "report 1 4"}, counts at once if it is due. {"player": "Ann", "battery": [...],
    "executives": {...}, "salt": "..."} seals what has not been declared, as long as nothing of it has been seen.
    """
    match declaration:
        case {"action": str(text)}:
            return _taken_in(state, _said(text))
        case {"player": str(name)}:
            return _sealed_late(state, name, declaration)
    raise InvalidSetup("declared", 'an object such as {"action": "launch clear 2/6 at 1/5"}', "something else")


def _said(text: str) -> Any:
    try:
        return parse(text)
    except InvalidNotation as fault:
        raise InvalidSetup("action", "a move in notation", str(fault)) from None


def _taken_in(state: State, move: Any) -> State:
    if isinstance(move, AT_ONCE) and not state.said:
        broken, is_due = violations(state, move), any(isinstance(move, type(one)) for one in answers(state))
        if broken and (
            is_due or not isinstance(move, Allow | Expose | Reveal)
        ):  # what calls for those may not be seen yet
            raise InvalidSetup("action", f"a move that is due, and {broken[0].detail}", str(move))
        if not broken and _shows_nothing(state, move):
            return play(state, move)
    return replace(state, said=(*state.said, move))


def _shows_nothing(state: State, answer: Any) -> bool:
    """Whether the table looks the same after it, but for a silo's top that it tells: else a table has to show it."""
    after = play(state, answer)
    if isinstance(answer, Reveal):
        state = state.with_silo(answer.place, state.silo(answer.place).showing(answer.colour))
    return after.position == state.position


def _sealed_late(state: State, name: str, doc: dict[str, Any]) -> State:
    number = _one_of({player.name: player.number for player in state.players}, name, "player")
    before = state.battery(number)
    if before.is_declared or any(silo.left < 3 for silo in before.silos):
        raise InvalidSetup("player", "somebody whose battery is not declared and not shot at", name)
    sealed = {
        what: {name: doc[key]}
        for what, key in (("batteries", "battery"), ("executives", "executives"), ("salts", "salt"))
        if key in doc
    }
    colours = stockpile_of(state.options, len(state.players))
    battery = _battery(name, {"batteries": {}, "executives": {}, "salts": {}} | sealed, colours)
    if state.draft is not None and Counter(state.draft.taken[state.numbers.index(number)]) != known_missiles(battery):
        raise InvalidSetup("battery", "the pyramids that the player took from the pool", "others")
    for n, (old, new) in enumerate(zip(before.silos, battery.silos, strict=True), 1):
        if old.colour is not None and new.colour is not None and old.colour is not new.colour:
            raise InvalidSetup("battery", f"the missile that shows on silo {n}", "another one")
    silos = tuple(new if new.colour is not None else old for old, new in zip(before.silos, battery.silos, strict=True))
    return settled(_without_asking(state.with_battery(number, replace(battery, silos=silos)), number))


def _without_asking(state: State, number: int) -> State:
    """What has been declared now is not asked for any more."""
    owed = tuple(
        one
        for one in state.owed
        if not (getattr(one, "place", None) and one.place.number == number)  # type: ignore[union-attr]
    )
    return replace(state, owed=owed)
