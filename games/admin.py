"""What staff see of matches: what happened is read-only, and no hand of a live match is shown."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.db.models import Model, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from .models import Challenge, Event, Match, Seat

if TYPE_CHECKING:
    MatchAdminBase = admin.ModelAdmin[Match]
    ChallengeAdminBase = admin.ModelAdmin[Challenge]
    SeatInlineBase = admin.TabularInline[Seat, Match]
    EventInlineBase = admin.TabularInline[Event, Match]
else:
    MatchAdminBase = ChallengeAdminBase = admin.ModelAdmin
    SeatInlineBase = EventInlineBase = admin.TabularInline


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


@admin.register(Match)
class MatchAdmin(ReadOnly, MatchAdminBase):
    list_display = ("id", "players", "rated", "version", "reason", "winner", "created_at")
    list_filter = ("rated", "reason")
    search_fields = ("id", "seats__name")
    date_hierarchy = "created_at"
    fields = ("id", "rated", "created_at", "version", "ended_at", "winner", "reason")
    inlines = (SeatInline, EventInline)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        return super().get_queryset(request).defer("snapshot").prefetch_related("seats")

    @admin.display(description=_("players"))
    def players(self, match: Match) -> str:
        return " – ".join(seat.name for seat in match.seats.all())


@admin.register(Challenge)
class ChallengeAdmin(ReadOnly, ChallengeAdminBase):
    list_display = ("id", "creator", "rated", "state", "created_at", "closed_at")
    list_filter = ("state", "rated")
    search_fields = ("id", "creator__username")
    fields = ("id", "creator", "rated", "state", "created_at", "closed_at", "match")
