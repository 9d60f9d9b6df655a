"""What a battery may be built of: the rule of four, the stockpile of each variant, the pool that was shared out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from engine.games.missile_command.batteries import BASIC, TWO_PLAYERS_LACK, Battery, Options
from engine.games.missile_command.notation import Place
from engine.games.missile_command.rules import RULE_OF_FOUR, STOCKPILE
from engine.games.missile_command.state import State
from engine.rules import Rule
from engine.table import COLOURS, Colour, Pyramid, Size

MOST_ALIKE = 4


def stockpile_of(options: Options, players: int) -> frozenset[Colour]:
    """The colours that a battery may have."""
    colours = BASIC if options.basic_game else frozenset(COLOURS)
    return colours - TWO_PLAYERS_LACK if players == 2 else colours


def known_missiles(battery: Battery) -> Counter[Pyramid]:
    """The missiles it was built of, as far as they are known."""
    return Counter(
        Pyramid(colour, Size(3 - n))
        for silo in battery.silos
        for n, colour in enumerate(silo.missiles)
        if colour is not None
    )


def faults(
    built: Counter[Pyramid], colours: frozenset[Colour], taken: Counter[Pyramid] | None
) -> Iterator[tuple[Rule, str]]:
    """What is wrong with these missiles; `taken`: what their player took from the shared pool."""
    for piece, count in built.items():
        if count > MOST_ALIKE:
            yield RULE_OF_FOUR, f"this is one {piece} more than the four that a battery may have"
        if piece.colour not in colours:
            yield STOCKPILE, f"{piece.colour} missiles are not used in this game"
        elif taken is not None and count > taken[piece]:
            yield STOCKPILE, f"this is one {piece} more than its player took from the pool"


def faults_of_colour(state: State, place: Place, colour: Colour) -> tuple[tuple[Rule, str], ...]:
    """What is wrong with a missile that has come to light in a silo."""
    piece = Pyramid(colour, Size(state.silo(place).left))
    built = known_missiles(state.battery(place.number)) + Counter([piece])
    taken = Counter(state.draft.taken[state.numbers.index(place.number)]) if state.draft else None
    colours = stockpile_of(state.options, len(state.players))
    return tuple(faults(Counter({piece: built[piece]}), colours, taken))
