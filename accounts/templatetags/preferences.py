"""The form of one's preferences, for a page that is about something else."""

from __future__ import annotations

from django import template
from django.template.context import Context

from accounts.preferences import Preferences, preferences_of
from accounts.preferences_form import PreferencesForm

register = template.Library()


@register.simple_tag(takes_context=True)
def preferences_form(context: Context) -> PreferencesForm:
    """The form with what the visitor has chosen so far."""
    request = context.get("request")
    return PreferencesForm(preferences_of(request) if request else Preferences())
