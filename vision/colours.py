"""Colours as a group's own light shows them: what the faces of pieces look like, and a taught palette as one opinion.

Looks are those of `calibration.palette`. Of every piece in a stack the lowest step of 9.5 mm is always to be seen, so
that band alone is looked at, on the faces turned to the camera.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from calibration.palette import Floats, Palette
from engine.table import COLOURS
from vision.levels import CHANNELS, FACES, ROWS, SIZES, STEPS, Looks, Stacked
from vision.paper import Picture
from vision.pieces import STEP_MM
from vision.reader import OTHERS


@dataclass(frozen=True)
class ColourSettings:
    """Where on a face its colour is looked for, and how much a taught palette counts."""

    turned_away: float = 0.1  # cosine between a face's normal and the line of sight: below, a face hardly shows
    least_reflectance: float = 0.02
    margin: int = 1  # samples left out at a face's edges
    palette: float = 0.8  # of its log-likelihoods beside the levels' network; measured by tests/benchmarks/colours.py
    others: float = 1.3  # of the same, where the network has no opinion: with `levels_in_colours` nearly 1


SETTINGS = ColourSettings()
NEVER = -100.0  # log-likelihood of a plastic that was not taught and so is not on the table
_BAND = [n for n, (up, out) in enumerate(ROWS) if out == 0 and up < STEP_MM]


def face_looks(looks: Looks) -> Floats:
    """The look of each candidate piece of each base, shape (n, SIZES, STEPS, 3)."""
    faces = looks.faces.reshape(-1, SIZES, STEPS, FACES, CHANNELS, *looks.faces.shape[2:])
    inner = slice(SETTINGS.margin, -SETTINGS.margin)
    logs = np.log(_reflectance(faces[..., :3, _BAND, inner]))
    shown = np.median(logs.reshape(*logs.shape[:5], -1), axis=-1)
    squarely = faces[..., 3, 0, 0] / 2
    weight = np.where(squarely > SETTINGS.turned_away, squarely, 0.0)
    weight = weight / np.maximum(weight.sum(axis=-1, keepdims=True), 1e-9)
    blue, green, red = np.moveaxis((shown * weight[..., None]).sum(axis=3), -1, 0)
    brightness, tint = (blue + green + red) / 3, (red - blue) / 2
    return np.asarray(np.stack([brightness, tint, green - (red + blue) / 2], axis=-1), dtype=np.float64)


def _reflectance(encoded: Picture) -> Picture:
    """What `vision.paper.encoded` was given."""
    shown = np.maximum(encoded / 2 + 0.6, 0.0) ** 2.2
    return np.asarray(np.maximum(shown, SETTINGS.least_reflectance))


def with_palette(stacked: tuple[Stacked, ...], seen: Floats, palette: Palette) -> tuple[Stacked, ...]:
    """The stacks with the palette's opinion of their colours; `seen` are the looks of `face_looks`.

    It is heard on the top pieces, which look as they did on the colour card: what stands under another piece is tinted
    and shaded by it, and photos with truth are read worse when the palette is heard there. Colours that the network
    does not know are the exception.
    """
    names = [str(colour) for colour in (*COLOURS, *OTHERS)]
    told = palette.log_likelihoods(seen, names)
    told[..., [name not in palette.colours and place >= len(COLOURS) for place, name in enumerate(names)]] = NEVER
    return tuple(
        replace(one, colour=_weighed(one.colour, logs, 0.0), top=_weighed(one.colour, logs, SETTINGS.palette))
        for one, logs in zip(stacked, told, strict=True)
    )


def _weighed(network: Picture, told: Floats, weight: float) -> Picture:
    """Log-probabilities of both, shape (SIZES, STEPS, colours): where the network knows no colour, the palette says."""
    known, others = told[..., : len(COLOURS)], told[..., len(COLOURS) :]
    both = network + weight * known
    ahead = others - known.max(axis=-1, keepdims=True)
    total = np.concatenate([both, both.max(axis=-1, keepdims=True) + SETTINGS.others * ahead], axis=-1)
    return np.asarray(total - np.logaddexp.reduce(total, axis=-1, keepdims=True), dtype=np.float32)
