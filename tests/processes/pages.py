"""Pages as programs: they read all the time, and keep what they were told in order."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any

from asgiref.sync import sync_to_async
from django.conf import settings
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from accounts.models import User
from games.models import Match
from tests.processes.site import Front
from tests.sessions import new_session

Json = dict[str, Any]
PATIENCE = 30.0  # s for real processes on a machine that may be busy


class Page:
    """One open socket in the JSON rendering."""

    def __init__(self, wire: ClientConnection) -> None:
        self.wire = wire
        self.heard: list[Json] = []
        self.code: int | None = None
        self._fences = 0
        self._news = asyncio.Event()
        self._loop = asyncio.get_running_loop()
        self._reader = asyncio.create_task(self._read())

    async def _read(self) -> None:
        try:
            while True:
                message = json.loads(await self.wire.recv())
                message["heard_at"] = self._loop.time()
                self.heard.append(message)
                self._news.set()
        except ConnectionClosed as closed:
            self.code = closed.rcvd.code if closed.rcvd else 1006
            self._news.set()

    async def say(self, do: str, **keys: Any) -> None:
        await self.wire.send(json.dumps({"do": do, **keys}))

    async def ping(self, seen: int | None = None) -> None:
        seen = max(self.version, 0) if seen is None else seen
        await self.say("ping", sent=1, seen=seen)

    async def answered(self) -> None:
        """Wait until everything said so far has been dealt with: frames have their turn."""
        self._fences += 1
        await self.say("ping", sent=-self._fences, seen=max(self.version, 0))
        await self.until(lambda: any(p["sent"] == -self._fences for p in self.of("pong")))

    async def pinging(self) -> None:
        """Ping as a page does, only more often, until cancelled or closed."""
        while self.code is None:
            try:
                await self.ping()
            except ConnectionClosed:
                return
            await asyncio.sleep(1)

    async def until(self, condition: Callable[[], object], seconds: float = PATIENCE) -> None:
        """Wait until ``condition`` holds, looking whenever something was heard."""
        try:
            async with asyncio.timeout(seconds):
                while not condition():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise TimeoutError(f"closed with {self.code}, heard {self.heard[-3:]}") from None

    async def reach(self, version: int, seconds: float = PATIENCE) -> Json:
        """Wait for a version, or a newer one; gives the newest view."""
        await self.until(lambda: self.version >= version, seconds)
        return self.view

    async def next(self, kind: str, after: int = 0) -> Json:
        """The first message of a kind among those heard after the first ``after``."""
        await self.until(lambda: self.of(kind, after))
        return self.of(kind, after)[0]

    async def sees(self, *online: bool) -> None:
        """Wait until the page was told that these seats are online."""
        await self.until(lambda: any(p["online"] == list(online) for p in self.of("presence")))

    async def closed(self) -> int:
        await self.until(lambda: self.code is not None)
        assert self.code is not None
        return self.code

    def of(self, kind: str, after: int = 0) -> list[Json]:
        return [message for message in self.heard[after:] if message["type"] == kind]

    @property
    def view(self) -> Json:
        return self.of("view")[-1]

    @property
    def version(self) -> int:
        views = self.of("view")
        return int(views[-1]["version"]) if views else -1

    @property
    def versions(self) -> list[int]:
        """The versions it was shown, in order and each once if they follow each other."""
        return [version for version, _ in itertools.groupby(v["version"] for v in self.of("view"))]

    def has_no_gap(self) -> bool:
        """Whether each view but the first tells the very events since the one before it.

        A view may come twice: where a ping and a view passed each other on the way.
        """
        views = self.of("view")
        return all(
            after["version"] == before["version"] + len(after["events"])
            for before, after in itertools.pairwise(views)
        )

    async def close(self) -> None:
        self._reader.cancel()
        await asyncio.gather(self._reader, return_exceptions=True)
        await self.wire.close()


async def wired(
    front: Front,
    match: Match | str,
    session: str | None = None,
    *,
    origin: str | None = None,
    rendering: str = "json/",
    **options: Any,
) -> ClientConnection:
    """A connection to a match, with its handshake done and nothing read yet."""
    match_id = match if isinstance(match, str) else match.pk
    cookie = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}"} if session else {}
    return await connect(
        f"ws://127.0.0.1:{front.port}/ws/matches/{match_id}/{rendering}",
        origin=Origin(origin or front.url),
        additional_headers=cookie,
        proxy=None,
        compression=None,
        max_size=None,
        ping_interval=None,
        open_timeout=PATIENCE,
        close_timeout=2,
        **options,
    )


@asynccontextmanager
async def opened(
    front: Front,
    match: Match | str,
    user: User | None = None,
    session: str | None = None,
    **options: Any,
) -> AsyncIterator[Page]:
    """A page of a match, of a user signed in for it, of a session, or of a visitor."""
    if user is not None:
        session = await sync_to_async(new_session)(user)
    page = Page(await wired(front, match, session, **options))
    try:
        yield page
    finally:
        await page.close()


def answer(view: Json) -> Json | None:
    """The first thing this view lets its player do, if any."""
    if not view["legal"]:
        return None
    chosen = dict(view["legal"][0])
    command = {key: chosen[key] for key in ("do", "tile", "arm") if key in chosen}
    if command["do"] == "bid":
        command["points"] = chosen["min"]
    return {**command, "version": view["version"]}


async def move(players: Sequence[Page], everybody: Sequence[Page]) -> bool:
    """One command of whoever may act, seen by everybody; False when the match is over."""
    newest = max(page.version for page in everybody)
    for page in everybody:
        await page.reach(max(newest, 0))
    for player in players:
        if command := answer(player.view):
            await player.say(**command)
            for page in everybody:
                await page.reach(newest + 1)
            return True
    return False
