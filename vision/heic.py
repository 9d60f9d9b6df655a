"""How much a HEIC file makes its reader read: items may share bytes, and pictures may share items, without end.

The layout is that of ISO/IEC 14496-12: boxes in boxes; `iloc` says where the bytes of each item lie, and a reference
`cdsc` from metadata names the pictures that are each to have a copy of it.
"""

from __future__ import annotations

import struct
from collections import Counter
from collections.abc import Iterator

FULL = 4  # bytes before the content of some boxes: version and flags
MOST_IN_A_ROW = 1000  # boxes or items, as the reader has it; a phone's photo has some sixty


class _TooManyError(Exception):
    pass


def reads_more_than(most: int, content: bytes) -> bool:
    """Whether the items and properties of a file, each as often as it is read, have more bytes than that.

    Raises struct.error and IndexError where the file is cut off.
    """
    try:
        return sum(_read_of(meta[FULL:], len(content)) for meta in _boxes(content, b"meta")) > most
    except _TooManyError:
        return True


def promised_pixels(content: bytes) -> int:
    """The pixels of the largest picture in a file that `reads_more_than` finds no fault with, before it is cropped."""
    kept = [ipco for meta in _boxes(content, b"meta") for ipco in _properties(meta[FULL:])]
    sizes = (struct.unpack_from(">II", ispe, FULL) for ipco in kept for ispe in _boxes(ipco, b"ispe"))
    return max((width * height for width, height in sizes), default=0)


def _properties(meta: bytes) -> Iterator[bytes]:
    for properties in _boxes(meta, b"iprp"):
        yield from _boxes(properties, b"ipco")


def _read_of(meta: bytes, whole: int) -> int:
    copies: Counter[int] = Counter()
    for references in _boxes(meta, b"iref"):
        for reference in _boxes(references[FULL:], b"cdsc"):
            item, pictures = struct.unpack_from(">IH" if references[0] else ">HH", reference)
            copies[item] += pictures
    pieces = [piece for located in _boxes(meta, b"iloc") for piece in _located(located, whole)]
    shared = sum(map(len, _properties(meta)))
    return shared * meta.count(b"infe") + sum(length * max(copies[item], 1) for item, length in pieces)


def _boxes(content: bytes, kind: bytes) -> Iterator[bytes]:
    """What is in the boxes of this kind that lie in a row."""
    at = met = 0
    while at + 8 <= len(content):
        met += 1
        size, name = struct.unpack_from(">I4s", content, at)
        begins = at + 8
        if size == 1:
            (size,) = struct.unpack_from(">Q", content, begins)
            begins += 8
        ends = at + size if size else len(content)
        if ends < begins:
            return  # some phones add bytes of their own at the end
        if met > MOST_IN_A_ROW:
            raise _TooManyError
        if name == kind:
            yield content[begins:ends]
        at = ends


def _located(box: bytes, whole: int) -> Iterator[tuple[int, int]]:
    """The number and length of every piece of every item; one without a length goes to the end of the whole."""
    version, sizes = box[0], box[FULL : FULL + 2]
    offset, length, base, index = sizes[0] >> 4, sizes[0] & 15, sizes[1] >> 4, sizes[1] & 15 if version else 0
    number = ">I" if version > 1 else ">H"
    (items,) = struct.unpack_from(number, box, at := FULL + 2)
    at += struct.calcsize(number)
    if items > MOST_IN_A_ROW:
        raise _TooManyError
    for _ in range(items):
        (item,) = struct.unpack_from(number, box, at)
        at += struct.calcsize(number) + (2 if version else 0) + 2 + base
        (pieces,) = struct.unpack_from(">H", box, at)
        at += 2
        if pieces > MOST_IN_A_ROW:
            raise _TooManyError
        for _ in range(pieces):
            at += index + offset
            yield item, int.from_bytes(box[at : at + length]) or whole
            at += length
