"""How pages write figures about ratings."""

from __future__ import annotations

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from ratings import ladder
from ratings.models import ESTABLISHED

register = template.Library()

TOP = 5  # lines of the ladder on the home page


@register.simple_tag
def ladder_top() -> list[ladder.Row]:
    """The first lines of the ladder, for a page that is about something else."""
    return ladder.top(TOP)


@register.simple_tag
def ladder_needs() -> int:
    """How many rated matches it takes to be ranked."""
    return ESTABLISHED


@register.filter
def gain(points: int | None) -> SafeString:
    """A change of a rating, with its sign: "+12", "−8", "±0", and "–" where there was none."""
    if points is None:
        return format_html(
            '<span aria-hidden="true">–</span><span class="visually-hidden">{}</span>',
            gettext("none"),
        )
    kind, sign = ("up", "+") if points > 0 else ("down", "−") if points < 0 else ("even", "±")
    return format_html('<span class="gain {}">{}{}</span>', kind, sign, abs(points))
