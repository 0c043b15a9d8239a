"""What templates of the site need: the visitor's running match, and form controls."""

from __future__ import annotations

from django import template
from django.forms import BoundField
from django.template.context import Context
from django.utils.safestring import SafeString

from games.lobby import RunningMatch, running_match_of

register = template.Library()


@register.simple_tag(takes_context=True)
def running_match(context: Context) -> RunningMatch | None:
    """The running match of the request's user, looked up once per page."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    return running_match_of(user)


@register.simple_tag
def control(field: BoundField) -> SafeString:
    """A form field's control without a placeholder: its label says it, and stays."""
    return field.as_widget(attrs={"placeholder": False})
