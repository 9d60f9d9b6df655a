"""From a photo to what lies on the table: the pipeline, a stage a line.

Input pixels are BGR; the observation's places are millimetres on the sheets.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.chessboard import LAYOUT, Chessboard, chessboard_of
from calibration.locate import LensHint, locate
from calibration.optics import Camera, LocatedSheet, LocatedTable
from calibration.palette import Palette
from calibration.sheets import load_sheets
from calibration.store import Calibration
from engine.table import COLOURS, Colour, Pose, Pyramid, Reading, Scene, Size, Stack
from vision.camera import Frame
from vision.colours import face_looks, with_palette
from vision.finder import Finding, Foot, find
from vision.ground import Ground, first_card, ground_of
from vision.levels import Base, Looks, Stacked, looks_of, stacked
from vision.paper import (
    LightField,
    Picture,
    Plain,
    Plan,
    Squares,
    check_colours,
    encoded,
    light_field,
    linear,
    plan_of,
    printed_on,
    squares_of,
)
from vision.pieces import BASE_MM, HEIGHT_MM, SEQUENCES
from vision.reader import Answer, read, readings
from vision.stands import stands


@dataclass(frozen=True)
class ObserveSettings:
    """Scales and thresholds of the pipeline."""

    finder_px_per_mm: float = 1.3  # a little finer than the finder's plan, against aliasing
    reader_px_per_mm: float = 1.8  # a little finer than the reader's crops
    levels_px_per_mm: float = 2.6  # the edges of stacked pieces are told by tenths of a millimetre
    printed_px_per_mm: float = 1.0
    surely_lying: float = 0.98
    nothing_at_most: float = 0.5  # a foot is refused when the reader thinks it likelier that nothing is there
    touching_mm: float = 4.0  # from a piece's edge to the middle of its neighbour: the smallest piece's half is 7
    hand_above_mm2: float = 2800.0  # a few fingers over the mat; bright cards are taken for as much as that
    look_again_mm: float = 3.0  # a foot found this far from where it was looked for is read again from there


SETTINGS = ObserveSettings()


@dataclass(frozen=True)
class Observation:
    """What one photo shows."""

    table: LocatedTable
    scene: Scene
    hand_in_view: bool
    warnings: tuple[str, ...] = ()
    inner: dict[Pose, tuple[Pyramid, ...]] = field(default_factory=dict)
    """What shows through the piece at a pose: a secret of some games, so printed on request only."""


def px_per_mm_of(table: LocatedTable) -> float:
    """The picture's scale on the paper, at the middle of the first sheet."""
    sheet = load_sheets()[table.sheets[0].sheet]
    x_mm, y_mm = table.sheets[0].pose.to_table(np.array([sheet.size_mm]) / 2)[0].tolist()
    return table.camera.px_per_mm_at(x_mm, y_mm)


def resized(image_bgr: NDArray[np.uint8], table: LocatedTable, factor: float) -> tuple[NDArray[np.uint8], LocatedTable]:
    """The picture made smaller by `factor` (at most 1), and the table as that picture shows it."""
    if factor >= 0.95:
        return image_bgr, table
    height, width = image_bgr.shape[:2]
    smaller = cv2.resize(image_bgr, (round(width * factor), round(height * factor)), interpolation=cv2.INTER_AREA)
    exact = smaller.shape[1] / width
    camera = Camera(table.camera.lens.scaled(exact), table.camera.rotation, table.camera.translation_mm)
    return np.asarray(smaller), replace(table, camera=camera)


def printed_drawing(table: LocatedTable, squares: Squares | Plain | None = None) -> tuple[Plan, Picture]:
    """The encoded drawing on its plan, as the reader's crops show it under the pieces."""
    plan = plan_of(table, SETTINGS.printed_px_per_mm)
    drawing, covered = printed_on(plan, table, squares)
    printed = encoded(linear(cv2.cvtColor(drawing, cv2.COLOR_BGR2GRAY)))
    printed[~covered] = -1.2
    return plan, printed


