"""Photographs of sheets by cameras that are known exactly."""

import math
from collections.abc import Callable, Sequence
from functools import cache, lru_cache

import cv2
import numpy as np
import pytest
from hypothesis import HealthCheck, settings

from calibration.optics import Camera, Lens, SheetPose
from calibration.sheets import draw, load_sheets

settings.register_profile(
    "suite",
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=[HealthCheck.too_slow],  # by the clock; a machine may have much else to do
)
settings.load_profile("suite")  # few and always the same; `make torture` tries millions

USUAL_LENS = Lens(900.0, (479.5, 359.5), (-0.08, 0.01, 0.0, 0.0), (960, 720))
TABLE_BGR = (70, 90, 110)
DRAWN_PX_PER_MM = 4.0
BLUR_PX = 0.6
GRID_PX = 8  # rays are computed this far apart and interpolated: distortion is smooth


def camera_over(
    middle_mm: tuple[float, float],
    height_mm: float,
    tilt_deg: float = 12.0,
    lens: Lens = USUAL_LENS,
    roll_deg: float = 3.0,
    side: tuple[float, float] = (0.3, -1.0),
) -> Camera:
    """A camera that looks at `middle_mm` from `height_mm` above, slanted from the side, by default the south."""
    at = np.array([*middle_mm, 0.0])
    away = np.array(side) / math.hypot(*side) * math.tan(math.radians(tilt_deg))
    eye = at + height_mm * np.array([*away, 1.0])
    z = (eye - at) / np.linalg.norm(eye - at)
    x = np.cross([math.sin(math.radians(roll_deg)), math.cos(math.radians(roll_deg)), 0.0], z)
    x /= np.linalg.norm(x)
    rotation = np.stack([x, -np.cross(z, x), -z])
    rows = tuple((float(a), float(b), float(c)) for a, b, c in rotation)
    tx, ty, tz = (-rotation @ eye).tolist()
    return Camera(lens, rows, (tx, ty, tz))


@cache
def drawing_of(name: str) -> np.ndarray:
    return draw(load_sheets()[name], DRAWN_PX_PER_MM)


def around(
    middle_mm: tuple[float, float], tilts_deg: Sequence[float], lens: Lens = USUAL_LENS, height_mm: float = 430.0
) -> list[Camera]:
    """Cameras slanted by `tilts_deg`, each from another side all around, with the middle now here now there."""
    rng, x, y = np.random.default_rng(0), *middle_mm
    return [
        camera_over(
            (x + 60 * math.cos(2.4 * n), y + 50 * math.sin(2.4 * n)),
            height_mm + float(rng.uniform(-60, 60)),
            tilt,
            lens,
            float(rng.uniform(-20, 20)),
            (math.cos(2 * math.pi * n / len(tilts_deg)), math.sin(2 * math.pi * n / len(tilts_deg))),
        )
        for n, tilt in enumerate(tilts_deg)
    ]


def photograph_of(poses: dict[str, SheetPose], camera: Camera) -> np.ndarray:
    """The picture, BGR, that the camera takes of the sheets on a plain table."""
    width, height = camera.lens.image_size_px
    table = _plane_points(camera, width * 2, height * 2)
    picture = np.full((height * 2, width * 2, 3), TABLE_BGR, np.uint8)
    for name, pose in poses.items():
        sheet = load_sheets()[name]
        drawn = drawing_of(name)
        near = _box_px(sheet.size_mm, pose, camera)
        on_sheet = pose.to_sheet(table[near].reshape(-1, 2)).reshape(table[near].shape)
        across = (on_sheet[..., 0] * DRAWN_PX_PER_MM - 0.5).astype(np.float32)
        down = ((sheet.size_mm[1] - on_sheet[..., 1]) * DRAWN_PX_PER_MM - 0.5).astype(np.float32)
        seen = cv2.remap(drawn, across, down, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        w, h = sheet.size_mm
        inside = (on_sheet >= 0).all(axis=-1) & (on_sheet[..., 0] <= w) & (on_sheet[..., 1] <= h)
        picture[near][inside] = seen[inside]
    small = cv2.resize(picture, (width, height), interpolation=cv2.INTER_AREA)
    return np.clip(cv2.GaussianBlur(small, (0, 0), BLUR_PX) * 0.85 + _noise(small.shape), 0, 255).astype(np.uint8)


@lru_cache(maxsize=2)
def _noise(shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(0).normal(0, 2.0, shape)


def _box_px(size_mm: tuple[float, float], pose: SheetPose, camera: Camera) -> tuple[slice, slice]:
    """Rows and columns, in a picture twice as fine as the camera's, among which a sheet is; its edges may bulge."""
    ways = np.linspace(0.0, 1.0, 9)
    rim = [(w, end) for w in ways for end in (0.0, 1.0)] + [(end, w) for w in ways for end in (0.0, 1.0)]
    seen = 2 * camera.project(np.column_stack([pose.to_table(np.array(rim) * size_mm), np.zeros(len(rim))]))
    if np.isnan(seen).any():  # it reaches behind the camera
        return slice(None), slice(None)
    low, high = seen.min(axis=0) - 4 * GRID_PX, seen.max(axis=0) + 4 * GRID_PX
    ends = 2 * np.array(camera.lens.image_size_px)
    (left, top), (right, bottom) = np.clip(low, 0, ends).astype(int), np.clip(high, 0, ends).astype(int)
    return slice(top, bottom), slice(left, right)


def _plane_points(camera: Camera, width: int, height: int) -> np.ndarray:
    """Table points under the pixels of a picture twice as fine as the camera's, shape (height, width, 2)."""
    columns, rows = np.arange(0, width + GRID_PX, GRID_PX), np.arange(0, height + GRID_PX, GRID_PX)
    grid = np.stack(np.meshgrid(columns, rows), axis=-1).reshape(-1, 2)
    coarse = camera.to_plane((grid + 0.5) / 2 - 0.5).reshape(len(rows), len(columns), 2).astype(np.float32)
    across, down = np.meshgrid(np.arange(width) / GRID_PX, np.arange(height) / GRID_PX)
    return cv2.remap(coarse, across.astype(np.float32), down.astype(np.float32), cv2.INTER_LINEAR)


@pytest.fixture(scope="session")
def photograph() -> Callable[[dict[str, SheetPose], Camera], np.ndarray]:
    return photograph_of


@pytest.fixture(scope="session")
def over() -> Callable[..., Camera]:
    return camera_over


@pytest.fixture(scope="session")
def all_around() -> Callable[..., list[Camera]]:
    return around
