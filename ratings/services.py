"""What the rest of the site may do with ratings: read them, and have a result counted."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import Max

from . import elo
from .models import Rating, RatingChange

MATCH, ANNULLED = RatingChange.Kind.MATCH, RatingChange.Kind.ANNULLED


def standings(user_ids: Iterable[int]) -> dict[int, Rating]:
    """The rating of each user, by one query; unsaved and new where nothing has been rated."""
    ids = set(user_ids)
    found = {rating.pk: rating for rating in Rating.objects.filter(pk__in=ids)}
    return {pk: found.get(pk) or Rating(user_id=pk) for pk in ids}


def standing(user_id: int) -> Rating:
    """The rating of one user; unsaved and new where nothing has been rated."""
    return standings([user_id])[user_id]


def changes_of(match_id: str) -> dict[int, RatingChange]:
    """What a match changed, by user id: empty for one that was not rated."""
    changes = RatingChange.objects.filter(match_id=match_id, kind=MATCH)
    return {change.user_id: change for change in changes}


@transaction.atomic
def record(match_id: str, *, winner: int, loser: int, at: datetime) -> None:
    """Count a rated match, once: both ratings change by what they were before it.

    Call it in the transaction that ends the match. Raises ``IntegrityError`` where this match
    has been counted before.
    """
    ratings = _hold(winner, loser)
    before = {pk: rating.value for pk, rating in ratings.items()}
    for pk, other in ((winner, loser), (loser, winner)):
        _count(ratings[pk], match_id, other, before[other], won=pk == winner, at=at)


@transaction.atomic
def annul(match_id: str, at: datetime) -> bool:
    """Take back what a match changed: both players get one compensating change, and whatever was
    rated later stays. False where the match never counted, or counts no more."""
    changes = changes_of(match_id)
    if not changes:
        return False
    ratings = _hold(*changes)
    if RatingChange.objects.filter(match_id=match_id, kind=ANNULLED).exists():
        return False
    for pk, change in sorted(changes.items()):
        _take_back(ratings[pk], change, at)
    return True


def _hold(*users: int) -> dict[int, Rating]:
    """The ratings of these users, locked in the order of their ids until the transaction ends."""
    ids = sorted(users)
    Rating.objects.bulk_create([Rating(user_id=pk) for pk in ids], ignore_conflicts=True)
    held = Rating.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    return {rating.pk: rating for rating in held}


def _count(
    rating: Rating, match_id: str, other: int, opponent: int, *, won: bool, at: datetime
) -> None:
    k = elo.factor(rating.matches, at_top=rating.at_top)
    before = rating.value
    rating.value += elo.change(before, opponent, won=won, k=k)
    rating.matches += 1
    rating.won += won
    rating.lost += not won
    rating.at_top = rating.at_top or rating.value >= elo.TOP_RATING
    rating.peak = rating.value if rating.peak is None else max(rating.peak, rating.value)
    rating.last_played = at
    rating.save()
    RatingChange.objects.create(
        user_id=rating.pk,
        match_id=match_id,
        kind=MATCH,
        opponent_id=other,
        opponent_before=opponent,
        won=won,
        number=rating.matches,
        k=k,
        before=before,
        after=rating.value,
        at=at,
    )


def _take_back(rating: Rating, change: RatingChange, at: datetime) -> None:
    before = rating.value
    rating.value -= change.difference
    rating.matches -= 1
    rating.won -= change.won
    rating.lost -= not change.won
    rating.at_top = rating.at_top or rating.value >= elo.TOP_RATING
    RatingChange.objects.create(
        user_id=rating.pk,
        match_id=change.match_id,
        kind=ANNULLED,
        opponent_id=change.opponent_id,
        opponent_before=change.opponent_before,
        won=change.won,
        number=rating.matches,
        k=change.k,
        before=before,
        after=rating.value,
        at=at,
    )
    rating.peak = _peak(rating.pk)
    rating.save()


def _peak(user_id: int) -> int | None:
    """The highest rating after a match that counts."""
    changes = RatingChange.objects.filter(user_id=user_id)
    annulled = changes.filter(kind=ANNULLED).values("match_id")
    counted = changes.filter(kind=MATCH).exclude(match_id__in=annulled)
    peak: int | None = counted.aggregate(peak=Max("after"))["peak"]
    return peak
