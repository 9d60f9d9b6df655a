"""What a photo, a saved lens or a calibration says of the lens beforehand, and experience where nothing does."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

from calibration.optics import Lens
from calibration.solve import LensPrior
from calibration.store import Calibration

FILM_DIAGONAL_MM = 43.267  # of the 36 by 24 mm frame that EXIF's equivalent focal lengths refer to


@dataclass(frozen=True)
class ExifFocal:
    """The 35 mm equivalent focal length a phone writes into its photos: by the diagonal, rounded to whole mm."""

    equivalent_mm: float


LensHint = Lens | ExifFocal | Calibration  # a Lens is one that was calibrated elsewhere


@dataclass(frozen=True)
class HintSettings:
    """Means and standard deviations of lenses."""

    saved_focal_spread: float = 0.003  # at least; a calibration's own error may say more
    saved_distortion_spread: tuple[float, float, float, float] = (0.004, 0.004, 0.0003, 0.0003)
    exif_rounding_mm: float = 0.35  # a little over the 0.29 mm of rounding to whole millimetres
    usual_equivalent_mm: float = 32.0  # phones and webcams: 23 to 43 mm
    usual_focal_spread: float = 0.22
    usual_distortion: tuple[float, float, float, float] = (-0.05, 0.01, 0.0, 0.0)
    usual_distortion_spread: tuple[float, float, float, float] = (0.12, 0.03, 0.001, 0.001)


SETTINGS = HintSettings()


def prior_of(hint: LensHint | None, size_px: tuple[int, int]) -> LensPrior:
    """What the hint, or experience without one, says of the lens of a picture of (width, height)."""
    if isinstance(hint, Calibration):
        spread_of_focal = max(SETTINGS.saved_focal_spread, hint.focal_spread)
        return replace(prior_of(hint.lens, size_px), focal_spread=spread_of_focal)
    width, height = size_px
    if isinstance(hint, Lens):
        lens = fitted_to(hint, width, height)
        spread = SETTINGS.saved_distortion_spread
        return LensPrior(lens.focal_px, SETTINGS.saved_focal_spread, lens.distortion, spread, lens.centre_px)
    equivalent = SETTINGS.usual_equivalent_mm if hint is None else hint.equivalent_mm
    focal = equivalent / FILM_DIAGONAL_MM * math.hypot(width, height)
    spread_of_focal = SETTINGS.usual_focal_spread if hint is None else SETTINGS.exif_rounding_mm / equivalent
    centre = ((width - 1) / 2, (height - 1) / 2)
    return LensPrior(focal, spread_of_focal, SETTINGS.usual_distortion, SETTINGS.usual_distortion_spread, centre)


def turns_of(hint: Lens | Calibration, size_px: tuple[int, int]) -> tuple[Lens | Calibration, ...]:
    """The hint as it is, or, when the picture was turned by a quarter, turned to either side: nobody knows which.

    >>> [turn.centre_px for turn in turns_of(Lens(1000.0, (650.0, 470.0), (0.0,) * 4, (1280, 960)), (960, 1280))]
    [(470.0, 629.0), (489.0, 650.0)]
    """
    lens = hint.lens if isinstance(hint, Calibration) else hint
    (across, down), (width, height) = lens.image_size_px, size_px
    if across == down or width == height or (across > down) == (width > height):
        return (hint,)
    once = lens.turned()
    turns = (once, once.turned().turned())
    return tuple(replace(hint, lens=turn) for turn in turns) if isinstance(hint, Calibration) else turns


def fitted_to(lens: Lens, width: int, height: int) -> Lens:
    """The saved lens on a picture of another size, when the picture can be that camera's.

    >>> fitted_to(Lens(1000.0, (639.5, 479.5), (0.0, 0.0, 0.0, 0.0), (1280, 960)), 640, 480).focal_px
    500.0
    """
    factor = max(width, height) / max(lens.image_size_px)
    return lens if abs(factor - 1) < 1e-3 else lens.scaled(factor)


def misfit_words(hint: LensHint) -> str:
    if isinstance(hint, Calibration):
        return (
            f"The calibration of the camera {hint.camera!r} does not fit this photo and was left aside: "
            "another camera, zoom or focus? Calibrate it again."
        )
    if isinstance(hint, Lens):
        return "The saved lens does not fit this photo and was left aside: another camera or zoom? Calibrate it again."
    return (
        "The photo's own note of its focal length does not fit what it shows, so it was left aside: cropped or zoomed?"
    )
