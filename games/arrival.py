"""Stamping the frames of a socket as they arrive.

A frame that waits behind another one, for a thread or for a lock was in time if it came in
time. So a task that does nothing else drains the socket and stamps; a token bucket and a
bounded queue stand there too, so that a flood costs nobody but its sender.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
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
    """A token bucket of ``burst`` tokens, refilled at ``rate`` a second; times in ms."""

    def __init__(self, burst: int = BURST, rate: int = RATE) -> None:
        self.burst, self.rate = burst, rate
        self.tokens = float(burst)
        self.last: int | None = None

    def take(self, now: int) -> bool:
        """Take one token at ``now``; False when there is none."""
        passed = 0 if self.last is None else max(0, now - self.last)
        self.last = now
        self.tokens = min(self.burst, self.tokens + passed * self.rate / 1000)
        if self.tokens < 1:
            return False
        self.tokens -= 1
        return True

    def is_full(self, now: int) -> bool:
        """Whether it is as good as a new one at ``now``."""
        passed = 0 if self.last is None else max(0, now - self.last)
        return self.tokens + passed * self.rate / 1000 >= self.burst


class Undecided:
    """The stamps of the frames of this process that nobody has decided yet."""

    def __init__(self) -> None:
        self._stamps: dict[object, int] = {}  # in order of arrival

    def add(self, stamp: int) -> object:
        """A frame arrived; the answer is what :meth:`done` takes."""
        token = object()
        self._stamps[token] = stamp
        return token

    def done(self, token: object) -> None:
        """A frame has been decided, or nobody will."""
        self._stamps.pop(token, None)

    def oldest(self, now: int) -> int:
        """The stamp of the frame that waits longest; ``now`` where none does."""
        return next(iter(self._stamps.values()), now)


UNDECIDED = Undecided()


class Arrivals:
    """The frames of one socket, drained and stamped.

    ``shared`` is the bucket of its user or, signed out, of its address. Commands count as
    undecided for a ``player`` alone: what others send holds back nobody's clock.
    """

    def __init__(self, receive: Receive, send: Send) -> None:
        self.shared: Bucket | None = None
        self.player = False
        self._receive, self._send = receive, send
        self._queue: asyncio.Queue[ASGIMessage] = asyncio.Queue()
        self._own = Bucket()
        self._waiting: deque[object] = deque()
        self._in_hand: object = None

    async def next(self) -> ASGIMessage:
        """The next frame, with ``arrived``: the Unix time in ms at which it came.

        Whoever asks for it has decided the one before.
        """
        UNDECIDED.done(self._in_hand)
        message = await self._queue.get()
        self._in_hand = self._waiting.popleft()
        return message

    def end(self) -> None:
        """Nobody asks for more."""
        for token in (self._in_hand, *self._waiting):
            UNDECIDED.done(token)

    async def drain(self) -> None:
        """Take every frame as it comes, until the socket ends or floods."""
        while True:
            message = await self._receive()
            now = timekeeping.now_ms()
            if message["type"] == "websocket.receive" and not self._may_wait(now):
                await self._send({"type": "websocket.close", "code": FLOODING})
                message = {"type": "websocket.disconnect", "code": FLOODING}
                self._forget()
            if message["type"] == "websocket.disconnect" and not self.player:
                self._forget()
            self._waiting.append(UNDECIDED.add(now) if self._decides(message) else None)
            self._queue.put_nowait(message | {"arrived": now})
            if message["type"] == "websocket.disconnect":
                return

    def _decides(self, message: ASGIMessage) -> bool:
        """Whether a frame may be a command that a clock waits for."""
        frame = message["type"] == "websocket.receive" and self.player
        return frame and '"ping"' not in (message.get("text") or "")

    def _forget(self) -> None:
        """Drop what waits: carrying out a flood would cost the others, one query a frame."""
        while not self._queue.empty():
            self._queue.get_nowait()
            UNDECIDED.done(self._waiting.popleft())

    def _may_wait(self, now: int) -> bool:
        within = self._own.take(now) and self._queue.qsize() < QUEUE
        return within and (self.shared is None or self.shared.take(now))


class StampArrivals:
    """ASGI middleware for sockets: frames get ``arrived``, the scope its ``arrivals``."""

    def __init__(self, app: App) -> None:
        self.app = app

    async def __call__(self, scope: ASGIMessage, receive: Receive, send: Send) -> Any:
        arrivals = Arrivals(receive, send)
        drain = asyncio.create_task(arrivals.drain())
        try:
            return await self.app(scope | {"arrivals": arrivals}, arrivals.next, send)
        finally:
            drain.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await drain
            arrivals.end()
