"""Before the first photo and beside the board: who plays, how a game starts, what is declared."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from itertools import pairwise
from typing import Any

from engine.errors import InvalidNotation, InvalidSetup
from engine.games.martian_mids.notation import parse
from engine.games.martian_mids.reading import of_this_game, read
from engine.games.martian_mids.state import Options, Player, State, but, initiative, mid_on
from engine.table import Colour, Scene

FULL_ARMY_PIPS = 30


@dataclass(frozen=True)
class Setup:
    """What is agreed before the first photo: the players and, if it was declared, the first round's initiative."""

    players: tuple[Player, ...]
    initiative: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)

    @classmethod
    def from_json(cls, doc: dict[str, Any]) -> Setup:
        """The set-up that a game.json describes. Raises InvalidSetup, naming the field."""
        players = doc.get("players")
        if not isinstance(players, list) or not players:
            raise InvalidSetup("players", "a list of players", players)
        found = tuple(_player(n, player) for n, player in enumerate(players))
        for what in ("name", "stand"):
            values = [getattr(player, what) for player in found]
            if len(set(values)) < len(values):
                raise InvalidSetup("players", f"a different {what} for each player", [str(value) for value in values])
        return cls(found, names_in_order(doc.get("initiative", []), found), _options(doc.get("options", {})))


def _player(n: int, player: Any) -> Player:
    if not isinstance(player, dict) or not isinstance(player.get("name"), str) or not player["name"].strip():
        raise InvalidSetup(f"players[{n}].name", "a name", player)
    try:
        return Player(player["name"], Colour(player.get("stand")))
    except ValueError:
        raise InvalidSetup(f"players[{n}].stand", "the colour of the player's stands", player.get("stand")) from None


def _options(doc: Any) -> Options:
    """The switches, each on or off. Raises InvalidSetup."""
    known = [each.name for each in fields(Options)]
    fine = isinstance(doc, dict) and all(name in known and isinstance(value, bool) for name, value in doc.items())
    if not fine:
        raise InvalidSetup("options", f"true or false for some of {', '.join(known)}", doc)
    return Options(**doc)


def names_in_order(names: Any, players: tuple[Player, ...], what: str = "initiative") -> tuple[str, ...]:
    known = {player.name for player in players}
    if not isinstance(names, list) or not all(name in known for name in names) or len(set(names)) < len(names):
        raise InvalidSetup(what, f"names among {', '.join(sorted(known))}, each once", names)
    return tuple(names)


def start(setup: Setup, scene: Scene) -> State:
    """The first round, from the table as the first scene shows it."""
    position = read(of_this_game(setup.players, scene))
    state = State(setup.players, position, 1, (), options=setup.options)
    state = but(state, order=initiative(state))
    return declare(state, {"initiative": list(setup.initiative)}) if setup.initiative else state


def start_warnings(state: State) -> tuple[str, ...]:
    """How the board differs from one on which a game can begin, in sentences."""
    found = []
    for player in state.players:
        pips = sum(int(p.size) for square in state.mids_of(player.name) for p in mid_on(state, square).pyramids)
        if pips != FULL_ARMY_PIPS:
            found.append(f"{player.name}'s Mids add up to {pips} pips; a new game starts with {FULL_ARMY_PIPS}.")
    for square, mid in state.position.mids:
        if state.owner_of(mid) is None:
            found.append(f"The Mid on {square} stands on no player's stand, as far as can be seen.")
        if any(upper.size > lower.size for lower, upper in pairwise(mid.pyramids)):
            found.append(f"In the Mid on {square} a pyramid stands on a smaller one.")
    if state.position.missiles:
        places = ", ".join(sorted({str(square) for square, _ in state.position.missiles}))
        found.append(f"Missiles lie on {places}; a new game starts without any.")
    return tuple(found)


def declare(state: State, declaration: Any) -> State:
    """The state after something was said between two photos. Raises InvalidSetup.

    {"initiative": [names in order]} settles ties. {"action": "attack c5xb4"} is a move that the table may not show: it
    waits until it fits. {"stalemate": [names]}: these players agree that nobody can win any more (VI.2).
    {"card": "its text"} is a Mid Card: until the turn ends it may allow what the rules do not (VII).
    """
    match declaration:
        case {"initiative": names}:
            return _in_order(state, names_in_order(names, state.players))
        case {"action": str(text)}:
            return but(state, said=(*state.said, _said(text)))
        case {"card": str(text)} if text.strip():
            return but(state, card=text.strip())
        case {"stalemate": names}:
            agreed = names_in_order(names, state.players, "stalemate")
            return but(state, for_stalemate=tuple(dict.fromkeys((*state.for_stalemate, *agreed))))
    raise InvalidSetup(
        "declared", 'an object such as {"initiative": ["Ann", "Bob"]} or {"action": "attack c5xb4"}', declaration
    )


def _said(text: str) -> Any:
    try:
        return parse(text)
    except InvalidNotation as fault:
        raise InvalidSetup("action", "a move in notation", str(fault)) from None


def _in_order(state: State, names: tuple[str, ...]) -> State:
    """If the order contradicts the number of Mids, one of the two is wrong: then all share a group."""
    if _contradicts(names, state.order):
        return but(state, order=(tuple(name for group in state.order for name in group),))
    rank = {name: n for n, name in enumerate(names)}
    order: list[tuple[str, ...]] = []
    for group in state.order:
        order += [(name,) for name in sorted((n for n in group if n in rank), key=lambda n: rank[n])]
        undecided = tuple(name for name in group if name not in rank)
        order += [undecided] if undecided else []
    return but(state, order=tuple(order))


def _contradicts(names: tuple[str, ...], order: tuple[tuple[str, ...], ...]) -> bool:
    """Whether the names come in another order than the groups do."""
    place = {name: n for n, group in enumerate(order) for name in group}
    places = [place[name] for name in names if name in place]
    return places != sorted(places)


def declared_warnings(state: State, names: tuple[str, ...]) -> tuple[str, ...]:
    """A declared order that contradicts the number of Mids, in a sentence."""
    order = initiative(state)
    if not _contradicts(names, order):
        return ()
    flat = ", ".join(name for group in order for name in group)
    said = ", ".join(names)
    return (f"The declared initiative is {said}; by the Mids on the board it is {flat}. I take it as undecided.",)
