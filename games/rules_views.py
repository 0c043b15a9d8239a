"""The rules: a page, and the same text for the panel beside a running match."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_http_methods

from games import figures
from games.present.table import TILE_SET


@require_http_methods(["GET", "HEAD"])
def rules(request: HttpRequest) -> HttpResponse:
    """The rules of the game, for people who have never heard of it.

    With ``?panel`` the text alone, its ids marked so that they clash with none of a match page,
    whose drawn tiles it uses.
    """
    context = figures.context()
    if "panel" in request.GET:
        return render(request, "rules/_panel.html", context | {"p": "rules-"})
    return render(request, "rules.html", context | {"p": "", "symbols": TILE_SET})
