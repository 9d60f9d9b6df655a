"""Setting up a camera in Chromium from start to end, with drawn photos in place of the camera's."""

from __future__ import annotations

import cv2
import pytest

from calibration import store
from calibration.optics import Lens, SheetPose
from webui.page import create_app
from webui.wizard import Wizard

LENS = Lens(900.0, (486.0, 352.0), (-0.08, 0.01, 0.0004, -0.0003), (960, 720))
SHEET = {"silos-7": SheetPose(0.0, 0.0, 0.0)}
MIDDLE = (132.0, 93.0)


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cameras"


@pytest.fixture
def page(browser, live_of, folder, address_of):
    """The set-up's page; at the end the browser must have had nothing to complain about."""
    address = address_of(create_app(live_of(None), Wizard(lambda: folder)))
    context, complaints = browser.new_context(viewport={"width": 820, "height": 1180}), []
    opened = context.new_page()
    opened.set_default_timeout(60_000)
    opened.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    opened.on("pageerror", lambda fault: complaints.append(str(fault)))
    opened.goto(address)
    opened.get_by_role("link", name="Camera").click()
    yield opened
    context.close()
    assert complaints == []


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
    page.get_by_text("Photos that can be used: 5, of").wait_for()
    page.get_by_role("button", name="Learn the lens").click()
    page.get_by_text("Only 5 photos can be used").wait_for()
    assert not folder.exists()

    page.get_by_label("Photos", exact=True).set_input_files(tilted[5:])
    page.get_by_role("button", name="Add them").click()
    page.get_by_text("Photos that can be used: 8, of").wait_for()
    page.get_by_role("button", name="Learn the lens").click()
    page.get_by_role("status").get_by_text("Good.").wait_for()
    kept = store.load("desk", folder)
    assert kept.lens.focal_px == pytest.approx(LENS.focal_px, rel=0.01)
    assert kept.print_scale == pytest.approx(0.96)


@pytest.mark.parametrize("width", [390, 820, 1366])
def test_nothing_sticks_out(page, width):
    page.set_viewport_size({"width": width, "height": 800})
    page.get_by_label("Name of the camera").fill("a-camera-with-quite-a-long-name")
    page.get_by_role("button", name="Begin").click()
    page.get_by_role("heading", name="4. The lens").wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
