"""`--camera NAME` and `--lens NAME`: the calibrations kept on this machine, for every command that looks."""

from __future__ import annotations

from dataclasses import replace

import click

from calibration import store
from calibration.store import Calibration
from webui.calibrate import calibration_words
from webui.gamefile import GameFile

LENS_OPTION = click.option("--lens", help="A calibrated camera's name: use its lens and not that of game.json.")


def calibration_of(camera: str | None) -> Calibration | None:
    """The calibration kept for the camera; what is in use is said on the error stream. Raises CalibrationError."""
    if camera is None:
        return None
    calibration = store.load(camera, store.cameras_folder())
    click.echo(f"Lens: {calibration_words(calibration)}", err=True)
    if warning := store.print_warning(calibration.print_scale):
        click.echo(warning, err=True)
    return calibration


def through(game_file: GameFile, lens: str | None) -> GameFile:
    """The game, seen through the lens of that name. Raises CalibrationError."""
    return game_file if lens is None else replace(game_file, camera=calibration_of(lens))
