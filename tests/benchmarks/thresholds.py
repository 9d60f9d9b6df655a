"""What the umpire's thresholds do to the photographed stories: false accusations against faults that are missed.

`python tests/benchmarks/thresholds.py [SEEDS]` judges every kept story as it was read, and SEEDS times (3 unless said)
as poor eyes might have read it: each stack is taken for one of its alternatives, drawn by the roots of their shares,
and just as surely as it was read. Where a fault was just put right, no ruling is right as well. `missed` are faults
that were ruled legal or not at all.
"""

from __future__ import annotations

import random
import sys
from collections import Counter
from dataclasses import replace
from itertools import pairwise
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "stories"))

from story_judging import Judged, judged
from story_scenes import Told, stories

from engine import umpire
from engine.table import Scene, Stack

SEEDS = 3
TRIED = (
    ("as they are", {}),
    *((f"illegal needs {share}", {"ILLEGAL_NEEDS": share}) for share in (0.5, 0.8, 0.9, 0.95, 0.99)),
    *((f"trust {trust:g}", {"TRUST": trust}) for trust in (1.0, 3.0, 30.0)),
    *((f"kept {share}", {"KEPT": share}) for share in (0.01, 0.5)),
)


def misread(scene: Scene, chance: random.Random) -> Scene:
    return Scene.of([_mistaken(stack, chance) for stack in scene.stacks], scene.empty_stands)


def _mistaken(stack: Stack, chance: random.Random) -> Stack:
    """The stack with its first reading and one that is drawn by their shares in each other's place."""
    if len(stack.readings) < 2:
        return stack
    (drawn,) = chance.choices(range(len(stack.readings)), [one.probability**0.5 for one in stack.readings])
    ranked = list(stack.readings)
    first, other = ranked[0], ranked[drawn]
    ranked[0] = replace(other, probability=first.probability)
    ranked[drawn] = replace(first, probability=other.probability)
    shown = ranked[0] if drawn else first
    pose = replace(stack.pose, heading_deg=shown.heading_deg)
    ranked = ranked if drawn else list(stack.readings)
    return replace(stack, pose=pose, pyramids=shown.pyramids, stand=shown.stand, readings=tuple(ranked))


def counted(told: Told, rulings: tuple[Judged, ...]) -> Counter[str]:
    was_legal = {now.name: before.is_legal for before, now in pairwise(told.photos)}
    found: Counter[str] = Counter()
    for one in rulings:
        found[_kind(one.word, one.photo.is_legal, was_legal[one.photo.name])] += 1
    return found


def _kind(word: str, is_legal: bool, was_legal: bool) -> str:
    if word == ("legal" if is_legal else "illegal") or (word == "none" and is_legal and not was_legal):
        return "right"
    if is_legal:
        return {"illegal": "false", "unclear": "unclear"}.get(word, "none")
    return "fault unclear" if word == "unclear" else "missed"


def main() -> None:
    seeds = int(sys.argv[1]) if len(sys.argv) > 1 else SEEDS
    kept = stories()
    heads = f"{'right':>6}{'false':>6}{'missed':>7}{'unclear':>8}"
    print(f"{len(kept)} stories; as read, then {seeds} times by poor eyes\n{'':<22}{heads}   |{heads}")
    usual = {name: getattr(umpire, name) for _, changed in TRIED for name in changed}
    for words, changed in TRIED:
        for name, value in (usual | changed).items():
            setattr(umpire, name, value)
        plain, poor = Counter[str](), Counter[str]()
        for told in kept:
            plain += counted(told, judged(told))
            for seed in range(seeds):
                chance = random.Random(f"{told.name}/{seed}")
                poor += counted(told, judged(told, shown=lambda scene, chance=chance: misread(scene, chance)))
        print(f"{words:<22}{_columns(plain)}   |{_columns(poor)}", flush=True)


def _columns(found: Counter[str]) -> str:
    unclear = found["unclear"] + found["fault unclear"] + found["none"]
    return f"{found['right']:>6}{found['false']:>6}{found['missed']:>7}{unclear:>8}"


if __name__ == "__main__":
    main()
