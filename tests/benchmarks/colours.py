"""Whether a taught palette helps: colours read with and without one, on photos with truth.

    python tests/benchmarks/colours.py PHOTOS CARD...     (PHOTOS: a folder of photo and truth pairs; CARD: photos)

The light is not in the truth, so how alike it is, is measured: the tint of white paper in each photo against that in
the card's. Figure to meet: with each CARD taught, colours on all of PHOTOS, and on the photos whose light is most
like the card's, are read no worse than without. Counted is the top piece (of a nest the outer one) of every stack
found within 8 mm, however many levels were read. Ends with status 1 when the figure is missed.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as np

from calibration.locate import locate
from calibration.optics import LocatedTable, SheetPose
from calibration.palette import Palette
from engine.table import Stack
from vision import observe as eyes
from vision.camera import Frame, read_photo
from vision.finder import find
from vision.reader import readings
from vision.teach import lesson_of

NEAR_MM = 8.0
ALIKE_TINT = 0.12  # log units of red over blue of white paper


def pieces_of(truth: dict) -> list[list[dict]]:
    """The truth's stacks, bottom first; of a nest the outer piece."""
    stacks: dict = {}
    for number, piece in enumerate(truth["pyramids"]):
        stacks.setdefault(piece.get("stack", f"alone {number}"), []).append(piece)
    return [sorted(stack, key=lambda p: p.get("level", p.get("nested", 0))) for stack in stacks.values()]


def on_sheets(truth: dict, x_mm: float, y_mm: float) -> dict[str, np.ndarray]:
    poses = {each["sheet"]: SheetPose(*each["pose_mm_deg"]) for each in truth["sheets"]}
    return {name: pose.to_sheet(np.array([[x_mm, y_mm]]))[0] for name, pose in poses.items()}


def right_and_all(truth: dict, stacks: list[Stack]) -> tuple[int, int]:
    right = total = 0
    for pieces in pieces_of(truth):
        places = on_sheets(truth, pieces[0]["x_mm"], pieces[0]["y_mm"])
        near = [s for s in stacks if np.hypot(*(places[s.sheet] - (s.pose.x_mm, s.pose.y_mm))) < NEAR_MM]
        top = pieces[0] if "nested" in pieces[0] else pieces[-1]
        for stack in near[:1]:
            right += str(stack.pyramids[-1].colour) == top["colour"]
            total += 1
    return right, total


class Seen:
    """One photo, looked at once and weighed with each palette."""

    def __init__(self, path: Path) -> None:
        self.truth = json.loads(path.with_suffix(".json").read_text())
        frame: Frame = read_photo(path)
        self.table: LocatedTable = locate(frame.image_bgr, frame.lens_hint)
        self.scene = eyes.Scaled.of(frame.image_bgr, self.table)
        self.answers = eyes._answers(find(self.scene.small, self.scene.small_table, self.scene.field), self.scene)
        self.stands = self.scene.stands(self.answers)
        blue, _, red = self.scene.field.at(np.array([self.scene.field.centre_mm]))[0]
        self.tint = float(np.log(red / blue))

    def counts(self, palette: Palette | None) -> tuple[int, int]:
        levels = self.scene.levels(self.answers, self.stands, palette)
        told = zip(self.answers, levels, self.stands, strict=True)
        stacks = [eyes._stack(readings(said, seen, stand), said, self.table) for said, seen, stand in told]
        return right_and_all(self.truth, [stack for stack in stacks if stack is not None])


def without_hands(folder: Path) -> list[Path]:
    photos = [path for path in sorted(folder.glob("*.jpg")) if path.with_suffix(".json").exists()]
    return [p for p in photos if not json.loads(p.with_suffix(".json").read_text()).get("hand_in_view")]


def main() -> None:
    if len(sys.argv) < 3:
        sys.exit(__doc__)  # without a card there is nothing to compare
    folder, *cards = map(Path, sys.argv[1:])
    photos = [Seen(path) for path in without_hands(folder)]
    missed = False
    plain = [seen.counts(None) for seen in photos]
    for card in cards:
        lesson = lesson_of(read_photo(card))
        print(f"{card.name} teaches {', '.join(lesson.palette.colours)}")
        for cell, why in lesson.set_aside:
            print(f"    {cell} set aside: {why}")
        tint = Seen(card).tint
        taught = [seen.counts(lesson.palette) for seen in photos]
        alike = [n for n, seen in enumerate(photos) if abs(seen.tint - tint) < ALIKE_TINT]
        for words, chosen in (("all photos", range(len(photos))), ("photos in light like the card's", alike)):
            before, after = (sum(counts[n][0] for n in chosen) for counts in (plain, taught))
            total = sum(plain[n][1] for n in chosen)
            print(f"    {len(list(chosen))} {words}: {before} of {total} colours without, {after} with")
            missed |= after < before
    print("Missed." if missed else "The figure is met.")
    sys.exit(missed)


if __name__ == "__main__":
    main()
