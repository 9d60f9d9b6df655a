"""What is known of a camera, kept from evening to evening: one frozen value, one versioned JSON file a camera.

Files lie in the user's config folder and are replaced in one step, so that a run that fails or is cut off leaves the
calibration before it as it was. Lenses are in pixels of the picture size they were calibrated at.
"""

from __future__ import annotations

import json
import os
import re
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

from platformdirs import user_config_path

from calibration.optics import Lens
from calibration.palette import Palette, palette_from_json

VERSION = 2
READABLE = (1, 2)  # version 1 had no palette
NAME = re.compile(r"\w[\w .-]{0,38}\w|\w")
RULER_MM = 100.0  # nominal length of the ruler line printed on each sheet
LEAST_SCALE, MOST_SCALE = 0.8, 1.25  # of prints; beyond, another line was measured
SCALE_WARNING = 0.03
MOST = 1e9  # no figure of a lens is larger; integers of hundreds of digits are no float at all
ABOVE_MM = 100.0  # errors are told for points up to here above the mat: a good stack's height
GOOD_MM, FAIR_MM = 0.5, 1.5  # stacks are told apart by levels of some 8 mm, places by a few mm


class CalibrationError(Exception):
    """A calibration cannot be kept, found or used; the message says why in words."""


@dataclass(frozen=True)
class Calibration:
    """One camera's lens as calibrated, and how large its sheets were printed.

    `print_scale` is true millimetres per nominal one. `error_mm` is how far a point up to 100 mm above the mat may
    be off for what is not known of the lens. `palette` is what colours look like, when they were taught.
    """

    camera: str
    lens: Lens
    made_on: date
    print_scale: float
    error_mm: float
    palette: Palette | None = None

    @property
    def focal_spread(self) -> float:
        """How far the focal length may be off, relative: at most what makes up the whole error."""
        return self.error_mm / ABOVE_MM

    @property
    def verdict(self) -> str:
        """`good`, `fair` or `bad`."""
        return verdict_on(self.error_mm)

    def check_camera(self, camera: str) -> None:
        """Raises CalibrationError when this is another camera's."""
        if camera != self.camera:
            raise CalibrationError(
                f"This calibration is of the camera {self.camera!r}, not of {camera!r}. "
                f"Calibrate {camera!r}: umpire calibrate --name {_quoted(camera)} PHOTO..."
            )

    def check_size(self, size_px: tuple[int, int]) -> None:
        """Raises CalibrationError when a picture of (width, height) cannot be this camera's as calibrated.

        A picture turned by a quarter can: people hold phones both ways.
        """
        if tuple(sorted(size_px)) != tuple(sorted(self.lens.image_size_px)):
            width, height = self.lens.image_size_px
            raise CalibrationError(
                f"The camera {self.camera!r} was calibrated at {width} by {height} pixels, but this picture has "
                f"{size_px[0]} by {size_px[1]}. Set the camera back to that size, or calibrate it again at this one: "
                f"umpire calibrate --name {_quoted(self.camera)} PHOTO..."
            )

    def to_json(self) -> dict[str, Any]:
        return {
            "version": VERSION,
            "camera": self.camera,
            "made_on": self.made_on.isoformat(),
            "image_size_px": list(self.lens.image_size_px),
            "focal_px": self.lens.focal_px,
            "centre_px": list(self.lens.centre_px),
            "distortion": list(self.lens.distortion),
            "print_scale": self.print_scale,
            "error_mm": self.error_mm,
            "palette": None if self.palette is None else self.palette.to_json(),
        }


def verdict_on(error_mm: float) -> str:
    """`good`, `fair` or `bad`."""
    return "good" if error_mm <= GOOD_MM else "fair" if error_mm <= FAIR_MM else "bad"


def print_scale_of(ruler_mm: float) -> float:
    """True millimetres per nominal one, by the measured length of the ruler line. Raises CalibrationError."""
    scale = ruler_mm / RULER_MM
    if not LEAST_SCALE <= scale <= MOST_SCALE:
        raise CalibrationError(
            f"The ruler line cannot be {ruler_mm:g} mm long: it is meant to be {RULER_MM:g} mm. Measure the line "
            "that says 100 mm at the edge of a sheet, in millimetres, from end to end."
        )
    return scale


def print_warning(scale: float) -> str | None:
    """What players should know of a print at this scale; None when it is as good as true."""
    if abs(scale - 1) <= SCALE_WARNING + 1e-9:
        return None
    return (
        f"The sheets were printed at {100 * scale:.1f} % of their size. Places are corrected for it, but pieces may "
        "not fit their squares: print again at 100 %, with no scaling."
    )


# --- files -----------------------------------------------------------------------------------------------------------


def cameras_folder() -> Path:
    """Where calibrations are kept on this machine."""
    return user_config_path("pyramid-umpire", appauthor=False) / "cameras"


def check_name(camera: str) -> None:
    """Raises CalibrationError when no camera can be called so."""
    if not NAME.fullmatch(camera):
        raise CalibrationError(
            f"A camera cannot be called {camera!r}: use up to 40 letters, digits, spaces, dots, dashes and "
            "underscores, with a letter or a digit at both ends."
        )


