"""A desk with photos: what is read and judged in which order, what is said at each, and that nothing stays behind."""

from __future__ import annotations

import io
import os
from pathlib import Path

import pytest
from PIL import Image

from engine.table import Pyramid
from webui import desk as room
from webui.correcting import Correction
from webui.desk import Desk, sweep
from webui.gamefile import game_file_from_json
from webui.look import Look
from webui.present import kind_of
from webui.review_view import next_moves, record_text, report_html, rulings_json
from webui.samples import sample_of

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")
TOO_FAR = START.replace("f2", "f4")
SETUP = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}


@pytest.fixture
def desk(look_of, monkeypatch):
    """A desk without a thread; each file's content is the table that its photo shows, or why it cannot be read."""
    monkeypatch.setattr(Desk, "_work", lambda self: None)
    looked = []

    def eyes(photo, game_file):
        looked.append(photo.name)
        said = photo.path.read_text()
        if said == "fault":
            raise RuntimeError("boom")
        return look_of(photo.name, said) if ":" in said else Look(photo.name, error=f"{photo.name} {said}")

    desk = Desk(eyes)
    desk.looked = looked
    yield desk
    desk.close()


def put(desk, *files, setup=SETUP):
    desk.add((name, io.BytesIO(content.encode())) for name, content in files)
    if setup is not None:
        desk.play(game_file_from_json(setup))
    desk.catch_up()
    return desk.sheet()


def kinds(sheet):
    return {ruled.photo: kind_of(ruled.last) for ruled in sheet.ruled}


def test_photos_are_read_and_judged_in_the_order_of_their_names(desk):
    sheet = put(desk, ("img10.jpg", TOO_FAR.replace("b2", "b4")), ("img2.jpg", MOVED), ("img1.jpg", START))
    assert sheet.names == ("img1.jpg", "img2.jpg", "img10.jpg")
    assert kinds(sheet) == {"img1.jpg": "start", "img2.jpg": "legal", "img10.jpg": "illegal"}
    assert sheet.is_done


def test_without_a_game_photos_are_read_and_wait(desk):
    sheet = put(desk, ("1.jpg", START), setup=None)
    assert (sheet.count_read, sheet.ruled) == (1, ())
    desk.play(game_file_from_json(SETUP))
    desk.catch_up()
    assert kinds(desk.sheet()) == {"1.jpg": "start"}
    assert desk.looked == ["1.jpg"]


def test_another_order_is_judged_anew_and_not_read_anew(desk):
    put(desk, ("1.jpg", START), ("2.jpg", TOO_FAR), ("3.jpg", MOVED))
    desk.move("3.jpg", -1)
    desk.catch_up()
    sheet = desk.sheet()
    assert sheet.names == ("1.jpg", "3.jpg", "2.jpg")
    assert kinds(sheet)["3.jpg"] == "legal"
    desk.sort()
    desk.catch_up()
    assert kinds(desk.sheet())["2.jpg"] == "illegal"
    assert desk.looked == ["1.jpg", "2.jpg", "3.jpg"]


def test_a_photo_that_comes_later_goes_to_its_place(desk):
    put(desk, ("1.jpg", START), ("3.jpg", MOVED))
    sheet = put(desk, ("2.jpg", TOO_FAR), setup=None)
    assert sheet.names == ("1.jpg", "2.jpg", "3.jpg")
    assert kinds(sheet)["2.jpg"] == "illegal"
    desk.move("1.jpg", 5)
    assert put(desk, ("0.jpg", START), setup=None).names == ("2.jpg", "3.jpg", "1.jpg", "0.jpg")


def test_a_removed_photo_is_gone_from_rulings_and_disk(desk):
    path = put(desk, ("1.jpg", START), ("2.jpg", TOO_FAR), ("3.jpg", MOVED)).photos[1].path
    desk.remove("2.jpg")
    desk.catch_up()
    assert kinds(desk.sheet()) == {"1.jpg": "start", "3.jpg": "legal"}
    assert not path.exists()


