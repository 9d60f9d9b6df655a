"""The track: a ring between an outer and an inner line, its finish line and walls, and how far round a place is.

Every kind of track is such a ring: the printed oval, tiles laid together, lines drawn on a whiteboard, and gates of
two pyramids each, between which the lines run straight. Cars that lie on several sheets are brought into one frame
by where each sheet lies in it (`sheets`).
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

from engine.games.gran_prix.geometry import CAR_MM, Line, Point, area_mm2, closed, depth_over_line_mm, holds, nearest_on
from engine.table import Pose

SAMPLE_MM = 10.0  # how fine the centre line is
JOINT_MM = 6.0  # ends of tiles no farther apart are joined: sheets are laid by hand
DIVIDED = 2  # of a cell of the plane: a line may run through it
COUNTER_CLOCKWISE, CLOCKWISE = "counter-clockwise", "clockwise"


class TrackError(ValueError):
    """Lines that make no track; says what is wrong in words."""


@dataclass(frozen=True)
class SheetPlace:
    """Where a sheet's frame lies in the track's: its origin and by how much it is turned."""

    sheet: str
    x_mm: float = 0.0
    y_mm: float = 0.0
    turn_deg: float = 0.0

    def laid(self, point: Point) -> Point:
        """A point of the sheet in the frame of the track."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        return self.x_mm + cos * point[0] - sin * point[1], self.y_mm + sin * point[0] + cos * point[1]

    def on_sheet(self, pose: Pose) -> Pose:
        """A pose of the track's frame in the sheet's own."""
        cos, sin = math.cos(math.radians(self.turn_deg)), math.sin(math.radians(self.turn_deg))
        x_mm, y_mm = pose.x_mm - self.x_mm, pose.y_mm - self.y_mm
        heading_deg = None if pose.heading_deg is None else (pose.heading_deg - self.turn_deg) % 360
        return Pose(cos * x_mm + sin * y_mm, cos * y_mm - sin * x_mm, heading_deg)


