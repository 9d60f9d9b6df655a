"""A match from a file that somebody sent: checked from end to end, gone through by the engine, then kept, or refused.

Nothing of a file is trusted: not its sizes, names and hashes, nor what it says came of the inputs. What is refused
leaves no trace.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from webui.exporting import FORMAT, MATCH_NAME, VERSION, input_json, picture_keys, picture_name
from webui.gamefile import GameFileError, game_file_from_json
from webui.journal import gone_through, is_over
from webui.limits import PACKINGS, LimitError, Limits, json_within
from webui.picture_files import KEY, key_of
from webui.present import HEADLINES
from webui.review import Review
from webui.store import Input, Json, KeptMatch, Store, StoreError, in_utc, is_moment, new_id
from webui.store_faults import in_words

MOST_FILE_BYTES = 600_000_000
MOST_JSON_BYTES = 150_000_000  # an evening of 5 000 tables has 50 MB
MOST_PICTURE_BYTES = 3_000_000
MOST_PIXELS = 50_000_000
MOST_INPUTS = 20_000
MOST_PICTURES = 10_000
LONGEST = 10_000  # characters of a sentence
LIMITS = Limits(MOST_JSON_BYTES, depth=20, values=20_000_000, characters=LONGEST)
TEXT_ONLY = "A .txt record is for people to read. Export the match as .json or .zip to bring it to another machine"


class ImportRefusedError(Exception):
    """The file is not taken; the message says why in words."""


@dataclass(frozen=True)
class Imported:
    """The match as it is kept now, and what the umpire rules otherwise than the file says."""

    match: KeptMatch
    notes: tuple[str, ...]


def import_match(store: Store, path: Path, progress: Callable[[int, int], None] = lambda done, of: None) -> Imported:
    """Keep the match of the file under a new id. Raises ImportRefusedError, StoreError; nothing is kept then."""
    with _opened(path) as archive:
        match, inputs = match_from_json(_json_of(path, archive))
        pictures = [] if archive is None else _checked_pictures(archive, inputs)
        if archive is None:
            inputs = [_with_pictures_of(store, each) for each in inputs]
        match, notes = _gone_through(match, inputs, progress)
        _check_is_unknown(store, match, inputs)
        written: list[str] = []
        try:
            with in_words(store.folder):
                for key in pictures:
                    if store.pictures.read(key) is None:
                        written.append(key)
                    store.pictures.write(_read(archive, picture_name(key), MOST_PICTURE_BYTES))
            store.add(match, inputs)
        except BaseException:
            for key in written:
                store.pictures.remove(key)
            raise
    return Imported(store.match(match.id), notes)


# The file.


@contextmanager
def _opened(path: Path) -> Iterator[zipfile.ZipFile | None]:
    """The zip; None when the file is JSON."""
    if path.suffix.lower() not in (".json", ".zip"):
        raise ImportRefusedError(f"{TEXT_ONLY}; this is {path.name}.")
    try:
        if path.stat().st_size > MOST_FILE_BYTES:
            raise ImportRefusedError(f"{path.name} is larger than {MOST_FILE_BYTES // 1_000_000} MB: no match is.")
        if path.suffix.lower() == ".json":
            yield None
            return
        with zipfile.ZipFile(path) as archive:
            _check_names(archive)
            yield archive
    except OSError as fault:
        raise ImportRefusedError(f"{path} cannot be opened: {fault.strerror or fault}.") from None
    except (zipfile.BadZipFile, zlib.error, NotImplementedError, EOFError) as fault:
        raise ImportRefusedError(f"{path.name} is not a whole zip file ({fault}).") from None
    except UnicodeDecodeError:  # of a name in the zip
        raise ImportRefusedError(f"{path.name} is not a whole zip file (a name in it is no text).") from None


def _check_names(archive: zipfile.ZipFile) -> None:
    """Only a match and its pictures, each once, none larger than they get."""
    entries = archive.infolist()
    if len(entries) > MOST_PICTURES + 1:
        raise ImportRefusedError(f"The zip holds more than {MOST_PICTURES} pictures.")
    names = [entry.filename for entry in entries]
    if len(set(names)) < len(names):
        raise ImportRefusedError("The zip holds a name twice.")
    if MATCH_NAME not in names:
        raise ImportRefusedError(f"The zip holds no {MATCH_NAME}: it is not an exported match.")
    for entry in entries:
        key = entry.filename.removeprefix("pictures/").removesuffix(".jpg")
        is_picture = bool(KEY.fullmatch(key)) and entry.filename == picture_name(key)
        if entry.filename != MATCH_NAME and not is_picture:
            raise ImportRefusedError(f"The zip holds something else than a match and its pictures: {_short(entry)}.")
        if entry.file_size > (MOST_PICTURE_BYTES if is_picture else MOST_JSON_BYTES):
            raise ImportRefusedError(f"{_short(entry)} is too large when it is unpacked.")
        if entry.flag_bits & 1 or entry.compress_type not in PACKINGS:
            raise ImportRefusedError("The zip is locked by a password, or packed as no exported match is.")


def _short(entry: zipfile.ZipInfo) -> str:
    return repr(entry.filename[:80])


def _read(archive: zipfile.ZipFile | None, name: str, most: int) -> bytes:
    """What is really in there, whatever the zip says of its size."""
    assert archive is not None
    with archive.open(name) as file:
        content = file.read(most + 1)
    if len(content) > most:
        raise ImportRefusedError(f"{name} is too large when it is unpacked.")
    return content


def _json_of(path: Path, archive: zipfile.ZipFile | None) -> Any:
    if archive is None and path.stat().st_size > MOST_JSON_BYTES:
        raise ImportRefusedError(f"{path.name} is larger than {MOST_JSON_BYTES // 1_000_000} MB: no match is.")
    content = path.read_bytes() if archive is None else _read(archive, MATCH_NAME, MOST_JSON_BYTES)
    try:
        return json_within(content, LIMITS)
    except LimitError as fault:
        raise ImportRefusedError(f"The match cannot be read as JSON: {fault}.") from None


def _checked_pictures(archive: zipfile.ZipFile, inputs: list[Input]) -> list[str]:
    """The keys of the pictures, each of which is there, is a JPEG and has the content that its name says."""
    keys, there = list(picture_keys(inputs)), set(archive.namelist())
    for key in keys:
        if picture_name(key) not in there:
            raise ImportRefusedError(f"The zip lacks the picture {key[:12]}…, which the match names.")
        jpeg = _read(archive, picture_name(key), MOST_PICTURE_BYTES)
        if key_of(jpeg) != key:
            raise ImportRefusedError(f"The picture {key[:12]}… was changed: its content is not what its name says.")
        _check_jpeg(key, jpeg)
    return keys


def _check_jpeg(key: str, jpeg: bytes) -> None:
    from PIL import Image

    try:
        with Image.open(io.BytesIO(jpeg), formats=["JPEG"]) as picture:
            width, height = picture.size
    except Exception as fault:  # whatever a hostile header brings about
        raise ImportRefusedError(f"The picture {key[:12]}… is no JPEG ({type(fault).__name__}).") from None
    if width * height > MOST_PIXELS:
        raise ImportRefusedError(f"The picture {key[:12]}… has more than {MOST_PIXELS // 1_000_000} megapixels.")


def _with_pictures_of(store: Store, kept: Input) -> Input:
    """JSON brings no pictures: those that are here already are named, the others are not."""
    here = {key for key in (kept.picture, kept.thumb) if key is not None and store.pictures.read(key) is not None}
    return replace(
        kept,
        picture=kept.picture if kept.picture in here else None,
        thumb=kept.thumb if kept.thumb in here else None,
    )


# What it says.


def match_from_json(doc: Any) -> tuple[KeptMatch, list[Input]]:
    """The checked match, with a new id, and its inputs. Raises ImportRefusedError."""
    _expect(isinstance(doc, dict) and doc.get("format") == FORMAT, "the file", "a match that this umpire exported")
    version = doc.get("version")
    if isinstance(version, int) and version > VERSION:
        raise ImportRefusedError("A newer umpire than this one exported the match. Install the newest here, too.")
    _expect(version == VERSION, "version", str(VERSION))
    withheld = doc.get("withheld")
    _expect(isinstance(withheld, list), "withheld", "a list")
    if withheld:
        raise ImportRefusedError(
            "The match was exported without its secrets while it went on, so it cannot be taken up again. Export it "
            "with --with-secrets, or once it is over."
        )
    match = KeptMatch(new_id(), _text(doc, "game"), "", {}, _text(doc, "program"), is_new=_flag(doc, "is_new"))
    match = replace(match, setup=_setup(doc.get("setup"), match.game), started=_time(doc, "started", "the match"))
    inputs = doc.get("inputs")
    _expect(isinstance(inputs, list) and 0 < len(inputs) <= MOST_INPUTS, "inputs", f"a list of 1 to {MOST_INPUTS}")
    return match, [_input(each, number) for number, each in enumerate(inputs, 1)]


def _setup(setup: Any, game: str) -> Json:
    try:
        checked = game_file_from_json(_without_named_lens(setup), "setup")
    except GameFileError as fault:
        raise ImportRefusedError(f"The match has no proper game.json: {fault}") from None
    _expect(checked.game == game, "setup", f"that of {game!r}")
    return dict(setup)


def _without_named_lens(setup: Any) -> Any:
    """The lens is another machine's, which this one need not know."""
    if isinstance(setup, dict) and isinstance(setup.get("camera"), str):
        return {name: value for name, value in setup.items() if name != "camera"}
    return setup


