"""Decisions whose time runs out while parts are away, crowded, restarted or attacked."""

from __future__ import annotations

import asyncio
import json
import random
import signal
from collections.abc import Callable
from contextlib import AsyncExitStack, suppress

import pytest
from asgiref.sync import sync_to_async
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from accounts.models import User
from games import timekeeping
from games.models import Match, Seat, ServiceWindow
from games.rules import snapshot
from games.rules.match import State
from tests.sessions import new_session
from tests.tools import wait_until

from . import service as parts
from .pages import PATIENCE, Page, answer, move, opened, wired
from .service import LOST, Service, over, until
from .site import Front
from .test_fronts import tells_the_log

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.no_front]

OTHERS = 10_000


async def told_until_over(page: Page, do: str, **keys: object) -> None:
    """Say it again and again: the proof may be a beat away."""
    while page.view["result"] is None:
        await page.say(do, **keys)
        await page.answered()
        await asyncio.sleep(0.2)


async def test_worker_and_beat_are_killed(service: Service) -> None:
    a, b = await service.up("a", "b", sweeping=True)
    users = [await sync_to_async(parts.pair)() for _ in range(5)]
    flagged, commanded, tried, swept = [
        await sync_to_async(parts.running)(two, 4.0) for two in users[:4]
    ]
    played = await sync_to_async(parts.running)(users[4])
    await asyncio.to_thread(service.kill_sweeping)
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        flagging = await enter(opened(a, flagged, users[0][1]))
        opponent = await enter(opened(b, commanded, users[1][1]))
        late = await enter(opened(b, tried, users[2][0]))
        players = [await enter(opened(a, played, user)) for user in users[4]]
        for page in (flagging, opponent, late, *players):
            await page.reach(4)
        await parts.moment(swept)
        await asyncio.gather(
            told_until_over(flagging, "flag"),
            told_until_over(opponent, "play", tile="6-5", arm="left", version=4),
            told_until_over(late, "play", tile="6-6", arm="open", version=4),
        )
        for _ in range(4):
            assert await move(players, players)
        await asyncio.sleep(service.tolerance + 1)
        for match in (flagged, commanded, tried):
            assert await sync_to_async(parts.last)(match) == LOST
        assert (await sync_to_async(parts.read)(swept)).due is not None
        service.start_sweeping()
        assert await over(swept) == LOST
        assert await move(players, players)
    await sync_to_async(parts.all_is_well)()


async def stay(match: Match, user: User, fronts: list[Front], pages: list[Page]) -> None:
    """Play for ever, coming back wherever it is possible."""
    session = await sync_to_async(new_session)(user)
    for front in (fronts[n % len(fronts)] for n in range(10_000)):
        with suppress(OSError, InvalidHandshake, ConnectionClosed):
            async with opened(front, match, session=session) as page:
                pages.append(page)
                answered = -1
                while page.code is None:
                    await page.until(lambda: page.code is not None or page.version > answered)  # noqa: B023
                    answered = page.version
                    await asyncio.sleep(0.2)
                    if page.code is None and (command := answer(page.view)):
                        await page.say(**command)
        await asyncio.sleep(0.1)


async def test_a_rolling_restart_under_play(
    service: Service, report: Callable[[str], None]
) -> None:
    fronts = await service.up("a", "b", sweeping=True)
    users = [await sync_to_async(parts.pair)() for _ in range(4)]
    matches = [await sync_to_async(parts.running)(two) for two in users]
    pages: dict[int, list[Page]] = {user.pk: [] for two in users for user in two}
    playing = [
        asyncio.create_task(stay(match, user, places, pages[user.pk]))
        for match, two in zip(matches, users, strict=True)
        for user, places in zip(two, (fronts, fronts[::-1]), strict=True)
    ]

    def everybody_gets_on() -> bool:
        return all(mine and mine[-1].code is None and get_on(mine[-1]) for mine in pages.values())

    def get_on(page: Page) -> object:
        return len(page.versions) > 2 or (page.version >= 0 and page.view["result"])

    try:
        for front in fronts:
            await asyncio.to_thread(wait_until, everybody_gets_on, PATIENCE)
            front.send(signal.SIGTERM)
            assert await asyncio.to_thread(front.ended) == 0
            front.start()
            await asyncio.to_thread(front.ready)
            await until(lambda: service.beats(front))  # noqa: B023
        await asyncio.to_thread(wait_until, everybody_gets_on, PATIENCE)
    finally:
        for task in playing:
            task.cancel()
        ends = await asyncio.gather(*playing, return_exceptions=True)
    assert {type(end) for end in ends} == {asyncio.CancelledError}
    for match, two in zip(matches, users, strict=True):
        log = await sync_to_async(parts.log_of)(match)
        assert "void" not in {event["do"] for event in log}
        for page in (page for user in two for page in pages[user.pk]):
            assert tells_the_log(page, log)
    states = {row.state async for row in ServiceWindow.objects.exclude(front="tests")}
    assert states == {"open", "stopped"}
    codes = [page.code for mine in pages.values() for page in mine if page.code is not None]
    assert set(codes) <= {1012}
    report(f"rolling restart: {len(codes)} lines closed, everybody back, no void")
    await sync_to_async(parts.all_is_well)()


def others(number: int) -> None:
    """As many live matches, due in a quarter of an hour."""
    now = timekeeping.now_ms()
    fresh = snapshot.take(State())
    rows = [Match(epoch=now, snapshot=fresh, due=now + 900_000 + n) for n in range(number)]
    Match.objects.bulk_create(rows, batch_size=1000)
    seats = [Seat(match=row, seat=n, name="-") for row in rows for n in (0, 1)]
    Seat.objects.bulk_create(seats, batch_size=1000)


