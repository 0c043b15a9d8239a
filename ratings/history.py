"""How a rating went, in as few points as tell it; pure but for the one query."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import NamedTuple

from .models import START, RatingChange

MOST = 100  # points that a history is drawn and told with


class Point(NamedTuple):
    """A rating after its ``number``-th change; the 0th is where everybody starts."""

    number: int
    value: int
    at: datetime | None = None
    match_id: str = ""
    annulled: bool = False


def history_of(user_id: int) -> list[Point]:
    """Every step of a rating, the start first; empty where nothing was ever rated."""
    changes = RatingChange.objects.filter(user=user_id).order_by("pk")
    told = changes.values_list("after", "at", "match_id", "kind")
    points = [
        Point(number, after, at, match_id, kind == RatingChange.Kind.ANNULLED)
        for number, (after, at, match_id, kind) in enumerate(told, 1)
    ]
    return [Point(0, START), *points] if points else []


def latest(user_id: int) -> tuple[int, datetime] | None:
    """Number and time of the newest change: whatever is made of the history is as old."""
    changes = RatingChange.objects.filter(user=user_id).order_by("-pk")
    return changes.values_list("pk", "at").first()


def thinned(points: Sequence[Point], most: int = MOST) -> list[Point]:
    """At most ``most`` of these points: the first, the last, and in between the lowest and the
    highest of each stretch, so that no summit and no valley is lost.

    >>> [p.value for p in thinned([Point(n, v) for n, v in enumerate([5, 6, 9, 7, 1, 8])], 4)]
    [5, 9, 1, 8]
    """
    if len(points) <= most:
        return list(points)
    inner, stretches = points[1:-1], (most - 2) // 2
    kept = {points[0], points[-1]}
    for n in range(stretches):
        stretch = inner[len(inner) * n // stretches : len(inner) * (n + 1) // stretches]
        kept |= {min(stretch, key=_value), max(stretch, key=_value)}
    return sorted(kept)


def _value(point: Point) -> int:
    return point.value
