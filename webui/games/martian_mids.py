"""Martian Mids on the page: its words, its turns and its board."""

from __future__ import annotations

from typing import Any, cast

from markupsafe import Markup

from engine.game import Game, Touch
from engine.games import martian_mids
from engine.games.martian_mids import (
    COMPASS,
    Attack,
    Fly,
    Mid,
    Move,
    Position,
    Setup,
    Shoot,
    Split,
    Square,
    State,
    Strike,
    choosers,
    outcome,
)
from engine.match import Match
from engine.rules import Ending
from engine.table import Colour, Scene
from webui.board import Marked, Piece, board_svg, changed_squares
from webui.games.choices import take
from webui.games.choices.martian_mids import choices as choices
from webui.games.mats.martian_mids import mat as mat
from webui.games.switches import MARTIAN_MIDS
from webui.games.tabletop import Standing, Start, ToLay, Turn
from webui.hands import mid_cards_html

NAME, TITLE, LAYOUTS = "martian-mids", "Martian Mids", ("board", "corner-cards")
GAME = cast(Game, martian_mids)  # a module is a Game; mypy finds its constants too narrow
SWITCHES = MARTIAN_MIDS

DIRECTIONS = {
    **{"n": "north", "ne": "north-east", "e": "east", "se": "south-east"},
    **{"s": "south", "sw": "south-west", "w": "west", "nw": "north-west"},
}


def setup(doc: dict[str, Any]) -> Setup:
    return Setup.from_json(doc)


def start(setup: Setup, scene: Scene, layout: str) -> Start:
    state = martian_mids.start(setup, scene)
    contradiction = martian_mids.declared_warnings(state, setup.initiative)
    return Start(state, (*martian_mids.start_warnings(state), *contradiction))


def declare(match: Match, declaration: Any) -> None:
    take(GAME, match, declaration)


def deal(doc: dict[str, Any]) -> dict[str, Any]:
    return doc


def private(state: Any, player: str) -> Markup | None:
    """The Mid Cards of a hand that was told; else nothing is secret."""
    return mid_cards_html(state, player)


# Words.


def next_poses(state: State) -> tuple[ToLay, ...]:
    return ()  # nobody has to lay a piece just so


def move_words(move: Any, state: State | None) -> str:
    match move:
        case Touch():
            return f"on {move.place}, {move.before} became {move.after}"
        case Move():
            way = f"{move.origin}-{move.target}" if move.target is not None else f"from {move.origin} off the board"
            return f"{_who(move.target, state) or 'the Mid'} moves {way}"
        case Shoot():
            who = _who(move.origin, state) or "the Mid"
            what = f"a {move.pyramid} missile from {move.origin} to {move.target}"
            return f"{who} shoots {what}, pointing {DIRECTIONS[move.direction]}"
        case Attack():
            return f"{_who(move.origin, state) or 'the Mid'} attacks {move.victim} from {move.origin}"
        case Split():
            top = "the top pyramid" if move.count == 1 else f"the top {move.count} pyramids"
            return f"{top} of the Mid on {move.origin} split off to {move.target}"
        case Strike():
            return f"the {move.pyramid} missile on {move.place} hits next"
        case Fly():
            where = f"to {move.target}" if move.target is not None else "off the board"
            return f"the {move.pyramid} missile flies from {move.origin} {where}"
    return str(move)


def _who(square: Square | None, state: State | None) -> str | None:
    """Who controls the Mid that stands there now."""
    mid = state.position.mid_at(square) if state is not None and square is not None else None
    return state.controller_of(mid) if state is not None and mid is not None else None


def spoken(text: str, state: State) -> str:
    return text  # squares are called the same by everybody


def turn(state: State) -> Turn:
    order = [name for group in state.order for name in group]
    out = [player.name for player in state.players if player.name not in order]
    return Turn(
        _turn_headline(state),
        _turn_detail(state, len(order)),
        _stand_of(state, state.awaited[0]) if len(state.awaited) == 1 else None,
        f"Initiative in round {state.round_number}",
        ("Mids", "Pips"),
        tuple(_standing(state, name) for name in (*order, *out)),
    )


def _turn_headline(state: State) -> str:
    over = outcome(state)
    if over is not None:
        return f"{' and '.join(over.winners)} won" if over.ending is Ending.WON else "Nobody won"
    if state.owed:
        return f"{' or '.join(choosers(state)) or 'Somebody'} to choose"
    return f"{' or '.join(state.awaited)} to act" if state.awaited else "Missiles move"


def _turn_detail(state: State, turns: int) -> str:
    if not state.awaited:
        return f"Round {state.round_number} · end of the round"
    tie = " · tied: whoever acts first" if len(state.awaited) > 1 else ""
    cards = "".join(f" · {card.player} played {card.card}" for card in state.cards)
    return f"Round {state.round_number} · turn {len(state.acted) + 1} of {turns}{tie}{cards}"


def _standing(state: State, name: str) -> Standing:
    mids = [mid for _, mid in state.position.mids if state.owner_of(mid) == name]
    figures = (str(len(mids)), str(sum(mid.pips for mid in mids)))
    return Standing(name, _stand_of(state, name), figures, name in state.awaited)


def _stand_of(state: State, name: str) -> Colour:
    return next(player.stand for player in state.players if player.name == name)


# The board.


def drawing(state: State | None, before: State | None, manner: str, players: tuple[str, ...] = ()) -> Markup:
    pieces = _pieces(state)
    marked = None if before is None else Marked(changed_squares(_pieces(before), pieces), manner)
    return board_svg(pieces, marked)


def _pieces(state: State | None) -> tuple[Piece, ...]:
    position = state.position if state is not None else Position()
    mids = (Piece(str(square), mid.pyramids, mid.stand, beads=_beads(state, mid)) for square, mid in position.mids)
    missiles = (
        Piece(str(square), (missile.pyramid,), missile.stand, 45.0 * COMPASS.index(missile.direction))
        for square, missile in position.missiles
    )
    return (*mids, *missiles)


def _beads(state: State | None, mid: Mid) -> tuple[Colour | None, int] | None:
    """The control beads on the Mid's stand: in their player's colour, where it is known, and how many."""
    if state is None or mid.beads is None:
        return None
    colour = None if mid.beads.player is None else _stand_of(state, mid.beads.player)
    return colour, mid.beads.count
