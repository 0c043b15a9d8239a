"""No leak: what a viewer may not see leaves no trace in a byte that viewer is sent.

Two matches with the same public events, which differ only in tiles hidden from the viewer,
must send that viewer the same pages, frames and refusals, and write the same log lines.
"""

from __future__ import annotations

import itertools
import json
import random
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import transaction
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games import play, store, timekeeping, watch
from games.models import Event, Match, Seat
from games.play import Command, Position, Refused
from games.rules import events
from games.rules.match import Phase, State, legal
from games.rules.sight import Viewer
from games.rules.tiles import ALL_TILES, HAND_SIZE, Tile, parse_tile

from .factory import NOW, make_user
from .sockets import Socket, opened

pytestmark = pytest.mark.django_db(transaction=True)

LENGTH = 16  # commands of a script; it may not reach the end of the round, which shows the hands
TWIN = "twins"  # what the ids begin with
Script = list[tuple[int, Command]]


@dataclass(frozen=True)
class Told:
    """How a script went with one deal; ``versions`` are those after each command."""

    events: tuple[tuple[Any, ...], ...]
    drawn: tuple[tuple[int, Tile], ...]
    played: frozenset[Tile]
    versions: tuple[int, ...]


def deal_of(tiles: list[Tile]) -> events.Deal:
    first, second = tuple(tiles[:HAND_SIZE]), tuple(tiles[HAND_SIZE : 2 * HAND_SIZE])
    return events.Deal(hands=(first, second), boneyard=tuple(tiles[2 * HAND_SIZE :]))


def run(
    script: Iterator[tuple[int, Command]] | Script,
    deal: events.Deal,
    begin: State = State(),  # noqa: B008  # it is frozen
) -> Told | None:
    """Play a script through; None where a command of it is refused with this deal."""
    position = Position(begin, 0, play.START_WITHIN)
    told: list[tuple[Any, ...]] = []
    drawn: list[tuple[int, Tile]] = []
    played: set[Tile] = set()
    versions: list[int] = []
    for seat, command in script:
        try:
            decision = play.decide(position, seat, command, 1000 * position.version, lambda: deal)
        except Refused:
            return None
        for step in decision.steps:
            event = step.event
            if isinstance(event, events.Draw):
                assert step.state.drawn is not None
                drawn.append((event.seat, step.state.drawn))
            if isinstance(event, events.Play):
                played.add(event.tile)
            if not isinstance(event, events.Deal):
                told.append((event, step.state.phase, step.state.to_act, step.state.must_open))
        position = Position(decision.state, position.version + len(decision.steps), decision.due)
        versions.append(position.version)
    if position.state.phase is not (Phase.HANDOVER if begin.shared_device else Phase.PLAY):
        return None
    return Told(tuple(told), tuple(drawn), frozenset(played), tuple(versions))


def random_script(chance: random.Random, deal: events.Deal) -> Script:
    """Both press Start and then give random legal answers, for as long as the round runs."""
    position = Position(State(), 0, play.START_WITHIN)
    script: Script = []
    for _ in range(LENGTH):
        state = position.state
        if state.phase is Phase.NEW:
            seat, command = len(script), Command("ready", position.version)
        else:
            assert state.to_act is not None
            seat, answer = state.to_act, chance.choice(legal(state))
            tile = parse_tile(answer["tile"]) if "tile" in answer else None
            command = Command(answer["do"], position.version, tile, answer.get("arm", ""))
        decision = play.decide(position, seat, command, 1000 * position.version, lambda: deal)
        if decision.state.phase in (Phase.ROUND_OVER, Phase.MATCH_OVER):
            break
        script.append((seat, command))
        position = Position(decision.state, position.version + len(decision.steps), decision.due)
    return script


def twin(
    chance: random.Random,
    deal: events.Deal,
    script: Script,
    viewer: Viewer,
    begin: State = State(),  # noqa: B008  # it is frozen
) -> events.Deal:
    """Another deal that ``viewer`` cannot tell from this one while the script runs.

    Only tiles change places that were never laid and that the viewer never held.
    """
    told = run(script, deal, begin)
    assert told is not None
    own = set() if viewer is None else {*deal.hands[viewer]}
    own |= {tile for seat, tile in told.drawn if seat == viewer}
    tiles = [*deal.hands[0], *deal.hands[1], *deal.boneyard]
    free = [i for i, tile in enumerate(tiles) if tile not in own | told.played]
    for _ in range(20_000):
        moved = [tiles[i] for i in free]
        chance.shuffle(moved)
        other = list(tiles)
        for i, tile in zip(free, moved, strict=True):
            other[i] = tile
        candidate = deal_of(other)
        again = run(script, candidate, begin) if hidden_differ(deal, candidate, viewer) else None
        if again is not None and again.events == told.events:
            return candidate
    pytest.fail("this script has no twin: take another seed")


