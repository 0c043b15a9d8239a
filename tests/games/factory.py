"""Matches made to order: from chosen deals and answers, through the one writer."""

from __future__ import annotations

import random
from collections.abc import Iterable, Sequence
from typing import Any

from django.db import transaction

from accounts.models import User
from games import play, store
from games.models import Match, ServiceWindow
from games.rules import events
from games.rules.events import Event
from games.rules.match import Phase, State, apply, legal
from games.rules.record import parse_event
from games.rules.tiles import ALL_TILES, parse_tile

NOW = 1_800_000_000_000  # a Unix time in ms: "now" where a test does not care


def make_user(name: str) -> User:
    return User.objects.create_user(name, f"{name}@example.org", "pass-word-9")


def make_window(
    opened: int, beat: int, state: str = "open", *, decided: int | None = None
) -> ServiceWindow:
    """A stretch in which a front was up; Unix times in ms."""
    return ServiceWindow.objects.create(
        front="tests",
        opened=opened,
        beat=beat,
        decided=beat if decided is None else decided,
        state=state,
    )


def deal(first: str, second: str, boneyard: str = "") -> events.Deal:
    """A deal of two hands of seven ("6-6 5-5 …"); the boneyard begins as given, rest as is."""
    hands = tuple(tuple(parse_tile(text) for text in side.split()) for side in (first, second))
    wanted = tuple(parse_tile(text) for text in boneyard.split())
    used = {*hands[0], *hands[1], *wanted}
    rest = tuple(tile for tile in ALL_TILES if tile not in used)
    return events.Deal(hands=(hands[0], hands[1]), boneyard=wanted + rest)


def make_match(
    users: Sequence[User],
    told: Iterable[Event | dict[str, Any]] = (),
    *,
    now: int = NOW,
    rated: bool = True,
) -> Match:
    """A stored match of two users after ``told``; it was created at ``now``."""
    with transaction.atomic():
        match = store.create_match(users, rated=rated, now=now)
    return go_on(match, told)


def make_shared(
    told: Iterable[Event | dict[str, Any]] = (),
    *,
    names: tuple[str, str] = ("Ada", "Bo"),
    owner: User | None = None,
    browser: str = "",
    now: int = NOW,
) -> Match:
    """A stored match on one device for two after ``told``; it was created at ``now``."""
    with transaction.atomic():
        match = store.create_shared_match(names, owner=owner, browser=browser, now=now)
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


def nearly_won(at: int = 1000) -> tuple[list[Event], str, str]:
    """A match that seat 0 wins by laying ``tile`` on ``arm``: its events, all at ``at`` ms."""
    for seed in range(100):
        found = _greedy_match(random.Random(seed), at)
        if found:
            return found
    raise AssertionError("no match is nearly won")


def _greedy_match(chance: random.Random, at: int) -> tuple[list[Event], str, str] | None:
    """Seat 0 takes what pays most and seat 1 what pays least, until seat 0 can win."""
    state = State()
    told: list[Event] = []
    while state.phase is not Phase.MATCH_OVER:
        for event in whatever_comes(state, chance, at):
            after = apply(state, event)
            if isinstance(event, events.Play) and after.result and event.seat == 0:
                return told, str(event.tile), event.arm
            state = after
            told.append(event)
    return None


def whatever_comes(state: State, chance: random.Random, at: int) -> list[Event]:
    """What happens next at ``at``: a deal and its start, or the greedy answer of a seat."""
    if state.phase in (Phase.NEW, Phase.ROUND_OVER):
        tiles = list(ALL_TILES)
        chance.shuffle(tiles)
        dealt = events.Deal(
            hands=(tuple(tiles[:7]), tuple(tiles[7:14])), boneyard=tuple(tiles[14:])
        )
        begin = events.Start(at=at) if state.round == 0 else events.Continue(at=at)
        return [events.Ready(seat=0, at=at), events.Ready(seat=1, at=at), dealt, begin]
    answers = [a for a in legal(state) if a["do"] != "bid"]
    choices = [parse_event({**a, "seat": state.to_act, "at": at}) for a in answers]
    best = max if state.to_act == 0 else min
    return [best(choices, key=lambda event: apply(state, event).chips[state.to_act or 0])]
