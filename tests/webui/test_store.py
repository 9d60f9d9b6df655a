"""Matches on disk: what was taken is there, whatever fails, and each fault is named in words."""

from __future__ import annotations

import errno
import hashlib
import os
import resource
import sqlite3
import subprocess
import sys
from contextlib import closing
from dataclasses import replace

import pytest
from sqlalchemy import text

from webui import picture_files, schema
from webui.picture_files import PictureFiles
from webui.schema import STEPS, TABLES, NewerError, bring_up_to_date
from webui.store import DATABASE, Input, KeptMatch, StoreError, _engine, data_folder, new_id, open_store, read_store

SETUP = {"game": "martian-mids", "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}]}


@pytest.fixture
def match():
    return KeptMatch(new_id(), "martian-mids", "Martian Mids", SETUP, "0.1.0", "2026-11-30T18:00:00+00:00")


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "matches") as opened:
        yield opened


def said(number, **more):
    at = f"2026-11-30T18:{number:02}:00+00:00"
    return Input(number, {"declare": {"roll": [number]}, "by": "Ann"}, "legal", f"move b{number}", "So.", at=at, **more)


def kept(store, match):
    return list(store.inputs(match.id))


def test_what_was_kept_is_there_when_the_folder_is_opened_again(tmp_path, match):
    with open_store(tmp_path) as store:
        store.add(match, [said(1)])
        store.add(match, [said(2), said(3)])
    with open_store(tmp_path) as store:
        assert kept(store, match) == [said(1), said(2), said(3)]
        (found,) = store.matches()
        assert found == replace(match, inputs=3, events=3, updated=said(3).at)
        assert found.players == ("Ann", "Bob")


def test_the_database_is_written_through_at_each_commit(store):
    with store._engine.connect() as connection:
        told = [connection.execute(text(f"PRAGMA {name}")).scalar_one() for name in ("journal_mode", "synchronous")]
    assert told == ["wal", 2]


def test_an_input_is_never_there_twice(store, match):
    store.add(match, [said(1)])
    with pytest.raises(StoreError, match="holds that already"):
        store.add(match, [said(2), said(1)])
    assert kept(store, match) == [said(1)]


def test_what_was_refused_while_it_was_written_can_be_dropped_and_nothing_else(store, match):
    store.add(match, [said(1), said(2), said(3)])
    store.drop(match.id, replace(said(3), at=said(9).at))
    store.drop(match.id, replace(said(3), said={"declare": "another"}))
    assert kept(store, match) == [said(1), said(2), said(3)]
    store.drop(match.id, said(3))
    assert kept(store, match) == [said(1), said(2)]


def test_people_type_the_beginning_of_an_id_and_pages_the_whole(store, match):
    other = replace(match, id=match.id[:4] + "0" * 28)
    store.add(match, [])
    assert store.match_beginning(match.id[:4]).id == match.id
    store.add(other, [])
    with pytest.raises(StoreError, match="2 matches begin with"):
        store.match_beginning(match.id[:4])
    for wrong in (match.id[:4], match.id[:-1], "", "zzzz"):
        with pytest.raises(StoreError, match="No match is called"):
            store.match(wrong)
    for wrong in (match.id[:3], "", "zzzz"):
        with pytest.raises(StoreError, match="No match is called"):
            store.match_beginning(wrong)
    assert store.match(other.id).id == other.id


def test_ids_are_not_to_be_guessed():
    ids = {new_id() for _ in range(100)}
    assert len(ids) == 100
    assert {len(each) for each in ids} == {32}


def test_deleting_a_match_keeps_the_pictures_of_others(store, match):
    mine, shared = store.pictures.write(b"mine"), store.pictures.write(b"shared")
    other = replace(match, id=new_id())
    store.add(match, [said(1, picture=mine, thumb=shared)])
    store.add(other, [said(1, picture=shared)])
    store.delete(match.id)
    assert [each.id for each in store.matches()] == [other.id]
    assert kept(store, match) == []
    assert (store.pictures.read(mine), store.pictures.read(shared)) == (None, b"shared")


def test_names_with_half_characters_are_kept(store, match):
    odd = replace(match, setup={"players": [{"name": "\ud800"}]}, title="\ud800")
    store.add(odd, [replace(said(1), said={"declare": "\ud800"}, text="\ud800 wins")])
    assert store.match(odd.id).players == ("\ud800",)
    assert kept(store, odd)[0].text == "? wins"


