"""Offers that end by themselves: too old, or between players who are not to play."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet

from games.models import Challenge
from games.timekeeping import moment

from .starting import close_all, hold

Kind, State = Challenge.Kind, Challenge.State
AT_ONCE = 1000


def expire(now: int) -> int:
    """Close the open offers that are too old; returns how many were.

    It holds no player. Instead it waits for nobody: an offer that somebody changes at this
    moment is left to the next call, and so nothing deadlocks. One query where nothing is too old.
    """
    too_old = Challenge.objects.filter(
        kind__in=Kind.values, expires_at__lte=moment(now), state=State.OPEN
    )
    if not too_old.exists():
        return 0
    with transaction.atomic():
        return close_all(_free(too_old), State.EXPIRED)


@transaction.atomic
def close_offers(user_id: int) -> None:
    """Withdraw what a player offers, and what is offered to the player alone: nobody accepts it.

    What somebody changes at this moment among the latter stays until it is too old.
    """
    hold(user_id)
    close_all(Challenge.objects.filter(creator=user_id), State.WITHDRAWN)
    close_all(_free(Challenge.objects.filter(to=user_id)), State.WITHDRAWN)


@transaction.atomic
def close_between(user_id: int, other_id: int) -> None:
    """Withdraw what two players offer each other."""
    hold(user_id, other_id)
    either = Q(creator=user_id, to=other_id) | Q(creator=other_id, to=user_id)
    close_all(Challenge.objects.filter(either), State.WITHDRAWN)


def _free(offers: QuerySet[Challenge]) -> QuerySet[Challenge]:
    """Those open ones that nobody changes at this moment, locked; their players are not held."""
    free = offers.filter(state=State.OPEN).select_for_update(skip_locked=True, no_key=True)
    return Challenge.objects.filter(pk__in=list(free.values_list("pk", flat=True)[:AT_ONCE]))
