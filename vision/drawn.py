"""A track drawn by hand between the four corner cards, read from its photo.

Draw the outer and the inner line as closed lines, and a finish line from the one to the other. Red is a wall: a red
stretch of either line, or a red stroke of its own on the track. Other colours are lines, all alike. If everything is
red, nothing of it is a wall.

Points are millimetres in the frame of the first card that is seen (`vision.ground.first_card`); `cards` says where the
others lie in it. What is not found is missing with a reason in words, and may be clicked: see `clicked`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.chessboard import LAYOUT
from calibration.optics import LocatedTable, SheetPose
from vision.ground import first_card

Point = tuple[float, float]
Points = tuple[Point, ...]
Floats = NDArray[np.float64]

OUTER, INNER, FINISH, WALLS = "outer", "inner", "finish", "walls"
PARTS = (OUTER, INNER, FINISH, WALLS)
MOST_POINTS = 2000  # of a clicked line


class DrawnError(Exception):
    """No track can be read or clicked in this picture at all; the message says why and what to do."""


@dataclass(frozen=True)
class DrawnTrack:
    """A track's lines, mm; empty where they were not found, and `missing` then says why: (part, words).

    `cards` are (name, x_mm, y_mm, turn_deg): where each card's own frame lies in the track's. `notes` are sentences.
    """

    cards: tuple[tuple[str, float, float, float], ...]
    outer: Points = ()
    inner: Points = ()
    finish: Points = ()
    walls: tuple[Points, ...] = ()
    missing: tuple[tuple[str, str], ...] = ()
    notes: tuple[str, ...] = ()

    @property
    def is_whole(self) -> bool:
        return bool(self.outer and self.inner and self.finish)


# Frames.


def frame_of(table: LocatedTable) -> SheetPose:
    """table_from_track: the frame of the first card that is seen. Raises DrawnError."""
    if table.layout != LAYOUT:
        raise DrawnError(
            "The four corner cards are not in this picture, and a drawn track is measured by them: print the sheets "
            "'corner', cut them out and lay one at each corner of the board."
        )
    return first_card(table).pose


def cards_of(table: LocatedTable) -> tuple[tuple[str, float, float, float], ...]:
    """Where each card that is seen lies in the track's frame. Raises DrawnError."""
    frame, found = frame_of(table), []
    for sheet in table.sheets:
        x_mm, y_mm = frame.to_sheet(np.array([[sheet.pose.x_mm, sheet.pose.y_mm]]))[0].tolist()
        turn_deg = (sheet.pose.turn_deg - frame.turn_deg + 180) % 360 - 180
        found.append((sheet.sheet, round(x_mm, 2), round(y_mm, 2), round(turn_deg, 3)))
    return tuple(found)


def to_track(table: LocatedTable, pixels: Sequence[Point] | Floats) -> Points:
    """Where pixels (x, y) of the photo are on the paper, in the track's frame."""
    if len(pixels) == 0:
        return ()
    return tuples(frame_of(table).to_sheet(table.camera.to_plane(np.array(pixels, dtype=np.float64))))


def to_photo(table: LocatedTable, points: Sequence[Point]) -> Floats:
    """The photo's pixels, shape (n, 2), of points of the track's frame."""
    flat = frame_of(table).to_table(np.array(points, dtype=np.float64).reshape(-1, 2))
    return table.camera.project(np.column_stack([flat, np.zeros(len(flat))]))


def tuples(points: Floats) -> Points:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in points)


# Clicked lines.


def clicked(table: LocatedTable, pixels: Mapping[str, Any], drawn: DrawnTrack | None = None) -> DrawnTrack:
    """The track with the parts that were clicked, as pixels of the photo, in place of those that were read.

    `outer` and `inner` are lines of three points or more that close by themselves, `finish` two points, `walls` lines
    of two or more, each point an (x, y). Raises DrawnError for anything else.
    """
    track = drawn or DrawnTrack(cards_of(table))
    for part, given in pixels.items():
        if part not in PARTS:
            raise DrawnError(f"The parts of a track are {', '.join(PARTS)}; {part!r} is none of them.")
        lines = given if part == WALLS and isinstance(given, list | tuple) else (given,)
        found = tuple(to_track(table, _clicks(part, line)) for line in lines)
        match part:
            case "outer":
                track = replace(track, outer=found[0])
            case "inner":
                track = replace(track, inner=found[0])
            case "finish":
                track = replace(track, finish=found[0])
            case _:
                track = replace(track, walls=found)
    return replace(track, missing=tuple((part, why) for part, why in track.missing if part not in pixels))


def _clicks(part: str, line: Any) -> Points:
    """The points of one line. Raises DrawnError."""
    least, most = {OUTER: (3, MOST_POINTS), INNER: (3, MOST_POINTS), FINISH: (2, 2)}.get(part, (2, MOST_POINTS))
    try:
        points = tuple((float(x), float(y)) for x, y in line)
        is_fine = least <= len(points) <= most and bool((np.abs(points) < 1e5).all())
    except (TypeError, ValueError):
        is_fine = False
    if not is_fine:
        wanted = "two points" if part == FINISH else f"{least} points or more"
        raise DrawnError(f"Click {wanted} for the {part} of the track, each as [x, y] in pixels of the photo.")
    return points


# The overlay.

INK_BGR = {OUTER: (60, 200, 60), INNER: (235, 150, 40), FINISH: (255, 255, 255), WALLS: (50, 40, 230)}


def draw_track(image_bgr: NDArray[np.uint8], table: LocatedTable, track: DrawnTrack) -> NDArray[np.uint8]:
    """A new picture: the photo with the lines of the track drawn over it."""
    picture = image_bgr.copy()
    unit = max(picture.shape[:2]) / 1000
    lines = [(OUTER, track.outer, True), (INNER, track.inner, True), (FINISH, track.finish, False)]
    lines += [(WALLS, wall, False) for wall in track.walls]
    for width, inks in ((4.5, dict.fromkeys(PARTS, (20, 20, 20))), (2.2, INK_BGR)):
        for part, line, is_closed in lines:
            if line:
                pixels = np.round(np.nan_to_num(to_photo(table, line), nan=-1e4)).astype(np.int32)
                thick = max(1, round((width + 1.2 * (part in (FINISH, WALLS))) * unit))
                cv2.polylines(picture, [pixels.reshape(-1, 1, 2)], is_closed, inks[part], thick, cv2.LINE_AA)
    return picture
