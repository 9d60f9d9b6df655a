import io
import struct
import sys
import tracemalloc
import zlib

import numpy as np
import pytest
from PIL import Image

from calibration.locate import ExifFocal
from vision.camera import MOST_BYTES, PhotoError, photo_from, read_lens, read_photo

PICTURE = np.random.default_rng(0).integers(0, 256, (30, 40, 3), dtype=np.uint8)  # RGB


def saved(picture: Image.Image, kind: str, **options) -> bytes:
    into = io.BytesIO()
    picture.save(into, kind, **options)
    return into.getvalue()


def exif(orientation: int = 1, focal: int | None = None) -> Image.Exif:
    tags = Image.Exif()
    tags[0x0112] = orientation
    if focal is not None:
        tags.get_ifd(0x8769)[0xA405] = focal
    return tags


def test_a_png_comes_as_bgr(tmp_path):
    path = tmp_path / "table.png"
    path.write_bytes(saved(Image.fromarray(PICTURE), "PNG"))
    frame = read_photo(path)
    assert frame.name == "table.png"
    assert (frame.image_bgr == PICTURE[..., ::-1]).all()
    assert frame.image_bgr.flags.c_contiguous
    assert frame.lens_hint is None


def test_exif_focal_length_is_a_lens_hint():
    assert photo_from(saved(Image.fromarray(PICTURE), "JPEG", exif=exif(focal=27)), "a.jpg").lens_hint == ExifFocal(27)


@pytest.mark.parametrize("focal", [0, 1, 65535])
def test_a_focal_length_no_lens_has_is_no_hint(focal):
    assert photo_from(saved(Image.fromarray(PICTURE), "JPEG", exif=exif(focal=focal)), "a.jpg").lens_hint is None


@pytest.mark.parametrize(("orientation", "quarters"), [(3, 2), (6, 3), (8, 1)])
def test_exif_orientation_is_honoured(orientation, quarters):
    content = saved(Image.fromarray(PICTURE), "PNG", exif=exif(orientation, 27))
    frame = photo_from(content, "a.png")
    assert (frame.image_bgr == np.rot90(PICTURE[..., ::-1], quarters)).all()
    assert frame.lens_hint == ExifFocal(27)


def test_greys_become_colour():
    grey = PICTURE[..., 0]
    frame = photo_from(saved(Image.fromarray(grey), "PNG"), "a.png")
    assert (frame.image_bgr == grey[..., None]).all()


def test_sixteen_bits_become_eight():
    deep = PICTURE[..., 0].astype(np.uint16) * 257
    frame = photo_from(saved(Image.fromarray(deep), "PNG"), "a.png")
    assert (frame.image_bgr == PICTURE[..., :1]).all()


@pytest.mark.parametrize("mode", ["RGBA", "LA", "P"])
def test_what_is_clear_becomes_white(mode):
    clear = np.zeros((30, 40, 4), np.uint8)
    picture = Image.fromarray(clear).convert(mode)
    options = {"transparency": 0} if mode == "P" else {}
    assert (photo_from(saved(picture, "PNG", **options), "a.png").image_bgr == 255).all()


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_of_an_animation_the_first_picture_counts(kind):
    frames = [Image.fromarray(np.full((30, 40, 3), shade, np.uint8)) for shade in (200, 10)]
    content = saved(
        frames[0], kind, save_all=True, append_images=frames[1:], **({"lossless": True} if kind == "WEBP" else {})
    )
    assert photo_from(content, "a").image_bgr.mean() == pytest.approx(200, abs=2)


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP"])
def test_formats(kind):
    assert photo_from(saved(Image.fromarray(PICTURE), kind), "a").image_bgr.shape == (30, 40, 3)


