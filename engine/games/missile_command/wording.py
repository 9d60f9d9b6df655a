"""The words that the players chose: the rulebook's, or those of the Peace Love Dove variant over the same rules."""

from __future__ import annotations

import re
from dataclasses import replace

from engine.games.missile_command.batteries import Options
from engine.rules import RuleViolation

_KIND = {
    **{"ABMs": "emotional scars", "ABM": "emotional scar", "SBAM": "bias", "MIRV's": "group intervention's"},
    **{"SAC units": "acts of kindness", "SAC unit": "act of kindness", "MIRV": "group intervention"},
    **{"neutron bomb": "Love Bazooka", "Cruise missiles": "Puppies", "drones": "honest conversations"},
    **{"drone": "honest conversation", "Vice President": "Inner Child", "President": "True Self"},
    **{"vice-president": "inner child", "president": "true self", "executives": "selves", "executive": "self"},
    **{"defence system is up": "self is in denial", "defence system": "denial", "missiles": "gestures"},
    **{"missile": "gesture", "damaged": "touched", "damage": "touch", "destroyed": "melted away"},
    **{"launched": "offered", "launches": "offers", "launch": "offer", "strikes": "arrives", "strike": "arrive"},
    **{"enemy": "friend", "battery": "heart", "targeted": "reached out to", "targets": "reaches out to"},
    **{"attacker": "friend who offered it", "attacking": "reaching"},
    **{"attacks": "reaches", "attacked": "reached", "attack": "reach", "silo": "wall", "silos": "walls"},
    **{"air wing": "circle of kindness", "sortie": "outing", "hit": "touched", "bombs": "bazookas"},
}
_PATTERN = re.compile(r"\b(" + "|".join(map(re.escape, sorted(_KIND, key=len, reverse=True))) + r")\b")


def in_words(options: Options, text: str) -> str:
    """The text in the chosen vocabulary.

    >>> in_words(Options(peace_love_dove=True), "the missile was launched at silo 2/3")
    'the gesture was offered at wall 2/3'
    """
    if not options.peace_love_dove:
        return text
    return _PATTERN.sub(lambda found: _KIND[found[0]], text)


def spoken(options: Options, violation: RuleViolation) -> RuleViolation:
    """The violation in the chosen vocabulary; the rule keeps its id and source."""
    if not options.peace_love_dove:
        return violation
    rule = replace(violation.rule, text=in_words(options, violation.rule.text))
    return RuleViolation(rule, in_words(options, violation.detail))
