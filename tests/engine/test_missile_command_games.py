"""Missile Command by the game: recorded and random ones, what is said about them, and what stays secret."""

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path

import pytest

from engine.errors import InvalidSetup
from engine.games import missile_command as mc
from engine.match import Match
from engine.rules import Ending, Illegal
from engine.table import COLOURS, Colour, Pyramid, Scene, Size

RECORDS = sorted((Path(__file__).parent / "missile_command_games").glob("*.txt"))
NAMES = ("Ann", "Bob", "Cat", "Dan", "Eve")


def legal(state):
    return [move for move in mc.candidates(state) if not mc.violations(state, move)]


# Recorded games.


def recorded(path):
    head, _, moves = path.read_text().partition("\n\n")
    said = dict(each.split(": ", 1) for each in head.splitlines())
    names = said["players"].split(", ")
    doc = {"players": [{"name": name} for name in names], "batteries": {}, "executives": {}}
    for name in names:
        silos = [silo.split() for silo in said[name].split(" | ")]
        doc["batteries"][name] = [[{"colour": colour} for colour in silo] for silo in silos]
        president, vice = map(int, said[f"executives of {name}"].split())
        doc["executives"][name] = {"president": president, "vice_president": vice}
    return mc.start(mc.Setup.from_json(doc), Scene(())), moves.split("\n"), said["end"]


@pytest.mark.parametrize("path", RECORDS, ids=lambda path: path.stem)
def test_a_recorded_game(path):
    state, moves, end = recorded(path)
    for text in filter(None, moves):
        move = mc.parse(text)
        assert (str(move), mc.violations(state, move)) == (text, ())
        state = mc.play(state, move)
    outcome = mc.outcome(state)
    assert end == f"{outcome.ending.value} {' '.join(outcome.winners)}"
    assert all(mc.is_as_committed(seal) for _, seal in mc.opened(state))
    assert len(mc.opened(state)) == len(state.players)


def test_a_draw_of_two_and_a_win_among_four_are_recorded():
    texts = {path.stem: path.read_text() for path in RECORDS}
    assert "\nend: drawn Ann Bob\n" in texts["two_players_and_a_draw"]
    four = texts["four_players_and_a_winner"]
    assert "\nend: won " in four
    assert all(f"\n{what} " in four for what in ("deflect", "launch red", "sortie", "oppose", "take", "intercept"))


# Random games.


def sealed(chance, colours):
    """A battery within the rule of four, as game.json has it."""
    by_size = []
    for _ in Size:
        pool = [colour for colour in colours for _ in range(4)]
        chance.shuffle(pool)
        by_size.append(pool[:8])
    return [[{"colour": str(pieces[n])} for pieces in by_size] for n in range(8)]


def begun(chance, players, declared=True, **options):
    """A new game of so many players, batteries sealed or unknown."""
    names = NAMES[:players]
    colours = [one for one in COLOURS if players > 2 or one not in (Colour.RED, Colour.YELLOW)]
    doc = {"players": [{"name": name} for name in names], "options": options}
    if declared:
        doc["batteries"] = {name: sealed(chance, colours) for name in names}
        places = {name: chance.choices(range(1, 9), k=2) for name in names}
        doc["executives"] = {
            name: dict(zip(("president", "vice_president"), places[name], strict=True)) for name in names
        }
        doc["salts"] = dict.fromkeys(names, "the salt of a test")
    return mc.start(mc.Setup.from_json(doc), Scene(()))


def random_game(state, chance, most=100):
    """The moves of a random legal game and the states around them."""
    for _ in range(most):
        moves = legal(state)
        if not moves:
            return
        air = [move for move in moves if isinstance(move, mc.Sortie | mc.Scramble)]
        move = chance.choice(air if air and chance.random() < 0.15 else moves)
        before, state = state, mc.play(state, move)
        yield before, move, state


