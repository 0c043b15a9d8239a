"""Time in stored matches: what decisions cost, when they are lost, and when nobody measured."""

from __future__ import annotations

from typing import Any

import pytest

from accounts.models import User
from games import store, windows
from games.models import Match, Seat, ServiceWindow
from games.play import Command, Refused
from games.rules.tiles import parse_tile

from .factory import NOW, begun, deal, make_match, make_user, make_window

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.no_front]

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")
OPENING = Command("play", 4, parse_tile("6-6"), "open")
START = NOW + 1000  # when the first decision begins
DEADLINE = START + 130_000


@pytest.fixture
def players(request: pytest.FixtureRequest) -> list[User]:
    request.getfixturevalue("transactional_db")
    return [make_user("ada"), make_user("bo")]


@pytest.fixture
def match(players: list[User]) -> Match:
    return make_match(players, begun(DEALT))


def last(match: Match) -> dict[str, Any]:
    event = match.events.order_by("n").last()
    assert event is not None
    data: dict[str, Any] = event.data
    return data


def vouched_by(match: Match, seat: int, window: ServiceWindow) -> None:
    windows.vouch(match.pk, seat, window.pk)


def test_a_command_in_time_wins_against_any_judge_that_looks_before_it_is_decided(
    match: Match, players: list[User]
) -> None:
    own = make_window(NOW - 9000, DEADLINE + 2000, decided=DEADLINE - 1)
    other = make_window(NOW - 9000, DEADLINE + 2000)
    vouched_by(match, 0, own)
    assert other.decided > DEADLINE
    store.sweep(DEADLINE + 2000)
    with pytest.raises(Refused, match="out_of_time"):
        store.submit(match.pk, players[1].pk, OPENING, DEADLINE + 2000)
    assert store.submit(match.pk, players[0].pk, OPENING, DEADLINE - 1)
    assert last(match)["do"] == "play"


def test_at_the_deadline_a_command_loses(match: Match, players: list[User]) -> None:
    make_window(NOW - 9000, DEADLINE + 2000)
    with pytest.raises(Refused, match=r"match_over|stale"):
        store.submit(match.pk, players[0].pk, OPENING, DEADLINE)
    assert last(match) == {"do": "timeout", "seat": 0, "at": 131_000}


def test_a_deadline_inside_a_short_gap_voids_with_its_evidence(match: Match) -> None:
    broken = make_window(NOW - 9000, DEADLINE - 1000, "broken")
    make_window(DEADLINE + 2000, DEADLINE + 9000)
    vouched_by(match, 0, broken)
    store.sweep(DEADLINE + 3000)
    assert last(match) == {
        "do": "void",
        "at": 134_000,
        "reason": "service_failure",
        "from": 130_000,
        "to": 133_000,
    }
    match.refresh_from_db()
    assert (match.winner, match.reason, match.due) == (None, "void", None)


def test_the_same_gap_away_from_the_deadline_lets_the_match_go_on(
    match: Match, players: list[User]
) -> None:
    broken = make_window(NOW - 9000, START + 50_000, "broken")
    make_window(START + 53_000, START + 60_000)
    vouched_by(match, 0, broken)
    store.sweep(START + 55_000)
    assert store.submit(match.pk, players[0].pk, OPENING, START + 56_000)
    assert Seat.objects.get(match=match, seat=0).window is None


def test_a_front_that_fell_silent_is_broken_by_the_sweep_and_voids_its_seats_alone(
    match: Match,
) -> None:
    silent = make_window(NOW - 9000, START + 50_000)
    make_window(NOW - 9000, START + 55_001)
    vouched_by(match, 0, silent)
    other = make_match([make_user("cy"), make_user("di")], begun(DEALT))
    store.sweep(START + 55_000)
    assert last(match)["do"] == "start"
    store.sweep(START + 55_001)
    silent.refresh_from_db()
    assert (silent.state, silent.cause) == ("broken", "no beat")
    assert last(match)["do"] == "void"
    assert last(other)["do"] == "start"


def test_the_awaited_seat_counts_not_its_opponent(match: Match) -> None:
    silent = make_window(NOW - 9000, START + 50_000)
    make_window(NOW - 9000, START + 56_000)
    vouched_by(match, 1, silent)
    store.sweep(START + 56_000)
    assert last(match)["do"] == "start"
    assert Seat.objects.get(match=match, seat=1).window is None


