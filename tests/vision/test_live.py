"""A running camera, with video files and scripted cameras in its place."""

import threading
from types import SimpleNamespace

import cv2
import numpy as np
import pytest

from vision import live
from vision.live import CameraError, Grabber, check_source

SOON_S = 20.0


@pytest.fixture
def video(tmp_path):
    """Three pictures, dark, grey and bright."""
    path = tmp_path / "table.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter_fourcc(*"MJPG"), 30.0, (64, 48))
    for grey in (40, 120, 220):
        writer.write(np.full((48, 64, 3), grey, np.uint8))
    writer.release()
    return path


@pytest.fixture
def grabber_of():
    """Grabbers that let go of their camera when the test ends."""
    made = []

    def grabber(*arguments, **more):
        made.append(Grabber(*arguments, **more))
        return made[-1]

    yield grabber
    for each in made:
        each.stop()


def scripted(*pictures):
    """A camera that gives these pictures, None for a failure, and then waits for ever."""
    left = list(pictures)

    def read():
        if not left:
            threading.Event().wait()
        picture = left.pop(0)
        return picture is not None, picture

    return SimpleNamespace(isOpened=lambda: True, read=read, release=lambda: None)


PICTURE = np.full((48, 64, 3), 100, np.uint8)


@pytest.mark.parametrize("source", ["", "desk", "-1", "1234", "nowhere.mp4", "ftp://camera"])
def test_what_is_no_camera_is_told(source):
    with pytest.raises(CameraError, match="is no camera: give its number"):
        check_source(source)


def test_what_can_be_a_camera(video):
    for source in ("0", "12", "http://192.168.1.7:8080/video", "rtsp://camera/1", str(video)):
        check_source(source)


def test_a_video_file_stands_in_for_a_camera_and_starts_again(grabber_of, video):
    grabber, shades, number = grabber_of(str(video)), [], 0
    while len(shades) < 5:
        newest = grabber.wait(number, SOON_S)
        assert newest.number > number
        number = newest.number
        shades.append(round(float(newest.image_bgr.mean()) / 10))
    assert set(shades) == {4, 12, 22}


def test_opening_blocks_nobody(grabber_of):
    opening, go_on = threading.Event(), threading.Event()

    def slowly(source):
        opening.set()
        go_on.wait(SOON_S)
        return scripted(PICTURE)

    grabber = grabber_of("0", slowly)
    assert opening.wait(SOON_S)
    assert grabber.newest().words == "Opening camera 0 …"
    go_on.set()
    assert grabber.wait(0, SOON_S).image_bgr is not None


def test_a_camera_that_cannot_be_opened_is_told_and_tried_again(grabber_of, monkeypatch):
    monkeypatch.setattr(live, "AGAIN_S", 0.01)
    shut = SimpleNamespace(isOpened=lambda: False, read=None, release=lambda: None)
    cameras = iter([shut, shut])
    tried = threading.Event()

    def reopened(source):
        camera = next(cameras, None)
        if camera is None:
            tried.set()
            return scripted(PICTURE)
        return camera

    grabber = grabber_of("0", reopened)
    assert tried.wait(SOON_S)
    assert grabber.wait(0, SOON_S).number == 1


def test_a_camera_that_fell_silent_is_told(grabber_of):
    now_s = [0.0]
    grabber = grabber_of("0", lambda source: scripted(PICTURE), lambda: now_s[0])
    assert grabber.wait(0, SOON_S).image_bgr is not None
    now_s[0] = 5.0
    newest = grabber.newest()
    assert newest.image_bgr is None
    assert newest.words == "Camera 0 has sent no picture for 5 seconds. Check its cable."


def test_an_unplugged_camera_is_told(grabber_of, monkeypatch):
    monkeypatch.setattr(live, "STALE_S", -1.0)
    said, told = threading.Event(), []
    grabber = grabber_of("0", lambda source: scripted(PICTURE, None))
    while not (told and "Is it plugged in" in told[-1]):
        told.append(grabber.newest().words)
        assert not said.wait(0.01)
        assert len(told) < 2000
