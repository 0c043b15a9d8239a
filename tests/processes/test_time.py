"""Fronts are killed, paused and restarted: what was not measured is void, the rest goes on."""

from __future__ import annotations

import asyncio
import signal
from contextlib import AsyncExitStack, suppress

import pytest
from asgiref.sync import sync_to_async
from websockets.exceptions import ConnectionClosed

from accounts.models import User
from games import timekeeping
from games.models import Match, ServiceWindow

from . import service as parts
from .pages import Page, answer, move, opened
from .service import Service, is_void, over, until
from .site import Front
from .test_fronts import tells_the_log

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.no_front]


async def keep_playing(players: list[Page], pause: float = 0.05) -> None:
    """Play on until a line breaks; a round is not brought to its end, however quick the machine:
    somebody's decision is always running."""
    with suppress(ConnectionClosed, TimeoutError):
        while all(page.code is None for page in players):
            for page in players:
                goes_on = len(page.view["hand"]) > 1 and page.view["boneyard"] > 0
                if goes_on and (command := answer(page.view)):
                    await page.say(**command)
            await asyncio.sleep(pause)


async def outlast(service: Service) -> None:
    """Wait until the last beat is too long ago."""
    await asyncio.sleep(service.tolerance + 1.5)


async def test_all_fronts_are_killed_for_too_long(service: Service) -> None:
    a, b = await service.up("a", "b", sweeping=True)
    users = [await sync_to_async(parts.pair)() for _ in range(5)]
    awaited = await sync_to_async(parts.running)(users[0])
    unattended = await sync_to_async(parts.running)(users[1])
    played = await sync_to_async(parts.running)(users[2])
    between = await sync_to_async(parts.between_rounds)(users[3], 4.0)
    ended, winning = await sync_to_async(parts.almost_won)(users[4])
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        hers = await enter(opened(a, awaited, users[0][0]))
        players = [
            await enter(opened(x, played, user)) for x, user in zip((a, b), users[2], strict=True)
        ]
        winner = await enter(opened(b, ended, users[4][0]))
        for page in (hers, *players, winner):
            await page.reach(0)
        await winner.say(**winning)
        await winner.reach(winning["version"] + 1)
        playing = asyncio.create_task(keep_playing(players))
        await asyncio.sleep(1.5)
        killed_at = timekeeping.now_ms()
        await asyncio.to_thread(parts.kill, a, b)
        await playing
    await outlast(service)
    a, b = await service.up("a", "b")
    back_at = timekeeping.now_ms()

    for match in (awaited, played):
        void = await over(match)
        assert is_void(void)
        assert match.epoch + void["from"] <= killed_at
        assert killed_at < match.epoch + void["to"] <= back_at
    async with opened(b, unattended) as watching:
        assert (await watching.reach(5))["result"] == {"winner": None, "reason": "void"}
    assert is_void(await sync_to_async(parts.last)(unattended))
    log = await sync_to_async(parts.log_of)(played)
    assert all(tells_the_log(page, log) for page in players)
    assert len(log) > 8
    assert max(page.version for page in players) < len(log)
    assert (await sync_to_async(parts.read)(ended)).winner == 0

    await goes_on_after(between, users[3], killed_at, [a, b])
    await sync_to_async(parts.all_is_well)()


async def goes_on_after(
    between: Match, users: list[User], outage: int, fronts: list[Front]
) -> None:
    """A match that was between rounds waits anew, and then goes on as both wish."""
    version, was_due = between.version, between.due
    assert was_due is not None
    await until(lambda: parts.read(between).due != was_due)
    opened_again = [row.opened async for row in ServiceWindow.objects.filter(opened__gt=outage)]
    assert between.due == min(opened_again) + parts.CONTINUE
    assert between.version == version
    async with (
        opened(fronts[0], between, users[0]) as hers,
        opened(fronts[1], between, users[1]) as his,
    ):
        for page in (hers, his):
            await page.reach(version)
            await page.say("ready")
        view = await hers.reach(version + 4)
        assert (view["round"], view["result"]) == (2, None)
        await his.reach(version + 4)
        assert await move([hers, his], [hers, his])


