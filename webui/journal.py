"""A match that is kept while it is played, and taken up again later by going through what was kept.

    journal = begun(store, game_file, is_new=True, pictures=pictures)
    review = Review(journal.game_file, is_new=True, keep=journal.keep)
    ...
    again = open_match(store, match_id, pictures)       again.review goes on, and is kept as before

The engine is deterministic: the same inputs make the same match. Where another version of the umpire rules otherwise
than was ruled then, that is told; nothing that is kept changes by it.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, version

from calibration.store import Calibration
from engine.errors import EngineError, InvalidSetup
from engine.rules import Illegal, Unclear
from webui.gamefile import GameFile, GameFileError, game_file_from_json
from webui.games import tabletop_of
from webui.pictures import Pictures
from webui.present import kind_of, move_text, sentence
from webui.review import Event, NotKeptError, Review
from webui.seen import SeenError
from webui.store import Input, Json, KeptMatch, Store, StoreError, new_id, now
from webui.store_faults import in_words

log = logging.getLogger("umpire")

MOST_TOLD = 5  # rulings that differ
UNDEALT = "undealt"  # the field of a kept game.json that has what stood in place of what the umpire dealt


class Journal:
    """Keeps one match. Its `keep` and its `game_file` are what a `Review` is given."""

    def __init__(self, store: Store, match: KeptMatch, game_file: GameFile, pictures: Pictures | None = None) -> None:
        self.match, self.game_file = match, game_file
        self._store, self._pictures = store, pictures
        self._unsure: Input | None = None
        self._lock, self._is_closed = threading.Lock(), False

    @property
    def is_closed(self) -> bool:
        """Whether nothing more is kept: the match goes on at another table. What is being kept is done with first."""
        return self._is_closed

    @is_closed.setter
    def is_closed(self, closed: bool) -> None:
        with self._lock:
            self._is_closed = closed

    def keep(self, said: Json, event: Event) -> None:
        """On disk when this returns, its pictures first. Raises NotKeptError."""
        try:
            with self._lock:
                self._keep(said, event)
        except StoreError as fault:
            raise NotKeptError(str(fault)) from fault

    def _keep(self, said: Json, event: Event) -> None:
        if self._is_closed:
            raise NotKeptError("This match goes on at another table now, so what was just said is not kept.")
        if self._unsure is not None:  # what was refused may have reached the disk nevertheless
            self._store.drop(self.match.id, self._unsure)
        if self._pictures is not None:
            with in_words(self._store.folder):
                self._pictures.settle(event.picture, event.thumb)
        number, at = self.match.inputs + 1, now()
        self._unsure = input_of(number, said, event, at)
        match = replace(self.match, started=self.match.started or at, updated=at, is_over=is_over(event))
        self._store.add(match, [self._unsure])
        self.match, self._unsure = replace(match, inputs=number), None


@dataclass(frozen=True, eq=False)
class Resumed:
    """A kept match that can go on; `notes` say what is otherwise than it was."""

    review: Review
    journal: Journal
    notes: tuple[str, ...] = ()

    @property
    def game_file(self) -> GameFile:
        return self.journal.game_file


@dataclass(frozen=True)
class Otherwise:
    """In words what came of a kept input now, and was another then; `is_taken`: it is an input still."""

    words: str
    is_taken: bool = True


def begun(store: Store, game_file: GameFile, is_new: bool = False, pictures: Pictures | None = None) -> Journal:
    """The journal of a new match. The store knows the match from its first input on.

    What the umpire itself deals (seeds, salts) is dealt now and kept: the journal's game_file has it, and the review is
    to be made of that. Raises GameFileError.
    """
    title, setup = tabletop_of(game_file.game).TITLE, _dealt(game_file)
    if isinstance(game_file.camera, Calibration):  # chosen on the command line, perhaps
        setup = setup | {"camera": game_file.camera.camera}
    match = KeptMatch(new_id(), game_file.game, title, setup, program_version(), is_new=is_new)
    return Journal(store, match, replace(game_file, setup=setup), pictures)


def undealt(game_file: GameFile) -> GameFile:
    """The game as it was asked for, before the umpire dealt: begun again, it is dealt anew."""
    before = game_file.setup.get(UNDEALT)
    if not isinstance(before, dict):
        return game_file
    kept = {name: value for name, value in game_file.setup.items() if name != UNDEALT and name not in before}
    return replace(game_file, setup=kept | {name: value for name, value in before.items() if value is not None})


def _dealt(game_file: GameFile) -> Json:
    """The set-up with what the umpire deals itself, and what stood in its place."""
    asked = undealt(game_file).setup
    try:
        dealt = tabletop_of(game_file.game).deal(asked)
    except InvalidSetup as fault:
        raise GameFileError(f"game.json: {fault}") from None
    before = {name: asked.get(name) for name, value in dealt.items() if value != asked.get(name)}
    return dealt | ({UNDEALT: before} if before else {})


def open_match(
    store: Store,
    match_id: str,
    pictures: Pictures | None = None,
    at_table: bool = True,
    progress: Callable[[int, int], None] = lambda done, of: None,
) -> Resumed:
    """The match as it stood when its last input was kept; `progress` is told how many are done, and of how many.

    Raises StoreError, GameFileError.
    """
    match = store.match(match_id)
    game_file, notes = _game_file(match)
    review = Review(game_file, is_new=match.is_new, at_table=at_table)
    differing = []
    for kept in store.inputs(match.id):
        if (otherwise := gone_through(review, kept)) is not None:
            differing.append(otherwise.words)
        progress(kept.number, match.inputs)
    journal = Journal(store, match, game_file, pictures)
    review.keep = journal.keep
    return Resumed(review, journal, (*notes, *_told(differing, match)))


def gone_through(review: Review, kept: Input) -> Otherwise | None:
    """Put the input into the review again, and tell what came out otherwise than it did."""
    was = f"Input {kept.number} ({kept.kind}) was {_came(kept)}; now"
    try:
        event = review.take(kept.said)
    except (EngineError, SeenError) as fault:
        return Otherwise(f"{was} it is not taken: {str(fault).rstrip('.')}.", is_taken=False)
    except Exception as fault:  # of ours, in one input; the others are there all the same
        log.exception("unexpected fault in input %s", kept.number)
        return Otherwise(f"{was} the umpire fails on it ({type(fault).__name__}).", is_taken=False)
    again = input_of(kept.number, kept.said, event, kept.at)
    if (again.ruling, again.line) == (kept.ruling, kept.line):
        return None
    return Otherwise(f"{was} it is {_came(again)}.")


def input_of(number: int, said: Json, event: Event | None, at: str) -> Input:
    """What is kept of an input and of what came of it. Only what everybody may know: events hold nothing else."""
    if event is None:
        return Input(number, said, "none", at=at)
    return Input(number, said, kind_of(event), move_text(event.ruling), sentence(event), event.picture, event.thumb, at)


def is_over(event: Event) -> bool:
    """Whether the game has ended beyond doubt; after a fault or a doubt it may go on."""
    if isinstance(event.ruling, Illegal | Unclear):
        return False
    return event.state is not None and event.game.GAME.outcome(event.state) is not None


def program_version() -> str:
    try:
        return version("pyramid-umpire")
    except PackageNotFoundError:
        return "not installed"


def _game_file(match: KeptMatch) -> tuple[GameFile, tuple[str, ...]]:
    """Its game.json; without the camera's lens where this machine does not know it."""
    try:
        return game_file_from_json(match.setup, "game.json of this match"), ()
    except GameFileError as fault:
        if not isinstance(match.setup.get("camera"), str):
            raise
        without = {key: value for key, value in match.setup.items() if key != "camera"}
        return game_file_from_json(without, "game.json of this match"), (str(fault),)


def _told(differing: list[str], match: KeptMatch) -> tuple[str, ...]:
    if not differing:
        return ()
    by = f"This match was judged by version {match.program} of the umpire, and this is {program_version()}."
    more = [f"And {len(differing) - MOST_TOLD} more."] if len(differing) > MOST_TOLD else []
    return (by, *differing[:MOST_TOLD], *more, "What was ruled then stays in the record; nothing is lost.")


def _came(kept: Input) -> str:
    return f"{kept.ruling!r}" + (f" ({kept.line})" if kept.line else "")
