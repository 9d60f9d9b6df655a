"""JSON from outside is measured before anybody looks for its fields."""

from __future__ import annotations

import json

import pytest

from webui.limits import LimitError, Limits, is_printable, json_within


def test_what_is_within_the_limits_is_what_it_says():
    said = {"game": "ziggurat", "players": [{"name": "Zoë"}, {"name": "Jürgen"}], "square_mm": 50.5, "gaps": None}
    assert json_within(json.dumps(said).encode()) == said
    assert json_within("\ufeff".encode() + json.dumps(said, ensure_ascii=False).encode()) == said


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b" " * 2_000_001, "larger than 2 MB"),
        (b"\xff\xfe{}", "not text in UTF-8"),
        (b"[" * 100_000, "nested too deep"),
        (b"[" * 13 + b"]" * 13, "nested more than 12 deep"),
        (b"[" + b"0," * 200_000 + b"0]", "more than 200000 values"),
        (b'"' + b"x" * 4_001 + b'"', "longer than 4000 characters"),
        (b'{"' + b"x" * 4_001 + b'": 1}', "longer than 4000 characters"),
        (b'["\\ud800"]', "cannot be shown"),
        (b'["\\u001b[2J"]', "cannot be shown"),
        (b"[NaN]", "NaN is no number"),
        (b"[-Infinity]", "-Infinity is no number"),
        (b"9" * 31, "more than 30 digits"),
        (b'{"a": 1, "a": 2}', "'a' twice"),
        (b'{"game": ', "line 1"),
        (b"", "line 1"),
    ],
)
def test_what_is_beyond_them_is_told_in_words(content, words):
    with pytest.raises(LimitError, match=words):
        json_within(content)


def test_a_door_may_be_narrower():
    assert json_within(b"[[1], [2]]", Limits(depth=3)) == [[1], [2]]
    with pytest.raises(LimitError, match="nested more than 2 deep"):
        json_within(b"[[1], [2]]", Limits(depth=2))


def test_line_ends_and_bells_are_not_printable():
    assert is_printable("Ann-Sophie Müller 🚀")
    assert not is_printable("Ann\nBo")
    assert not is_printable("\a")
    assert not is_printable("Ann\u202eoB")
