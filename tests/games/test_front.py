"""A front: how it opens, beats, breaks and stops, with clocks of the test's own."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import suppress
from typing import Any

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError, connection, connections
from pytest_django import Settings

from games import live, windows
from games.arrival import UNDECIDED
from games.front import Front
from games.hub import Hub
from games.members import Member, Outbox
from games.models import Match, Seat, ServiceWindow
from games.rendering import AS_JSON
from games.rules.sight import seats_of

from .factory import NOW, begun, deal, make_match, make_user

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.no_front]

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")


class Clocks:
    """The wall clock, the monotonic clock and the database's, in ms."""

    def __init__(self) -> None:
        self.wall, self.monotonic, self.database = NOW, 50_000, NOW

    def go_on(self, ms: int) -> None:
        self.wall, self.monotonic = self.wall + ms, self.monotonic + ms
        self.database += ms


@pytest.fixture
def clocks(monkeypatch: pytest.MonkeyPatch) -> Clocks:
    clocks = Clocks()
    monkeypatch.setattr(windows, "database_now", lambda: clocks.database)
    return clocks


@pytest.fixture
async def front(clocks: Clocks) -> AsyncIterator[Front]:
    """A front that hears itself, and beats when the test says so."""
    front = Front(Hub(), lambda: clocks.wall, lambda: clocks.monotonic)
    await front.hub.listen_to(live.front_group(front.name))
    yield front
    await vouched(front)
    await front.hub._stop_listening()
    await sync_to_async(connections.close_all)()


async def vouched(front: Front) -> None:
    """Wait until the front has done with the seats that are here."""
    if front._vouching is not None:
        await front._vouching


async def rows() -> list[tuple[str, str, int, int, int]]:
    """The windows in the order in which they were opened."""
    found = ServiceWindow.objects.order_by("pk")
    keys = ("state", "cause", "opened", "beat", "decided")
    return [row async for row in found.values_list(*keys)]


async def test_the_first_beat_opens_a_window_and_the_next_ones_move_it(
    front: Front, clocks: Clocks
) -> None:
    await front.beat()
    assert await rows() == [("open", "", NOW, NOW, NOW)]
    clocks.go_on(1000)
    await front.beat()
    assert await rows() == [("open", "", NOW, NOW + 1000, NOW + 1000)]
    assert front.hub.window == front.window == (await ServiceWindow.objects.aget()).pk


async def test_a_beat_vouches_up_to_the_oldest_frame_that_waits(
    front: Front, clocks: Clocks
) -> None:
    await front.beat()
    clocks.go_on(1000)
    first, second = UNDECIDED.add(NOW + 300), UNDECIDED.add(NOW + 600)
    try:
        await front.beat()
        assert await rows() == [("open", "", NOW, NOW + 1000, NOW + 300)]
        UNDECIDED.done(first)
        await front.beat()
        assert await rows() == [("open", "", NOW, NOW + 1000, NOW + 600)]
    finally:
        UNDECIDED.done(first)
        UNDECIDED.done(second)


@pytest.mark.parametrize("step", [-1001, 1001, 3_600_000])
async def test_a_stepped_clock_breaks_the_window_and_the_new_time_gets_its_own(
    front: Front, clocks: Clocks, step: int
) -> None:
    await front.beat()
    clocks.go_on(1000)
    clocks.wall += step
    clocks.database = clocks.wall
    await front.beat()
    after = NOW + 1000 + step
    assert await rows() == [
        ("broken", "the clock was set", NOW, NOW, NOW),
        ("open", "", after, after, after),
    ]


async def test_a_small_correction_of_the_clock_breaks_nothing(front: Front, clocks: Clocks) -> None:
    await front.beat()
    clocks.go_on(1000)
    clocks.wall += 900
    await front.beat()
    assert await rows() == [("open", "", NOW, NOW + 1900, NOW + 1900)]


