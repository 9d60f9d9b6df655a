"""Scenes as they were read from photos, kept as JSON: tests and benchmarks judge them without reading photos anew.

`python tests/stories/story_scenes.py FOLDER...` reads the photos of photographed games (NN.jpg, game.json and
story.json) and writes what they show beside this file, with the game and the right rulings.
"""

from __future__ import annotations

import json
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from engine.table import Colour, EmptyStand, Pose, Pyramid, Reading, Scene, Size, Stack

KEPT = Path(__file__).parent / "scenes"


@dataclass(frozen=True)
class Photo:
    """What a photo was read as (None: a hand was in view), and the right ruling on it."""

    name: str
    scene: Scene | None
    event: str
    is_legal: bool


@dataclass(frozen=True)
class Told:
    """A photographed game: its game.json and its photos in order."""

    name: str
    game: dict[str, Any]
    layout: str
    photos: tuple[Photo, ...]


def stories() -> tuple[Told, ...]:
    """All that are kept, in the order of their names."""
    return tuple(story(path.stem) for path in sorted(KEPT.glob("*.json")))


def story(name: str) -> Told:
    doc = json.loads((KEPT / f"{name}.json").read_text(encoding="utf-8"))
    photos = tuple(
        Photo(
            one["photo"],
            None if one["stacks"] is None else _scene(one["stacks"], one["stands"]),
            one["event"],
            one["legal"],
        )
        for one in doc["photos"]
    )
    return Told(name, doc["game"], doc["layout"], photos)


def _scene(stacks: list[Any], stands: list[Any]) -> Scene:
    empty = tuple(EmptyStand(sheet, zone, Colour(owner)) for sheet, zone, owner in stands)
    return Scene.of([_stack(*one) for one in stacks], empty)


def _stack(sheet: str, zone: str | None, x_mm: float, y_mm: float, readings: list[Any]) -> Stack:
    ranked = tuple(
        Reading(_pyramids(pyramids), heading, None if stand is None else Colour(stand), share)
        for pyramids, heading, stand, share in readings
    )
    first = ranked[0]
    return Stack(sheet, zone, Pose(x_mm, y_mm, first.heading_deg), first.pyramids, first.stand, ranked)


def _pyramids(text: str) -> tuple[Pyramid, ...]:
    return tuple(Pyramid(Colour(one[:-1]), Size(int(one[-1]))) for one in text.split())


def _kept(scene: Scene) -> tuple[list[Any], list[Any]]:
    """The stacks and empty stands of a scene as JSON."""
    stacks = [
        [
            stack.sheet,
            stack.zone,
            round(float(stack.pose.x_mm), 2),
            round(float(stack.pose.y_mm), 2),
            [
                [
                    " ".join(f"{pyramid.colour}{pyramid.size.value}" for pyramid in one.pyramids),
                    None if one.heading_deg is None else round(float(one.heading_deg), 2),
                    None if one.stand is None else str(one.stand),
                    float(f"{one.probability:.4g}"),
                ]
                for one in stack.readings
            ],
        ]
        for stack in scene.stacks
    ]
    return stacks, [[stand.sheet, stand.zone, str(stand.owner)] for stand in scene.empty_stands]


def _read(folder: Path) -> dict[str, Any]:
    from webui.gamefile import read_game_file
    from webui.look import look

    told = json.loads((folder / "story.json").read_text(encoding="utf-8"))
    game = read_game_file(folder)
    photos, layout = [], ""
    for frame in told["frames"]:
        seen = look(folder / frame["photo"], game.lens_for).observation
        assert seen is not None, f"{folder / frame['photo']} cannot be read"
        stacks, stands = (None, []) if seen.hand_in_view else _kept(seen.scene)
        layout = seen.table.layout
        photos.append(
            {
                "photo": frame["photo"],
                "event": frame["event"],
                "legal": frame["legal"],
                "stacks": stacks,
                "stands": stands,
            }
        )
    return {"layout": layout, "game": game.setup, "photos": photos}


if __name__ == "__main__":
    KEPT.mkdir(exist_ok=True)
    for folder in map(Path, sys.argv[1:]):
        kept = json.dumps(_read(folder), separators=(",", ":")).replace('{"photo"', '\n{"photo"')
        (KEPT / f"{folder.name}.json").write_text(kept + "\n", encoding="utf-8")
        print(folder.name)
