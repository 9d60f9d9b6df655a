"""A match that is kept while it is played: what is taken up again is what was played, and a fault loses nothing."""

from __future__ import annotations

import os
from dataclasses import replace
from datetime import date

import numpy as np
import pytest
from sqlalchemy import text
from story_scenes import stories

from calibration.optics import Lens
from calibration.store import Calibration
from engine.table import Colour, Pyramid, Scene
from webui.correcting import Correction
from webui.gamefile import game_file_from_json
from webui.journal import begun, open_match, undealt
from webui.picture_files import PictureFiles, key_of
from webui.pictures import Pictures
from webui.present import kind_of
from webui.review import NotKeptError, Review
from webui.seen import Seen, seen_of
from webui.store import StoreError, open_store, read_store

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")
TOO_FAR = START.replace("f2", "f4")
UNPROPER = "b2 black: large red, large green; c5 white: large green, small red, small red, small red, small red"
SETUP = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}
F2 = Correction("board-sw", 37 + 39.6 * 5.5, 37 + 39.6 * 1.5, (Pyramid.parse("large blue"),), None, Colour.BLACK, "f2")


class Table:
    """A match at a table, with a store; photos by number."""

    def __init__(self, store, look_of, pictures=None, **more):
        self._look_of, self.pictures, self.photo = look_of, pictures, 0
        game_file = game_file_from_json(SETUP)
        self.journal = begun(store, game_file, is_new=more.get("is_new", False), pictures=pictures)
        self.review = Review(self.journal.game_file, at_table=True, keep=self.journal.keep, **more)

    def sees(self, *tables):
        for table in tables:
            look = self._look_of(f"{self.photo:02}.jpg", table)
            keys = (None, None)
            if self.pictures is not None:
                image = np.full((48, 64, 3), self.photo, np.uint8)
                keys = (self.pictures.keep(image, 64, 86), self.pictures.keep(image, 32, 80))
            event = self.review.see(seen_of(look, *keys))
            self.photo += 1
        return event


@pytest.fixture
def store(tmp_path):
    with open_store(tmp_path / "matches") as opened:
        yield opened


@pytest.fixture
def table(store, look_of):
    return Table(store, look_of)


def again(store, table, **more):
    return open_match(store, table.journal.match.id, **more)


def same_game(resumed, review):
    assert resumed.notes == ()
    assert resumed.review.events == review.events
    assert resumed.review.state_for(None) == review.state_for(None)


def same(resumed, review):
    same_game(resumed, review)
    assert resumed.review.scene == review.scene


def test_a_match_is_taken_up_again_as_it_stood(store, table):
    table.sees(START, MOVED, TOO_FAR.replace("b2", "b4"))
    table.review.agree()
    table.review.undo()
    told = []
    resumed = again(store, table, progress=lambda done, of: told.append((done, of)))
    same(resumed, table.review)
    assert told == [(n, 5) for n in range(1, 6)]
    assert [kept.kind for kept in store.inputs(table.journal.match.id)] == ["seen", "seen", "seen", "agree", "undo"]


def test_play_goes_on_and_is_kept_in_the_same_match(store, table):
    table.sees(START)
    resumed = again(store, table)
    resumed.review.see(seen_of(table._look_of("01.jpg", MOVED)))
    rows = list(store.inputs(table.journal.match.id))
    assert [(row.number, row.ruling, row.line) for row in rows] == [(1, "start", None), (2, "legal", "move b2-b4")]
    assert rows[1].text == "Ann moves b2-b4."
    assert store.match(table.journal.match.id).updated == rows[1].at


def test_a_start_that_the_players_agreed_to_is_taken_up_again(store, look_of):
    table = Table(store, look_of, is_new=True)
    assert table.sees(UNPROPER).differences
    table.review.agree()
    same(again(store, table), table.review)
    assert [kind_of(event) for event in table.review.events] == ["start"]


def test_a_correction_of_a_table_that_brought_nothing(store, table):
    """It was not kept before the players spoke of it."""
    table.sees(START, START.replace("c5 white", "c5 white"), MOVED, MOVED)
    before = len(list(store.inputs(table.journal.match.id)))
    table.review.correct(F2)
    same(again(store, table), table.review)
    kinds = [kept.kind for kept in store.inputs(table.journal.match.id)]
    assert (before, kinds) == (2, ["seen", "seen", "seen", "correct"])


