"""The log says where the program failed and not what was said at the table."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from webui.logs import Discreet, log_to, without_names

SECRET = "secret-battery-black-white"


@pytest.fixture
def written(tmp_path):
    """What a logger of the test's own writes into a file."""
    path = tmp_path / "log.txt"
    keeper = logging.FileHandler(path, encoding="utf-8")
    keeper.setFormatter(Discreet())
    own = logging.Logger("own")
    own.addHandler(keeper)
    yield own, lambda: path.read_text(encoding="utf-8")
    keeper.close()


def failing(said: str) -> None:
    try:
        {}[said]
    except KeyError as fault:
        raise ValueError(f"no such silo: {said}") from fault


def test_a_fault_is_told_by_kind_and_place_and_without_its_words(written):
    own, text = written
    try:
        failing(SECRET)
    except ValueError:
        own.exception("unexpected fault in %s", "01.jpg")
    assert "ERROR unexpected fault in «01.jpg»" in text()
    assert "Because of:" in text()
    assert "in failing" in text()
    assert text().splitlines()[-1] == "ValueError"
    assert SECRET not in text()


def test_what_is_given_away_has_no_names_paths_or_tokens(written):
    own, text = written
    try:
        failing(SECRET)
    except ValueError:
        own.exception("unexpected fault in %s, line %d", "/home/ann/Ann's » party«.jpg\n2026", 7)
    given = without_names(text() + '\nAnn\'s hand: 7ML\n  File "/home/ann/x/webui/live.py", line 3, in see\n')
    assert "unexpected fault in «…», line 7" in given
    assert 'File "webui/live.py", line 3, in see' in given
    for word in ("Ann", "ann", "party", "7ML", "home", SECRET):
        assert word not in given


def test_a_pattern_that_does_not_fit_is_still_written(written):
    own, text = written
    own.error("%d photos", "many")
    assert "%d photos" in text()


def test_what_a_library_warns_of_is_told_by_its_place(written):
    own, text = written
    server = logging.Logger("waitress")
    server.addHandler(own.handlers[0])
    words = f"Exception while serving /join/{SECRET}"
    server.error(words)
    assert "ERROR waitress, test_logs.test_what_a_library_warns_of_is_told_by_its_place" in text()
    assert SECRET not in text()


def test_a_system_fault_keeps_its_number(written):
    own, text = written
    try:
        Path("/nowhere/at/all").read_bytes()
    except OSError:
        own.exception("no file")
    assert text().splitlines()[-1] == "FileNotFoundError [Errno 2]"


def test_a_log_that_cannot_be_written_stops_nobody(tmp_path, monkeypatch):
    own = logging.Logger("own")
    monkeypatch.setattr("webui.logs.log", own)
    (tmp_path / "file").write_text("")
    log_to(tmp_path / "file" / "umpire.log", verbose=False)
    own.error("nobody reads this")
    assert [type(each) for each in own.handlers] == [logging.NullHandler]


def test_a_log_on_a_full_disk_brings_no_traceback(tmp_path, monkeypatch, capsys):
    own = logging.Logger("own")
    monkeypatch.setattr("webui.logs.log", own)
    monkeypatch.setattr(logging, "raiseExceptions", True)
    log_to(tmp_path / "umpire.log", verbose=False)

    def full():
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(own.handlers[0], "flush", full)
    own.error("nobody reads this")
    monkeypatch.undo()
    own.handlers[0].close()
    assert capsys.readouterr().err == ""