def pieces(state):
    """How many pyramids are in silos, in the air, on their way, before silos as markers, and out of play."""
    silos = [silo for battery in state.batteries for silo in battery.silos]
    markers = sum(silo.is_damaged and silo.marker is not None for silo in silos)
    units = sum(len(battery.air_wing) + (battery.on_its_way is not None) for battery in state.batteries)
    return sum(silo.left for silo in silos) + markers + units + len(state.discarded)


@pytest.mark.parametrize("seed", range(8))
def test_random_games_keep_the_table_in_order(seed):
    chance = random.Random(seed)
    state = begun(chance, 2 + seed % 4, declared=seed != 5, launch_detect=seed in (3, 6))
    for before, move, now in random_game(state, chance):
        assert mc.parse(str(move)) == move
        assert pieces(now) == 24 * len(now.players)
        assert hash(now) == hash(now)
        for number in now.in_game:
            damaged = now.position.side(number).damaged
            assert all(now.battery(number).silos[silo - 1].left for silo in damaged)
        if isinstance(move, mc.Launch | mc.Sortie | mc.Strike):
            aims = [place for _, place in getattr(move, "units", ())] or [move.target]
            assert all(before.battery(place.number).shield is None for place in aims)
        state = now
    assert mc.outcome(state) is not None or legal(state)


@pytest.mark.parametrize("seed", range(5))
def test_nobody_is_accused_in_a_legal_game_that_is_seen(silos_scene, seed):
    chance = random.Random(seed)
    state = begun(chance, 2 + seed % 3, launch_detect=seed == 3)
    match = Match(mc, state)
    for _, _, now in random_game(state, chance, 40):
        if not now.blocking:
            assert not isinstance(match.see(silos_scene(now.position)), Illegal)


def test_legal_moves_are_counted():
    """Frozen: a change here is a change of the rules."""
    state = begun(random.Random(1), 3)
    first = legal(state)
    assert (len(first), sum(len(legal(mc.play(state, move))) for move in first[:20])) == COUNTS


COUNTS = (112, 66)

# Secrets.


def hidden_from_others(battery):
    """What only its owner may know: missiles that have never been on top, executives not exposed, the salt."""
    covered = [colour for silo in battery.silos for colour in silo.missiles[4 - silo.left :] if silo.left]
    places = [one.silo for _, one in battery.executives if one.fate is mc.Fate.HIDDEN]
    return [*covered, *places, *([battery.seal.salt, battery.seal.text] if battery.seal else [])]


@pytest.mark.parametrize("seed", range(3))
def test_no_state_of_a_random_game_shows_a_secret(seed):
    chance = random.Random(seed)
    state = begun(chance, 2 + seed)
    for _, _, now in random_game(state, chance, 60):
        for player in (None, *NAMES[: 2 + seed]):
            shown = mc.visible_to(now, player)
            for who, battery, true in zip(now.players, shown.batteries, now.batteries, strict=True):
                if who.name == player:
                    assert battery == true
                elif now.is_over:
                    assert battery.seal == true.seal
                else:
                    assert set(hidden_from_others(battery)) <= {None}
                    assert (battery.air_wing, battery.shield) == (true.air_wing, true.shield)
            assert mc.changes(shown.position, now.position) == ()


def test_two_batteries_that_differ_in_secrets_only_look_the_same(silos_scene):
    """The same launches, judged from the same photos: what others see, and every ruling, is the same."""
    chance = random.Random(3)
    one = begun(chance, 2)
    other = with_other_secrets(one)
    assert one != other
    matches = [Match(mc, one), Match(mc, other)]
    state = one
    for _ in range(12):
        moves = [move for move in legal(state) if isinstance(move, mc.Launch) and state.silo(move.origin).left == 3]
        moves = [move for move in moves if state.silo(move.target).left == 3 and move.origin.silo < 4]
        if not moves:
            break
        state = mc.play(state, moves[0])
        while state.blocking:
            state = mc.play(state, mc.answers(state)[0])
        rulings = [match.see(silos_scene(state.position)) for match in matches]
        assert repr(rulings[0]) == repr(rulings[1])
        shown = [tuple(mc.visible_to(state, player) for player in (None, "Ann")) for state in map(_state, matches)]
        assert shown[0] == shown[1]


