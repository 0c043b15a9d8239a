"""The relay: what each audience of a match is sent, and through which group.

There are three audiences, each with a group of its own: seat 0, seat 1 and the spectators.
A private hand never travels through a shared group. Where one device is for both seats it is an
audience instead of them, and hears only that there is news: what it may see is up to what each of
its sockets has asked to be shown.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Callable, Iterator, Sequence
from contextvars import Context
from dataclasses import dataclass, replace
from weakref import WeakKeyDictionary

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer
from redis.exceptions import RedisError

from . import board, timekeeping
from .models import Event as EventRow
from .models import Match, Seat
from .outage import Outage
from .play import Decision, Position
from .rules.events import Event, Reveal
from .rules.match import Phase, State, apply
from .rules.record import Json, parse_event
from .rules.sight import (
    DEVICE,
    Audience,
    Viewer,
    clock_for,
    device_view_for,
    entry_for,
    event_for,
    revealed_seat,
    view_for,
)

AUDIENCES: tuple[Viewer, ...] = (0, 1, None)
EVERYBODY: tuple[Audience, ...] = (*AUDIENCES, DEVICE)
log = logging.getLogger(__name__)
RELAY = Outage(log, "the relay between processes")
AWAY = (RedisError, OSError, TimeoutError)  # what a Redis raises that cannot be reached

ACCOUNTS = "accounts"  # the group that hears of sign-outs and suspensions
RELAY_TIMEOUT = 2.0  # s a command waits for Redis; its news is mended by the pages' pings
_INTERLUDES = frozenset({Phase.NEW, Phase.ROUND_OVER})


@dataclass(frozen=True, slots=True)
class News:
    """A decision that has been committed on top of ``base`` events.

    ``epoch`` is the Unix time, in milliseconds, that the match counts from; ``still`` says that
    its clocks stand whoever is to act.
    """

    match_id: str
    epoch: int
    base: int
    decision: Decision
    still: bool = False


@dataclass(frozen=True, slots=True)
class Page:
    """What a page of a match shows to one viewer: who plays, the view, lines of the story.

    ``whole`` says that ``log`` is the whole story, else it holds what is new.
    """

    info: Json
    view: Json
    log: list[Json]
    whole: bool = True


def group(match_id: str, audience: Audience) -> str:
    """The channel group of one audience."""
    return f"match.{match_id}.{'s' if audience is None else audience}"


# Who in this process wants to hear what is published, by event loop.
_here: WeakKeyDictionary[asyncio.AbstractEventLoop, Callable[[Json], None]] = WeakKeyDictionary()


def hear_here(listener: Callable[[Json], None]) -> None:
    """Let ``listener`` have what this process publishes at once, with or without Redis.

    It hears the same once more by way of its groups.
    """
    _here[asyncio.get_running_loop()] = listener


def publish(news: News) -> None:
    """Send a committed decision to the audiences of its match."""
    now = timekeeping.now_ms()
    shared = bool(news.decision.steps) and news.decision.state.shared_device
    viewers: tuple[Viewer, ...] = (None,) if shared else AUDIENCES
    messages = [
        (group(news.match_id, viewer), message_for(news, viewer, now)) for viewer in viewers
    ]
    if shared:
        messages.append((group(news.match_id, DEVICE), _nudge_for_the_device(news)))
    relay(messages)


def _nudge_for_the_device(news: News) -> Json:
    """That there is news: no tile is in it."""
    return {
        "type": "match.news",
        "match": news.match_id,
        "viewer": DEVICE,
        "base": news.base,
        "version": news.base + len(news.decision.steps),
    }


def relay(messages: list[tuple[str, Json]]) -> None:
    """Send messages to their groups, once what they tell is committed. A Redis that is away costs
    only the news: pages that miss some say so, or look again, by themselves."""
    try:
        async_to_sync(send_all)(messages)
    except AWAY as error:
        RELAY.failed(error)
    else:
        RELAY.answered()


def end_account(user_id: int, session: str | None) -> None:
    """Close the sockets of a user: those of one session (its digest), or all with None."""
    ended = {"type": "account.ended", "user": user_id, "session": session, "id": once()}
    async_to_sync(send_all)([(ACCOUNTS, ended)])


def suspend_account(user_id: int) -> None:
    """Close the sockets of a player who was suspended; those of a match may come back."""
    suspended = {"type": "account.suspended", "user": user_id, "id": once()}
    async_to_sync(send_all)([(ACCOUNTS, suspended)])


def once() -> str:
    """A name for a message that no process is to hear twice."""
    return secrets.token_hex(8)


def look_again(match_id: str) -> None:
    """What comes after a finished match has changed: the pages that show it load it anew.

    Call it once the change is committed.
    """
    again = {"type": "match.again", "match": match_id}
    relay(
        [
            (group(match_id, audience), again | {"viewer": audience, "id": once()})
            for audience in EVERYBODY
        ]
    )


def front_group(name: str) -> str:
    """The group in which a front hears itself."""
    return "front." + re.sub(r"[^A-Za-z0-9._-]", "-", name)[-80:]


async def send_all(messages: list[tuple[str, Json]], *, here: bool = True) -> None:
    """Send messages to their groups. Those in this process have them at once and without
    Redis, unless ``here`` is false; raises what Redis raises, or ``TimeoutError``."""
    if here and (listener := _here.get(asyncio.get_running_loop())):
        for _, message in messages:
            # What it starts goes on after this call: nothing of the caller's context is its own.
            Context().run(listener, message)
    layer = get_channel_layer()
    async with asyncio.timeout(RELAY_TIMEOUT):
        for group_name, message in messages:
            await layer.group_send(group_name, message)


def message_for(news: News, viewer: Viewer, now: int) -> Json:
    """What one audience is sent: its view and the new lines of the story.

    ``base`` and ``version`` are the number of events before and after, so that a receiver
    notices a message it has missed.
    """
    steps = news.decision.steps
    position = Position(news.decision.state, news.base + len(steps), news.decision.due)
    seen = [event_for(step.event, step.state, viewer) for step in steps]
    view = view_json(news.match_id, position, viewer, now - news.epoch, now, seen)
    return {
        "type": "match.news",
        "match": news.match_id,
        "viewer": viewer,
        "base": news.base,
        "version": position.version,
        "view": standing(view) if news.still else view,
        "log": [
            entry_for(n, step.event, step.state, viewer)
            for n, step in enumerate(steps, news.base + 1)
        ],
    }


def view_json(
    match_id: str, position: Position, viewer: Viewer, at: int, now: int, events: list[Json]
) -> Json:
    """A ``view`` of the protocol; ``at`` is ``now`` counted from the match's creation, in ms."""
    seen = view_for(position.state, viewer)
    return _view_of(seen, match_id, position, at, now, events)


