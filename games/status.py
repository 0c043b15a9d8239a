"""What the public status page tells: when time was measured, when not, and what that voided."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import F, QuerySet

from . import timekeeping, windows
from .models import Event
from .timekeeping import Gap, Window

PERIOD = 30 * 24 * 3600 * 1000  # ms that the page looks back


@dataclass(frozen=True, slots=True)
class Stretch:
    """From ``begin`` to ``end`` some front was up at every moment: ``fronts`` of them took
    turns, and ``lost`` of those ended without a clean stop."""

    begin: int
    end: int
    fronts: int
    lost: int


@dataclass(frozen=True, slots=True)
class Status:
    """The last 30 days, the newest first. ``known`` says that some front was up in them, ``up``
    that one is now. Times are Unix times in ms; what goes on still ends ``now``."""

    now: int
    known: bool
    up: bool
    gaps: list[Gap]
    stretches: list[Stretch]


def status(now: int) -> Status:
    """The service as it was up to ``now``, by two queries however much there is to tell."""
    since, tolerance = now - PERIOD, windows.tolerance()
    seen = sorted(windows.since(since), key=lambda window: window.opened)
    begin = max(since, windows.first_opened() or now)
    up = any(not w.stopped and not w.is_broken(now, tolerance) for w in seen)
    gaps = list(timekeeping.gaps(seen, begin, now)) if begin < now else []
    if up and gaps and gaps[-1].end == now:
        gaps.pop()  # the next beat is still to come
    stretches = _stretches(seen, gaps, begin, now)
    return Status(now, bool(begin < now or seen), up, gaps[::-1], stretches[::-1])


def _stretches(seen: Sequence[Window], gaps: Sequence[Gap], begin: int, now: int) -> list[Stretch]:
    """What lies between the gaps; ``seen`` is in order of opening."""
    opened = [window.opened for window in seen]
    found: list[Stretch] = []
    edges = [begin, *(edge for gap in gaps for edge in (gap.begin, gap.end)), now]
    for start, end in zip(edges[::2], edges[1::2], strict=True):
        fronts = seen[bisect_left(opened, start) if found else 0 : bisect_right(opened, end)]
        if start < end or fronts:
            lost = sum(w.is_broken(now, windows.tolerance()) for w in fronts)
            found.append(Stretch(start, end, len(fronts), lost))
    return found


def voided(now: int) -> QuerySet[Event]:
    """The events that voided a match in the last 30 days because nobody measured its time, the
    newest first, each with its match and seats."""
    since = timekeeping.moment(now - PERIOD)
    last = Event.objects.filter(
        match__reason="void", match__ended_at__gte=since, n=F("match__version"), do="void"
    )
    failures = last.filter(data__reason="service_failure").order_by("-match__ended_at", "match")
    return (
        failures.select_related("match").defer("match__snapshot").prefetch_related("match__seats")
    )
