"""A program ends quietly though its camera still runs."""

import subprocess
import sys

PROGRAM = """
import atexit, threading, time
atexit.register(lambda: print("running:", sorted(one.name for one in threading.enumerate() if one.daemon)))
import cv2, numpy as np
from vision import ending
from vision.live import Grabber

ending.PATIENCE_S = 60.0  # on a machine that has much else to do a picture takes longer
class Busy:
    def isOpened(self): return True
    def read(self):
        picture = np.random.default_rng(0).integers(0, 255, (900, 900, 3), dtype=np.uint8)
        return True, cv2.GaussianBlur(picture, (0, 0), 9)
    def release(self): print("let go")

grabber = Grabber("0", lambda source: Busy())
assert grabber.wait(0, 60).image_bgr is not None
"""


def test_a_camera_that_still_runs_is_let_go_before_the_program_ends():
    ended = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120)
    assert (ended.returncode, ended.stderr) == (0, "")
    assert ended.stdout.splitlines() == ["let go", "running: []"]
