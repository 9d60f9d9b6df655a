"""Ziggurat: towers, points, the draw pile and the discards. Hands are told by their numbers only."""

from __future__ import annotations

from markupsafe import Markup

from engine.games.ziggurat import Card, State, in_words, pips_of
from engine.games.ziggurat.towers import TOWERS
from webui.cards import card_svg
from webui.games.choices.ziggurat import as_said
from webui.games.mats import disc, fact, joined, marks, player, seal, seals, the_mat
from webui.towers import as_played_with

_PILE = Markup('<figure class="mat-pile">{}<figcaption>{}</figcaption></figure>')


def mat(state: State) -> Markup:
    """See `webui.games.tabletop.Tabletop.mat`."""
    awaited = as_said(state)[1].awaited
    players = joined(_player(state, number, number in awaited) for number in state.numbers)
    parts = [Markup('<div class="mat-players">{}</div>').format(players)]
    if state.deck is not None or state.discards:
        parts.append(Markup('<div class="mat-piles">{}</div>').format(_piles(state)))
    return the_mat("Towers, points and cards", *parts, _sealed(state))


def _player(state: State, number: int, is_next: bool) -> Markup:
    tops = [state.position.at(place)[-1] for place in state.towers_of(number)]
    pips = sum(pips_of(state.position.at(place)) for place in state.towers_of(number))
    colours = in_words(state.options.colours, ", ".join(str(top.colour) for top in tops))
    played = as_played_with(state.options.colours, tuple(tops))
    signs = joined(disc(top.colour, "mat-disc mat-tower") for top in played)
    facts = [
        fact("Towers", len(tops), signs, f": {colours}" if tops else ""),
        fact("Pips", pips),
        fact("Points", state.score(number)),
    ]
    if tops:
        worth = state.lost[number - 1] + 1
        facts.append(fact("Next tower's worth", worth, marks(worth, TOWERS)))
    if state.deck is not None and tops:
        cards = len(state.deck.hand(number))
        facts.append(fact("Cards", cards, marks(cards, 5, "mat-card")))
    return player(state.name_of(number), facts, "", "" if tops else "out", is_next)


def _piles(state: State) -> Markup:
    found = []
    if state.deck is not None:
        count = len(state.deck.pile)
        found.append(_PILE.format(card_svg(None) if count else "", f"{count} to draw · shuffle {state.deck.shuffles}"))
    last: Card | None = state.discards[-1] if state.discards else None
    if last is not None:
        found.append(_PILE.format(card_svg(last), f"{len(state.discards)} discarded"))
    return joined(found)


def _sealed(state: State) -> Markup:
    """The commitment of the umpire's deck, and its seed once the battle is over."""
    if state.deck is None:
        return Markup("")
    seed = state.deck.seed if state.is_over else None
    words = "Commitment of the shuffled deck" if seed is None else f"The deck's seed was {seed}; its commitment"
    return seals("Seal of the deck", seal(words, state.deck.commitment))
