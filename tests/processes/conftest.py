"""Several web processes in front of one database, started once and replaced when one was killed."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from asgiref.sync import SyncToAsync
from django.db import connections
from pytest_django import DjangoDbBlocker, Settings

from accounts.models import User
from games import timekeeping
from games.models import Match
from tests.games.conftest import every_log_gives_its_snapshot  # noqa: F401
from tests.games.factory import begun, make_match, make_user

from .fronts import DEALT, Fronts
from .service import Service
from .site import OwnRedis


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


@pytest.fixture
def service(
    request: pytest.FixtureRequest,
    running_fronts: Fronts,
    redis_of_its_own: OwnRedis,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
    fronts_of_their_own: Fronts,
    tmp_path: Path,
) -> Iterator[Service]:
    """Everything the site consists of, and nobody else who measures time; the parameter is
    the tolerance in seconds."""
    running_fronts.end()
    tolerance: float = getattr(request, "param", 3.0)
    settings.SERVICE_TOLERANCE = tolerance
    monkeypatch.setenv("SERVICE_TOLERANCE", str(tolerance))
    service = Service(redis_of_its_own, fronts_of_their_own, tmp_path, tolerance)
    yield service
    service.end()