def _state(match):
    return match.state


def with_other_secrets(state):
    """Bob's smallest missiles are others, and so are the places of his executives."""
    bob = state.battery(2)
    smallest = [silo.missiles[2] for silo in bob.silos]
    turned = (*smallest[1:], smallest[0])
    silos = tuple(
        replace(silo, missiles=(*silo.missiles[:2], colour)) for silo, colour in zip(bob.silos, turned, strict=True)
    )
    places = {name: replace(one, silo=one.silo % 8 + 1) for name, one in bob.executives}
    bob = replace(bob, silos=silos, president=places["president"], vice_president=places["vice-president"])
    return state.with_battery(2, bob)


def test_a_commitment_tells_nothing_and_is_opened_when_the_game_is_over(missile_command):
    state = begun(random.Random(1), 2)
    seal = state.battery(1).seal
    assert mc.opened(state) == ()
    assert mc.commitment(mc.sealed_text(state.battery(1)), "the salt of a test") == seal.commitment
    assert mc.visible_to(state, "Bob").battery(1).seal == replace(seal, salt=None, text=None)
    changed = replace(seal, text=seal.text.replace("president: ", "president: 1"))
    assert mc.is_as_committed(seal)
    assert not mc.is_as_committed(changed)
    assert not mc.is_as_committed(replace(seal, salt=None))


def test_what_is_sealed_wrongly_is_not_read_out():
    state = begun(random.Random(1), 2, declared=False)
    batteries = sealed(random.Random(2), [Colour.BLACK, Colour.CLEAR])
    said = {"player": 1, "battery": batteries, "executives": {"president": 6}, "salt": "the salt of a test"}
    for doc in (said, {key: said[key] for key in ("battery", "salt")}):
        with pytest.raises(InvalidSetup) as fault:
            mc.declare(state, doc)
        assert not any(word in str(fault.value) for word in ("black", "large", "salt", "6}"))


# Variants.


def test_the_basic_game_has_five_kinds_of_missile():
    doc = {"players": [{"name": "Ann"}, {"name": "Bob"}], "options": {"basic_game": True}}
    colours = [Colour(name) for name in ("black", "white", "blue", "green", "clear")]
    chance = random.Random(2)
    mc.Setup.from_json(doc | {"batteries": {"Ann": sealed(chance, colours)}})
    with pytest.raises(InvalidSetup, match="stockpile"):
        mc.Setup.from_json(doc | {"batteries": {"Ann": sealed(chance, [*colours[:2], Colour.PURPLE])}})


POOL = [
    {"colour": colour, "size": size, "count": 5}
    for colour in ("black", "white", "blue", "green")
    for size in ("large", "medium", "small")
]


def drafted(chance):
    doc = {"players": [{"name": "Ann"}, {"name": "Bob"}], "first": "Ann", "first_picker": "Bob", "pool": POOL}
    state = mc.start(mc.Setup.from_json(doc | {"options": {"shared_stockpile": True}}), Scene(()))
    assert state.turn == 2
    while state.is_drafting:
        state = mc.play(state, chance.choice(legal(state)))
    return state


def test_a_shared_stockpile_is_taken_in_turn():
    state = drafted(random.Random(4))
    taken = [Counter(piece.size for piece in pieces) for pieces in state.draft.taken]
    assert taken == [dict.fromkeys(Size, 8)] * 2
    assert len(state.draft.pool) == 60 - 48
    assert state.turn == 1


@pytest.mark.parametrize("odd", [{"count": 10**12}, {"count": -5}, {"count": True}, {"count": 0}, {"colour": "red"}])
def test_a_pool_that_cannot_lie_on_a_table_is_refused(odd):
    doc = {"players": [{"name": "Ann"}, {"name": "Bob"}], "pool": [*POOL, POOL[0] | odd]}
    with pytest.raises(InvalidSetup, match="pool"):
        mc.Setup.from_json(doc)


