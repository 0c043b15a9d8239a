"""The same two once more: offered after a match, and gone when one of them leaves its page."""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import QuerySet

from accounts.models import User
from games import lobby_news
from games.models import Challenge, Match
from games.timekeeping import moment

from .board import ms
from .offers import accept_held, offer, refuse_apart
from .refusals import Refused
from .starting import engage, hold

Kind, State = Challenge.Kind, Challenge.State

REMATCH_FOR = 5 * 60 * 1000  # ms that a rematch is offered while both stay
GRACE = 7_000  # ms in which whoever left the page of the match may come back


@dataclass(frozen=True, slots=True)
class Rematch:
    """What became of playing once more after a match.

    ``offers`` has the open offers by the id of the user who made them, ``declined`` says who
    was told no; ``match`` is the id of the match that came of it.
    """

    offers: dict[int, str]
    declined: frozenset[int]
    match: str | None


def rematch_of(match_id: str, now: int) -> Rematch:
    """What became of playing once more after this match, by one query."""
    rows = list(_after(match_id))
    fresh = [row for row in rows if row.state == State.OPEN and not _has_expired(row, now)]
    return Rematch(
        offers={row.creator_id: row.pk for row in fresh},
        declined=frozenset(row.creator_id for row in rows if row.state == State.DECLINED),
        match=next((row.match_id for row in rows if row.match_id), None),
    )


@transaction.atomic
def rematch(user: User, match_id: str, *, now: int) -> Challenge | Match:
    """Offer the opponent of a finished match another; where the opponent has offered one, it
    starts. The same again gives the same.

    Raises ``Match.DoesNotExist`` or :class:`Refused`.
    """
    match, other = _played(user, match_id)
    hold(user.pk, other.pk)
    rows = list(_after(match_id).select_related("creator", "match"))
    if already := next((row.match for row in rows if row.match), None):
        if already.ended_at is None:
            return already
        raise Refused("already_accepted", match=already.pk)
    by = {row.creator_id: row for row in rows if row.state == State.OPEN}
    by = {pk: row for pk, row in by.items() if not _has_expired(row, now)}
    if other.pk in by:
        return accept_held(by[other.pk], user, now)
    if user.pk in by:
        return by[user.pk]
    if any(row.creator_id == user.pk and row.state == State.DECLINED for row in rows):
        raise Refused("declined")
    return _offer_again(user, other, match, now)


def keep_rematch(match_id: str, user_id: int, now: int) -> None:
    """This player is on the page of the match, and both are there: what was offered stands for
    as long as it would have. One query where nobody had left."""
    for row in _after(match_id).filter(state=State.OPEN, expires_at__gt=moment(now)):
        until = ms(row.created_at) + REMATCH_FOR
        if user_id in (row.creator_id, row.to_id) and row.expires_at != moment(until):
            _move(row, until, now)


def let_rematch_go(match_id: str, now: int) -> None:
    """One of the two has left the page of the match: what was offered is gone in a moment."""
    for row in _after(match_id).filter(state=State.OPEN, expires_at__gt=moment(now + GRACE)):
        _move(row, now + GRACE, now)


def _offer_again(user: User, other: User, match: Match, now: int) -> Challenge:
    known = engage(user, now, other=other.pk)
    refuse_apart(user, other, known)
    return offer(
        user,
        Kind.REMATCH,
        known,
        rated=match.rated,
        now=now,
        lives=REMATCH_FOR,
        to=other,
        previous=match,
    )


def _played(user: User, match_id: str) -> tuple[Match, User]:
    """A finished match of this player, and the opponent in it."""
    match = Match.objects.defer("snapshot").get(pk=match_id)
    users = [seat.user for seat in match.seats.select_related("user")]
    others = [other for other in users if other is not None and other != user]
    if user not in users or len(others) != 1:
        raise Refused("not_for_you")
    if match.ended_at is None:
        raise Refused("not_finished")
    return match, others[0]


def _after(match_id: str) -> QuerySet[Challenge]:
    return Challenge.objects.filter(kind=Kind.REMATCH, previous=match_id)


def _has_expired(row: Challenge, now: int) -> bool:
    return row.expires_at is not None and row.expires_at <= moment(now)


def _move(row: Challenge, expires: int, now: int) -> None:
    """Let an open offer end at another time."""
    with transaction.atomic():
        hold(row.creator_id)
        same = Challenge.objects.filter(pk=row.pk, state=State.OPEN, expires_at__gt=moment(now))
        if same.update(expires_at=moment(expires)):
            lobby_news.changed(*([row.previous_id] if row.previous_id else []))