def hidden_differ(deal: events.Deal, other: events.Deal, viewer: Viewer) -> bool:
    """Whether every hidden part differs: each hand the viewer does not hold, and the boneyard."""
    hands = all(
        sorted(deal.hands[seat]) != sorted(other.hands[seat]) for seat in (0, 1) if seat != viewer
    )
    return hands and deal.boneyard != other.boneyard


class Witness:
    """Everything one viewer is sent."""

    def __init__(self) -> None:
        self.frames: list[str] = []
        self.presence: set[str] = set()

    async def until(self, socket: Socket, *marks: str) -> None:
        """Read until a frame carries one of the marks; presence comes when it comes."""
        while True:
            text = unnumbered(await socket.text())
            if '"presence"' in text or 'watching"' in text:
                self.presence.add(text)
                continue
            self.frames.append(text)
            if any(mark in text for mark in marks):
                return


BAD: list[dict[str, Any]] = [
    {"do": "play", "tile": "6-6", "arm": "left", "version": 3},
    *({"do": "play", "tile": str(tile), "arm": "down"} for tile in ALL_TILES[::5]),
    {"do": "draw"},
    {"do": "pass"},
    {"do": "bid", "points": 15},
    {"do": "nonsense"},
]


async def witness(
    users: list[User], viewer: Viewer, script: Script, deal: events.Deal, rendering: str
) -> Witness:
    """Play the script over real sockets and keep all that the viewer is sent."""
    seen = Witness()
    match = await sync_to_async(new_match)(users)
    watcher = None if viewer is None else users[viewer]
    async with (
        opened(match, users[0]) as first,
        opened(match, users[1]) as second,
        opened(match, watcher, rendering=rendering) as watching,
    ):
        await seen.until(watching, '"version":0', 'data-version="0"')
        told = run(script, deal)
        assert told is not None
        for (seat, command), version in zip(script, told.versions, strict=True):
            frame: dict[str, Any] = {"version": command.version, "arm": command.arm}
            if command.tile:
                frame["tile"] = str(command.tile)
            await (first, second)[seat].say(command.do, **frame)
            marks = (f'"version":{version},"match"', f'data-version="{version}"')
            await seen.until(watching, *marks)
        for bad in BAD:
            await watching.say(**({"version": version} | bad))
            await seen.until(watching, '"refused"', "data-refused")
    async with opened(match, watcher, rendering=rendering) as again:
        await seen.until(again, f'"version":{version}', f'data-version="{version}"')
        await again.say("ping", sent=1, seen=0)
        await seen.until(again, 'pong"')
        await seen.until(again, f'"version":{version}', f'data-version="{version}"')
    seen.frames.append(await sync_to_async(page_of)(match, watcher))
    await sync_to_async(forget)(match)
    return seen


def new_match(users: list[User]) -> Match:
    with transaction.atomic():
        return store.create_match(users, rated=False, now=NOW)


def page_of(match: Match, user: User | None) -> str:
    client = Client()
    if user is not None:
        client.force_login(user)
    return unnumbered(client.get(match.get_absolute_url()).content.decode())


def unnumbered(text: str) -> str:
    """A text in which all matches have the same id."""
    return re.sub(rf"{TWIN}\d+", TWIN, text)


def forget(match: Match) -> None:
    Event.objects.filter(match=match).delete()
    Seat.objects.filter(match=match).delete()
    match.delete()


@pytest.fixture(autouse=True)
def nothing_else_may_differ(monkeypatch: pytest.MonkeyPatch) -> None:
    """The same moment and form token in every match, and ids that differ in nothing but a number:
    news of one that comes late is not to reach the next."""
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW + 5000)
    ids = (f"{TWIN}{n:03}" for n in itertools.count())
    monkeypatch.setitem(vars(Match._meta.pk), "_get_default", lambda: next(ids))
    monkeypatch.setattr("django.template.context_processors.get_token", lambda request: "token")
    monkeypatch.setattr("django.middleware.csrf.get_token", lambda request: "token")


