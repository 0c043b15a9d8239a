"""Pages on which a player reports another, or a match."""

from __future__ import annotations

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts import services
from accounts.models import User

from . import reports
from .models import Match
from .report_forms import MatchReportForm, ReportForm

ASKED = ["GET", "HEAD", "POST"]


@require_http_methods(ASKED)
@never_cache
@login_required
def report_player(request: HttpRequest, name: str) -> HttpResponse:
    """Report a player."""
    player = services.find_player(name)
    if player is None:
        raise Http404
    if request.method != "POST" and name != player.username:
        return redirect("report_player", player.username)
    form = ReportForm(request.POST if request.method == "POST" else None)
    return _report(request, form, player, None)


@require_http_methods(ASKED)
@never_cache
@login_required
def report_match(request: HttpRequest, match_id: str) -> HttpResponse:
    """Report a match, or one of its players."""
    match = get_object_or_404(Match.objects.defer("snapshot"), pk=match_id)
    sent = request.POST if request.method == "POST" else None
    return _report(request, MatchReportForm(sent, match, _user(request).pk), None, match)


def _report(
    request: HttpRequest, form: ReportForm, player: User | None, match: Match | None
) -> HttpResponse:
    """The form, or what became of it: afterwards one is back at what was reported."""
    context: dict[str, object] = {"form": form, "player": player, "match": match}
    if match is not None:
        context["names"] = [seat.name for seat in match.seats.order_by("seat")]
    if not form.is_valid():
        status = 422 if form.is_bound else 200
        return render(request, "reports/report.html", context, status=status)
    if isinstance(form, MatchReportForm) and form.player_id is not None:
        player = User.objects.get(pk=form.player_id)
    said = form.cleaned_data
    try:
        reports.report(_user(request), said["about"], said["text"], player=player, match=match)
    except reports.Refused as refused:
        context["problem"] = sentence(refused)
        return render(request, "reports/report.html", context, status=409)
    messages.success(request, _("Thank you. Staff will look at what you have reported."))
    if match is not None:
        return redirect(match)
    assert player is not None
    return redirect("player", player.username)


def sentence(refused: reports.Refused) -> str:
    """Why something was not reported, or not closed, as a sentence to whoever tried."""
    told = {
        "oneself": _("Nobody reports themselves."),
        "not_a_player": _("That player has no seat in this match."),
        "reported": _(
            "You have reported this already, and staff have yet to look at it. There is no need "
            "to report it again."
        ),
        "too_many_open": ngettext(
            "%(max)d report of yours waits for staff. You can report more once they have looked.",
            "%(max)d reports of yours wait for staff. You can report more once they have looked.",
            reports.MAX_OPEN,
        )
        % {"max": reports.MAX_OPEN},
        "closed": _("Somebody has closed this report meanwhile."),
    }
    return told[refused.code]


def _user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