def observe(frame: Frame, lens: LensHint | None = None, square_mm: float | None = None) -> Observation:
    """Locate the table, find what stands on it, read each stack.

    `square_mm` is the size of a chessboard's squares between corner cards, when it is not to be measured; 0 where there
    is plain ground between them and no chessboard.
    Raises LocateError, in words for a player, when the table cannot be located or shows no colours.
    """
    table = locate(frame.image_bgr, lens or frame.lens_hint)
    board = ground_of(table) if square_mm == 0 and table.layout == LAYOUT else chessboard_of(table, square_mm or None)
    scene = Scaled.of(frame.image_bgr, table, board)
    finding = find(scene.small, scene.small_table, scene.field, scene.squares)
    answers = _answers(finding, scene)
    stands = scene.stands(answers)
    stacks, inner = [], {}
    palette = lens.palette if isinstance(lens, Calibration) else None
    for said, stand, levels in zip(answers, stands, scene.levels(answers, stands, palette), strict=True):
        ranked = readings(said, levels, stand)
        stack = _stack(ranked, said, table, board)
        if stack is None:
            continue
        stacks.append(stack)
        if levels is not None and not stack.pose.is_lying and (inside := _inside(stack, levels)):
            inner[stack.pose] = inside
    hand = finding.hand_mm2 > SETTINGS.hand_above_mm2
    error_mm = max((sheet.error_mm for sheet in table.sheets if sheet.sheet in {s.sheet for s in stacks}), default=0.0)
    return Observation(table, Scene.of(stacks, (), round(error_mm, 3)), hand, table.warnings, inner)


def _inside(stack: Stack, levels: Stacked) -> tuple[Pyramid, ...]:
    """What shows through a single translucent piece: only smaller pieces fit in."""
    outer = stack.pyramids[0]
    if len(stack.pyramids) > 1 or outer.colour in (Colour.BLACK, Colour.WHITE):
        return ()
    return tuple(Pyramid(COLOURS[colour], Size(size)) for size, colour in levels.inner if size < outer.size)


@dataclass(frozen=True)
class Scaled:
    """One photo at the scales the networks look at, with its light and its printed paper.

    The three pictures are BGR, shape (height, width, 3), each with the table as it shows it.
    """

    fine: NDArray[np.uint8]  # for the levels
    fine_table: LocatedTable
    image: NDArray[np.uint8]  # for the reader and the stands
    table: LocatedTable
    small: NDArray[np.uint8]  # for the finder and the light
    small_table: LocatedTable
    field: LightField
    printed: tuple[Plan, Picture]
    squares: Squares | Plain | None = None

    @classmethod
    def of(cls, image_bgr: NDArray[np.uint8], table: LocatedTable, board: Chessboard | Ground | None = None) -> Scaled:
        """The photo, BGR, shape (height, width, 3), of the table. Raises NoColour."""
        check_colours(image_bgr)
        fine, fine_seen = resized(image_bgr, table, SETTINGS.levels_px_per_mm / px_per_mm_of(table))
        image, seen = resized(fine, fine_seen, SETTINGS.reader_px_per_mm / px_per_mm_of(fine_seen))
        small, small_seen = resized(image, seen, SETTINGS.finder_px_per_mm / px_per_mm_of(seen))
        light = light_field(small, small_seen)
        squares = _between(board, small, small_seen, light)
        return cls(fine, fine_seen, image, seen, small, small_seen, light, printed_drawing(table, squares), squares)

    def read(self, feet: tuple[Foot, ...]) -> tuple[Answer, ...]:
        return read(feet, self.image, self.table.camera, self.printed, self.field)

    def stands(self, answers: tuple[Answer, ...]) -> Picture:
        """The log-probability of each of STANDS under each, shape (n, 5)."""
        feet = np.array([(a.x_mm, a.y_mm) for a in answers]).reshape(-1, 2)
        return stands(feet, self.image, self.table.camera, self.printed, self.field)

    def levels(
        self, answers: tuple[Answer, ...], stands: Picture, palette: Palette | None = None
    ) -> list[Stacked | None]:
        """The levels of everything that may stand upright, their colours weighed with the palette's."""
        upright = [said.lying < SETTINGS.surely_lying for said in answers]
        on_stand = stands[:, 0] < np.log(0.5)
        bases = [Base(a.x_mm, a.y_mm, a.turn_deg, bool(on_stand[k])) for k, a in enumerate(answers) if upright[k]]
        seen = stacked(bases, self.fine, self.fine_table.camera, self.field)
        if palette is not None and bases:
            seen = with_palette(seen, face_looks(self.looks(bases)), palette)
        found = iter(seen)
        return [next(found) if up else None for up in upright]

    def looks(self, bases: list[Base]) -> Looks:
        return looks_of(bases, self.fine, self.fine_table.camera, self.field)


