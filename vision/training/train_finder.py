"""Train the finder on photos with truth and write vision/weights/finder.onnx.

python -m vision.training.train_finder PHOTOS... --steps 3000 --out vision/weights/finder.onnx
"""

import argparse
import math
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
import torch

from vision.finder import SETTINGS, field_on
from vision.paper import encoded, light_field, linear, plan_of, printed_on, seen_on
from vision.training.descent import answered, descend
from vision.training.export import write_onnx
from vision.training.networks import Finder
from vision.training.truth import Example, examples

WINDOW_PX = 256
EMPTY = -1.2


@dataclass(frozen=True)
class Sheet:
    """One photo's plan, with the feet in plan pixels and the camera's foot and height in plan pixels and mm."""

    layers: torch.Tensor  # (4, h, w) float16, shifted so that 0 is "not seen"
    feet_px: np.ndarray  # (n, 2)
    camera_foot_px: np.ndarray
    camera_height_mm: float
    hands_px: tuple[np.ndarray, ...]  # outlines, each (n, 2)


def prepare(example: Example) -> Sheet:
    lens_scale = _scale_to(example, 1.3)
    image, table = _resized(example, lens_scale)
    plan = plan_of(table, SETTINGS.px_per_mm, SETTINGS.multiple_px)
    field = light_field(image, table)
    seen = encoded(linear(seen_on(plan, image, table.camera)) / field_on(plan, field))
    drawing, covered = printed_on(plan, table)
    printed = encoded(linear(cv2.cvtColor(drawing, cv2.COLOR_BGR2GRAY)))
    printed[~covered] = EMPTY
    layers = np.concatenate([seen.transpose(2, 0, 1), printed[None]]) - EMPTY
    feet = np.array([(f.x_mm, f.y_mm) for f in example.feet]).reshape(-1, 2)
    return Sheet(
        torch.from_numpy(layers.astype(np.float16)),
        plan.to_plan(feet),
        plan.to_plan(table.camera.foot_mm[None])[0],
        table.camera.height_mm,
        tuple(plan.to_plan(outline.astype(np.float64)) for outline in example.hand_outlines_mm),
    )


def _scale_to(example: Example, px_per_mm: float) -> float:
    from vision.observe import px_per_mm_of

    return min(1.0, px_per_mm / px_per_mm_of(example.table))


def _resized(example: Example, factor: float):
    from vision.observe import resized

    return resized(example.image_bgr, example.table, factor)