@pytest.mark.postgres
@pytest.mark.parametrize("service", [40.0], indirect=True)
async def test_all_fronts_are_killed_and_soon_back(service: Service) -> None:
    a, b = await service.up("a", "b", sweeping=True)
    users = [await sync_to_async(parts.pair)() for _ in range(4)]
    played = await sync_to_async(parts.running)(users[0])
    unattended = await sync_to_async(parts.running)(users[1])
    between = await sync_to_async(parts.between_rounds)(users[2], 1.5)
    ended, winning = await sync_to_async(parts.almost_won)(users[3])
    version = between.version
    async with (
        opened(a, played, users[0][0]) as hers,
        opened(b, played, users[0][1]) as his,
        opened(b, ended, users[3][0]) as winner,
    ):
        for page in (hers, his, winner):
            await page.reach(0)
        await winner.say(**winning)
        await winner.reach(winning["version"] + 1)
        playing = asyncio.create_task(keep_playing([hers, his]))
        await asyncio.sleep(1)
        await asyncio.to_thread(parts.kill, a, b)
        await playing
    log = await sync_to_async(parts.log_of)(played)
    a, b = await service.up("a", "b")
    async with (
        opened(a, played, users[0][0]) as hers_again,
        opened(b, played, users[0][1]) as his_again,
        opened(b, unattended) as watching,
    ):
        assert (await watching.reach(4))["result"] is None
        for page in (hers_again, his_again):
            assert (await page.reach(len(log)))["result"] is None
        for _ in range(4):
            assert await move([hers_again, his_again], [hers_again, his_again])
        told = [hers, his, hers_again, his_again]
        log = await sync_to_async(parts.log_of)(played)
        assert all(tells_the_log(page, log) for page in told)
    assert (await sync_to_async(parts.read)(ended)).winner == 0
    await until(lambda: parts.read(between).version > version)
    assert [event["do"] for event in await sync_to_async(parts.log_of)(between)][version:][:2] == [
        "deal",
        "continue",
    ]
    await sync_to_async(parts.all_is_well)()


@pytest.mark.postgres
@pytest.mark.parametrize("meanwhile", ["nothing", "another front", "back at another front"])
async def test_a_front_is_killed_one_second_before_a_deadline(
    service: Service, meanwhile: str
) -> None:
    names = ["a"] if meanwhile == "nothing" else ["a", "b"]
    fronts = await service.up(*names, sweeping=True)
    ada, bo = await sync_to_async(parts.pair)()
    match = await sync_to_async(parts.running)([ada, bo], 4.0)
    async with opened(fronts[0], match, ada) as hers:
        await hers.reach(4)
        await parts.moment(match, before=1.0)
        await asyncio.to_thread(parts.kill, fronts[0])
    if meanwhile == "back at another front":
        await parts.moment(match, before=-0.3)
        async with opened(fronts[1], match, ada) as again, opened(fronts[1], match, bo) as his:
            assert (await again.reach(4))["result"] is None
            await his.reach(4)
            await his.say("flag")
            assert (await again.reach(5))["result"]["reason"] == "void"
    assert is_void(await over(match))


@pytest.mark.postgres
@pytest.mark.parametrize("service", [6.0], indirect=True)
async def test_a_killed_front_is_back_within_the_tolerance_and_after_the_deadline(
    service: Service,
) -> None:
    (a,) = await service.up("a", sweeping=True)
    ada, bo = await sync_to_async(parts.pair)()
    match = await sync_to_async(parts.running)([ada, bo], 4.0)
    unattended = await sync_to_async(parts.running)(await sync_to_async(parts.pair)(), 4.0)
    async with opened(a, match, ada) as hers:
        await hers.reach(4)
        await parts.moment(match, before=1.0)
        await asyncio.to_thread(parts.kill, a)
    await parts.moment(unattended, before=-0.1)
    (a,) = await service.up("a")
    async with opened(a, match, ada) as again:
        assert (await again.reach(5))["result"]["reason"] == "void"
    for each in (match, unattended):
        assert is_void(await over(each))


