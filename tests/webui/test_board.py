"""The drawing of the board: valid SVG that says nothing by colour alone."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path
from xml.etree import ElementTree

import pytest

from engine.games.martian_mids import parse, play
from engine.table import Colour
from webui import ink
from webui.board import Marked, board_svg, changed_squares
from webui.games.martian_mids import drawing

SVG = "{http://www.w3.org/2000/svg}"


def drawn(pieces, marked=None):
    return ElementTree.fromstring(
        str(board_svg(pieces, marked)).replace("<svg ", '<svg xmlns="http://www.w3.org/2000/svg" ')
    )


def titles(root):
    return [title.text for title in root.iter(f"{SVG}title")]


def letters(root):
    return [text.text for text in root.iter(f"{SVG}text") if text.get("class").startswith("letter")]


def test_every_level_has_its_letter_and_pips(pieces_of):
    root = drawn(pieces_of("b2 black: large red, medium green, small yellow"))
    assert letters(root) == ["R", "G", "Y"]
    assert len([c for c in root.iter(f"{SVG}circle") if c.get("class").startswith("pip")]) == 6
    assert [e.get("class") for e in root.iter(f"{SVG}ellipse")] == ["stand stand-black"]
    assert [t.text for t in root.iter(f"{SVG}text") if t.get("class") == "owner on-black"] == ["K"]


def test_every_colour_has_a_letter_and_a_weave_of_its_own():
    weaves = (Path(ink.__file__).parent / "templates" / "weaves.html").read_text()
    patterns = re.findall(r'<pattern id="weave-(\w+)"[^>]*?(?:/>|>(.*?)</pattern>)', weaves)
    assert {name for name, _ in patterns} == {str(colour) for colour in Colour}
    assert len({look.replace(" dark", "") for _, look in patterns}) == len(Colour)
    assert len(set(ink.LETTERS.values())) == len(Colour)


def test_every_square_can_be_pointed_at_and_says_what_is_there(pieces_of):
    root = drawn(pieces_of("b2 black: large red, small yellow; d4 > 91: small blue"))
    places = [g.get("data-place") for g in root.iter(f"{SVG}g") if g.get("class") == "place"]
    assert len(set(places)) == 64
    assert places[:2] == ["a8", "b8"]
    assert "b2: small yellow on large red on a black stand" in titles(root)
    assert "d4: small blue missile pointing north" in titles(root)
    assert "a1: empty" in titles(root)


def test_an_empty_board_has_64_squares():
    squares = [r for r in drawn(()).iter(f"{SVG}rect") if r.get("class") in ("light", "shaded")]
    assert len(squares) == 64
    assert squares[56].get("class") == "shaded"  # a1


@pytest.mark.parametrize("pieces", [1, 4, 9])
def test_a_tall_stack_stays_inside_its_square(pieces_of, pieces):
    root = drawn(pieces_of("b2 black: " + ", ".join(["large red"] * pieces)))
    heights = [float(p.split(",")[1]) for each in root.iter(f"{SVG}polygon") for p in each.get("points").split()]
    assert min(heights) >= 0
    assert max(heights) <= 100


def test_a_missile_points_where_it_flies(pieces_of):
    root = drawn(pieces_of("d4 > 90: small blue"))
    assert any("rotate(-90.0)" in (g.get("transform") or "") for g in root.iter(f"{SVG}g"))


def test_missiles_that_share_a_square_lie_apart(pieces_of):
    root = drawn(pieces_of("d4 > 90: small blue; d4 > 0: large red; d4 black: large green"))
    assert sorted(letters(root)) == ["B", "G", "R"]
    places = [g.get("transform") for g in root.iter(f"{SVG}g") if "rotate" in (g.get("transform") or "")]
    assert len({place.partition(")")[0] for place in places}) == 2


def test_what_changed_is_marked(pieces_of):
    before, after = pieces_of("b2 black: large red"), pieces_of("b3 black: large red")
    assert changed_squares(before, after) == {"b2", "b3"}
    marks = [
        r for r in drawn(after, Marked(frozenset({"b2"}), "illegal")).iter(f"{SVG}rect") if "mark" in r.get("class")
    ]
    assert [mark.get("class") for mark in marks] == ["mark illegal"]


def test_a_nudged_missile_is_no_change(pieces_of):
    assert not changed_squares(pieces_of("d4 > 92: small blue"), pieces_of("d4 > 85: small blue"))


def test_control_beads_lie_on_the_stand_and_are_told(pieces_of):
    (mid,) = pieces_of("b2 black: large red")
    root = drawn((replace(mid, beads=(Colour.WHITE, 2)),))
    beads = [each for each in root.iter(f"{SVG}circle") if each.get("class").startswith("bead")]
    assert [each.get("class") for each in beads] == ["bead stand stand-white"] * 2
    assert "b2: large red on a black stand, 2 control beads of white" in titles(root)
    assert changed_squares((mid,), (replace(mid, beads=(None, 1)),)) == {"b2"}


def test_beads_are_drawn_from_the_state(mids_state):
    state = mids_state("c3 black: large yellow; c4 white: small red, small red; h8 white: small red")
    svg = str(drawing(play(state, parse("attack c3xc4")), state, "legal"))
    assert ", 2 control beads of black" in svg
    assert svg.count("mark legal") == 1
