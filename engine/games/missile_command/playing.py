"""The clerk: what a move does to the batteries, legal or not. Judges nothing.

Effects run on until somebody must choose; then they wait in `State.owed`. What is going to be hit is collected in
`State.hits` and lands together once nothing is left to be chosen (MC-27); then what came to light is noticed, defence
systems go up, players are eliminated, and the turn ends.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from engine.games.missile_command.batteries import Battery, Executive, Fate, OnItsWay, in_order, sorted_wing
from engine.games.missile_command.notation import (
    Aim,
    Allow,
    Deflect,
    Discard,
    Expose,
    Intercept,
    Launch,
    Oppose,
    Pass,
    Pick,
    Place,
    Report,
    Reveal,
    Scramble,
    Sortie,
    Strike,
    Take,
    Units,
    numbers_in,
)
from engine.games.missile_command.results import NOTHING, RESULTS, Result, result_of, side_result_of
from engine.games.missile_command.settling import answers, concluded, noticed, without_missile_of
from engine.games.missile_command.state import (
    NO_FLIGHT_STOPS,
    Deflecting,
    Flight,
    Heard,
    Hit,
    Intercepting,
    Opposing,
    Owed,
    Probing,
    State,
    Taking,
    interceptors,
)
from engine.table import Colour, Pyramid, Size


def play(state: State, move: Any) -> State:
    """The state after the move; the same for a move about pieces or players that there are not."""
    if not all(state.has_player(number) for number in numbers_in(move)):
        return state
    match move:
        case Launch() | Scramble() | Discard() | Sortie() | Strike() | Pass():
            return settled(_acted(_moving_on(state, move), move))
        case Pick():
            return _picked(state, move)
    return settled(_answered(_without_words(state, move), move))


def _moving_on(state: State, move: Any) -> State:
    """The turn moves on: a drone that nobody answered is forgotten."""
    return replace(_without_words(state, move), owed=state.blocking)


def _without_words(state: State, move: Any) -> State:
    return replace(state, said=tuple(said for said in state.said if said != move)) if state.said else state


def _acted(state: State, move: Any) -> State:
    match move:
        case Launch():
            return _launched(_using_turn(state, move.origin.number), move)
        case Scramble(origin=origin):
            size = Size(state.silo(origin).left or 1)
            state = _lifted(_using_turn(state, origin.number), origin)
            return _with_wing(state, origin.number, (*state.battery(origin.number).air_wing, size))
        case Discard(origin=origin):
            return _used_up(_using_turn(state, origin.number), origin)
        case Sortie():
            return _flown(state, move)
        case Strike():
            return _struck(state, move)
    return _using_turn(state, move.number)


def _using_turn(state: State, number: int) -> State:
    """Who acts out of turn does not end the turn of another. A missile that should have struck before is gone."""
    state = without_missile_of(state, number)
    return replace(state, has_launched=True) if number == state.turn else state


# Pieces.


def _lifted(state: State, place: Place) -> State:
    """The top of a silo is taken off it, and its marker, if it has one, out of play."""
    silo = state.silo(place)
    state = _discarding(state, silo.marker) if silo.is_damaged else state
    return state.with_silo(place, silo.without_top())


def _used_up(state: State, place: Place) -> State:
    """The top of a silo goes out of play."""
    return _discarding(_lifted(state, place), state.silo(place).top)


def _discarding(state: State, piece: Pyramid | None) -> State:
    return replace(state, discarded=in_order((*state.discarded, piece))) if piece is not None else state


def _with_wing(state: State, number: int, sizes: tuple[Size, ...]) -> State:
    return state.with_battery(number, replace(state.battery(number), air_wing=sorted_wing(sizes)))


def _without_units(state: State, number: int, units: Units) -> State:
    """The units are out of play, as far as the air wing has them."""
    left = list(state.battery(number).air_wing)
    for size, _ in units:
        if size in left:
            left.remove(size)
            state = _discarding(state, Pyramid(Colour.CYAN, size))
    return _with_wing(state, number, tuple(left))


# Launches.


def _launched(state: State, launch: Launch) -> State:
    silo = state.silo(launch.origin)
    if not silo.left:
        return state
    missile, number = Pyramid(launch.colour, Size(silo.left)), launch.origin.number
    state = _lifted(state, launch.origin)
    if state.options.launch_detect:
        way = OnItsWay(missile, launch.target.number if launch.target is not None else None)
        return state.with_battery(number, replace(state.battery(number), on_its_way=way))
    return _aimed(_discarding(state, missile), Flight(missile, number), launch.target)


def _struck(state: State, strike: Strike) -> State:
    battery = state.battery(strike.number)
    if battery.on_its_way is None:
        return state
    missile = battery.on_its_way.missile
    state = state.with_battery(strike.number, replace(battery, on_its_way=None))
    state = replace(_discarding(state, missile), has_struck=True)
    return _aimed(state, Flight(missile, strike.number), strike.target)


def _aimed(state: State, flight: Flight, target: Place | None) -> State:
    """The missile is on its way to a silo, or to one that nobody could see."""
    if target is not None and target.silo is not None:
        if _may_meet(state, flight, target.number, (target,)):
            return _owing(state, Intercepting(target.number, flight, (target,)))
        return _arrived(state, flight, target)
    if target is not None and _may_meet(state, flight, target.number, ()):
        return _owing(state, Intercepting(target.number, flight, ()))
    return _unseen(state, flight, target)


def _unseen(state: State, flight: Flight, target: Place | None) -> State:
    """What arrives where nobody could see is a drone, or has no effect."""
    return _owing(state, Probing(flight.attacker, target)) if flight.missile.colour is Colour.CLEAR else state


def _may_meet(state: State, flight: Flight, number: int, targets: tuple[Place, ...]) -> bool:
    """Whether an ABM may meet it: not for the sake of an exposed executive only (MC-12)."""
    if flight.missile.colour in NO_FLIGHT_STOPS or not interceptors(state, number, targets):
        return False
    saves = state.options.abms_save_tokens or not targets
    return saves or any(state.silo(target).left for target in targets)


def _arrived(state: State, flight: Flight, target: Place) -> State:
    """A missile strikes the silo that it was launched at."""
    result = _direct_result(state, flight, target)
    if result & (Result.DESTROY | Result.DAMAGE):
        state = replace(state, hits=(*state.hits, Hit(target, flight.missile, is_direct=True)))
    return _owing(state, *_consequences(state, flight, target, result))


def _direct_result(state: State, flight: Flight, target: Place) -> Result:
    """An executive is always destroyed, and what a missile does besides is done all the same (MC-25).

    An ABM never attacks; who attacks with one all the same takes the target with it.
    """
    colour, top = flight.missile.colour, state.silo(target).colour
    if colour is Colour.ORANGE:
        return Result.DESTROY
    if state.silo(target).left and top is not None:
        return result_of(colour, top, state.options)
    return Result.DESTROY | {Colour.BLUE: Result.EXTRA, Colour.RED: Result.ALL}.get(colour, NOTHING)


def _consequences(state: State, flight: Flight, target: Place, result: Result) -> tuple[Owed, ...]:
    side = replace(flight, is_side=True)
    if Result.PROBE in result:
        return (Probing(flight.attacker, target),)
    if Result.DEFLECT in result:
        return _deflections(state, flight, target.number)
    if Result.EXTRA in result:
        return (Taking(target.number, side, beside=target.silo),)
    if Result.ALL in result:
        others = (n for n in state.after_seat(flight.attacker) if n != target.number and n in state.in_game)
        return tuple(Taking(number, side) for number in others)
    return ()


def _deflections(state: State, flight: Flight, number: int) -> tuple[Owed, ...]:
    """A player's SBAM was hit: a neutron bomb goes on to everybody else, any other missile to a chosen player."""
    if flight.missile.colour is not Colour.RED:
        return (Deflecting(number, flight),)
    struck = (other for other in state.after_seat(number) if other in state.in_game)
    return tuple(Taking(other, replace(flight, is_side=False, is_deflected=True)) for other in struck)


