"""Who is suspended, and who blocks whom: what the rest of the site may ask, and change.

Whoever changes it holds the rows of the players concerned first, in the order of their ids, as
the lobby does before it engages anybody: a match starts before a suspension or not at all.
"""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from django.db import transaction
from django.db.models import F, Q
from django.utils import timezone

from .models import Block, Suspension, User
from .signals import blocked, suspended

#: How many players one player may block at a time.
MAX_BLOCKS = 500


class Refused(Exception):
    """A request that is turned down; nothing has changed. ``code`` is one of :data:`CODES`."""

    def __init__(self, code: str) -> None:
        if code not in CODES:
            raise ValueError(f"{code!r} is no code of this module")
        super().__init__(code)
        self.code = code


CODES = frozenset(
    {
        "oneself",  # nobody suspends, lifts or blocks themselves
        "staff",  # only a superuser suspends staff
        "past",  # a suspension ends in the future
        "too_many_blocks",
    }
)


def running(now: datetime | None = None) -> Q:
    """The suspensions that keep somebody from starting matches at ``now``."""
    return Q(lifted_at=None) & (Q(until=None) | Q(until__gt=now or timezone.now()))


def suspension_of(user: User) -> Suspension | None:
    """The suspension that keeps a player from starting matches now, the longest first."""
    mine = Suspension.objects.filter(running(), user=user)
    return mine.order_by(F("until").desc(nulls_first=True)).first()


@transaction.atomic
def suspend(user: User, by: User, reason: str, until: datetime | None) -> Suspension:
    """Let a player start no match until then, or without an end; a running one goes on.

    It comes on top of earlier ones: the longest counts.
    """
    if refused := obstacle(user, by):
        raise refused
    if until is not None and until <= timezone.now():
        raise Refused("past")
    _hold(user.pk)
    suspension = Suspension.objects.create(user=user, by=by, reason=reason, until=until)
    suspended.send(Suspension, user_id=user.pk)
    return suspension


@transaction.atomic
def lift(user: User, by: User) -> int:
    """End every suspension of a player that is running; returns how many were."""
    if refused := obstacle(user, by):
        raise refused
    _hold(user.pk)
    mine = Suspension.objects.filter(running(), user=user)
    return mine.update(lifted_at=timezone.now(), lifted_by=by)


def obstacle(user: User, by: User) -> Refused | None:
    """Why ``by`` may not suspend this player, or lift it, whatever their permissions."""
    if user == by:
        return Refused("oneself")
    if (user.is_staff or user.is_superuser) and not by.is_superuser:
        return Refused("staff")
    return None


def blocks_between(user_id: int, others: set[int]) -> set[int]:
    """Which of ``others`` have blocked a player, or are blocked by them, by one query."""
    either = Q(user=user_id, blocked__in=others) | Q(blocked=user_id, user__in=others)
    pairs = Block.objects.filter(either).values_list("user_id", "blocked_id")
    return {pk for pair in pairs for pk in pair} - {user_id}


def has_blocked(user_id: int, other_id: int) -> bool:
    """Whether the first has blocked the second, this way round."""
    return Block.objects.filter(user=user_id, blocked=other_id).exists()


@transaction.atomic
def block(user: User, other: User) -> bool:
    """From now on no match between these two; False where that was so before."""
    if user == other:
        raise Refused("oneself")
    _hold(user.pk, other.pk)
    mine = Block.objects.filter(user=user)
    if mine.filter(blocked=other).exists():
        return False
    if mine.count() >= MAX_BLOCKS:
        raise Refused("too_many_blocks")
    Block.objects.create(user=user, blocked=other)
    blocked.send(Block, user_id=user.pk, blocked_id=other.pk)
    return True


def unblock(user: User, other: User) -> bool:
    """Allow matches again as far as ``user`` is concerned; False where there was no block."""
    gone, _ = Block.objects.filter(user=user, blocked=other).delete()
    return bool(gone)


def find_player(name: str) -> User | None:
    """The player of this name in any case."""
    if "\0" in name:  # PostgreSQL takes no such text
        return None
    return User.objects.filter(username__iexact=name, is_active=True).first()


def _hold(*user_ids: int) -> None:
    """Let nobody engage these players until this transaction ends."""
    ids: Iterable[int] = sorted(user_ids)
    held = User.objects.select_for_update(no_key=True).filter(pk__in=ids).order_by("pk")
    list(held.values_list("pk"))
