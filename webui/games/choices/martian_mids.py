"""Martian Mids: what the board cannot show, or has to be chosen, as buttons."""

from __future__ import annotations

from collections.abc import Iterator
from typing import cast

from engine.game import Game
from engine.games import martian_mids
from engine.games.martian_mids import COMPASS, Attack, PlayCard, Split, State, Strike, candidates, choosers
from engine.games.martian_mids.state import tied_with
from webui.games.choices import MOST, ahead, is_silent, legal, of_action, sentence
from webui.games.tabletop import Choice

_GAME = cast(Game, martian_mids)
_WAYS = dict(
    zip(
        COMPASS,
        ("east", "north-east", "north", "north-west", "west", "south-west", "south", "south-east"),
        strict=True,
    )
)


def choices(state: State, player: str | None) -> tuple[Choice, ...]:
    """See `webui.games.tabletop.Tabletop`."""
    now: State = ahead(_GAME, state)
    if now.is_over:
        return ()
    found = (*_owed(now), *_dice(now), *_unseen(now), *_cards(now, player), *_stalemate(now))
    return tuple(one for one in found if player is None or one.player in (None, player))


def _owed(state: State) -> Iterator[Choice]:
    """How a Mid is split, which missile hits next. Where there are very many ways to split, the board shows it."""
    moves = [move for move in legal(_GAME, state, candidates(state)) if isinstance(move, Split | Strike)]
    names = choosers(state)
    who = names[0] if len(names) == 1 else None
    for move in moves if len(moves) <= MOST else ():
        if isinstance(move, Strike):
            words = f"The {move.pyramid} missile on {move.place}, pointing {_WAYS[move.direction]}, hits next"
            yield of_action(words, move, player=who, rule="strike-order", group="Which missile hits next?")
        else:
            top = "the top pyramid" if move.count == 1 else f"the top {move.count}"
            group = f"The Mid on {move.origin} is split: {top} to"
            yield of_action(f"{move.target}", move, player=who, rule="split-owed", group=group)


def _dice(state: State) -> Iterator[Choice]:
    rolled = dict(state.rolls)
    for name in (name for group in state.order for name in group):
        if name not in rolled and name not in state.acted and tied_with(state.order, name, state.acted):
            words = f"{name}'s die for the initiative"
            yield Choice(words, {"for": [name]}, name, dice=1, rule="die-for-ties", group="A tie: roll a die")


def _unseen(state: State) -> Iterator[Choice]:
    """Attacks that change nothing but beads: the camera does not see those."""
    attacks = (move for move in candidates(state) if isinstance(move, Attack))
    for move in legal(_GAME, state, attacks):
        if is_silent(_GAME, state, _GAME.play(state, move)):
            mid = state.position.by_square[move.origin]
            words = f"{move.origin} attacks {move.victim}"
            yield of_action(
                words,
                move,
                player=state.controller_of(mid),
                rule="attack-adjacent",
                group="An attack that only beads show",
            )


def _cards(state: State, player: str | None) -> Iterator[Choice]:
    """Mid Cards: those of the own hand, where hands were told; else that one is played."""
    hands = dict(state.hands)
    for name in state.awaited:
        played = sum(card.player == name for card in state.discards)
        held = [card for card in hands.get(name, ()) if card != "?"] if player is not None else []
        for text in held if hands else [f"Mid Card {played + 1}"]:
            if not _GAME.violations(state, PlayCard(name, text)):
                words = f"{name} plays {'a Mid Card' if not hands else text}"
                yield Choice(words, {"card": text, "player": name}, name, rule="card-on-own-turn", group="Mid Cards")


def _stalemate(state: State) -> Iterator[Choice]:
    for player in state.players:
        if player.name in state.owners and player.name not in state.for_stalemate:
            words = sentence(f"{player.name} agrees that nobody can win any more")
            yield Choice(words, {"stalemate": [player.name]}, player.name, rule="game-is-over", group="End of the game")
