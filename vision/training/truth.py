"""Photos with their truth, as training examples: shared by both networks' training scripts."""

import json
import math
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.optics import Camera, Lens, LocatedSheet, LocatedTable, SheetPose
from engine import table
from vision import stands

COLOURS = tuple(map(str, table.COLOURS))
STANDS = tuple(str(owner) if owner else "none" for owner in stands.STANDS)


@dataclass(frozen=True)
class TrueFoot:
    x_mm: float
    y_mm: float
    sizes: tuple[int, ...]  # bottom first, pips; of a nest the outer one only
    colours: tuple[int, ...]  # indices into COLOURS
    lying: bool
    yaw_deg: float  # a lying piece's heading; an upright bottom piece's turn
    stand: int  # index into STANDS
    inner: tuple[tuple[int, int], ...] = ()  # of a nest: (size, colour) of the pieces inside, outermost first


@dataclass(frozen=True)
class Example:
    name: str
    image_bgr: np.ndarray
    table: LocatedTable
    feet: tuple[TrueFoot, ...]
    hand: bool
    hand_outlines_mm: tuple[np.ndarray, ...]  # on the table, as the camera sees the arm over it; each (n, 2), convex


def true_table(doc: dict, image_size: tuple[int, int]) -> LocatedTable:
    camera = doc["camera"]
    k = camera["matrix"]
    lens = Lens(k[0][0], (k[0][2], k[1][2]), tuple(camera["distortion"][:4]), image_size)
    view = Camera(lens, tuple(map(tuple, camera["rotation"])), tuple(camera["translation_mm"]))
    sheets = tuple(LocatedSheet(s["sheet"], SheetPose(*s["pose_mm_deg"]), 0.0, ()) for s in doc["sheets"])
    return LocatedTable(doc["layout"], view, sheets)


def true_feet(doc: dict) -> tuple[TrueFoot, ...]:
    groups: dict[tuple[str, int], list[dict]] = {}
    for n, p in enumerate(doc["pyramids"]):
        groups.setdefault(("s", p["stack"]) if "stack" in p else ("p", n), []).append(p)
    feet = []
    for pieces in groups.values():
        pieces.sort(key=lambda p: p.get("level", p.get("nested", 0)))
        inside: list[dict] = []
        if "nested" in pieces[0]:
            pieces, inside = pieces[:1], pieces[1:]
        first = pieces[0]
        under = [
            s for s in doc.get("stands", []) if math.hypot(s["x_mm"] - first["x_mm"], s["y_mm"] - first["y_mm"]) < 12
        ]
        feet.append(
            TrueFoot(
                first["x_mm"],
                first["y_mm"],
                tuple(p["size"] for p in pieces),
                tuple(COLOURS.index(p["colour"]) for p in pieces),
                first["pose"] == "lying",
                first["yaw_deg"],
                STANDS.index(under[0]["owner"]) if under else 0,
                tuple((p["size"], COLOURS.index(p["colour"])) for p in inside),
            )
        )
    return tuple(feet)


def hand_outlines(doc: dict, camera: Camera) -> tuple[np.ndarray, ...]:
    """What of the table the arm's ellipsoids hide from the camera."""
    found = []
    eye = camera.eye_mm
    turn, rise = np.meshgrid(np.linspace(0, 2 * math.pi, 24), np.linspace(-math.pi / 2, math.pi / 2, 9))
    ball = np.stack([np.cos(turn) * np.cos(rise), np.sin(turn) * np.cos(rise), np.sin(rise)], -1).reshape(-1, 3)
    for extra in doc.get("extras", []) if doc.get("hand_in_view") else []:
        if extra["kind"] != "ellipsoid" or extra["rx"] < 20:  # beads are ellipsoids too
            continue
        yaw = math.radians(extra.get("yaw", 0))
        turned = (
            ball
            * (extra["rx"], extra["ry"], extra["rz"])
            @ np.array([[math.cos(yaw), math.sin(yaw), 0], [-math.sin(yaw), math.cos(yaw), 0], [0, 0, 1]])
        )
        points = turned + (extra["x"], extra["y"], extra["z"])
        along = eye[2] / np.maximum(eye[2] - points[:, 2], 30.0)
        ground = eye[:2] + (points[:, :2] - eye[:2]) * along[:, None]
        found.append(cv2.convexHull(ground.astype(np.float32))[:, 0])
    return tuple(found)


def examples(folders: list[Path]) -> list[Example]:
    """Every photo with truth in the folders, in name order."""
    found = []
    for folder in folders:
        for path in sorted(folder.glob("*.json")):
            if path.name in ("game.json", "story.json"):
                continue
            doc = json.loads(path.read_text())
            image = cv2.imread(str(path.with_suffix(".jpg")))
            if image is None:
                continue
            table = true_table(doc, (image.shape[1], image.shape[0]))
            found.append(
                Example(
                    path.stem,
                    image,
                    table,
                    true_feet(doc),
                    bool(doc.get("hand_in_view")),
                    hand_outlines(doc, table.camera),
                )
            )
    return found


def open_to_view(folders: list[Path]) -> list[Example]:
    """Those photos that no hand reaches into."""
    return [example for example in examples(folders) if not example.hand]
