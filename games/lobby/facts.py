"""What is known of the players an offer concerns: the ground of every refusal."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import F
from django.urls import reverse

from accounts.models import Block, Suspension, User
from accounts.services import running
from games import restarts
from games.models import Seat
from ratings.services import standings

from .refusals import Refused


@dataclass(frozen=True, slots=True)
class Player:
    """A player as the lobby shows one."""

    id: int
    name: str
    rating: int
    provisional: bool


@dataclass(frozen=True, slots=True)
class RunningMatch:
    """The match a player is in at the moment, and against whom."""

    id: str
    opponent: str

    @property
    def url(self) -> str:
        return reverse("match", args=[self.id])


@dataclass(frozen=True, slots=True)
class Facts:
    """Who some players are and what keeps them from playing, as it was read at one moment.

    ``suspended`` has the end of each suspension, None for one without an end; ``blocks`` the
    pairs who play no match with each other, both ways round.
    """

    players: Mapping[int, Player]
    playing: Mapping[int, RunningMatch]
    suspended: Mapping[int, datetime | None]
    blocks: frozenset[tuple[int, int]]
    restart: bool

    def are_apart(self, one: int, other: int) -> bool:
        """Whether one of the two has blocked the other."""
        return (one, other) in self.blocks

    def hindrance(self, user_id: int | None) -> Refused | None:
        """Why this player (None: somebody signed out) can start no match at all, if so."""
        if self.restart:
            return Refused("restart_announced")
        if user_id is None:
            return None
        if user_id in self.suspended:
            return Refused("suspended", until=self.suspended[user_id])
        if mine := self.playing.get(user_id):
            return Refused("you_are_playing", match=mine.id, opponent=mine.opponent)
        return None


def facts(user_ids: Collection[int]) -> Facts:
    """What is known of these players, by a fixed number of queries."""
    ids = set(user_ids)
    return Facts(
        players=_players(ids),
        playing=_playing(ids),
        suspended=_suspended(ids),
        blocks=_blocks(ids),
        restart=restarts.announced() is not None,
    )


def running_match_of(user: User) -> RunningMatch | None:
    """The running match of this player, by one query; at most one exists."""
    return _playing({user.pk}).get(user.pk)


def _players(ids: set[int]) -> dict[int, Player]:
    names = dict(User.objects.filter(pk__in=ids).values_list("pk", "username"))
    ratings = standings(names)
    return {
        pk: Player(pk, name, ratings[pk].value, ratings[pk].is_provisional)
        for pk, name in names.items()
    }


def _playing(ids: set[int]) -> dict[int, RunningMatch]:
    theirs = Seat.objects.filter(user__in=ids, live=True).values("match")
    seats = Seat.objects.filter(match__in=theirs).values_list("match", "user", "name")
    tables: dict[str, list[tuple[int | None, str]]] = {}
    for match, user, name in seats.order_by("match", "seat"):
        tables.setdefault(match, []).append((user, name))
    found: dict[int, RunningMatch] = {}
    for match, (first, second) in tables.items():
        for (player, _), (_, opponent) in ((first, second), (second, first)):
            if player is not None and player in ids:
                found[player] = RunningMatch(match, opponent)
    return found


def _suspended(ids: set[int]) -> dict[int, datetime | None]:
    rows = Suspension.objects.filter(running(), user__in=ids)
    longest_last = rows.order_by(F("until").asc(nulls_last=True))
    return dict(longest_last.values_list("user", "until"))


def _blocks(ids: set[int]) -> frozenset[tuple[int, int]]:
    pairs = Block.objects.filter(user__in=ids, blocked__in=ids).values_list("user", "blocked")
    return frozenset(pair for one, other in pairs for pair in ((one, other), (other, one)))
