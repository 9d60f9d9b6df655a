"""`umpire doctor` finds what is amiss and says what to do; its bundle tells nothing of anybody."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest
from click.testing import CliRunner

from calibration import store
from webui import cli, doctor
from webui.doctor import Finding, Verdict, examined, is_within
from webui.doctor_command import bundle
from webui.store import DATABASE, open_store

ROOT = Path(__file__).parent.parent.parent
SECRET = "Annabelle-7ML"


@pytest.fixture
def home(tmp_path, monkeypatch):
    """Folders of the test's own, and no second process: what it would have said can be set."""
    monkeypatch.setenv("PYRAMID_UMPIRE_DATA", str(tmp_path / "data"))
    monkeypatch.setattr(store, "cameras_folder", lambda: tmp_path / "cameras")
    return tmp_path


@pytest.fixture
def elsewhere(monkeypatch):
    def said(returncode=0, stdout="", stderr=""):
        ended = subprocess.CompletedProcess([], returncode, stdout, stderr)
        monkeypatch.setattr(doctor, "_in_another_process", lambda _: ended)

    said(0, "\n".join(f"{place} {pyramid}" for place, pyramid in sorted(doctor.KNOWN_TABLE.items())))
    return said


def of(what: str, findings: tuple[Finding, ...]) -> Finding:
    return next(each for each in findings if each.what == what)


def test_all_is_well_here(home):
    result = CliRunner().invoke(cli.main, ["doctor", "--json"])
    said = json.loads(result.stdout)
    assert result.exit_code == 0
    assert said["is_well"] is True
    assert [each for each in said["findings"] if each["verdict"] == "amiss"] == []
    assert {"Python", "OpenCV", "Recognition", "Port"} <= {each["what"] for each in said["findings"]}


def test_an_opencv_that_cannot_be_loaded_is_told_with_what_to_install(home):
    (home / "broken" / "cv2").mkdir(parents=True)
    fault = "libGL.so.1: cannot open shared object file: No such file or directory"
    (home / "broken" / "cv2" / "__init__.py").write_text(f"raise ImportError({fault!r})")
    environment = os.environ | {"PYTHONPATH": str(home / "broken"), "HOME": str(home)}
    bundle = home / "report.zip"
    command = [sys.executable, "-c", "from webui.entry import main; main()", "doctor", "--bundle", str(bundle)]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    assert "AMISS  OpenCV: cannot be loaded (ImportError: libGL.so.1" in ended.stdout
    assert "apt-get install libgl1 libglib2.0-0" in ended.stdout
    assert "AMISS  Recognition: the bundled photo cannot be read" in ended.stdout
    with zipfile.ZipFile(bundle) as packed:
        assert "libGL.so.1" in packed.read("findings.json").decode()
    assert "Traceback" not in ended.stdout + ended.stderr


def test_without_opencv_every_other_command_is_a_sentence_too(home):
    (home / "cv2.py").write_text("raise ImportError('libGL.so.1: cannot open shared object file')")
    environment = os.environ | {"PYTHONPATH": str(home), "HOME": str(home)}
    command = [sys.executable, "-c", "from webui.entry import main; main()", "mats", "-o", "x.pdf"]
    ended = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=120)
    assert ended.returncode == 1
    assert "cannot start: libGL.so.1" in ended.stderr
    assert "umpire doctor" in ended.stderr
    assert "Traceback" not in ended.stderr


@pytest.mark.parametrize(
    ("stderr", "advice"),
    [
        ("ModuleNotFoundError: No module named 'cv2'", "pip install"),
        ("ImportError: DLL load failed while importing cv2", "Visual C++"),
        ("AttributeError: no attribute imencode", "pip uninstall opencv-python opencv-python-headless"),
    ],
)
def test_each_way_of_failing_has_its_advice(home, elsewhere, stderr, advice):
    elsewhere(1, stderr=stderr)
    found = of("OpenCV", examined(8000, home / "umpire.log"))
    assert found.verdict is Verdict.AMISS
    assert advice in found.advice


def test_networks_that_read_the_bundled_photo_wrongly_are_amiss(home, elsewhere):
    elsewhere(0, "b2 large red\nc5 small blue")
    found = of("Recognition", examined(8000, home / "umpire.log"))
    assert found.verdict is Verdict.AMISS
    assert "1 of 5 stacks right" in found.words


def test_libraries_missing_or_of_another_version_are_told(home, elsewhere, monkeypatch):
    monkeypatch.setattr(doctor, "requirements", lambda: (("click", "<1,>=0.5"), ("no-such-library", ">=2")))
    told = [each for each in examined(8000, home / "umpire.log") if each.what == "Libraries"]
    assert [each.verdict for each in told] == [Verdict.AMISS, Verdict.AMISS]
    assert 'pip install "click<1,>=0.5"' in told[0].advice
    assert "no-such-library is missing" in told[1].words


@pytest.mark.parametrize(
    ("there", "limits", "holds"),
    [
        ("9.0", "<9,>=8.1", False),
        ("8.1", ">=8.1", True),
        ("4.13.0.92", "<6,>=4.13", True),
        ("5.0.0rc1", "<6", True),
        ("2.8.3", ">=2.8.4", False),
        ("3", "==3.0", True),
        ("anything", "", True),
    ],
)
def test_versions_are_compared_by_their_numbers(there, limits, holds):
    assert is_within(there, limits) is holds


