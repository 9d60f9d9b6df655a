"""A kept match on its way back to the table: a long one is gone through in a thread, and tells how far it is."""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace

from webui.live import Live

log = logging.getLogger("umpire")

Progress = Callable[[int, int], None]


@dataclass(frozen=True)
class Stage:
    """How far it is: `done` of the match's inputs; a `fault` in words; in the end what is otherwise than it was."""

    done: int = 0
    of: int = 0
    is_ready: bool = False
    fault: str = ""
    notes: tuple[str, ...] = ()

    @property
    def is_over(self) -> bool:
        return self.is_ready or bool(self.fault)


def told(work: Callable[[], str]) -> str:
    """What the work on a match says went wrong, '' for nothing; a fault of ours is logged, and told as one."""
    try:
        return work()
    except Exception as fault:
        log.exception("unexpected fault while a match was gone through")
        return f"The umpire failed on this match ({type(fault).__name__}); the log says more."


class TakingUp:
    """One match that is taken up. `tried` puts faults of the work into words; '' for none."""

    def __init__(
        self,
        work: Callable[[Progress], tuple[Live, tuple[str, ...]]],
        show: Callable[[Live], None],
        tried: Callable[[Callable[[], object]], str],
    ) -> None:
        self._work, self._show, self._tried = work, show, tried
        self._stage = Stage()
        self._thread = threading.Thread(target=self._go, name="taking up", daemon=True)
        self._thread.start()

    @property
    def stage(self) -> Stage:
        return self._stage

    def wait(self, most_s: float) -> Stage:
        """How far it is when it is over, or after so many seconds."""
        self._thread.join(most_s)
        return self._stage

    def _go(self) -> None:
        if fault := told(lambda: self._tried(self._take_up)):
            self._stage = replace(self._stage, fault=fault)

    def _take_up(self) -> None:
        live, notes = self._work(self._tell)
        self._show(live)
        self._stage = replace(self._stage, is_ready=True, notes=notes)

    def _tell(self, done: int, of: int) -> None:
        self._stage = replace(self._stage, done=done, of=of)
