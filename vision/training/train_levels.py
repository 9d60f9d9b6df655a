"""Train the network that counts a stack's levels on photos with truth and write vision/weights/levels.onnx.

python -m vision.training.train_levels PHOTOS... --steps 6000 --out vision/weights/levels.onnx
"""

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn.functional import cross_entropy

from vision import levels
from vision.levels import (
    ACROSS,
    BOTTOM,
    CHANNELS,
    CHOICES,
    COLOURS,
    FACES,
    INNER,
    LEVEL_LAYERS,
    NEEDS,
    NEST,
    NEXT,
    PLACE,
    ROWS,
    SIZES,
    STEP_OF_LEVEL,
    STEPS,
    Base,
)
from vision.observe import SETTINGS as OBSERVE
from vision.observe import px_per_mm_of, resized
from vision.paper import light_field
from vision.pieces import LEVELS, SEQUENCES
from vision.training.descent import answered, descend
from vision.training.export import write_onnx
from vision.training.networks import Stacks
from vision.training.truth import Example, TrueFoot, open_to_view

VIEWS_OF_A_STACK = 6
BATCH = 64
SHIFT_MM, TURN_DEG = 0.6, 3.5  # how far the reader's own places and turns are off, one standard deviation
STAND_MISTAKEN = 0.04
SEQUENCE_INDEX = {s: n for n, s in enumerate(SEQUENCES)}


@dataclass(frozen=True)
class Looks:
    """Training inputs as float16, faces as (n, candidates, FACES, CHANNELS, rows, across); their labels by name."""

    faces: torch.Tensor
    context: torch.Tensor
    labels: dict[str, torch.Tensor]


def views(foot: TrueFoot, rng: np.random.Generator) -> list[Base]:
    """The foot as the reader would report it, a few times."""
    found = []
    for _ in range(VIEWS_OF_A_STACK):
        dx, dy = SHIFT_MM * rng.standard_t(5, 2)
        turn = foot.yaw_deg + TURN_DEG * float(np.clip(rng.standard_t(4), -5, 5))
        stand = (foot.stand > 0) != (rng.random() < STAND_MISTAKEN)
        found.append(Base(foot.x_mm + dx, foot.y_mm + dy, turn, stand))
    return found


def labels_of(foot: TrueFoot, base: Base, outward: float) -> dict[str, np.ndarray | int]:
    """`outward` in radians: the direction on the table that leads away from the camera's foot."""
    colours = np.full(LEVELS, -100)
    colours[: len(foot.colours)] = foot.colours
    dx, dy = foot.x_mm - base.x_mm, foot.y_mm - base.y_mm
    right = dx * math.sin(outward) - dy * math.cos(outward)
    away = dx * math.cos(outward) + dy * math.sin(outward)
    turn = (foot.yaw_deg - base.turn_deg + 45) % 90 - 45
    inner = INNER.index(tuple(size for size, _ in foot.inner))
    inner_colour = np.full(2, -100)
    inner_colour[: len(foot.inner)] = [colour for _, colour in foot.inner]
    return {
        "inner": inner if len(foot.sizes) == 1 else -100,
        "inner_colour": inner_colour,
        "sequence": SEQUENCE_INDEX[foot.sizes],
        "colour": colours,
        "place": np.array([right, away, turn / 10], np.float32),
    }


def prepare(found: list[Example], seed: int) -> Looks:
    rng = np.random.default_rng(seed)
    faces, context, labels = [], [], []
    for example in found:
        stacks = [foot for foot in example.feet if not foot.lying]
        if not stacks:
            continue
        image, table = resized(example.image_bgr, example.table, OBSERVE.levels_px_per_mm / px_per_mm_of(example.table))
        pairs = [(foot, base) for foot in stacks for base in views(foot, rng)]
        field = light_field(image, table)
        looks = levels.looks_of([base for _, base in pairs], image, table.camera, field)
        shape = (len(pairs), SIZES * STEPS, FACES, *looks.faces.shape[1:])
        faces.append(torch.from_numpy(looks.faces.astype(np.float16).reshape(shape)))
        context.append(torch.from_numpy(looks.context))
        eye = table.camera.eye_mm
        for foot, base in pairs:
            labels.append(labels_of(foot, base, math.atan2(base.y_mm - eye[1], base.x_mm - eye[0])))
    named = {k: torch.from_numpy(np.stack([row[k] for row in labels])) for k in labels[0]}
    return Looks(torch.cat(faces), torch.cat(context), named)


