"""Who is there: the sockets of a match, kept in Redis and forgotten when they fall silent."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from typing import cast
from weakref import WeakKeyDictionary

from django.conf import settings
from redis import Redis as SyncRedis
from redis.asyncio import Redis

from .rules.record import Json
from .rules.sight import Audience, Viewer, seats_of

SILENCE = 20_000  # ms after which a socket that says nothing no longer counts
PATIENCE = 1.0  # s a socket waits for a Redis that hangs; its commands wait as long


@dataclass(frozen=True, slots=True)
class Presence:
    """Whether each seat has a socket open, and how many spectators there are.

    ``stamp`` orders what was seen at one match: microseconds by the clock of Redis.
    """

    online: tuple[bool, bool]
    watching: int
    stamp: int

    def as_json(self) -> Json:
        online = list(self.online)
        return {"type": "presence", "online": online, "watching": self.watching}


class Attendance:
    """The presence of one socket at one match; one that is not ``counted`` only looks around.
    Where one device is for both seats it is there for both."""

    def __init__(
        self, match_id: str, audience: Audience, socket: str, *, counted: bool = True
    ) -> None:
        self.keys = [_key(match_id, viewer) for viewer in (0, 1, None)]
        self.own = [_key(match_id, viewer) for viewer in seats_of(audience) or (None,)]
        self.member = socket
        self.counted = counted

    async def touch(self, now: int) -> Presence:
        """Say that this socket is there at ``now``, Unix time in ms, and see who else is."""
        return await self._roll_call(now, leaving=False)

    async def leave(self, now: int) -> Presence:
        """Take this socket off the list."""
        return await self._roll_call(now, leaving=True)

    async def _roll_call(self, now: int, *, leaving: bool) -> Presence:
        async with (
            asyncio.timeout(PATIENCE),
            redis_here().pipeline(transaction=True) as pipe,
        ):
            for key in self.own:
                if leaving or not self.counted:
                    pipe.zrem(key, self.member)
                else:
                    pipe.zadd(key, {self.member: now + SILENCE})
                pipe.pexpire(key, 2 * SILENCE)
            for key in self.keys:
                pipe.zremrangebyscore(key, "-inf", now)
                pipe.zcard(key)
            pipe.time()
            done = await pipe.execute()
        first, second, watching = cast("list[int]", done[-6:-1:2])
        seconds, micros = cast("tuple[int, int]", done[-1])
        return Presence((first > 0, second > 0), watching, seconds * 1_000_000 + micros)


def seats_online(redis: SyncRedis, match_id: str, now: int) -> tuple[bool, bool]:
    """Whether each seat of a match has a socket open. Raises ``RedisError``."""
    with redis.pipeline(transaction=False) as pipe:
        for seat in (0, 1):
            pipe.zcount(_key(match_id, seat), f"({now}", "+inf")
        first, second = cast("list[int]", pipe.execute())
    return first > 0, second > 0


def watching(redis: SyncRedis, match_ids: Sequence[str], now: int) -> dict[str, int]:
    """How many spectators each match has at ``now``, by one question. Raises ``RedisError``."""
    if not match_ids:
        return {}
    with redis.pipeline(transaction=False) as pipe:
        for match_id in match_ids:
            pipe.zcount(_key(match_id, None), f"({now}", "+inf")
        return dict(zip(match_ids, cast("list[int]", pipe.execute()), strict=True))


def _key(match_id: str, viewer: Viewer) -> str:
    """A set for each audience, to be counted without being read."""
    return f"{settings.REDIS_PREFIX}:presence:{match_id}:{'s' if viewer is None else viewer}"


# A connection belongs to the event loop that opened it.
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Redis] = WeakKeyDictionary()


def redis_here() -> Redis:
    """The Redis client of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        _clients[loop] = Redis.from_url(settings.REDIS_ADDRESS)
    return _clients[loop]


async def hang_up() -> None:
    """Close the client of the running event loop; the next question opens another."""
    client = _clients.pop(asyncio.get_running_loop(), None)
    if client is not None:
        await client.aclose()
