"""Fuzzing led by coverage (atheris): ten minutes over all doors, each in a process of its own.

    python tests/torture/fuzz.py [--minutes 10] [--keep] [DOOR ...]

Mutation begins with `corpus/DOOR/`, every other time with what an input is made of in mind (`mutate.py`); small
inputs that led to new code are kept there with `--keep` only. An input that brings a door down, or keeps it busy for
more than `SLOWEST_S`, is lost and its file is named.
"""

from __future__ import annotations

import argparse
import random
import re
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import mutate
from report import Report, told

HERE = Path(__file__).parent
SLOWEST_S = 120  # a match is judged ten times slower while each branch is counted
MOST_BYTES = {"photo": 60_000, "zip": 20_000}
USUAL_BYTES = 3_000
BY_BYTES = 0.4  # of the mutations know nothing of what an input is made of
MOST_KEPT, MOST_KEPT_BYTES = 60, 400  # files of a door in the corpus, and how large one may be


def run(minutes: float = 10.0, doors: tuple[str, ...] = (), keep: bool = False) -> Report:
    """Each door for an equal share of the time."""
    from doors import DOORS

    names = doors or tuple(DOORS)
    found = [fuzzed(name, minutes * 60 / len(names), keep) for name in names]
    tried = sum(count for count, _, _ in found)
    faults = [words for _, _, words in found if words]
    counts: dict[str, int | float | str] = {"doors": len(names), "minutes": minutes, "inputs tried": tried}
    for name, (count, edges, _) in zip(names, found, strict=True):
        counts[f"  {name}"] = f"{count} inputs, {edges} branches"
    return Report("fuzz", counts, lost=len(faults), words=tuple(faults))


def fuzzed(name: str, seconds: float, keep: bool) -> tuple[int, int, str]:
    """Inputs tried, branches reached, and what went wrong in words, if something did."""
    corpus = HERE / "corpus" / name
    corpus.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder) / "work"
        work.mkdir()
        crash = Path(tempfile.gettempdir()) / f"fuzz-{name}-"
        flags = [f"-max_total_time={max(1, int(seconds))}", f"-max_len={MOST_BYTES.get(name, USUAL_BYTES)}"]
        flags += [f"-timeout={SLOWEST_S}", "-rss_limit_mb=4096", f"-artifact_prefix={crash}", "-print_final_stats=1"]
        command = [sys.executable, __file__, "--door", name, *flags, str(work), str(corpus)]
        ended = subprocess.run(
            command, check=False, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
        )
        tried = re.findall(r"stat::number_of_executed_units: (\d+)", ended.stdout)
        edges = re.findall(r" (?:cov|ft): (\d+)", ended.stdout)
        if ended.returncode == 0 and tried:
            if keep:
                kept(work, corpus)
            return int(tried[-1]), int(edges[-1]) if edges else 0, ""
        where = re.findall(r"Test unit written to (\S+)", ended.stdout)
        fault = [line for line in ended.stdout.splitlines() if re.match(r"\w*(Error|Exception|ALARM|ERROR)\b", line)]
        what = (fault or ended.stdout.splitlines()[-1:] or ["no words"])[0]
        done = re.findall(r"^#(\d+)", ended.stdout, re.MULTILINE)
        return int(done[-1]) if done else 0, 0, f"{name}: {what[:300]} (input: {where[0] if where else 'not written'})"


def kept(work: Path, corpus: Path) -> None:
    """Of what led to new code, the smallest stay in the corpus."""
    small = [path for path in work.iterdir() if path.stat().st_size <= MOST_KEPT_BYTES]
    room = max(0, MOST_KEPT - len(list(corpus.iterdir())))
    for path in sorted(small, key=lambda path: path.stat().st_size, reverse=True)[:room]:
        shutil.copy(path, corpus / path.name[:12])


def fuzz_door(name: str, flags: list[str]) -> None:
    """Never returns: the fuzzer ends the process."""
    import atheris

    rooms = ["engine", "calibration", "webui", "doors", *(["vision", "PIL"] if name in ("photo", "zip") else [])]
    with atheris.instrument_imports(include=rooms):
        from doors import DOORS, addresses, seeds_of

    mutation = mutate.of_door(name, seeds_of(name), addresses)

    def mutated(content: bytes, most_bytes: int, seed: int) -> bytes:
        rng = random.Random(seed)
        if mutation is None or rng.random() < BY_BYTES:
            return bytes(atheris.Mutate(content, most_bytes))
        return mutation(content, rng)[:most_bytes]

    atheris.Setup([sys.argv[0], *flags], DOORS[name], custom_mutator=mutated)
    atheris.Fuzz()


if __name__ == "__main__":
    if sys.argv[1:2] == ["--door"]:
        fuzz_door(sys.argv[2], sys.argv[3:])
    asked = argparse.ArgumentParser()
    asked.add_argument("--minutes", type=float, default=10.0)
    asked.add_argument("--keep", action="store_true")
    asked.add_argument("doors", nargs="*")
    said = asked.parse_args()
    sys.exit(told(run(said.minutes, tuple(said.doors), said.keep)))
