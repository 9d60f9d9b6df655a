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
    while set(shades) != {4, 12, 22} or shades == sorted(shades):  # all of them, and one after a brighter one
        assert len(shades) < 1000
        newest = grabber.wait(number, SOON_S)
        assert newest.number > number
        number = newest.number
        shades.append(round(float(newest.image_bgr.mean()) / 10))
        assert shades[-1] in (4, 12, 22)


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


def script(now_s, every_s, pictures):
    """A camera whose pictures come that far apart on a clock of its own."""
    left, done = list(pictures), threading.Event()

    def read():
        if not left:
            done.set()
            threading.Event().wait()
        now_s[0] += every_s
        return True, left.pop(0)

    return SimpleNamespace(isOpened=lambda: True, read=read, release=lambda: None), done


def textured(seed):
    return np.random.default_rng(seed).integers(0, 255, (96, 128, 3), dtype=np.uint8)


@pytest.mark.parametrize(
    ("every_s", "pictures", "words"),
    [
        (1 / 30, [textured(n) for n in range(5)], ""),
        (1 / 30, [textured(0)] * 90, "Camera 0 is frozen"),
        (1 / 30, [*[textured(0)] * 90, textured(1)], ""),
        (1 / 30, [np.full((96, 128, 3), n % 3, np.uint8) for n in range(5)], "Camera 0 shows only black"),
        (1 / 30, [np.full((96, 128, 3), 90 + n % 3, np.uint8) for n in range(5)], "Camera 0 is blocked"),
        (0.9, [textured(n) for n in range(3)], "Camera 0 is slow"),
        (0.9, [textured(n) for n in range(2)], ""),
    ],
)
def test_what_is_wrong_with_the_pictures_is_told_within_three_seconds(grabber_of, every_s, pictures, words):
    now_s = [0.0]
    camera, done = script(now_s, every_s, pictures)
    grabber = grabber_of("0", lambda source: camera, lambda: now_s[0])
    assert done.wait(SOON_S)
    newest = grabber.newest()
    assert now_s[0] < 3.1
    assert newest.image_bgr is not None
    assert newest.words.startswith(words)
    assert bool(newest.words) == bool(words)


def test_a_camera_frozen_for_long_is_opened_again(grabber_of, monkeypatch):
    monkeypatch.setattr(live, "AGAIN_S", 0.01)
    now_s = [0.0]
    frozen, _ = script(now_s, 1.0, [textured(0)] * 20)
    well, done = script(now_s, 1 / 30, [textured(n) for n in range(1, 4)])
    cameras = iter([frozen, well])
    grabber = grabber_of("0", lambda source: next(cameras), lambda: now_s[0])
    assert done.wait(SOON_S)
    assert grabber.newest().words == ""


def test_a_video_file_can_stay_at_its_end(grabber_of, video):
    grabber, number, newest = grabber_of(str(video), live.opened_once), 0, live.Grabbed()
    for _ in range(200):
        newest = grabber.wait(number, SOON_S)
        number = newest.number
        if "end" in newest.words:
            break
    assert newest.words == "The video has come to its end."
    assert round(float(newest.image_bgr.mean()) / 10) == 22


def test_only_cameras_that_give_pictures_are_listed(monkeypatch):
    there = {1: scripted(PICTURE)}
    shut = SimpleNamespace(isOpened=lambda: False, release=lambda: None)
    monkeypatch.setattr(live, "opened", lambda source: there.get(int(source), shut))
    assert live.cameras() == ("1: 64 x 48 pixels",)
