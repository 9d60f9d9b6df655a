"""Train the network that tells stands on photos with truth and write vision/weights/stands.onnx.

python -m vision.training.train_stands PHOTOS... --steps 3000 --out vision/weights/stands.onnx
"""

import argparse
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn.functional import affine_grid, cross_entropy, grid_sample

from vision.observe import Scaled
from vision.stands import PATCH_LAYERS, PATCH_PX, STANDS, patches
from vision.training.descent import answered, descend
from vision.training.export import write_onnx
from vision.training.networks import Stands
from vision.training.truth import Example, open_to_view

BATCH = 64
SHIFT_MM = 1.0  # how far the reader's own places are off
SHARES = (0.45, 0.08, 0.31, 0.08, 0.08)  # of a batch: white ones are the hard ones


@dataclass(frozen=True)
class Patches:
    """(n, PATCH_LAYERS, PATCH_PX, PATCH_PX) pictures as float16 and the index into STANDS of each."""

    pictures: torch.Tensor
    stand: torch.Tensor


def prepare(found: list[Example], seed: int) -> Patches:
    rng = np.random.default_rng(seed)
    pictures, stand = [], []
    for example in found:
        if not example.feet:
            continue
        scene = Scaled.of(example.image_bgr, example.table)
        feet = np.array([(f.x_mm, f.y_mm) for f in example.feet]) + rng.normal(0, SHIFT_MM, (len(example.feet), 2))
        seen = patches(feet, scene.image, scene.table.camera, scene.printed, scene.field)
        pictures.append(torch.from_numpy(seen.astype(np.float16)))
        stand += [foot.stand for foot in example.feet]
    return Patches(torch.cat(pictures), torch.tensor(stand))


def augmented(pictures: torch.Tensor, rng: torch.Generator) -> torch.Tensor:
    """Turned, mirrored, shifted, recoloured patches."""
    n = len(pictures)
    rand = lambda *shape: torch.rand(*shape, generator=rng)  # noqa: E731
    randn = lambda *shape: torch.randn(*shape, generator=rng)  # noqa: E731
    turn, zoom = rand(n) * 2 * math.pi, 1 + 0.05 * randn(n)
    mirror = torch.where(rand(n) < 0.5, -1.0, 1.0)
    rows = [
        [turn.cos() * zoom * mirror, -turn.sin() * zoom, 0.03 * randn(n)],
        [turn.sin() * zoom * mirror, turn.cos() * zoom, 0.03 * randn(n)],
    ]
    to_patch = torch.stack([torch.stack(row, 1) for row in rows], 1)
    grid = affine_grid(to_patch, list(pictures.shape), align_corners=False)
    x = grid_sample(pictures, grid, align_corners=False, padding_mode="border")
    x[:, :3] *= torch.exp(0.08 * randn(n, 1, 1, 1) + 0.04 * randn(n, 3, 1, 1))
    x[:, :3] += 0.05 * randn(n, 1, 1, 1) + 0.03 * randn(n, 3, 1, 1)
    return x


def report(network: Stands, held_out: Patches) -> str:
    """How many of each stand are told, on photos not trained on."""
    with torch.no_grad():
        parts = held_out.pictures.split(128)
        best = torch.cat([network(part.float()).argmax(1) for part in parts])
    words = []
    for k, owner in enumerate(STANDS):
        these = held_out.stand == k
        words.append(f"{owner or 'none'} {int((best[these] == k).sum())} of {int(these.sum())}")
    return ", ".join(words)


def train(network: Stands, known: Patches, held_out: Patches | None, steps: int, seed: int) -> None:
    rng = torch.Generator().manual_seed(seed)
    network.to(memory_format=torch.channels_last)
    counts = [(torch.nonzero(known.stand == k)[:, 0], round(share * BATCH)) for k, share in enumerate(SHARES)]

    def loss_at(share: float) -> torch.Tensor:
        chosen = torch.cat([these[torch.randint(len(these), (count,), generator=rng)] for these, count in counts])
        x = augmented(known.pictures[chosen].float(), rng)
        return cross_entropy(answered(network, x.to(memory_format=torch.channels_last)), known.stand[chosen])

    watch = None if held_out is None else lambda: report(network, held_out)
    descend(network, loss_at, steps, watch=watch)


def as_often_as(known: Patches, network: Stands) -> None:
    """Undo what SHARES made the network believe of how often stands are met."""
    often = torch.bincount(known.stand, minlength=len(STANDS)) / len(known.stand)
    with torch.no_grad():
        network.head[-1].bias += torch.log(often / torch.tensor(SHARES))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", nargs="+", type=Path)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--held-out", nargs="*", type=Path, default=[])
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("vision/weights/stands.onnx"))
    args = parser.parse_args()
    known = prepare(open_to_view(args.photos), args.seed)
    held_out = prepare(open_to_view(args.held_out), args.seed + 1) if args.held_out else None
    print(f"{len(known.stand)} patches", flush=True)
    torch.manual_seed(args.seed)
    network = Stands()
    train(network, known, held_out, args.steps, args.seed)
    as_often_as(known, network)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), args.out.with_suffix(".pt"))
    write_onnx(network, torch.zeros(1, PATCH_LAYERS, PATCH_PX, PATCH_PX), args.out)


if __name__ == "__main__":
    cv2.setNumThreads(2)
    main()
