"""The guided first round: what it is, and its start."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import browsers, lobby, timekeeping
from games.starts import too_many
from games.views import GET, player_of, problem


@require_http_methods([*GET, "POST"])
@never_cache
def learn(request: HttpRequest) -> HttpResponse:
    """A page about the guided round. A post starts one, signed in or not."""
    if request.method != "POST":
        return render(request, "games/learn.html")
    if refusal := too_many(request):
        return refusal
    user = player_of(request)
    browser = "" if user else browsers.made_known(request.session)
    name = user.username if user else _("Guest")
    try:
        return redirect(lobby.start_guided(name, user, browser, now=timekeeping.now_ms()))
    except lobby.Refused as refused:
        return render(request, "games/learn.html", problem(refused), status=409)