@pytest.mark.parametrize("rendering", ["json/", ""])
@pytest.mark.parametrize("viewer", [0, 1, None])
@pytest.mark.parametrize("seed", [1, 2])
async def test_hidden_tiles_leave_no_trace(
    seed: int,
    viewer: Viewer,
    rendering: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    chance = random.Random(f"{seed} {viewer}")
    deal, script = telling(chance)
    other = twin(chance, deal, script, viewer)
    users = [await sync_to_async(make_user)(name) for name in ("ada", "bo")]
    seen = []
    for one in (deal, other):
        monkeypatch.setattr(store, "shuffled_deal", lambda one=one: one)
        caplog.clear()
        witnessed = await witness(users, viewer, script, one, rendering)
        seen.append((witnessed.frames, [*map(unnumbered, caplog.messages)]))
        assert witnessed.presence <= presences(viewer, rendering)
    assert len(seen[0][0]) > len(script) + len(BAD)
    assert seen[0] == seen[1]


@pytest.mark.parametrize("who", [0, None])
async def test_the_small_table_is_a_spectators_for_a_player_too(
    who: Viewer, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Not even a hand that is the viewer's own is sent to the home page."""
    chance = random.Random("small")
    deal, script = telling(chance)
    other = twin(chance, deal, script, None)
    users = [await sync_to_async(make_user)(name) for name in ("ada", "bo")]
    seen = []
    for one in (deal, other):
        monkeypatch.setattr(store, "shuffled_deal", lambda one=one: one)
        caplog.clear()
        witnessed = await witness(users, who, script, one, "small/")
        seen.append(
            (witnessed.frames[:-1], [*map(unnumbered, caplog.messages)])
        )  # the last is the match page
        assert witnessed.presence <= presences(None, "small/")
    assert len(seen[0][0]) > len(script) + len(BAD)
    assert seen[0] == seen[1]


def test_pages_that_show_live_matches_tell_nothing_hidden(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    # What these pages have shown is known by a digest, which an id is part of.
    monkeypatch.setitem(vars(Match._meta.pk), "_get_default", lambda: TWIN)
    chance = random.Random("watch")
    deal, script = telling(chance)
    other = twin(chance, deal, script, None)
    users = [make_user(name) for name in ("ada", "bo")]
    client.force_login(users[0])
    seen = []
    for one in (deal, other):
        monkeypatch.setattr(store, "shuffled_deal", lambda one=one: one)
        match = new_match(users)
        shown = []
        for seat, command in script:
            store.submit(match.pk, users[seat].pk, command, NOW + 5000)
            watch.forget()
            shown += [client.get(reverse(name)).content for name in ("watch_list", "watch_best")]
        shown += [client.get(reverse(name)).content for name in ("watch", "home")]
        seen.append(shown)
        forget(match)
    assert seen[0] == seen[1]
    assert len(set(seen[0])) > len(script)


def presences(viewer: Viewer, rendering: str) -> set[str]:
    """Every presence a viewer may be told of: who is online, how many watch, nothing else."""
    info = {"players": ["ada", "bo"]}
    told = [
        {"type": "presence", "online": [one, two], "watching": watching}
        for one in (True, False)
        for two in (True, False)
        for watching in range(3)
    ]
    if rendering == "json/":
        return {json.dumps(one, separators=(",", ":")) for one in told}
    if rendering == "small/":
        return {render_to_string("watch/_presence.html", {"presence": one}) for one in told}
    context = {"info": info, "you": viewer}
    return {render_to_string("games/_presence.html", {**context, "presence": one}) for one in told}


def telling(chance: random.Random) -> tuple[events.Deal, Script]:
    """A deal and a script in which both players draw and the round is still running."""
    while True:
        tiles = list(ALL_TILES)
        chance.shuffle(tiles)
        deal = deal_of(tiles)
        script = random_script(chance, deal)
        told = run(script, deal)
        if told and {seat for seat, _ in told.drawn} == {0, 1}:
            return deal, script


def test_the_check_would_notice_a_leak() -> None:
    """The twins really differ in what is hidden: a view that showed it would differ too."""
    chance = random.Random("leak")
    deal, script = telling(chance)
    other = twin(chance, deal, script, 0)
    assert sorted(deal.hands[1]) != sorted(other.hands[1])
    assert deal.boneyard != other.boneyard
    assert deal.hands[0] == other.hands[0]
