"""The relay: what each audience of a match is sent, and through which group.

There are three audiences, each with a group of its own: seat 0, seat 1 and the spectators.
A private hand never travels through a shared group.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import get_channel_layer

from accounts.models import User

from . import board, timekeeping
from .models import Event, Match
from .play import Decision, Position
from .rules.match import Phase, State, apply
from .rules.record import Json, parse_event
from .rules.sight import Viewer, clock_for, entry_for, event_for, view_for

AUDIENCES: tuple[Viewer, ...] = (0, 1, None)
_INTERLUDES = frozenset({Phase.NEW, Phase.ROUND_OVER})


@dataclass(frozen=True, slots=True)
class News:
    """A decision that has been committed on top of ``base`` events.

    ``epoch`` is the Unix time, in milliseconds, that the match counts from.
    """

    match_id: str
    epoch: int
    base: int
    decision: Decision


@dataclass(frozen=True, slots=True)
class Page:
    """All that a page of a match shows to one viewer."""

    info: Json
    view: Json
    log: list[Json]

    def __iter__(self) -> Any:
        return iter((self.info, self.view, self.log))


def group(match_id: str, viewer: Viewer) -> str:
    """The channel group of one audience."""
    return f"match.{match_id}.{'s' if viewer is None else viewer}"


def publish(news: News) -> None:
    """Send a committed decision to the three audiences of its match."""
    async_to_sync(_publish)(news, timekeeping.now_ms())


async def _publish(news: News, now: int) -> None:
    layer = get_channel_layer()
    assert layer is not None
    for viewer in AUDIENCES:
        await layer.group_send(group(news.match_id, viewer), message_for(news, viewer, now))


def message_for(news: News, viewer: Viewer, now: int) -> Json:
    """What one audience is sent: its view and the new lines of the story.

    ``base`` and ``version`` are the number of events before and after, so that a receiver
    notices a message it has missed.
    """
    steps = news.decision.steps
    position = Position(news.decision.state, news.base + len(steps), news.decision.due)
    seen = [event_for(step.event, step.state, viewer) for step in steps]
    return {
        "type": "match.news",
        "base": news.base,
        "version": position.version,
        "view": view_json(news.match_id, position, viewer, now - news.epoch, now, seen),
        "log": [
            entry_for(n, step.event, step.state, viewer)
            for n, step in enumerate(steps, news.base + 1)
        ],
    }


def view_json(
    match_id: str, position: Position, viewer: Viewer, at: int, now: int, events: list[Json]
) -> Json:
    """A ``view`` of the protocol; ``at`` is ``now`` counted from the match's creation, in ms."""
    state = position.state
    due = None
    if state.phase in _INTERLUDES and position.due is not None:
        due = max(0, position.due - at)
    view = view_for(state, viewer)
    return {
        "type": "view",
        "version": position.version,
        "match": match_id,
        **view,
        "clock": {**clock_for(state, at), "now": now, "due": due},
        "table": _drawn(view["table"]),
        "events": events,
    }


def _drawn(table: list[Json]) -> list[Json]:
    """The laid tiles with their place on the table, in half tiles."""
    plays = tuple((laid["tile"], laid["arm"]) for laid in table)
    placed = board.lay_out(plays, board.FRAMES["wide"]).tiles
    return [
        laid | {"x": tile.x, "y": tile.y, "turn": tile.turn}
        for laid, tile in zip(table, placed, strict=True)
    ]


def page(match_id: str, user: User | None, now: int | None = None) -> Page:
    """The whole page of a match for one user, None for a visitor who is not signed in.

    Raises ``Match.DoesNotExist``.
    """
    now = timekeeping.now_ms() if now is None else now
    match = Match.objects.get(pk=match_id)
    seats = list(match.seats.order_by("seat"))
    user_id = None if user is None else user.pk
    viewer = next((seat.seat for seat in seats if user_id and seat.user_id == user_id), None)
    position = Position.stored(match.snapshot, match.version, match.due, match.epoch)
    info = {
        "id": match.pk,
        "rated": match.rated,
        "players": [seat.name for seat in seats],
        "socket": f"/ws/matches/{match.pk}/",
    }
    view = view_json(match.pk, position, viewer, now - match.epoch, now, [])
    return Page(info, view, story(match, position.version, viewer))


def story(match: Match, version: int, viewer: Viewer) -> list[Json]:
    """The first ``version`` lines of the story of a match, as ``viewer`` may read them."""
    state = State.new(shared_device=match.shared_device)
    lines = []
    rows = Event.objects.filter(match=match, n__lte=version).order_by("n")
    for n, data in rows.values_list("n", "data"):
        event = parse_event(data)
        state = apply(state, event)
        lines.append(entry_for(n, event, state, viewer))
    return lines
