"""Watching: which live matches are shown to whom, in which order, and at what price."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import translation
from redis.exceptions import ConnectionError as RedisAway

from accounts.models import User
from games import presence, sweeps, timekeeping, watch
from games.models import Match, Seat
from games.presence import Attendance, hang_up
from games.rules import events
from games.rules.tiles import parse_tile

from .factory import NOW, begun, deal, go_on, make_match, make_user, nearly_won
from .sockets import Socket, opened

pytestmark = pytest.mark.django_db

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")
FIRST = events.Play(seat=0, at=1500, tile=parse_tile("6-6"), arm="open")


@pytest.fixture(autouse=True)
def at_a_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW + 3000)


def running(*names: str, level: int | None = 1500, told: Any = None) -> Match:
    """A match that is being played by two new players."""
    match = make_match([make_user(name) for name in names], told or begun(DEALT))
    Match.objects.filter(pk=match.pk).update(level=level)
    return match


def many(count: int) -> list[Match]:
    """Running matches in bulk, the highest rated first."""
    model = running("model", "other")
    users = User.objects.bulk_create(
        User(username=f"u{n}", email=f"u{n}@x.org") for n in range(2 * count)
    )
    values = {"epoch": NOW, "version": model.version, "snapshot": model.snapshot}
    matches = Match.objects.bulk_create(
        Match(level=3000 - n, due=model.due, **values) for n in range(count)
    )
    Seat.objects.bulk_create(
        Seat(match=match, seat=seat, user=users[2 * n + seat], name=users[2 * n + seat].username)
        for n, match in enumerate(matches)
        for seat in (0, 1)
    )
    return matches


def shown(client: Client) -> list[str]:
    """The ids of the matches on the page, in its order."""
    watch.forget()
    page = client.get(reverse("watch")).content.decode()
    return re.findall(r'<li id="m-(\w+)"', page)


def test_the_highest_rated_comes_first_and_the_unrated_last(client: Client) -> None:
    low = running("a", "b", level=1400)
    none = running("c", "d", level=None)
    high = running("e", "f", level=1900)
    older = running("g", "h", level=1900)
    moment = Match.objects.get(pk=high.pk).created_at - timedelta(minutes=1)
    Match.objects.filter(pk=older.pk).update(created_at=moment)
    assert shown(client) == [older.pk, high.pk, low.pk, none.pk]


def test_only_what_is_being_played_is_shown(client: Client) -> None:
    make_match([make_user("a"), make_user("b")])
    make_match([make_user("c"), make_user("d")], [events.Ready(seat=0, at=10)])
    over = running("e", "f")
    go_on(over, [events.Resign(seat=0, at=2000)])
    assert shown(client) == []
    assert "Nobody is playing" in client.get(reverse("watch")).content.decode()
    match = running("g", "h")
    assert shown(client) == [match.pk]


def test_a_card_says_who_plays_and_how_it_stands(client: Client) -> None:
    match = running("ada", "bo", told=[*begun(DEALT), FIRST])
    Seat.objects.filter(match=match, seat=0).update(rating=1612, provisional=False)
    Seat.objects.filter(match=match, seat=1).update(rating=1499, provisional=True)
    page = client.get(reverse("watch")).content.decode()
    words = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "ada 1612 150 points bo 1499? 150 points Round 1. bo is to move. Rated Watch" in words
    assert match.get_absolute_url() in page
    assert reverse("player", args=["ada"]) in page
    assert 'href="#t66"' in page


@pytest.mark.spoils_matches
def test_no_more_than_so_many_and_how_many_more(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watch, "MOST", 3)
    matches = many(4)  # and the one they are copied from
    assert shown(client) == [match.pk for match in matches[:3]]
    assert "2 more matches are being played." in client.get(reverse("watch")).content.decode()


@pytest.mark.spoils_matches
def test_the_queries_do_not_grow_with_the_matches(client: Client) -> None:
    def queries() -> int:
        watch.forget()
        with CaptureQueriesContext(connection) as asked:
            assert client.get(reverse("watch")).status_code == 200
        return len(asked)

    running("a", "b")
    queries()  # what a process asks once
    few = queries()
    many(20)
    assert queries() == few <= 4


@pytest.mark.parametrize("name", ["watch", "watch_list", "watch_best"])
def test_one_rendering_serves_everybody_for_a_moment(
    name: str, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def asked_for() -> bytes:
        """Without the header, which has a token for each answer."""
        return client.get(reverse(name)).content.rpartition(b"</header>")[2]

    match = running("ada", "bo")
    first = asked_for()
    with CaptureQueriesContext(connection) as asked:
        for _ in range(20):
            assert asked_for() == first
    shelved = [one for one in asked.captured_queries if "games_match" in one["sql"]]
    assert shelved == []
    go_on(match, [FIRST])
    assert asked_for() == first
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW + 3000 + watch.FRESH)
    assert asked_for() != first


def test_each_language_has_its_own() -> None:
    rendered: list[str | None] = []

    def render(now: int) -> str:
        rendered.append(translation.get_language())
        return f"{now}"

    shared = watch.Shared(render)
    for language in ("en", "de", "en", "de"):
        with translation.override(language):
            shared.text(NOW)
    assert rendered == ["en", "de"]


def test_nothing_is_sent_to_a_page_that_shows_it_already(client: Client) -> None:
    match = running("ada", "bo")
    page = client.get(reverse("watch")).content.decode()
    (name,) = re.findall(r'data-seen="(\w+)"', page)
    again = client.get(reverse("watch_list"), {"seen": name})
    assert (again.status_code, again.content) == (204, b"")
    go_on(match, [FIRST])
    watch.forget()
    news = client.get(reverse("watch_list"), {"seen": name})
    assert news.status_code == 200
    assert news.headers["X-Seen"] not in ("", name)
    assert "no-cache" in news.headers["Cache-Control"]


def test_how_many_watch(client: Client) -> None:
    match = running("ada", "bo")
    quiet = running("cy", "di")
    key = presence._key(match.pk, None)
    now = NOW + 3000
    sweeps.redis().zadd(key, {"one": now + 1, "two": now + 900, "gone": now})
    try:
        counts = {one.id: one.watching for one in watch.listing(now).cards}
        assert counts == {match.pk: 2, quiet.pk: 0}
        assert client.get(reverse("watch")).content.decode().count("watching</span>") == 1
    finally:
        sweeps.redis().delete(key)


def test_a_redis_that_is_away_costs_only_the_counts(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = []

    def away(*_: object) -> dict[str, int]:
        asked.append(1)
        raise RedisAway("refused")

    monkeypatch.setattr(presence, "watching", away)
    match = running("ada", "bo")
    for _ in range(3):
        watch.LIST.forget()
        assert f"m-{match.pk}" in client.get(reverse("watch")).content.decode()
    assert len(asked) == 1  # it is not waited for again and again
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW + 3000 + watch.PATIENCE)
    client.get(reverse("watch"))
    assert len(asked) == 2
    assert match.pk in client.get(reverse("watch_best")).content.decode()


def test_the_best_match_is_on_the_home_page(client: Client) -> None:
    running("a", "b", level=1400)
    best = running("c", "d", level=1700)
    for user in (None, make_user("visitor")):
        if user is not None:
            client.force_login(user)
        page = client.get(reverse("home")).content.decode()
        assert f'ws-connect="/ws/matches/{best.pk}/small/"' in page
    go_on(best, [events.Resign(seat=0, at=2000)])
    watch.forget()
    assert best.pk not in client.get(reverse("watch_best")).content.decode()


def test_without_a_match_the_home_page_invites(client: Client) -> None:
    page = client.get(reverse("watch_best")).content.decode()
    assert "Nobody is playing" in page
    assert "ws-connect" not in page
    assert reverse("rules") in page


async def until(socket: Socket, mark: str) -> str:
    """The first frame in which something is said."""
    while mark not in (text := await socket.text()):
        pass
    return text


@pytest.mark.django_db(transaction=True)
class TestSmallSocket:
    """The best match on the home page, as its socket tells it."""

    async def test_it_follows_the_match_to_its_end(self) -> None:
        told, tile, arm = nearly_won()
        users = [await sync_to_async(make_user)(name) for name in ("ada", "bo")]
        match = await sync_to_async(make_match)(users, told)
        async with opened(match, users[0]) as hers, opened(match, rendering="small/") as small:
            first = await until(small, 'id="best-state"')
            assert f'data-version="{len(told)}"' in first
            assert "<button" not in first
            await hers.say("play", tile=tile, arm=arm, version=len(told))
            last = await until(small, f'data-version="{len(told) + 1}"')
        assert 'data-phase="match_over"' in last
        assert "ada wins" in last

    async def test_it_is_not_counted_but_told_how_many_watch(self) -> None:
        users = [await sync_to_async(make_user)(name) for name in ("ada", "bo")]
        match = await sync_to_async(make_match)(users, begun(DEALT))
        async with opened(match, rendering="small/") as small, opened(match, users[0]) as hers:
            assert (await hers.next("presence"))["watching"] == 0
            async with opened(match, rendering=""):
                assert (await hers.until(lambda m: m.get("watching", 0) > 0))["watching"] == 1
                assert "1 watching" in await until(small, "1 watching")

    async def test_a_player_is_a_spectator_there(self) -> None:
        users = [await sync_to_async(make_user)(name) for name in ("ada", "bo")]
        match = await sync_to_async(make_match)(users, begun(DEALT))
        async with opened(match, users[0], rendering="small/") as small:
            await until(small, 'id="best-state"')
            await small.say("play", tile="6-6", arm="open", version=4)
            assert "not_a_player" in await until(small, "data-refused")


async def test_a_socket_that_only_looks_is_not_on_the_list() -> None:
    watcher = Attendance("abc", None, "one")
    onlooker = Attendance("abc", None, "two", counted=False)
    looks = (watcher.touch, onlooker.touch, onlooker.leave, watcher.leave)
    assert [(await look(NOW)).watching for look in looks] == [1, 1, 1, 0]
    await hang_up()
