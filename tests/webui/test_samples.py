"""The games that come along: there is one for each game, they are light, and they are ruled as they were played."""

from __future__ import annotations

import json
import shutil

import pytest
from click.testing import CliRunner

from webui import cli
from webui.games import TABLETOPS
from webui.samples import FOLDER, UnknownSampleError, sample_of, samples

FIRST_MOVES = {
    "silos": "1 launches the black missile of silo 1 at 2's silo 3, then 2 does not intercept it.",
    "race": "Red moves.",
    "towers": "1 attacks 2's tower 1 with the 7 of Moons and Leaves (2 pips), then 2 does not defend, "
    "then a small green is put on 2's tower 1.",
}


def test_every_game_has_its_sample():
    assert {sample.title for sample in samples()} == {tabletop.TITLE for tabletop in TABLETOPS}
    assert [sample.name for sample in samples()] == ["mids", "race", "silos", "towers"]
    assert all(len(sample.photos) >= 7 for sample in samples())


def test_they_are_light():
    assert sum(path.stat().st_size for path in FOLDER.rglob("*.*")) < 2_500_000


def test_a_sample_that_is_not_there_is_told_with_those_that_are():
    with pytest.raises(UnknownSampleError, match=r"'chess'\. There are mids, race, silos, towers"):
        sample_of("chess")


@pytest.mark.parametrize("name", FIRST_MOVES)
def test_their_photos_are_ruled(tmp_path, name):
    """The first event of each; that of Martian Mids is in `test_bad_photos`."""
    sample = sample_of(name)
    for path in (*sample.photos[:2], sample.folder / "game.json"):
        shutil.copy(path, tmp_path)
    result = CliRunner().invoke(cli.main, ["review", "--json", str(tmp_path)])
    said = json.loads(result.stdout)
    assert (said["ruling"], said["text"]) == ("legal", FIRST_MOVES[name])
