"""What two people can do at the same moment in the lobby ends in one match, or a clear refusal.

Each race is run many times with new players on PostgreSQL, where rows are locked, and a few
times on SQLite. Whatever goes wrong in a thread, a deadlock for one, is no refusal and fails.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import connection

from accounts import services as conduct
from accounts.models import User
from games import live, lobby, lobby_news, store
from games.models import Challenge, Match, Seat
from ratings.models import Rating
from tests.conftest import on_postgres
from tests.games.factory import NOW

State = Challenge.State
Call = Callable[[], object]

pytestmark = pytest.mark.django_db(transaction=True)

ONCE = (["match", "withdrawn"], ["withdrawn", "match"])  # of two offers of one player, one is taken


@pytest.fixture(autouse=True)
def nobody_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """A thread without an event loop pays more for telling the news than for all the rest."""
    monkeypatch.setattr(lobby_news, "_publish", lambda: None)
    for name in ("publish", "look_again", "suspend_account"):
        monkeypatch.setattr(live, name, lambda *_: None)


def race(count: int, rounds: int = 50) -> Callable[[Callable[..., None]], Callable[[], None]]:
    """A test of what ``count`` players do at the same moment: many rounds, each with new ones."""

    def decorate(test: Callable[..., None]) -> Callable[[], None]:
        def many_rounds() -> None:
            for round_ in range(rounds if on_postgres() else max(2, rounds // 10)):
                test(*people(round_, count))

        many_rounds.__name__ = test.__name__
        return many_rounds

    return decorate


def people(round_: int, count: int) -> list[User]:
    """New players. Names run against the order of ids every other time, and so do the locks."""
    names = [f"{name}-{round_}" for name in ("ada", "bo", "cy", "di", "ed", "fay")[:count]]
    ordered = names if round_ % 2 else names[::-1]
    made = User.objects.bulk_create(
        User(username=name, email=f"{name}@example.org") for name in ordered
    )
    return sorted(made, key=lambda user: user.username)


def at_once(*calls: Call) -> list[str]:
    """Run the calls in threads that start together; what became of each, in order."""
    barrier = threading.Barrier(len(calls))
    outcomes = ["hung"] * len(calls)

    def run(place: int, call: Call) -> None:
        try:
            barrier.wait(10)
            outcomes[place] = _told(call())
        except lobby.Refused as refused:
            outcomes[place] = refused.code
        except Exception as error:  # noqa: BLE001  # the round shows what it was
            outcomes[place] = repr(error)
        finally:
            connection.close()

    threads = [threading.Thread(target=run, args=(place, call)) for place, call in enumerate(calls)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    return outcomes


def _told(result: object) -> str:
    if isinstance(result, Match):
        return "match"
    return "offer" if isinstance(result, Challenge) else "done"


def matches_of(*users: User) -> int:
    """How many matches these players are in; they are in no more than one each, and whoever plays
    offers nothing, and every match was somebody's offer."""
    seats = list(Seat.objects.filter(user__in=users, live=True).values_list("user", "match"))
    playing = {user for user, _ in seats}
    assert len(playing) == len(seats)
    offers = list(Challenge.objects.filter(creator__in=users))
    for offer in offers:
        is_open = offer.state == State.OPEN
        assert not (is_open and offer.creator_id in playing)
        assert is_open is (offer.closed_at is None)
        assert (offer.state == State.ACCEPTED) is (offer.match_id is not None)
    begun = {offer.match_id for offer in offers if offer.match_id}
    assert begun >= {match for _, match in seats}
    assert Seat.objects.filter(user__in=users).count() == 2 * len(begun)
    return len(begun)


def finished(*users: User) -> Match:
    """A match of these two that is over."""
    match = lobby.accept(lobby.create(users[0], rated=False, now=NOW).pk, users[1], now=NOW)
    store.leave(match.pk, users[0].pk, NOW + 1)
    match.refresh_from_db()
    return match


def seek(user: User) -> Challenge:
    return lobby.seek(user, rated=False, window=None, now=NOW)


