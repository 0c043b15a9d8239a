"""The part of a finished match's page that tells what comes after it, and its one form."""

from __future__ import annotations

from django.contrib.auth.views import redirect_to_login
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import HttpResponseClientRedirect

from accounts.models import User
from games import browsers, lobby, timekeeping
from games.after import again, outcomes
from games.models import Match
from games.views import player_of, problem


@require_safe
@never_cache
def after(request: HttpRequest, match_id: str) -> HttpResponse:
    """How things stand after a match. A page that asks because of news is led to the rematch."""
    match = get_object_or_404(Match.objects.defer("snapshot"), pk=match_id)
    if match.ended_at is None:
        return HttpResponse(status=204)
    user = player_of(request)
    if user is not None and "news" in request.GET and (address := _rematch_of(match, user)):
        return HttpResponseClientRedirect(address)
    return _after(request, match)


@require_POST
def rematch(request: HttpRequest, match_id: str) -> HttpResponse:
    """Offer a rematch, say yes or no to one, or take it back: ``do`` says which."""
    match = get_object_or_404(Match.objects.defer("snapshot"), pk=match_id)
    user = player_of(request)
    if user is None:
        there = redirect_to_login(match.get_absolute_url())
        return HttpResponseClientRedirect(there.url) if _by_script(request) else there
    if request.POST.get("do") == "offer" and _has_left(match, user):
        return _after(request, match, status=409)  # which says so
    try:
        begun = _do(request.POST.get("do", ""), match, user)
    except lobby.Refused as refused:
        return _after(request, match, refused)
    if begun is not None:
        address = begun.get_absolute_url()
        return HttpResponseClientRedirect(address) if _by_script(request) else redirect(address)
    return _after(request, match) if _by_script(request) else redirect(match)


def _do(what: str, match: Match, user: User) -> Match | None:
    """Carry out one of the four; the match, where it begins."""
    now = timekeeping.now_ms()
    if what not in ("decline", "withdraw"):
        found = lobby.rematch(user, match.pk, now=now)
        return found if isinstance(found, Match) else None
    offers = lobby.rematch_of(match.pk, now).offers
    for creator, offer in offers.items():
        if what == "withdraw" and creator == user.pk:
            lobby.withdraw(offer, user)
        elif what == "decline" and creator != user.pk:
            lobby.decline(offer, user)
    return None


def _has_left(match: Match, user: User) -> bool:
    """Whether nobody is there to be offered a rematch."""
    stands = again(match, list(match.seats.order_by("seat")), user, timekeeping.now_ms())
    return match.ended_at is not None and stands is not None and stands.left and not stands.match


def _rematch_of(match: Match, user: User) -> str:
    """The address of the rematch that runs, for its players; else empty."""
    mine = match.rematches.filter(match__ended_at=None, match__seats__user=user)
    found = mine.select_related("match").first()
    return found.match.get_absolute_url() if found and found.match else ""


def _after(
    request: HttpRequest, match: Match, refused: lobby.Refused | None = None, status: int = 200
) -> HttpResponse:
    seats = list(match.seats.order_by("seat"))
    user = player_of(request)
    user_id = None if user is None else user.pk
    context: dict[str, object] = {
        "match": match,
        # On one device the same two may play again, the other way round.
        "two": match.shared_device
        and match.is_owned_by(user_id, browsers.known(request.session))
        and [seat.name for seat in reversed(seats)],
        "outcomes": outcomes(match, seats),
        "again": again(match, seats, user, timekeeping.now_ms()),
    }
    if refused is not None:
        context |= problem(refused)
        status = 409
    page = "games/_after.html" if _by_script(request) else "games/after.html"
    return render(request, page, context, status=status)


def _by_script(request: HttpRequest) -> bool:
    return "HX-Request" in request.headers
