"""What counts as undecided, and what a flood or a spectator cannot do to a clock."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from games import timekeeping
from games.arrival import BURST, UNDECIDED, Arrivals, Bucket

NOW = 1_800_000_000_000
PLAY = '{"do": "play", "tile": "6-6", "arm": "open", "version": 4}'
PING = '{"do": "ping", "sent": 1, "seen": 0}'


class Line:
    """A socket whose frames are put in by a test; ``clock`` is the time they arrive at."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, player: bool) -> None:
        self.frames: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.sent: list[dict[str, Any]] = []
        self.clock = NOW
        monkeypatch.setattr(timekeeping, "now_ms", lambda: self.clock)
        self.arrivals = Arrivals(self.frames.get, self.send)
        self.arrivals.player = player
        self.draining = asyncio.create_task(self.arrivals.drain())

    async def send(self, message: dict[str, Any]) -> None:
        self.sent.append(message)

    async def come(self, *texts: str) -> None:
        for text in texts:
            self.frames.put_nowait({"type": "websocket.receive", "text": text})
        for _ in range(2 * len(texts) + 2):  # let the drain take them
            await asyncio.sleep(0)

    async def hang_up(self) -> None:
        self.frames.put_nowait({"type": "websocket.disconnect", "code": 1006})
        await self.draining

    def waiting(self) -> int:
        return self.arrivals._queue.qsize()


async def test_a_players_command_is_undecided_until_the_next_one_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    line = Line(monkeypatch, player=True)
    await line.come(PLAY)
    line.clock += 700
    assert UNDECIDED.oldest(line.clock) == NOW
    taken = await line.arrivals.next()
    assert taken["arrived"] == NOW
    assert UNDECIDED.oldest(line.clock) == NOW  # it is being decided
    await line.hang_up()
    await line.arrivals.next()
    assert UNDECIDED.oldest(line.clock) == line.clock
    line.arrivals.end()


async def test_pings_and_what_spectators_send_hold_back_no_clock(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, spectator = Line(monkeypatch, player=True), Line(monkeypatch, player=False)
    await player.come(PING, PING)
    await spectator.come(PLAY, PING, "nonsense")
    assert UNDECIDED.oldest(NOW + 9000) == NOW + 9000
    for line in (player, spectator):
        await line.hang_up()
        line.arrivals.end()


async def test_what_a_spectator_left_behind_is_dropped_and_a_players_move_is_not(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    player, spectator = Line(monkeypatch, player=True), Line(monkeypatch, player=False)
    for line in (player, spectator):
        await line.come(*[PLAY] * 5)
        await line.hang_up()
    assert (player.waiting(), spectator.waiting()) == (6, 1)
    assert UNDECIDED.oldest(NOW + 9000) == NOW
    for line in (player, spectator):
        line.arrivals.end()
    assert UNDECIDED.oldest(NOW + 9000) == NOW + 9000


async def test_sockets_that_share_a_bucket_share_their_patience(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    shared = Bucket(10, 1)
    lines = [Line(monkeypatch, player=False) for _ in range(3)]
    for line in lines:
        line.arrivals.shared = shared
        await line.come(*[PING] * 4)
    codes = [[message["code"] for message in line.sent] for line in lines]
    assert codes == [[], [], [4408]]
    assert BURST > 10
    for line in lines[:2]:
        await line.hang_up()
    await lines[2].draining
