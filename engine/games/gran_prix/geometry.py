"""How a lying pyramid covers paper, moves and turns. Millimetres and degrees in the frame of the track.

A car touches the paper with one face: a triangle from the base edge to the tip. Its pose is midway between the two,
as everywhere (`engine.table.Pose`). A move goes one face length on, so that the new base edge lies on the old tip; a
turn rolls the car over a side edge: the tip stays, the heading changes by the face's angle at the tip.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

from engine.table import Pose, Size

Point = tuple[float, float]

# Base edges and heights of the published pieces, in 32nds of an inch: (7 n + 11) and (12 n + 20) for n pips.
_INCH_32 = 25.4 / 32
BASE_MM = {size: (7 * size + 11) * _INCH_32 for size in Size}
HEIGHT_MM = {size: (12 * size + 20) * _INCH_32 for size in Size}
LENGTH_MM = {size: math.hypot(HEIGHT_MM[size], BASE_MM[size] / 2) for size in Size}  # 26.4, 36.3 and 46.2
TURN_DEG = {size: math.degrees(2 * math.atan2(BASE_MM[size] / 2, LENGTH_MM[size])) for size in Size}  # 30.3 .. 30.7
CAR_MM = 50.0  # no corner of a footprint is farther from another
SIDES = {"left": 1, "right": -1}


def tip(pose: Pose, size: Size) -> Point:
    """The car's front."""
    return ahead_of((pose.x_mm, pose.y_mm), heading(pose), LENGTH_MM[size] / 2)


def with_tip(point: Point, heading_deg: float, size: Size) -> Pose:
    """The pose of a car whose tip is there."""
    x_mm, y_mm = ahead_of(point, heading_deg, -LENGTH_MM[size] / 2)
    return Pose(x_mm, y_mm, heading_deg % 360)


def moved(pose: Pose, size: Size) -> Pose:
    """One car length on.

    >>> round(moved(Pose(0.0, 0.0, 0.0), Size.SMALL).x_mm, 1)
    26.4
    """
    x_mm, y_mm = ahead_of((pose.x_mm, pose.y_mm), heading(pose), LENGTH_MM[size])
    return Pose(x_mm, y_mm, pose.heading_deg)


def turned(pose: Pose, size: Size, side: str) -> Pose:
    """Rolled over one side edge so that the heading turns left or right; the tip stays.

    >>> round(turned(Pose(0.0, 0.0, 90.0), Size.LARGE, "left").heading_deg, 1)
    120.7
    """
    return with_tip(tip(pose, size), heading(pose) + SIDES[side] * TURN_DEG[size], size)


def footprint(pose: Pose, size: Size) -> tuple[Point, Point, Point]:
    """The triangle on the paper: the tip, then the ends of the base edge, left and right."""
    angle = math.radians(heading(pose))
    along, aside = (math.cos(angle), math.sin(angle)), (-math.sin(angle), math.cos(angle))
    half, width = LENGTH_MM[size] / 2, BASE_MM[size] / 2
    back = (pose.x_mm - half * along[0], pose.y_mm - half * along[1])
    return (
        (pose.x_mm + half * along[0], pose.y_mm + half * along[1]),
        (back[0] + width * aside[0], back[1] + width * aside[1]),
        (back[0] - width * aside[0], back[1] - width * aside[1]),
    )


def middle(pose: Pose, size: Size) -> Point:
    """The centroid of the footprint: what counts for being on the track."""
    return ahead_of((pose.x_mm, pose.y_mm), heading(pose), -LENGTH_MM[size] / 6)


def overlap_mm(one: Sequence[Point], other: Sequence[Point]) -> float:
    """How deep two convex footprints lie in each other; below zero where they are at least that far apart."""
    least = math.inf
    for corners in (one, other):
        for (x0, y0), (x1, y1) in pairwise((*corners, corners[0])):
            along = math.hypot(x1 - x0, y1 - y0)
            nx, ny = (y0 - y1) / along, (x1 - x0) / along
            a = [nx * x + ny * y for x, y in one]
            b = [nx * x + ny * y for x, y in other]
            least = min(least, max(a) - min(b), max(b) - min(a))
    return least


def overlaps(one: Sequence[Point], other: Sequence[Point]) -> bool:
    """Whether `overlap_mm` is above zero, told as soon as one side parts the two."""
    for corners in (one, other):
        x0, y0 = corners[-1]
        for x1, y1 in corners:
            nx, ny = y0 - y1, x1 - x0
            a = [nx * x + ny * y for x, y in one]
            b = [nx * x + ny * y for x, y in other]
            if max(a) <= min(b) or max(b) <= min(a):
                return False
            x0, y0 = x1, y1
    return True


def depth_over_line_mm(corners: Sequence[Point], line: Sequence[Point]) -> float:
    """How far a footprint reaches over a line, at most; below zero where it is that far from the line.

    The line is a polyline, and reaching over it counts from the side on which most of the footprint lies.
    """
    return max(_depth_over_segment(corners, start, end) for start, end in pairwise(line))


def _depth_over_segment(corners: Sequence[Point], start: Point, end: Point) -> float:
    edges = tuple(pairwise((*corners, corners[0])))
    far = min(nearest_on((start, end), corner)[0] for corner in corners)
    if far > CAR_MM:
        return CAR_MM - far
    if not any(_cross(*edge, start, end) for edge in edges) and not holds(corners, start):
        return -min(_between_segments_mm(*edge, start, end) for edge in edges)
    along = math.dist(start, end)
    sides = [_side(start, end, corner) / along for corner in corners]
    return max(min(max(sides), -min(sides)), 0.0)


