"""The marks that staff leave, to read; who belongs to staff is for superusers alone to say."""

from __future__ import annotations

from typing import TYPE_CHECKING

import allauth.account.admin  # noqa: F401  # registers what is registered anew below
from allauth.account.models import EmailAddress
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.admin import GroupAdmin
from django.contrib.auth.models import Group
from django.db.models import Model
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from .common import AskedByWhatIsShown, ReadOnly

if TYPE_CHECKING:
    LogEntryAdminBase = admin.ModelAdmin[LogEntry]
else:
    LogEntryAdminBase = admin.ModelAdmin

admin.site.unregister(Group)
admin.site.unregister(EmailAddress)


@admin.register(LogEntry)
class LogEntryAdmin(AskedByWhatIsShown, ReadOnly, LogEntryAdminBase):
    """Who did what, and when."""

    list_display = ("action_time", "user", "content_type", "about", "action_flag", "message")
    list_filter = ("action_flag", "content_type")
    list_select_related = ("user", "content_type")
    search_fields = ("user__username", "object_id", "object_repr", "change_message")
    date_hierarchy = "action_time"
    fields = ("action_time", "user", "content_type", "about", "action_flag", "message")
    askable = ("action_time", "user", "content_type", "action_flag", "object_id")

    @admin.display(description=_("about"))
    def about(self, entry: LogEntry) -> str | SafeString:
        address = None if entry.is_deletion() else entry.get_admin_url()
        if address is None:
            return entry.object_repr
        return format_html('<a href="{}">{}</a>', address, entry.object_repr)

    @admin.display(description=_("what was done"))
    def message(self, entry: LogEntry) -> str:
        return str(entry.get_change_message())


@admin.register(Group)
class StaffGroupAdmin(AskedByWhatIsShown, GroupAdmin):
    """Whoever may change a group can give themselves everything: superusers alone."""

    askable = ("name",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return _is_superuser(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _is_superuser(request)

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return _is_superuser(request)


@admin.register(EmailAddress)
class EmailAddressAdmin(AskedByWhatIsShown, ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    """The addresses players have proven: a new one would let somebody into an account."""

    list_display = ("email", "user", "primary", "verified")
    list_filter = ("primary", "verified")
    list_select_related = ("user",)
    search_fields = ("email", "user__username")
    fields = ("email", "user", "primary", "verified")
    askable = fields


def _is_superuser(request: HttpRequest) -> bool:
    return bool(request.user.is_active and request.user.is_superuser)
