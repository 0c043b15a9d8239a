"""A frame counts by the moment it came, however long it waits for its turn."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Iterator
from contextlib import AsyncExitStack
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from accounts.models import User
from games import store, timekeeping
from games.arrival import Arrivals
from games.models import Match
from tests.games.factory import NOW, begun, make_match
from tests.games.sockets import Socket, opened

from .fronts import DEALT

pytestmark = pytest.mark.django_db(transaction=True)

# The first decision began 1 s after the match was made: 10 s of delay, and 120 s in the bank.
DEADLINE = NOW + 1000 + 10_000 + 120_000
IN_TIME, WAIT = DEADLINE - 100, 3000


class Clock:
    """The wall clock of the service, moved by the test; it notes which frames it stamped."""

    def __init__(self) -> None:
        self.now = IN_TIME
        self.stamps: asyncio.Queue[int] = asyncio.Queue()


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    may_wait = Arrivals._may_wait

    def noted(arrivals: Arrivals, now: int) -> bool:
        clock.stamps.put_nowait(now)
        return may_wait(arrivals, now)

    monkeypatch.setattr(timekeeping, "now_ms", lambda: clock.now)
    monkeypatch.setattr(Arrivals, "_may_wait", noted)
    return clock


class Holder:
    """Makes the first call of a function wait until the test lets it go on."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self.reached, self.release = threading.Event(), threading.Event()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        if not self.reached.is_set():
            self.reached.set()
            self.release.wait(30)
        return self.function(*args, **kwargs)


@pytest.fixture
def hold(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[str], Holder]]:
    """Hold the first call of one of the store's functions."""
    holders: list[Holder] = []

    def hold(name: str) -> Holder:
        holder = Holder(getattr(store, name))
        holders.append(holder)
        monkeypatch.setattr(store, name, holder)
        return holder

    yield hold
    for holder in holders:
        holder.release.set()


@pytest.fixture
def match(ada: User, bo: User) -> Match:
    return make_match([ada, bo], begun(DEALT))


async def stamped(clock: Clock, frames: int) -> None:
    """Wait until the service has stamped that many frames."""
    async with asyncio.timeout(10):
        for _ in range(frames):
            await clock.stamps.get()


@pytest.mark.parametrize("case", ["behind another frame", "no free thread", "slow commit"])
async def test_a_move_that_waits_is_judged_by_its_arrival(
    match: Match,
    ada: User,
    bo: User,
    clock: Clock,
    hold: Callable[[str], Holder],
    case: str,
) -> None:
    async with AsyncExitStack() as stack:
        hers = await stack.enter_async_context(opened(match, ada))
        his = await stack.enter_async_context(opened(match, bo))
        for page in (hers, his):
            await page.view(4)
        held = hold("commit" if case == "slow commit" else "submit")
        before: dict[str, list[Socket]] = {
            "behind another frame": [hers],
            "no free thread": [his],
            "slow commit": [],
        }
        for page in before[case]:
            await page.say("flag")
            await asyncio.to_thread(held.reached.wait, 30)
        await hers.say("play", tile="6-6", arm="open", version=4)
        await stamped(clock, len(before[case]) + 1)
        await asyncio.to_thread(held.reached.wait, 30)

        clock.now = IN_TIME + WAIT
        held.release.set()
        view = await his.view(5)
        assert view["phase"] == "play"
        assert view["clock"]["bank"] == [100, 120_000], "not a moment more than it took"
        assert view["clock"]["running"] == 1
        loaded = await sync_to_async(store.load)(match.pk)
        assert loaded.position.state.at == IN_TIME - NOW


async def test_a_move_that_came_late_is_late_however_quick_the_rest_is(
    match: Match, ada: User, clock: Clock
) -> None:
    async with opened(match, ada) as hers:
        await hers.view(4)
        clock.now = DEADLINE
        await hers.say("play", tile="6-6", arm="open", version=4)
        over = await hers.view(5)
        assert over["phase"] == "match_over"
        assert over["result"]["reason"] == "time"
