"""The server: where it answers, and how much it takes; see `connections` for whom it gives up."""

from __future__ import annotations

import logging
import socket
import sys
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import click
from waitress import create_server

from webui.connections import IDLE_S, PatientChannel
from webui.guard import Guard, host_in_address
from webui.limits import MOST_REQUEST_BYTES

HERE, EVERYWHERE = "127.0.0.1", "0.0.0.0"
PRIVATE = ("10.255.255.255", "172.31.255.255", "192.168.255.255")  # asked for the way there; nothing is sent
THREADS = 8
CONNECTIONS = 400  # fifty pages of six each, and some to spare


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
        max_request_body_size=MOST_REQUEST_BYTES,
        max_request_header_size=32_768,
        asyncore_use_poll=True,  # the other way ends the server at the 1024th open file
        ident=None,
    )
    server.channel_class = type("Channel", (PatientChannel,), {"guard": guard})
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
