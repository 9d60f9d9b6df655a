"""Connections from browsers, and from what is none: slow, stuck, endless or far too many, they cost the others nothing.

A stranger in the network, who has not joined, may send as much as anybody, and nothing of it is kept: the answer, in
words, is made from the request's head alone.
"""

from __future__ import annotations

import socket
import time
from contextlib import suppress
from typing import Any

from waitress.buffers import OverflowableBuffer
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser, ParsingError
from waitress.task import ErrorTask

from webui.faults import WORDS
from webui.guard import Guard

IDLE_S = 20  # a connection on which nothing comes, or whose answer nobody takes
HEAD_S = 10.0  # so long a request's head may take
SLOWEST_BYTES_S = 20_000  # of a request's body, on average
GRACE_S = 20.0
MOST_OF_ONE = 100  # connections of one other device; a browser opens six
MOST_PIECEMEAL = 100_000  # bytes of a body that does not tell its length: browsers always tell it


class Nowhere(OverflowableBuffer):  # type: ignore[misc]  # waitress has no types
    """Takes any number of bytes and keeps none."""

    def append(self, s: bytes) -> None:
        pass


class Parser(HTTPRequestParser):  # type: ignore[misc]
    """An address that is none is a bad request like any other."""

    def parse_header(self, header_plus: bytes) -> None:
        try:
            super().parse_header(header_plus)
        except ValueError:
            raise ParsingError("Bad URI") from None


class InWords(ErrorTask):  # type: ignore[misc]
    """What is no request at all is answered in the umpire's words, too."""

    def execute(self) -> None:
        error = self.request.error
        body = f"{WORDS.get(error.code, WORDS[400])}\n".encode()
        self.status, self.content_length = f"{error.code} {error.reason}", len(body)
        self.response_headers += [
            ("Content-Type", "text/plain; charset=utf-8"),
            ("Content-Security-Policy", "default-src 'none'"),
            ("X-Content-Type-Options", "nosniff"),
            ("Cache-Control", "no-store"),
        ]
        self.set_close_on_finish()
        self.write(body)


class PatientChannel(HTTPChannel):  # type: ignore[misc]
    """A connection that is given up when its request comes, or its answer goes, too slowly to be a browser's."""

    parser_class, error_task_class = Parser, InWords
    guard: Guard
    _began_s, _came, _is_cut = 0.0, 0, False

    def __init__(self, server: Any, sock: socket.socket, addr: Any, adj: Any, map: Any = None) -> None:
        super().__init__(server, sock, addr, adj, map)
        is_here = addr[0] == "127.0.0.1"
        self.will_close = not is_here and _count_of(addr[0], server) > MOST_OF_ONE

    def received(self, data: bytes) -> Any:
        if self.request is None:
            self._began_s, self._came = time.monotonic(), 0
        self._came += len(data)
        taken = super().received(data)
        self._keep_one()
        if self.request is not None and self._is_too_much(self.request):
            self.will_close = True
        return taken

    def readable(self) -> Any:
        """The server asks every second or oftener."""
        if self.total_outbufs_len and time.time() - self.last_activity > IDLE_S and not self._is_cut:
            self._is_cut = self.will_close = True
            with suppress(OSError):  # who takes nothing would keep even the end of the connection waiting
                self.socket.shutdown(socket.SHUT_RDWR)
        return super().readable()

    def _is_too_much(self, request: Any) -> bool:
        """Whether the request that comes is to be given up. A stranger's body goes nowhere from here on."""
        is_head_there = bool(request.headers_finished)
        if is_head_there and not isinstance(request.body_rcv.buf, Nowhere) and not self._is_known(request):
            request.body_rcv.buf.close()
            request.body_rcv.buf = Nowhere(0)
        if request.chunked and self._came > MOST_PIECEMEAL:
            return True
        return is_too_slow(time.monotonic() - self._began_s, self._came, is_head_there)

    def _is_known(self, request: Any) -> bool:
        return self.guard.has_session(request.headers.get("COOKIE", ""), request.headers.get("HOST", ""))

    def _keep_one(self) -> None:
        """Browsers wait for an answer before they ask on. Of a heap of requests the first one is answered."""
        with self.requests_lock:
            heap, self.requests[1:] = self.requests[1:], []
            if heap:
                self.requests[0].headers["CONNECTION"] = "close"
        for request in heap:
            request.close()


def _count_of(address: str, server: Any) -> int:
    """How many connections are open to that address."""
    return sum(each.addr[0] == address for each in server.active_channels.values())


def is_too_slow(spent_s: float, came_bytes: int, is_head_there: bool) -> bool:
    """Whether a request that has taken so long should have been here by now."""
    if not is_head_there:
        return spent_s > HEAD_S
    return spent_s > GRACE_S + came_bytes / SLOWEST_BYTES_S
