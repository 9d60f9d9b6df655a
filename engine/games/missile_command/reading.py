"""From a scene to a position, and what a position shows once the state is remembered."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

from engine.game import Touch
from engine.games.missile_command.batteries import Battery, Fate, Position, Side, sorted_wing
from engine.games.missile_command.notation import SILOS, Place
from engine.games.missile_command.state import State
from engine.table import Colour, Pose, Pyramid, Reading, Scene, Size, Stack

SILO_PITCH_MM, SILOS_Y_MM, FIRST_SILO_MM = 32.0, 80.0, 4.0  # the row of silos on a battery's sheet
POINTS_AT_SILOS_DEG = 60.0  # a marker's heading off straight at the row; a first guess
AIR = frozenset({"air", "front"})  # zones where an upright SAC unit is in the air; elsewhere it is out of play
OPAQUE = frozenset({Colour.BLACK, Colour.WHITE})
TAKEN_FOR_EACH_OTHER = frozenset(
    frozenset({Colour(one), Colour(other)})
    for one, other in (
        *(("black", "purple"), ("black", "blue"), ("black", "green"), ("black", "red")),
        *(("white", "clear"), ("white", "yellow"), ("white", "cyan")),
    )
)  # an opaque colour and what translucent plastic may look like in poor light


def read(scene: Scene) -> Position:
    """The batteries of a scene. Of two pieces in one silo the surer one counts; other pieces are left out."""
    sides: dict[int, Side] = {}
    for stack in sorted(scene.stacks, key=lambda one: one.confidence):
        number = _number_of(stack.sheet)
        if number is not None:
            sides[number] = _with_stack(sides.get(number, Side()), stack)
    return Position(tuple(sorted(sides.items())))


def _number_of(sheet: str) -> int | None:
    head, _, number = sheet.rpartition("-")
    return int(number) if head == "silos" and number.isdecimal() else None


def _with_stack(side: Side, stack: Stack) -> Side:
    piece, silo = stack.pyramids[0], silo_of_zone(stack.zone)
    if stack.pose.heading_deg is not None:
        aimed = pointed_at(stack.pose)
        return side if aimed is None else replace(side, markers=_in_order(dict(side.markers) | {aimed: piece}))
    if silo is not None:
        return replace(side, tops=(*side.tops[: silo - 1], piece, *side.tops[silo:]))
    if piece.colour is Colour.CYAN and (stack.zone or "").partition("-")[0] in AIR:
        return replace(side, air_wing=sorted_wing((*side.air_wing, piece.size)))
    return side


def _in_order(markers: dict[int, Pyramid | None]) -> tuple[tuple[int, Pyramid | None], ...]:
    return tuple((silo, markers[silo]) for silo in sorted(markers))


def silo_of_zone(zone: str | None) -> int | None:
    """The silo that a zone's name means, if it is one."""
    head, _, number = (zone or "").partition("-")
    return int(number) if head == "silo" and number.isdecimal() and int(number) in SILOS else None


def pointed_at(pose: Pose) -> int | None:
    """The silo of its own sheet that a lying piece points at; None if it points elsewhere."""
    down_deg = ((pose.heading_deg or 0.0) - 270.0 + 180.0) % 360.0 - 180.0
    if abs(down_deg) > POINTS_AT_SILOS_DEG or pose.y_mm < SILOS_Y_MM:
        return None
    x_mm = pose.x_mm + (pose.y_mm - SILOS_Y_MM) * math.tan(math.radians(down_deg))
    silo = math.floor((x_mm - FIRST_SILO_MM) / SILO_PITCH_MM) + 1
    return silo if silo in SILOS else None


def sift(state: State, scene: Scene) -> Scene:
    """The scene without readings that cannot be: what stands in a silo stands, and two players lack two colours."""
    return Scene.of([_sifted(state, stack) for stack in scene.stacks], scene.empty_stands)


