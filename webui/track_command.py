"""`umpire track`: a drawn track from a photo into game.json.

Exit status as for the other commands; 3 where no whole track can be read, and then nothing is written.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import click

from webui.gamefile import GameFileError
from webui.lenses import calibration_of
from webui.look import ready_eyes
from webui.tracks import (
    SeenTrack,
    TrackUnreadError,
    checked,
    drawing,
    kept_in,
    notes,
    seen_track,
    track_json,
    track_words,
    with_clicks,
)

INCOMPLETE = 3
FILE = click.Path(path_type=Path)


@click.command()
@click.argument("photo", type=FILE)
@click.option("-o", "--output", "game", type=FILE, metavar="GAME.JSON", help="Write the track into this file.")
@click.option("--overlay", "overlay", type=FILE, metavar="FILE", help="Also draw what was read over the photo.")
@click.option(
    "--points",
    type=FILE,
    metavar="FILE",
    help='Lines that you clicked, as pixels of the photo: {"outer": [[x, y], ...], "finish": [[x, y], [x, y]]}; the '
    "others are read. Parts are outer, inner, finish and walls (a list of lines).",
)
@click.option("--walls", type=click.Choice(["outer"]), help="The whole outer line is a wall.")
@click.option("--direction", type=click.Choice(["clockwise", "counter-clockwise"]), help="Which way the race goes.")
@click.option("--camera", help="The calibrated camera that took the photo, by its name.")
def track(
    photo: Path,
    game: Path | None,
    overlay: Path | None,
    points: Path | None,
    walls: str | None,
    direction: str | None,
    camera: str | None,
) -> None:
    """Read the track that is drawn between the four corner cards in PHOTO.

    Draw the outer and the inner line closed all around and a finish line across; what is red is a wall.
    """
    from vision.camera import PhotoError, read_photo

    calibration, clicks = calibration_of(camera), _clicks(points)
    ready_eyes()
    try:
        seen = with_clicks(seen_track(read_photo(photo), calibration), clicks)
    except (PhotoError, TrackUnreadError) as fault:
        _refuse(str(fault))
    if overlay is not None:
        _draw(seen, overlay)
    try:
        found = track_json(seen, walls == "outer")
    except TrackUnreadError as fault:
        _refuse(str(fault))
    for note in notes(seen, checked(found)):
        click.echo(note, err=True)
    click.echo(track_words(checked(found), 1 if walls else len(found["walls"])), err=True)
    if game is None:
        said: dict[str, Any] = {"track": found} | ({"direction": direction} if direction else {})
        click.echo(json.dumps(said))
        return
    was_there = kept_in(game, found, direction)
    click.echo(f"{game} has the track now." + ("" if was_there else " Say in it who plays: the players with a colour."))


def _refuse(words: str) -> Any:
    click.echo(f"No track was read. {words}", err=True)
    sys.exit(INCOMPLETE)


def _clicks(path: Path | None) -> dict[str, Any]:
    if path is None:
        return {}
    try:
        clicks = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError, RecursionError) as fault:
        raise GameFileError(f"{path} cannot be read as JSON: {fault}") from None
    if not isinstance(clicks, dict):
        raise GameFileError(f'{path} should be an object such as {{"finish": [[612, 840], [615, 702]]}}.')
    return clicks


def _draw(seen: SeenTrack, path: Path) -> None:
    import cv2

    ending = path.suffix.lower() if path.suffix.lower() in (".jpg", ".jpeg", ".png") else ".png"
    try:
        path.write_bytes(cv2.imencode(ending, drawing(seen))[1].tobytes())
    except OSError as fault:
        raise GameFileError(f"{path} cannot be written: {fault.strerror}.") from None
