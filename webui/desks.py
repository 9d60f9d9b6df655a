"""The desks of all browsers that review photos: a few at a time, each found by a key that only its browser knows."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from secrets import token_urlsafe

from webui.desk import Desk, sweep

MOST_DESKS = 4
UNUSED_S = 30 * 60.0  # a desk that no page has asked about for so long may be cleared for another one


class DesksTakenError(Exception):
    """There is no desk free; the message says what to do."""


class Desks:
    """Opens and closes desks."""

    def __init__(self, new: Callable[[], Desk] = Desk, clock: Callable[[], float] = time.monotonic) -> None:
        self._new, self._clock, self._lock = new, clock, threading.Lock()
        self._desks: dict[str, tuple[Desk, float]] = {}
        sweep()

    def of(self, key: str | None) -> Desk | None:
        """The desk of that key, if there is one; it counts as used now."""
        with self._lock:
            if key not in self._desks or key is None:
                return None
            desk, _ = self._desks[key]
            self._desks[key] = desk, self._clock()
            return desk

    def open(self) -> str:
        """The key of a new desk. Raises DesksTakenError."""
        with self._lock:
            for key in [key for key, (_, used_s) in self._desks.items() if self._clock() - used_s > UNUSED_S]:
                self._desks.pop(key)[0].close()
            if len(self._desks) >= MOST_DESKS:
                raise DesksTakenError(f"{MOST_DESKS} reviews go on already. Clear one away, or come back later.")
            key = token_urlsafe(24)
            self._desks[key] = self._new(), self._clock()
            return key

    def close(self, key: str | None) -> None:
        """Clear that desk, if there is one."""
        with self._lock:
            desk, _ = self._desks.pop(key or "", (None, 0.0))
        if desk is not None:
            desk.close()