@pytest.mark.parametrize("shade", [(200, 40, 30), (20, 160, 90)])
def test_printers_colours_are_read_as_seen(shade):
    picture = Image.new("RGB", (40, 30), shade).convert("CMYK")
    assert photo_from(saved(picture, "JPEG", quality=95), "a.jpg").image_bgr.mean((0, 1)) == pytest.approx(
        shade[::-1], abs=4
    )


def deep_colour_png(value: int) -> bytes:
    """One pixel of 16 bits a colour, which Pillow cannot write."""
    rows = zlib.compress(b"\0" + struct.pack(">3H", value, 0, value))
    header = chunk(b"IHDR", struct.pack(">IIBBBBB", 1, 1, 16, 2, 0, 0, 0))
    return b"\x89PNG\r\n\x1a\n" + header + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def test_sixteen_bits_of_colour_become_eight():
    assert photo_from(deep_colour_png(200 * 257), "a.png").image_bgr.tolist() == [[[200, 0, 200]]]


@pytest.mark.parametrize("size", [(1, 1), (1, 3000)])
def test_the_smallest_pictures_are_pictures(size):
    assert photo_from(saved(Image.new("RGB", size), "PNG"), "a.png").image_bgr.shape == (size[1], size[0], 3)


def test_a_photo_with_a_second_picture_in_it_is_read_as_the_first():
    first, second = (Image.new("RGB", (40, 30), (shade,) * 3) for shade in (200, 10))
    content = saved(first, "MPO", save_all=True, append_images=[second])
    assert photo_from(content, "panorama.jpg").image_bgr.mean() == pytest.approx(200, abs=2)


def test_a_renamed_picture_is_read_as_what_it_is(tmp_path):
    path = tmp_path / "really-a-png.jpg"
    path.write_bytes(saved(Image.fromarray(PICTURE), "PNG"))
    assert (read_photo(path).image_bgr == PICTURE[..., ::-1]).all()


def test_a_file_of_too_many_bytes_is_refused_unread(tmp_path):
    path = tmp_path / "film.jpg"
    with path.open("wb") as file:
        file.truncate(MOST_BYTES + 1)
    with pytest.raises(PhotoError, match=r"film\.jpg has more than 30 MB"):
        read_photo(path)


def heic(picture: Image.Image, **options) -> bytes:
    heif = pytest.importorskip("pillow_heif")
    into = io.BytesIO()
    heif.from_pillow(picture).save(into, quality=95, **options)
    return into.getvalue()


@pytest.mark.parametrize(("orientation", "quarters"), [(1, 0), (6, 3), (8, 1)])
def test_a_phones_heic_is_read_upright(orientation, quarters):
    left = np.zeros((64, 96, 3), np.uint8)
    left[:, :48] = 220
    frame = photo_from(heic(Image.fromarray(left), exif=exif(orientation, 26).tobytes()), "IMG_1.HEIC")
    assert np.abs(frame.image_bgr.astype(int) - np.rot90(left, quarters)).mean() < 6
    assert frame.lens_hint == ExifFocal(26)


@pytest.mark.parametrize("part", [0.1, 0.5, 0.95])
def test_a_cut_off_heic_is_told_in_words(part):
    content = heic(Image.fromarray(PICTURE))
    with pytest.raises(PhotoError, match=r"^IMG_1\.HEIC is damaged"):
        photo_from(content[: int(len(content) * part)], "IMG_1.HEIC")


@pytest.mark.parametrize("mode", ["RGB", "RGBA", "L", "LA"])
def test_a_heic_without_exif_is_read(mode):
    picture = Image.new("RGBA", (96, 64), (200, 40, 30, 255)).convert(mode)
    expected = np.asarray(picture.convert("RGB"))[..., ::-1]
    frame = photo_from(heic(picture), "IMG_1.HEIC")
    assert np.abs(frame.image_bgr.astype(int) - expected).max() < 12
    assert frame.lens_hint is None


def test_a_heic_with_bytes_after_its_end_is_read():
    assert photo_from(heic(Image.new("RGB", (96, 64))) + bytes(100), "IMG_1.HEIC").image_bgr.shape == (64, 96, 3)


