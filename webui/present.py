"""Rulings and states in words, JSON and SVG. Nothing here decides: it says what the engine decided.

`page_view` is the whole page as plain values, `ruling_json` the line of `umpire review --json`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, replace
from typing import Any

from markupsafe import Markup

from engine.rules import Illegal, Legal, Line, Rule, Ruling, Unclear
from webui.games import naming
from webui.games.tabletop import Turn
from webui.live import PACES_S, Moment
from webui.next_place import poses_svg
from webui.review import Event
from webui.saying import groups_of
from webui.sight import picture_svg

Json = dict[str, Any]

NOT_BEGUN = Turn("Not begun yet")
STRIP = 60  # events in the strip at once: a page stays small all evening
LONG_SENTENCE, LONG_WITH_BUTTONS = 110, 90  # characters that fit the placard in large type

HEADLINES = {
    "legal": "Allowed",
    "illegal": "Not allowed",
    "unclear": "I cannot tell",
    "none": "No change",
    "start": "The table is set",
    "agreed": "Played so",
    "said": "Said",
    "no-move": "No move",
    "corrected": "Corrected",
    "error": "I cannot see",
    "unset": "Set the table",
    "right": "Put right",
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
    if event.is_no_move:
        return "no-move"
    if event.said:
        return "said"
    if event.differences:
        return "unset"
    if event.is_put_right:
        return "right"
    return "corrected" if event.is_corrected and event.ruling is None else ruling_word(event.ruling)


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
        "rules": [asdict(rule) for rule in rules_of(event.ruling)],
        "text": sentence(event),
        "questions": list(questions_of(event.ruling)),
        "warnings": list(event.warnings),
    }


def ruling_words(event: Event) -> str:
    """The event for people: a line of ruling, then a line for each rule and note."""
    kind = kind_of(event)
    lines = [f"{event.photo}: {WORDS[kind]}. {sentence(event)}".rstrip()]
    lines += [f"    rule {rule.id}: {rule.text} ({rule.source})" for rule in rules_of(event.ruling)]
    lines += [f"    question: {plain(question, event)}" for question in questions_of(event.ruling)]
    lines += [f"    note: {plain(warning, event)}" for warning in event.warnings]
    return "\n".join(lines)


def move_text(ruling: Ruling | None) -> str | None:
    """The line in notation; of an unclear ruling the likeliest line, if there is one."""
    line = _line_of(ruling)
    return None if line is None else line_text(line)


def _line_of(ruling: Ruling | None) -> Line | None:
    if isinstance(ruling, Legal | Illegal):
        return ruling.line
    return ruling.lines[0] if isinstance(ruling, Unclear) and ruling.lines else None


def line_text(line: Line) -> str:
    """The line in notation."""
    return "; ".join(str(move) for move in line)


def line_words(line: Line, event: Event) -> str:
    """The event's line for people, with who did it where the table shows it: 'Black moves f2-f4'."""
    return naming.line_words(event.game, line, event.table)


def done_words(event: Event) -> str:
    """What happened, as a line of a list; of an unclear ruling the likeliest, and "" where there is none."""
    line = _line_of(event.ruling)
    return "" if line is None else _capital(line_words(line, event))


def plain(text: str, event: Event | None) -> str:
    """A sentence of the engine as people at this event's table say it."""
    return text if event is None else naming.in_players_words(event.game, text, event.table)


def notes_of(event: Event) -> tuple[str, ...]:
    """What a ruling leaves open, and what else the umpire noticed, for people."""
    return tuple(plain(text, event) for text in (*questions_of(event.ruling), *event.warnings))


def rules_of(ruling: Ruling | None) -> tuple[Rule, ...]:
    """The rules that a fault breaks, each once."""
    if not isinstance(ruling, Illegal):
        return ()
    return tuple(dict.fromkeys(violation.rule for violation in ruling.violations))


def questions_of(ruling: Ruling | None) -> tuple[str, ...]:
    return ruling.questions if ruling is not None else ()


