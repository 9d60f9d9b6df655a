"""From a scene to a position: towers by their zones, and what lies in the scrapyard.

What is in the scrapyard follows from the towers: all pyramids of the game that are in none. So what is seen there is
evidence for what the towers are, and good evidence, since lying pieces are read more surely than stacks.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from functools import lru_cache

from engine.game import Touch
from engine.games.ziggurat.cards import STRENGTHS
from engine.games.ziggurat.notation import Place
from engine.games.ziggurat.state import Options, Player, Position, State, Towers
from engine.games.ziggurat.towers import (
    COLOURS,
    EQUIVALENTS,
    REACHABLE,
    TOWERS,
    Tower,
    damaged,
    in_order,
    pips_of,
    sizes_of,
    stash,
    tower_words,
)
from engine.table import Pyramid, Reading, Scene, Size, Stack
from engine.thresholds import STATES, TRUST

FOREIGN_BELOW = 0.1  # share of a stack's readings in the game's colours under which it is none of the game's
TOWER_PITCH_MM, FIRST_TOWER_MM = 60.0, 42.0  # the row of towers on a player's sheet
ONE_ASTRAY = 0.05  # how much less likely a tower is for each piece that the scrapyard has otherwise; a first guess
UNSEEN = 0.01  # share of what no reading has: a tower as it was, or a top of another colour; a first guess
MOST_STEPS = 20  # in which towers are read otherwise than before, one at a time; two players have eight
LEAST = 1e-6  # share of a reading that counts as none
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
    """The scene in the colours of the rules, without readings that this game's pieces cannot be, each player's towers
    on the sheet of the player's number; and with the readings of towers weighed by what the scrapyard holds."""
    return weighed(state.position, of_this_game(state.players, state.options, scene))


@lru_cache(maxsize=STATES)
def weighed(before: Position, scene: Scene) -> Scene:
    """The scene with each tower's readings by how well they go with the scrapyard and the likeliest other towers.

    A tower may be as it was, whatever a photo makes of it. Where nothing lies in the scrapyard, nobody looked there.
    """
    lying = Counter(piece for stack in scene.stacks if stack.sheet == SCRAPYARD for piece in stack.pyramids)
    towers = {place: stack for stack in scene.stacks if (place := _standing_at(before, stack)) is not None}
    readings = {place: _with_unseen(before.at(place), stack.readings) for place, stack in towers.items()}
    if not lying or not readings:
        return scene
    best = _together(before, readings, lying)
    changed = {stack: _ranked(stack, _by_lying(best, place, readings[place], lying)) for place, stack in towers.items()}
    return Scene.of([changed.get(stack, stack) for stack in scene.stacks], scene.empty_stands)


def _standing_at(before: Position, stack: Stack) -> Place | None:
    place = place_of(stack)
    return place if place is not None and before.at(place) and not stack.pose.is_lying else None


def _with_unseen(was: Tower, readings: tuple[Reading, ...]) -> tuple[Reading, ...]:
    """The readings, and what no photo may make of a tower: that it is as it was, or has a top of another colour."""
    found = {one.pyramids: one for one in readings}
    for one in readings:
        *below, top = one.pyramids
        if one.pyramids != was:
            for colour in COLOURS:
                other = (*below, Pyramid(colour, top.size))
                found.setdefault(other, replace(one, pyramids=other, probability=one.probability * UNSEEN))
    found.setdefault(was, Reading(was, None, None, UNSEEN))
    return tuple(found.values())


def _together(before: Position, readings: dict[Place, tuple[Reading, ...]], lying: Counter[Pyramid]) -> Position:
    """The towers that are likeliest together: from those before, a tower at a time is read as what gains most."""
    best, gain = before, 1.0
    expected = {place: [_expected(before, place, one) for one in ranked] for place, ranked in readings.items()}
    for _ in range(MOST_STEPS):
        for place, ranked in readings.items():
            now = next((n for n, one in enumerate(ranked) if one.pyramids == best.at(place)), 0)
            here = max(expected[place][now], LEAST)
            for one, likely, fit in zip(ranked, expected[place], _fits(best, place, ranked, lying), strict=True):
                if likely * fit / here > gain:
                    gain, found = likely * fit / here, best.but(place, one.pyramids)
        if gain <= 1.0:
            break
        best, gain = found, 1.0
    return best


def _expected(before: Position, place: Place, reading: Reading) -> float:
    """How likely a reading is, since towers mostly stay, and otherwise are as damage or a remodelling leaves them."""
    if reading.pyramids == before.at(place):
        return reading.probability * TRUST * TRUST
    return reading.probability * (TRUST if may_become(before, place, reading.pyramids) else 1.0)


def _by_lying(
    towers: Position, place: Place, readings: tuple[Reading, ...], lying: Counter[Pyramid]
) -> tuple[Reading, ...]:
    """The readings of one tower by how well the scrapyard goes with them, the other towers being what they are."""
    fits = _fits(towers, place, readings, lying)
    whole = sum(one.probability * fit for one, fit in zip(readings, fits, strict=True))
    return tuple(
        replace(one, probability=one.probability * fit / whole) for one, fit in zip(readings, fits, strict=True)
    )


def _fits(towers: Position, place: Place, readings: tuple[Reading, ...], lying: Counter[Pyramid]) -> tuple[float, ...]:
    """How much better, or worse, the scrapyard goes with each reading than with what stands there in `towers`."""
    others = stash(len(towers.towers))
    others.subtract(pyramid for one in towers.places if one != place for pyramid in towers.at(one))
    astray = _Astray(others, lying)
    off = astray.with_tower(towers.at(place))
    return tuple(float(ONE_ASTRAY ** (astray.with_tower(one.pyramids) - off)) for one in readings)