def test_what_is_clear_in_a_heic_becomes_white():
    assert photo_from(heic(Image.new("RGBA", (96, 64))), "IMG_1.HEIC").image_bgr.min() > 250


def test_ten_bits_of_a_heic_become_eight():
    heif = pytest.importorskip("pillow_heif")
    into = io.BytesIO()
    heif.from_bytes("RGB;16", (96, 64), np.full((64, 96, 3), 200 * 257, np.uint16).tobytes()).save(into, quality=95)
    assert photo_from(into.getvalue(), "IMG_1.HEIC").image_bgr.mean() == pytest.approx(200, abs=2)


def test_a_heic_in_tiles_is_read_whole():
    left = np.zeros((192, 288, 3), np.uint8)
    left[:, :150] = 220
    frame = photo_from(heic(Image.fromarray(left), tile_size=128), "IMG_1.HEIC")
    assert np.abs(frame.image_bgr.astype(int) - left).mean() < 6


def test_of_the_pictures_in_a_heic_the_main_one_counts():
    heif = pytest.importorskip("pillow_heif")
    file, into = heif.HeifFile(), io.BytesIO()
    for shade in (10, 200, 90):
        file.add_from_pillow(Image.new("RGB", (96, 64), (shade,) * 3))
    file.save(into, quality=95, primary_index=1)
    assert photo_from(into.getvalue(), "burst.heic").image_bgr.mean() == pytest.approx(200, abs=2)


@pytest.mark.parametrize("size", [(9000, 7000), (2**31 - 1, 2**31 - 1)])
def test_a_heic_that_promises_too_many_pixels_is_refused_by_its_header(size):
    content = heic(Image.fromarray(PICTURE))
    at = content.index(b"ispe") + 8
    with pytest.raises(PhotoError, match="far too many pixels; 50 million are the most"):
        photo_from(content[:at] + struct.pack(">II", *size) + content[at + 8 :], "IMG_1.HEIC")


def test_large_exif_of_a_heic_is_left_aside():
    content = heic(Image.fromarray(PICTURE), exif=b"Exif\0\0" + _entries_of_all(1_000_000, 200))
    tracemalloc.start()
    assert photo_from(content, "IMG_1.HEIC").image_bgr.shape == (30, 40, 3)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 50_000_000  # of 200


def _many_exifs(count: int, size: int) -> bytes:
    heif = pytest.importorskip("pillow_heif")
    file, into = heif.from_pillow(Image.fromarray(PICTURE)), io.BytesIO()
    one = {"type": "Exif", "content_type": "", "data": b"Exif\0\0" + bytes(size)}
    file[0].info["metadata"] = [one] * count
    file.save(into)
    return into.getvalue()


def _sharing(content: bytes, size: int) -> bytes:
    """The file with every item but the first being its last so many bytes."""
    changed, at = bytearray(content), content.index(b"iloc") + 10
    assert content[at - 6 : at] == b"\0\0\0\0\x44\x40"  # what is as long as that, and in which order
    for n in range(1, struct.unpack_from(">H", content, at)[0]):
        struct.pack_into(">IHII", changed, at + 2 + 18 * n + 4, len(content) - size, 1, 0, size)
    return bytes(changed)


def _shared_by(pictures: int, content: bytes) -> bytes:
    """The file with its Exif being that of so many pictures."""
    at = content.index(b"cdsc") - 4
    more = struct.pack(">I4sHH", 12 + 2 * pictures, b"cdsc", 2, pictures) + b"\0\1" * pictures
    outer = content.index(b"iref") - 4, content.index(b"meta") - 4
    changed = bytearray(content[:at] + more + content[at + 14 :])
    for box in outer:
        struct.pack_into(">I", changed, box, struct.unpack_from(">I", changed, box)[0] + len(more) - 14)
    return bytes(changed)


