"""Several web processes in front of one database, started once and replaced when one was killed."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from asgiref.sync import SyncToAsync
from django.db import connections
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games import timekeeping
from games.models import Match
from tests.games.conftest import every_log_gives_its_snapshot  # noqa: F401
from tests.games.factory import begun, deal, make_match, make_user

from .site import Front, OwnRedis, site_env, wait_for_sessions

# Seat 0 must open with 6-6; seat 1 can follow with five tiles on each side.
DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")

measured: list[str] = []


@pytest.fixture
def report() -> Callable[[str], None]:
    """Have a line printed when the run is over."""
    return measured.append


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    if measured:
        terminalreporter.section("measured")
        for line in measured:
            terminalreporter.write_line(line)


class Fronts:
    """The web processes of a run, by name."""

    def __init__(self, redis_url: str, folder: Path) -> None:
        self.redis_url, self.folder = redis_url, folder
        self.running: dict[str, Front] = {}
        self.name = f"fronts in {folder.name}"
        self.count = 0

    def get(self, *names: str) -> list[Front]:
        """Web processes that serve; those that do not run are started, all at once."""
        for name in names:
            if name not in self.running or not self.running[name].runs:
                self.running[name] = self._start(name)
        for name in names:
            self.running[name].ready()
        return [self.running[name] for name in names]

    def _start(self, name: str) -> Front:
        self.count += 1
        program = ["-m", "tests.processes.impatient"] if name == "impatient" else []
        front = Front(
            site_env(self.redis_url, self.name), self.folder / f"{self.count}-{name}.log", program
        )
        front.start()
        return front

    def end(self) -> None:
        for front in self.running.values():
            front.end()
        wait_for_sessions(self.name)
        for log in sorted(self.folder.glob("*.log")):
            sys.stdout.write(f"--- {log.name}\n{log.read_text(errors='replace')}")


@pytest.fixture(scope="package")
def running_fronts(
    django_db_setup: None,
    django_db_blocker: DjangoDbBlocker,
    redis_server: str,
    tmp_path_factory: pytest.TempPathFactory,
) -> Iterator[Fronts]:
    fronts = Fronts(redis_server, tmp_path_factory.mktemp("fronts"))
    yield fronts
    with django_db_blocker.unblock():
        fronts.end()


@pytest.fixture(autouse=True)
def no_connection_is_kept() -> Iterator[None]:
    """Let the thread that asks the database for asynchronous tests give its connection back."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture
def fronts(running_fronts: Fronts, transactional_db: None) -> Fronts:
    """The web processes, on a database that is emptied after the test."""
    return running_fronts


@pytest.fixture
def redis_of_its_own() -> Iterator[OwnRedis]:
    """A Redis server that a test may stop and start."""
    redis = OwnRedis()
    redis.start()
    yield redis
    redis.end()


@pytest.fixture
def fronts_of_their_own(
    redis_of_its_own: OwnRedis, transactional_db: None, tmp_path: Path
) -> Iterator[Fronts]:
    """Web processes around that Redis."""
    fronts = Fronts(redis_of_its_own.url, tmp_path)
    yield fronts
    fronts.end()


@pytest.fixture
def ada(transactional_db: None) -> User:
    return make_user("ada")


@pytest.fixture
def bo(transactional_db: None) -> User:
    return make_user("bo")


@pytest.fixture
def match(ada: User, bo: User) -> Match:
    """A match in which ada must open with 6-6, at version 4."""
    return make_match([ada, bo], begun(DEALT), now=timekeeping.now_ms() - 1000)