def _landing_on(state: State, flight: Flight, places: tuple[Place, ...]) -> State:
    """A further strike, or a deflected missile, arrives where the struck player took it."""
    hits = tuple(Hit(place, flight.missile) for place in places)
    met = flight.is_deflected and any(_deflects(state, flight, place) for place in places)
    state = replace(state, hits=(*state.hits, *hits))
    return _owing(state, *_deflections(state, flight, places[0].number)) if met else state


def _deflects(state: State, flight: Flight, place: Place) -> bool:
    top = state.silo(place).colour
    return top is not None and Result.DEFLECT in RESULTS[flight.missile.colour, top]


# Sorties.


def _flown(state: State, sortie: Sortie) -> State:
    state = replace(_without_units(state, sortie.number, sortie.units), has_sortied=True)
    if not sortie.units:
        return state
    defender = sortie.units[0][1].number
    if state.battery(defender).air_wing:
        return _owing(state, Opposing(defender, sortie.units))
    return _with_strikes(state, sortie.units)


def _with_strikes(state: State, units: Units) -> State:
    found = tuple(Hit(place, Pyramid(Colour.CYAN, size), is_direct=True) for size, place in units if place.silo)
    return replace(state, hits=(*state.hits, *found))


def _opposed(state: State, oppose: Oppose) -> State:
    match state.blocking[:1]:
        case (Opposing(units=attacking),):
            left = list(attacking)
            for _, place in oppose.units:
                met = next((unit for unit in left if unit[1] == place), None)
                if met is not None:
                    left.remove(met)
            state = _without_units(_settling(state), oppose.number, oppose.units)
            return _with_strikes(state, tuple(left))
    return state


