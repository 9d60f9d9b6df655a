"""A running camera's table: what is judged when, with scripted pictures, eyes and times."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from engine.table import Scene
from vision.live import Grabbed
from vision.observe import Observation
from webui.attable import AtTable
from webui.evening import Evening
from webui.gamefile import game_file_from_json
from webui.look import Look
from webui.page import create_app
from webui.present import page_view
from webui.review import Review

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")
BETWEEN = START.replace("b2", "b3")
TOO_FAR = START.replace("f2", "f4")
GAME = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}
EVERY_S = 0.125  # seconds that add up exactly


class Table:
    """A table before a camera that a test moves: each picture is of a shade of its own, and known by it."""

    def __init__(self, observation_of, is_new=False):
        self.now_s, self.number, self.reads, self.ages_s = 0.0, 0, 0, []
        self._observation_of, self._tables, self._odd = observation_of, [], {}
        camera = SimpleNamespace(stop=lambda: None)
        begin = lambda: Review(game_file_from_json(GAME), is_new, at_table=True)  # noqa: E731
        self.live = AtTable(camera, begin, self._eyes, clock=lambda: self.now_s, name_now=lambda: f"{self.now_s:.1f}")

    def shows(self, table, seconds, words="", **more):
        """The table lies like this for so long; None: something new in every picture."""
        for _ in range(round(seconds / EVERY_S)):
            if table is None or (table, more) not in self._tables:
                self._tables.append((table, more))
            place = len(self._tables) - 1 if table is None else self._tables.index((table, more))
            self.now_s += EVERY_S
            self.number += 1
            image = np.full((90, 240, 3), 10, np.uint8)
            image[:, 10 * place : 10 * place + 10] = 200
            self.live.watch(Grabbed(self.number, image, 0.0, words))
            self.live.catch_up()
        return self.live.moment()

    def next_read_is(self, table):
        """One odd read."""
        self._odd[self.reads] = table

    def _eyes(self, frame):
        place = int(np.argmax(frame.image_bgr[0, :, 0])) // 10
        table, more = self._tables[place]
        table = self._odd.get(self.reads, table)
        self.reads += 1
        if table == "no mat":
            return Look(frame.name, error="There is no mat in the picture.", image_bgr=frame.image_bgr)
        made = self._observation_of(table, **more)
        located = SimpleNamespace(layout="board", sheets=(), warnings=())
        return Look(
            frame.name, Observation(located, Scene(made.scene.stacks), made.hand_in_view), None, frame.image_bgr
        )


@pytest.fixture
def table(observation_of):
    return Table(observation_of)


def kinds(moment):
    return [type(event.ruling).__name__ for event in moment.events]


def test_nothing_is_read_before_the_table_is_still(table):
    table.shows(START, 0.7)
    assert table.reads == 0
    assert table.live.moment().busy == "Waiting until the table is still …"
    moment = table.shows(START, 0.4)
    assert table.reads == 2
    assert moment.current.is_start


def test_a_move_is_judged_once_and_what_lay_between_never(table):
    table.shows(START, 2)
    table.shows(None, 1)
    table.shows(BETWEEN, 0.5)
    table.shows(None, 0.3)
    moment = table.shows(MOVED, 5)
    assert kinds(moment) == ["NoneType", "Legal"]
    assert str(moment.current.ruling.line[0]) == "move b2-b4"
    assert table.reads == 4


def test_what_moved_between_the_reads_is_not_judged(table):
    table.shows(START, 2)
    table.shows(BETWEEN, 0.9)  # read once, and then the move goes on
    assert table.reads == 3
    assert kinds(table.shows(MOVED, 2)) == ["NoneType", "Legal"]


def test_fifty_pictures_of_one_table_are_one_position(table):
    moment = table.shows(START, 50 * EVERY_S)
    assert (len(moment.events), table.reads) == (1, 2)


def test_a_moving_hand_is_no_event_and_nothing_is_read(table):
    table.shows(START, 2)
    reads = table.reads
    table.shows(None, 1.5)
    assert table.reads == reads
    assert len(table.shows(START, 2).events) == 1


def test_a_hand_that_rests_is_no_event_but_told(table):
    table.shows(START, 2)
    moment = table.shows(MOVED, 2, hand_in_view=True)
    assert len(moment.events) == 1
    assert moment.busy == "A hand is over the table"
    assert kinds(table.shows(MOVED, 2)) == ["NoneType", "Legal"]


def test_one_odd_read_changes_nothing(table):
    table.shows(START, 2)
    table.next_read_is(TOO_FAR)
    moment = table.shows(MOVED, 3)
    assert kinds(moment) == ["NoneType", "Legal"]
    assert table.reads == 5


def test_a_fault_is_charged_once_and_putting_right_is_told(table):
    table.shows(START, 2)
    table.shows(TOO_FAR, 2)
    table.shows(None, 0.5)
    moment = table.shows(TOO_FAR, 2)
    assert kinds(moment) == ["NoneType", "Illegal"]
    moment = table.shows(START, 2)
    assert moment.current.is_put_right
    assert page_view(moment, str)["verdict"]["headline"] == "Put right"


def test_a_fault_can_be_agreed_to_after_a_hand_passed(table):
    table.shows(START, 2)
    table.shows(TOO_FAR, 2)
    table.shows(None, 0.5)
    table.shows(TOO_FAR, 2)
    table.live.agree()
    assert table.shows(TOO_FAR, 0.1).current.is_agreed


def test_a_picture_without_a_mat_is_told_and_no_event(table):
    moment = table.shows("no mat", 2)
    assert (moment.trouble, moment.events) == ("There is no mat in the picture.", ())
    assert table.live.pictures.get(moment.glimpse) is not None
    assert table.reads == 1
    moment = table.shows(START, 2)
    assert (moment.trouble, len(moment.events)) == ("", 1)


def test_a_camera_in_trouble_is_told_and_recovered_from(table):
    table.shows(START, 2)
    table.live.watch(Grabbed(words="Camera 0 gives no picture."))
    page = create_app(Evening(table.live)).test_client()
    assert "Camera 0 gives no picture." in page.get("/state").json["regions"]["trouble"]
    assert "Camera 0 is slow." in table.shows(START, 2, words="Camera 0 is slow.").trouble
    assert table.shows(START, 0.2).trouble == ""
    assert kinds(table.shows(MOVED, 2)) == ["NoneType", "Legal"]


def test_who_looks_back_is_left_there(table):
    table.shows(START, 2)
    table.shows(MOVED, 2)
    table.live.look_at(0)
    moment = table.shows(MOVED.replace("c5", "c4"), 2)
    assert (len(moment.events), moment.cursor) == (3, 0)
    table.live.resume()
    assert table.live.moment().cursor == 2


def test_a_new_game_needs_a_proper_start_and_says_what_differs(observation_of):
    table = Table(observation_of, is_new=True)
    missile = START + "; b3 > 90: small blue"
    moment = table.shows(missile, 2)
    differences = page_view(moment, str)["verdict"]["differences"]
    assert "Missiles lie on b3; a new game starts without any." in differences
    assert moment.current.state is None
    moment = table.shows(START, 2)
    assert len(moment.events) == 1
    assert all("b3" not in each for each in moment.current.differences)
    table.live.agree()
    assert table.shows(START, 0.1).current.is_start
    assert kinds(table.shows(MOVED, 2))[-1] == "Legal"


def test_starting_again_looks_at_the_table_anew(table):
    table.shows(START, 2)
    table.shows(MOVED, 2)
    table.live.restart()
    moment = table.shows(MOVED, 2)
    assert [event.is_start for event in moment.events] == [True]
