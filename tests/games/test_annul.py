"""Staff annul the result of a finished rated match; the log stays as it is."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import connection

from accounts.models import User
from games import live, store
from games.models import Event, Match, StaffDecision
from games.play import Refused
from ratings import services
from ratings.models import RatingChange
from tests.ratings.matches import DEALT, RESIGN, checked, left, resigned, timed_out, voided

from .factory import NOW, begun, make_match, make_user
from .races import at_once

pytestmark = pytest.mark.django_db(transaction=True)

LATER = NOW + 86_400_000
WHY = "One of them played on both sides."


@pytest.fixture
def players(transactional_db: None) -> list[User]:
    return [make_user(name) for name in ("ada", "bo", "cy")]


@pytest.fixture
def staff(transactional_db: None) -> User:
    return make_user("staff")


def values(*users: User) -> list[int]:
    return [services.standing(user.pk).value for user in users]


def differences(match: Match) -> list[tuple[str, int]]:
    """What a match changed and how, in order."""
    changes = RatingChange.objects.filter(match_id=match.pk).order_by("pk")
    return [(change.kind, change.difference) for change in changes]


@pytest.mark.parametrize("end", [resigned, timed_out])
def test_both_get_one_compensating_change(
    players: list[User], staff: User, end: Callable[..., Match]
) -> None:
    ada, bo, _ = players
    match = end(ada, bo)
    log = list(Event.objects.filter(match=match).values_list("data", flat=True))
    store.annul(match.pk, staff, WHY, LATER)
    assert values(ada, bo) == [1500, 1500]
    annulled = [("annulled", -20), ("annulled", 20)]
    assert sorted(differences(match)) == [*annulled, ("match", -20), ("match", 20)]
    for user in (ada, bo):
        standing = services.standing(user.pk)
        assert (standing.matches, standing.won, standing.lost, standing.peak) == (0, 0, 0, None)
    match.refresh_from_db()
    assert match.annulled_at == datetime.fromtimestamp(LATER / 1000, UTC)
    assert match.winner is not None, "the result stays on record"
    assert list(Event.objects.filter(match=match).values_list("data", flat=True)) == log
    decision = match.staff_decisions.get()
    assert (decision.kind, decision.by, decision.reason) == ("annul", staff, WHY)
    checked()


def test_later_opponents_keep_their_ratings(players: list[User], staff: User) -> None:
    ada, bo, cy = players
    first = resigned(ada, bo)
    resigned(cy, ada, now=NOW + 10_000)
    third = resigned(bo, cy, now=NOW + 20_000)
    before = values(ada, bo, cy)
    store.annul(first.pk, staff, WHY, LATER)
    assert values(ada, bo, cy) == [before[0] - 20, before[1] + 20, before[2]]
    standing = services.standing(bo.pk)
    assert (standing.matches, standing.won, standing.lost) == (1, 1, 0)
    assert standing.peak == services.changes_of(third.pk)[bo.pk].after
    checked()


def test_the_peak_of_an_annulled_match_is_none(players: list[User], staff: User) -> None:
    ada, bo, cy = players
    resigned(ada, bo)
    best = resigned(ada, cy, now=NOW + 10_000)
    peak = services.standing(ada.pk).peak
    store.annul(best.pk, staff, WHY, LATER)
    assert services.standing(ada.pk).peak == 1520 < (peak or 0)
    checked()


def casual(*users: User) -> Match:
    return resigned(*users, rated=False)


def running(*users: User) -> Match:
    return make_match(users, begun(DEALT))


def running_casual(*users: User) -> Match:
    return make_match(users, begun(DEALT), rated=False)


@pytest.mark.parametrize(
    ("start", "code"),
    [
        (casual, "not_rated"),
        (running_casual, "not_rated"),
        (running, "not_over"),
        (voided, "not_rated"),
        (left, "not_rated"),
    ],
)
def test_what_did_not_count_cannot_be_annulled(
    players: list[User], staff: User, start: Callable[..., Match], code: str
) -> None:
    match = start(*players[:2])
    decided = StaffDecision.objects.count()
    with pytest.raises(Refused, match=code):
        store.annul(match.pk, staff, WHY, LATER)
    match.refresh_from_db()
    assert match.annulled_at is None
    assert StaffDecision.objects.count() == decided
    assert not RatingChange.objects.exists()


def test_a_match_is_annulled_once(players: list[User], staff: User) -> None:
    ada, bo, _ = players
    match = resigned(ada, bo)
    store.annul(match.pk, staff, WHY, LATER)
    with pytest.raises(Refused, match="already_annulled"):
        store.annul(match.pk, staff, "Again.", LATER + 1000)
    assert values(ada, bo) == [1500, 1500]
    assert match.staff_decisions.get().reason == WHY


def test_no_such_match(staff: User) -> None:
    with pytest.raises(Match.DoesNotExist):
        store.annul("nowhere", staff, WHY, LATER)


def test_the_pages_are_told_once_it_is_committed(
    players: list[User], staff: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = resigned(*players[:2])
    told = []

    def look_again(match_id: str) -> None:
        told.append((match_id, connection.in_atomic_block, len(differences(match))))

    monkeypatch.setattr(live, "look_again", look_again)
    store.annul(match.pk, staff, WHY, LATER)
    with pytest.raises(Refused):
        store.annul(match.pk, staff, WHY, LATER)
    assert told == [(match.pk, False, 4)]


@pytest.fixture
def nobody_looks_on(monkeypatch: pytest.MonkeyPatch) -> None:
    for news in ("publish", "look_again"):
        monkeypatch.setattr(live, news, lambda _: None)


def rounds() -> int:
    return 20 if connection.vendor == "postgresql" else 5


@pytest.mark.timeout(300)
def test_several_annul_at_once(players: list[User], staff: User, nobody_looks_on: None) -> None:
    ada, bo, _ = players
    for number in range(rounds()):
        match = resigned(ada, bo, now=NOW + 10_000 * number)
        answers = at_once(lambda _, pk=match.pk: store.annul(pk, staff, WHY, LATER), 6)  # type: ignore[misc]
        assert sorted(map(str, answers)) == ["None", *["already_annulled"] * 5]
        assert values(ada, bo) == [1500, 1500]
        assert len(differences(match)) == 4
    checked()


@pytest.mark.timeout(300)
def test_annulling_against_the_end_of_the_next_match(
    players: list[User], staff: User, nobody_looks_on: None
) -> None:
    ada, bo, cy = players
    for number in range(rounds()):
        now = NOW + 10_000 * number
        first = resigned(ada, bo, now=now)
        other = resigned(cy, bo, now=now)
        following = make_match([bo, ada], begun(DEALT), now=now + 5000)

        def work(
            order: int,
            pks: tuple[str, str, str] = (first.pk, other.pk, following.pk),
            now: int = now,
        ) -> object:
            if order % 3 == 2:
                return store.submit(pks[2], ada.pk, RESIGN, now + 8000)
            return store.annul(pks[order % 3], staff, WHY, LATER)

        answers = at_once(work, 6)
        assert answers.count("already_annulled") == 2
        assert answers.count(None) == 2
        assert answers.count(True) >= 1
        assert [len(differences(match)) for match in (first, other, following)] == [4, 4, 2]
        ended = RatingChange.objects.filter(match_id=following.pk)
        assert ended.filter(won=True).get().user_id == bo.pk
    assert services.standing(cy.pk).value == 1500
    checked()
