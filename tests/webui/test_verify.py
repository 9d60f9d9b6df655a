"""`umpire verify`: a deck and a battery against what was committed to."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from engine.games import gran_prix, missile_command, ziggurat
from engine.games.ziggurat.verifying import differences, first_deal
from webui.cli import main

RECORDS = sorted((Path(__file__).parent.parent / "engine/ziggurat/games").glob("*.txt"))
SEED = "a seed of many letters"


def run(*args):
    found = CliRunner().invoke(main, ["verify", *map(str, args)])
    return found.exit_code, found.output


@pytest.fixture(params=RECORDS, ids=lambda path: path.stem)
def record(request, tmp_path):
    """A recorded battle: the arguments that verify it, and the file of its moves."""
    head, _, moves = request.param.read_text().partition("\n\n")
    said = dict(line.split(": ", 1) for line in head.splitlines())
    file = tmp_path / "moves.txt"
    file.write_text(moves)
    names = [part for name in said["players"].split(", ") for part in ("--player", name)]
    extended = ["--extended"] if "extended_deck" in said.get("options", "") else []
    return [said["commitment"], "--seed", said["seed"], *names, *extended, "--moves", file], file


def test_a_recorded_battle_agrees_with_its_deck(record):
    status, words = run(*record[0])
    assert status == 0
    assert "The deck is the one that was committed to." in words
    assert re.search(r"Every card of \d+ moves was where the shuffles had it", words)


def test_a_card_that_was_not_in_hand_is_told(record):
    arguments, file = record
    first = file.read_text().split("\n")[0]
    text = file.read_text().replace(first, "attack 1 CK 2/3", 1)
    file.write_text(text)
    status, words = run(*arguments)
    assert status == 1
    assert "'attack 1 CK 2/3': Ann does not hold the Crown of Knots." in words


def test_another_seed_is_told():
    status, words = run(ziggurat.commitment(SEED), "--seed", SEED + "!")
    assert (status, words) == (1, "The seed is not the one that was committed to: another deck was dealt.\n")


def test_half_a_seed_is_told():
    status, words = run(ziggurat.commitment(SEED), "--seed", "abc")
    assert status == 2
    assert "--seed takes the whole seed" in words


def test_the_umpires_dice_are_checked_throw_by_throw():
    shown = gran_prix.commitment(SEED)
    thrown = [gran_prix.throw(SEED, number) for number in (1, 2, 3)]
    said = ", ".join(f"{one} and {other}" for one, other in thrown)
    assert run(shown, "--seed", SEED, "--throws", said)[0] == 0
    assert run(gran_prix.commitment("other"), "--seed", SEED, "--throws", said)[0] == 1
    wrong = (thrown[1][0] % 6 + 1, thrown[1][1])
    status, words = run(shown, "--seed", SEED, "--throws", said.replace(str(thrown[1][0]), str(wrong[0])))
    assert status == 1
    assert words.startswith("Throw ")
    for odd in ("5 2 1", "7 1", "none"):
        status, words = run(shown, "--seed", SEED, "--throws", odd)
        assert status == 2
        assert "two faces from 1 to 6" in words


def test_the_first_deal_is_told_for_everybody_to_compare():
    setup = ziggurat.Setup.from_json({"players": [{"name": "Ann"}, {"name": "Bob"}], "deck": {"seed": SEED}})
    state = ziggurat.new_game(setup)
    dealt = dict(first_deal(setup))
    assert dealt["Ann"] == state.deck.hand(1)
    assert len(dealt["the pile"]) == 26
    after = ziggurat.play(ziggurat.play(state, ziggurat.parse("draw 1")), ziggurat.parse("draw 2"))
    assert after.deck.pile == state.deck.pile  # with five cards in hand nothing is drawn
    assert differences(setup, ziggurat.commitment(SEED)) == ()


def test_a_battery_is_checked_with_its_salt(tmp_path):
    file = tmp_path / "battery.txt"
    text = missile_command.sealed_text(missile_command.Battery())
    file.write_text(text + "\n")
    shown = missile_command.commitment(text, "a salt that is long")
    assert run(shown, "--salt", "a salt that is long", "--sealed", file)[0] == 0
    assert run(shown, "--salt", "another salt, as long", "--sealed", file)[0] == 1


@pytest.mark.parametrize("more", [[], ["--salt", "x"], ["--seed", "short"], ["--seed", SEED, "--player", "Ann"]])
def test_what_cannot_be_checked_is_told_in_words(more):
    status, words = run("0" * 64, *more)
    assert status == 2
    assert "Traceback" not in words


def test_moves_that_are_none_are_told(tmp_path):
    file = tmp_path / "moves.txt"
    file.write_bytes(b"\xff\xfe")
    assert run("0" * 64, "--seed", SEED, "--moves", file)[0] == 2
    file.write_text("attack the moon")
    assert run("0" * 64, "--seed", SEED, "--moves", file)[0] == 2
