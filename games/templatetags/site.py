"""What every page of the site shows: the signed-in user's running match."""

from __future__ import annotations

from django import template
from django.template.context import Context

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
