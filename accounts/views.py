"""Whom a player wants no match with: block, unblock, and the list."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from . import conduct_words, services
from .models import User
from .returning import safe_next


@require_http_methods(["GET", "HEAD"])
@never_cache
@login_required
def blocks(request: HttpRequest) -> HttpResponse:
    """Whom this player blocks; nobody else sees it."""
    assert isinstance(request.user, User)
    mine = request.user.blocks.select_related("blocked").order_by("blocked__username")
    return render(request, "accounts/blocks.html", {"blocks": mine})


@require_http_methods(["POST"])
def block(request: HttpRequest, name: str) -> HttpResponse:
    """No more matches with this player; a second time changes nothing."""
    other = _found(name)
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("player", args=[other.username]))
    try:
        services.block(request.user, other)
    except services.Refused as refused:
        messages.error(request, conduct_words.sentence(refused))
    else:
        told = _("You have blocked %(name)s: neither of you can challenge the other any more.")
        messages.success(request, told % {"name": other})
    return _back(request, other)


@require_http_methods(["POST"])
def unblock(request: HttpRequest, name: str) -> HttpResponse:
    """Allow matches with this player again; a second time changes nothing."""
    other = _found(name)
    if not isinstance(request.user, User):
        return redirect_to_login(reverse("player", args=[other.username]))
    services.unblock(request.user, other)
    messages.success(request, _("You no longer block %(name)s.") % {"name": other})
    return _back(request, other)


def _found(name: str) -> User:
    """The player of this name, also one who is no longer active: a block can be taken back."""
    try:
        return User.objects.get_by_natural_key(name)
    except User.DoesNotExist:
        raise Http404 from None


def _back(request: HttpRequest, other: User) -> HttpResponse:
    """To the page of this site that the form named, else to the player's."""
    if wanted := safe_next(request):
        return HttpResponseRedirect(wanted)  # redirect() would take a word for a view's name
    return redirect("player", other.username)
