"""The set-up's page without a browser."""

from __future__ import annotations

import io
import re
from datetime import date
from pathlib import Path

import cv2
import numpy as np
import pytest

from calibration import store
from calibration.optics import Lens
from calibration.store import CalibrationError
from vision.live import Grabbed
from webui import watch as watch_room
from webui import wizard as room
from webui.evening import Evening
from webui.page import create_app
from webui.wizard import Wizard

CARD = Path(__file__).parents[1] / "vision" / "photos" / "colour-card.jpg"
SAMPLE = Path(room.__file__).parent / "sample" / "mids-a" / "00.jpg"


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "cameras"


@pytest.fixture
def client(live_of, folder):
    return create_app(Evening(live_of(None)), Wizard(lambda: folder)).test_client()


@pytest.fixture
def send(client):
    """Posts an order with the page's token; the answer after the redirect."""

    def sent(order: str, photos: tuple[tuple[str, bytes], ...] = (), **fields: str):
        token = re.search(r'name="token" value="([^"]+)"', client.get("/calibrate/").text)[1]
        files = [(io.BytesIO(content), name) for name, content in photos]
        body = {"token": token, **fields} | ({"photos": files} if files else {})
        return client.post(f"/calibrate/do/{order}", data=body, follow_redirects=True)

    return sent


def png(grey: int) -> bytes:
    return cv2.imencode(".png", np.full((480, 640, 3), grey, np.uint8))[1].tobytes()


def test_the_set_up_begins_with_a_name_and_the_ruler(send):
    answer = send("begin", camera="desk", ruler="96,5")
    assert answer.status_code == 200
    assert "The camera is called <b>desk</b>; the ruler line measures 96.5 mm." in answer.text
    assert "printed at 96.5 %" in answer.text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"camera": "", "ruler": "100"}, "cannot be called"),
        ({"camera": "../desk", "ruler": "100"}, "cannot be called"),
        ({"camera": "desk", "ruler": "ten"}, "should be a number of millimetres"),
        ({"camera": "desk", "ruler": "10"}, "ruler line cannot be 10 mm"),
        ({"camera": "desk", "ruler": "nan"}, "ruler line cannot be nan mm"),
        ({"camera": "desk"}, "should be a number of millimetres"),
    ],
)
def test_a_name_or_ruler_that_is_odd_is_told(send, fields, words):
    answer = send("begin", **fields)
    assert answer.status_code == 400
    assert words in answer.text
    assert "1. Name and ruler" in answer.text


def test_a_page_that_somebody_went_back_to_does_not_begin_anew(send):
    """What was taken is not lost by a second tap on Begin."""
    send("begin", camera="desk", ruler="100")
    send("add", photos=(("grey.png", png(128)),))
    assert "grey.png" in send("begin", camera="desk", ruler="100").text
    answer = send("begin", camera="shelf", ruler="100")
    assert "The camera desk is set up just now." in answer.text
    assert "grey.png" in answer.text
    send("restart")
    assert "The camera is called <b>shelf</b>" in send("begin", camera="shelf", ruler="100").text


def test_orders_need_the_token_and_a_beginning(client, send):
    assert client.post("/calibrate/do/begin", data={"camera": "desk", "ruler": "100"}).status_code == 400
    assert "Name the camera first" in send("add", (("a.png", png(128)),)).text
    assert "Name the camera first" in send("finish").text
    assert send("explode").status_code == 404


def test_one_look_at_the_mat_gives_advice_and_a_picture(client, send):
    send("begin", camera="desk", ruler="100")
    answer = send("check", (("00.jpg", SAMPLE.read_bytes()),))
    assert "Stand the camera beside the mat, looking in at 15-30 degrees." in answer.text
    picture = client.get(re.search(r'src="(/calibrate/pictures/\w+\.jpg)"', answer.text)[1])
    assert picture.mimetype == "image/jpeg"
    assert client.get("/calibrate/pictures/none.jpg").status_code == 404


def test_what_is_no_mat_or_no_picture_is_told(send):
    send("begin", camera="desk", ruler="100")
    assert "No printed sheet is in the picture" in send("check", (("grey.png", png(128)),)).text
    answer = send("add", (("grey.png", png(128)), ("notes.txt", b"hello")))
    assert "notes.txt is not a picture" in answer.text
    assert answer.text.count("Not used.") == 2
    assert "Views that can be used: 0, of" in answer.text
    assert "No photo was chosen" in send("add").text


def test_a_refusal_is_told_and_keeps_nothing(send, folder):
    send("begin", camera="desk", ruler="100")
    send("add", (("00.jpg", SAMPLE.read_bytes()),))
    answer = send("finish")
    assert "Only 1 photo can be used: take 8 or more" in answer.text
    assert "Nothing was kept" in answer.text
    assert not folder.exists()


def test_too_many_photos_are_told(send, monkeypatch):
    monkeypatch.setattr(room, "MOST_SHOTS", 1)
    send("begin", camera="desk", ruler="100")
    assert "1 photos are the most" in send("add", (("a.png", png(1)), ("b.png", png(2)))).text


