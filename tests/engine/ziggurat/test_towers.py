"""Every tower that can come about, and every damage: what stays, and the size of the change that comes back."""

from collections import Counter
from itertools import pairwise

import pytest

from engine.games.ziggurat import REACHABLE, colour_of, damaged, in_words, pips_of, tower_words
from engine.games.ziggurat.towers import STARTING, piece, starting_towers, stash, tower, tower_text
from engine.table import Colour, Size

TABLE = """
LMS 1 LM
LMS 2 L+S
LMS 3 L
LM  1 L+S
LM  2 L
LM  3 M
LS  1 L
LS  2 M
LS  3 S
L   1 M
L   2 S
L   3 -
M   1 S
M   2 -
M   3 -
S   1 -
S   2 -
S   3 -
-   1 -
-   2 -
-   3 -
"""
CHANGED = {("LMS", 2), ("LM", 1), ("LM", 3), ("LS", 2), ("LS", 3), ("L", 1), ("L", 2), ("M", 1)}
ROWS = [(row.split()[0], int(row.split()[1]), row.split()[2]) for row in TABLE.split("\n") if row]
SIZES = {"S": 1, "M": 2, "L": 3}


def of(letters):
    return tuple(piece(f"r{SIZES[letter]}") for letter in letters if letter in SIZES)


def letters(pieces):
    return "".join("SML"[one.size - 1] for one in pieces) or "-"


@pytest.mark.parametrize(("before", "pips", "after"), ROWS)
def test_damage(before, pips, after):
    left, removed, size = damaged(of(before), pips)
    change = letters([piece(f"g{int(size)}")]) if size else ""
    assert letters(left).strip("-") + change == after.replace("+", "").strip("-")
    assert bool(size) == ((before, pips) in CHANGED)
    assert left + removed[::-1] == of(before)
    assert pips_of(of(before)) - pips_of(left) - (size or 0) == min(pips, pips_of(of(before)))


def test_the_table_has_every_tower_that_can_come_about_and_every_damage():
    assert {(before, pips) for before, pips, _ in ROWS} == {
        (letters(of_sizes(sizes)), pips) for sizes in REACHABLE for pips in (1, 2, 3)
    }


def test_damage_leads_only_to_towers_that_are_in_the_table():
    met, waiting = set(), [(Size.LARGE, Size.MEDIUM, Size.SMALL)]
    while waiting:
        sizes = waiting.pop()
        if sizes in met:
            continue
        met.add(sizes)
        for pips in (1, 2, 3):
            left, _, size = damaged(of_sizes(sizes), pips)
            waiting.append((*(one.size for one in left), *((size,) if size else ())))
    assert met == set(REACHABLE)
    assert all(one > other for sizes in met for one, other in pairwise(sizes))  # so no tower holds two of one size


def of_sizes(sizes):
    return tuple(piece(f"r{int(size)}") for size in sizes)


def test_a_new_game_has_one_tower_of_each_colour_but_green():
    assert [tower_text(one) for one in starting_towers()] == ["r3r2r1", "b3b2b1", "y3y2y1", "k3k2k1"]
    assert [colour_of(one) for one in starting_towers()] == list(STARTING)
    assert stash(3) == Counter({piece(f"{colour}{size}"): 3 for colour in "rbykg" for size in (1, 2, 3)})


def test_the_top_has_the_colour():
    assert colour_of(tower("r3b1")) is Colour.BLUE
    assert colour_of(()) is None
    assert tower_words(tower("r3b1")) == "small blue on large red"


def test_xeno_pyramids_have_their_names():
    words = "a small red, a black, a green, a yellow and a blue one; blackened"
    assert in_words("xeno", words) == "a small orange, a white, a purple, a clear and a blue one; blackened"
    assert in_words("xeno-clear-wild", "green yellow") == "clear purple"
    assert in_words("rainbow", words) == words
