"""What the network that counts levels looks at, and what its numbers mean."""

import numpy as np
import pytest

from calibration.optics import Camera, Lens
from vision.levels import (
    _POINTS,
    ACROSS,
    FACES,
    NEEDS,
    ROWS,
    SIZES,
    STEP_OF_LEVEL,
    STEPS,
    Base,
    Stacked,
    looks_of,
    mirrored,
)
from vision.paper import LightField
from vision.pieces import BASE_MM, HEIGHT_MM, SEQUENCES, STEP_MM

LENS = Lens(900.0, (400.0, 300.0), (0.0, 0.0, 0.0, 0.0), (800, 600))
EVEN = LightField((0.0, 0.0), 1.0, ((0.0,) * 6,) * 3, 0.0)  # white paper is 1 everywhere
ABOVE = Camera(LENS, ((1, 0, 0), (0, -1, 0), (0, 0, -1)), (0.0, 0.0, 600.0))  # 600 mm over (0, 0), y up in the picture


def test_every_step_raises_the_tip_alike_so_base_edges_are_whole_steps_apart():
    for sequence, steps in zip(SEQUENCES, STEP_OF_LEVEL, strict=True):
        base = 0.0
        for level, size in enumerate(sequence):
            if level:
                base += HEIGHT_MM[sequence[level - 1]] + STEP_MM - HEIGHT_MM[size]
            assert base == pytest.approx(STEP_MM * steps[level])


def test_every_sequence_fits_the_steps_and_needs_another_thing_to_be_true():
    assert STEP_OF_LEVEL.max() < STEPS
    assert len({needs.tobytes() for needs in NEEDS}) == len(SEQUENCES)
    assert [int(needs.sum()) for needs in NEEDS] == [len(sequence) for sequence in SEQUENCES]


def test_samples_lie_on_the_faces():
    grid = _POINTS.reshape(SIZES, STEPS, FACES, len(ROWS), len(ACROSS), 3)
    for size in range(1, SIZES + 1):
        on_face = grid[size - 1, 2, 1, 5]  # the face that looks along y, a row inside it
        up = on_face[:, 2] - 2 * STEP_MM
        assert np.allclose(on_face[:, 1], BASE_MM[size] / 2 * (1 - up / HEIGHT_MM[size]))
        assert np.all(np.abs(on_face[:, 0]) < on_face[:, 1])


def picture(colour_at) -> np.ndarray:
    """What a camera over the table sees, as if everything lay on the paper: `colour_at` of x and y in mm."""
    columns, rows = np.meshgrid(np.arange(800), np.arange(600))
    return colour_at((columns - 400) * 600 / 900, (300 - rows) * 600 / 900).astype(np.uint8)


def test_the_faces_of_a_base_are_where_its_place_and_turn_say():
    def four_quarters(x, y):  # another blue on each side of the base at (30, 20)
        side = np.where(np.abs(x - 30) > np.abs(y - 20), np.where(x > 30, 40, 80), np.where(y > 20, 120, 160))
        return np.stack([side, np.full_like(side, 128), np.full_like(side, 128)], axis=-1)

    looks = looks_of([Base(30.0, 20.0, 0.0, False)], picture(four_quarters), ABOVE, EVEN)
    blue = looks.faces.reshape(SIZES, STEPS, FACES, -1, len(ROWS), len(ACROSS))[2, 0, :, 0, 3, 3]
    assert len(set(np.round(blue, 3))) == FACES
    assert np.argsort(blue).tolist() == [
        2,
        0,
        3,
        1,
    ]  # the camera is at smaller x: that side first, then against the clock


def test_a_mirrored_look_is_the_look_at_the_mirrored_table():
    rng = np.random.default_rng(3)
    image = rng.integers(0, 255, (600, 800, 3)).astype(np.uint8)
    across = image[:, ::-1].copy()
    flipped = Camera(Lens(900.0, (399.0, 300.0), (0.0,) * 4, (800, 600)), ABOVE.rotation, ABOVE.translation_mm)
    looks = mirrored(looks_of([Base(30.0, 20.0, 10.0, True)], image, ABOVE, EVEN))
    others = looks_of([Base(-30.0, 20.0, -10.0, True)], across, flipped, EVEN)
    assert np.allclose(looks.faces, others.faces, atol=1e-3)
    assert np.allclose(looks.context, others.context, atol=1e-6)


def test_what_stands_on_a_stand_is_looked_for_higher():
    image = picture(lambda x, y: np.clip(np.stack([(x - 65) * 9, x * 0, x * 0], axis=-1), 0, 255))
    shown = []
    for stand in (False, True):
        looks = looks_of([Base(80.0, 0.0, 0.0, stand)], image, ABOVE, EVEN)
        faces = looks.faces.reshape(SIZES, STEPS, FACES, -1, len(ROWS), len(ACROSS))
        shown.append(faces[0, 0, 2, 0, 5, 3])
    assert shown[1] > shown[0]  # what is higher is seen further from the camera's foot


def test_the_colours_of_a_sequence_are_those_of_its_own_candidates():
    colour = np.zeros((SIZES, STEPS, 10), np.float32)
    colour[2, 0, 4] = colour[1, 2, 5] = colour[0, 4, 6] = 1.0  # a small on a medium on a large: steps 0, 2, 4
    said = Stacked(np.zeros(len(SEQUENCES), np.float32), colour, ())
    assert said.along(SEQUENCES.index((3, 2, 1))).argmax(axis=1).tolist() == [4, 5, 6]
