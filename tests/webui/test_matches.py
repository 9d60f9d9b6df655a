"""`umpire matches`: the list, files for elsewhere that tell no secret, files from elsewhere that need no trust."""

from __future__ import annotations

import io
import json
import random
import re
import zipfile

import numpy as np
import pytest
from click.testing import CliRunner

from webui import cli, importing
from webui.gamefile import game_file_from_json
from webui.journal import begun, open_match
from webui.picture_files import key_of
from webui.pictures import Pictures
from webui.review import Review
from webui.seen import seen_of
from webui.store import FOLDER_VARIABLE, Input, KeptMatch, new_id, now, open_store

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")
TOO_FAR = MOVED.replace("f2", "f4")
SETUP = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}
SECRET = "Xyzzy"
MISSILES = {
    "game": "missile-command",
    "players": [{"name": "Ann"}, {"name": "Bob"}],
    "batteries": {"Ann": [SECRET]},
    "salts": {"Ann": SECRET},
}


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.setenv(FOLDER_VARIABLE, str(tmp_path / "data"))
    return tmp_path


@pytest.fixture
def run(folder):
    return lambda *words, **more: CliRunner().invoke(cli.main, ["matches", *map(str, words)], **more)


@pytest.fixture
def played(folder, look_of):
    """A match of three tables with pictures, and its id."""
    with open_store() as store:
        pictures, game_file = Pictures(store.pictures), game_file_from_json(SETUP)
        journal = begun(store, game_file, pictures=pictures)
        review = Review(game_file, at_table=True, keep=journal.keep)
        for number, table in enumerate((START, MOVED, TOO_FAR)):
            image = np.full((48, 64, 3), number, np.uint8)
            review.see(seen_of(look_of(f"{number:02}.jpg", table), pictures.keep(image, 64, 86)))
        review.undo()
    return journal.match.id


def file_of(run, folder, played, name, *more):
    result = run("export", played[:8], "-o", folder / name, *more)
    assert result.exit_code == 0, result.output
    return folder / name


def test_the_list_names_each_match(run, played):
    assert re.fullmatch(
        rf"{played[:8]}  Martian Mids, Ann, Bob, \d{{4}}-\d\d-\d\d \d\d:\d\d to \d\d:\d\d, 4 events\n", run().output
    )


def test_without_matches_the_list_says_so_and_makes_no_folder(run, folder):
    assert "No match has been kept" in run().output
    assert not (folder / "data").exists()


def test_a_record_is_notation_line_by_line(run, folder, played):
    text = file_of(run, folder, played, "game.txt").read_text()
    head, _, moves = text.partition("\n\n")
    assert head.splitlines()[:2] == ["Martian Mids", "Ann, Bob"]
    assert "The game goes on." in head
    told = [line[16:] for line in moves.splitlines()]
    assert told[:2] == ["start: This is where the game starts from.", "move b2-b4"]
    assert told[2].startswith("illegal: move f2-f4  (Ann moves f2-f4: ")
    assert told[3] == "undo: from here on as after: move b2-b4"


def test_a_match_goes_to_another_machine_with_its_pictures(run, folder, played, monkeypatch):
    path = file_of(run, folder, played, "game.zip")
    with open_store() as store:
        here = list(store.inputs(played))
        was = open_match(store, played)
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder / "elsewhere"))
    result = run("import", path)
    assert result.exit_code == 0, result.output
    new = result.output.split()[0]
    assert not played.startswith(new), "an id that others know is no secret any more"
    with open_store() as store:
        match = store.match_beginning(new)
        assert list(store.inputs(match.id)) == here
        assert all(store.pictures.read(each.picture) for each in here if each.picture)
        resumed = open_match(store, match.id)
        assert resumed.notes == ()
        assert resumed.review.events == was.review.events
    assert "kept here already, as" in run("import", path).output


