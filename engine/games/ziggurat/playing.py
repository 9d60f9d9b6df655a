"""The clerk: does moves and judges nothing.

What can be done without asking anybody is done at once: `settled` goes on until somebody has to choose, and ends the
turn when nothing is owed any more.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.games.ziggurat.cards import THE_EXCUSE, Card
from engine.games.ziggurat.dealing import HAND, reshuffled
from engine.games.ziggurat.notation import (
    Allow,
    Attack,
    Cards,
    Change,
    Defend,
    Draw,
    Place,
    Remodel,
    Suffer,
    Tell,
    completes,
)
from engine.games.ziggurat.state import (
    Changing,
    Defending,
    Drawing,
    State,
    Struck,
    Suffering,
    Untold,
    next_number,
)
from engine.games.ziggurat.towers import TOWERS, colour_of, damaged
from engine.rules import Line


def taken_back(state: State, line: Line) -> State:
    """The state without the first action that was said, and its answers, if the line that was undone has it."""
    if not state.said or not any(is_as_said(state.said[0], move) for move in line):
        return state
    later = [n for n, move in enumerate(state.said) if n and isinstance(move, Attack | Draw | Remodel)]
    return replace(state, said=state.said[later[0] :] if later else ())


def is_as_said(said: Any, move: Any) -> bool:
    """Whether the move is what was said, with what the table had to show."""
    if isinstance(said, Remodel) and isinstance(move, Remodel) and said.pyramid is None and said.cards:
        return replace(move, pyramid=None) == said
    return bool(said == move) or completes(said, move)


def play(state: State, move: Any) -> State:
    """The state after the move. What makes no sense changes nothing."""
    state = replace(state, said=_without(state.said, move), unfinished=None)
    match move:
        case Attack() if is_place(state, move.target) and move.number in state.numbers:
            return settled(_attacked(state, move))
        case Defend() if state.owed and isinstance(state.owed[0], Defending):
            return settled(_defended(state, move))
        case Allow() if state.owed and isinstance(state.owed[0], Defending):
            return settled(_struck(replace(state, owed=state.owed[1:]), state.owed[0].attack))
        case Change() if state.owed and isinstance(state.owed[0], Changing):
            return settled(_changed(state, move))
        case Draw() if move.number in state.numbers:
            return settled(_drawn(replace(state, turn=move.number, struck=None), move))
        case Remodel() if is_place(state, move.place):
            return settled(_remodelled(state, move))
        case Tell():
            return _told(state, move)
        case Suffer() if state.owed and isinstance(state.owed[0], Suffering) and is_place(state, move.place):
            return settled(_suffered(state, move))
    return state


def is_place(state: State, place: Place) -> bool:
    return place.number in state.numbers and 1 <= place.tower <= TOWERS


def _without(said: tuple[Any, ...], move: Any) -> tuple[Any, ...]:
    """What was said and is done now is no longer due."""
    place = said.index(move) if move in said else len(said)
    return (*said[:place], *said[place + 1 :])


def discarded(state: State, number: int, cards: Cards) -> State:
    """Cards of a player go to the discard pile; those that were not told only count."""
    told = tuple(card for card in cards if card is not None)
    played = counted_more(state, number, len(cards))
    deck = state.deck
    if deck is not None:
        hand = list(deck.hand(number))
        for card in told:
            if card in hand or None in hand:
                hand.remove(card if card in hand else None)
        deck = deck.with_hand(number, tuple(hand))
    return replace(state, discards=(*state.discards, *told), played=played, deck=deck)


def counted_more(state: State, number: int, more: int) -> tuple[int, ...]:
    """The cards that each has played, with so many more of one player."""
    return (*state.played[: number - 1], state.played[number - 1] + more, *state.played[number:])


def _attacked(state: State, attack: Attack) -> State:
    colour = colour_of(state.position.at(attack.target))
    cards: Cards = (attack.card, THE_EXCUSE) if attack.with_excuse else (attack.card,)
    state = discarded(replace(state, turn=attack.number, struck=None), attack.number, cards)
    if attack.card is None:
        state = _untold(state, Untold(attack, colour))
    state = _with_cost(state, attack.number, attack.using)
    state = replace(state, owed=(*state.owed, Defending(attack, colour)))
    return state


def _untold(state: State, untold: Untold) -> State:
    """With cards of the group's own only the last action is asked about; with the umpire's deck hands hang on each."""
    return replace(state, untold=(*(state.untold if state.deck is not None else ()), untold))


def _told(state: State, tell: Tell) -> State:
    """The cards leave the hand for the discards; they were counted when they were played."""
    for one in state.untold:
        if one.number == tell.number and one.fits(tell.cards):
            left = tuple(other for other in state.untold if other is not one)
            counted = replace(state, played=counted_more(state, tell.number, -len(tell.cards)), untold=left)
            return discarded(counted, tell.number, tell.cards)
    return state


def _defended(state: State, defence: Defend) -> State:
    state = replace(state, owed=state.owed[1:])
    number = defence.number if defence.number in state.numbers else state.turn
    return _with_cost(discarded(state, number, defence.cards), number, defence.using)


def _struck(state: State, attack: Attack) -> State:
    return _damaged(state, attack.target, attack.strength or 0, attack.number)


def _with_cost(state: State, number: int, using: Place | None) -> State:
    """A green tower that stood in takes its pip at once; its owner may go without change."""
    if using is None or not is_place(state, using):
        return state
    return _damaged(state, using, 1, number, may_refuse=True)


def _damaged(state: State, place: Place, pips: int, chooser: int, *, may_refuse: bool = False) -> State:
    """Damage from the top. Who destroys another player's tower gets as many points as that player has lost towers."""
    before = state.position.at(place)
    left, removed, size = damaged(before, pips)
    state = replace(state, position=state.position.but(place, left), struck=Struck(place, pips, before))
    if size is not None:
        return replace(state, owed=(Changing(place, size, chooser, removed, may_refuse), *state.owed))
    return state if left or not before else _destroyed(state, place, chooser)