def _ranked(stack: Stack, readings: tuple[Reading, ...]) -> Stack:
    ranked = tuple(sorted(readings, key=_share, reverse=True))
    return replace(stack, pyramids=ranked[0].pyramids, readings=ranked)


def _off(towers: Position, lying: Counter[Pyramid]) -> float:
    """How far the scrapyard is from what it holds if these are the towers."""
    return _Astray(Counter(towers.scrapyard), lying).with_tower(())


class _Astray:
    """How many pieces a scrapyard has otherwise than it should, if a tower takes some of those that are in no other.

    That a piece is another size counts for more than that it is another colour. What there is without the tower is
    reckoned once, since many towers are tried.
    """

    def __init__(self, left: Counter[Pyramid], lying: Counter[Pyramid]) -> None:
        self._left, self._lying = left, lying
        self._more = {piece: lying[piece] - max(left[piece], 0) for piece in left.keys() | lying.keys()}
        self._pieces = sum(map(abs, self._more.values()))
        self._sizes: Counter[Size] = Counter()
        for piece, count in self._more.items():
            self._sizes[piece.size] += count

    def with_tower(self, tower: Tower) -> float:
        pieces, sizes = self._pieces, dict(self._sizes)
        for piece, count in Counter(tower).items():
            before = self._more.get(piece, 0)
            now = self._lying[piece] - max(self._left[piece] - count, 0)
            pieces += abs(now) - abs(before)
            sizes[piece.size] = sizes.get(piece.size, 0) + now - before
        return sum(map(abs, sizes.values())) + pieces / 2


def at_start(players: tuple[Player, ...], options: Options, scene: Scene) -> Position:
    """The towers that a game starts from: whole ones, unless they and the scrapyard look otherwise."""
    scene = of_this_game(players, options, scene)
    first = read(scene)
    none: Towers = ((),) * TOWERS
    mine = [first.towers[n] if n < len(first.towers) else none for n in range(len(players))]
    whole = Position.of(tuple(tuple(_whole(tower) for tower in towers) for towers in mine))
    stacks = [_likeliest(whole, stack) for stack in weighed(whole, scene).stacks]
    found = read(Scene.of(stacks)).towers
    return Position.of(tuple(found[n] if n < len(found) else none for n in range(len(players))))


def _whole(tower: Tower) -> Tower:
    return tuple(Pyramid(tower[0].colour, size) for size in sorted(Size, reverse=True)) if tower else ()


def _likeliest(whole: Position, stack: Stack) -> Stack:
    place = place_of(stack)
    if place is None or stack.pose.is_lying:
        return stack
    best = max(stack.readings, key=lambda one: _expected(whole, place, one))
    return replace(stack, pyramids=best.pyramids)


@lru_cache(maxsize=2)
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
    return place is None or may_become(state.position, place, stack.pyramids)


def may_become(position: Position, place: Place, now: Tower) -> bool:
    tower = position.at(place)
    if not tower or not now:
        return False
    if now[:-1] == tower[:-1] and now[-1].size == tower[-1].size and now[-1] in position.scrapyard:
        return True
    pips = pips_of(tower) - pips_of(now)
    return pips in STRENGTHS and _is_left(now, *damaged(tower, pips))


def _is_left(now: Tower, left: Tower, removed: Tower, size: Size | None) -> bool:
    return now == left if size is None else now[:-1] == left and now[-1].size == size


# What a position shows, once the state is remembered.


@dataclass(frozen=True)
class Seen:
    """A position as the state lets us understand it. `differing` are places whose tower is not as it was; `odd` those
    that only our eye can have changed: they count as unchanged."""

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
        if _is_our_eye(state, position, was, now):
            odd.append(place)
            continue
        differing.append(place)
        towers = towers.but(place, now)
    lying = Counter(position.scrapyard)
    towers = _by_scrapyard(state.position, towers, lying) if lying else towers
    restored = [place for place in differing if towers.at(place) == state.position.at(place)]
    differing = [place for place in differing if place not in restored]
    return Seen(towers, lying, tuple(differing), (*odd, *restored))


def _by_scrapyard(before: Position, towers: Position, lying: Counter[Pyramid]) -> Position:
    """The towers with those as they were before that make the scrapyard as it is seen, one after the other."""
    while True:
        restored = [
            towers.but(place, before.at(place)) for place in before.places if before.at(place) != towers.at(place)
        ]
        best = min(restored, key=lambda one: _off(one, lying), default=towers)
        if _off(best, lying) >= _off(towers, lying):
            return towers
        towers = best


def _is_our_eye(state: State, position: Position, was: Tower, now: Tower) -> bool:
    """The top looks like a piece that is not to be had; or a tower is not seen, and none of it in the scrapyard."""
    if now and sizes_of(now) == sizes_of(was):
        return now[-1] not in state.position.scrapyard
    more = Counter(position.scrapyard)
    more.subtract(Counter(state.position.scrapyard))
    return not now and any(more[piece] < 1 for piece in was)


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


def is_whole(seen: Seen) -> bool:
    """Whether the scrapyard shows of each size just what should lie there: no tower that was misread has lost some."""
    should = Counter(one.size for one in seen.towers.scrapyard)
    return should == Counter(one.size for one in seen.lying.elements())


def is_exchange_borne_out(state: State, seen: Seen, place: Place) -> bool:
    """Whether the old top of a tower lies in the scrapyard, beside those that lay there."""
    top = state.position.at(place)[-1]
    return seen.lying[top] > state.position.scrapyard.count(top)


def refreshed(state: State, position: Position) -> State:
    """Nothing of a table that is like the state's has to be remembered."""
    return state