# Answers.


def _owing(state: State, *owed: Owed) -> State:
    return replace(state, owed=(*owed, *state.owed)) if owed else state


def _settling(state: State) -> State:
    """The state without what blocks it first."""
    owed = list(state.owed)
    owed.remove(state.blocking[0])
    return replace(state, owed=tuple(owed))


def _answered(state: State, move: Any) -> State:
    head = state.blocking[0] if state.blocking else None
    match move, head:
        case Intercept(origin=origin), Intercepting():
            return _used_up(_settling(state), origin)
        case Allow(), Intercepting(flight=flight, targets=targets):
            return _allowed(_settling(state), flight, targets, head.number)
        case Deflect(to=to), Deflecting(flight=flight):
            return _owing(_settling(state), Taking(to, replace(flight, is_deflected=True)))
        case Take(places=places), Taking():
            return _taken(_settling(state), head, places)
        case Oppose(), Opposing():
            return _opposed(state, move)
        case Expose(), _:
            return _exposed(state, move)
        case Reveal(place=place, colour=colour), _:
            return _revealed(state, place, colour)
        case Report() | Aim(), _:
            return _answered_to_drone(state, move)
    return state


def _allowed(state: State, flight: Flight, targets: tuple[Place, ...], number: int) -> State:
    if not targets:
        return _unseen(state, flight, Place(number, None))
    if flight.is_side or flight.is_deflected:
        return _landing_on(state, flight, targets)
    return _arrived(state, flight, targets[0])


def _taken(state: State, taking: Taking, places: tuple[Place, ...]) -> State:
    """The extra attack of a MIRV is answered by nothing (MC-11); any other strike may be met by an ABM."""
    flight = taking.flight
    is_extra = flight.is_side and flight.missile.colour is Colour.BLUE
    if not is_extra and _may_meet(state, flight, taking.number, places):
        return _owing(state, Intercepting(taking.number, flight, places))
    return _landing_on(state, flight, places)