def waits(user: User, rating: int) -> Challenge:
    """A player of this rating has pressed Play now, and nobody fitted."""
    Rating.objects.create(user=user, value=rating)
    return Challenge.objects.create(
        kind=Challenge.Kind.QUICK,
        creator=user,
        rated=True,
        rating=rating,
        created_at=datetime.fromtimestamp(NOW / 1000, UTC),
        expires_at=datetime.fromtimestamp((NOW + lobby.AWAY_AFTER) / 1000, UTC),
    )


# Accepting


@race(3)
def test_two_accept_one_seek_and_one_plays(ada: User, bo: User, cy: User) -> None:
    offer = seek(ada)
    outcomes = at_once(
        lambda: lobby.accept(offer.pk, bo, now=NOW), lambda: lobby.accept(offer.pk, cy, now=NOW)
    )
    assert sorted(outcomes) == ["already_accepted", "match"]
    assert matches_of(ada, bo, cy) == 1


@race(2)
def test_accepting_against_withdrawing_has_one_outcome(ada: User, bo: User) -> None:
    offer, other = seek(ada), lobby.create(ada, rated=True, now=NOW)
    calls = [
        lambda: lobby.accept(offer.pk, bo, now=NOW),
        lambda: lobby.withdraw(offer.pk, ada),
        lambda: lobby.withdraw(other.pk, ada),
    ]
    outcomes = at_once(*calls)
    assert outcomes[:2] in (["match", "already_accepted"], ["withdrawn", "done"])
    assert outcomes[2] in ("done", "you_are_playing")
    assert matches_of(ada, bo) == (1 if outcomes[0] == "match" else 0)
    assert not lobby.open_challenges_of(ada).exists()


@race(3)
def test_two_offers_of_one_player_are_accepted_and_one_becomes_a_match(
    ada: User, bo: User, cy: User
) -> None:
    first, second = seek(ada), lobby.create(ada, rated=True, now=NOW)
    outcomes = at_once(
        lambda: lobby.accept(first.pk, bo, now=NOW),
        lambda: lobby.accept(second.pk, cy, now=NOW),
    )
    assert outcomes in ONCE
    assert matches_of(ada, bo, cy) == 1


@race(3, rounds=10)
def test_one_player_accepts_two_offers_and_plays_one(ada: User, bo: User, cy: User) -> None:
    offers = [seek(ada), lobby.challenge(bo, cy.username, rated=True, now=NOW)]
    outcomes = at_once(
        lambda: lobby.accept(offers[0].pk, cy, now=NOW),
        lambda: lobby.accept(offers[1].pk, cy, now=NOW),
    )
    assert sorted(outcomes) == ["match", "you_are_playing"]
    assert matches_of(ada, bo, cy) == 1


@race(3)
def test_the_creator_accepts_another_offer_at_the_same_moment(
    ada: User, bo: User, cy: User
) -> None:
    by_ada, by_cy = seek(ada), seek(cy)
    outcomes = at_once(
        lambda: lobby.accept(by_ada.pk, bo, now=NOW),
        lambda: lobby.accept(by_cy.pk, ada, now=NOW),
    )
    assert outcomes in (["match", "you_are_playing"], ["withdrawn", "match"])
    assert matches_of(ada, bo, cy) == 1


@race(2)
def test_two_challenge_each_other_and_both_accept(ada: User, bo: User) -> None:
    made = at_once(
        lambda: lobby.challenge(ada, bo.username, rated=True, now=NOW),
        lambda: lobby.challenge(bo, ada.username, rated=False, now=NOW),
    )
    assert made == ["offer", "offer"]
    by_ada, by_bo = (Challenge.objects.get(creator=user).pk for user in (ada, bo))
    outcomes = at_once(
        lambda: lobby.accept(by_ada, bo, now=NOW), lambda: lobby.accept(by_bo, ada, now=NOW)
    )
    assert outcomes in ONCE
    assert matches_of(ada, bo) == 1


