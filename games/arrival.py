"""Stamping the frames of a socket as they arrive.

A frame that waits behind another one, for a thread or for a lock was in time if it came in
time. So a task that does nothing else drains the socket and stamps; a token bucket and a
bounded queue stand there too, so that a flood costs nobody but its sender.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Awaitable, Callable
from typing import Any

from . import timekeeping

ASGIMessage = dict[str, Any]
Receive = Callable[[], Awaitable[ASGIMessage]]
Send = Callable[[ASGIMessage], Awaitable[None]]
App = Callable[[ASGIMessage, Receive, Send], Awaitable[Any]]

FLOODING = 4408
QUEUE = 64  # frames that may wait
BURST = 60  # frames that may come at once
RATE = 20  # frames per second in the long run


class Bucket:
    """A token bucket of ``BURST`` frames, refilled at ``RATE`` a second; times in ms."""

    def __init__(self) -> None:
        self.tokens = float(BURST)
        self.last: int | None = None

    def take(self, now: int) -> bool:
        """Take one token at ``now``; False when there is none."""
        passed = 0 if self.last is None else max(0, now - self.last)
        self.last = now
        self.tokens = min(BURST, self.tokens + passed * RATE / 1000)
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True


class StampArrivals:
    """ASGI middleware for sockets: every frame gets ``arrived``, Unix time in ms."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: ASGIMessage, receive: Receive, send: Send) -> Any:
        queue: asyncio.Queue[ASGIMessage] = asyncio.Queue()
        drain = asyncio.create_task(_drain(receive, send, queue))
        try:
            return await self.app(scope, queue.get, send)
        finally:
            drain.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await drain


async def _drain(receive: Receive, send: Send, queue: asyncio.Queue[ASGIMessage]) -> None:
    bucket = Bucket()
    while True:
        message = await receive()
        now = timekeeping.now_ms()
        if message["type"] == "websocket.receive" and not (
            bucket.take(now) and queue.qsize() < QUEUE
        ):
            await send({"type": "websocket.close", "code": FLOODING})
            message = {"type": "websocket.disconnect", "code": FLOODING}
        queue.put_nowait(message | {"arrived": now})
        if message["type"] == "websocket.disconnect":
            return
