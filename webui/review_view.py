"""A desk's sheet as the review page shows it, and as it is taken home: record, JSON, report."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from markupsafe import Markup

from webui.desk import Ruled, Sheet
from webui.games import tabletop_of
from webui.games.tabletop import Tabletop
from webui.live import Moment
from webui.mending import mending_view
from webui.present import WORDS, done_words, kind_of, move_text, page_view, ruling_json, sentence
from webui.report import Report
from webui.review import Event
from webui.seen import Seen
from webui.sight import picture_svg

Json = dict[str, Any]
PictureUrl = Callable[[str | None], str | None]

MOST_NOTES = 12
MOST_MOVES = 250


def sheet_view(sheet: Sheet, photo: str, picture_url: PictureUrl) -> Json:
    """Everything the page shows; `photo` is the one that is looked at, else the first."""
    names = sheet.names
    here = photo if photo in names else (names[0] if names else "")
    place = names.index(here) if here else 0
    return {
        "title": None if sheet.game_file is None else tabletop_of(sheet.game_file.game).TITLE,
        "players": () if sheet.game_file is None else sheet.game_file.players,
        "notes": _few(sheet.notes),
        "busy": sheet.busy,
        "read": sheet.count_read,
        "count": len(names),
        "done": sheet.is_done,
        "is_by_hand": sheet.is_by_hand,
        "steps": [_step(sheet, each, name, name == here, picture_url) for each, name in enumerate(names)],
        "photo": _photo(sheet, place, picture_url) if here else None,
        "before": names[place - 1] if place > 0 else None,
        "after": names[place + 1] if place + 1 < len(names) else None,
    }


def _few(notes: tuple[str, ...]) -> list[str]:
    more = len(notes) - MOST_NOTES
    return [*notes[:MOST_NOTES], *([f"And {more} more like these."] if more > 0 else [])]


def _step(sheet: Sheet, place: int, name: str, is_here: bool, picture_url: PictureUrl) -> Json:
    """A photo's line in the list."""
    read = sheet.read_of(name)
    ruled = _ruled(sheet, place)
    step = {"name": name, "here": is_here, "thumb": None if read is None else picture_url(read.thumb)}
    if ruled is not None:
        kind = kind_of(ruled.last)
        return step | {"kind": kind, "word": WORDS[kind], "what": done_words(ruled.last)}
    if read is None:
        return step | {"kind": "ahead", "word": "To be read", "what": ""}
    if read.error is not None:
        return step | {"kind": "error", "word": WORDS["error"], "what": ""}
    return step | {"kind": "none", "word": "Read", "what": ""}


def _ruled(sheet: Sheet, place: int) -> Ruled | None:
    return sheet.ruled[place] if place < len(sheet.ruled) else None


def _photo(sheet: Sheet, place: int, picture_url: PictureUrl) -> Json:
    """The photo that is looked at: its picture, its reading and its ruling."""
    name = sheet.names[place]
    read, ruled = sheet.read_of(name), _ruled(sheet, place)
    return {
        "name": name,
        "place": place,
        "picture": None if read is None else picture_url(read.picture),
        "shown": None if read is None else _shown(read, ruled, picture_url(read.picture)),
        "error": None if read is None else read.error,
        "is_read": read is not None,
        "mending": _mending(read, ruled),
        "ruling": None if read is None or ruled is None else _ruling(sheet, place, ruled),
        "answers": [_answer_words(event) for event in ruled.events[1:]] if ruled else [],
        "can_take_back": bool(sheet.answers_at(name)),
        "is_corrected": ruled is not None and ruled.last.is_corrected,
        "next": next_moves(ruled.last) if ruled is not None and place == len(sheet.names) - 1 else [],
    }


def _shown(read: Seen, ruled: Ruled | None, address: str | None) -> Markup | None:
    """The picture with what was recognised, as corrected, drawn over it."""
    scene = ruled.scene if ruled is not None and ruled.scene is not None else read.scene
    if address is None or read.sight is None or scene is None:
        return None
    return picture_svg(address, f"The photo {read.photo} with what was recognised drawn on it", read.sight, scene)


