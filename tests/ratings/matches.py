"""Matches that end in every way there is, quickly, and through the one writer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import StringIO

from django.core.management import call_command

from accounts.models import User
from games import store
from games.models import Match
from games.play import Command
from games.rules import events
from tests.games.factory import NOW, begun, deal, go_on, make_match

DEALT = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5")
RESIGN = Command("resign", None)


def resigned(winner: User, loser: User, *, rated: bool = True, now: int = NOW) -> Match:
    """A match that ``loser`` gave up in its first round."""
    match = make_match([winner, loser], rated=rated, now=now)
    go_on(match, begun(DEALT))
    assert store.submit(match.pk, loser.pk, RESIGN, now + 2000)
    match.refresh_from_db()
    return match


def given_up(winner: User, loser: User, *, rated: bool = True, now: int = NOW) -> Match:
    """The same, stored as one decision: quicker where there are many."""
    match = make_match([winner, loser], rated=rated, now=now)
    return go_on(match, [*begun(DEALT), events.Resign(seat=1, at=2000)])


def timed_out(winner: User, loser: User, *, rated: bool = True, now: int = NOW) -> Match:
    """A match that ``loser`` lost on time in its first round."""
    match = make_match([loser, winner], rated=rated, now=now)
    go_on(match, begun(DEALT))
    store.judge(match.pk, now + 1000 + 130_000)
    match.refresh_from_db()
    return match


def left(first: User, second: User, *, rated: bool = True, now: int = NOW) -> Match:
    """A match that was abandoned before it began: void."""
    match = make_match([first, second], rated=rated, now=now)
    store.leave(match.pk, first.pk, now + 1000)
    match.refresh_from_db()
    return match


def no_show(first: User, second: User, *, rated: bool = True, now: int = NOW) -> Match:
    """A match that nobody started: void."""
    match = make_match([first, second], rated=rated, now=now)
    store.judge(match.pk, now + 60_000)
    match.refresh_from_db()
    return match


def voided(first: User, second: User, *, rated: bool = True, now: int = NOW) -> Match:
    """A match that staff ended: void."""
    match = make_match([first, second], rated=rated, now=now)
    go_on(match, begun(DEALT))
    store.void(match.pk, first, "A test.", now + 2000)
    match.refresh_from_db()
    return match


VOID: Sequence[Callable[..., Match]] = (left, no_show, voided)


def checked() -> str:
    """What ``check_ratings`` says where everything is right."""
    out, err = StringIO(), StringIO()
    call_command("check_ratings", stdout=out, stderr=err)
    assert err.getvalue() == ""
    return out.getvalue()
