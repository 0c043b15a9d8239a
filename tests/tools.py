"""Small helpers that several test modules use."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from spectacular import private_redis


def wait_until(condition: Callable[[], object], seconds: float = 10.0) -> None:
    """Look again and again, for real processes only, until ``condition`` holds."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            raise TimeoutError(f"{condition} did not come true within {seconds} s")
        time.sleep(0.02)


def free_port() -> int:
    """A port nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


@contextmanager
def own_redis(folder: Path) -> Iterator[None]:
    """A Redis in ``folder``, as long as the block lasts."""
    process = subprocess.Popen(
        private_redis.command(folder), stdout=subprocess.DEVNULL, stderr=subprocess.STDOUT
    )
    try:
        wait_until((folder / private_redis.SOCKET_NAME).exists)
        yield
    finally:
        process.terminate()
        process.wait(10)
