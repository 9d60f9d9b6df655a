"""Train the reader on photos with truth and write vision/weights/reader.onnx.

python -m vision.training.train_reader PHOTOS... --steps 16000 --out vision/weights/reader.onnx
"""

import argparse
import math
from dataclasses import dataclass
from multiprocessing import get_context
from pathlib import Path

import cv2
import numpy as np
import torch
from torch.nn.functional import cross_entropy

from vision.crops import _OFFSETS, LAYERS, crop, view_of
from vision.finder import find
from vision.observe import Scaled
from vision.pieces import HEIGHT_MM, LEVELS, SEQUENCES, STEP_MM
from vision.reader import _SEQUENCE_MASK, PARTS
from vision.training.descent import answered, descend
from vision.training.export import write_onnx
from vision.training.networks import Reader
from vision.training.sketch import sketch
from vision.training.truth import Example, TrueFoot, open_to_view

BATCH = 64
VIEWS_OF_A_FOOT = 4
VIEWS_OF_A_MISTAKE = 3
JITTER_MM = 2.0
CLEAR_OF_FEET_MM = 8.5
SEQUENCE_INDEX = {s: n for n, s in enumerate(SEQUENCES)}


@dataclass(frozen=True)
class Crops:
    """Training crops: (n, LAYERS) pictures as float16 and their labels by name."""

    pictures: torch.Tensor
    labels: dict[str, torch.Tensor]


def labels_of(foot: TrueFoot | None, anchor: np.ndarray, outward_deg: float) -> dict[str, np.ndarray]:
    colours = np.full(LEVELS, -100)
    if foot is None:
        return {
            "kind": 0,
            "sequence": -100,
            "lying_size": -100,
            "colour": colours,
            "angle": np.zeros(2),
            "offset": np.zeros(2),
        }
    colours[: len(foot.colours)] = foot.colours
    relative = math.radians(foot.yaw_deg - outward_deg)
    out = math.radians(outward_deg)
    dx, dy = foot.x_mm - anchor[0], foot.y_mm - anchor[1]
    fold = 1 if foot.lying else 4
    return {
        "kind": 2 if foot.lying else 1,
        "sequence": -100 if foot.lying else SEQUENCE_INDEX[foot.sizes],
        "lying_size": foot.sizes[0] - 1 if foot.lying else -100,
        "colour": colours,
        "angle": np.array([math.cos(fold * relative), math.sin(fold * relative)]),
        "offset": np.array([dx * math.sin(out) - dy * math.cos(out), dx * math.cos(out) + dy * math.sin(out)]),
    }


def anchors(
    example: Example, mistaken: np.ndarray, rng: np.random.Generator
) -> list[tuple[np.ndarray, TrueFoot | None]]:
    """Places to look at: near every foot a few times, and where nothing is; most of all where the finder saw a foot.

    `mistaken`: (n, 2), mm, the places that the finder says; those clear of every foot are its mistakes.
    """
    found: list[tuple[np.ndarray, TrueFoot | None]] = []
    for foot in example.feet:
        for _ in range(VIEWS_OF_A_FOOT):
            shift = np.clip(rng.normal(0, JITTER_MM, 2), -5, 5)
            found.append((np.array([foot.x_mm, foot.y_mm]) + shift, foot))
    feet = np.array([(f.x_mm, f.y_mm) for f in example.feet]).reshape(-1, 2)
    low, high = np.array([1e9, 1e9]), np.array([-1e9, -1e9])
    for sheet in example.table.sheets:
        low, high = (
            np.minimum(low, (sheet.pose.x_mm, sheet.pose.y_mm)),
            np.maximum(high, (sheet.pose.x_mm, sheet.pose.y_mm)),
        )
    middle, reach = (low + high) / 2 + 100, 260
    camera_foot = example.table.camera.foot_mm
    for _ in range(24 + 2 * len(feet)):
        if len(feet) and rng.random() < 0.6:  # close to a foot, most of all where its tip is seen
            foot = feet[rng.integers(len(feet))]
            away = (foot - camera_foot) / example.table.camera.height_mm * rng.uniform(0, 90)
            place = foot + away + rng.normal(0, 9, 2)
        else:
            place = middle + rng.uniform(-reach, reach, 2)
        found.append((place, None))
    found += [(place + rng.normal(0, 1, 2), None) for place in mistaken for _ in range(VIEWS_OF_A_MISTAKE)]
    clear = [
        foot is not None or np.hypot(*(feet - place).T).min(initial=1e9) > CLEAR_OF_FEET_MM for place, foot in found
    ]
    return [seen for seen, is_clear in zip(found, clear, strict=True) if is_clear]


