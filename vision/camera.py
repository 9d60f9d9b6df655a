"""The one door for photos: files and uploads become pictures here, or PhotoError says in words why not.

Pictures are BGR, 8 bit, the right way up. Size and pixels are checked before anything is decoded.
"""

from __future__ import annotations

import io
import logging
import math
import re
import struct
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
from numpy.typing import NDArray
from PIL import ExifTags, Image, ImageOps, UnidentifiedImageError

from calibration.locate import ExifFocal, LensHint
from calibration.optics import Lens
from vision.heic import promised_pixels, reads_more_than

logging.getLogger("PIL").addHandler(logging.NullHandler())  # its complaints about odd files are told in our words

MOST_PIXELS = 50_000_000
MOST_BYTES = 30_000_000
MEGABYTE = 1_000_000
MOST_READ = 2 * MOST_BYTES  # of a HEIC: its items may share bytes, and its pictures items
MOST_PARTS = 20_000  # a PNG in small pieces has some thousand
PARTS_OF_A_SCAN = 200  # a scan of a JPEG goes over the whole picture; ten are usual
PARTS_OF_AN_EXIF = MOST_PARTS // 2  # a camera writes one; its entries may each hold all of it
MOST_EXIF = 150_000  # bytes, of formats that write them as text too
MOST_FILLING = 100_000  # bytes between two parts of a JPEG
FORMATS = ("JPEG", "PNG", "WEBP", "BMP")  # TIFF and GIF make gigabytes of some bytes, and no phone writes them
JPEG_BEGINS, JPEG_SCAN, JPEG_EXIF, JPEG_ENDS = b"\xff\xd8", b"\xff\xda", b"\xff\xe1", b"\xff\xd9"
EXIF_BEGINS = b"Exif\0\0"
JPEG_MARKER = re.compile(rb"\xff[^\x00\xff\xd0-\xd7]", re.DOTALL)
PNG_BEGINS = b"\x89PNG\r\n\x1a\n"
HEIC_BRANDS = (b"heic", b"heix", b"hevc", b"hevx", b"heim", b"heis", b"hevm", b"hevs", b"mif1", b"msf1")
AVIF_BRANDS = (b"avif", b"avis")
HEIC_EXTRA = "pip install 'pyramid-umpire[heic]'"
LEAST_FOCAL_MM, MOST_FOCAL_MM = 8, 400  # 35 mm equivalents outside are no lens that photographs a table
OFF_AXIS = 0.08  # of its size: a picture's middle is nearer to the optical axis; 4:3 and 3:2 are 0.12 apart


class PhotoError(Exception):
    """The file cannot be read as a photo; the message names it and says why."""


@dataclass(frozen=True, eq=False)
class Frame:
    """One picture, BGR, shape (height, width, 3), and what its camera noted of the lens."""

    image_bgr: NDArray[np.uint8]
    name: str
    lens_hint: LensHint | None = None


def read_photo(path: Path, name: str = "") -> Frame:
    """The photo in the file, turned upright by its EXIF orientation. Raises PhotoError.

    `name` is what people call it; without one it is called as its file.
    """
    path = Path(path)
    name = name or path.name
    try:
        with path.open("rb") as file:
            content = file.read(MOST_BYTES + 1)
    except FileNotFoundError:
        raise PhotoError(f"{name} does not exist.") from None
    except OSError as fault:
        raise PhotoError(f"{name} cannot be opened: {fault.strerror}.") from None
    return photo_from(content, name)


def photo_from(content: bytes, name: str) -> Frame:
    """The photo in the bytes of a file called `name`. Raises PhotoError."""
    if not content:
        raise PhotoError(f"{name} is empty.")
    if len(content) > MOST_BYTES:
        raise PhotoError(f"{name} has more than {MOST_BYTES // MEGABYTE} MB. Make it smaller.")
    _check_parts(content, name)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # Pillow warns of odd EXIF and of large pictures; the size is checked here
        picture = _opened(content, name)
        _check_size(picture, name)
        upright, hint = _decoded(picture, name)
    return Frame(upright, name, hint)