def _sifted(state: State, stack: Stack) -> Stack:
    ranked = stack.readings or (Reading(stack.pyramids, stack.pose.heading_deg, stack.stand, 1.0),)
    upright = tuple(one for one in ranked if not one.is_lying) if silo_of_zone(stack.zone) else ranked
    lacking = {Colour.RED, Colour.YELLOW} if state.is_for_two else set()
    fitting = tuple(one for one in upright or ranked if one.pyramids[0].colour not in lacking) or upright or ranked
    outer = tuple(replace(one, pyramids=one.pyramids[:1]) for one in fitting)
    pose = replace(stack.pose, heading_deg=outer[0].heading_deg)
    return replace(stack, pose=pose, pyramids=outer[0].pyramids, readings=outer)


def changes(one: Position, other: Position) -> tuple[Touch, ...]:
    """Silos, their markers and air wings that differ."""
    numbers = sorted({number for number, _ in (*one.sides, *other.sides)})
    found = []
    for number in numbers:
        before, after = one.side(number), other.side(number)
        for n in SILOS:
            if contents(before, n) != contents(after, n):
                found.append(Touch(str(Place(number, n)), contents(before, n), contents(after, n)))
        if before.air_wing != after.air_wing:
            found.append(Touch(f"{number}/air-wing", wing_text(before.air_wing), wing_text(after.air_wing)))
    return tuple(found)


def contents(side: Side, silo: int) -> str:
    top = side.tops[silo - 1]
    return f"{'damaged ' if silo in side.damaged else ''}{top if top is not None else 'empty'}"


def wing_text(sizes: tuple[Size, ...]) -> str:
    return ", ".join(map(str, sizes)) or "empty"


def is_as_before(state: State, stack: Stack) -> bool:
    """Whether the stack is what the state has there: the top of the silo, a marker, a unit of the air wing."""
    battery = _battery_of(state, stack)
    if battery is None:
        return False
    silo, piece = silo_of_zone(stack.zone), stack.pyramids[0]
    if stack.pose.is_lying:
        aimed = pointed_at(stack.pose)
        return aimed is not None and battery.silos[aimed - 1].is_damaged
    if silo is not None:
        return battery.silos[silo - 1].top == piece
    return piece.colour is Colour.CYAN and piece.size in battery.air_wing


def is_possible(state: State, stack: Stack) -> bool:
    """Whether pieces that the state has could lie like this after something happened."""
    battery = _battery_of(state, stack)
    if battery is None:
        return False
    silo, piece = silo_of_zone(stack.zone), stack.pyramids[0]
    if stack.pose.is_lying:
        return pointed_at(stack.pose) is not None
    if silo is not None:
        standing = battery.silos[silo - 1]
        return piece.size <= standing.left and standing.missiles[3 - piece.size] in (None, piece.colour)
    return piece.colour is Colour.CYAN


def _battery_of(state: State, stack: Stack) -> Battery | None:
    number = _number_of(stack.sheet)
    return state.battery(number) if number is not None and state.has_player(number) else None


# What a position means, once the state is remembered.


@dataclass(frozen=True)
class Look:
    """One battery as it is seen: missiles left in each silo, silos with a marker, units in the air.

    `tops` are the colours that show; `markers` the pieces that lie before the silos.
    """

    left: tuple[int, ...]
    damaged: frozenset[int]
    units: int
    wing: tuple[Size, ...] = ()
    tops: tuple[Colour | None, ...] = (None,) * 8
    markers: tuple[tuple[int, Pyramid | None], ...] = ()


@dataclass(frozen=True)
class Seen:
    """A position as the state lets us understand it: a Look for each player's number.

    `odd` are silos that look different in a way that no launch brings about: they count as unchanged. `strange` are
    silos whose missile has come to light in another colour than was sealed there. `vanished` are silos with one small
    missile left that nobody sees any more: it was launched, destroyed or missed.
    """

    looks: tuple[tuple[int, Look], ...]
    odd: tuple[Place, ...] = ()
    strange: tuple[tuple[Place, Colour], ...] = ()
    vanished: tuple[Place, ...] = ()
    gone: tuple[int, ...] = ()

    def look(self, number: int) -> Look:
        return dict(self.looks)[number]


def look_of(battery: Battery) -> Look:
    """A battery as it should look."""
    damaged = frozenset(n for n, silo in enumerate(battery.silos, 1) if silo.is_damaged)
    left = tuple(silo.left for silo in battery.silos)
    return Look(left, damaged, len(battery.air_wing), battery.air_wing, tuple(silo.colour for silo in battery.silos))