@race(4, rounds=10)
def test_a_ring_of_acceptances_ends(*four: User) -> None:
    offers = [seek(user) for user in four]
    following = zip(offers, four[1:] + four[:1], strict=True)
    outcomes = at_once(
        *(lambda o=offer, u=user: lobby.accept(o.pk, u, now=NOW) for offer, user in following)
    )
    assert set(outcomes) <= {"match", "withdrawn", "already_accepted", "you_are_playing"}
    assert outcomes.count("match") == matches_of(*four) >= 1


@race(2, rounds=10)
def test_accepting_against_declining_has_one_outcome(ada: User, bo: User) -> None:
    offer = lobby.challenge(ada, bo.username, rated=False, now=NOW)
    outcomes = at_once(
        lambda: lobby.accept(offer.pk, bo, now=NOW), lambda: lobby.decline(offer.pk, bo)
    )
    assert outcomes in (["match", "already_accepted"], ["declined", "done"])
    assert matches_of(ada, bo) == (1 if outcomes[0] == "match" else 0)


@race(2, rounds=10)
def test_an_offer_made_while_a_match_starts_does_not_stay(ada: User, bo: User) -> None:
    offer = seek(ada)
    outcomes = at_once(
        lambda: lobby.accept(offer.pk, bo, now=NOW),
        lambda: lobby.create(ada, rated=False, now=NOW),
        lambda: seek(bo),
    )
    assert outcomes[0] == "match"
    assert set(outcomes[1:]) <= {"offer", "you_are_playing"}
    assert matches_of(ada, bo) == 1


# Time, suspensions and blocks


@race(2)
def test_accepting_at_the_last_moment_against_expiry(ada: User, bo: User) -> None:
    offer, end = seek(ada), NOW + lobby.AWAY_AFTER
    for _ in range(3):  # more that end at the same moment, to be closed in any order
        lobby.create(ada, rated=False, now=end - lobby.LINK_FOR)
    outcomes = at_once(
        lambda: lobby.accept(offer.pk, bo, now=end - 1),
        lambda: lobby.expire(end),
        lambda: lobby.keep_alive(ada.pk, end - 1),
        lambda: lobby.expire(end),
    )
    assert outcomes[0] in ("match", "expired")
    assert outcomes[1:] == ["done"] * 3
    assert matches_of(ada, bo) == (1 if outcomes[0] == "match" else 0)
    lobby.expire(end + lobby.AWAY_AFTER)
    assert not lobby.open_challenges_of(ada).exists()


@race(2, rounds=10)
def test_accepting_against_a_suspension(ada: User, bo: User) -> None:
    staff, _ = User.objects.get_or_create(username="staff", is_superuser=True)
    offer = seek(ada)
    lobby.challenge(bo, ada.username, rated=False, now=NOW)
    outcomes = at_once(
        lambda: lobby.accept(offer.pk, bo, now=NOW),
        lambda: conduct.suspend(ada, staff, "why", None),
    )
    assert outcomes[0] in ("match", "withdrawn", "player_suspended")
    assert outcomes[1] == "done"
    assert matches_of(ada, bo) == (1 if outcomes[0] == "match" else 0)
    assert not lobby.open_challenges_of(ada).exists()


@race(2, rounds=10)
def test_accepting_against_a_block(ada: User, bo: User) -> None:
    offer = lobby.challenge(ada, bo.username, rated=False, now=NOW)
    outcomes = at_once(lambda: lobby.accept(offer.pk, bo, now=NOW), lambda: conduct.block(ada, bo))
    assert outcomes in (["match", "done"], ["withdrawn", "done"], ["blocked", "done"])
    assert matches_of(ada, bo) == (1 if outcomes[0] == "match" else 0)


# Play now


@race(2)
def test_two_press_play_now_and_nobody_is_left_waiting(ada: User, bo: User) -> None:
    outcomes = at_once(
        lambda: lobby.play_now(ada, rated=True, now=NOW),
        lambda: lobby.play_now(bo, rated=True, now=NOW),
    )
    assert "match" in outcomes
    assert set(outcomes) <= {"match", "offer"}
    assert matches_of(ada, bo) == 1


