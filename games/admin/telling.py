"""A match as staff read it: while it is live as a spectator may, afterwards with every hand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.translation import gettext as _

from games import timekeeping, words
from games.models import Match, Seat
from games.present.story import dated
from games.present.table import TILE_SET, Drawing, drawings, key, table_text
from games.rules import events
from games.rules.events import Event
from games.rules.match import State, apply
from games.rules.record import parse_event
from games.rules.sight import Viewer, entry_for, view_for
from games.timekeeping import moment
from games.words import People

Hands = Sequence[tuple[str, str]]  # whose tiles, and which


@dataclass(frozen=True, slots=True)
class Line:
    """A line of the log: the event as the record calls it, and what it means."""

    n: int
    at: datetime
    who: str
    do: str
    text: str
    hands: Hands


@dataclass(frozen=True, slots=True)
class Told:
    """A whole match: its log, the table as it lies, and once it is over who held what."""

    lines: list[Line]
    drawing: Drawing | None
    symbols: list[dict[str, Any]]
    table: str
    chips: tuple[int, int]
    hands: Hands


def told(match: Match, seats: Sequence[Seat]) -> Told:
    """Tell a match, by one query. Nothing hidden is in it while the match is live."""
    over = match.ended_at is not None
    first, second = seats
    people = People((first.name, second.name))
    state, lines = State.new(shared_device=match.shared_device), []
    log = match.events.filter(n__lte=match.version).order_by("n")
    for n, data in log.values_list("n", "data"):
        event = parse_event(data)
        state = apply(state, event)
        lines.append(_line(match, n, event, state, people, over=over))
    view = view_for(state, None)
    laid = {key(item["tile"]) for item in view["table"]}
    return Told(
        lines,
        next((d for d in drawings(view) if d.frame == "wide"), None) if laid else None,
        [tile for tile in TILE_SET if tile["key"] in laid],
        table_text(view),
        state.chips,
        _hands(people, state.hands, state.boneyard) if over and state.round else (),
    )


def _line(match: Match, n: int, event: Event, state: State, people: People, *, over: bool) -> Line:
    seat: int | None = getattr(event, "seat", None)
    # Once it is over a draw shows its tile, as it did to whoever drew.
    viewer: Viewer = seat if over else None
    entry = dated(entry_for(n, event, state, viewer), {"epoch": match.epoch}, timekeeping.now_ms())
    dealt = isinstance(event, events.Deal) and over
    return Line(
        n,
        moment(match.epoch + state.at),
        "" if seat is None else people.name(seat),
        event.do,
        words.log_sentence(entry, people),
        _hands(people, state.hands, state.boneyard) if dealt else (),
    )


def _hands(people: People, hands: Sequence[Any], boneyard: Sequence[Any]) -> Hands:
    return tuple(
        (owner, _tiles(tiles))
        for owner, tiles in zip((*people.names, _("Boneyard")), (*hands, boneyard), strict=True)
    )


def _tiles(tiles: Sequence[Any]) -> str:
    return " ".join(str(tile) for tile in tiles) or _("none")
