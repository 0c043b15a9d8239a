"""The clocks of stored matches: what costs time, what loses, and what changes nothing."""

from __future__ import annotations

import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import connection
from django.test import Client

from accounts.models import User
from games import store, timekeeping
from games.models import Match
from games.play import Command, Refused
from games.rules import events
from games.rules.events import Event
from games.rules.match import Phase, State, apply, legal
from games.rules.table import ARMS
from games.rules.tiles import ALL_TILES, parse_tile

from .factory import NOW, begun, deal, make_match, make_user, whatever_comes
from .sockets import opened

pytestmark = pytest.mark.django_db(transaction=True)

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")
OPENING = Command("play", 4, parse_tile("6-6"), "open")


@pytest.fixture
def players(request: pytest.FixtureRequest) -> list[User]:
    request.getfixturevalue("transactional_db")
    return [make_user("ada"), make_user("bo")]


def answer_of(state: State, version: int) -> Command:
    """The first legal answer of the awaited seat, as a command."""
    answer = legal(state)[0]
    tile = parse_tile(answer["tile"]) if "tile" in answer else None
    return Command(answer["do"], version, tile, answer.get("arm", ""), answer.get("min", 0))


def told_until(wanted: Phase) -> list[Event]:
    """The events of some match until a decision of a phase begins, all at 1000 ms."""
    for seed in range(50):
        chance, state = random.Random(seed), State()
        told: list[Event] = []
        while state.phase is not Phase.MATCH_OVER:
            for event in whatever_comes(state, chance, 1000):
                state = apply(state, event)
                told.append(event)
                if state.phase is wanted and len(legal(state)) > 1:
                    return told
    raise AssertionError(f"no match comes to {wanted}")


def test_thirty_decisions_of_nine_seconds_leave_the_bank_whole(players: list[User]) -> None:
    match, now, decided = make_match(players, begun(DEALT)), NOW + 1000, 0
    while decided < 30:
        position = store.load(match.pk).position
        state = position.state
        if state.phase is Phase.ROUND_OVER:
            for seat in (0, 1):
                store.submit(match.pk, players[seat].pk, Command("ready", None), now)
            continue
        assert state.to_act is not None, "the match is over too soon"
        if state.drawn is None:  # draws and the tile after them are one decision
            now += 9_000
            decided += 1
        command = answer_of(state, position.version)
        store.submit(match.pk, players[state.to_act].pk, command, now)
    assert store.load(match.pk).position.state.clock.bank == (120_000, 120_000)


def test_the_first_turns_of_both_get_the_same_delay(players: list[User]) -> None:
    match = make_match(players, begun(DEALT))
    store.submit(match.pk, players[0].pk, OPENING, NOW + 1000 + 10_000)
    reply = Command("play", 5, parse_tile("6-5"), "left")
    store.submit(match.pk, players[1].pk, reply, NOW + 1000 + 20_000)
    assert store.load(match.pk).position.state.clock.bank == (120_000, 120_000)


@pytest.mark.parametrize("phase", [Phase.OPENING, Phase.AUCTION, Phase.PLAY])
def test_whoever_had_to_answer_loses_on_time_and_pays_nothing(
    players: list[User], phase: Phase
) -> None:
    told = begun(DEALT) if phase is Phase.OPENING else told_until(phase)
    match = make_match(players, told)
    before = store.load(match.pk).position.state
    assert before.phase is phase
    loser = before.to_act
    assert loser is not None
    assert match.due is not None
    store.sweep(match.due - 1)
    assert store.load(match.pk).position.state == before
    store.sweep(match.due)
    after = store.load(match.pk).position
    assert after.state.chips == before.chips
    match.refresh_from_db()
    assert (match.winner, match.reason) == (1 - loser, "time")
    commands = [Command(do, after.version) for do in ("resign", "ready", "draw", "pass")]
    commands += [Command(do, after.version) for do in ("accept", "decline", "reveal")]
    commands += [Command("bid", after.version, points=15)]
    commands += [Command("play", after.version, tile, arm) for tile in ALL_TILES for arm in ARMS]
    for seat in (0, 1):
        for command in commands:
            with pytest.raises(Refused, match="match_over"):
                store.submit(match.pk, players[seat].pk, command, NOW + 999_000)


def test_sweeps_flags_and_a_command_at_once_lose_a_match_once(players: list[User]) -> None:
    match = make_match(players, begun(DEALT))
    assert match.due is not None
    late = match.due

    def work(number: int) -> None:
        try:
            if number % 3 == 0:
                store.sweep(late)
            elif number % 3 == 1:
                store.submit(match.pk, players[number % 2].pk, Command("flag", None), late)
            else:
                store.submit(match.pk, players[0].pk, OPENING, late)
        except Refused:
            pass
        finally:
            connection.close()

    with ThreadPoolExecutor(12) as threads:
        list(threads.map(work, range(12)))
    told = list(match.events.values_list("do", flat=True))
    assert told == ["ready", "ready", "deal", "start", "timeout"]


async def test_reloads_reconnects_tabs_refusals_and_the_rules_change_no_clock(
    players: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    moment = NOW + 40_000
    monkeypatch.setattr(timekeeping, "now_ms", lambda: moment)
    match = await sync_to_async(make_match)(players, begun(DEALT))
    ada = players[0]

    def figures() -> Any:
        row = Match.objects.get(pk=match.pk)
        return row.version, row.due, row.snapshot

    before = await sync_to_async(figures)()
    client = Client()
    await sync_to_async(client.force_login)(ada)
    for address in (match.get_absolute_url(), "/rules/", match.get_absolute_url(), "/"):
        assert (await sync_to_async(client.get)(address)).status_code == 200
    for _ in range(3):
        async with opened(match, ada) as hers, opened(match, ada) as second_tab:
            view = await hers.view(4)
            assert view["clock"]["left"] == 130_000 - 39_000
            await second_tab.view(4)
            await hers.say("play", tile="1-0", arm="open", version=4)
            await second_tab.say("play", tile="6-6", arm="open", version=1)
            await hers.next("refused")
            await second_tab.next("refused")
    assert await sync_to_async(figures)() == before


def test_a_pass_the_server_makes_gives_the_other_a_fresh_delay(
    players: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever acts after a compulsory answer has all ten seconds, from the event before it."""
    chance = random.Random(99)  # three such passes come soon

    def dealt() -> events.Deal:
        tiles = chance.sample(ALL_TILES, len(ALL_TILES))
        hands = (tuple(tiles[:7]), tuple(tiles[7:14]))
        return events.Deal(hands=hands, boneyard=tuple(tiles[14:]))

    monkeypatch.setattr(store, "shuffled_deal", dealt)
    match = make_match(players, told_until(Phase.PLAY))
    now, passes = NOW + 1000, 0
    for _ in range(2_000):
        position = store.load(match.pk).position
        state = position.state
        if state.phase is Phase.MATCH_OVER or passes >= 3:
            break
        if state.phase is Phase.ROUND_OVER:
            for seat in (0, 1):
                store.submit(match.pk, players[seat].pk, Command("ready", None), now)
            continue
        assert state.to_act is not None
        now += 10 if state.drawn else 9_990
        command = answer_of(state, position.version)
        store.submit(match.pk, players[state.to_act].pk, command, now)
        after = store.load(match.pk).position
        own = match.events.filter(n__gt=position.version, do="pass", data__auto=True)
        if own.exists() and after.state.clock.running is not None:
            passes += 1
            assert after.state.clock.since == now - NOW
            assert {data["at"] for data in own.values_list("data", flat=True)} == {now - NOW}
    assert passes == 3
