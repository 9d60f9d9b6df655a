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
from vision.network import answer, log_softmax
from vision.paper import LightField, Picture, encoded, linear
from vision.pieces import BASE_MM, HEIGHT_MM, LEVELS, SEQUENCES, STAND_MM, STEP_MM

AROUND = ((0.0, 0.0, 0.0), (0.4, 0.3, 2.0), (-0.4, 0.3, -2.0), (0.0, -0.5, 0.0))  # mm, mm, degrees
SIZES, STEPS, COLOURS = 3, 8, 10
FACES = 4
ROWS = ((0.0, 2.4), (0.0, 1.2), *((round(0.2 + 1.2 * k, 1), 0.0) for k in range(10)))
"""Height above the candidate's base edge and distance outside its face, mm, of each row of samples on a face."""
ACROSS = (-0.95, -0.64, -0.32, 0.0, 0.32, 0.64, 0.95)  # of the row's half width
CHANNELS = 5  # BGR, how squarely the face is seen, how far to its side
CONTEXT = 6
FACE_FEATURES = 24
LEVEL_LAYERS = FACES * FACE_FEATURES + CONTEXT
NEXT = 4  # nothing, small, medium, large stands on it
CHOICES = SIZES * STEPS * (NEXT + COLOURS)
INNER = ((), (1,), (2,), (2, 1))  # the sizes that may show through a nest's outer piece, the larger first
PLACE = CHOICES + SIZES
NEST = PLACE + 3
OUTPUTS = NEST + len(INNER) + 2 * COLOURS
"""The choices of every candidate; then the bottom's size; the offset to the right and outward in mm and the turn in
tens of degrees, which only steady the training; which of INNER shows through, and the colours of its two pieces."""


@dataclass(frozen=True)
class Base:
    """Where a stack is thought to stand, in the table's frame; `turn_deg` is that of its bottom piece's sides."""

    x_mm: float
    y_mm: float
    turn_deg: float
    on_stand: bool


@dataclass(frozen=True)
class Stacked:
    """What the network makes of one stack: log-probabilities, and what shows through."""

    sequence: Picture  # over SEQUENCES
    colour: Picture  # (SIZES, STEPS, COLOURS)
    inner: tuple[tuple[int, int], ...]  # (size, colour) of what shows through, were it a nest
    top: Picture | None = None  # as `colour`, of a piece with nothing on it, where more is known of that

    def along(self, sequence: int) -> Picture:
        """The colours of that sequence's levels, log-probabilities (levels, COLOURS)."""
        sizes = np.array(SEQUENCES[sequence])
        steps = STEP_OF_LEVEL[sequence, : len(sizes)]
        colours = self.colour[sizes - 1, steps]
        if self.top is not None:
            colours[-1] = self.top[sizes[-1] - 1, steps[-1]]
        return np.asarray(colours)


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


@dataclass(frozen=True)
class Looks:
    """The network's inputs for n bases.

    `faces`: (n * SIZES * STEPS * FACES, CHANNELS, rows, across), a small picture of every face of every candidate;
    `context`: (n, CONTEXT), the angles of view.
    """

    faces: Picture
    context: Picture


def mirrored(looks: Looks) -> Looks:
    """The looks of the stacks' mirror images."""
    faces = looks.faces.reshape(-1, FACES, *looks.faces.shape[1:])[:, [0, 3, 2, 1], :, :, ::-1].copy()
    faces[:, :, CHANNELS - 1] *= -1
    return Looks(faces.reshape(looks.faces.shape), looks.context * MIRRORED_CONTEXT)


MIRRORED_CONTEXT = np.array([1, 1, -1, 1, 1, 1], np.float32)


