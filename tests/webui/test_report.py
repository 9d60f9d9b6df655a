"""The report of a reviewed game is one file that tells all of it."""

from __future__ import annotations

from html.parser import HTMLParser

import pytest
from click.testing import CliRunner

from webui import cli

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
TABLES = {"00.jpg": START, "01.jpg": START.replace("b2", "b4"), "02.jpg": START.replace("b2", "b4").replace("f2", "f4")}


@pytest.fixture
def reported(game_folder, look_of, monkeypatch, tmp_path):
    """The text of the report of three photos by players of these names."""

    def made(**fields):
        monkeypatch.setattr(cli, "ready_eyes", lambda: None)
        monkeypatch.setattr(cli, "look", lambda path, **_: look_of(path.name, TABLES[path.name]))
        file = tmp_path / "report.html"
        result = CliRunner().invoke(
            cli.main, ["review", str(game_folder(tuple(TABLES), **fields)), "--html", str(file)]
        )
        assert result.exit_code == 0, result.output
        return file.read_text(encoding="utf-8")

    return made


def test_every_photo_is_told_with_picture_ruling_and_rule(reported):
    text = reported()
    assert text.count("data:image/jpeg;base64,") == 3
    assert text.count("<section") == 3
    assert "Black moves b2-b4." in text
    assert "Rule " in text or "I cannot tell" in text
    assert "1 allowed" in text


def test_nothing_is_loaded_from_elsewhere(reported):
    class Links(HTMLParser):
        found: list[str] = []  # noqa: RUF012

        def handle_starttag(self, tag, attributes):
            self.found += [value for name, value in attributes if name in ("src", "href")]

    links = Links()
    links.feed(reported())
    assert links.found
    assert all(link.startswith(("data:", "#")) for link in links.found)


def test_names_are_no_markup(reported):
    players = [{"name": "<b>Ann", "stand": "black"}, {"name": "White", "stand": "white"}]
    assert "<b>Ann" not in reported(players=players, initiative=["<b>Ann", "White"])