def recognised(state: State, position: Position) -> Seen:
    """What no launch can have done is put down to our eye."""
    looks, odd, strange, vanished = [], [], [], []
    for number in state.in_game:
        battery, side = state.battery(number), position.side(number)
        left, tops = list(look_of(battery).left), list(look_of(battery).tops)
        for n, (silo, top) in enumerate(zip(battery.silos, side.tops, strict=True), 1):
            place = Place(number, n)
            if top is None:
                if silo.left == 1:
                    vanished.append(place)
                    left[n - 1], tops[n - 1] = 0, None
            elif top.size > silo.left or (top.size == silo.left and silo.colour not in (None, top.colour)):
                odd.append(place)
            else:
                sealed = silo.missiles[3 - top.size]
                left[n - 1], tops[n - 1] = int(top.size), top.colour
                if sealed not in (None, top.colour):
                    strange.append((place, top.colour))
        look = Look(tuple(left), side.damaged, len(side.air_wing), side.air_wing, tuple(tops), side.markers)
        looks.append((number, look))
    gone = tuple(number for number in state.in_game if _is_gone(state.battery(number), position.side(number)))
    return Seen(tuple(looks), tuple(odd), tuple(strange), tuple(vanished), gone)


def _is_gone(battery: Battery, side: Side) -> bool:
    president = battery.president
    in_danger = president.fate is Fate.EXPOSED or (
        president.silo is None and not all(one.left for one in battery.silos)
    )
    return in_danger and not any(side.tops) and any(one.left for one in battery.silos)


def with_vanished(state: State, seen: Seen) -> Seen:
    """The same, if what vanished was only missed."""
    looks = dict(seen.looks)
    for place in seen.vanished:
        look, n = looks[place.number], (place.silo or 1) - 1
        left, tops = list(look.left), list(look.tops)
        left[n], tops[n] = 1, state.silo(place).colour
        looks[place.number] = replace(look, left=tuple(left), tops=tuple(tops))
    return replace(seen, looks=tuple(looks.items()), vanished=())


def without_travellers(state: State, seen: Seen) -> Seen:
    """Launch Detect: a piece that lies before a silo may be no marker but a missile that is on its way there."""
    tops = {silo.top for battery in state.batteries for silo in battery.silos}
    coming = {way.missile for battery in state.batteries if (way := battery.on_its_way) is not None}
    looks = []
    for number, look in seen.looks:
        silos = state.battery(number).silos
        on_its_way = {n for n, piece in look.markers if piece in coming | tops and not silos[n - 1].is_damaged}
        looks.append((number, replace(look, damaged=look.damaged - on_its_way)))
    return replace(seen, looks=tuple(looks))


def looks_alike(state: State, seen: Seen) -> bool:
    """Whether the state's table looks so; batteries of players who are out may lie about or not."""
    left = state.in_game
    if any(number in left for number in seen.gone):
        return False
    return all(_is_alike(look_of(state.battery(number)), seen.look(number)) for number in left)


def _is_alike(expected: Look, look: Look) -> bool:
    return (expected.left, expected.damaged, expected.units) == (look.left, look.damaged, look.units)


def is_swap(sealed: Colour | None, shown: Colour) -> bool:
    """Whether no light makes one colour look like the other: an opaque one, and none that is taken for it."""
    pair = frozenset({sealed, shown})
    return sealed is not None and bool(pair & OPAQUE) and pair not in TAKEN_FOR_EACH_OTHER


def refreshed(state: State, position: Position) -> State:
    """The state after a table that is like it: tops that nobody has declared, now that they are seen."""
    found: State = state
    for number in state.in_game:
        for n, (silo, top) in enumerate(zip(state.battery(number).silos, position.side(number).tops, strict=True), 1):
            if silo.left and silo.colour is None and top is not None and top.size == silo.left:
                found = _told(found, Place(number, n), top.colour)
    return found


def _told(state: State, place: Place, colour: Colour) -> State:
    owed: tuple[Any, ...] = tuple(one for one in state.owed if getattr(one, "place", None) != place)
    return replace(state, owed=owed).with_silo(place, state.silo(place).showing(colour))