def looks_of(bases: list[Base], image_bgr: NDArray[np.uint8], camera: Camera, field: LightField) -> Looks:
    """What the picture shows along the faces of every piece that may stand on the bases."""
    eye = camera.eye_mm
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
    colours = encoded(linear(seen) / light[:, None, :])
    faces = np.empty((len(bases), SIZES * STEPS, FACES, CHANNELS, len(ROWS), len(ACROSS)), np.float32)
    faces[:, :, :, :3] = colours.reshape(*faces.shape[:3], *faces.shape[4:], 3).transpose(0, 1, 2, 5, 3, 4)
    slant = np.hypot(*(eye[:2] - feet).T) / eye[2]
    towards = np.radians(turn)[:, None] + np.pi / 2 * np.arange(FACES)
    squarely = _LEVEL * slant[:, None] * np.cos(towards) + _UPRIGHT
    faces[:, :, :, 3] = (2 * squarely / np.hypot(1, slant)[:, None])[:, None, :, None, None]
    faces[:, :, :, 4] = (2 * slant[:, None] * np.sin(towards))[:, None, :, None, None]
    context = [slant * 2, np.minimum(slant, 0.2) * 10, np.sin(4 * np.radians(turn)), np.cos(4 * np.radians(turn))]
    context += [lift / STAND_MM, np.abs(turn) / 45]
    return Looks(faces.reshape(-1, CHANNELS, len(ROWS), len(ACROSS)), np.stack(context, axis=1).astype(np.float32))


_STEEP = np.arctan2(HEIGHT_MM[3], BASE_MM[3] / 2)  # of every face, nearly: the three sizes are nearly similar
_LEVEL, _UPRIGHT = float(np.sin(_STEEP)), float(np.cos(_STEEP))  # of a face's normal


def _paths() -> tuple[NDArray[np.bool_], NDArray[np.intp]]:
    """What each sequence needs to be true, shape (83, NEXT, SIZES, STEPS), and each level's step, (83, LEVELS)."""
    needs = np.zeros((len(SEQUENCES), NEXT, SIZES, STEPS), bool)
    steps = np.zeros((len(SEQUENCES), LEVELS), int)
    for s, sizes in enumerate(SEQUENCES):
        for level, size in enumerate(sizes):
            steps[s, level] = level + sizes[0] - size
            above = sizes[level + 1] if level + 1 < len(sizes) else 0
            needs[s, above, size - 1, steps[s, level]] = True
    return needs, steps


NEEDS, STEP_OF_LEVEL = _paths()
BOTTOM = np.array([s[0] - 1 for s in SEQUENCES])


def stacked(bases: list[Base], image_bgr: NDArray[np.uint8], camera: Camera, field: LightField) -> tuple[Stacked, ...]:
    """What stands on each base, were it a stack. The picture's scale should be 2 px/mm or finer.

    Every base is looked at from a few places beside it too, and in a mirror: the answers' mean is steadier.
    """
    if not bases:
        return ()
    shifted = [Base(b.x_mm + dx, b.y_mm + dy, b.turn_deg + turn, b.on_stand) for dx, dy, turn in AROUND for b in bases]
    looks = looks_of(shifted, image_bgr, camera, field)
    both = np.asarray((_answer(looks) + _answer(mirrored(looks))) / 2, np.float32)
    rows = both.reshape(len(AROUND), len(bases), -1).mean(axis=0)
    choices = rows[:, :CHOICES].reshape(-1, NEXT + COLOURS, SIZES, STEPS)
    scores = np.einsum("sxzh,nxzh->ns", NEEDS.astype(np.float32), choices[:, :NEXT]) + rows[:, CHOICES + BOTTOM]
    colour = log_softmax(choices[:, NEXT:].transpose(0, 2, 3, 1))
    sequence = log_softmax(scores)
    return tuple(
        Stacked(
            sequence[n],
            colour[n],
            _inner(row[NEST:]),
        )
        for n, row in enumerate(rows)
    )


def _answer(looks: Looks) -> Picture:
    n = len(looks.context)
    faces = answer("faces", looks.faces).reshape(n, SIZES, STEPS, FACES * FACE_FEATURES).transpose(0, 3, 1, 2)
    context = np.broadcast_to(looks.context[:, :, None, None], (n, CONTEXT, SIZES, STEPS))
    return answer("levels", np.concatenate([faces, context], axis=1))


def _inner(scores: Picture) -> tuple[tuple[int, int], ...]:
    sizes = INNER[int(np.argmax(scores[: len(INNER)]))]
    colours = scores[len(INNER) :].reshape(2, COLOURS).argmax(axis=1)
    return tuple((size, int(colour)) for size, colour in zip(sizes, colours, strict=False))
