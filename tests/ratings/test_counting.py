"""Which matches count, how, and once."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from django.db import IntegrityError, connection, transaction

from accounts.models import User
from games import live, store
from games.models import Match, Tally
from games.play import Command, Refused
from games.rules.tiles import parse_tile
from ratings import elo, services
from ratings.models import Rating, RatingChange
from tests.games.factory import NOW, begun, go_on, make_match, make_user, nearly_won
from tests.games.races import at_once

from .matches import DEALT, RESIGN, VOID, checked, resigned, timed_out

pytestmark = pytest.mark.django_db(transaction=True)

WHEN = datetime(2027, 1, 15, tzinfo=UTC)


def value(user: User) -> int:
    return services.standing(user.pk).value


def test_a_new_match_keeps_where_both_stand(players: list[User]) -> None:
    ada, bo, cy = players
    Rating.objects.create(user=ada, value=1733, matches=12, won=12)
    match = make_match([bo, ada])
    seats = match.seats.order_by("seat").values_list("rating", "provisional")
    assert list(seats) == [(1500, True), (1733, False)]
    assert match.level == 1617  # of 1616.5: halves away from zero
    resigned(cy, make_user("di"))
    casual = make_match([cy, make_user("ed")], rated=False)
    assert (casual.level, casual.seats.get(seat=0).rating) == (1510, 1520)


def test_the_provisional_mark_goes_with_the_tenth_match(players: list[User]) -> None:
    ada, bo, _ = players
    for number in range(10):
        resigned(ada, bo, now=NOW + 10_000 * number)
        assert services.standing(ada.pk).is_provisional == (number < 9)
        assert make_match([ada, bo], now=NOW).seats.filter(provisional=True).count() == (
            2 if number < 9 else 0
        )
        store.leave(Match.objects.latest("created_at").pk, ada.pk, NOW)
    assert (str(services.standing(ada.pk))[-1], services.standing(ada.pk).won) != ("?", 9)


@pytest.mark.parametrize("end", [resigned, timed_out])
def test_resignation_and_timeout_count(players: list[User], end: Callable[..., Match]) -> None:
    ada, bo, _ = players
    match = end(ada, bo)
    changes = services.changes_of(match.pk)
    assert {pk: change.difference for pk, change in changes.items()} == {ada.pk: 20, bo.pk: -20}
    assert (value(ada), value(bo)) == (1520, 1480)
    standing = services.standing(bo.pk)
    assert (standing.matches, standing.won, standing.lost, standing.peak) == (1, 0, 1, 1480)
    assert standing.last_played == match.ended_at == changes[bo.pk].at
    assert Tally.objects.filter(seat__match=match).count() == 2
    assert checked().startswith("2 ratings, 1 matches")


def test_a_match_won_by_points_counts(players: list[User]) -> None:
    ada, bo, _ = players
    told, tile, arm = nearly_won()
    match = make_match([ada, bo], told)
    assert not RatingChange.objects.exists()
    command = Command("play", match.version, parse_tile(tile), arm)
    assert store.submit(match.pk, ada.pk, command, NOW + 2000)
    match.refresh_from_db()
    assert (match.reason, value(ada), value(bo)) == ("chips", 1520, 1480)


@pytest.mark.parametrize("end", VOID)
def test_a_void_match_counts_nothing(players: list[User], end: Callable[..., Match]) -> None:
    ada, bo, _ = players
    match = end(ada, bo)
    assert match.reason == "void"
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()
    assert not Tally.objects.exists()
    assert checked().startswith("0 ratings, 0 matches")


@pytest.mark.parametrize("end", [resigned, timed_out])
def test_a_casual_match_counts_for_its_figures_alone(
    players: list[User], end: Callable[..., Match]
) -> None:
    ada, bo, _ = players
    match = end(ada, bo, rated=False)
    assert not RatingChange.objects.exists()
    assert not Rating.objects.exists()
    assert Tally.objects.filter(seat__match=match).count() == 2


def test_both_change_by_what_they_were_before(players: list[User]) -> None:
    ada, bo, _ = players
    Rating.objects.create(user=ada, value=1500, matches=30, won=30)
    Rating.objects.create(user=bo, value=1900, matches=29, won=29)
    services.record("match", winner=ada.pk, loser=bo.pk, at=WHEN)
    changes = services.changes_of("match")
    mine, theirs = changes[ada.pk], changes[bo.pk]
    assert (mine.k, mine.opponent_before, mine.after, mine.number) == (20, 1900, 1518, 31)
    assert (theirs.k, theirs.opponent_before, theirs.after, theirs.number) == (40, 1500, 1864, 30)
    services.record("again", winner=ada.pk, loser=bo.pk, at=WHEN)
    assert services.changes_of("again")[bo.pk].k == 20


@pytest.mark.parametrize(
    ("before", "after", "at_top", "next_k"),
    [(2389, 2399, False, 20), (2390, 2400, True, 10), (2391, 2401, True, 10)],
)
def test_the_smallest_factor_begins_at_2400(
    players: list[User], before: int, after: int, at_top: bool, next_k: int
) -> None:
    ada, bo, _ = players
    Rating.objects.create(user=ada, value=before, matches=50, won=50)
    Rating.objects.create(user=bo, value=before, matches=50, won=50)
    services.record("match", winner=ada.pk, loser=bo.pk, at=WHEN)
    standing = services.standing(ada.pk)
    assert (standing.value, standing.at_top) == (after, at_top)
    services.record("next", winner=bo.pk, loser=ada.pk, at=WHEN)
    assert services.changes_of("next")[ada.pk].k == next_k


def test_2400_is_for_good(players: list[User]) -> None:
    ada, bo, _ = players
    Rating.objects.create(user=ada, value=2390, matches=5, won=5)
    Rating.objects.create(user=bo, value=2390, matches=50, won=50)
    services.record("match", winner=ada.pk, loser=bo.pk, at=WHEN)
    assert services.annul("match", WHEN)
    standing = services.standing(ada.pk)
    assert (standing.value, standing.at_top, standing.matches) == (2390, True, 5)
    services.record("next", winner=bo.pk, loser=ada.pk, at=WHEN)
    assert services.changes_of("next")[ada.pk].k == elo.TOP


def test_a_match_is_recorded_once(players: list[User]) -> None:
    ada, bo, _ = players
    services.record("match", winner=ada.pk, loser=bo.pk, at=WHEN)
    for winner, loser in ((ada, bo), (bo, ada)):
        with pytest.raises(IntegrityError), transaction.atomic():
            services.record("match", winner=winner.pk, loser=loser.pk, at=WHEN)
    assert (value(ada), value(bo), RatingChange.objects.count()) == (1520, 1480, 2)


def test_what_cannot_be_counted_ends_no_match(
    players: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, bo, _ = players
    match = make_match([ada, bo], begun(DEALT))

    def fail(*_args: object, **_named: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(services, "_count", fail)
    with pytest.raises(RuntimeError):
        store.submit(match.pk, bo.pk, RESIGN, NOW + 2000)
    match.refresh_from_db()
    assert (match.ended_at, match.seats.filter(live=True).count()) == (None, 2)
    assert not Rating.objects.exists()


@pytest.mark.timeout(300)
def test_twenty_endings_at_once_change_two_ratings_once(
    players: list[User], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(live, "publish", lambda _: None)  # nobody is looking on
    ada, bo, _ = players
    long, tile, arm = nearly_won()
    late = NOW + 1000 + 130_000
    reasons = set()
    rounds = 50 if connection.vendor == "postgresql" else 5
    for number in range(1, rounds + 1):
        # Every fifth match may be won by the tile; the others are short.
        told = begun(DEALT) if number % 5 else long
        match = make_match([ada, bo], told)
        assert match.due is not None

        def end(
            order: int,
            match: Match = match,
            turned: int = number,
            due: int = match.due,
            version: int = len(told),
        ) -> bool | None:
            """Resign, lay the winning tile, or find that the time is up: whoever comes first."""
            match (order + turned) % 4:
                case 0:
                    return store.submit(match.pk, ada.pk, RESIGN, NOW + 2000)
                case 1:
                    return store.submit(match.pk, bo.pk, RESIGN, NOW + 2000)
                case 2:
                    win = Command("play", version, parse_tile(tile), arm)
                    return store.submit(match.pk, ada.pk, win, NOW + 2000)
            store.judge(match.pk, max(late, due))
            return None

        answers = at_once(end, 20)
        assert set(answers) <= {True, False, None, "match_over", "stale", "not_in_hand"}
        match.refresh_from_db()
        reasons.add(match.reason)
        assert match.winner in (0, 1)
        changes = services.changes_of(match.pk)
        assert set(changes) == {ada.pk, bo.pk}
        assert RatingChange.objects.count() == 2 * number
        assert Tally.objects.count() == 2 * number
        winner = (ada, bo)[match.winner]
        assert [pk for pk, change in changes.items() if change.won] == [winner.pk]
        for user in (ada, bo):
            assert services.standing(user.pk).matches == number
            assert value(user) == changes[user.pk].after
    assert reasons <= {"chips", "resignation", "time"}
    assert len(reasons) > 1
    checked()


def test_a_refused_command_counts_nothing(players: list[User]) -> None:
    ada, bo, cy = players
    match = go_on(make_match([ada, bo]), begun(DEALT))
    with pytest.raises(Refused):
        store.submit(match.pk, cy.pk, RESIGN, NOW + 2000)
    assert not RatingChange.objects.exists()
