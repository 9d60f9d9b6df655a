"""From a scene to a position: towers by their zones, and what lies in the scrapyard.

What is in the scrapyard follows from the towers: all pyramids of the game that are in none. What is seen there is
evidence for what was taken off a tower, no more.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace

from engine.game import Touch
from engine.games.ziggurat.notation import Place
from engine.games.ziggurat.state import Options, Player, Position, State
from engine.games.ziggurat.towers import (
    EQUIVALENTS,
    REACHABLE,
    TOWERS,
    Tower,
    damaged,
    in_order,
    sizes_of,
    tower_words,
)
from engine.table import Pyramid, Reading, Scene, Size, Stack

FOREIGN_BELOW = 0.1  # share of a stack's readings in the game's colours under which it is none of the game's
TOWER_PITCH_MM, FIRST_TOWER_MM = 60.0, 42.0  # the row of towers on a player's sheet
OF_A_TOWER_MM = 30.0  # so far from its place a tower may stand
SCRAPYARD = "scrapyard"


def read(scene: Scene) -> Position:
    """The towers of a scene, by the numbers of their sheets, and the scrapyard. Of two stacks in a place the surer
    one counts; other pieces are left out."""
    towers: dict[Place, Tower] = {}
    scrap = []
    for stack in sorted(scene.stacks, key=lambda one: one.confidence):
        place = place_of(stack)
        if place is not None and not stack.pose.is_lying:
            towers[place] = stack.pyramids
        elif stack.sheet == SCRAPYARD:
            scrap += list(stack.pyramids)
    sheets = range(1, max((place.number for place in towers), default=0) + 1)
    mine = tuple(tuple(towers.get(Place(n, k), ()) for k in range(1, TOWERS + 1)) for n in sheets)
    return Position(mine, in_order(tuple(scrap)))


def place_of(stack: Stack) -> Place | None:
    """The place of a stack on a player's sheet: by its zone, or the place that it stands close to."""
    head, _, number = stack.sheet.rpartition("-")
    if head != "towers" or not number.isdecimal():
        return None
    zone, _, tower = (stack.zone or "").rpartition("-")
    if zone == "tower" and tower.isdecimal():
        return Place(int(number), int(tower))
    nearest = round((stack.pose.x_mm - FIRST_TOWER_MM) / TOWER_PITCH_MM)
    off_mm = abs(stack.pose.x_mm - FIRST_TOWER_MM - nearest * TOWER_PITCH_MM)
    return Place(int(number), nearest + 1) if 0 <= nearest < TOWERS and off_mm <= OF_A_TOWER_MM else None


def sift(state: State, scene: Scene) -> Scene:
    """The scene in the colours of the rules, without readings that this game's pieces cannot be, and with each player's
    towers on the sheet of the player's number."""
    return of_this_game(state.players, state.options, scene)


def of_this_game(players: tuple[Player, ...], options: Options, scene: Scene) -> Scene:
    numbers = {player.sheet: f"towers-{n}" for n, player in enumerate(players, 1)}
    kept = []
    for stack in scene.stacks:
        sheet = numbers.get(stack.sheet, SCRAPYARD if stack.sheet == SCRAPYARD else None)
        ranked = stack.readings or (Reading(stack.pyramids, stack.pose.heading_deg, stack.stand, 1.0),)
        meant = [one for one in (_meant(reading, options) for reading in ranked) if one is not None]
        if sheet is None or sum(map(_share, meant)) < FOREIGN_BELOW * sum(map(_share, ranked)):
            continue
        fitting = _scrap(meant) if sheet == SCRAPYARD else _towers(meant)
        first = fitting[0]
        pose = replace(stack.pose, heading_deg=first.heading_deg)
        kept.append(replace(stack, sheet=sheet, pose=pose, pyramids=first.pyramids, stand=None, readings=fitting))
    return Scene.of(kept)


def _share(reading: Reading) -> float:
    return reading.probability


def _meant(reading: Reading, options: Options) -> Reading | None:
    """The reading in the colours of the rules; None if one of its pieces has none."""
    means = EQUIVALENTS[options.colours]
    if any(pyramid.colour not in means for pyramid in reading.pyramids):
        return None
    return replace(reading, pyramids=tuple(Pyramid(means[one.colour], one.size) for one in reading.pyramids))


def _towers(readings: list[Reading]) -> tuple[Reading, ...]:
    """Towers stand, and only six heaps of sizes are ever towers, where there are such readings."""
    standing = [one for one in readings if not one.is_lying] or readings
    return tuple([one for one in standing if sizes_of(one.pyramids) in REACHABLE] or standing)


