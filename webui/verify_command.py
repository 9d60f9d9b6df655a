"""`umpire verify`: whether what the umpire or a player kept secret is what they had committed to.

Exit status 0 if it is, 1 if not, 2 for what cannot be read.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path
from typing import Any

import click

from engine.errors import EngineError
from engine.games import gran_prix, missile_command, ziggurat
from engine.games.ziggurat.verifying import differences, first_deal

NOT_SO = 1
_FILE = click.Path(path_type=Path, exists=True, dir_okay=False)


@click.command()
@click.argument("commitment")
@click.option("--seed", help="The seed of the deck, or of the dice, which the page shows when the game is over.")
@click.option("--throws", metavar='"5 2, 3 4"', help="Of the umpire's dice: every throw shown, in order.")
@click.option("--player", "players", multiple=True, metavar="NAME", help="Who played, in seating order; once for each.")
@click.option("--extended", is_flag=True, help="The deck had Pawns, Courts and the Excuse.")
@click.option("--moves", type=_FILE, help="The battle's moves, one a line or with semicolons: every card is checked.")
@click.option("--salt", help="Of a sealed battery: the salt.")
@click.option("--sealed", type=_FILE, help="Of a sealed battery: a file with its text.")
def verify(
    commitment: str,
    seed: str | None,
    throws: str | None,
    players: tuple[str, ...],
    extended: bool,
    moves: Path | None,
    salt: str | None,
    sealed: Path | None,
) -> None:
    """Check a deck (--seed), the umpire's dice (--seed and --throws) or a battery (--salt and --sealed) against the
    COMMITMENT shown before the game."""
    commitment = commitment.strip().lower()
    if seed is not None and throws is not None:
        _dice(commitment, seed, throws)
    elif seed is not None:
        _deck(commitment, seed, players or ("player 1", "player 2"), extended, moves)
    elif salt is not None and sealed is not None:
        _battery(commitment, salt, _text_of(sealed))
    else:
        raise click.UsageError(
            "Give a deck's --seed, the dice's --seed and --throws, or a battery's --salt and --sealed."
        )


def _deck(commitment: str, seed: str, players: tuple[str, ...], extended: bool, moves: Path | None) -> None:
    if len(seed) < ziggurat.SEED_LENGTH:
        raise click.UsageError(f"--seed takes the whole seed; a deck's has {ziggurat.SEED_LENGTH} characters or more.")
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


def _dice(commitment: str, seed: str, throws: str) -> None:
    found = gran_prix.unfair(commitment, seed, _thrown(throws))
    if found is not None:
        click.echo(found)
        sys.exit(NOT_SO)
    click.echo("The dice are the ones that were committed to, and every throw is theirs.")


def _thrown(text: str) -> list[tuple[int, int]]:
    """Two faces for each throw, whatever stands between them."""
    faces = [int(each) for each in re.findall(r"\d+", text)]
    if not faces or len(faces) % 2 or not set(faces) <= set(range(1, 7)):
        raise click.UsageError("--throws takes two faces from 1 to 6 for each throw, such as '5 2, 3 4'.")
    return list(zip(faces[::2], faces[1::2], strict=True))


def _battery(commitment: str, salt: str, text: str) -> None:
    if missile_command.commitment(text.strip(), salt) != commitment:
        click.echo("The battery, or its salt, is not what was committed to.")
        sys.exit(NOT_SO)
    click.echo("The battery is the one that was committed to.")


def _text_of(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8")
    except (OSError, ValueError) as fault:
        raise click.UsageError(f"{path} cannot be read as text: {fault}.") from None
