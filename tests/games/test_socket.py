"""The live protocol, over the real ASGI application."""

from __future__ import annotations

import json
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.contrib.sessions.models import Session
from django.test import Client

from accounts.models import User
from games import hub, store, timekeeping
from games.models import Event, Match
from games.rules import events
from games.rules.tiles import parse_tile

from .factory import NOW, begun, deal, make_match, make_user
from .sockets import opened

pytestmark = pytest.mark.django_db(transaction=True)

# Seat 0 must open with 6-6; 6-5 and 6-4 fit after it, and seat 0 is then left without a fit.
DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")


@pytest.fixture(autouse=True)
def clock(monkeypatch: pytest.MonkeyPatch) -> Any:
    """The wall clock, standing at NOW + 5 s until a test moves it."""

    class Clock:
        now = NOW + 5000

    monkeypatch.setattr(timekeeping, "now_ms", lambda: Clock.now)
    return Clock


@pytest.fixture
def ada() -> User:
    return make_user("ada")


@pytest.fixture
def bo() -> User:
    return make_user("bo")


@pytest.fixture
def match(ada: User, bo: User) -> Match:
    """A match in which ada must open with 6-6, at version 4."""
    return make_match([ada, bo], begun(DEALT))


async def stored(match: Match) -> list[str]:
    return [do async for do in Event.objects.filter(match=match).values_list("do", flat=True)]


async def test_both_press_start_and_everybody_sees_the_deal(ada: User, bo: User) -> None:
    match = await sync_to_async(make_match)([ada, bo])
    async with opened(match, ada) as hers, opened(match, bo) as his, opened(match) as theirs:
        await his.view(0)
        await theirs.view(0)
        first = await hers.view(0)
        assert first["legal"] == [{"do": "ready"}]
        assert first["clock"]["due"] == 55_000
        assert (first["hand"], first["you"], first["events"]) == (None, 0, [])
        await hers.say("ready", version=0)
        assert (await his.view(1))["ready"] == [True, False]
        await his.say("ready", version=1)
        views = [await socket.view(4) for socket in (hers, his, theirs)]
        assert [len(view["hand"] or []) for view in views] == [7, 7, 0]
        assert [view["you"] for view in views] == [0, 1, None]
        assert all(view["phase"] == "opening" for view in views)
        assert [event["do"] for event in views[2]["events"]] == ["ready", "deal", "start"]
        assert all("hands" not in event for event in views[0]["events"])


async def test_a_play_reaches_everybody_with_its_table_and_clock(
    match: Match, ada: User, bo: User
) -> None:
    async with opened(match, ada) as hers, opened(match, bo) as his:
        await hers.view(4)
        await hers.say("play", tile="6-6", arm="open", version=4)
        view = await his.view(5)
        assert view["count"] == 12
        assert view["table"] == [{"tile": "6-6", "arm": "open", "x": 0, "y": 0, "turn": 90}]
        assert view["clock"] == {
            "bank": [120_000, 120_000],
            "running": 1,
            "left": 130_000,
            "delay_left": 10_000,
            "now": NOW + 5000,
            "due": None,
        }
        assert {"do": "play", "tile": "6-5", "arm": "left"} in view["legal"]
        assert (await hers.view(5))["legal"] == []


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        ("{", "malformed"),
        ("[]", "malformed"),
        ('{"do": "nonsense", "version": 4}', "malformed"),
        ('{"do": "play", "tile": "6-6", "arm": "open", "version": "4"}', "malformed"),
        (
            '{"do": "play", "tile": "6-6", "arm": "open", "version": 4' + " " * 5000 + "}",
            "too_large",
        ),
        ('{"do": "play", "tile": "6-6", "arm": "open", "version": 3}', "stale"),
        ('{"do": "play", "tile": "1-0", "arm": "open", "version": 4}', "must_open_with"),
        ('{"do": "play", "tile": "6-5", "arm": "open", "version": 4}', "not_in_hand"),
        ('{"do": "play", "tile": "6-6", "arm": "left", "version": 4}', "no_such_end"),
        ('{"do": "draw", "version": 4}', "wrong_phase"),
        ('{"do": "ping", "sent": "x", "seen": 4}', "malformed"),
        ("\ud800", "malformed"),
    ],
)
async def test_a_bad_frame_is_refused_changes_nothing_and_keeps_the_socket(
    match: Match, ada: User, bo: User, frame: str, code: str, clock: Any
) -> None:
    before = await sync_to_async(store.load)(match.pk)
    async with opened(match, ada) as hers, opened(match, bo) as his:
        await hers.view(4)
        await his.view(4)
        clock.now += 60_000
        await hers.raw(frame)
        refusal = await hers.next("refused")
        assert refusal["code"] == code
        assert refusal["message"]
        assert refusal["version"] == 4
        assert await his.nothing()
        after = await sync_to_async(store.load)(match.pk)
        assert after.position == before.position
        await hers.say("play", tile="6-6", arm="open", version=4)
        assert (await hers.view(5))["clock"]["bank"] == [120_000 - (64_000 - 10_000), 120_000]