MASK = torch.from_numpy(NEEDS.astype(np.float32))
PATH_STEP = torch.from_numpy(STEP_OF_LEVEL)
PATH_SIZE = torch.tensor([[*(z - 1 for z in s), *[0] * (LEVELS - len(s))] for s in SEQUENCES])


def augmented(looks: Looks, rng: torch.Generator) -> Looks:
    """Mirrored, recoloured, noisy looks. Where channels change places only the shape is asked for."""
    n, labels = len(looks.faces), dict(looks.labels)
    rand = lambda *shape: torch.rand(*shape, generator=rng)  # noqa: E731
    randn = lambda *shape: torch.randn(*shape, generator=rng)  # noqa: E731
    x = looks.faces.float()
    flip = rand(n) < 0.5
    x[flip] = x[flip][:, :, [0, 3, 2, 1]].flip(-1) * MIRROR_SIGNS
    context = torch.where(flip[:, None], looks.context * torch.from_numpy(levels.MIRRORED_CONTEXT), looks.context)
    labels["place"] = torch.where(flip[:, None], labels["place"] * torch.tensor([-1.0, 1.0, -1.0]), labels["place"])
    for k in torch.nonzero(rand(n) < 0.25).flatten().tolist():
        order = torch.randperm(3, generator=rng)
        x[k, :, :, :3] = x[k, :, :, order]
        if (order != torch.arange(3)).any():
            for name in ("colour", "inner_colour"):
                labels[name] = labels[name].clone()
                labels[name][k] = -100
    seen = x[:, :, :, :3]
    gain = 1 + 0.05 * randn(n, 1, 1, 1, 1, 1) + 0.03 * randn(n, 1, 1, 3, 1, 1) + 0.03 * randn(n, 1, FACES, 1, 1, 1)
    noise = (0.02 + 0.06 * rand(n, 1, 1, 1, 1, 1) ** 2) * NOISE[torch.randint(len(NOISE), (n,), generator=rng)]
    x[:, :, :, :3] = (seen + 1.2) * gain - 1.2 + noise
    return Looks(x, context, labels)


MIRROR_SIGNS = torch.tensor([1.0] * (CHANNELS - 1) + [-1.0])[:, None, None]
NOISE = torch.randn(64, SIZES * STEPS, FACES, 3, len(ROWS), len(ACROSS), generator=torch.Generator().manual_seed(7))


