"""A page's socket in tests: the real ASGI application, driven frame by frame."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.conf import settings
from django.test import Client

from accounts.models import User
from games.models import Match
from spectacular.asgi import application

HOST = b"localhost"


class Socket:
    """One open socket; ``who`` is the signed-in user or None."""

    def __init__(self, communicator: WebsocketCommunicator) -> None:
        self.wire = communicator

    async def say(self, do: str, **keys: Any) -> None:
        await self.wire.send_to(text_data=json.dumps({"do": do, **keys}))

    async def raw(self, text: str | None = None, data: bytes | None = None) -> None:
        await self.wire.send_to(text_data=text, bytes_data=data)

    async def text(self) -> str:
        received = await self.wire.receive_from(timeout=5)
        assert isinstance(received, str)
        return received

    async def json(self) -> dict[str, Any]:
        message = json.loads(await self.text())
        assert isinstance(message, dict)
        return message

    async def until(self, wanted: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The next message that is wanted; those before it are let go."""
        while True:
            message = await self.json()
            if wanted(message):
                return message

    async def next(self, kind: str) -> dict[str, Any]:
        """The next message of a type."""
        return await self.until(lambda message: message["type"] == kind)

    async def view(self, version: int) -> dict[str, Any]:
        """The view of a version."""
        return await self.until(lambda m: m["type"] == "view" and m["version"] == version)

    async def closed(self) -> int:
        """The code the server closes with."""
        while True:
            message = await self.wire.receive_output(timeout=5)
            if message["type"] == "websocket.close":
                return int(message["code"])

    async def nothing(self, but: tuple[str, ...] = ("presence",)) -> bool:
        """Whether nothing comes, apart from messages of some types."""
        while not await self.wire.receive_nothing(timeout=0.2):
            if (await self.json())["type"] not in but:
                return False
        return True


@asynccontextmanager
async def opened(
    match: Match | str,
    user: User | None = None,
    *,
    rendering: str = "json/",
    client: Client | None = None,
    headers: tuple[tuple[bytes, bytes], ...] = (),
) -> AsyncIterator[Socket]:
    """A socket that has been accepted; nothing of what it was sent is read yet."""
    match_id = match if isinstance(match, str) else match.pk
    path = f"/ws/matches/{match_id}/{rendering}"
    cookie = await sync_to_async(cookie_of)(user, client)
    sent = [(b"host", HOST), (b"origin", b"http://" + HOST), *cookie, *headers]
    communicator = WebsocketCommunicator(application, path, headers=sent)
    connected, _ = await communicator.connect(timeout=5)
    assert connected
    try:
        yield Socket(communicator)
    finally:
        await communicator.disconnect(timeout=5)


def cookie_of(user: User | None, client: Client | None) -> list[tuple[bytes, bytes]]:
    """The session cookie of a signed-in browser."""
    if user is None and client is None:
        return []
    browser = client or Client()
    if user is not None:
        browser.force_login(user)
    session = browser.cookies[settings.SESSION_COOKIE_NAME].value
    return [(b"cookie", f"{settings.SESSION_COOKIE_NAME}={session}".encode())]