def test_the_folder_is_chosen_by_a_variable(monkeypatch, tmp_path):
    monkeypatch.setenv("PYRAMID_UMPIRE_DATA", str(tmp_path / "here"))
    assert data_folder() == tmp_path / "here"
    monkeypatch.delenv("PYRAMID_UMPIRE_DATA")
    assert data_folder().name == "pyramid-umpire"


def test_matches_are_nobody_elses_to_read(store, match):
    store.add(match, [said(1, picture=store.pictures.write(b"jpeg"))])
    assert store.folder.stat().st_mode & 0o777 == 0o700
    files = [path for path in store.folder.rglob("*") if path.is_file() and path.suffix not in (".lock", ".pid")]
    assert len(files) == 4
    assert {path.stat().st_mode & 0o777 for path in files} == {0o600}


@pytest.mark.parametrize("place", [1 / 3, 0.9])
def test_damage_in_a_large_database_is_named_when_it_is_met(tmp_path, match, monkeypatch, place):
    monkeypatch.setattr("webui.store.MOST_CHECKED_BYTES", 1000)
    with open_store(tmp_path) as store:
        store.add(match, [replace(said(n), said={"seen": "x" * 3000}) for n in range(1, 40)])
    content = bytearray((tmp_path / DATABASE).read_bytes())
    start = int(place * len(content))
    content[start : start + 5000] = b"\xa5" * 5000
    (tmp_path / DATABASE).write_bytes(content)
    with open_store(tmp_path) as store, pytest.raises(StoreError, match="is damaged"):
        kept(store, match)


@pytest.mark.parametrize(
    "harm",
    [
        "UPDATE inputs SET said = 'nothing'",
        "UPDATE inputs SET said = '[1]'",
        "UPDATE inputs SET line = x'ff00'",
        "UPDATE inputs SET at = ''",
        "UPDATE matches SET setup = 'nothing'",
        "UPDATE matches SET setup = '[]'",
        "UPDATE matches SET setup = '{}'",
        "UPDATE matches SET title = x'ff00'",
        "UPDATE matches SET started = ''",
        "UPDATE matches SET updated = '0001-01-01T00:00:00+00:00'",
        "DROP TABLE inputs",
    ],
)
def test_what_the_umpire_never_wrote_is_damage(store, match, harm):
    store.add(match, [said(1)])
    with store._engine.begin() as connection:
        connection.execute(text(harm))
    with pytest.raises(StoreError, match="is damaged"):  # noqa: PT012  in the list of matches or in the match
        store.matches()
        kept(store, match)


@pytest.mark.parametrize("version", [0, -3])
def test_a_database_with_other_tables_than_its_version_has_is_damaged(tmp_path, match, version):
    with open_store(tmp_path) as store:
        store.add(match, [said(1)])
    with closing(sqlite3.connect(tmp_path / DATABASE)) as other:
        other.execute(f"PRAGMA user_version = {version}")
    with pytest.raises(StoreError, match="is damaged"):
        open_store(tmp_path)


# Pictures.


def test_a_picture_is_named_by_its_content(tmp_path):
    files = PictureFiles(tmp_path)
    key = files.write(b"jpeg")
    assert key == hashlib.sha256(b"jpeg").hexdigest()
    assert (tmp_path / key[:2] / f"{key}.jpg").read_bytes() == b"jpeg"
    assert files.write(b"jpeg") == key
    assert files.read(key) == b"jpeg"


@pytest.mark.parametrize("key", ["", "../../secret", "0" * 64, "0" * 63 + "/", "A" * 64])
def test_no_other_file_is_read(tmp_path, key):
    (tmp_path / "secret.jpg").write_bytes(b"secret")
    assert PictureFiles(tmp_path / "pictures").read(key) is None


def test_a_picture_that_cannot_be_written_leaves_nothing(tmp_path, monkeypatch):
    files, whole = PictureFiles(tmp_path), PictureFiles(tmp_path).write(b"before")

    def full(handle):
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(picture_files.os, "fsync", full)
    with pytest.raises(OSError, match="No space"):
        files.write(b"after")
    assert [path.stem for path in tmp_path.rglob("*") if path.is_file()] == [whole]


