"""A match watched photo by photo: each look becomes an event, and the state is kept for the next.

Used by `umpire review` and by the page alike. The first photo that can be read is the start; a photo that cannot be
read, or has a hand over the table, changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from engine.errors import EngineError, IllegalMove, InvalidSetup
from engine.game import Agreed
from engine.match import Match
from engine.rules import Illegal, Line, Ruling, Unclear
from webui.gamefile import GameFile, GameFileError
from webui.games import tabletop_of
from webui.games.tabletop import Start, Tabletop
from webui.look import Look
from webui.readings import warnings_of

if TYPE_CHECKING:
    from vision.observe import Observation


@dataclass(frozen=True)
class Event:
    """What one photo (or an answer of the players after it) brought in a game.

    `state` is where the match goes on from, `table` the state as the table lies: another one after a fault. Both are
    as everybody may see them, and None before the start.
    """

    photo: str
    game: Tabletop
    ruling: Ruling | None = None
    state: Any | None = None
    table: Any | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()
    hand_in_view: bool = False
    is_start: bool = False
    is_agreed: bool = False
    is_put_right: bool = False
    differences: tuple[str, ...] = ()
    """Why a new game cannot start from this table; nothing has begun then."""

    @property
    def is_news(self) -> bool:
        """Whether the match goes on from here otherwise than before."""
        return self.ruling is not None or self.is_start or self.is_agreed or self.is_put_right


class Review:
    """One game's photos in order. Raises GameFileError when the game cannot be judged.

    With `is_new` the first table must be one that a game can start from; else what differs is a warning.
    """

    def __init__(self, game_file: GameFile, is_new: bool = False) -> None:
        self._game_file, self._is_new = game_file, is_new
        self.game, self._setup = _game_of(game_file)
        self._match: Match | None = None
        self._last = Event("", self.game)
        self._refused: Start | None = None
        self._unsaid: tuple[str, ...] = ()

    def see(self, seen: Look) -> Event:
        """What this photo brought, judged from the state before it. Without news the last ruling stays open."""
        event = self._event(seen)
        if event.is_news:
            self._last = event
        else:
            self._last = replace(self._last, photo=event.photo, state=event.state, table=event.table)
        return event

    def agree(self) -> Event | None:
        """The players' answer 'we play it so' to a fault, a doubt or a start; None when there is none to answer."""
        if self._match is None and self._refused is not None:
            start, self._is_new, self._refused = self._refused, False, None
            self._match = Match(self.game.GAME, start.state)
            here = replace(self._last, is_start=True, warnings=start.warnings)
            self._last = self._standing(self._match, here)
            return self._last
        if self._match is None or not isinstance(self._last.ruling, Illegal | Unclear):
            return None
        self._match.play(Agreed())
        waived = self._last.ruling.violations if isinstance(self._last.ruling, Illegal) else ()
        details = "; ".join(dict.fromkeys(violation.detail for violation in waived))
        return self._answered(self._match, (f"Waived this once: {details}.",) if waived else ())

    def choose(self, place: int) -> Event | None:
        """The players' answer which line of an unclear ruling it was; a fault if that line breaks rules."""
        if self._match is None or not isinstance(self._last.ruling, Unclear):
            return None
        lines = self._last.ruling.lines
        if place >= len(lines):
            return None
        try:
            _played(Match(self.game.GAME, self._match.history[-1].before[0]), lines[place])
        except IllegalMove as fault:
            self._last = replace(self._last, ruling=Illegal(lines[place], fault.violations), warnings=())
            return self._last
        self._match.undo()
        _played(self._match, lines[place])
        return self._answered(self._match)

    def _event(self, seen: Look) -> Event:
        here = Event(seen.photo, self.game, state=self._last.state, table=self._last.table)
        if seen.observation is None:
            return replace(here, error=seen.error)
        if seen.observation.hand_in_view:
            return replace(here, hand_in_view=True, warnings=warnings_of(seen.observation))
        layout, played_on = seen.observation.table.layout, self.game.LAYOUTS
        if layout not in played_on:
            expected = f"{self.game.TITLE} is played on the mats of {' or '.join(played_on)}"
            return replace(here, error=f"This photo shows the mats of {layout}, and {expected}.")
        return self._judged(here, seen.observation)

    def _judged(self, here: Event, observation: Observation) -> Event:
        if self._match is None:
            return self._begun(here, observation)
        before, declared = self._match.states, self._declared(self._match, here.photo)
        ruling = self._match.see(observation.scene)
        said, self._unsaid = (*self._unsaid, *declared, *warnings_of(observation)), ()
        event = replace(here, ruling=ruling, warnings=tuple(dict.fromkeys(said)))
        if ruling is None and isinstance(self._last.ruling, Illegal):
            if self._match.states == before:  # the fault still lies there
                return event
            event = replace(event, is_put_right=True)
        return self._standing(self._match, event)

    def _begun(self, here: Event, observation: Observation) -> Event:
        """The start of the match, or why there is none."""
        try:
            start = self.game.start(self._setup, observation.scene, observation.table.layout)
        except InvalidSetup as fault:
            return replace(here, error=f"The game cannot start from this photo: {fault}.")
        if self._is_new and start.warnings:
            self._refused = start
            return replace(here, differences=start.warnings, warnings=warnings_of(observation))
        self._match, self._refused, self._unsaid = Match(self.game.GAME, start.state), None, start.warnings
        said = (*self._unsaid, *warnings_of(observation))
        return self._standing(self._match, replace(here, warnings=said, is_start=True))

    def _declared(self, match: Match, photo: str) -> tuple[str, ...]:
        """Take what was said before this photo; what makes no sense comes back as sentences."""
        odd = []
        for declaration in self._game_file.declared(photo):
            try:
                self.game.declare(match, declaration)
            except EngineError as fault:
                odd.append(f"What was declared before {photo} was left aside: {fault}.")
        return tuple(odd)

    def _answered(self, match: Match, notes: tuple[str, ...] = ()) -> Event:
        self._last = self._standing(match, replace(self._last, ruling=None, warnings=notes, is_agreed=True))
        return self._last

    def _standing(self, match: Match, event: Event) -> Event:
        """The event with where the match stands. After a fault the table lies as the last of its states has it."""
        lies = match.states[-1] if isinstance(event.ruling, Illegal) else match.table
        state, table = (self.game.GAME.visible_to(each, None) for each in (match.table, lies))
        return replace(event, state=state, table=table)


def _game_of(game_file: GameFile) -> tuple[Tabletop, Any]:
    """The game and what was set up. Raises GameFileError."""
    try:
        game = tabletop_of(game_file.game)
        return game, game.setup(game_file.setup)
    except InvalidSetup as fault:
        raise GameFileError(f"game.json: {fault}") from None


def _played(match: Match, line: Line) -> None:
    for move in line:
        match.play(move)
