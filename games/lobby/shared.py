"""Matches that need no opponent: on one device for two, and guided rounds. Nothing is offered,
nobody to be held, and they engage nobody."""

from __future__ import annotations

from django.db import transaction

from accounts.models import User
from games import store
from games.models import Match

from .facts import facts
from .refusals import Refused


def start_shared(names: tuple[str, str], user: User | None, browser: str, *, now: int) -> Match:
    """Start a match between two names. It belongs to ``user``, or signed out to the browser that
    ``browser`` stands for, whatever else either plays.

    Raises :class:`Refused` where no match starts, or none of this user's.
    """
    _may_start(user)
    with transaction.atomic():
        return store.create_shared_match(names, owner=user, browser=browser, now=now)


def start_guided(name: str, user: User | None, browser: str, *, now: int) -> Match:
    """Start a guided round for a reader who goes by ``name``; the rest as above."""
    _may_start(user)
    with transaction.atomic():
        return store.create_guided_match(name, owner=user, browser=browser, now=now)


def _may_start(user: User | None) -> None:
    known = facts([] if user is None else [user.pk])
    if known.restart:
        raise Refused("restart_announced")
    if user is not None and user.pk in known.suspended:
        raise Refused("suspended", until=known.suspended[user.pk])


def shared_matches_of(user: User | None, browser: str) -> list[Match]:
    """The running matches on one device that belong to somebody, the newest first."""
    running = Match.objects.filter(kind=Match.Kind.SHARED, ended_at=None).defer("snapshot")
    mine = running.filter(owner=user) if user is not None else running.none()
    if browser:
        mine = mine | running.filter(browser=browser)
    return list(mine.prefetch_related("seats").order_by("-created_at")[:3])


def keep_for(user: User, browser: str) -> None:
    """Whoever signs in keeps what the browser was playing, when it is signed out again too."""
    theirs = Match.objects.filter(browser=browser, owner=None, ended_at=None)
    if browser:
        theirs.update(owner=user)
