"""What is owed, by whom and with which answers; and what follows once nothing is: shields, eliminations, turns."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

from engine.games.missile_command.batteries import Battery, Fate, Shield, in_order
from engine.games.missile_command.notation import (
    Aim,
    Allow,
    Answer,
    Deflect,
    Expose,
    Intercept,
    Oppose,
    Place,
    Report,
    Reveal,
    Take,
    Units,
)
from engine.games.missile_command.state import (
    DEFCON_REPORTED,
    Deflecting,
    Exposing,
    Intercepting,
    Opposing,
    Owed,
    Probing,
    Revealing,
    State,
    Taking,
    can_launch,
    can_sortie,
    interceptors,
    levels,
    strike_targets,
)
from engine.table import COLOURS, Colour

# Answers.


def answers(state: State) -> tuple[Answer, ...]:
    """What may be said to settle what is owed first; a drone comes last, since it keeps nobody waiting."""
    head = (*state.blocking, *state.owed)[:1]
    return _answers_to(state, head[0]) if head else ()


def chooser(state: State) -> int | None:
    """The number of the player who settles what is owed first."""
    match (*state.blocking, *state.owed)[:1]:
        case (Intercepting(number=number) | Deflecting(number=number) | Taking(number=number),):
            return number
        case (Opposing(number=number),):
            return number
        case (Revealing(place=place) | Exposing(place=place),):
            return place.number
        case (Probing(prober=prober, target=target),):
            return target.number if target is not None and target.silo is not None else prober
    return None


def _answers_to(state: State, owed: Owed) -> tuple[Answer, ...]:
    match owed:
        case Intercepting(number=number, targets=targets):
            return (Allow(number), *(Intercept(place) for place in interceptors(state, number, targets)))
        case Deflecting(number=number):
            return tuple(Deflect(number, to) for to in recipients(state, owed))
        case Taking():
            return tuple(Take(places) for places in takeable(state, owed))
        case Opposing(number=number, units=units):
            return _opposing(state, number, units)
        case Revealing(place=place):
            return tuple(Reveal(place, colour) for colour in COLOURS)
        case Exposing(place=place):
            return tuple(Expose(place, who) for who in _who_may_be_there(state.battery(place.number)))
        case Probing(prober=prober, target=target):
            return _answers_to_drone(state, prober, target)


def recipients(state: State, owed: Deflecting) -> tuple[int, ...]:
    """Whom a missile may be deflected to: not to who shot it, unless it was deflected before (MC-3)."""
    return tuple(
        number
        for number in state.in_game
        if number != owed.number
        and state.battery(number).shield is None
        and (owed.flight.is_deflected or number != owed.flight.attacker)
    )


def takeable(state: State, owed: Taking) -> tuple[tuple[Place, ...], ...]:
    """The silos, or for a deflected MIRV the pairs of them, that the struck player may name."""
    struck = {hit.place for hit in state.hits}
    free = [place for n in state.battery(owed.number).hittable if (place := Place(owed.number, n)) not in struck]
    if owed.beside is not None:
        return tuple((place,) for place in free if abs((place.silo or 0) - owed.beside) == 1)
    if owed.flight.is_deflected and owed.flight.missile.colour is Colour.BLUE:
        pairs = tuple(pair for pair in combinations(free, 2) if (pair[1].silo or 0) - (pair[0].silo or 0) == 1)
        if pairs:
            return pairs
    return tuple((place,) for place in free)


def _opposing(state: State, number: int, units: Units) -> tuple[Answer, ...]:
    """Each number of interceptions, each set of attackers met, each choice of own sizes; not which meets which."""
    places, wing = [place for _, place in units], state.battery(number).air_wing
    return tuple(
        dict.fromkeys(
            Oppose(number, tuple(zip(sizes, met, strict=True)))
            for count in range(min(len(units), len(wing)) + 1)
            for met, sizes in product(combinations(places, count), dict.fromkeys(combinations(wing, count)))
        )
    )


def _who_may_be_there(battery: Battery) -> tuple[tuple[str, ...], ...]:
    unknown = [name for name, one in battery.executives if one.silo is None and one.fate is Fate.HIDDEN]
    return tuple(who for count in range(len(unknown) + 1) for who in combinations(unknown, count))


def _answers_to_drone(state: State, prober: int, target: Place | None) -> tuple[Answer, ...]:
    if target is None or target.silo is None:
        numbers = (target.number,) if target is not None else tuple(n for n in state.in_game if n != prober)
        return tuple(Aim(Place(number, silo)) for number in numbers for silo in state.battery(number).hittable)
    known = levels(state, target)
    return tuple(Report(target.number, level) for level in known or (None, *range(1, DEFCON_REPORTED + 1)))


# What comes to light.


def noticed(state: State) -> State:
    """Executives under silos that are empty now are exposed; what nobody has declared is asked for."""
    for number in state.in_game:
        for n, silo in enumerate(state.battery(number).silos, 1):
            if silo.colour is None and not (silo.is_searched and not silo.left):  # else there is nothing to notice
                state = _noticed_at(state, Place(number, n))
    return state


def _noticed_at(state: State, place: Place) -> State:
    silo, battery = state.silo(place), state.battery(place.number)
    if silo.left:
        return _asking(state, Revealing(place)) if silo.colour is None else state
    if silo.is_searched:
        return state
    for name, one in battery.executives:
        if one.silo == place.silo and one.fate is Fate.HIDDEN:
            battery = replace(battery.with_executive(name, replace(one, fate=Fate.EXPOSED)), is_startled=True)
    if len(_who_may_be_there(battery)) > 1:
        return _asking(state.with_battery(place.number, battery), Exposing(place))
    searched = battery.with_silo(place.silo or 1, replace(silo, is_searched=True))
    return state.with_battery(place.number, searched)


def _asking(state: State, owed: Owed) -> State:
    return state if owed in state.owed else replace(state, owed=(owed, *state.owed))


# What follows.


def concluded(state: State) -> State:
    """Everything has landed: defence systems go up, players are eliminated, the turn ends (MC-27)."""
    for number in state.in_game:
        battery = state.battery(number)
        if battery.president.fate is Fate.DESTROYED:
            state = _eliminated(state, number)
        elif battery.is_startled:
            state = _without_missiles_at(
                state.with_battery(number, replace(battery, is_startled=False, shield=Shield(state.turn))), number
            )
    if state.is_drafting or state.is_over:
        return state
    goes_on = not state.has_launched and state.turn in state.in_game and can_act(state)
    return state if goes_on else _next_turn(state)


def can_act(state: State) -> bool:
    """Whether the player whose turn it is has anything to do; else the turn is skipped (MC-6, MC-7)."""
    number = state.turn
    return can_launch(state, number) or can_sortie(state, number) or bool(strike_targets(state, number))


def _eliminated(state: State, number: int) -> State:
    """The player's pieces leave the table, with whatever is on its way to or from them (MC-19, MC-30)."""
    battery = replace(state.battery(number), is_out=True, is_startled=False, shield=None)
    state = without_missile_of(state.with_battery(number, battery), number)
    owed = tuple(one for one in state.owed if not isinstance(one, Probing) or one.prober != number)
    return _without_missiles_at(replace(state, owed=owed), number)


