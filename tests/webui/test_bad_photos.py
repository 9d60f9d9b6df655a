"""Files that are no photo of a mat: each is one line with words, the others are read, and nothing hangs."""

from __future__ import annotations

import json
import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner

from webui import cli

SAMPLE = Path(cli.SAMPLE) / "00.jpg"


def png_of(width: int, height: int) -> bytes:
    """A small PNG that unpacks to a very large picture."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))

    packer = zlib.compressobj(9)
    row = b"\0" * (width // 8 + 1)
    rows = b"".join(packer.compress(row) for _ in range(height)) + packer.flush()
    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def picture(array) -> bytes:
    return cv2.imencode(".png", np.asarray(array, np.uint8))[1].tobytes()


BAD = {
    "empty.jpg": lambda: b"",
    "text.jpg": lambda: b"this is no picture",
    "truncated.jpg": lambda: SAMPLE.read_bytes()[:9000],
    "black.png": lambda: picture(np.zeros((480, 640, 3))),
    "matless.png": lambda: picture(np.random.default_rng(1).integers(90, 160, (480, 640, 3))),
    "grey.png": lambda: picture(np.full((480, 640), 130)),
    "tiny.png": lambda: picture(np.zeros((1, 1, 3))),
    "mirrored.png": lambda: picture(cv2.imread(str(SAMPLE))[:, ::-1]),
    "huge.png": lambda: png_of(40_000, 40_000),
}


@pytest.mark.parametrize("name", BAD)
def test_a_bad_file_is_one_line_in_words(tmp_path, name):
    (tmp_path / name).write_bytes(BAD[name]())
    (tmp_path / "good.jpg").write_bytes(SAMPLE.read_bytes())
    result = CliRunner().invoke(cli.main, ["read", "--json", str(tmp_path / name), str(tmp_path / "good.jpg")])
    bad, good = map(json.loads, result.stdout.splitlines())
    assert list(bad) == ["photo", "error"]
    assert bad["photo"] == name
    assert len(bad["error"].split()) >= 3
    assert "fault of the program" not in bad["error"]
    assert good["layout"] == "board"
    assert result.exit_code == 3


def test_missing_files_and_folders_are_lines_too(tmp_path):
    result = CliRunner().invoke(cli.main, ["read", "--json", str(tmp_path / "missing.jpg"), str(tmp_path)])
    missing, folder = map(json.loads, result.stdout.splitlines())
    assert "does not exist" in missing["error"]
    assert folder["error"]
    assert result.exit_code == 3


def test_the_bundled_game_is_reviewed_from_its_photos():
    result = CliRunner().invoke(cli.main, ["review", "--json", str(cli.SAMPLE)])
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.exit_code == 0
    assert [line["photo"] for line in said] == [f"{number:02}.jpg" for number in range(1, 9)]
    assert said[0]["ruling"] == "legal"
    assert all(line["ruling"] in ("legal", "illegal", "unclear", "none") for line in said)
