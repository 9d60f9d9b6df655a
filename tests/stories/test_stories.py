"""The photographed games: as sure eyes would see them, and as they were read."""

from collections.abc import Iterator
from typing import Any

import pytest
from story_scripts import STORIES, Frame, Story
from story_tables import table_of

from engine.match import Match
from engine.rules import Ruling
from webui.games import tabletop_of


def word(ruling: Ruling | None) -> str:
    return "none" if ruling is None else type(ruling).__name__.lower()


def rulings(story: Story) -> Iterator[tuple[Frame, Ruling | None]]:
    """What is ruled on each table after the first, a hand over it aside."""
    game: Any = tabletop_of(story.game["game"])
    match: Match | None = None
    for number, frame in enumerate(story.frames):
        if match is None:
            match = Match(game.GAME, game.start(game.setup(story.game), table_of(story, frame), story.layout).state)
        elif not frame.hand:
            said = story.game.get("declared", {}).get(f"{number:02d}.jpg")
            if said is not None:
                game.declare(match, said)
            yield frame, match.see(table_of(story, frame))


@pytest.mark.parametrize("name", STORIES)
def test_each_event_is_ruled_as_the_rules_have_it(name):
    for frame, ruling in rulings(STORIES[name]):
        wanted = {"legal" if frame.is_legal else "illegal"} | ({"none"} if "put back" in frame.event else set())
        assert word(ruling) in wanted, frame.event


def test_every_story_has_a_fault_and_every_game_two_stories():
    assert all(any(not frame.is_legal for frame in story.frames) for story in STORIES.values())
    assert sorted(name.split("-")[0] for name in STORIES) == sorted(["mids", "silos", "race", "towers"] * 2)
