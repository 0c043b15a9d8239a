"""The real parts that tests run on, and one line at the top that says which they are."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import psycopg
import pytest
import redis
from asgiref.sync import SyncToAsync
from django.conf import settings
from django.core.cache import cache
from django.db import connection, connections

from spectacular import private_redis
from tests.settings import OWN_REDIS
from tests.tools import own_redis
from tests.turns import in_turn

ONE_BY_ONE = {"processes", "browser"}  # their tests share one set of real parts
# Those that are long enough to have a set of their own, by the beginning of their file's name.
BESIDE = {"test_states": "states", "test_languages_fit": "states", "test_time": "time"}
CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser")


def on_postgres() -> bool:
    """Whether this run has a PostgreSQL database."""
    return connection.vendor == "postgresql"


def pytest_report_header() -> list[str]:
    return [f"database: {_database()}", f"redis: {_redis()}", f"chromium: {CHROMIUM or 'none'}"]


def _database() -> str:
    if not on_postgres():
        from sqlite3 import sqlite_version

        return f"SQLite {sqlite_version}, a file"
    with psycopg.connect(os.environ["DATABASE_URL"], connect_timeout=10) as probe:
        version = probe.info.server_version
    return f"PostgreSQL {version // 10000}.{version % 10000}"


def _redis() -> str:
    if OWN_REDIS:
        binary = private_redis.binary()
        words = subprocess.run([binary, "--version"], capture_output=True, text=True, check=True)
        version = words.stdout.partition("v=")[2].split()[0]
        return f"{version}, started by this run ({binary})"
    with redis.Redis.from_url(settings.REDIS_URL) as client:
        return f"{client.info('server')['redis_version']}, the one of REDIS_URL"


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Skip what this run has no part for; where REAL_PARTS=required, a browser is a must."""
    required = os.environ.get("REAL_PARTS") == "required"
    for item in items:
        if (folder := item.path.parent.name) in ONE_BY_ONE:
            name = item.path.stem
            own = next((BESIDE[start] for start in BESIDE if name.startswith(start)), folder)
            item.add_marker(pytest.mark.xdist_group(own))
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker(pytest.mark.chromium)
        if not CHROMIUM and item.get_closest_marker("chromium") and not required:
            item.add_marker(pytest.mark.skip(reason="there is no chromium on the PATH"))
        if not on_postgres() and item.get_closest_marker("postgres"):
            item.add_marker(pytest.mark.skip(reason="this run is not on PostgreSQL (DATABASE_URL)"))


@pytest.fixture(scope="session", autouse=True)
def redis_server() -> Iterator[str]:
    """A Redis for the whole run; gives its URL."""
    if not OWN_REDIS:
        yield settings.REDIS_URL
        return
    with own_redis(Path(settings.DATA_DIR)):
        yield settings.REDIS_URL


@pytest.fixture(scope="session")
def django_db_modify_db_settings_xdist_suffix() -> None:
    """The settings have given each worker a database of its own."""


@pytest.fixture(scope="session")
def django_db_setup(django_db_setup: None) -> Iterator[None]:
    """The test database, dropped when nobody has it open: the thread that asked it for
    asynchronous tests gives its connection back first."""
    yield
    SyncToAsync.single_thread_executor.submit(connections.close_all).result()


@pytest.fixture(autouse=True)
def turn(
    request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[None]:
    """Nothing runs beside a test that has the mark ``alone``."""
    if "PYTEST_XDIST_WORKER" not in os.environ:
        yield
        return
    alone = request.node.get_closest_marker("alone") is not None
    with in_turn(tmp_path_factory.getbasetemp().parent, alone=alone):
        yield


@pytest.fixture
def report(record_property: Callable[[str, object], None]) -> Callable[[str], None]:
    """Have a line printed when the run is over."""
    return partial(record_property, "measured")


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [r for kind in ("passed", "failed") for r in terminalreporter.getreports(kind)]
    lines = [line for r in reports for key, line in r.user_properties if key == "measured"]
    if lines:
        terminalreporter.section("measured")
        for line in lines:
            terminalreporter.write_line(str(line))


@pytest.fixture(autouse=True)
def no_attempts_counted() -> None:
    """Every test begins with an empty cache: it counts attempts to sign in."""
    cache.clear()


@pytest.fixture(autouse=True)
def no_restart_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every test begins without knowing whether a restart is announced, and asks once: how many
    queries a page takes does not depend on how slow the machine is."""
    from games import restarts

    monkeypatch.setattr(restarts, "KEPT", 3600.0)
    restarts.forget()


@pytest.fixture(autouse=True)
def no_match_remembered() -> None:
    """Every test begins without knowing which matches are being played."""
    from games import watch

    watch.forget()
