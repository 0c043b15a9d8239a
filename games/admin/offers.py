"""Offers of matches, to read."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from accounts.admin.common import AskedByWhatIsShown, ReadOnly
from games.models import Challenge

if TYPE_CHECKING:
    ChallengeAdminBase = admin.ModelAdmin[Challenge]
else:
    ChallengeAdminBase = admin.ModelAdmin


@admin.register(Challenge)
class ChallengeAdmin(AskedByWhatIsShown, ReadOnly, ChallengeAdminBase):
    list_display = ("id", "kind", "creator", "to", "rated", "state", "created_at", "closed_at")
    list_filter = ("kind", "state", "rated")
    list_select_related = ("creator", "to")
    search_fields = ("id", "creator__username", "to__username")
    fields = (
        "id",
        "kind",
        "creator",
        "to",
        "rated",
        "rating",
        "least",
        "most",
        "previous",
        "state",
        "created_at",
        "expires_at",
        "closed_at",
        "match",
    )
    askable = fields
