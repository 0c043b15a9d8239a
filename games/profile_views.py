"""The page of a player, and the chart on it."""

from __future__ import annotations

from dataclasses import asdict
from urllib.parse import urlencode

from csp.constants import NONE, UNSAFE_INLINE
from csp.decorators import csp
from django.core.paginator import Page
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response, patch_cache_control
from django.utils.http import http_date, quote_etag
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts import services as accounts
from accounts.models import User
from accounts.names import MAX_LENGTH
from games import profiles
from games.models import Seat
from ratings import charts, history, ladder, services
from ratings.models import ESTABLISHED

CHART_AGE = 60  # seconds for which a browser need not ask whether a chart is still right


@require_safe
@never_cache
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """What a player has done here, for everybody to see."""
    player = _player(name)
    if player.username != name:
        return _respelt(request, "player", player)
    visitor = request.user if request.user.is_authenticated else None
    choice = _choice(request)
    page = profiles.page_of(player, choice, request.GET.get("page"))
    standing = services.standing(player.pk)
    context = {
        "player": player,
        "standing": standing,
        "rank": ladder.rank_of(standing),
        "needed": ESTABLISHED,
        "points": history.thinned(history.history_of(player.pk)),
        "newest": history.latest(player.pk),
        "results": profiles.results(player),
        "records": profiles.head_to_head(player, visitor),
        "figures": profiles.figures(player),
        "playing": profiles.playing(player),
        "choice": choice,
        "page": page,
        "played": profiles.played(player, list(page)),
        "pages": _beside(page, choice),
        **_between(visitor, player),
    }
    return render(request, "players/profile.html", context)


@require_safe
@csp({"default-src": [NONE], "style-src": [UNSAFE_INLINE]})  # type: ignore[arg-type]
def rating_chart(request: HttpRequest, name: str) -> HttpResponse:
    """The history of a player's rating as a picture, whose style is within it."""
    player = _player(name)
    if player.username != name:
        return _respelt(request, "rating_chart", player)
    newest = history.latest(player.pk)
    if newest is None:
        raise Http404
    number, at = newest
    etag = quote_etag(f"{charts.LOOK}-{number}-{get_language()}")
    modified = int(at.timestamp())
    response = get_conditional_response(request, etag, modified)
    if response is None:
        points = history.thinned(history.history_of(player.pk))
        picture = charts.drawn(points, player.username)
        response = HttpResponse(picture, content_type="image/svg+xml; charset=utf-8")
    response["ETag"], response["Last-Modified"] = etag, http_date(modified)
    patch_cache_control(response, public=True, max_age=CHART_AGE)
    return response


def _player(name: str) -> User:
    """The active player of this name, in any case."""
    player = accounts.find_player(name)
    if player is None:
        raise Http404
    return player


def _respelt(request: HttpRequest, view: str, player: User) -> HttpResponse:
    """To the same page under the name as its owner writes it."""
    query = request.GET.urlencode()
    address = reverse(view, args=[player.username])
    return redirect(f"{address}?{query}" if query else address)


def _between(visitor: User | None, player: User) -> dict[str, object]:
    """What a visitor may do about a player, and see of them beyond what everybody does."""
    if visitor is None:
        return {}
    return {
        "other": visitor != player,
        "blocked": visitor != player and accounts.has_blocked(visitor.pk, player.pk),
        "suspended": visitor.is_staff and accounts.suspension_of(player),
    }


def _choice(request: HttpRequest) -> profiles.Choice:
    kind, result = request.GET.get("kind", ""), request.GET.get("result", "")
    return profiles.Choice(
        kind if kind in profiles.KINDS else "",
        result if result in profiles.RESULTS else "",
        request.GET.get("opponent", "").replace("\0", "").strip()[:MAX_LENGTH],
    )


def _beside(page: Page[Seat], choice: profiles.Choice) -> dict[str, object]:
    """The pages of matches beside this one, as the pager wants them."""

    def address(number: int) -> str:
        query = {name: value for name, value in asdict(choice).items() if value}
        return f"?{urlencode(query | {'page': number})}#matches"

    return {
        "page": page,
        "newer": address(page.previous_page_number()) if page.has_previous() else "",
        "older": address(page.next_page_number()) if page.has_next() else "",
    }