def _destroyed(state: State, place: Place, by: int) -> State:
    lost = state.lost[place.number - 1] + 1
    counts = (*state.lost[: place.number - 1], lost, *state.lost[place.number :])
    if by == place.number:
        return replace(state, lost=counts)
    return replace(
        state, lost=counts, points=(*state.points[: by - 1], state.points[by - 1] + lost, *state.points[by:])
    )


def _changed(state: State, change: Change) -> State:
    owed = state.owed[0]
    state = replace(state, owed=state.owed[1:])
    if not isinstance(owed, Changing):
        return state
    tower = state.position.at(owed.place)
    if change.pyramid is None:
        return state if tower else _destroyed(state, owed.place, owed.chooser)
    return replace(state, position=state.position.but(owed.place, (*tower, change.pyramid)))


def _remodelled(state: State, remodel: Remodel) -> State:
    number, tower = remodel.place.number, state.position.at(remodel.place)
    state = discarded(replace(state, turn=number, struck=None), number, remodel.cards)
    if state.deck is not None and None in remodel.cards:
        state = _untold(state, Untold(remodel))
    if remodel.pyramid is None:
        return state
    return replace(state, position=state.position.but(remodel.place, (*tower[:-1], remodel.pyramid)))


def _suffered(state: State, suffer: Suffer) -> State:
    return _damaged(replace(state, owed=state.owed[1:]), suffer.place, 1, suffer.place.number)


# Drawing, and when the pile runs out.


def _drawn(state: State, draw: Draw) -> State:
    played = (*state.played[: draw.number - 1], 0, *state.played[draw.number :])
    state = replace(state, played=played)
    if state.deck is None:
        return _exhausted(state, draw.number) if draw.exhausts else state
    return _filled(state, draw.number)


def _filled(state: State, number: int) -> State:
    """Cards until there are five in hand. When the pile's last one is taken, attrition comes first."""
    deck = state.deck
    if deck is None or number not in state.in_game:
        return state
    taken = 0
    while deck.pile and len(deck.hand(number)) < HAND:
        deck, taken = deck.drawn(number), taken + 1
    state = replace(state, deck=deck)
    is_wanted = len(deck.hand(number)) < HAND and bool(state.discards)
    runs_out = is_wanted if state.options.exhausted_when_needed else taken > 0
    return _exhausted(state, number) if runs_out and not deck.pile else state


def _exhausted(state: State, number: int) -> State:
    """Everybody in seating order; who lost the last tower is out only when all have suffered."""
    return replace(state, owed=(*map(Suffering, state.in_game), Drawing(number)))


def _shuffled(state: State) -> State:
    deck = None if state.deck is None else reshuffled(state.deck, state.discards)
    return replace(state, deck=deck, discards=(), untold=())


def settled(state: State) -> State:
    """Goes on until somebody has to choose; with nothing owed the turn is over."""
    while state.owed and isinstance(state.owed[0], Drawing):
        number = state.owed[0].number
        state = _filled(_shuffled(replace(_without_losers(state), owed=state.owed[1:])), number)
    return state if state.owed else _turn_over(state)


def _turn_over(state: State) -> State:
    state = _without_losers(state)
    return replace(state, turn=next_number(state, state.turn))


def _without_losers(state: State) -> State:
    """Who has no tower left is out; the hand goes to the discard pile (house ruling ZDT-14)."""
    out = tuple(number for number in state.numbers if number not in state.in_game)
    if out and not state.first_out:
        state = replace(state, first_out=out)
    if state.deck is not None:
        for number in out:
            state = discarded(state, number, state.deck.hand(number)) if state.deck else state
    return state


def answers(state: State) -> tuple[Any, ...]:
    """What may be said now that something is owed; of defences only those that the open cards let expect."""
    match state.owed[0] if state.owed else None:
        case Defending(attack=attack):
            return (Allow(attack.target.number),)
        case Changing() as owed:
            pieces = dict.fromkeys(one for one in state.position.scrapyard if one.size == owed.size)
            none: tuple[Change, ...] = (Change(owed.place, None),) if owed.may_refuse or not pieces else ()
            return (*(Change(owed.place, one) for one in pieces), *none)
        case Suffering(number=number):
            return tuple(map(Suffer, state.towers_of(number)))
    return ()


def known_hand(state: State, number: int) -> tuple[Card, ...] | None:
    """The cards a player holds, if all are known here."""
    if state.deck is None:
        return None
    hand = state.deck.hand(number)
    return tuple(card for card in hand if card is not None) if None not in hand else None
