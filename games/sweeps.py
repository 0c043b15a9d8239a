"""When the last sweep was, and how late: kept in Redis, so that every process can tell."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import cast

from django.conf import settings
from redis import Redis

TIMEOUT = 1.0  # s to wait for Redis


@dataclass(frozen=True, slots=True)
class Sweeps:
    """``at`` is when the last one was done (Unix time in ms), ``late`` for how many ms the most
    overdue match it found had waited; ``count`` sweeps have judged ``judged`` matches."""

    at: int
    late: int
    count: int
    judged: int


@cache
def redis() -> Redis:
    """A client for code that is not on an event loop."""
    return Redis.from_url(
        settings.REDIS_ADDRESS, socket_timeout=TIMEOUT, socket_connect_timeout=TIMEOUT
    )


def record(at: int, late: int, judged: int) -> None:
    """A sweep is done. Raises ``RedisError``."""
    with redis().pipeline() as pipe:
        pipe.hset(_key(), mapping={"at": at, "late": late})
        pipe.hincrby(_key(), "count", 1)
        pipe.hincrby(_key(), "judged", judged)
        pipe.execute()


def so_far() -> Sweeps | None:
    """The sweeps so far, or None before the first. Raises ``RedisError``."""
    kept = cast("list[bytes | None]", redis().hmget(_key(), ["at", "late", "count", "judged"]))
    numbers = [int(value) for value in kept if value is not None]
    return Sweeps(*numbers) if len(numbers) == 4 else None


def _key() -> str:
    return f"{settings.REDIS_PREFIX}:sweeps"
