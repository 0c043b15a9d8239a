"""Players in the admin."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django import forms
from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _

from accounts import conduct_words, services
from accounts.models import Suspension, User

from .common import (
    AskedByWhatIsShown,
    Decision,
    Declined,
    ReadOnly,
    ReasonForm,
    decision_page,
    staff_of,
)

if TYPE_CHECKING:
    SuspensionInlineBase = admin.TabularInline[Suspension, User]
else:
    SuspensionInlineBase = admin.TabularInline

#: What makes a member of staff, and what one may do.
POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")


class SuspensionInline(ReadOnly, SuspensionInlineBase):
    """Every suspension of this player so far."""

    model = Suspension
    fk_name = "user"
    fields = readonly_fields = ("at", "until", "by", "reason", "lifted_at", "lifted_by")

    def has_view_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_view_permission(request, obj) or _may_suspend(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Suspension]:
        return super().get_queryset(request).select_related("user", "by", "lifted_by")


class SuspendedFilter(admin.SimpleListFilter):
    """Those who may start no match now."""

    title = _("suspended")
    parameter_name = "suspended"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", _("Yes")), ("no", _("No"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[User]) -> QuerySet[User]:
        suspended = Exists(Suspension.objects.filter(services.running(), user=OuterRef("pk")))
        if self.value() == "yes":
            return queryset.filter(suspended)
        return queryset.exclude(suspended) if self.value() == "no" else queryset


class SuspendForm(ReasonForm):
    """Why, and until when."""

    until = forms.DateTimeField(
        label=_("Until (UTC)"),
        required=False,
        widget=forms.DateTimeInput({"type": "datetime-local"}, "%Y-%m-%dT%H:%M"),
        help_text=_("Empty: without an end, until somebody lifts it."),
    )

    def clean_until(self) -> Any:
        until = self.cleaned_data["until"]
        if until is not None and until <= timezone.now():
            raise forms.ValidationError(gettext("Choose a moment in the future."))
        return until


@admin.register(User)
class PlayerAdmin(AskedByWhatIsShown, UserAdmin[User]):
    """Django's own page for users, less the names this site does not ask for.

    Who belongs to staff is for superusers to say; staff change players, and themselves.
    """

    list_display = ["username", "email", "date_joined", "last_login", "is_active", "is_staff"]
    list_filter = [SuspendedFilter, "is_staff", "is_superuser", "is_active"]
    search_fields = ["username", "email"]
    ordering = ["username"]
    askable = ("suspended", "username", "email", "date_joined", "last_login", "is_active", *POWERS)
    inlines = (SuspensionInline,)
    fieldsets = (
        (None, {"fields": ("username", "email", "password")}),
        (_("Permissions"), {"fields": ("is_active", *POWERS)}),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (
            None,
            {
                "classes": ("wide",),
                "fields": ("username", "email", "usable_password", "password1", "password2"),
            },
        ),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: User | None = None) -> Any:
        kept = ("last_login", "date_joined")
        return kept if request.user.is_superuser else (*POWERS, *kept)

    def has_change_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_change_permission(request, obj) and _may_touch(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: User | None = None) -> bool:
        return super().has_delete_permission(request, obj) and _may_touch(request, obj)

    def get_inlines(self, request: HttpRequest, obj: User | None) -> Any:
        return self.inlines if obj else ()

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view
        return [
            path("<int:user_id>/suspend/", view(self.suspend_view), name="accounts_user_suspend"),
            path("<int:user_id>/lift/", view(self.lift_view), name="accounts_user_lift"),
            *super().get_urls(),
        ]

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        user = self.get_object(request, object_id)
        told: dict[str, Any] = dict(extra_context or {})
        if user is not None and self._may_judge(request, user):
            told |= {"can_suspend": True, "suspension": services.suspension_of(user)}
        return super().change_view(request, object_id, form_url, told)

    def suspend_view(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Let a player start no match for a while."""
        user = self._judged(request, user_id)

        def decide(said: dict[str, Any]) -> str:
            return self._suspend(request, user, **said)

        decision = Decision(
            gettext("Suspend %(player)s") % {"player": user},
            gettext(
                "Open offers are closed at once and no new match starts. A running match goes "
                "on to its end. The player may sign in and look, and is told until when and why."
            ),
            gettext("Suspend"),
            gettext("Leave it"),
            decide,
        )
        form = SuspendForm(
            request.POST if request.method == "POST" else None,
            label=gettext("Reason"),
            help_text=gettext("The player reads it on every page, and staff in the history."),
        )
        return decision_page(request, self, user, decision, form)

    def lift_view(self, request: HttpRequest, user_id: int) -> HttpResponse:
        """Let a suspended player start matches again."""
        user = self._judged(request, user_id)

        def decide(said: dict[str, Any]) -> str:
            return self._lift(request, user, **said)

        decision = Decision(
            gettext("Lift the suspension of %(player)s") % {"player": user},
            gettext("From now on the player can start matches again."),
            gettext("Lift the suspension"),
            gettext("Leave it"),
            decide,
        )
        form = ReasonForm(
            request.POST if request.method == "POST" else None,
            label=gettext("Note"),
            help_text=gettext("May be empty. It is kept in the history, for staff alone."),
            required=False,
        )
        return decision_page(request, self, user, decision, form)

    def _suspend(self, request: HttpRequest, user: User, reason: str, until: Any) -> str:
        try:
            services.suspend(user, staff_of(request), reason, until)
        except services.Refused as refused:
            raise Declined(conduct_words.sentence(refused)) from None
        when = date_format(until, "DATETIME_FORMAT") if until else gettext("without an end")
        values = {"until": when, "reason": reason, "player": user}
        self.log_change(request, user, gettext("Suspended (%(until)s): %(reason)s") % values)
        return gettext("Suspended, and %(player)s has been told.") % values

    def _lift(self, request: HttpRequest, user: User, reason: str) -> str:
        try:
            lifted = services.lift(user, staff_of(request))
        except services.Refused as refused:
            raise Declined(conduct_words.sentence(refused)) from None
        if not lifted:
            raise Declined(gettext("No suspension of %(player)s is running.") % {"player": user})
        done = ngettext("Lifted %(n)s suspension.", "Lifted %(n)s suspensions.", lifted)
        self.log_change(request, user, f"{done % {'n': lifted}} {reason}".strip())
        return gettext("From now on %(player)s can start matches again.") % {"player": user}

    def _judged(self, request: HttpRequest, user_id: int) -> User:
        """The player that is judged, by somebody who may."""
        if not _may_suspend(request) or not self.has_view_permission(request):
            raise PermissionDenied
        user: User | None = self.get_object(request, str(user_id))
        if user is None:
            raise Http404
        if not self._may_judge(request, user):
            raise PermissionDenied
        return user

    def _may_judge(self, request: HttpRequest, user: User) -> bool:
        seen = _may_suspend(request) and self.has_view_permission(request, user)
        return seen and services.obstacle(user, staff_of(request)) is None


def _may_suspend(request: HttpRequest) -> bool:
    return request.user.has_perm("accounts.suspend_user")


def _may_touch(request: HttpRequest, user: User | None) -> bool:
    """Whether somebody may change this account: that of a member of staff, only its own or as a
    superuser. A new password would be a way to all that its owner may do."""
    if user is None or request.user.is_superuser or user == request.user:
        return True
    return not (user.is_staff or user.is_superuser)
