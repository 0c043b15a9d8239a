"""The lobby's socket: what each page in it is told, and what that costs."""

from __future__ import annotations

import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from channels.testing import WebsocketCommunicator
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import Block, Suspension, User
from games import hub, live, lobby, lobby_hub, lobby_news, members, sweeps, timekeeping
from games.hub import Hub
from games.lobby_hub import Guest, LobbyHub
from games.lobby_regions import SHOWN, Shelf
from games.members import Outbox
from games.models import Challenge, Match
from games.rules import events
from ratings.models import Rating
from spectacular.asgi import application

from .factory import NOW, begun, deal, make_match, make_user
from .sockets import HOST, Socket, cookie_of, opened

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")
pytestmark = pytest.mark.django_db(transaction=True)

seek = sync_to_async(lobby.seek)


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The wall clock, standing until a test moves it."""

    class Clock:
        now = NOW

    monkeypatch.setattr(timekeeping, "now_ms", lambda: Clock.now)
    return Clock


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """No test waits long for the next look."""
    monkeypatch.setattr(lobby_hub, "PACE", 0.01)


@asynccontextmanager
async def in_lobby(
    user: User | None = None, *, client: Client | None = None, known: str = "", tongue: str = "en"
) -> AsyncIterator[Socket]:
    """A page in the lobby; nothing of what it was sent is read yet."""
    cookie = await sync_to_async(cookie_of)(user, client)
    headers = [(b"host", HOST), (b"origin", b"http://" + HOST), *cookie]
    headers.append((b"accept-language", tongue.encode()))
    wire = WebsocketCommunicator(application, f"/ws/lobby/?match={known}", headers=headers)
    connected, _ = await wire.connect(timeout=5)
    assert connected
    try:
        yield Socket(wire)
    finally:
        await wire.disconnect(timeout=5)


async def told(socket: Socket, wanted: str) -> str:
    """The next text with something in it; those before it are let go."""
    while wanted not in (text := await socket.text()):
        pass
    return text


def words(text: str) -> str:
    """What one reads of a fragment."""
    return " ".join(re.sub(r"<[^>]+>", " ", text).split())


async def quiet(socket: Socket) -> bool:
    return bool(await socket.wire.receive_nothing(timeout=0.2))


# What a page is told


async def test_a_page_is_first_told_how_things_are(ada: User, bo: User) -> None:
    await seek(ada, rated=True, window=200, now=NOW)
    async with in_lobby(bo) as his:
        first = await his.text()
        for region in ("quick", "seeks"):
            assert f'<div id="lobby-{region}">' in first
        assert "Ada 1500? Rated 1300–1700" in words(first)
        assert "Play Ada" in first
        assert await quiet(his)


async def test_each_page_is_told_in_its_own_language(ada: User, bo: User, cy: User) -> None:
    async with in_lobby(bo, tongue="it") as his, in_lobby(cy, tongue="es") as theirs:
        await told(his, "Al momento nessuno cerca una partita.")
        await told(theirs, "Ahora mismo nadie busca partida.")
        await seek(ada, rated=True, window=200, now=NOW)
        assert "1300–1700 in attesa da 0:00 Gioca" in words(await told(his, "Ada"))
        assert "1300–1700 esperando desde hace 0:00 Jugar" in words(await told(theirs, "Ada"))
        await his.raw("{")
        assert "Non si è potuto leggere: non è JSON." in await told(his, "JSON")


async def test_a_seek_is_seen_by_the_others_and_gone_when_it_is_withdrawn(
    ada: User, bo: User
) -> None:
    async with in_lobby(ada) as hers, in_lobby(bo) as his:
        await told(hers, "Nobody seeks")
        await told(his, "Nobody seeks")
        offer = await seek(ada, rated=False, window=None, now=NOW)
        assert f'id="accept-{offer.pk}"' in await told(his, "Ada")
        mine = await told(hers, "Your seek")
        assert f'id="withdraw-{offer.pk}"' in mine
        assert f'id="accept-{offer.pk}"' not in mine
        await sync_to_async(lobby.withdraw)(offer.pk, ada)
        assert "Ada" not in await told(his, "Nobody seeks")


async def test_an_accepted_seek_leads_both_to_the_match(ada: User, bo: User) -> None:
    async with in_lobby(ada) as hers, in_lobby(bo) as his:
        offer = await seek(ada, rated=True, window=None, now=NOW)
        await told(his, offer.pk)
        match = await sync_to_async(lobby.accept)(offer.pk, bo, now=NOW)
        for socket in (hers, his):
            text = await told(socket, "lobby-go")
            assert f'data-url="/matches/{match.pk}/"' in text
            assert "Your running match" in await told(socket, "lobby-running")


async def test_a_page_that_shows_the_running_match_is_not_led_there(ada: User, bo: User) -> None:
    match = await sync_to_async(make_match)([ada, bo])
    async with in_lobby(ada, known=match.pk) as hers, in_lobby(bo) as his:
        assert "lobby-go" not in await told(hers, "Your running match")
        assert await quiet(hers)
        assert match.pk in await told(his, "lobby-go")  # it began while the page was on its way


async def test_what_is_too_old_goes_although_nobody_tells(
    ada: User, bo: User, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_hub, "LOOK_AROUND", 0.05)
    await seek(ada, rated=True, window=None, now=NOW)
    async with in_lobby(bo) as his:
        await told(his, "Play Ada")
        clock.now += lobby.AWAY_AFTER
        assert "Ada" not in await told(his, "Nobody seeks")


async def test_whoever_pings_goes_on_waiting(ada: User, clock: Any) -> None:
    async with in_lobby(ada) as hers:
        offer = await seek(ada, rated=True, window=None, now=NOW)
        await told(hers, "Your seek")
        for _ in range(3):
            clock.now += lobby.AWAY_AFTER - 1000
            await hers.say("ping", sent="7")
            assert f'data-now="{clock.now}"' in await told(hers, 'data-sent="7"')
        await offer.arefresh_from_db()
        await hers.say("ping", sent=8)
        await told(hers, 'data-sent="8"')  # the one before has been carried out
        await offer.arefresh_from_db()
        assert offer.expires_at is not None
        assert offer.expires_at.timestamp() * 1000 > clock.now


async def test_a_page_that_waits_in_the_background_is_asked(
    ada: User, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_hub, "LOOK_AROUND", 0.05)
    async with in_lobby(ada) as hers:
        await seek(ada, rated=True, window=None, now=NOW)
        await told(hers, "Your seek")
        assert await quiet(hers)
        clock.now += lobby_hub.ASKED_AFTER + 1
        await told(hers, "lobby-beat")


async def test_each_sees_only_what_is_theirs(ada: User, bo: User) -> None:
    cy = await sync_to_async(make_user)("Cy")
    async with in_lobby(bo) as his, in_lobby(cy) as theirs:
        offer = await sync_to_async(lobby.challenge)(ada, "bo", rated=True, now=NOW)
        link = await sync_to_async(lobby.create)(ada, rated=True, now=NOW)
        text = await told(his, offer.pk)
        assert "You are challenged" in words(text)
        assert f'id="accept-{offer.pk}"' in text
        assert f'id="decline-{offer.pk}"' in text
        assert link.pk not in text
        await told(theirs, "Nobody seeks")
        assert await quiet(theirs)


async def test_a_rating_outside_the_window_cannot_accept(ada: User, bo: User) -> None:
    await Rating.objects.acreate(user=bo, value=1800)
    offer = await seek(ada, rated=True, window=100, now=NOW)
    async with in_lobby(bo) as his:
        text = await told(his, "Ada")
        assert "not your rating" in text
        assert f"accept-{offer.pk}" not in text


@pytest.mark.parametrize("way", ["ada blocks bo", "bo blocks ada"])
async def test_the_seeks_of_a_blocked_player_leave_no_trace(ada: User, bo: User, way: str) -> None:
    who, whom = (ada, bo) if way == "ada blocks bo" else (bo, ada)
    await Block.objects.acreate(user=who, blocked=whom)
    cy = await sync_to_async(make_user)("Cy")
    async with in_lobby(bo) as his, in_lobby(cy) as theirs:
        first = await told(his, "Nobody seeks")
        offer = await seek(ada, rated=True, window=None, now=NOW)
        await told(theirs, "Play Ada")
        assert await quiet(his)
        assert "Ada" not in first
    async with in_lobby(bo) as his:
        text = await told(his, "lobby-seeks")
        assert "Ada" not in text
        assert offer.pk not in text


# Who may be there


async def test_a_visitor_is_refused_with_a_reason() -> None:
    async with in_lobby() as socket:
        assert await socket.closed() == 4401


async def test_a_suspended_player_is_refused_and_closed(ada: User, bo: User) -> None:
    async with in_lobby(ada) as hers, in_lobby(bo) as his:
        await told(hers, "lobby-seeks")
        await Suspension.objects.acreate(user=ada, by=bo, reason="stalling")
        await sync_to_async(live.suspend_account)(ada.pk)
        assert await hers.closed() == 4403
        await told(his, "lobby-seeks")
        assert await quiet(his)
    async with in_lobby(ada) as again:
        assert await again.closed() == 4403


async def test_a_sign_out_closes_the_pages_of_its_session_alone(ada: User) -> None:
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        await sync_to_async(client.force_login)(ada)
    async with in_lobby(client=here) as hers, in_lobby(client=elsewhere) as other:
        for socket in (hers, other):
            await told(socket, "lobby-seeks")
        await sync_to_async(here.logout)()
        assert await hers.closed() == 4401
        await seek(ada, rated=True, window=None, now=NOW)
        await told(other, "Your seek")


async def test_a_new_password_closes_every_page(ada: User) -> None:
    async with in_lobby(ada) as hers:
        await told(hers, "lobby-seeks")
        ada.set_password("another-pass-9")
        await ada.asave()
        assert await hers.closed() == 4401


async def test_the_limits_are_those_of_all_sockets(
    ada: User, bo: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "PER_USER", 1)
    monkeypatch.setattr(hub, "PER_ADDRESS", 2)
    async with in_lobby(ada) as hers, in_lobby(bo):
        await told(hers, "lobby-seeks")
        async with in_lobby(ada) as tab:
            assert await tab.closed() == 1013
    async with in_lobby(ada) as again:
        await told(again, "lobby-seeks")


async def test_a_page_that_stays_silent_is_closed(
    ada: User, clock: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_hub, "LOOK_AROUND", 0.05)
    async with in_lobby(ada) as hers:
        await told(hers, "lobby-seeks")
        clock.now += hub.SILENCE + 1
        assert await hers.closed() == 1013


@pytest.mark.parametrize("frame", ["{", "[]", '{"do": "ping"}', '{"do": "seek"}', "x" * 5000])
async def test_a_bad_frame_is_answered_and_keeps_the_socket(ada: User, frame: str) -> None:
    async with in_lobby(ada) as hers:
        await told(hers, "lobby-seeks")
        await hers.raw(frame)
        await told(hers, "lobby-refused")
        await hers.say("ping", sent=1)
        await told(hers, "lobby-pong")


async def test_a_flood_closes(ada: User) -> None:
    async with in_lobby(ada) as hers:
        for _ in range(200):
            await hers.raw("{}")
        assert await hers.closed() == 4408


# What it costs


class Page:
    """The far side of a guest of the lobby."""

    def __init__(self, user: User, language: str = "en") -> None:
        self.texts: list[str] = []
        self.guest = Guest(
            user_id=user.pk,
            session="",
            address="here",
            language=language,
            outbox=Outbox(self._take),
            close=self._close,
            heard_at=NOW,
        )

    async def _take(self, text: str) -> None:
        self.texts.append(text)

    async def _close(self, code: int) -> None:
        raise AssertionError(code)


@pytest.fixture
async def here() -> LobbyHub:
    return LobbyHub(Hub())


def _people(count: int) -> list[User]:
    names = [f"player{n}" for n in range(count)]
    User.objects.bulk_create(User(username=name, email=f"{name}@example.org") for name in names)
    return list(User.objects.filter(username__in=names).order_by("pk"))


async def test_a_change_is_one_reading_for_everybody(
    here: LobbyHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    users = await sync_to_async(_people)(30)
    for user in users[:10]:
        await seek(user, rated=True, window=None, now=NOW)
    readings: list[int] = []
    rows: list[str] = []
    real, draw = lobby.board, Shelf._draw

    def board(now: int, viewers: Any) -> lobby.Board:
        with CaptureQueriesContext(connection) as queries:
            found = real(now, viewers)
        readings.append(len(queries))
        return found

    def counted(self: Any, name: str, *key: str, **context: object) -> str:
        before = len(self._drawn)
        text = draw(self, name, *key, **context)
        rows.extend([name] * (len(self._drawn) - before))
        return text

    monkeypatch.setattr(lobby, "board", board)
    monkeypatch.setattr(Shelf, "_draw", counted)
    pages = [Page(user) for user in users]
    for page in pages:
        here.guests.add(page.guest)
    await here._read_and_tell()
    assert len(readings) == 1
    assert rows.count("row") == 10 * 2  # its owner's, and that of all the others
    for page in pages:
        await page.guest.outbox.empty()
    assert [len(page.texts) for page in pages] == [1] * 30

    alone = LobbyHub(Hub())
    alone.guests.add(Page(users[0]).guest)
    await alone._read_and_tell()
    assert readings[1] == readings[0], "the number of queries grows with the number of pages"

    rows.clear()
    await here._read_and_tell()
    for page in pages:
        await page.guest.outbox.empty()
    assert rows == []
    assert [len(page.texts) for page in pages] == [1] * 30, "told the same again"


async def test_news_that_comes_twice_is_one_reading(
    ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A process hears what it did itself at once, and once more by way of Redis."""
    readings: list[int] = []
    real = lobby.board

    def board(now: int, viewers: Any) -> lobby.Board:
        readings.append(now)
        return real(now, viewers)

    monkeypatch.setattr(lobby, "board", board)
    heard: list[str] = []
    deliver = Hub.deliver

    def counted(self: Hub, message: Any) -> None:
        if message["type"] == lobby_news.CHANGED:
            heard.append(message["id"])
        deliver(self, message)

    monkeypatch.setattr(Hub, "deliver", counted)
    async with in_lobby(ada) as hers:
        await told(hers, "Nobody seeks")
        before = len(readings)
        await sync_to_async(lobby_news.changed)()
        while len(heard) < 2:
            await hers.wire.receive_nothing(timeout=0.05)
        assert await quiet(hers)
        assert len(set(heard)) == 1
        assert len(readings) == before + 1


