"""A game as somebody sets it up on the page: what was typed, what is wrong with it, and the game.json that it makes.

Nothing typed is ever lost: `Typed` is what the form shows again, right or wrong.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from engine.errors import InvalidSetup
from webui.gamefile import GameFile, GameFileError, game_file_from_json
from webui.games.seating import SEATINGS, Seating
from webui.games.tabletop import Switch, Tabletop

LONGEST_NAME = 40
LONGEST = 400  # of any other field: an address or a folder
UMPIRE, TABLE = "umpire", "table"
POLE = "pole"  # of the dice: the umpire's, which say first who starts in front
LAST_OF_ALL = "form"  # where a fault stands that belongs to no field

Json = dict[str, Any]
Faults = dict[str, str]  # the field's name in the form: what is wrong, in words


@dataclass(frozen=True)
class Typed:
    """What somebody typed: `rows` of name and mark, and the other fields by their names in the form."""

    game: Tabletop
    rows: tuple[tuple[str, str], ...]
    fields: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def fresh(cls, game: Tabletop) -> Typed:
        """An empty form, with a mark for each player and everything else as the rules have it."""
        seating = SEATINGS[game.NAME]
        rows = tuple(("", seating.marks[n][0]) for n in range(seating.fewest))
        fields = {"begins": "0", "dice": TABLE, "deck": TABLE, "kind": "camera", "camera": "0"}
        fields |= {question.name: question.default for question in seating.questions}
        for switch in game.SWITCHES:
            fields[f"option-{switch.name}"] = _typed_value(switch, switch.default)
        return cls(game, rows, fields)

    @classmethod
    def from_form(cls, game: Tabletop, form: Mapping[str, str]) -> Typed:
        """What a form sent, cut to what a form can hold."""
        most = SEATINGS[game.NAME].most
        count = max((n + 1 for n in range(most) if f"name-{n}" in form), default=0)
        rows = tuple((_line(form, f"name-{n}", 2 * LONGEST_NAME), _line(form, f"mark-{n}")) for n in range(count))
        return cls(game, rows, {name: _line(form, name) for name in form if not name.startswith(("name-", "mark-"))})

    @property
    def seating(self) -> Seating:
        return SEATINGS[self.game.NAME]

    @property
    def players(self) -> tuple[tuple[int, str, str], ...]:
        """The rows with a name: their place in the form, name and mark."""
        return tuple((n, name, mark) for n, (name, mark) in enumerate(self.rows) if name)

    def get(self, name: str) -> str:
        return self.fields.get(name, "")

    def with_row(self) -> Typed:
        """With one more row for a player, if there is room: it gets the first mark that is free."""
        if len(self.rows) >= self.seating.most:
            return self
        taken = {mark for _, mark in self.rows}
        marks = [mark for mark, _ in self.seating.marks]
        free = next((mark for mark in marks if mark not in taken), marks[0])
        return Typed(self.game, (*self.rows, ("", free)), self.fields)

    @property
    def chosen(self) -> Json:
        """The switches that are not as usual, with their values."""
        values = {switch.name: self._chosen(switch) for switch in self.game.SWITCHES}
        return {name: value for name, value in values.items() if value is not None}

    def doc(self) -> Json:
        """The game.json that it makes, before the umpire adds its own; of a form with faults it is one with faults."""
        seating = self.seating
        doc: Json = {
            "game": self.game.NAME,
            "players": [{"name": name, seating.field: mark} for _, name, mark in self.players],
        }
        options = {switch.name: value for switch in self.game.SWITCHES if (value := self._chosen(switch)) is not None}
        if options:
            doc["options"] = options
        for question in seating.questions:
            said = self.get(question.name)
            doc[question.name] = int(said) if not question.values and _is_whole(said) else said
        if seating.begins:
            doc["first"] = next((name for n, name, _ in self.players if str(n) == self.get("begins")), "")
        if seating.has_dice and self.get("dice") in (UMPIRE, POLE):
            doc |= {"dice": UMPIRE} | ({"pole": UMPIRE} if self.get("dice") == POLE else {})
        if seating.own_board and self.get("square"):
            doc["square_mm"] = _number(self.get("square"))
        if self.get("lens"):
            doc["camera"] = self.get("lens")
        if seating.has_deck and self.get("deck") == UMPIRE:
            doc["deck"] = True
        return doc

    def faults(self) -> Faults:
        """What is wrong, field by field."""
        return {**self._faults_of_players(), **self._faults_of_answers()}

    def _faults_of_players(self) -> Faults:
        seating, found = self.seating, Faults()
        for n in range(len(self.rows)):
            if not self.rows[n][0] and len(self.players) < seating.fewest and n < seating.fewest:
                found[f"name-{n}"] = f"Give this {seating.who} a name: {seating.fewest} or more have to play."
        names: dict[str, str] = {}
        marks: dict[str, str] = {}
        for n, name, mark in self.players:
            if len(name) > LONGEST_NAME:
                found[f"name-{n}"] = f"A name has {LONGEST_NAME} letters at most; this has {len(name)}."
            elif name.casefold() in names:
                found[f"name-{n}"] = f"{names[name.casefold()]} is there already: give another name."
            if mark not in dict(seating.marks):
                found[f"mark-{n}"] = f"Choose one for {name}."
            elif seating.is_own and mark in marks:
                found[f"mark-{n}"] = f"{marks[mark]} has {mark} already: choose another for {name}."
            names.setdefault(name.casefold(), name)
            marks.setdefault(mark, name)
        return found

    def _faults_of_answers(self) -> Faults:
        seating, found = self.seating, Faults()
        for question in seating.questions:
            said = self.get(question.name)
            if question.values and said not in dict(question.values):
                found[question.name] = "Choose one of these."
            elif not question.values and not (_is_whole(said) and 1 <= int(said) <= 999):
                found[question.name] = f"This should be a whole number from 1, not {said!r}." if said else "How many?"
        is_full = len(self.players) >= seating.fewest  # else names are asked for, and that is enough
        if seating.begins and is_full and not any(str(n) == self.get("begins") for n, _, _ in self.players):
            found["begins"] = f"Say which {seating.who} begins."
        if seating.own_board and self.get("square") and not 10 <= _number(self.get("square")) <= 200:
            found["square"] = "A board's squares measure from 10 to 200 mm; leave it empty and they are measured."
        for switch in self.game.SWITCHES:
            if switch.values and self.get(f"option-{switch.name}") not in [str(n) for n in range(len(switch.values))]:
                found[f"option-{switch.name}"] = "Choose one of these."
        return found

    def _chosen(self, switch: Switch) -> Any:
        """The switch's value where it is not the usual one; None where it is."""
        said = self.get(f"option-{switch.name}")
        if switch.values:
            is_known = said in [str(n) for n in range(len(switch.values))]
            value = switch.values[int(said)] if is_known else switch.default
        else:
            value = said == "on"
        return None if value == switch.default else value


