"""The games that come along: there is one for each game, they are light, and they are ruled as they were played."""

from __future__ import annotations

import json
import re
import shutil

import pytest
from click.testing import CliRunner

from webui import cli, play_command
from webui.evening import Evening
from webui.games import TABLETOPS
from webui.page import create_app
from webui.samples import FOLDER, UnknownSampleError, sample_of, samples

FIRST_MOVES = {
    "silos": "Ada launches the black missile of silo 1 at Bo's silo 3, then Bo does not intercept it.",
    "race": "Red moves.",
    "towers": "Ada attacks Bo's tower 1 with the 7 of Moons and Leaves (2 pips), then Bo does not defend, "
    "then a small green is put on Bo's tower 1.",
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


def test_the_list_shows_a_picture_of_each_and_plays_it(live_of):
    evening = Evening(live_of(None))
    client = create_app(evening).test_client()
    page = client.get("/samples/").text
    for sample in samples():
        assert sample.title in page
        assert client.get(f"/samples/{sample.name}.jpg").mimetype == "image/jpeg"
    assert client.get("/samples/chess.jpg").status_code == 404
    token = re.search(r'name="token" value="([^"]+)"', page)[1]
    assert client.post("/start/sample", data={"token": token, "name": "towers"}).status_code == 303
    assert evening.live.moment().game.NAME == "ziggurat"
    assert len(evening.live.moment().photos) == 7


@pytest.mark.parametrize(
    ("given", "words"), [(["--sample", "chess"], "There are mids"), (["--sample", "race", "--camera", "0"], "--camera")]
)
def test_the_command_refuses_other_samples_in_words(given, words):
    result = CliRunner().invoke(cli.main, ["play", *given])
    assert result.exit_code == 2
    assert words in result.stderr


def test_the_command_plays_the_sample_that_is_named(monkeypatch):
    shown = []
    monkeypatch.setattr(play_command, "serve", lambda app, *_: shown.append(app.test_client().get("/").text))
    assert CliRunner().invoke(cli.main, ["play", "--sample", "silos"]).exit_code == 0
    assert "Missile Command" in shown[0]


def test_everybody_can_use_the_list(opened, address_of, live_of, accessible):
    page = opened(address_of(create_app(Evening(live_of(None)))) + "samples/", 390, 844)
    accessible(page)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Play it Pyramid Gran Prix").click()
    page.locator(".match", has_text="Pyramid Gran Prix").wait_for(state="attached")
