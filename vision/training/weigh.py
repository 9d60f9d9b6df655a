"""Measure how far the networks' scores can be trusted and what each counts where two speak of the same thing.

    python -m vision.training.weigh PHOTOS...

Photos with truth that no network was trained on; prints the numbers for `vision.reader.ReaderSettings`, those under
which the truth is likeliest, and how likely (in nats a foot) it is with them and was without.
"""

import argparse
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import torch

from vision.finder import Foot
from vision.levels import Stacked
from vision.observe import Scaled
from vision.pieces import SEQUENCES
from vision.reader import SETTINGS, Answer
from vision.training.truth import TrueFoot, open_to_view

NAMES = ("kind", "lying", "stand", "view_in_sizes", "levels_in_sizes", "view_in_colours", "levels_in_colours")
SHIFT_MM = 0.8


@dataclass(frozen=True)
class Said:
    """What is true of one foot and what the networks say there."""

    truth: TrueFoot
    answer: Answer
    stand: np.ndarray  # log-probabilities of STANDS
    stacked: Stacked | None


def said_of(folders: list[Path], seed: int = 5) -> list[Said]:
    rng = np.random.default_rng(seed)
    found = []
    for example in open_to_view(folders):
        if not example.feet:
            continue
        scene = Scaled.of(example.image_bgr, example.table)
        feet = tuple(
            Foot(f.x_mm + rng.normal(0, SHIFT_MM), f.y_mm + rng.normal(0, SHIFT_MM), 1.0) for f in example.feet
        )
        answers = scene.read(feet)
        stands = scene.stands(answers)
        found += [Said(*row) for row in zip(example.feet, answers, stands, scene.levels(answers, stands), strict=True)]
    return found


def logs(probabilities) -> torch.Tensor:
    return torch.log(torch.tensor(np.maximum(np.array(probabilities), 1e-9), dtype=torch.float32))


def cost_of(said: Said, factor: dict[str, torch.Tensor]) -> torch.Tensor:
    """Minus the log-probability of the truth."""
    truth, answer = said.truth, said.answer
    minus = lambda scores, wanted: -torch.log_softmax(scores, -1)[..., wanted]  # noqa: E731
    kind = logs([answer.nothing, (1 - answer.nothing) * (1 - answer.lying), (1 - answer.nothing) * answer.lying])
    total = minus(factor["kind"] * kind, 2 if truth.lying else 1)
    total = total + minus(factor["stand"] * torch.tensor(said.stand), truth.stand)
    if truth.lying:
        total = total + minus(factor["lying"] * logs(answer.lying_size), truth.sizes[0] - 1)
        return total + minus(factor["lying"] * logs(answer.colour[0]), truth.colours[0])
    if said.stacked is None:
        return total
    sequence = SEQUENCES.index(truth.sizes)
    sizes = factor["view_in_sizes"] * logs(answer.sequence)
    total = total + minus(sizes + factor["levels_in_sizes"] * torch.tensor(said.stacked.sequence), sequence)
    along = torch.tensor(said.stacked.along(sequence))
    colours = factor["view_in_colours"] * logs(answer.colour)[: len(along)] + factor["levels_in_colours"] * along
    return total + sum(minus(row, c) for row, c in zip(colours, truth.colours, strict=True))


def measured(rows: list[Said], steps: int = 150) -> tuple[dict[str, float], float, float]:
    """The factors under which the truth is likeliest, and the mean cost of a foot before and after."""
    raw = torch.tensor([getattr(SETTINGS, name) for name in NAMES]).clamp(min=0.05).log().requires_grad_()
    optimiser = torch.optim.Adam([raw], lr=0.05)
    costs = []
    for _ in range(steps):
        factor = dict(zip(NAMES, raw.exp(), strict=True))
        cost = torch.stack([cost_of(row, factor) for row in rows]).mean()
        optimiser.zero_grad()
        cost.backward()
        optimiser.step()
        costs.append(float(cost.detach()))
    return dict(zip(NAMES, raw.detach().exp().tolist(), strict=True)), costs[0], costs[-1]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", nargs="+", type=Path)
    rows = said_of(parser.parse_args().photos)
    factors, before, after = measured(rows)
    print(f"{len(rows)} feet: {before:.3f} nats a foot before, {after:.3f} with")
    print(replace(SETTINGS, **{name: round(value, 2) for name, value in factors.items()}))


if __name__ == "__main__":
    main()
