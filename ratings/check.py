"""Every rating anew, from the results and what staff annulled, to compare with what is stored.

Nothing of :mod:`ratings.services` is used but Elo's arithmetic: a mistake made there shows here.
Only the order of what happened is taken from the stored changes.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import Any, NamedTuple

from . import elo
from .models import START, Rating, RatingChange

AT_ONCE = 2000  # rows read at a time


@dataclass(frozen=True, slots=True)
class Result:
    """A rated match that has a winner, and when staff annulled it."""

    match_id: str
    winner: int
    loser: int
    ended: datetime
    annulled: datetime | None = None


class Change(NamedTuple):
    """A change of a rating, with the columns of :class:`~ratings.models.RatingChange`."""

    user_id: int
    match_id: str
    kind: str
    opponent_id: int
    opponent_before: int
    won: bool
    number: int
    k: int
    before: int
    after: int
    at: datetime


class Standing(NamedTuple):
    """Where a player stands, with the columns of :class:`~ratings.models.Rating`."""

    value: int = START
    matches: int = 0
    won: int = 0
    lost: int = 0
    at_top: bool = False
    peak: int | None = None
    last_played: datetime | None = None


class Recount:
    """All ratings, recomputed change by change in the order in which they were stored."""

    def __init__(self, results: Iterable[Result]) -> None:
        self.results = {result.match_id: result for result in results}
        self.standings: defaultdict[int, Standing] = defaultdict(Standing)
        self._happened: set[tuple[str, str]] = set()
        self._awaited: dict[tuple[str, str, int], Change] = {}
        self._to_annul: dict[str, list[Change]] = {}

    def compare_changes(self, stored: Iterable[Change]) -> Iterator[str]:
        """What differs in the changes. Results without any are counted after all the others."""
        for change in stored:
            self._happen(change.match_id, change.kind)
            key = (change.match_id, change.kind, change.user_id)
            due = self._awaited.pop(key, None)
            if due is None:
                yield f"{_named(change)}: stored, but nothing there changed this rating"
            else:
                yield from _unlike(_named(change), change, due)
        for result in sorted(self.results.values(), key=lambda result: result.ended):
            self._happen(result.match_id, "match")
            self._happen(result.match_id, "annulled")
        for missing in self._awaited.values():
            yield f"{_named(missing)}: missing, {missing.before} to {missing.after}"

    def compare_ratings(self, stored: Iterable[tuple[int, Standing]]) -> Iterator[str]:
        """What differs in the ratings, once all changes have been gone through."""
        waiting = dict(self.standings)
        for user_id, standing in stored:
            due = waiting.pop(user_id, Standing())
            yield from _unlike(f"player {user_id}", standing, due)
        for user_id, due in waiting.items():
            yield f"player {user_id}: no rating is stored, {due.value} is due"

    def _happen(self, match_id: str, kind: str) -> None:
        """Let a match, or its annulment, change both ratings when the first of them is met."""
        result = self.results.get(match_id)
        if result is None or (match_id, kind) in self._happened:
            return
        if kind == "match":
            self._play(result)
        elif result.annulled is not None and match_id in self._to_annul:
            for change in self._to_annul.pop(match_id):
                self._take_back(change, result.annulled)
        else:
            return
        self._happened.add((match_id, kind))

    def _play(self, result: Result) -> None:
        pair = (result.winner, result.loser)
        before = {pk: self.standings[pk] for pk in pair}
        changes = [
            _counted(result, pk, other, before[pk], before[other].value, won=pk == result.winner)
            for pk, other in (pair, pair[::-1])
        ]
        for change in changes:
            self._await(change)
            old, value = before[change.user_id], change.after
            self.standings[change.user_id] = Standing(
                value=value,
                matches=change.number,
                won=old.won + change.won,
                lost=old.lost + (not change.won),
                at_top=old.at_top or value >= elo.TOP_RATING,
                peak=old.peak if result.annulled else max(value, old.peak or value),
                last_played=result.ended,
            )
        if result.annulled:
            self._to_annul[result.match_id] = changes

    def _take_back(self, change: Change, at: datetime) -> None:
        old = self.standings[change.user_id]
        value = old.value - (change.after - change.before)
        self.standings[change.user_id] = old._replace(
            value=value,
            matches=old.matches - 1,
            won=old.won - change.won,
            lost=old.lost - (not change.won),
            at_top=old.at_top or value >= elo.TOP_RATING,
        )
        self._await(
            change._replace(
                kind="annulled", number=old.matches - 1, before=old.value, after=value, at=at
            )
        )

    def _await(self, change: Change) -> None:
        self._awaited[change.match_id, change.kind, change.user_id] = change


def differences(recount: Recount) -> Iterator[str]:
    """What is stored otherwise than a fresh ``recount`` gives, a line each; two queries, read
    bit by bit. Call it where nothing that is written meanwhile is seen."""
    changes = RatingChange.objects.order_by("pk").values_list(*Change._fields)
    yield from recount.compare_changes(map(Change._make, changes.iterator(AT_ONCE)))
    ratings = Rating.objects.order_by().values_list("user_id", *Standing._fields)
    yield from recount.compare_ratings(
        (pk, Standing(*columns)) for pk, *columns in ratings.iterator(AT_ONCE)
    )


def _counted(
    result: Result, user: int, other: int, old: Standing, opponent: int, *, won: bool
) -> Change:
    """What a match that counts changes for one of its players."""
    k = elo.factor(old.matches, at_top=old.at_top)
    return Change(
        user_id=user,
        match_id=result.match_id,
        kind="match",
        opponent_id=other,
        opponent_before=opponent,
        won=won,
        number=old.matches + 1,
        k=k,
        before=old.value,
        after=old.value + elo.change(old.value, opponent, won=won, k=k),
        at=result.ended,
    )


def _named(change: Change) -> str:
    return f"player {change.user_id}, {change.kind} {change.match_id}"


def _unlike(name: str, stored: Any, due: Any) -> Iterator[str]:
    """A line for each column in which two named tuples of a kind differ."""
    for column, there, here in zip(stored._fields, stored, due, strict=True):
        if there != here:
            yield f"{name}: {column} is {there}, {here} is due"
