"""No leak on one device for two: covered, it is sent nothing that hangs on a hand; and uncovered
for one seat, nothing that hangs on the other one's.

As in ``test_leak``: two matches with the same public events, which differ only in what is hidden,
must send the same pages, frames and refusals, and write the same log lines.
"""

from __future__ import annotations

import random
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.test import Client
from django.urls import reverse

from games import play, store
from games.models import Event, Match, Seat
from games.play import Command, Position
from games.rules import events
from games.rules.match import Phase, State, legal
from games.rules.tiles import ALL_TILES, parse_tile

from .sockets import opened
from .test_leak import BAD, TWIN, Script, Told, Witness, deal_of, nothing_else_may_differ, run, twin

__all__ = ["nothing_else_may_differ"]

pytestmark = pytest.mark.django_db(transaction=True)

BEGIN = State.new(shared_device=True)
LENGTH = 24  # commands of a script, its reveals included


def script_of(chance: random.Random, deal: events.Deal) -> Script:
    """One Start and then random legal answers, up to the last hand-over of the round."""
    position = Position(BEGIN, 0, play.START_WITHIN)
    script: Script = []
    whole: Script = []
    for _ in range(LENGTH):
        state = position.state
        seat, command = 0, Command("ready", position.version)
        if state.phase is not Phase.NEW:
            assert state.to_act is not None
            seat, answer = state.to_act, chance.choice(legal(state))
            tile = parse_tile(answer["tile"]) if "tile" in answer else None
            command = Command(answer["do"], position.version, tile, answer.get("arm", ""))
        decision = play.decide(position, seat, command, 1000 * position.version, lambda: deal)
        if decision.state.phase in (Phase.ROUND_OVER, Phase.MATCH_OVER):
            break
        script.append((seat, command))
        if decision.state.phase is Phase.HANDOVER:
            whole = list(script)
        position = Position(decision.state, position.version + len(decision.steps), decision.due)
    return whole


def telling(chance: random.Random) -> tuple[events.Deal, Script, Told]:
    """A deal and a script in which both players draw, and the device has just changed hands."""
    while True:
        tiles = list(ALL_TILES)
        chance.shuffle(tiles)
        deal = deal_of(tiles)
        script = script_of(chance, deal)
        told = run(script, deal, BEGIN)
        if told and {seat for seat, _ in told.drawn} == {0, 1}:
            return deal, script, told


async def witness(
    client: Client, shows: int | None, script: Script, told: Told, rendering: str, *, owner: bool
) -> Witness:
    """Play the script on one page of the device, and keep all that another one is sent: it asks
    for the tiles of the seat it ``shows``, if any. Without ``owner`` it is a spectator's."""
    seen = Witness()
    sent = await sync_to_async(client.post)(reverse("two"), {"one": "Ada", "two": "Bo"})
    match = await Match.objects.aget(pk=sent["Location"].split("/")[2])
    browser = client if owner else None
    async with (
        opened(match, client=client) as playing,
        opened(match, client=browser, rendering=rendering) as watching,
    ):
        await seen.until(watching, '"version":0', 'data-version="0"')
        for (seat, command), version in zip(script, told.versions, strict=True):
            frame: dict[str, Any] = {"version": command.version, "arm": command.arm}
            if command.tile:
                frame["tile"] = str(command.tile)
            asks = owner and seat == shows and command.do == "reveal"
            await (watching if asks else playing).say(command.do, **frame)
            await seen.until(watching, f'"version":{version},"match"', f'data-version="{version}"')
            await watching.say("ping", sent=1, seen=version)  # else it is sent no more, in the end
            await seen.until(watching, 'pong"')
            loaded = await sync_to_async(client.get)(match.get_absolute_url())
            seen.frames.append(loaded.text)
        for bad in BAD:
            await watching.say(**({"version": version} | bad))
            await seen.until(watching, '"refused"', "data-refused")
    async with opened(match, client=browser, rendering=rendering) as again:
        await seen.until(again, f'"version":{version}', f'data-version="{version}"')
        await again.say("ping", sent=1, seen=0)
        await seen.until(again, 'pong"')
        await seen.until(again, f'"version":{version}', f'data-version="{version}"')
    seen.frames = [text.replace(match.pk, TWIN) for text in seen.frames]
    await sync_to_async(forget)(match)
    return seen


def forget(match: Match) -> None:
    Event.objects.filter(match=match).delete()
    Seat.objects.filter(match=match).delete()
    match.delete()


@pytest.mark.parametrize("rendering", ["json/", ""])
@pytest.mark.parametrize(("shows", "owner"), [(1, True), (None, True), (None, False)], ids=str)
async def test_hidden_tiles_leave_no_trace(
    shows: int | None,
    owner: bool,
    rendering: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    chance = random.Random(f"one device {shows}")
    deal, script, told = telling(chance)
    other = twin(chance, deal, script, shows, BEGIN)
    client = Client()
    seen = []
    for one in (deal, other):
        monkeypatch.setattr(store, "shuffled_deal", lambda one=one: one)
        caplog.clear()
        witnessed = await witness(client, shows, script, told, rendering, owner=owner)
        seen.append((witnessed.frames, caplog.messages))
    assert len(seen[0][0]) > 2 * len(script) + len(BAD)
    assert seen[0] == seen[1]
    uncovered = any('"hand":[' in text or 'class="tile' in text for text in seen[0][0])
    assert uncovered is (shows is not None)
