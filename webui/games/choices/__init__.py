"""What players may say now, as buttons; one module a game.

Choices come from the engine: its candidates and what its state owes. No rule is written here again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from engine.errors import InvalidNotation
from engine.game import Game
from engine.match import Match
from webui.games.tabletop import Choice

MOST = 40  # buttons; where there would be more, the choice is made in two steps, or grouped and cut to those that count


def ahead(game: Game, state: Any) -> Any:
    """The state as it will be when the table shows what was said, as far as that keeps the rules."""
    for move in state.said:
        if game.violations(state, move):
            break
        state = game.play(state, move)
    return state


def legal(game: Game, state: Any, moves: Iterable[Any]) -> Iterator[Any]:
    """Those moves that break no rule."""
    return (move for move in moves if not game.violations(state, move))


def is_silent(game: Game, before: Any, after: Any) -> bool:
    """Whether the table looks the same in both states, and nobody has to choose."""
    blocking = getattr(after, "blocking", after.owed)
    return not blocking and not game.changes(before.position, after.position)


def is_for_the_table(move: Any) -> bool:
    """Whether part of the move is what the table will show: a remodelled top that was not told."""
    return getattr(move, "pyramid", "told") is None


def take(game: Game, match: Match, declaration: Any) -> None:
    """Take what was said. What is over then, and leaves nothing to see, is played at once; the rest waits for a table.

    Raises EngineError where it makes no sense.
    """
    if match.table is match.state and not match.state.said and _play(game, match, _moves(game, declaration)):
        return
    match.declare(declaration)
    if match.table is match.state:
        _play(game, match, match.state.said)


def _moves(game: Game, declaration: Any) -> tuple[Any, ...]:
    """The move of {"action": notation}; none of other declarations."""
    match declaration:
        case {"action": str(text)}:
            try:
                return (game.parse(text),)
            except InvalidNotation:
                pass
    return ()


def _play(game: Game, match: Match, moves: tuple[Any, ...]) -> bool:
    """Play the moves if they keep the rules and the table then looks as it does now; whether they were played."""
    after = match.state
    for move in moves:
        if game.violations(after, move):
            return False
        after = game.play(after, move)
    if not moves or any(map(is_for_the_table, moves)) or not is_silent(game, match.state, after):
        return False
    for move in moves:
        match.play(move)
    return True


def of_action(words: str, move: Any, **more: Any) -> Choice:
    """The choice of a move, said in notation."""
    return Choice(words, {"action": str(move)}, **more)


def sentence(words: str) -> str:
    """The words as a button has them."""
    return words[:1].upper() + words[1:]
