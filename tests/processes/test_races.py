"""The same command many times, and different ones at once: one of them counts, exactly once."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import AsyncExitStack

import pytest
from asgiref.sync import sync_to_async
from django.db import connection

from accounts.models import User
from games import store
from games.models import Event, Match
from games.play import Command, Refused
from games.rules.match import Phase, State, legal
from games.rules.tiles import parse_tile
from tests.games.factory import NOW, make_match

from .fronts import Fronts
from .pages import Json, Page, answer, opened

pytestmark = pytest.mark.django_db(transaction=True)

ROUNDS = 50
AT_ONCE = 50
TURNS = 9  # of six frames at one process: what a user may send without a pause


def commands_of(state: State, version: int) -> tuple[int, list[Command]]:
    """Somebody who may act, and everything they may say."""
    if state.phase in (Phase.NEW, Phase.ROUND_OVER):
        return state.ready.index(False), [Command("ready", version)]
    assert state.to_act is not None
    return state.to_act, [
        Command(
            one["do"],
            version,
            parse_tile(one["tile"]) if "tile" in one else None,
            one.get("arm", ""),
            one.get("min", 0),
        )
        for one in legal(state)
    ]


def submitted(match: Match, user: User, commands: Sequence[Command], at: int) -> list[str]:
    """What the store answers to commands from as many threads at once."""

    def one(command: Command) -> str:
        try:
            return str(store.submit(match.pk, user.pk, command, at))
        except Refused as refused:
            return refused.code
        finally:
            connection.close()

    with ThreadPoolExecutor(len(commands)) as threads:
        return list(threads.map(one, commands))


@pytest.mark.timeout(300)
def test_fifty_at_once_fifty_times_make_one_event_each_time(ada: User, bo: User) -> None:
    users = [ada, bo]
    match = make_match(users)
    mixed = 0
    for number in range(ROUNDS):
        loaded = store.load(match.pk)
        version, state = loaded.position.version, loaded.position.state
        if state.result is not None:
            match = make_match(users)
            continue
        seat, choices = commands_of(state, version)
        several = choices[:2] if number % 3 else choices[:1]  # mostly two different moves
        mixed += len(several) == 2
        commands = [several[n % len(several)] for n in range(AT_ONCE)]
        answers = submitted(match, users[seat], commands, NOW + 1000 + 10 * number)

        assert answers.count("True") == 1
        winner = commands[answers.index("True")]
        for command, got in zip(commands, answers, strict=True):
            assert got in {"True", "False"} if command == winner else got == "stale"
        told = Event.objects.filter(match=match, seen=version, seat=seat)
        assert [data["do"] for data in told.values_list("data", flat=True)] == [winner.do]
        log = list(match.events.order_by("n").values_list("n", flat=True))
        assert log == list(range(1, store.load(match.pk).position.version + 1))
    assert mixed >= 3


def counted(match: Match, version: int) -> int:
    """How many events answer a command that was sent from a page at ``version``."""
    return Event.objects.filter(match=match, seen=version).count()


async def all_agree(pages: Sequence[Page], said: Sequence[Page]) -> int:
    """Wait until what some said has been dealt with; gives the one version all pages show."""
    for page in said:
        await page.answered()
    newest = max(page.version for page in pages)
    for page in pages:
        assert (await page.reach(newest))["version"] == newest
        assert page.code is None
    return newest


def other_answer(view: Json) -> Json | None:
    """Another move than the first, if there is one."""
    return answer({**view, "legal": view["legal"][1:]})


async def test_tabs_that_send_at_once_make_one_event_each_time(
    fronts: Fronts, match: Match, ada: User, bo: User
) -> None:
    a, b = await asyncio.to_thread(fronts.get, "a", "b")
    places = [(a, ada), (a, ada), (b, ada), (a, bo), (b, bo), (b, bo), (a, None), (b, None)]
    async with AsyncExitStack() as stack:
        pages = [
            await stack.enter_async_context(opened(front, match, user)) for front, user in places
        ]
        for page in pages:
            await page.reach(4)
        version, mixed, earlier = 4, 0, None
        for number in range(TURNS):
            tabs = next(tabs for tabs in (pages[:3], pages[3:6]) if answer(tabs[0].view))
            first = answer(tabs[0].view)
            assert first is not None
            other = other_answer(tabs[0].view) if number % 3 else None
            mixed += other is not None
            heard = [len(page.heard) for page in tabs]
            # Every tab is clicked twice, and one of them perhaps on something else.
            says = [(tab, first) for tab in tabs] + [(tab, other or first) for tab in tabs]
            await asyncio.gather(*(tab.say(**command) for tab, command in says))
            before, version = version, await all_agree(pages, tabs)

            assert version > before
            assert await sync_to_async(counted)(match, before) == 1
            codes = {
                refusal["code"]
                for tab, start in zip(tabs, heard, strict=True)
                for refusal in tab.of("refused", start)
            }
            assert codes == ({"stale"} if other else set())
            earlier = tabs, first, other
        assert mixed >= 1

        # What was queued while offline and is flushed when the match has moved on.
        assert earlier is not None
        tabs, first, other = earlier
        heard = [len(tabs[0].heard)]
        await tabs[0].say(**first)
        stale = {**first, "version": 4}
        await tabs[0].say(**stale)
        assert await all_agree(pages, tabs[:1]) == version
        assert await Event.objects.filter(match=match).acount() == version
        assert [r["code"] for r in tabs[0].of("refused", heard[0])].count("stale") >= 1
        assert tabs[0].of("view", heard[0]), "it is shown where the match is now"