def holds(polygon: Sequence[Point], point: Point) -> bool:
    """Whether the point is inside the closed polygon."""
    x, y = point
    inside = False
    x0, y0 = polygon[-1]
    for x1, y1 in polygon:
        if (y0 > y) != (y1 > y) and x < x0 + (y - y0) * (x1 - x0) / (y1 - y0):
            inside = not inside
        x0, y0 = x1, y1
    return inside


def nearest_on(line: Sequence[Point], point: Point, numbers: Iterable[int] | None = None) -> tuple[float, int, float]:
    """The nearest place of a polyline: its distance, the segment's number, and how far along that segment (mm).

    Only segments of these `numbers` are looked at, if any are given.
    """
    x, y = point
    best = (math.inf, 0, 0.0)
    for number in range(len(line) - 1) if numbers is None else numbers:
        (x0, y0), (x1, y1) = line[number], line[number + 1]
        dx, dy = x1 - x0, y1 - y0
        squared = dx * dx + dy * dy
        share = ((x - x0) * dx + (y - y0) * dy) / squared if squared else 0.0
        share = 0.0 if share < 0 else 1.0 if share > 1 else share
        away = (x - x0 - share * dx) ** 2 + (y - y0 - share * dy) ** 2
        if away < best[0]:
            best = (away, number, share * math.sqrt(squared))
    return math.sqrt(best[0]), best[1], best[2]


Segment = tuple[int, float, float, float, float, float]  # its number, where it starts, its way, that squared


class Line:
    """A polyline that is often asked for its nearest place: the segments near a cell of the plane are found once."""

    CELL_MM = 40.0

    def __init__(self, points: Sequence[Point]) -> None:
        self.points = tuple(points)
        self._near: dict[tuple[float, float], tuple[Segment, ...]] = {}

    def nearest(self, point: Point) -> tuple[float, int, float]:
        """As `nearest_on`."""
        x, y = point
        cell = (x // self.CELL_MM, y // self.CELL_MM)
        segments = self._near.get(cell)
        if segments is None:
            segments = self._near[cell] = tuple(self._segment(number) for number in self._segments_near(cell))
        best, at, along = math.inf, 0, 0.0
        for number, x0, y0, dx, dy, squared in segments:
            share = ((x - x0) * dx + (y - y0) * dy) / squared if squared else 0.0
            share = 0.0 if share < 0 else 1.0 if share > 1 else share
            aside, ahead = x - x0 - share * dx, y - y0 - share * dy
            away = aside * aside + ahead * ahead
            if away < best:
                best, at, along = away, number, share * math.sqrt(squared)
        return math.sqrt(best), at, along

    def _segment(self, number: int) -> Segment:
        (x0, y0), (x1, y1) = self.points[number], self.points[number + 1]
        dx, dy = x1 - x0, y1 - y0
        return number, x0, y0, dx, dy, dx * dx + dy * dy

    def _segments_near(self, cell: tuple[float, float]) -> tuple[int, ...]:
        """The segments of which one is the nearest to every point of the cell."""
        centre = ((cell[0] + 0.5) * self.CELL_MM, (cell[1] + 0.5) * self.CELL_MM)
        away = [nearest_on(self.points, centre, (number,))[0] for number in range(len(self.points) - 1)]
        least = min(away) + math.sqrt(2) * self.CELL_MM
        return tuple(number for number, far in enumerate(away) if far <= least)


def closed(polygon: Sequence[Point]) -> tuple[Point, ...]:
    """The polygon as a polyline that ends where it began."""
    return (*polygon, polygon[0])


def area_mm2(polygon: Sequence[Point]) -> float:
    """The area, above zero where the corners go counter-clockwise."""
    return sum(x0 * y1 - x1 * y0 for (x0, y0), (x1, y1) in pairwise(closed(polygon))) / 2


def ahead_of(point: Point, heading_deg: float, distance_mm: float) -> Point:
    angle = math.radians(heading_deg)
    return point[0] + distance_mm * math.cos(angle), point[1] + distance_mm * math.sin(angle)


def between_deg(one: float, other: float) -> float:
    """The angle between two headings, 0 to 180.

    >>> between_deg(350.0, 10.0)
    20.0
    """
    return abs((one - other + 180) % 360 - 180)


def heading(pose: Pose) -> float:
    """The heading of a lying piece. Raises ValueError for an upright one, which is no car."""
    if pose.heading_deg is None:
        raise ValueError("a car lies on its side; this piece stands upright")
    return pose.heading_deg


def _side(start: Point, end: Point, point: Point) -> float:
    return (end[0] - start[0]) * (point[1] - start[1]) - (end[1] - start[1]) * (point[0] - start[0])


def _cross(a: Point, b: Point, c: Point, d: Point) -> bool:
    return (_side(a, b, c) > 0) != (_side(a, b, d) > 0) and (_side(c, d, a) > 0) != (_side(c, d, b) > 0)


def _between_segments_mm(a: Point, b: Point, c: Point, d: Point) -> float:
    """The distance between two segments that do not cross."""
    ends = (((a, b), c), ((a, b), d), ((c, d), a), ((c, d), b))
    return min(nearest_on(segment, point)[0] for segment, point in ends)