def _check_parts(content: bytes, name: str) -> None:
    """A small file of a million parts takes hours to read. Raises PhotoError."""
    parts = _jpeg_parts(content) if content[:2] == JPEG_BEGINS else _png_parts(content)
    if sum(islice(parts, MOST_PARTS)) >= MOST_PARTS:
        raise _too_many_parts(name)


def _too_many_parts(name: str) -> PhotoError:
    return PhotoError(f"{name} is put together from far too many parts. Save it anew, as a plain JPEG.")


def _too_many_pixels(name: str) -> PhotoError:
    most = MOST_PIXELS // MEGABYTE
    return PhotoError(f"{name} has far too many pixels; {most} million are the most. Make it smaller.")


def _jpeg_parts(content: bytes) -> Iterator[int]:
    """The weight of each segment of a JPEG, up to the end of its picture."""
    if b"\xff" * MOST_FILLING in content:
        yield MOST_PARTS
    at = len(JPEG_BEGINS)
    while (found := JPEG_MARKER.search(content, at)) and found[0] != JPEG_ENDS:
        is_exif = found[0] == JPEG_EXIF and content.startswith(EXIF_BEGINS, found.end() + 2)
        yield PARTS_OF_AN_EXIF if is_exif else PARTS_OF_A_SCAN if found[0] == JPEG_SCAN else 1
        at = found.end() + int.from_bytes(content[found.end() : found.end() + 2])


def _png_parts(content: bytes) -> Iterator[int]:
    """The weight of each piece of a PNG; none for another file."""
    at = len(PNG_BEGINS) if content.startswith(PNG_BEGINS) else len(content)
    while at < len(content):
        yield 1
        at += 12 + int.from_bytes(content[at : at + 4])


def _opened(content: bytes, name: str) -> Image.Image:
    """The picture with its header read and its pixels not yet."""
    brand = content[8:12] if content[4:8] == b"ftyp" else b""
    if brand in AVIF_BRANDS:
        raise PhotoError(f"{name} is an AVIF picture, which cannot be read here. Save or send it as JPEG.")
    if brand in HEIC_BRANDS:
        return _opened_heic(content, name)
    Image.init()  # or Pillow does not know all formats by name
    try:
        return Image.open(io.BytesIO(content), formats=FORMATS)
    except UnidentifiedImageError:
        raise PhotoError(f"{name} is not a picture this program can read. Send a JPEG, PNG or WebP.") from None
    except Image.DecompressionBombError:
        raise _too_many_pixels(name) from None
    except (OSError, SyntaxError, ValueError, struct.error, EOFError):
        raise PhotoError(f"{name} is damaged: its header makes no sense.") from None


def _opened_heic(content: bytes, name: str) -> Image.Image:
    """A HEIC picture, as phones take them, upright; its pixels are decoded later."""
    heif = _heic_reader()
    if heif is None:
        raise PhotoError(
            f"{name} is a HEIC picture, which needs an extra to be read: {HEIC_EXTRA}. Or save or send it as JPEG."
        )
    try:
        if reads_more_than(MOST_READ, content):
            raise _too_many_parts(name)
        if promised_pixels(content) > MOST_PIXELS:
            raise _too_many_pixels(name)
        picture: Image.Image = heif.HeifImageFile(io.BytesIO(content))
    except (OSError, SyntaxError, ValueError, RuntimeError, EOFError, MemoryError, struct.error, IndexError):
        raise PhotoError(f"{name} is damaged, or HEIC of a kind that cannot be read. Send it as JPEG.") from None
    return picture


def _heic_reader() -> ModuleType | None:
    """The library that decodes HEIC, if this machine has it."""
    try:
        import pillow_heif
    except ImportError:
        return None
    return pillow_heif


def _check_size(picture: Image.Image, name: str) -> None:
    width, height = picture.size
    if width * height > MOST_PIXELS:
        raise PhotoError(
            f"{name} is {width} by {height} pixels; {MOST_PIXELS // MEGABYTE} million pixels are the most. "
            "Make it smaller."
        )


