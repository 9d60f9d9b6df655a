"""A match watched photo by photo: each look becomes an event, and the state is kept for the next.

Used by `umpire review` and by the page alike. The first photo that can be read is the start; a photo that cannot be
read, or has a hand over the table, changes nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, cast

from engine.errors import IllegalMove, InvalidSetup
from engine.game import Agreed, Game
from engine.games import martian_mids
from engine.match import Match
from engine.rules import Illegal, Line, Ruling, Unclear
from webui.gamefile import GameFile, GameFileError
from webui.look import Look
from webui.readings import warnings_of

if TYPE_CHECKING:
    from vision.observe import Observation

GAME, LAYOUT = "martian-mids", "board"
MIDS = cast(Game, martian_mids)  # a module is a Game; mypy finds its constants too narrow


@dataclass(frozen=True)
class Event:
    """What one photo (or an answer of the players after it) brought.

    `state` is where the match goes on from, `table` the state as the table lies: another one after a fault. Both are
    None before the start.
    """

    photo: str
    ruling: Ruling | None = None
    state: martian_mids.State | None = None
    table: martian_mids.State | None = None
    error: str | None = None
    warnings: tuple[str, ...] = ()
    hand_in_view: bool = False
    is_start: bool = False
    is_agreed: bool = False


class Review:
    """One game's photos in order. Raises GameFileError when the game cannot be judged."""

    def __init__(self, game_file: GameFile) -> None:
        self._game_file = game_file
        self._setup = _setup_of(game_file)
        self._match: Match | None = None
        self._last = Event("")
        self._unsaid: tuple[str, ...] = ()

    def see(self, seen: Look) -> Event:
        """What this photo brought, judged from the state before it."""
        self._last = self._event(seen)
        return self._last

    def agree(self) -> Event | None:
        """The players' answer 'we play it so' to a fault; None when there is none to answer."""
        if self._match is None or not isinstance(self._last.ruling, Illegal):
            return None
        self._match.play(Agreed())
        return self._answered(self._match)

    def choose(self, place: int) -> Event | None:
        """The players' answer which line of an unclear ruling it was; a fault if that line breaks rules."""
        if self._match is None or not isinstance(self._last.ruling, Unclear):
            return None
        lines = self._last.ruling.lines
        if place >= len(lines):
            return None
        try:
            _played(Match(MIDS, self._match.history[-1].before[0]), lines[place])
        except IllegalMove as fault:
            self._last = replace(self._last, ruling=Illegal(lines[place], fault.violations), warnings=())
            return self._last
        self._match.undo()
        _played(self._match, lines[place])
        return self._answered(self._match)

    def _event(self, seen: Look) -> Event:
        here = Event(seen.photo, state=self._last.state, table=self._last.table)
        if seen.observation is None:
            return replace(here, error=seen.error)
        if seen.observation.hand_in_view:
            return replace(here, hand_in_view=True, warnings=warnings_of(seen.observation))
        if seen.observation.table.layout != LAYOUT:
            other = seen.observation.table.layout
            return replace(here, error=f"This photo shows the mats of {other}, and {GAME} is played on the {LAYOUT}.")
        return self._judged(seen.photo, seen.observation)

    def _judged(self, photo: str, observation: Observation) -> Event:
        if self._match is None:
            self._match = self._begun(observation)
            said = (*self._unsaid, *warnings_of(observation))
            return _standing(self._match, Event(photo, warnings=said, is_start=True))
        declared = self._declared(self._match, photo)
        ruling = self._match.see(observation.scene)
        said, self._unsaid = (*self._unsaid, *declared, *warnings_of(observation)), ()
        return _standing(self._match, Event(photo, ruling, warnings=tuple(dict.fromkeys(said))))

    def _begun(self, observation: Observation) -> Match:
        state = martian_mids.start(self._setup, observation.scene)
        contradiction = martian_mids.declared_warnings(state, self._setup.initiative)
        self._unsaid = (*martian_mids.start_warnings(state), *contradiction)
        return Match(MIDS, state)

    def _declared(self, match: Match, photo: str) -> tuple[str, ...]:
        """Take what was said before this photo; what makes no sense comes back as sentences."""
        odd = []
        for declaration in self._game_file.declared(photo):
            try:
                match.declare(declaration)
            except InvalidSetup as fault:
                odd.append(f"What was declared before {photo} was left aside: {fault}.")
        return tuple(odd)

    def _answered(self, match: Match) -> Event:
        self._last = _standing(match, replace(self._last, ruling=None, warnings=(), is_agreed=True))
        return self._last


def _standing(match: Match, event: Event) -> Event:
    """The event with where the match stands. After a fault the table lies as the last of its states has it."""
    states = match.states
    return replace(event, state=states[0], table=states[-1] if isinstance(event.ruling, Illegal) else states[0])


def _setup_of(game_file: GameFile) -> martian_mids.Setup:
    if game_file.game != GAME:
        raise GameFileError(f"This version judges {GAME} only, not {game_file.game!r}.")
    try:
        return martian_mids.Setup.from_json(game_file.setup)
    except InvalidSetup as fault:
        raise GameFileError(f"game.json: {fault}") from None


def _played(match: Match, line: Line) -> None:
    for move in line:
        match.play(move)