async def test_a_page_that_lags_gets_no_more_until_it_pings(
    here: LobbyHub, ada: User, bo: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(members, "LAG", 10)
    page = Page(bo)
    here.guests.add(page.guest)
    await here._read_and_tell()
    await seek(ada, rated=True, window=None, now=NOW)
    await here._read_and_tell()
    await page.guest.outbox.empty()
    assert len(page.texts) == 1
    await here.hear(page.guest, NOW)
    await here._read_and_tell()
    await page.guest.outbox.empty()
    assert "Play Ada" in page.texts[1]


async def test_a_full_lobby_shows_the_nearest_first(here: LobbyHub, ada: User) -> None:
    users = await sync_to_async(_people)(SHOWN + 5)
    await Rating.objects.abulk_create(
        Rating(user=user, value=1500 + 10 * n) for n, user in enumerate(users)
    )
    for user in users:
        await seek(user, rated=True, window=None, now=NOW)
    page = Page(ada)
    here.guests.add(page.guest)
    await here._read_and_tell()
    await page.guest.outbox.empty()
    (text,) = page.texts
    assert text.count("<li ") == SHOWN
    assert "And 5 more" in text
    assert text.index("player1<") < text.index("player2<")
    assert f"player{len(users) - 1}<" not in text


async def test_a_database_that_is_away_costs_a_look_and_no_page(
    ada: User, bo: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lobby_hub, "LOOK_AROUND", 0.05)
    async with in_lobby(bo) as his:
        await told(his, "Nobody seeks")
        with monkeypatch.context() as patch:
            patch.setattr(lobby, "board", _broken)
            await seek(ada, rated=True, window=None, now=NOW)
            assert await quiet(his)
        await told(his, "Play Ada")


def _broken(*_: object) -> lobby.Board:
    raise OSError("nobody answers")


async def test_the_match_of_a_suspended_player_comes_back(ada: User, bo: User) -> None:
    match = await sync_to_async(make_match)([ada, bo])
    async with opened(match, ada) as hers, opened(match, bo) as his:
        await hers.view(0)
        await his.view(0)
        async with opened(match, ada, rendering="") as page:
            await page.text()
            await sync_to_async(live.suspend_account)(ada.pk)
            assert await page.closed() == 4012  # it loads itself anew and tells why
        assert await hers.closed() == 1012
        assert await his.nothing()
    async with opened(match, ada) as again:
        assert (await again.view(0))["you"] == 0


async def test_a_rematch_outlives_a_list_of_who_is_there_that_is_lost(
    ada: User, bo: User, clock: Any
) -> None:
    """A Redis that was away knows nobody at first: whoever pings first seems to be alone."""
    told = [*begun(DEALT), events.Resign(seat=1, at=2000)]
    match = await sync_to_async(make_match)([ada, bo], told)
    async with opened(match, ada) as hers, opened(match, bo) as his:
        await hers.until(lambda m: m.get("online") == [True, True])
        offer = await sync_to_async(lobby.rematch)(ada, match.pk, now=NOW)
        assert isinstance(offer, Challenge)
        lasts = offer.expires_at
        await sync_to_async(_lose_who_is_there)(match)
        for page, expires in ((hers, lobby.moment(NOW + 3000 + lobby.GRACE)), (his, lasts)):
            clock.now += 3000
            for _ in range(2):  # the second is answered when the first has been dealt with
                await page.say("ping", sent=1, seen=6)
                await page.next("pong")
            await offer.arefresh_from_db()
            assert offer.expires_at == expires


def _lose_who_is_there(match: Match) -> None:
    for key in sweeps.redis().scan_iter(f"*:presence:{match.pk}:*"):
        sweeps.redis().delete(key)
