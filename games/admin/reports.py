"""The queue of reports: what players ask staff to look at."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import Case, Count, OuterRef, QuerySet, Subquery, Value, When
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import URLPattern, path, reverse
from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import Truncator
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin.common import (
    AskedByWhatIsShown,
    Decision,
    Declined,
    ReadOnly,
    ReasonForm,
    decision_page,
    staff_of,
)
from games import report_views, reports
from games.models import Report

if TYPE_CHECKING:
    ReportAdminBase = admin.ModelAdmin[Report]
else:
    ReportAdminBase = admin.ModelAdmin


@admin.register(Report)
class ReportAdmin(AskedByWhatIsShown, ReadOnly, ReportAdminBase):
    """Open ones first, and of those the oldest. Who may change reports may close them: what was
    reported stays as it is."""

    list_display = ("when", "target", "reported_by", "what", "state")
    list_filter = ("state", "about")
    list_select_related = ("reporter", "player")
    search_fields = ("reporter__username", "player__username", "match__id", "text", "note")
    fields = (
        "at",
        "reporter",
        "player_link",
        "match_link",
        "others",
        "about",
        "text",
        "state",
        "closed_at",
        "closed_by",
        "note",
    )
    readonly_fields = ("player_link", "match_link", "others")
    askable = ("at", "reporter", "player", "match", "about", "state", "closed_at", "closed_by")
    sortable_by = ("when", "state")
    ordering = (Case(When(state=Report.State.OPEN, then=Value(0)), default=Value(1)).asc(), "at")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        same = Report.objects.filter(player=OuterRef("player")).order_by().values("player")
        counted = same.annotate(n=Count("pk")).values("n")
        on_player = Coalesce(Subquery(counted), Value(1))
        return super().get_queryset(request).annotate(on_player=on_player)

    @admin.display(description=_("at"), ordering="at")
    def when(self, report: Report) -> str:
        return date_format(report.at, "M j, H:i")

    @admin.display(description=_("about (others)"))
    def target(self, report: Report) -> str | SafeString:
        """The player and how many other reports there are on them, and the match: what there is."""
        parts = []
        if report.player_id is not None:
            others = self.others(report)
            player = self.player_link(report)
            parts.append(player if others == "0" else format_html("{} ({})", player, others))
        if report.match_id is not None:
            parts.append(self.match_link(report))
        return format_html_join(mark_safe("<br>"), "{}", ((part,) for part in parts))

    @admin.display(description=_("reported by"))
    def reported_by(self, report: Report) -> str:
        return str(report.reporter)

    @admin.display(description=_("player"))
    def player_link(self, report: Report) -> str | SafeString:
        if report.player is None:
            return "–"
        address = reverse("admin:accounts_user_change", args=[report.player_id])
        return format_html('<a href="{}">{}</a>', address, report.player)

    @admin.display(description=_("match"))
    def match_link(self, report: Report) -> str | SafeString:
        if report.match_id is None:
            return "–"
        address = reverse("admin:games_match_change", args=[report.match_id])
        return format_html('<a href="{}">{}</a>', address, report.match_id)

    @admin.display(description=_("other reports"))
    def others(self, report: Report) -> str | SafeString:
        others = report.on_player - 1  # type: ignore[attr-defined]
        if report.player_id is None or not others:
            return "0"
        address = reverse("admin:games_report_changelist")
        query = f"{address}?player__id__exact={report.player_id}"
        return format_html('<a href="{}">{}</a>', query, others)

    @admin.display(description=_("what happened"))
    def what(self, report: Report) -> str:
        return f"{report.get_about_display()}: {Truncator(report.text).chars(80)}"

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path(
                "<int:report_id>/uphold/",
                view(self.close_view),
                {"upheld": True},
                name="games_report_uphold",
            ),
            path(
                "<int:report_id>/dismiss/",
                view(self.close_view),
                {"upheld": False},
                name="games_report_dismiss",
            ),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        report = self.get_object(request, object_id)
        is_open = report is not None and report.state == Report.State.OPEN
        context = {**(extra_context or {}), "can_close": is_open and _may_close(request)}
        return super().change_view(request, object_id, form_url, context)

    def close_view(self, request: HttpRequest, report_id: int, *, upheld: bool) -> HttpResponse:
        """Uphold a report or dismiss it, with a note."""
        if not _may_close(request):
            raise PermissionDenied
        report = get_object_or_404(Report, pk=report_id)
        if report.state != Report.State.OPEN:
            self.message_user(request, report_views.sentence(reports.Refused("closed")), "ERROR")
            return redirect("admin:games_report_change", report.pk)

        def decide(said: dict[str, Any]) -> str:
            return self._close(request, report, said["reason"], upheld=upheld)

        title = gettext("Uphold this report") if upheld else gettext("Dismiss this report")
        decision = Decision(
            title,
            gettext(
                "This closes the report and does nothing else: suspend the player, or void or "
                "annul the match, on their own pages."
            ),
            title,
            gettext("Leave it open"),
            decide,
        )
        form = ReasonForm(
            request.POST if request.method == "POST" else None,
            label=gettext("Note"),
            help_text=gettext("What was found and done. Shown to staff alone."),
        )
        return decision_page(request, self, report, decision, form)

    def _close(self, request: HttpRequest, report: Report, note: str, *, upheld: bool) -> str:
        try:
            reports.close(report.pk, staff_of(request), note, upheld=upheld)
        except reports.Refused as refused:
            raise Declined(report_views.sentence(refused)) from None
        done = gettext("Upheld: %(note)s") if upheld else gettext("Dismissed: %(note)s")
        self.log_change(request, report, done % {"note": note})
        return gettext("The report is closed.")


def _may_close(request: HttpRequest) -> bool:
    return request.user.has_perms(["games.view_report", "games.change_report"])
