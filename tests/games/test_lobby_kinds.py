"""Seeks, challenges to a player, play now, rematches and the board: one at a time."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from accounts.models import Block, Suspension, User
from games import live, lobby, lobby_news, lobby_words, store, tasks, timekeeping
from games.models import Challenge, Match, RestartNotice
from ratings.models import Rating
from tests.games.factory import NOW, make_user

State, Kind = Challenge.State, Challenge.Kind
Told = list[str]

pytestmark = pytest.mark.django_db


@pytest.fixture
def ada() -> User:
    return make_user("ada")


@pytest.fixture
def bo() -> User:
    return make_user("bo")


@pytest.fixture
def cy() -> User:
    return make_user("cy")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> Told:
    """What is published: "lobby", or the id of a match whose pages look again."""
    heard: Told = []
    monkeypatch.setattr(lobby_news, "_publish", lambda: heard.append("lobby"))
    monkeypatch.setattr(live, "look_again", heard.append)
    return heard


def refusal(call: Callable[[], object]) -> lobby.Refused:
    with pytest.raises(lobby.Refused) as caught:
        call()
    assert lobby_words.sentence(caught.value)
    return caught.value


def code(call: Callable[[], object]) -> str:
    return refusal(call).code


def state_of(challenge: Challenge) -> str:
    return Challenge.objects.get(pk=challenge.pk).state


def rate(user: User, value: int) -> None:
    Rating.objects.create(user=user, value=value)


def seek(user: User, **said: Any) -> Challenge:
    return lobby.seek(user, **({"rated": True, "window": None, "now": NOW} | said))


def waits(user: User, *, rated: bool = True, now: int = NOW) -> Challenge:
    offer = lobby.play_now(user, rated=rated, now=now)
    assert isinstance(offer, Challenge)
    return offer


def finished(one: User, other: User, *, rated: bool = False) -> Match:
    match = lobby.accept(lobby.create(one, rated=rated, now=NOW).pk, other, now=NOW)
    store.leave(match.pk, one.pk, NOW + 1)
    return match


def suspend(user: User, **fields: Any) -> None:
    Suspension.objects.create(user=user, by=user, reason="why", **fields)


# Seeks


def test_a_seek_keeps_the_window_around_its_creators_rating(ada: User) -> None:
    rate(ada, 1620)
    offer = seek(ada, window=200)
    assert (offer.rating, offer.least, offer.most) == (1620, 1420, 1820)
    anybody = seek(ada, window=None)
    assert (anybody.least, anybody.most) == (None, None)


def test_a_new_seek_takes_the_place_of_the_old_one(ada: User) -> None:
    old, new = seek(ada), seek(ada, rated=False)
    assert (state_of(old), state_of(new)) == (State.WITHDRAWN, State.OPEN)


@pytest.mark.parametrize(
    ("rating", "fits"), [(1399, False), (1400, True), (1600, True), (1601, False)]
)
def test_the_window_includes_its_ends(ada: User, bo: User, rating: int, fits: bool) -> None:
    offer = seek(ada, window=100)
    rate(bo, rating)
    if fits:
        assert lobby.accept(offer.pk, bo, now=NOW).rated
        return
    refused = refusal(lambda: lobby.accept(offer.pk, bo, now=NOW))
    assert (refused.code, refused.params) == ("out_of_window", {"least": 1400, "most": 1600})
    assert state_of(offer) == State.OPEN


def test_a_seek_lives_as_long_as_its_creator_is_heard_of(ada: User, bo: User) -> None:
    offer = seek(ada)
    lobby.keep_alive(ada.pk, NOW + 12_000)
    assert lobby.expire(NOW + 20_000) == 0
    assert lobby.expire(NOW + 31_999) == 0
    assert lobby.expire(NOW + 32_000) == 1
    lobby.keep_alive(ada.pk, NOW + 32_000)
    assert state_of(offer) == State.EXPIRED
    assert code(lambda: lobby.accept(offer.pk, bo, now=NOW + 32_000)) == "expired"


def test_what_is_too_old_is_refused_before_it_is_swept(ada: User, bo: User) -> None:
    offer = seek(ada)
    assert code(lambda: lobby.accept(offer.pk, bo, now=NOW + 20_000)) == "expired"
    assert lobby.accept(offer.pk, bo, now=NOW + 19_999)


def test_keeping_alive_writes_only_when_it_has_to(ada: User, bo: User) -> None:
    seek(ada)
    for user, now in ((bo, NOW), (ada, NOW + 5_000)):
        with CaptureQueriesContext(
            connection,
        ) as queries:
            lobby.keep_alive(user.pk, now)
        assert len(queries) == 1


# Links


def test_a_link_is_good_for_a_day(ada: User, bo: User) -> None:
    offer, day = lobby.create(ada, rated=False, now=NOW), 24 * 3600 * 1000
    assert lobby.expire(NOW + day - 1) == 0
    assert lobby.expire(NOW + day) == 1
    assert code(lambda: lobby.accept(offer.pk, bo, now=NOW + day)) == "expired"


def test_old_links_do_not_count_against_new_ones(ada: User) -> None:
    for _ in range(lobby.MAX_OPEN):
        lobby.create(ada, rated=False, now=NOW)
    later = NOW + lobby.LINK_FOR
    assert code(lambda: lobby.create(ada, rated=False, now=later - 1)) == "too_many_open"
    assert lobby.create(ada, rated=False, now=later)


# Challenges to a player


def test_a_challenge_reaches_the_player_of_that_name_in_any_case(ada: User, bo: User) -> None:
    offer = lobby.challenge(ada, "BO", rated=True, now=NOW)
    assert (offer.kind, offer.to) == (Kind.DIRECT, bo)
    match = lobby.accept(offer.pk, bo, now=NOW + lobby.DIRECT_FOR - 1)
    assert match.rated


def test_a_challenge_waits_ten_minutes(ada: User, bo: User) -> None:
    lobby.challenge(ada, "bo", rated=True, now=NOW)
    assert lobby.expire(NOW + 10 * 60_000 - 1) == 0
    # It is out of the way of the next one though nobody has swept it.
    assert lobby.challenge(ada, "bo", rated=True, now=NOW + 10 * 60_000)


def test_whom_nobody_can_challenge(ada: User, bo: User, cy: User) -> None:
    def asked(name: str) -> str:
        return code(lambda: lobby.challenge(ada, name, rated=True, now=NOW))

    assert asked("nobody") == asked("b\0o") == "no_such_player"
    assert asked("Ada") == "self_challenge"
    lobby.challenge(ada, "bo", rated=True, now=NOW)
    assert asked("bo") == "already_offered"
    Block.objects.create(user=cy, blocked=ada)
    assert asked("cy") == "blocked"
    di, ed, fay, gil = (make_user(name) for name in ("di", "ed", "fay", "gil"))
    suspend(di)
    assert asked("di") == "player_suspended"
    store.create_match([ed, fay], rated=False, now=NOW)
    assert asked("ed") == "player_is_playing"
    User.objects.filter(pk=gil.pk).update(is_active=False)
    assert asked("gil") == "no_such_player"
    assert lobby.open_challenges_of(ada).count() == 1


def test_challenges_count_among_the_open_offers(ada: User, bo: User) -> None:
    lobby.challenge(ada, "bo", rated=True, now=NOW)
    for _ in range(lobby.MAX_OPEN - 1):
        lobby.create(ada, rated=False, now=NOW)
    assert code(lambda: lobby.create(ada, rated=False, now=NOW)) == "too_many_open"
    assert seek(ada)


def test_a_challenge_is_for_one_player_to_accept_or_decline(ada: User, bo: User, cy: User) -> None:
    offer = lobby.challenge(ada, "bo", rated=True, now=NOW)
    assert code(lambda: lobby.accept(offer.pk, cy, now=NOW)) == "not_for_you"
    assert code(lambda: lobby.decline(offer.pk, cy)) == "not_for_you"
    assert lobby.obstacle(offer, None, NOW) is not None
    lobby.decline(offer.pk, bo)
    lobby.decline(offer.pk, bo)
    assert state_of(offer) == State.DECLINED
    assert code(lambda: lobby.accept(offer.pk, bo, now=NOW)) == "declined"


# Whoever may not play


def test_a_suspended_player_starts_nothing(ada: User, bo: User) -> None:
    before, until = finished(ada, bo), timezone.now() + timedelta(days=2)
    offer = seek(bo)
    suspend(ada, until=until - timedelta(days=1))
    suspend(ada, until=until)
    for call in (
        lambda: lobby.create(ada, rated=True, now=NOW),
        lambda: seek(ada),
        lambda: lobby.challenge(ada, "bo", rated=True, now=NOW),
        lambda: lobby.play_now(ada, rated=True, now=NOW),
        lambda: lobby.rematch(ada, before.pk, now=NOW),
        lambda: lobby.accept(offer.pk, ada, now=NOW),
    ):
        refused = refusal(call)
        assert (refused.code, refused.params) == ("suspended", {"until": until})


@pytest.mark.parametrize(
    "over", [{"until": timezone.now() - timedelta(1)}, {"lifted_at": timezone.now()}]
)
def test_a_suspension_that_is_over_keeps_nobody(ada: User, over: dict[str, Any]) -> None:
    suspend(ada, **over)
    assert seek(ada)


def test_what_a_suspended_player_offers_is_not_accepted(ada: User, bo: User) -> None:
    offer = seek(ada)
    suspend(ada)
    assert code(lambda: lobby.accept(offer.pk, bo, now=NOW)) == "player_suspended"


@pytest.mark.parametrize("way", [0, 1])
def test_a_block_keeps_two_apart_either_way(ada: User, bo: User, way: int) -> None:
    before, link, sought = finished(ada, bo), lobby.create(ada, rated=True, now=NOW), seek(ada)
    both = [ada, bo][:: 1 - 2 * way]
    Block.objects.create(user=both[0], blocked=both[1])
    assert code(lambda: lobby.accept(link.pk, bo, now=NOW)) == "blocked"
    assert code(lambda: lobby.accept(sought.pk, bo, now=NOW)) == "blocked"
    assert code(lambda: lobby.rematch(bo, before.pk, now=NOW)) == "blocked"
    waits(ada)
    waits(bo)
    board = lobby.board(NOW, [ada.pk, bo.pk])
    assert board.seeks_for(bo.pk) == []
    assert len(board.seeks_for(ada.pk)) == 1


def test_no_match_starts_before_a_restart(ada: User, bo: User) -> None:
    before, offer = finished(ada, bo), seek(ada)
    waiting = waits(make_user("cy"), rated=False)
    Challenge.objects.create(
        kind=Kind.QUICK, creator=bo, rating=1500, expires_at=waiting.expires_at
    )
    RestartNotice.objects.create()
    assert lobby.pair(NOW) == 0
    for call in (
        lambda: seek(bo),
        lambda: lobby.challenge(bo, "ada", rated=True, now=NOW),
        lambda: lobby.play_now(bo, rated=True, now=NOW),
        lambda: lobby.rematch(bo, before.pk, now=NOW),
        lambda: lobby.accept(offer.pk, bo, now=NOW),
    ):
        assert code(call) == "restart_announced"


def test_suspension_and_block_close_what_was_offered(ada: User, bo: User, cy: User) -> None:
    mine, to_me = seek(ada), lobby.challenge(bo, "ada", rated=True, now=NOW)
    other = lobby.challenge(bo, "cy", rated=True, now=NOW)
    lobby.close_offers(ada.pk)
    assert [state_of(offer) for offer in (mine, to_me, other)] == ["withdrawn", "withdrawn", "open"]
    stays = seek(bo)
    lobby.close_between(cy.pk, bo.pk)
    assert [state_of(offer) for offer in (other, stays)] == ["withdrawn", "open"]


# Play now


def test_whoever_fits_is_met_at_once(ada: User, bo: User) -> None:
    waiting = waits(ada)
    match = lobby.play_now(bo, rated=True, now=NOW + 500)
    assert isinstance(match, Match)
    waiting.refresh_from_db()
    assert (waiting.state, waiting.match) == (State.ACCEPTED, match)
    assert match.rated
    assert not Challenge.objects.filter(state=State.OPEN).exists()


def test_the_nearest_of_those_who_wait_is_met(ada: User, bo: User, cy: User) -> None:
    rate(bo, 1590)
    rate(cy, 1410)
    waits(bo)
    waits(cy)
    rate(ada, 1505)
    assert isinstance(lobby.play_now(ada, rated=True, now=NOW), Match)
    assert lobby.running_match_of(ada).opponent == "bo"  # type: ignore[union-attr]


def test_rated_and_casual_wait_apart(ada: User, bo: User) -> None:
    waits(ada, rated=True)
    waits(bo, rated=False)
    assert lobby.pair(NOW + 1000) == 0


def test_waiting_brings_those_together_who_are_far_apart(ada: User, bo: User) -> None:
    rate(bo, 1650)
    waits(ada)
    waits(bo)
    assert lobby.pair(NOW + 4_999) == 0
    assert lobby.pair(NOW + 5_000) == 1
    assert lobby.running_match_of(ada)


def test_a_suitable_seek_is_met_too(ada: User, bo: User) -> None:
    offer = seek(ada, window=100, now=NOW - 1)
    assert isinstance(lobby.play_now(bo, rated=True, now=NOW), Match)
    assert state_of(offer) == State.ACCEPTED


def test_pressing_again_goes_on_waiting_and_another_kind_waits_anew(ada: User) -> None:
    first = waits(ada)
    again = waits(ada, now=NOW + 7_000)
    assert (again.pk, again.created_at) == (first.pk, first.created_at)
    casual = waits(ada, rated=False, now=NOW + 8_000)
    assert casual.pk != first.pk
    assert state_of(first) == State.WITHDRAWN


def test_whoever_is_gone_is_not_paired(ada: User, bo: User) -> None:
    waits(ada)
    waits(bo, rated=False)
    assert isinstance(lobby.play_now(bo, rated=True, now=NOW + 20_000), Challenge)


def test_nobody_accepts_by_hand_who_waits_to_be_paired(ada: User, bo: User) -> None:
    assert code(lambda: lobby.accept(waits(ada).pk, bo, now=NOW)) == "not_for_you"


def test_suspended_and_playing_players_are_not_paired(ada: User, bo: User, cy: User) -> None:
    rate(ada, 1800)
    for user in (ada, bo):
        waits(user)
    suspend(ada)
    assert lobby.pair(NOW + 19_000) == 0
    Challenge.objects.update(rating=1500)
    assert lobby.pair(NOW + 19_000) == 0
    Suspension.objects.all().delete()
    store.create_match([ada, cy], rated=False, now=NOW)
    assert lobby.pair(NOW + 19_000) == 0


# Rematches


@pytest.mark.parametrize("rated", [True, False])
def test_a_rematch_is_offered_and_taken(ada: User, bo: User, rated: bool) -> None:
    before = finished(ada, bo, rated=rated)
    offer = lobby.rematch(ada, before.pk, now=NOW)
    assert isinstance(offer, Challenge)
    assert (offer.to, offer.previous, offer.rated) == (bo, before, rated)
    assert lobby.rematch(ada, before.pk, now=NOW) == offer
    assert lobby.rematch_of(before.pk, NOW).offers == {ada.pk: offer.pk}
    match = lobby.rematch(bo, before.pk, now=NOW)
    assert isinstance(match, Match)
    assert match.rated is rated
    assert lobby.rematch(ada, before.pk, now=NOW) == match
    assert lobby.rematch_of(before.pk, NOW) == lobby.Rematch({}, frozenset(), match.pk)
    store.leave(match.pk, bo.pk, NOW)
    assert code(lambda: lobby.rematch(ada, before.pk, now=NOW)) == "already_accepted"


def test_who_gets_no_rematch(ada: User, bo: User, cy: User) -> None:
    running = lobby.accept(seek(ada).pk, bo, now=NOW)
    assert code(lambda: lobby.rematch(ada, running.pk, now=NOW)) == "not_finished"
    assert code(lambda: lobby.rematch(cy, running.pk, now=NOW)) == "not_for_you"
    with pytest.raises(Match.DoesNotExist):
        lobby.rematch(ada, "nothere", now=NOW)
    store.leave(running.pk, ada.pk, NOW)
    store.create_match([bo, cy], rated=False, now=NOW)
    assert code(lambda: lobby.rematch(ada, running.pk, now=NOW)) == "player_is_playing"


def test_who_was_told_no_does_not_ask_again_but_the_other_may(ada: User, bo: User) -> None:
    before = finished(ada, bo)
    offer = lobby.rematch(ada, before.pk, now=NOW)
    assert isinstance(offer, Challenge)
    lobby.decline(offer.pk, bo)
    assert code(lambda: lobby.rematch(ada, before.pk, now=NOW)) == "declined"
    assert lobby.rematch_of(before.pk, NOW).declined == {ada.pk}
    assert isinstance(lobby.rematch(bo, before.pk, now=NOW), Challenge)
    assert isinstance(lobby.rematch(ada, before.pk, now=NOW), Match)


def test_a_rematch_is_gone_soon_after_one_of_them_leaves(ada: User, bo: User) -> None:
    before = finished(ada, bo)
    lobby.rematch(ada, before.pk, now=NOW)
    assert lobby.expire(NOW + lobby.REMATCH_FOR - 1) == 0
    lobby.let_rematch_go(before.pk, NOW + 1_000)
    lobby.let_rematch_go(before.pk, NOW + 3_000)  # the second to leave gives no more time
    gone = NOW + 1_000 + lobby.GRACE
    assert lobby.expire(gone - 1) == 0
    assert lobby.rematch_of(before.pk, gone).offers == {}
    assert lobby.expire(gone) == 1


def test_a_rematch_stays_where_whoever_left_comes_back_in_time(
    ada: User, bo: User, cy: User
) -> None:
    before = finished(ada, bo)
    lobby.rematch(ada, before.pk, now=NOW)
    lobby.let_rematch_go(before.pk, NOW + 1_000)
    lobby.keep_rematch(before.pk, cy.pk, NOW + 2_000)
    gone = lobby.moment(NOW + 1_000 + lobby.GRACE)
    assert Challenge.objects.get(kind=Kind.REMATCH).expires_at == gone
    lobby.keep_rematch(before.pk, bo.pk, NOW + 999 + lobby.GRACE)
    assert lobby.expire(NOW + lobby.REMATCH_FOR - 1) == 0
    lobby.let_rematch_go(before.pk, NOW + 10_000)
    too_late = NOW + 10_000 + lobby.GRACE
    lobby.keep_rematch(before.pk, bo.pk, too_late)
    assert lobby.expire(too_late) == 1


def test_an_old_rematch_offer_does_not_count(ada: User, bo: User) -> None:
    before = finished(ada, bo)
    lobby.rematch(ada, before.pk, now=NOW)
    late = NOW + lobby.REMATCH_FOR
    assert isinstance(lobby.rematch(bo, before.pk, now=late), Challenge)
    assert isinstance(lobby.rematch(ada, before.pk, now=late), Match)


# The board


def test_the_board_says_what_each_viewer_may_do(ada: User, bo: User, cy: User) -> None:
    rate(bo, 1700)
    offer = seek(ada, window=100)
    dan, eve, fay, gus = (make_user(name) for name in ("dan", "eve", "fay", "gus"))
    store.create_match([dan, eve], rated=False, now=NOW)
    suspend(gus)
    board = lobby.board(NOW, [user.pk for user in (ada, bo, cy, dan, fay, gus)])

    def refused(viewer: User | None) -> str | None:
        (shown,) = board.seeks_for(None if viewer is None else viewer.pk)
        assert shown.offer.id == offer.pk
        return None if shown.refused is None else shown.refused.code

    assert refused(ada) == "own_challenge"
    assert refused(bo) == "out_of_window"
    assert refused(cy) is refused(None) is None
    assert refused(dan) == "you_are_playing"
    assert refused(gus) == "suspended"
    assert board.match_of(dan.pk) == lobby.running_match_of(dan)
    assert board.hindrance(cy.pk) is None
    (shown,) = board.seeks_for(cy.pk)
    assert shown.offer.creator == lobby.Player(ada.pk, "ada", 1500, True)
    assert (shown.offer.least, shown.offer.most, shown.offer.created) == (1400, 1600, NOW)


def test_the_board_has_what_is_between_players_for_them_alone(
    ada: User, bo: User, cy: User
) -> None:
    link = lobby.create(ada, rated=True, now=NOW)
    offer = lobby.challenge(ada, "bo", rated=False, now=NOW)
    waiting = waits(cy)
    board = lobby.board(NOW, [ada.pk, bo.pk, cy.pk])
    assert {made.id for made in board.made_by(ada.pk)} == {link.pk, offer.pk}
    assert [(shown.offer.id, shown.refused) for shown in board.received_by(bo.pk)] == [
        (offer.pk, None)
    ]
    assert board.received_by(cy.pk) == []
    assert (board.waiting(rated=True), board.waiting(rated=False)) == (1, 0)
    assert [o.id for o in lobby.board(NOW, [cy.pk]).offers] == [waiting.pk]


def test_what_is_too_old_or_of_a_suspended_player_is_not_on_show(ada: User, bo: User) -> None:
    seek(ada)
    assert lobby.board(NOW + 20_000).offers == ()
    suspend(ada)
    assert lobby.board(NOW, [bo.pk]).seeks_for(bo.pk) == []


def test_the_number_of_queries_does_not_grow_with_the_lobby() -> None:
    def queries() -> int:
        users = list(User.objects.values_list("pk", flat=True))
        with CaptureQueriesContext(connection) as captured:
            board = lobby.board(NOW, users)
            for user in users:
                board.seeks_for(user), board.received_by(user), board.made_by(user)
        return len(captured)

    def fill(names: list[str]) -> None:
        users = User.objects.bulk_create(User(username=n, email=f"{n}@x.org") for n in names)
        Rating.objects.bulk_create(Rating(user=user) for user in users)
        expires = lobby.moment(NOW + 20_000)
        Challenge.objects.bulk_create(
            Challenge(kind=kind, creator=user, rating=1500, to=to, expires_at=expires)
            for user, other in zip(users, users[1:] + users[:1], strict=True)
            for kind, to in ((Kind.SEEK, None), (Kind.DIRECT, other), (Kind.QUICK, None))
        )
        Block.objects.create(user=users[0], blocked=users[1])
        suspend(users[0])
        store.create_match(users[:2], rated=False, now=NOW)

    fill(["u0", "u1", "u2"])
    few = queries()
    fill([f"v{n}" for n in range(60)])
    assert queries() == few == 7


# The sweep and the news


def test_the_sweep_sees_to_the_lobby(
    ada: User, bo: User, cy: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    rate(bo, 1650)
    old, waiting = seek(cy, rated=False, now=NOW - 10_000), [waits(ada), waits(bo)]
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW + 10_000)
    tasks.sweep()
    assert state_of(old) == State.EXPIRED
    assert {state_of(offer) for offer in waiting} == {State.ACCEPTED, State.WITHDRAWN}


@pytest.mark.parametrize("failing", ["expire", "pair"])
def test_a_part_of_the_sweep_that_fails_harms_no_other(
    ada: User,
    bo: User,
    cy: User,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    failing: str,
) -> None:
    def fails(_now: int) -> int:
        raise RuntimeError("as it happens")

    fails.__name__ = failing
    rate(bo, 1650)
    for user in (ada, bo):
        waits(user)
    old = seek(cy, rated=False, now=NOW - 10_000)
    due = store.create_match([make_user("di"), make_user("ed")], rated=False, now=NOW - 70_000)
    monkeypatch.setattr(lobby, failing, fails)
    monkeypatch.setattr(timekeeping, "now_ms", lambda: NOW + 10_000)
    with caplog.at_level(logging.ERROR):
        assert tasks.sweep() == 1
    assert f"could not be seen to: {failing}" in caplog.text
    due.refresh_from_db()
    assert due.ended_at is not None
    assert (state_of(old) == State.EXPIRED) is (failing == "pair")
    assert (lobby.running_match_of(ada) is not None) is (failing == "expire")


def test_an_empty_lobby_costs_the_sweep_one_query_each(ada: User) -> None:
    lobby.create(ada, rated=False, now=NOW)
    seek(ada)
    for part in (lobby.expire, lobby.pair):
        with CaptureQueriesContext(connection) as queries:
            assert part(NOW) == 0
        assert len(queries) == 1
        assert queries[0]["sql"].startswith("SELECT")


def test_changes_are_told_once_they_are_committed(
    ada: User, bo: User, told: Told, django_capture_on_commit_callbacks: Any
) -> None:
    before = finished(ada, bo)

    def heard(call: Callable[[], object]) -> set[str]:
        told.clear()
        with django_capture_on_commit_callbacks(execute=True):
            call()
            assert told == []
        return set(told)

    assert heard(lambda: seek(ada)) == {"lobby"}
    assert heard(lambda: lobby.expire(NOW + 20_000)) == {"lobby"}
    assert heard(lambda: lobby.expire(NOW + 20_000)) == set()
    assert heard(lambda: lobby.rematch(ada, before.pk, now=NOW)) == {"lobby", before.pk}
    assert heard(lambda: lobby.let_rematch_go(before.pk, NOW)) == {"lobby", before.pk}
    assert heard(lambda: lobby.keep_rematch(before.pk, bo.pk, NOW)) == {"lobby", before.pk}
    assert heard(lambda: lobby.keep_rematch(before.pk, bo.pk, NOW)) == set()  # nobody had left
    assert heard(lambda: lobby.rematch(bo, before.pk, now=NOW)) == {"lobby", before.pk}
