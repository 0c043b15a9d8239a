"""What templates of the site need: the visitor's running match, and form controls."""

from __future__ import annotations

from datetime import datetime, timedelta

from django import template
from django.forms import BoundField
from django.template.context import Context
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timesince import timesince
from django.utils.translation import gettext

from games import restarts
from games.lobby import RunningMatch, running_match_of
from games.models import Challenge, RestartNotice

register = template.Library()


@register.simple_tag(takes_context=True)
def running_match(context: Context) -> RunningMatch | None:
    """The running match of the request's user, looked up once per page."""
    request = context.get("request")
    user = getattr(request, "user", None)
    if user is None or not user.is_authenticated:
        return None
    return running_match_of(user)


@register.simple_tag(takes_context=True)
def incoming_challenge(context: Context) -> Challenge | None:
    """The newest challenge that the request's user has not answered, by one query."""
    user = getattr(context.get("request"), "user", None)
    if user is None or not user.is_authenticated:
        return None
    fresh = Challenge.objects.filter(
        to=user,
        kind=Challenge.Kind.DIRECT,
        state=Challenge.State.OPEN,
        expires_at__gt=timezone.now(),
    )
    return fresh.select_related("creator").order_by("-created_at").first()


@register.simple_tag(takes_context=True)
def announced_restart(context: Context) -> RestartNotice | None:
    """The restart to tell of; an error page, which has no request, tells of none."""
    return restarts.to_show() if context.get("request") else None


@register.simple_tag
def control(field: BoundField) -> SafeString:
    """A form field's control without a placeholder: its label says it, and stays."""
    return field.as_widget(attrs={"placeholder": False})


@register.simple_tag
def ask(field: BoundField, label: str, help_text: str = "", **attrs: str) -> str:
    """Word a field of somebody else's form as this site does; draws nothing."""
    field.label = label
    field.help_text = help_text or field.help_text
    field.field.widget.attrs.update(attrs)
    return ""


@register.filter
def since(moment: datetime) -> str:
    """How long ago something was made, in words."""
    if timezone.now() - moment < timedelta(minutes=1):
        return gettext("a moment ago")
    return gettext("%(time)s ago") % {"time": timesince(moment)}


#: Where the pips of a half lie, in units of the distance between two of them.
PIPS: dict[int, tuple[tuple[int, int], ...]] = {
    0: (),
    1: ((0, 0),),
    2: ((-1, -1), (1, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (-1, 1), (1, -1), (1, 1)),
    5: ((-1, -1), (-1, 1), (0, 0), (1, -1), (1, 1)),
    6: ((-1, -1), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 1)),
}


@register.simple_tag
def tile(name: str, x: int, y: int, turn: int = 0) -> SafeString:
    """A tile of a drawn picture, 80 by 40, around (x, y); turn 0 has the higher half left."""
    halves = zip((-20, 20), (int(half) for half in name.split("-")), strict=True)
    pips = format_html_join(
        "",
        '<circle class="pip" cx="{}" cy="{}" r="4"/>',
        ((centre + 11 * px, 11 * py) for centre, value in halves for px, py in PIPS[value]),
    )
    return format_html(
        '<g transform="translate({} {}) rotate({})">'
        '<rect class="face" x="-39" y="-19" width="78" height="38" rx="7"/>'
        '<path class="bar" d="M0-13V13"/>{}</g>',
        x,
        y,
        turn,
        pips,
    )


@register.simple_tag
def end(count: int, x: int, y: int) -> SafeString:
    """What an open end of a drawn picture counts."""
    return format_html(
        '<circle class="dot" cx="{}" cy="{}" r="15"/><text class="num" x="{}" y="{}">{}</text>',
        x,
        y,
        x,
        y + 6,
        count,
    )


@register.simple_tag
def counters(mine: int) -> SafeString:
    """The sixty counters of a drawn picture, ``mine`` of them on the left."""
    return format_html_join(
        "",
        '<rect class="{}" x="{}" y="0" width="4" height="14" rx="2"/>',
        (("me" if n < mine else "opp", n * 6 + (4 if n >= mine else 0)) for n in range(60)),
    )
