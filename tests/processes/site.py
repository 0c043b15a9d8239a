"""Real parts of the site, started and killed by a test: web processes and a Redis server."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

from django.conf import settings
from django.db import connection
from redis import Redis
from redis.exceptions import RedisError

from spectacular import private_redis
from tests.tools import free_port, wait_until

START_SECONDS = 60.0
STOP_SECONDS = 20.0


class Part:
    """A program in a process of its own; what it says goes to a file."""

    def __init__(self, command: Sequence[str], env: Mapping[str, str], log: Path) -> None:
        self.command, self.env, self.log = list(command), dict(env), log
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        with self.log.open("ab") as output:
            self.process = subprocess.Popen(
                self.command,
                cwd=settings.BASE_DIR,
                env=self.env,
                stdout=output,
                stderr=subprocess.STDOUT,
            )

    @property
    def runs(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def send(self, how: signal.Signals) -> None:
        assert self.process is not None
        self.process.send_signal(how)

    def ended(self, seconds: float = STOP_SECONDS) -> int:
        """Wait until it has ended; gives its status."""
        assert self.process is not None
        return self.process.wait(seconds)

    def end(self) -> None:
        """Make sure that it does not run."""
        if self.process is not None and self.runs:
            self.process.send_signal(signal.SIGCONT)
            self.process.kill()
            self.process.wait()

    def said(self) -> str:
        return self.log.read_text(errors="replace") if self.log.exists() else ""


class Front(Part):
    """A web process; ``program`` is what comes after the interpreter, before the port."""

    def __init__(self, env: Mapping[str, str], log: Path, program: Sequence[str] = ()) -> None:
        self.port = free_port()
        words = program or ["manage.py", "web", "--port"]
        super().__init__([sys.executable, *words, str(self.port)], env, log)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def ready(self) -> None:
        """Wait until it serves."""
        wait_until(lambda: not self.runs or self._listens(), START_SECONDS)
        assert self.runs, self.said()

    def _listens(self) -> bool:
        with socket.socket() as probe:
            return probe.connect_ex(("127.0.0.1", self.port)) == 0


class OwnRedis(Part):
    """A Redis server on a socket of its own, which may stop and come back."""

    def __init__(self) -> None:
        # The path of a socket has to be short.
        self.folder = Path(tempfile.mkdtemp(prefix="bid-"))
        super().__init__(private_redis.command(self.folder), os.environ, self.folder / "log")
        self.url = private_redis.url(self.folder)

    def start(self) -> None:
        super().start()
        wait_until(self.answers)

    def answers(self) -> bool:
        try:
            with Redis.from_url(self.url) as client:
                return bool(client.ping())
        except RedisError:
            return False

    def listeners(self, ending: str) -> int:
        """How many listen to the channels whose names end so."""
        with Redis.from_url(self.url) as client:
            channels = [name for name in client.pubsub_channels() if name.endswith(ending.encode())]
            return sum(count for _, count in client.pubsub_numsub(*channels)) if channels else 0

    def end(self) -> None:
        super().end()
        shutil.rmtree(self.folder, ignore_errors=True)


def site_env(redis_url: str, name: str) -> dict[str, str]:
    """The environment of programs that share the database of this test run, where their
    sessions have a ``name``."""
    env = {
        "SERVICE_TOLERANCE": "30",  # a pause of a busy machine is no outage, unless a test says so
        **os.environ,
        "DJANGO_SETTINGS_MODULE": "spectacular.settings",
        "REDIS_URL": redis_url,
        "LOG_LEVEL": "WARNING",
        "PYTHONUNBUFFERED": "1",
        "PGAPPNAME": name,
    }
    if connection.vendor == "postgresql":
        database = str(connection.settings_dict["NAME"])
        parts = urlsplit(os.environ["DATABASE_URL"])
        env["DATABASE_URL"] = urlunsplit(parts._replace(path=f"/{database}"))
    return env


def wait_for_sessions(name: str) -> None:
    """Wait until PostgreSQL has noticed that programs that were killed are gone."""

    def gone() -> bool:
        with connection.cursor() as cursor:
            cursor.execute(
                "SELECT count(*) FROM pg_stat_activity "
                "WHERE datname = current_database() AND application_name = %s",
                [name],
            )
            return bool(cursor.fetchone() == (0,))

    if connection.vendor == "postgresql":
        wait_until(gone)
