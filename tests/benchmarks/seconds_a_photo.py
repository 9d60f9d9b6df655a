"""How long a photo takes and how much memory: `make bench`.

A warm read of each photo of the bundled game is compared with the floor, what no reader can do without: decoding the
JPEG, detecting the markers, one warp to 1100 x 1100 and its Lab colours. Then the same photo enlarged to 12
megapixels, and the most memory that this process ever held.
"""

from __future__ import annotations

import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

from webui.look import look

SAMPLE = Path(__file__).parents[2] / "webui" / "sample" / "mids-a"
ROUNDS = 5
LARGE_PX = (4000, 3000)


def floor(path: Path) -> None:
    """The least that any reader does."""
    image = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR)
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_APRILTAG_36h11))
    detector.detectMarkers(image)
    height, width = image.shape[:2]
    corners = np.float32([[0, 0], [width, 0], [width, height], [0, height]])
    square = np.float32([[0, 0], [1100, 0], [1100, 1100], [0, 1100]])
    warped = cv2.warpPerspective(image, cv2.getPerspectiveTransform(corners, square), (1100, 1100))
    cv2.cvtColor(warped, cv2.COLOR_BGR2LAB)


def read_photo(path: Path) -> None:
    """As the commands read it. Raises SystemExit with the reason when the photo could not be read."""
    if error := look(path).error:
        raise SystemExit(error)


def seconds(work: Callable[[Path], object], path: Path) -> float:
    """The median of some rounds."""
    taken = []
    for _ in range(ROUNDS):
        began = time.perf_counter()
        work(path)
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def megabytes() -> float:
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (2**20 if sys.platform == "darwin" else 2**10)


def main() -> None:
    photos = sorted(SAMPLE.glob("*.jpg"))
    read_photo(photos[0])
    reads, floors = [seconds(read_photo, path) for path in photos], [seconds(floor, path) for path in photos]
    read, least = statistics.median(reads), statistics.median(floors)
    print(f"1280 x 960: {1000 * read:.0f} ms a photo, floor {1000 * least:.0f} ms, {read / least:.1f} times the floor")
    with tempfile.TemporaryDirectory() as folder:
        large = Path(folder) / "large.jpg"
        picture = cv2.resize(cv2.imread(str(photos[0])), LARGE_PX, interpolation=cv2.INTER_CUBIC)
        large.write_bytes(cv2.imencode(".jpg", picture)[1].tobytes())
        slow, least_large = seconds(read_photo, large), seconds(floor, large)
    print(
        f"12 megapixels: {1000 * slow:.0f} ms, floor {1000 * least_large:.0f} ms;"
        f" {slow / reads[0]:.1f} times the same photo at 1280 x 960"
    )
    print(f"most memory: {megabytes():.0f} MB")


if __name__ == "__main__":
    main()