def prepare(found: list[Example], seed: int) -> Crops:
    rng = np.random.default_rng(seed)
    pictures, labels = [], []
    for example in found:
        scene = Scaled.of(example.image_bgr, example.table)
        seen = find(scene.small, scene.small_table, scene.field).feet
        camera, (height, width) = scene.table.camera, scene.image.shape[:2]
        for place, foot in anchors(example, np.array([(f.x_mm, f.y_mm) for f in seen]).reshape(-1, 2), rng):
            pixel = camera.project(np.array([[*place, 0.0]]))[0]
            if not (0 <= pixel[0] < width and 0 <= pixel[1] < height):
                continue
            view = view_of(camera, *place)
            picture = crop(view, scene.image, camera, scene.printed, scene.field)
            pictures.append(torch.from_numpy(picture.astype(np.float16)))
            labels.append(labels_of(foot, place, view.outward_deg))
    return Crops(torch.stack(pictures), {k: torch.from_numpy(np.stack([row[k] for row in labels])) for k in labels[0]})


def sketches(count: int, seed: int, workers: int) -> Crops:
    """Crops drawn, not photographed: see `vision.training.sketch`."""
    with get_context("spawn").Pool(workers) as pool:  # forking with OpenCV threads alive deadlocks
        drawn = pool.map(_some_sketches, [(seed * 1000 + k, 250) for k in range(count // 250)])
    pictures = torch.cat([torch.from_numpy(p) for p, _ in drawn])
    labels = [row for _, rows in drawn for row in rows]
    return Crops(pictures, {k: torch.from_numpy(np.stack([row[k] for row in labels])) for k in labels[0]})


def _some_sketches(task: tuple[int, int]) -> tuple[np.ndarray, list[dict[str, np.ndarray]]]:
    seed, count = task
    cv2.setNumThreads(1)
    rng = np.random.default_rng(seed)
    drawn = [sketch(rng) for _ in range(count)]
    return np.stack([p for p, _, _ in drawn]), [labels_of(foot, anchor, 90.0) for _, foot, anchor in drawn]


NOISE = 0.05 * torch.randn(256, 3, *_OFFSETS.shape[:2], generator=torch.Generator().manual_seed(7))
ACROSS = torch.from_numpy(_OFFSETS[..., 0]).float()
ALONG = torch.from_numpy(_OFFSETS[..., 1]).float()
KEPT_MM = 20.0  # round the foot and up to the tip: what belongs to the stack and its stand


def with_other_surroundings(x: torch.Tensor, labels: dict[str, torch.Tensor], rng: torch.Generator) -> torch.Tensor:
    """Half of the crops get what surrounds another crop's stack, so that no stack is known by its neighbours."""
    n = len(x)
    swapped = torch.nonzero((torch.rand(n, generator=rng) < 0.5) & (labels["kind"] > 0))[:, 0]
    sine = (x[swapped, 4, 0, 0] + 0.5) / 2
    sequence = labels["sequence"][swapped]
    tip = TIP_MM[sequence.clamp(min=0)] * (sequence >= 0) * sine
    to_axis = ALONG - torch.minimum(ALONG.clamp(min=0), tip[:, None, None])
    away = torch.sqrt(ACROSS**2 + to_axis**2) - KEPT_MM
    keep = torch.sigmoid(-away / 0.7)[:, None]
    others = torch.randint(n, (len(swapped),), generator=rng)
    mixed = keep * x[swapped, :4] + (1 - keep) * x[others, :4]
    x[swapped, :4] = mixed
    return x


def augmented(
    pictures: torch.Tensor, labels: dict[str, torch.Tensor], rng: torch.Generator
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """Mirrored, recoloured, noisy and covered crops; mirrored angles and offsets."""
    x, labels = pictures.float(), dict(labels)
    n = len(x)
    rand = lambda *shape: torch.rand(*shape, generator=rng)  # noqa: E731
    randn = lambda *shape: torch.randn(*shape, generator=rng)  # noqa: E731
    flip = rand(n) < 0.5
    x[flip, :6] = x[flip, :6].flip(-1)
    sign = torch.where(flip, -1.0, 1.0).double()
    labels["angle"] = labels["angle"] * torch.stack([torch.ones(n).double(), sign], 1)
    labels["offset"] = labels["offset"] * torch.stack([sign, torch.ones(n).double()], 1)
    x = with_other_surroundings(x, labels, rng)
    gain = torch.exp(0.06 * randn(n, 1, 1, 1) + 0.03 * randn(n, 3, 1, 1))
    shift = 0.08 * randn(n, 1, 1, 1) + 0.04 * randn(n, 3, 1, 1)
    noise = NOISE[torch.randint(len(NOISE), (n,), generator=rng)] * rand(n, 1, 1, 1)
    x[:, :3] = torch.addcmul(noise.add_(shift), x[:, :3], gain)
    x[:, 4:6] += 0.02 * randn(n, 2, 1, 1)
    return x, labels


TIP_MM = torch.tensor([HEIGHT_MM[s[0]] + STEP_MM * (len(s) - 1) for s in SEQUENCES])
MASK = torch.from_numpy(_SEQUENCE_MASK)


def loss_of(rows: torch.Tensor, labels: dict[str, torch.Tensor]) -> torch.Tensor:
    part = dict(zip(PARTS, torch.split(rows, list(PARTS.values()), dim=1), strict=True))
    kind = labels["kind"]
    upright, lying = kind == 1, kind == 2
    sequence = torch.einsum("sld,nld->ns", MASK, part["level_size"].reshape(-1, LEVELS, 4))
    unit = torch.nn.functional.normalize
    angle = labels["angle"].float()
    total = 1.5 * cross_entropy(part["kind"], kind)
    total = total + 0.3 * cross_entropy(sequence, labels["sequence"], ignore_index=-100)  # the levels tell better
    total = total + 0.5 * cross_entropy(part["lying_size"], labels["lying_size"], ignore_index=-100)
    colour = cross_entropy(part["colour"].reshape(-1, 10), labels["colour"].reshape(-1), ignore_index=-100)
    total = total + 2.0 * colour
    total = total + 2 * ((unit(part["heading"], dim=1) - angle)[lying] ** 2).sum(1).mean()
    total = total + 0.3 * ((unit(part["turn"], dim=1) - angle)[upright] ** 2).sum(1).mean()
    something = kind > 0
    return total + 0.5 * (part["offset"] - labels["offset"].float())[something].abs().mean()


def report(network: Reader, crops: Crops) -> str:
    """How often each part is right on crops not trained on."""
    with torch.no_grad():
        rows = torch.cat([network(crops.pictures[k : k + 64].float()) for k in range(0, len(crops.pictures), 64)])
    part = dict(zip(PARTS, torch.split(rows, list(PARTS.values()), dim=1), strict=True))
    labels = crops.labels
    upright, lying, something = labels["kind"] == 1, labels["kind"] == 2, labels["kind"] > 0
    sequence = torch.einsum("sld,nld->ns", MASK, part["level_size"].reshape(-1, LEVELS, 4)).argmax(1)
    colour, wanted = part["colour"].reshape(-1, LEVELS, 10).argmax(2), labels["colour"]
    known = wanted >= 0
    right = ((colour == wanted) | ~known).all(1)
    sizes = torch.where(upright, sequence == labels["sequence"], part["lying_size"].argmax(1) == labels["lying_size"])
    heading = torch.atan2(part["heading"][:, 1], part["heading"][:, 0]) - torch.atan2(
        labels["angle"][:, 1], labels["angle"][:, 0]
    )
    off = torch.rad2deg(torch.atan2(heading.sin(), heading.cos())).abs()[lying]
    offset = (part["offset"] - labels["offset"]).norm(dim=1)[something]
    rates = {
        "kind": part["kind"].argmax(1) == labels["kind"],
        "sizes upright": sizes[upright],
        "lying": sizes[lying],
        "colour": (colour == wanted)[known],
        "exact": (right & sizes)[something],
    }
    words = " ".join(f"{name} {100 * hits.float().mean():.1f}" for name, hits in rates.items())
    spread = lambda v: f"{v.median():.2f}/{v.quantile(0.95):.2f}"  # noqa: E731
    return f"{words} heading {spread(off)} offset {spread(offset)}"


def share_drawn(share: float) -> float:
    """How much of a batch is drawn: less at the end."""
    return 0.25 if share < 0.6 else 0.1


def batch_of(
    sources: tuple[Crops, Crops], counts: tuple[int, int], rng: torch.Generator
) -> tuple[torch.Tensor, dict[str, torch.Tensor]]:
    """So many crops of each source, augmented."""
    pictures, labels = [], []
    for source, count in zip(sources, counts, strict=True):
        chosen = torch.randint(len(source.pictures), (count,), generator=rng)
        pictures.append(source.pictures[chosen])
        labels.append({k: v[chosen] for k, v in source.labels.items()})
    return augmented(torch.cat(pictures), {k: torch.cat([row[k] for row in labels]) for k in labels[0]}, rng)


def train(network: Reader, crops: Crops, drawn: Crops, held_out: Crops | None, steps: int, seed: int) -> None:
    rng = torch.Generator().manual_seed(seed)
    network.to(memory_format=torch.channels_last)

    def loss_at(share: float) -> torch.Tensor:
        from_drawn = round(BATCH * share_drawn(share))
        x, labels = batch_of((crops, drawn), (BATCH - from_drawn, from_drawn), rng)
        return loss_of(answered(network, x.to(memory_format=torch.channels_last)), labels)

    watch = None if held_out is None else lambda: report(network, held_out)
    descend(network, loss_at, steps, decay=2e-3, watch=watch)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", nargs="+", type=Path)
    parser.add_argument("--steps", type=int, default=16000)
    parser.add_argument(
        "--held-out", nargs="*", type=Path, default=[], help="folders of photos to watch the training by"
    )
    parser.add_argument("--sketches", type=int, default=16000)
    parser.add_argument("--resume", type=Path, help="the .pt file of an earlier run to go on from")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("vision/weights/reader.onnx"))
    args = parser.parse_args()
    crops = prepare(open_to_view(args.photos), args.seed)
    held_out = prepare(open_to_view(args.held_out), args.seed + 1) if args.held_out else None
    print(f"{len(crops.pictures)} crops of {LAYERS} layers", flush=True)
    drawn = sketches(args.sketches, args.seed, args.workers)
    print(f"{len(drawn.pictures)} sketches", flush=True)
    torch.manual_seed(args.seed)
    network = Reader()
    if args.resume:
        network.load_state_dict(torch.load(args.resume))
    train(network, crops, drawn, held_out, args.steps, args.seed)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), args.out.with_suffix(".pt"))
    write_onnx(network, torch.zeros(1, LAYERS, *_OFFSETS.shape[:2]), args.out)


if __name__ == "__main__":
    cv2.setNumThreads(2)
    main()