def test_a_match_with_spoilt_pictures_goes_to_another_machine_without_them(run, folder, played, monkeypatch):
    first, second, *_ = sorted((folder / "data").rglob("*.jpg"))
    first.unlink()
    second.write_bytes(b"spoilt")
    result = run("export", played[:8], "-o", folder / "game.zip")
    assert "note: 2 of its pictures are missing or spoilt" in result.output
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder / "elsewhere"))
    assert run("import", folder / "game.zip").exit_code == 0
    assert len(list((folder / "elsewhere").rglob("*.jpg"))) == 1


def test_an_import_heals_a_picture_that_was_spoilt_here(run, folder, played):
    path = file_of(run, folder, played, "game.zip")
    spoilt, *_ = sorted((folder / "data").rglob("*.jpg"))
    whole = spoilt.read_bytes()
    run("delete", played, "--yes")
    spoilt.write_bytes(b"spoilt")
    assert run("import", path).exit_code == 0
    assert spoilt.read_bytes() == whole


def test_a_file_with_a_long_name_is_written(run, folder, played):
    file_of(run, folder, played, f"{'x' * 250}.txt")


def test_json_names_only_the_pictures_that_are_here(run, folder, played, monkeypatch):
    path = file_of(run, folder, played, "game.json")
    monkeypatch.setenv(FOLDER_VARIABLE, str(folder / "elsewhere"))
    new = run("import", path).output.split()[0]
    with open_store() as store:
        kept = list(store.inputs(store.match_beginning(new).id))
    assert len(kept) == 4
    assert not any(each.picture for each in kept)


def test_delete_asks_first(run, played):
    assert run("delete", played[:8], input="n\n").exit_code == 1
    assert run("delete", played[:8], input="y\n").output.endswith(f"{played[:8]} is forgotten.\n")
    assert run().output == "No match is kept.\n"
    assert "No match is called" in run("delete", played[:8], "--yes").output


def test_delete_and_import_wait_until_the_umpire_has_ended(run, folder, played):
    path = file_of(run, folder, played, "game.zip")
    with open_store():
        for words in (("delete", played[:8], "--yes"), ("import", path)):
            result = run(*words)
            assert result.exit_code == 2
            assert "Another umpire (process" in result.output
        assert run("export", played[:8], "-o", folder / "again.txt").exit_code == 0


@pytest.mark.parametrize("name", ["game.pdf", "nowhere/game.txt"])
def test_a_file_that_cannot_be_written_is_said(run, folder, played, name):
    result = run("export", played[:8], "-o", folder / name)
    assert result.exit_code == 2
    assert "Traceback" not in result.output
    assert not list(folder.glob("*.writing"))


# Secrets.


@pytest.fixture
def sealed(folder):
    """A match of Missile Command that goes on; a database row is all that it needs here."""

    def made(is_over=False):
        match = KeptMatch(new_id(), "missile-command", "Missile Command", MISSILES, "0.1.0", now(), is_over=is_over)
        said = [
            {"declare": {"action": "aim 1/5", "note": SECRET}, "by": "Ann"},
            {"declare": {"player": "Bob", "battery": [SECRET]}, "by": None},
            {"declare": {"action": "report 1 4"}, "by": None},
        ]
        with open_store() as store:
            store.add(
                match, [Input(n, each, "said", None, "Ann has spoken.", at=now()) for n, each in enumerate(said, 1)]
            )
        return match.id

    return made


@pytest.mark.parametrize("name", ["game.txt", "game.json", "game.zip"])
def test_no_file_of_a_game_that_goes_on_tells_a_secret(run, folder, sealed, name):
    match_id = sealed()
    result = run("export", match_id, "-o", folder / name)
    assert "left out: batteries, salts, 2 things that players said in secret" in result.output
    assert SECRET not in content(folder / name)
    assert "report 1 4" in content(folder / name) or name == "game.txt"
    assert run("export", match_id, "-o", folder / name, "--with-secrets").exit_code == 0
    assert SECRET in content(folder / name)


def test_when_it_is_over_everything_is_told(run, folder, sealed):
    assert "left out" not in run("export", sealed(is_over=True), "-o", folder / "game.json").output
    assert SECRET in content(folder / "game.json")


