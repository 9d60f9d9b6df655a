"""Whole games with the umpire's deck: random ones that keep every count, and two recorded ones."""

import random
from collections import Counter
from pathlib import Path

import pytest

from engine.games import ziggurat
from engine.games.ziggurat import EXTENDED, REACHABLE, Attack, Draw, Setup, is_as_committed
from engine.games.ziggurat.playing import answers
from engine.games.ziggurat.state import Changing
from engine.games.ziggurat.towers import sizes_of, stash

NAMES = ("Ann", "Bob", "Cy", "Dee", "Eve")
RECORDS = sorted((Path(__file__).parent / "games").glob("*.txt"))
MOST_MOVES = 400


def new_game(players, seed, **options):
    names = [{"name": name} for name in NAMES[:players]]
    return ziggurat.new_game(Setup.from_json({"players": names, "deck": {"seed": seed}, "options": options}))


def legal(state):
    return [move for move in ziggurat.candidates(state) if not ziggurat.violations(state, move)]


def chosen(state, chance):
    """Attacks rather than draws, and draws rather than remodelling, so that battles end."""
    moves = legal(state)
    attacks = [move for move in moves if isinstance(move, Attack)]
    draws = [move for move in moves if isinstance(move, Draw)]
    if attacks and chance.random() < 0.85:
        return chance.choice(attacks)
    return chance.choice(draws) if draws and chance.random() < 0.8 else chance.choice(moves)


def cards_of(state):
    return Counter((*state.deck.pile, *state.discards, *(card for hand in state.deck.hands for card in hand)))


def assert_is_sound(state):
    players = len(state.players)
    position = state.position
    pieces = Counter(piece for mine in position.towers for tower in mine for piece in tower)
    assert pieces + Counter(position.scrapyard) == stash(players)
    assert cards_of(state) == Counter(state.options.cards)
    assert all(sizes_of(position.at(place)) in REACHABLE for place in position.places)
    assert all(len(hand) <= 5 for hand in state.deck.hands)
    if state.owed and isinstance(state.owed[0], Changing):
        assert any(move.pyramid is not None for move in answers(state))  # change can always be made in size
    if not state.owed:
        assert state.lost == tuple(sum(not tower for tower in mine) for mine in position.towers)
        assert all(not state.deck.hand(n) for n in state.numbers if n not in state.in_game)


class Tally:
    """The points counted afresh from what was done: who took a player's first tower gets 1 point, the second 2 ..."""

    def __init__(self, state):
        self.points = dict.fromkeys(state.numbers, 0)
        self.lost = dict.fromkeys(state.numbers, 0)
        self.attacker = None

    def see(self, before, move, after):
        if isinstance(move, Attack):
            self.attacker = move.number
        for place in before.position.places:
            if before.position.at(place) and not after.position.at(place) and not self.is_open(after, place):
                self.gone(place, isinstance(move, ziggurat.Allow))
        if isinstance(move, ziggurat.Change) and move.pyramid is None and not before.position.at(move.place):
            self.lost[move.place.number] += 1

    def is_open(self, state, place):
        return bool(state.owed) and isinstance(state.owed[0], Changing) and state.owed[0].place == place

    def gone(self, place, is_by_attack):
        self.lost[place.number] += 1
        if is_by_attack:
            self.points[self.attacker] += self.lost[place.number]


@pytest.mark.parametrize("seed", range(8))
def test_a_random_game(seed):
    chance = random.Random(seed)
    players = 2 + seed % 4
    options = {"extended_deck": seed % 2 == 1, "exhausted_when_needed": seed % 3 == 2}
    state = new_game(players, f"seed of random game {seed}", **options)
    tally = Tally(state)
    for _ in range(MOST_MOVES):
        if ziggurat.outcome(state) is not None:
            break
        move = chosen(state, chance)
        assert ziggurat.parse(str(move)) == move
        after = ziggurat.play(state, move)
        tally.see(state, move, after)
        state = after
        assert_is_sound(state)
    assert tally.points == dict(zip(state.numbers, state.points, strict=True))
    over = ziggurat.outcome(state)
    if over is not None:
        assert len(state.in_game) <= 1
        scores = {number: state.score(number) for number in state.numbers}
        assert {state.name_of(n) for n, score in scores.items() if score == max(scores.values())} == set(over.winners)
        assert is_as_committed(ziggurat.visible_to(state, None).deck)


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game(path):
    head, _, moves = path.read_text().partition("\n\n")
    said = dict(line.split(": ", 1) for line in head.splitlines())
    options = {name: True for name in said.get("options", "").split(", ") if name}
    state = new_game(len(said["players"].split(", ")), said["seed"], **options)
    assert state.deck.commitment == said["commitment"]
    for text in filter(None, moves.split("\n")):
        move = ziggurat.parse(text)
        assert (str(move), ziggurat.violations(state, move)) == (text, ())
        state = ziggurat.play(state, move)
        assert_is_sound(state)
    over = ziggurat.outcome(state)
    points = ", ".join(f"{state.name_of(n)} {state.score(n)}" for n in state.numbers)
    assert said["end"] == f"{' and '.join(over.winners)} won; {points}; first out {state.name_of(state.first_out[0])}"


def test_one_recorded_game_has_the_extended_deck_and_uses_it():
    texts = {path.stem: path.read_text() for path in RECORDS}
    assert len(texts) == 2
    (extended,) = [text for text in texts.values() if "options: extended_deck" in text]
    added = {str(card) for card in EXTENDED[36:]}
    assert added & set(extended.split())
    for word in ("defend", "remodel", "attrition", "change", " with "):
        assert any(word in text for text in texts.values())
