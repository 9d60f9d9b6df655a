"""Ziggurat Demolition Throwdown on the page: its words, its turns and its towers. Only what everybody may see gets
here."""

from __future__ import annotations

import re
import secrets
from typing import Any, cast

from markupsafe import Markup

from engine.game import Game, Touch
from engine.games import ziggurat
from engine.games.ziggurat import (
    Allow,
    Attack,
    Card,
    Change,
    Defend,
    Draw,
    Place,
    Remodel,
    Setup,
    State,
    Suffer,
    Tell,
    colour_of,
    in_words,
    outcome,
    pips_of,
)
from engine.match import Match
from engine.table import Colour, Scene
from webui.games.choices import take
from webui.games.choices.ziggurat import as_said
from webui.games.choices.ziggurat import choices as choices
from webui.games.mats.ziggurat import mat as mat
from webui.games.naming import with_places
from webui.games.switches import ZIGGURAT
from webui.games.tabletop import Standing, Start, ToLay, Turn
from webui.hands import hand_html
from webui.towers import Row, as_played_with, changed_towers, towers_svg

NAME, TITLE = "ziggurat", "Ziggurat Demolition Throwdown"
LAYOUTS = tuple(f"towers-{players}p" for players in range(2, 6))
GAME = cast(Game, ziggurat)  # a module is a Game; mypy finds its constants too narrow
SWITCHES = ZIGGURAT


def setup(doc: dict[str, Any]) -> Setup:
    return Setup.from_json(doc)


def start(setup: Setup, scene: Scene, layout: str) -> Start:
    return Start(ziggurat.start(setup, scene), ziggurat.start_warnings(setup, scene))


def declare(match: Match, declaration: Any) -> None:
    take(GAME, match, declaration)


def deal(doc: dict[str, Any]) -> dict[str, Any]:
    """The seed of a deck that the umpire is to hold: {"deck": true} asks for one."""
    deck = doc.get("deck")
    if isinstance(deck, dict) and "seed" in deck:
        return doc
    return {key: value for key, value in doc.items() if key != "deck"} | (
        {"deck": {"seed": secrets.token_hex(16)}} if deck is not None and deck is not False else {}
    )


def private(state: State, player: str) -> Markup | None:
    return hand_html(state, player)


# Words.


def next_poses(state: State) -> tuple[ToLay, ...]:
    return ()  # nobody has to lay a piece just so


def move_words(move: Any, state: State | None) -> str:
    words = _move_words(move, state)
    return words if state is None else in_words(state.options.colours, words)


def _move_words(move: Any, state: State | None) -> str:
    match move:
        case Touch():
            return _touch_words(move, state)
        case Attack():
            return _attack_words(move, state)
        case Defend():
            using = f", {_own(move.using)} standing in" if move.using else ""
            return f"{_name(move.number, state)} defends with {_cards_words(move.cards)}{using}"
        case Allow():
            return f"{_name(move.number, state)} does not defend"
        case Change():
            what = f"a {move.pyramid} is put on" if move.pyramid else "nothing is put on"
            return f"{what} {_tower(move.place, state)}"
        case Draw():
            return f"{_name(move.number, state)} draws cards{', and the pile runs out' if move.exhausts else ''}"
        case Remodel():
            new = f"into a {move.pyramid}" if move.pyramid else "into another piece"
            cards = _cards_words(move.cards)
            return f"{_name(move.place.number, state)} remodels the top of {_own(move.place)} {new} for {cards}"
        case Tell():
            return f"{_name(move.number, state)} used {_cards_words(move.cards)}"
        case Suffer():
            return f"attrition takes a pip from {_tower(move.place, state)}"
    return str(move)


def _touch_words(touch: Touch, state: State | None) -> str:
    if touch.place.startswith("scrapyard/"):
        kind = touch.place.removeprefix("scrapyard/").replace("-", " ")
        return f"in the scrapyard, {touch.before} {kind} became {touch.after}"
    place = re.fullmatch("([1-9])/([1-4])", touch.place)
    where = _tower(Place(int(place[1]), int(place[2])), state) if place else touch.place
    return f"on {where}, {touch.before} became {touch.after}"


