"""The server bears clients that are slow, many or large, and says where it answers."""

from __future__ import annotations

import socket
import threading
import time

import pytest
from waitress import wasyncore

from webui import serving
from webui.guard import Guard
from webui.serving import invitations, is_too_slow, server_for


@pytest.fixture
def listening():
    """Starts the real server with an application that echoes how much came; tells its port."""
    servers = []

    def started():
        def app(environ, start_response):
            came = len(environ["wsgi.input"].read())
            start_response("200 OK", [("Content-Type", "text/plain")])
            return [str(came).encode()]

        door = socket.socket()
        door.bind(("127.0.0.1", 0))
        door.listen(8)
        server = server_for(app, door, Guard())
        thread = threading.Thread(target=server.run, daemon=True)
        servers.append((server, thread))
        thread.start()
        return door.getsockname()[1]

    yield started
    for server, thread in servers:  # sockets are closed by the thread that waits for them
        server.trigger.pull_trigger(lambda server=server: wasyncore.close_all(server._map, ignore_all=True))
        thread.join(5)
        assert not thread.is_alive()
        server.task_dispatcher.shutdown()


def test_a_request_that_drips_is_given_up(listening, monkeypatch):
    monkeypatch.setattr(serving, "HEAD_S", 0.2)
    with socket.create_connection(("127.0.0.1", listening())) as client:
        client.settimeout(5)
        began_s, answer = time.monotonic(), b"?"
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        while time.monotonic() - began_s < 4 and answer == b"?":
            try:
                client.sendall(b"X: y\r\n")
                client.settimeout(0.1)
                answer = client.recv(100)
            except TimeoutError:
                continue
            except OSError:
                answer = b""
    assert answer == b""


def test_others_are_answered_while_one_is_slow(listening):
    port = listening()
    slow = [socket.create_connection(("127.0.0.1", port)) for _ in range(40)]
    for client in slow:
        client.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 1000\r\n\r\nx")
    with socket.create_connection(("127.0.0.1", port)) as quick:
        quick.settimeout(5)
        quick.sendall(b"POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 3\r\nConnection: close\r\n\r\nabc")
        answer = b"".join(iter(lambda: quick.recv(1000), b""))
    for client in slow:
        client.close()
    assert answer.endswith(b"3")


@pytest.mark.parametrize(
    ("spent_s", "came", "is_head_there", "slow"),
    [
        (9, 10, False, False),
        (11, 10, False, True),
        (19, 0, True, False),
        (60, 1000, True, True),
        (60, 2e6, True, False),
    ],
)
def test_how_slow_is_too_slow(spent_s, came, is_head_there, slow):
    assert is_too_slow(spent_s, came, is_head_there) is slow


def test_the_terminal_tells_secret_links_only_where_the_page_is_shared():
    alone, shared = Guard(), Guard(("192.168.1.7",))
    assert invitations(8000, alone) == ("The umpire watches: open http://127.0.0.1:8000 (Ctrl+C ends it)",)
    text = "\n".join(invitations(8000, shared))
    assert f"http://192.168.1.7:8000/screen/{shared.screen_token}" in text


def test_addresses_here_are_none_of_this_computers_own():
    assert not [each for each in serving.addresses_here() if each.startswith("127.")]
