"""What the rest of the site may ask about players: who is suspended, and who blocks whom."""

from __future__ import annotations

from django.db.models import F, Q
from django.utils import timezone

from .models import Block, Suspension, User


def suspension_of(user: User) -> Suspension | None:
    """The suspension that keeps a player from starting matches now, the longest first."""
    running = Q(until=None) | Q(until__gt=timezone.now())
    mine = Suspension.objects.filter(running, user=user, lifted_at=None)
    return mine.order_by(F("until").desc(nulls_first=True)).first()


def blocks_between(user_id: int, others: set[int]) -> set[int]:
    """Which of ``others`` have blocked a player, or are blocked by them, by one query."""
    either = Q(user=user_id, blocked__in=others) | Q(blocked=user_id, user__in=others)
    pairs = Block.objects.filter(either).values_list("user_id", "blocked_id")
    return {pk for pair in pairs for pk in pair} - {user_id}
