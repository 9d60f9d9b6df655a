"""Five kills at random moments of a match; `make torture` does two hundred."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

KILL = Path(__file__).parents[1] / "torture" / "kill.py"


@pytest.mark.skipif(sys.platform == "win32", reason="processes are forked and killed as Unix does it")
def test_a_killed_match_has_all_that_was_accepted_once():
    ran = subprocess.run([sys.executable, KILL, "5", "4", "24"], capture_output=True, text=True)
    report = json.loads(ran.stdout.splitlines()[-1])
    assert report["words"] == []
    assert (report["counts"]["kills"], report["lost"]) == (5, 0)
    assert report["counts"]["inputs accepted"] >= 24