def save(calibration: Calibration, folder: Path) -> Path:
    """Keep it in place of the same camera's one before, and say where.

    Raises CalibrationError; the one before is then as it was.
    """
    check_name(calibration.camera)
    path = _path(calibration.camera, folder)
    text = json.dumps(calibration.to_json(), indent=1, ensure_ascii=False, allow_nan=False) + "\n"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        _replace(path, text)
    except OSError as fault:
        raise CalibrationError(f"The calibration cannot be kept in {path}: {fault.strerror}.") from None
    return path


def load(camera: str, folder: Path) -> Calibration:
    """The calibration kept for this camera. Raises CalibrationError."""
    check_name(camera)
    path = _path(camera, folder)
    try:
        is_kept = path.exists()
    except OSError as fault:  # a folder that this user may not look into
        raise CalibrationError(f"{path} cannot be opened: {fault.strerror}.") from None
    if not is_kept:
        known = ", ".join(repr(each.camera) for each in load_all(folder)[0]) or "none"
        raise CalibrationError(
            f"No camera called {camera!r} was calibrated on this machine (known: {known}). "
            f"Do it with: umpire calibrate --name {_quoted(camera)} PHOTO..."
        )
    calibration = _read(path)
    calibration.check_camera(camera)
    return calibration


def load_all(folder: Path) -> tuple[tuple[Calibration, ...], tuple[str, ...]]:
    """All calibrations kept, by name; and a sentence for each file that cannot be used."""
    kept, faults = [], []
    for path in sorted(folder.glob("camera-*.json")):
        try:
            kept.append(_read(path))
        except CalibrationError as fault:
            faults.append(str(fault))
    return tuple(sorted(kept, key=lambda each: each.camera)), tuple(faults)


def _path(camera: str, folder: Path) -> Path:
    return folder / f"camera-{camera}.json"  # the prefix keeps names that a system reserves out of harm


def _replace(path: Path, text: str) -> None:
    """Write beside the file first: whoever reads sees the whole old text or the whole new one."""
    handle, beside = tempfile.mkstemp(dir=path.parent, prefix=".writing-", suffix=".json")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        os.replace(beside, path)
    except BaseException:
        Path(beside).unlink(missing_ok=True)
        raise


def _read(path: Path) -> Calibration:
    try:
        return calibration_from_json(json.loads(path.read_text(encoding="utf-8")), str(path))
    except OSError as fault:
        raise CalibrationError(f"{path} cannot be opened: {fault.strerror}.") from None
    except RecursionError:
        raise CalibrationError(f"{path} cannot be read: it is nested too deep. Calibrate this camera again.") from None
    except ValueError as fault:  # no text, no JSON, or a number of some thousand digits
        raise CalibrationError(f"{path} cannot be read as JSON ({fault}). Calibrate this camera again.") from None


def calibration_from_json(value: Any, file: str) -> Calibration:
    """The checked calibration of what JSON said; `file` is named in errors. Raises CalibrationError."""
    _expect(isinstance(value, dict), file, "the file", "an object")
    version = value.get("version")
    _expect(version in READABLE, file, "version", f"{VERSION} (a newer umpire may have written it)")
    camera = value.get("camera")
    _expect(isinstance(camera, str) and bool(NAME.fullmatch(camera)), file, "camera", "the camera's name")
    width, height = _numbers(value, "image_size_px", 2, file)
    whole = width.is_integer() and height.is_integer() and min(width, height) >= 1
    _expect(whole, file, "image_size_px", "two whole numbers above 0")
    (focal,) = _numbers(value, "focal_px", 1, file)
    (scale,) = _numbers(value, "print_scale", 1, file)
    (error,) = _numbers(value, "error_mm", 1, file)
    _expect(focal > 0, file, "focal_px", "above 0")
    _expect(LEAST_SCALE <= scale <= MOST_SCALE, file, "print_scale", f"from {LEAST_SCALE} to {MOST_SCALE}")
    _expect(error >= 0, file, "error_mm", "0 or above")
    cx, cy = _numbers(value, "centre_px", 2, file)
    k1, k2, p1, p2 = _numbers(value, "distortion", 4, file)
    lens = Lens(focal, (cx, cy), (k1, k2, p1, p2), (int(width), int(height)))
    return Calibration(camera, lens, _date(value, file), scale, error, _palette(value, file))


def _palette(value: dict[str, Any], file: str) -> Palette | None:
    if value.get("palette") is None:
        return None
    try:
        return palette_from_json(value["palette"])
    except ValueError as fault:
        raise CalibrationError(f"{file}: palette should be {fault}. Calibrate this camera again.") from None


def _numbers(value: dict[str, Any], field: str, count: int, file: str) -> tuple[float, ...]:
    came: Any = value.get(field)
    many: list[Any] = came if isinstance(came, list) else [came]
    _expect(len(many) == count and _are_numbers(many), file, field, "a number" if count == 1 else f"{count} numbers")
    return tuple(float(each) for each in many)


def _are_numbers(many: Iterable[Any]) -> bool:
    return all(isinstance(n, int | float) and not isinstance(n, bool) and abs(n) <= MOST for n in many)


def _date(value: dict[str, Any], file: str) -> date:
    try:
        return date.fromisoformat(value.get("made_on", ""))
    except (TypeError, ValueError):
        raise CalibrationError(f"{file}: made_on should be a day such as 2025-10-31.") from None


def _expect(holds: bool, file: str, field: str, expected: str) -> None:
    if not holds:
        raise CalibrationError(f"{file}: {field} should be {expected}. Calibrate this camera again.")


def _quoted(camera: str) -> str:
    return f'"{camera}"' if " " in camera else camera
