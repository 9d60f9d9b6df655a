"""Where the command `umpire` begins and ends.

A library that cannot be loaded is a sentence, and the doctor comes all the same. Ctrl+C ends everything at once and
without a traceback; threads that look at pictures just then go with the process, since OpenCV aborts when they are
ended one by one.
"""

from __future__ import annotations

import logging
import os
import sys
from contextlib import suppress

INTERRUPTED = 130  # what shells expect of a program that Ctrl+C ended


def main() -> None:
    """Never returns: ends the process with the command's status."""
    status = 0
    try:
        _open_outputs()
        _begin()
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(ended.code is not None)
    except KeyboardInterrupt:
        status = INTERRUPTED
    _end(status)


def _begin() -> None:
    try:
        from webui.cli import main as command
    except ImportError as fault:
        _without_a_library(fault)
    else:
        command()


def _without_a_library(fault: ImportError) -> None:
    import click

    from webui.doctor_command import doctor

    if "doctor" in sys.argv[1:]:
        doctor([each for each in sys.argv[1:] if each not in ("doctor", "--verbose")])
    click.echo(f"The umpire cannot start: {fault}. To see what is amiss and what helps: umpire doctor", err=True)
    sys.exit(1)


def _open_outputs() -> None:
    """Started with its output closed, the umpire speaks to nobody."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, open(os.devnull, "w", encoding="utf-8"))  # noqa: SIM115  until the end


def _end(status: int) -> None:
    logging.shutdown()
    for output in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            output.flush()
    os._exit(status)
