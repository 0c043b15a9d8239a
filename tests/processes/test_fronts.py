"""Two web processes serve one match; one of them is told to stop, or killed."""

from __future__ import annotations

import asyncio
import signal
import threading
import time
from collections.abc import Iterator
from contextlib import AsyncExitStack, contextmanager, suppress
from io import StringIO

import pytest
from asgiref.sync import sync_to_async
from django.core.management import call_command
from django.db import connection, transaction
from websockets.exceptions import ConnectionClosed

from accounts.models import User
from games import timekeeping
from games.models import Event, Match
from tests.games.factory import make_match, make_user
from tests.games.sockets import opened as opened_here

from .fronts import Fronts
from .pages import Json, Page, answer, move, opened
from .site import Front

pytestmark = pytest.mark.django_db(transaction=True)

RESTART = 1012


def check_matches() -> str:
    """What ``check_matches`` says; raises where a log and its snapshot disagree."""
    said = StringIO()
    call_command("check_matches", stdout=said)
    return said.getvalue()


def log_of(match: Match) -> list[Json]:
    return list(Event.objects.filter(match=match).order_by("n").values_list("data", flat=True))


def tells_the_log(page: Page, log: list[Json]) -> bool:
    """Whether everything this page was told happened is what the log says, in its place."""
    for view in page.of("view"):
        told = view["events"]
        logged = log[view["version"] - len(told) : view["version"]]
        for one, other in zip(told, logged, strict=True):
            if any(one.get(key) != other.get(key) for key in ("do", "seat", "at", "arm")):
                return False
    return True


@contextmanager
def commits_held(match: Match) -> Iterator[None]:
    """Let nobody else commit to ``match`` in here (on SQLite, to anything)."""
    held, release = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic():
            Match.objects.select_for_update().get(pk=match.pk)
            held.set()
            release.wait(30)
        connection.close()

    holder = threading.Thread(target=hold)
    holder.start()
    held.wait(30)
    try:
        yield
    finally:
        release.set()
        holder.join()


async def test_players_and_spectators_of_two_processes_see_the_same(
    fronts: Fronts, match: Match, ada: User, bo: User
) -> None:
    a, b = await asyncio.to_thread(fronts.get, "a", "b")
    places = [(a, ada), (b, bo), (a, None), (b, None), (a, bo)]
    async with AsyncExitStack() as stack:
        pages = [
            await stack.enter_async_context(opened(front, match, user)) for front, user in places
        ]
        for page in pages:
            await page.reach(4)
        for _ in range(40):
            if not await move(pages[:2], pages):
                break
        newest = pages[0].version
        assert newest >= 30
        assert [page.versions for page in pages] == [pages[0].versions] * len(pages)
        assert all(page.has_no_gap() for page in pages)
        log = await sync_to_async(log_of)(match)
        assert len(log) == newest
        assert all(tells_the_log(page, log) for page in pages)


async def test_what_was_taken_in_before_the_stop_is_committed_and_published(
    fronts: Fronts, match: Match, ada: User, bo: User
) -> None:
    a, b = await asyncio.to_thread(fronts.get, "a", "b")
    async with (
        opened(a, match, ada) as hers,
        opened(a, match) as watching,
        opened(b, match, bo) as his,
    ):
        for page in (hers, watching, his):
            await page.reach(4)
        with commits_held(match):
            await hers.say("play", tile="6-6", arm="open", version=4)
            # A pong of the same process: what was sent to it before has arrived.
            await watching.ping()
            await watching.next("pong")
            began = time.monotonic()
            a.send(signal.SIGTERM)
            assert [await hers.closed(), await watching.closed()] == [RESTART, RESTART]
            assert his.version == 4
        assert (await his.reach(5))["count"] == 12
        assert await asyncio.to_thread(a.ended) == 0
        assert time.monotonic() - began < 10
        async with opened(b, match, ada) as hers_again, opened(b, match) as watching_again:
            for page in (hers_again, watching_again):
                await page.reach(5)
            for _ in range(6):
                await move([hers_again, his], [hers_again, his, watching_again])
            assert his.has_no_gap()
            assert his.versions == [4, *hers_again.versions]
    assert (await sync_to_async(check_matches)()).startswith("1 matches")


async def play_to(
    match: Match, user: User, places: list[Front], versions: dict[str, int], target: int
) -> list[Page]:
    """Play whenever it is this user's turn; come back to the next place when a server goes."""
    pages: list[Page] = []
    for front in places:
        async with opened(front, match, user) as page:
            pages.append(page)
            answered = -1
            while page.code is None:
                await page.until(lambda: page.code is not None or page.version > answered)  # noqa: B023
                versions[match.pk] = answered = page.version
                if page.version >= target:
                    return pages
                if command := answer(page.view):
                    with suppress(ConnectionClosed):
                        await page.say(**command)
            assert page.code == RESTART
    raise AssertionError("there is no place left to play")


async def test_a_stop_under_play_loses_no_event(fronts: Fronts) -> None:
    a, b = await asyncio.to_thread(fronts.get, "a", "b")

    def prepare() -> list[tuple[Match, list[User]]]:
        pairs = [[make_user(f"left{n}"), make_user(f"right{n}")] for n in range(6)]
        return [(make_match(pair, now=timekeeping.now_ms()), pair) for pair in pairs]

    matches = await sync_to_async(prepare)()
    versions: dict[str, int] = {}
    playing = [
        asyncio.create_task(play_to(match, user, [place, b], versions, 36))
        for n, (match, pair) in enumerate(matches)
        for user, place in zip(pair, (a, b if n % 2 else a), strict=True)
    ]
    while len(versions) < len(matches) or min(versions.values()) < 12:
        assert not any(task.done() for task in playing)
        await asyncio.sleep(0.01)
    a.send(signal.SIGTERM)
    told = await asyncio.gather(*playing)
    assert await asyncio.to_thread(a.ended) == 0
    assert sum(len(pages) == 2 for pages in told) == 9, "those of the first process came back"
    for n, (match, _) in enumerate(matches):
        log = await sync_to_async(log_of)(match)
        assert len(log) >= 36
        assert all(tells_the_log(page, log) for page in [*told[2 * n], *told[2 * n + 1]])
    assert (await sync_to_async(check_matches)()).startswith("6 matches")


async def test_the_players_of_a_killed_process_are_away_once_their_silence_is_noticed(
    fronts: Fronts,
    match: Match,
    ada: User,
    bo: User,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (a,) = await asyncio.to_thread(fronts.get, "a")
    passed = 0
    real = timekeeping.now_ms
    monkeypatch.setattr(timekeeping, "now_ms", lambda: real() + passed)
    async with opened_here(match, bo) as his:
        await his.view(4)
        async with opened(a, match, ada) as hers:
            await hers.sees(True, True)
            await his.until(lambda m: m.get("online") == [True, True])
            a.send(signal.SIGKILL)
            await asyncio.to_thread(a.ended)
            assert await hers.closed() == 1006
        await his.say("ping", sent=1, seen=4)
        await his.next("pong")
        assert await his.nothing(but=())
        passed = 21_000
        await his.say("ping", sent=2, seen=4)
        await his.next("pong")
        assert (await his.next("presence"))["online"] == [False, True]