def _input(doc: Any, number: int) -> Input:
    where = f"inputs[{number - 1}]"
    _expect(isinstance(doc, dict) and doc.get("number") == number, where, f"the input with the number {number}")
    said, line = doc.get("said"), doc.get("line")
    _expect(isinstance(said, dict) and bool(said), f"{where}.said", "an object")
    _expect(doc.get("ruling") in tuple(HEADLINES), f"{where}.ruling", f"one of {', '.join(HEADLINES)}")
    _expect(line is None or (isinstance(line, str) and len(line) <= LONGEST), f"{where}.line", "a text or null")
    for name in ("picture", "thumb"):
        key = doc.get(name)
        fine = key is None or (isinstance(key, str) and bool(KEY.fullmatch(key)))
        _expect(fine, f"{where}.{name}", "the hash of a picture, or null")
    kept = Input(number, said, doc["ruling"], line, _text(doc, "text", where), doc.get("picture"), doc.get("thumb"))
    return replace(kept, at=_time(doc, "at", where))


def _text(doc: Json, name: str, where: str = "the match") -> str:
    value = doc.get(name)
    _expect(isinstance(value, str) and len(value) <= LONGEST, f"{name} of {where}", "a text")
    return str(value)


def _flag(doc: Json, name: str) -> bool:
    _expect(isinstance(doc.get(name), bool), name, "true or false")
    return bool(doc[name])


