"""Photos of the table that people send into a running game with their phones, and what came of each."""

from __future__ import annotations

import itertools
import threading
from dataclasses import dataclass

from webui.review import Event

MOST_WAITING = 4
REMEMBERED = 12

_NUMBERS = itertools.count(1)  # of all games of this program: no phone is told what became of another one's photo


@dataclass(frozen=True)
class Sent:
    """A photo that was sent: what it brought, or in words why it brought nothing. It waits as long as it has neither.

    `before` is the event before it, if any.
    """

    number: int
    event: Event | None = None
    before: Event | None = None
    fault: str = ""

    @property
    def is_waiting(self) -> bool:
        return self.event is None and not self.fault


class Inbox:
    """Remembers the last photos that were sent. Any thread may use it."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._sent: dict[int, Sent] = {}

    def expect(self) -> int | None:
        """The number of one more photo; None while too many wait."""
        with self._lock:
            if sum(each.is_waiting for each in self._sent.values()) >= MOST_WAITING:
                return None
            number = next(_NUMBERS)
            self._sent[number] = Sent(number)
            return number

    def tell(self, sent: Sent) -> None:
        """What came of a photo."""
        with self._lock:
            self._sent[sent.number] = sent
            while len(self._sent) > REMEMBERED:
                self._sent.pop(next(iter(self._sent)))

    def of(self, number: int) -> Sent | None:
        """The photo of that number; None when it was not sent into this game, or long ago."""
        with self._lock:
            return self._sent.get(number)