async def test_a_move_that_came_while_its_front_stood_still_loses_nobody(service: Service) -> None:
    """Shorter than the tolerance, with the deadline inside: it came in time, who can say."""
    (a,) = await service.up("a", sweeping=True)
    ada, bo = await sync_to_async(parts.pair)()
    match = await sync_to_async(parts.running)([ada, bo], 5.0)
    async with opened(a, match, ada) as hers:
        await hers.reach(4)
        await parts.moment(match, before=1.2)
        a.send(signal.SIGSTOP)
        await parts.moment(match, before=0.6)
        await hers.say("play", tile="6-6", arm="open", version=4)
        await parts.moment(match, before=-0.5)
        a.send(signal.SIGCONT)
        assert is_void(await over(match))
        assert (await hers.reach(5))["result"]["reason"] == "void"
    await sync_to_async(parts.all_is_well)()


@pytest.mark.postgres
async def test_a_front_that_stood_still_away_from_a_deadline_harms_nobody(
    service: Service,
) -> None:
    (a,) = await service.up("a", sweeping=True)
    two = await sync_to_async(parts.pair)()
    match = await sync_to_async(parts.running)(two)
    async with AsyncExitStack() as stack:
        players = [await stack.enter_async_context(opened(a, match, user)) for user in two]
        for page in players:
            await page.reach(4)
        a.send(signal.SIGSTOP)
        await asyncio.sleep(1.5)
        a.send(signal.SIGCONT)
        for _ in range(4):
            assert await move(players, players)
            await asyncio.sleep(0.5)
    assert (await sync_to_async(parts.read)(match)).due is not None
    await sync_to_async(parts.all_is_well)()


@pytest.mark.postgres
async def test_the_event_loop_of_one_of_two_fronts_freezes(service: Service) -> None:
    frozen, b = await service.up("freezable", "b", sweeping=True)
    users = [await sync_to_async(parts.pair)() for _ in range(2)]
    stuck, other = [await sync_to_async(parts.running)(two) for two in users]
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        hers = await enter(opened(frozen, stuck, users[0][0]))
        players = [await enter(opened(b, other, user)) for user in users[1]]
        for page in (hers, *players):
            await page.reach(4)
        await sync_to_async(parts.just_beaten)(frozen)
        frozen.send(signal.SIGUSR1)
        assert is_void(await over(stuck))
        for _ in range(4):
            assert await move(players, players)
        assert (await sync_to_async(parts.read)(other)).due is not None
        assert (await hers.reach(5))["result"]["reason"] == "void"
    await sync_to_async(parts.all_is_well)()


async def test_one_of_two_fronts_is_paused(service: Service) -> None:
    a, b = await service.up("a", "b", sweeping=True)
    users = [await sync_to_async(parts.pair)() for _ in range(3)]
    paused, other, opponents = [await sync_to_async(parts.running)(two) for two in users]
    async with AsyncExitStack() as stack:
        enter = stack.enter_async_context
        stuck = await enter(opened(a, paused, users[0][0]))
        players = [await enter(opened(b, other, user)) for user in users[1]]
        awaited = await enter(opened(b, opponents, users[2][0]))
        waiting = await enter(opened(a, opponents, users[2][1]))
        for page in (stuck, *players, awaited, waiting):
            await page.reach(4)
        before = await sync_to_async(parts.newest_window)(a)
        await sync_to_async(parts.just_beaten)(a)
        a.send(signal.SIGSTOP)
        assert await move(players, players)
        assert is_void(await over(paused))
        for _ in range(4):
            assert await move(players, players)
        await outlast(service)
        await awaited.answered()
        for match in (other, opponents):
            assert (await sync_to_async(parts.read)(match)).due is not None
        a.send(signal.SIGCONT)
        await service.up("a")
        after = await sync_to_async(parts.newest_window)(a)
        assert before is not None
        assert after is not None
        assert after.pk != before.pk
        broken = await ServiceWindow.objects.aget(pk=before.pk)
        assert broken.state == ServiceWindow.State.BROKEN
        assert (await stuck.reach(5))["result"]["reason"] == "void"
        players = [await enter(opened(a, other, user)) for user in users[1]]
        for page in players:
            await page.reach(9)
        for _ in range(4):
            assert await move(players, players)
        await awaited.say("play", tile="6-6", arm="open", version=4)
        await waiting.reach(5)
    await sync_to_async(parts.all_is_well)()
