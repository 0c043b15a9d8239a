"""The page of a player, and the chart on it."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.models import User


@require_safe
@never_cache
def profile(request: HttpRequest, name: str) -> HttpResponse:
    """What a player has done here, for everybody to see."""
    player = _player(name)
    if player.username != name:
        return redirect("player", player.username)
    return render(request, "players/profile.html", {"player": player})


def _player(name: str) -> User:
    """The active player of this name, in any case."""
    player = User.objects.filter(username__iexact=name, is_active=True).first()
    if player is None:
        raise Http404
    return player
