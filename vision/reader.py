"""What stands at a foot: a small network over the view straight at it, and what its answers mean.

The answer of one crop is 101 numbers, in this order: kind (nothing, upright, lying); for each of six levels from the
bottom the score of none, small, medium, large; a lying piece's size; for each level the score of the ten colours; the
stand (none, black, white, orange, purple); heading as (cos, sin) of the angle from the view's outward direction;
an upright piece's turn as (cos, sin) of four times that angle; the foot's offset to the right and outward in mm.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.optics import Camera
from engine.table import Colour, Pyramid, Reading, Size
from vision.crops import View, crop, view_of
from vision.finder import Foot
from vision.network import answer
from vision.paper import LightField, Picture, Plan

COLOURS = tuple(
    Colour(name) for name in ("red", "yellow", "green", "blue", "cyan", "orange", "purple", "black", "white", "clear")
)
STANDS = (None, Colour.BLACK, Colour.WHITE, Colour.ORANGE, Colour.PURPLE)
LEVELS = 6
PARTS = {
    "kind": 3,
    "level_size": LEVELS * 4,
    "lying_size": 3,
    "colour": LEVELS * 10,
    "stand": 5,
    "heading": 2,
    "turn": 2,
    "offset": 2,
}


def sequences() -> tuple[tuple[int, ...], ...]:
    """Every stack of sizes that can stand, bottom first: no piece on a smaller one, at most six (83 of them)."""
    found = [s for n in range(1, LEVELS + 1) for s in itertools.product((3, 2, 1), repeat=n)]
    return tuple(s for s in found if all(a >= b for a, b in itertools.pairwise(s)))


SEQUENCES = sequences()


@dataclass(frozen=True)
class ReaderSettings:
    """How answers become probabilities. The temperature is not measured yet: 1 leaves the scores as trained."""

    temperature: float = 1.0
    batch: int = 32
    sequences_kept: int = 5
    readings_kept: int = 8


SETTINGS = ReaderSettings()


@dataclass(frozen=True)
class Answer:
    """What the network says of one foot, as probabilities and geometry in the table's frame."""

    view: View
    nothing: float
    lying: float  # given that there is something
    sequence: tuple[float, ...]  # over SEQUENCES
    lying_size: tuple[float, ...]
    colour: tuple[tuple[float, ...], ...]  # by level from the bottom
    stand: tuple[float, ...]
    heading_deg: float
    turn_deg: float
    x_mm: float
    y_mm: float


def read(
    feet: tuple[Foot, ...],
    image_bgr: NDArray[np.uint8],
    camera: Camera,
    printed: tuple[Plan, Picture],
    field: LightField,
) -> tuple[Answer, ...]:
    """The network's answer for every foot. The picture's scale should be near 2 px/mm."""
    views = [view_of(camera, foot.x_mm, foot.y_mm) for foot in feet]
    answers: list[Answer] = []
    for first in range(0, len(views), SETTINGS.batch):
        some = views[first : first + SETTINGS.batch]
        rows = _both_ways(np.stack([crop(view, image_bgr, camera, printed, field) for view in some]))
        answers += [meaning(view, row) for view, row in zip(some, rows, strict=True)]
    return tuple(answers)


def _both_ways(crops: Picture) -> Picture:
    """The network's answers to the crops, each averaged with the answer to its mirror image: half the noise."""
    mirrored = np.concatenate([crops[:, :6, :, ::-1], crops[:, 6:]], axis=1)  # the last layers say where a pixel is
    return np.asarray((answer("reader", crops) + answer("reader", mirrored) * _MIRROR) / 2)


def _mirror_signs() -> Picture:
    """-1 for what changes sides in a mirror: the sines of angles and the offset to the right."""
    signs = {name: np.ones(length, np.float32) for name, length in PARTS.items()}
    signs["heading"][1] = signs["turn"][1] = signs["offset"][0] = -1
    return np.concatenate(list(signs.values()))


_MIRROR = _mirror_signs()


def split(row: Picture) -> dict[str, Picture]:
    """The parts of an answer by name, along its last axis."""
    ends = np.cumsum(list(PARTS.values()))
    return dict(zip(PARTS, np.split(row, ends[:-1], axis=-1), strict=True))


