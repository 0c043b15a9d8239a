"""One device for two: two names, and the match is there."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games import browsers, lobby, timekeeping
from games.forms import TwoNamesForm
from games.starts import too_many
from games.views import GET, player_of, problem


@require_http_methods([*GET, "POST"])
@never_cache
def two(request: HttpRequest) -> HttpResponse:
    """The form for two names. A post starts their match on this device, signed in or not."""
    user = player_of(request)
    if request.method == "POST":
        form = TwoNamesForm(request.POST)
        if not form.is_valid():
            return _page(request, form, status=422)
        if refusal := too_many(request):
            return refusal
        browser = "" if user else browsers.made_known(request.session)
        try:
            now = timekeeping.now_ms()
            return redirect(lobby.start_shared(form.names, user, browser, now=now))
        except lobby.Refused as refused:
            return _page(request, form, status=409, **problem(refused))
    return _page(request, TwoNamesForm(initial={"one": user.username} if user else None))


def _page(
    request: HttpRequest, form: TwoNamesForm, status: int = 200, **context: object
) -> HttpResponse:
    mine = lobby.shared_matches_of(player_of(request), browsers.known(request.session))
    tables = [(match, sorted(match.seats.all(), key=lambda seat: seat.seat)) for match in mine]
    context |= {"form": form, "tables": tables}
    return render(request, "games/two.html", context, status=status)