def test_a_picture_that_was_spoilt_is_not_taken_for_the_one_that_is_kept_again(tmp_path):
    files = PictureFiles(tmp_path)
    path = tmp_path / hashlib.sha256(b"jpeg").hexdigest()[:2] / f"{files.write(b'jpeg')}.jpg"
    path.write_bytes(b"")
    assert files.read(files.write(b"jpeg")) == b"jpeg"


def test_pictures_that_cannot_be_read_or_removed(store, match):
    """A folder in a picture's place stands for whatever the disk refuses."""
    keys = [store.pictures.write(content) for content in (b"one", b"two")]
    odd = store.pictures._path(keys[0])
    odd.unlink()
    (odd / "something").mkdir(parents=True)
    assert store.pictures.read(keys[0]) is None
    store.add(match, [said(1, picture=keys[0], thumb=keys[1])])
    with pytest.raises(StoreError, match="match is forgotten, but 1 of its pictures are still in"):
        store.delete(match.id)
    assert store.matches() == ()
    assert store.pictures.read(keys[1]) is None


def test_half_a_picture_of_a_killed_program_is_swept_away(tmp_path):
    with open_store(tmp_path) as store:
        whole = store.pictures.write(b"whole")
    left = tmp_path / "pictures" / whole[:2] / ".writing-x7"
    left.write_bytes(b"hal")
    with open_store(tmp_path) as store:
        assert store.pictures.read(whole) == b"whole"
    assert not left.exists()


# Faults.


def test_two_umpires_never_write_into_one_folder(store, match):
    store.add(match, [said(1)])
    with pytest.raises(StoreError, match=rf"Another umpire \(process {os.getpid()}\) is using .*End it first"):
        open_store(store.folder)
    other = f"from webui.store import open_store; open_store(__import__('pathlib').Path({str(store.folder)!r}))"
    ran = subprocess.run([sys.executable, "-c", other], capture_output=True, text=True)
    assert f"Another umpire (process {os.getpid()})" in ran.stderr
    store.close()
    with open_store(store.folder) as again:
        assert kept(again, match) == [said(1)]


def test_others_read_while_one_writes_but_change_nothing(store, match):
    store.add(match, [said(1)])
    with read_store(store.folder) as reader:
        store.add(match, [said(2)])
        assert kept(reader, match) == [said(1), said(2)]
        with pytest.raises(StoreError, match="read only"):
            reader.delete(match.id)


def test_nothing_to_read_is_said(tmp_path):
    with pytest.raises(StoreError, match="No match has been kept"):
        read_store(tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("harm", ["header", "middle"])
def test_a_damaged_database_is_named_and_left_as_it_is(tmp_path, match, harm):
    with open_store(tmp_path) as store:
        store.add(match, [replace(said(n), text="x" * 3000) for n in range(1, 40)])
    path = tmp_path / DATABASE
    content = bytearray(path.read_bytes())
    start = 0 if harm == "header" else len(content) // 3
    content[start : start + 9000] = b"\xa5" * 9000
    path.write_bytes(content)
    with pytest.raises(StoreError, match=r"is damaged, and was left as it is. To play on, move it"):
        open_store(tmp_path)
    assert path.read_bytes() == content
    path.rename(tmp_path / "old.sqlite")
    with open_store(tmp_path) as store:
        store.add(match, [said(1)])
        assert kept(store, match) == [said(1)]


def test_a_database_that_another_program_holds(store, match):
    store.add(match, [said(1)])
    holder = sqlite3.connect(store.folder / DATABASE, isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with store._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA busy_timeout = 20")
    with pytest.raises(StoreError, match=r"Another program holds .*Close it"):
        store.add(match, [said(2)])
    assert kept(store, match) == [said(1)]
    holder.close()
    store.add(match, [said(2)])
    assert kept(store, match) == [said(1), said(2)]


def test_a_full_disk_takes_nothing_and_harms_nothing(store, match):
    """The limit on a file's size is the operating system's: writing fails in SQLite, below everything of ours."""
    store.add(match, [said(1)])
    limit, most = resource.getrlimit(resource.RLIMIT_FSIZE)
    size = max(path.stat().st_size for path in store.folder.glob(f"{DATABASE}*"))
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 100, most))
    try:
        with pytest.raises(StoreError, match=r"(disk is full|disk does not take).*Make room, and say it again"):
            store.add(match, [replace(said(2), text="x" * 200_000)])
        assert kept(store, match) == [said(1)]
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, most))
    store.add(match, [said(2)])
    assert kept(store, match) == [said(1), said(2)]