def _attack_words(attack: Attack, state: State | None) -> str:
    pips = "one pip" if attack.strength == 1 else f"{attack.strength} pips"
    card = f"the {attack.card.words} ({pips})" if attack.card else f"a card of {pips}"
    using = f", {_own(attack.using)} standing in" if attack.using else ""
    excuse = ", with the Excuse" if attack.with_excuse else ""
    return f"{_name(attack.number, state)} attacks {_tower(attack.target, state)} with {card}{using}{excuse}"


def _cards_words(cards: tuple[Card | None, ...]) -> str:
    known = [f"the {card.words}" for card in cards if card is not None]
    unknown = len(cards) - len(known)
    more = {0: [], 1: ["a card"]}.get(unknown, [f"{unknown} cards"])
    *before, last = [*known, *more] or ["no card"]
    return f"{', '.join(before)} and {last}" if before else last


def _name(number: int, state: State | None) -> str:
    return state.name_of(number) if state is not None else f"player {number}"


def _tower(place: Place, state: State | None) -> str:
    return f"{_name(place.number, state)}'s tower {place.tower}"


def _own(place: Place) -> str:
    return f"tower {place.tower}"


def spoken(text: str, state: State) -> str:
    return with_places(text, "towers?", "[1-9]/[1-4]", lambda place: _tower(Place(*map(int, place.split("/"))), state))


# The turn.


def turn(state: State) -> Turn:
    columns = ("Towers", "Pips", "Points", "Cards") if state.deck is not None else ("Towers", "Pips", "Points")
    announced, now = as_said(state)
    is_done = bool(state.said) and not announced and not now.owed  # all is said, and the table is to show it
    awaited = () if is_done else now.awaited
    standings = tuple(_standing(state, number, number in awaited) for number in state.numbers)
    detail = "; ".join(move_words(move, state) for move in state.said) if is_done else _detail(state)
    return Turn("To be seen on the table" if is_done else _headline(now), detail, None, "Wizards", columns, standings)


def _headline(state: State) -> str:
    over = outcome(state)
    if over is not None:
        return f"{' and '.join(over.winners)} won"
    name = state.name_of(state.awaited[0])
    return f"{name} to choose" if state.owed else f"{name} to act"


def _detail(state: State) -> str:
    if state.is_over:
        out = " and ".join(map(state.name_of, state.first_out))
        return f"First out of towers: {out}" if out else "The battle is over"
    if state.deck is None:
        return "Attack, draw cards, or remodel"
    return f"{len(state.deck.pile)} cards to draw"


def _standing(state: State, number: int, is_awaited: bool) -> Standing:
    towers = [state.position.at(place) for place in state.towers_of(number)]
    if not towers:
        return Standing(state.name_of(number), None, ("out", "", str(state.score(number))))
    figures = (str(len(towers)), str(sum(map(pips_of, towers))), str(state.score(number)))
    cards = (str(len(state.deck.hand(number))),) if state.deck is not None else ()
    return Standing(state.name_of(number), None, (*figures, *cards), is_awaited)


# The table.


def drawing(state: State | None, before: State | None, manner: str, players: tuple[str, ...] = ()) -> Markup:
    if state is None:
        return towers_svg(tuple(map(Row, players)), (), frozenset(), manner)
    rows = _rows(state)
    marked = frozenset() if before is None else changed_towers(_rows(before), rows)
    return towers_svg(rows, as_played_with(state.options.colours, state.position.scrapyard), marked, manner)


def _rows(state: State) -> tuple[Row, ...]:
    return tuple(
        Row(
            state.name_of(number),
            tuple(as_played_with(state.options.colours, tower) for tower in state.position.towers[number - 1]),
            _remark(state, number),
            state.players[number - 1].sheet,
        )
        for number in state.numbers
    )


def _remark(state: State, number: int) -> str:
    if number not in state.in_game:
        return "out"
    colours = {colour_of(state.position.at(place)) for place in state.towers_of(number)}
    return "can defend" if colours & {Colour.BLACK, Colour.GREEN} else "cannot defend"
