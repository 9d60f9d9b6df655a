"""Setting up a camera in Chromium from start to end, with drawn photos and videos in place of the camera's."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from calibration import store
from calibration.optics import Lens, SheetPose
from webui.evening import Evening
from webui.page import create_app
from webui.wizard import Wizard

LENS = Lens(900.0, (486.0, 352.0), (-0.08, 0.01, 0.0004, -0.0003), (960, 720))
SHEET = {"silos-7": SheetPose(0.0, 0.0, 0.0)}
MIDDLE = (132.0, 93.0)
CARD = Path(__file__).parents[1] / "vision" / "photos" / "colour-card.jpg"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cameras"


@pytest.fixture
def page(opened, live_of, folder, address_of):
    """The set-up's page."""
    wizard = Wizard(lambda: folder)
    page = opened(address_of(create_app(Evening(live_of(None)), wizard)), 820, 1180)
    page.get_by_role("button", name="Menu").click()
    page.get_by_role("link", name="Camera").click()
    yield page
    wizard.close_camera()


@pytest.fixture(scope="module")
def tilted(photograph, all_around, tmp_path_factory):
    """Eight photos tilted to all sides."""
    cameras = all_around(MIDDLE, (20, 32, 26, 36, 18, 30, 24, 34), LENS)
    return saved(tmp_path_factory.mktemp("tilted"), [photograph(SHEET, camera) for camera in cameras])


def saved(folder, pictures):
    paths = [folder / f"{number}.png" for number in range(len(pictures))]
    for path, picture in zip(paths, pictures, strict=True):
        path.write_bytes(cv2.imencode(".png", picture)[1].tobytes())
    return paths


def filmed(path, picture):
    """A video of a table on which nothing moves."""
    height, width = picture.shape[:2]
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 10.0, (width, height))
    for _ in range(3):
        writer.write(picture)
    writer.release()
    return path


def look_through(page, path):
    page.get_by_label("Camera on this computer or in the network").fill(str(path))
    page.get_by_role("button", name="Look through it").click()


def test_a_camera_is_set_up_from_start_to_end(page, tilted, folder, photograph, over, tmp_path):
    page.get_by_label("Name of the camera").fill("desk")
    page.get_by_label("The line measures, in mm").fill("96")
    page.get_by_role("button", name="Begin").click()
    page.get_by_text("printed at 96.0 %").wait_for()

    (above,) = saved(tmp_path, [photograph(SHEET, over(MIDDLE, 440.0, 2.0, LENS))])
    page.get_by_label("One photo").set_input_files(above)
    page.get_by_role("button", name="Check it").click()
    page.get_by_text("Stand the camera beside the mat, looking in at 15-30 degrees.").wait_for()
    assert page.locator("img.checked").evaluate("image => image.decode().then(() => image.naturalWidth)") == 960

    page.get_by_label("Photos", exact=True).set_input_files(tilted[:5])
    page.get_by_role("button", name="Add them").click()
    page.get_by_text("Views that can be used: 5, of").wait_for()
    page.get_by_role("button", name="Learn the lens").click()
    page.get_by_text("Only 5 photos can be used").wait_for()
    assert not folder.exists()

    page.get_by_label("Photos", exact=True).set_input_files(tilted[5:])
    page.get_by_role("button", name="Add them").click()
    page.get_by_text("Views that can be used: 8, of").wait_for()
    page.get_by_role("button", name="Learn the lens").click()
    page.get_by_role("status").get_by_text("Good.").wait_for()
    before = store.load("desk", folder)
    assert before.palette is None

    page.get_by_label("Photo of the colour card").set_input_files(CARD)
    page.get_by_role("button", name="Learn colours").click()
    page.get_by_text("Learnt how these look in this light: red, yellow, green").wait_for()
    kept = store.load("desk", folder)
    assert len(kept.palette.looks) == 10
    assert kept.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.01)
    assert kept.print_scale == pytest.approx(0.96)


def test_a_live_camera_shows_the_mat_and_gives_views(page, folder, tmp_path, photograph, over, tilted, eventually):
    page.get_by_label("Name of the camera").fill("desk")
    page.get_by_role("button", name="Begin").click()
    beside = photograph(SHEET, over(MIDDLE, 440.0, 22.0, LENS))
    look_through(page, filmed(tmp_path / "beside.avi", beside))
    page.get_by_text("12 of 12 markers are seen well. All is well.").wait_for()
    eventually(lambda: page.evaluate("document.getElementById('live-picture').naturalWidth === 960"))
    page.get_by_text("Stacks can be counted everywhere on the mat.").wait_for()

    page.get_by_role("button", name="Take a view").click()
    page.get_by_text("Views that can be used: 1, of").wait_for()
    page.get_by_text("12 of 12 markers are seen well").wait_for()  # the picture goes on

    page.get_by_role("button", name="Let camera").click()
    covered = beside.copy()
    covered[180:310] = 90
    look_through(page, filmed(tmp_path / "covered.avi", covered))
    page.locator("#live-words", has_text="markers are seen well; not ").wait_for()
    page.get_by_text("The picture does not show markers").wait_for()

    page.get_by_label("Photos", exact=True).set_input_files(tilted[1:])
    page.get_by_role("button", name="Add them").click()
    page.get_by_role("button", name="Learn the lens").click()
    page.get_by_role("status").get_by_text("Good.").wait_for()
    assert store.load("desk", folder).lens.focal_px == pytest.approx(LENS.focal_px, rel=0.01)


def test_a_camera_that_is_none_is_told(page):
    page.get_by_label("Name of the camera").fill("desk")
    page.get_by_role("button", name="Begin").click()
    look_through(page, "63")
    page.get_by_text("Camera 63 gives no picture. Is it plugged in").wait_for()
    page.locator("#live-picture").wait_for(state="hidden")


@pytest.mark.parametrize("width", [390, 820, 1366])
def test_nothing_sticks_out(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_label("Name of the camera").fill("a-camera-with-quite-a-long-name")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("heading", name="5. Colours in your light").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