def test_in_a_race_nobody_has_a_secret(run, folder):
    cars = [{"name": "Red", "colour": "red"}, {"name": "Blue", "colour": "blue"}]
    setup = {"game": "pyramid-gran-prix", "players": cars, "error_mm": 1.0}
    match = KeptMatch(new_id(), "pyramid-gran-prix", "Pyramid Gran Prix", setup, "0.1.0", now())
    roll = {"roll": [3, 4], "for": "turn", "player": "Red"}
    with open_store() as store:
        store.add(match, [Input(1, {"declare": roll, "by": "Red"}, "said", at=now())])
    assert "left out" not in run("export", match.id, "-o", folder / "race.json").output
    assert json.loads(content(folder / "race.json"))["inputs"][0]["said"]["declare"] == roll


def test_the_seed_of_the_umpires_dice_is_told_when_the_race_is_over(run, folder):
    cars = [{"name": "Red", "colour": "red"}, {"name": "Blue", "colour": "blue"}]
    setup = {"game": "pyramid-gran-prix", "players": cars, "dice": "umpire", "seed": SECRET}
    for is_over in (False, True):
        match = KeptMatch(new_id(), "pyramid-gran-prix", "Pyramid Gran Prix", setup, "0.1.0", now(), is_over=is_over)
        with open_store() as store:
            store.add(match, [Input(1, {"declare": {}, "by": None}, "said", at=now())])
        words = run("export", match.id, "-o", folder / "race.json").output
        assert ("left out: seed" in words) is not is_over
        assert (SECRET in content(folder / "race.json")) is is_over


def test_a_file_without_its_secrets_is_not_taken_up_again(run, folder, sealed):
    run("export", sealed(), "-o", folder / "game.json")
    result = run("import", folder / "game.json")
    assert result.exit_code == 2
    assert "exported without its secrets" in result.output


def content(path):
    if path.suffix == ".zip":
        with zipfile.ZipFile(path) as archive:
            return archive.read("match.json").decode()
    return path.read_text()


# What nobody has to trust.


@pytest.fixture
def refused(run, folder):
    """The words with which a file is refused; nothing may be kept then."""

    def words(path):
        result = run("import", path)
        assert result.exit_code == 2, result.output
        assert "Traceback" not in result.output
        assert len(result.output) < 1000
        with open_store() as store:
            assert store.matches() == ()
        assert not list((folder / "data").rglob("*.jpg"))
        return result.output

    return words


@pytest.fixture(scope="module")
def exported():
    """The files of the match, by name, once some test has made them."""
    return {}


@pytest.fixture
def taken_away(run, folder, exported, request):
    """The match as a zip and as JSON; here it is not kept."""
    paths = [folder / name for name in ("game.zip", "game.json")]
    if not exported:
        played = request.getfixturevalue("played")
        exported.update({path.name: file_of(run, folder, played, path.name).read_bytes() for path in paths})
        run("delete", played, "--yes")
    for path in paths:
        path.write_bytes(exported[path.name])
    return paths


def changed(path, change):
    doc = json.loads(path.read_text())
    change(doc)
    path.write_text(json.dumps(doc))
    return path


