"""A match watched table by table: each look and each thing that players say becomes an event.

Used by `umpire review` and by the page alike. The first photo that can be read is the start; a photo that cannot be
read, or has a hand over the table, changes nothing. A review is made of what was put into it, and nothing else:
`take` takes the same inputs as JSON, so a match that was kept can be gone through again.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from engine.errors import EngineError, IllegalMove, InvalidSetup
from engine.game import Agreed
from engine.match import Match
from engine.rules import Illegal, Line, Ruling, Unclear
from engine.table import Scene
from webui.correcting import Corrected, Correction, remembered, still_meant, with_corrections
from webui.gamefile import GameFile, GameFileError
from webui.games import tabletop_of
from webui.games.tabletop import Start, Tabletop
from webui.seen import Json, Seen, SeenError, seen_from_json, seen_json
from webui.sight import Sight


@dataclass(frozen=True)
class Event:
    """What one table, or something that the players said after it, brought in a game.

    `state` is where the match goes on from, `table` the state as the table lies: another one after a fault. Both are
    as everybody may see them, and None before the start. `picture` and `thumb` are keys of `webui.pictures`.
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
    is_no_move: bool = False
    is_corrected: bool = False
    said: str = ""
    """What a player said that is no ruling, in words."""
    differences: tuple[str, ...] = ()
    """Why a new game cannot start from this table; nothing has begun then."""
    picture: str | None = None
    thumb: str | None = None
    scene: Scene | None = None
    """What lies on the table, as corrected; `sight` tells how the picture shows it."""
    sight: Sight | None = None

    @property
    def is_news(self) -> bool:
        """Whether the match goes on from here otherwise than before."""
        return self.ruling is not None or self.is_start or self.is_put_right or self.is_answer or self.is_corrected

    @property
    def is_answer(self) -> bool:
        """Whether players said it and no table showed it."""
        return self.is_agreed or self.is_no_move or bool(self.said)


class NotKeptError(Exception):
    """An event could not be kept, so it did not happen; the message says why and what to do."""


Keep = Callable[[Json, Event], None]


@dataclass(frozen=True, eq=False, repr=False)
class _Now:
    """Where a review stands. The match in it never changes: each input works on a copy."""

    last: Event
    is_new: bool
    match: Match | None = None
    refused: Start | None = None  # a start that differs from a proper one, until the players agree to it
    unsaid: tuple[str, ...] = ()
    seen: Seen | None = None  # the last table, as it was read
    corrections: tuple[Corrected, ...] = ()
    ignored: Scene | None = None  # a table that the players say shows no move
    events: tuple[Event, ...] = ()
    base: _Now | None = None  # from where the last event was judged, if a table showed it


