"""What stands at a foot: a small network over the view straight at it, and what its answers mean.

The answer of one crop is 96 numbers, in this order: kind (nothing, upright, lying); for each of six levels from the
bottom the score of none, small, medium, large; a lying piece's size; for each level the score of the ten colours;
heading as (cos, sin) of the angle from the view's outward direction; an upright piece's turn as (cos, sin) of four
times that angle; the foot's offset to the right and outward in mm.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from calibration.optics import Camera
from engine.table import COLOURS, Colour, Pyramid, Reading, Size
from vision.crops import View, crop, view_of
from vision.finder import Foot
from vision.levels import Stacked
from vision.network import answer, log_softmax
from vision.paper import LightField, Picture, Plan
from vision.pieces import LEVELS, SEQUENCES
from vision.stands import STANDS

OTHERS = (Colour.PINK, Colour.GREY)  # of which the networks know nothing: a taught palette tells them
PARTS = {
    "kind": 3,
    "level_size": LEVELS * 4,
    "lying_size": 3,
    "colour": LEVELS * 10,
    "heading": 2,
    "turn": 2,
    "offset": 2,
}


@dataclass(frozen=True)
class ReaderSettings:
    """How answers become probabilities: factors of scores, measured by `vision.training.weigh` on held-out photos."""

    kind: float = 1.1
    lying: float = 2.0  # a lying piece's size and colour
    stand: float = 0.97
    view_in_sizes: float = 0.19  # of the two networks' log-probabilities of an upright stack
    levels_in_sizes: float = 1.0
    view_in_colours: float = 0.4
    levels_in_colours: float = 0.59
    batch: int = 32
    sequences_kept: int = 6
    readings_kept: int = 12
    stand_kept: float = 0.08  # probability from which a stand that is not the likeliest makes readings of its own
    colour_kept: float = 0.02  # the same of a level's colour
    colours_kept: int = 3  # beside the likeliest, of one level


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


def _softmax(scores: Picture, factor: float = 1.0) -> Picture:
    return np.asarray(np.exp(log_softmax(scores * factor)))


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
    kind = _softmax(part["kind"], SETTINGS.kind)
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
        tuple(map(float, _softmax(part["lying_size"], SETTINGS.lying))),
        tuple(tuple(map(float, level)) for level in _softmax(part["colour"].reshape(LEVELS, 10))),
        float((heading + view.outward_deg) % 360),
        float((turn + view.outward_deg) % 90),
        float(x),
        float(y),
    )


NO_STAND = np.array([0.0, -30.0, -30.0, -30.0, -30.0], np.float32)


def readings(said: Answer, stacked: Stacked | None = None, stand: Picture = NO_STAND) -> tuple[Reading, ...]:
    """Ways to read the foot, likeliest first, given that something is there. Headings are in the table's frame.

    What was seen of the levels of a stack, if given, is weighed with what the whole view says; `stand` holds the
    log-probabilities of STANDS.
    """
    owners = _softmax(stand, SETTINGS.stand)
    found = [
        Reading(pyramids, heading, STANDS[k], p * float(owners[k]))
        for pyramids, heading, p in _pieces(said, stacked)
        for k in _likely(owners, SETTINGS.stand_kept)
    ]
    return tuple(sorted(found, key=lambda reading: -reading.probability)[: SETTINGS.readings_kept])


def _likely(probabilities: Picture | tuple[float, ...], at_least: float) -> list[int]:
    """Indices of the likeliest and of every other at least so likely."""
    best = int(np.argmax(probabilities))
    return [best] + [k for k, p in enumerate(probabilities) if k != best and p >= at_least]


def _pieces(said: Answer, stacked: Stacked | None) -> list[tuple[tuple[Pyramid, ...], float | None, float]]:
    found: list[tuple[tuple[Pyramid, ...], float | None, float]] = []
    whole = np.array(said.sequence)
    levels = np.array(said.colour)
    if stacked is not None:
        whole = _weighed(whole, stacked.sequence, SETTINGS.view_in_sizes, SETTINGS.levels_in_sizes)
    for s in np.argsort(whole)[::-1][: SETTINGS.sequences_kept]:
        sizes = SEQUENCES[s]
        colour = levels[: len(sizes)]
        if stacked is not None:
            along = stacked.along(s)
            unknown = along.shape[1] - len(COLOURS)  # in the view's eyes as likely as what it thinks likeliest
            colour = np.hstack([colour, *[colour.max(axis=1, keepdims=True)] * unknown])
            colour = _weighed(colour, along, SETTINGS.view_in_colours, SETTINGS.levels_in_colours)
        for colours, p in _colourings(colour):
            pieces = tuple(Pyramid((*COLOURS, *OTHERS)[c], Size(size)) for c, size in zip(colours, sizes, strict=True))
            found.append((pieces, None, (1 - said.lying) * float(whole[s]) * p))
    alone = _weighed(levels[:1], np.zeros(len(COLOURS), np.float32), SETTINGS.lying, 0.0)
    for size in range(3):
        for colours, p in _colourings(alone):
            piece = Pyramid(COLOURS[colours[0]], Size(size + 1))
            found.append(((piece,), said.heading_deg, said.lying * said.lying_size[size] * p))
    return found


def _weighed(probabilities: Picture, logs: Picture, first: float, second: float) -> Picture:
    """Two opinions, probabilities and log-probabilities along the last axis, as one."""
    return _softmax(first * np.log(np.maximum(probabilities, 1e-9)) + second * logs)


def _colourings(colour: Picture) -> list[tuple[tuple[int, ...], float]]:
    """The likeliest colours of the levels, and those that differ from them in one level; `colour`: (levels, 10)."""
    best = [int(k) for k in colour.argmax(axis=1)]
    whole = float(np.prod(colour.max(axis=1)))
    found = [(tuple(best), whole)]
    for level, row in enumerate(colour):
        for other in _likely(row, SETTINGS.colour_kept)[1 : 1 + SETTINGS.colours_kept]:
            changed = (*best[:level], other, *best[level + 1 :])
            found.append((changed, whole * float(row[other] / row[best[level]])))
    return found