def _view_of(
    view: Json, match_id: str, position: Position, at: int, now: int, events: list[Json]
) -> Json:
    """What is in sight, with what does not hang on who looks."""
    state = position.state
    due = None
    if state.phase in _INTERLUDES and position.due is not None:
        due = max(0, position.due - at)
    return {
        "type": "view",
        "version": position.version,
        "match": match_id,
        **view,
        "clock": {**clock_for(state, at), "now": now, "due": due},
        "table": _drawn(view["table"]),
        "events": events,
    }


def standing(view: Json) -> Json:
    """A view in which no clock runs and nothing ends by itself."""
    nothing = dict.fromkeys(("running", "left", "delay_left", "due"))
    return {**view, "clock": {**view["clock"], **nothing}}


def _drawn(table: list[Json]) -> list[Json]:
    """The laid tiles with their place on the table, in half tiles."""
    plays = tuple((laid["tile"], laid["arm"]) for laid in table)
    placed = board.lay_out(plays, board.FRAMES["wide"]).tiles
    return [
        laid | {"x": tile.x, "y": tile.y, "turn": tile.turn}
        for laid, tile in zip(table, placed, strict=True)
    ]


def version_of(match_id: str) -> int:
    """The number of events of a match; raises ``Match.DoesNotExist``."""
    return Match.objects.values_list("version", flat=True).get(pk=match_id)


def page(
    match_id: str,
    user_id: int | None,
    now: int | None = None,
    *,
    browser: str = "",
    asked: int | None = None,
    since: int = -1,
    whole: bool = True,
) -> Page:
    """The page of a match for one user, None for a visitor who is not signed in.

    Where ``browser`` or the user has the one device of both players, ``asked`` is the version at
    which the page asked to be shown the tiles, None where it has not, and ``since`` the one it was
    sent last: where the page is not to be ``whole``, only later lines of the story are in it.
    Raises ``Match.DoesNotExist``.
    """
    now = timekeeping.now_ms() if now is None else now
    match = Match.objects.get(pk=match_id)
    info, audience = _who(match, user_id, browser)
    position = Position.stored(match.snapshot, match.version, match.due, match.epoch)
    if audience == DEVICE:
        page = _page_of_the_device(match, info, position, asked, since, now)
        return page if whole else replace(page, log=_later(page.log, since), whole=False)
    view = view_json(match.pk, position, audience, now - match.epoch, now, [])
    view = standing(view) if match.guided else view
    return Page(info, view, story(match, position.version, audience))


