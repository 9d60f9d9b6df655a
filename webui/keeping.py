"""The evening's matches are kept: each new one from its first table on, and those of other evenings can go on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime

from webui.gamefile import GameFile
from webui.journal import Journal, begun, open_match
from webui.live import Live
from webui.opening import Begin, Source, beginning, opened_table
from webui.pictures import Pictures
from webui.review import Review
from webui.start import Kept
from webui.store import KeptMatch, Store

MOST_LISTED = 30


class Keeper(Kept):
    """Opens tables whose matches are kept in the store."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._journals: dict[str, Journal] = {}  # of the matches that are or were on, by their ids

    def opened(self, game_file: GameFile, source: Source) -> Live:
        """A new match; when it starts again, that is another one. Raises GameFileError, CameraError."""
        pictures = Pictures(self._store.pictures)
        return opened_table(game_file, source, self._beginning(game_file, source, pictures), pictures)

    def listed(self) -> tuple[dict[str, str], ...]:
        """The matches that can go on, the one played last first. Raises StoreError."""
        return tuple(_told(each) for each in self._store.matches() if not each.is_over)[:MOST_LISTED]

    def id_of(self, letters: str) -> str:
        """The id of the match that begins so. Raises StoreError."""
        return self._store.match_beginning(letters).id

    def resumed(
        self, match: str, source: Source, progress: Callable[[int, int], None] = lambda done, of: None
    ) -> tuple[Live, tuple[str, ...]]:
        """The match, and what is otherwise than it was; `progress` is told how many inputs it has been through, of how
        many. Raises KeyError, StoreError, GameFileError, CameraError."""
        if match not in {each.id for each in self._store.matches()}:
            raise KeyError(match)
        pictures = Pictures(self._store.pictures)
        with self._ended(match):
            kept = open_match(self._store, match, pictures, not source.is_folder, progress)
            anew, first = self._beginning(kept.game_file, source, pictures), [kept.review]
            live = opened_table(kept.game_file, source, lambda: first.pop() if first else anew(), pictures)
            self._journals[match] = kept.journal
        return live, kept.notes

    @contextmanager
    def _ended(self, match: str) -> Iterator[None]:
        """The match may be on just now: it is kept there no more, unless it cannot go on elsewhere."""
        before = self._journals.get(match)
        if before is not None:
            before.is_closed = True
        try:
            yield
        except BaseException:
            if before is not None:
                before.is_closed = False
            raise

    def _beginning(self, game_file: GameFile, source: Source, pictures: Pictures) -> Begin:
        def begin() -> Review:
            is_new = not source.is_folder and not source.is_resumed
            journal = begun(self._store, game_file, is_new, pictures)
            self._journals[journal.match.id] = journal
            review = beginning(journal.game_file, source)()
            review.keep = journal.keep
            return review

        return begin


def _told(match: KeptMatch) -> dict[str, str]:
    return {
        "id": match.id,
        "title": match.title,
        "players": " and ".join(match.players) if len(match.players) < 3 else ", ".join(match.players),
        "when": f"{day_words(match.updated)}, {match.inputs} {'entry' if match.inputs == 1 else 'entries'}",
    }


def day_words(at: str) -> str:
    """The local date and time of a moment in UTC."""
    try:
        when = datetime.fromisoformat(at).astimezone()
    except ValueError:
        return at
    return f"{when.day} {when:%B %Y, %H:%M}"