def _softmax(scores: Picture) -> Picture:
    shifted = scores / SETTINGS.temperature
    raised = np.exp(shifted - shifted.max(axis=-1, keepdims=True))
    return np.asarray(raised / raised.sum(axis=-1, keepdims=True))


def _sequence_scores(level_size: Picture) -> Picture:
    """Scores of SEQUENCES from scores by level, shape (LEVELS, 4)."""
    return np.asarray(np.einsum("sld,ld->s", _SEQUENCE_MASK, level_size))


def _sequence_mask() -> Picture:
    mask = np.zeros((len(SEQUENCES), LEVELS, 4), np.float32)
    for s, sizes in enumerate(SEQUENCES):
        for level in range(LEVELS):
            mask[s, level, sizes[level] if level < len(sizes) else 0] = 1
    return mask


_SEQUENCE_MASK = _sequence_mask()


def meaning(view: View, row: Picture) -> Answer:
    """The meaning of one row of the network's output."""
    part = split(row)
    kind = _softmax(part["kind"])
    something = max(float(kind[1] + kind[2]), 1e-9)
    outward = np.radians(view.outward_deg)
    right_mm, outward_mm = part["offset"]
    ahead, aside = np.array([np.cos(outward), np.sin(outward)]), np.array([np.sin(outward), -np.cos(outward)])
    x, y = np.array(view.foot_mm) + outward_mm * ahead + right_mm * aside
    turn = np.degrees(np.arctan2(part["turn"][1], part["turn"][0])) / 4
    heading = np.degrees(np.arctan2(part["heading"][1], part["heading"][0]))
    return Answer(
        view,
        float(kind[0]),
        float(kind[2]) / something,
        tuple(map(float, _softmax(_sequence_scores(part["level_size"].reshape(LEVELS, 4))))),
        tuple(map(float, _softmax(part["lying_size"]))),
        tuple(tuple(map(float, level)) for level in _softmax(part["colour"].reshape(LEVELS, 10))),
        tuple(map(float, _softmax(part["stand"]))),
        float((heading + view.outward_deg) % 360),
        float((turn + view.outward_deg) % 90),
        float(x),
        float(y),
    )


def readings(said: Answer) -> tuple[Reading, ...]:
    """Ways to read the foot, likeliest first, given that something is there. Headings are in the table's frame."""
    stands = _likely(said.stand, 0.08)
    found = [
        Reading(pyramids, heading, STANDS[stand], p * said.stand[stand])
        for pyramids, heading, p in _pieces(said)
        for stand in stands
    ]
    return tuple(sorted(found, key=lambda reading: -reading.probability)[: SETTINGS.readings_kept])


def _likely(probabilities: tuple[float, ...], at_least: float) -> list[int]:
    """Indices of the likeliest and of every other at least so likely."""
    best = int(np.argmax(probabilities))
    return [best] + [k for k, p in enumerate(probabilities) if k != best and p >= at_least]


def _pieces(said: Answer) -> list[tuple[tuple[Pyramid, ...], float | None, float]]:
    found: list[tuple[tuple[Pyramid, ...], float | None, float]] = []
    order = np.argsort(said.sequence)[::-1][: SETTINGS.sequences_kept]
    for s in order:
        for colours, p in _colourings(said, len(SEQUENCES[s])):
            pieces = tuple(Pyramid(COLOURS[c], Size(size)) for c, size in zip(colours, SEQUENCES[s], strict=True))
            found.append((pieces, None, (1 - said.lying) * said.sequence[s] * p))
    for size in range(3):
        for colours, p in _colourings(said, 1):
            piece = Pyramid(COLOURS[colours[0]], Size(size + 1))
            found.append(((piece,), said.heading_deg, said.lying * said.lying_size[size] * p))
    return found


def _colourings(said: Answer, levels: int) -> list[tuple[tuple[int, ...], float]]:
    """The likeliest colours of so many levels, and those that differ from them in one level."""
    best = [int(np.argmax(said.colour[level])) for level in range(levels)]
    whole = float(np.prod([said.colour[level][best[level]] for level in range(levels)]))
    found = [(tuple(best), whole)]
    for level in range(levels):
        for other in _likely(said.colour[level], 0.02)[1:4]:
            changed = (*best[:level], other, *best[level + 1 :])
            found.append((changed, whole * said.colour[level][other] / said.colour[level][best[level]]))
    return found
