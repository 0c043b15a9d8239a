"""``manage.py up``: the whole site on one machine, with one Ctrl-C."""

from __future__ import annotations

import asyncio
import fcntl
import os
import shlex
import shutil
import socket
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, Any, NoReturn

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandParser
from django.db import Error as DatabaseError
from django.db import connection
from redis import Redis
from redis.exceptions import RedisError

from spectacular import addresses, private_redis
from spectacular.supervisor import Died, Part, Stopped, Supervisor

HEALTH = "GET /healthz HTTP/1.0\r\nHost: localhost\r\n\r\n"


class CannotStart(Exception):
    """The site cannot start; the text is one line that says why and what to do."""


class Command(BaseCommand):
    help = (
        "Runs the whole site: database, a private Redis, web server, worker and beat. "
        "Ctrl-C stops all of it."
    )
    requires_system_checks = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000, help="8000 unless you say otherwise")
        parser.add_argument(
            "--host",
            default="127.0.0.1",
            help="where to listen; 0.0.0.0 lets other devices in your network play",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        host, port = options["host"], options["port"]
        try:
            with locked(settings.DATA_DIR), run_folder(settings.DATA_DIR) as run:
                addresses.try_port(host, port)
                env, parts = plan(host, port, Path(run))
                if settings.REDIS_URL:
                    try_redis(settings.REDIS_URL)
                self.prepare()
                asyncio.run(self.supervise(env, parts, host, port))
        except (CannotStart, addresses.CannotBind, private_redis.NoRedis) as error:
            self.give_up(f"up: {error}")
        except Died as error:
            self.give_up(f"up: {error}; the rest has been stopped")
        except (Stopped, KeyboardInterrupt):
            self.say("up: stopped")

    def give_up(self, line: str) -> NoReturn:
        self.stderr.write(line)
        sys.exit(1)

    def say(self, line: str) -> None:
        self.stdout.write(line)
        self.stdout.flush()

    def prepare(self) -> None:
        """Bring the database and the static files up to date."""
        # One thread needs no pool, which would ask a silent database again and again.
        connection.settings_dict["OPTIONS"].pop("pool", None)
        try:
            call_command("migrate", interactive=False, verbosity=0)
        except DatabaseError as error:
            reason = str(error).strip().splitlines()[0] if str(error) else type(error).__name__
            raise CannotStart(
                f"the database cannot be used ({reason}): check DATABASE_URL"
                if os.environ.get("DATABASE_URL")
                else f"the database in {settings.DATA_DIR} cannot be used ({reason})"
            ) from error
        finally:
            connection.close()
        if not settings.DEBUG:
            call_command("collectstatic", interactive=False, verbosity=0)

    async def supervise(self, env: dict[str, str], parts: list[Part], host: str, port: int) -> None:
        """Start the parts and keep them until one dies or somebody stops us."""
        supervisor = Supervisor(env, settings.BASE_DIR, self.say)
        supervisor.listen_for_signals()
        ready = {
            "redis": Path(env["REDIS_URL"].removeprefix("unix://")).exists,
            "web": lambda: answers(host, port),
        }
        try:
            for part in parts:
                await supervisor.start(part)
                # The next ones start when this one serves: together they would all be slower.
                await supervisor.until(ready.get(part.name, lambda: True))
            self.greet(host, port)
            await supervisor.wait()
        except Stopped:
            self.say("up: stopping")
            raise
        finally:
            await supervisor.stop()

    def greet(self, host: str, port: int) -> None:
        """Say where the site is, where its data lies, and how to become staff."""
        lan = addresses.lan_address() if host in addresses.EVERYWHERE else None
        near = "127.0.0.1" if host in addresses.EVERYWHERE else host
        data = os.environ.get("DATABASE_URL") and "the database of DATABASE_URL"
        prefix = ""
        if "SPECTACULAR_DATA" in os.environ:
            prefix = f"SPECTACULAR_DATA={shlex.quote(os.environ['SPECTACULAR_DATA'])} "
        lines = [f"Spectacular Bid is up:  http://{bracketed(near)}:{port}/"]
        if lan:
            lines.append(f"In your network:        http://{lan}:{port}/")
        lines += [
            f"Data:                   {data or settings.DATA_DIR}",
            f"A staff account:        {prefix}uv run manage.py createsuperuser",
            "Stop with Ctrl-C.",
        ]
        self.say("\n" + "\n".join(f"  {line}" for line in lines) + "\n")


def plan(host: str, port: int, run: Path) -> tuple[dict[str, str], list[Part]]:
    """The environment of the parts, and the parts in the order they start in."""
    env = {**os.environ, "PYTHONUNBUFFERED": "1", "DJANGO_SETTINGS_MODULE": settings_module()}
    env.setdefault("HTTPS", "off")
    allowed = [*addresses.allowed_hosts(host), *os.environ.get("ALLOWED_HOSTS", "").split(",")]
    env["ALLOWED_HOSTS"] = ",".join(filter(None, dict.fromkeys(allowed)))
    manage = [sys.executable, str(settings.BASE_DIR / "manage.py")]
    celery = [sys.executable, "-m", "celery", "-q", "-A", "spectacular"]
    quiet = ["--without-gossip", "--without-mingle", "--without-heartbeat"]
    parts = [
        Part("web", [*manage, "web", "--host", host, "--port", str(port)]),
        Part("worker", [*celery, "worker", *quiet]),
        Part("beat", [*celery, "beat", "--pidfile="]),
    ]
    if not env.get("REDIS_URL"):
        parts.insert(0, Part("redis", private_redis.command(run), layer=0, quiet=True))
        env["REDIS_URL"] = private_redis.url(run)
    return env, parts


def try_redis(url: str) -> None:
    """Raise ``CannotStart`` unless a Redis answers at ``url``."""
    try:
        with Redis.from_url(url, socket_connect_timeout=5) as client:
            client.ping()
    except (RedisError, ValueError) as error:
        raise CannotStart(f"no Redis answers ({error}): check REDIS_URL") from error


def settings_module() -> str:
    return os.environ.get("DJANGO_SETTINGS_MODULE", "spectacular.settings")


@contextmanager
def run_folder(data: Path) -> Iterator[str]:
    """A folder for the socket of Redis, whose path must be short; one that an ``up`` which was
    killed has left behind is removed first."""
    note = data / "run-folder"
    with suppress(OSError):
        left = Path(note.read_text(encoding="utf-8"))
        if left.name.startswith("bid-"):
            shutil.rmtree(left, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix="bid-") as run:
        note.write_text(run, encoding="utf-8")
        yield run
    note.unlink(missing_ok=True)


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold ``folder`` for this process alone, for as long as it lives."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        file = (folder / "up.lock").open("a+", encoding="ascii")
    except OSError as error:
        raise CannotStart(
            f"cannot use the data folder {folder} ({error.strerror}): "
            "name one that can be written, as in SPECTACULAR_DATA=/a/folder"
        ) from error
    with file:
        take(file, folder)
        yield


def take(file: IO[str], folder: Path) -> None:
    """Lock ``file`` and write who we are into it."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.seek(0)
        owner = file.read().strip() or "unknown"
        raise CannotStart(
            f"the site already runs from {folder} (process {owner}): stop that one, "
            "or give this one another folder, as in SPECTACULAR_DATA=/a/folder"
        ) from error
    file.truncate(0)
    file.write(str(os.getpid()))
    file.flush()


def answers(host: str, port: int) -> bool:
    """Whether the web part serves already."""
    near = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    try:
        with socket.create_connection((near, port), timeout=2) as probe:
            probe.sendall(HEALTH.encode())
            return b" 200 " in probe.recv(64)
    except OSError:
        return False


def bracketed(host: str) -> str:
    return f"[{host}]" if ":" in host else host
