"""The ladder's page."""

from __future__ import annotations

from urllib.parse import urlencode

from django.core.paginator import Page
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.names import MAX_LENGTH

from . import ladder, services
from .models import ESTABLISHED, Rating


@require_safe
@never_cache
def ladder_page(request: HttpRequest) -> HttpResponse:
    """Who stands where, and where the visitor does."""
    now = timezone.now()
    active = "active" in request.GET
    prefix = request.GET.get("name", "").replace("\0", "").strip()[:MAX_LENGTH]
    choice = ladder.Choice(now - ladder.RECENT if active else None, prefix)
    mine = services.standing(request.user.pk) if request.user.is_authenticated else None
    if "me" in request.GET and mine and not mine.is_provisional:
        return redirect(_place_of(mine, choice))
    page = ladder.page_of(choice, request.GET.get("page"))
    context = {
        "page": page,
        "rows": ladder.rows(page, now),
        "beside": _beside(page, choice),
        "active": active,
        "prefix": prefix,
        "mine": mine,
        "my_rank": mine and ladder.rank_of(mine),
        "needed": ESTABLISHED,
    }
    return render(request, "ratings/ladder.html", context)


def _place_of(mine: Rating, choice: ladder.Choice) -> str:
    """The address of one's own row: among the active players where those are shown and one is
    of them, else among all."""
    shown = ladder.Choice(choice.active_since)
    if not shown.has(mine):
        shown = ladder.Choice()
    return _address(shown, shown.page_of(mine)) + "#me"


def _beside(page: Page[int], choice: ladder.Choice) -> dict[str, str]:
    """The addresses of the pages that can be reached from a page, by what they are to it."""
    numbers: dict[str, int] = {}
    if page.has_previous():
        numbers |= {"first": 1, "previous": page.previous_page_number()}
    if page.has_next():
        numbers |= {"next": page.next_page_number(), "last": page.paginator.num_pages}
    return {name: _address(choice, number) for name, number in numbers.items()}


def _address(choice: ladder.Choice, number: int) -> str:
    query: dict[str, object] = {"active": "1"} if choice.active_since else {}
    query |= {"name": choice.prefix} if choice.prefix else {}
    query |= {"page": number} if number > 1 else {}
    return reverse("ladder") + (f"?{urlencode(query)}" if query else "")