def _without_missiles_at(state: State, target: int) -> State:
    """Launch Detect: what is on its way to that player is destroyed."""
    for number in state.numbers:
        way = state.battery(number).on_its_way
        if way is not None and way.target == target:
            state = without_missile_of(state, number)
    return state


def without_missile_of(state: State, number: int) -> State:
    battery = state.battery(number)
    if battery.on_its_way is None:
        return state
    state = replace(state, discarded=in_order((*state.discarded, battery.on_its_way.missile)))
    return state.with_battery(number, replace(battery, on_its_way=None))


def _next_turn(state: State) -> State:
    """The next player who can do anything; turns of the eliminated count for shields all the same (MC-15)."""
    for _ in range(4 * len(state.players)):
        state = _turn_ended(state)
        following = state.after_seat(state.turn)[0]
        state = replace(state, turn=following, has_launched=False, has_sortied=False, has_struck=False)
        if following in state.in_game:
            if not strike_targets(state, following):
                state = without_missile_of(state, following)
            if can_act(state):
                break
    return state


def _turn_ended(state: State) -> State:
    batteries = tuple(replace(one, shield=_worn(one.shield, state.turn)) for one in state.batteries)
    return replace(state, batteries=batteries)


def _worn(shield: Shield | None, number: int) -> Shield | None:
    if shield is None or shield.number != number:
        return shield
    return replace(shield, ends=shield.ends - 1) if shield.ends > 1 else None
