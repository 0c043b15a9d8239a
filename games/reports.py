"""What players report to staff, and how a report is closed."""

from __future__ import annotations

from django.contrib.auth import get_user_model
from django.db import transaction
from django.utils import timezone

from accounts.models import User

from .models import Match, Report

#: How many reports one player may have open at a time.
MAX_OPEN = 10


class Refused(Exception):
    """A report that is turned down, or one that cannot be closed; nothing has changed.

    ``code`` is one of :data:`CODES`.
    """

    def __init__(self, code: str) -> None:
        if code not in CODES:
            raise ValueError(f"{code!r} is no code of the reports")
        super().__init__(code)
        self.code = code


CODES = frozenset(
    {
        "oneself",  # nobody reports themselves
        "not_a_player",  # the player named has no seat in the match
        "reported",  # an open report of this reporter says so already
        "too_many_open",
        "closed",  # somebody else has closed this report meanwhile
    }
)


@transaction.atomic
def report(
    reporter: User, about: str, text: str, *, player: User | None = None, match: Match | None = None
) -> Report:
    """Ask staff to look at a player, a match, or a player in a match.

    Of one reporter there is one open report of a target, and ten in all.
    """
    if reporter == player:
        raise Refused("oneself")
    if match and player and not match.seats.filter(user=player).exists():
        raise Refused("not_a_player")
    _hold(reporter)
    still_open = Report.objects.filter(reporter=reporter, state=Report.State.OPEN)
    if still_open.filter(player=player, match=match).exists():
        raise Refused("reported")
    if still_open.count() >= MAX_OPEN:
        raise Refused("too_many_open")
    return Report.objects.create(
        reporter=reporter, player=player, match=match, about=about, text=text
    )


def close(report_id: int, staff: User, note: str, *, upheld: bool) -> None:
    """Staff uphold a report or dismiss it, once. Raises :class:`Refused`."""
    state = Report.State.UPHELD if upheld else Report.State.DISMISSED
    closed = Report.objects.filter(pk=report_id, state=Report.State.OPEN).update(
        state=state, closed_at=timezone.now(), closed_by=staff, note=note
    )
    if not closed:
        raise Refused("closed")


def open_count() -> int:
    """How many reports wait for staff."""
    return Report.objects.filter(state=Report.State.OPEN).count()


def _hold(user: User) -> None:
    """One report of a player after the other, so that the limits hold."""
    list(get_user_model().objects.select_for_update(no_key=True).filter(pk=user.pk))