def _page_of_the_device(
    match: Match, info: Json, position: Position, asked: int | None, since: int, now: int
) -> Page:
    told = list(_replay(match, position.version))
    shown = _was_asked_for(told, asked)
    viewer = revealed_seat(position.state) if shown else None
    new = [event_for(event, state, viewer) for n, event, state in told if n > since >= 0]
    seen = device_view_for(position.state, shown=shown)
    view = _view_of(seen, match.pk, position, now - match.epoch, now, new)
    return Page(info, view, [entry_for(n, event, state, viewer) for n, event, state in told])


def _later(log: list[Json], since: int) -> list[Json]:
    return [entry for entry in log if entry["n"] > since]


def _was_asked_for(told: Sequence[tuple[int, Event, State]], asked: int | None) -> bool:
    """Whether a page that asked for the tiles at version ``asked`` asked for those of this turn:
    by its reveal itself, the very next event then, or after it.

    Every later turn begins at least two events later: by what ends this one, and its own reveal.
    """
    reveals = [n for n, event, _ in told if isinstance(event, Reveal)]
    return asked is not None and bool(reveals) and reveals[-1] <= asked + 1


def who(match_id: str, user_id: int | None, browser: str = "") -> tuple[Json, Audience]:
    """Who plays a match, and which audience somebody belongs to; ``Match.DoesNotExist``."""
    return _who(Match.objects.defer("snapshot").get(pk=match_id), user_id, browser)


def _who(match: Match, user_id: int | None, browser: str) -> tuple[Json, Audience]:
    seats = list(match.seats.order_by("seat"))
    if match.kind != Match.Kind.DUEL and match.is_owned_by(user_id, browser):
        return info_of(match, seats), 0 if match.guided else DEVICE
    viewer = next((seat.seat for seat in seats if user_id and seat.user_id == user_id), None)
    return info_of(match, seats), viewer


def info_of(match: Match, seats: Sequence[Seat]) -> Json:
    """Who plays a match, from its seats in order; the same for every viewer."""
    return {
        "id": match.pk,
        "epoch": match.epoch,
        "rated": match.rated,
        "shared": match.shared_device,
        "guided": match.guided,
        "players": [seat.name for seat in seats],
        "ratings": [(seat.rating, seat.provisional) for seat in seats],
        "socket": f"/ws/matches/{match.pk}/",
    }


def story(match: Match, version: int, viewer: Viewer) -> list[Json]:
    """The first ``version`` lines of the story of a match, as ``viewer`` may read them."""
    return [entry_for(n, event, state, viewer) for n, event, state in _replay(match, version)]


@dataclass(frozen=True, slots=True)
class Moment:
    """A finished match after one of its events, as everybody may see it; ``log`` is all of it."""

    info: Json
    view: Json
    log: list[Json]
    hands: list[list[str]]


def moment(match: Match, choose: Callable[[list[Json]], int]) -> Moment:
    """A finished match after the event that ``choose`` names, out of its whole story.

    Raises ``ValueError`` for a match that is not over: its hands are nobody's to see yet.
    """
    if match.ended_at is None:
        raise ValueError("the match is not over")
    told = list(_replay(match, match.version))
    # What was drawn is for everybody to see now: each line as its own player reads it.
    log = [entry_for(n, event, state, getattr(event, "seat", None)) for n, event, state in told]
    at = choose(log)
    state = next((after for n, _, after in told if n == at), State.new())
    position = Position(state, at, None)
    view = view_json(match.pk, position, None, state.at, match.epoch + state.at, [])
    hands = [[str(tile) for tile in hand] for hand in state.hands]
    return Moment(info_of(match, list(match.seats.order_by("seat"))), view, log, hands)


def _replay(match: Match, version: int) -> Iterator[tuple[int, Event, State]]:
    """The first ``version`` events of a match, with their numbers and the states after them."""
    state = State.new(shared_device=match.shared_device)
    rows = EventRow.objects.filter(match=match, n__lte=version).order_by("n")
    for n, data in rows.values_list("n", "data"):
        event = parse_event(data)
        state = apply(state, event)
        yield n, event, state
