"""The public status page."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, TypeVar

from django.core.paginator import Page, Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from . import status, timekeeping
from .models import Event
from .words import Span

ROWS = 20  # of each table on one page
T = TypeVar("T")


@require_safe
@never_cache
def status_page(request: HttpRequest) -> HttpResponse:
    """When the service was measuring time in the last 30 days, when not, what that voided."""
    now = timekeeping.now_ms()
    seen = status.status(now)
    gaps = _page(request, "gaps", seen.gaps)
    voids = _page(request, "voids", status.voided(now))
    stretches = _page(request, "windows", seen.stretches)
    context = {
        "status": seen,
        "gaps": _pages(request, "gaps", gaps, (Span(g.begin, g.end, now) for g in gaps)),
        "voids": _pages(request, "voids", voids, (_void(event, now) for event in voids)),
        "stretches": _pages(
            request,
            "windows",
            stretches,
            (
                {
                    "span": Span(s.begin, s.end, now),
                    "end": s.end,
                    "fronts": s.fronts,
                    "lost": s.lost,
                }
                for s in stretches
            ),
        ),
    }
    return render(request, "games/status.html", context)


def _page(request: HttpRequest, key: str, items: Sequence[T] | QuerySet[Any]) -> Page[Any]:
    return Paginator(items, ROWS).get_page(request.GET.get(key))


def _pages(
    request: HttpRequest, key: str, page: Page[Any], rows: Iterable[object]
) -> dict[str, object]:
    """One page of a table, and the addresses of those beside it."""

    def address(number: int) -> str:
        query = request.GET.copy()
        query[key] = str(number)
        return f"?{query.urlencode()}#{key}"

    return {
        "page": page,
        "rows": list(rows),
        "newer": address(page.previous_page_number()) if page.has_previous() else "",
        "older": address(page.next_page_number()) if page.has_next() else "",
    }


def _void(event: Event, now: int) -> dict[str, object]:
    match, data = event.match, event.data
    span = None
    if "from" in data and "to" in data:
        span = Span(match.epoch + data["from"], match.epoch + data["to"], now)
    names = [seat.name for seat in sorted(match.seats.all(), key=lambda seat: seat.seat)]
    return {"match": match, "names": names, "span": span}
