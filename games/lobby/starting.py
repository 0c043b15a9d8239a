"""What every way into a match goes through: holding the players, closing offers, starting.

Every race is settled by the database. Whoever changes what a player is engaged in, an offer of
the player's included, holds that player's row first, players in order of their ids, so that
nothing deadlocks where rows are locked (PostgreSQL); SQLite lets one writer in at a time anyway.
A challenge leaves the state ``open`` by one conditional update, and the unique constraint on
running seats is the last guard.
"""

from __future__ import annotations

import secrets

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from accounts.models import User
from games import lobby_news, store
from games.models import Challenge, Match
from games.timekeeping import moment

from .board import closed, obstacle
from .facts import Facts, facts
from .refusals import Refused

State = Challenge.State


def hold(*user_ids: int) -> None:
    """Let nobody else engage these players until this transaction ends."""
    held = get_user_model().objects.select_for_update(no_key=True).filter(pk__in=user_ids)
    list(held.order_by("pk").values_list("pk"))


def engage(user: User, now: int, *, other: int | None = None) -> Facts:
    """Hold a player who wants to offer something, and ``other`` whom it is for.

    Raises :class:`Refused` where the player can start no match. What is too old is out of the way.
    """
    both = [user.pk] if other is None else [user.pk, other]
    hold(*both)
    known = facts(both)
    if refused := known.hindrance(user.pk):
        raise refused
    too_old = Challenge.objects.filter(creator=user, expires_at__lte=moment(now))
    close_all(too_old, State.EXPIRED)
    return known


def close(challenge: Challenge, state: Challenge.State) -> bool:
    """Move an open challenge to ``state``; False where it was not open any more.

    Its creator is held.
    """
    if close_all(Challenge.objects.filter(pk=challenge.pk), state):
        return True
    challenge.refresh_from_db(fields=["state", "match"])
    return False


def close_all(offers: QuerySet[Challenge], state: Challenge.State) -> int:
    """Move those that are open to ``state``; returns how many were. Their creators are held."""
    still_open = offers.filter(state=State.OPEN)
    found = dict(still_open.values_list("pk", "previous"))
    if not found:
        return 0
    changed = Challenge.objects.filter(pk__in=found, state=State.OPEN).update(
        state=state, closed_at=timezone.now()
    )
    if changed:
        lobby_news.changed(*{match for match in found.values() if match is not None})
    return changed


def start(challenge: Challenge, user: User, now: int) -> Match:
    """Start the match ``challenge`` offers against ``user``, seats drawn at random; every other
    open offer of the two is withdrawn. Both are held.

    Raises :class:`Refused` where the challenge is not open any more.
    """
    if not close(challenge, State.ACCEPTED):
        raise closed(challenge) or Refused("withdrawn")
    match = _created(challenge, user, now)
    Challenge.objects.filter(pk=challenge.pk).update(match=match)
    both = [challenge.creator_id, user.pk]
    close_all(Challenge.objects.filter(creator__in=both), State.WITHDRAWN)
    return match


def _created(challenge: Challenge, user: User, now: int) -> Match:
    users = [challenge.creator, user]
    secrets.SystemRandom().shuffle(users)
    try:
        with transaction.atomic():
            return store.create_match(users, rated=challenge.rated, now=now)
    except IntegrityError:
        # A running match of one of the two came about without asking the lobby.
        challenge.state = State.OPEN
        if refused := obstacle(challenge, user, now):
            raise refused from None
        raise