def test_a_match_is_in_the_list_from_its_first_input_on(store, table):
    assert store.matches() == ()
    table.sees(START)
    (match,) = store.matches()
    assert (match.title, match.players, match.inputs, match.is_over) == ("Martian Mids", ("Ann", "Bob"), 1, False)


def test_the_end_of_a_match_is_kept_and_undone(store, table):
    table.sees("b2 black: large red, large green; c5 white: large green")
    table.sees("b2 black: large red, large green")
    over = [store.match(table.journal.match.id).is_over]  # it is not clear what became of White
    for said in (table.review.agree, table.review.undo):
        said()
        over.append(store.match(table.journal.match.id).is_over)
    assert over == [False, True, False]


@pytest.mark.parametrize("told", stories(), ids=lambda told: told.name)
def test_a_photographed_match_of_each_game_is_taken_up_again(store, told):
    """As it was read from photos, each table looked at twice; what is dealt is dealt once."""
    rng = np.random.default_rng(0)
    setup = {name: value for name, value in told.game.items() if name not in ("camera", "salts")}
    journal = begun(store, game_file_from_json(setup))
    review = Review(journal.game_file, at_table=True, keep=journal.keep)
    for photo in told.photos[:5]:
        for _ in range(2 if photo.scene else 0):
            review.see(Seen(photo.name, told.layout, nudged(rng, photo.scene)))
    assert len(review.events) > 3
    (match,) = store.matches()
    same_game(open_match(store, match.id), review)  # a last look that brought nothing was not kept


def nudged(rng, scene):
    moved = [replace(one.pose, x_mm=one.pose.x_mm + float(rng.normal(0, 0.3))) for one in scene.stacks]
    return Scene.of(
        [replace(one, pose=pose) for one, pose in zip(scene.stacks, moved, strict=True)], scene.empty_stands
    )


def test_what_the_umpire_deals_is_kept_and_dealt_anew_for_the_next_match(store):
    wizards = {"game": "ziggurat", "players": [{"name": "Ann"}, {"name": "Bob"}], "deck": True}
    first = begun(store, game_file_from_json(wizards)).game_file
    second = begun(store, first).game_file
    seeds = {each.setup["deck"]["seed"] for each in (first, second)}
    assert len(seeds) == 2
    assert undealt(second).setup == wizards
    assert undealt(game_file_from_json(wizards)).setup == wizards


def test_the_lens_that_was_chosen_for_a_match_is_kept_with_it(store):
    lens = Calibration("desk", Lens(900.0, (480, 360), (0.0, 0.0, 0.0, 0.0), (960, 720)), date(2026, 11, 30), 1.0, 0.4)
    journal = begun(store, replace(game_file_from_json(SETUP), camera=lens))
    assert journal.match.setup == SETUP | {"camera": "desk"}


# Faults.


def test_what_cannot_be_kept_has_not_happened(store, table, monkeypatch):
    table.sees(START)
    monkeypatch.setattr(store, "add", failing)
    with pytest.raises(NotKeptError, match="The disk is full"):
        table.sees(MOVED)
    assert len(table.review.events) == 1
    monkeypatch.undo()
    table.sees(MOVED)
    same(again(store, table), table.review)


def failing(match, inputs):
    raise StoreError("The disk is full.")


def test_what_was_refused_but_reached_the_disk_is_not_there_twice(store, table, monkeypatch):
    table.sees(START)
    add = store.add

    def unsure(match, inputs):
        add(match, inputs)
        raise StoreError("The disk was pulled out just after.")

    monkeypatch.setattr(store, "add", unsure)
    with pytest.raises(NotKeptError):
        table.sees(MOVED)
    monkeypatch.undo()
    table.sees(TOO_FAR)
    rows = list(store.inputs(table.journal.match.id))
    assert [(row.number, row.ruling) for row in rows] == [(1, "start"), (2, "illegal")]
    same(again(store, table), table.review)


def test_a_match_that_goes_on_at_another_table_loses_nothing(store, table):
    """What one of the tables says is refused, again and again; it never takes away what the other one kept."""
    table.sees(START)
    second = again(store, table).review
    table.sees(MOVED)
    for _ in range(2):
        with pytest.raises(NotKeptError, match="went on elsewhere"):
            second.see(seen_of(table._look_of("01.jpg", TOO_FAR)))
    same(again(store, table), table.review)


def test_a_journal_that_was_closed_keeps_nothing_more(store, table):
    table.sees(START)
    table.journal.is_closed = True
    with pytest.raises(NotKeptError, match="goes on at another table"):
        table.sees(MOVED)
    table.journal.is_closed = False
    table.sees(MOVED)
    same(again(store, table), table.review)


