"""The ladder: everybody whose rating is no longer provisional, the best first.

Whatever is asked here takes a fixed number of queries, each along an index.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.contrib.auth import get_user_model
from django.core.paginator import Page, Paginator
from django.db.models import Count, F, Q, QuerySet, Sum

from .models import ESTABLISHED, Rating, RatingChange

ROWS = 50  # on one page
RECENT = timedelta(days=30)  # what counts as active, and what a trend covers
BEST_FIRST = ("-value", "user")


@dataclass(frozen=True, slots=True)
class Row:
    """One line of the ladder; ``trend`` is None for somebody who was not rated lately."""

    rank: int
    rating: Rating
    trend: int | None


@dataclass(frozen=True, slots=True)
class Choice:
    """Which of the ranked players one wants to see; all of them unless told otherwise."""

    active_since: datetime | None = None
    prefix: str = ""

    def players(self) -> QuerySet[Rating]:
        chosen = ranked()
        if self.active_since:
            chosen = chosen.filter(last_played__gte=self.active_since)
        if self.prefix:
            chosen = chosen.filter(user__username__istartswith=self.prefix)
        return chosen.order_by(*BEST_FIRST)

    def has(self, rating: Rating) -> bool:
        """Whether the owner of a rating is among them."""
        return self.players().filter(pk=rating.pk).exists()

    def page_of(self, rating: Rating) -> int:
        """The number of the page a rating of theirs stands on."""
        before = Q(value__gt=rating.value) | Q(value=rating.value, user__lt=rating.pk)
        return self.players().filter(before).count() // ROWS + 1


def ranked() -> QuerySet[Rating]:
    """The ratings that have a rank: not provisional, of players who are still here."""
    gone = get_user_model().objects.filter(is_active=False)
    return Rating.objects.filter(matches__gte=ESTABLISHED).exclude(user__in=gone)


def rank_of(rating: Rating) -> int | None:
    """The rank of a rating: one more than there are better ones; None while provisional."""
    if rating.is_provisional:
        return None
    return ranked().filter(value__gt=rating.value).count() + 1


def page_of(choice: Choice, number: str | None) -> Page[int]:
    """The ids of the players on a page; the nearest one where ``number`` is none of its own."""
    return Paginator(choice.players().values_list("pk", flat=True), ROWS).get_page(number)


def top(most: int) -> list[Row]:
    """The first lines, without trends, by one query."""
    best = list(ranked().select_related("user").order_by(*BEST_FIRST)[:most])
    values = [rating.value for rating in best]
    return [Row(values.index(rating.value) + 1, rating, None) for rating in best]


def rows(page: Page[int], now: datetime) -> list[Row]:
    """The lines of a page, with ranks and trends."""
    ids = list(page)
    here = Rating.objects.filter(pk__in=ids).select_related("user").order_by(*BEST_FIRST)
    ratings = list(here)
    ranks, trends = _ranks([rating.value for rating in ratings]), _trends(ids, now - RECENT)
    return [Row(ranks[r.value], r, trends.get(r.pk)) for r in ratings]


def _ranks(values: Sequence[int]) -> dict[int, int]:
    """The rank of each of these ratings among everybody, however far apart they are."""
    if not values:
        return {}
    ahead = ranked().filter(value__gt=max(values)).count()
    between = ranked().filter(value__range=(min(values), max(values)))
    ranks = {}
    for value, players in between.values_list("value").annotate(Count("pk")).order_by("-value"):
        ranks[value] = ahead + 1
        ahead += players
    return ranks


def _trends(ids: Iterable[int], since: datetime) -> dict[int, int]:
    """By how much each of these players' ratings has changed since then."""
    changes = RatingChange.objects.filter(user__in=list(ids), at__gte=since)
    sums = changes.order_by().values_list("user").annotate(by=Sum(F("after") - F("before")))
    return dict(sums)
