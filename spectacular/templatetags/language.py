"""What the choice of the language needs."""

from __future__ import annotations

from django import template
from django.conf import settings
from django.http import HttpRequest

from spectacular import language

register = template.Library()


@register.simple_tag
def languages() -> list[tuple[str, str]]:
    """Code and name of each language, the name in that language itself."""
    return list(settings.LANGUAGES)


@register.simple_tag
def place(request: HttpRequest) -> str:
    """The address of the page that is shown."""
    return language.place_of(request)
