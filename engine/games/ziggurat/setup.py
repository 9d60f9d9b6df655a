"""Before the first photo and beside the table: who plays, how a game starts, what is declared."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from typing import Any

from engine.errors import InvalidNotation, InvalidSetup
from engine.games.ziggurat.cards import Card
from engine.games.ziggurat.dealing import SEED_LENGTH, dealt
from engine.games.ziggurat.notation import Allow, Attack, Defend, Draw, Place, Remodel, Suffer, is_announced, parse
from engine.games.ziggurat.reading import at_start, of_this_game, read
from engine.games.ziggurat.state import Options, Player, Position, State, begun, next_number
from engine.games.ziggurat.towers import (
    COLOURS,
    EQUIVALENTS,
    REACHABLE,
    TOWERS,
    in_words,
    sizes_of,
    starting_towers,
    stash,
    tower_words,
)
from engine.gaps import gaps_of
from engine.table import Pyramid, Scene

FEWEST, MOST = 2, 5


@dataclass(frozen=True)
class Setup:
    """What is agreed before the first photo. `seed` is that of a deck which the umpire holds, if it does."""

    players: tuple[Player, ...]
    first: str
    options: Options = field(default_factory=Options)
    seed: str | None = None

    @classmethod
    def from_json(cls, doc: dict[str, Any]) -> Setup:
        """The set-up that a game.json describes. Raises InvalidSetup, naming the field."""
        players = doc.get("players")
        if not isinstance(players, list) or not FEWEST <= len(players) <= MOST:
            raise InvalidSetup("players", f"a list of {FEWEST} to {MOST} players", players)
        found = tuple(_player(n, player) for n, player in enumerate(players, 1))
        for what in ("name", "sheet"):
            values = [getattr(player, what) for player in found]
            if len(set(values)) < len(values):
                raise InvalidSetup("players", f"a different {what} for each player", values)
        first = doc.get("first", found[0].name)
        if first not in [player.name for player in found]:
            raise InvalidSetup("first", f"one of {', '.join(player.name for player in found)}", first)
        return cls(found, first, _options(doc), _seed(doc.get("deck")))


def _player(number: int, doc: Any) -> Player:
    if not isinstance(doc, dict) or not isinstance(doc.get("name"), str) or not doc["name"].strip():
        raise InvalidSetup(f"players[{number - 1}].name", "a name", doc)
    sheet = doc.get("sheet", f"towers-{number}")
    if sheet not in [f"towers-{n}" for n in range(1, MOST + 1)]:
        raise InvalidSetup(f"players[{number - 1}].sheet", f"towers-1 to towers-{MOST}", sheet)
    return Player(doc["name"], sheet)


def _options(game: dict[str, Any]) -> Options:
    """The switches of `options`, and `gaps`. Raises InvalidSetup."""
    doc, gaps = game.get("options", {}), gaps_of(game)
    kinds = {each.name: type(each.default) for each in fields(Options)}
    fine = isinstance(doc, dict) and all(type(value) is kinds.get(name) for name, value in doc.items())
    if not fine or doc.get("colours", "rainbow") not in EQUIVALENTS:
        families = " or ".join(EQUIVALENTS)
        words = ", ".join(f"{name}: {'true or false' if kind is bool else families}" for name, kind in kinds.items())
        raise InvalidSetup("options", f"some of {words}", doc)
    return Options(**({"gaps": gaps} | doc))


def _seed(doc: Any) -> str | None:
    """The seed of {"deck": {"seed": "..."}}; never told in an error, since it is a secret."""
    if doc is None:
        return None
    seed = doc.get("seed") if isinstance(doc, dict) else None
    if not isinstance(seed, str) or len(seed) < SEED_LENGTH:
        raise InvalidSetup("deck", f'{{"seed": a text of {SEED_LENGTH} characters or more}}', "something else")
    return seed


# The start.


def new_game(setup: Setup) -> State:
    """The state with every player's four towers set up, and the cards dealt if the umpire holds the deck."""
    return _with_cards(setup, Position.of((starting_towers(),) * len(setup.players)))


def start(setup: Setup, scene: Scene) -> State:
    """The state before the first turn, from the table as the first scene shows it. Raises InvalidSetup."""
    position = at_start(setup.players, setup.options, scene)
    if sum(any(mine) for mine in position.towers) < FEWEST:
        raise InvalidSetup("towers", "towers of at least two players in the first photo", "fewer")
    return _with_cards(setup, position)


def _with_cards(setup: Setup, position: Position) -> State:
    number = next(n for n, player in enumerate(setup.players, 1) if player.name == setup.first)
    state = begun(setup.players, position, number, setup.options)
    state = state if number in state.in_game else replace(state, turn=next_number(state, number))
    if setup.seed is None:
        return state
    return replace(state, deck=dealt(setup.options.cards, len(setup.players), setup.seed))


def start_warnings(setup: Setup, scene: Scene) -> tuple[str, ...]:
    """How the table differs from one on which a game begins, in sentences."""
    position = start(setup, scene).position
    found = []
    for place in position.places:
        tower, name = position.at(place), setup.players[place.number - 1].name
        if tower not in starting_towers():
            found.append(f"{name}'s tower {place.tower} is {tower_words(tower)}; a new game starts with whole towers.")
        if sizes_of(tower) not in REACHABLE:
            found.append(f"{name}'s tower {place.tower} is none that can come about in this game.")
    for number, player in enumerate(setup.players, 1):
        mine = position.towers[number - 1]
        if all(tower in starting_towers() for tower in mine) and len(set(mine)) < TOWERS:
            found.append(f"{player.name} has two towers of one colour; each of the four has another.")
    found += _scrapyard_warnings(setup, scene, position)
    return tuple(in_words(setup.options.colours, words) for words in found)


