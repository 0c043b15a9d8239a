"""What a state needs stored: players, matches, offers; and nothing of the state before."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from allauth.account.models import EmailAddress
from django.apps import apps
from django.contrib.admin.models import LogEntry
from django.contrib.sessions.models import Session
from django.core.management.color import no_style
from django.db import connection, transaction
from django.utils import timezone

from accounts.models import User
from games import guide, store
from games.models import Challenge, Match, ServiceWindow
from games.rules import events
from games.rules.events import Event
from games.timekeeping import now_ms
from ratings.models import Rating
from tests.games.factory import begun, deal, make_match, make_shared, make_window

from . import positions

TESTS = "tests"  # the front of the windows that are made here
OURS = ("accounts", "ratings", "games")


def wipe() -> None:
    """Empty what states store; the window of the running site stays."""
    models = [model for label in OURS for model in apps.get_app_config(label).get_models()]
    models += [Session, LogEntry, EmailAddress]
    tables = [model._meta.db_table for model in models if model is not ServiceWindow]
    statements = connection.ops.sql_flush(no_style(), tables, allow_cascade=True)
    connection.ops.execute_sql_flush(statements)
    ServiceWindow.objects.filter(front=TESTS).delete()


class World:
    """Makes what a state needs. Everything runs in a thread of its own, never in a browser's."""

    def __init__(self) -> None:
        self.now = now_ms()
        make_window(self.now - 3_600_000, self.now, "stopped")  # time was measured before, too

    def player(self, name: str, rating: int | None = None, **fields: Any) -> User:
        """The player of this name, made where there is none; with a rating out of 24 matches."""
        known = User.objects.filter(username=name).first()
        if known is not None:
            return known
        user = User.objects.create_user(
            name, f"{name.lower()}@example.org", "a long password", **fields
        )
        if rating is not None:
            Rating.objects.create(
                user=user,
                value=rating,
                matches=24,
                won=13,
                lost=11,
                peak=rating + 20,
                last_played=timezone.now(),
            )
        return user

    def staff(self) -> User:
        """A superuser."""
        return self.player("Chief", is_staff=True, is_superuser=True)

    def match(
        self,
        told: Sequence[Event] = (),
        players: Sequence[str] = ("Ada", "Bo"),
        *,
        thinking: float = 2.0,
        rated: bool = True,
    ) -> Match:
        """A match after ``told``, the last of it ``thinking`` seconds ago."""
        users = [
            self.player(name, rating) for name, rating in zip(players, (1612, 1584), strict=True)
        ]
        at = positions.last_moment(list(told))
        return make_match(users, told, now=now_ms() - at - int(1000 * thinking), rated=rated)

    def shared(self, told: Sequence[Event] = ()) -> Match:
        """A match of Ada's on one device for two, after ``told``, a moment ago."""
        at = positions.last_moment(list(told)) if told else 0
        return make_shared(told, owner=self.player("Ada"), now=now_ms() - at - 2000)

    def guided(self, hint: str) -> Match:
        """Ada's guided round, where its card gives this hint."""
        ada = self.player("Ada")
        now = now_ms() - 60_000
        with transaction.atomic():
            match = store.create_guided_match("Ada", owner=ada, browser="", now=now)
        while (turn := guide.turn_at(match.version)) and turn.hint != hint:
            now += 1000
            if turn.seat == guide.NINA:
                store.judge(match.pk, now)
            else:
                store.submit(match.pk, ada.pk, turn.command(match.version), now)
            match.refresh_from_db()
        return match

    def over(self, players: Sequence[str], winner: int = 0, *, rated: bool = True) -> Match:
        """A short match that has ended by resignation."""
        told = [*begun(DEAL), events.Resign(seat=1 - winner, at=5000)]
        return self.match(told, players, rated=rated)

    def offer(self, kind: str, by: str, to: str | None = None, **fields: Any) -> Challenge:
        """An open offer, made by the player ``by``."""
        return Challenge.objects.create(
            kind=kind,
            creator=self.player(by),
            to=None if to is None else self.player(to),
            rating=fields.pop("rating", 1500),
            expires_at=timezone.now() + timedelta(minutes=9),
            **fields,
        )


DEAL = deal("6-6 1-0 2-0 2-1 3-0 3-1 3-2", "6-5 6-4 6-3 6-2 6-1 6-0 5-5", "5-4 4-4 0-0")
