"""Reading a track that is drawn on a board: its lines, finish line and walls, by the pen's strokes on it.

See `vision.drawn` for how to draw one. Points inside this module are pixels (x, y) of the board seen from above.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.optics import LocatedTable
from vision.drawn import FINISH, INNER, OUTER, DrawnTrack, Floats, Points, cards_of, frame_of, tuples
from vision.ground import drawn_on
from vision.ink import Ink, Mask, grown, shrunk
from vision.paper import Plan
from vision.strokes import RingLine, between, middle_line, ring_of


@dataclass(frozen=True)
class DrawnSettings:
    """Scales and thresholds of reading a drawn track."""

    gaps_mm: tuple[float, ...] = (0.0, 4.0)  # in a line: closed by the least that does
    wide_gaps_mm: tuple[float, ...] = (9.0, 16.0, 26.0)  # and by these where nothing else helps
    beside_mm: float = 6.0  # what is nearer to a line than this belongs to it
    least_track_mm2: float = 20_000.0  # what encloses less is no track
    least_infield_mm2: float = 900.0
    exact_mm: float = 0.7  # how far a line's points may leave out
    most_gap_mm: float = 60.0  # at one place of a line that is closed otherwise: then it is closed straight
    least_line_mm: float = 120.0  # a stroke that goes less far is no line around a track
    finish_gap_mm: float = 14.0  # a finish line may stop so far from either line
    same_finish_mm: float = 30.0  # two lines across the track that near each other are one finish line
    least_stroke_mm: float = 20.0  # shorter walls and strokes are left out
    least_stub_mm: float = 8.0  # but what shows of a finish line under a car may be as short as that


SETTINGS = DrawnSettings()


def read_drawn(image_bgr: NDArray[np.uint8], table: LocatedTable) -> DrawnTrack:
    """The track that is drawn between the cards of a photo, shape (height, width, 3). Raises DrawnError."""
    board = _Board.of(image_bgr, table)
    found = DrawnTrack(cards_of(table))
    (outer, inner, notes), why = _rings(board)
    found = replace(found, notes=notes)
    found = replace(found, outer=() if outer is None else board.to_track(outer))
    found = replace(found, inner=() if inner is None else board.to_track(inner))
    if outer is None or inner is None:
        missing = [part for part, line in ((OUTER, outer), (INNER, inner), (FINISH, None)) if line is None]
        return replace(found, missing=tuple((part, why) for part in missing))
    across, others = _strokes_on_track(board, outer, inner)
    walls = _walls(board, (outer, inner), others)
    found = replace(found, walls=tuple(board.to_track(wall) for wall in walls))
    return _with_finish(found, board, across)


@dataclass(frozen=True, eq=False)
class _Board:
    """The board between the cards, seen straight from above, and its ink."""

    plan: Plan
    table: LocatedTable
    ink: Ink

    @classmethod
    def of(cls, image_bgr: NDArray[np.uint8], table: LocatedTable) -> _Board:
        frame_of(table)  # raises where there are no cards
        plan, ink = drawn_on(image_bgr, table)
        return cls(plan, table, ink)

    def with_stroke(self, one: Floats, other: Floats) -> _Board:
        """The board with one more stroke, from pixel to pixel."""
        drawn = self.ink.drawn.copy()
        a, b = (tuple(int(v) for v in np.round(end)) for end in (one, other))
        cv2.line(drawn, a, b, 1, max(round(self.ink.width_px), 1))
        return replace(self, ink=replace(self.ink, drawn=drawn))

    @property
    def px(self) -> float:
        """Pixels a millimetre."""
        return self.plan.px_per_mm

    def to_track(self, pixels: Floats) -> Points:
        return tuples(frame_of(self.table).to_sheet(self.plan.to_table(pixels)))

    def where(self, pixel: Floats) -> str:
        """A place in words: nearest to which card it is."""
        x, y = self.to_track(np.asarray(pixel, dtype=np.float64).reshape(1, 2))[0]
        cards = cards_of(self.table)
        name = min(cards, key=lambda card: math.hypot(card[1] - x, card[2] - y))[0]
        sides = {"corner-sw": "bottom left", "corner-se": "bottom right", "corner-nw": "top left"}
        return f"towards the {sides.get(name, 'top right')} card, {x:.0f}, {y:.0f} mm from the first"


Rings = tuple[Floats | None, Floats | None, tuple[str, ...]]


def _rings(board: _Board) -> tuple[Rings, str]:
    """The outer and the inner line as plan pixels, and notes; what is missing, in words, where one is.

    Small gaps are closed by growing all ink a little. A line that is open at one place is closed straight, if the place
    is short. Lines with several gaps, or dashed ones, are closed by growing more: that is less exact.
    """
    found = _grown_rings(board, SETTINGS.gaps_mm)
    if found[1] is not None:
        return found, ""
    ends, is_inside = _open_ends(board, found[0])
    gap_mm = math.inf if ends is None else float(np.linalg.norm(ends[1] - ends[0])) / board.px
    where = "" if ends is None else board.where(ends.mean(axis=0))
    if ends is not None and gap_mm <= SETTINGS.most_gap_mm:
        again = _grown_rings(board.with_stroke(*ends), SETTINGS.gaps_mm)
        if again[1] is not None:
            return (again[0], again[1], (f"I closed a gap of {gap_mm:.0f} mm {where}.", *again[2])), ""
    wide = _grown_rings(board, SETTINGS.wide_gaps_mm)
    if wide[1] is not None:
        return wide, ""
    if ends is None and _has_strokes_around(board, found[0]):
        why = "I see only parts of an outer line: close it all around (dashes are too far apart), or click it."
        return (None, found[0], found[2]), why
    if ends is None:
        return found, _why(board, found)
    why = (
        f"One line is not closed: it has a gap of {gap_mm:.0f} mm {where}. Close it with the pen, keep glare and hands "
        "off it, or click the line."
    )
    return (found if is_inside else (None, found[0], found[2])), why


def _grown_rings(board: _Board, gaps_mm: tuple[float, ...]) -> Rings:
    """The rings when gaps of that size are closed, the smallest that will do."""
    best: Rings = (None, None, ())
    for gap_mm in gaps_mm:
        grown_px, area = gap_mm / 2 * board.px, board.px**2
        outer = ring_of(board.ink, grown_px, SETTINGS.least_track_mm2 * area)
        inner = None if outer is None else ring_of(board.ink, grown_px, SETTINGS.least_infield_mm2 * area, outer)
        lines = [middle_line(ring, board.ink, board.px) for ring in (outer, inner) if ring is not None]
        if len(lines) == 2:
            notes = (
                (f"I closed gaps of up to {gap_mm:.0f} mm in the lines.",) if gaps_mm == SETTINGS.wide_gaps_mm else ()
            )
            return lines[0].points, lines[1].points, (*notes, *_covered_words(board, lines))
        if lines and best[0] is None:
            best = (lines[0].points, None, _covered_words(board, lines))
    return best


def _covered_words(board: _Board, lines: list[RingLine]) -> tuple[str, ...]:
    said: dict[str, None] = {}
    for name, line in zip((OUTER, INNER), lines, strict=False):
        places: list[Floats] = []
        for place in line.covered:
            if all(np.linalg.norm(place - other) > SETTINGS.same_finish_mm * board.px for other in places):
                places.append(place)
                where = board.where(place)
                said[f"Something lies on the {name} line {where}: I take the line to go straight on beneath it."] = None
    return tuple(said)


def _open_ends(board: _Board, ring: Floats | None) -> tuple[Floats | None, bool]:
    """The two ends, shape (2, 2), of the longest stroke that does not close, and whether it is inside of the ring."""
    strokes = cv2.dilate(board.ink.strokes, np.ones((3, 3), np.uint8))
    inside = np.zeros_like(strokes) if ring is None else _filled(board, ring)
    if ring is not None:
        outline = [np.round(ring).astype(np.int32)]
        strokes = cv2.polylines(
            strokes, outline, True, 0, round(board.ink.width_px + 2 * SETTINGS.beside_mm * board.px)
        )
    small = cv2.resize(strokes, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)  # the way along it takes time
    count, labels, stats, _ = cv2.connectedComponentsWithStats((small > 0).astype(np.uint8), connectivity=8)
    sides = np.maximum(stats[1:, cv2.CC_STAT_WIDTH], stats[1:, cv2.CC_STAT_HEIGHT]) * 2 / board.px
    if count < 2 or sides.max() < SETTINGS.least_line_mm:
        return None, False
    ends = 2 * between(labels == 1 + int(sides.argmax()))[[0, -1]] + 0.5
    column, row = np.round(ends[0]).astype(int).tolist()
    return np.asarray(ends), bool(inside[row, column])


def _has_strokes_around(board: _Board, ring: Floats | None) -> bool:
    """Whether much is drawn outside of the ring, so that it will be the inner line."""
    if ring is None:
        return False
    outside = 1 - grown(_filled(board, ring), SETTINGS.beside_mm * board.px + board.ink.width_px)
    drawn_px = int((board.ink.strokes & outside).sum())
    return drawn_px > 2 * SETTINGS.least_line_mm * board.px * board.ink.width_px


def _why(board: _Board, found: Rings) -> str:
    if found[0] is not None:
        return (
            "I see only one closed line. A track has two: draw the inner line too, closed all around, "
            "and not touching the outer one."
        )
    if board.ink.strokes.sum() < SETTINGS.least_line_mm * board.px * board.ink.width_px:
        return (
            "No line is to be seen between the cards: draw the track with a pen that is at least 2 mm wide, and keep "
            "glare off the board."
        )
    return (
        "I see strokes, but no closed line around a track: close the outer line all around, inside the cards, "
        "and keep glare and hands off it."
    )


@dataclass(frozen=True, eq=False)
class _Stroke:
    """A stroke on the track: how far from the inner and the outer line it ends, where, and what lies beside it."""

    mask: NDArray[np.bool_]
    gaps_mm: tuple[float, float]
    ends: tuple[Floats, Floats]
    beside: frozenset[int]

    def is_across(self) -> bool:
        return max(self.gaps_mm) <= SETTINGS.finish_gap_mm

    def goes_on_as(self, other: _Stroke) -> bool:
        """Whether this one comes from the inner line, the other from the outer one, to the same piece between them."""
        reach = SETTINGS.finish_gap_mm
        return self.gaps_mm[0] <= reach and other.gaps_mm[1] <= reach and bool(self.beside & other.beside)


def _strokes_on_track(board: _Board, outer: Floats, inner: Floats) -> tuple[list[Floats], list[tuple[Floats, bool]]]:
    """Strokes across the track, from the inner line to the outer one, and the others with whether they are red."""
    found = _strokes(board, outer, inner)
    pairs = [(one, one) for one in found if one.is_across()]
    if not pairs:
        pairs = [(one, other) for one in found for other in found if one is not other and one.goes_on_as(other)]
    across = [np.array([_nearest(inner, one.ends[0]), _nearest(outer, other.ends[1])]) for one, other in pairs]
    used = {id(one) for pair in pairs for one in pair}
    rest = [(between(one.mask), bool(board.ink.red[one.mask].mean() > 0.5)) for one in found if id(one) not in used]
    return across, [(line, is_red) for line, is_red in rest if _length(line) >= SETTINGS.least_stroke_mm * board.px]


def _strokes(board: _Board, outer: Floats, inner: Floats) -> list[_Stroke]:
    ink, reach = board.ink, 1.2 * board.ink.width_px + board.px
    inside, hole = (_filled(board, line) for line in (outer, inner))
    off_lines = cv2.distanceTransform(1 - hole, cv2.DIST_L2, 5), cv2.distanceTransform(inside, cv2.DIST_L2, 5)
    on_track = (off_lines[0] > reach) & (off_lines[1] > reach) & (ink.strokes > 0)
    joined = shrunk(grown(on_track.astype(np.uint8), 2.0 * board.px), 2.0 * board.px)
    _, labels, stats, _ = cv2.connectedComponentsWithStats(joined, connectivity=8)
    _, pieces = cv2.connectedComponents(grown(ink.thick, 4.0 * board.px))
    found = []
    for number in range(1, len(stats)):
        mask = labels == number
        side = max(stats[number, cv2.CC_STAT_WIDTH], stats[number, cv2.CC_STAT_HEIGHT])
        beside = frozenset(np.unique(pieces[mask]).tolist()) - {0}
        least_mm = SETTINGS.least_stub_mm if beside else SETTINGS.least_stroke_mm
        if side < least_mm * board.px or _touches(mask, ink.thick, board.px):
            continue
        nearest = [float(away[mask].min()) for away in off_lines]
        ends = [
            np.argwhere(mask & (away <= near + board.px)).mean(axis=0)[::-1]
            for away, near in zip(off_lines, nearest, strict=True)
        ]
        gaps = [(near - reach) / board.px for near in nearest]
        found.append(_Stroke(mask, (gaps[0], gaps[1]), (ends[0], ends[1]), beside))
    return found


def _touches(mask: NDArray[np.bool_], thick: Mask, px_per_mm: float) -> bool:
    """Whether the stroke is but the edge of a thing that lies there."""
    near = grown(thick, 2.5 * px_per_mm) > 0
    return bool((mask & near).sum() > 0.3 * mask.sum())


def _filled(board: _Board, line: Floats) -> Mask:
    width, height = board.plan.size_px
    mask = np.zeros((height, width), np.uint8)
    cv2.fillPoly(mask, [np.round(line).astype(np.int32)], 1)
    return mask


def _nearest(line: Floats, point: Floats) -> Floats:
    """The nearest place of a closed line of pixels."""
    start, along = line, np.roll(line, -1, axis=0) - line
    share = ((point - start) * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-9)
    places = start + np.clip(share, 0, 1)[:, None] * along
    return np.asarray(places[np.linalg.norm(places - point, axis=1).argmin()])


def _with_finish(found: DrawnTrack, board: _Board, across: list[Floats]) -> DrawnTrack:
    """The track with its finish line, or why it has none."""
    near = SETTINGS.same_finish_mm * board.px
    if across and all(np.linalg.norm(line.mean(axis=0) - across[0].mean(axis=0)) <= near for line in across):
        return replace(found, finish=board.to_track(np.mean(across, axis=0)))
    if not across:
        why = "I see no finish line: draw a line straight across the track, from the inner line to the outer one."
    else:
        places = "; ".join(board.where(line.mean(axis=0)) for line in across)
        why = f"{len(across)} lines run across the track, and only one is the finish line: wipe the others ({places})."
    return replace(found, missing=((FINISH, why),))


# Walls.


def _walls(board: _Board, lines: tuple[Floats, Floats], others: list[tuple[Floats, bool]]) -> list[Floats]:
    """Red stretches of the lines and red strokes on the track; none where all that is drawn is red."""
    strokes = board.ink.strokes > 0
    if board.ink.red[strokes].mean() > 0.9:
        return []
    found = [stretch for line in lines for stretch in _red_stretches(board, line)]
    return [*found, *(_simple(line, board.px) for line, is_red in others if is_red)]


def _red_stretches(board: _Board, line: Floats) -> list[Floats]:
    near = grown(board.ink.red, 1.5 * board.px)
    dense = _dense(line, board.px)
    columns, rows = np.round(dense).astype(int).T
    height, width = near.shape
    is_red = near[np.clip(rows, 0, height - 1), np.clip(columns, 0, width - 1)] > 0
    if is_red.all():
        return [np.concatenate([line, line[:1]])]
    first = int(np.argmin(is_red))  # begin where it is not red, so that no stretch is cut
    is_red, dense = np.roll(is_red, -first), np.roll(dense, -first, axis=0)
    steps = np.flatnonzero(np.diff(np.concatenate([[False], is_red, [False]]).astype(int)))
    stretches = [dense[a:b] for a, b in zip(steps[::2], steps[1::2], strict=True)]
    least = SETTINGS.least_stroke_mm * board.px
    return [_simple(one, board.px) for one in stretches if len(one) > 1 and _length(one) >= least]


def _dense(line: Floats, step_px: float) -> Floats:
    """Points of a closed line, one for each step."""
    parts = []
    for a, b in zip(line, np.roll(line, -1, axis=0), strict=True):
        count = max(1, round(float(np.linalg.norm(b - a)) / step_px))
        parts.append(a + (b - a) * np.arange(count)[:, None] / count)
    return np.concatenate(parts)


def _length(line: Floats) -> float:
    return float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum())


def _simple(line: Floats, px_per_mm: float) -> Floats:
    """The open line with as few points as say it exactly enough."""
    kept = cv2.approxPolyDP(line.astype(np.float32).reshape(-1, 1, 2), SETTINGS.exact_mm * px_per_mm, False)
    return np.asarray(kept.reshape(-1, 2), dtype=np.float64)
