"""Before the first photo and beside the track: who races, how a race starts, what is told."""

from __future__ import annotations

from dataclasses import dataclass, field, fields, replace
from itertools import pairwise
from typing import Any

from engine.errors import InvalidSetup
from engine.games.gran_prix.dice import Dice
from engine.games.gran_prix.gates import track_of_gates
from engine.games.gran_prix.grid import Qualifying, pole_by_dice, pole_by_laps
from engine.games.gran_prix.notation import STEPS
from engine.games.gran_prix.reading import Seen, of_this_race, read
from engine.games.gran_prix.state import (
    FULL_CONTROL,
    LEVEL_MM,
    STOPPED,
    Car,
    Options,
    State,
    but,
    gear_of,
    leader_pylon,
    placed,
)
from engine.games.gran_prix.tolerance import Tolerance
from engine.games.gran_prix.track import COUNTER_CLOCKWISE, SheetPlace, Track, TrackError
from engine.gaps import gaps_of
from engine.table import Colour, Pose, Scene, Size

MOST_CARS, FEWEST_CARS, LAPS = 33, 2, 5
MOST_MM = 10_000.0  # no table is larger, and a line of a track is cut into short pieces
STARTS = {"starting line": STOPPED, "pace car": STEPS.index("2-2"), "standing start": STOPPED}
STANDING = "standing start"
UMPIRE = "umpire"  # who rolls
MOST_SEED = 200  # characters


@dataclass(frozen=True)
class Player:
    """A driver: the name, the colour of the car, and its place on the ladder of gears and speeds."""

    name: str
    colour: Colour
    step: int = STOPPED


@dataclass(frozen=True)
class Setup:
    """What is agreed before the first photo. `pylon` is empty unless the starting order was told."""

    players: tuple[Player, ...]
    track: Track
    pylon: tuple[str, ...] = ()
    laps: int = LAPS
    start: str = "starting line"
    options: Options = field(default_factory=Options)
    tolerance: Tolerance = field(default_factory=Tolerance)
    dice: Dice | None = None

    @classmethod
    def from_json(cls, doc: dict[str, Any], printed: Track | None = None) -> Setup:
        """The set-up that a game.json describes; `printed` is the track of the sheets on the table.

        Raises InvalidSetup, naming the field.
        """
        start = doc.get("start", "starting line")
        if not isinstance(start, str) or start not in STARTS:
            raise InvalidSetup("start", f"one of {', '.join(STARTS)}", start)
        players = _players(doc.get("players"), STARTS[start])
        laps = doc.get("laps", LAPS)
        if not isinstance(laps, int) or isinstance(laps, bool) or laps < 1:
            raise InvalidSetup("laps", "a whole number from 1", laps)
        dice, pylon = _dice(doc), names_in_order(doc.get("pylon", []), players, "pylon")
        if not pylon and doc.get("pole") == UMPIRE:
            if dice is None:
                raise InvalidSetup("pole", 'an order, or "dice": "umpire" and a seed for the umpire to roll', UMPIRE)
            dice, pylon = dice.rolled_for_pole(tuple(player.name for player in players))
        pylon = pylon or _pole(doc.get("pole"), players)
        track = track_from_json(doc, printed)
        return cls(players, track, pylon, laps, start, _options(doc), _tolerance(doc), dice)


def _dice(doc: dict[str, Any]) -> Dice | None:
    """The umpire's dice, where `dice` is "umpire" and a seed is told."""
    said, seed = doc.get("dice"), doc.get("seed")
    if said not in (None, "table", UMPIRE):
        raise InvalidSetup("dice", '"umpire", or "table" where the players roll their own', said)
    if seed is None or said != UMPIRE:
        return None
    if not isinstance(seed, int | str) or isinstance(seed, bool) or not str(seed).strip() or len(str(seed)) > MOST_SEED:
        raise InvalidSetup(
            "seed", "a whole number or a short text from which the umpire's dice follow", "something else"
        )
    return Dice.of(seed)


