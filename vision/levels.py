"""Counting the levels of a stack: what each step of 9.5 mm up a stack looks like, and which pieces that makes.

All cavities are 9.525 mm (3/8 in) lower than their piece, so every piece of a stack raises its tip by one such step,
and, heights being whole steps apart, every base edge stands a whole number of steps above the bottom one. A stack of
known place and turn is therefore one of few solids: a piece of each size can begin at each step. `looks_of` samples
the picture along the faces of each of those candidates, a small network says of each what stands on it and its
colour, and `stacked` adds that up to every sequence of sizes.

Candidates are ordered by size (small first) and step; faces counter-clockwise from the one that faces the camera.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.opencv import sampled
from calibration.optics import Camera
from vision.network import answer
from vision.paper import LightField, Picture, encoded, linear
from vision.pieces import BASE_MM, HEIGHT_MM, LEVELS, SEQUENCES, STEP_MM

STAND_MM = 2.0  # half way between a card (0.8) and a chip (3.3)
SIZES, STEPS, COLOURS = 3, 8, 10
FACES = 4
ROWS = ((0.0, 2.2), (0.0, 0.9), (0.0, -0.2), (2.4, 0.0), (4.8, 0.0), (7.2, 0.0), (9.6, 0.0), (12.5, 0.0))
"""Height above the candidate's base edge and distance outside its face, mm, of each row of samples on a face."""
ACROSS = (-0.92, -0.5, 0.0, 0.5, 0.92)  # of the row's half width
POINTS = FACES * len(ROWS) * len(ACROSS)
CONTEXT = 6
FEATURES = 3 * POINTS + CONTEXT
NEXT = 4  # nothing, small, medium, large stands on it
CHOICES = SIZES * STEPS * (NEXT + COLOURS)
OUTPUTS = CHOICES + SIZES + 3  # then: the bottom's size, offset right and outward in mm, turn in tens of degrees


@dataclass(frozen=True)
class Base:
    """Where a stack is thought to stand, in the table's frame; `turn_deg` is that of its bottom piece's sides."""

    x_mm: float
    y_mm: float
    turn_deg: float
    on_stand: bool


@dataclass(frozen=True)
class Stacked:
    """What the network makes of one stack: log-probabilities, and where the stack stands after all."""

    sequence: Picture  # over SEQUENCES
    colour: Picture  # (SIZES, STEPS, COLOURS)
    right_mm: float
    outward_mm: float
    turn_deg: float  # to be added

    def along(self, sequence: int) -> Picture:
        """The colours of that sequence's levels, log-probabilities (levels, COLOURS)."""
        sizes = np.array(SEQUENCES[sequence])
        return self.colour[sizes - 1, STEP_OF_LEVEL[sequence, : len(sizes)]]


def _points() -> NDArray[np.float64]:
    """Samples of every candidate, shape (SIZES, STEPS, FACES, rows, across, 3): the first face looks along x, mm."""
    grid = np.zeros((SIZES, STEPS, FACES, len(ROWS), len(ACROSS), 3))
    for size in range(1, SIZES + 1):
        for row, (up, out) in enumerate(ROWS):
            half = BASE_MM[size] / 2 * (1 - up / HEIGHT_MM[size]) + out
            for face in range(FACES):
                ahead = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)][face])
                aside = np.array([-ahead[1], ahead[0]])
                flat = half * (ahead + np.array(ACROSS)[:, None] * aside)
                grid[size - 1, :, face, row, :, :2] = flat
            grid[size - 1, :, :, row, :, 2] = up + STEP_MM * np.arange(STEPS)[:, None, None]
    return grid


_POINTS = _points()
_MIRRORED = (
    np.arange(POINTS).reshape(FACES, len(ROWS), len(ACROSS))[[0, 3, 2, 1]][:, :, ::-1].reshape(-1)
)  # where each sample goes in a mirror


def mirrored(looks: Picture) -> Picture:
    """The looks of the stacks' mirror images, shape as `looks`."""
    n = len(looks)
    samples = looks[:, : 3 * POINTS].reshape(n, 3, POINTS, STEPS, SIZES)[:, :, _MIRRORED]
    turned = looks[:, 3 * POINTS :].copy()
    turned[:, 2] *= -1
    return np.concatenate([samples.reshape(n, 3 * POINTS, STEPS, SIZES), turned], axis=1)