class Review:
    """One game's tables in order. Raises GameFileError when the game cannot be judged.

    With `is_new` the first table must be one that a game can start from; else what differs is a warning. `at_table`:
    looks that bring no news are no events. `keep` is called with each input that changes the match, as JSON, before
    the event is there for anybody; where it raises NotKeptError nothing has happened.
    """

    def __init__(
        self, game_file: GameFile, is_new: bool = False, at_table: bool = False, keep: Keep | None = None
    ) -> None:
        self._game_file, self._at_table, self.keep = game_file, at_table, keep
        self.game, self._setup = _game_of(game_file)
        self._now = _Now(Event("", self.game), is_new)
        self._past: tuple[_Now, ...] = ()
        self._undone: tuple[_Now, ...] = ()
        self._unkept: tuple[Json, Event] | None = None  # the last table, where it changed nothing

    # What is asked.

    @property
    def game_file(self) -> GameFile:
        """Who plays what."""
        return self._game_file

    @property
    def events(self) -> tuple[Event, ...]:
        """What happened so far; what was undone is not among it."""
        return self._now.events

    @property
    def can_undo(self) -> bool:
        return bool(self._past)

    @property
    def can_redo(self) -> bool:
        return bool(self._undone)

    @property
    def scene(self) -> Scene | None:
        """The last table that was seen, as the players corrected it."""
        now = self._now
        if now.seen is None or now.seen.scene is None:
            return None
        return with_corrections(now.seen.scene, now.corrections)

    def state_for(self, player: str | None) -> Any | None:
        """Where the match stands, as that player may see it, or (None) everybody; None before the start."""
        match = self._now.match
        return None if match is None else self.game.GAME.visible_to(match.table, player)

    # What is put in.

    def see(self, seen: Seen) -> Event:
        """What this table brought, judged from the state before it. Without news the last ruling stays open."""
        event, after = self._seen(self._now, seen)
        self._accept({"seen": seen_json(seen)} if seen.scene is not None else {}, event, after)
        return event

    def agree(self) -> Event | None:
        """The players' answer 'we play it so' to a fault, a doubt or a start; None when there is none to answer."""
        now = self._now
        if now.match is None and now.refused is not None:
            match = Match(self.game.GAME, now.refused.state)
            event = replace(now.last, is_start=True, differences=(), warnings=now.refused.warnings)
            return self._answered({"agree": True}, match, event, replace(now, refused=None, is_new=False))
        if now.match is None or not isinstance(now.last.ruling, Illegal | Unclear):
            return None
        match = now.match.copy()
        match.play(Agreed())
        waived = now.last.ruling.violations if isinstance(now.last.ruling, Illegal) else ()
        details = "; ".join(dict.fromkeys(violation.detail for violation in waived))
        notes = (f"Waived this once: {details}.",) if waived else ()
        return self._answered({"agree": True}, match, self._answer(is_agreed=True, warnings=notes))

    def choose(self, place: int) -> Event | None:
        """The players' answer which line of an unclear ruling it was; a fault if that line breaks rules."""
        now = self._now
        if now.match is None or not isinstance(now.last.ruling, Unclear) or not 0 <= place < len(now.last.ruling.lines):
            return None
        line = now.last.ruling.lines[place]
        try:
            _played(Match(self.game.GAME, now.match.history[-1].before[0]), line)
        except IllegalMove as fault:
            event = replace(now.last, ruling=Illegal(line, fault.violations), warnings=())
            self._accept({"choose": place}, event, replace(now, last=event))
            return event
        match = now.match.copy()
        match.undo()
        _played(match, line)
        return self._answered({"choose": place}, match, self._answer(is_agreed=True))

    def declare(self, declaration: Json, by: str | None = None, words: str = "") -> Event | None:
        """Take what a player said, as game.json declares it; None before the start. `words` say it to everybody.

        Raises EngineError where it makes no sense or breaks a rule.
        """
        if self._now.match is None:
            return None
        match = self._now.match.copy()
        self.game.declare(match, declaration)
        said = {"declare": declaration, "by": by, "words": words}
        return self._answered(said, match, self._answer(said=words or f"{by or 'Somebody'} has spoken."))

    def not_a_move(self) -> Event | None:
        """'That was not a move': the match goes on from before it, and this table is no event until it changes."""
        now, base, scene = self._now, self._now.base, self.scene
        if base is None or base.match is None or scene is None:
            return None
        event = self._answer(is_no_move=True, state=base.last.state, table=base.last.table)
        after = replace(base, seen=now.seen, ignored=scene, corrections=now.corrections, events=now.events, base=None)
        self._accept({"not_a_move": True}, event, replace(after, last=event))
        return event

    def correct(self, correction: Correction) -> Event | None:
        """At this place lies something else: the table is judged again. None where no table was seen."""
        now = self._now
        if now.seen is None or now.seen.scene is None:
            return None
        others = tuple(each for each in now.corrections if not _same_place(each.correction, correction))
        mended = (*others, remembered(now.seen.scene, correction))
        event, after = self._seen(replace(now.base or now, corrections=mended, ignored=None), now.seen)
        event = replace(event, is_corrected=True)
        after = replace(after, last=event, base=after.base or now.base)
        self._accept({"correct": correction.to_json()}, event, after)
        return event

    def undo(self) -> Event | None:
        """Take the last event back; the table as it lies is then no event until it changes. None without any."""
        if not self._past:
            return None
        self._keep({"undo": True}, self._past[-1].last)
        self._undone, scene = (*self._undone, self._now), self.scene
        self._now = replace(self._past[-1], ignored=scene)
        self._past = self._past[:-1]
        return self._now.last

    def redo(self) -> Event | None:
        """What was undone last is the case again; None where nothing was, or something happened since."""
        if not self._undone:
            return None
        self._keep({"redo": True}, self._undone[-1].last)
        self._past, self._now = (*self._past, self._now), self._undone[-1]
        self._undone = self._undone[:-1]
        return self._now.last

    def take(self, said: Json) -> Event | None:
        """One input as `keep` was given it. Raises SeenError for other JSON, EngineError as `declare` does."""
        match said:
            case {"seen": doc}:
                return self.see(seen_from_json(doc))
            case {"agree": True}:
                return self.agree()
            case {"choose": int(place)}:
                return self.choose(place)
            case {"declare": declaration, **more}:
                return self.declare(declaration, more.get("by"), str(more.get("words", "")))
            case {"not_a_move": True}:
                return self.not_a_move()
            case {"correct": doc}:
                return self.correct(Correction.from_json(doc))
            case {"undo": True}:
                return self.undo()
            case {"redo": True}:
                return self.redo()
        raise SeenError("nothing that a match takes in is called so")

    # How a table is judged.

    def _seen(self, now: _Now, seen: Seen) -> tuple[Event, _Now]:
        """What a table brings where the review stands so, and where it stands then."""
        here = Event(
            seen.photo, self.game, state=now.last.state, table=now.last.table, picture=seen.picture, thumb=seen.thumb
        )
        if seen.scene is None:
            return replace(here, error=seen.error), now
        if seen.hand_in_view:
            return replace(here, hand_in_view=True, warnings=seen.warnings), now
        if seen.layout not in self.game.LAYOUTS:
            expected = f"{self.game.TITLE} is played on the mats of {' or '.join(self.game.LAYOUTS)}"
            return replace(here, error=f"This photo shows the mats of {seen.layout}, and {expected}."), now
        corrections = still_meant(seen.scene, now.corrections)
        now = replace(now, seen=seen, corrections=corrections)
        scene = with_corrections(seen.scene, corrections)
        here = replace(here, scene=scene, sight=seen.sight)
        if now.match is None:
            return self._begun(now, here, seen, scene)
        if now.ignored is not None and self._is_alike(now.match, now.ignored, scene):
            return here, now
        return self._judged(now, now.match.copy(), here, seen, scene)

    def _judged(self, now: _Now, match: Match, here: Event, seen: Seen, scene: Scene) -> tuple[Event, _Now]:
        base, now = now, replace(now, match=match, ignored=None, unsaid=())
        before, declared = match.states, self._declared(match, here.photo)
        ruling = match.see(scene)
        warnings = tuple(dict.fromkeys((*base.unsaid, *declared, *seen.warnings)))
        event = replace(here, ruling=ruling, warnings=warnings)
        if ruling is None and isinstance(now.last.ruling, Illegal):
            if match.states == before:  # the fault still lies there
                return event, now
            event = replace(event, is_put_right=True)
        event = self._standing(match, event)
        if event.is_news:
            return event, replace(now, last=event, base=base)
        last = replace(now.last, photo=event.photo, state=event.state, table=event.table)
        last = last if self._at_table else replace(last, **_shown(event))
        return event, replace(now, last=last)

    def _begun(self, now: _Now, here: Event, seen: Seen, scene: Scene) -> tuple[Event, _Now]:
        """The start of the match, or why there is none."""
        try:
            start = self.game.start(self._setup, scene, seen.layout)
        except InvalidSetup as fault:
            return replace(here, error=f"The game cannot start from this photo: {fault}."), now
        if now.is_new and start.warnings:
            event = replace(here, differences=start.warnings, warnings=seen.warnings)
            return event, replace(now, refused=start, last=event)
        match = Match(self.game.GAME, start.state)
        said = (*start.warnings, *seen.warnings)
        event = self._standing(match, replace(here, warnings=said, is_start=True))
        unsaid = () if self._at_table else start.warnings  # at a table the start itself is told
        return event, replace(now, match=match, refused=None, unsaid=unsaid, last=event, base=now)

    def _is_alike(self, match: Match, one: Scene, other: Scene) -> bool:
        """Whether both show the same, as the game reads them."""
        game = self.game.GAME
        first, second = (game.read(game.sift(match.state, scene)) for scene in (one, other))
        return not game.changes(first, second)

    def _declared(self, match: Match, photo: str) -> tuple[str, ...]:
        """Take what was said before this photo; what makes no sense comes back as sentences."""
        odd = []
        for declaration in self._game_file.declared(photo):
            try:
                match.declare(declaration)  # ruled on with the photo, even where it leaves nothing to see
            except EngineError as fault:
                odd.append(f"What was declared before {photo} was left aside: {fault}.")
        return tuple(odd)

    # What becomes of it.

    def _answer(self, **said: Any) -> Event:
        """What the players said after the last event, about the same table."""
        last = self._now.last
        event = Event(last.photo, self.game, None, last.state, last.table, **_shown(last))
        return replace(event, **said)

    def _answered(self, said: Json, match: Match, event: Event, now: _Now | None = None) -> Event:
        event = self._standing(match, event)
        self._accept(said, event, replace(now or self._now, match=match, last=event, base=None))
        return event

    def _accept(self, said: Json, event: Event, after: _Now) -> None:
        """Keep what changes the match, then let it be so. Pictures are kept of what is told only."""
        is_told = not self._at_table or event.is_news or self._is_worth_telling(event)
        kept = event if is_told else replace(event, picture=None, thumb=None)
        if event.is_news or _lasting(after) != _lasting(self._now):
            self._keep(said, kept)
        elif said and self.keep is not None:
            self._unkept = (said, kept)
        events = after.events
        if is_told:
            earlier = events[:-1] if self._at_table and events and events[-1].differences else events
            events = (*earlier, event)
        if event.is_news:
            self._past, self._undone = (*self._past, self._now), ()
        self._now = replace(after, events=events)

    def _keep(self, said: Json, event: Event) -> None:
        """Players speak of the last table: where it brought nothing and was not kept, it is kept now."""
        unkept, self._unkept = self._unkept, None
        if self.keep is None:
            return
        try:
            if unkept is not None and "seen" not in said:
                self.keep(*unkept)
                unkept = None
            self.keep(said, event)
        except NotKeptError:
            self._unkept = unkept
            raise

    def _is_worth_telling(self, event: Event) -> bool:
        """Whether a game cannot start so, or nothing is ruled yet but somebody else is awaited now."""
        if event.differences:
            return True
        told = self._now.events[-1].state if self._now.events else None
        if told is None or event.state is None:
            return False
        return bool(self.game.turn(event.state) != self.game.turn(told))

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


def _lasting(now: _Now) -> Any:
    """What later tables are judged from, besides the table itself."""
    stands = None if now.match is None else (now.match.states, now.match.table)
    return stands, now.corrections, now.ignored, now.refused


def _shown(event: Event) -> dict[str, Any]:
    """The picture that belongs to an event, and what it shows."""
    return {"picture": event.picture, "thumb": event.thumb, "scene": event.scene, "sight": event.sight}


def _same_place(one: Correction, other: Correction) -> bool:
    return (one.sheet, one.zone, one.x_mm, one.y_mm) == (other.sheet, other.zone, other.x_mm, other.y_mm)