@pytest.mark.postgres
async def test_nobody_is_connected_and_many_others_are_live(
    service: Service, report: Callable[[str], None]
) -> None:
    await service.up("a", sweeping=True)
    await sync_to_async(others)(OTHERS)
    matches = [
        await sync_to_async(parts.running)(await sync_to_async(parts.pair)(), 2.0 + n / 3)
        for n in range(6)
    ]
    late = []
    for match in matches:
        due = match.due or 0
        assert await over(match) == LOST
        late.append(timekeeping.now_ms() - due)
    report(f"sweep beside {OTHERS} live matches: judged {min(late)} to {max(late)} ms late")
    assert await Match.objects.filter(due__isnull=False).acount() == OTHERS
    await Seat.objects.filter(name="-").adelete()
    await Match.objects.filter(seats=None).adelete()


class Loser:
    """Somebody about to lose, and what they try until they have."""

    def __init__(self, fronts: list[Front], match: Match, user: User, session: str) -> None:
        self.fronts, self.match, self.user, self.session = fronts, match, user, session
        self.over = asyncio.Event()
        self.tried: dict[str, int] = {}

    def count(self, what: str) -> None:
        self.tried[what] = self.tried.get(what, 0) + 1

    async def flood(self) -> None:
        while not self.over.is_set():
            with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                wire = await wired(self.fronts[0], self.match, self.session)
                while not self.over.is_set():
                    await wire.send(json.dumps({"do": "ping", "sent": 1, "seen": 4}))
                    self.count("frames")
                    await asyncio.sleep(0.001)
                await wire.close()
            await asyncio.sleep(0.05)

    async def reconnect(self) -> None:
        chance = random.Random(1)
        while not self.over.is_set():
            with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                wire = await wired(chance.choice(self.fronts), self.match, self.session)
                self.count("reconnects")
                await asyncio.sleep(chance.random() / 10)
                if chance.random() < 0.5:
                    wire.transport.abort()
                await wire.close()
            await asyncio.sleep(0.02)

    async def talk_nonsense(self) -> None:
        said = ["", "{", "[]", '{"do": 7}', '{"do": "play", "version": 4}', "\x00" * 99]
        said += ['{"do": "play", "tile": "0-0", "arm": "open", "version": 4}', "x" * 5000]
        while not self.over.is_set():
            with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                wire = await wired(self.fronts[1], self.match, self.session)
                for text in said * 20:
                    if self.over.is_set():
                        break
                    await wire.send(text)
                    await wire.send(text.encode())
                    self.count("nonsense")
                    await asyncio.sleep(0.15)
                await wire.close()
            await asyncio.sleep(0.05)

    async def open_tabs(self, number: int) -> None:
        """All at once, on both fronts, and keep them."""
        async with AsyncExitStack() as stack:

            async def tab(front: Front) -> None:
                with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                    page = opened(front, self.match, session=self.session)
                    await stack.enter_async_context(page)
                    self.count("tabs")

            await asyncio.gather(*(tab(self.fronts[n % 2]) for n in range(number)))
            await self.over.wait()

    async def send_a_crowd(self, number: int) -> None:
        """Signed out, within every limit: each says what it may, and many come and go."""
        async with AsyncExitStack() as stack:

            async def visitor(front: Front) -> None:
                with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                    wire = await wired(front, self.match, None)
                    stack.push_async_callback(wire.close)
                    for seen in range(60):
                        await wire.send(json.dumps({"do": "ping", "sent": 1, "seen": seen % 4}))
                    self.count("visitors")

            await asyncio.gather(*(visitor(self.fronts[0]) for _ in range(number)))
            while not self.over.is_set():
                with suppress(OSError, InvalidHandshake, ConnectionClosed, TimeoutError):
                    wire = await wired(self.fronts[0], self.match, None)
                    self.count("come and gone")
                    await wire.close()
                await asyncio.sleep(0.01)


@pytest.mark.postgres
@pytest.mark.alone
async def test_a_losing_player_cannot_void_the_match(
    service: Service, report: Callable[[str], None]
) -> None:
    fronts = await service.up("a", "b", sweeping=True)
    ada, bo = await sync_to_async(parts.pair)()
    two = await sync_to_async(parts.pair)()
    match = await sync_to_async(parts.running)([ada, bo], 8.0)
    other = await sync_to_async(parts.running)(two)
    loser = Loser(fronts, match, ada, await sync_to_async(new_session)(ada))
    tries = [loser.flood(), loser.reconnect(), loser.talk_nonsense(), loser.open_tabs(50)]
    tries.append(loser.send_a_crowd(60))
    async with AsyncExitStack() as stack:
        players = [await stack.enter_async_context(opened(fronts[0], other, user)) for user in two]
        his = await stack.enter_async_context(opened(fronts[1], match, bo))
        trying = [asyncio.create_task(each) for each in tries]
        moves = 0
        while (await sync_to_async(parts.read)(match)).due is not None:
            assert await move(players, players)
            moves += 1
            await asyncio.sleep(0.1)
        judged_at = timekeeping.now_ms()
        loser.over.set()
        await asyncio.gather(*trying)
        assert (await his.reach(5))["result"]["winner"] == 1
    assert await sync_to_async(parts.last)(match) == LOST
    broken = ServiceWindow.objects.filter(state=ServiceWindow.State.BROKEN)
    assert not await broken.aexists()
    report(
        f"a losing player tried {loser.tried}: judged "
        f"{judged_at - match.epoch - parts.WHOLE} ms late; {moves} moves at another table meanwhile"
    )
    await sync_to_async(parts.all_is_well)()