def test_too_many_bytes_are_told(send, monkeypatch):
    send("begin", camera="desk", ruler="100")
    monkeypatch.setattr(room, "MOST_BYTES", 2000)
    answer = send("add", (("a.bmp", bytes(60_000)),))
    assert answer.status_code == 413
    assert "too many or too large" in answer.text


class FakeGrabber:
    """A camera that shows one picture, or says why it shows none."""

    def __init__(self, image_bgr=None, words=""):
        self.source, self.is_stopped = "0", False
        self.shown = Grabbed(1, image_bgr, 0.1, words)

    def newest(self):
        return self.shown

    def wait(self, number, timeout_s):
        return self.shown

    def stop(self):
        self.is_stopped = True


def looking(folder, grabber):
    wizard = Wizard(lambda: folder, lambda source: grabber)
    wizard.begin("desk", 100.0)
    wizard.open_camera("0")
    return wizard


def test_a_live_camera_gives_a_picture_with_its_markers(folder, eventually):
    wizard = looking(folder, FakeGrabber(cv2.imread(str(SAMPLE))))
    eventually(lambda: wizard.watch.glimpse().jpeg)
    seen = wizard.watch.glimpse()
    assert "36 of 36 markers are seen well." in seen.markers
    assert "Stand the camera beside the mat" in seen.changes[0]
    wizard.take_view()
    assert wizard.set_up.views == 1
    wizard.restart()
    assert wizard.watch is None


def test_a_camera_without_a_picture_is_told_and_gives_no_view(folder, eventually):
    grabber = FakeGrabber(words="Opening camera 0 …")
    wizard = looking(folder, grabber)
    assert eventually(lambda: wizard.watch.glimpse().words) == "Opening camera 0 …"
    with pytest.raises(CalibrationError, match="Opening camera 0"):
        wizard.take_view()
    wizard.close_camera()
    assert grabber.is_stopped
    with pytest.raises(CalibrationError, match="choose one in step 2"):
        wizard.take_view()


def test_a_camera_that_nobody_looks_at_is_let_go(folder, monkeypatch, eventually):
    monkeypatch.setattr(watch_room, "ALONE_S", -1.0)
    grabber = FakeGrabber(words="Opening camera 0 …")
    wizard = looking(folder, grabber)
    eventually(lambda: wizard.watch is None)
    eventually(lambda: grabber.is_stopped)


def test_what_is_no_camera_is_told(send, client):
    assert "Name the camera first" in send("camera", source="0").text
    send("begin", camera="desk", ruler="100")
    answer = send("camera", source="nowhere.mp4")
    assert answer.status_code == 400
    assert "&#39;nowhere.mp4&#39; is no camera" in answer.text
    assert client.get("/calibrate/live").json["picture"] is None
    assert client.get("/calibrate/live/1.jpg").status_code == 404


def test_colours_can_be_taught_once_the_lens_is_known(send, folder):
    card = ("card.jpg", CARD.read_bytes())
    assert "Learn colours" not in send("begin", camera="desk", ruler="100").text
    assert "No camera called &#39;desk&#39; was calibrated" in send("teach", (card,)).text
    lens = Lens(900.0, (479.5, 359.5), (-0.05, 0.01, 0.0, 0.0), (960, 720))
    store.save(store.Calibration("desk", lens, date(2025, 10, 31), 1, 0.2), folder)
    answer = send("teach", (card,), others="orange=pink")
    assert "Learnt how these look in this light: red, yellow, green, blue, cyan, pink" in answer.text
    assert "pink" in store.load("desk", folder).palette.colours
    wrong = send("teach", (("grey.png", png(128)),))
    assert "No colours were learnt.</b> The camera &#39;desk&#39; was calibrated at 960 by 720" in wrong.text
    assert "Say it as CELL=COLOUR" in send("teach", (card,), others="pink").text


def test_starting_again_forgets_the_photos(send):
    send("begin", camera="desk", ruler="100")
    send("add", (("grey.png", png(128)),))
    assert "Name of the camera" in send("restart").text


def test_names_are_shown_as_text(send):
    answer = send("begin", camera="<b>desk", ruler="100")
    assert "&lt;b&gt;desk" in answer.text
    send("begin", camera="desk", ruler="100")
    assert "&lt;i&gt;.png" in send("add", (("<i>.png", png(128)),)).text


def test_known_cameras_are_listed(client, folder):
    desk = store.Calibration("desk", Lens(1000.0, (639.5, 479.5), (0.0,) * 4, (1280, 960)), date(2025, 10, 31), 1, 0.2)
    store.save(desk, folder)
    assert "desk: 1280 by 960 pixels, calibrated on 2025-10-31" in client.get("/calibrate/").text


def test_the_page_allows_itself_only(client):
    answer = client.get("/calibrate/")
    assert "default-src 'none'" in answer.headers["Content-Security-Policy"]
    assert not re.search(r"<script(?![^>]*\ssrc=)|\sstyle=|\son\w+=|https?://", answer.text)
