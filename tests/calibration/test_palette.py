import json
from datetime import date

import numpy as np
import pytest

from calibration.palette import Palette, palette_from_json

RED, ORANGE, PINK = (-1.9, 1.1, -1.0), (-1.6, 1.1, -0.7), (-0.9, 0.5, -0.5)
TAUGHT = Palette(date(2025, 11, 1), (("red", RED), ("orange", ORANGE), ("pink", PINK)))


def test_json_and_back():
    assert palette_from_json(json.loads(json.dumps(TAUGHT.to_json()))) == TAUGHT


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ([], "an object"),
        ({"made_on": "2025-11-01", "looks": {}}, "an object"),
        ({"made_on": "yesterday", "looks": {"red": [0, 0, 0]}}, "a day such as"),
        ({"made_on": "2025-11-01", "looks": {"red": [0, 0]}}, "three numbers"),
        ({"made_on": "2025-11-01", "looks": {"red": [0, 0, "x"]}}, "three numbers"),
        ({"made_on": "2025-11-01", "looks": {"red": [0, 0, float("nan")]}}, "three numbers"),
        ({"made_on": "2025-11-01", "looks": {"red": [0, 0, True]}}, "three numbers"),
    ],
)
def test_what_is_no_palette_is_told(value, words):
    with pytest.raises(ValueError, match=words):
        palette_from_json(value)


def test_a_look_fits_its_own_colour_best_and_less_with_distance():
    seen = np.array([RED, PINK, (-1.8, 1.0, -0.9)])
    told = TAUGHT.log_likelihoods(seen, ["red", "orange", "pink"])
    assert told.argmax(axis=1).tolist() == [0, 2, 0]
    assert told[0, 0] == 0
    assert told[2, 0] < told[0, 0]


def test_an_untaught_colour_beats_taught_ones_only_where_these_do_not_fit():
    colours = ["red", "orange", "pink", "blue"]
    on_red, on_blue = TAUGHT.log_likelihoods(np.array([RED, (-1.6, -0.7, -0.4)]), colours)
    assert colours[int(on_red.argmax())] == "red"
    assert colours[int(on_blue.argmax())] == "blue"


def test_a_shadow_does_not_count_without_bound():
    dark = TAUGHT.log_likelihoods(np.array([-6.0, 1.1, -1.0]), ["red"])
    assert -20 < dark[0] < -5


def test_colours_that_look_alike_are_named():
    assert TAUGHT.alike() == (("red", "orange"),)
