"""How a match starts: a challenge is offered by link, and accepted once or withdrawn.

Every race is settled by the database. Whoever changes what a player is engaged in holds
that player's row first, players in order of their ids, so that nothing deadlocks where rows
are locked (PostgreSQL); SQLite lets one writer in at a time anyway. A challenge leaves the
state ``open`` by one conditional update, and the unique constraint on running seats is the
last guard.
"""

from __future__ import annotations

import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.contrib.auth import get_user_model
from django.db import IntegrityError, transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone

from games import restarts, store
from games.models import Challenge, Match, Seat

if TYPE_CHECKING:
    from accounts.models import User

#: How many challenges one player may have open at a time.
MAX_OPEN = 10


class Refused(Exception):
    """A request the lobby turns down; nothing has changed.

    ``code`` is one of :data:`CODES`, ``params`` what a sentence about it needs.
    """

    def __init__(self, code: str, **params: object) -> None:
        if code not in CODES:
            raise ValueError(f"{code!r} is not a code of the lobby")
        super().__init__(code, params)
        self.code = code
        self.params = params


#: Every code, with the parameters it carries. ``match`` is the id of the match to go to.
CODES: dict[str, tuple[str, ...]] = {
    "own_challenge": (),  # you cannot accept your own
    "not_yours": (),  # only its creator withdraws a challenge
    "already_accepted": ("match",),  # somebody was faster
    "withdrawn": (),
    "you_are_playing": ("match", "opponent"),  # one running match per player
    "creator_is_playing": ("match", "opponent"),
    "too_many_open": ("max",),
    "restart_announced": (),  # no new match until the site has restarted
}


@dataclass(frozen=True)
class RunningMatch:
    """The match a player is in at the moment, and against whom."""

    id: str
    opponent: str

    @property
    def url(self) -> str:
        return reverse("match", args=[self.id])


def running_match_of(user: User) -> RunningMatch | None:
    """The running match of this player, by one query; at most one exists."""
    mine = Seat.objects.filter(user=user, live=True).values("match")
    other = Seat.objects.filter(match__in=mine).exclude(user=user).values("match", "name").first()
    return other and RunningMatch(other["match"], other["name"])


def open_challenges_of(user: User) -> QuerySet[Challenge]:
    """What this player offers at the moment, the newest first."""
    return Challenge.objects.filter(creator=user, state=Challenge.State.OPEN)


def obstacle(challenge: Challenge, user: User | None) -> Refused | None:
    """Why ``user`` (None: somebody signed out) cannot accept ``challenge`` now, if so."""
    if challenge.state == Challenge.State.ACCEPTED:
        return Refused("already_accepted", match=challenge.match_id)
    if challenge.state == Challenge.State.WITHDRAWN:
        return Refused("withdrawn")
    if user == challenge.creator:
        return Refused("own_challenge")
    if restarts.announced():
        return Refused("restart_announced")
    if user and (mine := running_match_of(user)):
        return Refused("you_are_playing", match=mine.id, opponent=mine.opponent)
    if theirs := running_match_of(challenge.creator):
        return Refused("creator_is_playing", match=theirs.id, opponent=theirs.opponent)
    return None


@transaction.atomic
def create(user: User, *, rated: bool) -> Challenge:
    """Offer a match to whoever gets the link."""
    if restarts.announced():
        raise Refused("restart_announced")
    _hold(user)
    if mine := running_match_of(user):
        raise Refused("you_are_playing", match=mine.id, opponent=mine.opponent)
    if open_challenges_of(user).count() >= MAX_OPEN:
        raise Refused("too_many_open", max=MAX_OPEN)
    return Challenge.objects.create(creator=user, rated=rated)


@transaction.atomic
def accept(challenge_id: str, user: User, *, now: int) -> Match:
    """Start the match ``challenge_id`` offers, seats drawn at random.

    ``now`` is the Unix time in milliseconds. The other open challenges of both players are
    withdrawn. Raises ``Challenge.DoesNotExist`` or :class:`Refused`.
    """
    challenge = Challenge.objects.select_related("creator").get(pk=challenge_id)
    _hold(user, challenge.creator)
    challenge.refresh_from_db(fields=["state", "match"])
    if refused := obstacle(challenge, user):
        raise refused
    if not _close(challenge, Challenge.State.ACCEPTED):
        challenge.refresh_from_db(fields=["state", "match"])
        raise obstacle(challenge, user) or Refused("withdrawn")
    match = _start(challenge, user, now)
    Challenge.objects.filter(pk=challenge.pk).update(match=match)
    Challenge.objects.filter(
        creator__in=[user, challenge.creator], state=Challenge.State.OPEN
    ).update(state=Challenge.State.WITHDRAWN, closed_at=timezone.now())
    return match


@transaction.atomic
def withdraw(challenge_id: str, user: User) -> None:
    """Take an offer back before anybody accepts it; a second time changes nothing.

    Raises ``Challenge.DoesNotExist`` or :class:`Refused`.
    """
    challenge = Challenge.objects.get(pk=challenge_id)
    if challenge.creator_id != user.pk:
        raise Refused("not_yours")
    if not _close(challenge, Challenge.State.WITHDRAWN):
        challenge.refresh_from_db(fields=["state", "match"])
        if challenge.state == Challenge.State.ACCEPTED:
            raise Refused("already_accepted", match=challenge.match_id)


def _hold(*users: User) -> None:
    """Let nobody else engage these players until this transaction ends."""
    ids = [user.pk for user in users]
    held = get_user_model().objects.select_for_update(no_key=True).filter(pk__in=ids)
    list(held.order_by("pk").values_list("pk"))


def _close(challenge: Challenge, state: Challenge.State) -> bool:
    """Move an open challenge to ``state``; False where it was not open any more."""
    still_open = Q(pk=challenge.pk, state=Challenge.State.OPEN)
    changed = Challenge.objects.filter(still_open).update(state=state, closed_at=timezone.now())
    return changed == 1


def _start(challenge: Challenge, user: User, now: int) -> Match:
    users = [challenge.creator, user]
    secrets.SystemRandom().shuffle(users)
    try:
        with transaction.atomic():
            return store.create_match(users, rated=challenge.rated, now=now)
    except IntegrityError:
        # A running match of one of the two came about without asking the lobby.
        challenge.state = Challenge.State.OPEN
        if refused := obstacle(challenge, user):
            raise refused from None
        raise
