"""How much one web process carries: ``uv run python -m tests.load.push [--sockets N] …``.

It starts a Redis server and a web process on a test database, then measures

- one view pushed to N sockets that watch one match, and
- N matches played at the same time, each by two sockets.

Nothing here is a test: it prints what it measured.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from contextlib import AsyncExitStack, contextmanager
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING

import django

os.environ["DJANGO_SETTINGS_MODULE"] = "tests.settings"
os.environ.pop("REDIS_URL", None)  # it has one of its own

if TYPE_CHECKING:
    from accounts.models import User
    from games.models import Match
    from tests.processes.pages import Page
    from tests.processes.site import Front

SOCKETS_PER_ADDRESS = 150  # the site bounds them
OPENING_AT_ONCE = 20


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--sockets", type=int, default=1000, help="that watch one match")
    parser.add_argument("--moves", type=int, default=10, help="pushed to them")
    parser.add_argument("--matches", type=int, default=50, help="played at the same time")
    parser.add_argument("--seconds", type=float, default=10, help="for which they are played")
    options = parser.parse_args()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (min(hard, max(soft, 20_000)), hard))
    django.setup()
    with running() as front:
        asyncio.run(watch(front, options.sockets, options.moves))
        asyncio.run(play(front, options.matches, options.seconds))


@contextmanager
def running() -> Iterator[Front]:
    """A web process with a Redis server and a test database."""
    from asgiref.sync import SyncToAsync
    from django.db import connections
    from django.test.utils import setup_databases, teardown_databases

    from tests.processes.site import Front, OwnRedis, site_env, wait_for_sessions

    databases = setup_databases(verbosity=0, interactive=False)
    folder = Path(tempfile.mkdtemp(prefix="load-"))
    redis = OwnRedis()
    front = Front(site_env(redis.url, folder.name), folder / "log")
    try:
        redis.start()
        front.start()
        front.ready()
        yield front
    finally:
        print(front.said(), end="")
        front.end()
        redis.end()
        shutil.rmtree(folder)
        SyncToAsync.single_thread_executor.submit(connections.close_all).result()
        wait_for_sessions(folder.name)
        teardown_databases(databases, verbosity=0)


async def prepared(number: int) -> tuple[Match, list[User]]:
    """A new match of two new users."""
    from asgiref.sync import sync_to_async

    from games import timekeeping
    from tests.games.factory import make_match, make_user

    def prepare() -> tuple[Match, list[User]]:
        users = [make_user(f"left{number}"), make_user(f"right{number}")]
        return make_match(users, now=timekeeping.now_ms()), users

    return await sync_to_async(prepare)()


async def open_all(
    stack: AsyncExitStack, openings: Sequence[Callable[[], Awaitable[Page]]]
) -> list[Page]:
    """Open pages, some at a time; they are closed with ``stack``."""
    room = asyncio.Semaphore(OPENING_AT_ONCE)

    async def one(opening: Callable[[], Awaitable[Page]]) -> Page:
        async with room:
            page = await opening()
            await page.reach(0)
            return page

    pages = await asyncio.gather(*map(one, openings))
    for page in pages:
        stack.push_async_callback(page.close)
    return list(pages)


async def watch(front: Front, sockets: int, moves: int) -> None:
    """Push views to many sockets of one match."""
    from asgiref.sync import sync_to_async

    from tests.processes.pages import Page, answer, wired
    from tests.sessions import new_session

    match, users = await prepared(0)
    sessions = [await sync_to_async(new_session)(user) for user in users]

    async def spectator(number: int) -> Page:
        address = f"127.0.0.{2 + number // SOCKETS_PER_ADDRESS}"
        return Page(await wired(front, match, local_addr=(address, 0)))

    async def player(session: str) -> Page:
        return Page(await wired(front, match, session))

    async with AsyncExitStack() as stack:
        players = await open_all(stack, [lambda key=key: player(key) for key in sessions])  # type: ignore[misc]
        began = time.perf_counter()
        watching = await open_all(
            stack,
            [lambda n=n: spectator(n) for n in range(sockets)],  # type: ignore[misc]
        )
        took = time.perf_counter() - began
        print(f"{sockets} sockets opened in {took:.1f} s ({sockets / took:.0f} a second)")
        everybody = [*players, *watching]
        firsts, lasts = [], []
        for _ in range(moves):
            version = players[0].version
            page = next(page for page in players if page.view["legal"])
            command = answer(page.view)
            assert command is not None
            sent = asyncio.get_running_loop().time()
            await page.say(**command)
            for each in everybody:
                await each.reach(version + 1)
            heard = sorted(each.view["heard_at"] - sent for each in everybody)
            firsts.append(1000 * heard[0])
            lasts.append(1000 * heard[-1])
        print(
            f"a view to {len(everybody)} sockets: first after {median(firsts):.0f} ms, "
            f"last after {median(lasts):.0f} ms (longest {max(lasts):.0f}), "
            f"{1000 * len(everybody) / median(lasts):.0f} views a second"
        )
        closed = sum(each.code is not None for each in everybody)
        print(f"sockets closed meanwhile: {closed}")


async def play(front: Front, matches: int, seconds: float) -> None:
    """Play many matches at the same time, as quickly as the views come."""
    from tests.processes.pages import answer
    from tests.sessions import new_session

    took: list[float] = []
    deadline = asyncio.get_running_loop().time() + seconds

    async def duel(pages: Sequence[Page]) -> None:
        loop = asyncio.get_running_loop()
        while loop.time() < deadline:
            version = max(page.version for page in pages)
            for page in pages:
                await page.reach(version)
            command = next(((p, c) for p in pages if (c := answer(p.view))), None)
            if command is None:
                return
            sent = loop.time()
            await command[0].say(**command[1])
            for page in pages:
                await page.reach(version + 1)
            took.append(1000 * (max(page.view["heard_at"] for page in pages) - sent))

    from asgiref.sync import sync_to_async

    async with AsyncExitStack() as stack:
        pairs = []
        for number in range(1, matches + 1):
            match, users = await prepared(number)
            keys = [await sync_to_async(new_session)(user) for user in users]
            pairs.append(
                await open_all(
                    stack,
                    [lambda m=match, k=key: opened_page(front, m, k) for key in keys],  # type: ignore[misc]
                )
            )
        deadline = asyncio.get_running_loop().time() + seconds
        await asyncio.gather(*map(duel, pairs))
    ranked = sorted(took)
    print(
        f"{matches} matches played for {seconds:.0f} s: {len(took) / seconds:.0f} commands a "
        f"second, each at both pages after {median(ranked):.0f} ms (median), "
        f"{ranked[int(0.95 * len(ranked))]:.0f} ms (95 %), {ranked[-1]:.0f} ms (longest)"
    )


async def opened_page(front: Front, match: Match, session: str) -> Page:
    from tests.processes.pages import Page, wired

    return Page(await wired(front, match, session))


if __name__ == "__main__":
    main()