def _with_properties(size: int, content: bytes) -> bytes:
    """The file with a property that long, which any of its items may have."""
    at = content.index(b"ipco") + 4
    changed = bytearray(content[:at] + struct.pack(">I4s", 8 + size, b"free") + bytes(size) + content[at:])
    for name in (b"meta", b"iprp", b"ipco"):
        box = content.index(name) - 4
        struct.pack_into(">I", changed, box, struct.unpack_from(">I", changed, box)[0] + 8 + size)
    return bytes(changed)


@pytest.mark.parametrize(
    "grown",
    [
        lambda: _sharing(_many_exifs(90, 10_000), 800_000),
        lambda: _shared_by(700, _many_exifs(1, 100_000)),
        lambda: _with_properties(1_000_000, _many_exifs(90, 10)),
        lambda: _many_exifs(1_200, 10),
    ],
    ids=["bytes", "items", "properties", "many"],
)
def test_a_heic_that_grows_when_it_is_read_is_refused(grown):
    with pytest.raises(PhotoError, match="far too many parts"):
        photo_from(grown(), "IMG_1.HEIC")


def test_without_its_extra_a_heic_is_refused_with_what_to_do(monkeypatch):
    monkeypatch.setitem(sys.modules, "pillow_heif", None)
    with pytest.raises(PhotoError, match=r"IMG_1\.HEIC is a HEIC picture, .*pyramid-umpire\[heic\].* as JPEG"):
        photo_from(b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "IMG_1.HEIC")


def chunk(name: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", zlib.crc32(name + content))


def png_header(width: int, height: int) -> bytes:
    """A PNG that claims to be this large and holds next to nothing."""

    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(bytes(100))) + chunk(b"IEND", b"")
    )


@pytest.mark.parametrize("size", [(40000, 40000), (10000, 9000), (8000, 6251)])
def test_too_many_pixels_are_refused_by_the_header(size):
    with pytest.raises(PhotoError, match="pixels"):
        photo_from(png_header(*size), "bomb.png")


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP", "BMP"])
@pytest.mark.parametrize("part", [0.02, 0.3, 0.9])
def test_cut_off_pictures_are_refused(kind, part):
    content = saved(Image.fromarray(np.tile(PICTURE, (4, 4, 1))), kind)
    with pytest.raises(PhotoError, match=r"^cut\.jpg "):
        photo_from(content[: int(len(content) * part)], "cut.jpg")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"hello", "is not a picture"),
        (b"%PDF-1.4 ...", "is not a picture"),
        (b"\x00\x00\x00\x18ftypheic\x00\x00\x00\x00mif1heic", "HEIC"),
        (b"\x00\x00\x00\x18ftypavif\x00\x00\x00\x00mif1avif", "AVIF"),
        (b"\x89PNG\r\n\x1a\n", "photo.jpg"),
        (b"II*\0\x08\0\0\0\0\0", "is not a picture"),
        (b"<svg xmlns='http://www.w3.org/2000/svg'/>", "is not a picture"),
    ],
)
def test_what_is_no_picture_is_told_in_words(content, words):
    with pytest.raises(PhotoError, match=words):
        photo_from(content, "photo.jpg")


def test_files_that_are_not_there(tmp_path):
    with pytest.raises(PhotoError, match="does not exist"):
        read_photo(tmp_path / "none.jpg")
    with pytest.raises(PhotoError, match="cannot be opened"):
        read_photo(tmp_path)


def said_of(content: bytes) -> str | None:
    try:
        photo_from(content, "broken")
    except PhotoError as fault:
        return str(fault)
    return None


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
def test_damage_anywhere_is_told_in_words(kind):
    rng = np.random.default_rng(0)
    whole = saved(Image.fromarray(PICTURE), kind, exif=exif(6, 27))
    for _ in range(60):
        broken = bytearray(whole)
        for at in rng.integers(0, min(len(whole), 200), 3):
            broken[at] = int(rng.integers(0, 256))
        said = said_of(bytes(broken))
        assert said is None or said.startswith("broken ")


