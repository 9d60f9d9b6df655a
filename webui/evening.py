"""What the page shows this evening: one game at a time. Beginning another one ends the watching of the one before."""

from __future__ import annotations

import threading

from webui.live import Live


class Evening:
    """Holds the game that is on. Each game that is shown is started here and stopped when another one comes."""

    def __init__(self, live: Live) -> None:
        self._lock, self._live, self._is_started = threading.Lock(), live, False

    @property
    def live(self) -> Live:
        """The game that is on now."""
        with self._lock:
            return self._live

    def start(self) -> None:
        """Begin to look at the table."""
        with self._lock:
            self._is_started = True
            self._live.start()

    def show(self, live: Live) -> None:
        """From now on the page shows this game."""
        with self._lock:
            before, self._live = self._live, live
            if self._is_started:
                live.start()
        before.stop()

    def stop(self) -> None:
        self.live.stop()