def _players(doc: Any, step: int) -> tuple[Player, ...]:
    if not isinstance(doc, list) or not FEWEST_CARS <= len(doc) <= MOST_CARS:
        raise InvalidSetup("players", f"a list of {FEWEST_CARS} to {MOST_CARS} drivers", doc)
    found = tuple(_player(n, player, step) for n, player in enumerate(doc))
    if len({player.name for player in found}) < len(found):
        raise InvalidSetup("players", "a different name for each driver", [player.name for player in found])
    return found


def _pole(doc: Any, players: tuple[Player, ...]) -> tuple[str, ...]:
    """The starting order by {"rolls": {name: [[3, 4], ...]}}: each driver's rolls, those to break ties included.

    {"laps": {name: {"rounds": 9, "phase": 2, "gear": 1, "speed": 3}}} says it by qualifying laps. (With "umpire" the
    umpire rolls: see `Setup.from_json`.)
    """
    if doc is None:
        return ()
    try:
        if "laps" in doc:
            laps = {
                name: Qualifying(lap["rounds"], lap["phase"], step_of(lap, "pole")) for name, lap in doc["laps"].items()
            }
            groups = pole_by_laps(laps)
        else:
            groups = pole_by_dice(
                {name: tuple((_die(a), _die(b)) for a, b in rolls) for name, rolls in doc["rolls"].items()}
            )
    except (AttributeError, KeyError, TypeError, ValueError):
        raise InvalidSetup("pole", "'rolls' or 'laps' of every driver", doc) from None
    tied = [" and ".join(group) for group in groups if len(group) > 1]
    if tied:
        raise InvalidSetup("pole", "rolls that break every tie", f"a tie of {tied[0]}")
    return names_in_order([name for (name,) in groups], players, "pole")


def _die(pips: Any) -> int:
    if _whole(pips) not in range(1, 7):
        raise ValueError
    return int(pips)


def _player(n: int, doc: Any, step: int) -> Player:
    if not isinstance(doc, dict) or not isinstance(doc.get("name"), str) or not doc["name"].strip():
        raise InvalidSetup(f"players[{n}].name", "a name", doc)
    try:
        colour = Colour(doc.get("colour"))
    except ValueError:
        raise InvalidSetup(f"players[{n}].colour", "the colour of the car", doc.get("colour")) from None
    if "gear" in doc or "speed" in doc:
        step = step_of(doc, f"players[{n}]")
    return Player(doc["name"], colour, step)


def step_of(doc: dict[str, Any], where: str) -> int:
    """The place on the ladder that a gear and a speed say; speed 0 is stopped."""
    gear, speed = doc.get("gear", 0), doc.get("speed", 0)
    if speed == 0 and gear in (0, 1):
        return STOPPED
    if gear not in (1, 2, 3) or speed not in (1, 2, 3) or isinstance(gear, bool) or isinstance(speed, bool):
        raise InvalidSetup(
            where, "a gear and a speed of 1 to 3, or speed 0 for stopped", {"gear": gear, "speed": speed}
        )
    return 3 * (int(gear) - 1) + int(speed)


def _options(game: dict[str, Any]) -> Options:
    """The switches of `options`, and `gaps`. Raises InvalidSetup."""
    doc, known = game.get("options", {}), [each.name for each in fields(Options)]
    fine = isinstance(doc, dict) and all(name in known and isinstance(value, bool) for name, value in doc.items())
    if not fine:
        raise InvalidSetup("options", f"true or false for some of {', '.join(known)}", doc)
    return Options(**({"gaps": gaps_of(game)} | doc))


def _tolerance(doc: dict[str, Any]) -> Tolerance:
    """What the camera's readings are off by, if that was measured: `error_mm`, `error_deg`."""
    found = Tolerance()
    for name in ("error_mm", "error_deg"):
        value = doc.get(name, getattr(found, name))
        if not isinstance(value, int | float) or isinstance(value, bool) or not 0 <= value <= 10:
            raise InvalidSetup(name, "a number from 0 to 10", value)
        found = replace(found, **{name: float(value)})
    return found