def test_a_disk_without_room(small_disk, match):
    """A file system of its own, filled to the brim: for pictures and for the database."""
    with open_store(small_disk / "matches") as store:
        store.add(match, [said(1, picture=store.pictures.write(b"first"))])
        (small_disk / "rubbish").write_bytes(b"x" * (_free(small_disk) - 8192))
        number = 2
        with pytest.raises(StoreError, match=r"disk is full: .* takes no more"):  # noqa: PT012  at some time it is
            while number < 100:
                store.add(match, [replace(said(number), text="x" * 5000)])
                number += 1
        with pytest.raises(OSError, match="No space"):
            store.pictures.write(b"x" * 100_000)
        (small_disk / "rubbish").unlink()
        store.add(match, [said(number)])
        assert [each.number for each in kept(store, match)] == list(range(1, number + 1))
    with open_store(small_disk / "matches") as store:
        assert [each.number for each in kept(store, match)] == list(range(1, number + 1))
        assert not list(small_disk.rglob(".writing-*"))


def test_a_folder_that_cannot_be_written(small_disk, match):
    with open_store(small_disk / "matches") as store:
        store.add(match, [said(1)])
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(StoreError, match=r"cannot write into .* Allow it to, or choose another folder"):
        open_store(small_disk / "matches")
    with pytest.raises(StoreError, match="cannot write into"):
        open_store(small_disk / "others")
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)
    with open_store(small_disk / "matches") as store:
        assert kept(store, match) == [said(1)]


def test_where_nothing_can_be_written_everything_can_still_be_read(small_disk, match):
    folder = small_disk / "matches"
    with open_store(folder) as store:
        store.add(match, [said(1)])
    (small_disk / "rubbish").write_bytes(b"x" * _free(small_disk))
    with pytest.raises(StoreError, match="disk"):
        open_store(folder)
    with read_store(folder) as store:
        assert kept(store, match) == [said(1)]
    (small_disk / "rubbish").unlink()
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with read_store(folder) as store:
        assert kept(store, match) == [said(1)]
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)


def test_a_database_that_is_being_written_is_never_read_as_if_it_lay_still(small_disk, match):
    """What a killed umpire accepted is in the file beside it; without that file, what is read is not all."""
    folder = small_disk / "matches"
    with open_store(folder) as store:
        store.add(match, [said(1)])
        beside = (folder / f"{DATABASE}-wal").read_bytes()
    (folder / f"{DATABASE}-wal").write_bytes(beside)
    subprocess.run(["mount", "-o", "remount,ro", small_disk], check=True)
    with pytest.raises(StoreError, match="cannot write into"):
        read_store(folder)
    subprocess.run(["mount", "-o", "remount,rw", small_disk], check=True)


def test_a_folder_name_that_no_disk_takes(tmp_path):
    for opened in (open_store, read_store):
        with pytest.raises(StoreError, match="cannot write into"):
            opened(tmp_path / ("x" * 300))


def test_a_lock_that_the_disk_does_not_know(tmp_path, monkeypatch):
    def unknown(*_, **__):
        raise NotImplementedError

    monkeypatch.setattr("webui.store.FileLock.acquire", unknown)
    with pytest.raises(StoreError, match="cannot say who uses it"):
        open_store(tmp_path)


def test_a_folder_that_stops_being_writable_during_a_match(store, match, monkeypatch):
    """To root everything is writable, so SQLite itself is told to write no more."""
    store.add(match, [said(1)])
    with store._engine.connect() as connection:
        connection.exec_driver_sql("PRAGMA query_only = ON")
    with pytest.raises(StoreError, match="cannot write into"):
        store.add(match, [said(2)])
    assert kept(store, match) == [said(1)]


@pytest.mark.parametrize("name", [DATABASE, f"{DATABASE}-wal", "umpire.lock"])
def test_a_folder_where_a_file_should_be_is_named(tmp_path, name):
    (tmp_path / name).mkdir()
    with pytest.raises(StoreError, match=rf"{name} is a folder, and the umpire keeps a file of that name: move it"):
        open_store(tmp_path)


