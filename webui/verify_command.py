"""`umpire verify`: whether what the umpire or a player kept secret is what they had committed to.

Exit status 0 if it is, 1 if not, 2 for what cannot be read.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import click

from engine.errors import EngineError
from engine.games import missile_command, ziggurat
from engine.games.ziggurat.verifying import differences, first_deal

NOT_SO = 1
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("commitment")
@click.option("--seed", help="The deck's seed, which the page shows when the battle is over.")
@click.option("--player", "players", multiple=True, metavar="NAME", help="Who played, in seating order; once for each.")
@click.option("--extended", is_flag=True, help="The deck had Pawns, Courts and the Excuse.")
@click.option("--moves", type=_FILE, help="The battle's moves, one a line or with semicolons: every card is checked.")
@click.option("--salt", help="Of a sealed battery: the salt.")
@click.option("--sealed", type=_FILE, help="Of a sealed battery: a file with its text.")
def verify(
    commitment: str,
    seed: str | None,
    players: tuple[str, ...],
    extended: bool,
    moves: Path | None,
    salt: str | None,
    sealed: Path | None,
) -> None:
    """Check a deck (--seed) or a battery (--salt and --sealed) against the COMMITMENT shown before the game."""
    if seed is not None:
        _deck(commitment, seed, players or ("player 1", "player 2"), extended, moves)
    elif salt is not None and sealed is not None:
        _battery(commitment, salt, _text_of(sealed))
    else:
        raise click.UsageError("Give the deck's --seed, or a battery's --salt and --sealed.")


def _deck(commitment: str, seed: str, players: tuple[str, ...], extended: bool, moves: Path | None) -> None:
    doc: dict[str, Any] = {"players": [{"name": name} for name in players], "deck": {"seed": seed}}
    try:
        setup = ziggurat.Setup.from_json(doc | {"options": {"extended_deck": extended}})
        played = [ziggurat.parse(text) for text in _lines(moves)]
    except EngineError as fault:
        raise click.UsageError(f"{fault}.") from None
    found = differences(setup, commitment, played)
    for sentence in found:
        click.echo(sentence)
    if found:
        sys.exit(NOT_SO)
    click.echo("The deck is the one that was committed to. Dealt first:")
    for name, cards in first_deal(setup):
        click.echo(f"  {name}: {', '.join(card.name for card in cards)}")
    if moves is not None:
        click.echo(f"Every card of {len(played)} moves was where the shuffles had it.")


def _lines(moves: Path | None) -> list[str]:
    text = "" if moves is None else _text_of(moves)
    return [part.strip() for part in text.replace("\n", ";").split(";") if part.strip()]


def _battery(commitment: str, salt: str, text: str) -> None:
    if missile_command.commitment(text.strip(), salt) != commitment.strip().lower():
        click.echo("The battery, or its salt, is not what was committed to.")
        sys.exit(NOT_SO)
    click.echo("The battery is the one that was committed to.")


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as fault:
        raise click.UsageError(f"{path} cannot be read as text: {fault}.") from None
