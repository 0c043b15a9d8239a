"""Who of those who wait plays whom: the nearest rating first, and further away with time.

Pure: no database and no clock. Ratings are whole points, times Unix times in ms.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations

AT_FIRST = 100  # points that the opponent's rating may be away at once
WIDENING = 10  # points more for each second of waiting
NO_LIMIT_AFTER = 60_000  # ms of waiting after which any rating will do


def within(rating: int, least: int | None, most: int | None) -> bool:
    """Whether a rating lies in a window; None is no limit on that side.

    >>> within(1500, 1400, 1500), within(1501, None, 1500), within(1501, 1500, None)
    (True, False, True)
    """
    return (least is None or least <= rating) and (most is None or rating <= most)


@dataclass(frozen=True, slots=True)
class Waiter:
    """Somebody who waits: with *play now*, whose window widens, or with a seek in the lobby,
    which says from ``least`` to ``most`` (None: no limit) for as long as it stands."""

    offer: str
    player: int
    rating: int
    rated: bool
    since: int
    is_seek: bool = False
    least: int | None = None
    most: int | None = None

    def takes(self, rating: int, now: int) -> bool:
        """Whether an opponent of this rating will do."""
        if self.is_seek:
            return within(rating, self.least, self.most)
        limit = window(now - self.since)
        return limit is None or abs(self.rating - rating) <= limit


Pair = tuple[Waiter, Waiter]


def window(waited: int) -> int | None:
    """How many points away an opponent may be after ``waited`` ms, None for no limit.

    >>> window(0), window(1999), window(59_999), window(60_000)
    (100, 110, 690, None)
    """
    if waited >= NO_LIMIT_AFTER:
        return None
    return AT_FIRST + WIDENING * (max(0, waited) // 1000)


def pairs(
    waiters: Sequence[Waiter], apart: Collection[tuple[int, int]] = (), *, now: int
) -> list[Pair]:
    """The pairs to be made now, the nearest ratings first; each player is in one at most.

    ``apart`` are players, both ways round, who are not to be paired. Of two as near as each
    other, whoever has waited longest is served first. The longer waiting of a pair comes first.
    """
    found: list[Pair] = []
    taken: set[int] = set()
    for first, second in sorted(_fitting(waiters, apart, now), key=_rank):
        if first.player not in taken and second.player not in taken:
            found.append((first, second))
            taken |= {first.player, second.player}
    return found


def _fitting(
    waiters: Sequence[Waiter], apart: Collection[tuple[int, int]], now: int
) -> Iterator[Pair]:
    ordered = sorted(waiters, key=lambda waiter: (waiter.since, waiter.offer))
    for first, second in combinations(ordered, 2):
        if _fit(first, second, now) and (first.player, second.player) not in apart:
            yield first, second


def _fit(first: Waiter, second: Waiter, now: int) -> bool:
    return (
        first.player != second.player
        and first.rated is second.rated
        and not (first.is_seek and second.is_seek)
        and first.takes(second.rating, now)
        and second.takes(first.rating, now)
    )


def _rank(pair: Pair) -> tuple[int, int, int, str, str]:
    first, second = pair
    return (
        abs(first.rating - second.rating),
        first.since,
        second.since,
        first.offer,
        second.offer,
    )
