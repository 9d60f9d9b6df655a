"""Martian Mids: initiative, Mids, pips, control beads and Mid Cards."""

from __future__ import annotations

from markupsafe import Markup

from engine.games.martian_mids import State
from engine.table import Colour
from webui.games.mats import disc, fact, joined, marks, order, player, the_mat


def mat(state: State) -> Markup:
    """See `webui.games.tabletop.Tabletop.mat`."""
    stands = {one.name: one.stand for one in state.players}
    items = [
        (disc(stands[name]), f"{name}{_remark(state, name, group)}", name in state.awaited)
        for group in state.order
        for name in group
    ]
    players = joined(_player(state, one.name, one.stand) for one in state.players)
    initiative = order(f"Initiative, round {state.round_number}", items)
    return the_mat(
        "Initiative, Mids and beads", initiative, Markup('<div class="mat-players">{}</div>').format(players)
    )


def _remark(state: State, name: str, group: tuple[str, ...]) -> str:
    if name in state.acted:
        return " · has acted"
    return " · tied" if len([one for one in group if one not in state.acted]) > 1 else ""


def _player(state: State, name: str, stand: Colour) -> Markup:
    own = [mid for _, mid in state.position.mids if state.owner_of(mid) == name]
    pips = sum(mid.pips for mid in own)
    facts = [fact("Mids", len(own), marks(len(own), len(own))), fact("Pips", pips)]
    for square, mid in state.position.mids:
        if mid.beads is not None and mid.beads.player == name:
            fresh = ", of this round" if mid.beads.are_fresh else ""
            words = f"{mid.beads.count} on {square}{fresh}"
            facts.append(fact("Beads", words, marks(mid.beads.count, mid.beads.count)))
    played = sum(card.player == name for card in state.discards)
    if state.options.cards_each:
        facts.append(fact("Mid Cards played", f"{played} of {state.options.cards_each}"))
    remark = "out" if not own else "agrees to call it drawn" if name in state.for_stalemate else ""
    return player(name, facts, disc(stand), remark, name in state.awaited)