def _decoded(picture: Image.Image, name: str) -> tuple[NDArray[np.uint8], LensHint | None]:
    try:
        picture.load()
        for what in ("exif", "Raw profile type exif"):
            if len(picture.info.get(what) or b"") > MOST_EXIF:  # a HEIC without any has None
                del picture.info[what]
        hint = _lens_hint(picture)
        return _bgr(_upright(picture)), hint
    except (OSError, SyntaxError, ValueError, struct.error, EOFError, IndexError, RuntimeError, MemoryError):
        raise PhotoError(f"{name} is damaged or was cut off: it cannot be decoded to its end. Send it again.") from None


def _upright(picture: Image.Image) -> Image.Image:
    """Turned as its EXIF says; pictures with EXIF that makes no sense stay as they are."""
    try:
        return ImageOps.exif_transpose(picture)
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, struct.error):
        return picture


def _lens_hint(picture: Image.Image) -> ExifFocal | None:
    try:
        focal = float(picture.getexif().get_ifd(ExifTags.IFD.Exif).get(ExifTags.Base.FocalLengthIn35mmFilm, 0))
    except (OSError, SyntaxError, ValueError, TypeError, KeyError, struct.error, ZeroDivisionError):
        return None
    return ExifFocal(focal) if LEAST_FOCAL_MM <= focal <= MOST_FOCAL_MM else None


def _bgr(picture: Image.Image) -> NDArray[np.uint8]:
    """Shape (height, width, 3): greys as colour, transparency over white, 16 bit brought to 8."""
    if picture.mode.startswith("I") or picture.mode == "F":
        return _from_deep_grey(np.asarray(picture, dtype=np.float64))
    if picture.mode in ("RGBA", "LA", "PA", "La", "RGBa") or "transparency" in picture.info:
        paper = Image.new("RGBA", picture.size, (255, 255, 255, 255))
        picture = Image.alpha_composite(paper, picture.convert("RGBA"))
    rgb = np.asarray(picture.convert("RGB"))
    return np.ascontiguousarray(rgb[..., ::-1])


def _from_deep_grey(values: NDArray[np.float64]) -> NDArray[np.uint8]:
    most = 65535.0 if values.max(initial=0.0) > 255 else 255.0
    grey = np.clip(np.nan_to_num(values) * (255.0 / most), 0, 255).round().astype(np.uint8)
    return np.repeat(grey[..., None], 3, axis=2)


def read_lens(camera: dict[str, Any], size_px: tuple[int, int]) -> Lens:
    """The saved lens of game.json's `camera` for a picture of (width, height), in pixels of the size it was made at.

    `camera` holds OpenCV's `matrix`, three rows of three, and `distortion`, of which the first four count.

    The file does not say which size it was calibrated at. The axis is near the middle, so the middle tells: a lens
    for the picture's own size, for the picture turned, or for a larger or smaller one of the same shape.
    """
    (fx, _, cx), (_, fy, cy), _ = camera["matrix"]
    k1, k2, p1, p2 = (float(k) for k in (*camera.get("distortion", ()), 0.0, 0.0, 0.0, 0.0)[:4])
    return Lens((fx + fy) / 2, (cx, cy), (k1, k2, p1, p2), _calibrated_size((cx, cy), size_px))


def _calibrated_size(centre_px: tuple[float, float], size_px: tuple[int, int]) -> tuple[int, int]:
    """The (width, height) of which the centre is the middle; the picture's own where its shape is another."""
    twice = np.array(centre_px) * 2 + 1
    for size in (np.array(size_px), np.array(size_px[::-1])):
        across, down = np.maximum(twice / size, 1e-3)  # an axis left of or above the picture has no logarithm
        if abs(math.log(across / down)) < OFF_AXIS:
            factor = 1.0 if abs(across - 1) < OFF_AXIS else math.sqrt(across * down)
            return round(size[0] * factor), round(size[1] * factor)
    return size_px
