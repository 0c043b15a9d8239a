"""A PostgreSQL of a test's own, which may stop and start."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

from django.core.management import call_command
from django.db import connections

from tests.tools import free_port

PROGRAMS = sorted(Path("/usr/lib/postgresql").glob("*/bin"))


class OwnPostgres:
    """A cluster in a folder of its own; it does not run as root."""

    def __init__(self) -> None:
        self.port = free_port()
        self.folder = Path(tempfile.mkdtemp(prefix="bid-pg-"))
        self.user = "postgres" if os.geteuid() == 0 else None
        if self.user:
            shutil.chown(self.folder, self.user, self.user)
        self.data = self.folder / "data"
        self._run("initdb", "-A", "trust", "-U", "postgres", "--no-sync", "-D", str(self.data))

    @property
    def url(self) -> str:
        return f"postgres://postgres@127.0.0.1:{self.port}/postgres"

    def start(self) -> None:
        options = f"-p {self.port} -c listen_addresses=127.0.0.1 -k {self.folder} -c fsync=off"
        self._pg_ctl("start", "-l", str(self.folder / "log"), "-o", options)

    def stop(self, mode: str) -> None:
        """Stop it: ``fast`` ends every session, ``immediate`` is a crash."""
        self._pg_ctl("stop", "-m", mode)

    def end(self) -> None:
        if (self.data / "postmaster.pid").exists():
            self.stop("immediate")
        shutil.rmtree(self.folder, ignore_errors=True)

    def _pg_ctl(self, what: str, *words: str) -> None:
        self._run("pg_ctl", what, "-w", "-s", "-D", str(self.data), *words)

    def _run(self, program: str, *words: str) -> None:
        # What the server inherits must not be a pipe that somebody waits for.
        with (self.folder / "said").open("ab") as said:
            subprocess.run(
                [str(PROGRAMS[-1] / program), *words],
                check=True,
                cwd=self.folder,
                user=self.user,
                group=self.user,
                extra_groups=[] if self.user else None,
                stdout=said,
                stderr=said,
            )


@contextmanager
def used(postgres: OwnPostgres) -> Iterator[None]:
    """Everything that asks the database in here, asks this one."""
    place: Mapping[str, object] = {"NAME": "postgres", "PORT": postgres.port, "HOST": "127.0.0.1"}
    connection = connections["default"]
    before = {key: connection.settings_dict[key] for key in place}
    _move(place)
    try:
        call_command("migrate", verbosity=0)
        yield
    finally:
        _move(before)


def _move(place: Mapping[str, object]) -> None:
    """Let all threads connect elsewhere from now on: they share these settings."""
    forget_connections()
    connections["default"].settings_dict.update(place)


def forget_connections() -> None:
    """Close what this thread and the pool of all threads hold."""
    connection = connections["default"]
    connection.close()
    connection.close_pool()  # type: ignore[attr-defined]
