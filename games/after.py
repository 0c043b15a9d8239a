"""What comes after a match, as one viewer may see it: the ratings it changed, and a rematch."""

from __future__ import annotations

from dataclasses import dataclass

from redis import RedisError

from accounts.models import User
from games import lobby, presence, sweeps
from games.models import Match, Seat
from ratings import services as ratings
from ratings.models import RatingChange


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the match did to the rating of one player."""

    name: str
    change: RatingChange

    @property
    def signed(self) -> str:
        """The difference with its sign; a true minus, as figures are set."""
        return f"{self.change.difference:+d}".replace("-", "−")


@dataclass(frozen=True, slots=True)
class Again:
    """Playing once more, as one of the two players sees it.

    ``match`` is the match that came of it; ``theirs`` and ``mine`` are the ids of the offers;
    ``refused`` says that the other has declined mine, ``left`` that the other is not there.
    """

    other: str
    match: str | None
    theirs: str | None
    mine: str | None
    refused: bool
    left: bool


def outcomes(match: Match, seats: list[Seat]) -> list[Outcome]:
    """How the ratings changed, in the order of the seats; nothing where none did."""
    if not match.rated:
        return []
    changes = ratings.changes_of(match.pk)
    return [Outcome(s.name, changes[s.user_id]) for s in seats if s.user_id in changes]


def again(match: Match, seats: list[Seat], user: User | None, now: int) -> Again | None:
    """The rematch of a finished match, for one of its two players."""
    mine = next((seat for seat in seats if user is not None and seat.user_id == user.pk), None)
    other = next((seat for seat in seats if seat is not mine), None)
    if mine is None or other is None or other.user_id is None:
        return None
    assert mine.user_id is not None
    found = lobby.rematch_of(match.pk, now)
    return Again(
        other=other.name,
        match=found.match,
        theirs=found.offers.get(other.user_id),
        mine=found.offers.get(mine.user_id),
        refused=mine.user_id in found.declined,
        left=not _is_there(match.pk, other.seat, now),
    )


def _is_there(match_id: str, seat: int, now: int) -> bool:
    """Whether the player of this seat has the page open; where nobody knows, it is assumed."""
    try:
        return presence.seats_online(sweeps.redis(), match_id, now)[seat]
    except RedisError:
        return True
