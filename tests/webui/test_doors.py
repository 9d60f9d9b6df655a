"""What comes in from outside is taken or refused in words: the doors of the torture runs, with few and small inputs."""

from __future__ import annotations

import importlib.util
import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from webui.start import Preview

TORTURE = Path(__file__).parent.parent / "torture"
CORPUS = sorted((TORTURE / "corpus").glob("*/*"))


def _module(name):
    spec = importlib.util.spec_from_file_location(f"torture_{name}", TORTURE / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


TORTURED, MUTATE = _module("doors"), _module("mutate")
DOORS = TORTURED.DOORS
OF_JSON = sorted(name for name in DOORS if name.startswith(("declared", "game", "calibration", "palette", "match")))
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers() | st.integers(0, 9) | st.just(10**29),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(max_size=12) | st.sampled_from(["Ann", "Bo", "red", "small red", "\ud800", "\x1b[2J", "7ML", "x" * 5000]),
)
JSON = st.recursive(SCALARS, lambda inside: st.lists(inside, max_size=4) | st.dictionaries(st.text(max_size=5), inside))


@pytest.fixture(autouse=True, scope="module")
def cameras_are_there_again_afterwards():
    """The doors open no camera on the start page; tests after them may."""
    open_, look = Preview.open, Preview.look_for_cameras
    yield
    Preview.open, Preview.look_for_cameras = open_, look


def test_every_door_has_something_to_begin_with():
    assert {path.parent.name for path in CORPUS} >= set(DOORS)


@pytest.mark.parametrize("door", sorted(DOORS))
def test_what_was_found_before_comes_through(door):
    for path in CORPUS:
        if path.parent.name == door:
            DOORS[door](path.read_bytes())


@pytest.mark.parametrize("door", OF_JSON)
@settings(max_examples=10)
@given(st.data())
def test_a_document_with_odd_values_is_taken_or_refused(door, data):
    known = data.draw(st.sampled_from([path for path in CORPUS if path.parent.name == door and _is_json(path)]))
    document = json.loads(known.read_bytes())
    for _ in range(data.draw(st.integers(1, 3))):
        document = _bent(document, data)
    DOORS[door](json.dumps(document).encode())


@pytest.mark.parametrize("door", sorted(set(DOORS) - {"photo", "zip"}))
def test_what_is_made_of_other_inputs_is_taken_or_refused(door):
    seeds, rng = TORTURED.seeds_of(door), random.Random(door)
    mutation = MUTATE.of_door(door, seeds, TORTURED.addresses)
    for _ in range(25):
        DOORS[door](mutation(rng.choice(seeds), rng))


def _is_json(path: Path) -> bool:
    try:
        return isinstance(json.loads(path.read_bytes()), dict)
    except (ValueError, RecursionError):
        return False


def _bent(value, data):
    """The document with one of its values replaced, left out, or said under another name."""
    if isinstance(value, dict) and value and data.draw(st.integers(0, 5)):
        name = data.draw(st.sampled_from(sorted(value)))
        rest = {each: inside for each, inside in value.items() if each != name}
        how = data.draw(st.integers(0, 9))
        if how == 0:
            return rest
        return rest | {data.draw(st.text(max_size=5)) if how == 1 else name: _bent(value[name], data)}
    if isinstance(value, list) and value and data.draw(st.integers(0, 5)):
        place = data.draw(st.integers(0, len(value) - 1))
        return [*value[:place], _bent(value[place], data), *value[place + 1 :]]
    return data.draw(JSON)
