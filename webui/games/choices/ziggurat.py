"""Ziggurat: cards, change and attrition, as buttons.

An attack names its tower first and its card next; so does a remodelling with the umpire's deck. Cards of that deck are
offered on their player's own device only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any, cast

from engine.game import Game
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
    State,
    Suffer,
    Tell,
    candidates,
    colour_of,
    completions,
    in_words,
    is_announced,
)
from engine.games.ziggurat.playing import known_hand
from engine.games.ziggurat.state import Defending
from webui.games.choices import MOST, ahead, legal, of_action, sentence
from webui.games.tabletop import Choice

_GAME = cast(Game, ziggurat)
_RULES: dict[type, str] = {
    **{Attack: "target-by-suit", Defend: "defence-cards", Allow: "defence-owed", Change: "change-from-scrapyard"},
    **{Draw: "five-cards", Remodel: "remodel-three", Suffer: "attrition-own"},
    **{Tell: "card-in-hand"},
}


def choices(state: State, player: str | None) -> tuple[Choice, ...]:
    """See `webui.games.tabletop.Tabletop`."""
    announced, now = as_said(state)
    is_shuffled = state.deck is not None and now.deck is not None and now.deck.shuffles > state.deck.shuffles
    if now.is_over or is_shuffled:  # the table has to show what was said before cards are known
        return ()
    asked = _awaited(now, announced, player)
    told = _told(now, player)
    return (*told, *asked) if len(told) + len(asked) <= MOST else asked


def as_said(state: State) -> tuple[Attack | Remodel | None, State]:
    """What is only announced so far, and the state when the table shows all that was said before it."""
    announced = state.said[-1] if state.said and is_announced(state.said[-1]) else None
    return announced, ahead(_GAME, replace(state, said=state.said[:-1]) if announced else state)


def _awaited(state: State, announced: Any, player: str | None) -> tuple[Choice, ...]:
    """What the player who is awaited may say."""
    (number,) = state.awaited
    if player not in (None, state.name_of(number)):
        return ()
    are_known = _are_known(state, number, player)
    asked = [move for move in _asked(state, are_known) if move != announced and (are_known or not _shows_cards(move))]
    told = list(legal(_GAME, state, completions(state, announced))) if announced and are_known else []
    return tuple(_choice(state, number, move) for move in _few(told, asked))


def _told(state: State, player: str | None) -> tuple[Choice, ...]:
    """With what an action was made that was seen and not announced, for the one who made it."""
    moves = (move for move in candidates(state) if isinstance(move, Tell)) if state.untold else ()
    return tuple(
        _choice(state, move.number, move)
        for move in legal(_GAME, state, moves)
        if player in (None, state.name_of(move.number)) and _are_known(state, move.number, player)
    )


def _are_known(state: State, number: int, player: str | None) -> bool:
    """Whether this screen may offer the player's cards: those of the umpire's deck on the player's own only."""
    return state.deck is None or (player is not None and known_hand(state, number) is not None)


def _asked(state: State, are_known: bool) -> Iterator[Any]:
    """Attacks and remodellings are announced first; sums of cards of the group's own are told as such."""
    moves = tuple(legal(_GAME, state, candidates(state)))
    attacks = {Attack(move.number, None, move.target) for move in moves if isinstance(move, Attack)}
    remodels = dict.fromkeys(replace(move, cards=()) for move in moves if isinstance(move, Remodel))
    can_pay = state.deck is None or not are_known or any(isinstance(move, Remodel) for move in moves)
    yield from sorted(attacks, key=lambda attack: (attack.target.number, attack.target.tower))
    yield from (move for move in moves if isinstance(move, Draw))
    if state.deck is None:
        yield from (Draw(move.number, exhausts=True) for move in moves if isinstance(move, Draw))
        yield from (move for move in moves if isinstance(move, Remodel))
    elif can_pay:
        yield from remodels
    yield from (move for move in moves if isinstance(move, Allow | Change | Suffer))
    yield from _defences(state, [move for move in moves if isinstance(move, Defend)])