def test_what_breaks_the_draft(missile_command):
    doc = {"players": [{"name": "Ann"}, {"name": "Bob"}], "pool": POOL}
    state = mc.start(mc.Setup.from_json(doc), Scene(()))
    for text, rule in (
        ("pick 2 large black", "pick-in-turn"),
        ("pick 1 large purple", "pick-from-pool"),
        ("launch black 1/1 at 2/1", "settle-first launch-the-top"),
    ):
        assert [one.rule.id for one in mc.violations(state, mc.parse(text))] == rule.split()
    for _ in range(8):
        for number in (1, 2):
            move = next(one for one in legal(state) if one.number == number and one.pyramid.size is Size.LARGE)
            state = mc.play(state, move)
    piece = next(piece for piece in state.draft.pool if piece.size is Size.LARGE)
    assert [one.rule.id for one in mc.violations(state, mc.Pick(1, piece))] == ["pick-eight"]


def test_what_was_not_taken_from_the_pool_comes_to_light():
    state = drafted(random.Random(4))
    lacking = next(
        colour
        for colour in (Colour.BLACK, Colour.WHITE, Colour.BLUE, Colour.GREEN, Colour.ORANGE)
        if Pyramid(colour, Size.LARGE) not in state.draft.taken[0]
    )
    broken = mc.violations(state, mc.Reveal(mc.Place(1, 1), lacking))
    assert [one.rule.id for one in broken] == ["stockpile"]


def after(state, line):
    for text in line.split("; "):
        assert mc.violations(state, mc.parse(text)) == (), text
        state = mc.play(state, mc.parse(text))
    return state


def test_launch_detect_strikes_a_turn_later(missile_command):
    state = missile_command("black", "green", launch_detect=True)
    state = after(state, "launch black 1/1 at 2/?; launch green 2/1 at 1/?")
    assert state.silo(mc.Place(2, 3)).left == 3
    assert [str(battery.on_its_way.missile) for battery in state.batteries] == ["large black", "large green"]
    state = after(state, "strike 1 at 2/3")
    assert (state.turn, state.silo(mc.Place(2, 3)).is_damaged) == (1, True)
    assert after(state, "launch black 1/2 at 2/?").turn == 2


def test_launch_detect_a_defence_system_destroys_what_is_on_its_way(missile_command):
    state = missile_command("purple", "purple", "purple", left={"2/7": 1}, launch_detect=True)
    state = after(state, "launch purple 1/1 at 2/?; launch purple 2/1 at 1/?; launch purple 3/1 at 2/?")
    state = after(state, "strike 1 at 2/7")
    assert state.battery(2).shield is not None
    assert state.battery(3).on_its_way is None


def test_launch_detect_a_deflected_missile_strikes_at_once(missile_command):
    state = missile_command("black", "yellow", "white", launch_detect=True)
    state = after(state, "launch black 1/1 at 2/?; launch yellow 2/1 at 1/?; launch white 3/1 at 1/?")
    state = after(state, "strike 1 at 2/2; take 3/5")
    assert state.silo(mc.Place(3, 5)).is_damaged
    assert state.turn == 1


def test_peace_love_dove_says_it_kindly(missile_command):
    state = missile_command("black", "white", "white", shielded=[2], peace_love_dove=True)
    (broken,) = mc.violations(state, mc.parse("launch black 1/1 at 2/1"))
    assert (broken.rule.id, broken.detail) == ("star-wars", "Bob's self is in denial")
    unkind = ("missile", "launch", "destroy", "attack", "enemy", "battery", "silo ", "drone", "damage")
    for rule in mc.RULES:
        text = mc.in_words(mc.Options(peace_love_dove=True), rule.text).lower()
        assert not any(word in text for word in unkind), text


def test_the_end_of_a_game_is_told(missile_command):
    state = missile_command("black", "white", left={"1/8": 0, "2/8": 0})
    assert mc.outcome(state).ending is Ending.DRAWN
