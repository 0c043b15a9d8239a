"""The best live match, for any page."""

from __future__ import annotations

from django import template
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from games import timekeeping, watch
from games.present.table import TILE_SET

register = template.Library()


@register.simple_tag
def best_match() -> SafeString:
    """The tiles to draw with, and the best live match or an invitation; rendered once for all
    who look at this moment."""
    tiles = render_to_string("games/_tiles.html", {"symbols": TILE_SET})
    return mark_safe(tiles + watch.BEST.text(timekeeping.now_ms()).html)  # noqa: S308