def _scrap(readings: list[Reading]) -> tuple[Reading, ...]:
    """Scrap lies, a piece at a time. What it is likeliest is enough: it decides nothing alone."""
    lying = [one for one in readings if one.is_lying and len(one.pyramids) == 1]
    return tuple((lying or readings)[:1])


def changes(one: Position, other: Position) -> tuple[Touch, ...]:
    """Towers that differ, and kinds of pieces of which the scrapyard holds another number."""
    places = dict.fromkeys((*one.places, *other.places))
    found = [
        Touch(str(place), tower_words(one.at(place)), tower_words(other.at(place)))
        for place in places
        if one.at(place) != other.at(place)
    ]
    before, after = Counter(one.scrapyard), Counter(other.scrapyard)
    kinds = sorted({*before, *after}, key=str)
    found += [
        Touch(f"scrapyard/{str(kind).replace(' ', '-')}", str(before[kind]), str(after[kind]))
        for kind in kinds
        if before[kind] != after[kind]
    ]
    return tuple(found)


def is_as_before(state: State, stack: Stack) -> bool:
    """Whether the stack is the tower that the state has there, or a piece that lies in its scrapyard."""
    place = place_of(stack)
    if place is not None:
        return state.position.at(place) == stack.pyramids
    return stack.pyramids[0] in state.position.scrapyard


def is_possible(state: State, stack: Stack) -> bool:
    """Whether damage or a remodelling leaves the tower so."""
    place = place_of(stack)
    if place is None:
        return True
    tower, now = state.position.at(place), stack.pyramids
    if not tower:
        return False
    if now[:-1] == tower[:-1] and now[-1].size == tower[-1].size and now[-1] in state.position.scrapyard:
        return True
    return any(_is_left(now, *damaged(tower, pips)) for pips in (1, 2, 3))


def _is_left(now: Tower, left: Tower, removed: Tower, size: Size | None) -> bool:
    return now == left if size is None else now[:-1] == left and now[-1].size == size


# What a position shows, once the state is remembered.


@dataclass(frozen=True)
class Seen:
    """A position as the state lets us understand it. `differing` are places whose tower is not as it was; `odd` those
    whose top looks like a piece that is not to be had: they count as unchanged."""

    towers: Position
    lying: Counter[Pyramid]
    differing: tuple[Place, ...]
    odd: tuple[Place, ...]

    def at(self, place: Place) -> Tower:
        return self.towers.at(place)


def recognised(state: State, position: Position) -> Seen:
    """What no action can have done to a tower is put down to our eye."""
    towers, differing, odd = state.position, [], []
    for place in state.position.places:
        was = state.position.at(place)
        now = _with_known_colours(was, position.at(place))
        if now == was:
            continue
        if sizes_of(now) == sizes_of(was) and now[-1] not in state.position.scrapyard:
            odd.append(place)
            continue
        differing.append(place)
        towers = towers.but(place, now)
    return Seen(towers, Counter(position.scrapyard), tuple(differing), tuple(odd))


def _with_known_colours(was: Tower, now: Tower) -> Tower:
    """A tower as it looks, but pieces that nobody can have exchanged in the colours that they had: all that were there
    before where it has lost some, else all below the top."""
    kept = len(now) if len(now) < len(was) else len(now) - 1
    return tuple(
        was[n] if n < min(kept, len(was)) and was[n].size == piece.size else piece for n, piece in enumerate(now)
    )


def is_borne_out(state: State, seen: Seen) -> bool:
    """Whether the scrapyard shows as many pieces, of each size that left a tower, as should lie there now."""
    left: Counter[Size] = Counter()
    for place in seen.differing:
        left += Counter(sizes_of(state.position.at(place))) - Counter(sizes_of(seen.at(place)))
    should = Counter(one.size for one in seen.towers.scrapyard)
    lies = Counter(one.size for one in seen.lying.elements())
    return all(lies[size] >= should[size] for size in left)


def is_exchange_borne_out(state: State, seen: Seen, place: Place) -> bool:
    """Whether the old top of a tower lies in the scrapyard, beside those that lay there."""
    top = state.position.at(place)[-1]
    return seen.lying[top] > state.position.scrapyard.count(top)


def refreshed(state: State, position: Position) -> State:
    """Nothing of a table that is like the state's has to be remembered."""
    return state
