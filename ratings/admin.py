"""Ratings and their changes in the admin: read-only, because the matches say what they are."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.utils.translation import gettext_lazy as _

from accounts.admin.common import AskedByWhatIsShown, ReadOnly

from .models import Rating, RatingChange

if TYPE_CHECKING:
    RatingAdminBase = admin.ModelAdmin[Rating]
    ChangeAdminBase = admin.ModelAdmin[RatingChange]
else:
    RatingAdminBase = ChangeAdminBase = admin.ModelAdmin


@admin.register(Rating)
class RatingAdmin(AskedByWhatIsShown, ReadOnly, RatingAdminBase):
    list_display = ("user", "value", "matches", "won", "lost", "peak", "at_top", "last_played")
    list_filter = ("at_top",)
    list_select_related = ("user",)
    search_fields = ("user__username",)
    date_hierarchy = "last_played"
    fields = ("user", "value", "matches", "won", "lost", "peak", "at_top", "last_played")
    askable = fields


@admin.register(RatingChange)
class RatingChangeAdmin(AskedByWhatIsShown, ReadOnly, ChangeAdminBase):
    list_display = ("at", "user", "kind", "before", "after", "shown", "k", "opponent", "match_id")
    list_filter = ("kind", "k", "won")
    list_select_related = ("user", "opponent")
    search_fields = ("user__username", "match_id")
    date_hierarchy = "at"
    fields = (
        "at",
        "user",
        "match_id",
        "kind",
        "won",
        "before",
        "after",
        "number",
        "k",
        "opponent",
        "opponent_before",
    )
    askable = fields

    @admin.display(description=_("change"))
    def shown(self, change: RatingChange) -> str:
        return f"{change.difference:+d}"
