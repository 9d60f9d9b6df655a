"""Making something once for everybody: ten viewers of a moment cost one rendering."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Made = TypeVar("Made")


class Once(Generic[Key, Made]):
    """Keeps what was made last and makes it anew when it is asked about something else. Any thread may ask."""

    def __init__(self, make: Callable[[Key], Made]) -> None:
        self._make, self._lock = make, threading.Lock()
        self._kept: tuple[Key, Made] | None = None

    def of(self, key: Key) -> Made:
        """What is made of the key; those who ask meanwhile wait for it."""
        with self._lock:
            if self._kept is None or self._kept[0] != key:
                self._kept = key, self._make(key)
            return self._kept[1]
