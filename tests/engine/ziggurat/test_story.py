"""A photographed game of seven tables with what was declared, and the same tables with nothing declared."""

from dataclasses import replace

import pytest

from engine.rules import Illegal, Legal
from engine.table import Colour, Pyramid, Scene, Size

WHOLE = "r3r2r1 b3b2b1 y3y2y1 k3k2k1"
STORY = (
    f"{WHOLE} / r3g1 b3b2b1 y3y2y1 k3k2k1",
    "r3r2r1 b3b2b1 y3y2y1 k3k2 / r3 b3b2b1 y3y2y1 k3k2k1",
    "r3r2r1 b3b2r1 y3y2y1 k3k2 / r3 b3b2b1 y3y2y1 k3k2k1",
    "r3r2r1 b3b2r1 y3 k3k2 / r3 b3b2b1 y3y2y1 k3k2k1",
    "r3r2r1 b3b2r1 y3 k3k2 / r3 b3b2b1 y3 k3k2k1",
    "r3r2r1 b3b2r1 y3 k3k2 / r3 b3b2b1 y3y2 k3k2k1",
)


def card(rank, *suits):
    return {"rank": rank, "suits": list(suits)}


def attack(player, tower, told, **more):
    return {"action": "attack", "card": told, "target": {"player": player, "tower": tower}, "defence": [], **more}


DECLARED = (
    attack("Bob", 1, card("7", "Moons", "Leaves")),
    attack("Ann", 4, card("3", "Moons", "Waves"), using={"tower": 1}),
    {
        "action": "remodel",
        "tower": 2,
        "discarded": [card("2", "Suns", "Wyrms"), card("5", "Moons", "Leaves"), card("9", "Waves", "Wyrms")],
    },
    attack("Ann", 3, card("Crown", "Knots")),
    attack("Bob", 3, card("4", "Wyrms", "Knots")),
    None,
)
LINES = (
    "attack 1 7ML 2/1; allow 2; change 2/1 g1",
    "attack 2 3MW 1/4 with 2/1; allow 1",
    "remodel 1/2 r1 2SY 5ML 9WY",
    "attack 2 CK 1/3; allow 1",
    "attack 1 4YK 2/3; allow 2; touch 2/3 medium yellow on large yellow -> large yellow",
    "attack 1 4YK 2/3; allow 2",
)


def line(ruling):
    return "; ".join(map(str, ruling.line))


@pytest.fixture
def told(match, scene):
    def rulings(tables=STORY, declared=DECLARED):
        game, found = match(), []
        for table, said in zip(tables, declared, strict=True):
            if said is not None:
                game.declare(said)
            found.append(game.see(scene(table)))
        return game, found

    return rulings


def test_the_declared_story(told):
    game, rulings = told()
    assert [type(ruling) for ruling in rulings] == [Legal] * 4 + [Illegal, Legal]
    assert [line(ruling) for ruling in rulings] == list(LINES)
    assert [violation.rule.id for violation in rulings[4].violations] == ["damage-by-strength"]
    assert game.state.turn == 2
    assert not game.state.said


def test_a_table_that_lies_as_it_did_is_no_event_and_what_was_said_waits(match, scene):
    game = match()
    game.declare(DECLARED[0])
    assert game.see(scene(f"{WHOLE} / {WHOLE}")) is None
    assert len(game.state.said) == 2
    assert isinstance(game.see(scene(STORY[0])), Legal)


def test_with_nothing_declared_the_attacks_that_would_fit_are_listed(told):
    _, rulings = told(STORY[:1], (None,))
    assert line(rulings[0]) == "attack 1 ?2 2/1; allow 2; change 2/1 g1"
    assert (
        "Which card was played against tower 2/1? It may have been the 6 of Suns and Wyrms, the 6 of Leaves and Knots, "
        "the 7 of Moons and Leaves, the 7 of Suns and Knots, the 8 of Moons and Suns, the 8 of Waves and Leaves, "
        "the 9 of Moons and Suns, the 9 of Leaves and Knots." in rulings[0].questions
    )


def test_with_nothing_declared_nobody_is_accused(told):
    _, rulings = told(STORY[:4], (None,) * 4)
    assert not any(isinstance(ruling, Illegal) for ruling in rulings)
    assert line(rulings[3]) == "attack 2 ?3 1/3; allow 1"


def test_a_piece_of_the_scrapyard_that_is_not_seen_accuses_nobody(match, scene):
    """Without that small green the damaged tower looks whole, and the other one as if change had been made wrongly."""
    table = scene(STORY[1])
    hidden = next(one for one in table.stacks if one.sheet == "scrapyard" and str(one.pyramids[0]) == "small green")
    game = match()
    game.see(scene(STORY[0]))
    assert not isinstance(game.see(Scene.of([one for one in table.stacks if one is not hidden])), Illegal)


def test_a_damaged_tower_that_is_taken_for_a_whole_one_accuses_nobody(match, scene):
    """What it lost lies in the scrapyard, which then holds more than the other tower can have lost."""
    table = scene(STORY[1])
    whole = tuple(Pyramid(Colour.RED, size) for size in sorted(Size, reverse=True))
    stacks = [
        replace(one, pyramids=whole) if (one.sheet, one.zone) == ("towers-2", "tower-1") else one
        for one in table.stacks
    ]
    game = match()
    game.see(scene(STORY[0]))
    assert not isinstance(game.see(Scene.of(stacks)), Illegal)
