"""Play now: whoever waits is paired with the nearest rating that waits, too."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q

from accounts.models import User
from games import pairing
from games.models import Challenge, Match
from games.pairing import Waiter
from games.timekeeping import moment

from .board import ms
from .facts import facts
from .offers import AWAY_AFTER, offer, open_challenges_of
from .refusals import Refused
from .starting import close, engage, hold, start

Kind, State = Challenge.Kind, Challenge.State
AT_ONCE = 500  # how many waiters are looked at in one go, those who have waited longest


def play_now(user: User, *, rated: bool, now: int) -> Challenge | Match:
    """The match, where somebody fits who waits; else the offer that waits from now on.

    The offer is stored first, in a transaction of its own: of two who come at the same moment,
    the later one to be stored sees the other.
    """
    waiting = _wait(user, rated=rated, now=now)
    pair(now)
    waiting.refresh_from_db()
    if waiting.state == State.OPEN:
        return waiting
    match = Match.objects.filter(seats__user=user, seats__live=True).first()
    if match is None:
        raise Refused("withdrawn")
    return match


def pair(now: int) -> int:
    """Start a match for every two who fit; returns how many matches that makes.

    Each match is a transaction of its own. One query where nobody waits.
    """
    begun, failed = 0, set[tuple[int, int]]()
    while couples := pairing.pairs(*_waiters(now, failed), now=now):
        for first, second in couples:
            if _started(first, second, now):
                begun += 1
            else:
                failed |= {(first.player, second.player), (second.player, first.player)}
    return begun


def _started(first: Waiter, second: Waiter, now: int) -> bool:
    try:
        return _start_pair(first, second, now)
    except Refused:
        return False


def _waiters(now: int, failed: set[tuple[int, int]]) -> tuple[list[Waiter], set[tuple[int, int]]]:
    """Who waits, and which two of them are not to be paired."""
    fresh = Challenge.objects.filter(Q(expires_at__gt=moment(now)), state=State.OPEN).order_by(
        "created_at", "pk"
    )
    rows = list(fresh.filter(kind=Kind.QUICK)[:AT_ONCE])
    if not rows:
        return [], failed
    rows += fresh.filter(kind=Kind.SEEK)[:AT_ONCE]
    if len(rows) < 2:
        return [], failed
    known = facts({row.creator_id for row in rows})
    if known.restart:
        return [], failed
    free = [row for row in rows if known.hindrance(row.creator_id) is None]
    return [_waiter(row) for row in free], failed | known.blocks


def _waiter(row: Challenge) -> Waiter:
    assert row.rating is not None
    return Waiter(
        offer=row.pk,
        player=row.creator_id,
        rating=row.rating,
        rated=row.rated,
        since=ms(row.created_at),
        is_seek=row.kind == Kind.SEEK,
        least=row.least,
        most=row.most,
    )


@transaction.atomic
def _start_pair(first: Waiter, second: Waiter, now: int) -> bool:
    """Start the match of two waiters; False where one of them does not wait any more."""
    hold(first.player, second.player)
    rows = Challenge.objects.select_related("creator").filter(
        pk__in=[first.offer, second.offer], state=State.OPEN, expires_at__gt=moment(now)
    )
    offers = {row.pk: row for row in rows}
    if len(offers) < 2:
        return False
    known = facts([first.player, second.player])
    hindered = known.hindrance(first.player) or known.hindrance(second.player)
    if hindered or known.are_apart(first.player, second.player):
        return False
    start(offers[first.offer], offers[second.offer].creator, now)
    return True


@transaction.atomic
def _wait(user: User, *, rated: bool, now: int) -> Challenge:
    known = engage(user, now)
    before = open_challenges_of(user).filter(kind=Kind.QUICK).first()
    if before is not None and before.rated is rated:
        before.expires_at = moment(now + AWAY_AFTER)
        before.save(update_fields=["expires_at"])
        return before
    if before is not None:
        close(before, State.WITHDRAWN)
    return offer(user, Kind.QUICK, known, rated=rated, now=now, lives=AWAY_AFTER)
