"""The lobby's pages while Redis goes away and comes back, and when their front is stopped."""

from __future__ import annotations

import asyncio
import signal

import pytest
from asgiref.sync import sync_to_async
from django.conf import settings
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

from accounts.models import User
from games import lobby, timekeeping
from tests.sessions import new_session
from tests.tools import wait_until

from .fronts import Fronts
from .pages import PATIENCE
from .site import Front, OwnRedis

pytestmark = pytest.mark.django_db(transaction=True)


async def in_lobby(front: Front, user: User) -> ClientConnection:
    session = await sync_to_async(new_session)(user)
    return await connect(
        f"ws://127.0.0.1:{front.port}/ws/lobby/",
        origin=Origin(front.url),
        additional_headers={"Cookie": f"{settings.SESSION_COOKIE_NAME}={session}"},
        proxy=None,
        compression=None,
        ping_interval=None,
        open_timeout=PATIENCE,
        close_timeout=2,
    )


async def told(page: ClientConnection, wanted: str) -> None:
    async with asyncio.timeout(PATIENCE):
        while wanted not in str(await page.recv()):
            pass


async def test_the_lobby_outlives_redis_and_tells_its_pages_to_come_back(
    redis_of_its_own: OwnRedis, fronts_of_their_own: Fronts, ada: User, bo: User
) -> None:
    (front,) = await asyncio.to_thread(fronts_of_their_own.get, "a")
    page = await in_lobby(front, bo)
    await told(page, "Nobody seeks a match")
    redis_of_its_own.send(signal.SIGKILL)
    await asyncio.to_thread(redis_of_its_own.ended)
    # This process has another Redis: the front hears nothing of it, and finds it by itself.
    now = timekeeping.now_ms()
    offer = await sync_to_async(lobby.seek)(ada, rated=True, window=None, now=now)
    await told(page, "Play ada")
    newcomer = await in_lobby(front, bo)
    await told(newcomer, "Play ada")

    await asyncio.to_thread(redis_of_its_own.start)
    await asyncio.to_thread(wait_until, lambda: redis_of_its_own.listeners("lobby") == 1, 30)
    await sync_to_async(lobby.withdraw)(offer.pk, ada)
    for one in (page, newcomer):
        await told(one, "Nobody seeks a match")

    front.send(signal.SIGTERM)
    for one in (page, newcomer):
        with pytest.raises(ConnectionClosed) as closed:
            await told(one, "nothing of the kind")
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1012
    assert await asyncio.to_thread(front.ended) == 0
