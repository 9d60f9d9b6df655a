"""From a photo of the colour card to a palette: one upright pyramid on each cell, cells of colours not owned empty.

The cell says which colour stands there; the networks only say where the piece is and how large. When they are sure
that it is another colour, the cell is set aside: more likely two pieces were swapped.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType

import numpy as np

from calibration.locate import LensHint, locate
from calibration.optics import LocatedSheet
from calibration.palette import Look, Palette
from calibration.sheets import Zone, load_sheets
from engine.table import COLOURS
from vision.camera import Frame
from vision.colours import face_looks
from vision.finder import Foot, find
from vision.levels import Base, Stacked
from vision.observe import SETTINGS as OBSERVING
from vision.observe import Scaled
from vision.pieces import SEQUENCES
from vision.reader import OTHERS, Answer, readings

CARD = "colour-card"
SURE = 0.98  # probability of something else on a cell that sets it aside: players are told what to put there
EASILY_TAKEN = frozenset({"white", "clear"})  # for each other, by the networks
AS_NAMED: Mapping[str, str] = MappingProxyType({})
NAMES = tuple(str(colour) for colour in (*COLOURS, *OTHERS))


class LessonError(Exception):
    """The photo teaches no colours; the message says why and what to do."""


@dataclass(frozen=True)
class Lesson:
    """The palette learnt, the cells that were empty, and the cells set aside, with the reason."""

    palette: Palette
    empty: tuple[str, ...]
    set_aside: tuple[tuple[str, str], ...]


def check_names(others: Mapping[str, str]) -> None:
    """Raises LessonError when a cell or a colour on it has no name that is known."""
    cells = [zone.name for zone in load_sheets()[CARD].zones]
    for cell, colour in others.items():
        if cell not in cells:
            raise LessonError(f"The colour card has no cell {cell!r}. Its cells are {', '.join(cells)}.")
        if colour not in NAMES:
            raise LessonError(f"There is no colour {colour!r}. Colours are {', '.join(NAMES)}.")


def lesson_of(frame: Frame, lens: LensHint | None = None, others: Mapping[str, str] = AS_NAMED) -> Lesson:
    """What the photo teaches; `others` says of some cells which other plastic stands there.

    Raises LocateError and LessonError in words.
    """
    check_names(others)
    table = locate(frame.image_bgr, lens or frame.lens_hint)
    card = next((sheet for sheet in table.sheets if sheet.sheet == CARD), None)
    if card is None:
        raise LessonError("The colour card is not in this photo. Print it with: umpire mats colour-card -o card.pdf")
    scene = Scaled.of(frame.image_bgr, table)
    zones = load_sheets()[CARD].zones
    pieces = _pieces(scene, card, zones)
    looks: list[tuple[str, Look]] = []
    aside: list[tuple[str, str]] = []
    for zone, piece in pieces.items():
        if piece is None:
            continue
        colour = others.get(zone, zone)
        answer, levels = piece
        taught = f"another cell teaches {colour} already." if colour in dict(looks) else ""
        fault = _fault(answer, levels, colour) or taught
        if fault or levels is None:
            aside.append((zone, fault))
        else:
            looks.append((colour, _look(scene, answer, levels)))
    if not looks:
        said = " ".join(f"{zone.capitalize()}: {why}" for zone, why in aside)
        raise LessonError(f"No cell of the colour card shows a pyramid to learn from. {said}".strip())
    empty = tuple(zone for zone, piece in pieces.items() if piece is None)
    return Lesson(Palette(date.today(), tuple(looks)), empty, tuple(aside))


def _pieces(
    scene: Scaled, card: LocatedSheet, zones: tuple[Zone, ...]
) -> dict[str, tuple[Answer, Stacked | None] | None]:
    """What stands on each cell; None where nothing does. The cell's middle is looked at too: something should be."""
    feet = find(scene.small, scene.small_table, scene.field).feet
    middles = tuple(Foot(*_middle(card, zone), 0.5) for zone in zones)
    there = [said for said in scene.read((*feet, *middles)) if said.nothing < OBSERVING.nothing_at_most]
    found = {
        zone.name: max((said for said in there if _is_on(card, zone, said)), key=_upright, default=None)
        for zone in zones
    }
    answers = tuple(said for said in found.values() if said is not None)
    levels = iter(zip(answers, scene.levels(answers, scene.stands(answers)), strict=True))
    return {zone: None if said is None else next(levels) for zone, said in found.items()}


def _upright(said: Answer) -> float:
    """How probable it is that a piece stands there."""
    return (1 - said.nothing) * (1 - said.lying)


def _middle(card: LocatedSheet, zone: Zone) -> tuple[float, float]:
    x, y = card.pose.to_table(np.array(zone.polygon_mm).mean(axis=0)[None])[0].tolist()
    return x, y


def _is_on(card: LocatedSheet, zone: Zone, said: Answer) -> bool:
    x, y = card.pose.to_sheet(np.array([[said.x_mm, said.y_mm]]))[0].tolist()
    return zone.holds(x, y)


def _fault(said: Answer, levels: Stacked | None, colour: str) -> str:
    """Why the piece teaches nothing; empty when it does."""
    ranked = readings(said, levels)
    if levels is None:
        return "the pyramid there lies: stand it upright."
    if sum(one.probability for one in ranked if len(one.pyramids) > 1) > SURE:
        return "several pyramids stand there: one alone teaches its colour."
    seen = str(ranked[0].pyramids[0].colour)
    sure = sum(one.probability for one in ranked if str(one.pyramids[0].colour) == seen) > SURE
    is_other = seen != colour and colour not in map(str, OTHERS) and {seen, colour} != EASILY_TAKEN
    return f"the pyramid there looks {seen}: put {colour} there, or leave the cell empty." if sure and is_other else ""


def _look(scene: Scaled, said: Answer, levels: Stacked) -> Look:
    """How the piece looks, given that it stands there alone, on the paper."""
    alone = [levels.sequence[SEQUENCES.index((size,))] for size in (1, 2, 3)]
    size = 1 + int(np.argmax(alone))
    base = Base(said.x_mm, said.y_mm, said.turn_deg, on_stand=False)
    brightness, tint, green = face_looks(scene.looks([base]))[0, size - 1, 0].tolist()
    return round(brightness, 4), round(tint, 4), round(green, 4)
