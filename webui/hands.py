"""What one player's own screen shows and no other: the own hand of cards, the own battery."""

from __future__ import annotations

from markupsafe import Markup, escape

from engine.games.martian_mids import State as Mids
from engine.games.missile_command import State as Batteries
from engine.games.ziggurat import State as Towers
from engine.table import Colour, Pyramid, Size
from webui.cards import card_svg
from webui.ink import BASE_WIDTH, LETTERS

WIDTH, HEIGHT, SILO = 96, 320, 96  # of one silo in the drawing of a battery
LEVELS = ((Size.LARGE, 30), (Size.MEDIUM, 112), (Size.SMALL, 186))  # outermost first, and where each stands
SIGNS = ("P", "V")  # President and Vice President
Silos = tuple[tuple[Colour | None, Colour | None, Colour | None], ...]


def hand_html(state: Towers, name: str) -> Markup | None:
    """The player's cards; None where the group plays with cards of its own."""
    number = next((n for n, player in enumerate(state.players, 1) if player.name == name), None)
    if state.deck is None or number is None:
        return None
    cards = [card_svg(card) for card in state.deck.hand(number)]
    words = "Your hand" if cards else "Your hand is empty"
    return Markup('<section class="mat" aria-label="{0}"><h3>{0}</h3><div class="mat-hand">{1}</div></section>').format(
        words, Markup("").join(cards)
    )


def mid_cards_html(state: Mids, name: str) -> Markup | None:
    """The player's Mid Cards; None where nobody told them."""
    cards = [card for card in dict(state.hands).get(name, ()) if card != "?"]
    if not cards:
        return None
    items = Markup("").join(Markup("<li>{}</li>").format(card) for card in cards)
    return Markup(
        '<section class="mat" aria-label="Your Mid Cards"><h3>Your Mid Cards</h3><ul>{}</ul></section>'
    ).format(items)


def battery_html(state: Batteries, name: str) -> Markup | None:
    """The player's battery as it was sealed; None where nothing of it is known."""
    player = next((one for one in state.players if one.name == name), None)
    if player is None:
        return None
    battery = state.battery(player.number)
    executives = (battery.president.silo, battery.vice_president.silo)
    if battery.is_out or (executives == (None, None) and all(silo.missiles == (None,) * 3 for silo in battery.silos)):
        return None
    left = tuple(silo.left for silo in battery.silos)
    drawn = battery_svg(tuple(silo.missiles for silo in battery.silos), executives, left)
    return Markup('<section class="mat" aria-label="Your battery"><h3>Your battery</h3>{}</section>').format(drawn)


def battery_svg(silos: Silos, executives: tuple[int | None, int | None], left: tuple[int, ...] = (3,) * 8) -> Markup:
    """Eight silos in two rows, each with its three missiles side by side as they nest, outermost at the top.

    What is gone is pale; who stands under a silo is written below it.
    """
    parts = [f'<svg class="mat-battery" viewBox="0 0 {4 * SILO + 8} {2 * HEIGHT + 8}" role="img" aria-label="']
    parts += [f'{_label(silos, executives, left)}">']
    for n, silo in enumerate(silos):
        x, y = 4 + (n % 4) * SILO, 4 + (n // 4) * HEIGHT
        names = [sign for sign, under in zip(SIGNS, executives, strict=True) if under == n + 1]
        parts += [f'<g transform="translate({x} {y})">', *_silo(n + 1, silo, left[n], names), "</g>"]
    return Markup("".join((*parts, "</svg>")))  # numbers and fixed words only


def _label(silos: Silos, executives: tuple[int | None, int | None], left: tuple[int, ...]) -> str:
    told = [
        f"silo {n}: {', '.join(str(one) if one else 'nothing yet' for one in silo[3 - rest :]) or 'empty'}"
        for n, (silo, rest) in enumerate(zip(silos, left, strict=True), 1)
    ]
    names = zip(("president", "vice-president"), executives, strict=True)
    told += [f"{name} under silo {silo}" for name, silo in names if silo is not None]
    return str(escape("; ".join(told)))


def _silo(number: int, silo: tuple[Colour | None, ...], left: int, names: list[str]) -> list[str]:
    parts = [f'<rect class="mat-box" x="2" y="2" width="{WIDTH - 4}" height="{HEIGHT - 6}" rx="10"/>']
    parts.append(f'<text x="{WIDTH / 2}" y="16">{number}</text>')
    for level, ((size, y), colour) in enumerate(zip(LEVELS, silo, strict=True)):
        kind = "mat-gone" if level < 3 - left else "mat-top" if level == 3 - left else ""
        parts += _missile(Pyramid(colour, size), y, kind) if colour is not None else _nothing(size, y)
    sign = " and ".join({"P": "President", "V": "Vice P."}[name] for name in names)
    return [*parts, f'<text x="{WIDTH / 2}" y="{HEIGHT - 24}" font-size="13">{sign}</text>'] if names else parts


def _outline(size: Size, y: float) -> tuple[str, float]:
    half, high = BASE_WIDTH[size] / 2, BASE_WIDTH[size] * 0.98
    middle, foot = WIDTH / 2, y + high
    return f"{middle - half:.1f},{foot:.1f} {middle},{y:.1f} {middle + half:.1f},{foot:.1f}", foot


def _missile(piece: Pyramid, y: float, kind: str) -> list[str]:
    points, foot = _outline(piece.size, y)
    ink = f"on-{piece.colour}"
    pips = [
        f'<circle class="pip {ink}" cx="{WIDTH / 2 + 11}" cy="{foot - 7 - 7 * n:.1f}" r="2.6"/>'
        for n in range(int(piece.size))
    ]
    return [
        f'<g class="{kind}"><polygon class="piece c-{piece.colour}" points="{points}"/>',
        f'<text class="letter {ink}" x="{WIDTH / 2 - 5}" y="{foot - 13:.1f}" font-size="20">',
        f"{LETTERS[piece.colour]}</text>",
        *pips,
        "</g>",
    ]


def _nothing(size: Size, y: float) -> list[str]:
    points, _ = _outline(size, y)
    return [f'<polygon points="{points}" fill="none" stroke="currentColor" stroke-dasharray="5 5"/>']