def test_a_folder_that_was_moved_away_during_a_match_takes_nothing(store, match):
    """The open file would go on to take what is written; nobody would find it again."""
    store.add(match, [said(1)])
    away = store.folder.rename(store.folder.with_name("away"))
    for gone in (lambda: store.add(match, [said(2)]), lambda: store.delete(match.id)):
        with pytest.raises(StoreError, match=r"moved or deleted while the umpire ran.*Put it back"):
            gone()
    with pytest.raises(OSError, match="No such file"):
        store.pictures.write(b"jpeg")
    assert not store.folder.exists(), "a new one would be in the way of the old one"
    away.rename(store.folder)
    store.add(match, [said(2)])
    assert kept(store, match) == [said(1), said(2)]


@pytest.mark.parametrize("ending", ["", "-wal", "-shm"])
def test_a_file_that_is_deleted_during_a_match_takes_nothing_more(tmp_path, match, ending):
    store = open_store(tmp_path)
    store.add(match, [said(1)])
    (tmp_path / (DATABASE + ending)).unlink()
    for _ in range(2):
        with pytest.raises(StoreError, match="moved or deleted while the umpire ran"):
            store.add(match, [said(2)])
    if ending:
        with closing(sqlite3.connect((tmp_path / DATABASE).as_uri() + "?immutable=1", uri=True)) as killed:
            assert killed.execute("SELECT number FROM inputs").fetchall() == [(1,)], "whenever the umpire is killed now"
    store.close()
    with open_store(tmp_path) as again:
        assert kept(again, match) == ([said(1)] if ending else [])


def test_a_file_where_the_folder_should_be(tmp_path):
    (tmp_path / "matches").write_text("mine")
    with pytest.raises(StoreError, match="cannot write into"):
        open_store(tmp_path / "matches")
    assert (tmp_path / "matches").read_text() == "mine"


@pytest.fixture
def small_disk(tmp_path):
    """A disk of 1 MB in memory; only root may mount one."""
    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs", disk], capture_output=True)
    if mounted.returncode:
        pytest.skip("a small disk can be mounted by root only")
    yield disk
    subprocess.run(["umount", "-l", disk], check=True)


def _free(disk):
    there = os.statvfs(disk)
    return there.f_bavail * there.f_frsize


# Versions.


def test_a_newer_database_is_refused_in_words(tmp_path, match):
    with open_store(tmp_path) as store:
        store.add(match, [said(1)])
        with store._engine.begin() as connection:
            connection.exec_driver_sql(f"PRAGMA user_version = {len(STEPS) + 1}")
    for opened in (open_store, read_store):
        with pytest.raises(StoreError, match=r"written by a newer umpire than this one. Install the newest"):
            opened(tmp_path)


FURTHER = (*STEPS, ("ALTER TABLE matches ADD COLUMN place TEXT NOT NULL DEFAULT 'home'",))


def test_an_older_database_is_brought_up_to_date_and_a_copy_kept(tmp_path, match):
    with open_store(tmp_path) as store:
        store.add(match, [said(1)])
    engine = _engine(tmp_path / DATABASE)
    copy = bring_up_to_date(engine, tmp_path / DATABASE, FURTHER)
    with engine.connect() as connection:
        assert connection.execute(text("SELECT id, place FROM matches")).one() == (match.id, "home")
    assert bring_up_to_date(engine, tmp_path / DATABASE, FURTHER) is None
    with pytest.raises(NewerError):
        bring_up_to_date(engine, tmp_path / DATABASE)
    engine.dispose()
    old = sqlite3.connect(copy)
    assert old.execute("SELECT count(*) FROM inputs").fetchone() == (1,)
    assert old.execute("PRAGMA user_version").fetchone() == (len(STEPS),)
    old.close()


def test_a_migration_that_fails_changes_nothing(tmp_path, match):
    with open_store(tmp_path) as store:
        store.add(match, [said(1)])
    engine = _engine(tmp_path / DATABASE)
    with pytest.raises(Exception, match="no such table"):
        bring_up_to_date(engine, tmp_path / DATABASE, (*FURTHER, ("ALTER TABLE nowhere ADD COLUMN x",)))
    engine.dispose()
    with open_store(tmp_path) as store:
        assert kept(store, match) == [said(1)]


def test_the_steps_make_the_tables_that_are_used(store):
    with store._engine.connect() as connection:
        for name, table in TABLES.tables.items():
            rows = connection.execute(text(f"PRAGMA table_info({name})")).all()
            assert [row.name for row in rows] == [column.name for column in table.columns]
    assert set(TABLES.tables) == {schema.MATCHES.name, schema.INPUTS.name}
