"""The web server: what it takes in, and how it goes."""

from __future__ import annotations

import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from urllib.request import urlopen

import pytest
from django.conf import settings as site_settings
from pytest_django import Settings
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from spectacular.origin import is_own
from tests.echo_site import LONG
from tests.tools import free_port, wait_until

# Too large for a command, and still answered by the site itself, not by the server.
POLITE = 10_000


@dataclass(frozen=True)
class Echo:
    port: int
    process: subprocess.Popen[bytes]

    def socket(self) -> ClientConnection:
        return connect(f"ws://127.0.0.1:{self.port}/", proxy=None)


@pytest.fixture
def echo() -> Iterator[Echo]:
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.echo_site", str(port)], cwd=site_settings.BASE_DIR
    )

    def listens() -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", port)) == 0

    try:
        wait_until(listens, 30)
        yield Echo(port, process)
    finally:
        process.kill()
        process.wait()


def test_messages_have_their_limits(echo: Echo) -> None:
    with echo.socket() as one:
        one.send("x" * POLITE)
        assert one.recv() == "x" * POLITE
        one.send("long")
        assert len(one.recv()) == LONG

        one.send("x" * 20_000)
        with pytest.raises(ConnectionClosed) as closed:
            one.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def test_many_small_frames_make_no_large_message(echo: Echo) -> None:
    with echo.socket() as one:
        with suppress(ConnectionClosed):
            one.send("x" * 4_000 for _ in range(5))
        with pytest.raises(ConnectionClosed) as closed:
            one.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1009


def test_whoever_does_not_read_is_sent_no_more_than_a_limit(echo: Echo) -> None:
    asked = 200
    with echo.socket() as slow, echo.socket() as other:
        with suppress(ConnectionClosed):
            for _ in range(asked):
                slow.send("long")
                other.send("here")  # it takes its turn: the server is not held up
                assert other.recv(timeout=10) == "here"
        read = 0
        with suppress(ConnectionClosed):
            while True:
                read += len(slow.recv(timeout=10))
        assert read < asked * LONG // 2
        other.send("still here")
        assert other.recv(timeout=10) == "still here"


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGINT])
def test_stopping_tells_sockets_to_come_back_and_ends_requests(
    echo: Echo, how: signal.Signals
) -> None:
    with echo.socket() as one, urlopen(f"http://127.0.0.1:{echo.port}/", timeout=20) as answer:
        one.send("here")
        assert one.recv() == "here"
        echo.process.send_signal(how)
        with pytest.raises(ConnectionClosed) as closed:
            one.recv(timeout=10)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
        assert answer.read() == b"first last"
    assert echo.process.wait(10) == 0


def handshake(**headers: str) -> dict[str, object]:
    named = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
    return {"type": "websocket", "headers": named}


@pytest.mark.parametrize(
    ("headers", "proxies", "own"),
    [
        ({"host": "localhost:8000"}, 0, True),
        ({"host": "localhost:8000", "origin": "http://localhost:8000"}, 0, True),
        ({"host": "localhost:8000", "origin": "http://localhost:9000"}, 0, False),
        ({"host": "localhost:8000", "origin": "https://localhost:8000"}, 0, False),
        ({"host": "localhost:8000", "origin": "http://evil.example"}, 0, False),
        ({"host": "localhost:8000", "origin": "null"}, 0, False),
        ({"host": "evil.example", "origin": "http://evil.example"}, 0, False),
        ({"host": "localhost", "origin": "https://friend.example"}, 0, True),
        (
            {"host": "localhost", "origin": "https://localhost", "x_forwarded_proto": "https"},
            1,
            True,
        ),
        (
            {"host": "localhost", "origin": "https://localhost", "x_forwarded_proto": "https"},
            0,
            False,
        ),
    ],
)
def test_only_own_pages_open_sockets(
    settings: Settings, headers: dict[str, str], proxies: int, own: bool
) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    settings.CSRF_TRUSTED_ORIGINS = ["https://friend.example"]
    settings.TRUSTED_PROXIES = proxies
    assert is_own(handshake(**headers)) is own
