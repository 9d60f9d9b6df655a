"""The scenes that sure eyes would see of the stories: every piece where the story has it, without doubt."""

from __future__ import annotations

import math
from collections.abc import Iterator

from story_scripts import COLOURS, SLANT_MM, Frame, Story

from calibration.sheets import load_layouts, load_sheets
from engine.table import Colour, Pose, Pyramid, Reading, Scene, Size, Stack

DIRECTIONS = ("E", "NE", "N", "NW", "W", "SW", "S", "SE")


def table_of(story: Story, frame: Frame) -> Scene:
    """What lies there, as a scene."""
    lay = {"board": _board, "silos-2p": _silos, "towers-2p": _towers, "track-oval": _track}[story.layout]
    return Scene.of(list(lay(frame)))


def _board(frame: Frame) -> Iterator[Stack]:
    mids, missiles = frame.lies
    for square, (stand, pieces) in mids.items():
        yield _stack(*_square(square), pieces, nudge=frame.nudged.get(square), stand=Colour(stand))
    for square, piece, way in missiles:
        yield _stack(*_square(square), piece, DIRECTIONS.index(way) * 45.0)


def _silos(frame: Frame) -> Iterator[Stack]:
    silos, damage, wing = frame.lies
    for player, nests in silos.items():
        sheet = f"silos-{player}"
        for n, nest in enumerate(nests, 1):
            if nest:
                yield _stack(sheet, f"silo-{n}", nest.split()[0], nudge=frame.nudged.get(f"{player}/{n}"))
        for (number, n), piece in damage.items():
            if number == player:
                yield _stack(sheet, f"front-{n}", piece, 270.0)
        for n, piece in enumerate(wing[player]):
            yield _stack(sheet, "air-wing", piece, nudge=(45.0 * n - 60.0, 0.0))


def _towers(frame: Frame) -> Iterator[Stack]:
    towers, yard = frame.lies
    for (player, n), pieces in towers.items():
        if pieces:
            yield _stack(f"towers-{player}", f"tower-{n}", pieces, nudge=frame.nudged.get(f"{player}/{n}"))
    for n, piece in enumerate(yard):
        yield _stack("scrapyard", "scrapyard", piece, 90.0, nudge=(30.0 * (n % 8) - 105, 48.0 * (n // 8) - 42))


def _track(frame: Frame) -> Iterator[Stack]:
    for car, (size, x_mm, y_mm, deg) in frame.lies.items():
        dx, dy = frame.nudged.get(car, (0.0, 0.0))
        back, turn = SLANT_MM[size] / 2, math.radians(deg)
        pose = Pose(x_mm - back * math.cos(turn) + dx, y_mm - back * math.sin(turn) + dy, deg % 360)
        pyramids = (Pyramid(Colour(car), Size(size)),)
        yield Stack("track-oval", "track", pose, pyramids, None, (Reading(pyramids, pose.heading_deg, None, 1.0),))


def _square(square: str) -> tuple[str, str]:
    sheets = (sheet for sheet in load_layouts()["board"].sheets if _middle(sheet, square))
    return next(iter(sheets)), square


def _middle(sheet: str, zone: str) -> tuple[float, float] | None:
    for one in load_sheets()[sheet].zones:
        if one.name == zone:
            xs, ys = zip(*one.polygon_mm, strict=True)
            return sum(xs) / len(xs), sum(ys) / len(ys)
    return None


def _stack(
    sheet: str,
    zone: str,
    pieces: str,
    heading_deg: float | None = None,
    nudge: tuple[float, float] | None = None,
    stand: Colour | None = None,
) -> Stack:
    middle = _middle(sheet, zone)
    assert middle is not None, f"{sheet} has no zone {zone}"
    dx, dy = nudge or (0.0, 0.0)
    pose = Pose(middle[0] + dx, middle[1] + dy, heading_deg)
    pyramids = tuple(Pyramid(Colour(COLOURS[one[0]]), Size(int(one[1]))) for one in pieces.split())
    return Stack(sheet, zone, pose, pyramids, stand, (Reading(pyramids, heading_deg, stand, 1.0),))