def test_another_photo_of_a_removed_ones_name_is_looked_at_anew(desk):
    put(desk, ("1.jpg", START), ("2.jpg", TOO_FAR))
    desk.answer("2.jpg", {"agree": True})
    desk.catch_up()
    desk.remove("2.jpg")
    sheet = put(desk, ("2.jpg", MOVED), setup=None)
    assert [[kind_of(event) for event in ruled.events] for ruled in sheet.ruled] == [["start"], ["legal"]]


@pytest.mark.parametrize("meanwhile", ["answered", "moved", "removed"])
def test_what_is_said_while_a_photo_is_judged_is_not_lost(desk, monkeypatch, meanwhile):
    says = {
        "answered": lambda: desk.answer("2.jpg", {"agree": True}),
        "moved": lambda: desk.move("2.jpg", 1),
        "removed": lambda: desk.remove("2.jpg"),
    }
    judge, asked = room._events, [says[meanwhile]]

    def judging(review, seen, answers):
        if seen.photo == "2.jpg" and asked:
            asked.pop()()
        return judge(review, seen, answers)

    monkeypatch.setattr(room, "_events", judging)
    sheet = put(desk, ("1.jpg", START), ("2.jpg", TOO_FAR), ("3.jpg", MOVED))
    assert sheet.is_done
    expected = {
        "answered": [["start"], ["illegal", "agreed"], ["illegal"]],
        "moved": [["start"], ["legal"], ["illegal"]],
        "removed": [["start"], ["legal"]],
    }
    told = [[kind_of(event) for event in ruled.events] for ruled in sheet.ruled]
    assert told[:2] == expected[meanwhile][:2]
    assert len(told) == len(expected[meanwhile])


def test_one_bad_photo_spoils_nothing(desk):
    sheet = put(desk, ("1.jpg", START), ("2.jpg", "is empty."), ("3.jpg", "fault"), ("4.jpg", MOVED))
    assert kinds(sheet) == {"1.jpg": "start", "2.jpg": "error", "3.jpg": "error", "4.jpg": "legal"}
    assert sheet.ruled[1].last.error == "2.jpg is empty."
    assert "The umpire failed on this photo (RuntimeError)" in sheet.ruled[2].last.error


def test_a_first_photo_in_mid_game_is_no_fault(desk):
    sheet = put(desk, ("1.jpg", "f2 black: large yellow; c5 white: large green"))
    assert kinds(sheet) == {"1.jpg": "start"}


def test_answers_are_kept_with_their_photo_and_can_be_taken_back(desk):
    put(desk, ("1.jpg", START), ("2.jpg", TOO_FAR), ("3.jpg", TOO_FAR.replace("c5", "c6")))
    desk.answer("2.jpg", {"agree": True})
    desk.catch_up()
    agreed = desk.sheet().ruled
    assert [kind_of(event) for event in agreed[1].events] == ["illegal", "agreed"]
    assert kind_of(agreed[2].last) == "legal"
    desk.take_back("2.jpg")
    desk.catch_up()
    assert [kind_of(event) for event in desk.sheet().ruled[1].events] == ["illegal"]


def test_a_correction_judges_its_photo_and_those_after_it_anew(desk):
    put(desk, ("1.jpg", START), ("2.jpg", TOO_FAR), ("3.jpg", MOVED))
    f4 = next(stack for stack in desk.sheet().ruled[1].scene.stacks if stack.zone == "f4")
    where = (f4.sheet, f4.pose.x_mm, f4.pose.y_mm)
    desk.answer("2.jpg", {"correct": Correction(*where, zone="f4").to_json()})
    back = Correction("board-sw", 39.6 * 5.5 + 37, 39.6 * 1.5 + 37, (Pyramid.parse("large yellow"),), None, None, "f2")
    desk.answer("2.jpg", {"correct": back.to_json() | {"stand": "black"}})
    desk.catch_up()
    sheet = desk.sheet()
    assert [kind_of(event) for event in sheet.ruled[1].events] == ["corrected"]
    assert kinds(sheet)["3.jpg"] == "legal"