async def test_a_stale_command_is_followed_by_the_current_view(match: Match, ada: User) -> None:
    async with opened(match, ada) as hers:
        await hers.view(4)
        await hers.say("play", tile="6-6", arm="open", version=2)
        assert (await hers.next("refused"))["code"] == "stale"
        assert (await hers.next("view"))["version"] == 4


async def test_an_oversized_or_binary_frame_is_refused(match: Match, ada: User) -> None:
    async with opened(match, ada) as hers:
        await hers.view(4)
        await hers.raw(data=b"\xff\xfe")
        assert (await hers.next("refused"))["code"] == "malformed"
        await hers.raw(data=b'{"do": "play", "tile": "6-6", "arm": "open", "version": 4}')
        assert (await hers.view(5))["count"] == 12


async def test_a_spectator_and_a_stranger_may_not_command(match: Match) -> None:
    stranger = await sync_to_async(make_user)("eve")
    for user in (None, stranger):
        async with opened(match, user) as socket:
            assert (await socket.view(4))["you"] is None
            for do in ("resign", "flag", "ready"):
                await socket.say(do, version=4)
                assert (await socket.next("refused"))["code"] == "not_a_player"
    assert len(await stored(match)) == 4


async def test_a_repeated_command_is_answered_with_the_view_and_stored_once(
    match: Match, ada: User
) -> None:
    async with opened(match, ada) as hers:
        await hers.view(4)
        for _ in range(3):
            await hers.say("play", tile="6-6", arm="open", version=4)
            assert (await hers.next("view"))["version"] == 5
        await hers.say("play", tile="1-0", arm="open", version=4)
        assert (await hers.next("refused"))["code"] == "stale"
    assert (await stored(match)).count("play") == 1


async def test_a_drawn_tile_is_told_to_its_drawer_alone(match: Match, ada: User, bo: User) -> None:
    played = events.Play(seat=0, at=2000, tile=parse_tile("6-6"), arm="open")
    answer = events.Play(seat=1, at=2000, tile=parse_tile("6-5"), arm="left")
    match = await sync_to_async(make_match)(
        [await sync_to_async(make_user)("cy"), await sync_to_async(make_user)("di")],
        [*begun(DEALT), played, answer],
    )
    cy = await User.objects.aget(username="cy")
    async with opened(match, cy) as hers, opened(match) as theirs:
        await hers.view(6)
        await theirs.view(6)
        await hers.say("draw", version=6)
        own, public = (await hers.view(7)), (await theirs.view(7))
        drawn = {"do": "draw", "seat": 0, "at": 5000}
        assert own["events"] == [{**drawn, "tile": "5-4"}]
        assert public["events"] == [drawn]
        assert own["legal"] == [{"do": "play", "tile": "5-4", "arm": "left"}]


async def test_a_deadline_passed_is_judged_by_a_flag(
    match: Match, ada: User, bo: User, clock: Any
) -> None:
    async with opened(match, ada) as hers, opened(match, bo) as his:
        await his.view(4)
        await his.say("flag", version=4)
        assert (await his.view(4))["phase"] == "opening"
        clock.now = NOW + 1000 + 130_000
        await his.say("flag", version=4)
        over = await hers.view(5)
        assert over["result"] == {"winner": 1, "reason": "time"}
        assert over["clock"]["bank"] == [0, 120_000]
        assert over["chips"] == [150, 150]


async def test_a_command_at_the_deadline_loses_and_nothing_is_accepted_after(
    match: Match, ada: User, clock: Any
) -> None:
    async with opened(match, ada) as hers:
        await hers.view(4)
        clock.now = NOW + 1000 + 130_000
        await hers.say("play", tile="6-6", arm="open", version=4)
        messages = [await hers.json() for _ in range(3)]
        kinds = {message["type"]: message for message in messages}
        assert kinds["refused"]["code"] in {"stale", "match_over"}
        assert kinds["view"]["result"] == {"winner": 1, "reason": "time"}
    assert (await stored(match))[-1] == "timeout"


async def test_a_ping_is_answered_and_mends_a_page_that_missed_something(
    match: Match, ada: User
) -> None:
    async with opened(match, ada) as hers:
        await hers.view(4)
        await hers.say("ping", sent=123, seen=4)
        assert await hers.next("pong") == {"type": "pong", "sent": 123, "now": NOW + 5000}
        assert await hers.nothing()
        await hers.say("ping", sent=124, seen=3)
        assert (await hers.next("view"))["version"] == 4


