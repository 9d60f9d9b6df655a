"""The server: where it answers, and how it bears slow, many and large requests."""

from __future__ import annotations

import logging
import socket
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click
from waitress import create_server
from waitress.channel import HTTPChannel

from webui.guard import Guard, host_in_address

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
PRIVATE = ("10.255.255.255", "172.31.255.255", "192.168.255.255")  # asked for the way there; nothing is sent
THREADS = 8
CONNECTIONS = 400  # fifty pages of six each, and some to spare
MOST_BYTES = 400_000_000  # of one request: thirty photos of a large phone; each page has its own limit below this
MOST_BYTES_SHARED = 64_000_000  # where anybody in the network can send
IDLE_S = 20  # a connection on which nothing comes
HEAD_S = 10.0  # so long a request's head may take
SLOWEST_BYTES_S = 20_000  # of a request's body, on average
GRACE_S = 20.0


class PatientChannel(HTTPChannel):  # type: ignore[misc]  # waitress has no types
    """A connection that is given up when its request comes too slowly to be a browser's."""

    _began_s, _came = 0.0, 0

    def received(self, data: bytes) -> Any:
        if self.request is None:
            self._began_s, self._came = time.monotonic(), 0
        self._came += len(data)
        taken = super().received(data)
        if self.request is not None and is_too_slow(
            time.monotonic() - self._began_s, self._came, bool(self.request.headers_finished)
        ):
            self.will_close = True
        return taken


def is_too_slow(spent_s: float, came_bytes: int, is_head_there: bool) -> bool:
    """Whether a request that has taken so long should have been here by now."""
    if not is_head_there:
        return spent_s > HEAD_S
    return spent_s > GRACE_S + came_bytes / SLOWEST_BYTES_S


def addresses_here() -> tuple[str, ...]:
    """This computer's IPv4 addresses in its networks, that of the usual way out first."""
    found = [address for target in PRIVATE if (address := _address_towards(target))]
    with suppress(OSError):  # a name that nobody knows has no addresses
        found += socket.gethostbyname_ex(socket.gethostname())[2]
    return tuple(dict.fromkeys(each for each in found if not each.startswith(("127.", "0."))))


def _address_towards(target: str) -> str | None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as asking:
        try:
            asking.connect((target, 9))
            return str(asking.getsockname()[0])
        except OSError:
            return None


def serve(app: Any, port: int, start: Callable[[], None], guard: Guard) -> None:
    """Answer on the port at once, then start to look. Raises UsageError when the port is taken."""
    with _listening(port, EVERYWHERE if guard.is_shared else HERE) as door:
        server = server_for(app, door, guard)
        with suppress(KeyboardInterrupt):  # Ctrl+C is how it ends, even while it begins
            for line in invitations(port, guard):
                click.echo(line)
            sys.stdout.flush()
            start()
            server.run()


def server_for(app: Any, door: socket.socket, guard: Guard) -> Any:
    """The server behind a socket that listens."""
    logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # that requests wait a moment is no news
    server = create_server(
        app,
        sockets=[door],
        threads=THREADS,
        connection_limit=CONNECTIONS,
        channel_timeout=IDLE_S,
        cleanup_interval=5,
        max_request_body_size=MOST_BYTES_SHARED if guard.is_shared else MOST_BYTES,
        max_request_header_size=32_768,
        ident=None,
    )
    server.channel_class = PatientChannel
    return server


def invitations(port: int, guard: Guard) -> tuple[str, ...]:
    """What the terminal says: where to open the page. In a network the links are secret."""
    if not guard.is_shared:
        return (f"The umpire watches: open http://{HERE}:{port} (Ctrl+C ends it)",)
    links = [f"http://{host_in_address(each)}:{port}/screen/{guard.screen_token}" for each in (HERE, *guard.addresses)]
    return (
        "The umpire watches and is shared with your network (Ctrl+C ends it).",
        f"Main screen, on this computer: {links[0]}",
        *(f"Main screen, on another device: {link}" for link in links[1:]),
        "Keep these links to yourself. Players join by the codes that the main screen shows under Players.",
    )


def _listening(port: int, host: str) -> socket.socket:
    door = socket.socket()
    try:
        door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        door.bind((host, port))
        door.listen(256)
    except OSError as fault:
        door.close()
        taken = f"Port {port} cannot be used ({fault.strerror}). Another umpire may be running: close it, or choose"
        raise click.UsageError(f"{taken} --port {port % 65535 + 1}.") from None
    return door
