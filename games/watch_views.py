"""Watching: the page of live matches, and what keeps it and the home page new."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games import timekeeping, watch
from games.present.table import TILE_SET


@require_safe
@never_cache
def watch_page(request: HttpRequest) -> HttpResponse:
    """The live matches, for everybody."""
    text = watch.LIST.text(timekeeping.now_ms())
    context = {"list": mark_safe(text.html), "name": text.name, "symbols": TILE_SET}  # noqa: S308
    return render(request, "watch/watch.html", context)


@require_safe
@never_cache
def watch_list(request: HttpRequest) -> HttpResponse:
    """The list anew; nothing where the page that asks shows the same already."""
    return _unless_seen(request, watch.LIST)


@require_safe
@never_cache
def watch_best(request: HttpRequest) -> HttpResponse:
    """The best live match for the home page; nothing where that shows the same already."""
    return _unless_seen(request, watch.BEST)


def _unless_seen(request: HttpRequest, shared: watch.Shared) -> HttpResponse:
    text = shared.text(timekeeping.now_ms())
    if request.GET.get("seen") == text.name:
        return HttpResponse(status=204)
    return HttpResponse(text.html, headers={"X-Seen": text.name})