def sentence(event: Event) -> str:
    """What happened and why it is judged so, in a sentence or two."""
    if event.error is not None:
        return event.error
    match event.ruling:
        case Legal(line=line):
            return f"{_capital(line_words(line, event))}."
        case Illegal(line=line, violations=violations):
            details = "; ".join(dict.fromkeys(violation.detail for violation in violations))
            return f"{_capital(line_words(line, event))}: {plain(details, event).rstrip('.')}."
        case Unclear(reason=reason):
            return f"{_capital(plain(reason, event).rstrip('.'))}."
    if event.hand_in_view:
        return "A hand is over the table. I look again when it has gone."
    if event.is_start:
        return "This is where the game starts from."
    if event.differences:
        return "A new game does not start like this:"
    if event.is_put_right:
        return "The table lies as before the fault."
    if event.is_agreed:
        return "The players go on from the table as it lies."
    if event.is_no_move:
        return "That was no move. The game goes on from before it."
    if event.said:
        return event.said
    if event.is_corrected:
        return "The table is as you say. Nothing has happened on it."
    return "The table lies as it did."


def page_view(moment: Moment, picture_url: Callable[[str | None], str], players: tuple[str, ...] = ()) -> Json:
    """Everything the page shows at a moment, ready to be laid out. `players` are named on a table not yet seen."""
    event = moment.current
    verdict = _verdict(moment, event)
    return {
        "title": f"{verdict['headline']} · Pyramid Umpire",
        "announce": f"{verdict['headline']}. {verdict['sentence']}",
        "game": moment.game.TITLE,
        "match": f"{moment.game.NAME} {'at the table' if moment.is_live else moment.photos[:1]}",
        "verdict": verdict,
        "turn": _turn(event),
        "board": _board(moment, players),
        "doing": _doing(moment),
        "is_busy": bool(moment.busy),
        "can_take_back": moment.is_latest and event is not None and (event.ruling is not None or event.is_put_right),
        "mat": _mat(event),
        "choices": _choices(moment, event),
        "photo": _photo(moment, event, picture_url),
        "strip": _strip(moment, picture_url),
        "progress": _progress(moment),
        "busy": moment.busy,
        "trouble": moment.trouble,
        "refused": plain(moment.refused, event),
        "can_undo": moment.can_undo,
        "can_redo": moment.can_redo,
        "is_live": moment.is_live,
        "paused": moment.paused,
        "pace": round(moment.pace_s),
        "paces": [round(pace) for pace in PACES_S],
        "facts": ruling_json(event) if event else None,
        "count": len(moment.events),
        "kind": verdict["kind"],
    }


def _verdict(moment: Moment, event: Event | None) -> Json:
    if event is None:
        return _placard("waiting", "The umpire takes its first look at the table.")
    kind = kind_of(event)
    lines = event.ruling.lines if isinstance(event.ruling, Unclear) else ()
    shown = _placard(kind, sentence(event)) | {
        "rules": [_rule_view(rule) for rule in rules_of(event.ruling)],
        "choices": [_capital(line_words(line, event)) for line in lines] if moment.is_latest else [],
        "differences": list(event.differences),
        "can_agree": moment.is_latest and kind in ("illegal", "unclear", "unset"),
        "agree_words": "We start from here" if kind == "unset" else "We play it so",
        "notes": list(notes_of(event)),
        "notes_heading": "Still open" if questions_of(event.ruling) else "The umpire also noticed",
    }
    has_buttons = bool(shown["rules"] or shown["choices"] or shown["can_agree"])
    return shown | {"is_long": len(shown["sentence"]) > (LONG_WITH_BUTTONS if has_buttons else LONG_SENTENCE)}


def _rule_view(rule: Rule) -> Json:
    source = (
        f"Rulebook, section {rule.source}" if rule.source != "house ruling" else "A house ruling: the book is silent"
    )
    return {"name": rule.id.replace("-", " "), "text": rule.text, "source": source}


def _placard(kind: str, words: str) -> Json:
    return {
        "kind": kind,
        "headline": HEADLINES[kind],
        "sentence": words,
        "is_long": len(words) > LONG_SENTENCE,
        "rules": [],
        "choices": [],
        "differences": [],
        "can_agree": False,
        "agree_words": "",
        "notes": [],
        "notes_heading": "The umpire also noticed",
    }


def _mat(event: Event | None) -> Markup | None:
    return None if event is None or event.state is None else event.game.mat(event.state)