def test_a_front_that_a_player_comes_to_after_the_deadline_does_not_prove_the_loss(
    match: Match,
) -> None:
    killed = make_window(NOW - 9000, DEADLINE - 1000)
    other = make_window(NOW - 9000, DEADLINE + 9000)
    assert store.vouch(match.pk, 0, killed.pk, DEADLINE - 2000)
    store.judge(match.pk, DEADLINE + 300)
    assert not store.vouch(match.pk, 0, other.pk, DEADLINE + 300)
    assert store.vouch(match.pk, 1, other.pk, DEADLINE + 300)
    store.sweep(DEADLINE + 1000)
    assert last(match)["do"] == "start"
    store.sweep(DEADLINE + 5000)
    assert last(match)["do"] == "void"
    assert store.vouch(match.pk, 0, other.pk, DEADLINE + 5000)


def test_whoever_comes_first_notices_an_outage(match: Match, players: list[User]) -> None:
    make_window(NOW - 9000, START + 20_000, "broken")
    make_window(START + 40_000, START + 41_000)
    with pytest.raises(Refused, match=r"match_over|stale"):
        store.submit(match.pk, players[0].pk, OPENING, START + 41_000)
    assert last(match)["do"] == "void"
    assert (last(match)["from"], last(match)["to"]) == (21_000, 41_000)


def test_a_reconnect_notices_an_outage_too(match: Match) -> None:
    make_window(NOW - 9000, START + 20_000, "broken")
    make_window(START + 40_000, START + 41_000)
    store.judge(match.pk, START + 41_000)
    assert last(match)["do"] == "void"


def test_an_interlude_that_an_outage_touched_starts_its_waiting_anew(players: list[User]) -> None:
    match = make_match(players)
    make_window(NOW - 9000, NOW + 10_000, "broken")
    store.sweep(NOW + 61_000)
    assert match.events.count() == 0
    make_window(NOW + 62_000, NOW + 300_000)
    store.sweep(NOW + 63_000)
    match.refresh_from_db()
    assert (match.version, match.due) == (0, NOW + 122_000)
    store.sweep(NOW + 121_999)
    assert match.events.count() == 0
    store.sweep(NOW + 122_000)
    assert last(match)["reason"] == "no_show"


def test_a_finished_match_keeps_its_result(match: Match, players: list[User]) -> None:
    make_window(NOW - 9000, START + 20_000)
    store.submit(match.pk, players[0].pk, Command("resign", 4), START + 20_000)
    store.sweep(START + 200_000)
    store.judge(match.pk, START + 200_000)
    match.refresh_from_db()
    assert (match.winner, match.reason) == (1, "resignation")


def test_fronts_open_beat_break_and_stop() -> None:
    number = windows.open_window("front", NOW)
    assert windows.beat(number, NOW + 1000, NOW + 900)
    window = ServiceWindow.objects.get()
    assert (window.opened, window.beat, window.decided) == (NOW, NOW + 1000, NOW + 900)
    assert windows.beat(number, NOW + 6000, NOW + 6000)
    assert not windows.beat(number, NOW + 11_001, NOW + 11_001)
    windows.break_window(number, "the clock was set")
    assert not windows.beat(number, NOW + 6500, NOW + 6500)
    assert not windows.stop(number, NOW + 7000, NOW + 7000)
    window.refresh_from_db()
    assert (window.state, window.beat) == ("broken", NOW + 6000)
    other = windows.open_window("other", NOW)
    assert windows.stop(other, NOW + 800, NOW + 700)
    assert ServiceWindow.objects.get(pk=other).state == "stopped"
    assert not windows.stop(windows.open_window("frozen", NOW), NOW + 5001, NOW + 5001)


def test_the_database_tells_the_time() -> None:
    from games.timekeeping import clocks_agree, now_ms

    assert clocks_agree(now_ms(), windows.database_now())


@pytest.mark.parametrize(("spent", "cost"), [(9_999, 0), (10_000, 0), (10_001, 1), (13_000, 3000)])
def test_what_a_decision_costs(match: Match, players: list[User], spent: int, cost: int) -> None:
    make_window(NOW - 9000, DEADLINE + 2000)
    store.submit(match.pk, players[0].pk, OPENING, START + spent)
    assert store.load(match.pk).position.state.clock.bank == (120_000 - cost, 120_000)


def test_a_window_whose_row_is_gone_vouches_for_nobody(match: Match) -> None:
    window = make_window(NOW, NOW + 1000)
    vouched_by(match, 0, window)
    gone, window_id = window, window.pk
    gone.delete()
    windows.vouch(match.pk, 0, window_id)
    windows.vouch_again(match.pk, 1, window_id)
    assert [seat.window_id for seat in match.seats.all()] == [None, None]
