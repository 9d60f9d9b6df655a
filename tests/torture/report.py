"""What a torture run tells: its figures, and what must be nought.

Each module here has `run(...) -> Report` and ends with

    if __name__ == "__main__":
        sys.exit(told(run()))

It is started as `python tests/torture/NAME.py`, so that this folder is the first on the path: `from report import
Report, told`. No module here may be called as one of the standard library (`secrets`, `queue`, `signal` ...).
"""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass, field


@dataclass(frozen=True)
class Report:
    """`counts`: what was done and measured, in the order to print. `lost`: events, pictures or tables that were gone,
    doubled or brought the program down. `leaked`: secrets that somebody could read. `words`: what to know beside it,
    and each loss and leak in a sentence."""

    name: str
    counts: dict[str, int | float | str] = field(default_factory=dict)
    lost: int = 0
    leaked: int = 0
    words: tuple[str, ...] = ()

    @property
    def is_clean(self) -> bool:
        return self.lost == 0 and self.leaked == 0

    def __str__(self) -> str:
        figures = (f"  {what}: {figure}" for what, figure in (self.counts | {"lost": self.lost}).items())
        return "\n".join((self.name, *figures, f"  leaked: {self.leaked}", *(f"  - {each}" for each in self.words)))

    def to_json(self) -> str:
        """One line, from which `from_json` makes the same report."""
        return json.dumps(asdict(self))

    @classmethod
    def from_json(cls, line: str) -> Report:
        """Raises ValueError, KeyError or TypeError for a line that is no report."""
        said = json.loads(line)
        return cls(said["name"], said["counts"], int(said["lost"]), int(said["leaked"]), tuple(said["words"]))


def told(report: Report) -> int:
    """Print the figures, then the report as one line of JSON for `all.py`; the exit status, 1 when it is not clean."""
    print(report)
    print(report.to_json())
    sys.stdout.flush()
    return 0 if report.is_clean else 1
