"""Before the first photo and beside the board: who plays, how a game starts, what is declared."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Any

from engine.errors import IllegalMove, InvalidNotation, InvalidSetup
from engine.games.martian_mids.judging import violations
from engine.games.martian_mids.notation import parse
from engine.games.martian_mids.playing import play
from engine.games.martian_mids.preparing import ARMY_PIPS
from engine.games.martian_mids.preparing_judging import is_stack
from engine.games.martian_mids.preparing_notation import PlayCard, Roll
from engine.games.martian_mids.reading import of_this_game, read
from engine.games.martian_mids.rules import RULES
from engine.games.martian_mids.state import Options, Player, State, but, initiative, mid_on
from engine.gaps import gaps_of
from engine.table import Colour, Scene


@dataclass(frozen=True)
class Setup:
    """What is agreed before the first photo: the players and, if it was declared, the first round's initiative."""

    players: tuple[Player, ...]
    initiative: tuple[str, ...] = ()
    options: Options = field(default_factory=Options)
    hands: tuple[tuple[str, tuple[str, ...]], ...] = ()

    @classmethod
    def from_json(cls, doc: dict[str, Any]) -> Setup:
        """The set-up that a game.json describes. Raises InvalidSetup, naming the field."""
        players = doc.get("players")
        if not isinstance(players, list):
            raise InvalidSetup("players", "a list of two to four players", players)
        found = tuple(_player(n, player) for n, player in enumerate(players))
        if not 2 <= len(found) <= 4:
            raise InvalidSetup("players", "two to four players", len(found))
        for what in ("name", "stand"):
            values = [getattr(player, what) for player in found]
            if len(set(values)) < len(values):
                raise InvalidSetup("players", f"a different {what} for each player", [str(value) for value in values])
        order = names_in_order(doc.get("initiative", []), found)
        options = _options(doc)
        return cls(found, order, options, _hands(doc.get("hands", {}), found, options))


def _player(n: int, player: Any) -> Player:
    if not isinstance(player, dict) or not isinstance(player.get("name"), str) or not player["name"].strip():
        raise InvalidSetup(f"players[{n}].name", "a name", player)
    try:
        return Player(player["name"], Colour(player.get("stand")))
    except ValueError:
        raise InvalidSetup(f"players[{n}].stand", "the colour of the player's stands", player.get("stand")) from None


def _options(game: dict[str, Any]) -> Options:
    """The switches of `options`, each on or off, the number of cards, and `gaps`. Raises InvalidSetup."""
    doc = game.get("options", {})
    kinds = {each.name: type(each.default) for each in fields(Options)}
    fine = isinstance(doc, dict) and all(type(value) is kinds.get(name) for name, value in doc.items())
    if not fine or doc.get("cards_each", 1) < 0:
        words = ", ".join(f"{name}: {'true or false' if kind is bool else 'a number'}" for name, kind in kinds.items())
        raise InvalidSetup("options", f"some of {words}", doc)
    return Options(**({"gaps": gaps_of(game)} | doc))


