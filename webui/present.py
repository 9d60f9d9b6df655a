"""Rulings and states in words, JSON and SVG. Nothing here decides: it says what the engine decided.

`page_view` is the whole page as plain values, `ruling_json` the line of `umpire review --json`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from engine.rules import Illegal, Legal, Ruling, Unclear
from webui.board import Marked, Piece, board_svg, changed_squares, pieces_of
from webui.live import PACES_S, Moment, Shown
from webui.review import Event

Json = dict[str, Any]

HEADLINES = {
    "legal": "Allowed",
    "illegal": "Not allowed",
    "unclear": "I cannot tell",
    "none": "No change",
    "start": "The table is set",
    "agreed": "Played so",
    "error": "I cannot see the table",
    "waiting": "Good evening",
}
WORDS = {**HEADLINES, "unclear": "Unclear", "start": "Set-up", "error": "Not readable"}


def kind_of(event: Event) -> str:
    """The one word that pages, scripts and style sheets know an event by."""
    if event.error is not None:
        return "error"
    if event.is_start:
        return "start"
    if event.is_agreed:
        return "agreed"
    return ruling_word(event.ruling)


def ruling_word(ruling: Ruling | None) -> str:
    match ruling:
        case Legal():
            return "legal"
        case Illegal():
            return "illegal"
        case Unclear():
            return "unclear"
    return "none"


def ruling_json(event: Event) -> Json:
    """The line that `umpire review --json` prints for an event."""
    if event.error is not None:
        return {"photo": event.photo, "error": event.error}
    return {
        "photo": event.photo,
        "ruling": ruling_word(event.ruling),
        "move": move_text(event.ruling),
        "rules": [{key: rule[key] for key in ("id", "text", "source")} for rule in rules_of(event.ruling)],
        "text": sentence(event),
        "questions": list(questions_of(event.ruling)),
        "warnings": list(event.warnings),
    }


def ruling_words(event: Event) -> str:
    """The event for people: a line of ruling, then a line for each rule and note."""
    kind = kind_of(event)
    lines = [f"{event.photo}: {WORDS[kind]}. {sentence(event)}".rstrip()]
    lines += [f"    rule {rule['id']}: {rule['text']} ({rule['source']})" for rule in rules_of(event.ruling)]
    lines += [f"    question: {question}" for question in questions_of(event.ruling)]
    lines += [f"    note: {warning}" for warning in event.warnings]
    return "\n".join(lines)


def move_text(ruling: Ruling | None) -> str | None:
    """The line in notation; of an unclear ruling the likeliest line, if there is one."""
    if isinstance(ruling, Legal | Illegal):
        return line_text(ruling.line)
    if isinstance(ruling, Unclear) and ruling.lines:
        return line_text(ruling.lines[0])
    return None


def line_text(line: tuple[Any, ...]) -> str:
    return "; ".join(str(move) for move in line)


def rules_of(ruling: Ruling | None) -> tuple[dict[str, str], ...]:
    """The rules that an illegal ruling rests on, each once, with what broke it."""
    if not isinstance(ruling, Illegal):
        return ()
    rules: dict[str, dict[str, str]] = {}
    for violation in ruling.violations:
        rule = violation.rule
        rules.setdefault(rule.id, {"id": rule.id, "text": rule.text, "source": rule.source, "detail": violation.detail})
    return tuple(rules.values())


def questions_of(ruling: Ruling | None) -> tuple[str, ...]:
    return tuple(str(question) for question in getattr(ruling, "questions", ()))


def sentence(event: Event) -> str:
    """What happened and why it is judged so, in a sentence or two."""
    if event.error is not None:
        return event.error
    match event.ruling:
        case Legal(line=line):
            return f"{_capital(line_text(line))}."
        case Illegal(line=line, violations=violations):
            details = "; ".join(dict.fromkeys(violation.detail for violation in violations))
            return f"{_capital(line_text(line))}: {details.rstrip('.')}."
        case Unclear(reason=reason):
            return f"{_capital(reason.rstrip('.'))}."
    if event.hand_in_view:
        return "A hand is over the table. I look again when it has gone."
    if event.is_start:
        return "This is where the game starts from."
    if event.is_agreed:
        return "The players go on from the table as it lies."
    return "The table lies as it did."


def page_view(moment: Moment, picture_url: Callable[[str | None], str]) -> Json:
    """Everything the page shows at a moment, ready to be laid out."""
    shown = moment.current
    verdict = _verdict(moment, shown)
    return {
        "title": f"{verdict['headline']} · Pyramid Umpire",
        "announce": f"{verdict['headline']}. {verdict['sentence']}",
        "game": "Martian Mids",
        "verdict": verdict,
        "turn": turn_view(shown.event if shown else None),
        "board": board_svg(*_board(moment)),
        "picture": {"src": picture_url(shown.picture if shown else None), "alt": _picture_words(shown)},
        "strip": _strip(moment, picture_url),
        "progress": f"Photo {_photo_number(moment)} of {len(moment.photos)}",
        "busy": moment.busy,
        "paused": moment.paused,
        "pace": round(moment.pace_s),
        "paces": [round(pace) for pace in PACES_S],
        "facts": ruling_json(shown.event) if shown else None,
    }


def _verdict(moment: Moment, shown: Shown | None) -> Json:
    if shown is None:
        return _placard("waiting", "The umpire takes its first look at the table.")
    event, kind = shown.event, kind_of(shown.event)
    rules = [rule | {"name": rule["id"].replace("-", " ")} for rule in rules_of(event.ruling)]
    choices = [line_text(line) for line in event.ruling.lines] if isinstance(event.ruling, Unclear) else []
    return _placard(kind, sentence(event)) | {
        "rules": rules,
        "choices": choices if moment.is_latest else [],
        "can_agree": moment.is_latest and kind in ("illegal", "unclear"),
        "notes": [*questions_of(event.ruling), *event.warnings],
    }


def _placard(kind: str, words: str) -> Json:
    return {
        "kind": kind,
        "headline": HEADLINES[kind],
        "sentence": words,
        "rules": [],
        "choices": [],
        "can_agree": False,
        "notes": [],
        "notes_heading": "The umpire also noticed",
    }


def _board(moment: Moment) -> tuple[tuple[Piece, ...], Marked | None]:
    """The pieces of the event that is shown, and what changed since the event before it."""
    if moment.current is None:
        return (), None
    pieces = _pieces(moment.current.event)
    kind = kind_of(moment.current.event)
    if moment.cursor == 0 or kind not in ("legal", "illegal", "unclear"):
        return pieces, None
    before = _pieces(moment.shown[moment.cursor - 1].event)
    return pieces, Marked(changed_squares(before, pieces), kind)


def _pieces(event: Event) -> tuple[Piece, ...]:
    return pieces_of(event.scene) if event.scene is not None else ()


def _strip(moment: Moment, picture_url: Callable[[str | None], str]) -> list[Json]:
    steps: list[Json] = [
        {
            "place": place,
            "photo": shown.event.photo,
            "kind": kind_of(shown.event),
            "word": WORDS[kind_of(shown.event)],
            "what": move_text(shown.event.ruling) or f"Photo {shown.event.photo}",
            "thumb": picture_url(shown.thumb) if shown.thumb else None,
            "now": place == moment.cursor,
        }
        for place, shown in enumerate(moment.shown)
    ]
    ahead = moment.photos[moment.photos_judged :]
    return steps + [{"place": None, "photo": photo, "kind": "ahead", "now": False} for photo in ahead]


def _photo_number(moment: Moment) -> int:
    if moment.current is None:
        return min(1, len(moment.photos))
    return moment.photos.index(moment.current.event.photo) + 1


def _picture_words(shown: Shown | None) -> str:
    if shown is None:
        return "No picture yet"
    if shown.event.scene is None:
        return f"The photo {shown.event.photo}"
    return f"The photo {shown.event.photo} with {len(shown.event.scene.stacks)} recognised stacks drawn on it"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]


def turn_view(event: Event | None) -> Json:
    """Who acts, in which round, and how everybody stands."""
    return {"stand": "none", "headline": "", "detail": "", "order_heading": "", "players": []}