def _mending(read: Seen | None, ruled: Ruled | None) -> Json | None:
    """The table as it was read and corrected, and what else each stack may be."""
    if read is None or read.scene is None:
        return None
    scene = ruled.scene if ruled is not None and ruled.scene is not None else read.scene
    return mending_view(scene, read.layout) | {"can_mend": ruled is not None and ruled.scene is not None}


def _answer_words(event: Event) -> str:
    return f"{WORDS[kind_of(event)]}. {sentence(event)}"


def _ruling(sheet: Sheet, place: int, ruled: Ruled) -> Json:
    """The same view as on the table page, of this photo's last event, with the board as it changed."""
    before = sheet.ruled[place - 1].last if place > 0 else None
    events = tuple(event for event in (before, ruled.last) if event is not None)
    moment = Moment(ruled.last.game, events, len(events) - 1, photos=sheet.names, is_live=True)
    view = page_view(moment, lambda key: key or "")
    return without_buttons(view) | {"asked": view["verdict"]}


def without_buttons(view: Json) -> Json:
    """The table page's view, for pages on which nothing is said."""
    return view | {"choices": [], "verdict": view["verdict"] | {"choices": [], "can_agree": False}}


def next_moves(event: Event) -> list[str]:
    """What may be done next, in words; none before the start and after the end. At most `MOST_MOVES`."""
    state, game = event.state, event.game
    if state is None or game.GAME.outcome(state) is not None:
        return []
    moves = [move for move in game.GAME.candidates(state) if not game.GAME.violations(state, move)]
    words = dict.fromkeys(_move_words(game, state, move) for move in moves[:MOST_MOVES])
    more = len(moves) - MOST_MOVES
    return [*words, *([f"and {more} more"] if more > 0 else [])]


def _move_words(game: Tabletop, state: Any, move: Any) -> str:
    words = game.move_words(move, game.GAME.play(state, move))
    return words[:1].upper() + words[1:]


# What is taken home.


def record_text(sheet: Sheet, _: Callable[[str], bytes | None]) -> str:
    """The game as text: who played, and a line of notation for each photo."""
    if sheet.game_file is None:
        return ""
    head = [tabletop_of(sheet.game_file.game).TITLE, f"players: {', '.join(sheet.game_file.players)}", ""]
    lines = [_record_line(event) for ruled in sheet.ruled for event in ruled.events]
    return "\n".join([*head, *lines, ""])


def _record_line(event: Event) -> str:
    """As a kept match's record has it, with the photo in place of the time."""
    kind, line = kind_of(event), move_text(event.ruling)
    if kind == "legal":
        return f"{event.photo}  {line}"
    return f"{event.photo}  {kind}: {line or sentence(event)}" + (f"  ({sentence(event)})" if line else "")


def rulings_json(sheet: Sheet, _: Callable[[str], bytes | None]) -> str:
    """The rulings as `umpire review --json` prints them, in one object with who played."""
    if sheet.game_file is None:
        return "{}"
    rulings = [ruling_json(event) for ruled in sheet.ruled for event in ruled.events]
    doc = {"game": sheet.game_file.game, "players": list(sheet.game_file.players), "rulings": rulings}
    return json.dumps(doc, indent=1, ensure_ascii=False)


def report_html(sheet: Sheet, jpeg_of: Callable[[str], bytes | None]) -> str:
    """The report in one file, pictures included."""
    if sheet.game_file is None:
        return ""
    report = Report(sheet.game_file)
    for ruled in sheet.ruled:
        for number, event in enumerate(ruled.events):
            key = event.picture if number == 0 else None  # an answer is about the same picture
            report.enter(event, None if key is None else jpeg_of(key))
    return report.html()


TAKEN_HOME: dict[str, tuple[str, Callable[[Sheet, Callable[[str], bytes | None]], str]]] = {
    "record.txt": ("text/plain", record_text),
    "rulings.json": ("application/json", rulings_json),
    "report.html": ("text/html", report_html),
}
