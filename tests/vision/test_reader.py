"""What the reader's numbers mean."""

import itertools

import numpy as np
import pytest

from engine.table import Colour, Pyramid, Size
from vision.crops import View
from vision.reader import _MIRROR, PARTS, SEQUENCES, STANDS, meaning, readings, split

VIEW = View((100.0, 50.0), (1.0, 0.0, 0.0), (0.0, 1.0, 0.0), 10.0, 90.0)


def row(**parts):
    """An answer of the network that is sure of what `parts` say, by index into each part."""
    whole = {name: np.zeros(length, np.float32) for name, length in PARTS.items()}
    for name, value in parts.items():
        whole[name][...] = value
    return np.concatenate(list(whole.values()))


def one_hot(length, *indices, score=12.0):
    scores = np.zeros(length, np.float32)
    scores[list(indices)] = score
    return scores


def test_there_are_83_stacks_of_up_to_six():
    assert len(SEQUENCES) == 83
    assert all(a >= b for s in SEQUENCES for a, b in itertools.pairwise(s))


def test_split_undoes_the_concatenation():
    parts = split(row(kind=[1, 2, 3], offset=[7, 8]))
    assert parts["kind"].tolist() == [1, 2, 3]
    assert parts["offset"].tolist() == [7, 8]
    assert sum(len(p) for p in parts.values()) == sum(PARTS.values())


def test_an_upright_tree_on_a_stand():
    sizes = one_hot(24, 0 * 4 + 3, 1 * 4 + 2, 2 * 4 + 1, 3 * 4, 4 * 4, 5 * 4)
    colours = one_hot(60, 0, 10 + 3, 20 + 7)
    said = meaning(VIEW, row(kind=one_hot(3, 1), level_size=sizes, colour=colours))
    first = readings(said, stand=one_hot(5, 3))[0]
    assert first.pyramids == (
        Pyramid(Colour.RED, Size.LARGE),
        Pyramid(Colour.BLUE, Size.MEDIUM),
        Pyramid(Colour.BLACK, Size.SMALL),
    )
    assert not first.is_lying
    assert first.stand is STANDS[3]
    assert first.probability > 0.95


def test_a_lying_piece_points_where_it_is_said_to_from_the_outward_direction():
    parts = row(kind=one_hot(3, 2), lying_size=one_hot(3, 1), colour=one_hot(60, 9), heading=[0.0, 1.0])
    first = readings(meaning(VIEW, parts))[0]
    assert first.heading_deg == pytest.approx(180)
    assert first.pyramids == (Pyramid(Colour.CLEAR, Size.MEDIUM),)
    assert first.stand is None


def test_the_offset_moves_the_foot_to_the_right_and_outward():
    said = meaning(VIEW, row(kind=one_hot(3, 1), offset=[2.0, 3.0]))
    assert (said.x_mm, said.y_mm) == pytest.approx((102.0, 53.0))


def test_doubt_is_carried_in_ranked_readings():
    two_colours = one_hot(60, 0) + one_hot(60, 5, score=11.5)
    sizes = one_hot(24, 3, 4, 8, 12, 16, 20)
    ranked = readings(meaning(VIEW, row(kind=one_hot(3, 1), level_size=sizes, colour=two_colours)))
    assert [r.pyramids[0].colour for r in ranked[:2]] == [Colour.RED, Colour.ORANGE]
    probabilities = [r.probability for r in ranked]
    assert probabilities == sorted(probabilities, reverse=True)
    assert 0.3 < probabilities[1] < probabilities[0]
    assert sum(probabilities) <= 1 + 1e-6


def test_a_mirror_changes_the_signs_of_what_changes_sides():
    signs = split(_MIRROR)
    assert signs["heading"].tolist() == [1, -1]
    assert signs["turn"].tolist() == [1, -1]
    assert signs["offset"].tolist() == [-1, 1]
    assert all((signs[name] == 1).all() for name in ("kind", "level_size", "lying_size", "colour"))
