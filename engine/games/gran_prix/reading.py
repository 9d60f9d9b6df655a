"""From a scene to a position, and which car each piece of it is.

Cars of one colour are told apart by where they were: a piece is the car that lies nearest to it, or that could have
come there.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from engine.game import Touch
from engine.games.gran_prix.geometry import between_deg, moved, turned
from engine.games.gran_prix.notation import pose_text, rounded
from engine.games.gran_prix.playing import geared
from engine.games.gran_prix.state import (
    ADJUSTING,
    FASTEST,
    STOPPED,
    Car,
    Piece,
    Position,
    Spinning,
    State,
    at,
    but,
    distance_mm,
)
from engine.games.gran_prix.tolerance import Tolerance
from engine.games.gran_prix.track import SheetPlace, Track
from engine.table import Colour, Pose, Reading, Scene, Size, Stack

FOREIGN_BELOW = 0.1  # share of a stack's readings as a lying piece of a car's colour under which it is no car
TRACK_SHEET = "track"  # what all sheets are called once their stacks lie in the frame of the track
FAR_MM = 400.0  # no piece so far from all places a car may be is that car: three long moves and a spin
NUDGED = Tolerance()  # for positions that no state has a camera for


def read(scene: Scene) -> Position:
    """The lying pieces of a scene; what stands upright is no car."""
    pieces = [Piece(stack.pyramids[0], rounded(stack.pose)) for stack in scene.stacks if stack.pose.is_lying]
    return Position.of(pieces, scene.error_mm)


def sift(state: State, scene: Scene) -> Scene:
    """The scene in the frame of the track, without readings that no car of this race can be."""
    return of_this_race(state.track, {car.colour for car in state.cars}, scene)


def of_this_race(track: Track, colours: Iterable[Colour], scene: Scene) -> Scene:
    """Lying pieces in the cars' colours, each of a car's size; gates and spare pieces that stand are left out.

    A scene that was sifted stays as it is.
    """
    known = frozenset(colours)
    places = {place.sheet: place for place in track.sheets}
    kept = []
    for stack in scene.stacks:
        place = places.get(stack.sheet)
        ranked = stack.readings or (Reading(stack.pyramids, stack.pose.heading_deg, stack.stand, 1.0),)
        fitting = tuple(one for one in ranked if _is_car(one, known))
        if sum(one.probability for one in fitting) >= FOREIGN_BELOW * sum(one.probability for one in ranked):
            if stack.sheet == TRACK_SHEET or place is None:
                place = SheetPlace(stack.sheet)
            kept.append(_laid(stack, fitting, place))
    return Scene.of(kept, (), scene.error_mm)


def _is_car(reading: Reading, colours: frozenset[Colour]) -> bool:
    return reading.is_lying and len(reading.pyramids) == 1 and reading.pyramids[0].colour in colours


def _laid(stack: Stack, readings: tuple[Reading, ...], place: SheetPlace) -> Stack:
    """The stack with these readings, in the frame of the track."""
    x_mm, y_mm = place.laid((stack.pose.x_mm, stack.pose.y_mm))
    ranked = tuple(replace(one, heading_deg=((one.heading_deg or 0.0) + place.turn_deg) % 360) for one in readings)
    first = ranked[0]
    return Stack(TRACK_SHEET, stack.zone, Pose(x_mm, y_mm, first.heading_deg), first.pyramids, first.stand, ranked)


def is_like(one: Pose, other: Pose, tolerance: Tolerance) -> bool:
    """Whether two places are the same, as far as hands and cameras are exact."""
    turn = between_deg(one.heading_deg or 0.0, other.heading_deg or 0.0)
    return distance_mm(one, other) <= tolerance.little_mm and turn <= tolerance.little_deg


def changes(one: Position, other: Position) -> tuple[Touch, ...]:
    """Pieces that lie elsewhere or are others; small shifts are forgiven."""
    gone, come = list(one.pieces), list(other.pieces)
    for piece in one.pieces:
        same = [now for now in come if now.pyramid == piece.pyramid and is_like(now.pose, piece.pose, NUDGED)]
        if same:
            gone.remove(piece)
            come.remove(min(same, key=lambda now: distance_mm(now.pose, piece.pose)))
    left = tuple(Touch(_place(piece.pose), str(piece.pyramid), "empty") for piece in gone)
    return (*left, *(Touch(_place(piece.pose), "empty", str(piece.pyramid)) for piece in come))


def touched(car: Car, pose: Pose) -> Touch:
    """A car that was shifted from where it lay to another place."""
    return Touch(
        _place(pose), f"{car.name} at {pose_text(rounded(car.pose))}", f"{car.name} at {pose_text(rounded(pose))}"
    )


def _place(pose: Pose) -> str:
    return f"{pose.x_mm:.0f},{pose.y_mm:.0f}"


def is_as_before(state: State, stack: Stack) -> bool:
    """Whether a car of that colour and size lies there."""
    piece = stack.pyramids[0]
    return any(
        car.colour is piece.colour and car.size == piece.size and is_like(car.pose, stack.pose, state.tolerance)
        for car in state.cars
    )


def is_possible(state: State, stack: Stack) -> bool:
    """Whether a car of that colour may have that size now: its own, or one gear up or down where drivers adjust."""
    piece = stack.pyramids[0]
    return any(car.colour is piece.colour and piece.size in _sizes(state, car) for car in state.cars)


def _sizes(state: State, car: Car) -> set[Size]:
    if state.due and state.stage != ADJUSTING:
        return {car.size}
    steps = range(max(car.step - 1, STOPPED), min(car.step + 1, FASTEST) + 1)
    return {car.size} | {geared(state, car, step).size for step in steps}


@dataclass(frozen=True)
class Seen:
    """Which piece each car is. `missing` are cars that no piece is, `spare` pieces on the track that are no car."""

    pieces: tuple[tuple[str, Piece], ...]
    missing: tuple[str, ...] = ()
    spare: tuple[Piece, ...] = ()

    def of(self, name: str) -> Piece:
        return dict(self.pieces)[name]


def recognised(state: State, position: Position) -> Seen:
    """Each car's piece, nearest pairs first; what lies off the track and is no car are somebody's spare pieces."""
    pairs = sorted(
        (_likeness(state, car, piece), n, m)
        for n, car in enumerate(state.cars)
        for m, piece in enumerate(position.pieces)
        if piece.pyramid.colour is car.colour
    )
    found: dict[str, Piece] = {}
    used: set[int] = set()
    for far, n, m in pairs:
        name = state.cars[n].name
        if name not in found and m not in used and far <= FAR_MM:
            found[name] = position.pieces[m]
            used.add(m)
    rest = [piece for m, piece in enumerate(position.pieces) if m not in used]
    spare = tuple(piece for piece in rest if state.track.is_on((piece.pose.x_mm, piece.pose.y_mm)))
    missing = tuple(car.name for car in state.cars if car.name not in found)
    return Seen(tuple(found.items()), missing, spare)


def _likeness(state: State, car: Car, piece: Piece) -> float:
    """How far the piece is from where the car is or may have come, in mm; a heading and a size count too."""
    places = [car.pose] if Spinning(car.name) in state.owed else reach(car)
    size = 0.0 if piece.pyramid.size == car.size else 10.0
    return size + min(
        distance_mm(place, piece.pose) + between_deg(place.heading_deg or 0.0, piece.pose.heading_deg or 0.0) / 3
        for place in places
    )


def reach(car: Car) -> list[Pose]:
    """Where the car lies, and where one move with or without a turn takes it."""
    if car.step == STOPPED:
        return [car.pose]
    ahead = moved(car.pose, car.size)
    return [car.pose, ahead, turned(ahead, car.size, "left"), turned(ahead, car.size, "right")]


def refreshed(state: State, position: Position) -> State:
    """The state with its cars where they are seen now, so that nudges do not add up."""
    state = as_exact_as(state, position)
    return as_seen(state, recognised(state, position))


def as_exact_as(state: State, position: Position) -> State:
    """The state with tolerances that allow for how exactly the photo's sheets are located."""
    tolerance = replace(state.tolerance, sheet_mm=position.error_mm)
    return state if tolerance == state.tolerance else but(state, tolerance=tolerance)


def as_seen(state: State, seen: Seen) -> State:
    """The state with each car that lies where it should exactly where it is seen; its size is remembered.

    Whether a car has left the track or crossed a line was settled when it moved.
    """
    pieces = dict(seen.pieces)
    cars = tuple(
        at(state.track, car, pieces[car.name].pose)
        if car.name in pieces and is_like(car.pose, pieces[car.name].pose, state.tolerance)
        else car
        for car in state.cars
    )
    return but(state, cars=cars)
