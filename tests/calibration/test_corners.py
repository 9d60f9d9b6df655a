import cv2
import numpy as np
import pytest

from calibration import opencv
from calibration.corners import refined

TRUE = np.array([[[40.3, 30.6], [71.9, 34.2], [68.4, 66.1], [37.2, 61.8]]])


def tag_at(quad: np.ndarray, light: float = 230.0) -> np.ndarray:
    """A grey picture of an AprilTag whose corners are at `quad`, shape (4, 2)."""
    fine = 8
    tag = np.full((20 * fine, 20 * fine), 255, np.uint8)
    tag[2 * fine : 18 * fine, 2 * fine : 18 * fine] = opencv.marker_picture(7, 16 * fine)
    source = np.array([[2, 2], [18, 2], [18, 18], [2, 18]], np.float32) * fine - 0.5
    to_fine = cv2.getPerspectiveTransform(source, ((quad + 0.5) * fine - 0.5).astype(np.float32))
    seen = cv2.warpPerspective(tag, to_fine, (110 * fine, 100 * fine), borderValue=255)
    linear = cv2.resize(seen.astype(np.float32) / 255, (110, 100), interpolation=cv2.INTER_AREA)
    linear = cv2.GaussianBlur(linear, (0, 0), 0.7)
    return np.clip(light * linear ** (1 / 2.2), 0, 255).astype(np.uint8)


@pytest.mark.parametrize("off_px", [0.0, 0.4, 0.9])
def test_corners_are_found_to_a_twentieth_of_a_pixel(off_px):
    rough = TRUE + off_px * np.array([[[1, -0.5], [-0.7, 1], [0.3, -1], [-1, 0.2]]])
    found = refined(tag_at(TRUE[0]), rough)
    assert found.pixels == pytest.approx(TRUE, abs=0.06)
    assert found.error_px[0] < 0.1


def test_something_across_a_side_is_dropped():
    grey = tag_at(TRUE[0])
    cv2.circle(grey, (56, 31), 5, 255, -1)
    found = refined(grey, TRUE + 0.4)
    assert found.pixels == pytest.approx(TRUE, abs=0.12)


def test_a_quad_on_plain_paper_is_no_tag():
    found = refined(np.full((100, 110), 200, np.uint8), TRUE)
    assert np.isinf(found.error_px).all()


def test_no_tags_are_no_corners():
    assert refined(np.zeros((10, 10), np.uint8), np.zeros((0, 4, 2))).pixels.shape == (0, 4, 2)


def test_the_argument_is_left_as_it_was():
    grey, quads = tag_at(TRUE[0]), TRUE.copy()
    kept = grey.copy()
    refined(grey, quads)
    assert (grey == kept).all()
    assert (quads == TRUE).all()
