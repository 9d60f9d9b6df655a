"""`make torture`: every module here in a process of its own, one after the other; the last line sums up.

    python tests/torture/all.py [NAME ...]

Exit status 1 when something was lost or leaked, or when a run ended without a report.
"""

from __future__ import annotations

import subprocess
import sys
import time
from pathlib import Path

from report import Report

HERE = Path(__file__).parent
NO_RUNS = {"all", "doors", "mutate", "report", "script"}


def runs() -> tuple[str, ...]:
    return tuple(sorted(path.stem for path in HERE.glob("*.py") if path.stem not in NO_RUNS))


def report_of(name: str) -> Report | None:
    """Run it, show what it prints, and take its report from its last line; None when it ended without one."""
    lines = [""]
    with subprocess.Popen([sys.executable, str(HERE / f"{name}.py")], stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            if not line.startswith('{"name"'):
                print(line, end="", flush=True)
            lines.append(line)
    try:
        return Report.from_json(lines[-1])
    except (ValueError, KeyError, TypeError):
        print(f"{name} ended with status {process.returncode} and without a report.", flush=True)
        return None


def main(names: tuple[str, ...]) -> int:
    began = time.monotonic()
    told = {name: report_of(name) for name in names or runs()}
    reports = [report for report in told.values() if report is not None]
    lost, leaked = sum(report.lost for report in reports), sum(report.leaked for report in reports)
    silent = [name for name, report in told.items() if report is None]
    missing = f", no report from {', '.join(silent)}" if silent else ""
    minutes = (time.monotonic() - began) / 60
    print(f"torture: {len(reports)} runs in {minutes:.1f} minutes, {lost} lost, {leaked} leaked{missing}")
    return 1 if silent or lost or leaked else 0


if __name__ == "__main__":
    sys.exit(main(tuple(sys.argv[1:])))