def _time(doc: Json, name: str, where: str) -> str:
    _expect(is_moment(doc.get(name)), f"{name} of {where}", "a time such as 2026-11-30T19:02:00+00:00")
    return in_utc(datetime.fromisoformat(doc[name]))


def _expect(holds: bool, field: str, expected: str) -> None:
    if not holds:
        raise ImportRefusedError(f"This is no match that can be taken up: {field} should be {expected}.")


# What the engine says.


def _gone_through(
    match: KeptMatch, inputs: list[Input], progress: Callable[[int, int], None]
) -> tuple[KeptMatch, tuple[str, ...]]:
    """The match as the engine has it after all inputs, and the rulings that differ. Raises ImportRefusedError."""
    try:
        review = Review(game_file_from_json(_without_named_lens(match.setup)), is_new=match.is_new, at_table=True)
    except GameFileError as fault:
        raise ImportRefusedError(f"The match has no proper game.json: {fault}") from None
    notes = []
    for each in inputs:
        otherwise = gone_through(review, each)
        if otherwise is not None and not otherwise.is_taken:
            raise ImportRefusedError(f"The match cannot be gone through. {otherwise.words}")
        notes += [] if otherwise is None else [otherwise.words]
        progress(each.number, len(inputs))
    over = bool(review.events) and is_over(review.events[-1])
    return replace(match, title=review.game.TITLE, updated=inputs[-1].at, is_over=over), tuple(notes)


def _check_is_unknown(store: Store, match: KeptMatch, inputs: list[Input]) -> None:
    same = [
        each.id
        for each in store.matches()
        if (each.started, each.setup, each.inputs) == (match.started, match.setup, len(inputs))
        and [_identity(kept) for kept in store.inputs(each.id)] == [_identity(kept) for kept in inputs]
    ]
    if same:
        raise StoreError(f"This match is kept here already, as {same[0][:8]}.")


def _identity(kept: Input) -> Json:
    return {name: value for name, value in input_json(kept).items() if name in ("number", "said", "at")}
