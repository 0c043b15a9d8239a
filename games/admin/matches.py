"""Matches in the admin: a readable log, the table as it lies, and the decisions of staff."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin.common import (
    AskedByWhatIsShown,
    Decision,
    Declined,
    NamedValues,
    ReadOnly,
    ReasonForm,
    decision_page,
    staff_of,
)
from games import store, timekeeping, words
from games.models import Match, Seat, StaffDecision

from .telling import told

if TYPE_CHECKING:
    MatchAdminBase = admin.ModelAdmin[Match]
    SeatInlineBase = admin.TabularInline[Seat, Match]
    DecisionInlineBase = admin.TabularInline[StaffDecision, Match]
else:
    MatchAdminBase = admin.ModelAdmin
    SeatInlineBase = DecisionInlineBase = admin.TabularInline


class SeatInline(ReadOnly, SeatInlineBase):
    model = Seat
    fields = ("seat", "name", "user", "rating", "provisional", "live")
    ordering = ("seat",)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        return super().get_queryset(request).select_related("user")


class DecisionInline(ReadOnly, DecisionInlineBase):
    model = StaffDecision
    fields = readonly_fields = ("kind", "by", "at", "reason")

    def get_queryset(self, request: HttpRequest) -> QuerySet[StaffDecision]:
        return super().get_queryset(request).select_related("by")


@admin.register(Match)
class MatchAdmin(AskedByWhatIsShown, ReadOnly, MatchAdminBase):
    list_display = (
        "id",
        "players",
        "kind",
        "rated",
        "level",
        "version",
        "reason",
        "winner",
        "created_at",
    )
    list_filter = (
        "kind",
        "rated",
        ("reason", NamedValues),
        ("ended_at", admin.EmptyFieldListFilter),
        ("annulled_at", admin.EmptyFieldListFilter),
    )
    search_fields = ("id", "seats__name", "seats__user__username", "owner__username")
    date_hierarchy = "created_at"
    fields = (
        "id",
        "kind",
        "owner",
        "rated",
        "level",
        "created_at",
        "version",
        "ended_at",
        "winner",
        "reason",
        "annulled_at",
    )
    # Never the snapshot: a filter by it would tell hands.
    askable = fields
    inlines = (DecisionInline, SeatInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return (
            super()
            .get_queryset(request)
            .defer("snapshot")
            .prefetch_related("seats")
            .select_related("owner")
        )

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        return " – ".join(seat.name for seat in _seats(match))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("<str:match_id>/void/", view(self.void_view), name="games_match_void"),
            path("<str:match_id>/annul/", view(self.annul_view), name="games_match_annul"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        context = dict(extra_context or {})
        match = self.get_object(request, object_id)
        if match is not None and self.has_view_permission(request, match):
            context |= {
                "told": told(match, _seats(match)),
                "names": [seat.name for seat in _seats(match)],
                "over": match.ended_at is not None,
                "can_void": match.ended_at is None and _may(request, "void"),
                "can_annul": _counts(match) and _may(request, "annul"),
            }
        return super().change_view(request, object_id, form_url, context)

    def void_view(self, request: HttpRequest, match_id: str) -> HttpResponse:
        """End a running match: void, for a reason that is kept."""
        title = gettext("Void this match")
        return self._decide(
            request,
            match_id,
            "void",
            lambda match: match.ended_at is None,
            gettext("This match is over and keeps its result."),
            {
                "title": title,
                "button": title,
                "told": gettext(
                    "The match ends at once. It has no winner, no rating changes, and both "
                    "players and all spectators are told that the staff of this site ended it. "
                    "This cannot be undone."
                ),
                "back": gettext("Let it go on"),
            },
        )

    def annul_view(self, request: HttpRequest, match_id: str) -> HttpResponse:
        """Take back what a finished rated match changed, for a reason that is kept."""
        title = gettext("Annul the result")
        return self._decide(
            request,
            match_id,
            "annul",
            _counts,
            gettext("This match has no result that counts, so there is nothing to annul."),
            {
                "title": title,
                "button": title,
                "told": gettext(
                    "Both players get back what their ratings lost by this match, and lose what "
                    "they won by it. What was rated later stays as it is, and so does the record. "
                    "The page of the match says that staff annulled it. This cannot be undone."
                ),
                "back": gettext("Let it count"),
            },
        )

    def _decide(
        self,
        request: HttpRequest,
        match_id: str,
        kind: str,
        possible: Callable[[Match], bool],
        impossible: str,
        texts: dict[str, str],
    ) -> HttpResponse:
        if not _may(request, kind):
            raise PermissionDenied
        match = self.get_object(request, match_id)
        if match is None:
            raise Http404
        if not possible(match):
            self.message_user(request, impossible, "ERROR")
            return redirect("admin:games_match_change", match.pk)

        def decide(said: dict[str, Any]) -> str:
            return self._carry_out(request, match, kind, said["reason"])

        form = ReasonForm(
            request.POST if request.method == "POST" else None,
            label=gettext("Reason"),
            help_text=gettext("Kept with the match and shown to staff alone."),
        )
        return decision_page(request, self, match, Decision(**texts, decide=decide), form)

    def _carry_out(self, request: HttpRequest, match: Match, kind: str, reason: str) -> str:
        staff, now = staff_of(request), timekeeping.now_ms()
        try:
            (store.void if kind == "void" else store.annul)(match.pk, staff, reason, now)
        except store.Refused as refused:
            raise Declined(words.refusal(refused.code, refused.params)) from None
        if kind == "void":
            done = gettext("Voided: %(reason)s")
            outcome = gettext("The match is void, and everybody at it has been told.")
        else:
            done = gettext("Annulled: %(reason)s")
            outcome = gettext("The result is annulled, and both ratings have been put right.")
        self.log_change(request, match, done % {"reason": reason})
        return outcome


def _seats(match: Match) -> list[Seat]:
    """Both seats, read with the match."""
    return sorted(match.seats.all(), key=lambda seat: seat.seat)


def _counts(match: Match) -> bool:
    """Whether the result of a match counts for ratings."""
    return match.rated and match.winner is not None and match.annulled_at is None


def _may(request: HttpRequest, kind: str) -> bool:
    return request.user.has_perms(["games.view_match", f"games.{kind}_match"])
