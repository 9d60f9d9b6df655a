"""A race as SVG: the track from above, the cars on it, and where the next pyramid is to be laid.

The whole track is some EXTENT units wide, y runs down the page. Nothing is said by colour alone: every car has its
colour's letter and its size as pips. Colours come from the page's style sheet by class name, as the board's do.
"""

from __future__ import annotations

from collections.abc import Iterable

from markupsafe import Markup, escape

from engine.games.gran_prix import Car, Point, Row, State, Track, footprint, next_up, status_mat, tip
from engine.games.gran_prix.geometry import between_deg
from engine.table import Pose
from webui.ink import LETTERS, face, place

EXTENT = 880.0
MARGIN_MM = 12.0
NOWHERE = '<svg class="board track" viewBox="0 0 880 620" role="img" aria-label="No race yet"></svg>'


class _Paper:
    """Millimetres of the track in units of the drawing."""

    def __init__(self, track: Track) -> None:
        xs, ys = zip(*track.outer, strict=True)
        self._left, self._top = min(xs) - MARGIN_MM, max(ys) + MARGIN_MM
        wide, high = max(xs) - min(xs) + 2 * MARGIN_MM, max(ys) - min(ys) + 2 * MARGIN_MM
        self.scale = EXTENT / max(wide, high)
        self.wide, self.high = wide * self.scale, high * self.scale

    def at(self, point: Point) -> tuple[float, float]:
        return (point[0] - self._left) * self.scale, (self._top - point[1]) * self.scale

    def points(self, line: Iterable[Point]) -> str:
        return " ".join(f"{x:.1f},{y:.1f}" for x, y in map(self.at, line))


def track_svg(state: State | None, before: State | None, manner: str) -> Markup:
    """The whole drawing; cars that lie elsewhere than in `before` are marked in the manner of the ruling."""
    if state is None:
        return Markup(NOWHERE)
    paper = _Paper(state.track)
    parts = [
        f'<svg class="board track" viewBox="0 0 {paper.wide:.1f} {paper.high:.1f}" role="img"'
        ' aria-label="The race as the umpire has it">',
        *_track(state.track, paper),
        *_next_places(state, paper),
        *(part for car, label in _labelled(state) for part in _car(car, label, paper)),
        *_marks(state, before, manner, paper),
    ]
    return Markup("".join((*parts, "</svg>")))  # numbers and fixed words only; names are escaped


def _track(track: Track, paper: _Paper) -> list[str]:
    return [
        f'<rect class="shaded" x="0" y="0" width="{paper.wide:.1f}" height="{paper.high:.1f}" rx="18"/>',
        f'<polygon class="light" points="{paper.points(track.outer)}"/>',
        f'<polygon class="shaded" points="{paper.points(track.inner)}"/>',
        *(
            f'<polyline class="wall" points="{paper.points(wall)}"><title>Wall</title></polyline>'
            for wall in track.walls
        ),
        f'<polyline class="finish" points="{paper.points(track.finish)}"><title>Finish line</title></polyline>',
        f'<polyline class="finish squares" points="{paper.points(track.finish)}"/>',
    ]


def _footprints(state: State) -> tuple[tuple[str, tuple[Point, ...]], ...]:
    """Where the next pyramid is to be laid: words, and the corners of its footprint, mm."""
    return tuple(
        (f"{name} moves here", footprint(target, state.by_name[name].size)) for name, _, target in next_up(state).moves
    )


def _next_places(state: State, paper: _Paper) -> list[str]:
    return [
        f'<polygon class="trail" fill="none" stroke-dasharray="9 8" points="{paper.points(corners)}">'
        f"<title>{escape(words)}</title></polygon>"
        for words, corners in _footprints(state)
    ]


def _labelled(state: State) -> list[tuple[Car, str]]:
    """Each car with its colour's letter, and with the number of its status mat where several cars share a colour."""
    rows = {row.car: row for row in status_mat(state).rows}
    return [(car, LETTERS[car.colour] + numbered(rows[car.name])) for car in state.cars]


def numbered(row: Row) -> str:
    return str(row.mat) if row.is_shared else ""


def _car(car: Car, label: str, paper: _Paper) -> list[str]:
    front, left, right = car.footprint
    back = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2)
    x, y = paper.at((back[0] + 0.3 * (front[0] - back[0]), back[1] + 0.3 * (front[1] - back[1])))
    size, ink = (6.5 if len(label) == 1 else 5.0) * paper.scale, f"on-{car.colour}"
    number = f'text-anchor="middle" dominant-baseline="central" font-size="{size:.1f}"'
    drawn = [
        *face(car.colour, paper.points((front, left, right)), paper.points((front, back, right))),
        f'<text class="letter {ink}" x="{x:.1f}" y="{y:.1f}" {number}>{label}</text>',
        *_pips(car, back, front, paper),
    ]
    xs, ys = zip(*map(paper.at, car.footprint), strict=True)
    box = (min(xs) - 4, min(ys) - 4, max(xs) - min(xs) + 8, max(ys) - min(ys) + 8)
    return place(f"table@{car.pose.x_mm:.1f},{car.pose.y_mm:.1f}", car.name, drawn, box)


def _pips(car: Car, back: Point, front: Point, paper: _Paper) -> list[str]:
    """The size as pips, in a row towards the tip."""
    shares = (0.5 + 0.1 * number for number in range(car.size))
    places = (paper.at((back[0] + s * (front[0] - back[0]), back[1] + s * (front[1] - back[1]))) for s in shares)
    radius = 0.9 * paper.scale
    return [f'<circle class="pip on-{car.colour}" cx="{x:.1f}" cy="{y:.1f}" r="{radius:.1f}"/>' for x, y in places]


def _marks(state: State, before: State | None, manner: str, paper: _Paper) -> list[str]:
    """An outline about each car that lies elsewhere than before, and the way its tip has gone."""
    parts = []
    for car in state.cars if before is not None else ():
        was = before.by_name.get(car.name) if before is not None else None
        if was is not None and not _is_same(was.pose, car.pose):
            parts.append(f'<polygon class="mark {manner}" points="{paper.points(car.footprint)}"/>')
            way = paper.points((tip(was.pose, was.size), car.tip))
            parts.append(f'<polyline class="trail" points="{way}"/>')
    return parts


def _is_same(one: Pose, other: Pose) -> bool:
    turned = between_deg(one.heading_deg or 0.0, other.heading_deg or 0.0)
    return abs(one.x_mm - other.x_mm) < 4 and abs(one.y_mm - other.y_mm) < 4 and turned < 8
