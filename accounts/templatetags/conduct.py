"""What every page tells a suspended player."""

from __future__ import annotations

from django import template
from django.template.context import Context

from accounts.models import Suspension, User
from accounts.services import suspension_of

register = template.Library()


@register.simple_tag(takes_context=True)
def suspension(context: Context) -> Suspension | None:
    """The suspension that the visitor is under; an error page without a request tells none."""
    user = getattr(context.get("request"), "user", None)
    return suspension_of(user) if isinstance(user, User) else None
