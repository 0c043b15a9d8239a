"""Redis goes away for a while and comes back: nobody has to reload."""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack

import pytest

from accounts.models import User
from games.models import Event, Match
from tests.tools import wait_until

from .fronts import Fronts
from .pages import answer, move, opened
from .site import OwnRedis

pytestmark = pytest.mark.django_db(transaction=True)

AWAY_SECONDS = 3.0


@pytest.mark.parametrize("how", [signal.SIGTERM, signal.SIGKILL, signal.SIGSTOP])
async def test_pages_are_right_again_by_themselves_after_redis_was_away(
    redis_of_its_own: OwnRedis,
    fronts_of_their_own: Fronts,
    match: Match,
    ada: User,
    bo: User,
    how: signal.Signals,
) -> None:
    a, b = await asyncio.to_thread(fronts_of_their_own.get, "a", "b")
    async with AsyncExitStack() as stack:
        hers = await stack.enter_async_context(opened(a, match, ada))
        his = await stack.enter_async_context(opened(b, match, bo))
        watching = await stack.enter_async_context(opened(b, match))
        pages = [hers, his, watching]
        pings = [asyncio.create_task(page.pinging()) for page in pages]
        for page in pages:
            await page.reach(4)

        redis_of_its_own.send(how)
        if how != signal.SIGSTOP:
            await asyncio.to_thread(redis_of_its_own.ended)
        back = asyncio.get_running_loop().time() + AWAY_SECONDS
        await hers.say("play", tile="6-6", arm="open", version=4)
        for page in pages:  # those of the other process by their pings
            await page.reach(5)
        assert await Event.objects.filter(match=match).acount() == 5
        newcomer = await stack.enter_async_context(opened(a, match))
        await newcomer.reach(5)
        command = answer(his.view)
        assert command is not None
        await his.say(**command)
        await his.reach(6)
        await asyncio.sleep(back - asyncio.get_running_loop().time())

        if how == signal.SIGSTOP:
            redis_of_its_own.send(signal.SIGCONT)
        else:
            await asyncio.to_thread(redis_of_its_own.start)
        pages.append(newcomer)
        pings.append(asyncio.create_task(newcomer.pinging()))
        for page in pages:
            await page.reach(6)
        await asyncio.to_thread(
            wait_until, lambda: redis_of_its_own.listeners(f"match.{match.pk}.s") == 2, 30
        )
        for task in pings:
            task.cancel()
        await asyncio.gather(*pings, return_exceptions=True)
        for page in pages:  # twice: a view that a ping asks for follows its pong
            await page.answered()
            await page.answered()

        before = [len(page.heard) for page in pages]
        for _ in range(4):
            assert await move([hers, his], pages)
        for page, heard in zip(pages, before, strict=True):
            told = page.of("view", heard)
            assert all(view["events"] for view in told), "pushed, not mended"
        assert [page.code for page in pages] == [None] * 4
