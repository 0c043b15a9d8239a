"""One device for two over its sockets: each page of it shows what it has asked for, and no more."""

from __future__ import annotations

import re
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from games import store
from games.hub import hub_here
from games.models import Match

from .factory import deal, make_user
from .sockets import Socket, opened

pytestmark = pytest.mark.django_db(transaction=True)

# Seat 0 must open, seat 1 has to draw twice.
DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "5-4 5-3 5-2 5-1 5-0 4-4 4-3", "5-5 6-4")
HANDS = [sorted(map(str, hand)) for hand in DEALT.hands]


@pytest.fixture
def match(client: Client, monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setattr(store, "shuffled_deal", lambda: DEALT)
    sent = client.post(reverse("two"), {"one": "Ada", "two": "Bo"})
    return Match.objects.get(pk=sent["Location"].split("/")[2])


async def handed(socket: Socket) -> dict[str, Any]:
    await socket.view(0)
    await socket.say("ready")
    return await socket.view(4)


async def test_a_whole_turn(match: Match, client: Client) -> None:
    async with opened(match, client=client) as socket:
        first = await socket.view(0)
        assert first["legal"] == [{"do": "ready"}]
        await socket.say("ready")
        seen = await socket.view(4)
        assert [event["do"] for event in seen["events"]] == ["ready", "ready", "deal", "start"]
        assert (seen["phase"], seen["to_act"], seen["you"]) == ("handover", 0, None)
        assert (seen["hand"], seen["covered"]) == (None, True)
        assert seen["legal"] == [{"do": "reveal"}]
        await socket.say("reveal", version=4)
        seen = await socket.view(5)
        assert (seen["you"], seen["hand"], seen["phase"]) == (0, HANDS[0], "opening")
        assert seen["legal"] == [{"do": "play", "tile": "6-6", "arm": "open"}]
        assert seen["events"] == [{"do": "reveal", "seat": 0, "at": seen["events"][0]["at"]}]
        await socket.say("play", version=5, tile="6-6", arm="open")
        seen = await socket.view(6)
        assert (seen["you"], seen["hand"], seen["to_act"]) == (None, None, 1)
        assert [laid["tile"] for laid in seen["table"]] == ["6-6"]


async def test_a_drawn_tile_is_told_in_its_turn_alone(match: Match, client: Client) -> None:
    async with opened(match, client=client) as socket, opened(match, client=client) as other:
        await handed(socket)
        await socket.say("reveal", version=4)
        await socket.view(5)
        await socket.say("play", version=5, tile="6-6", arm="open")
        await socket.view(6)
        await socket.say("reveal", version=6)
        await socket.view(7)
        await socket.say("draw", version=7)
        seen = await socket.view(8)
        assert (seen["you"], seen["events"][0]["tile"]) == (1, "5-5")
        elsewhere = await other.view(8)
        assert (elsewhere["you"], elsewhere["hand"]) == (None, None)
        assert "tile" not in elsewhere["events"][0]


async def test_a_reveal_uncovers_the_page_that_asked(match: Match, client: Client) -> None:
    async with opened(match, client=client) as one, opened(match, client=client) as two:
        await handed(one)
        await two.view(4)
        await one.say("reveal", version=4)
        assert (await one.view(5))["hand"] == HANDS[0]
        other = await two.view(5)
        assert (other["you"], other["hand"], other["covered"]) == (None, None, True)
        assert (other["phase"], other["clock"]["running"]) == ("opening", 0)
        await two.say("reveal", version=5)
        shown = await two.view(5)
        assert (shown["you"], shown["hand"]) == (0, HANDS[0])
        assert await one.nothing()


async def test_a_reload_covers_a_turn_and_stops_no_clock(match: Match, client: Client) -> None:
    async with opened(match, client=client) as socket:
        await handed(socket)
        await socket.say("reveal", version=4)
        await socket.view(5)
    async with opened(match, client=client) as again:
        seen = await again.view(5)
        assert (seen["hand"], seen["covered"], seen["legal"]) == (None, True, [{"do": "reveal"}])
        assert seen["clock"]["running"] == 0
        left = seen["clock"]["left"]
        # An old version, or one that is yet to come, asks for nothing.
        await again.say("reveal", version=3)
        refused = await again.next("refused")
        assert refused["code"] == "stale"
        assert (await again.view(5))["hand"] is None
        await again.say("reveal", version=99)
        assert (await again.next("refused"))["code"] == "stale"
        await again.say("reveal", version=5)
        while (seen := await again.view(5))["hand"] is None:
            pass
        assert seen["hand"] == HANDS[0]
        assert 0 < seen["clock"]["left"] <= left


async def test_what_a_page_asks_ahead_shows_no_later_turn(match: Match, client: Client) -> None:
    async with opened(match, client=client) as socket, opened(match, client=client) as other:
        await handed(other)
        await socket.view(4)
        await socket.say("reveal", version=10**6)
        await socket.next("refused")
        await socket.view(4)
        await other.say("reveal", version=4)
        await other.view(5)
        await other.say("play", version=5, tile="6-6", arm="open")
        await other.view(6)
        await other.say("reveal", version=6)
        assert (await other.view(7))["hand"] == HANDS[1]
        assert (await socket.view(7))["hand"] is None


async def test_nobody_else_is_the_owner(match: Match, client: Client) -> None:
    cy = await sync_to_async(make_user)("cy")
    async with (
        opened(match, client=client) as socket,
        opened(match) as visitor,
        opened(match, cy) as player,
    ):
        await handed(socket)
        for watcher in (visitor, player):
            seen = await watcher.view(4)
            assert (seen["you"], seen["hand"], seen["legal"]) == (None, None, [])
            assert "covered" not in seen
            for do in ("reveal", "ready", "resign"):
                await watcher.say(do, version=4, seat=0)
                assert (await watcher.next("refused"))["code"] == "not_a_player"


async def test_signing_in_beside_it_has_it_come_back_as_the_account(
    match: Match, client: Client
) -> None:
    await sync_to_async(make_user)("ada")
    sign_in = {"login": "ada", "password": "pass-word-9"}
    async with (
        opened(match, client=client) as socket,
        opened(match, client=client, rendering="") as page,
    ):
        await socket.view(0)
        await page.text()
        await sync_to_async(client.post)(reverse("account_login"), sign_in)
        await socket.say("ready")
        assert await socket.closed() == 1012
        await page.say("ready")
        assert await page.closed() == 4012  # the page loads itself anew
    async with opened(match, client=client) as again:
        assert (await handed(again))["covered"] is True


async def test_signing_out_ends_what_the_account_plays(match: Match, client: Client) -> None:
    await sync_to_async(make_user)("ada")
    sign_in = {"login": "ada", "password": "pass-word-9"}
    await sync_to_async(client.post)(reverse("account_login"), sign_in)
    async with opened(match, client=client) as socket:
        await socket.view(0)
        await sync_to_async(client.post)(reverse("account_logout"))
        assert await socket.closed() == 4401


async def test_both_seats_are_there_and_vouched_for_while_the_device_is(
    match: Match, client: Client
) -> None:
    async with opened(match) as visitor:
        assert (await visitor.next("presence"))["online"] == [False, False]
        async with opened(match, client=client) as socket:
            await socket.view(0)
            seen = await visitor.until(lambda m: m["type"] == "presence" and any(m["online"]))
            assert seen == {"type": "presence", "online": [True, True], "watching": 1}
            assert hub_here().seats() == {(match.pk, 0), (match.pk, 1)}
        await visitor.until(lambda m: m["type"] == "presence" and not any(m["online"]))
        assert hub_here().seats() == set()


async def test_the_page_is_covered_by_the_view_that_ends_the_turn(
    match: Match, client: Client
) -> None:
    async with opened(match, client=client, rendering="") as page:

        async def view(version: int) -> str:
            while f'data-version="{version}"' not in (text := await page.text()):
                pass
            return text

        assert 'id="ready"' in await view(0)
        await page.say("ready", version="0")
        covered = await view(4)
        assert "I am Ada: show my tiles" in covered
        assert 'class="tile' not in covered
        await page.say("reveal", version="4")
        shown = await view(5)
        assert len(re.findall('class="tile', shown)) == 7
        assert 'id="seat-low"' in shown
        await page.say("play", version="5", tile="6-6", arm="open")
        covered = await view(6)
        assert "Pass the device to Bo" in covered
        assert "The table is covered." in covered
        assert 'class="tile' not in covered
        assert 'data-tiles=""' in covered
        await page.say("reveal", version="6")
        await view(7)
        await page.say("draw", version="7")
        drawn = await view(8)
        log = drawn[drawn.index("#log") : drawn.index("#status")]
        assert "Bo draws a tile." in log
        assert "You draw double five." in drawn
        await page.say("resign", version="8", seat="1")
        assert "Ada wins" in await view(9)
