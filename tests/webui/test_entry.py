"""The command begins and ends cleanly, whatever it is given: no traceback reaches a person."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import ExitStack
from pathlib import Path

import pytest
from click.testing import CliRunner

from webui import cli, entry, logs

ROOT = Path(__file__).parent.parent.parent
SAMPLE = ROOT / "webui" / "sample" / "mids-a"
COMMAND = [sys.executable, "-c", "from webui.entry import main; main()"]


@pytest.fixture
def home(tmp_path):
    return os.environ | {"HOME": str(tmp_path), "PYRAMID_UMPIRE_DATA": str(tmp_path / "data")}


def _heeding_ctrl_c():
    """Where tests run in the background Ctrl+C is ignored, and what they start would ignore it, too."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


def test_ctrl_c_ends_the_page_quickly_and_cleanly(home):
    with socket.socket() as door, ExitStack() as ended:
        door.setsockopt(
            socket.SOL_SOCKET, socket.SO_REUSEADDR, 1
        )  # so held, the port is the umpire's and nobody else's
        door.bind(("127.0.0.1", 0))
        command, begun_s = [*COMMAND, "play", "--port", str(door.getsockname()[1])], time.monotonic()
        process = ended.enter_context(
            subprocess.Popen(
                command,
                cwd=ROOT,
                env=home,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                text=True,
                preexec_fn=_heeding_ctrl_c,
            )
        )
        ended.callback(process.kill)
        assert "open http" in process.stdout.readline()
        interrupted_s = time.monotonic()
        process.send_signal(signal.SIGINT)
        _, said = process.communicate(timeout=60)
        assert time.monotonic() - interrupted_s < max(5.0, interrupted_s - begun_s)  # a busy machine begins slowly, too
    assert process.returncode == 0
    assert said == ""


def test_ctrl_c_while_it_is_still_loading_is_no_traceback(monkeypatch):
    def interrupted():
        raise KeyboardInterrupt

    monkeypatch.setattr(entry, "_begin", interrupted)
    ended = []
    monkeypatch.setattr(entry.os, "_exit", ended.append)
    monkeypatch.setattr(entry.logging, "shutdown", lambda: None)
    entry.main()
    assert ended == [entry.INTERRUPTED]


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is Linux's")
def test_an_output_that_takes_nothing_is_told(home):
    with open("/dev/full", "w") as full:
        ended = subprocess.run(
            [*COMMAND, "read", "nowhere.jpg"], cwd=ROOT, env=home, stdout=full, stderr=subprocess.PIPE, text=True
        )
    assert ended.returncode == 1
    assert ended.stderr.strip() == "Error: The output cannot be used: No space left on device."


def test_an_output_that_is_closed_is_no_fault(home):
    closed = "import os, sys; sys.stdout = None; from webui.entry import main; main()"
    ended = subprocess.run(
        [sys.executable, "-c", closed, "--version"], cwd=ROOT, env=home, capture_output=True, text=True
    )
    assert (ended.returncode, ended.stderr) == (0, "")


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["read", "--square", "nan", "x.jpg"], "is no number"),
        (["read", "--square", "-5", "x.jpg"], "not in the range"),
        (["play", "--quiet", "nan"], "is no number"),
        (["play", "--camera", "9" * 400], "is no camera"),
        (["play", "--camera", "http://"], "is no camera"),
        (["play", "--camera", "http://["], "is no camera"),
        (["play", "--game", "nowhere.json"], "nowhere.json does not exist"),
        (["review", "nowhere"], "nowhere does not exist"),
        (["review", str(SAMPLE / "00.jpg")], "is a file. Give the folder"),
        (["review", "--html", "/nowhere/report.html", str(SAMPLE)], "/nowhere/report.html cannot be written"),
        (["--verbose", "read"], "Missing argument"),
        (["read", "--verbose"], "Missing argument"),
    ],
)
def test_what_makes_no_sense_is_told_at_once(tmp_path, monkeypatch, arguments, words):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PYRAMID_UMPIRE_DATA", str(tmp_path))
    result = CliRunner().invoke(cli.main, arguments)
    assert result.exit_code == 2
    assert words in result.stderr


@pytest.mark.parametrize("place", [0, 2])
def test_verbose_says_what_goes_on_wherever_it_stands(monkeypatch, place):
    monkeypatch.setattr(logs.log, "handlers", [])
    arguments = ["read", str(SAMPLE / "00.jpg")]
    result = CliRunner().invoke(cli.main, [*arguments[:place], "--verbose", *arguments[place:]])
    assert "INFO «00.jpg»: 5 stacks in" in result.stderr
    assert result.exit_code == 0
