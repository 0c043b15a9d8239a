"""What the admin pages of all apps share: what is read-only, what a list may be asked, and the
page on which a member of staff decides something."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from django import forms
from django.contrib import messages
from django.contrib.admin import AllValuesFieldListFilter, ModelAdmin
from django.contrib.admin.options import IncorrectLookupParameters
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse

from accounts.models import User


class ReadOnly:
    """Nobody adds, changes or deletes these by hand."""

    def has_add_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False


class NamedValues(AllValuesFieldListFilter):
    """A filter by the values of a column, of which the empty one can be seen, too."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            yield choice | {"display": choice["display"] or "–"}


class AskedByWhatIsShown:
    """A list is filtered by the columns of its own page alone, and not through them to others:
    a filter tells what it filters by. What no database can be asked finds nothing."""

    askable: tuple[str, ...] = ()

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        own = lookup.partition("__")[0] in {"pk", *self.askable}
        # Another class has the method; mypy does not see it here.
        return own and super().lookup_allowed(lookup, value, request)  # type: ignore[misc]

    def get_object(
        self, request: HttpRequest, object_id: str, from_field: str | None = None
    ) -> Any:
        if "\0" in object_id:  # PostgreSQL takes no such text
            return None
        return super().get_object(request, object_id, from_field)  # type: ignore[misc]

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        if any("\0" in value for values in request.GET.lists() for value in values[1]):
            raise IncorrectLookupParameters
        try:
            return super().get_changelist_instance(request)  # type: ignore[misc]
        except (ValueError, OverflowError) as error:  # a year that is none
            raise IncorrectLookupParameters from error


@dataclass(frozen=True, slots=True)
class Decision:
    """A page that asks for the particulars of a decision of staff.

    ``decide`` carries it out with what was filled in. It returns the sentence that tells the
    outcome, or raises :class:`Declined`.
    """

    title: str
    told: str
    button: str
    back: str
    decide: Callable[[dict[str, Any]], str]


class Declined(Exception):
    """Why a decision was not carried out, in a sentence; nothing has changed."""


def decision_page(
    request: HttpRequest,
    model_admin: ModelAdmin[Any],
    about: Model,
    decision: Decision,
    form: forms.Form,
) -> HttpResponse:
    """Ask, and carry out what was answered; afterwards the page it is about tells the outcome."""
    opts = model_admin.opts
    back = reverse(f"admin:{opts.app_label}_{opts.model_name}_change", args=[about.pk])
    if form.is_valid():
        try:
            messages.success(request, decision.decide(form.cleaned_data))
        except Declined as declined:
            messages.error(request, str(declined))
        return redirect(back)
    context = {
        **model_admin.admin_site.each_context(request),
        "title": decision.title,
        "opts": opts,
        "about": about,
        "decision": decision,
        "form": form,
        "back": back,
        "list": reverse(f"admin:{opts.app_label}_{opts.model_name}_changelist"),
    }
    return render(request, "admin/decide.html", context)


def staff_of(request: HttpRequest) -> User:
    """Who is asking; only staff get to where this is called."""
    assert isinstance(request.user, User)
    return request.user


class ReasonForm(forms.Form):
    """Why staff decide something."""

    reason = forms.CharField(
        max_length=2000,
        widget=forms.Textarea(attrs={"rows": 4, "cols": 80, "class": "vLargeTextField"}),
    )

    def __init__(self, data: Any, *, label: str, help_text: str, required: bool = True) -> None:
        super().__init__(data)
        field = self.fields["reason"]
        field.label, field.help_text, field.required = label, help_text, required