def _defences(state: State, moves: list[Defend]) -> Iterator[Defend]:
    if state.deck is not None or not state.owed or not isinstance(state.owed[0], Defending):
        yield from moves
        return
    yield from (move for move in moves if len(move.cards) == 1)
    number = state.owed[0].attack.target.number
    sums = (Defend(number, (None, None), using) for using in (None, *state.green_of(number)))
    yield from legal(_GAME, state, sums)


def _shows_cards(move: Any) -> bool:
    """Whether the button would tell a card of a hand, or whether there is one to play."""
    return isinstance(move, Defend) or (isinstance(move, Attack | Remodel) and not is_announced(move))


def _few(told: list[Any], asked: list[Any]) -> list[Any]:
    """What was announced with its cards, then what may be done instead, if there is room: the Excuse beside an attack
    gives way first."""
    if len(told) > MOST:
        told = [move for move in told if not (isinstance(move, Attack) and move.with_excuse)]
    return [*told, *asked] if len(told) + len(asked) <= MOST else (told or asked)[:MOST]


def _choice(state: State, number: int, move: Any) -> Choice:
    family = state.options.colours
    words, heading = _words(state, number, move)
    return of_action(
        sentence(in_words(family, words)),
        move,
        player=state.name_of(number),
        rule=_RULES[type(move)],
        group=in_words(family, heading),
    )


def _words(state: State, number: int, move: Any) -> tuple[str, str]:
    """The button and the heading over it."""
    name = state.name_of(number)
    match move:
        case Attack(card=None):
            return _tower(state, move.target), f"{name} attacks"
        case Attack(card=Card() as card):
            pips = "one pip" if card.strength == 1 else f"{card.strength} pips"
            excuse = ", with the Excuse" if move.with_excuse else ""
            heading = f"{name} attacks {_tower(state, move.target)} with"
            return f"the {card.words} ({pips}){_using(move.using)}{excuse}", heading
        case Defend():
            return f"{_defence_words(state, move)}{_using(move.using)}", f"{name} is attacked: {_against(state)}"
        case Allow():
            return "no defence", f"{name} is attacked: {_against(state)}"
        case Change():
            return str(move.pyramid or "no piece"), f"{name}: change on {_tower(state, move.place)}"
        case Draw():
            return "draw, and the pile runs out" if move.exhausts else "draw cards", f"{name} draws"
        case Tell():
            return _listed(move.cards), f"{name}: which {'card was it' if len(move.cards) == 1 else 'cards were they'}?"
        case Remodel(cards=cards) if all(cards) and cards:
            return _listed(tuple(card for card in cards if card)), f"{name} pays for tower {move.place.tower} with"
        case Remodel():
            return f"tower {move.place.tower} gets a {move.pyramid}", f"{name} remodels for three cards"
    return _tower(state, move.place), f"{name}: attrition takes a pip from"


def _listed(cards: tuple[Card, ...]) -> str:
    *before, last = (f"the {card.words}" for card in cards)
    return f"{', '.join(before)} and {last}" if before else last


def _defence_words(state: State, defence: Defend) -> str:
    told = [f"the {card.words}" for card in defence.cards if card is not None]
    if told:
        return " and ".join(told)
    attack = state.owed[0].attack if isinstance(state.owed[0], Defending) else None
    return f"cards that add up to {attack.card.value}" if attack and attack.card else "several cards"


def _against(state: State) -> str:
    owed = state.owed[0]
    if not isinstance(owed, Defending):
        return ""
    card = f"the {owed.attack.card.words}" if owed.attack.card else "a card"
    return f"{card} against tower {owed.attack.target.tower}"


def _using(using: Place | None) -> str:
    return f", tower {using.tower} standing in" if using else ""


def _tower(state: State, place: Place) -> str:
    return f"{state.name_of(place.number)}'s tower {place.tower} ({colour_of(state.position.at(place)) or 'empty'})"
