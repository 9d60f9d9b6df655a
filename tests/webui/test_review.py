"""A photographed game, photo by photo: what is judged, what is kept, what is only said."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from webui import cli
from webui.gamefile import GameFileError, game_file_from_json
from webui.look import Look
from webui.present import ruling_json
from webui.review import Review
from webui.seen import seen_of

START = "b2 black: large red, large green; f2 black: large yellow; c5 white: large green, small red"
MOVED = START.replace("b2", "b4")
TOO_FAR = START.replace("f2", "f4")
ON_B3 = "; b3 > 90: small blue"
SETUP = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}


@pytest.fixture
def judged(look_of):
    """The events of a game: tables in the test's text, or whole looks."""

    def made(*tables, **fields):
        review = Review(game_file_from_json(SETUP | fields))
        looks = [
            table if isinstance(table, Look) else look_of(f"{number:02}.jpg", table)
            for number, table in enumerate(tables)
        ]
        return review, [review.see(seen_of(seen)) for seen in looks]

    return made


def words(events):
    return [ruling_json(event).get("ruling", "error") for event in events]


def test_a_move_is_allowed_and_said_with_its_player(judged):
    _, events = judged(START, MOVED)
    said = ruling_json(events[1])
    assert list(said) == ["photo", "ruling", "move", "rules", "text", "questions", "warnings"]
    assert (said["ruling"], said["move"], said["text"]) == ("legal", "move b2-b4", "Ann moves b2-b4.")


def test_a_move_too_far_names_its_rule(judged):
    _, events = judged(START, TOO_FAR)
    said = ruling_json(events[1])
    assert said["ruling"] == "illegal"
    assert [rule["id"] for rule in said["rules"]] == ["move-distance"]
    assert set(said["rules"][0]) == {"id", "text", "source"}
    assert "Ann moves f2-f4: a Mid of one pyramid moves at most one square" in said["text"]


def test_after_a_fault_the_table_is_shown_and_the_turn_is_kept(judged):
    _, events = judged(START, TOO_FAR)
    assert str(events[1].table.mids_of("Ann")[1]) == "f4"
    assert events[1].state.awaited == ("Ann",)


def test_taking_back_and_playing_on(judged):
    _, events = judged(START, TOO_FAR, START, MOVED)
    assert words(events) == ["none", "illegal", "none", "legal"]


def test_we_play_it_so(judged):
    review, _ = judged(START, TOO_FAR)
    event = review.agree()
    assert event.is_agreed
    assert event.state.awaited == ("Bob",)
    assert any("Waived this once: a Mid of one pyramid" in warning for warning in event.warnings)
    assert review.agree() is None


def test_a_doubt_may_be_played_so_too(judged):
    review, events = judged(START + ON_B3, START.replace("b2", "b3") + ON_B3)
    assert words(events) == ["none", "unclear"]
    event = review.agree()
    assert event.is_agreed
    assert event.warnings == ()


def test_the_page_knows_who_is_to_choose_while_nothing_can_be_ruled_on(judged):
    before = "c3 black: large green; h1 black: small red; d3 white: large red, small red, small red"
    half = before.replace("large red, small red, small red", "large red, small red") + "; d4 white: small red"
    _, events = judged(
        before.replace("large green;", "large green, large green;"),
        half.replace("large green;", "large green, large green;"),
    )
    assert words(events)[1:] == ["none"]
    assert events[1].state.owed
    assert "Ann to choose" in events[1].game.turn(events[1].state).headline


def test_there_is_nothing_to_agree_to_before_a_fault(judged):
    review, _ = judged(START, MOVED)
    assert review.agree() is None
    assert review.choose(0) is None


def test_an_unclear_line_can_be_chosen(judged):
    review, events = judged(START + ON_B3, START.replace("b2", "b3") + ON_B3)
    assert words(events) == ["none", "unclear"]
    assert review.choose(len(events[1].ruling.lines)) is None
    chosen = review.choose(0)
    assert chosen.is_agreed
    assert chosen.state.awaited == ("Bob",)
    assert [str(square) for square in chosen.state.mids_of("Ann")] == ["b4", "f2"]


def test_choosing_a_line_that_breaks_rules_is_a_fault(judged):
    on_b5 = ON_B3.replace("b3", "b5")
    review, events = judged(START + on_b5, START.replace("b2", "b5") + on_b5)
    assert words(events) == ["none", "unclear"]
    assert [violation.rule.id for violation in review.choose(0).ruling.violations] == ["move-distance"]


def test_a_hand_and_a_bad_photo_keep_the_state(judged, look_of):
    hand = look_of("01.jpg", "", hand_in_view=True)
    bad = Look("02.jpg", error="Too dark.")
    _, events = judged(START, hand, bad, MOVED)
    assert words(events) == ["none", "none", "error", "legal"]
    assert "hand" in ruling_json(events[1])["text"]
    assert ruling_json(events[2]) == {"photo": "02.jpg", "error": "Too dark."}
    assert events[2].table == events[0].table


def test_the_starts_warnings_come_with_the_first_ruling(judged):
    _, events = judged(START, MOVED, MOVED)
    assert any("30" in warning for warning in ruling_json(events[1])["warnings"])
    assert not any("30" in warning for warning in ruling_json(events[2])["warnings"])


def test_the_game_starts_from_the_first_photo_that_can_be_read(judged):
    _, events = judged(Look("00.jpg", error="Too dark."), START, MOVED)
    assert words(events) == ["error", "none", "legal"]
    assert events[1].is_start


def test_another_games_mats_are_refused(judged, look_of):
    _, events = judged(START, look_of("01.jpg", "", layout="silos-2p"), MOVED)
    assert words(events) == ["none", "error", "legal"]
    assert "silos-2p" in events[1].error


def test_an_odd_declaration_is_left_aside_and_said(judged):
    _, events = judged(START, MOVED, declared={"01.jpg": {"initiative": ["Nobody"]}})
    assert words(events) == ["none", "legal"]
    assert any("left aside" in warning for warning in events[1].warnings)


@pytest.mark.parametrize(
    ("fields", "named"),
    [
        ({"game": "chess"}, "game: expected martian-mids.*not 'chess'"),
        ({"players": [{"name": "Ann", "stand": "mauve"}]}, "stand"),
        ({"initiative": ["Carl"]}, "initiative"),
    ],
)
def test_a_setup_that_makes_no_sense_is_refused(fields, named):
    with pytest.raises(GameFileError, match=named):
        Review(game_file_from_json(SETUP | fields))


def test_review_prints_a_line_for_each_photo_after_the_first(monkeypatch, look_of, game_folder):
    tables = {"00.jpg": START, "01.jpg": MOVED, "03.jpg": MOVED}

    def seen(path, **_):
        if path.name not in tables:
            return Look(path.name, error="Too dark.")
        return look_of(path.name, tables[path.name])

    monkeypatch.setattr(cli, "look", seen)
    folder = game_folder(("00.jpg", "01.jpg", "02.jpg", "03.jpg"), **SETUP)
    result = CliRunner().invoke(cli.main, ["review", "--json", str(folder)])
    said = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["photo"] for line in said] == ["01.jpg", "02.jpg", "03.jpg"]
    assert [line.get("ruling") for line in said] == ["legal", None, "none"]
    assert result.exit_code == 3
    people = CliRunner().invoke(cli.main, ["review", str(folder)])
    assert "01.jpg: Allowed. Ann moves b2-b4." in people.stdout
    assert "02.jpg: Not readable. Too dark." in people.stdout
