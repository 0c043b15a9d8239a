"""The hub: one rendering per audience and language, no query on a push, laggards let go."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from asgiref.sync import sync_to_async

from games import hub, live, lobby_news, members, play, rendering
from games.hub import Hub
from games.live import News
from games.members import Member, Outbox
from games.models import Match
from games.play import Command, Position
from games.rendering import AS_FRAGMENTS, AS_JSON, Rendering
from games.rules.match import State
from games.rules.sight import Viewer
from games.store import shuffled_deal

from .factory import NOW, make_match, make_user

MATCH = "hubmatch01"
INFO = {"id": MATCH, "rated": False, "players": ["ada", "bo"], "socket": f"/ws/matches/{MATCH}/"}


class Reader:
    """The far side of a socket."""

    def __init__(
        self, viewer: Viewer, rendering: Rendering = AS_JSON, language: str = "en"
    ) -> None:
        self.texts: list[str] = []
        self.codes: list[int] = []
        self.member = Member(
            match_id=MATCH,
            viewer=viewer,
            info=INFO,
            user_id=None,
            session="",
            address="here",
            rendering=rendering,
            language=language,
            outbox=Outbox(self._take),
            close=self._close,
            heard_at=NOW,
            version=0,
        )

    async def _take(self, text: str) -> None:
        self.texts.append(text)

    async def _close(self, code: int) -> None:
        self.codes.append(code)


def ready_news() -> dict[Viewer, dict[str, Any]]:
    """What each audience is told when seat 0 presses Start."""
    before = Position(State(), 0, play.START_WITHIN)
    decision = play.decide(before, 0, Command("ready", 0), 1000, shuffled_deal)
    news = News(MATCH, NOW, 0, decision)
    return {viewer: live.message_for(news, viewer, NOW + 1000) for viewer in live.AUDIENCES}


@pytest.fixture
async def here() -> Hub:
    return Hub()


async def test_a_push_to_a_thousand_sockets_renders_once_and_asks_nothing(
    here: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three audiences, two renderings and two languages: twelve texts for a thousand sockets.

    This test has no database: a query would fail it.
    """
    rendered: list[tuple[Viewer, str, str]] = []
    whole = rendering.render_view

    def counted(kind: Rendering, language: str, page: live.Page) -> str:
        rendered.append((page.view["you"], type(kind).__name__, language))
        return whole(kind, language, page)

    monkeypatch.setattr(hub, "render_view", counted)
    readers = [
        Reader((0, 1, None)[i % 3], (AS_JSON, AS_FRAGMENTS)[i % 2], ("en", "it")[i % 4 // 2])
        for i in range(1000)
    ]
    for reader in readers:
        here.audiences.setdefault(reader.member.key, set()).add(reader.member)
    news = ready_news()
    for message in news.values():
        here.deliver(message)
    for reader in readers:
        await reader.member.outbox.empty()
    assert len(rendered) == len(set(rendered)) == 12
    assert [len(reader.texts) for reader in readers] == [1] * 1000
    assert not here._tasks  # nothing is asked of the database behind the scenes


async def test_the_same_news_twice_is_told_once(here: Hub) -> None:
    reader = Reader(0)
    here.audiences[reader.member.key] = {reader.member}
    message = ready_news()[0]
    here.deliver(message)
    here.deliver(message)
    await reader.member.outbox.empty()
    assert len(reader.texts) == 1


async def test_news_that_nobody_here_asked_for_is_no_fault(
    here: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    """A process that never had a page in the lobby changes offers all the same."""
    here._deliver_safely({"type": lobby_news.CHANGED, "id": "once"})
    assert caplog.records == []


@pytest.mark.django_db(transaction=True)
async def test_a_gap_is_mended_with_the_whole_view(here: Hub) -> None:
    users = [await sync_to_async(make_user)(name) for name in ("ada", "bo")]
    match = await sync_to_async(make_match)(users)
    reader = Reader(None)
    reader.member.match_id = match.pk
    here.audiences[reader.member.key] = {reader.member}
    await Match.objects.filter(pk=match.pk).aupdate(version=0)
    message = ready_news()[None] | {"match": match.pk, "base": 7, "version": 8}
    here.deliver(message)
    while here._tasks:
        await next(iter(here._tasks))
    await reader.member.outbox.empty()
    assert len(reader.texts) == 1
    assert '"events":[]' in reader.texts[0]


async def test_a_socket_that_lags_gets_no_more_until_it_pings(
    here: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "LAG", 100)
    reader = Reader(0)
    here.audiences[reader.member.key] = {reader.member}
    first = ready_news()[0]
    here.deliver(first)
    assert reader.member.behind
    here.deliver(first | {"base": 1, "version": 2})
    await reader.member.outbox.empty()
    assert len(reader.texts) == 1

    async def resend(member: Member) -> None:
        member.send_view("the newest view", 2)

    monkeypatch.setattr(here, "resend", resend)
    monkeypatch.setattr(live, "version_of", lambda match_id: 2)
    await here.hear(reader.member, seen=1, now=NOW + 5000)
    await reader.member.outbox.empty()
    assert reader.texts[1:] == ["the newest view"]


async def test_a_page_that_stays_behind_is_closed(
    here: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "version_of", lambda match_id: 9)
    resent: list[Member] = []

    async def resend(member: Member) -> None:
        resent.append(member)

    monkeypatch.setattr(here, "resend", resend)
    reader = Reader(0)
    for i in range(hub.MISSES + 1):
        assert reader.codes == []
        await here.hear(reader.member, seen=3, now=NOW + 5000 * i)
    assert reader.codes == [1013]
    assert len(resent) == hub.MISSES


async def test_a_page_that_keeps_up_with_quick_play_is_never_closed(
    here: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each ping falls just behind a commit, and each has seen more than the one before."""

    async def resend(member: Member) -> None:
        member.version = 1000

    monkeypatch.setattr(here, "resend", resend)
    reader = Reader(0)
    for seen in range(0, 10 * hub.MISSES, 2):
        monkeypatch.setattr(live, "version_of", lambda match_id, seen=seen: seen + 1)
        await here.hear(reader.member, seen=seen, now=NOW + 2000 * seen)
    assert reader.codes == []


async def test_pings_in_a_row_ask_the_database_once_and_mend_a_page_once(
    here: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    resent: list[Member] = []

    def version_of(match_id: str) -> int:
        asked.append(match_id)
        return 9

    async def resend(member: Member) -> None:
        resent.append(member)

    monkeypatch.setattr(live, "version_of", version_of)
    monkeypatch.setattr(here, "resend", resend)
    readers = [Reader(None) for _ in range(50)]
    for seen in range(4):
        for reader in readers:
            await here.hear(reader.member, seen=seen, now=NOW + seen)
    assert asked == [MATCH]
    assert len(resent) == len(readers)


async def test_a_crowd_that_wants_whole_views_is_served_a_few_at_a_time(
    here: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A move or a beat that needs the database waits for no more than those."""
    inside, most = 0, 0

    def counted(work: object) -> Callable[..., Awaitable[live.Page]]:
        async def asked(*args: object, **more: object) -> live.Page:
            nonlocal inside, most
            inside += 1
            most = max(most, inside)
            await asyncio.sleep(0)
            inside -= 1
            news = ready_news()[0]
            return live.Page(INFO, news["view"], news["log"])

        return asked

    monkeypatch.setattr(hub, "sync_to_async", counted)
    readers = [Reader(0) for _ in range(50)]
    await asyncio.gather(*(here.resend(reader.member) for reader in readers))
    for reader in readers:
        await reader.member.outbox.empty()
    assert most == hub.DOORS
    assert [len(reader.texts) for reader in readers] == [1] * 50


async def test_a_socket_that_stays_silent_is_closed(here: Hub) -> None:
    silent, talking = Reader(0), Reader(1)
    for reader in (silent, talking):
        here.audiences[reader.member.key] = {reader.member}
    talking.member.heard_at = NOW + 60_000
    await here.close_silent(NOW + hub.SILENCE)
    await here.close_silent(NOW + hub.SILENCE + 1)
    while here._tasks:
        await next(iter(here._tasks))
    assert (silent.codes, talking.codes) == ([1013], [])


async def test_one_socket_that_fails_keeps_nothing_from_the_others(here: Hub) -> None:
    broken, sound = Reader(0), Reader(0)

    async def gone(text: str) -> None:
        raise ConnectionResetError

    broken.member.outbox = Outbox(gone)
    here.audiences[sound.member.key] = {broken.member, sound.member}
    here.deliver(ready_news()[0])
    await broken.member.outbox.empty()
    await sound.member.outbox.empty()
    assert len(sound.texts) == 1


async def test_a_socket_that_cannot_send_holds_up_nobody(here: Hub) -> None:
    """The outbox is its own task: a server that waits for a slow reader waits alone."""
    slow, quick = Reader(0), Reader(0)
    freed = asyncio.Event()

    async def wait(text: str) -> None:
        await freed.wait()

    slow.member.outbox = Outbox(wait)
    here.audiences[quick.member.key] = {slow.member, quick.member}
    here.deliver(ready_news()[0])
    await quick.member.outbox.empty()
    assert len(quick.texts) == 1
    freed.set()
    await slow.member.outbox.empty()


@pytest.mark.django_db(transaction=True)
async def test_what_a_command_sets_going_outlives_the_command(here: Hub) -> None:
    """News is published from the thread of a command. Whole views that are asked for then must
    not wait for that thread, which is soon done with it."""
    users = [await sync_to_async(make_user)(name) for name in ("ada", "bo")]
    match = await sync_to_async(make_match)(users)
    reader = Reader(None)
    reader.member.match_id, reader.member.version = match.pk, -1
    here.audiences[reader.member.key] = {reader.member}
    for _ in range(here.doors._value):  # everybody is at the door until the command is over
        await here.doors.acquire()
    decision = play.decide(
        Position(State(), 0, play.START_WITHIN), 0, Command("ready", 0), 1000, shuffled_deal
    )
    await sync_to_async(live.publish)(News(match.pk, NOW, 0, decision))
    for _ in range(hub.DOORS):
        here.doors.release()
    while here._tasks:
        await next(iter(here._tasks))
    await reader.member.outbox.empty()
    assert len(reader.texts) == 1


async def test_what_this_process_has_said_itself_is_heard_once(here: Hub) -> None:
    """A page that has come back since must not be closed by the copy that Redis brings."""
    ended = {"type": "account.suspended", "user": 7, "id": live.once()}
    before, after = Reader(0), Reader(0)
    here.users[7] = {before.member}
    here.deliver(ended)
    here.users[7] = {after.member}
    here.deliver(ended)
    while here._tasks:
        await next(iter(here._tasks))
    assert (before.codes, after.codes) == ([1012], [])
    here.deliver(ended | {"id": live.once()})
    while here._tasks:
        await next(iter(here._tasks))
    assert after.codes == [1012]
