"""A socket as the hub knows it, and the outbox through which everything reaches it."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from . import timekeeping
from .rendering import AS_FRAGMENTS, Rendering
from .rules.record import Json
from .rules.sight import Audience

log = logging.getLogger(__name__)

COME_BACK = 1012  # the code that tells a page to open its socket anew
LOAD_ANEW = 4012  # the code that tells the page of a match to load itself anew
LAG = 256 * 1024  # characters a socket may be sent between two pings; then it gets no more

Key = tuple[str, Audience]


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


@dataclass(eq=False, kw_only=True)
class Connected:
    """An open socket: whose it is, where it comes from, and how to reach it.

    ``heard_at`` is when it was last heard of; ``unread`` how much it was sent since its last
    ping; ``behind`` that it gets nothing until it pings again.
    """

    user_id: int | None
    session: str
    address: str
    language: str
    outbox: Outbox
    close: Callable[[int], Awaitable[None]]
    heard_at: int
    unread: int = 0
    behind: bool = False

    @property
    def when_suspended(self) -> int:
        """The code it is closed with when its user is suspended."""
        raise NotImplementedError

    def put(self, text: str) -> None:
        """Send a text that counts as unread until the next ping."""
        self.unread += len(text)
        self.outbox.put(text)
        if self.unread > LAG:
            self.behind = True


@dataclass(eq=False, kw_only=True)
class Member(Connected):
    """A socket of a match that has joined the hub.

    ``version`` is the newest version it was sent, -1 before its first view, and ``sent_at`` when.
    Of a match on a shared device, ``browser`` is the one it belongs to where no account does, and
    ``asked`` the version at which the page asked to be shown the tiles, None before it has.
    """

    match_id: str
    viewer: Audience
    info: Json
    rendering: Rendering
    browser: str = ""
    asked: int | None = None
    version: int = -1
    sent_at: int = 0
    seen: int = -1
    mended_at: int = 0
    misses: int = 0
    presence: Json = field(default_factory=dict)
    presence_stamp: int = 0
    over: bool = False  # whether the match it was sent is over

    @property
    def when_suspended(self) -> int:
        """A running match goes on; its page loads anew, and so tells until when and why."""
        return self.to_come_anew

    @property
    def to_come_anew(self) -> int:
        """The code it is closed with when it is to come back as whoever it is then."""
        return LOAD_ANEW if self.rendering is AS_FRAGMENTS else COME_BACK

    @property
    def key(self) -> Key:
        return self.match_id, self.viewer

    def send_view(self, text: str, version: int, *, over: bool = False) -> None:
        self.version, self.over = version, over
        self.sent_at = timekeeping.now_ms()
        self.put(text)