@dataclass(frozen=True)
class Track:
    """A ring, in the frame of the track (mm). `finish` are the finish line's ends; `walls` are polylines.

    Raises TrackError when the lines make no ring.
    """

    outer: tuple[Point, ...]
    inner: tuple[Point, ...]
    finish: tuple[Point, Point]
    direction: str = COUNTER_CLOCKWISE
    walls: tuple[tuple[Point, ...], ...] = ()
    sheets: tuple[SheetPlace, ...] = ()

    def __post_init__(self) -> None:
        if len(self.outer) < 3 or len(self.inner) < 3:
            raise TrackError("the outer and the inner line of a track each need three points or more")
        if not all(holds(self.outer, point) for point in self.inner):
            raise TrackError("the inner line of a track lies inside its outer line")
        if self.direction not in (COUNTER_CLOCKWISE, CLOCKWISE):
            raise TrackError(f"cars go {COUNTER_CLOCKWISE} or {CLOCKWISE}, not {self.direction!r}")
        if not self.is_on(_halfway(*self.finish)):
            raise TrackError("the finish line lies across the track")
        if any(len(wall) < 2 for wall in self.walls):
            raise TrackError("a wall needs two points or more")

    @classmethod
    def of_gates(
        cls, gates: tuple[tuple[Point, Point], ...], direction: str = COUNTER_CLOCKWISE, finish: int = 0
    ) -> Track:
        """A track of gates (the inner pyramid, the outer one) in their order; one of them is the finish line."""
        if len(gates) < 3:
            raise TrackError("a track needs three gates or more")
        if not 0 <= finish < len(gates):
            raise TrackError(f"gate {finish + 1} is to be the finish line, and there are {len(gates)} gates")
        inner, outer = tuple(gate[0] for gate in gates), tuple(gate[1] for gate in gates)
        return cls(outer, inner, gates[finish], direction)

    def is_on(self, point: Point) -> bool:
        """Whether a point is on the track. Cells of the plane that no line comes near are looked at once."""
        cell = (point[0] // Line.CELL_MM, point[1] // Line.CELL_MM)
        whole = self._cells.get(cell)
        if whole is None:
            centre = ((cell[0] + 0.5) * Line.CELL_MM, (cell[1] + 0.5) * Line.CELL_MM)
            is_clear = min(self._outer_line.nearest(centre)[0], self.to_inner_mm(centre)) > Line.CELL_MM
            whole = self._cells[cell] = int(self._holds(centre)) if is_clear else DIVIDED
        return self._holds(point) if whole == DIVIDED else whole == 1

    def _holds(self, point: Point) -> bool:
        return holds(self.outer, point) and not holds(self.inner, point)

    @cached_property
    def _cells(self) -> dict[tuple[float, float], int]:
        return {}

    def depth_off_mm(self, point: Point) -> float:
        """How far off the track a point is; below zero on the track."""
        edge = min(self._outer_line.nearest(point)[0], self.to_inner_mm(point))
        return -edge if self.is_on(point) else edge

    def to_inner_mm(self, point: Point) -> float:
        """How far from the inner line: of two cars level with each other, the one nearer to it is the inner car."""
        return self._inner_line.nearest(point)[0]

    @cached_property
    def _inner_line(self) -> Line:
        return Line(closed(self.inner))

    @cached_property
    def _outer_line(self) -> Line:
        return Line(closed(self.outer))

    @cached_property
    def _centre_line(self) -> Line:
        return Line(self.centre)

    def nearest_on_track(self, point: Point) -> Point:
        """The nearest place of the track's edges, for a point off the track."""
        return min(
            (_point_on(closed(line), point) for line in (self.outer, self.inner)), key=lambda p: math.dist(p, point)
        )

    def wall_depth_mm(self, corners: tuple[Point, ...]) -> float:
        """How far a footprint reaches into a wall; below zero where it is clear of all walls."""
        far = min((wall.nearest(corners[0])[0] for wall in self._wall_lines), default=math.inf)
        if far > CAR_MM:
            return CAR_MM - far
        return max((depth_over_line_mm(corners, wall) for wall in self.walls), default=-math.inf)

    @cached_property
    def _wall_lines(self) -> tuple[Line, ...]:
        return tuple(Line(wall) for wall in self.walls)

    @cached_property
    def centre(self) -> tuple[Point, ...]:
        """The centre line as a closed polyline in the direction of the race."""
        inner = closed(self.inner)
        points = [_halfway(point, _point_on(inner, point)) for point in _sampled(closed(self.outer))]
        is_forward = (area_mm2(points) > 0) == (self.direction == COUNTER_CLOCKWISE)
        return closed(points if is_forward else points[::-1])

    @cached_property
    def _starts(self) -> tuple[float, ...]:
        """How far along the centre line each of its points is, and its whole length last."""
        starts = [0.0]
        for one, other in pairwise(self.centre):
            starts.append(starts[-1] + math.dist(one, other))
        return tuple(starts)

    @cached_property
    def lap_mm(self) -> float:
        return self._starts[-1]

    @cached_property
    def _finish_mm(self) -> float:
        return self._along(_halfway(*self.finish))

    def _along(self, point: Point) -> float:
        _, number, along = self._centre_line.nearest(point)
        return self._starts[number] + along

    def progress_mm(self, point: Point) -> float:
        """How far past the finish line a place is along the centre line; the half lap before the line is below zero."""
        return self.wrapped(self._along(point) - self._finish_mm)

    def wrapped(self, way_mm: float) -> float:
        """A way along the centre line, of several that differ by whole laps the shortest."""
        half = self.lap_mm / 2
        return (way_mm + half) % self.lap_mm - half

    def heading_at(self, point: Point) -> float:
        """Where the race goes at a place, in degrees."""
        number = self._centre_line.nearest(point)[1]
        (x0, y0), (x1, y1) = self.centre[number : number + 2]
        return math.degrees(math.atan2(y1 - y0, x1 - x0)) % 360

    def point_at(self, progress_mm: float, inner_share: float = 0.5) -> Point:
        """A place so far past the finish line; `inner_share` 1 is on the inner line, 0 on the outer one."""
        along = (self._finish_mm + progress_mm) % self.lap_mm
        number = max(n for n, start in enumerate(self._starts[:-1]) if start <= along)
        (x0, y0), (x1, y1) = self.centre[number : number + 2]
        share = (along - self._starts[number]) / max(self._starts[number + 1] - self._starts[number], 1e-9)
        centre = (x0 + share * (x1 - x0), y0 + share * (y1 - y0))
        edge = _point_on(closed(self.inner), centre)
        far = 2 * (inner_share - 0.5)
        return centre[0] + far * (edge[0] - centre[0]), centre[1] + far * (edge[1] - centre[1])

    @cached_property
    def width_mm(self) -> float:
        """The least width of the ring."""
        inner = closed(self.inner)
        return min(nearest_on(inner, point)[0] for point in _sampled(closed(self.outer)))


@dataclass(frozen=True)
class Tile:
    """A tile's two edges of the track, both from its one end to its other, in the frame of the track."""

    one: tuple[Point, ...]
    other: tuple[Point, ...]

    @property
    def turned_round(self) -> Tile:
        return Tile(self.other[::-1], self.one[::-1])


def joined(
    tiles: tuple[Tile, ...],
    finish: tuple[Point, Point],
    direction: str = COUNTER_CLOCKWISE,
    sheets: tuple[SheetPlace, ...] = (),
) -> Track:
    """The ring that tiles make, in whatever order they are given. Raises TrackError where their ends do not meet."""
    left = list(tiles)
    chain = [left.pop(0)] if left else []
    while left:
        found = next((way for tile in left for way in (tile, tile.turned_round) if _meets(chain[-1], way)), None)
        if found is None:
            raise TrackError("the tiles make no ring: an end of the track meets no other tile")
        left = [tile for tile in left if tile not in (found, found.turned_round)]
        chain.append(found)
    if not chain or not _meets(chain[-1], chain[0]):
        raise TrackError("the tiles make no ring: the last one does not meet the first")
    lines = (
        tuple(point for tile in chain for point in tile.one[:-1]),
        tuple(point for tile in chain for point in tile.other[:-1]),
    )
    outer, inner = sorted(lines, key=lambda line: -abs(area_mm2(line)))
    return Track(outer, inner, finish, direction, (), sheets)


def _meets(tile: Tile, following: Tile) -> bool:
    ends = ((tile.one[-1], following.one[0]), (tile.other[-1], following.other[0]))
    return all(math.dist(*pair) <= JOINT_MM for pair in ends)


def _halfway(one: Point, other: Point) -> Point:
    return (one[0] + other[0]) / 2, (one[1] + other[1]) / 2


def _sampled(line: tuple[Point, ...]) -> list[Point]:
    """Points along a polyline, its own among them, none farther apart than SAMPLE_MM; the last one left out."""
    found = []
    for (x0, y0), (x1, y1) in pairwise(line):
        count = max(1, math.ceil(math.hypot(x1 - x0, y1 - y0) / SAMPLE_MM))
        found += [(x0 + (x1 - x0) * n / count, y0 + (y1 - y0) * n / count) for n in range(count)]
    return found


def _point_on(line: tuple[Point, ...], point: Point) -> Point:
    """The nearest point of a polyline."""
    _, number, along = nearest_on(line, point)
    (x0, y0), (x1, y1) = line[number : number + 2]
    share = along / max(math.hypot(x1 - x0, y1 - y0), 1e-9)
    return x0 + share * (x1 - x0), y0 + share * (y1 - y0)
