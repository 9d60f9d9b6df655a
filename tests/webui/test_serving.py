"""The server bears clients that are slow, many or large, and says where it answers."""

from __future__ import annotations

import os
import socket
import threading
import time
from contextlib import suppress

import pytest
from waitress import wasyncore

from webui import connections, serving
from webui.connections import is_too_slow
from webui.guard import Guard
from webui.serving import invitations, server_for

PATIENCE_S = 60.0  # nothing here takes a second but on a machine that has much else to do


@pytest.fixture
def listening(eventually):
    """Starts the real server with an application that says how much came, and then as many blanks as it is asked for;
    tells its port. `listening.servers` holds those that were started, each with its thread."""
    servers = []

    def started(guard=None):
        def app(environ, start_response):
            came = str(len(environ["wsgi.input"].read())).encode()
            blanks = b" " * int(environ["QUERY_STRING"] or 0)
            start_response("200 OK", [("Content-Length", str(len(blanks + came)))])
            return [blanks + came]

        door = socket.socket()
        door.bind(("127.0.0.1", 0))
        door.listen(8)
        server = server_for(app, door, guard or Guard())
        thread = threading.Thread(target=server.run, daemon=True)
        servers.append((server, thread))
        thread.start()
        return door.getsockname()[1]

    started.servers = servers
    yield started
    for server, thread in servers:  # sockets are closed by the thread that waits for them
        server.trigger.pull_trigger(lambda server=server: wasyncore.close_all(server._map, ignore_all=True))
        eventually(lambda thread=thread: not thread.is_alive())
        server.task_dispatcher.shutdown()


def test_a_request_that_drips_is_given_up(listening, monkeypatch):
    monkeypatch.setattr(connections, "HEAD_S", 0.2)
    with socket.create_connection(("127.0.0.1", listening())) as client:
        until_s, answer = time.monotonic() + PATIENCE_S, b"?"
        client.sendall(b"GET / HTTP/1.1\r\nHost: localhost\r\n")
        while time.monotonic() < until_s and answer == b"?":
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
        quick.settimeout(PATIENCE_S)
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


def answered(port, sent, source="127.0.0.1"):
    """All that comes back until the server closes the connection."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S, source_address=(source, 0)) as client:
        with suppress(ConnectionError):
            client.sendall(sent)
        return b"".join(iter(lambda: client.recv(100_000), b""))


ASK = b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n"
LAST = b"GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"


def test_of_a_heap_of_requests_the_first_is_answered(listening):
    assert answered(listening(), ASK * 50).count(b"200 OK") == 1


def test_an_answer_that_nobody_takes_is_given_up(listening, monkeypatch, eventually):
    monkeypatch.setattr(connections, "IDLE_S", 0.5)
    port = listening()
    ((server, _),) = listening.servers
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as client:
        client.sendall(ASK.replace(b"/", b"/?30000000", 1))
        client.recv(1, socket.MSG_PEEK)
        eventually(lambda: not server.active_channels)
        taken = 0
        with suppress(ConnectionError):
            while piece := client.recv(1_000_000):
                taken += len(piece)
    assert taken < 30_000_000


@pytest.mark.parametrize("has_joined", [True, False])
def test_what_strangers_send_is_kept_nowhere(listening, has_joined):
    guard = Guard(("127.0.0.1",))
    port = listening(guard)
    cookie = f"umpire-seat-{port}={guard._made('seat', 'mark')}" if has_joined else "umpire-seat=mine"
    head = (
        f"POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nConnection: close\r\nContent-Length: 900000\r\nCookie: {cookie}"
    )
    answer = answered(port, head.encode() + b"\r\n\r\n" + b"x" * 900_000)
    assert answer.endswith(b"\r\n900000" if has_joined else b"\r\n0")


@pytest.mark.parametrize("piece", [b"1" * 1000, b"3e8\r\n" + b"x" * 1000 + b"\r\n"])
def test_a_body_in_pieces_without_end_is_given_up(listening, piece):
    head = b"POST / HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n"
    with suppress(ConnectionError):
        assert answered(listening(), head + piece * 1000) == b""


@pytest.mark.parametrize(
    ("sent", "code", "words"),
    [
        (b"GET http://[ HTTP/1.1\r\n\r\n", b"400", b"cannot make sense"),
        (b"\x16\x03\x01\x02\x00\x01\r\n\r\n", b"400", b"cannot make sense"),
        (b"POST / HTTP/1.1\r\nContent-Length: 999999999999\r\n\r\n", b"413", b"Send less at once"),
        (b"POST / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n\r\n", b"501", b"cannot make sense"),
    ],
)
def test_what_is_no_request_is_answered_in_words(listening, caplog, sent, code, words):
    answer = answered(listening(), sent)
    assert answer.split()[1] == code
    assert words in answer
    assert b"nosniff" in answer
    assert "Traceback" not in caplog.text
    assert "uncaptured" not in caplog.text


def test_one_device_cannot_take_all_connections(listening, monkeypatch):
    monkeypatch.setattr(connections, "MOST_OF_ONE", 3)
    port = listening()
    held = [socket.create_connection(("127.0.0.1", port), source_address=("127.0.0.2", 0)) for _ in range(3)]
    for client in held:
        client.sendall(ASK)
        assert client.recv(1000)
    with suppress(ConnectionError):
        assert answered(port, LAST, "127.0.0.2") == b""
    assert answered(port, LAST, "127.0.0.3").endswith(b"0")
    for client in held:
        client.close()


def test_many_open_files_do_not_end_the_server(listening):
    resource = pytest.importorskip("resource")
    before, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    if most != resource.RLIM_INFINITY and most < 1300:
        pytest.skip("so many files cannot be open on this computer")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(before, 1300), most))
    port, files = listening(), []
    try:
        while not files or files[-1] < 1100:
            files.append(os.open(os.devnull, os.O_RDONLY))
        assert answered(port, LAST).endswith(b"0")
    finally:
        for each in files:
            os.close(each)
        resource.setrlimit(resource.RLIMIT_NOFILE, (before, most))


def test_the_terminal_tells_secret_links_only_where_the_page_is_shared():
    alone, shared = Guard(), Guard(("192.168.1.7",))
    assert invitations(8000, alone) == ("The umpire watches: open http://127.0.0.1:8000 (Ctrl+C ends it)",)
    text = "\n".join(invitations(8000, shared))
    assert f"http://192.168.1.7:8000/screen/{shared.screen_token}" in text


def test_addresses_here_are_none_of_this_computers_own():
    assert not [each for each in serving.addresses_here() if each.startswith("127.")]
