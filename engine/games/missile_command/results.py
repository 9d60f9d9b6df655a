"""The launch result table: what an attacker of each colour does to an exposed missile of each colour.

The table is the rulebook's, cell by cell. In two cells it contradicts the rulebook's own text, which gives the MIRV
its extra attack on everything but its own kind and missiles that deflect it: `CONTRADICTIONS` has the text's reading,
which counts unless the players go by the table (MC-2).
"""

from __future__ import annotations

from enum import Flag, auto

from engine.games.missile_command.batteries import Options
from engine.table import Colour


class Result(Flag):
    """What happens, one or more of these; an empty one: this attacker does not attack."""

    DESTROY = auto()  # the target is removed
    DAMAGE = auto()  # the target is damaged, or removed if it was damaged before
    PROBE = auto()  # the defender reports; nothing is hit
    EXTRA = auto()  # a silo next to the target is attacked too
    DEFLECT = auto()  # the defender sends the attacker on to another player
    ALL = auto()  # every other enemy player is attacked too; with DEFLECT, everybody but the defender


NOTHING = Result(0)
_SIGNS = {
    **{"x": Result.DESTROY, "d": Result.DAMAGE, "?": Result.PROBE},
    **{"e": Result.EXTRA, "y": Result.DEFLECT, "a": Result.ALL, "-": NOTHING},
}

# Rows attack, columns defend. x destroyed, d damaged, ? probed, e extra attack, y deflected, a all are attacked.
_TABLE = """
         black white blue green clear red yellow purple orange cyan
 black   x     d     x    d     x     x   xy     x      x      x
 white   d     x     x    d     x     x   xy     x      x      x
 blue    xe    xe    x    de    x     x   xy     xe     xe     xe
 green   x     x     x    d     x     x   xy     x      x      x
 clear   ?     ?     ?    ?     x     ?   ?      ?      ?      ?
 red     xa    xa    xa   da    xa    x   xya    xa     xa     xa
 yellow  d     d     d    d     d     d   x      d      d      d
 purple  x     x     x    d     x     x   x      x      x      x
 orange  -     -     -    -     -     -   -      -      -      -
 cyan    x     x     x    d     x     x   x      x      x      x
"""


def _cell(signs: str) -> Result:
    found = NOTHING
    for sign in signs:
        found |= _SIGNS[sign]
    return found


def _read(table: str) -> dict[tuple[Colour, Colour], Result]:
    head, *rows = (line.split() for line in table.strip().splitlines())
    return {
        (Colour(attacker), Colour(defender)): _cell(signs)
        for attacker, *cells in rows
        for defender, signs in zip(head, cells, strict=True)
    }


RESULTS = _read(_TABLE)
CONTRADICTIONS = {
    (Colour.BLUE, Colour.CLEAR): Result.DESTROY | Result.EXTRA,
    (Colour.BLUE, Colour.RED): Result.DESTROY | Result.EXTRA,
}


def result_of(attacker: Colour, defender: Colour, options: Options) -> Result:
    """The result of a direct attack; players may take the rulebook's table at its word in the two odd cells."""
    if options.mirv_by_the_table:
        return RESULTS[attacker, defender]
    return CONTRADICTIONS.get((attacker, defender), RESULTS[attacker, defender])


def side_result_of(attacker: Colour, defender: Colour) -> Result:
    """What an extra attack, a bomb's further strikes or a deflected missile does to the missile it lands on."""
    return RESULTS[attacker, defender] & (Result.DESTROY | Result.DAMAGE)
