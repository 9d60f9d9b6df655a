"""How much of a reading changes when the same photo is saved worse, cropped, padded, turned or made smaller.

    python tests/benchmarks/robustness.py PHOTOS...     (photos or folders of photos)

Of the stacks read in the photo as it is: how many are read the same (pieces, pose, stand) within 5 mm of their place.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from io import BytesIO
from pathlib import Path

import cv2
import numpy as np
from PIL import Image

from calibration.locate import LocateError
from engine.table import Scene, Stack
from vision.camera import photo_from
from vision.observe import observe

EDGE_PX = 40
NEAR_MM = 5.0
TURNED_BY_EXIF = {90: 6, 180: 3, 270: 8}


def jpeg(image: np.ndarray, quality: int = 92, exif_turn: int | None = None) -> bytes:
    buffer = BytesIO()
    exif = Image.Exif()
    if exif_turn is not None:
        exif[0x0112] = TURNED_BY_EXIF[exif_turn]
    Image.fromarray(image[..., ::-1]).save(buffer, "JPEG", quality=quality, exif=exif)
    return buffer.getvalue()


def smaller(image: np.ndarray) -> np.ndarray:
    return cv2.resize(image, None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA)


def padded(image: np.ndarray) -> np.ndarray:
    edge = [EDGE_PX] * 4
    return cv2.copyMakeBorder(image, *edge, cv2.BORDER_CONSTANT, value=(90, 90, 90))


CHANGES: dict[str, Callable[[np.ndarray], bytes]] = {
    "quality 60": lambda image: jpeg(image, 60),
    "cropped by 40 px": lambda image: jpeg(image[EDGE_PX:-EDGE_PX, EDGE_PX:-EDGE_PX]),
    "padded by 40 px": lambda image: jpeg(padded(image)),
    "turned by 90": lambda image: jpeg(np.rot90(image, 1).copy()),
    "turned by 180": lambda image: jpeg(np.rot90(image, 2).copy()),
    "turned by 270": lambda image: jpeg(np.rot90(image, 3).copy()),
    "turned by EXIF": lambda image: jpeg(np.rot90(image, 1).copy(), exif_turn=90),
    "half size": lambda image: jpeg(smaller(image)),
}


def same(one: Stack, other: Stack) -> bool:
    apart = np.hypot(one.pose.x_mm - other.pose.x_mm, one.pose.y_mm - other.pose.y_mm)
    alike = (one.pyramids, one.stand, one.pose.is_lying) == (other.pyramids, other.stand, other.pose.is_lying)
    return one.sheet == other.sheet and apart < NEAR_MM and alike


def unchanged(before: Scene, after: Scene) -> int:
    return sum(any(same(stack, other) for other in after.stacks) for stack in before.stacks)


def photos_of(arguments: list[str]) -> list[Path]:
    paths = [Path(argument) for argument in arguments]
    return [photo for path in paths for photo in (sorted(path.glob("*.jpg")) if path.is_dir() else [path])]


def main() -> None:
    kept, total, failed = dict.fromkeys(CHANGES, 0), 0, dict.fromkeys(CHANGES, 0)
    for path in photos_of(sys.argv[1:]):
        content = path.read_bytes()
        first = observe(photo_from(content, path.name))
        if first.hand_in_view:
            continue
        image = cv2.imdecode(np.frombuffer(content, np.uint8), cv2.IMREAD_COLOR)
        total += len(first.scene.stacks)
        for name, change in CHANGES.items():
            try:
                kept[name] += unchanged(first.scene, observe(photo_from(change(image), path.name)).scene)
            except LocateError:
                failed[name] += 1
    for name in CHANGES:
        lost = f", {failed[name]} photos not located" if failed[name] else ""
        print(f"{name}: {100 * kept[name] / total:.1f} % of {total} stacks unchanged{lost}")


if __name__ == "__main__":
    main()
