"""What one client may do to the others: nothing."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable
from contextlib import AsyncExitStack
from datetime import timedelta
from statistics import median

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.utils import timezone
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from accounts.models import User
from games import timekeeping
from games.models import Match
from tests.games.factory import make_match, make_user
from tests.sessions import new_session

from .fronts import Fronts
from .pages import move, opened, wired
from .site import Front

pytestmark = pytest.mark.django_db(transaction=True)

FLOODING, TOO_LARGE, TOO_SLOW = 4408, 1009, 1013
SIGNED_OUT, NOT_ALLOWED, NO_SUCH_MATCH = 4401, 4403, 4404
MOVES = 40
NEVER_READ = 10


async def close_code(wire: ClientConnection) -> int:
    """Read to the end; gives the code it was closed with, 1006 when the line went dead."""
    try:
        async with asyncio.timeout(30):
            while True:
                await wire.recv()
    except ConnectionClosed as closed:
        return closed.rcvd.code if closed.rcvd else 1006


async def flood(front: Front, match: Match, session: str) -> None:
    """A thousand frames a second for as long as the server lets us."""
    wire = await wired(front, match, session)
    try:
        while True:
            for _ in range(10):
                await wire.send(json.dumps({"do": "ping", "sent": 1, "seen": 4}))
            await asyncio.sleep(0.01)
    except ConnectionClosed:
        assert await close_code(wire) == FLOODING


async def send_too_much(front: Front, match: Match, session: str) -> None:
    wire = await wired(front, match, session)
    try:
        while True:
            await wire.send("x" * 65_536)
            await asyncio.sleep(0)
    except ConnectionClosed:
        assert await close_code(wire) == TOO_LARGE


async def come_from_elsewhere(front: Front, match: Match, session: str) -> None:
    wire = await wired(front, match, session, origin="http://evil.example")
    assert await close_code(wire) == NOT_ALLOWED


async def meddle(front: Front, match: Match, session: str) -> None:
    """Command a match of others, and look for one that does not exist."""
    async with opened(front, match, session=session) as page:
        await page.reach(4)
        await page.say("play", tile="6-6", arm="open", version=4)
        assert (await page.next("refused"))["code"] == "not_a_player"
        assert page.code is None
        assert page.view["hand"] is None
    async with opened(front, "nosuchmatch", session=session) as page:
        assert await page.closed() == NO_SUCH_MATCH


async def outstay(front: Front, match: Match, session: str) -> None:
    """Command with a session that has expired meanwhile."""
    async with opened(front, match, session=session) as page:
        await page.reach(4)
        row = Session.objects.filter(session_key=session)
        await row.aupdate(expire_date=timezone.now() - timedelta(seconds=1))
        await page.say("play", tile="6-6", arm="open", version=4)
        assert (await page.next("refused"))["code"] == "signed_out"
        assert await page.closed() == SIGNED_OUT


async def come_expired(front: Front, match: Match, session: str) -> None:
    """Command with a session that had expired before."""
    async with opened(front, match, session=session) as page:
        await page.reach(4)
        assert page.view["you"] is None
        await page.say("play", tile="6-6", arm="open", version=4)
        assert (await page.next("refused"))["code"] == "not_a_player"


async def again_and_again(attack: Callable[[], Awaitable[None]], over: asyncio.Event) -> int:
    """Attack until it is over, at least once; gives how often."""
    times = 0
    while not (times and over.is_set()):
        await attack()
        times += 1
        await asyncio.sleep(0.05)  # what is flooded is a socket, not the port
    return times


async def latencies(front: Front, match: Match, users: list[User]) -> list[float]:
    """Play; gives the ms from each command to the last view of the three pages that tells it."""
    took = []
    async with AsyncExitStack() as stack:
        pages = [
            await stack.enter_async_context(opened(front, match, user)) for user in (*users, None)
        ]
        pings = [asyncio.create_task(page.pinging()) for page in pages]
        for _ in range(MOVES):
            began = asyncio.get_running_loop().time()
            if not await move(pages[:2], pages):
                break
            took.append(1000 * (max(page.view["heard_at"] for page in pages) - began))
        for task in pings:
            task.cancel()
        await asyncio.gather(*pings, return_exceptions=True)
        assert [page.code for page in pages] == [None] * 3
        assert all(page.has_no_gap() for page in pages)
        assert [page.versions for page in pages] == [pages[0].versions] * 3
    assert len(took) >= 30
    return took


def in_words(took: list[float]) -> str:
    ranked = sorted(took)
    return (
        f"median {median(ranked):.0f} ms, 95 % {ranked[int(len(ranked) * 0.95)]:.0f} ms, "
        f"longest {ranked[-1]:.0f} ms of {len(ranked)}"
    )


@pytest.mark.alone
async def test_an_attack_is_answered_as_the_protocol_says_and_nobody_else_notices(
    fronts: Fronts, match: Match, ada: User, bo: User, report: Callable[[str], None]
) -> None:
    (front,) = await asyncio.to_thread(fronts.get, "impatient")

    def prepare() -> tuple[list[User], list[Match], str, str, str]:
        users = [make_user(name) for name in ("cy", "di", "flo", "gus")]
        now = timekeeping.now_ms()
        matches = [make_match(users[:2], now=now), make_match(users[2:], now=now)]
        return users, matches, new_session(ada), new_session(make_user("eve")), new_session(bo)

    users, (calm, stormy), hers, eves, his = await sync_to_async(prepare)()
    await outstay(front, match, his)
    quiet = await latencies(front, calm, users[:2])

    over = asyncio.Event()
    deaf = [await wired(front, match, max_queue=1) for _ in range(NEVER_READ)]
    attacks: dict[str, Callable[[], Awaitable[None]]] = {
        "floods": lambda: flood(front, match, hers),
        "64 KB": lambda: send_too_much(front, match, hers),
        "foreign pages": lambda: come_from_elsewhere(front, match, hers),
        "meddlers": lambda: meddle(front, match, eves),
        "expired": lambda: come_expired(front, match, his),
    }
    attacking = [asyncio.create_task(again_and_again(each, over)) for each in attacks.values()]
    attacked = await latencies(front, stormy, users[2:])
    over.set()
    times = await asyncio.gather(*attacking)

    codes = await asyncio.gather(*map(close_code, deaf))
    assert set(codes) <= {TOO_SLOW, 1006}
    async with opened(front, match, ada) as page:
        assert (await page.reach(4))["version"] == 4, "none of it was carried out"
    report(f"command to all views, quiet:        {in_words(quiet)}")
    report(f"command to all views, under attack: {in_words(attacked)}")
    counts = ", ".join(f"{n} {name}" for name, n in zip(attacks, times, strict=True))
    report(f"the attack: {NEVER_READ} that never read (closed {sorted(set(codes))}), {counts}")
