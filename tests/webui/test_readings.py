"""The contract of `umpire read --json`, and the same reading in words."""

from __future__ import annotations

import json

from engine.table import Pyramid, Scene
from webui.readings import reading_json, reading_words


def test_a_reading_has_the_fields_that_scripts_rely_on(observation_of):
    said = reading_json("p.jpg", observation_of("b2 black: large red; d4 > 90: small blue", warnings=("Dim light.",)))
    assert list(said) == ["photo", "layout", "hand_in_view", "sheets", "stacks", "empty_stands", "warnings"]
    assert said["sheets"] == [{"sheet": "board-sw", "error_mm": 0.31, "missing_markers": [7]}]
    assert said["empty_stands"] == [{"sheet": "board-ne", "zone": "g7", "owner": "white"}]
    assert said["warnings"] == ["A marker is covered.", "Dim light."]
    json.dumps(said, allow_nan=False)


def test_a_missile_lies_and_a_mid_stands(observation_of):
    mid, missile = reading_json("p.jpg", observation_of("b2 black: large red; d4 > 90: small blue"))["stacks"]
    assert (mid["pose"], mid["heading_deg"], mid["stand"]) == ("upright", None, "black")
    assert (missile["pose"], missile["heading_deg"], missile["stand"]) == ("lying", 90.0, None)
    assert missile["pyramids"] == [{"colour": "blue", "size": "small", "confidence": 1.0}]


def test_doubt_is_carried(observation_of, doubtful_stack):
    seen = observation_of("")
    seen.scene = Scene.of([doubtful_stack])
    (stack,) = reading_json("p.jpg", seen)["stacks"]
    assert stack["confidence"] == 0.7
    assert [p["confidence"] for p in stack["pyramids"]] == [0.9, 0.7]
    assert [a["probability"] for a in stack["alternatives"]] == [0.7, 0.2, 0.1]
    assert stack["alternatives"][0]["pyramids"] == [
        {"colour": "red", "size": "large"},
        {"colour": "red", "size": "small"},
    ]
    assert stack["alternatives"][2]["heading_deg"] == 40.0


def test_a_stack_without_doubt_lists_itself(observation_of):
    (stack,) = reading_json("p.jpg", observation_of("b2 black: large red"))["stacks"]
    assert [a["probability"] for a in stack["alternatives"]] == [1.0]


def test_words_name_place_pieces_and_owner(observation_of):
    words = reading_words("p.jpg", observation_of("b2 black: large red, small blue; d4 > 90: small green"))
    assert "p.jpg: board, 2 stacks" in words
    assert "large red under small blue, on a black stand" in words
    assert "small green, lying, tip towards 90 degrees" in words
    assert "an empty white stand" in words


def test_what_shows_through_a_nest_is_told_on_request_only(observation_of):
    seen = observation_of("b2 black: large clear; c3 white: large red")
    clear = next(stack for stack in seen.scene.stacks if stack.zone == "b2")
    seen.inner = {clear.pose: (Pyramid.parse("medium blue"), Pyramid.parse("small green"))}
    assert "inner" not in json.dumps(reading_json("p.jpg", seen))
    assert "blue" not in reading_words("p.jpg", seen)
    told = {stack["zone"]: stack["inner"] for stack in reading_json("p.jpg", seen, inner=True)["stacks"]}
    assert told == {
        "b2": [{"colour": "blue", "size": "medium"}, {"colour": "green", "size": "small"}],
        "c3": [],
    }
    assert "large clear, on a black stand (100%), over medium blue over small green" in reading_words(
        "p.jpg", seen, inner=True
    )
