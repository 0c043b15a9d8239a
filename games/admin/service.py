"""When the service was up, to read, and restarts to announce."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from accounts.admin.common import AskedByWhatIsShown, NamedValues, ReadOnly
from games.models import RestartNotice, ServiceWindow
from games.timekeeping import moment

if TYPE_CHECKING:
    WindowAdminBase = admin.ModelAdmin[ServiceWindow]
    RestartAdminBase = admin.ModelAdmin[RestartNotice]
else:
    WindowAdminBase = RestartAdminBase = admin.ModelAdmin


@admin.register(ServiceWindow)
class ServiceWindowAdmin(AskedByWhatIsShown, ReadOnly, WindowAdminBase):
    list_display = ("front", "opened_at", "beat_at", "decided_at", "state", "cause")
    list_filter = ("state", ("cause", NamedValues))
    fields = ("front", "opened_at", "beat_at", "decided_at", "state", "cause")
    readonly_fields = ("opened_at", "beat_at", "decided_at")
    askable = ("front", "opened", "beat", "decided", "state", "cause")

    @admin.display(description=_("opened"), ordering="opened")
    def opened_at(self, window: ServiceWindow) -> datetime:
        return moment(window.opened)

    @admin.display(description=_("last beat"), ordering="beat")
    def beat_at(self, window: ServiceWindow) -> datetime:
        return moment(window.beat)

    @admin.display(description=_("decided up to"), ordering="decided")
    def decided_at(self, window: ServiceWindow) -> datetime:
        return moment(window.decided)


@admin.register(RestartNotice)
class RestartNoticeAdmin(AskedByWhatIsShown, RestartAdminBase):
    list_display = ("begins", "active", "text")
    list_filter = ("active",)
    askable = ("begins", "active", "text")

    def formfield_for_dbfield(self, db_field: Any, request: HttpRequest, **kwargs: Any) -> Any:
        """The two fields of the moment are told apart by name."""
        field = super().formfield_for_dbfield(db_field, request, **kwargs)
        if db_field.name == "begins" and field is not None:
            for part, name in zip(field.widget.widgets, ("YYYY-MM-DD", "HH:MM:SS"), strict=True):
                part.attrs["aria-label"] = f"{db_field.verbose_name} ({name})"
        return field
