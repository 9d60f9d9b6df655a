"""Before the first photo and beside the track: who races, how a race starts, what is told."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, fields, replace
from typing import Any

from engine.errors import InvalidNotation, InvalidSetup
from engine.games.gran_prix.grid import Qualifying, pole_by_dice, pole_by_laps
from engine.games.gran_prix.notation import ADJUST, PURPOSES, START, STEPS, TURN, WAIT, Adjust, Roll, parse
from engine.games.gran_prix.reading import Seen, of_this_race, read
from engine.games.gran_prix.state import (
    ADJUSTING,
    FULL_CONTROL,
    STOPPED,
    Car,
    Crashed,
    Options,
    State,
    Tolerance,
    but,
    gear_of,
    leader_pylon,
    placed,
    ready,
    turns_in,
)
from engine.games.gran_prix.track import COUNTER_CLOCKWISE, SheetPlace, Track, TrackError
from engine.gaps import gaps_of
from engine.table import Colour, Pose, Scene, Size

MOST_CARS, FEWEST_CARS, LAPS = 33, 2, 5
MOST_MM = 10_000.0  # no table is larger, and a line of a track is cut into short pieces
STARTS = {"starting line": STOPPED, "pace car": STEPS.index("2-2"), "standing start": STOPPED}
STANDING = "standing start"


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
        pylon = names_in_order(doc.get("pylon", []), players, "pylon") or _pole(doc.get("pole"), players)
        track = track_from_json(doc, printed)
        return cls(players, track, pylon, laps, start, _options(doc), _tolerance(doc))


def _players(doc: Any, step: int) -> tuple[Player, ...]:
    if not isinstance(doc, list) or not FEWEST_CARS <= len(doc) <= MOST_CARS:
        raise InvalidSetup("players", f"a list of {FEWEST_CARS} to {MOST_CARS} drivers", doc)
    found = tuple(_player(n, player, step) for n, player in enumerate(doc))
    if len({player.name for player in found}) < len(found):
        raise InvalidSetup("players", "a different name for each driver", [player.name for player in found])
    return found


def _pole(doc: Any, players: tuple[Player, ...]) -> tuple[str, ...]:
    """The starting order by {"rolls": {name: [[3, 4], ...]}}: each driver's rolls, those to break ties included.

    {"laps": {name: {"rounds": 9, "phase": 2, "gear": 1, "speed": 3}}} says it by qualifying laps.
    """
    if doc is None:
        return ()
    try:
        if "laps" in doc:
            laps = {
                name: Qualifying(lap["rounds"], lap["phase"], _step(lap, "pole")) for name, lap in doc["laps"].items()
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
        step = _step(doc, f"players[{n}]")
    return Player(doc["name"], colour, step)


def _step(doc: dict[str, Any], where: str) -> int:
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
    `finish` is the number of the gate on the line. Walls may be "outer": the whole outer line.
    """
    direction, value = doc.get("direction", COUNTER_CLOCKWISE), doc.get("track")
    try:
        if value is None and printed is not None:
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
    state = State(track, tuple(cars), (), options=setup.options, tolerance=setup.tolerance)
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
    return tuple(found)


# What is told.


def declare(state: State, declaration: Any) -> State:
    """The state after something was said between two photos. Raises InvalidSetup.

    {"roll": [3, 4], "for": "turn", "player": "Red"}: two dice, for turn, adjust, wait (after a crash) or start; where
    only one driver can have rolled, the player may be left out. {"adjust": "Red", "gear": 1, "speed": 2}; speed 0 is
    stopped. {"action": "adjust Red 1-2"} says either in notation. {"pylon": [names]}: the order of this round.
    """
    match declaration:
        case {"pylon": names}:
            order = names_in_order(names, tuple(Player(car.name, car.colour) for car in state.cars), "pylon")
            return but(state, pylon=tuple((name,) for name in order), is_sure=True)
        case {"adjust": str(name)}:
            return _said(state, Adjust(_known(state, name, "adjust"), _step(declaration, "adjust")))
        case {"roll": [int(first), int(second)]} if 1 <= first <= 6 and 1 <= second <= 6:
            purpose, name = _meaning(state, declaration)
            return _said(state, Roll(name, (first, second), purpose))
        case {"action": str(text)}:
            return _said(state, _move(text))
    expected = (
        'an object such as {"roll": [3, 4], "for": "turn", "player": "Red"} or {"adjust": "Red", "gear": 1, "speed": 2}'
    )
    raise InvalidSetup("declared", expected, declaration)


def _said(state: State, move: Adjust | Roll) -> State:
    return but(state, said=(*state.said, move))


def _known(state: State, name: str, field_name: str) -> str:
    if name not in state.by_name:
        raise InvalidSetup(field_name, f"one of {', '.join(state.by_name)}", name)
    return name


def _move(text: str) -> Adjust | Roll:
    try:
        move = parse(text)
    except InvalidNotation as fault:
        raise InvalidSetup("action", "a move in notation", str(fault)) from None
    if not isinstance(move, Adjust | Roll):
        raise InvalidSetup("action", "a roll or an adjustment: the table shows everything else", text)
    return move


def _meaning(state: State, doc: dict[str, Any]) -> tuple[str, str]:
    """What the dice were rolled for and by whom; what is left out follows from who can have rolled for it now."""
    words = f"{doc.get('for', '')} {doc.get('player', '')}".lower()
    purpose = next((one for one in PURPOSES if one in words.split()), None)
    name = next((name for name in state.by_name if re.search(rf"\b{re.escape(name.lower())}\b", words)), None)
    if purpose is None and name is None and words.strip() not in ("", "check", "driver check"):
        raise InvalidSetup("for", f"one of {', '.join(PURPOSES)}, or a driver's name", doc.get("for"))
    purpose = purpose or _purpose_of(state, name)
    able = (name,) if name else _who_may_roll(state, purpose)
    if not able:
        raise InvalidSetup("player", f"who rolled for {purpose}: one of {', '.join(state.by_name)}", doc.get("player"))
    return purpose, able[-1]


def _purpose_of(state: State, name: str | None) -> str:
    if any(isinstance(one, Crashed) for one in state.owed):
        return WAIT
    if name is not None and not state.by_name[name].has_started:
        return START
    return ADJUST if state.stage == ADJUSTING else TURN


def _who_may_roll(state: State, purpose: str) -> tuple[str, ...]:
    """Drivers who can have rolled for that now, or after the next move."""
    if purpose == WAIT:
        return tuple(one.car for one in state.owed if isinstance(one, Crashed))
    if purpose == TURN:
        later = ready(state)
        able = [(state.turning, state.stage), *((name, later.stage) for name in later.awaited)]
        return tuple(name for name, stage in able if name and not turns_in(state.by_name[name], stage))
    if purpose == START:
        return tuple(car.name for car in state.cars if not car.has_started)
    return state.may_adjust