def _between(
    board: Chessboard | Ground | None, image_bgr: NDArray[np.uint8], table: LocatedTable, light: LightField
) -> Squares | Plain | None:
    """What lies between the cards and how it is coloured, if anything."""
    if isinstance(board, Ground):
        return board.plain(image_bgr, table, light)
    return None if board is None else squares_of(board, image_bgr, table.camera, light)


def _answers(finding: Finding, scene: Scaled) -> tuple[Answer, ...]:
    first = _standing(scene.read(finding.feet))
    return _standing(_second_look(first, scene))


def _second_look(answers: tuple[Answer, ...], scene: Scaled) -> tuple[Answer, ...]:
    """Feet that were found well beside where they were looked for are looked at from the better place."""
    far = tuple(a for a in answers if math.dist((a.x_mm, a.y_mm), a.view.foot_mm) > SETTINGS.look_again_mm)
    near = tuple(a for a in answers if a not in far)
    return near + scene.read(tuple(Foot(a.x_mm, a.y_mm, 1 - a.nothing) for a in far))


def _standing(answers: tuple[Answer, ...]) -> tuple[Answer, ...]:
    """The answers that say something is there, none within another's footprint: the surest first."""
    kept: list[Answer] = []
    for said in sorted(answers, key=lambda a: a.nothing):
        if said.nothing > SETTINGS.nothing_at_most:
            break
        if all(_beside(said, other) for other in kept):
            kept.append(said)
    return tuple(kept)


def _beside(said: Answer, other: Answer) -> bool:
    """Whether a piece's middle can be where `said` has it although `other` is there: two pieces do not overlap."""
    away = np.array([said.x_mm - other.x_mm, said.y_mm - other.y_mm])
    if other.lying > 0.5:
        size = 1 + int(np.argmax(other.lying_size))
        heading = np.radians(other.heading_deg)
        along = float(away @ (np.cos(heading), np.sin(heading)))
        back, ahead = -HEIGHT_MM[size] / 2, HEIGHT_MM[size] / 4  # towards the tip it is too thin to tell
        away = away - np.clip(along, back, ahead) * np.array([np.cos(heading), np.sin(heading)])
        reach = BASE_MM[size] / 4 + SETTINGS.touching_mm
    else:
        reach = BASE_MM[SEQUENCES[int(np.argmax(other.sequence))][0]] / 2 + SETTINGS.touching_mm
    return float(np.hypot(*away)) > reach


def _stack(
    ranked: tuple[Reading, ...], said: Answer, table: LocatedTable, board: Chessboard | Ground | None
) -> Stack | None:
    """The stack in its sheet's coordinates; None when it lies on no sheet, nor between the cards."""
    if isinstance(board, Chessboard):
        return _on_board(ranked, said, table, board)
    if isinstance(board, Ground):
        card = first_card(table)
        x, y = card.pose.to_sheet(np.array([[said.x_mm, said.y_mm]]))[0].tolist()
        return _on_sheet(ranked, card, x, y) if board.holds(said.x_mm, said.y_mm) else None
    sheets = load_sheets()
    for located in table.sheets:
        x, y = located.pose.to_sheet(np.array([[said.x_mm, said.y_mm]]))[0]
        width, height = sheets[located.sheet].size_mm
        if 0 <= x <= width and 0 <= y <= height:
            return _on_sheet(ranked, located, float(x), float(y))
    return None


def _on_board(ranked: tuple[Reading, ...], said: Answer, table: LocatedTable, board: Chessboard) -> Stack | None:
    """The stack on its square of the chessboard, in the frame of the nearest card that is seen; None beside the board.

    So a board between cards reads like the printed one, whose four sheets are its quarters.
    """
    square = board.square_at(said.x_mm, said.y_mm)
    if square is None:
        return None
    cards = {located.sheet: located for located in table.sheets}
    card = cards.get(board.card_of(said.x_mm, said.y_mm), table.sheets[0])
    x, y = card.pose.to_sheet(np.array([[said.x_mm, said.y_mm]]))[0].tolist()
    return replace(_on_sheet(ranked, card, x, y), zone=square)


def _on_sheet(ranked: tuple[Reading, ...], located: LocatedSheet, x_mm: float, y_mm: float) -> Stack:
    turn = located.pose.turn_deg
    ranked = tuple(
        replace(r, heading_deg=None if r.heading_deg is None else (r.heading_deg - turn) % 360) for r in ranked
    )
    first = ranked[0]
    zone = load_sheets()[located.sheet].zone_at(x_mm, y_mm)
    return Stack(located.sheet, zone, Pose(x_mm, y_mm, first.heading_deg), first.pyramids, first.stand, ranked)
