"""Whether what is stored of a match agrees with its log."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields

from . import store
from .models import Match
from .rules import snapshot
from .rules.errors import Illegal
from .rules.match import State
from .rules.record import parse_event
from .tallies import Tally as Figures
from .tallies import tallied


def differences(match: Match) -> list[str]:
    """What the stored match says otherwise than its log, a line each; none where they agree.

    A match that goes on while it is compared is compared again, as it is then.
    """
    while found := list(_differences(match)):
        compared = match.version
        match.refresh_from_db()
        if match.version == compared:
            break
    return found


def _differences(match: Match) -> Iterator[str]:
    try:
        state = store.replayed(match)
    except Illegal as illegal:
        yield f"the log cannot be replayed: {illegal.code}"
        return
    replayed = snapshot.take(state)
    for key in sorted(replayed.keys() | match.snapshot.keys()):
        if replayed.get(key) != match.snapshot.get(key):
            yield f"{key}: log {replayed.get(key)!r}, snapshot {match.snapshot.get(key)!r}"
    numbers = list(match.events.order_by("n").values_list("n", flat=True))
    if numbers != list(range(1, match.version + 1)):
        yield f"version {match.version}, events {numbers[:1]} to {numbers[-1:]}: {len(numbers)}"
    over = state.result is not None
    if over != (match.ended_at is not None) or over != (match.due is None):
        yield f"over: {over}, but ended_at {match.ended_at} and due {match.due}"
    ending = (state.result.winner, state.result.reason) if state.result else (None, "")
    if ending != (match.winner, match.reason):
        yield f"result: log {ending}, row {(match.winner, match.reason)}"
    if match.seats.exclude(live=not over).exists():
        yield f"over: {over}, but a seat says otherwise"
    yield from _other_figures(match, state)


def _other_figures(match: Match, state: State) -> Iterator[str]:
    """What the stored figures of the players say otherwise than the log."""
    due: tuple[Figures, Figures] | tuple[None, None] = (None, None)
    if state.result and state.result.winner is not None and match.kind == Match.Kind.DUEL:
        log = match.events.order_by("n").values_list("data", flat=True)
        begin = State.new(shared_device=match.shared_device)
        due = tallied(begin, map(parse_event, log))
    for seat in match.seats.order_by("seat").select_related("tally"):
        stored = getattr(seat, "tally", None)
        kept = stored and Figures(**{f.name: getattr(stored, f.name) for f in fields(Figures)})
        if kept != due[seat.seat]:
            yield f"figures of seat {seat.seat}: log {due[seat.seat]}, row {kept}"