@pytest.mark.parametrize(
    ("change", "words"),
    [
        (lambda doc: doc.pop("format"), "a match that this umpire exported"),
        (lambda doc: doc.update(version=2), "A newer umpire"),
        (lambda doc: doc.update(version="1"), "version should be"),
        (lambda doc: doc.update(withheld=None), "withheld should be"),
        (lambda doc: doc.update(setup=[]), "no proper game.json"),
        (lambda doc: doc["setup"].update(players=[]), "no proper game.json"),
        (lambda doc: doc["setup"].update(game="chess"), "setup should be"),
        (lambda doc: doc.update(game="chess", setup=doc["setup"] | {"game": "chess"}), "no proper game.json"),
        (lambda doc: doc["setup"].update(initiative=["Cy"]), "no proper game.json"),
        (lambda doc: doc.update(started="yesterday"), "started of the match"),
        (lambda doc: doc.update(started="0001-01-01T00:00:00+14:00"), "started of the match"),
        (lambda doc: doc.update(inputs=[]), "inputs should be"),
        (lambda doc: doc["inputs"].reverse(), "the input with the number 1"),
        (lambda doc: doc["inputs"].append(doc["inputs"][0]), "the input with the number 5"),
        (lambda doc: doc["inputs"][1].update(said={}), "said should be"),
        (lambda doc: doc["inputs"][1].update(said={"fly": 1}), "Input 2 (fly)"),
        (lambda doc: doc["inputs"][1].update(said={"declare": "b9"}), "Input 2 (declare)"),
        (lambda doc: doc["inputs"][1]["said"]["seen"].update(stacks=[{}]), "Input 2 (seen)"),
        (lambda doc: doc["inputs"][1].update(ruling="guilty"), "ruling should be one of"),
        (lambda doc: doc["inputs"][1].update(ruling=["legal"]), "ruling should be one of"),
        (lambda doc: doc["inputs"][1].update(line=7), "line should be"),
        (lambda doc: doc["inputs"][1].update(text="x" * 10_001), "longer than 10000 characters"),
        (lambda doc: doc["inputs"][1].update(picture="../../etc/passwd"), "picture should be"),
        (lambda doc: doc["inputs"][1].update(at="2026-11-30"), "at of inputs[1]"),
    ],
)
def test_json_that_is_no_match_is_refused(refused, taken_away, change, words):
    assert words in " ".join(refused(changed(taken_away[1], change)).split())


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "cannot be read as JSON"),
        (b"[" * 100_000, "nested too deep"),
        (b'{"format": NaN}', "NaN is no number"),
        (b"\xff\xfe\x00", "not text in UTF-8"),
        (b'{"a": 1, "a": 2}', "twice in one object"),
        (b"1" * 5000, "cannot be read as JSON"),
    ],
)
def test_what_is_no_json_is_refused(refused, folder, content, words):
    (folder / "odd.json").write_bytes(content)
    assert words in refused(folder / "odd.json")


def test_a_record_and_other_files_are_not_imported(refused, folder):
    assert "is for people to read" in refused(folder / "game.txt")
    assert "cannot be opened" in refused(folder / "missing.json")
    (folder / "odd.zip").write_bytes(b"PK\x03\x04 nothing")
    assert "not a whole zip file" in refused(folder / "odd.zip")


def zip_with(path, *entries, without=(), packed=zipfile.ZIP_DEFLATED):
    """The zip again, with other entries in place of those of their names."""
    with zipfile.ZipFile(path) as archive:
        old = {name: archive.read(name) for name in archive.namelist() if name not in without}
    with zipfile.ZipFile(path, "w", packed) as archive:
        for name, content in [*old.items(), *entries]:
            archive.writestr(name, content)
    return path


def a_picture_in(path):
    with zipfile.ZipFile(path) as archive:
        return next(name for name in archive.namelist() if name.endswith(".jpg"))


@pytest.mark.parametrize("name", ["../evil.jpg", "/etc/passwd", "pictures/../../evil.jpg", "pictures/a.exe", "x.json"])
def test_a_zip_with_other_names_is_refused(refused, taken_away, folder, name):
    def outside():
        return {path for path in folder.rglob("*") if not {"data", "log"} & set(path.parts)}

    before = outside()
    assert "something else than a match and its pictures" in refused(zip_with(taken_away[0], (name, b"evil")))
    assert outside() == before


def test_a_picture_that_was_changed_is_refused(refused, taken_away):
    name = a_picture_in(taken_away[0])
    assert "was changed" in refused(zip_with(taken_away[0], (name, b"other"), without=(name,)))


def test_a_picture_that_lacks_is_refused(refused, taken_away):
    assert "lacks the picture" in refused(zip_with(taken_away[0], without=(a_picture_in(taken_away[0]),)))


