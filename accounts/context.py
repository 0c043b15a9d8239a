"""What every template of the site knows about its visitor."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils.functional import SimpleLazyObject

from .preferences import preferences_of


def preferences(request: HttpRequest) -> dict[str, Any]:
    """``preferences``, looked up where a template asks for them."""
    return {"preferences": SimpleLazyObject(lambda: preferences_of(request))}
