"""The report of a reviewed game: one HTML file with every picture, ruling and rule, that needs nothing beside it."""

from __future__ import annotations

import base64
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import jinja2
from markupsafe import Markup

from webui.gamefile import GameFile
from webui.look import Look
from webui.pictures import PICTURE_WIDTH_PX, Pictures
from webui.present import HEADLINES, kind_of, notes_of, photo_of, rules_of, sentence
from webui.review import Event


@dataclass(frozen=True)
class Entry:
    """An event, the drawing of its table, and its picture with all that it needs, if its photo is a picture at all."""

    event: Event
    drawing: Markup
    picture: Markup | None


class Report:
    """Takes the events of a review in as they come, since photos are too large to be kept."""

    def __init__(self, game_file: GameFile) -> None:
        self._players = game_file.players
        self._pictures = Pictures()
        self._entries: list[Entry] = []

    def add(self, seen: Look, event: Event) -> None:
        """One more photo and what it brought."""
        key = None if seen.image_bgr is None else self._pictures.keep(seen.image_bgr, PICTURE_WIDTH_PX, 86)
        jpeg = None if key is None else self._pictures.get(key)
        self._pictures.drop(key)
        self.enter(event, jpeg)

    def enter(self, event: Event, jpeg: bytes | None) -> None:
        """One more event with its picture; what was recognised is drawn over it."""
        address = None if jpeg is None else f"data:image/jpeg;base64,{base64.b64encode(jpeg).decode()}"
        photo = None if address is None else photo_of(event, address)
        before = self._entries[-1].event.state if self._entries else None
        changed = before if kind_of(event) in ("legal", "illegal", "unclear") else None
        self._entries.append(Entry(event, event.game.drawing(event.table, changed, kind_of(event)), photo))

    def html(self) -> str:
        """The whole file."""
        return _TEMPLATES.get_template("report.html").render(
            title=self._entries[0].event.game.TITLE if self._entries else "No photos",
            players=self._players,
            counts=_counts([entry.event for entry in self._entries]),
            events=[_view(number, entry) for number, entry in enumerate(self._entries, 1)],
            style=Markup((Path(__file__).parent / "static" / "page.css").read_text(encoding="utf-8")),
        )


_TEMPLATES = jinja2.Environment(
    loader=jinja2.FileSystemLoader(Path(__file__).parent / "templates"),
    autoescape=True,
    trim_blocks=True,
    lstrip_blocks=True,
)


def _view(number: int, entry: Entry) -> dict[str, object]:
    event, kind = entry.event, kind_of(entry.event)
    return {
        "number": number,
        "photo": event.photo,
        "kind": kind,
        "headline": HEADLINES[kind],
        "sentence": sentence(event),
        "rules": rules_of(event.ruling),
        "notes": notes_of(event),
        "drawing": entry.drawing,
        "picture": entry.picture,
    }


def _counts(events: Sequence[Event]) -> str:
    """How many of each ruling there are: '5 allowed, 1 not allowed'."""
    kinds = [kind_of(event) for event in events]
    return ", ".join(
        f"{kinds.count(kind)} {HEADLINES[kind].lower()}"
        for kind in ("legal", "illegal", "none", "error")
        if kind in kinds
    ) + (f", {kinds.count('unclear')} that the umpire cannot tell" if "unclear" in kinds else "")