@pytest.mark.parametrize("off", [-2001, 2001])
async def test_a_front_off_the_databases_clock_breaks_and_opens_none_until_they_agree(
    front: Front, clocks: Clocks, off: int
) -> None:
    await front.beat()
    clocks.go_on(1000)
    clocks.database += off
    await front.beat()
    assert front.hub.window is None
    await front.beat()
    broken = ("broken", "the clocks of front and database differ", NOW, NOW, NOW)
    assert await rows() == [broken]
    clocks.database -= off
    await front.beat()
    assert await rows() == [broken, ("open", "", NOW + 1000, NOW + 1000, NOW + 1000)]


async def test_a_database_slow_to_answer_is_no_clock_that_differs(
    front: Front, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    def slow() -> int:
        clocks.go_on(4000)
        return clocks.database - 500

    monkeypatch.setattr(windows, "database_now", slow)
    await front.beat()
    assert [row[0] for row in await rows()] == ["open"]


def seated(match: Match, seat: int) -> Member:
    async def nothing(_: Any) -> None: ...

    return Member(
        match_id=match.pk,
        viewer=seat,
        info={},
        user_id=None,
        session="",
        address="here",
        rendering=AS_JSON,
        language="en",
        outbox=Outbox(nothing),
        close=nothing,
        heard_at=NOW,
        version=match.version,
    )


@pytest.fixture
def match(transactional_db: None) -> Match:
    return make_match([make_user("ada"), make_user("bo")], begun(DEALT))


async def who_vouches(match: Match, seat: int) -> int | None:
    return (await Seat.objects.aget(match=match, seat=seat)).window_id


@pytest.mark.parametrize(
    ("late", "ends"), [(5000, ["open"]), (5001, ["broken", "open"]), (60_000, ["broken", "open"])]
)
async def test_a_beat_that_comes_too_late_breaks_the_window_and_opens_another(
    front: Front, clocks: Clocks, late: int, ends: list[str]
) -> None:
    await front.beat()
    clocks.go_on(late)
    await front.beat()
    assert [row[0] for row in await rows()] == ends
    assert (await rows())[0][1] == ("a beat came too late" if len(ends) == 2 else "")


async def test_a_front_vouches_anew_for_the_seats_here_after_what_it_missed_is_judged(
    front: Front, clocks: Clocks, match: Match
) -> None:
    await front.beat()
    other = await sync_to_async(make_match)([await user("cy"), await user("di")])
    for member in (seated(match, 0), seated(other, 1)):
        await front.hub.join(member)
        for seat in seats_of(member.viewer):
            await sync_to_async(windows.vouch)(member.match_id, seat, front.window)
    clocks.go_on(1000)
    await front.beat()
    clocks.go_on(7000)
    await sync_to_async(windows.open_window)("another", NOW + 7000)
    await front.beat()
    await vouched(front)
    # A decision of seat 0 ran meanwhile; the other match waits for both to press Start.
    last = await match.events.order_by("n").alast()
    assert last is not None
    told = (last.data["reason"], last.data["from"], last.data["to"])
    assert told == ("service_failure", 1000, 7000)
    assert await who_vouches(other, 1) == front.window


async def test_another_front_that_vouches_by_now_is_not_robbed(
    front: Front, clocks: Clocks, match: Match
) -> None:
    await front.beat()
    await front.hub.join(seated(match, 0))
    newer = await sync_to_async(windows.open_window)("another", NOW)
    await sync_to_async(windows.vouch)(match.pk, 0, newer)
    clocks.go_on(5001)
    await sync_to_async(windows.beat)(newer, NOW + 5000, NOW + 5000)
    await front.beat()
    await vouched(front)
    assert await who_vouches(match, 0) == newer
    assert (await match.events.acount()) == 4


async def user(name: str) -> Any:
    return await sync_to_async(make_user)(name)


async def test_a_socket_that_came_before_the_window_is_vouched_for(
    front: Front, match: Match
) -> None:
    await front.hub.join(seated(match, 1))
    await front.beat()
    await vouched(front)
    assert await who_vouches(match, 1) == front.window


async def test_no_beat_without_the_relay(
    front: Front, clocks: Clocks, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    async def lost(_messages: object, **_: object) -> None: ...

    send_all = live.send_all
    settings.SERVICE_TOLERANCE = 0.2
    monkeypatch.setattr(live, "send_all", lost)
    with pytest.raises(TimeoutError):
        await front.beat()
    assert await rows() == []
    settings.SERVICE_TOLERANCE = 5.0
    monkeypatch.setattr(live, "send_all", send_all)
    await front.beat()
    settings.SERVICE_TOLERANCE = 0.2
    monkeypatch.setattr(live, "send_all", lost)
    clocks.go_on(100)
    with pytest.raises(TimeoutError):
        await front.beat()
    assert await rows() == [("open", "", NOW, NOW, NOW)]


@pytest.mark.postgres
async def test_a_front_nobody_visits_gets_over_a_lost_connection(
    front: Front, clocks: Clocks
) -> None:
    def lose_it() -> None:
        with suppress(OperationalError), connection.cursor() as cursor:
            cursor.execute("SELECT pg_terminate_backend(pg_backend_pid())")

    await front.beat()
    await sync_to_async(lose_it)()
    for _ in range(2):
        clocks.go_on(1000)
        await front._beat_safely()
    assert await rows() == [("open", "", NOW, NOW + 2000, NOW + 2000)]


async def test_a_clean_stop_vouches_up_to_its_end(front: Front, clocks: Clocks) -> None:
    await front.start()
    clocks.go_on(700)
    await front.stop()
    assert await rows() == [("stopped", "", NOW, NOW + 700, NOW + 700)]
    assert front.hub.window is None


async def test_a_stop_does_not_vouch_for_what_it_left_undecided(
    front: Front, clocks: Clocks
) -> None:
    await front.start()
    clocks.go_on(700)
    waiting = UNDECIDED.add(NOW + 200)
    try:
        await front.stop()
    finally:
        UNDECIDED.done(waiting)
    assert await rows() == [("stopped", "", NOW, NOW + 700, NOW + 200)]


@pytest.mark.parametrize(
    ("frozen", "step", "cause"),
    [(5001, 0, "a beat came too late"), (700, 5000, "the clock was set")],
)
async def test_a_stop_cannot_hide_that_no_time_was_measured(
    front: Front, clocks: Clocks, frozen: int, step: int, cause: str
) -> None:
    await front.start()
    clocks.go_on(frozen)
    clocks.wall += step
    await front.stop()
    assert await rows() == [("broken", cause, NOW, NOW, NOW)]


async def test_a_front_that_never_opened_stops_too(front: Front) -> None:
    await front.stop()
    assert await rows() == []


async def test_a_process_that_stood_still_vouches_for_nothing_in_between(
    front: Front, clocks: Clocks
) -> None:
    """Frames that reached it meanwhile are stamped after it: a deadline there is unproven."""
    await front.beat()
    front.tick()
    clocks.go_on(400)
    front.tick()
    clocks.go_on(3000)
    await front.beat()
    stood, again = await rows()
    assert stood == ("broken", "the process stood still", NOW, NOW, NOW)
    assert again == ("open", "", NOW + 3400, NOW + 3400, NOW + 3400)
    clocks.go_on(450)
    await front.beat()
    assert len(await rows()) == 2


async def test_a_beat_that_fails_does_not_forget_that_the_process_stood_still(
    front: Front, clocks: Clocks, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def away() -> None:
        raise ConnectionError

    await front.beat()
    front.tick()
    clocks.go_on(3000)
    with monkeypatch.context() as patch:
        patch.setattr(front, "_through_the_relay", away)
        with pytest.raises(ConnectionError):
            await front.beat()
    clocks.go_on(100)
    await front.beat()
    stood, again = await rows()
    assert stood == ("broken", "the process stood still", NOW, NOW, NOW)
    assert again == ("open", "", NOW + 3100, NOW + 3100, NOW + 3100)
