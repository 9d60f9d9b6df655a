"""Make training photos with truth: the table renderer under widely varied lights, tables, lenses and cameras.

Runs in its own environment (``pip install "bpy==5.0.*" opencv-python numpy``, Python 3.11), with the folder of
the table renderer (``sample.py``, ``scene.py``, ``mats.py``, ``pieces.py``) given as ``--renderer``. Photo number
N is the same on every run. Numbers from 5000 up have a hand in view and are small; 8000 to 8039 are empty tables, every
layout in every light, to test with; numbers from 9000 up are the held-out ones: lights that no training photo has, and
no dense tables. Numbers from 100 to 5000 are mostly boards full
of stacks, the hardest to read, and pieces scattered over every kind of table.

    python render_photos.py --renderer DIR --out PHOTOS --first 0 --count 100
"""

import argparse
import json
import math
import random
import sys
from pathlib import Path

FULL_FROM = 100
HANDS_FROM = 5000
EMPTY_FROM = 8000
HELD_OUT_FROM = 9000
HELD_OUT_LIGHTS = ("forest.exr", "sunset.exr")
KINDS = ("dense",) * 11 + ("board",) * 5 + ("free",) * 2 + ("silos",) * 4 + ("towers",) * 3 + ("track",) * 3 + ("card",)
FULL_KINDS = (
    ("stacks",) * 4
    + ("scatter",) * 7
    + ("stacks",) * 3
    + ("dense",) * 6
    + ("board", "free", "towers")
    + ("silos", "track") * 2
)
LAYOUT_KINDS = ("board", "silos", "towers", "track", "card")  # one of each layout
OWN_KINDS = ("stacks", "scatter")
SIZES_PX = ((1280, 960), (1280, 960), (1024, 768), (960, 720), (1280, 720))
FULL_SIZES_PX = ((1024, 768), (1024, 768), (1280, 960), (960, 720), (1280, 960), (800, 600))
QUICK_FROM = 145  # smaller pictures from here on: more stacks an hour
QUICK_SIZES_PX = ((960, 720), (800, 600))


def recipe(number: int, lights: list[str]) -> dict:
    """Everything about photo `number` that the renderer leaves to its caller."""
    rng = random.Random(f"training-photo-{number}")
    held_out = number >= HELD_OUT_FROM
    allowed = [n for n in lights if (n in HELD_OUT_LIGHTS) == held_out]
    tables = [(tuple(rng.randint(15, 235) for _ in range(3)), rng.random() < 0.5) for _ in range(3)]
    full = FULL_FROM <= number < HANDS_FROM
    kinds = FULL_KINDS if full else [k for k in KINDS if k != "dense"] if held_out else KINDS
    sizes = QUICK_SIZES_PX if full and number >= QUICK_FROM else FULL_SIZES_PX if full else SIZES_PX
    small_hand = HANDS_FROM <= number < EMPTY_FROM
    empty = EMPTY_FROM <= number < HELD_OUT_FROM
    if empty:
        light, layout = divmod(number - EMPTY_FROM, len(LAYOUT_KINDS))
        kinds, sizes, allowed = (LAYOUT_KINDS[layout],), ((800, 600),), [lights[light % len(lights)]]
    return {
        "rng": rng,
        "kind": rng.choice(kinds),
        "lights": allowed,
        "tables": tables,
        "size_px": (640, 480) if small_hand else rng.choice(sizes),
        "oblique": rng.random() < 0.3,
        "clutter": rng.random() < 0.25 and not empty,
        "hand": (rng.random() < 0.07 or small_hand) and not empty,
        "empty": rng.random() < 0.04 or empty,
    }


def fill_with_stacks(builder, rng: random.Random, hard: bool) -> None:
    """A board with a stack of up to six on nearly every square; `hard` ones are mostly of equal sizes."""
    every = ("red", "yellow", "green", "blue", "cyan", "orange", "purple", "black", "white", "clear")
    for square in [file + rank for file in "abcdefgh" for rank in "12345678"]:
        _, (x, y), _ = builder.zone(square)
        x, y, chance = x + rng.gauss(0, 2), y + rng.gauss(0, 2), rng.random()
        if chance < 0.05:
            continue
        if chance < 0.12:
            builder.add(rng.choice(every), rng.choice((1, 2, 3)), "lying", x, y, 0, rng.uniform(0, 360), zone=square)
            continue
        owner = rng.choice(("black", "white", "orange", "purple")) if rng.random() < 0.35 else None
        z = builder.stand(owner, x, y, rng.choice(("chip", "card"))) if owner else 0.0
        few = rng.random() < (0.5 if hard else 0.1)
        sizes = rng.sample((1, 2, 3), 2) if few else (1, 2, 3)
        stack = sorted((rng.choice(sizes) for _ in range(rng.choice((1, 2, 2, 3, 3, 4, 5, 6)))), reverse=True)
        colours = rng.choice((every[:4], every, every[:4], (rng.choice(every),)))
        owned = {"owner": owner} if owner else {}
        builder.tower([(rng.choice(colours), s) for s in stack], x, y, z, rng.uniform(0, 90), zone=square, **owned)