def scores(rows: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
    """Scores of SEQUENCES, and of the colours of every candidate: (n, 83) and (n, COLOURS, SIZES, STEPS)."""
    choices = rows[:, :CHOICES].reshape(-1, NEXT + COLOURS, SIZES, STEPS)
    return torch.einsum("sxzh,nxzh->ns", MASK, choices[:, :NEXT]) + rows[:, CHOICES + BOTTOM], choices[:, NEXT:]


def loss_of(rows: torch.Tensor, labels: dict[str, torch.Tensor]) -> torch.Tensor:
    sequence, colour = scores(rows)
    total = cross_entropy(sequence, labels["sequence"])
    total = total + 2.0 * cross_entropy(along(colour, labels["sequence"]), labels["colour"], ignore_index=-100)
    nest, inside = rows[:, NEST : NEST + len(INNER)], rows[:, NEST + len(INNER) :].reshape(-1, COLOURS)
    total = total + 0.3 * cross_entropy(nest, labels["inner"], ignore_index=-100)
    if (labels["inner_colour"] >= 0).any():
        total = total + 0.2 * cross_entropy(inside, labels["inner_colour"].flatten(), ignore_index=-100)
    off = rows[:, PLACE:NEST] - labels["place"]
    return total + 1.5 * torch.nn.functional.smooth_l1_loss(off, torch.zeros_like(off), beta=0.3)


def along(colour: torch.Tensor, sequence: torch.Tensor) -> torch.Tensor:
    """The colour scores on the path of each row's sequence: (n, COLOURS, LEVELS)."""
    n = torch.arange(len(colour))[:, None]
    return colour[n, :, PATH_SIZE[sequence], PATH_STEP[sequence]].transpose(1, 2)


def report(network: Stacks, looks: Looks) -> str:
    """How often each part is right on photos not trained on."""
    with torch.no_grad():
        parts = [slice(k, k + 128) for k in range(0, len(looks.faces), 128)]
        rows = torch.cat([network(looks.faces[k].float().flatten(0, 2), looks.context[k]) for k in parts])
    sequence, colour = scores(rows)
    best, wanted = sequence.argmax(1), looks.labels["sequence"]
    known = looks.labels["colour"] >= 0
    colours = (along(colour, wanted).argmax(1) == looks.labels["colour"]) | ~known
    right, colours_right = best == wanted, colours.all(1)
    single = known.sum(1) == 1
    off = (rows[:, PLACE:NEST] - looks.labels["place"]).abs()
    nested = looks.labels["inner"] >= 0
    inner = rows[:, NEST : NEST + len(INNER)].argmax(1) == looks.labels["inner"]
    rate = lambda hits: f"{100 * hits.float().mean():.1f}"  # noqa: E731
    return (
        f"sizes: singles {rate(right[single])} stacks {rate(right[~single])}"
        f" colour {rate(colours[known])} exact: singles {rate((right & colours_right)[single])}"
        f" stacks {rate((right & colours_right)[~single])}"
        f" inner {rate(inner[nested])}"
        f" place mm {off[:, :2].norm(dim=1).median():.2f} turn {10 * off[:, 2].median():.2f}"
    )


def train(network: Stacks, looks: Looks, held_out: Looks | None, steps: int, seed: int) -> None:
    rng = torch.Generator().manual_seed(seed)

    def loss_at(share: float) -> torch.Tensor:
        chosen = torch.randint(len(looks.faces), (BATCH,), generator=rng)
        named = {k: v[chosen] for k, v in looks.labels.items()}
        some = augmented(Looks(looks.faces[chosen], looks.context[chosen], named), rng)
        return loss_of(answered(network, some.faces.flatten(0, 2), some.context), some.labels)

    watch = None if held_out is None else lambda: report(network, held_out)
    descend(network, loss_at, steps, watch=watch, watched=10)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", nargs="+", type=Path)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--held-out", nargs="*", type=Path, default=[])
    parser.add_argument("--resume", type=Path, help="the .pt file of an earlier run to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("vision/weights/levels.onnx"))
    args = parser.parse_args()
    looks = prepare(open_to_view(args.photos), args.seed)
    held_out = prepare(open_to_view(args.held_out), args.seed + 1) if args.held_out else None
    print(f"{len(looks.faces)} views of stacks", flush=True)
    torch.manual_seed(args.seed)
    network = Stacks()
    if args.resume:
        network.load_state_dict(torch.load(args.resume))
    train(network, looks, held_out, args.steps, args.seed)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), args.out.with_suffix(".pt"))
    write_onnx(network.faces, torch.zeros(1, CHANNELS, len(ROWS), len(ACROSS)), args.out.with_stem("faces"))
    write_onnx(network.levels, torch.zeros(1, LEVEL_LAYERS, SIZES, STEPS), args.out)


if __name__ == "__main__":
    cv2.setNumThreads(2)
    main()