@race(4, rounds=10)
def test_four_press_play_now_and_nobody_is_left_waiting(*four: User) -> None:
    outcomes = at_once(*(lambda u=user: lobby.play_now(u, rated=False, now=NOW) for user in four))
    assert set(outcomes) <= {"match", "offer"}
    assert matches_of(*four) == 2


@race(3, rounds=10)
def test_play_now_against_an_acceptance_of_what_the_player_seeks(
    ada: User, bo: User, cy: User
) -> None:
    offer = seek(ada)
    lobby.seek(cy, rated=False, window=0, now=NOW)
    outcomes = at_once(
        lambda: lobby.accept(offer.pk, bo, now=NOW),
        lambda: lobby.play_now(ada, rated=False, now=NOW),
        lambda: lobby.pair(NOW),
    )
    assert outcomes[0] in ("match", "withdrawn", "already_accepted")
    assert outcomes[1] in ("match", "you_are_playing")
    assert matches_of(ada, bo, cy) == 1
    lobby.expire(NOW + lobby.AWAY_AFTER)  # what cy seeks is not for the next round


@race(4)
def test_two_workers_pair_at_once(ada: User, bo: User, cy: User, di: User) -> None:
    later = NOW + 6_000
    for user, rating in ((ada, 1500), (bo, 1650), (cy, 2100), (di, 2250)):
        waits(user, rating)
    outcomes = at_once(
        lambda: lobby.pair(later),
        lambda: lobby.pair(later),
        lambda: lobby.play_now(bo, rated=True, now=later),
    )
    assert outcomes[:2] == ["done", "done"]
    assert outcomes[2] in ("match", "you_are_playing")
    assert matches_of(ada, bo, cy, di) == 2
    playing = lobby.facts([ada.pk, bo.pk, cy.pk, di.pk]).playing
    assert playing[ada.pk].id == playing[bo.pk].id != playing[cy.pk].id == playing[di.pk].id


@race(2, rounds=10)
def test_ceasing_to_wait_against_being_paired(ada: User, bo: User) -> None:
    later = NOW + 6_000
    waits(ada, 1500)
    waiting = waits(bo, 1650)
    outcomes = at_once(lambda: lobby.pair(later), lambda: lobby.withdraw(waiting.pk, bo))
    assert outcomes[0] == "done"
    begun = matches_of(ada, bo)
    assert outcomes[1] == ("you_are_playing" if begun else "done")
    lobby.close_offers(ada.pk)


# Rematches


@race(2)
def test_both_want_a_rematch_and_get_one(ada: User, bo: User) -> None:
    before = finished(ada, bo)
    outcomes = at_once(
        lambda: lobby.rematch(ada, before.pk, now=NOW + 2),
        lambda: lobby.rematch(bo, before.pk, now=NOW + 2),
    )
    assert sorted(outcomes) == ["match", "offer"]
    assert matches_of(ada, bo) == 2  # with the one before


@race(2, rounds=10)
def test_a_rematch_pressed_four_times_is_one(ada: User, bo: User) -> None:
    before = finished(ada, bo)
    outcomes = at_once(
        *(lambda u=u: lobby.rematch(u, before.pk, now=NOW + 2) for u in (ada, bo, ada, bo))
    )
    assert set(outcomes) == {"match", "offer"}
    assert matches_of(ada, bo) == 2


@race(2, rounds=10)
def test_a_rematch_against_leaving_and_withdrawing(ada: User, bo: User) -> None:
    end = NOW + 2 + lobby.REMATCH_FOR
    before = finished(ada, bo)
    offer = lobby.rematch(ada, before.pk, now=NOW + 2)
    assert isinstance(offer, Challenge)
    outcomes = at_once(
        lambda: lobby.rematch(bo, before.pk, now=end - 1),
        lambda: lobby.withdraw(offer.pk, ada),
        lambda: lobby.let_rematch_go(before.pk, NOW + 3),
        lambda: lobby.expire(end),
    )
    assert outcomes[0] in ("match", "offer", "expired")
    assert outcomes[1] in ("done", "already_accepted")
    assert outcomes[2:] == ["done", "done"]
    assert matches_of(ada, bo) == (2 if outcomes[0] == "match" else 1)
