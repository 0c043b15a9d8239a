"""Offers that somebody accepts: by link, in the lobby, and to one player."""

from __future__ import annotations

from django.db import transaction
from django.db.models import Q, QuerySet

from accounts.models import User
from accounts.services import find_player
from games import lobby_news, timekeeping
from games.models import Challenge, Match
from games.timekeeping import moment

from .board import obstacle
from .facts import Facts, running_match_of
from .refusals import Refused
from .starting import close, engage, hold, start

Kind, State = Challenge.Kind, Challenge.State

#: How many links and challenges one player may have open at a time.
MAX_OPEN = 10
LINK_FOR = 24 * 3600 * 1000  # ms that a link can be used
DIRECT_FOR = 10 * 60 * 1000  # ms that a challenge waits for its answer
AWAY_AFTER = 20_000  # ms after which whoever is not heard of no longer waits in the lobby
_FRESH = AWAY_AFTER * 3 // 4  # ms; what lives this long need not be kept alive again


def open_challenges_of(user: User) -> QuerySet[Challenge]:
    """What this player offers at the moment, the newest first."""
    return Challenge.objects.filter(creator=user, state=State.OPEN)


@transaction.atomic
def create(user: User, *, rated: bool, now: int | None = None) -> Challenge:
    """Offer a match to whoever gets the link, for a day."""
    now = timekeeping.now_ms() if now is None else now
    known = engage(user, now)
    _refuse_too_many(user)
    return offer(user, Kind.LINK, known, rated=rated, now=now, lives=LINK_FOR)


@transaction.atomic
def seek(user: User, *, rated: bool, window: int | None, now: int) -> Challenge:
    """Offer a match in the lobby to ratings at most ``window`` from the player's own (None: to
    anybody), instead of what the player sought before."""
    known = engage(user, now)
    before = open_challenges_of(user).filter(kind=Kind.SEEK)
    for challenge in before:
        close(challenge, State.WITHDRAWN)
    return offer(user, Kind.SEEK, known, rated=rated, now=now, lives=AWAY_AFTER, window=window)


@transaction.atomic
def challenge(user: User, name: str, *, rated: bool, now: int) -> Challenge:
    """Offer a match to the player of this name, in any case, for ten minutes."""
    other = find_player(name)
    if other is None:
        raise Refused("no_such_player", name=name)
    if other == user:
        raise Refused("self_challenge")
    known = engage(user, now, other=other.pk)
    refuse_apart(user, other, known)
    if open_challenges_of(user).filter(kind=Kind.DIRECT, to=other).exists():
        raise Refused("already_offered", player=other.username)
    _refuse_too_many(user)
    return offer(user, Kind.DIRECT, known, rated=rated, now=now, lives=DIRECT_FOR, to=other)


@transaction.atomic
def accept(challenge_id: str, user: User, *, now: int) -> Match:
    """Start the match ``challenge_id`` offers, of any kind but play now.

    ``now`` is the Unix time in milliseconds. Raises ``Challenge.DoesNotExist`` or
    :class:`Refused`.
    """
    challenge = Challenge.objects.select_related("creator").get(pk=challenge_id)
    hold(user.pk, challenge.creator_id)
    return accept_held(challenge, user, now)


def accept_held(challenge: Challenge, user: User, now: int) -> Match:
    """The same where both players are held."""
    challenge.refresh_from_db(fields=["state", "match", "expires_at"])
    if refused := obstacle(challenge, user, now):
        raise refused
    return start(challenge, user, now)


@transaction.atomic
def withdraw(challenge_id: str, user: User) -> None:
    """Take an offer back before anybody accepts it; a second time changes nothing.

    Raises ``Challenge.DoesNotExist`` or :class:`Refused`.
    """
    challenge = Challenge.objects.get(pk=challenge_id)
    if challenge.creator_id != user.pk:
        raise Refused("not_yours")
    hold(user.pk)
    if close(challenge, State.WITHDRAWN):
        return
    if challenge.state == State.ACCEPTED:
        raise Refused("already_accepted", match=challenge.match_id)
    if mine := running_match_of(user):  # it was withdrawn because this match began
        raise Refused("you_are_playing", match=mine.id, opponent=mine.opponent)


@transaction.atomic
def decline(challenge_id: str, user: User) -> None:
    """Say no to an offer made to this player; a second time changes nothing.

    Raises ``Challenge.DoesNotExist`` or :class:`Refused`.
    """
    challenge = Challenge.objects.get(pk=challenge_id)
    if challenge.to_id != user.pk:
        raise Refused("not_for_you")
    hold(challenge.creator_id)
    if not close(challenge, State.DECLINED) and challenge.state == State.ACCEPTED:
        raise Refused("already_accepted", match=challenge.match_id)


def keep_alive(user_id: int, now: int) -> None:
    """The player is in the lobby: what waits there goes on waiting. Cheap where nothing does."""
    soon = Q(expires_at__gt=moment(now), expires_at__lt=moment(now + _FRESH))
    waiting = Challenge.objects.filter(
        soon, creator=user_id, state=State.OPEN, kind__in=[Kind.SEEK, Kind.QUICK]
    )
    if not waiting.exists():
        return
    with transaction.atomic():
        hold(user_id)
        waiting.update(expires_at=moment(now + AWAY_AFTER))


def offer(
    user: User,
    kind: Challenge.Kind,
    known: Facts,
    *,
    rated: bool,
    now: int,
    lives: int,
    window: int | None = None,
    to: User | None = None,
    previous: Match | None = None,
) -> Challenge:
    """Store an offer of a player who is held, for ``lives`` ms."""
    rating = known.players[user.pk].rating
    made = Challenge.objects.create(
        kind=kind,
        creator=user,
        to=to,
        rated=rated,
        rating=rating,
        least=None if window is None else rating - window,
        most=None if window is None else rating + window,
        previous=previous,
        created_at=moment(now),
        expires_at=moment(now + lives),
    )
    lobby_news.changed(*([previous.pk] if previous else []))
    return made


def refuse_apart(user: User, other: User, known: Facts) -> None:
    """Raise :class:`Refused` where nothing can be offered to ``other`` now."""
    if known.are_apart(user.pk, other.pk):
        raise Refused("blocked")
    if other.pk in known.suspended:
        raise Refused("player_suspended", player=other.username)
    if theirs := known.playing.get(other.pk):
        raise Refused(
            "player_is_playing", player=other.username, match=theirs.id, opponent=theirs.opponent
        )


def _refuse_too_many(user: User) -> None:
    counted = open_challenges_of(user).filter(kind__in=[Kind.LINK, Kind.DIRECT])
    if counted.count() >= MAX_OPEN:
        raise Refused("too_many_open", max=MAX_OPEN)
