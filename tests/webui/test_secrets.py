"""Two evenings that differ in one player's secrets look the same to everybody else: see `tests/torture/leaks.py`."""

from __future__ import annotations

import importlib
from pathlib import Path

import pytest

from engine.games import missile_command
from webui.games import missile_command as tabletop

TORTURE = Path(__file__).parent.parent / "torture"


@pytest.fixture
def leaks(monkeypatch):
    monkeypatch.syspath_prepend(str(TORTURE))
    return importlib.import_module("leaks")


@pytest.mark.parametrize("game", ["missiles", "wizards"])
def test_nobody_else_can_tell_secrets_apart(leaks, game):
    report = leaks.run((getattr(leaks, game)(),), pages=("/", "/mine", "/nowhere"))
    assert report.leaked == 0, report.words
    assert report.counts["texts compared"] > 100


def test_a_page_that_told_a_secret_would_be_found(leaks, monkeypatch):
    private = tabletop.private
    monkeypatch.setattr(missile_command, "visible_to", lambda state, player: state)
    monkeypatch.setattr(tabletop, "private", lambda state, player: private(state, "Ann"))
    assert leaks.run((leaks.missiles(),), pages=("/mine",)).leaked > 10
