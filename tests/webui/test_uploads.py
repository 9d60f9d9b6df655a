"""What people send is taken as far as it can be, under names of ours, and the rest is told in words."""

from __future__ import annotations

import io
import json
import struct
import zipfile

import pytest

from vision.camera import MOST_BYTES
from webui import uploads
from webui.uploads import MOST_PHOTOS, game_from, plain_name, taken

GAME = json.dumps({"game": "martian-mids", "players": [{"name": "Ann"}, {"name": "Bob"}]}).encode()


def zip_of(files: dict[str, bytes], **options) -> bytes:
    into = io.BytesIO()
    with zipfile.ZipFile(into, "w", **options) as packed:
        for name, content in files.items():
            packed.writestr(name, content)
    return into.getvalue()


@pytest.fixture
def sent(tmp_path):
    """Sends files; afterwards the folder holds the photos that were taken and nothing else."""

    def send(files: dict[str, bytes] | list[tuple[str, bytes]], known=()):
        each = files.items() if isinstance(files, dict) else files
        batch = taken([(name, io.BytesIO(content)) for name, content in each], tmp_path, known)
        assert sorted(tmp_path.rglob("*")) == sorted(photo.path for photo in batch.photos)
        return batch

    return send


def names(batch) -> list[str]:
    return [photo.name for photo in batch.photos]


def test_photos_and_who_plays_are_taken(sent):
    batch = sent({"01.jpg": b"one", "game.json": GAME, "02.jpg": b"two"})
    assert names(batch) == ["01.jpg", "02.jpg"]
    assert [photo.path.read_bytes() for photo in batch.photos] == [b"one", b"two"]
    assert batch.game_file.players == ("Ann", "Bob")
    assert batch.left_aside == ()


def test_photos_of_one_name_are_told_apart(sent):
    batch = sent([("image.jpg", b"1"), ("image.jpg", b"2"), ("noending", b"3"), ("noending", b"4")], ["image.jpg"])
    assert names(batch) == ["image (2).jpg", "image (3).jpg", "noending", "noending (2)"]


def test_a_zip_is_unpacked_whatever_its_paths_say(sent):
    batch = sent(
        {
            "game.zip": zip_of(
                {
                    "../../evil.jpg": b"1",
                    "/etc/evil.jpg": b"2",
                    "C:\\windows\\evil.png": b"3",
                    "evening/02.JPG": b"4",
                    "evening/game.json": GAME,
                    "__MACOSX/evening/._02.JPG": b"not a photo",
                    "evening/.DS_Store": b"",
                    "evening/notes.txt": b"we laughed",
                    "evening/inner.zip": b"PK",
                }
            )
        }
    )
    assert sorted(names(batch)) == ["02.JPG", "evil (2).jpg", "evil.jpg", "evil.png"]
    assert batch.game_file is not None
    assert batch.left_aside == ("In game.zip these are no photos and were left aside: inner.zip, notes.txt.",)


def test_a_bomb_in_a_zip_is_left_packed(sent):
    packed = zip_of({"01.jpg": b"fine", "bomb.jpg": bytes(20_000_000)}, compression=zipfile.ZIP_DEFLATED)
    batch = sent({"game.zip": packed})
    assert names(batch) == ["01.jpg"]
    assert batch.left_aside == ("bomb.jpg was left aside: it unpacks to far more than a photo has.",)


def test_a_bomb_that_lies_about_its_size_is_no_photo(sent):
    packed = bytearray(zip_of({"bomb.jpg": bytes(20_000_000)}, compression=zipfile.ZIP_DEFLATED))
    for at in (packed.index(b"PK\x01\x02") + 24, packed.index(b"PK\x03\x04") + 22):
        packed[at : at + 4] = struct.pack("<I", 1000)
    batch = sent({"game.zip": bytes(packed)})
    assert names(batch) == []
    assert batch.left_aside == ("bomb.jpg was left aside: it is damaged in the zip.",)


def test_a_photo_that_is_too_large_is_left_aside_and_the_others_are_taken(sent):
    batch = sent({"film.jpg": bytes(MOST_BYTES + 1), "01.jpg": b"one"})
    assert names(batch) == ["01.jpg"]
    assert batch.left_aside == ("film.jpg was left aside: it has more than 30 MB.",)