def _photo(moment: Moment, event: Event | None, picture_url: Callable[[str | None], str]) -> Markup:
    address = picture_url(event.picture if event else moment.glimpse)
    return photo_of(event if event is None or event.picture else replace(event, sight=None), address)


def photo_of(event: Event | None, address: str) -> Markup:
    """The picture at that address with what was recognised drawn over it, where that is known."""
    words = _picture_words(event)
    if event is not None and event.sight is not None and event.scene is not None:
        ahead = Markup() if event.state is None else poses_svg(event.sight, event.game.next_poses(event.state))
        return picture_svg(address, words, event.sight, event.scene, ahead)
    return Markup('<img src="{}" alt="{}" width="1280" height="960">').format(address, words)


def _choices(moment: Moment, event: Event | None) -> list[Json]:
    """What may be said on the main screen now."""
    if event is None or event.state is None or not moment.is_latest:
        return []
    return groups_of(moment.game.choices(event.state, None))


def _turn(event: Event | None) -> Turn:
    return NOT_BEGUN if event is None or event.state is None else event.game.turn(event.state)


def _board(moment: Moment, players: tuple[str, ...]) -> Markup:
    """The table of the event that is shown, with what changed since the state that it was judged from."""
    if moment.current is None:
        return moment.game.drawing(None, None, "legal", players)
    event, kind = moment.current, kind_of(moment.current)
    changed = moment.cursor > 0 and kind in ("legal", "illegal", "unclear")
    before = moment.events[moment.cursor - 1].state if changed else None
    return moment.game.drawing(event.table, before, kind, players)


def _strip(moment: Moment, picture_url: Callable[[str | None], str]) -> list[Json]:
    """The events about the one that is shown, and the photos that are still to come."""
    first = max(0, min(moment.cursor - STRIP // 2, len(moment.events) - STRIP))
    last = min(len(moment.events), first + STRIP)
    steps = [_step(moment, place, picture_url) for place in range(first, last)]
    earlier = [_more(first - 1, f"{first} earlier")] if first else []
    later = [_more(last, f"{len(moment.events) - last} later")] if last < len(moment.events) else []
    ahead = () if later else moment.photos[moment.photos_judged :][: STRIP // 2]
    to_come = [
        {"place": None, "number": last + n, "photo": photo, "kind": "ahead", "now": False}
        for n, photo in enumerate(ahead, 1)
    ]
    return [*earlier, *steps, *later, *to_come]


def _in_short(event: Event) -> str:
    """What happened; where nothing did, or nobody can tell, the photo is named."""
    return done_words(event) or event.said or f"Photo {event.photo}"


def _step(moment: Moment, place: int, picture_url: Callable[[str | None], str]) -> Json:
    event = moment.events[place]
    return {
        "place": place,
        "number": place + 1,
        "kind": kind_of(event),
        "word": WORDS[kind_of(event)],
        "what": _in_short(event),
        "thumb": picture_url(event.thumb) if event.thumb else None,
        "now": place == moment.cursor,
    }


def _more(place: int, word: str) -> Json:
    """The way to events that have no room in the strip."""
    return {"place": place, "number": "…", "kind": "more", "word": word, "what": "", "thumb": None, "now": False}


def _progress(moment: Moment) -> str:
    if moment.is_live:
        return f"Event {moment.cursor + 1} of {len(moment.events)}"
    return f"Photo {_photo_number(moment)} of {len(moment.photos)}"


def _doing(moment: Moment) -> str:
    """What the umpire does right now, in a line."""
    if not moment.is_latest:
        return "An earlier moment of the game"
    if moment.busy:
        return moment.busy
    if moment.paused:
        return "Paused"
    if moment.is_live:
        return "Watching the table"
    return "All photos are judged" if moment.is_over else f"A photo every {moment.pace_s:.0f} seconds"


def _photo_number(moment: Moment) -> int:
    if moment.current is None:
        return min(1, len(moment.photos))
    return moment.photos.index(moment.current.photo) + 1


def _picture_words(event: Event | None) -> str:
    if event is None:
        return "No picture yet"
    if event.error is not None:
        return f"The photo {event.photo}"
    return f"The photo {event.photo} with what was recognised drawn on it"


def _capital(words: str) -> str:
    return words[:1].upper() + words[1:]