def test_a_picture_that_is_none_is_refused(refused, taken_away):
    key = key_of(b"<script>")
    with zipfile.ZipFile(taken_away[0]) as archive:
        doc = json.loads(archive.read("match.json"))
    doc["inputs"][0]["picture"] = key
    files = (("match.json", json.dumps(doc)), (f"pictures/{key}.jpg", b"<script>"))
    assert "is no JPEG" in refused(zip_with(taken_away[0], *files, without=("match.json",)))


def test_a_zip_that_unpacks_to_too_much_is_refused(refused, taken_away, monkeypatch):
    monkeypatch.setattr(importing, "MOST_PICTURE_BYTES", 100_000)
    big = b"0" * 100_001
    name = f"pictures/{key_of(big)}.jpg"
    assert "too large when it is unpacked" in refused(zip_with(taken_away[0], (name, big)))


def test_a_zip_that_lies_about_its_sizes_is_read_to_the_limit_only(taken_away, monkeypatch):
    with zipfile.ZipFile(taken_away[0]) as archive, pytest.raises(importing.ImportRefusedError, match="too large"):
        importing._read(archive, "match.json", 100)


def test_a_zip_in_another_packing_or_with_names_twice_is_refused(refused, taken_away, recwarn):
    content = taken_away[0].read_bytes()
    assert "packed as no exported match is" in refused(zip_with(taken_away[0], packed=zipfile.ZIP_LZMA))
    taken_away[0].write_bytes(content)
    with pytest.warns(UserWarning, match="Duplicate"):
        zip_with(taken_away[0], ("match.json", b"{}"))
    assert "holds a name twice" in refused(taken_away[0])


@pytest.mark.parametrize("find", [bytes.index, bytes.rindex])
def test_a_zip_with_a_name_that_is_no_text_is_refused(refused, taken_away, find):
    """The flag says that names are UTF-8; this one is not, at its file or in the zip's list."""
    content = bytearray(taken_away[0].read_bytes())
    name = find(bytes(content), b"match.json")
    flags = name - (24 if find is bytes.index else 38)
    content[flags + 1] |= 8
    content[name] = 0xFF
    taken_away[0].write_bytes(content)
    assert "a name in it is no text" in refused(taken_away[0])


def test_a_picture_that_cannot_be_written_leaves_nothing(refused, taken_away, monkeypatch):
    from webui.picture_files import PictureFiles

    write, written = PictureFiles.write, []

    def full(files, jpeg):
        if written:
            raise OSError(28, "No space left on device")
        written.append(write(files, jpeg))
        return written[-1]

    monkeypatch.setattr(PictureFiles, "write", full)
    assert "The disk is full" in refused(taken_away[0])
    assert written


def test_damaged_files_never_bring_a_traceback(run, taken_away, folder):
    """Bytes changed anywhere: it is refused in words, or what changed did not matter."""
    rng = random.Random(7)
    for path in taken_away:
        whole = path.read_bytes()
        for _ in range(40):
            content = bytearray(whole)
            for _ in range(rng.choice((1, 3, 20))):
                content[rng.randrange(len(content))] = rng.randrange(256)
            path.write_bytes(content[: rng.choice((len(content), rng.randrange(len(content))))])
            result = run("import", path)
            assert result.exception is None or isinstance(result.exception, SystemExit), result.exception
            assert result.exit_code in (0, 2)
            if result.exit_code == 0:
                assert run("delete", result.output.split()[0], "--yes").exit_code == 0
            assert "unexpectedly" not in result.output


def test_rulings_of_another_version_are_told(run, taken_away):
    path = changed(taken_away[1], lambda doc: doc["inputs"][1].update(ruling="illegal"))
    result = run("import", path)
    assert result.exit_code == 0
    assert "note: Input 2 (seen) was 'illegal' (move b2-b4); now it is 'legal' (move b2-b4)." in result.output


def test_a_jpeg_of_too_many_pixels_is_refused_by_its_header():
    from PIL import Image

    file = io.BytesIO()
    Image.new("L", (8000, 8000)).save(file, "JPEG", quality=1)
    with pytest.raises(importing.ImportRefusedError, match="50 megapixels"):
        importing._check_jpeg("0" * 64, file.getvalue())
