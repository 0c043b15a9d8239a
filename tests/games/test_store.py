"""The one writer of a match: compare-and-set, the log and its snapshot, what is due."""

from __future__ import annotations

import json
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from games import live, store
from games.checks import differences
from games.models import Event, Match, Seat
from games.play import Command, Refused
from games.rules import events, snapshot
from games.rules.match import Phase, State
from games.rules.record import replay
from games.rules.tiles import ALL_TILES, parse_tile

from .factory import NOW, begun, deal, first_answers, go_on, make_match, make_user
from .races import at_once

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")
OPENING = Command("play", 4, parse_tile("6-6"), "open")


@pytest.fixture
def players(request: pytest.FixtureRequest) -> list[User]:
    request.getfixturevalue("transactional_db")
    return [make_user("ada"), make_user("bo")]


pytestmark = pytest.mark.django_db(transaction=True)


def stored(match: Match) -> list[str]:
    return list(Event.objects.filter(match=match).values_list("do", flat=True))


def test_a_new_match_waits_for_both_and_is_due_as_a_no_show(players: list[User]) -> None:
    match = make_match(players)
    assert (match.version, match.due, match.ended_at) == (0, NOW + 60_000, None)
    assert store.load(match.pk).position.state == State()
    assert [seat.user for seat in match.seats.all()] == players


def test_a_player_has_one_running_match(players: list[User]) -> None:
    first = make_match(players)
    for pair in (players, [players[1], make_user("cy")]):
        with pytest.raises(IntegrityError), transaction.atomic():
            store.create_match(pair, rated=False, now=NOW)
    store.leave(first.pk, players[0].pk, NOW + 1000)
    make_match(players)
    assert Seat.objects.filter(live=True).count() == 2


def test_fifty_at_once_store_a_command_exactly_once(players: list[User]) -> None:
    match = make_match(players, begun(DEALT))
    answers = at_once(lambda _: store.submit(match.pk, players[0].pk, OPENING, NOW + 2000), 50)
    assert sorted(map(str, answers)) == ["False"] * 49 + ["True"]
    assert stored(match).count("play") == 1


def test_two_different_moves_at_one_version_store_one(players: list[User]) -> None:
    first = [*begun(DEALT), events.Play(seat=0, at=2000, tile=parse_tile("6-6"), arm="open")]
    match = make_match(players, first)

    def lay(number: int) -> bool:
        tile = parse_tile(("6-5", "6-4")[number % 2])
        command = Command("play", 5, tile, "left")
        return store.submit(match.pk, players[1].pk, command, NOW + 3000)

    answers = at_once(lay, 8)
    assert answers.count(True) == 1
    assert answers.count("stale") == 4
    assert stored(match).count("play") == 2


def test_both_ready_at_once_deal_once(players: list[User]) -> None:
    for _ in range(5):
        match = make_match(players)
        at_once(
            lambda seat, match=match: store.submit(  # type: ignore[misc]
                match.pk, players[seat].pk, Command("ready", 0), NOW + 1000
            ),
            2,
        )
        assert stored(match) == ["ready", "ready", "deal", "start"]
        store.submit(match.pk, players[0].pk, Command("resign", 4), NOW + 2000)


def test_a_sweep_and_a_command_at_the_deadline_end_the_match_once(players: list[User]) -> None:
    match = make_match(players, begun(DEALT))
    late = NOW + 1000 + 130_000

    def work(number: int) -> Any:
        if number % 2:
            return store.sweep(late)
        return store.submit(match.pk, players[0].pk, OPENING, late)

    at_once(work, 8)
    assert stored(match) == ["ready", "ready", "deal", "start", "timeout"]
    match.refresh_from_db()
    assert (match.winner, match.reason, match.due) == (1, "time", None)
    assert not match.seats.filter(live=True).exists()


def test_a_sweep_judges_what_is_due_and_nothing_else(players: list[User]) -> None:
    running = make_match(players, begun(DEALT))
    waiting = make_match([make_user("cy"), make_user("di")])
    assert store.sweep(NOW + 59_999) == 0
    assert store.sweep(NOW + 60_000) == 1
    waiting.refresh_from_db()
    assert (waiting.reason, waiting.winner) == ("void", None)
    assert stored(running)[-1] == "start"
    assert store.sweep(NOW + 1000 + 129_999) == 0
    assert store.sweep(NOW + 1000 + 130_000) == 1
    assert stored(running)[-1] == "timeout"
    assert store.sweep(NOW + 10_000_000) == 0