def scatter(builder, rng: random.Random, hard: bool) -> None:
    """Pieces anywhere on the sheets, most of them lying; `hard` ones lie in heaps."""
    every = ("red", "yellow", "green", "blue", "cyan", "orange", "purple", "black", "white", "clear")
    places = []
    for sheet, (x, y, turn) in builder.layout.items():
        width, height = builder.sheets[sheet]["size_mm"]
        cos, sin = math.cos(math.radians(turn)), math.sin(math.radians(turn))
        heaps = [(rng.uniform(20, width - 20), rng.uniform(20, height - 20)) for _ in range(3)]
        for _ in range(round(width * height / 1900)):
            u, v = rng.uniform(12, width - 12), rng.uniform(12, height - 12)
            if hard and rng.random() < 0.6:
                heap = rng.choice(heaps)
                u, v = (min(max(rng.gauss(c, 25), 12), s - 12) for c, s in zip(heap, (width, height), strict=True))
            places.append((x + u * cos - v * sin, y + u * sin + v * cos))
    for x, y in places:
        chance = rng.random()
        if chance < 0.65:
            builder.add(rng.choice(every), rng.choice((1, 2, 3)), "lying", x, y, 0, rng.uniform(0, 360))
        elif chance < 0.8:
            sizes = range(3, 3 - rng.randint(1, 3), -1)
            builder.nest([(rng.choice(every), s) for s in sizes], x, y, rng.uniform(0, 90))
        else:
            sizes = sorted((rng.choice((1, 2, 3)) for _ in range(rng.choice((1, 1, 2, 3, 4)))), reverse=True)
            builder.tower([(rng.choice(every), s) for s in sizes], x, y, 0.0, rng.uniform(0, 90))


def own_kind(kind: str, rng: random.Random):
    """The layout and the filler of a kind that only training has."""
    if kind == "stacks":
        return "board", fill_with_stacks
    return rng.choice(("track-oval", "track-oval", "towers-2p", "silos-2p", "board")), scatter


def scene_of(sample, number: int):
    """The renderer's builder for photo `number`, filled, and its recipe."""
    plan = recipe(number, [f"{n}.exr" for n in sample.HDRI])
    rng = plan["rng"]
    layout, fill = sample.KINDS[plan["kind"]] if plan["kind"] not in OWN_KINDS else own_kind(plan["kind"], rng)
    for _ in range(40):
        builder = sample.Builder(rng, layout, sample.mats.all_sheets(), wobble=rng.choice([0, 0.4, 1.0]))
        if not plan["empty"]:
            fill(builder, rng, hard=rng.random() < 0.5)
        if plan["kind"] in ("dense", *OWN_KINDS):
            sample.thin_out(builder)
        if not sample.collisions(builder):
            break
    if plan["clutter"] and plan["kind"] not in ("dense", "stacks"):
        sample.clutter(builder, rng)
    if plan["hand"]:
        sample.hand(builder, rng)
    builder.hand = plan["hand"]
    return builder, plan


def render_one(sample, number: int, out: Path, samples: int) -> None:
    import numpy as np

    builder, plan = scene_of(sample, number)
    sample.STYLE["training"] = {"hdri": plan["lights"], "tables": plan["tables"]}
    name = out / f"{plan['kind']}-{number:05d}"
    width, height = plan["size_px"]
    sample.render(
        builder,
        plan["rng"],
        np.random.default_rng(number),
        str(name),
        "training",
        samples,
        width,
        height,
        plan["oblique"],
    )
    add_extras(name.with_suffix(".json"), builder)


def denoise_quickly() -> None:
    """A third off each photo's time: the renderer's own denoising settings filter its guides once more."""
    import bpy
    from bpy.app.handlers import persistent

    @persistent
    def settings(*_) -> None:
        cycles = bpy.context.scene.cycles
        cycles.denoising_prefilter = "FAST"
        cycles.denoising_quality = "BALANCED"

    bpy.app.handlers.render_init.append(settings)


def add_extras(truth: Path, builder) -> None:
    """The truth also tells of things that are no pyramids: the finder learns hands from them."""
    doc = json.loads(truth.read_text())
    doc["extras"] = builder.extras
    truth.write_text(json.dumps(doc, indent=1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--renderer", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--count", type=int, default=10)
    parser.add_argument("--samples", type=int, default=8)
    args = parser.parse_args()
    sys.path.insert(0, str(args.renderer))
    import os

    os.environ["OPENCV_IO_ENABLE_OPENEXR"] = "1"
    import cv2
    import sample

    if not Path(sample.MAT_DIR, "track-oval.png").exists():
        for sheet_id, sheet in sample.mats.main(sample.MAT_DIR).items():
            cv2.imwrite(str(Path(sample.MAT_DIR) / f"{sheet_id}.png"), sample.mats.draw(sheet))
    denoise_quickly()
    args.out.mkdir(parents=True, exist_ok=True)
    for number in range(args.first, args.first + args.count):
        if list(args.out.glob(f"*-{number:05d}.json")):
            continue
        try:
            render_one(sample, number, args.out, args.samples)
        except (RuntimeError, IndexError) as reason:
            print(f"photo {number} skipped: {reason}", file=sys.stderr)


if __name__ == "__main__":
    main()
