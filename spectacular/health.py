"""Whether this process answers, for whatever watches over it."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def healthz(_request: HttpRequest) -> HttpResponse:
    """The process is alive; it asks neither the database nor Redis."""
    return HttpResponse("ok\n", content_type="text/plain")