def _scrapyard_warnings(setup: Setup, scene: Scene, position: Position) -> list[str]:
    lying = len(read(of_this_game(setup.players, setup.options, scene)).scrapyard)
    should = len(position.scrapyard)
    standing = sum(len(tower) for mine in position.towers for tower in mine)
    found = []
    if should + standing > sum(stash(len(setup.players)).values()):
        found.append("There are more pyramids of a kind in the towers than the game has.")
    if lying != should:
        found.append(f"I see {lying} pyramids in the scrapyard; {should} should lie there.")
    return found


# What is declared.


def declare(state: State, declaration: Any) -> State:
    """The state after something was said between two photos. It waits until a table shows it. Raises InvalidSetup.

    {"action": "attack", "card": {"rank": "7", "suits": ["Moons", "Leaves"]}, "target": {"player": "Bob", "tower": 1},
    "using": {"tower": 2}, "excuse": true, "defence": [cards]}: an empty defence is none; {"cards": [...], "using":
    {"tower": 3}} says which green tower stood in. {"action": "draw", "exhausted": true}. {"action": "remodel", "tower":
    2, "discarded": [three cards], "piece": "small red"}. {"action": "attrition", "tower": 1}. Each may name its
    "player"; else it is the one whose turn it is. {"action": "attack 1 7ML 2/3"} is notation. Towers count from 1.
    What was only announced ("attack 1 ? 2/3") gives way to what is said next: the same with its card, or another.
    """
    action = declaration.get("action") if isinstance(declaration, dict) else None
    if not isinstance(action, str):
        raise InvalidSetup("declared", 'an object such as {"action": "draw"}', declaration)
    if state.said and is_announced(state.said[-1]):
        state = replace(state, said=state.said[:-1])
    try:
        moves = _declared(state, action, declaration)
    except InvalidNotation as fault:
        raise InvalidSetup("declared", "cards and moves in notation", str(fault)) from None
    return replace(state, said=(*state.said, *moves))


def _declared(state: State, action: str, doc: dict[str, Any]) -> tuple[Any, ...]:
    match action:
        case "attack":
            return _attack(state, _actor(state, doc), doc)
        case "draw":
            return (Draw(_actor(state, doc), doc.get("exhausted") is True),)
        case "remodel":
            number = _actor(state, doc)
            place, new = _place(number, doc.get("tower"), "tower"), _piece(doc.get("piece"))
            return (Remodel(place, new, _cards(doc.get("discarded"), "discarded")),)
        case "attrition":
            return (Suffer(_place(_actor(state, doc), doc.get("tower"), "tower")),)
    return (parse(action),)


def _attack(state: State, number: int, doc: dict[str, Any]) -> tuple[Any, ...]:
    target = doc.get("target")
    if not isinstance(target, dict):
        raise InvalidSetup("target", 'an object such as {"player": "Bob", "tower": 1}', target)
    place = _place(_number(state, target.get("player"), "target.player"), target.get("tower"), "target.tower")
    attack = Attack(
        number, Card.from_json(doc.get("card")), place, _using(number, doc), with_excuse=doc.get("excuse") is True
    )
    if "defence" not in doc:
        return (attack,)
    said = doc["defence"] if isinstance(doc["defence"], dict) else {"cards": doc["defence"]}
    cards = _cards(said.get("cards"), "defence")
    if not cards:
        return (attack, Allow(place.number))
    return (attack, Defend(place.number, cards, _using(place.number, said)))


def _actor(state: State, doc: dict[str, Any]) -> int:
    """Who is named, else whose turn it is when all that was said before is done."""
    if "player" in doc:
        return _number(state, doc["player"], "player")
    acted = [move for move in state.said if isinstance(move, Attack | Draw | Remodel)]
    if not acted:
        return state.turn
    last = acted[-1]
    return next_number(state, last.place.number if isinstance(last, Remodel) else last.number)


def _number(state: State, name: Any, what: str) -> int:
    names = [player.name for player in state.players]
    if name not in names:
        raise InvalidSetup(what, f"one of {', '.join(names)}", name)
    return names.index(name) + 1


def _place(number: int, tower: Any, what: str) -> Place:
    if not isinstance(tower, int) or isinstance(tower, bool) or not 1 <= tower <= TOWERS:
        raise InvalidSetup(what, f"a number from 1 to {TOWERS}", tower)
    return Place(number, tower)


def _using(number: int, doc: dict[str, Any]) -> Place | None:
    using = doc.get("using")
    if using is None:
        return None
    return _place(number, using.get("tower") if isinstance(using, dict) else using, "using.tower")


def _cards(doc: Any, what: str) -> tuple[Card, ...]:
    if not isinstance(doc, list):
        raise InvalidSetup(what, "a list of cards", doc)
    return tuple(map(Card.from_json, doc))


def _piece(doc: Any) -> Pyramid | None:
    """The new top as 'small red', in the colours of the rules."""
    if doc is None:
        return None
    try:
        found = Pyramid.parse(doc)
    except (ValueError, AttributeError):
        raise InvalidSetup("piece", "a size and a colour such as 'small red'", doc) from None
    if found.colour not in COLOURS:
        raise InvalidSetup("piece", f"one of {', '.join(map(str, COLOURS))}", str(found.colour))
    return found
