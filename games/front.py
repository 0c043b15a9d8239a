"""This web process as a front: it beats, along the path that a command takes, while it is up."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import socket
import time
from collections.abc import Callable

from asgiref.sync import sync_to_async

from . import live, timekeeping, windows
from .arrival import UNDECIDED
from .hub import Hub, hub_here

log = logging.getLogger(__name__)

EVERY = 1.0  # s between beats


def monotonic_ms() -> int:
    """The monotonic clock in whole milliseconds."""
    return time.monotonic_ns() // 1_000_000


class Front:
    """A front and its present window; ``wall`` and ``monotonic`` are its clocks, in ms."""

    def __init__(
        self,
        hub: Hub,
        wall: Callable[[], int] = timekeeping.now_ms,
        monotonic: Callable[[], int] = monotonic_ms,
    ) -> None:
        self.hub, self.wall, self.monotonic = hub, wall, monotonic
        self.name = f"{socket.gethostname()}:{os.getpid()}:{secrets.token_hex(3)}"
        self.window: int | None = None
        self._last = (0, 0)
        self._beating: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Open a window and beat from now on. Without a database the first beat opens it."""
        try:
            await self.open()
        except Exception:
            log.warning("no service window yet: the database is away", exc_info=True)
        self._beating = asyncio.create_task(self._beat_on())

    async def stop(self) -> None:
        """Everything is decided: close the window cleanly."""
        if self._beating is not None:
            self._beating.cancel()
        if self.window is not None:
            await sync_to_async(windows.stop)(self.window, self.wall())
            self.window = self.hub.window = None

    async def open(self) -> None:
        """Open a new window, and vouch for the sockets that are here."""
        now = self.wall()
        self._last = (now, self.monotonic())
        self.window = await sync_to_async(windows.open_window)(self.name, now)
        self.hub.window = self.window
        for match_id, seat in self.hub.seats():
            await sync_to_async(windows.vouch)(match_id, seat, self.window)

    async def beat(self) -> None:
        """One beat: through the event loop, the relay and back, and into the database."""
        if self.window is None:
            await self.open()
            return
        wall, monotonic = self.wall(), self.monotonic()
        passed = (wall - self._last[0], monotonic - self._last[1])
        if not timekeeping.wall_is_sound(*passed):
            await self._break("the clock was set")
            return
        decided = min(wall, UNDECIDED.oldest(wall))
        await self._through_the_relay()
        if not timekeeping.clocks_agree(self.wall(), await sync_to_async(windows.database_now)()):
            await self._break("the clocks of front and database differ")
            return
        if await sync_to_async(windows.beat)(self.window, wall, decided):
            self._last = (wall, monotonic)
        else:
            await self._break("a beat came too late")

    async def _break(self, cause: str) -> None:
        log.error("this front was not measuring time: %s", cause)
        assert self.window is not None
        await sync_to_async(windows.break_window)(self.window, cause)
        self.window = self.hub.window = None

    async def _through_the_relay(self) -> None:
        """Send a message to this very process by way of Redis, and wait for it."""
        group = live.front_group(self.name)
        heard = self.hub.expect_echo(group)
        await live.send_all([(group, {"type": "front.echo", "group": group})], here=False)
        async with asyncio.timeout(windows.tolerance() / 1000):
            await heard

    async def _beat_on(self) -> None:
        await self.hub.listen_to(live.front_group(self.name))
        while True:
            await asyncio.sleep(EVERY)
            try:
                await self.beat()
            except Exception:
                log.warning("a beat failed", exc_info=True)


_front: Front | None = None


async def start_front(sender: object, **_: object) -> None:
    """The web server is ready."""
    global _front  # noqa: PLW0603  # a process is one front
    _front = Front(hub_here())
    await _front.start()


async def stop_front(sender: object, **_: object) -> None:
    """The web server stops cleanly, and has finished what it accepted."""
    if _front is not None:
        await _front.stop()