def test_what_is_taken_home(desk):
    sheet = put(
        desk, ("1.jpg", START), ("2.jpg", MOVED), ("3.jpg", TOO_FAR.replace("b2", "b4")), ("4.jpg", "is empty.")
    )
    assert record_text(sheet, desk.pictures.get).splitlines()[:5] == [
        "Martian Mids",
        "players: Ann, Bob",
        "",
        "1.jpg  start: This is where the game starts from.",
        "2.jpg  move b2-b4",
    ]
    assert '"ruling": "legal"' in rulings_json(sheet, desk.pictures.get)
    report = report_html(sheet, desk.pictures.get)
    assert report.count("data:image/jpeg;base64,") == 3
    assert "Ann moves b2-b4." in report
    assert "4.jpg is empty." in report


def test_of_a_single_photo_it_is_told_what_may_be_done_next(desk):
    moves = next_moves(put(desk, ("1.jpg", START)).ruled[0].last)
    assert "Ann moves b2-b4" in moves
    assert "Ann moves f2-f4" not in moves


def test_an_impossible_game_is_refused_in_words_and_the_one_before_stays(desk):
    put(desk, ("1.jpg", START))
    desk.play(game_file_from_json({"game": "chess", "players": [{"name": "Ann"}]}))
    desk.catch_up()
    assert "chess" in desk.sheet().notes[0]
    assert kinds(desk.sheet()) == {"1.jpg": "start"}


def test_another_lens_reads_the_photos_anew(desk):
    put(desk, ("1.jpg", START))
    lens = {"matrix": [[1000, 0, 640], [0, 1000, 480], [0, 0, 1]]}
    desk.play(game_file_from_json(SETUP | {"camera": lens}))
    desk.catch_up()
    assert desk.looked == ["1.jpg", "1.jpg"]


def test_a_full_disk_is_told(desk, monkeypatch):
    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(room, "taken", full)
    assert put(desk, ("1.jpg", START)).notes == (
        "The photos cannot be kept on this computer: No space left on device.",
    )


def test_nothing_stays_when_a_desk_is_cleared(look_of, eventually):
    desk = Desk(lambda photo, _: look_of(photo.name, START))
    desk.add([("1.jpg", io.BytesIO(b"x"))])
    folder = desk.sheet().photos[0].path.parent
    desk.close()
    eventually(lambda: not folder.exists())


def test_what_a_killed_program_left_is_swept_up(tmp_path, monkeypatch):
    monkeypatch.setattr(room.tempfile, "gettempdir", lambda: str(tmp_path))
    for name in ("umpire-review-old", "umpire-review-new", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "photo").write_bytes(b"x")
        if name != "umpire-review-new":
            os.utime(tmp_path / name, (0, 0))
    sweep()
    assert sorted(path.name for path in Path(tmp_path).iterdir()) == ["other", "umpire-review-new"]


def test_pictures_are_found_by_their_keys_only(desk):
    key = put(desk, ("1.jpg", START)).read_of("1.jpg").picture
    assert desk.pictures.get(key)[:2] == b"\xff\xd8"
    assert desk.pictures.get("0" * 64) is None
    assert desk.pictures.get("../" + key) is None


def test_a_photo_that_a_phone_turned_is_read_as_it_was_seen(tmp_path, monkeypatch):
    """Phones store pictures sideways and say so in EXIF: read, drawn and reported upright."""
    sample = sample_of("mids").photos[0]
    with Image.open(sample) as upright:
        turned = upright.transpose(Image.Transpose.ROTATE_90)
        exif = Image.Exif()
        exif[0x0112] = 6
        turned.save(tmp_path / "IMG_1.jpg", exif=exif, quality=92)
    monkeypatch.setattr(Desk, "_work", lambda self: None)
    desk = Desk()
    for path in (sample, tmp_path / "IMG_1.jpg"):
        desk.add([(path.name, io.BytesIO(path.read_bytes()))])
    desk.catch_up()
    straight, back = (desk.sheet().read_of(name) for name in ("00.jpg", "IMG_1.jpg"))
    assert [(stack.zone, stack.pyramids) for stack in straight.scene.stacks] == [
        (stack.zone, stack.pyramids) for stack in back.scene.stacks
    ]
    assert back.sight.size_px == straight.sight.size_px
    desk.close()
