"""A scripted match without a camera: tables as JSON and what players say, as a review takes it in.

The script is what a real review asked to keep of a random evening, so every input of it changes the match.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from typing import Any

import numpy as np

from engine.errors import EngineError
from engine.table import Colour, EmptyStand, Pose, Pyramid, Reading, Scene, Stack
from webui.correcting import Correction
from webui.gamefile import GameFile, game_file_from_json
from webui.pictures import Pictures
from webui.review import Review
from webui.seen import Seen

Json = dict[str, Any]
Table = dict[str, tuple[str, tuple[str, ...]]]  # square -> owner's stand and pyramids, bottom first

SETUP = {
    "game": "martian-mids",
    "players": [{"name": "Ann", "stand": "black"}, {"name": "Bob", "stand": "white"}],
    "initiative": ["Ann", "Bob"],
}
START: Table = {
    "b2": ("black", ("large red", "large green")),
    "f1": ("black", ("large yellow", "medium blue", "small red")),
    "c5": ("white", ("large green", "small red")),
    "g8": ("white", ("large blue", "medium red", "small yellow")),
}
SQUARE_MM, EDGE_MM = 39.6, 37.0
OTHERS = 2  # readings of a stack beside the first


def game_file() -> GameFile:
    return game_file_from_json(SETUP)


def script(length: int, seed: int) -> list[Json]:
    """So many inputs, as JSON."""
    rng, kept = random.Random(seed), list[Json]()
    review = Review(game_file(), at_table=True, keep=lambda said, event: kept.append(json.loads(json.dumps(said))))
    evening = said_and_seen(rng, review)
    while len(kept) < length:
        put_in(review, next(evening))
    return kept[:length]


def put_in(review: Review, what: Seen | Correction | str) -> None:
    """A table, a correction, or the name of what players say. What makes no sense now changes nothing."""
    try:
        if isinstance(what, Seen):
            review.see(what)
        elif isinstance(what, Correction):
            review.correct(what)
        else:
            getattr(review, what)()
    except EngineError:
        return


def said_and_seen(rng: random.Random, review: Review) -> Iterator[Seen | Correction | str]:
    """An evening without end: moves by turns, faults put right or played on, undo and redo, corrections."""
    table, number = dict(START), 0
    while True:
        after = _after_a_move(rng, table, review, is_fault=rng.random() < 0.1)
        yield seen(rng, after, number)
        number += 1
        match rng.choices(("on", "again", "back", "agree", "undo", "redo", "no", "mend"), (60, 10, 9, 6, 5, 4, 3, 3))[
            0
        ]:
            case "again":
                yield seen(rng, after, number)
            case "back":
                yield seen(rng, table, number)
                after = table
            case "agree":
                yield "agree"
            case "undo":
                yield "undo"
                yield seen(rng, table, number)
                after = table
            case "redo":
                yield "undo"
                yield "redo"
            case "no":
                yield "not_a_move"
                yield seen(rng, table, number)
                after = table
            case "mend":
                square = rng.choice(list(after))
                owner, pyramids = after[square]
                x, y = place_mm(square)
                mended = tuple(Pyramid.parse(each) for each in pyramids)
                yield Correction("board-sw", x, y, mended, None, Colour(owner), square)
        table, number = after, number + 1


def _after_a_move(rng: random.Random, table: Table, review: Review, is_fault: bool) -> Table:
    """The table after a Mid of whose turn it is went along a row or column to an empty square; too far in a fault."""
    state = review.state_for(None)
    if state is None:
        return table
    stand = {"Ann": "black", "Bob": "white"}[state.awaited[0]] if state.awaited else "black"
    for _ in range(100):
        origin = rng.choice([square for square, (owner, _) in table.items() if owner == stand] or list(table))
        most = len(table[origin][1])
        steps = most + 1 + rng.randrange(2) if is_fault else 1 + rng.randrange(most)
        across, up = rng.choice(((1, 0), (-1, 0), (0, 1), (0, -1)))
        way = [_square(origin, across * n, up * n) for n in range(1, steps + 1)]
        if all(each is not None and each not in table for each in way):
            return {square: mid for square, mid in table.items() if square != origin} | {str(way[-1]): table[origin]}
    return table


def _square(origin: str, across: int, up: int) -> str | None:
    file, rank = "abcdefgh".index(origin[0]) + across, int(origin[1]) + up
    return f"{'abcdefgh'[file]}{rank}" if 0 <= file < 8 and 1 <= rank <= 8 else None


def place_mm(square: str) -> tuple[float, float]:
    return (SQUARE_MM * ("abcdefgh".index(square[0]) + 0.5) + EDGE_MM, SQUARE_MM * (int(square[1]) - 0.5) + EDGE_MM)


def seen(rng: random.Random, table: Table, number: int, picture: str | None = None, thumb: str | None = None) -> Seen:
    """The table as a camera sees it: nudged by a millimetre or so, with some doubt about each stack."""
    stacks = [_stack(rng, square, *mid) for square, mid in table.items()]
    return Seen(
        f"{number:05}.jpg",
        "board",
        Scene.of(stacks, (EmptyStand("board-ne", "h7", Colour.WHITE),)),
        picture=picture,
        thumb=thumb,
    )


def _stack(rng: random.Random, square: str, owner: str, pyramids: tuple[str, ...]) -> Stack:
    x, y = place_mm(square)
    pose = Pose(x + rng.gauss(0, 0.7), y + rng.gauss(0, 0.7))
    read = tuple(Pyramid.parse(each) for each in pyramids)
    sure = rng.uniform(0.96, 0.995)
    other = Pyramid.parse(f"{read[-1].size} {'orange' if read[-1].colour is not Colour.ORANGE else 'red'}")
    readings = (
        Reading(read, None, Colour(owner), sure),
        *(Reading((*read[:-1], other), None, Colour(owner), (1 - sure) / (2**n)) for n in range(1, OTHERS + 1)),
    )
    return Stack("board-sw", square, pose, read, Colour(owner), readings)


def with_pictures(said: Json, pictures: Pictures) -> Json:
    """The input with pictures of its table taken into memory; the same table has the same pictures."""
    if "seen" not in said:
        return said
    number = int(said["seen"]["photo"].split(".")[0])
    image = np.random.default_rng(number).integers(0, 255, (48, 64, 3), np.uint8)
    keys = {"picture": pictures.keep(image, 64, 86), "thumb": pictures.keep(image, 32, 80)}
    return {"seen": said["seen"] | keys}