def names_in_order(names: Any, players: tuple[Player, ...], what: str) -> tuple[str, ...]:
    """All drivers' names in an order, or none. Raises InvalidSetup."""
    known = {player.name for player in players}
    is_fine = isinstance(names, list) and all(isinstance(name, str) for name in names)
    if not is_fine or (names and (set(names) != known or len(names) != len(known))):
        raise InvalidSetup(what, f"all of {', '.join(sorted(known))}, each once", names)
    return tuple(names)


# Tracks.


def track_from_json(doc: dict[str, Any], printed: Track | None) -> Track:
    """The track that values describe, else the printed one. Raises InvalidSetup.

    {"track": {"outer": [[x, y], ...], "inner": [...], "finish": [[x, y], [x, y]], "walls": [[[x, y], ...]]}} is drawn,
    {"track": {"gates": [[[x, y], [x, y]], ...], "finish": 1}} made of gates: the inner pyramid, then the outer one;
    `finish` is the number of the gate on the line. {"track": {"gates": "seen"}} are gates that stand on the table: see
    `seen_gates`, of which `printed` is then the track. Walls may be "outer": the whole outer line.
    """
    direction, value = doc.get("direction", COUNTER_CLOCKWISE), doc.get("track")
    try:
        if printed is not None and (value is None or has_gates_to_see(value)):
            return replace(printed, direction=direction)
        if isinstance(value, dict) and "gates" in value:
            gates = tuple((_point(gate[0]), _point(gate[1])) for gate in value["gates"])
            return Track.of_gates(gates, direction, _whole(value.get("finish", 1)) - 1)
        if isinstance(value, dict):
            outer, inner = _points(value["outer"]), _points(value["inner"])
            finish = _points(value["finish"])
            return Track(outer, inner, (finish[0], finish[1]), direction, _walls(value, outer), _sheets(value))
    except TrackError as fault:
        raise InvalidSetup("track", str(fault), value) from None
    except (AttributeError, KeyError, IndexError, OverflowError, TypeError, ValueError):
        pass
    raise InvalidSetup("track", "lines 'outer', 'inner' and 'finish', or 'gates', as lists of [x, y] in mm", value)


def has_gates_to_see(track: Any) -> bool:
    """Whether a game.json's `track` is gates that the first photo is to show."""
    return isinstance(track, dict) and track.get("gates") == "seen"


def seen_gates(doc: dict[str, Any], scene: Scene, places: tuple[SheetPlace, ...]) -> tuple[Track, tuple[str, ...]]:
    """The track of the gates that stand on the first table, and what is odd about them. Raises InvalidSetup."""
    finish = doc["track"].get("finish")
    if finish is not None and (not isinstance(finish, int) or isinstance(finish, bool) or finish < 1):
        raise InvalidSetup("finish", "the number of a gate", finish)
    try:
        return track_of_gates(scene, places, doc.get("direction", COUNTER_CLOCKWISE), finish)
    except TrackError as fault:
        raise InvalidSetup("track", str(fault), "seen") from None


def _walls(value: dict[str, Any], outer: tuple[Any, ...]) -> tuple[Any, ...]:
    walls = value.get("walls", [])
    return ((*outer, outer[0]),) if walls == "outer" else tuple(_points(wall) for wall in walls)


def _sheets(value: dict[str, Any]) -> tuple[SheetPlace, ...]:
    return tuple(SheetPlace(name, *map(_bounded, place)) for name, place in value.get("sheets", {}).items())


def _points(doc: Any) -> tuple[tuple[float, float], ...]:
    return tuple(_point(point) for point in doc)


def _point(doc: Any) -> tuple[float, float]:
    x_mm, y_mm = map(_bounded, doc)
    return x_mm, y_mm


