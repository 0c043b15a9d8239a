"""What staff see of matches, where what happened is read-only and no hand of a live match is shown,
and the little they do: end a match, announce a restart."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import Model, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import URLPattern, path
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.models import User

from . import store, timekeeping, words
from .forms import VoidForm
from .models import Challenge, Event, Match, RestartNotice, Seat, ServiceWindow, StaffDecision

if TYPE_CHECKING:
    MatchAdminBase = admin.ModelAdmin[Match]
    ChallengeAdminBase = admin.ModelAdmin[Challenge]
    WindowAdminBase = admin.ModelAdmin[ServiceWindow]
    RestartAdminBase = admin.ModelAdmin[RestartNotice]
    SeatInlineBase = admin.TabularInline[Seat, Match]
    EventInlineBase = admin.TabularInline[Event, Match]
    DecisionInlineBase = admin.TabularInline[StaffDecision, Match]
else:
    MatchAdminBase = ChallengeAdminBase = WindowAdminBase = RestartAdminBase = admin.ModelAdmin
    SeatInlineBase = EventInlineBase = DecisionInlineBase = admin.TabularInline


class ReadOnly:
    """Nobody adds, changes or deletes these by hand: the log is the truth."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class SeatInline(ReadOnly, SeatInlineBase):
    model = Seat
    fields = ("seat", "name", "user", "live")


class EventInline(ReadOnly, EventInlineBase):
    """The log without its tiles: who did what, in which order."""

    model = Event
    fields = ("n", "seat", "do", "seen")


class DecisionInline(ReadOnly, DecisionInlineBase):
    model = StaffDecision
    fields = readonly_fields = ("kind", "by", "at", "reason")


@admin.register(Match)
class MatchAdmin(ReadOnly, MatchAdminBase):
    list_display = ("id", "players", "rated", "version", "reason", "winner", "created_at")
    list_filter = ("rated", "reason")
    search_fields = ("id", "seats__name")
    date_hierarchy = "created_at"
    fields = ("id", "rated", "created_at", "version", "ended_at", "winner", "reason")
    inlines = (DecisionInline, SeatInline, EventInline)

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """A list is filtered by what it shows alone: a filter by the snapshot would tell hands."""
        shown = lookup.partition("__")[0] in {*self.fields, "pk"}
        return shown and super().lookup_allowed(lookup, value, request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).defer("snapshot").prefetch_related("seats")

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        return " – ".join(seat.name for seat in match.seats.all())

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.void_view)
        return [path("<str:match_id>/void/", view, name="games_match_void"), *super().get_urls()]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        running = Match.objects.filter(pk=object_id, ended_at=None).exists()
        told = {**(extra_context or {}), "can_void": running and _may_void(request)}
        return super().change_view(request, object_id, form_url, told)

    def void_view(self, request: HttpRequest, match_id: str) -> HttpResponse:
        """End a running match: void, for a reason that is kept."""
        if not _may_void(request):
            raise PermissionDenied
        match = get_object_or_404(Match.objects.defer("snapshot"), pk=match_id)
        form = VoidForm(request.POST if request.method == "POST" else None)
        back = redirect("admin:games_match_change", match.pk)
        if match.ended_at is not None:
            messages.error(request, gettext("This match is over and keeps its result."))
            return back
        if form.is_valid():
            self._void(request, match, form.cleaned_data["reason"])
            return back
        context = {
            **self.admin_site.each_context(request),
            "title": gettext("Void this match"),
            "opts": self.opts,
            "match": match,
            "form": form,
        }
        return render(request, "admin/games/match/void.html", context)

    def _void(self, request: HttpRequest, match: Match, reason: str) -> None:
        assert isinstance(request.user, User)
        try:
            store.void(match.pk, request.user, reason, timekeeping.now_ms())
        except store.Refused as refused:
            messages.error(request, words.refusal(refused.code, refused.params))
            return
        self.log_change(request, match, gettext("Voided: %(reason)s") % {"reason": reason})
        messages.success(request, gettext("The match is void, and everybody at it has been told."))


def _may_void(request: HttpRequest) -> bool:
    return request.user.has_perms(["games.view_match", "games.void_match"])


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly, ChallengeAdminBase):
    list_display = ("id", "creator", "rated", "state", "created_at", "closed_at")
    list_filter = ("state", "rated")
    search_fields = ("id", "creator__username")
    fields = ("id", "creator", "rated", "state", "created_at", "closed_at", "match")


@admin.register(ServiceWindow)
class ServiceWindowAdmin(ReadOnly, WindowAdminBase):
    list_display = ("front", "opened_at", "beat_at", "decided_at", "state", "cause")
    list_filter = ("state", "cause")
    fields = ("front", "opened_at", "beat_at", "decided_at", "state", "cause")
    readonly_fields = ("opened_at", "beat_at", "decided_at")

    @admin.display(description=_("opened"), ordering="opened")
    def opened_at(self, window: ServiceWindow) -> datetime:
        return _moment(window.opened)

    @admin.display(description=_("last beat"), ordering="beat")
    def beat_at(self, window: ServiceWindow) -> datetime:
        return _moment(window.beat)

    @admin.display(description=_("decided up to"), ordering="decided")
    def decided_at(self, window: ServiceWindow) -> datetime:
        return _moment(window.decided)


def _moment(ms: int) -> datetime:
    return datetime.fromtimestamp(ms / 1000, UTC)


@admin.register(RestartNotice)
class RestartNoticeAdmin(RestartAdminBase):
    list_display = ("begins", "active", "text")
    list_filter = ("active",)