def test_a_picture_is_on_disk_before_its_event(store, look_of, monkeypatch):
    pictures = Pictures(store.pictures)
    table = Table(store, look_of, pictures)
    event = table.sees(START)
    assert store.pictures.read(event.picture) == pictures.get(event.picture)
    assert store.pictures.read(event.thumb) is not None
    table.sees(START)
    assert len(list(store.folder.rglob("*.jpg"))) == 2, "a table that brings nothing costs no room"

    def full(jpeg):
        raise OSError(28, os.strerror(28))

    monkeypatch.setattr(store.pictures, "write", full)
    with pytest.raises(NotKeptError, match="The disk is full"):
        table.sees(MOVED)
    assert len(list(store.inputs(table.journal.match.id))) == 1


def test_rulings_of_another_version_are_told_and_stay(store, table):
    table.sees(START, MOVED)
    match_id = table.journal.match.id
    with store._engine.begin() as connection:
        change = "UPDATE inputs SET ruling = 'illegal', line = 'move b2-b5' WHERE number = 2"
        connection.execute(text(change))
        connection.execute(text("UPDATE matches SET program = '0.0.9'"))
    notes = open_match(store, match_id).notes
    assert "judged by version 0.0.9" in notes[0]
    assert notes[1] == "Input 2 (seen) was 'illegal' (move b2-b5); now it is 'legal' (move b2-b4)."
    assert "nothing is lost" in notes[-1]
    assert list(store.inputs(match_id))[1].line == "move b2-b5"


@pytest.mark.parametrize(
    ("said", "words"), [('{"seen": {}}', "not taken"), ('{"declare": {"roll": [9]}, "by": "Ann"}', "not taken")]
)
def test_an_input_that_is_not_taken_any_more_is_told(store, table, said, words):
    table.sees(START, MOVED)
    with store._engine.begin() as connection:
        connection.execute(text("UPDATE inputs SET said = :said WHERE number = 2"), {"said": said})
    resumed = again(store, table)
    assert words in resumed.notes[1]
    assert len(resumed.review.events) == 1


def test_a_fault_of_ours_in_one_input_is_told(store, table, monkeypatch):
    table.sees(START, MOVED)
    take = Review.take

    def stumbling(review, said):
        if said["seen"]["photo"] == "01.jpg":
            raise ZeroDivisionError
        return take(review, said)

    monkeypatch.setattr(Review, "take", stumbling)
    assert "the umpire fails on it (ZeroDivisionError)" in again(store, table).notes[1]


def test_a_lens_that_this_machine_does_not_know_is_no_hindrance(store, look_of, monkeypatch):
    monkeypatch.setitem(SETUP, "camera", {"matrix": [[900, 0, 480], [0, 900, 360], [0, 0, 1]]})
    table = Table(store, look_of)
    table.sees(START, MOVED)
    with store._engine.begin() as connection:
        connection.execute(text("UPDATE matches SET setup = json_set(setup, '$.camera', 'nowhere')"))
    resumed = again(store, table)
    assert "No camera called 'nowhere'" in resumed.notes[0]
    assert len(resumed.review.events) == 2


def test_a_match_can_be_looked_at_while_it_is_played(store, table):
    table.sees(START, MOVED)
    with read_store(store.folder) as reader:
        same(again(reader, table), table.review)


# Pictures.


def test_memory_for_pictures_has_a_bound(tmp_path):
    pictures = Pictures(PictureFiles(tmp_path), most_bytes=20_000)
    rng = np.random.default_rng(0)
    keys = [pictures.keep(rng.integers(0, 255, (48, 64, 3), np.uint8), 64, 86) for _ in range(50)]
    assert pictures._bytes == sum(map(len, pictures._jpegs.values())) <= 20_000
    assert all(key_of(pictures.get(key)) == key for key in keys)
    assert pictures._bytes == sum(map(len, pictures._jpegs.values())) <= 20_000


def test_without_files_all_pictures_stay_in_memory():
    pictures = Pictures(most_bytes=1)
    keys = [pictures.keep(np.full((48, 64, 3), n, np.uint8), 64, 86) for n in range(0, 250, 50)]
    assert all(pictures.get(key) for key in keys)
    pictures.settle(*keys)
    pictures.drop(*keys)
    assert not any(pictures.get(key) for key in keys)
    assert pictures._bytes == 0