def test_one_match_that_cannot_be_judged_harms_no_other(
    players: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    broken = make_match(players)
    sound = make_match([make_user("cy"), make_user("di")], now=NOW + 1)
    whole = store.judge

    def judge(match_id: str, now: int) -> None:
        if match_id == broken.pk:
            raise RuntimeError
        whole(match_id, now)

    monkeypatch.setattr(store, "judge", judge)
    assert store.sweep(NOW + 70_000) == 1
    assert stored(sound) == ["void"]


def test_leaving_is_for_its_players_and_before_the_start(players: list[User]) -> None:
    match = make_match(players)
    with pytest.raises(Refused, match="not_a_player"):
        store.leave(match.pk, make_user("eve").pk, NOW + 1000)
    store.leave(match.pk, players[1].pk, NOW + 1000)
    match.refresh_from_db()
    assert (match.reason, match.winner) == ("void", None)
    with pytest.raises(Refused, match="match_over"):
        store.leave(match.pk, players[0].pk, NOW + 2000)
    started = make_match(players, begun(DEALT))
    with pytest.raises(Refused, match="wrong_phase"):
        store.leave(started.pk, players[0].pk, NOW + 2000)


def test_news_are_sent_after_the_commit_and_a_lost_relay_loses_no_move(
    players: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    match = make_match(players, begun(DEALT))

    def no_relay(news: live.News) -> None:
        assert Event.objects.filter(match=match, do="play").exists()
        assert not connection.in_atomic_block
        raise ConnectionError("Redis is away")

    monkeypatch.setattr(live, "publish", no_relay)
    assert store.submit(match.pk, players[0].pk, OPENING, NOW + 2000)
    assert stored(match)[-1] == "play"


def test_the_record_of_a_match_replays_to_its_snapshot(players: list[User]) -> None:
    match = make_match(players, begun(DEALT))
    state = store.load(match.pk).position.state
    from .factory import go_on

    go_on(match, first_answers(state, 12, 5000))
    store.submit(match.pk, players[0].pk, Command("resign", None), NOW + 9000)
    match.refresh_from_db()
    lines = [f"{line}\n".encode() for line in store.record_lines(match)]
    header = json.loads(lines[0])
    assert header["players"] == ["ada", "bo"]
    assert header["result"] == {"winner": 1, "reason": "resignation"}
    printed = list(replay(lines))
    assert len(printed) == match.version
    assert printed[-1]["result"] == header["result"]
    assert store.replayed(match) == snapshot.restore(match.snapshot)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"snapshot": "chips"}, "chips"),
        ({"version": 9}, "version 9"),
        ({"due": None}, "due None"),
        ({"winner": 1, "reason": "chips"}, "result"),
        ({"seats": False}, "seat"),
    ],
)
@pytest.mark.spoils_matches
def test_check_matches_finds_what_disagrees_with_the_log(
    players: list[User], change: dict[str, Any], complaint: str
) -> None:
    match = make_match(players, begun(DEALT))
    out = StringIO()
    call_command("check_matches", stdout=out)
    assert out.getvalue().startswith("1 matches")
    if "snapshot" in change:
        change = {"snapshot": {**match.snapshot, "chips": [155, 145]}}
    if "seats" in change:
        match.seats.update(live=False)
    else:
        Match.objects.filter(pk=match.pk).update(**change)
    complaints = StringIO()
    with pytest.raises(CommandError, match="differences in 1 matches"):
        call_command("check_matches", stderr=complaints)
    assert complaint in complaints.getvalue()


def test_a_match_that_goes_on_while_it_is_checked_is_checked_as_it_is_then(
    players: list[User],
) -> None:
    match = make_match(players)
    before = Match.objects.get(pk=match.pk)
    go_on(match, begun(DEALT))
    assert differences(before) == []
    assert before.version == Match.objects.get(pk=match.pk).version > 0


def test_the_shuffle_deals_the_whole_set_and_never_the_same_twice() -> None:
    deals = [store.shuffled_deal() for _ in range(50)]
    for dealt in deals:
        assert sorted((*dealt.hands[0], *dealt.hands[1], *dealt.boneyard)) == sorted(ALL_TILES)
    assert len(set(deals)) == 50


def test_the_second_ready_of_a_stored_match_shuffles(players: list[User]) -> None:
    match = make_match(players)
    for seat in (0, 1):
        store.submit(match.pk, players[seat].pk, Command("ready", seat), NOW + 1000)
    assert store.load(match.pk).position.state.phase is Phase.OPENING
