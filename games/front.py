"""This web process as a front: it beats, along the path that a command takes, while it is up."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import secrets
import socket
import time
from collections.abc import Callable

from asgiref.sync import sync_to_async
from django.db import close_old_connections

from . import live, store, timekeeping, windows
from .arrival import UNDECIDED
from .hub import Hub, hub_here
from .outage import Outage

log = logging.getLogger(__name__)

BEATS = Outage(log, "what a beat needs")

EVERY = 1.0  # s between beats
TICK = 0.1  # s between two looks whether the event loop runs
STILL = 500  # ms without one after which it stood still
STOOD_STILL = "the process stood still"


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
        self._ticked: int | None = None
        self._stood = False
        self._woken = asyncio.Event()
        self._ticking: asyncio.Task[None] | None = None
        self._beating: asyncio.Task[None] | None = None
        self._vouching: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Beat from now on; the first beat that finds everything well opens the window."""
        await self.hub.listen_to(live.front_group(self.name))
        await self._beat_safely()
        self._ticking = asyncio.create_task(self._tick_on())
        self._beating = asyncio.create_task(self._beat_on())

    async def stop(self) -> None:
        """Close the window cleanly; what is undecided now, nobody will decide."""
        for task in (self._ticking, self._beating, self._vouching):
            if task is not None:
                task.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await task
        if self.window is None:
            return
        wall = self.wall()
        if self._stood:
            await self._break(STOOD_STILL)
        elif not self._clock_is_sound(wall, self.monotonic()):
            await self._break("the clock was set")
        elif await sync_to_async(windows.stop)(self.window, wall, self._decided(wall)):
            self.window = self.hub.window = None
        else:
            await self._break("a beat came too late")

    async def beat(self) -> None:
        """One beat: through the event loop, the relay and back, and into the database.

        A front without a window opens one by it, and so does one that finds its own broken:
        others then see when time was measured again.
        """
        if self._ticked is not None:
            self.tick()
        stood, self._stood = self._stood, False
        try:
            await self._beat(stood=stood)
        except Exception:
            self._stood = self._stood or stood  # no later beat may vouch for that hole either
            raise

    async def _beat(self, *, stood: bool) -> None:
        wall, monotonic = self.wall(), self.monotonic()
        sound = self.window is None or self._clock_is_sound(wall, monotonic)
        decided = self._decided(wall)
        if sound:
            await self._through_the_relay()
        if not await self._agrees_with_the_database():
            await self._break("the clocks of front and database differ")
        elif self.window is None:
            await self._open(wall, monotonic)
        elif not sound:
            await self._open(wall, monotonic, "the clock was set")
        elif stood:
            await self._open(wall, monotonic, STOOD_STILL)
        elif await sync_to_async(windows.beat)(self.window, wall, decided):
            self._last = (wall, monotonic)
        else:
            await self._open(wall, monotonic, "a beat came too late")

    def tick(self) -> None:
        """The event loop runs. Where it did not for a while, frames that came meanwhile are
        stamped too late, so that nobody may lose on time in that hole."""
        now = self.monotonic()
        if self._ticked is not None and now - self._ticked > STILL:
            self._stood = True
            self._woken.set()
        self._ticked = now

    async def _open(self, wall: int, monotonic: int, cause: str = "") -> None:
        """Open a window, and only then give up the one that is broken by ``cause``, if any:
        nobody is to think that no front is up."""
        broken = self.window
        self.window = await sync_to_async(windows.open_window)(self.name, wall)
        self.hub.window, self._last = self.window, (wall, monotonic)
        if broken is not None:
            log.error("this front was not measuring time: %s", cause)
            await sync_to_async(windows.break_window)(broken, cause)
        if self._vouching is not None:
            self._vouching.cancel()
        self._vouching = asyncio.create_task(self._vouch(self.window))

    async def _break(self, cause: str) -> None:
        log.error("this front is not measuring time: %s", cause)
        if self.window is not None:
            await sync_to_async(windows.break_window)(self.window, cause)
            self.window = self.hub.window = None

    async def _vouch(self, window: int) -> None:
        """Vouch for the seats that have a socket here, once what a broken window leaves of
        their matches has been judged: it is the evidence."""
        for match_id, seat in self.hub.seats():
            try:
                await sync_to_async(store.judge)(match_id, self.wall())
                if (match_id, seat) in self.hub.seats():
                    await sync_to_async(windows.vouch_again)(match_id, seat, window)
            except Exception:
                log.exception("match %s: nobody vouches for seat %s", match_id, seat)

    def _clock_is_sound(self, wall: int, monotonic: int) -> bool:
        return timekeeping.wall_is_sound(wall - self._last[0], monotonic - self._last[1])

    @staticmethod
    def _decided(wall: int) -> int:
        return min(wall, UNDECIDED.oldest(wall))

    async def _agrees_with_the_database(self) -> bool:
        """Whether the two clocks agree, however long the answer takes."""
        before = self.wall()
        database = await sync_to_async(windows.database_now)()
        nearest = min(max(before, database), max(before, self.wall()))
        return timekeeping.clocks_agree(nearest, database)

    async def _through_the_relay(self) -> None:
        """Send a message to this very process by way of Redis, and wait for it, not so long
        that a lost message alone makes the next beat late."""
        group = live.front_group(self.name)
        heard = self.hub.expect_echo(group)
        async with asyncio.timeout(windows.tolerance() / 2000):
            await live.send_all([(group, {"type": "front.echo", "group": group})], here=False)
            await heard

    async def _tick_on(self) -> None:
        while True:
            self.tick()
            await asyncio.sleep(TICK)

    async def _beat_on(self) -> None:
        while True:
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(EVERY):
                    await self._woken.wait()
            self._woken.clear()
            await self._beat_safely()

    async def _beat_safely(self) -> None:
        try:
            await self.beat()
            BEATS.answered()
        except Exception as error:  # noqa: BLE001  # whatever is away, the next one tries again
            BEATS.failed(error)
            with contextlib.suppress(Exception):
                # A connection that is dead stays so, and nobody else may come here to close it.
                await sync_to_async(close_old_connections)()


_front: Front | None = None


async def start_front(sender: object, **_: object) -> None:
    """The web server is ready."""
    global _front  # noqa: PLW0603  # a process is one front
    _front = Front(hub_here())
    await _front.start()


async def stop_front(sender: object, **_: object) -> None:
    """The web server has finished what it accepted, and goes."""
    if _front is not None:
        await _front.stop()
