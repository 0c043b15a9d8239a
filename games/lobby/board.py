"""The board of the lobby: every open offer, and what each viewer may do with it."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q

from accounts.models import User
from games import pairing, timekeeping
from games.models import Challenge
from games.timekeeping import moment

from .facts import Facts, Player, RunningMatch, facts
from .refusals import Refused

Kind, State = Challenge.Kind, Challenge.State


@dataclass(frozen=True, slots=True)
class Offer:
    """An open offer of a match. Times are Unix times in ms; ``expires`` is None where nothing
    but its creator ends it. ``previous`` is the match that a rematch follows."""

    id: str
    kind: str
    creator: Player
    to: Player | None
    rated: bool
    least: int | None
    most: int | None
    previous: str | None
    created: int
    expires: int | None

    @property
    def is_for_anybody(self) -> bool:
        """Whether no rating is out of its window."""
        return self.least is None and self.most is None

    def has_expired(self, now: int) -> bool:
        return self.expires is not None and self.expires <= now

    def suits(self, rating: int) -> bool:
        """Whether ``rating`` lies within the window."""
        return pairing.within(rating, self.least, self.most)


@dataclass(frozen=True, slots=True)
class Shown:
    """An offer as one viewer sees it; ``refused`` says why they cannot accept it, if so."""

    offer: Offer
    refused: Refused | None


@dataclass(frozen=True, slots=True)
class Board:
    """All open offers as they were read at ``now``, the oldest first, and the facts about the
    players they concern and the viewers it was read for."""

    now: int
    offers: tuple[Offer, ...]
    facts: Facts

    def seeks_for(self, viewer: int | None) -> list[Shown]:
        """The seeks a viewer (None: signed out) sees: theirs and those of everybody who plays
        with them."""
        return [self.shown(o, viewer) for o in self._of(Kind.SEEK) if self._may_see(o, viewer)]

    def received_by(self, viewer: int) -> list[Shown]:
        """The challenges and rematches offered to this player."""
        mine = [offer for offer in self.offers if offer.to and offer.to.id == viewer]
        return [self.shown(offer, viewer) for offer in mine if self._may_see(offer, viewer)]

    def made_by(self, viewer: int) -> list[Offer]:
        """What this player offers."""
        return [offer for offer in self.offers if offer.creator.id == viewer]

    def waiting(self, *, rated: bool) -> int:
        """How many wait to be paired."""
        return sum(offer.rated is rated for offer in self._of(Kind.QUICK))

    def match_of(self, viewer: int) -> RunningMatch | None:
        """The running match of a player the board knows."""
        return self.facts.playing.get(viewer)

    def hindrance(self, viewer: int | None) -> Refused | None:
        """Why this viewer can start no match at all, if so."""
        return self.facts.hindrance(viewer)

    def obstacle(self, offer: Offer, viewer: int | None) -> Refused | None:
        """Why this viewer cannot accept an offer of the board, if so."""
        return why_not(offer, viewer, self.facts, self.now)

    def shown(self, offer: Offer, viewer: int | None) -> Shown:
        return Shown(offer, self.obstacle(offer, viewer))

    def _of(self, kind: Challenge.Kind) -> list[Offer]:
        return [offer for offer in self.offers if offer.kind == kind]

    def _may_see(self, offer: Offer, viewer: int | None) -> bool:
        creator = offer.creator.id
        if creator == viewer:
            return True
        apart = viewer is not None and self.facts.are_apart(creator, viewer)
        return not apart and creator not in self.facts.suspended


def board(now: int, users: Collection[int] = ()) -> Board:
    """The lobby at ``now`` for these viewers, by a fixed number of queries.

    Links, challenges and rematches are on it where one of ``users`` offers or receives them.
    """
    theirs = Q(creator__in=users) | Q(to__in=users)
    on_show = Q(kind__in=[Kind.SEEK, Kind.QUICK]) | theirs
    fresh = Q(expires_at=None) | Q(expires_at__gt=moment(now))
    rows = list(Challenge.objects.filter(on_show, fresh, state=State.OPEN).order_by("created_at"))
    concerned = {row.creator_id for row in rows} | {row.to_id for row in rows if row.to_id}
    known = facts(concerned | set(users))
    return Board(now, tuple(offer_of(row, known) for row in rows), known)


def obstacle(challenge: Challenge, user: User | None, now: int | None = None) -> Refused | None:
    """Why ``user`` (None: somebody signed out) cannot accept ``challenge``, if so."""
    if refused := closed(challenge):
        return refused
    viewer = None if user is None else user.pk
    concerned = {challenge.creator_id, challenge.to_id, viewer}
    known = facts([pk for pk in concerned if pk is not None])
    now = timekeeping.now_ms() if now is None else now
    return why_not(offer_of(challenge, known), viewer, known, now)


def closed(challenge: Challenge) -> Refused | None:
    """What became of a challenge that is not open any more."""
    match challenge.state:
        case State.ACCEPTED:
            return Refused("already_accepted", match=challenge.match_id)
        case State.WITHDRAWN | State.DECLINED | State.EXPIRED:
            return Refused(str(challenge.state))
    return None


def why_not(offer: Offer, viewer: int | None, known: Facts, now: int) -> Refused | None:
    """Why ``viewer`` cannot accept an open offer, if so: the one place that knows."""
    if offer.has_expired(now):
        return Refused("expired")
    if offer.creator.id == viewer:
        return Refused("own_challenge")
    addressed = offer.to is not None and offer.to.id != viewer
    if addressed or offer.kind == Kind.QUICK:
        return Refused("not_for_you")
    return known.hindrance(viewer) or _between(offer, viewer, known)


def _between(offer: Offer, viewer: int | None, known: Facts) -> Refused | None:
    """What stands between the creator of an offer and a viewer who may start a match."""
    creator = offer.creator.id
    if viewer is not None and known.are_apart(creator, viewer):
        return Refused("blocked")
    if creator in known.suspended:
        return Refused("player_suspended", player=offer.creator.name)
    if theirs := known.playing.get(creator):
        return Refused("creator_is_playing", match=theirs.id, opponent=theirs.opponent)
    if viewer is not None and not offer.suits(known.players[viewer].rating):
        return Refused("out_of_window", least=offer.least, most=offer.most)
    return None


def offer_of(challenge: Challenge, known: Facts) -> Offer:
    """An open challenge as a value; ``known`` knows whom it concerns."""
    return Offer(
        id=challenge.pk,
        kind=challenge.kind,
        creator=known.players[challenge.creator_id],
        to=None if challenge.to_id is None else known.players[challenge.to_id],
        rated=challenge.rated,
        least=challenge.least,
        most=challenge.most,
        previous=challenge.previous_id,
        created=ms(challenge.created_at),
        expires=None if challenge.expires_at is None else ms(challenge.expires_at),
    )


def ms(at: datetime) -> int:
    """A time of the database as Unix time in ms."""
    return round(at.timestamp() * 1000)
