"""Mutation that knows what an input is made of: values of a JSON document, fields of a form, words of a line.

Bytes changed at random seldom are JSON any more; what is taken out, doubled, exchanged and made odd here is, so that
the fuzzer comes to what lies behind the first check.
"""

from __future__ import annotations

import copy
import json
import random
from collections.abc import Callable, Iterator
from typing import Any
from urllib.parse import parse_qsl, urlencode

COLOURS = frozenset(["red", "orange", "yellow", "green", "blue", "purple", "cyan", "white", "black", "clear"])
ODD = (None, True, False, 0, -1, 1, 0.5, 1e9, -1e300, 10**29, "", "Ann", "\u0000", [], {}, [None], "x" * 500)
MOST_STEPS = 6

Path = tuple[Any, ...]
Mutation = Callable[[bytes, random.Random], bytes]


def of_door(name: str, seeds: tuple[bytes, ...], addresses: Callable[[], tuple[str, ...]]) -> Mutation | None:
    """How inputs of a door are made of its seeds; None where they are but bytes."""
    if name in ("photo", "zip"):
        return None
    if name == "form":
        return of_forms(seeds, addresses())
    return of_words(seeds) if name.startswith("notation") else of_documents(seeds)


def of_documents(seeds: tuple[bytes, ...]) -> Mutation:
    """Mutation of JSON documents; parts of the seeds come into one another."""
    documents = [document for document in map(_document, seeds) if document is not None]
    texts = [value for document in documents for _, value in _parts(document) if isinstance(value, str)] or ["Ann"]

    def mutation(content: bytes, rng: random.Random) -> bytes:
        document = _document(content)
        if document is None or rng.random() < 0.02:
            document = rng.choice(documents)
        document = copy.deepcopy(document)
        for _ in range(rng.randint(1, MOST_STEPS)):
            where, value = rng.choice(list(_parts(document)))
            document = _put(document, where, _other(value, rng, documents, texts), rng)
        return json.dumps(document).encode("utf-8", "surrogatepass")

    return mutation


def of_forms(seeds: tuple[bytes, ...], addresses: tuple[str, ...]) -> Mutation:
    """Mutation of an address in the first line and a form in the second, of the names and values that are known."""
    fields = [field for seed in seeds for field in _form(seed)[1]]

    def mutation(content: bytes, rng: random.Random) -> bytes:
        address, form = _form(content)
        if rng.random() < 0.2:
            address = rng.choice(addresses)
        for _ in range(rng.randint(1, MOST_STEPS)):
            place, (name, value) = rng.randint(0, len(form)), rng.choice(fields)
            step = rng.random()
            if step < 0.4 or not form:
                form.insert(place, (name, value))
            elif step < 0.6:
                form.pop(place - 1)
            elif step < 0.8:
                form[place - 1] = (form[place - 1][0], value)
            else:
                form[place - 1] = (form[place - 1][0], _word(form[place - 1][1], rng, [value]))
        return f"{address}\n{urlencode(form, errors='replace')}".encode("utf-8", "replace")

    return mutation


def of_words(seeds: tuple[bytes, ...]) -> Mutation:
    """Mutation of a line of words: some exchanged, left out, said twice, or from another line."""
    words = [word for seed in seeds for word in seed.decode("utf-8", "replace").split(" ")]

    def mutation(content: bytes, rng: random.Random) -> bytes:
        line = content.decode("utf-8", "replace").split(" ")
        for _ in range(rng.randint(1, MOST_STEPS)):
            place, step = rng.randrange(len(line) + 1), rng.random()
            if step < 0.2 or not line:
                line.insert(place, rng.choice(words))
            elif step < 0.4:
                line.pop(place - 1)
            else:
                line[place - 1] = _word(line[place - 1], rng, words)
        return " ".join(line).encode("utf-8", "replace")

    return mutation


def _document(content: bytes) -> Any:
    try:
        return json.loads(content)
    except (ValueError, RecursionError):
        return None


def _form(content: bytes) -> tuple[str, list[tuple[str, str]]]:
    address, _, form = content.decode("utf-8", "replace").partition("\n")
    return address, parse_qsl(form, keep_blank_values=True)[:40]


def _parts(value: Any, where: Path = ()) -> Iterator[tuple[Path, Any]]:
    yield where, value
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, each in inside:
        yield from _parts(each, (*where, key))


def _put(document: Any, where: Path, value: Any, rng: random.Random) -> Any:
    """The document with the value there: in place of what was there, beside it, or with that left out."""
    if not where:
        return value
    holder = document
    for key in where[:-1]:
        holder = holder[key]
    step = rng.random()
    if step < 0.15:
        holder.pop(where[-1])
    elif step < 0.3 and isinstance(holder, list):
        holder.insert(rng.randint(0, len(holder)), copy.deepcopy(holder[where[-1]]))
    else:
        holder[where[-1]] = value
    return document


def _other(value: Any, rng: random.Random, documents: list[Any], texts: list[str]) -> Any:
    step = rng.random()
    if step < 0.15:
        return copy.deepcopy(rng.choice(ODD))
    if step < 0.3:
        return copy.deepcopy(rng.choice(list(_parts(rng.choice(documents))))[1])
    match value:
        case str():
            return " ".join(_word(word, rng, texts) for word in value.split(" "))
        case bool():
            return not value
        case int() | float():
            return rng.choice((value + rng.choice((-40, -1, 1, 40)), value * rng.random(), value * 1.1, -value))
        case list() if len(value) > 1:
            return rng.sample(value, rng.randint(0, len(value)))
    return value


def _word(word: str, rng: random.Random, others: list[str]) -> str:
    step = rng.random()
    if step < 0.3:
        return rng.choice(others)
    if word in COLOURS:
        return rng.choice(sorted(COLOURS))
    if any(map(str.isdigit, word)):
        return "".join(str(rng.randrange(10)) if each.isdigit() else each for each in word)
    return word[: rng.randint(0, len(word))] if step < 0.5 else word