def _hands(doc: Any, players: tuple[Player, ...], options: Options) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Mid Cards that players hold, in secret: as many for each as was agreed. Raises InvalidSetup, telling no card."""
    if doc == {}:
        return ()
    names = {player.name for player in players}
    if not isinstance(doc, dict) or set(doc) != names:
        raise InvalidSetup("hands", "an object from each player's name to a list of cards", "something else")
    for name, cards in doc.items():
        fine = isinstance(cards, list) and all(isinstance(card, str) and card.strip() for card in cards)
        if not fine or len(cards) != options.cards_each:
            raise InvalidSetup(f"hands.{name}", f"a list of {options.cards_each} cards", "another one")
        if len(set(cards)) < len(cards) and not options.cards_may_be_alike:
            raise InvalidSetup(f"hands.{name}", "no card twice", "two alike")
    return tuple((player.name, tuple(doc[player.name])) for player in players)


def names_in_order(names: Any, players: tuple[Player, ...], what: str = "initiative") -> tuple[str, ...]:
    known = {player.name for player in players}
    fine = isinstance(names, list) and all(isinstance(name, str) and name in known for name in names)
    if not fine or len(set(names)) < len(names):
        raise InvalidSetup(what, f"names among {', '.join(sorted(known))}, each once", names)
    return tuple(names)


def start(setup: Setup, scene: Scene) -> State:
    """The first round, from the table as the first scene shows it."""
    position = read(of_this_game(setup.players, scene))
    state = State(setup.players, position, 1, (), options=setup.options, hands=setup.hands)
    state = but(state, order=initiative(state))
    return declare(state, {"initiative": list(setup.initiative)}) if setup.initiative else state


def start_warnings(state: State) -> tuple[str, ...]:
    """How the board differs from one on which a game can begin, in sentences."""
    found = []
    for player in state.players:
        pips = sum(mid_on(state, square).pips for square in state.mids_of(player.name))
        if pips != ARMY_PIPS:
            found.append(f"{player.name}'s Mids add up to {pips} pips; a new game starts with {ARMY_PIPS}.")
    for square, mid in state.position.mids:
        if state.owner_of(mid) is None:
            found.append(f"The Mid on {square} stands on no player's stand, as far as can be seen.")
        if not is_stack(mid.pyramids):
            found.append(f"In the Mid on {square} a pyramid stands on a smaller one.")
    if state.position.missiles:
        places = ", ".join(sorted({str(square) for square, _ in state.position.missiles}))
        found.append(f"Missiles lie on {places}; a new game starts without any.")
    return tuple(found)


def declare(state: State, declaration: Any) -> State:
    """The state after something was said between two photos. Raises InvalidSetup.

    {"initiative": [names in order]} settles ties. {"action": "attack c5xb4"} is a move that the table may not show: it
    waits until it fits. {"stalemate": [names]}: these players agree that nobody can win any more (VI.2).
    {"card": "its text", "player": name, "lifts": [rule ids]} is a Mid Card: until the turn ends it may allow what the
    rules do not, or only what it lifts (VII). {"roll": [4, 2], "for": [names]} are dice of players who tie.
    Raises IllegalMove for a card or a die that is against the rules.
    """
    match declaration:
        case {"initiative": names}:
            return _in_order(state, names_in_order(names, state.players))
        case {"action": str(text)}:
            return but(state, said=(*state.said, _said(text)))
        case {"card": str(text)} if text.strip():
            return _with_card(state, text.strip(), declaration)
        case {"roll": [*pips], "for": names}:
            return _rolled(state, pips, names_in_order(names, state.players, "for"))
        case {"stalemate": names}:
            agreed = names_in_order(names, state.players, "stalemate")
            return but(state, for_stalemate=tuple(dict.fromkeys((*state.for_stalemate, *agreed))))
    raise InvalidSetup(
        "declared", 'an object such as {"initiative": ["Ann", "Bob"]} or {"action": "attack c5xb4"}', declaration
    )


def _with_card(state: State, text: str, declaration: dict[str, Any]) -> State:
    """Where it is not said who played the card, it is taken for that of who is to act, or else acted last."""
    names = [player.name for player in state.players]
    player, lifts = declaration.get("player"), declaration.get("lifts", [])
    if player is not None and player not in names:
        raise InvalidSetup("player", f"one of {', '.join(names)}", player)
    known = {rule.id for rule in RULES}
    if not isinstance(lifts, list) or not all(isinstance(rule, str) and rule in known for rule in lifts):
        raise InvalidSetup("lifts", "a list of rules such as 'move-distance'", lifts)
    card = PlayCard(player or (*state.awaited, *reversed(state.acted), names[0])[0], text, tuple(lifts))
    return _if_allowed(state, card) if player is not None else play(state, card)


def _rolled(state: State, pips: list[Any], names: tuple[str, ...]) -> State:
    if len(pips) != len(names) or not all(type(die) is int for die in pips):
        raise InvalidSetup("roll", "a die for each name", pips)
    for name, die in zip(names, pips, strict=True):
        state = _if_allowed(state, Roll(name, die))
    return state


def _if_allowed(state: State, move: Any) -> State:
    broken = violations(state, move)
    if broken:
        raise IllegalMove(broken)
    after: State = play(state, move)
    return after


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