def camera(cx: float, cy: float) -> dict:
    return {"matrix": [[1000.0, 0, cx], [0, 1010.0, cy], [0, 0, 1]], "distortion": [-0.1, 0.01, 0.0, 0.0, 0.0]}


def test_a_saved_lens():
    lens = read_lens(camera(639.5, 479.5), (1280, 960))
    assert lens.focal_px == 1005.0
    assert lens.distortion == (-0.1, 0.01, 0.0, 0.0)
    assert lens.image_size_px == (1280, 960)


@pytest.mark.parametrize(
    ("centre", "picture", "calibrated"),
    [
        ((652.0, 470.0), (1280, 960), (1280, 960)),
        ((639.5, 479.5), (640, 480), (1280, 960)),
        ((639.5, 479.5), (960, 1280), (1280, 960)),
        ((959.5, 539.5), (1280, 720), (1920, 1080)),
        ((959.5, 539.5), (1280, 960), (1280, 960)),
    ],
)
def test_the_size_a_lens_was_calibrated_at_shows_in_its_middle(centre, picture, calibrated):
    assert read_lens(camera(*centre), picture).image_size_px == calibrated


def _jpeg(size_px=(64, 48)):
    content = io.BytesIO()
    Image.new("RGB", size_px).save(content, "JPEG", progressive=True)
    return content.getvalue()


def _many_scans(times):
    """The last scan of a JPEG, as often as that."""
    content = _jpeg()
    scan = content[content.rindex(b"\xff\xda") : -2]
    return content[:-2] + scan * times + b"\xff\xd9"


def _many_pieces(times):
    content = io.BytesIO()
    Image.new("RGB", (64, 48)).save(content, "PNG")
    piece = b"\0\0\0\0abCd" + zlib.crc32(b"abCd").to_bytes(4)
    return content.getvalue()[:33] + piece * times + content.getvalue()[33:]


def _entries_of_all(size: int, count: int) -> bytes:
    """EXIF in which each of many entries holds all of it: read, it is so many times as large."""
    entries = b"".join(struct.pack("<HHII", 1000 + n, 1, size, 0) for n in range(count))
    head = b"II*\0" + struct.pack("<IH", 8, count) + entries + bytes(4)
    return head + bytes(size - len(head))


@pytest.mark.parametrize("kind", ["PNG", "WEBP"])
def test_exif_that_grows_when_it_is_read_is_left_aside(kind):
    content = saved(Image.fromarray(PICTURE), kind, exif=_entries_of_all(1_000_000, 200))
    tracemalloc.start()
    assert photo_from(content, "a").image_bgr.shape == (30, 40, 3)
    most = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert most < 50_000_000  # of 200


@pytest.mark.parametrize(
    "content",
    [
        _jpeg()[:2] + 2 * (b"\xff\xe1\xff\x00Exif\0\0" + bytes(0xFEF8)) + _jpeg()[2:],
        _many_scans(20_000),
        _jpeg()[:2] + b"\xff\xe5\0\2" * 100_000 + _jpeg()[2:],
        _jpeg()[:2] + b"\xff" * 1_000_000 + _jpeg()[2:],
        _many_pieces(100_000),
    ],
    ids=["exif", "scans", "segments", "filling", "pieces"],
)
def test_a_small_file_that_would_take_hours_is_refused(content):
    with pytest.raises(PhotoError, match=r"odd\.jpg is put together from far too many parts"):
        photo_from(content, "odd.jpg")


@pytest.mark.parametrize("content", [_many_scans(40), _many_pieces(5_000)], ids=["scans", "pieces"])
def test_a_picture_in_many_parts_is_read(content):
    assert photo_from(content, "fine").image_bgr.shape == (48, 64, 3)