def looks_of(bases: list[Base], image_bgr: NDArray[np.uint8], camera: Camera, field: LightField) -> Picture:
    """The network's input, shape (n, FEATURES, STEPS, SIZES): colours of the samples, then the angles of view."""
    eye = camera.eye_mm
    out = np.empty((len(bases), FEATURES, STEPS, SIZES), np.float32)
    if not bases:
        return out
    feet = np.array([(b.x_mm, b.y_mm) for b in bases])
    inward = np.degrees(np.arctan2(eye[1] - feet[:, 1], eye[0] - feet[:, 0]))
    turn = (np.array([b.turn_deg for b in bases]) - inward + 45) % 90 - 45
    angle = np.radians(inward + turn)
    lift = np.array([STAND_MM if b.on_stand else 0.0 for b in bases])
    grid = _POINTS.reshape(-1, 3)
    cos, sin = np.cos(angle)[:, None], np.sin(angle)[:, None]
    space = np.stack(
        [
            feet[:, :1] + cos * grid[:, 0] - sin * grid[:, 1],
            feet[:, 1:] + sin * grid[:, 0] + cos * grid[:, 1],
            lift[:, None] + grid[:, 2],
        ],
        axis=-1,
    )
    pixels = camera.project(space.reshape(-1, 3)).astype(np.float32).reshape(len(bases), -1, 2)
    seen = sampled(image_bgr, pixels, outside=0.0)
    light = field.at(feet)
    colours = encoded(linear(seen) / light[:, None, :]).reshape(len(bases), SIZES, STEPS, POINTS, 3)
    out[:, : 3 * POINTS] = colours.transpose(0, 4, 3, 2, 1).reshape(len(bases), 3 * POINTS, STEPS, SIZES)
    slant = np.hypot(*(eye[:2] - feet).T) / eye[2]
    context = [slant * 2, np.minimum(slant, 0.2) * 10, np.sin(4 * np.radians(turn)), np.cos(4 * np.radians(turn))]
    context += [lift / STAND_MM, np.abs(turn) / 45]
    out[:, 3 * POINTS :] = np.stack(context, axis=1)[:, :, None, None]
    return out


def _paths() -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """What each sequence needs to be true, shape (83, STEPS, SIZES, NEXT), and each level's step, (83, LEVELS)."""
    needs = np.zeros((len(SEQUENCES), STEPS, SIZES, NEXT), bool)
    steps = np.zeros((len(SEQUENCES), LEVELS), int)
    for s, sizes in enumerate(SEQUENCES):
        for level, size in enumerate(sizes):
            steps[s, level] = level + sizes[0] - size
            above = sizes[level + 1] if level + 1 < len(sizes) else 0
            needs[s, steps[s, level], size - 1, above] = True
    return needs, steps


NEEDS, STEP_OF_LEVEL = _paths()
BOTTOM = np.array([s[0] - 1 for s in SEQUENCES])


def _log_softmax(scores: Picture) -> Picture:
    shifted = scores - scores.max(axis=-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True)))


def stacked(bases: list[Base], image_bgr: NDArray[np.uint8], camera: Camera, field: LightField) -> tuple[Stacked, ...]:
    """What stands on each base, were it a stack. The picture's scale should be 2 px/mm or finer."""
    if not bases:
        return ()
    looks = looks_of(bases, image_bgr, camera, field)
    rows, turned = answer("levels", looks), answer("levels", mirrored(looks))
    turned[:, [CHOICES + SIZES, CHOICES + SIZES + 2]] *= -1
    rows = (rows + turned) / 2
    choices = rows[:, :CHOICES].reshape(-1, NEXT + COLOURS, STEPS, SIZES)
    above = choices[:, :NEXT].transpose(0, 2, 3, 1)
    scores = np.einsum("shzx,nhzx->ns", NEEDS.astype(np.float32), above) + rows[:, CHOICES + BOTTOM]
    colour = _log_softmax(choices[:, NEXT:].transpose(0, 3, 2, 1))
    sequence = _log_softmax(scores)
    place = rows[:, CHOICES + SIZES :]
    return tuple(
        Stacked(sequence[n], colour[n], float(place[n, 0]), float(place[n, 1]), float(place[n, 2] * 10))
        for n in range(len(bases))
    )