def _bounded(value: Any) -> float:
    """A number that can be a place on a table. Raises ValueError."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) <= MOST_MM:
        raise ValueError
    return float(value)


def _whole(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise ValueError
    return value


# The start.


def start(setup: Setup, scene: Scene) -> State:
    """The first round, from the table as the first scene shows it. Raises InvalidSetup where a car is not seen."""
    state = begun(setup, {})
    position = read(of_this_race(setup.track, {player.colour for player in setup.players}, scene))
    seen = _found(state, recognised_at_start(state, setup, position))
    return but(seen, pylon=tuple((name,) for name in setup.pylon) or leader_pylon(seen))


def begun(setup: Setup, poses: dict[str, Pose]) -> State:
    """The first round with cars in given places; those without one lie on the finish line's middle."""
    track = setup.track
    (x0, y0), (x1, y1) = track.finish
    middle = ((x0 + x1) / 2, (y0 + y1) / 2)
    somewhere = Pose(*middle, track.heading_at(middle))
    cars = []
    for player in setup.players:
        size = Size(gear_of(player.step) or 1)
        pose = poses.get(player.name, somewhere)
        waits = setup.start == STANDING
        car = Car(player.name, player.colour, size, pose, player.step, FULL_CONTROL, setup.laps, has_started=not waits)
        cars.append(replace(placed(track, car, pose), is_off=waits))
    state = State(track, tuple(cars), (), options=setup.options, tolerance=setup.tolerance, dice=setup.dice)
    return but(state, pylon=tuple((name,) for name in setup.pylon) or leader_pylon(state))


def recognised_at_start(state: State, setup: Setup, position: Any) -> Seen:
    """Each car's piece: of its colour, of its gear's size if one is, and rather on the track than off it."""
    left, found = list(position.pieces), []
    order = setup.pylon or tuple(player.name for player in setup.players)
    for name in order:
        car = state.by_name[name]
        fitting = [piece for piece in left if piece.pyramid.colour is car.colour]
        if not fitting:
            continue
        fitting.sort(key=lambda piece: _unlikely(state, car, piece))
        found.append((name, fitting[0]))
        left.remove(fitting[0])
    missing = tuple(car.name for car in state.cars if car.name not in dict(found))
    return Seen(tuple(found), missing)


def _unlikely(state: State, car: Car, piece: Any) -> tuple[bool, bool, float]:
    is_off = not state.track.is_on((piece.pose.x_mm, piece.pose.y_mm))
    place = placed(state.track, car, piece.pose).driven_mm
    return is_off and car.has_started, piece.pyramid.size != car.size, -place


def _found(state: State, seen: Seen) -> State:
    if seen.missing:
        names = " and ".join(seen.missing)
        raise InvalidSetup(
            "the first photo", f"every car; {names} is not to be seen", [name for name, _ in seen.pieces]
        )
    pieces = dict(seen.pieces)
    cars = tuple(placed(state.track, car, pieces[car.name].pose) for car in state.cars)
    return but(state, cars=cars)


def start_warnings(state: State) -> tuple[str, ...]:
    """What about the table is not as a race starts, in sentences."""
    found = []
    for car in state.cars:
        off = state.track.depth_off_mm((car.pose.x_mm, car.pose.y_mm))
        if car.has_started and off > state.tolerance.doubt_mm:
            found.append(f"{car.name}'s car starts off the track.")
        if not car.has_started and off < -state.tolerance.doubt_mm:
            found.append(f"{car.name}'s car is on the track, but in a standing start cars wait beside it.")
    return (*found, *_grid_warnings(state))


def _grid_warnings(state: State) -> list[str]:
    """Where cars that all start alike do not stand in their order or stand over the line; of others nothing."""
    started, doubt = [car for car in state.cars if car.has_started], state.tolerance.doubt_mm
    if {car.step for car in started} not in ({STARTS["starting line"]}, {STARTS["pace car"]}):
        return []
    found = [f"{car.name}'s car is over the starting line." for car in started if car.driven_mm > doubt]
    order = [state.by_name[name] for group in state.pylon for name in group]
    for one, other in pairwise(order):
        if other.driven_mm - one.driven_mm > LEVEL_MM + doubt:
            found.append(f"{other.name}'s car stands ahead of {one.name}'s, which starts before it.")
    return found
