"""What the ladder is counted from: the rated matches with a winner, and what staff annulled."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from operator import itemgetter

from ratings.check import AT_ONCE, Result

from .models import Match, Seat, StaffDecision

ANNUL = StaffDecision.Kind.ANNUL


def annulled() -> set[str]:
    """The matches that staff decided to annul."""
    return set(StaffDecision.objects.filter(kind=ANNUL).values_list("match_id", flat=True))


def rated_results(decided: set[str]) -> Iterator[Result]:
    """Every rated match with a winner, annulled where staff ``decided`` so, by one query."""
    seats = Seat.objects.filter(
        match__rated=True, match__winner__isnull=False, match__ended_at__isnull=False
    )
    rows = seats.order_by("match_id", "seat").values_list(
        "match_id", "user_id", "match__winner", "match__ended_at", "match__annulled_at"
    )
    for match_id, pair in groupby(rows.iterator(AT_ONCE), key=itemgetter(0)):
        (_, first, winner, ended, annulled_at), (_, second, *_) = pair
        assert winner is not None and ended is not None  # noqa: PT018
        users = (first, second)
        # Where the row keeps nothing of the decision, which is a difference of its own.
        at = (annulled_at or ended) if match_id in decided else None
        yield Result(match_id, users[winner], users[1 - winner], ended, at)


def unsound_annulments(decided: set[str]) -> Iterator[str]:
    """Where a match says otherwise than what staff ``decided``, a line each."""
    told = set(Match.objects.filter(annulled_at__isnull=False).values_list("pk", flat=True))
    for match_id in sorted(decided - told):
        yield f"match {match_id}: staff annulled it, but it does not say so"
    for match_id in sorted(told - decided):
        yield f"match {match_id}: it says that it was annulled, but nobody decided so"
    annulments = StaffDecision.objects.filter(kind=ANNUL)
    uncounted = annulments.exclude(match__rated=True, match__winner__isnull=False)
    for match_id in uncounted.order_by("match_id").values_list("match_id", flat=True):
        yield f"match {match_id}: staff annulled it, but it did not count anyway"