def test_two_hundred_photos_are_the_most(sent):
    files = {f"{number:03}.jpg": b"x" for number in range(MOST_PHOTOS)}
    batch = sent({"all.zip": zip_of(files), "more.jpg": b"x"})
    assert len(batch.photos) == MOST_PHOTOS
    assert batch.left_aside == ("more.jpg was left aside: 200 photos are the most.",)


def test_those_that_are_there_already_count(sent):
    batch = sent({"a.jpg": b"", "b.jpg": b""}, known=map(str, range(MOST_PHOTOS - 1)))
    assert names(batch) == ["a.jpg"]
    assert batch.left_aside == ("b.jpg was left aside: 200 photos are the most.",)


def test_too_many_files_in_a_zip_are_refused(sent, monkeypatch):
    monkeypatch.setattr(uploads, "MOST_ENTRIES", 3)
    batch = sent({"all.zip": zip_of({f"{number}.txt": b"" for number in range(4)})})
    assert batch.left_aside == ("all.zip holds 4 files; 3 are the most.",)


@pytest.mark.parametrize(
    "content",
    [b"", b"no zip", b"PK\x05\x06", zip_of({"01.jpg": b"one"})[:-30]],
    ids=["nothing", "no zip", "an end alone", "cut off"],  # a zip holds the time, and ids are the same everywhere
)
def test_a_broken_zip_is_told_in_words(sent, content):
    assert sent({"game.zip": content}).left_aside == ("game.zip is damaged, or no zip: it cannot be opened.",)


@pytest.mark.parametrize("packing", [zipfile.ZIP_BZIP2, zipfile.ZIP_LZMA])
@pytest.mark.parametrize("broken", [False, True])
def test_what_is_packed_as_few_programs_can_is_told(sent, packing, broken):
    """Their libraries have faults of their own for what is broken."""
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w", packing) as archive:
        archive.writestr("01.jpg", b"one")
    content = bytearray(packed.getvalue())
    if broken:
        content[36:42] = b"\xff" * 6
    batch = sent({"game.zip": bytes(content)})
    assert names(batch) == []
    assert batch.left_aside == ("01.jpg was left aside: it is packed as few programs can. Pack it the usual way.",)


def test_a_broken_or_locked_photo_of_a_zip_is_told_and_the_others_are_taken(sent):
    packed = bytearray(zip_of({"01.jpg": b"one", "02.jpg": b"two", "03.jpg": b"three"}))
    packed[packed.index(b"two")] ^= 1
    locked = packed.index(b"PK\x01\x02", packed.index(b"PK\x01\x02", packed.index(b"PK\x01\x02") + 1) + 1)
    packed[locked + 8] |= 1
    local = packed.index(b"three") - 30 - len("03.jpg")
    packed[local + 6] |= 1
    batch = sent({"game.zip": bytes(packed)})
    assert names(batch) == ["01.jpg"]
    assert batch.left_aside == (
        "02.jpg was left aside: it is damaged in the zip.",
        "03.jpg was left aside: it is locked with a password.",
    )


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "cannot be read as JSON"),
        (b"\xff\xfe{", "cannot be read as JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b"9" * 5000, "cannot be read as JSON"),
        (b"{}", "game should be the game's name"),
        (bytes(2_100_000), "larger than 2 MB"),
    ],
)
def test_an_odd_game_file_is_told_in_words(sent, content, words):
    (said,) = sent({"game.json": content}).left_aside
    assert said.startswith("game.json")
    assert words in said


def test_a_game_file_may_begin_with_a_mark_of_windows():
    assert game_from(b"\xef\xbb\xbf" + GAME, "game.json").game == "martian-mids"


@pytest.mark.parametrize(
    ("name", "plain"),
    [
        ("../../etc/passwd", "passwd"),
        ("C:\\photos\\a.jpg", "a.jpg"),
        ("a\x00\n\x1b[31m.jpg", "a[31m.jpg"),
        ("", "photo"),
        ("/", "photo"),
        ("x" * 500 + ".jpeg", "x" * 53 + "….jpeg"),
    ],
)
def test_names_are_only_names(name, plain):
    assert plain_name(name) == plain