def made(typed: Typed) -> tuple[GameFile | None, Faults]:
    """The game that was set up, or what is wrong with it, field by field."""
    from webui.review import Review

    found = typed.faults()
    if found:
        return None, found
    try:
        game_file = game_file_from_json(typed.game.deal(typed.doc()))
        Review(game_file)
    except (GameFileError, InvalidSetup) as fault:
        return None, _placed(typed, str(fault))
    return game_file, {}


def _placed(typed: Typed, words: str) -> Faults:
    """A fault that the rules found, beside the field that it names."""
    words = words.removeprefix("game.json: ")
    row = re.match(r"players\[(\d+)\]\.(\w+)", words)
    if row is not None and int(row[1]) < len(typed.players):
        n = typed.players[int(row[1])][0]
        return {f"name-{n}" if row[2] == "name" else f"mark-{n}": words}
    field_name = re.match(r"\w+", words)
    known = {"first": "begins", "camera": "lens", "square_mm": "square"}
    name = known.get(field_name[0], field_name[0]) if field_name else ""
    return {name if name in typed.fields else LAST_OF_ALL: words}


def _typed_value(switch: Switch, value: Any) -> str:
    if switch.values:
        return str(switch.values.index(value)) if value in switch.values else ""
    return "on" if value else ""


def _line(form: Mapping[str, str], name: str, longest: int = LONGEST) -> str:
    """One line of text without what cannot be seen."""
    text = "".join(letter for letter in form.get(name, "") if letter.isprintable())
    return " ".join(text.split())[:longest]


def _is_whole(text: str) -> bool:
    return text.isascii() and text.isdigit() and len(text) <= 6


def _number(text: str) -> float:
    """The number that was typed, 0.0 where it is none."""
    try:
        return float(text.replace(",", "."))
    except ValueError:
        return 0.0