def window(sheet: Sheet, rng: np.random.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """A turned, flipped, shifted, recoloured window and its target (4, WINDOW/2, WINDOW/2): heat, offsets, hand."""
    _, height, width = sheet.layers.shape
    turn, flip, zoom = rng.uniform(0, 2 * math.pi), rng.choice([-1.0, 1.0]), math.exp(rng.normal(0, 0.03))
    centre = np.array([rng.uniform(0.2, 0.8) * width, rng.uniform(0.2, 0.8) * height])
    c, s = math.cos(turn), math.sin(turn)
    to_plan = np.array([[c, -s], [s, c]]) @ np.diag([flip, 1.0]) / zoom  # window offset -> plan offset
    middle = (WINDOW_PX - 1) / 2
    matrix = np.concatenate([to_plan, (centre - to_plan @ [middle, middle])[:, None]], axis=1)
    picture = cv2.warpAffine(
        sheet.layers.numpy().astype(np.float32).transpose(1, 2, 0),
        matrix,
        (WINDOW_PX, WINDOW_PX),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
    )
    picture = recoloured(picture, rng)
    to_window = np.linalg.inv(to_plan)
    foot = to_window @ (sheet.camera_foot_px - centre) + middle
    scale = 1 / (SETTINGS.px_per_mm * sheet.camera_height_mm * zoom)
    grid = np.arange(WINDOW_PX)
    lean_x = np.broadcast_to((grid - foot[0]) * scale, (WINDOW_PX, WINDOW_PX))
    lean_y = np.broadcast_to(((grid - foot[1]) * scale)[:, None], (WINDOW_PX, WINDOW_PX))
    layers = np.concatenate([picture.transpose(2, 0, 1) + EMPTY, lean_x[None], lean_y[None]])
    feet = (to_window @ (sheet.feet_px - centre).T).T + middle
    hands = [(to_window @ (outline - centre).T).T + middle for outline in sheet.hands_px]
    return torch.from_numpy(layers.astype(np.float32)), torch.cat([target(feet), covered(hands)])


def windows(sheets: list[Sheet], count: int, rng: np.random.Generator) -> list[tuple[torch.Tensor, torch.Tensor]]:
    """So many windows; a quarter of them of photos with a hand in view, if there are any."""
    with_hand = [sheet for sheet in sheets if sheet.hands_px]
    pools = [with_hand if with_hand and rng.random() < 0.25 else sheets for _ in range(count)]
    return [window(pool[rng.integers(len(pool))], rng) for pool in pools]


def covered(outlines_px: list[np.ndarray]) -> torch.Tensor:
    """Cells under a hand, shape (1, cells, cells)."""
    cells = WINDOW_PX // SETTINGS.cell_px
    mask = np.zeros((cells, cells), np.uint8)
    for outline in outlines_px:
        cv2.fillConvexPoly(mask, np.round(np.clip(outline, -4000, 4000) / SETTINGS.cell_px).astype(np.int32), 1)
    return torch.from_numpy(mask.astype(np.float32))[None]


def recoloured(picture: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """Other exposure, white balance, contrast and noise; pixels not seen stay so."""
    unseen = picture[..., :3].max(axis=-1, keepdims=True) <= 0
    value = np.maximum(picture[..., :3] / 2, 0) + np.float32(1e-4)
    cv2.pow(value, math.exp(rng.normal(0, 0.08)), value)
    value *= np.exp(rng.normal(0, 0.03) + rng.normal(0, 0.03, 3)).astype(np.float32)
    if rng.random() < 0.5:
        value += rng.uniform(0, 0.03) * rng.standard_normal(value.shape, np.float32)
    if rng.random() < 0.3:
        value = cv2.GaussianBlur(value, (0, 0), rng.uniform(0.4, 1.0))
    return np.concatenate([np.where(unseen, 0, np.clip(value, 0, 1.3) * 2), picture[..., 3:]], axis=-1)


def target(feet_px: np.ndarray) -> torch.Tensor:
    cells = WINDOW_PX // SETTINGS.cell_px
    grid = np.arange(cells, dtype=np.float32) * SETTINGS.cell_px + (SETTINGS.cell_px - 1) / 2
    heat, dx, dy = (np.zeros((cells, cells), np.float32) for _ in range(3))
    for x, y in feet_px:
        column, row = round((x - grid[0]) / SETTINGS.cell_px), round((y - grid[0]) / SETTINGS.cell_px)
        here = (slice(max(row - 6, 0), max(row + 7, 0)), slice(max(column - 6, 0), max(column + 7, 0)))
        ox, oy = x - grid[None, here[1]], y - grid[here[0], None]
        near = np.exp(-(ox**2 + oy**2) / (2 * 2.5**2))
        better = near > heat[here]
        dx[here], dy[here] = np.where(better, ox, dx[here]), np.where(better, oy, dy[here])
        heat[here] = np.maximum(heat[here], near)
        if 0 <= column < cells and 0 <= row < cells:
            heat[row, column] = 1.0
    return torch.from_numpy(np.stack([heat, dx / SETTINGS.px_per_mm, dy / SETTINGS.px_per_mm]).astype(np.float32))


def loss_of(answer: torch.Tensor, wanted: torch.Tensor) -> torch.Tensor:
    """Focal loss on the heat (as CenterNet's), absolute error on the offsets near feet."""
    odds, heat, hand = answer[:, 0], wanted[:, 0], wanted[:, 3]
    p = torch.sigmoid(odds)
    open_to_view = 1 - hand
    positive = (heat > 0.999).float() * open_to_view
    gain = positive * (1 - p) ** 2 * torch.nn.functional.logsigmoid(odds)
    cost = open_to_view * (1 - positive) * (1 - heat) ** 4 * p**2 * torch.nn.functional.logsigmoid(-odds)
    near = ((heat > 0.3).float() * open_to_view)[:, None]
    hands = torch.nn.functional.binary_cross_entropy_with_logits(answer[:, 3], hand, pos_weight=torch.tensor(2.0))
    offset = ((answer[:, 1:3] - wanted[:, 1:3]).abs() * near).sum()
    return (-(gain + cost).sum() + 0.25 * offset) / positive.sum().clamp(min=1) + 6 * hands


def train(network: Finder, sheets: list[Sheet], steps: int, batch: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    network.to(memory_format=torch.channels_last)
    with ThreadPoolExecutor(1) as ahead:
        following = [ahead.submit(windows, sheets, batch, rng)]

        def loss_at(share: float) -> torch.Tensor:
            chosen = following.pop().result()
            following.append(ahead.submit(windows, sheets, batch, rng))
            seen = torch.stack([window for window, _ in chosen]).to(memory_format=torch.channels_last)
            return loss_of(answered(network, seen), torch.stack([wanted for _, wanted in chosen]))

        descend(network, loss_at, steps, rate=3e-3, decay=1e-4)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("photos", nargs="+", type=Path)
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=8)
    parser.add_argument("--resume", type=Path, help="the .pt file of an earlier run to go on from")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("vision/weights/finder.onnx"))
    args = parser.parse_args()
    sheets = [prepare(e) for e in examples(args.photos)]
    print(f"{len(sheets)} photos, {sum(len(s.feet_px) for s in sheets)} feet", flush=True)
    torch.manual_seed(args.seed)
    network = Finder()
    if args.resume:
        network.load_state_dict(torch.load(args.resume))
    train(network, sheets, args.steps, args.batch, args.seed)
    args.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save(network.state_dict(), args.out.with_suffix(".pt"))
    write_onnx(network, torch.zeros(1, 6, 256, 256), args.out, dynamic_size=True)


if __name__ == "__main__":
    main()
