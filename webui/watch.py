"""A live camera during the set-up: its picture with the markers outlined, and what to change, again and again.

One thread looks at the newest picture, as often as it can, while a page asks; when none has asked for a while the
camera is let go.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from calibration.store import CalibrationError
from vision.ending import ends_first

if TYPE_CHECKING:
    from numpy import uint8
    from numpy.typing import NDArray

    from calibration.advice import Advice
    from calibration.locate import LensHint
    from vision.camera import Frame
    from vision.live import Grabber

log = logging.getLogger("umpire")

ALONE_S = 20.0  # without a page that asks
WIDTH_PX = 960
WAIT_S = 0.5


@dataclass(frozen=True)
class Glimpse:
    """What the camera showed last: `words` when it shows nothing, else the markers, what to change and a JPEG."""

    number: int = 0
    words: str = ""
    markers: str = ""
    changes: tuple[str, ...] = ()
    remarks: tuple[str, ...] = ()
    jpeg: bytes | None = None


class Watch:
    """Looks at a camera for as long as a page asks."""

    def __init__(self, grabber: Grabber, hint: Callable[[], LensHint | None]) -> None:
        self.camera = grabber.source
        self._grabber, self._hint = grabber, hint
        self._glimpse, self._asked_s, self.is_over = Glimpse(words=grabber.newest().words), time.monotonic(), False
        thread = threading.Thread(target=self._run, name="watch", daemon=True)
        ends_first(thread, self.stop)
        thread.start()

    def glimpse(self) -> Glimpse:
        """What was seen last."""
        self._asked_s = time.monotonic()
        return self._glimpse

    def take(self) -> Frame:
        """The picture of this moment. Raises CalibrationError when there is none."""
        from vision.camera import Frame

        newest = self._grabber.newest()
        if newest.image_bgr is None:
            raise CalibrationError(newest.words)
        return Frame(newest.image_bgr, f"view {newest.number}")

    def stop(self) -> None:
        self.is_over = True
        self._grabber.stop()

    def _run(self) -> None:
        number = 0
        while not self.is_over:
            newest = self._grabber.wait(number, WAIT_S)
            if time.monotonic() - self._asked_s > ALONE_S:
                self.stop()
            elif newest.image_bgr is None:
                self._glimpse = Glimpse(newest.number, newest.words)
            elif newest.number > number:
                number = newest.number
                self._glimpse = self._looked(newest.image_bgr, number)

    def _looked(self, image_bgr: NDArray[uint8], number: int) -> Glimpse:
        from calibration.advice import advise, drawn

        try:
            advice = advise(image_bgr, self._hint())
            picture = drawn(image_bgr, advice)
        except Exception:  # the camera must go on and the page say so
            log.exception("unexpected fault in a live picture")
            return Glimpse(number, "The umpire failed on this picture; the log says why.")
        return Glimpse(number, "", markers_words(advice), advice.changes, advice.remarks, _jpeg(picture))


def markers_words(advice: Advice) -> str:
    """How many markers are seen, and which are not."""
    from calibration.advice import Sight

    if advice.table is None:
        return ""
    missing = [str(marker.id) for marker in advice.markers if marker.sight is not Sight.SEEN]
    seen = f"{len(advice.markers) - len(missing)} of {len(advice.markers)} markers are seen well"
    return f"{seen}; not {', '.join(missing)}." if missing else f"{seen}."


def _jpeg(image_bgr: NDArray[uint8]) -> bytes:
    import cv2

    height, width = image_bgr.shape[:2]
    if width > WIDTH_PX:
        small = cv2.resize(image_bgr, (WIDTH_PX, round(height * WIDTH_PX / width)), interpolation=cv2.INTER_AREA)
        return _jpeg(small.astype("uint8"))
    return bytes(cv2.imencode(".jpg", image_bgr, [cv2.IMWRITE_JPEG_QUALITY, 80])[1].tobytes())
