"""Who is there: the sockets of a match, kept in Redis and forgotten when they fall silent."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass
from typing import cast
from weakref import WeakKeyDictionary

from django.conf import settings
from redis.asyncio import Redis

from .rules.record import Json
from .rules.sight import Viewer

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
    """The presence of one socket at one match."""

    def __init__(self, match_id: str, viewer: Viewer, socket: str) -> None:
        self.key = f"{settings.REDIS_PREFIX}:presence:{match_id}"
        self.member = f"{'s' if viewer is None else viewer}:{socket}"

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
            if leaving:
                pipe.zrem(self.key, self.member)
            else:
                pipe.zadd(self.key, {self.member: now + SILENCE})
            pipe.zremrangebyscore(self.key, "-inf", now)
            pipe.zrange(self.key, 0, -1)
            pipe.pexpire(self.key, 2 * SILENCE)
            pipe.time()
            done = await pipe.execute()
        places = [member[:1] for member in cast("list[bytes]", done[2])]
        seconds, micros = cast("tuple[int, int]", done[4])
        online = (b"0" in places, b"1" in places)
        return Presence(online, places.count(b"s"), seconds * 1_000_000 + micros)


# A connection belongs to the event loop that opened it.
_clients: WeakKeyDictionary[asyncio.AbstractEventLoop, Redis] = WeakKeyDictionary()


def redis_here() -> Redis:
    """The Redis client of the running event loop."""
    loop = asyncio.get_running_loop()
    if loop not in _clients:
        _clients[loop] = Redis.from_url(settings.REDIS_ADDRESS)
    return _clients[loop]
