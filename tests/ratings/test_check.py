"""``check_ratings``: clean after everything that can happen, and what it finds."""

from __future__ import annotations

import os
import random
import threading
from collections.abc import Callable, Iterator
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection
from django.db.models import F
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games import live, lobby_news, results, store
from games.models import Match, StaffDecision
from games.play import Refused
from ratings.check import Result
from ratings.models import Rating, RatingChange
from tests.games.factory import NOW, make_user

from .matches import VOID, checked, given_up, resigned, timed_out

pytestmark = pytest.mark.django_db(transaction=True)

MATCHES = int(os.environ.get("RATINGS_MATCHES", "150"))


def found() -> list[str]:
    """The lines that ``check_ratings`` finds wrong; there are some."""
    err = StringIO()
    with pytest.raises(CommandError, match=r"^\d+ differences in \d+ ratings, \d+ matches$"):
        call_command("check_ratings", stdout=StringIO(), stderr=err)
    return err.getvalue().splitlines()


@pytest.mark.timeout(1200)
@pytest.mark.spoils_matches  # none is spoilt: its logs are compared in other tests
def test_clean_after_random_matches_with_voids_and_annulments(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    for news in ("publish", "look_again"):  # nobody is looking on
        monkeypatch.setattr(live, news, lambda _: None)
    monkeypatch.setattr(lobby_news, "_publish", lambda: None)
    chance = random.Random(MATCHES)
    users = [make_user(f"player{number}") for number in range(12)]
    staff, counted, annulled = make_user("staff"), [], 0
    for number in range(MATCHES):
        now = NOW + 200_000 * number
        first, second = chance.sample(users, 2)
        if chance.random() < 0.15:
            chance.choice(VOID)(first, second, rated=chance.random() < 0.8, now=now)
            continue
        # The lower numbers win more often, so that ratings drift apart.
        if chance.random() < 0.75 and users.index(first) > users.index(second):
            first, second = second, first
        end = chance.choices((given_up, resigned, timed_out), (8, 1, 1))[0]
        match = end(first, second, rated=chance.random() < 0.9, now=now)
        counted += [match.pk] if match.rated else []
        if counted and chance.random() < 0.1:
            annulled += annul_some(chance.choice(counted[-40:]), staff, now + 150_000)
    assert annulled
    assert Match.objects.filter(reason="void").exists()
    assert RatingChange.objects.count() == 2 * (len(counted) + annulled)
    assert checked().startswith(f"12 ratings, {len(counted)} matches")


def annul_some(match_id: str, staff: User, now: int) -> bool:
    try:
        store.annul(match_id, staff, "A test.", now)
    except Refused as refused:
        if refused.code != "already_annulled":
            raise
        return False
    return True


@pytest.fixture
def ladder(players: list[User]) -> dict[str, Match]:
    """ada won one match that counts and one that was annulled, bo and cy played as well."""
    ada, bo, cy = players
    first = resigned(ada, bo)
    annulled = timed_out(ada, cy, now=NOW + 200_000)
    store.annul(annulled.pk, bo, "A test.", NOW + 400_000)
    return {
        "first": first,
        "annulled": annulled,
        "last": resigned(bo, cy, now=NOW + 500_000),
        "casual": resigned(cy, ada, now=NOW + 600_000, rated=False),
    }


def test_a_clean_ladder(ladder: dict[str, Match]) -> None:
    assert checked() == "3 ratings, 3 matches: every rating is what the matches give\n"


def rating(name: str, **columns: object) -> Callable[[dict[str, Match]], object]:
    """Spoil a stored rating."""
    return lambda _: Rating.objects.filter(user__username=name).update(**columns)


def change(
    name: str, match: str, kind: str = "match", **columns: object
) -> Callable[[dict[str, Match]], object]:
    """Spoil a stored change."""
    return lambda ladder: RatingChange.objects.filter(
        user__username=name, match_id=ladder[match].pk, kind=kind
    ).update(**columns)


def row(match: str, **columns: object) -> Callable[[dict[str, Match]], object]:
    """Spoil the row of a match."""
    return lambda ladder: Match.objects.filter(pk=ladder[match].pk).update(**columns)


def lose_changes(**which: object) -> Callable[[dict[str, Match]], object]:
    return lambda ladder: RatingChange.objects.filter(match_id=ladder["last"].pk, **which).delete()


def invented(ladder: dict[str, Match]) -> None:
    """A change by a match that did not count."""
    like = RatingChange.objects.filter(match_id=ladder["last"].pk)[0]
    like.pk, like.match_id = None, ladder["casual"].pk
    like.save()


def annulled_before(ladder: dict[str, Match]) -> None:
    """The compensation stands before what it compensates."""
    kinds = {"match": "other", "annulled": "match"}
    changes = RatingChange.objects.filter(match_id=ladder["annulled"].pk)
    for kind, new in kinds.items():
        changes.filter(kind=kind).update(kind=new)
    changes.filter(kind="other").update(kind="annulled")


def decided(ladder: dict[str, Match]) -> None:
    by = User.objects.get(username="bo")
    ladder["casual"].staff_decisions.create(kind="annul", by=by, reason="A test.")


SPOILT: list[tuple[Callable[[dict[str, Match]], object], str, int]] = [
    (rating("ada", value=1600), "value is 1600, 1520 is due", 1),
    (rating("ada", matches=2, won=2), "matches is 2, 1 is due", 2),
    (rating("ada", won=0, lost=1), "won is 0, 1 is due", 2),
    (rating("ada", peak=1540), "peak is 1540, 1520 is due", 1),
    (rating("ada", peak=None), "peak is None, 1520 is due", 1),
    (rating("ada", at_top=True), "at_top is True, False is due", 1),
    (rating("bo", last_played=None), "last_played is None", 1),
    (lambda _: Rating.objects.get(user__username="ada").delete(), "no rating is stored", 1),
    (
        lambda _: Rating.objects.create(user=make_user("di"), value=1510),
        "value is 1510, 1500 is due",
        1,
    ),
    (change("ada", "first", before=1510), "before is 1510, 1500 is due", 1),
    (change("ada", "first", after=1521), "after is 1521, 1520 is due", 1),
    (change("ada", "first", k=20), "k is 20, 40 is due", 1),
    (change("ada", "first", number=2), "number is 2, 1 is due", 1),
    (change("ada", "first", won=False), "won is False, True is due", 1),
    (change("ada", "first", opponent=F("user")), "opponent_id is", 1),
    (change("ada", "first", opponent_before=1600), "opponent_before is 1600", 1),
    (change("ada", "first", at="2020-01-01T00:00Z"), "at is 2020", 1),
    (change("ada", "annulled", "annulled", after=1500), "after is 1500, 1520 is due", 1),
    (lose_changes(user__username="bo"), "missing, 1480 to", 1),
    (lose_changes(), "missing, 1480 to", 2),
    (
        lambda ladder: RatingChange.objects.filter(kind="annulled").delete(),
        "annulled",
        2,  # the missing ones, and what was counted after them
    ),
    (annulled_before, "nothing there changed this rating", 2),
    (invented, "nothing there changed this rating", 1),
    (row("first", winner=1), "won is True, False is due", 2),
    (row("first", rated=False), "nothing there changed this rating", 2),
    (row("casual", rated=True), "missing", 2),
    (row("last", annulled_at="2027-02-01T00:00Z"), "but nobody decided so", 1),
    (row("annulled", annulled_at=None), "but it does not say so", 1),
    (lambda _: StaffDecision.objects.all().delete(), "but nobody decided so", 1),
    (decided, "it did not count anyway", 1),
]


@pytest.mark.spoils_matches
@pytest.mark.parametrize(("spoil", "complaint", "least"), SPOILT)
def test_what_is_wrong_is_found(
    ladder: dict[str, Match],
    spoil: Callable[[dict[str, Match]], object],
    complaint: str,
    least: int,
) -> None:
    spoil(ladder)
    lines = found()
    assert any(complaint in line for line in lines), lines
    assert len(lines) >= least


def test_one_wrong_value_is_one_line(ladder: dict[str, Match]) -> None:
    change("bo", "first", after=1481)(ladder)
    bo = User.objects.get(username="bo").pk
    name = f"player {bo}, match {ladder['first'].pk}"
    assert found() == [f"{name}: after is 1481, 1480 is due"]


def test_a_match_that_ends_while_it_is_checked_is_no_difference(
    players: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo, _ = players
    first = resigned(ada, bo)
    read = results.rated_results

    def meanwhile() -> None:
        try:
            resigned(bo, ada, now=NOW + 10_000)
            store.annul(first.pk, ada, "A test.", NOW + 20_000)
        finally:
            connection.close()

    def rated_results(decided: set[str]) -> Iterator[Result]:
        yield from read(decided)
        other = threading.Thread(target=meanwhile)
        other.start()
        other.join()

    monkeypatch.setattr(results, "rated_results", rated_results)
    assert checked().startswith("2 ratings, 1 matches")
    monkeypatch.undo()
    assert RatingChange.objects.count() == 6
    assert checked().startswith("2 ratings, 2 matches")


def test_the_number_of_queries_does_not_grow(
    ladder: dict[str, Match], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(5):
        pair = make_user(f"a{number}"), make_user(f"b{number}")
        store.annul(resigned(*pair).pk, pair[0], "A test.", NOW + 5000)
        resigned(*pair, now=NOW + 10_000)
    with django_assert_max_num_queries(10):
        assert checked().startswith("13 ratings, 13 matches")
