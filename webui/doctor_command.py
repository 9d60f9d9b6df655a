"""The command `umpire doctor`, and the bundle: the one file to attach to a bug report.

The bundle holds nothing that was said, seen or named at a table: no names of people, files, cameras or folders.
"""

from __future__ import annotations

import json
import platform
import re
import sys
import zipfile
from pathlib import Path
from typing import IO, Any

import click

from webui.doctor import DISTRIBUTION, USUAL_PORT, Finding, Verdict, examined, program, requirements, version_of
from webui.logs import log_file, without_names
from webui.whole_files import write_whole

LOG_LINES = 400  # of the log's end
WHAT_IS_IN_IT = {
    "findings.json": "how each check ended, without folders and names",
    "versions.txt": "of the umpire, its libraries and the system",
    "log.txt": f"the last {LOG_LINES} lines of the log, without names, files or anything that was said at a table",
}
NAMELESS = ("Python", "Libraries", "OpenCV", "Recognition", "Printing", "Port")
"""Findings whose words tell nothing of people, cameras and folders."""

FOLDERS = re.compile(r"\S*[\\/](?:.*[\\/])?")  # up to the last of a line: a folder's name may have blanks


def bundle(findings: tuple[Finding, ...], log_file: Path) -> dict[str, str]:
    """The texts to attach to a report by their names: no secret, no name of a person, file, camera or folder."""
    return {
        "findings.json": json.dumps([_nameless(each) for each in findings], indent=1),
        "versions.txt": "\n".join([f"{DISTRIBUTION} {program()}", platform.platform(), *_versions()]),
        "log.txt": without_names("\n".join(_end_of(log_file))),
    }


def _nameless(finding: Finding) -> dict[str, str]:
    words = FOLDERS.sub("…/", finding.words) if finding.what in NAMELESS else "(left out)"
    return {"what": finding.what, "verdict": finding.verdict.value, "words": words}


def _versions() -> list[str]:
    return [f"{name} {version_of(name) or 'missing'}" for name, _ in requirements()]


def _end_of(log_file: Path) -> list[str]:
    try:
        return log_file.read_text(encoding="utf-8", errors="replace").splitlines()[-LOG_LINES:]
    except OSError:
        return []


@click.command()
@click.option("--json", "as_json", is_flag=True, help="One JSON object, for scripts.")
@click.option("--port", type=click.IntRange(1, 65535), default=USUAL_PORT, show_default=True, help="Where to play.")
@click.option(
    "--bundle",
    "file",
    type=click.Path(path_type=Path),
    metavar="FILE.zip",
    help="Also write the one file to attach to a bug report. It holds no secrets, names or pictures.",
)
def doctor(as_json: bool, port: int, file: Path | None) -> None:
    """Look whether this computer has all that the umpire needs, and say what to do where it has not.

    Ends with status 1 when something does not work.
    """
    if file is not None and file.suffix.lower() != ".zip":
        raise click.UsageError(f"The bundle is a zip file, so its name should end in .zip, but is {file}.")
    findings = examined(port, log_file())
    amiss = sum(finding.verdict is Verdict.AMISS for finding in findings)
    if as_json:
        click.echo(json.dumps(_report_json(findings, amiss)))
    else:
        for finding in findings:
            click.echo(finding)
        click.echo(
            "\nAll is well." if not amiss else f"\n{amiss} amiss: do what it says beside AMISS, then run it again."
        )
    if file is not None:
        _write_bundle(file, bundle(findings, log_file()))
    sys.exit(1 if amiss else 0)


def _report_json(findings: tuple[Finding, ...], amiss: int) -> dict[str, Any]:
    return {"version": program(), "is_well": amiss == 0, "findings": [each.to_json() for each in findings]}


def _write_bundle(file: Path, texts: dict[str, str]) -> None:
    """Says what goes into it first. Raises UsageError when it cannot be written."""
    click.echo(f"\n{file} will hold:", err=True)
    for name, text in texts.items():
        click.echo(f"  {name:<14} {WHAT_IS_IN_IT[name]} ({len(text.encode())} bytes)", err=True)

    def pack(into: IO[bytes]) -> None:
        with zipfile.ZipFile(into, "w", zipfile.ZIP_DEFLATED) as packed:
            for name, text in texts.items():
                packed.writestr(name, text)

    try:
        write_whole(file, pack)
    except OSError as fault:
        raise click.UsageError(f"{file} cannot be written: {fault.strerror}.") from None
    click.echo("Written. Open it and read it before you send it, if you like.", err=True)