async def test_presence_says_who_is_there(match: Match, ada: User, bo: User) -> None:
    async with opened(match, ada) as hers:
        assert (await hers.next("presence"))["online"] == [True, False]
        async with opened(match, bo):
            assert (await hers.next("presence"))["online"] == [True, True]
            async with opened(match):
                assert (await hers.next("presence"))["watching"] == 1
        assert await hers.until(lambda m: m.get("online") == [True, False])


async def test_an_unknown_match_closes_with_4404() -> None:
    async with opened("nosuchmatch") as socket:
        assert await socket.closed() == 4404


@pytest.mark.parametrize("match_id", ["a/b", "%00", "é", "..", "x" * 3000])
async def test_an_address_that_leads_nowhere_closes_with_4404(match_id: str) -> None:
    async with opened(match_id) as socket:
        assert await socket.closed() == 4404


async def test_a_foreign_origin_closes_with_4403(match: Match) -> None:
    for origin in (b"http://evil.example", b"https://localhost", b"http://localhost:81", b"null"):
        async with opened(match, headers=((b"origin", origin),)) as socket:
            assert await socket.closed() == 4403


async def test_a_command_of_a_session_that_has_ended_closes_with_4401(
    match: Match, ada: User
) -> None:
    async with opened(match, ada) as hers:
        assert (await hers.view(4))["you"] == 0
        await Session.objects.all().adelete()
        await hers.say("play", tile="6-6", arm="open", version=4)
        assert (await hers.next("refused"))["code"] == "signed_out"
        assert await hers.closed() == 4401
    assert len(await stored(match)) == 4


async def test_a_sign_out_closes_the_sockets_of_its_session_alone(match: Match, ada: User) -> None:
    here, elsewhere = Client(), Client()
    for client in (here, elsewhere):
        await sync_to_async(client.force_login)(ada)
    async with (
        opened(match, client=here) as hers,
        opened(match, client=here) as second_tab,
        opened(match, client=elsewhere) as other,
    ):
        for socket in (hers, second_tab, other):
            await socket.view(4)
        await sync_to_async(here.logout)()
        assert await hers.closed() == 4401
        assert await second_tab.closed() == 4401
        await other.say("play", tile="6-6", arm="open", version=4)
        assert (await other.view(5))["count"] == 12


async def test_a_new_password_closes_all_sockets_of_the_user(
    match: Match, ada: User, bo: User
) -> None:
    async with opened(match, ada) as hers, opened(match, bo) as his:
        await hers.view(4)
        await his.view(4)
        ada.set_password("another-pass-9")
        await ada.asave()
        assert await hers.closed() == 4401
        assert await his.nothing()


async def test_a_user_and_an_address_have_a_limited_number_of_sockets(
    match: Match, ada: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hub, "PER_USER", 1)
    monkeypatch.setattr(hub, "PER_ADDRESS", 2)
    async with opened(match, ada) as hers:
        await hers.view(4)
        async with opened(match, ada) as tab:
            assert await tab.closed() == 1013
        async with opened(match) as theirs:
            await theirs.view(4)
            async with opened(match) as more:
                assert await more.closed() == 1013
        await hers.say("play", tile="6-6", arm="open", version=4)
        await hers.view(5)
    async with opened(match, ada) as again:
        await again.view(5)


async def test_a_flood_closes_with_4408(match: Match) -> None:
    async with opened(match) as socket:
        for _ in range(200):
            await socket.raw("{}")
        assert await socket.closed() == 4408


async def test_form_values_are_coerced_for_the_page_alone(match: Match, ada: User) -> None:
    form = {"do": "play", "tile": "6-6", "arm": "open", "version": "4", "HEADERS": {"x": "y"}}
    async with opened(match, ada, rendering="") as page, opened(match) as watching:
        await watching.view(4)
        await page.raw(json.dumps(form))
        assert (await watching.view(5))["count"] == 12


async def test_a_failure_inside_is_refused_logged_once_and_keeps_the_socket(
    match: Match, ada: User, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*args: object) -> bool:
        raise RuntimeError("the database is on fire")

    async with opened(match, ada) as hers:
        await hers.view(4)
        with monkeypatch.context() as patch:
            patch.setattr(store, "submit", broken)
            await hers.say("play", tile="6-6", arm="open", version=4)
            refusal = await hers.next("refused")
        assert refusal["code"] == "failed"
        assert "fire" not in refusal["message"]
        failures = [record for record in caplog.records if record.levelname == "ERROR"]
        assert len(failures) == 1
        assert match.pk in failures[0].getMessage()
        await hers.say("play", tile="6-6", arm="open", version=4)
        assert (await hers.view(5))["count"] == 12
