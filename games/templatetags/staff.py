"""What waits for staff, on the first page of the admin."""

from __future__ import annotations

from django import template
from django.template.context import Context

from games import reports

register = template.Library()


@register.simple_tag(takes_context=True)
def open_reports(context: Context) -> int | None:
    """How many reports wait; None for somebody who may not read them."""
    user = context["request"].user
    return reports.open_count() if user.has_perm("games.view_report") else None
