"""How a page names a player: always by a link to who that is."""

from __future__ import annotations

from django import template
from django.urls import NoReverseMatch, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext

from accounts.models import User

register = template.Library()


@register.simple_tag
def player(who: User | str | None, rating: object = None, provisional: bool = False) -> SafeString:
    """A player's name as a link to the profile, with a rating where one is given: "Ada 1512?".

    ``rating`` is a number, or a standing, which knows itself whether it is provisional.
    """
    name = str(who or "")
    address = _profile(who)
    link = format_html('<a class="player" href="{}">{}</a>' if address else "{1}", address, name)
    if rating is None or rating == "":
        return link
    figure = f"{rating}{'?' if provisional else ''}"
    hint = gettext("provisional rating") if figure.endswith("?") else gettext("rating")
    return format_html(
        '<span class="rated-player">{} <span class="rating" title="{}">{}</span></span>',
        link,
        hint,
        figure,
    )


def _profile(who: User | str | None) -> str:
    """The address of a profile; empty where there is none to see."""
    if not who or (isinstance(who, User) and not who.is_active):
        return ""
    try:
        return reverse("player", args=[str(who)])
    except NoReverseMatch:  # a name that no address can hold
        return ""
