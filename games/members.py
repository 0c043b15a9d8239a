"""A socket as the hub knows it, and the outbox through which everything reaches it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from . import timekeeping
from .rendering import Rendering
from .rules.record import Json
from .rules.sight import Viewer

log = logging.getLogger(__name__)

LAG = 256 * 1024  # characters a socket may be sent between two pings; then it gets no more

Key = tuple[str, Viewer]


class Outbox:
    """The texts on their way to one socket, sent in order by a task that ends when it is empty."""

    def __init__(self, send: Callable[[str], Awaitable[None]]) -> None:
        self._send = send
        self._texts: deque[str] = deque()
        self._task: asyncio.Task[None] | None = None
        self._is_shut = False

    def put(self, text: str) -> None:
        if self._is_shut:
            return
        self._texts.append(text)
        if self._task is None:
            self._task = asyncio.create_task(self._drain())

    def shut(self) -> None:
        """The socket is gone: what comes now goes nowhere."""
        self._is_shut = True
        self._texts.clear()

    async def empty(self) -> None:
        """Wait until everything put so far has been handed to the server."""
        if self._task is not None:
            await self._task

    async def _drain(self) -> None:
        try:
            while self._texts:
                await self._send(self._texts.popleft())
        except Exception as error:  # noqa: BLE001  # whatever it is, the socket is gone
            left = len(self._texts)
            log.info("a socket went away with %d texts to send: %s", left, type(error).__name__)
            self._texts.clear()
        finally:
            self._task = None


@dataclass(eq=False)
class Member:
    """A socket that has joined the hub.

    ``version`` is the newest version it was sent, -1 before its first view, and ``sent_at`` when;
    ``unread`` how much it was sent since its last ping; ``behind`` that it gets nothing until
    it pings again.
    """

    match_id: str
    viewer: Viewer
    info: Json
    user_id: int | None
    session: str
    address: str
    rendering: Rendering
    language: str
    outbox: Outbox
    close: Callable[[int], Awaitable[None]]
    heard_at: int
    version: int = -1
    sent_at: int = 0
    unread: int = 0
    behind: bool = False
    seen: int = -1
    mended_at: int = 0
    misses: int = 0
    presence: Json = field(default_factory=dict)
    presence_stamp: int = 0

    @property
    def key(self) -> Key:
        return self.match_id, self.viewer

    def send_view(self, text: str, version: int) -> None:
        self.version = version
        self.sent_at = timekeeping.now_ms()
        self.unread += len(text)
        self.outbox.put(text)
        if self.unread > LAG:
            self.behind = True
