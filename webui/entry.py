"""Where the command `umpire` begins: a library that cannot be loaded is a sentence, and the doctor comes anyway."""

from __future__ import annotations

import sys

import click


def main() -> None:
    """The command line; without it the doctor, or in words why there is none."""
    try:
        from webui.cli import main as command
    except ImportError as fault:
        _without_a_library(fault)
    else:
        command()


def _without_a_library(fault: ImportError) -> None:
    from webui.doctor_command import doctor

    if "doctor" in sys.argv[1:]:
        doctor([each for each in sys.argv[1:] if each not in ("doctor", "--verbose")])
    click.echo(f"The umpire cannot start: {fault}. To see what is amiss and what helps: umpire doctor", err=True)
    sys.exit(1)
