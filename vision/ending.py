"""Threads that work on pictures end before the program does.

One that is still inside OpenCV while the interpreter shuts down brings the whole program down: it aborts.
"""

from __future__ import annotations

import atexit
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

PATIENCE_S = 3.0  # for all of them together: one that waits for a camera to open may take minutes, and is left alone

_running: weakref.WeakKeyDictionary[threading.Thread, weakref.WeakMethod[Any]] = weakref.WeakKeyDictionary()


def ends_first(thread: threading.Thread, stop: Callable[[], None]) -> None:
    """When the program ends, `stop` (a bound method) is called and the thread waited for."""
    _running[thread] = weakref.WeakMethod(stop)


@atexit.register
def _end_all() -> None:
    alive = [(thread, stop()) for thread, stop in list(_running.items()) if thread.is_alive()]
    for _, stop in alive:
        if stop is not None:
            stop()
    until_s = time.monotonic() + PATIENCE_S
    for thread, _ in alive:
        thread.join(max(until_s - time.monotonic(), 0.0))
