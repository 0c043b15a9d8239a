"""What the end of a match brings about beside its log, and how staff annul a result."""

from __future__ import annotations

from dataclasses import asdict

from django.db import transaction

import ratings.services
from accounts.models import User

from . import live, lobby_news
from .models import Event, Match, Seat, StaffDecision, Tally
from .play import Decision, Position, Refused
from .rules.match import State
from .rules.record import parse_event
from .tallies import Tally as Figures
from .tallies import tallied
from .timekeeping import moment

Tallies = tuple[Figures, Figures]


def columns(match: Match, state: State) -> dict[str, object]:
    """What the row of a match says of its end; nothing while it goes on."""
    if state.result is None:
        return {}
    ended_at = moment(match.epoch + state.at)
    return {"ended_at": ended_at, "winner": state.result.winner, "reason": state.result.reason}


def tallies(match: Match, position: Position, decision: Decision) -> Tallies | None:
    """The figures of both seats, where this decision ends a duel with a winner.

    The log up to ``position`` never changes again: read it before anything is locked.
    """
    result = decision.state.result
    if result is None or result.winner is None or match.kind != Match.Kind.DUEL:
        return None
    log = Event.objects.filter(match_id=match.pk, n__lte=position.version).order_by("n")
    told = [parse_event(data) for data in log.values_list("data", flat=True)]
    told += [step.event for step in decision.steps]
    return tallied(State.new(shared_device=match.shared_device), told)


def keep(
    match: Match, users: tuple[int | None, int | None], state: State, figures: Tallies | None
) -> None:
    """Let a match that has just ended engage nobody any more, and have its result counted.

    Called in the transaction that ends it, with the row of the match held: ratings are locked
    after it, always.
    """
    assert state.result is not None
    Seat.objects.filter(match_id=match.pk).update(live=False)
    lobby_news.changed()  # both may start another match now
    winner = state.result.winner
    if winner is None or figures is None:
        return
    seats = Seat.objects.filter(match_id=match.pk).order_by("seat").values_list("pk", flat=True)
    Tally.objects.bulk_create(
        Tally(seat_id=pk, **asdict(figure)) for pk, figure in zip(seats, figures, strict=True)
    )
    won, lost = users[winner], users[1 - winner]
    if match.rated and won is not None and lost is not None:
        at = moment(match.epoch + state.at)
        ratings.services.record(match.pk, winner=won, loser=lost, at=at)


@transaction.atomic
def annul(match_id: str, staff: User, reason: str, now: int) -> None:
    """Staff decide that the result of a finished rated match counts no more: each player gets
    one compensating change, and the log stays as it is.

    ``now`` is the Unix time in milliseconds. Raises :class:`Refused`, ``Match.DoesNotExist``.
    """
    rows = Match.objects.select_for_update(no_key=True).defer("snapshot")
    match = rows.get(pk=match_id)
    if code := _not_to_annul(match):
        raise Refused(code)
    match.annulled_at = moment(now)
    match.save(update_fields=["annulled_at"])
    match.staff_decisions.create(kind=StaffDecision.Kind.ANNUL, by=staff, reason=reason)
    ratings.services.annul(match.pk, match.annulled_at)
    transaction.on_commit(lambda: live.look_again(match.pk), robust=True)


def _not_to_annul(match: Match) -> str | None:
    """The code that says why the result of a match cannot be annulled, if so."""
    if match.rated and match.ended_at is None:
        return "not_over"
    if not match.rated or match.winner is None:
        return "not_rated"
    return "already_annulled" if match.annulled_at is not None else None