def _revealed(state: State, place: Place, colour: Colour) -> State:
    owed = tuple(one for one in state.owed if getattr(one, "place", None) != place)
    state = replace(state, owed=owed)
    return state.with_silo(place, state.silo(place).showing(colour)) if state.silo(place).left else state


def _exposed(state: State, expose: Expose) -> State:
    place = expose.place
    state = replace(state, owed=tuple(one for one in state.owed if getattr(one, "place", None) != place))
    battery: Battery = state.battery(place.number)
    for name in expose.who:
        battery = battery.with_executive(name, Executive(place.silo, Fate.EXPOSED))
    battery = replace(battery, is_startled=battery.is_startled or bool(expose.who))
    state = state.with_battery(place.number, battery)
    return state.with_silo(place, replace(state.silo(place), is_searched=True))


def _answered_to_drone(state: State, move: Report | Aim) -> State:
    probing = next((one for one in state.owed if isinstance(one, Probing)), None)
    if probing is None:
        return state
    rest = tuple(one for one in state.owed if one is not probing)
    if isinstance(move, Aim):
        return replace(state, owed=(*rest, replace(probing, target=move.target)))
    state = replace(state, owed=rest)
    if probing.target is None or probing.target.silo is None:
        return state
    left = tuple(silo.left for silo in state.battery(move.number).silos)
    return replace(state, heard=(*state.heard, Heard(move.number, probing.target.silo, move.level, left)))


def _picked(state: State, pick: Pick) -> State:
    if state.draft is None or pick.pyramid not in state.draft.pool:
        return state
    pool, seat = list(state.draft.pool), state.numbers.index(pick.number)
    pool.remove(pick.pyramid)
    taken = tuple((*pieces, pick.pyramid) if n == seat else pieces for n, pieces in enumerate(state.draft.taken))
    following = state.after_seat(pick.number)[0] if pick.number == state.turn else state.turn
    draft = replace(state.draft, pool=tuple(pool), taken=taken)
    after = replace(_without_words(state, pick), draft=draft, turn=following)
    return after if after.is_drafting else settled(replace(after, turn=draft.first_strike))


# What follows.


def settled(state: State) -> State:
    """Effects run on until somebody must choose; with nothing owed any more, hits land and the turn may end."""
    while True:
        state = noticed(state)
        if state.blocking:
            choices = answers(state)
            if len(choices) > 1:
                return state
            state = _answered(state, choices[0]) if choices else _settling(state)
        elif state.hits:
            state = _landed(state)
        else:
            return concluded(state)


def _landed(state: State) -> State:
    hits, state = state.hits, replace(state, hits=())
    for hit in hits:
        state = _hit(state, hit)
    return state


def _hit(state: State, hit: Hit) -> State:
    silo, missile = state.silo(hit.place), hit.missile
    if not silo.left:
        return _destroyed(state, hit.place)
    top = silo.colour or missile.colour
    result = result_of(missile.colour, top, state.options) if hit.is_direct else side_result_of(missile.colour, top)
    if Result.DAMAGE in result and not silo.is_damaged:
        return _damaged(state, hit)
    return _used_up(state, hit.place)


def _damaged(state: State, hit: Hit) -> State:
    """The attacker lies down as the marker; where it lies before another silo already, any piece does (MC-16)."""
    pieces = list(state.discarded)
    if hit.missile in pieces:
        pieces.remove(hit.missile)
    marker = hit.missile if len(pieces) < len(state.discarded) else None
    silo = replace(state.silo(hit.place), is_damaged=True, marker=marker)
    return replace(state, discarded=tuple(pieces)).with_silo(hit.place, silo)


def _destroyed(state: State, place: Place) -> State:
    battery = state.battery(place.number)
    for name in battery.exposed_in(place.silo or 0):
        battery = battery.with_executive(name, Executive(place.silo, Fate.DESTROYED))
    return state.with_battery(place.number, battery)
