"""Suspensions and blocks, to read: a suspension is decided on the page of its player."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin

from accounts.models import Block, Suspension

from .common import AskedByWhatIsShown, ReadOnly

if TYPE_CHECKING:
    SuspensionAdminBase = admin.ModelAdmin[Suspension]
    BlockAdminBase = admin.ModelAdmin[Block]
else:
    SuspensionAdminBase = BlockAdminBase = admin.ModelAdmin


@admin.register(Suspension)
class SuspensionAdmin(AskedByWhatIsShown, ReadOnly, SuspensionAdminBase):
    list_display = ("user", "at", "until", "lifted_at", "by", "reason")
    list_select_related = ("user", "by")
    search_fields = ("user__username", "reason")
    fields = ("user", "by", "at", "until", "reason", "lifted_at", "lifted_by")
    askable = fields


@admin.register(Block)
class BlockAdmin(AskedByWhatIsShown, ReadOnly, BlockAdminBase):
    list_display = ("user", "blocked", "at")
    list_select_related = ("user", "blocked")
    search_fields = ("user__username", "blocked__username")
    fields = ("user", "blocked", "at")
    askable = fields
