"""Redis and PostgreSQL go away for a while: what was not measured is void, the rest goes on."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import AsyncExitStack, suppress

import pytest
from asgiref.sync import sync_to_async
from websockets.exceptions import ConnectionClosed

from games import timekeeping
from games.models import ServiceWindow

from . import service as parts
from .own_postgres import PROGRAMS, OwnPostgres, forget_connections, used
from .pages import Page, answer, opened
from .service import Service, is_void, over, until
from .test_fronts import tells_the_log

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.no_front]

Step = Callable[[], Awaitable[None]]


async def keep_trying(players: list[Page]) -> None:
    """Play on whatever is refused, until cancelled."""
    while True:
        for page in players:
            with suppress(ConnectionClosed):
                await page.ping()
                if page.view["legal"] and (command := answer(page.view)):
                    await page.say(**command)
        await asyncio.sleep(0.2)


async def outage(service: Service, away: Step, back: Step) -> None:
    """The fronts stay, and one part on their way is away for longer than the tolerance."""
    a, b = await service.up("a", "b", sweeping=True)
    users = [await sync_to_async(parts.pair)() for _ in range(5)]
    awaited = await sync_to_async(parts.running)(users[0])
    unattended = await sync_to_async(parts.running)(users[1])
    played = await sync_to_async(parts.running)(users[2])
    between = await sync_to_async(parts.between_rounds)(users[3], 5.0)
    ended, winning = await sync_to_async(parts.almost_won)(users[4])
    version, was_due = between.version, between.due
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        hers = await enter(opened(a, awaited, users[0][0]))
        players = [
            await enter(opened(front, played, user))
            for front, user in zip((a, b), users[2], strict=True)
        ]
        winner = await enter(opened(b, ended, users[4][0]))
        for page in (hers, *players, winner):
            await page.reach(0)
        await winner.say(**winning)
        await winner.reach(winning["version"] + 1)
        trying = asyncio.create_task(keep_trying(players))
        await asyncio.sleep(1)
        await away()
        gone_at = timekeeping.now_ms()
        await asyncio.sleep(service.tolerance + 1.5)
        await back()
        for match in (awaited, played):
            void = await over(match)
            assert is_void(void)
            assert match.epoch + void["from"] <= gone_at
        assert (await hers.reach(5))["result"]["reason"] == "void"
        for front in (a, b):
            await until(lambda: service.beats(front))  # noqa: B023
        async with opened(b, unattended) as watching:
            assert (await watching.reach(5))["result"]["reason"] == "void"
        trying.cancel()
        await asyncio.gather(trying, return_exceptions=True)
        log = await sync_to_async(parts.log_of)(played)
        assert all(tells_the_log(page, log) for page in players)
        assert (await sync_to_async(parts.read)(ended)).winner == 0
        await until(lambda: parts.read(between).due != was_due)
        assert between.version == version
        assert between.due is not None
        assert between.due >= gone_at + parts.CONTINUE
        pages = [await enter(opened(a, between, user)) for user in users[3]]
        for page in pages:
            await page.reach(version)
            await page.say("ready")
        for page in pages:
            assert (await page.reach(version + 4))["result"] is None
    await sync_to_async(parts.all_is_well)()


async def short_outage(service: Service, away: Step, back: Step) -> None:
    """It is soon back, and nobody's deadline was near."""
    a, b = await service.up("a", "b", sweeping=True)
    users = [await sync_to_async(parts.pair)() for _ in range(2)]
    played = await sync_to_async(parts.running)(users[0])
    between = await sync_to_async(parts.between_rounds)(users[1], 2.0)
    version = between.version
    async with opened(a, played, users[0][0]) as hers, opened(b, played, users[0][1]) as his:
        players = [hers, his]
        for page in players:
            await page.reach(4)
        trying = asyncio.create_task(keep_trying(players))
        await asyncio.sleep(1)
        await away()
        await asyncio.sleep(1.5)
        await back()
        at_return = await sync_to_async(parts.log_of)(played)
        for page in players:
            await page.reach(len(at_return) + 3)
        trying.cancel()
        await asyncio.gather(trying, return_exceptions=True)
        log = await sync_to_async(parts.log_of)(played)
        assert all(tells_the_log(page, log) for page in players)
    await until(lambda: parts.read(between).version > version)
    for front in (a, b):
        await until(lambda: service.beats(front))  # noqa: B023
    for match in (played, between):
        assert "void" not in {event["do"] for event in await sync_to_async(parts.log_of)(match)}
    assert not await ServiceWindow.objects.filter(state=ServiceWindow.State.BROKEN).aexists()
    await sync_to_async(parts.all_is_well)()


def redis_steps(service: Service) -> tuple[Step, Step]:
    async def away() -> None:
        service.redis.send(signal.SIGKILL)
        await asyncio.to_thread(service.redis.ended)

    async def back() -> None:
        await asyncio.to_thread(service.redis.start)

    return away, back


async def test_redis_is_away_for_too_long(service: Service) -> None:
    await outage(service, *redis_steps(service))


@pytest.mark.parametrize("service", [20.0], indirect=True)
async def test_redis_is_soon_back(service: Service) -> None:
    await short_outage(service, *redis_steps(service))


@pytest.fixture
def postgres() -> Iterator[OwnPostgres]:
    if not PROGRAMS:
        pytest.skip("there is no PostgreSQL server on this machine to start")
    postgres = OwnPostgres()
    try:
        postgres.start()
        yield postgres
    finally:
        postgres.end()


@pytest.fixture
def service_on_postgres(
    postgres: OwnPostgres, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Service]:
    """Everything, on that PostgreSQL; it is what the test itself asks, too."""
    request.getfixturevalue("transactional_db")
    monkeypatch.setenv("DATABASE_URL", postgres.url)
    with used(postgres):
        service: Service = request.getfixturevalue("service")
        yield service
        service.stop_all()


def postgres_steps(postgres: OwnPostgres, mode: str) -> tuple[Step, Step]:
    async def away() -> None:
        await asyncio.to_thread(postgres.stop, mode)
        await sync_to_async(forget_connections)()

    async def back() -> None:
        await asyncio.to_thread(postgres.start)

    return away, back


@pytest.mark.postgres
async def test_postgres_is_away_for_too_long(
    postgres: OwnPostgres, service_on_postgres: Service
) -> None:
    await outage(service_on_postgres, *postgres_steps(postgres, "immediate"))


@pytest.mark.postgres
@pytest.mark.parametrize("service", [20.0], indirect=True)
async def test_postgres_is_soon_back(
    postgres: OwnPostgres, service_on_postgres: Service, service: Service
) -> None:
    assert service is service_on_postgres
    await short_outage(service, *postgres_steps(postgres, "fast"))