def test_a_folder_that_cannot_be_written_into_and_a_port_that_is_taken_are_told(home, elsewhere, monkeypatch):
    (home / "file").write_text("")
    monkeypatch.setenv("PYRAMID_UMPIRE_DATA", str(home / "file" / "matches"))
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        findings = examined(port, home / "umpire.log")
    assert of("Folder of matches", findings).verdict is Verdict.AMISS
    assert of("Folder of the log", findings).verdict is Verdict.WELL
    assert of("Port", findings).verdict is Verdict.NOTE
    assert f"--port {port + 1}" in of("Port", findings).advice or port == 65535


@pytest.mark.parametrize(("free", "verdict"), [(10**6, Verdict.AMISS), (10**8, Verdict.NOTE), (10**10, Verdict.WELL)])
def test_little_room_is_told(home, elsewhere, monkeypatch, free, verdict):
    monkeypatch.setattr(doctor.shutil, "disk_usage", lambda _: type("Usage", (), {"free": free}))
    assert of("Folder of matches", examined(8000, home / "umpire.log")).verdict is verdict


def test_a_calibration_that_cannot_be_read_is_told(home, elsewhere):
    (home / "cameras").mkdir()
    (home / "cameras" / "camera-desk.json").write_text("{")
    found = of("Calibrations", examined(8000, home / "umpire.log"))
    assert found.verdict is Verdict.AMISS
    assert "camera-desk.json" in found.words


def test_a_database_that_is_damaged_is_told(home, elsewhere):
    (home / "data").mkdir()
    (home / "data" / DATABASE).write_bytes(b"no database at all" * 100)
    found = of("Matches", examined(8000, home / "umpire.log"))
    assert found.verdict is Verdict.AMISS
    assert "is damaged, and was left as it is" in found.words


def test_a_folder_that_nobody_may_look_into_is_told_with_its_words(home, elsewhere, monkeypatch):
    monkeypatch.setenv("PYRAMID_UMPIRE_DATA", str(home / ("x" * 300)))
    found = of("Matches", examined(8000, home / "umpire.log"))
    assert found.verdict is Verdict.AMISS
    assert "cannot write into" in found.words


def test_matches_that_are_kept_are_counted(home, elsewhere):
    open_store(home / "data").close()
    assert of("Matches", examined(8000, home / "umpire.log")).words == "0 can be read"


def test_a_check_that_fails_is_a_finding(home, elsewhere, monkeypatch):
    monkeypatch.setattr(store, "load_all", lambda _: 1 / 0)
    found = of("Calibrations", examined(8000, home / "umpire.log"))
    assert found.verdict is Verdict.AMISS
    assert "ZeroDivisionError" in found.words


def test_the_bundle_says_what_is_in_it_and_tells_nothing_of_anybody(home, elsewhere, own_log):
    (home / "cameras").mkdir()
    (home / "cameras" / f"camera-{SECRET}.json").write_text("{")
    own_log.parent.mkdir()
    own_log.write_text(f"{SECRET} holds 7ML\n2026-11-30 20:15:00,123 INFO «{SECRET}.jpg»: 5 stacks in 0.80 s\n")
    file = home / "report.zip"
    result = CliRunner().invoke(cli.main, ["doctor", "--bundle", str(file)])
    assert result.exit_code == 1
    assert [line.split()[0] for line in result.stderr.splitlines()[2:5]] == ["findings.json", "versions.txt", "log.txt"]
    with zipfile.ZipFile(file) as packed:
        texts = {name: packed.read(name).decode() for name in packed.namelist()}
    assert "INFO «…»: 5 stacks in 0.80 s" in texts["log.txt"]
    assert "pyramid-umpire" in texts["versions.txt"]
    assert all(SECRET not in text and "7ML" not in text and str(home) not in text for text in texts.values())
    verdicts = {each["what"]: each["verdict"] for each in json.loads(texts["findings.json"])}
    assert verdicts["Calibrations"] == "amiss"


@pytest.mark.parametrize(
    "path", ["/media/{}/stick/cv2.so", "C:\\Users\\Old {} Smith\\cv2.so", "{}/cv2.so", "/home/{} Smith/venv/cv2.so"]
)
def test_the_bundle_tells_no_folder_of_a_fault(home, elsewhere, path):
    elsewhere(1, stderr=f"ImportError: {path.format(SECRET)}: undefined symbol: cvRound")
    texts = bundle(examined(8000, home / "umpire.log"), home / "umpire.log")
    assert "cv2.so: undefined symbol: cvRound" in texts["findings.json"]
    assert all(SECRET not in text and "Smith" not in text for text in texts.values())


@pytest.mark.parametrize(
    ("name", "words"), [("report.txt", "should end in .zip"), ("no/where.zip", "cannot be written")]
)
def test_a_bundle_that_cannot_be_written_is_told(home, elsewhere, name, words):
    result = CliRunner().invoke(cli.main, ["doctor", "--bundle", str(home / name)])
    assert result.exit_code == 2
    assert words in result.stderr
