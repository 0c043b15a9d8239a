"""The whole service in real parts: fronts, worker and beat around a Redis of their own; and
matches whose clocks are about to run out."""

from __future__ import annotations

import asyncio
import itertools
import signal
import sys
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from asgiref.sync import sync_to_async
from django.conf import settings
from redis import Redis

from accounts.models import User
from games import timekeeping
from games.checks import differences
from games.models import Event, Match, ServiceWindow
from games.rules.events import Event as Told
from games.rules.match import Phase, State, apply
from tests.games.factory import begun, first_answers, make_match, make_user, make_window, nearly_won
from tests.tools import wait_until

from .fronts import DEALT, Fronts
from .pages import PATIENCE, Json
from .site import Front, OwnRedis, Part, site_env

CELERY = [sys.executable, "-m", "celery", "-q", "-A", "spectacular"]
WORKER = [*CELERY, "worker", "--without-gossip", "--without-mingle", "--without-heartbeat"]
BEAT = [*CELERY, "beat", "--pidfile="]

WHOLE = 131_000  # ms from a match's creation to its first deadline: a second, delay and bank
CONTINUE = 20_000  # ms that an interlude lasts

_names = (f"player{n}" for n in itertools.count(1))


class Service:
    """Web processes by name, one worker and one beat; ``tolerance`` in seconds is everybody's."""

    def __init__(self, redis: OwnRedis, fronts: Fronts, folder: Path, tolerance: float) -> None:
        self.redis, self.tolerance, self._fronts = redis, tolerance, fronts
        env = site_env(redis.url, fronts.name)
        self.worker = Part(WORKER, env, folder / "worker.log")
        self.beat = Part(BEAT, env, folder / "beat.log")

    async def up(self, *names: str, sweeping: bool = False) -> list[Front]:
        """These fronts serve and measure time; worker and beat run if there is ``sweeping``."""
        if sweeping:
            self.start_sweeping()
        return await sync_to_async(self._up)(names, sweeping)

    def _up(self, names: Iterable[str], sweeping: bool) -> list[Front]:
        fronts = self._fronts.get(*names)
        for front in fronts:
            wait_until(lambda: self.beats(front), PATIENCE)  # noqa: B023
        if sweeping:
            wait_until(lambda: self.swept > 0, PATIENCE)
        return fronts

    def start_sweeping(self) -> None:
        for part in (self.worker, self.beat):
            if not part.runs:
                part.start()

    def kill_sweeping(self) -> None:
        for part in (self.worker, self.beat):
            part.end()

    @property
    def swept(self) -> int:
        """How many sweeps there were."""
        with Redis.from_url(self.redis.url) as client:
            return int(client.hget(f"{settings.REDIS_PREFIX}:sweeps", "count") or 0)

    def beats(self, front: Front) -> bool:
        """Whether this front has an open window with a beat not long ago."""
        newest = newest_window(front)
        return (
            newest is not None
            and newest.state == ServiceWindow.State.OPEN
            and timekeeping.now_ms() - newest.beat < 1000 * self.tolerance
        )

    def stop_all(self) -> None:
        """Nobody asks the database any more."""
        self.kill_sweeping()
        for front in self._fronts.running.values():
            front.end()

    def end(self) -> None:
        self.kill_sweeping()
        for part in (self.worker, self.beat):
            sys.stdout.write(f"--- {part.log.name}\n{part.said()}")


def newest_window(front: Front) -> ServiceWindow | None:
    """The newest window of this very process."""
    assert front.process is not None
    mine = ServiceWindow.objects.filter(front__contains=f":{front.process.pid}:")
    return mine.order_by("pk").last()


def kill(*fronts: Front) -> None:
    """All at once, and without a word."""
    for front in fronts:
        front.send(signal.SIGKILL)
    for front in fronts:
        front.ended()


def just_beaten(front: Front) -> None:
    """Wait for a beat that is done: a process that holds no lock now may be stopped."""

    def last() -> int:
        window = newest_window(front)
        return 0 if window is None else window.beat

    before = last()
    wait_until(lambda: last() > before, PATIENCE)
    time.sleep(0.2)


# Matches


def pair() -> list[User]:
    """Two users nobody has met."""
    return [make_user(next(_names)), make_user(next(_names))]


def measured() -> None:
    """Time was measured until now."""
    now = timekeeping.now_ms()
    make_window(now - 600_000, now, "stopped")


def running(users: list[User], left: float = 100.0) -> Match:
    """Seat 0 has ``left`` seconds to open with 6-6, at version 4."""
    measured()
    return make_match(users, begun(DEALT), now=timekeeping.now_ms() + int(1000 * left) - WHOLE)


def between_rounds(users: list[User], left: float) -> Match:
    """A round is over, and the next one begins by itself in ``left`` seconds."""
    told: list[Told] = []
    state = State()
    for event in begun(DEALT):
        state, told = apply(state, event), [*told, event]
    while state.phase is not Phase.ROUND_OVER:
        (event,) = first_answers(state, 1, state.at)
        state, told = apply(state, event), [*told, event]
    measured()
    now = timekeeping.now_ms() + int(1000 * left) - CONTINUE - state.at
    return make_match(users, told, now=now)


def almost_won(users: list[User]) -> tuple[Match, Json]:
    """A match, and the play of seat 0 that wins it."""
    told, tile, arm = nearly_won()
    measured()
    match = make_match(users, told, now=timekeeping.now_ms() - 1000)
    return match, {"do": "play", "tile": tile, "arm": arm, "version": match.version}


def log_of(match: Match) -> list[Json]:
    return list(Event.objects.filter(match=match).order_by("n").values_list("data", flat=True))


def last(match: Match) -> Json:
    return log_of(match)[-1]


def read(match: Match) -> Match:
    match.refresh_from_db()
    return match


def all_is_well() -> None:
    """Every log is whole and gives its snapshot."""
    assert {m.pk: d for m in Match.objects.all() if (d := differences(m))} == {}


async def over(match: Match, seconds: float = PATIENCE) -> Json:
    """Wait until a match is over; gives its last event."""
    await until(lambda: read(match).due is None, seconds)
    return await sync_to_async(last)(match)


async def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    """Wait until ``condition``, which may ask the database, holds."""
    await sync_to_async(wait_until)(condition, seconds)


async def moment(match: Match, before: float = 0.0) -> None:
    """Wait until ``before`` seconds before what is due."""
    assert match.due is not None
    await asyncio.sleep(max(0.0, (match.due - timekeeping.now_ms()) / 1000 - before))


def is_void(event: Json) -> bool:
    """Whether an event says that the service failed, and from when to when."""
    failed = (event["do"], event.get("reason")) == ("void", "service_failure")
    return failed and 0 <= event["from"] < event["to"] <= event["at"]


LOST = {"do": "timeout", "seat": 0, "at": WHOLE}  # seat 0, at the first deadline
