"""Matches made to order: from chosen deals and answers, through the one writer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from games import play, store
from games.models import Match
from games.rules import events
from games.rules.events import Event
from games.rules.match import State, apply, legal
from games.rules.record import parse_event
from games.rules.tiles import ALL_TILES, parse_tile

NOW = 1_800_000_000_000  # a Unix time in ms: "now" where a test does not care


def make_user(name: str) -> User:
    return User.objects.create_user(name, f"{name}@example.org", "pass-word-9")


def deal(first: str, second: str, boneyard: str = "") -> events.Deal:
    """A deal of two hands of seven ("6-6 5-5 …"); the boneyard begins as given, rest as is."""
    hands = tuple(tuple(parse_tile(text) for text in side.split()) for side in (first, second))
    wanted = tuple(parse_tile(text) for text in boneyard.split())
    used = {*hands[0], *hands[1], *wanted}
    rest = tuple(tile for tile in ALL_TILES if tile not in used)
    return events.Deal(hands=(hands[0], hands[1]), boneyard=wanted + rest)


def make_match(
    users: Sequence[User], told: Iterable[Event | dict[str, Any]] = (), *, now: int = NOW
) -> Match:
    """A stored match of two users after ``told``; it was created at ``now``."""
    with transaction.atomic():
        match = store.create_match(users, rated=True, now=now)
    return go_on(match, told)


def go_on(match: Match, told: Iterable[Event | dict[str, Any]]) -> Match:
    """Append events to a stored match as one decision."""
    steps, loaded = [], store.load(match.pk)
    state = loaded.position.state
    for item in told:
        event = parse_event(item) if isinstance(item, dict) else item
        state = apply(state, event)
        steps.append(play.Step(event, state))
    if steps:
        due = play.next_due(loaded.position, state)
        assert store.commit(loaded, play.Decision(tuple(steps), due))
    match.refresh_from_db()
    return match


def begun(deal: events.Deal, at: int = 1000) -> list[Event]:
    """The events of a first round up to its first decision, at ``at`` ms."""
    return [
        events.Ready(seat=0, at=at),
        events.Ready(seat=1, at=at),
        deal,
        events.Start(at=at),
    ]


def first_answers(state: State, count: int, at: int) -> list[Event]:
    """``count`` answers, the first legal one each time, all at ``at`` ms."""
    told = []
    for _ in range(count):
        answer = dict(legal(state)[0])
        if answer["do"] == "bid":
            answer["points"] = answer["min"]
        event = parse_event({**answer, "seat": state.to_act, "at": at})
        state = apply(state, event)
        told.append(event)
    return told
