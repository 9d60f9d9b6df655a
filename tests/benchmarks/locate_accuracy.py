"""How well `calibration.locate` does on photos with truth.

    python tests/benchmarks/locate_accuracy.py PHOTOS [--hint auto|none|true] [--verbose]

The hint is by default what a player's photo has: the game's saved lens, else EXIF, else nothing. PHOTOS holds photo
and truth (JSON) pairs, also in folders of photographed games. Positions are compared in sheet coordinates: the true
camera shows each marker centre and sheet corner at a pixel, the located camera and sheet bring it back to the sheet.
Heights are of the camera above the paper, directions those in which the sheets' middle is seen.
"""

import argparse
import json
import math
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from calibration.locate import LensHint, LocateError, locate
from calibration.optics import Camera, Lens, LocatedTable, SheetPose
from calibration.sheets import load_sheets
from vision.camera import read_lens, read_photo


@dataclass(frozen=True)
class Figures:
    positions_mm: np.ndarray
    claimed_over_true: tuple[float, ...]
    height_percent: float
    eye_deg: float
    seconds: float


def true_camera(truth: dict, size_px: tuple[int, int]) -> Camera:
    camera = truth["camera"]
    (fx, _, cx), (_, _, cy), _ = camera["matrix"]
    k1, k2, p1, p2 = camera["distortion"][:4]
    return Camera(
        Lens(fx, (cx, cy), (k1, k2, p1, p2), size_px),
        tuple(map(tuple, camera["rotation"])),
        tuple(camera["translation_mm"]),
    )


def hint_for(path: Path, truth: dict, kind: str, exif: LensHint | None, size_px: tuple[int, int]) -> LensHint | None:
    if kind == "none":
        return None
    if kind == "true":
        return true_camera(truth, size_px).lens
    game = path.parent / "game.json"
    if game.exists():
        return read_lens(json.loads(game.read_text())["camera"], size_px)
    return exif


def on_space(points: np.ndarray) -> np.ndarray:
    return np.concatenate([points, np.zeros((len(points), 1))], axis=1)


def figures(truth: dict, camera: Camera, found: LocatedTable, seconds: float) -> Figures:
    poses = {s["sheet"]: SheetPose(*s["pose_mm_deg"]) for s in truth["sheets"]}
    positions, claims, angles = [], [], []
    for located in found.sheets:
        sheet = load_sheets()[located.sheet]
        w, h = sheet.size_mm
        centres = np.array([m.centre_mm for m in sheet.markers])
        points = np.concatenate([centres, [[0, 0], [w, 0], [w, h], [0, h]]])
        pixels = camera.project(on_space(poses[located.sheet].to_table(points)))
        back = located.pose.to_sheet(found.camera.to_plane(pixels))
        off = np.linalg.norm(back - points, axis=1)
        positions.append(off)
        claims.append(located.error_mm / math.sqrt(float((off[: len(centres)] ** 2).mean())))
        true_eye = poses[located.sheet].to_sheet(camera.eye_mm[None, :2])[0]
        found_eye = located.pose.to_sheet(found.camera.eye_mm[None, :2])[0]
        a = np.array([*(true_eye - (w / 2, h / 2)), camera.height_mm])
        b = np.array([*(found_eye - (w / 2, h / 2)), found.camera.height_mm])
        angles.append(math.degrees(math.acos(min(1.0, float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))))))
    height = 100 * (found.camera.height_mm / camera.height_mm - 1)
    return Figures(np.concatenate(positions), tuple(claims), height, float(np.mean(angles)), seconds)


def row(path: Path, found: LocatedTable, hint: LensHint | None, one: Figures) -> str:
    claims = " ".join(f"{c:.1f}" for c in one.claimed_over_true)
    missing = sum(len(sheet.missing_markers) for sheet in found.sheets)
    return (
        f"{path.parent.name}/{path.stem:20} {found.layout:11} {type(hint).__name__:9} "
        f"mm median {np.median(one.positions_mm):.2f} max {one.positions_mm.max():.2f} claimed/true {claims:20} "
        f"height {one.height_percent:+.1f} % eye {one.eye_deg:.2f} deg {1000 * one.seconds:.0f} ms missing {missing} "
        f"{' | '.join(found.warnings)[:60]}"
    )


def summary(some: list[Figures], hinted: str) -> str:
    positions = np.concatenate([f.positions_mm for f in some])
    claims = np.array([c for f in some for c in f.claimed_over_true])
    heights, eyes = np.abs([f.height_percent for f in some]), np.array([f.eye_deg for f in some])
    return (
        f"{len(some)} photos {hinted} a lens hint: position median {np.median(positions):.3f} mm, "
        f"95 % {np.quantile(positions, 0.95):.2f}, max {positions.max():.2f}; "
        f"height off by median {np.median(heights):.2f} %, max {heights.max():.1f}; "
        f"eye direction median {np.median(eyes):.2f} deg, max {eyes.max():.2f}; "
        f"claimed error over true median {np.median(claims):.2f}, "
        f"within a factor of 2: {np.mean((claims > 0.5) & (claims < 2)):.0%}, too low {np.mean(claims <= 0.5):.0%}; "
        f"{1000 * np.median([f.seconds for f in some]):.0f} ms"
    )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    options.add_argument("folder", type=Path)
    options.add_argument("--hint", choices=["auto", "none", "true"], default="auto")
    options.add_argument("--verbose", action="store_true")
    chosen = options.parse_args()
    measured: dict[str, list[Figures]] = {"with": [], "without": []}
    for path in sorted(chosen.folder.rglob("*.json")):
        truth, photo = json.loads(path.read_text()), path.with_suffix(".jpg")
        if not photo.exists() or "matrix" not in truth.get("camera", {}):
            continue
        frame = read_photo(photo)
        size = (frame.image_bgr.shape[1], frame.image_bgr.shape[0])
        hint = hint_for(path, truth, chosen.hint, frame.lens_hint, size)
        started = time.perf_counter()
        try:
            found = locate(frame.image_bgr, hint)
        except LocateError as fault:
            print(f"{path.stem:22} {type(fault).__name__}: {fault}")
            continue
        one = figures(truth, true_camera(truth, size), found, time.perf_counter() - started)
        measured["without" if hint is None else "with"].append(one)
        if chosen.verbose:
            print(row(path, found, hint, one))
    for hinted, some in measured.items():
        if some:
            print(summary(some, hinted))


if __name__ == "__main__":
    main()
